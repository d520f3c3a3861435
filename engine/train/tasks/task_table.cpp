#include "train/tasks/task_table.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "base/number.h"
#include "config/inputs/byte_corpus.h"
#include "config/inputs/table_columns.h"
#include "formats/tables/table_set.h"
#include "models/spec/labels.h"

namespace trainyard::train {

TaskTable::TaskTable(const config::Recipe& recipe) {
    const config::DataRecipe& data = recipe.data;
    const std::vector<std::filesystem::path> files = inputs::corpus_files(data);
    inputs::TableColumns columns = inputs::choose_columns(data, recipe.model.task, recipe.model.loss, files);
    if (data.on_corrupt == config::OnCorrupt::skip)
        columns.options.on_corrupt = [](const formats::CorruptRows&) {};
    names_ = std::move(columns.names);
    formats::TableSet set(files, columns.options);
    table_ = formats::Table(set.schema());
    constexpr std::int64_t kRows = 4096;
    for (formats::Table rows = set.next(kRows); rows.rows > 0; rows = set.next(kRows))
        table_.append_rows(rows, 0, rows.rows);
    if (table_.rows == 0)
        throw UserError("data.path: the files hold no rows: name others");
}

const formats::Column& TaskTable::column(const std::string& key) const {
    return table_.at(names_.at(key));
}

ClassReader::ClassReader(const config::Recipe& recipe)
    : names_(families::label_names(recipe.model)),
      where_(recipe.data.paths.empty() ? std::string("the data") : recipe.data.paths.front()) {}

std::int64_t ClassReader::of(const formats::Column& column, std::int64_t element) const {
    if (column.field.type == formats::ElementType::text) {
        const std::string name(column.text(element));
        if (const auto found = std::ranges::find(names_, name); found != names_.end())
            return found - names_.begin();
        if (const auto number = parse_number<std::int64_t>(name, 0); number && std::cmp_less(*number, names_.size()))
            return *number;
        throw UserError("data.label_column: {} holds the class '{}', and model.id2label has {}", where_, name,
                        fmt::join(names_, ", "));
    }
    const double value = number(column, element);
    if (value == -100)  // transformers' mark of labels that are not counted
        return -100;
    if (value != std::floor(value) || value < 0 || value >= static_cast<double>(names_.size()))
        throw UserError(
            "data.label_column: {} holds the class {}, and model.num_labels is {}: classes are whole "
            "numbers from 0 to {}",
            where_, value, names_.size(), names_.size() - 1);
    return static_cast<std::int64_t>(value);
}

double ClassReader::number(const formats::Column& column, std::int64_t element) {
    using enum formats::ElementType;
    const auto at = static_cast<std::size_t>(element);
    switch (column.field.type) {
        case boolean:
        case u8:
            return column.values<std::uint8_t>()[at];
        case i8:
            return column.values<std::int8_t>()[at];
        case i16:
            return column.values<std::int16_t>()[at];
        case i32:
            return column.values<std::int32_t>()[at];
        case i64:
            return static_cast<double>(column.values<std::int64_t>()[at]);
        case u16:
            return column.values<std::uint16_t>()[at];
        case u32:
            return column.values<std::uint32_t>()[at];
        case u64:
            return static_cast<double>(column.values<std::uint64_t>()[at]);
        case f32:
            return column.values<float>()[at];
        case f64:
            return column.values<double>()[at];
        default:
            if (column.field.type == text && !column.field.list)
                if (const std::string value(column.text(element));
                    value.find(',') != std::string::npos &&
                    value.find_first_not_of("+-0123456789,.") == std::string::npos)
                    throw UserError(
                        "data.label_column: the number '{}' has a comma: write it with a "
                        "decimal point, and without separators of thousands",
                        value);
            throw UserError("data.label_column: {} holds no numbers", column.field.describe());
    }
}

SequenceTokens::SequenceTokens(const config::Recipe& recipe)
    : length_(static_cast<std::size_t>(recipe.data.sequence_length)),
      padding_(std::max<std::int64_t>(0, recipe.model.pad_token_id)) {
    if (recipe.data.tokenizer.empty())
        return;
    tokenizer_.emplace(tokenizers::Tokenizer::from_file(inputs::tokenizer_file(recipe.data)));
    tokenizers::Truncation truncation;
    truncation.max_length = length_;
    tokenizer_->set_truncation(truncation);
    tokenizer_->set_padding(std::nullopt);  // batches are filled up by themselves
}

SequenceTokens::Encoded SequenceTokens::of(const std::string& first, const std::string& second) const {
    Encoded made;
    if (!tokenizer_) {
        for (const char letter : first + (second.empty() ? "" : "\n" + second))
            made.ids.push_back(static_cast<unsigned char>(letter));
        made.types.assign(made.ids.size(), 0);
        if (made.ids.size() > length_) {
            made.ids.resize(length_);
            made.types.resize(length_);
        }
        return made;
    }
    const tokenizers::Encoding encoding =
        second.empty() ? tokenizer_->encode(first, true) : tokenizer_->encode(first, second, true);
    made.ids.assign(encoding.ids.begin(), encoding.ids.end());
    made.types.assign(encoding.type_ids.begin(), encoding.type_ids.end());
    return made;
}

std::vector<std::int64_t> SequenceTokens::of_word(const std::string& word) const {
    std::vector<std::int64_t> made;
    if (tokenizer_) {
        const std::vector<tokenizers::Id> ids = tokenizer_->encode_ids(word, false);
        made.assign(ids.begin(), ids.end());
    } else {
        for (const char letter : word)
            made.push_back(static_cast<unsigned char>(letter));
    }
    return made;
}

std::optional<std::int64_t> SequenceTokens::id_of(const std::string& token) const {
    return tokenizer_ ? tokenizer_->id_of(token) : std::nullopt;
}

Cut::Cut(std::int64_t samples, double fraction) {
    held_out = fraction > 0 ? std::min(static_cast<std::int64_t>(std::ceil(static_cast<double>(samples) * fraction)),
                                       samples - 1)
                            : 0;
    training = samples - held_out;
}

}  // namespace trainyard::train
