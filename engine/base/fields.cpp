#include "base/fields.h"

#include <algorithm>
#include <stdexcept>

#include "base/clock.h"
#include "base/error.h"
#include "base/hex.h"
#include "base/printable.h"
#include "base/untrusted.h"

namespace trainyard::fields {

namespace {

constexpr std::size_t kMostProblems = 100;
constexpr std::size_t kShownOfText = 60;  // characters of a text that is not known

class TimeCodec final : public Codec {
  public:
    void write(JsonWriter& out, const void* value, const Rules&) const override {
        out.text(iso_time(*static_cast<const double*>(value)));
    }
    void read(Reading& in, const Json& json, void* value, const Rules&) const override {
        if (!json.is_string())
            return in.add(Fault::wrong_type);
        try {
            *static_cast<double*>(value) = parse_iso_time(json.get_ref<const std::string&>());
        } catch (const std::exception&) {
            in.add(Fault::not_a_time);
        }
    }
    bool equal(const void* one, const void* other) const override {
        return *static_cast<const double*>(one) == *static_cast<const double*>(other);
    }
};

class RealCodec final : public Codec {
  public:
    void write(JsonWriter& out, const void* value, const Rules&) const override {
        const double number = *static_cast<const double*>(value);
        if (std::isfinite(number))
            out.number(number);
        else
            out.text(std::isnan(number) ? "nan" : number > 0 ? "inf" : "-inf");
    }
    void read(Reading& in, const Json& json, void* value, const Rules& rules) const override {
        double& number = *static_cast<double*>(value);
        if (!json.is_string())
            return codec_of<double>().read(in, json, value, rules);
        const std::string& text = json.get_ref<const std::string&>();
        if (text == "nan")
            number = std::nan("");
        else if (text == "inf" || text == "-inf")
            number = text == "inf" ? HUGE_VAL : -HUGE_VAL;
        else
            in.add(Fault::wrong_type);
    }
    bool equal(const void* one, const void* other) const override {
        const double a = *static_cast<const double*>(one), b = *static_cast<const double*>(other);
        return a == b || (std::isnan(a) && std::isnan(b));
    }
};

class HexCodec final : public detail::TypedCodec<std::string> {
  public:
    void write(JsonWriter& out, const void* value, const Rules&) const override { out.text(to_hex(from(value))); }
    void read(Reading& in, const Json& json, void* value, const Rules&) const override {
        if (!json.is_string())
            return in.add(Fault::wrong_type);
        const std::string& digits = json.get_ref<const std::string&>();
        std::string bytes = from_hex(digits);
        if (bytes.empty() && !digits.empty())
            return in.add(Fault::wrong_type);
        to(value) = std::move(bytes);
    }
};

class JsonCodec final : public detail::TypedCodec<std::string> {
  public:
    void write(JsonWriter& out, const void* value, const Rules&) const override { out.value(parse_json(from(value))); }
    void read(Reading&, const Json& json, void* value, const Rules&) const override { to(value) = json_text(json); }
};

class AnyValuesCodec final : public detail::TypedCodec<std::map<std::string, std::string>> {
  public:
    void write(JsonWriter& out, const void* value, const Rules& rules) const override {
        codec_of<std::map<std::string, std::string>>().write(out, value, rules);
    }
    void read(Reading& in, const Json& json, void* value, const Rules& rules) const override {
        if (!detail::is_table(in, json, rules))
            return;
        for (const auto& [key, item] : json.items())
            to(value)[key] = item.is_string() ? item.get<std::string>() : json_text(item);
    }
};

}  // namespace

std::string what_is_wrong(const FieldProblem& problem) {
    const std::string value = text::printable(problem.value, kShownOfText);
    switch (problem.fault) {
        case Fault::missing:
            return "is missing";
        case Fault::out_of_range:
            return "is out of range";
        case Fault::not_a_time:
            return "is not a time";
        case Fault::not_known:
            return "is '" + value + "', which this version does not know";
        case Fault::not_allowed:
            return "cannot be '" + value + "'";
        case Fault::too_many:
            return "has " + std::to_string(problem.count) + " entries, more than the " + std::to_string(problem.most) +
                   " allowed";
        case Fault::wrong_type:
            break;
    }
    return "has the wrong type";
}

std::string problem_text(const FieldProblem& problem) {
    return (problem.path.empty() ? "the value" : text::printable(problem.path)) + ' ' + what_is_wrong(problem);
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
        if (field.constant != nullptr) {
            out.key(field.key);
            out.text(field.constant);
            continue;
        }
        const char* value = static_cast<const char*>(object) + field.offset;
        bool is_default = false;
        if (field.rules.unset != Default::written)
            is_default = field.codec->equal(value, static_cast<const char*>(fallback.get()) + field.offset);
        if ((is_default && field.rules.unset == Default::omitted) || (field.is_written && !field.is_written(object)))
            continue;
        out.key(field.key);
        if (is_default)
            out.null();
        else
            field.codec->write(out, value, field.rules);
    }
    out.end_object();
}

