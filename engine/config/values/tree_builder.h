// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Builds the tree of a text from the events of its parser, within the limits of the rules. Internal to the library.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/values/value_formats.h"

namespace trainyard {

class TreeBuilder {
  public:
    /// Ends parsing; the problem has been noted.
    struct Stop {};

    TreeBuilder(std::string file, std::vector<Problem>& problems, const TreeRules& rules)
        : file_(std::move(file)), problems_(problems), rules_(rules) {}

    /// The text after its byte order mark; nothing if it is too large or not text, which is noted.
    std::optional<std::string_view> checked(std::string_view text);

    /// Adds a scalar: a value, or the key of the next value.
    void add(Value value);
    /// Begins a list or table.
    void begin(Value value);
    /// Takes the innermost list or table out; place() adds it to the one around it.
    Value end();
    void place(Value value);
    /// Adds a copy of a part of this tree.
    void repeat(const Value& at, const Value& value);

    /// The text cannot be read because of this.
    void refuse(int line, int column, Message message);
    void refuse(const Value& at, Message message) { refuse(at.line, at.column, std::move(message)); }
    void refuse_byte(std::string_view text, std::size_t offset, Message message);

    Value take();

  private:
    struct Open {
        Value value;
        std::optional<Value> key = {};
        std::map<std::string, int> lines = {};  ///< of the keys
        Value::Map merged = {};
    };

    void count(const Value& at, std::size_t nodes);
    void refuse_depth(const Value& at);
    /// The text can be read, but not this value.
    void refuse_content(const Value& at, Message message);
    void check_content(const Value& value);
    void insert(Open& table, Value value);
    void merge(Open& table, Value value);
    bool is_key_next() const;
    std::string path() const;

    const std::string file_;
    std::vector<Problem>& problems_;
    const TreeRules rules_;
    std::vector<Problem> of_content_;
    bool broken_ = false;
    std::size_t nodes_ = 0;
    std::vector<Open> open_;
    Value root_;
};

}  // namespace trainyard
