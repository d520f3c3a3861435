// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The one table that says what a recipe may hold. Parsing, writing, overrides, the list of keys and the checks of
// single values all walk over it; a new setting is a member in recipe.h and a row in recipe_fields.cpp.

#include <functional>
#include <limits>
#include <string>
#include <variant>
#include <vector>

#include "base/message.h"
#include "config/recipe/recipe.h"

namespace trainyard::config {

/// The two decay rates of Adam, written as the list `betas`.
struct Betas {
    double* beta1;
    double* beta2;
};

/// A table of free keys and values, kept as YAML in flow style; empty text: none.
struct Table {
    std::string* yaml;
};

/// A table or list of config.json, kept as JSON in one line; empty text: not given.
struct Json {
    std::string* text;
};

/// Where the value of a key lives. A list is of paths where the field says so, else of words.
using Target = std::variant<std::int64_t*, std::uint64_t*, double*, bool*, std::string*, std::vector<std::string>*,
                            Betas, Table, Json, ChoiceValue>;

struct Range {
    double least = -std::numeric_limits<double>::infinity();
    double most = std::numeric_limits<double>::infinity();
    bool above = false;  ///< `least` itself is too small
    bool below = false;  ///< `most` itself is too large

    bool holds(double value) const {
        return (above ? value > least : value >= least) && (below ? value < most : value <= most);
    }
    Message text() const;  ///< `at least 1`, `from 0 to 1`, `greater than 0`
};

/// Names of a hub that a path may be (formats/hub/repo_name.h): models with or without the prefix `hub:`, data sets
/// with it.
enum class HubNames : unsigned char { none, models, data_sets };

struct Field {
    std::string section;  ///< empty: top level
    std::string key;
    std::function<Target(Recipe&)> target;
    std::string help;
    Range range = {};
    std::vector<std::string> choices = {};  ///< of a choice, a text or each word of a list; empty: any
    bool path = false;                      ///< a text or list that names files or folders
    std::string other_key = {};             ///< a second spelling
    HubNames hub = HubNames::none;          ///< of a path: it may also be a name of a hub
    const char* yes = "";                   ///< of choices: the one that an unquoted `yes` or `true` is

    std::string dotted() const { return section.empty() ? key : section + "." + key; }
    std::string type() const;
};

const std::vector<Field>& recipe_fields();
/// Sections in the order they are written.
const std::vector<std::string>& recipe_sections();

/// The value of a field as YAML (flow style).
std::string field_text(const Field& field, const Recipe& recipe);

}  // namespace trainyard::config
