#pragma once
// What is logged: numbers, words and nests of them, in the order they were given. Like a JSON value that knows whole numbers, and a
// Tree without tensors (this library knows nothing of LibTorch).

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace trainyard::track {

class Value {
  public:
    using List = std::vector<Value>;
    using Dict = std::vector<std::pair<std::string, Value>>;

    Value() = default;  ///< null
    Value(bool value) : value_(value) {}
    Value(int value) : value_(static_cast<std::int64_t>(value)) {}
    Value(std::int64_t value) : value_(value) {}
    Value(double value) : value_(value) {}
    Value(const char* value) : value_(std::string(value)) {}
    Value(std::string value) : value_(std::move(value)) {}
    Value(List value) : value_(std::move(value)) {}
    Value(Dict value) : value_(std::move(value)) {}

    bool is_null() const { return std::holds_alternative<std::monostate>(value_); }
    const bool* if_bool() const { return std::get_if<bool>(&value_); }
    const std::int64_t* if_integer() const { return std::get_if<std::int64_t>(&value_); }
    const double* if_real() const { return std::get_if<double>(&value_); }
    const std::string* if_text() const { return std::get_if<std::string>(&value_); }
    const List* if_list() const { return std::get_if<List>(&value_); }
    const Dict* if_dict() const { return std::get_if<Dict>(&value_); }
    /// True of bool, whole and real numbers.
    bool is_number() const { return if_bool() || if_integer() || if_real(); }
    /// The number as a double; 0 when it is none.
    double number() const;
    /// Value of a dictionary's key; nullptr when there is none or this is no dictionary.
    const Value* find(const std::string& key) const;

    bool operator==(const Value&) const = default;

  private:
    std::variant<std::monostate, bool, std::int64_t, double, std::string, List, Dict> value_;
};

using Values = Value::Dict;

}  // namespace trainyard::track
