// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/fields.h"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "base/clock.h"
#include "base/error.h"
#include "base/printable.h"
#include "base/untrusted.h"
#include "base/utf8.h"

namespace trainyard::fields {

namespace {

constexpr std::size_t kMostProblems = 100;
constexpr std::size_t kShownOfText = 60;  // characters of a text that is not known
constexpr int kMostMessageDepth = 8;      // messages within messages
constexpr std::size_t kMostMessageValues = 64;

bool has_room(Reading& in, const Json& json, const Rules& rules) {
    if (json.size() <= rules.longest)
        return true;
    in.add(FieldProblem{.fault = Fault::too_many, .count = json.size(), .most = rules.longest});
    return false;
}

bool refuse(Reading& in, Fault fault) {
    in.add(fault);
    return false;
}

void write_message(JsonWriter& out, const Message& message) {
    if (message.form().empty())
        return out.text(message.text());
    out.begin_object();
    out.key("form");
    out.text(message.form());
    if (!message.values().empty()) {
        out.key("values");
        out.begin_array();
        for (const Message& value : message.values())
            write_message(out, value);
        out.end_array();
    }
    out.end_object();
}

/// Nothing if it is not a message.
std::optional<Message> read_message(const Json& json, int depth = 0) {
    if (json.is_string())
        return Message::verbatim(HostText::lines(json.get_ref<const std::string&>()).text());
    if (!json.is_object() || depth == kMostMessageDepth)
        return std::nullopt;
    const auto form = json.find("form"), values = json.find("values");
    if (form == json.end() || !form->is_string())
        return std::nullopt;
    std::vector<Message> parts;
    if (values != json.end()) {
        if (!values->is_array() || values->size() > kMostMessageValues)
            return std::nullopt;
        for (const Json& value : *values) {
            std::optional<Message> part = read_message(value, depth + 1);
            if (!part)
                return std::nullopt;
            parts.push_back(std::move(*part));
        }
    }
    return Message::from_parts(HostText::lines(form->get_ref<const std::string&>()).text(), std::move(parts));
}

}  // namespace

Message problem_text(const FieldProblem& problem, const std::string& origin) {
    const std::string path = problem.path.empty() ? "the value" : text::printable(problem.path);
    const std::string place = origin.empty() ? path : origin + ": " + path;
    const std::string value = text::printable(problem.value, kShownOfText);
    switch (problem.fault) {
        case Fault::missing:
            return Message("{} is missing", place);
        case Fault::out_of_range:
            return Message("{} is out of range", place);
        case Fault::not_a_time:
            return Message("{} is not a time", place);
        case Fault::not_known:
            return Message("{} is '{}', which this version does not know", place, value);
        case Fault::unknown_key:
            return Message("{} is not a known key", place);
        case Fault::not_allowed:
            return Message("{} cannot be '{}'", place, value);
        case Fault::too_many:
            return Message("{} has {} entries, more than the {} allowed", place, problem.count, problem.most);
        case Fault::wrong_type:
            break;
    }
    return Message("{} has the wrong type", place);
}

void Reading::add(FieldProblem problem) {
    if (problems_.size() >= kMostProblems)
        return;
    for (const Place& place : path_) {
        if (place.key.data() == nullptr)
            problem.path += '[' + std::to_string(place.index) + ']';
        else
            problem.path.append(problem.path.empty() ? "" : ".").append(place.key);
    }
    problems_.push_back(std::move(problem));
}

void Description::write(JsonWriter& out, const void* object) const {
    out.begin_object();
    for (const Field& field : fields) {
        const char* value = static_cast<const char*>(object) + field.offset;
        const bool is_default = field.rules.unset != Default::written &&
                                field.equal(value, static_cast<const char*>(fallback.get()) + field.offset);
        if ((is_default && field.rules.unset == Default::omitted) || (field.is_written && !field.is_written(object)))
            continue;
        out.key(field.key);
        if (field.constant != nullptr)
            out.text(field.constant);
        else if (field.table)
            field.table->write(out, object);
        else if (is_default)
            out.null();
        else
            field.write(out, value, field.rules);
    }
    out.end_object();
}

void Description::read(Reading& in, const Json& json, void* object) const {
    if (!json.is_object())
        return in.add(Fault::wrong_type);
    if (closed)
        for (const auto& [key, value] : json.items())
            if (!std::ranges::binary_search(fields, std::string_view(key), {},
                                            [](const Field& field) { return std::string_view(field.key); })) {
                const Reading::Step step(in, key);
                in.add(Fault::unknown_key);
            }
    for (const Field& field : fields) {
        if (field.constant != nullptr)
            continue;
        const Reading::Step step(in, field.key);
        const auto found = json.find(field.key);
        if (found == json.end() || found->is_null()) {
            if (field.rules.required)
                in.add(found == json.end() ? Fault::missing : Fault::wrong_type);
        } else if (field.table) {
            field.table->read(in, *found, object);
        } else {
            field.read(in, *found, static_cast<char*>(object) + field.offset, field.rules);
        }
    }
}

bool Description::equal(const void* one, const void* other) const {
    return std::ranges::all_of(fields, [&](const Field& field) {
        return field.constant != nullptr || (field.table ? field.table->equal(one, other)
                                                         : field.equal(static_cast<const char*>(one) + field.offset,
                                                                       static_cast<const char*>(other) + field.offset));
    });
}

namespace detail {

void write_parts(JsonWriter& out, const Message& message) {
    write_message(out, message);
}

void write_parts(JsonWriter& out, const std::vector<Message>& messages) {
    out.begin_array();
    for (const Message& message : messages)
        message.form().empty() ? out.null() : write_message(out, message);
    out.end_array();
}

void read_parts(const Json& json, Message& message) {
    if (std::optional<Message> parts = read_message(json); parts && *parts == message)
        message = std::move(*parts);
}

void read_parts(const Json& json, std::vector<Message>& messages) {
    if (json.is_array() && json.size() == messages.size())
        for (std::size_t i = 0; i < messages.size(); ++i)
            if (json[i].is_object())
                read_parts(json[i], messages[i]);
}

void write_number(JsonWriter& out, double number, const Rules& rules) {
    if (rules.form == Form::time)
        out.text(iso_time(number));
    else if (rules.form == Form::real && !std::isfinite(number))
        out.text(std::isnan(number) ? "nan" : number > 0 ? "inf" : "-inf");
    else
        out.number(number);
}

void write_text(JsonWriter& out, const std::string& text, const Rules& rules) {
    if (rules.form == Form::json)
        out.value(parse_json(text));
    else
        out.text(text);
}

void write_name(JsonWriter& out, std::int64_t value, const Rules& rules) {
    if (rules.names.empty())
        out.number(value);
    else
        out.text(rules.names[static_cast<std::size_t>(value)]);
}

bool read_number(Reading& in, const Json& json, double& number, const Rules& rules) {
    if (json.is_string() && rules.form == Form::time) {
        try {
            number = parse_iso_time(json.get_ref<const std::string&>());
            return true;
        } catch (const std::exception&) {
            return refuse(in, Fault::not_a_time);
        }
    }
    if (json.is_string() && rules.form == Form::real) {
        const std::string& text = json.get_ref<const std::string&>();
        if (text != "nan" && text != "inf" && text != "-inf")
            return refuse(in, Fault::wrong_type);
        number = text == "nan" ? std::nan("") : text == "inf" ? HUGE_VAL : -HUGE_VAL;
        return true;
    }
    if (!json.is_number() || rules.form == Form::time)
        return refuse(in, Fault::wrong_type);
    if (!is_in_range(in, json.get<double>(), rules))
        return false;
    number = json.get<double>();
    return true;
}

bool read_text(Reading& in, const Json& json, std::string& text, const Rules& rules) {
    if (rules.form == Form::json || (rules.form == Form::any_kind && !json.is_string())) {
        text = json_text(json);
        return true;
    }
    if (!json.is_string())
        return refuse(in, Fault::wrong_type);
    const std::string& given = json.get_ref<const std::string&>();
    if (rules.allows != nullptr && !rules.allows(given)) {
        in.add(FieldProblem{.fault = Fault::not_allowed, .value = given});
        return false;
    }
    text = rules.form == Form::label   ? HostText(given).text()
           : rules.form == Form::lines ? HostText::lines(given).text()
                                       : std::string(text::first_bytes(given, rules.cut));
    return true;
}

bool read_name(Reading& in, const Json& json, std::int64_t& value, const Rules& rules) {
    if (rules.names.empty()) {
        const std::size_t before = in.problems().size();
        fields::read(in, json, value, rules);
        return in.problems().size() == before;
    }
    if (!json.is_string())
        return refuse(in, Fault::wrong_type);
    const std::string& given = json.get_ref<const std::string&>();
    const auto found = std::ranges::find_if(rules.names, [&](const char* name) { return given == name; });
    if (found == rules.names.end()) {
        in.add(FieldProblem{.fault = Fault::not_known, .value = given});
        return false;
    }
    value = found - rules.names.begin();
    return true;
}

bool is_list(Reading& in, const Json& json, const Rules& rules) {
    return json.is_array() ? has_room(in, json, rules) : refuse(in, Fault::wrong_type);
}

bool is_table(Reading& in, const Json& json, const Rules& rules) {
    return json.is_object() ? has_room(in, json, rules) : refuse(in, Fault::wrong_type);
}

bool is_in_range(Reading& in, double value, const Rules& rules) {
    return (value >= rules.least && value <= rules.most) || refuse(in, Fault::out_of_range);
}

}  // namespace detail

Description make_description(Description described) {
    for (std::size_t i = 0; i + 1 < described.fields.size(); ++i)
        if (Field& field = described.fields[i], &text = described.fields[i + 1]; field.is_companion && text.is_written)
            field.is_written = [has_parts = field.is_written, is_text_written = text.is_written](const void* object) {
                return is_text_written(object) && has_parts(object);
            };
    const auto key = [](const Field& field) { return std::string_view(field.key); };
    std::ranges::sort(described.fields, {}, key);
    if (const auto twice = std::ranges::adjacent_find(described.fields, {}, key); twice != described.fields.end())
        throw std::logic_error("two fields of a struct have the key " + twice->key);
    return described;
}

Json parse_object(std::string_view text, const std::string& origin) {
    if (const char* why = json_out_of_bounds(text); why != nullptr)
        throw UserError("{} is {}: it was written by another program", origin, Message::table_text(why));
    Json value = read_json(text);
    if (!value.is_object())
        throw UserError("{} is not a JSON object: it was cut short or written by another program", origin);
    return value;
}

void require_no_problem(const Reading& in, const std::string& origin) {
    if (!in.problems().empty())
        throw UserError(problem_text(in.problems().front(), origin));
}

}  // namespace trainyard::fields
