// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/json_writer.h"

#include <array>
#include <charconv>
#include <cmath>

#include <nlohmann/json.hpp>

#include "base/utf8.h"

namespace trainyard {

namespace {

/// What follows the backslash for each byte that is never written as it is; 'u': four hexadecimal digits.
constexpr std::array<char, 256> kEscapes = [] {
    std::array<char, 256> escapes{};
    for (unsigned control = 0; control < 0x20; ++control)
        escapes[control] = 'u';
    escapes['\b'] = 'b';
    escapes['\t'] = 't';
    escapes['\n'] = 'n';
    escapes['\f'] = 'f';
    escapes['\r'] = 'r';
    escapes['"'] = '"';
    escapes['\\'] = '\\';
    return escapes;
}();

void append_unit(std::string& out, unsigned unit) {
    constexpr const char* kDigits = "0123456789abcdef";
    out += "\\u";
    for (int shift = 12; shift >= 0; shift -= 4)
        out += kDigits[(unit >> shift) & 15u];
}

void append_escaped(std::string& out, std::string_view text) {
    std::size_t written = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const auto byte = static_cast<unsigned char>(text[at]);
        const char escape = kEscapes[byte];
        if (escape == 0)
            continue;
        out.append(text, written, at - written);
        written = at + 1;
        if (escape == 'u') {
            append_unit(out, byte);
        } else {
            out += '\\';
            out += escape;
        }
    }
    out.append(text, written);
}

void append_ascii(std::string& out, std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t begin = at;
        const char32_t character = text::next_character(text, at);
        if (character >= 0x10000) {
            append_unit(out, 0xD800u + ((static_cast<unsigned>(character) - 0x10000u) >> 10));
            append_unit(out, 0xDC00u + ((static_cast<unsigned>(character) - 0x10000u) & 0x3FFu));
        } else if (character > 0x7E) {
            append_unit(out, static_cast<unsigned>(character));
        } else {
            append_escaped(out, text.substr(begin, 1));
        }
    }
}

template <typename Integer>
void append_integer(std::string& out, Integer value) {
    std::array<char, 24> digits;
    out.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
}

template <typename Json>
void write_tree(JsonWriter& out, const Json& value) {
    using Kind = nlohmann::json::value_t;
    switch (value.type()) {
        case Kind::object:
            out.begin_object();
            for (auto entry = value.begin(); entry != value.end(); ++entry) {
                out.key(entry.key());
                write_tree(out, *entry);
            }
            return out.end_object();
        case Kind::array:
            out.begin_array();
            for (const Json& item : value)
                write_tree(out, item);
            return out.end_array();
        case Kind::string:
            return out.text(value.template get_ref<const std::string&>());
        case Kind::boolean:
            return out.boolean(value.template get<bool>());
        case Kind::number_integer:
            return out.number(value.template get<std::int64_t>());
        case Kind::number_unsigned:
            return out.number(value.template get<std::uint64_t>());
        case Kind::number_float:
            return out.number(value.template get<double>());
        case Kind::null:
        case Kind::binary:  // our readers make neither of these two
        case Kind::discarded:
            return out.null();
    }
}

template <typename Json>
std::string tree_text(const Json& value, const JsonStyle& style) {
    JsonWriter out(style);
    write_tree(out, value);
    return out.take();
}

}  // namespace

void append_json_text(std::string& out, std::string_view text, JsonText characters) {
    std::string valid;
    if (!text::is_utf8(text))
        text = valid = text::to_utf8(text);
    out += '"';
    if (characters == JsonText::ascii)
        append_ascii(out, text);
    else
        append_escaped(out, text);
    out += '"';
}

std::string quoted_json(std::string_view text, JsonText characters) {
    std::string out;
    append_json_text(out, text, characters);
    return out;
}

void JsonWriter::new_line() {
    if (style_.indent < 0)
        return;
    out_ += '\n';
    out_.append(static_cast<std::size_t>(depth_ * style_.indent), ' ');
}

void JsonWriter::before_value() {
    if (std::exchange(after_key_, false))
        return;
    if (!std::exchange(first_, false))
        out_ += style_.indent < 0 && style_.spaced ? ", " : ",";
    if (depth_ > 0)
        new_line();
}

void JsonWriter::begin(char bracket) {
    before_value();
    out_ += bracket;
    ++depth_;
    first_ = true;
}

void JsonWriter::end(char opening, char closing) {
    --depth_;
    if (out_.back() != opening)
        new_line();
    out_ += closing;
    first_ = false;
}

void JsonWriter::key(std::string_view name) {
    before_value();
    append_json_text(out_, name, style_.characters);
    out_ += style_.indent < 0 && !style_.spaced ? ":" : ": ";
    after_key_ = true;
}

void JsonWriter::null() {
    before_value();
    out_ += "null";
}

void JsonWriter::boolean(bool value) {
    before_value();
    out_ += value ? "true" : "false";
}

void JsonWriter::number(std::int64_t value) {
    before_value();
    append_integer(out_, value);
}

void JsonWriter::number(std::uint64_t value) {
    before_value();
    append_integer(out_, value);
}

void JsonWriter::number(double value) {
    if (!std::isfinite(value))
        return null();
    before_value();
    std::array<char, 64> digits;
    out_.append(digits.data(), nlohmann::detail::to_chars(digits.data(), digits.data() + digits.size(), value));
}

void JsonWriter::text(std::string_view value) {
    before_value();
    append_json_text(out_, value, style_.characters);
}

void JsonWriter::literal(std::string_view value) {
    before_value();
    out_ += value;
}

void JsonWriter::value(const nlohmann::json& value) {
    write_tree(*this, value);
}

void JsonWriter::value(const nlohmann::ordered_json& value) {
    write_tree(*this, value);
}

std::string json_text(const nlohmann::json& value, const JsonStyle& style) {
    return tree_text(value, style);
}

std::string json_text(const nlohmann::ordered_json& value, const JsonStyle& style) {
    return tree_text(value, style);
}

}  // namespace trainyard
