#include "observe/track/spelling.h"

#include <cmath>

#include "base/json_writer.h"
#include "config/accelerate/python_text.h"

namespace trainyard::track {

namespace {

void write(JsonWriter& out, const Value& value) {
    if (const Value::List* list = value.list()) {
        out.begin_array();
        for (const Value& item : *list)
            write(out, item);
        out.end_array();
    } else if (const Value::Map* dict = value.map()) {
        out.begin_object();
        for (const auto& [name, item] : *dict) {
            out.key(name);
            write(out, item);
        }
        out.end_object();
    } else if (const std::string* word = value.text()) {
        out.text(*word);
    } else if (const double* real = value.number()) {
        if (std::isfinite(*real))
            out.literal(settings::python_float(*real));
        else
            out.text(settings::python_float(*real));
    } else if (const std::int64_t* whole = value.integer()) {
        out.number(*whole);
    } else if (const bool* truth = value.boolean()) {
        out.boolean(*truth);
    } else {
        out.null();
    }
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
    JsonWriter out({.spaced = true});
    write(out, value);
    return out.take();
}

std::string indented_json(const Value& value) {
    JsonWriter out({.indent = 4, .characters = JsonText::ascii});
    write(out, value);
    return out.take();
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
