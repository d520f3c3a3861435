#include "track/spelling.h"

#include <cmath>

#include <fmt/format.h>

#include "settings/formats.h"
#include "settings/python_text.h"

namespace trainyard::track {

namespace {

std::string scalar_json(const Value& value, bool ascii) {
    if (const std::string* word = value.text())
        return settings::json_word(*word, ascii);
    if (const double* real = value.number())
        return std::isfinite(*real) ? settings::python_float(*real) : '"' + settings::python_float(*real) + '"';
    if (const std::int64_t* whole = value.integer())
        return fmt::format("{}", *whole);
    if (const bool* truth = value.boolean())
        return *truth ? "true" : "false";
    return "null";
}

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
    std::string out;
    if (const Value::List* list = value.list()) {
        for (const Value& item : *list)
            out += (out.empty() ? "" : ", ") + json_text(item);
        return "[" + out + "]";
    }
    if (const Value::Map* dict = value.map()) {
        for (const auto& [name, item] : *dict)
            out += (out.empty() ? "" : ", ") + settings::json_word(name, false) + ": " + json_text(item);
        return "{" + out + "}";
    }
    return scalar_json(value, false);
}

std::string indented_json(const Value& value, int indent) {
    const std::string inner(static_cast<std::size_t>(indent) + 4, ' ');
    std::string out;
    auto add = [&](const std::string& item) { out += (out.empty() ? "\n" : ",\n") + inner + item; };
    const std::string end = "\n" + std::string(static_cast<std::size_t>(indent), ' ');
    if (const Value::List* list = value.list()) {
        for (const Value& item : *list)
            add(indented_json(item, indent + 4));
        return list->empty() ? "[]" : "[" + out + end + "]";
    }
    if (const Value::Map* dict = value.map()) {
        for (const auto& [name, item] : *dict)
            add(settings::json_word(name, true) + ": " + indented_json(item, indent + 4));
        return dict->empty() ? "{}" : "{" + out + end + "}";
    }
    return scalar_json(value, true);
}

std::string python_text(const Value& value) {
    if (const std::string* word = value.text())
        return *word;
    if (const double* real = value.number())
        return settings::python_float(*real);
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
