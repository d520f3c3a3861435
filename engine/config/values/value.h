// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The tree of values of all YAML and JSON files that people write: recipes, settings, lists of hosts, run.yaml. A scalar without
// quotes has the value that PyYAML's safe loader gives it (YAML 1.1: `on` and `NO` are truth values, `010` is 8, `1:30` is 90, `1e4`
// is text), so that a file of Accelerate means the same here. Readers whose schema decides what a scalar is (a recipe's `1e-4` is a
// number) use its spelling instead. Places are those of the file.

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "base/message.h"

namespace trainyard {

struct Entry;

/// A YAML timestamp.
struct Date {
    std::string text;  ///< as isoformat() of Python: `2024-01-02T03:04:05+01:00`; empty: not a valid day or time
    bool operator==(const Date&) const = default;
};

class Value {
  public:
    using List = std::vector<Value>;
    using Map = std::vector<Entry>;  ///< in order of the file
    using Data = std::variant<std::monostate, bool, std::int64_t, double, std::string, Date, List, Map>;

    Value();
    Value(bool value);              // NOLINT(google-explicit-constructor)
    Value(int value);               // NOLINT(google-explicit-constructor)
    Value(std::int64_t value);      // NOLINT(google-explicit-constructor)
    Value(double value);            // NOLINT(google-explicit-constructor)
    Value(std::string value);       // NOLINT(google-explicit-constructor)
    Value(std::string_view value);  // NOLINT(google-explicit-constructor)
    Value(const char* value);       // NOLINT(google-explicit-constructor)
    explicit Value(Date value);
    Value(List value);  // NOLINT(google-explicit-constructor)
    Value(Map value);   // NOLINT(google-explicit-constructor)

    bool is_null() const { return std::holds_alternative<std::monostate>(data); }
    bool is_list() const { return list() != nullptr; }
    bool is_map() const { return map() != nullptr; }
    bool is_scalar() const { return !is_null() && !is_list() && !is_map(); }
    const bool* boolean() const { return std::get_if<bool>(&data); }
    const std::int64_t* integer() const { return std::get_if<std::int64_t>(&data); }
    const double* number() const { return std::get_if<double>(&data); }
    const std::string* text() const { return std::get_if<std::string>(&data); }
    const List* list() const { return std::get_if<List>(&data); }
    const Map* map() const { return std::get_if<Map>(&data); }
    /// The values of a list; none for others.
    const List& items() const&;
    const List& items() && = delete;
    /// The entries of a table; none for others.
    const Map& entries() const&;
    const Map& entries() && = delete;
    /// A truth value or a number, whole or not; as_double() of others is 0.
    bool is_number() const { return boolean() != nullptr || integer() != nullptr || number() != nullptr; }
    double as_double() const;
    /// The value of a table's key, the first where it is given twice; null when it is missing, or this is not a table.
    const Value* find(std::string_view key) const;

    /// A scalar as it is written in its file, without quotes; one made by a program as YAML writes it.
    std::string spelling() const;
    /// In words for messages: `'12'` of a scalar that is plain, `12`, `the text "12"`, `a list`, `a table of keys`, `nothing`.
    Message description() const;
    /// As a person types it, and as Python's str() writes it into an environment (`True`, `1.0`, `all`). Lists: comma separated.
    std::string display() const;

    /// Compares values, not places. NaN equals NaN, and the order of keys does not count.
    bool operator==(const Value& other) const;

    Data data;
    std::string source;  ///< of a scalar that is not a text: as it is written in the file; empty when made by a program
    bool plain = false;  ///< a scalar without quotes, of which the schema decides what it is: by its spelling
    int line = 0;        ///< from 1; 0: not from a file
    int column = 0;
};

struct Entry {
    std::string key;
    Value value;
    int line = 0;  ///< of the key
    int column = 0;
    bool operator==(const Entry& other) const { return key == other.key && value == other.value; }
};

/// An entry is taken apart into its key and its value: `for (const auto& [key, value] : map)`.
template <std::size_t I>
const auto& get(const Entry& entry) {
    if constexpr (I == 0)
        return entry.key;
    else
        return entry.value;
}
template <std::size_t I>
auto& get(Entry& entry) {
    if constexpr (I == 0)
        return entry.key;
    else
        return entry.value;
}

/// nullptr when there is no entry of that key.
const Entry* entry_of(const Value::Map& map, std::string_view key);
Entry* entry_of(Value::Map& map, std::string_view key);

// Here, where Entry is whole: clang looks at the destructor of Map in every constructor.
inline Value::Value() = default;
inline Value::Value(bool value) : data(value) {}
inline Value::Value(int value) : data(std::int64_t{value}) {}
inline Value::Value(std::int64_t value) : data(value) {}
inline Value::Value(double value) : data(value) {}
inline Value::Value(std::string value) : data(std::move(value)) {}
inline Value::Value(std::string_view value) : data(std::string(value)) {}
inline Value::Value(const char* value) : data(std::string(value)) {}
inline Value::Value(Date value) : data(std::move(value)) {}

}  // namespace trainyard

template <>
struct std::tuple_size<trainyard::Entry> : std::integral_constant<std::size_t, 2> {};
template <>
struct std::tuple_element<0, trainyard::Entry> {
    using type = std::string;
};
template <>
struct std::tuple_element<1, trainyard::Entry> {
    using type = trainyard::Value;
};
