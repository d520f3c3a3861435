// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include <nlohmann/json.hpp>

#include "base/json_writer.h"
#include "base/number.h"
#include "config/values/python_text.h"
#include "config/values/tree_builder.h"

namespace trainyard {

namespace {

/// What json.loads reads and the standard does not have, or no double holds: NaN, Infinity, -Infinity, 1e400.
std::optional<double> number_of_python(std::string_view token) {
    if (token == "NaN")
        return std::numeric_limits<double>::quiet_NaN();
    const double infinite =
        token.starts_with('-') ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
    if (token == "Infinity" || token == "-Infinity")
        return infinite;
    if (token.find_first_of("eE.") != std::string_view::npos &&
        std::isinf(std::strtod(std::string(token).c_str(), nullptr)))
        return infinite;
    return std::nullopt;
}

/// The text where each of these words is replaced by a number of the same length, so that positions do not change.
std::string with_standard_numbers(std::string_view text) {
    constexpr std::string_view kEndsWord = " \t\r\n,:{}[]\"";
    std::string standard(text);
    for (std::size_t at = 0; at < text.size();) {
        if (text[at] == '"') {
            for (++at; at < text.size() && text[at] != '"'; ++at)
                at += text[at] == '\\' ? 1 : 0;
            ++at;
            continue;
        }
        const std::size_t end = std::max(at + 1, std::min(text.find_first_of(kEndsWord, at), text.size()));
        if (number_of_python(text.substr(at, end - at)))
            standard.replace(at, end - at, "0" + std::string(end - at - 1, ' '));
        at = end;
    }
    return standard;
}

/// Builds the tree from nlohmann's events. These carry no places, so the text is walked along with them: each event belongs to the
/// next token.
class JsonEvents final : public nlohmann::json_sax<nlohmann::json> {
  public:
    JsonEvents(std::string_view text, TreeBuilder& tree) : text_(text), tree_(tree) {}

    bool null() override { return add(Value()); }
    bool boolean(bool value) override { return add(Value(value)); }
    bool number_integer(std::int64_t value) override { return add(Value(value)); }
    bool number_unsigned(std::uint64_t value) override {
        return add(std::in_range<std::int64_t>(value) ? Value(static_cast<std::int64_t>(value))
                                                      : Value(static_cast<double>(value)));
    }
    bool number_float(double value, const std::string&) override { return add(Value(value)); }
    bool string(std::string& value) override { return add(Value(std::move(value))); }
    bool key(std::string& name) override { return add(Value(std::move(name))); }
    bool binary(nlohmann::json::binary_t&) override { return false; }
    bool start_object(std::size_t) override { return begin(Value(Value::Map{})); }
    bool start_array(std::size_t) override { return begin(Value(Value::List{})); }
    bool end_object() override { return end(); }
    bool end_array() override { return end(); }
    bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception& error) override {
        // "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error while ..."
        const std::string message = error.what();
        const std::size_t start = message.find("syntax error");
        tree_.refuse_byte(
            text_, position == 0 ? 0 : position - 1,
            Message("is not valid JSON here: {}", message.substr(start == std::string::npos ? 0 : start)));
        return false;
    }

  private:
    /// Gives `value` the place of the next token, whose text is returned.
    std::string_view next_token(Value& value) {
        while (at_ < text_.size() && std::string_view(" \t\r\n,:").find(text_[at_]) != std::string_view::npos)
            step();
        value.line = line_;
        value.column = column_;
        const std::size_t start = at_;
        const char first = at_ < text_.size() ? text_[at_] : '\0';
        step();
        if (first == '"') {
            while (at_ < text_.size() && text_[at_] != '"') {
                if (text_[at_] == '\\')
                    step();
                step();
            }
            step();
        } else if (std::string_view("{}[]").find(first) == std::string_view::npos) {
            while (at_ < text_.size() && std::string_view(" \t\r\n,:{}[]").find(text_[at_]) == std::string_view::npos)
                step();
        }
        return text_.substr(start, at_ - start);
    }

    void step() {
        if (at_ >= text_.size())
            return;
        const bool ends_line = text_[at_++] == '\n';
        line_ += ends_line ? 1 : 0;
        column_ = ends_line ? 1 : column_ + 1;
    }

    bool add(Value value) {
        const std::string_view token = next_token(value);
        if (value.text() == nullptr)
            value.source = token;
        if (value.number() != nullptr || value.integer() != nullptr)
            if (std::optional<double> beyond = number_of_python(token))
                value.data = *beyond;
        tree_.add(std::move(value));
        return true;
    }
    bool begin(Value value) {
        next_token(value);
        tree_.begin(std::move(value));
        return true;
    }
    bool end() {
        Value bracket;
        next_token(bracket);
        tree_.place(tree_.end());
        return true;
    }

    std::string_view text_;
    TreeBuilder& tree_;
    std::size_t at_ = 0;
    int line_ = 1, column_ = 1;
};

}  // namespace

Value parse_json_tree(std::string_view given, const std::string& file, std::vector<Problem>& problems,
                      const TreeRules& rules) {
    TreeBuilder tree(file, problems, rules);
    const std::optional<std::string_view> text = tree.checked(given);
    if (!text)
        return {};
    JsonEvents events(*text, tree);
    try {
        nlohmann::json::sax_parse(with_standard_numbers(*text), &events);
    } catch (const TreeBuilder::Stop&) {
    }
    return tree.take();
}

void write_json_tree(JsonWriter& out, const Value& value, JsonTree form) {
    if (value.is_map()) {
        Value::Map entries = value.entries();
        if (form == JsonTree::python)
            std::ranges::stable_sort(entries, {}, &Entry::key);
        out.begin_object();
        for (const Entry& entry : entries) {
            out.key(entry.key);
            write_json_tree(out, entry.value, form);
        }
        out.end_object();
    } else if (value.is_list()) {
        out.begin_array();
        for (const Value& item : value.items())
            write_json_tree(out, item, form);
        out.end_array();
    } else if (value.is_null()) {
        out.null();
    } else if (const bool* truth = value.boolean()) {
        out.boolean(*truth);
    } else if (const double* number = value.number();
               number != nullptr && !std::isfinite(*number) && big_integer(value).empty()) {
        if (form != JsonTree::standard)
            out.literal(std::isnan(*number) ? "NaN" : *number < 0 ? "-Infinity" : "Infinity");
        else
            out.text(python_float(*number));
    } else if (value.is_number()) {
        out.literal(value.display());
    } else {
        out.text(value.display());
    }
}

std::string write_json(const Value::Map& root) {
    JsonWriter out({.indent = 2, .characters = JsonText::ascii});
    write_json_tree(out, Value(root), JsonTree::python);
    return out.take() + "\n";
}

nlohmann::ordered_json json_of(const Value& value) {
    if (const bool* truth = value.boolean())
        return *truth;
    if (const std::int64_t* whole = value.integer())
        return *whole;
    if (const double* number = value.number(); number != nullptr && std::isfinite(*number))
        return *number;
    if (value.is_scalar())
        return value.display();
    nlohmann::ordered_json json = value.is_list()  ? nlohmann::ordered_json::array()
                                  : value.is_map() ? nlohmann::ordered_json::object()
                                                   : nlohmann::ordered_json();
    for (const Value& item : value.items())
        json.push_back(json_of(item));
    for (const Entry& entry : value.entries())
        json[entry.key] = json_of(entry.value);
    return json;
}

}  // namespace trainyard
