// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The golden cases of config_load: the content of each input, the expected outcome, and the rules for inputs that
// Accelerate handles wrongly. engine/config/accelerate/README.md describes the rules.

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>
#include <yaml-cpp/yaml.h>

#include "config/accelerate/schema.h"

namespace trainyard::settings::test_rules {

using nlohmann::json;

// Read by yaml-cpp, not by the code under test.

struct Leaf {
    std::string table;
    std::string name;
    YAML::Node node;
    const Key* key = nullptr;

    bool plain() const { return node.IsScalar() && node.Tag() == "?"; }
    std::string text() const { return node.IsScalar() ? node.Scalar() : std::string(); }
};

struct Case {
    std::string text;
    std::string file;
    YAML::Node root;  // undefined when it does not parse
    bool sagemaker = false;
    std::vector<Leaf> leaves;
};

Case case_of(const json& input);

struct Outcome {
    bool refused = false;
    std::set<std::string> named;  ///< keys that the problems must name
    json config = json::object();
    std::optional<std::string> saved;  ///< nothing: any text that says `config`
};

struct LoadRule {
    const char* name;
    const char* reason;
    /// Changes the outcome where the input is of this kind.
    std::function<void(const Case&, const json& expected, Outcome&)> judge;
};

const std::vector<LoadRule>& load_rules();

}  // namespace trainyard::settings::test_rules
