// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Values of chat templates, and what Jinja computes with them: attributes, items, methods of texts, tests, filters.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/message.h"

namespace trainyard::tokenizers::jinja {

using Json = nlohmann::ordered_json;

inline constexpr const char* kBlanks = " \t\n\r\v\f";

struct Value;
using List = std::vector<Value>;
using Table = std::vector<std::pair<std::string, Value>>;  // in the order of insertion, as Python's dict
struct Arguments;
using Function = std::function<Value(Arguments&)>;
struct Undefined {
    std::string name;
};
struct None {};

struct Value {
    std::variant<Undefined, None, bool, std::int64_t, double, std::string, std::shared_ptr<List>,
                 std::shared_ptr<Table>, std::shared_ptr<Function>>
        held = None{};

    Value() = default;
    Value(Undefined value) : held(std::move(value)) {}
    Value(None value) : held(value) {}
    Value(bool value) : held(value) {}
    Value(std::int64_t value) : held(value) {}
    Value(double value) : held(value) {}
    Value(std::string value) : held(std::move(value)) {}
    Value(const char*) = delete;  // would be a truth value
    Value(List value) : held(std::make_shared<List>(std::move(value))) {}
    Value(Table value) : held(std::make_shared<Table>(std::move(value))) {}
    Value(Function value) : held(std::make_shared<Function>(std::move(value))) {}

    template <class T>
    bool is() const {
        return std::holds_alternative<T>(held);
    }
    bool is_list() const { return is<std::shared_ptr<List>>(); }
    bool is_table() const { return is<std::shared_ptr<Table>>(); }
    bool is_number() const { return is<bool>() || is<std::int64_t>() || is<double>(); }
    const std::string& text() const { return std::get<std::string>(held); }
    List& list() const { return *std::get<std::shared_ptr<List>>(held); }
    Table& table() const { return *std::get<std::shared_ptr<Table>>(held); }
};

struct Arguments {
    List values;
    Table named = {};
};

[[noreturn]] void fail(const Message& problem);
Value text_value(std::string_view text);
Value value_of(const Json& json);
const Value* find(const Table& table, const std::string& key);
void put(Table& table, const std::string& key, Value value);
double number_of(const Value& value);
std::int64_t whole_of(const Value& value);
bool is_true(const Value& value);
/// As Python's str().
std::string str(const Value& value);
std::string repr(const Value& value);
bool equal(const Value& a, const Value& b);
bool less(const Value& a, const Value& b);
List items_of(const Value& value);
bool contains(const Value& all, const Value& one);
std::string with_case(std::string text, int (*change)(int));
std::string titled(const std::string& text, bool each_word);
/// A call's arguments by their places or names.
const Value* argument(const Arguments& call, std::size_t place, const char* name);
const std::string& text_argument(const Arguments& call, std::size_t place, const char* name);
Value attribute(const Value& value, const std::string& name);
Value item(const Value& value, const Value& key);
Value slice(const Value& value, const Value& from, const Value& to, const Value& by);
bool passes_test(const Value& value, const std::string& name, const Arguments& call);
Value filtered(const Value& value, const std::string& name, Arguments& call);

}  // namespace trainyard::tokenizers::jinja
