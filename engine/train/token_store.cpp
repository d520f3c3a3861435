#include "train/token_store.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "formats/megatron_set.h"
#include "formats/table_set.h"
#include "io/byte_corpus.h"

namespace trainyard::train {

namespace {

constexpr std::int64_t kRows = 4096;      // read at a time
constexpr std::size_t kNamedRecords = 3;  // of those left out

/// The reader's word for ours.
const std::map<std::string, std::string>& reader_words() {
    static const std::map<std::string, std::string> words{
        {"text", "text"},   {"jsonl", "json_lines"},       {"csv", "csv"}, {"parquet", "parquet"}, {"arrow", "arrow"},
        {"numpy", "numpy"}, {"safetensors", "safetensors"}};
    return words;
}

/// The column that is named, or the only one, or the first that has a usual name.
std::string column_of(const config::DataRecipe& data, const formats::Schema& schema, const std::string& where) {
    std::vector<std::string> names;
    for (const formats::Field& field : schema)
        names.push_back(field.name);
    auto has = [&](const std::string& name) { return std::count(names.begin(), names.end(), name) > 0; };
    if (!data.column.empty()) {
        if (!has(data.column))
            throw UserError(fmt::format("data.column: {} has no column '{}': it has {}", where, data.column,
                                        fmt::join(names, ", ")));
        return data.column;
    }
    if (names.size() == 1)
        return names[0];
    for (const char* usual : {"text", "content", "input_ids", "tokens"})
        if (has(usual))
            return usual;
    throw UserError(
        fmt::format("data.column: {} has the columns {}: name the one to train on", where, fmt::join(names, ", ")));
}

bool is_whole(formats::ElementType type) {
    using enum formats::ElementType;
    return type == i8 || type == i16 || type == i32 || type == i64 || type == u8 || type == u16 || type == u32 ||
           type == u64;
}

/// Calls `take` with the elements of a numeric column as its own type.
template <class Take>
void with_values(const formats::Column& column, Take take) {
    using enum formats::ElementType;
    switch (column.field.type) {
        case i8:
            return take(column.values<std::int8_t>());
        case i16:
            return take(column.values<std::int16_t>());
        case i32:
            return take(column.values<std::int32_t>());
        case i64:
            return take(column.values<std::int64_t>());
        case u8:
            return take(column.values<std::uint8_t>());
        case u16:
            return take(column.values<std::uint16_t>());
        case u32:
            return take(column.values<std::uint32_t>());
        case u64:
            return take(column.values<std::uint64_t>());
        default:
            return;
    }
}

}  // namespace

TokenStore::TokenStore(const config::DataRecipe& data) {
    if (data.format == "megatron")
        read_megatron(data);
    else
        read_tables(data);
    if (tokens() == 0)
        throw UserError("data.path: the files hold no tokens: name others");
}

void TokenStore::read_tables(const config::DataRecipe& data) {
    formats::ReadOptions options;
    options.format = reader_words().at(data.format);
    if (data.on_corrupt == "skip")
        options.on_corrupt = [this](const formats::CorruptRows& rows) {
            corrupt_rows_ += rows.count;
            if (corrupt_.size() < kNamedRecords)
                corrupt_.push_back(rows.message);
        };
    std::vector<std::filesystem::path> files = io::corpus_files(data);
    std::string where = files.size() == 1 ? files[0].string() : fmt::format("the set of {}", files[0].string());
    formats::Schema schema = formats::TableSet(files, options).schema();
    options.columns = {column_of(data, schema, where)};
    const formats::Field* field = formats::find_field(schema, options.columns[0]);
    if (field->type != formats::ElementType::text && !is_whole(field->type))
        throw UserError(
            fmt::format("data.column: {} in {} is neither text nor whole numbers", field->describe(), where));
    formats::TableSet set(std::move(files), options);
    try {
        for (formats::Table rows = set.next(kRows); rows.rows > 0; rows = set.next(kRows))
            add_rows(rows.columns[0], where);
    } catch (const formats::CorruptRecord& damage) {
        throw UserError(fmt::format(
            "{} (mend this record, or leave out all that cannot be read: data.on_corrupt: skip)", damage.what()));
    }
}

void TokenStore::add_text(std::string_view text, bool newline) {
    bytes_.insert(bytes_.end(), text.begin(), text.end());
    if (newline)
        bytes_.push_back('\n');
}

void TokenStore::add_rows(const formats::Column& column, const std::string& where) {
    for (std::int64_t row = 0; row < column.rows; ++row) {
        if (column.is_missing(row))
            continue;
        std::int64_t begin = column.begin_of(row), end = column.end_of(row);
        if (column.field.type == formats::ElementType::text) {
            for (std::int64_t element = begin; element < end; ++element)
                add_text(column.text(element), true);
        } else {
            with_values(column, [&](auto values) {
                for (std::int64_t element = begin; element < end; ++element) {
                    auto token = values[static_cast<std::size_t>(element)];
                    if (!std::in_range<std::int32_t>(token) || std::cmp_less(token, 0))
                        throw UserError(
                            fmt::format("data.column: {} holds {} in '{}', which is no token: tokens are "
                                        "whole numbers from 0 to {}",
                                        where, token, column.field.name, std::numeric_limits<std::int32_t>::max()));
                    numbers_.push_back(static_cast<std::int32_t>(token));
                }
            });
        }
        // A row of one number is no document of its own: such a column is one long row of tokens.
        bool single =
            column.field.type != formats::ElementType::text && !column.field.list && column.field.shape.empty();
        if (!single)
            end_document();
    }
    if (ends_.empty() || ends_.back() != tokens()) {
        if (!ends_.empty())
            ends_.back() = tokens();
        else
            end_document();
    }
}

void TokenStore::read_megatron(const config::DataRecipe& data) {
    std::vector<std::int64_t> sequence;
    for (const std::string& path : data.paths) {
        formats::MegatronSet set(path);
        numbers_.reserve(numbers_.size() + static_cast<std::size_t>(set.tokens()));
        for (std::int64_t number = 0; number < set.sequences(); ++number) {
            sequence.resize(static_cast<std::size_t>(set.lengths()[static_cast<std::size_t>(number)]));
            set.read(number, 0, sequence);
            for (std::int64_t token : sequence) {
                if (!std::in_range<std::int32_t>(token) || token < 0)
                    throw UserError(fmt::format("data.path: {} holds {}, which is no token", path, token));
                numbers_.push_back(static_cast<std::int32_t>(token));
            }
            end_document();
        }
    }
}

void TokenStore::copy(std::int64_t first, std::span<std::int64_t> out) const {
    if (!bytes_.empty())
        std::copy_n(bytes_.begin() + first, out.size(), out.begin());
    else
        std::copy_n(numbers_.begin() + first, out.size(), out.begin());
}

std::string TokenStore::left_out() const {
    if (corrupt_rows_ == 0)
        return {};
    return fmt::format("{} record{} of the data cannot be read and {} left out (data.on_corrupt: skip): {}{}",
                       corrupt_rows_, corrupt_rows_ == 1 ? "" : "s", corrupt_rows_ == 1 ? "is" : "are",
                       fmt::join(corrupt_, "; "), corrupt_rows_ > std::ssize(corrupt_) ? "; and more" : "");
}

std::int64_t TokenStore::largest() const {
    return bytes_.empty() ? *std::max_element(numbers_.begin(), numbers_.end())
                          : *std::max_element(bytes_.begin(), bytes_.end());
}

}  // namespace trainyard::train
