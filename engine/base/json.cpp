// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/json.h"

#include <string>

#include <nlohmann/json.hpp>

namespace trainyard {

namespace {

/// Place of the last character of a string that begins at `at` with a quote.
std::size_t end_of_json_string(std::string_view text, std::size_t at) {
    for (++at; at < text.size() && text[at] != '"'; ++at)
        at += text[at] == '\\' ? 1 : 0;
    return at;
}

/// Place of the last character of a comment that begins at `at`.
std::size_t end_of_comment(std::string_view text, std::size_t at) {
    const bool line = text[at + 1] == '/';
    const std::size_t end = text.find(line ? "\n" : "*/", at + 2);
    return end == std::string_view::npos ? text.size() : end + (line ? 0 : 1);
}

template <class Json>
Json read_bounded(std::string_view text, bool with_comments) {
    if (json_out_of_bounds(text, with_comments) != nullptr)
        return Json(Json::value_t::discarded);
    return Json::parse(text, nullptr, false, with_comments);
}

template <class Json>
Json parse_bounded(std::string_view text) {
    if (const char* why = json_out_of_bounds(text); why != nullptr)
        throw Json::other_error::create(599, std::string("the text is ") + why, nullptr);
    return Json::parse(text);
}

}  // namespace

// The literals are for Message::table_text().
const char* json_out_of_bounds(std::string_view text, bool with_comments) {
    if (text.size() > kMostJsonBytes)
        return "larger than 256 MiB";
    int depth = 0;
    std::size_t values = 1;
    for (std::size_t at = 0; at < text.size(); ++at) {
        switch (text[at]) {
            case '"':
                at = end_of_json_string(text, at);
                break;
            case '/':
                if (with_comments && at + 1 < text.size() && (text[at + 1] == '/' || text[at + 1] == '*'))
                    at = end_of_comment(text, at);
                break;
            case '[':
            case '{':
                if (++depth > kMostJsonDepth)
                    return "nested deeper than 64 levels";
                ++values;
                break;
            case ']':
            case '}':
                --depth;
                break;
            case ',':
                ++values;
                break;
            default:
                break;
        }
    }
    return values > kMostJsonValues ? "of more than 8 million values" : nullptr;
}

nlohmann::json read_json(std::string_view text) {
    return read_bounded<nlohmann::json>(text, false);
}

nlohmann::ordered_json read_ordered_json(std::string_view text) {
    return read_bounded<nlohmann::ordered_json>(text, false);
}

nlohmann::ordered_json read_json_with_comments(std::string_view text) {
    return read_bounded<nlohmann::ordered_json>(text, true);
}

nlohmann::json parse_json(std::string_view text) {
    return parse_bounded<nlohmann::json>(text);
}

nlohmann::ordered_json parse_ordered_json(std::string_view text) {
    return parse_bounded<nlohmann::ordered_json>(text);
}

bool is_json(std::string_view text) {
    return nlohmann::json::accept(text);
}

}  // namespace trainyard
