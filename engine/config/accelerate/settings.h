// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The settings of a launch: what a file of `accelerate config` holds. A tree with one level of tables. A path names a key
// with its table: `num_processes`, `fsdp_config.fsdp_version`.

#include <optional>
#include <string>
#include <string_view>

#include "config/values/value.h"

namespace trainyard::settings {

class Settings {
  public:
    Settings() = default;
    explicit Settings(Value::Map root) : root_(std::move(root)) {}

    /// nullptr when absent. A key that is there with null counts as there.
    const Value* find(std::string_view path) const;
    bool has(std::string_view path) const { return find(path) != nullptr; }
    /// Makes the table when it is missing; keeps the position of a key that is there.
    void set(std::string_view path, Value value);
    /// Also removes a table that became empty.
    void remove(std::string_view path);

    // Return the value under `path` if it has that type, else `otherwise`. A text that spells a truth value or a whole
    // number counts as one (see truth_of). text() returns any value as display() does, and `otherwise` for a missing or
    // null value.
    bool boolean(std::string_view path, bool otherwise = false) const;
    std::int64_t integer(std::string_view path, std::int64_t otherwise) const;
    std::string text(std::string_view path, std::string_view otherwise = {}) const;

    const Value::Map& root() const { return root_; }
    /// What a file of them holds: the root without entries of which is_nothing() is true.
    Value::Map saved() const;
    /// Every leaf as path and value, tables unfolded one level, in order.
    std::vector<std::pair<std::string, Value>> leaves() const;

    /// Same keys with same values; order does not count.
    bool operator==(const Settings& other) const;

  private:
    Value::Map root_;
};

/// A null or an empty table.
bool is_nothing(const Value& value);

/// `fsdp_config.fsdp_version` -> {`fsdp_config`, `fsdp_version`}; top level: {``, key}.
std::pair<std::string_view, std::string_view> split_path(std::string_view path);

}  // namespace trainyard::settings
