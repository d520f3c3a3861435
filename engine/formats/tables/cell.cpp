// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/tables/cell.h"

#include <bit>
#include <limits>
#include <optional>
#include <utility>

#include "base/number.h"
#include "base/text.h"

namespace trainyard::formats {

namespace {

template <class Number>
bool parse(std::string_view text, Number& value) {
    text = text::trimmed(text, " \t");
    if (text.size() > 1 && text.front() == '+' && text[1] != '-')
        text.remove_prefix(1);
    const std::optional<Number> number = take_number<Number>(text);
    value = number.value_or(value);
    return number && text.empty();
}

template <class T, class From>
bool append_exactly(Column& column, From value) {
    if (!std::in_range<T>(value))
        return false;
    column.append(static_cast<T>(value));
    return true;
}

template <class From>
bool append_whole(Column& column, From value) {
    const ElementType type = column.field.type;
    bool fits = false;
    if (with_integer_type(type, [&]<class T>(T) { fits = append_exactly<T>(column, value); }))
        return fits;
    return type != ElementType::boolean && type != ElementType::text && append_real(column, static_cast<double>(value));
}

}  // namespace

std::uint16_t to_bfloat16(float value) {
    auto bits = std::bit_cast<std::uint32_t>(value);
    if ((bits & 0x7fffffffu) > 0x7f800000u)
        return static_cast<std::uint16_t>((bits >> 16) | 0x40);
    bits += 0x7fffu + ((bits >> 16) & 1);
    return static_cast<std::uint16_t>(bits >> 16);
}

std::uint16_t to_half(float value) {
    auto bits = std::bit_cast<std::uint32_t>(value);
    auto sign = static_cast<std::uint16_t>((bits >> 16) & 0x8000u);
    std::uint32_t magnitude = bits & 0x7fffffffu;
    if (magnitude > 0x7f800000u)
        return sign | 0x7e00u;
    if (magnitude >= 0x477ff000u)  // 65520 rounds to infinity
        return sign | 0x7c00u;
    if (magnitude < 0x38800000u) {  // subnormal halves: adding 0.5 makes the processor round at the right bit
        float scaled = std::bit_cast<float>(magnitude) + 0.5f;
        return static_cast<std::uint16_t>(sign | (std::bit_cast<std::uint32_t>(scaled) - 0x3f000000u));
    }
    magnitude += 0xc8000fffu + ((magnitude >> 13) & 1);
    return static_cast<std::uint16_t>(sign | (magnitude >> 13));
}

bool is_boolean(std::string_view text) {
    return text == "true" || text == "false" || text == "True" || text == "False" || text == "TRUE" || text == "FALSE";
}

bool parse_integer(std::string_view text, std::int64_t& value) {
    return parse(text, value);
}

bool parse_real(std::string_view text, double& value) {
    return parse(text, value);
}

bool append_integer(Column& column, std::int64_t value) {
    return append_whole(column, value);
}

bool append_unsigned(Column& column, std::uint64_t value) {
    return append_whole(column, value);
}

bool append_real(Column& column, double value) {
    switch (column.field.type) {
        case ElementType::f64:
            column.append(value);
            return true;
        case ElementType::f32:
            column.append(static_cast<float>(value));
            return true;
        case ElementType::f16:
            column.append(to_half(static_cast<float>(value)));
            return true;
        case ElementType::bf16:
            column.append(to_bfloat16(static_cast<float>(value)));
            return true;
        default:
            return false;
    }
}

bool append_parsed(Column& column, std::string_view text) {
    switch (column.field.type) {
        case ElementType::text:
            column.append_text(text);
            return true;
        case ElementType::boolean:
            if (!is_boolean(text))
                return false;
            column.append(static_cast<std::uint8_t>(text.front() == 't' || text.front() == 'T'));
            return true;
        case ElementType::u64: {
            std::uint64_t value = 0;
            return parse(text, value) && append_whole(column, value);
        }
        case ElementType::f16:
        case ElementType::bf16:
        case ElementType::f32:
        case ElementType::f64: {
            double value = 0;
            return parse(text, value) && append_real(column, value);
        }
        default: {
            std::int64_t value = 0;
            return parse(text, value) && append_whole(column, value);
        }
    }
}

}  // namespace trainyard::formats
