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

inline constexpr std::size_t kMostText = 16u << 20;   // bytes of one text, and of the output
inline constexpr std::size_t kMostItems = 1'000'000;  // of one list or table
inline constexpr int kMostValueDepth = 200;           // lists in lists
inline constexpr std::size_t kMostCost = std::size_t(1)
                                         << 30;  // of one rendering: bytes that are written or looked through

/// Sets what the values of this thread may cost, for the time of its scope.
class CostLimit {
  public:
    CostLimit();
    ~CostLimit();
    CostLimit(const CostLimit&) = delete;
    CostLimit& operator=(const CostLimit&) = delete;

  private:
    std::size_t before_;
};
/// Throws UserError once a rendering has cost more than kMostCost.
void spend(std::size_t bytes);

struct Value;
using List = std::vector<Value>;
using Table = std::vector<std::pair<std::string, Value>>;  // in the order of insertion, as Python's dict
struct Arguments;
using Function = std::function<Value(Arguments&)>;
struct Undefined {
    std::string name;
};
struct None {};
/// The only value that a template can change.
struct Namespace {
    Table entries;
};

/// Texts, lists and tables are shared between copies. What a template makes is counted by spend() and bounded, so that
/// renderings end soon, in little memory, and recursion over values is bounded.
struct Value {
    std::variant<Undefined, None, bool, std::int64_t, double, std::shared_ptr<const std::string>,
                 std::shared_ptr<const List>, std::shared_ptr<const Table>, std::shared_ptr<Namespace>,
                 std::shared_ptr<Function>>
        held = None{};
    int depth = 0;
    bool has_reference = false;  ///< holds a namespace or a function: a namespace with it could hold itself

    Value() = default;
    Value(Undefined value) : held(std::move(value)) {}
    Value(None value) : held(value) {}
    Value(bool value) : held(value) {}
    Value(std::int64_t value) : held(value) {}
    Value(double value) : held(value) {}
    Value(std::string value);
    Value(const char*) = delete;  // would be a truth value
    Value(List value);
    Value(Table value);
    Value(Namespace value) : held(std::make_shared<Namespace>(std::move(value))), has_reference(true) {}
    Value(Function value) : held(std::make_shared<Function>(std::move(value))), has_reference(true) {}

    template <class T>
    bool is() const {
        return std::holds_alternative<T>(held);
    }
    bool is_text() const { return is<std::shared_ptr<const std::string>>(); }
    bool is_list() const { return is<std::shared_ptr<const List>>(); }
    bool is_table() const { return is<std::shared_ptr<const Table>>(); }
    bool is_number() const { return is<bool>() || is<std::int64_t>() || is<double>(); }
    /// These throw UserError if the value is of another kind.
    const std::string& text() const;
    const List& list() const;
    const Table& table() const;
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
Value negative(const Value& value);
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
