// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/inputs/token_check.h"

#include <algorithm>

#include "base/error.h"
#include "config/inputs/byte_corpus.h"
#include "config/inputs/class_reader.h"
#include "config/inputs/table_columns.h"
#include "config/inputs/text_tokens.h"
#include "formats/tables/table_set.h"
#include "models/spec/tasks.h"

namespace trainyard::inputs {

namespace {
constexpr std::int64_t kTokenRowsAtOnce = 4096;
}

bool reads_tokens(const config::Recipe& recipe) {
    const std::string& task = recipe.model.task;
    return recipe.data.plugin.empty() && is_table_format(recipe.data.format) &&
           recipe.data.chat == config::ChatFormat::no && (task == families::kCausalLm || task == families::kMaskedLm);
}

std::optional<InputProblem> token_problem(const config::Recipe& recipe, std::int64_t most_rows) {
    const config::DataRecipe& data = recipe.data;
    const std::vector<std::filesystem::path> files = corpus_files(data);
    TableColumns columns = choose_columns(data, recipe.model.task, recipe.model.loss, files);
    const std::string name = columns.names.at("data.column");
    if (data.on_corrupt == config::OnCorrupt::skip)
        columns.options.on_corrupt = [](const formats::CorruptRows&) {};
    formats::TableSet set(files, columns.options);
    const formats::Field* field = formats::find_field(set.schema(), name);
    const bool is_text = field != nullptr && field->type == formats::ElementType::text;
    std::optional<TextTokens> tokenizer;
    if (!data.tokenizer.empty()) {
        if (!is_text && field != nullptr)
            return InputProblem{"data.tokenizer",
                                Message("it makes tokens of text, and {} in {} holds whole numbers: leave it out",
                                        field->describe(), files.front().string())};
        tokenizer.emplace(data);
    }
    std::int64_t tokens = 0, largest = -1, seen = 0;
    bool is_whole_file = false;
    while (seen < most_rows && !(tokenizer && tokens >= data.sequence_length)) {
        const formats::Table rows = set.next(kTokenRowsAtOnce);
        if (rows.rows == 0) {
            is_whole_file = true;
            break;
        }
        seen += rows.rows;
        const formats::Column& column = rows.at(name);
        for (std::int64_t row = 0; row < rows.rows; ++row)
            for (std::int64_t at = column.begin_of(row); !column.is_missing(row) && at < column.end_of(row); ++at) {
                if (!is_text) {
                    ++tokens;
                    largest = std::max(largest, static_cast<std::int64_t>(ClassReader::number(column, at)));
                    continue;
                }
                const std::string_view text = column.text(at);
                if (tokenizer) {
                    tokens += std::ssize(tokenizer->encode(text));
                    continue;
                }
                tokens += std::ssize(text) + 1;  // and a newline
                for (const char letter : text)
                    largest = std::max<std::int64_t>(largest, static_cast<unsigned char>(letter));
            }
    }
    if (is_whole_file && tokens == 0)
        return InputProblem{"data.path", "the files hold no tokens: name others"};
    if (largest >= recipe.model.vocab_size)
        return InputProblem{"model.vocab_size", Message("the data holds the token {}, so it must be at least {}, "
                                                        "not {}",
                                                        largest, largest + 1, recipe.model.vocab_size)};
    if (is_whole_file && data.pack && tokens < data.sequence_length)
        return InputProblem{"data.path", Message("the data has {} tokens, less than one sample of data.sequence_length "
                                                 "({}): add data or shorten the samples",
                                                 tokens, data.sequence_length)};
    return std::nullopt;
}

}  // namespace trainyard::inputs
