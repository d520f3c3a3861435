// SPDX-License-Identifier: GPL-3.0-or-later
#include "observe/track/spelling.h"

#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/json_writer.h"
#include "base/number.h"
#include "config/values/value_formats.h"

namespace trainyard::track {

namespace {

void add_flattened(const std::string& prefix, const Values& values, Values& out) {
    for (const auto& [name, value] : values) {
        if (const Value::Map* inner = value.map(); inner != nullptr && !inner->empty())
            add_flattened(prefix + name + "/", *inner, out);
        else
            out.push_back({prefix + name, value});
    }
}

}  // namespace

std::string json_text(const Value& value) {
    JsonWriter out({.spaced = true});
    write_json_tree(out, value, JsonTree::standard);
    return out.take();
}

std::string indented_json(const Value& value) {
    JsonWriter out({.indent = 4, .characters = JsonText::ascii});
    write_json_tree(out, value, JsonTree::standard);
    return out.take();
}

std::string python_text(const Value& value) {
    if (const std::string* word = value.text())
        return *word;
    if (const double* real = value.number())
        return python_float(*real);
    if (const bool* truth = value.boolean())
        return *truth ? "True" : "False";
    return json_text(value);
}

namespace {

/// As Python's repr() writes a text.
std::string quoted_python(const std::string& text) {
    const char quote = text.find('\'') != std::string::npos && text.find('"') == std::string::npos ? '"' : '\'';
    std::string out(1, quote);
    for (const char c : text) {
        if (c == quote || c == '\\')
            (out += '\\') += c;
        else if (c == '\n')
            out += "\\n";
        else if (c == '\r')
            out += "\\r";
        else if (c == '\t')
            out += "\\t";
        else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
            out += fmt::format("\\x{:02x}", c);
        else
            out += c;
    }
    return out + quote;
}

}  // namespace

std::string python_str(const Value& value) {
    if (value.is_null())
        return "None";
    if (value.is_scalar())
        return value.display();
    const auto inner = [](const Value& item) {
        return item.text() != nullptr ? quoted_python(*item.text()) : python_str(item);
    };
    std::vector<std::string> parts;
    for (const Value& item : value.items())
        parts.push_back(inner(item));
    for (const auto& [key, item] : value.entries())
        parts.push_back(quoted_python(key) + ": " + inner(item));
    return value.is_list() ? fmt::format("[{}]", fmt::join(parts, ", "))
                           : fmt::format("{{{}}}", fmt::join(parts, ", "));
}

Values flattened(const Values& values) {
    Values out;
    add_flattened("", values, out);
    return out;
}

}  // namespace trainyard::track
