// SPDX-License-Identifier: GPL-3.0-or-later
#include "observe/track/spelling.h"

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

Values flattened(const Values& values) {
    Values out;
    add_flattened("", values, out);
    return out;
}

}  // namespace trainyard::track
