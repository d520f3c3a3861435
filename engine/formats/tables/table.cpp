// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/tables/table.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "base/text.h"

namespace trainyard::formats {

namespace {

struct TypeRow {
    ElementType type;
    const char* name;
    std::size_t size;
};
constexpr std::array<TypeRow, 14> kTypes{{{ElementType::boolean, "bool", 1},
                                          {ElementType::i8, "int8", 1},
                                          {ElementType::i16, "int16", 2},
                                          {ElementType::i32, "int32", 4},
                                          {ElementType::i64, "int64", 8},
                                          {ElementType::u8, "uint8", 1},
                                          {ElementType::u16, "uint16", 2},
                                          {ElementType::u32, "uint32", 4},
                                          {ElementType::u64, "uint64", 8},
                                          {ElementType::f16, "float16", 2},
                                          {ElementType::bf16, "bfloat16", 2},
                                          {ElementType::f32, "float32", 4},
                                          {ElementType::f64, "float64", 8},
                                          {ElementType::text, "text", 0}}};

}  // namespace

std::size_t element_size(ElementType type) {
    return kTypes[static_cast<std::size_t>(type)].size;
}

const char* name_of(ElementType type) {
    return kTypes[static_cast<std::size_t>(type)].name;
}

ElementType element_type(std::string_view name) {
    std::vector<std::string> names;
    for (const TypeRow& row : kTypes) {
        if (name == row.name)
            return row.type;
        names.emplace_back(row.name);
    }
    throw UserError("there is no type '{}'{}", name, text::did_you_mean(name, names));
}

std::int64_t Field::elements() const {
    std::int64_t product = 1;
    for (std::int64_t size : shape)
        product *= size;
    return product;
}

Message Field::describe() const {
    if (list)
        return Message("{}: list of {}", name, name_of(type));
    if (shape.empty())
        return Message("{}: {}", name, name_of(type));
    return Message("{}: {} [{}]", name, name_of(type), fmt::join(shape, ", "));
}

const Field* find_field(const Schema& schema, std::string_view name) {
    auto found = std::find_if(schema.begin(), schema.end(), [&](const Field& field) { return field.name == name; });
    return found == schema.end() ? nullptr : &*found;
}

void Column::append_text(std::string_view value) {
    const auto* bytes = reinterpret_cast<const std::byte*>(value.data());
    data.insert(data.end(), bytes, bytes + value.size());
    text_ends.push_back(static_cast<std::int64_t>(data.size()));
}

std::int64_t Column::begin_of(std::int64_t row) const {
    if (field.list)
        return row == 0 ? 0 : list_ends[static_cast<std::size_t>(row - 1)];
    return row * field.elements();
}

std::int64_t Column::end_of(std::int64_t row) const {
    return field.list ? list_ends[static_cast<std::size_t>(row)] : (row + 1) * field.elements();
}

std::string_view Column::text(std::int64_t element) const {
    auto index = static_cast<std::size_t>(element);
    std::int64_t begin = index == 0 ? 0 : text_ends[index - 1];
    return {reinterpret_cast<const char*>(data.data()) + begin, static_cast<std::size_t>(text_ends[index] - begin)};
}

void Column::append_rows(const Column& from, std::int64_t first, std::int64_t count) {
    if (count == 0)
        return;
    std::int64_t begin = from.begin_of(first), end = from.end_of(first + count - 1);
    if (field.list) {
        std::int64_t shift = (list_ends.empty() ? 0 : list_ends.back()) - begin;
        for (std::int64_t row = first; row < first + count; ++row)
            list_ends.push_back(from.list_ends[static_cast<std::size_t>(row)] + shift);
    }
    auto byte_of = [&](std::int64_t element) {
        if (from.field.type != ElementType::text)
            return element * static_cast<std::int64_t>(element_size(from.field.type));
        return element == 0 ? 0 : from.text_ends[static_cast<std::size_t>(element - 1)];
    };
    if (field.type == ElementType::text) {
        std::int64_t shift = static_cast<std::int64_t>(data.size()) - byte_of(begin);
        for (std::int64_t element = begin; element < end; ++element)
            text_ends.push_back(from.text_ends[static_cast<std::size_t>(element)] + shift);
    }
    data.insert(data.end(), from.data.begin() + byte_of(begin), from.data.begin() + byte_of(end));
    if (!from.missing.empty() || !missing.empty()) {
        missing.resize(static_cast<std::size_t>(rows), 0);
        for (std::int64_t row = first; row < first + count; ++row)
            missing.push_back(from.is_missing(row) ? 1 : 0);
    }
    rows += count;
}

void Column::append_row(const Column& from, std::int64_t row) {
    append_rows(from, row, 1);
}

void Column::append_missing() {
    missing.resize(static_cast<std::size_t>(rows), 0);
    missing.push_back(1);
    ++rows;
    if (field.list)
        list_ends.push_back(list_ends.empty() ? 0 : list_ends.back());
    else if (field.type == ElementType::text)
        text_ends.insert(text_ends.end(), static_cast<std::size_t>(field.elements()),
                         static_cast<std::int64_t>(data.size()));
    else
        data.resize(data.size() + static_cast<std::size_t>(field.elements()) * element_size(field.type));
}

Table::Table(const Schema& schema) {
    columns.reserve(schema.size());
    for (const Field& field : schema)
        columns.emplace_back().field = field;
}

const Column* Table::find(std::string_view name) const {
    auto found =
        std::find_if(columns.begin(), columns.end(), [&](const Column& column) { return column.field.name == name; });
    return found == columns.end() ? nullptr : &*found;
}

const Column& Table::at(std::string_view name) const {
    if (const Column* column = find(name))
        return *column;
    std::vector<std::string> names;
    for (const Column& column : columns)
        names.push_back(column.field.name);
    throw UserError("there is no column '{}'{}", name, text::did_you_mean(name, names));
}

void Table::append_rows(const Table& from, std::int64_t first, std::int64_t count) {
    for (std::size_t i = 0; i < columns.size(); ++i)
        columns[i].append_rows(from.columns[i], first, count);
    rows += count;
}

void Table::append_row(const Table& from, std::int64_t row) {
    append_rows(from, row, 1);
}

std::size_t Table::bytes() const {
    std::size_t sum = 0;
    for (const Column& column : columns)
        sum += column.data.size() + column.missing.size() +
               (column.list_ends.size() + column.text_ends.size()) * sizeof(std::int64_t);
    return sum;
}

}  // namespace trainyard::formats
