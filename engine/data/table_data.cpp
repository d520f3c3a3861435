// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <limits>
#include <numeric>

#include <ATen/ops/empty.h>

#include <fmt/format.h>
#include <trainyard/table_data.h>

#include "base/error.h"
#include "formats/tables/cell.h"

namespace trainyard::data {

namespace {

using formats::Column;
using formats::ElementType;

constexpr std::int64_t kPiece = 256;  // rows that a stream reads at a time; states are positions inside of such a piece

at::ScalarType dtype_of(ElementType type) {
    switch (type) {
        case ElementType::boolean:
            return at::kBool;
        case ElementType::i8:
            return at::kChar;
        case ElementType::i16:
            return at::kShort;
        case ElementType::i32:
            return at::kInt;
        case ElementType::i64:
            return at::kLong;
        case ElementType::u8:
            return at::kByte;
        case ElementType::u16:
            return at::kUInt16;
        case ElementType::u32:
            return at::kUInt32;
        case ElementType::u64:
            return at::kUInt64;
        case ElementType::f16:
            return at::kHalf;
        case ElementType::bf16:
            return at::kBFloat16;
        case ElementType::f32:
            return at::kFloat;
        default:
            return at::kDouble;
    }
}

/// The column without missing values, or an error that names a row with one.
Column completed(const Column& column, const TableOptions& options, const Message& where) {
    const formats::Field& field = column.field;
    auto given = options.fill.find(field.name);
    Column value;
    value.field = {.name = field.name, .type = field.type};
    if (given != options.fill.end()) {
        if (!formats::append_parsed(value, given->second))
            throw UserError("column '{}' is to be filled with '{}', which is no {}", field.name, given->second,
                            formats::name_of(field.type));
    } else if (field.type == ElementType::f16 || field.type == ElementType::bf16 || field.type == ElementType::f32 ||
               field.type == ElementType::f64) {
        formats::append_real(value, std::numeric_limits<double>::quiet_NaN());
    } else {
        std::int64_t row = 0;
        while (!column.is_missing(row))
            ++row;
        throw UserError(
            "{}: column '{}' has no value in a row: fill it (fill: {{{}: ...}}) or leave "
            "such rows out of the file",
            where, field.name, field.name);
    }
    Column filled;
    filled.field = field;
    for (std::int64_t row = 0; row < column.rows; ++row) {
        if (!column.is_missing(row)) {
            filled.append_row(column, row);
            continue;
        }
        // A missing list becomes a list with one element; a missing block is filled with the value.
        std::int64_t elements = field.list ? 1 : field.elements();
        for (std::int64_t i = 0; i < elements; ++i) {
            if (field.type == ElementType::text)
                filled.append_text(value.text(0));
            else
                filled.data.insert(filled.data.end(), value.data.begin(), value.data.end());
        }
        if (field.list)
            filled.list_ends.push_back((filled.list_ends.empty() ? 0 : filled.list_ends.back()) + elements);
        ++filled.rows;
    }
    return filled;
}

bool is_missing_anywhere(const Column& column, std::int64_t first, std::int64_t count) {
    for (std::int64_t row = first; row < first + count; ++row)
        if (column.is_missing(row))
            return true;
    return false;
}

at::Tensor tensor_of(const Column& column, std::int64_t begin, std::vector<std::int64_t> shape) {
    at::Tensor tensor = at::empty(shape, at::TensorOptions().dtype(dtype_of(column.field.type)));
    std::size_t size = formats::element_size(column.field.type);
    if (tensor.numel() > 0)
        std::memcpy(tensor.mutable_data_ptr(), column.data.data() + static_cast<std::size_t>(begin) * size,
                    static_cast<std::size_t>(tensor.numel()) * size);
    return tensor;
}

Tree texts_of(const Column& column, std::int64_t begin, std::int64_t end) {
    Tree::List texts;
    for (std::int64_t element = begin; element < end; ++element)
        texts.emplace_back(std::string(column.text(element)));
    return Tree::list(std::move(texts));
}

Tree row_value(const Column& column, std::int64_t row) {
    std::int64_t begin = column.begin_of(row), end = column.end_of(row);
    if (column.field.type == ElementType::text)
        return column.field.list || !column.field.shape.empty() ? texts_of(column, begin, end)
                                                                : Tree(std::string(column.text(begin)));
    return tensor_of(column, begin, column.field.list ? std::vector{end - begin} : column.field.shape);
}

Tree column_value(const Column& column) {
    if (column.field.list || (column.field.type == ElementType::text && !column.field.shape.empty())) {
        std::vector<Tree> rows;
        for (std::int64_t row = 0; row < column.rows; ++row)
            rows.push_back(Tree::dict({{column.field.name, row_value(column, row)}}));
        return collate(std::move(rows)).at(column.field.name);
    }
    if (column.field.type == ElementType::text)
        return texts_of(column, 0, column.rows);
    std::vector<std::int64_t> shape{column.rows};
    shape.insert(shape.end(), column.field.shape.begin(), column.field.shape.end());
    return tensor_of(column, 0, std::move(shape));
}

/// One row as a sample. `where` is used in errors.
Tree sample_of(const formats::Table& table, std::int64_t row, const TableOptions& options, const Message& where) {
    Tree::Dict entries;
    for (const Column& column : table.columns) {
        if (!is_missing_anywhere(column, row, 1)) {
            entries.push_back({column.field.name, row_value(column, row)});
        } else {
            Column one;
            one.field = column.field;
            one.append_row(column, row);
            entries.push_back({column.field.name, row_value(completed(one, options, where), 0)});
        }
    }
    return Tree::dict(std::move(entries));
}

/// All rows as a batch.
Tree batch_of(const formats::Table& table, const TableOptions& options, const Message& where) {
    Tree::Dict entries;
    for (const Column& column : table.columns)
        entries.push_back({column.field.name, is_missing_anywhere(column, 0, column.rows)
                                                  ? column_value(completed(column, options, where))
                                                  : column_value(column)});
    return Tree::dict(std::move(entries));
}

}  // namespace

TableDataset::TableDataset(std::vector<std::filesystem::path> files, TableOptions options)
    : options_(std::move(options)),
      where_(Message::verbatim(files.empty() ? "" : files.front().string())),
      set_(std::move(files), options_.read) {
    schema_ = set_.schema();
    size_ = set_.rows();
    if (set_.files().size() > 1)
        where_ = Message("{} and {} more files", where_, set_.files().size() - 1);
    if (options_.read.on_corrupt)
        leave_corrupt_rows_out();
}

void TableDataset::leave_corrupt_rows_out() {
    formats::ReadOptions read = options_.read;
    std::int64_t file_begin = 0, listed_to = 0;  // rows of the whole set
    read.on_corrupt = [&](const formats::CorruptRows& rows) {
        options_.read.on_corrupt(rows);
        for (; listed_to < file_begin + rows.first; ++listed_to)
            readable_.push_back(listed_to);
        listed_to += rows.count;
    };
    for (const std::filesystem::path& file : set_.files()) {
        formats::TableSet one({file}, read);
        while (one.next(kPiece).rows > 0) {
        }
        file_begin += one.rows();
    }
    if (listed_to == 0)
        return;
    for (; listed_to < size_; ++listed_to)
        readable_.push_back(listed_to);
    size_ = std::ssize(readable_);
}

formats::Table TableDataset::take(std::span<const std::int64_t> indices) const {
    std::vector<std::int64_t> rows(indices.begin(), indices.end());
    if (!readable_.empty())
        for (std::int64_t& row : rows)
            row = readable_.at(static_cast<std::size_t>(row));
    std::lock_guard lock(mutex_);
    return set_.take(rows);
}

Tree TableDataset::get(std::int64_t index) const {
    return sample_of(take({&index, 1}), 0, options_, where_);
}

Tree TableDataset::get_batch(std::span<const std::int64_t> indices) const {
    return batch_of(take(indices), options_, where_);
}

TableStream::TableStream(std::vector<std::filesystem::path> files, TableOptions options)
    : files_(std::move(files)), options_(std::move(options)), set_(files_, options_.read) {}

void TableStream::begin() {
    set_.rewind();
    piece_begin_ = {};
    piece_ = formats::Table();
    given_ = 0;
}

/// Reads the next piece if the current one is used up; false at the end.
bool TableStream::read() {
    if (given_ < piece_.rows)
        return true;
    formats::TableSet::State begin = set_.state();
    formats::Table piece = set_.next(kPiece);
    if (piece.rows == 0)
        return false;
    piece_begin_ = begin;
    piece_ = std::move(piece);
    given_ = 0;
    return true;
}

std::optional<Tree> TableStream::next() {
    if (!read())
        return std::nullopt;
    auto file = static_cast<std::size_t>(set_.state().file);
    return sample_of(piece_, given_++, options_, Message::verbatim(files_[std::min(file, files_.size() - 1)].string()));
}

std::int64_t TableStream::skip(std::int64_t count) {
    std::int64_t skipped = 0;
    while (skipped < count && read()) {
        std::int64_t step = std::min(count - skipped, piece_.rows - given_);
        given_ += step;
        skipped += step;
    }
    return skipped;
}

Tree TableStream::position() const {
    return Tree::dict({{"file", piece_begin_.file},
                       {"byte", static_cast<std::int64_t>(piece_begin_.position.byte)},
                       {"row", piece_begin_.position.row},
                       {"stamp", piece_begin_.stamp},
                       {"given", given_}});
}

void TableStream::seek(const Tree& position) {
    formats::TableSet::State state;
    state.file = position.at("file").as_integer();
    state.position = {static_cast<std::uint64_t>(position.at("byte").as_integer()), position.at("row").as_integer()};
    state.stamp = position.at("stamp").as_text();
    std::int64_t given = position.at("given").as_integer();
    set_.restore(state);
    piece_ = formats::Table();
    piece_begin_ = state;
    given_ = 0;
    if (given > 0 && (!read() || given > piece_.rows))
        throw UserError("{} has fewer rows than when the checkpoint was saved",
                        files_[static_cast<std::size_t>(state.file)].string());
    given_ = given;
}

std::shared_ptr<IterableDataset> TableStream::take_parts(std::int64_t count, std::int64_t index) const {
    std::vector<std::filesystem::path> shard;
    for (std::int64_t i = index; i < std::ssize(files_); i += count)
        shard.push_back(files_[static_cast<std::size_t>(i)]);
    return std::make_shared<TableStream>(std::move(shard), options_);
}

}  // namespace trainyard::data
