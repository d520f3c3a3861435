// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/tasks/task_table.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
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

const formats::Column* TaskTable::find(const std::string& key) const {
    return names_.contains(key) ? &column(key) : nullptr;
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
    tokenizer_->set_padding(std::nullopt);  // batches are padded separately
}

SequenceTokens::Encoded SequenceTokens::encode(const std::string& first, const std::string& second) const {
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

std::string SequenceTokens::text_of(const std::vector<std::int64_t>& ids) const {
    if (tokenizer_)
        return tokenizer_->decode(std::vector<tokenizers::Id>(ids.begin(), ids.end()));
    std::string text;
    for (const std::int64_t id : ids)
        text += static_cast<char>(id);
    return text;
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
