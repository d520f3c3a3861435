// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/tables/arrow_columns.h"

#include <cmath>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "base/json_writer.h"
#include "base/number.h"

namespace trainyard::formats {

namespace {

constexpr int kDeepestNesting = 16;

struct Primitive {
    std::string_view format;
    ElementType type;
};
constexpr Primitive kPrimitives[] = {
    {"b", ElementType::boolean}, {"c", ElementType::i8},    {"C", ElementType::u8},    {"s", ElementType::i16},
    {"S", ElementType::u16},     {"i", ElementType::i32},   {"I", ElementType::u32},   {"l", ElementType::i64},
    {"L", ElementType::u64},     {"e", ElementType::f16},   {"f", ElementType::f32},   {"g", ElementType::f64},
    {"n", ElementType::f64},     {"tdD", ElementType::i32}, {"tdm", ElementType::i64}, {"tts", ElementType::i32},
    {"ttm", ElementType::i32},   {"ttu", ElementType::i64}, {"ttn", ElementType::i64}, {"tDs", ElementType::i64},
    {"tDm", ElementType::i64},   {"tDu", ElementType::i64}, {"tDn", ElementType::i64}};

std::optional<ElementType> element_of(const ArrowSchema& schema) {
    std::string_view format = schema.dictionary != nullptr ? schema.dictionary->format : schema.format;
    for (const Primitive& one : kPrimitives)
        if (format == one.format)
            return one.type;
    if (format.starts_with("ts"))  // timestamps with unit and time zone
        return ElementType::i64;
    if (format == "u" || format == "U" || format == "z" || format == "Z" || format.starts_with("w:"))
        return ElementType::text;
    return std::nullopt;
}

/// Elements of a fixed-size list "+w:N", or bytes of a fixed-size value "w:N"; -1 for other formats.
std::int64_t fixed_size(std::string_view format, std::string_view begin) {
    return format.starts_with(begin) ? parse_number<std::int64_t>(format.substr(begin.size()), 0).value_or(-1) : -1;
}

/// Whether values of the type can be written as JSON: texts, numbers, and lists and structs of them.
bool is_json_type(const ArrowSchema& schema, int depth) {
    if (depth > kDeepestNesting)
        return false;
    if (schema.dictionary != nullptr)
        return is_json_type(*schema.dictionary, depth + 1);
    const std::string_view format = schema.format;
    if (format == "+s" || format == "+l" || format == "+L" || fixed_size(format, "+w:") > 0) {
        for (std::int64_t i = 0; i < schema.n_children; ++i)
            if (!is_json_type(*schema.children[i], depth + 1))
                return false;
        return true;
    }
    return format == "u" || format == "U" ||
           (element_of(schema) && element_of(schema) != ElementType::text && element_of(schema) != ElementType::f16);
}

void collect(const ArrowSchema& schema, const std::string& prefix, std::vector<std::size_t>& path,
             std::vector<ArrowColumn>& columns) {
    std::string_view format = schema.format;
    std::string name = schema.name != nullptr ? schema.name : "";
    if (!prefix.empty())
        name = fmt::format("{}.{}", prefix, name);
    if (format == "+s" && schema.dictionary == nullptr && std::ssize(path) < kDeepestNesting) {
        for (std::int64_t i = 0; i < schema.n_children; ++i) {
            path.push_back(static_cast<std::size_t>(i));
            collect(*schema.children[i], name, path, columns);
            path.pop_back();
        }
        return;
    }
    ArrowColumn column{{.name = name}, path, {}, false};
    const ArrowSchema* at = &schema;
    if (format == "+l" || format == "+L") {
        column.field.list = true;
        at = schema.children[0];
    } else {
        for (int depth = 0; depth < kDeepestNesting; ++depth) {
            std::int64_t size = fixed_size(at->format, "+w:");
            if (size < 0)
                break;
            column.field.shape.push_back(size);
            at = at->children[0];
        }
    }
    const std::string_view elements = at->dictionary != nullptr ? at->dictionary->format : at->format;
    column.is_utf8 = elements == "u" || elements == "U";
    if (auto type = element_of(*at)) {
        column.field.type = *type;
    } else if (at != &schema && is_json_type(schema, 0)) {
        column.field = {.name = column.field.name, .type = ElementType::text};
        column.is_json = column.is_utf8 = true;
    } else {
        column.problem =
            at == &schema
                ? Message("column '{}' is of Arrow's type '{}', which cannot be read: name the columns that you want",
                          name, at->format)
                : Message(
                      "column '{}' is of Arrow's type '{}' inside of a list, which cannot be read: name the "
                      "columns that you want",
                      name, at->format);
    }
    columns.push_back(std::move(column));
}

/// Whether element `index` (from the start of the buffers) has a value.
bool is_valid(const ArrowArray& array, std::int64_t index) {
    const auto* bits = array.n_buffers > 0 ? static_cast<const std::uint8_t*>(array.buffers[0]) : nullptr;
    return bits == nullptr || array.null_count == 0 || (bits[index / 8] >> (index % 8) & 1) != 0;
}

template <class Offset>
std::string_view text_at(const ArrowArray& array, std::int64_t index) {
    const auto* offsets = static_cast<const Offset*>(array.buffers[1]);
    const auto* characters = static_cast<const char*>(array.buffers[2]);
    if (characters == nullptr)
        return {};
    return {characters + offsets[index], static_cast<std::size_t>(offsets[index + 1] - offsets[index])};
}

/// The index of an element in a dictionary, counted from the start of the buffer of indices.
std::int64_t dictionary_index(const ArrowSchema& schema, const ArrowArray& array, std::int64_t at) {
    const void* values = array.buffers[1];
    switch (schema.format[0]) {
        case 'c':
            return static_cast<const std::int8_t*>(values)[at];
        case 'C':
            return static_cast<const std::uint8_t*>(values)[at];
        case 's':
            return static_cast<const std::int16_t*>(values)[at];
        case 'S':
            return static_cast<const std::uint16_t*>(values)[at];
        case 'i':
            return static_cast<const std::int32_t*>(values)[at];
        case 'I':
            return static_cast<const std::uint32_t*>(values)[at];
        default:
            return static_cast<const std::int64_t*>(values)[at];
    }
}

/// Appends elements `first` .. `first + count`, counted from the start of the buffers (the array's offset is included).
void append_elements(Column& column, const ArrowSchema& schema, const ArrowArray& array, std::int64_t first,
                     std::int64_t count) {
    std::string_view format = schema.format;
    std::size_t size = element_size(column.field.type);
    if (schema.dictionary != nullptr) {
        // The format is the type of the indices; a missing index becomes 0.
        for (std::int64_t i = first; i < first + count; ++i) {
            const std::int64_t index = is_valid(array, i) ? dictionary_index(schema, array, i) : -1;
            const ArrowArray& dictionary = *array.dictionary;
            if (index >= dictionary.length)
                throw UserError(
                    "column '{}' refers to value {} of a dictionary of {}: the file is "
                    "damaged",
                    column.field.name, index, dictionary.length);
            if (index < 0) {
                if (column.field.type == ElementType::text)
                    column.append_text({});
                else
                    column.data.resize(column.data.size() + size);
            } else {
                append_elements(column, *schema.dictionary, dictionary, dictionary.offset + index, 1);
            }
        }
        return;
    }
    if (column.field.type == ElementType::text) {
        std::int64_t width = fixed_size(format, "w:");
        for (std::int64_t i = first; i < first + count; ++i) {
            if (!is_valid(array, i))
                column.append_text({});
            else if (width >= 0)
                column.append_text(
                    {static_cast<const char*>(array.buffers[1]) + i * width, static_cast<std::size_t>(width)});
            else
                column.append_text(format == "U" || format == "Z" ? text_at<std::int64_t>(array, i)
                                                                  : text_at<std::int32_t>(array, i));
        }
        return;
    }
    std::size_t at = column.data.size();
    column.data.resize(at + static_cast<std::size_t>(count) * size);
    if (format == "n" || count == 0)
        return;
    std::byte* out = column.data.data() + at;
    if (format == "b") {
        const auto* bits = static_cast<const std::uint8_t*>(array.buffers[1]);
        for (std::int64_t i = 0; i < count; ++i)
            out[i] = static_cast<std::byte>(bits[(first + i) / 8] >> ((first + i) % 8) & 1);
    } else {
        std::memcpy(out, static_cast<const std::byte*>(array.buffers[1]) + static_cast<std::size_t>(first) * size,
                    static_cast<std::size_t>(count) * size);
    }
    if (array.null_count != 0 && array.buffers[0] != nullptr)  // the content under a missing value is undefined
        for (std::int64_t i = 0; i < count; ++i)
            if (!is_valid(array, first + i))
                std::memset(out + static_cast<std::size_t>(i) * size, 0, size);
}

void append_json_number(std::string& out, std::string_view format, const void* values, std::int64_t at) {
    const auto whole = [&](const auto* of_type) { fmt::format_to(std::back_inserter(out), "{}", of_type[at]); };
    const auto real = [&](const auto* of_type) {
        if (std::isfinite(of_type[at]))
            fmt::format_to(std::back_inserter(out), "{}", of_type[at]);
        else
            out += "null";
    };
    if (format == "b")
        out += (static_cast<const std::uint8_t*>(values)[at / 8] >> (at % 8) & 1) != 0 ? "true" : "false";
    else if (format == "f")
        real(static_cast<const float*>(values));
    else if (format == "g")
        real(static_cast<const double*>(values));
    else if (format == "c")
        fmt::format_to(std::back_inserter(out), "{}", int{static_cast<const std::int8_t*>(values)[at]});
    else if (format == "C")
        fmt::format_to(std::back_inserter(out), "{}", int{static_cast<const std::uint8_t*>(values)[at]});
    else if (format == "s")
        whole(static_cast<const std::int16_t*>(values));
    else if (format == "S")
        whole(static_cast<const std::uint16_t*>(values));
    else if (format == "i" || format == "tdD" || format == "tts" || format == "ttm")
        whole(static_cast<const std::int32_t*>(values));
    else if (format == "I")
        whole(static_cast<const std::uint32_t*>(values));
    else if (format == "L")
        whole(static_cast<const std::uint64_t*>(values));
    else
        whole(static_cast<const std::int64_t*>(values));
}

/// Appends element `at`, counted from the start of the buffers, of a type that is_json_type().
void append_json(std::string& out, const ArrowSchema& schema, const ArrowArray& array, std::int64_t at) {
    const std::string_view format = schema.format;
    if (format == "n" || !is_valid(array, at)) {
        out += "null";
        return;
    }
    const auto damaged = [] { throw UserError("a list is outside of its values: the file is damaged"); };
    if (schema.dictionary != nullptr) {
        const std::int64_t index = dictionary_index(schema, array, at);
        if (index < 0 || index >= array.dictionary->length)
            damaged();
        return append_json(out, *schema.dictionary, *array.dictionary, array.dictionary->offset + index);
    }
    const auto list = [&](std::int64_t begin, std::int64_t end) {
        const ArrowArray& inner = *array.children[0];
        if (begin < 0 || end < begin || end > inner.length)
            damaged();
        out += '[';
        for (std::int64_t i = begin; i < end; ++i) {
            if (i > begin)
                out += ',';
            append_json(out, *schema.children[0], inner, inner.offset + i);
        }
        out += ']';
    };
    if (format == "+l") {
        const auto* offsets = static_cast<const std::int32_t*>(array.buffers[1]);
        list(offsets[at], offsets[at + 1]);
    } else if (format == "+L") {
        const auto* offsets = static_cast<const std::int64_t*>(array.buffers[1]);
        list(offsets[at], offsets[at + 1]);
    } else if (const std::int64_t size = fixed_size(format, "+w:"); size > 0) {
        list(at * size, (at + 1) * size);
    } else if (format == "+s") {
        out += '{';
        bool first = true;
        for (std::int64_t i = 0; i < schema.n_children; ++i) {
            const ArrowArray& child = *array.children[i];
            if (std::string_view(schema.children[i]->format) == "n" || !is_valid(child, child.offset + at))
                continue;
            out += std::exchange(first, false) ? "" : ",";
            append_json_text(out, schema.children[i]->name != nullptr ? schema.children[i]->name : "");
            out += ':';
            append_json(out, *schema.children[i], child, child.offset + at);
        }
        out += '}';
    } else if (format == "u") {
        append_json_text(out, text_at<std::int32_t>(array, at));
    } else if (format == "U") {
        append_json_text(out, text_at<std::int64_t>(array, at));
    } else {
        append_json_number(out, format, array.buffers[1], at);
    }
}

template <class Offset>
void append_lists(Column& column, const ArrowSchema& schema, const ArrowArray& array, std::int64_t first,
                  std::int64_t count) {
    const auto* offsets = static_cast<const Offset*>(array.buffers[1]);
    const ArrowArray& inner = *array.children[0];
    std::int64_t end = column.list_ends.empty() ? 0 : column.list_ends.back();
    for (std::int64_t i = first; i < first + count; ++i) {
        if (is_valid(array, i)) {
            Offset begin = offsets[i], stop = offsets[i + 1];
            if (begin < 0 || stop < begin || stop > inner.length)
                throw UserError("column '{}' has a list outside of its values: the file is damaged", column.field.name);
            append_elements(column, *schema.children[0], inner, inner.offset + begin, stop - begin);
            end += stop - begin;
        }
        column.list_ends.push_back(end);
    }
}

/// Appends rows from `first` of the column at `path`; `missing` marks rows that have no value at an outer level.
void append_rows(Column& column, bool is_json, std::span<const std::size_t> path, const ArrowSchema& schema,
                 const ArrowArray& array, std::int64_t first, std::int64_t count, std::vector<std::uint8_t>& missing) {
    bool some = false;
    std::string_view format = schema.format;
    for (std::int64_t i = 0; i < count; ++i) {
        bool without = format == "n" || !is_valid(array, first + i);
        missing[static_cast<std::size_t>(i)] |= without ? 1 : 0;
        some = some || missing[static_cast<std::size_t>(i)] != 0;
    }
    if (!path.empty()) {
        const ArrowArray& child = *array.children[path[0]];
        append_rows(column, is_json, path.subspan(1), *schema.children[path[0]], child, first + child.offset, count,
                    missing);
        return;
    }
    if (some || !column.missing.empty()) {
        column.missing.resize(static_cast<std::size_t>(column.rows), 0);
        column.missing.insert(column.missing.end(), missing.begin(), missing.end());
    }
    if (is_json) {
        std::string text;
        for (std::int64_t i = 0; i < count; ++i) {
            text.clear();
            if (is_valid(array, first + i))
                append_json(text, schema, array, first + i);
            column.append_text(text);
        }
    } else if (format == "+l") {
        append_lists<std::int32_t>(column, schema, array, first, count);
    } else if (format == "+L") {
        append_lists<std::int64_t>(column, schema, array, first, count);
    } else {
        const ArrowSchema* at = &schema;
        const ArrowArray* inner = &array;
        std::int64_t begin = first, elements = count;
        for (std::int64_t size : column.field.shape) {
            inner = inner->children[0];
            at = at->children[0];
            begin = begin * size + inner->offset;
            elements *= size;
        }
        append_elements(column, *at, *inner, begin, elements);
    }
    column.rows += count;
}

}  // namespace

std::vector<ArrowColumn> arrow_columns(const ArrowSchema& schema) {
    std::vector<ArrowColumn> columns;
    std::vector<std::size_t> path;
    for (std::int64_t i = 0; i < schema.n_children; ++i) {
        path.assign(1, static_cast<std::size_t>(i));
        collect(*schema.children[i], "", path, columns);
    }
    return columns;
}

void append_arrow(Column& column, const ArrowColumn& source, const ArrowSchema& schema, const ArrowArray& array) {
    std::vector<std::uint8_t> missing(static_cast<std::size_t>(array.length), 0);
    append_rows(column, source.is_json, std::span(source.path).subspan(1), schema, array, array.offset, array.length,
                missing);
}

}  // namespace trainyard::formats
