// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Typed access to the values of a config.json, for building module trees. Internal to the library.

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/message.h"

namespace trainyard::estimate {

class ArchitectureConfig {
  public:
    ArchitectureConfig(nlohmann::json json, std::string where) : json_(std::move(json)), where_(std::move(where)) {}

    /// The value of the first key that exists and is not null. Throws UserError if it is not an integer or is below
    /// `least`.
    std::int64_t whole(const std::vector<const char*>& keys, std::int64_t otherwise, std::int64_t least = 1) const;
    std::int64_t whole(const char* key, std::int64_t otherwise, std::int64_t least = 1) const {
        return whole(std::vector<const char*>{key}, otherwise, least);
    }
    double number(const char* key, double otherwise) const;
    bool truth(const char* key, bool otherwise) const;
    std::string text(const char* key, const std::string& otherwise) const;
    std::vector<std::int64_t> list(const char* key, std::vector<std::int64_t> otherwise) const;
    bool has(const char* key) const { return json_.contains(key) && !json_.at(key).is_null(); }
    /// A nested object; empty if it is missing.
    ArchitectureConfig table(const char* key) const;
    const nlohmann::json& json() const { return json_; }
    /// Number of labels of a classification head.
    std::int64_t labels() const;
    [[noreturn]] void fail(const std::string& key, const Message& message) const;

  private:
    nlohmann::json json_;
    std::string where_;
};

}  // namespace trainyard::estimate
