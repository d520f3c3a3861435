#pragma once
// A value of a settings file as PyYAML's safe loader understands it (YAML 1.1: `on` and `NO` are truth values, `010` is 8,
// `1:30` is 90, `1e4` is text), so that a file means here what it means to Accelerate. Place and spelling are kept for
// messages and for keys that should have been text (`gpu_ids: 0`).

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include "base/message.h"

namespace trainyard::settings {

struct Entry;

/// A YAML timestamp.
struct Date {
    std::string
        text;  ///< as isoformat() of Python: `2024-01-02`, `2024-01-02T03:04:05+01:00`; empty: there is no such day or time
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
    const bool* boolean() const { return std::get_if<bool>(&data); }
    const std::int64_t* integer() const { return std::get_if<std::int64_t>(&data); }
    const double* number() const { return std::get_if<double>(&data); }
    const std::string* text() const { return std::get_if<std::string>(&data); }
    const List* list() const { return std::get_if<List>(&data); }
    const Map* map() const { return std::get_if<Map>(&data); }
    /// A truth value or a number, whole or not; as_double() of others is 0.
    bool is_number() const { return boolean() != nullptr || integer() != nullptr || number() != nullptr; }
    double as_double() const;
    /// The value of a table's key; null when there is none, or this is not a table.
    const Value* find(std::string_view key) const;

    /// In words for messages: `the text "12"`, `12`, `a list`, `a table of keys`, `nothing`.
    Message description() const;
    /// As a person types it, and as Python's str() writes it into an environment (`True`, `1.0`, `all`). Lists: comma separated.
    std::string display() const;

    /// Values only; places do not count.
    bool operator==(const Value& other) const;

    Data data;
    std::string source;  ///< a scalar as it stands in the file, without quotes; empty when made by a program
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

}  // namespace trainyard::settings

template <>
struct std::tuple_size<trainyard::settings::Entry> : std::integral_constant<std::size_t, 2> {};
template <>
struct std::tuple_element<0, trainyard::settings::Entry> {
    using type = std::string;
};
template <>
struct std::tuple_element<1, trainyard::settings::Entry> {
    using type = trainyard::settings::Value;
};
