// SPDX-License-Identifier: GPL-3.0-or-later
#include "observe/traces/event_parser.h"

#include <simdjson.h>

#include "base/number.h"
#include "base/utf8.h"

namespace trainyard::traces {

namespace {

namespace od = simdjson::ondemand;

constexpr std::string_view kSpaces = " \n\r\t";

std::string_view trimmed_token(std::string_view token) {
    const std::size_t last = token.find_last_not_of(kSpaces);
    return last == std::string_view::npos ? std::string_view() : token.substr(0, last + 1);
}

/// A number or a string without its quotes, as written.
std::string_view plain_token(std::string_view token, bool* quoted = nullptr) {
    token = trimmed_token(token);
    if (token.size() >= 2 && token.front() == '"') {
        if (quoted != nullptr)
            *quoted = true;
        const std::size_t close = token.rfind('"');
        return token.substr(1, close - 1);
    }
    return token == "null" ? std::string_view() : token;
}

std::optional<std::int64_t> whole_number(std::string_view text) {
    return take_number<std::int64_t>(text);
}

/// 64-bit identifiers come unsigned, negative or in quotes.
std::uint64_t identifier(std::string_view text) {
    if (!text.empty() && text.front() == '-')
        return static_cast<std::uint64_t>(whole_number(text).value_or(0));
    return take_number<std::uint64_t>(text).value_or(0);
}

bool is_memory_event(std::string_view name) {
    return name == "[memory]";
}

/// Reads the members of `args` that an Event holds. Returns false if the JSON cannot be read.
bool read_arguments(od::object object, Event& event, bool keep) {
    for (auto field : object) {
        std::string_view key;
        if (keep) {
            if (field.unescaped_key().get(key) != simdjson::SUCCESS)
                return false;
        } else {
            od::raw_json_string raw;
            if (field.key().get(raw) != simdjson::SUCCESS)
                return false;
            const char* begin = raw.raw();
            // Keys that matter have no escapes: the quote ends them.
            switch (*begin) {
                case 'c':
                    key = raw == "correlation" ? "correlation" : "";
                    break;
                case 'd':
                    key = raw == "device" ? "device" : "";
                    break;
                case 's':
                    key = raw == "stream" ? "stream" : "";
                    break;
                case 'D':
                    key = raw == "Device Type" ? "Device Type" : raw == "Device Id" ? "Device Id" : "";
                    break;
                case 'T':
                    key = raw == "Total Allocated" ? "Total Allocated" : "";
                    break;
                case 'B':
                    key = raw == "Bytes" ? "Bytes" : "";
                    break;
                default:
                    break;
            }
            if (key.empty())
                continue;
        }
        od::value value;
        if (field.value().get(value) != simdjson::SUCCESS)
            return false;
        if (keep) {
            od::json_type type{};
            if (value.type().get(type) != simdjson::SUCCESS)
                return false;
            std::string_view text;
            if (type == od::json_type::string) {
                if (value.get_string().get(text) != simdjson::SUCCESS)
                    return false;
            } else if (type != od::json_type::array && type != od::json_type::object) {
                text = trimmed_token(value.raw_json_token());
            }
            event.arguments.emplace_back(key, text);
            continue;
        }
        const std::string_view text = plain_token(value.raw_json_token());
        if (key == "correlation")
            event.correlation = identifier(text);
        else if (key == "device")
            event.device = whole_number(text);
        else if (key == "stream")
            event.stream = whole_number(text);
        else if (key == "Device Type")
            event.device_type = whole_number(text);
        else if (key == "Device Id")
            event.device_id = whole_number(text);
        else if (key == "Total Allocated")
            event.allocated = whole_number(text);
        else if (key == "Bytes")
            event.bytes = whole_number(text);
    }
    return true;
}

/// Operators of the host say nothing in their arguments that the picture needs.
bool wants_arguments(const Event& event) {
    if (event.phase == 'C' || event.phase == 'M')
        return true;
    if (event.phase == 'X' || event.phase == 'B')
        return event.category != "cpu_op" && event.category != "user_annotation" && event.category != "python_function";
    return is_memory_event(event.name);
}

bool keeps_arguments(const Event& event) {
    return event.phase == 'C' || event.phase == 'M';
}

}  // namespace

struct EventParser::Parsers {
    od::parser events, late;
};

EventParser::EventParser() : parsers_(std::make_unique<Parsers>()) {}
EventParser::~EventParser() = default;

bool EventParser::read(std::string_view text, Event& event) {
    event.phase = '\0';
    event.name = event.category = event.process = event.thread = event.time = event.duration = event.id = {};
    event.has_name = event.has_category = event.quoted_number = false;
    event.correlation = 0;
    event.device = event.stream = event.device_type = event.device_id = event.allocated = event.bytes = std::nullopt;
    event.arguments.clear();
    od::document document;
    const simdjson::padded_string_view view(text.data(), text.size(), text.size() + simdjson::SIMDJSON_PADDING);
    if (parsers_->events.iterate(view).get(document) != simdjson::SUCCESS)
        return false;
    od::object object;
    if (document.get_object().get(object) != simdjson::SUCCESS)
        return false;
    std::string_view late_arguments;  // before phase or category were known
    bool known = false;
    for (auto field : object) {
        od::raw_json_string key;
        if (field.key().get(key) != simdjson::SUCCESS)
            return false;
        od::value value;
        if (field.value().get(value) != simdjson::SUCCESS)
            return false;
        const auto text_of = [&](std::string_view& into) {
            // A string without escapes is a view of the event's text.
            const std::string_view raw = value.raw_json_token();
            if (!raw.empty() && raw.front() == '"' && raw.find('\\') == std::string_view::npos) {
                into = raw.substr(1, raw.rfind('"') - 1);
                return true;
            }
            // null and numbers instead of a string are kept as they are written
            if (value.get_string().get(into) == simdjson::SUCCESS)
                return true;
            const std::string_view token = value.raw_json_token();
            if (!token.empty() && token.front() == '"')
                return false;
            into = plain_token(token);
            return true;
        };
        if (key == "ph") {
            const std::string_view token = plain_token(value.raw_json_token());
            event.phase = token.size() == 1 ? token.front() : token.empty() ? '\0' : '?';
        } else if (key == "name") {
            event.has_name = true;
            if (!text_of(event.name))
                return false;
        } else if (key == "cat") {
            event.has_category = true;
            if (!text_of(event.category))
                return false;
        } else if (key == "ts") {
            event.time = plain_token(value.raw_json_token(), &event.quoted_number);
        } else if (key == "dur") {
            event.duration = plain_token(value.raw_json_token(), &event.quoted_number);
        } else if (key == "pid") {
            event.process = plain_token(value.raw_json_token());
        } else if (key == "tid") {
            event.thread = plain_token(value.raw_json_token());
        } else if (key == "id" || key == "id2") {
            event.id = plain_token(value.raw_json_token());
        } else if (key == "args") {
            od::json_type type{};
            if (value.type().get(type) != simdjson::SUCCESS)
                return false;
            if (type != od::json_type::object)
                continue;
            od::object arguments;
            if (value.get_object().get(arguments) != simdjson::SUCCESS)
                return false;
            known = event.phase != '\0' && event.has_name && event.has_category;
            if (!known) {
                if (arguments.raw_json().get(late_arguments) != simdjson::SUCCESS)
                    return false;
            } else if (wants_arguments(event) && !read_arguments(arguments, event, keeps_arguments(event))) {
                return false;
            }
        }
    }
    if (!late_arguments.empty() && !known && wants_arguments(event)) {
        const std::size_t padding = static_cast<std::size_t>(text.data() + text.size() - late_arguments.data());
        const simdjson::padded_string_view late(late_arguments.data(), late_arguments.size(),
                                                padding + simdjson::SIMDJSON_PADDING);
        od::document rest;
        od::object arguments;
        if (parsers_->late.iterate(late).get(rest) != simdjson::SUCCESS ||
            rest.get_object().get(arguments) != simdjson::SUCCESS ||
            !read_arguments(arguments, event, keeps_arguments(event)))
            return false;
    }
    return true;
}

EventParser::Outcome EventParser::parse(std::string_view text, Event& event) {
    if (text.empty() || text.front() != '{')
        return Outcome::not_an_object;
    event.repaired = false;
    if (read(text, event))
        return Outcome::event;
    mended_ = repaired_json(text);
    const std::size_t size = mended_.size();
    mended_.append(simdjson::SIMDJSON_PADDING, ' ');
    event.repaired = true;
    return read({mended_.data(), size}, event) ? Outcome::event : Outcome::unreadable;
}

std::string repaired_json(std::string_view text) {
    std::string whole;
    if (!text::is_utf8(text)) {
        whole = text::to_utf8(text);
        text = whole;
    }
    std::string out;
    out.reserve(text.size() + 16);
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (!in_string) {
            in_string = c == '"';
            const bool constant = text.substr(i).starts_with("NaN") || text.substr(i).starts_with("Infinity");
            if (constant) {
                while (!out.empty() && out.back() == '-')
                    out.pop_back();
                out += "null";
                i += text[i] == 'N' ? 2 : 7;
                continue;
            }
            if (c == ',') {  // before a bracket
                const std::size_t next = text.find_first_not_of(kSpaces, i + 1);
                if (next != std::string_view::npos && (text[next] == '}' || text[next] == ']'))
                    continue;
            }
            out += c;
            continue;
        }
        if (c == '"') {
            in_string = false;
            out += c;
        } else if (c == '\\') {
            const char next = i + 1 < text.size() ? text[i + 1] : '\0';
            bool good = std::string_view("\"\\/bfnrt").find(next) != std::string_view::npos && next != '\0';
            if (next == 'u') {
                good = i + 5 < text.size();
                for (std::size_t k = i + 2; good && k < i + 6; ++k)
                    good = std::string_view("0123456789abcdefABCDEF").find(text[k]) != std::string_view::npos;
                const char group = good ? static_cast<char>(text[i + 2] | 0x20) : '\0';
                if (good && group == 'd' && text[i + 3] >= '8') {  // half of a surrogate pair
                    out += "\\ufffd";
                    i += 5;
                    continue;
                }
            }
            if (good) {
                out += c;
                out += next;
                ++i;
            } else {
                out += "\\\\";
            }
        } else if (static_cast<unsigned char>(c) < 0x20) {
            constexpr const char* kHex = "0123456789abcdef";
            out += "\\u00";
            out += kHex[static_cast<unsigned char>(c) >> 4];
            out += kHex[static_cast<unsigned char>(c) & 15];
        } else {
            out += c;
        }
    }
    return out;
}

