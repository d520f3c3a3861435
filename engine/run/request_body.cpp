// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/request_body.h"

#include <algorithm>
#include <map>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "base/message_json.h"
#include "base/number.h"
#include "base/text.h"

namespace trainyard::run {

namespace {

std::string text_of(bool value) {
    return value ? "true" : "false";
}
std::string text_of(std::int64_t value) {
    return std::to_string(value);
}
std::string text_of(double value) {
    return fmt::format("{}", value);
}
std::string text_of(const Message& value) {
    return value.form().empty() ? value.text() : message_to_json(value);
}
std::string text_of(const std::optional<std::int64_t>& value) {
    return value ? text_of(*value) : std::string();
}

bool parse_value(const std::string& text, bool& value, const ValueRule&) {
    value = text == "true";
    return value || text == "false";
}
bool parse_value(const std::string& text, std::int64_t& value, const ValueRule& rule) {
    const auto number = parse_number<std::int64_t>(text, rule.least, rule.most);
    value = number.value_or(value);
    return number.has_value();
}
bool parse_value(const std::string& text, double& value, const ValueRule& rule) {
    const auto number = parse_number<double>(text, static_cast<double>(rule.least), static_cast<double>(rule.most));
    value = number.value_or(value);
    return number && (!rule.is_above || *number > static_cast<double>(rule.least));
}
bool parse_value(const std::string& text, Message& value, const ValueRule&) {
    value = message_from_json(text);
    return !text.empty();
}
bool parse_value(const std::string& text, std::optional<std::int64_t>& value, const ValueRule& rule) {
    return parse_value(text, value.emplace(), rule);
}

template <typename Value>
Message needed(const char* key, const ValueRule& rule) {
    if constexpr (std::is_same_v<Value, bool>)
        return Message("{}, true or false", key);
    else if constexpr (std::is_same_v<Value, Message>)
        return Message("{}, a text", key);
    else if (rule.is_above)
        return Message("{}, a number greater than {} and at most {}", key, rule.least, rule.most);
    else if constexpr (std::is_same_v<Value, std::int64_t>)
        return Message("{}, from {} to {}", key, rule.least, rule.most);
    else
        return Message("{}, a whole number", key);
}

using Values = std::map<std::string, std::string>;

struct Writer {
    Values values;
    template <typename Value>
    void operator()(const char* key, const Value& value, const ValueRule& = {}) {
        values[key] = text_of(value);
    }
};

struct Reader {
    const Values& values;
    std::vector<std::string> known;
    std::vector<Message> problems;
    template <typename Value>
    void operator()(const char* key, Value& value, const ValueRule& rule = {}) {
        known.emplace_back(key);
        const auto given = values.find(key);
        if (given == values.end() ? rule.is_required : !parse_value(given->second, value, rule))
            problems.push_back(needed<Value>(key, rule));
    }
};

template <typename Body>
RequestBody read(const Request& request) {
    Body body;
    Reader reader{request.values, {}, {}};
    body.values(reader);
    if (!reader.problems.empty())
        throw UserError("{} takes {}", Body::kKind, Message::joined(reader.problems));
    for (const auto& [key, value] : request.values)
        if (!reader.known.empty() && std::ranges::find(reader.known, key) == reader.known.end())
            throw UserError("{} does not know '{}': it takes {}", Body::kKind, key, fmt::join(reader.known, ", "));
    return body;
}

template <typename... Bodies>
RequestBody read(const Request& request, std::type_identity<std::variant<Bodies...>>) {
    std::optional<RequestBody> body;
    static_cast<void>(((request.kind == Bodies::kKind && (body = read<Bodies>(request), true)) || ...));
    if (!body)
        throw UserError("unknown request '{}'{}", request.kind, text::did_you_mean(request.kind, {Bodies::kKind...}));
    return *std::move(body);
}

}  // namespace

Request make_request(const RequestBody& body, std::string from) {
    return std::visit(
        [&]<typename Body>(Body asked) {
            Writer given, usual;
            asked.values(given);
            Body().values(usual);
            Request request;
            request.kind = Body::kKind;
            request.from = std::move(from);
            for (auto& [key, text] : given.values)
                if (text != usual.values[key])
                    request.values[key] = std::move(text);
            return request;
        },
        body);
}

RequestBody request_body(const Request& request) {
    return read(request, std::type_identity<RequestBody>());
}

}  // namespace trainyard::run