void Description::read(Reading& in, const Json& json, void* object) const {
    if (!json.is_object())
        return in.add(Fault::wrong_type);
    for (const Field& field : fields) {
        if (field.constant != nullptr)
            continue;
        const Reading::Step step(in, field.key);
        const auto found = json.find(field.key);
        if (found != json.end() && !found->is_null())
            field.codec->read(in, *found, static_cast<char*>(object) + field.offset, field.rules);
        else if (field.rules.required)
            in.add(found == json.end() ? Fault::missing : Fault::wrong_type);
    }
}

bool Description::equal(const void* one, const void* other) const {
    return std::ranges::all_of(fields, [&](const Field& field) {
        return field.constant != nullptr || field.codec->equal(static_cast<const char*>(one) + field.offset,
                                                               static_cast<const char*>(other) + field.offset);
    });
}

const Codec& time_codec() {
    static const TimeCodec codec;
    return codec;
}

const Codec& real_codec() {
    static const RealCodec codec;
    return codec;
}

const Codec& hex_codec() {
    static const HexCodec codec;
    return codec;
}

const Codec& json_codec() {
    static const JsonCodec codec;
    return codec;
}

const Codec& any_values_codec() {
    static const AnyValuesCodec codec;
    return codec;
}

namespace detail {

bool is_in_range(double value, const Rules& rules) {
    return value >= rules.least && value <= rules.most;
}

namespace {
bool has_room(Reading& in, const Json& json, const Rules& rules) {
    if (json.size() <= rules.longest)
        return true;
    in.add(FieldProblem{.fault = Fault::too_many, .count = json.size(), .most = rules.longest});
    return false;
}
}  // namespace

bool is_list(Reading& in, const Json& json, const Rules& rules) {
    if (!json.is_array())
        in.add(Fault::wrong_type);
    return json.is_array() && has_room(in, json, rules);
}

bool is_table(Reading& in, const Json& json, const Rules& rules) {
    if (!json.is_object())
        in.add(Fault::wrong_type);
    return json.is_object() && has_room(in, json, rules);
}

void read_text(Reading& in, const Json& json, std::string& text, const Rules& rules) {
    if (!json.is_string())
        return in.add(Fault::wrong_type);
    const std::string& given = json.get_ref<const std::string&>();
    if (rules.allows != nullptr && !rules.allows(given))
        return in.add(FieldProblem{.fault = Fault::not_allowed, .value = given});
    switch (rules.taken) {
        case Taken::as_it_is:
            text = given.substr(0, rules.cut);
            break;
        case Taken::label:
            text = HostText(given).text();
            break;
        case Taken::lines:
            text = HostText::lines(given).text();
            break;
    }
}

std::optional<std::size_t> read_name(Reading& in, const Json& json, const Rules& rules) {
    if (!json.is_string()) {
        in.add(Fault::wrong_type);
        return std::nullopt;
    }
    const std::string& given = json.get_ref<const std::string&>();
    const auto found = std::ranges::find_if(rules.names, [&](const char* name) { return given == name; });
    if (found == rules.names.end()) {
        in.add(FieldProblem{.fault = Fault::not_known, .value = given});
        return std::nullopt;
    }
    return static_cast<std::size_t>(found - rules.names.begin());
}

}  // namespace detail

Description make_description(std::vector<Field> fields, std::shared_ptr<const void> fallback) {
    std::ranges::sort(fields, {}, [](const Field& field) { return std::string_view(field.key); });
    const auto twice =
        std::ranges::adjacent_find(fields, {}, [](const Field& field) { return std::string_view(field.key); });
    if (twice != fields.end())
        throw std::logic_error(std::string("two fields of a struct have the key ") + twice->key);
    return {std::move(fields), std::move(fallback)};
}

Json parse_object(std::string_view text, const std::string& origin) {
    if (const char* why = json_out_of_bounds(text); why != nullptr)
        throw UserError(origin + " is " + why + ": it was written by another program");
    Json value = read_json(text);
    if (!value.is_object())
        throw UserError(origin + " is not a JSON object: it was cut short or written by another program");
    return value;
}

void require_no_problem(const Reading& in, const std::string& origin) {
    if (!in.problems().empty())
        throw UserError(origin + ": " + problem_text(in.problems().front()));
}

}  // namespace trainyard::fields