std::vector<std::pair<std::string, std::string>> members_of(std::string_view object) {
    std::vector<std::pair<std::string, std::string>> members;
    const auto read = [&](std::string_view text) {
        members.clear();
        const simdjson::padded_string padded(text);
        od::parser parser;
        od::document document;
        od::object fields;
        if (parser.iterate(padded).get(document) != simdjson::SUCCESS ||
            document.get_object().get(fields) != simdjson::SUCCESS)
            return false;
        for (auto field : fields) {
            std::string_view key, value_text;
            od::value value;
            od::json_type type{};
            if (field.unescaped_key().get(key) != simdjson::SUCCESS || field.value().get(value) != simdjson::SUCCESS ||
                value.type().get(type) != simdjson::SUCCESS)
                return false;
            simdjson::error_code error = simdjson::SUCCESS;
            if (type == od::json_type::string) {
                error = value.get_string().get(value_text);
            } else if (type == od::json_type::object) {
                od::object inner;
                error = value.get_object().get(inner);
                if (error == simdjson::SUCCESS)
                    error = inner.raw_json().get(value_text);
            } else if (type == od::json_type::array) {
                od::array inner;
                error = value.get_array().get(inner);
                if (error == simdjson::SUCCESS)
                    error = inner.raw_json().get(value_text);
            } else {
                value_text = trimmed_token(value.raw_json_token());
            }
            if (error != simdjson::SUCCESS)
                return false;
            members.emplace_back(key, value_text);
        }
        return true;
    };
    if (!read(object) && !read(repaired_json(object)))
        members.clear();
    return members;
}

std::string member_of(std::string_view object, std::string_view key) {
    std::string found;
    for (auto& [name, value] : members_of(object))
        if (name == key)
            found = std::move(value);
    return found;
}

}  // namespace trainyard::traces
