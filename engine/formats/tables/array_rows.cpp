// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/tables/array_rows.h"

#include "base/error.h"
#include "base/text.h"
#include "formats/weights/safetensors.h"

namespace trainyard::formats {

ArrayRows::ArrayRows(const std::filesystem::path& path, const ReadOptions& options, const Open& open)
    : CountedTable(path) {
    struct Found {
        std::vector<std::int64_t> shape;
        Field field;
        Rows rows;
    };
    std::vector<Found> found;
    std::vector<std::string> names;
    open(file_, [&](std::string name, ElementType type, const std::vector<std::int64_t>& shape, Rows rows) {
        names.push_back(name);
        Field field{.name = std::move(name), .type = type};
        if (!shape.empty())
            field.shape.assign(shape.begin() + 1, shape.end());
        found.push_back({shape, std::move(field), std::move(rows)});
    });
    const auto& wanted = options.columns.empty() ? names : options.columns;
    if (wanted.empty())
        throw UserError("{} holds no array", path.string());
    const Found* first = nullptr;
    for (const std::string& name : wanted) {
        auto one =
            std::find_if(found.begin(), found.end(), [&](const Found& other) { return other.field.name == name; });
        if (one == found.end())
            throw UserError("{} has no array '{}'{}", path.string(), name, text::did_you_mean(name, names));
        if (one->shape.empty())
            throw UserError("{}: '{}' is a single number without rows: name the arrays that you want", path.string(),
                            name);
        if (first == nullptr)
            first = &*one;
        else if (one->shape[0] != first->shape[0])
            throw UserError(
                "{}: '{}' has {} rows and '{}' has {}: name the arrays that belong "
                "together",
                path.string(), first->field.name, first->shape[0], name, one->shape[0]);
        schema_.push_back(one->field);
        rows_of_.push_back(one->rows);
    }
    rows_ = first->shape[0];
}

void ArrayRows::append(Table& table, std::int64_t first, std::int64_t count) {
    for (std::size_t i = 0; i < schema_.size(); ++i) {
        Column& column = table.columns[i];
        column.data.resize(static_cast<std::size_t>(count * schema_[i].elements()) * element_size(schema_[i].type));
        if (!column.data.empty())
            rows_of_[i](first, count, column.data);
        column.rows = count;
    }
    table.rows = count;
}

namespace {

ElementType safetensors_type(const std::string& dtype, const std::string& where) {
    struct Row {
        const char* name;
        ElementType type;
    };
    static constexpr Row kRows[] = {
        {"BOOL", ElementType::boolean}, {"I8", ElementType::i8},     {"I16", ElementType::i16},
        {"I32", ElementType::i32},      {"I64", ElementType::i64},   {"U8", ElementType::u8},
        {"U16", ElementType::u16},      {"U32", ElementType::u32},   {"U64", ElementType::u64},
        {"F16", ElementType::f16},      {"BF16", ElementType::bf16}, {"F32", ElementType::f32},
        {"F64", ElementType::f64}};
    for (const Row& row : kRows)
        if (dtype == row.name)
            return row.type;
    throw UserError("{} is of type {}, which is not supported for data: name the tensors to read", where, dtype);
}

}  // namespace

std::unique_ptr<TableReader> open_safetensors(const std::filesystem::path& path, const ReadOptions& options) {
    return std::make_unique<ArrayRows>(path, options, [&](const SourceFile& file, const ArrayRows::Add& add) {
        // The header is validated once. Rows are read with pread(), so that a file that is truncated later gives an
        // error instead of SIGBUS.
        weights::SafetensorsFile tensors(path);
        std::uint64_t payload = 0;
        for (const weights::TensorInfo& info : tensors.tensors())
            payload = std::max(payload, info.end);
        std::uint64_t begin = file.size() - payload;
        for (const weights::TensorInfo& info : tensors.tensors()) {
            const auto& wanted = options.columns;
            if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), info.name) == wanted.end())
                continue;
            ElementType type = safetensors_type(info.dtype, Message("{}: tensor '{}'", path.string(), info.name));
            std::uint64_t row = info.shape.empty() || info.shape[0] == 0
                                    ? 0
                                    : (info.end - info.begin) / static_cast<std::uint64_t>(info.shape[0]);
            add(info.name, type, info.shape,
                [&file, start = begin + info.begin, row](std::int64_t first, std::int64_t /*count*/,
                                                         std::span<std::byte> out) {
                    file.read(start + static_cast<std::uint64_t>(first) * row, out);
                });
        }
    });
}

}  // namespace trainyard::formats
