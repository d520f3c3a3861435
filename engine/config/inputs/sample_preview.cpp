// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/inputs/sample_preview.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "base/error.h"
#include "base/utf8.h"
#include "config/inputs/answer_reader.h"
#include "config/inputs/byte_corpus.h"
#include "config/inputs/chat_tokens.h"
#include "config/inputs/question_parts.h"
#include "config/inputs/sequence_tokens.h"
#include "config/inputs/table_columns.h"
#include "config/inputs/text_tokens.h"
#include "formats/tables/megatron_set.h"
#include "formats/tables/table_reader.h"
#include "models/spec/labels.h"
#include "models/spec/tasks.h"

namespace trainyard::inputs {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostRowText = 64u << 10;  ///< bytes of a row that are tokenized
constexpr std::size_t kMostTokensOfCharacter = 4;
constexpr std::size_t kMostPreviewBytes = 64u << 20;  ///< of all rows

std::string row_text(const formats::Column& column, std::int64_t element) {
    return std::string(text::first_bytes(column.text(element), kMostRowText));
}

/// A row of a column of texts as one text: of a list, its elements by lines.
std::string whole_row_text(const formats::Column& column, std::int64_t row) {
    std::string all;
    for (std::int64_t at = column.begin_of(row); at < column.end_of(row) && all.size() < kMostRowText; ++at)
        all += (at > column.begin_of(row) ? "\n" : "") + row_text(column, at);
    return std::string(text::first_bytes(all, kMostRowText));
}

class Previewer {
  public:
    Previewer(const config::Recipe& recipe, SamplePreviews& previews)
        : recipe_(recipe),
          data_(recipe.data),
          task_(recipe.model.task),
          length_(std::max<std::int64_t>(1, recipe.data.sequence_length)),
          tokens_(recipe),
          previews_(previews) {
        const bool language = task_ == families::kCausalLm || task_ == families::kMaskedLm;
        previews_.packed = language && data_.pack;
        if (task_ == families::kMaskedLm)
            previews_.counted = CountedPart::masked;
        else if (task_ == families::kQuestionAnswering)
            previews_.counted = CountedPart::answers;
        else if (!language && task_ != families::kTokenClassification && task_ != families::kSeq2SeqLm)
            previews_.counted = CountedPart::row;
        if (data_.chat != config::ChatFormat::no) {
            chats_.emplace(recipe, tokens_);
            previews_.by_template = chats_->uses_template();
        } else if (language && !data_.tokenizer.empty()) {
            text_tokens_.emplace(data_);
        }
    }

    void bytes(std::int64_t most) {
        const ByteCorpus corpus(data_);
        std::vector<std::int64_t> block(static_cast<std::size_t>(length_));
        for (std::int64_t i = 0; i < std::min(most, corpus.training_blocks()); ++i)
            add([&] {
                corpus.copy_training_block(i, block);
                return language_sample(block);
            });
    }

    void megatron(std::int64_t most) {
        numbers_ = data_.tokenizer.empty();
        std::int64_t left = most;
        for (const std::string& path : data_.paths) {
            const formats::MegatronSet set{fs::path(path)};
            for (std::int64_t i = 0; i < std::min(left, set.sequences()); ++i)
                add([&] {
                    const std::int64_t count = set.lengths()[static_cast<std::size_t>(i)];
                    std::vector<std::int64_t> ids(
                        static_cast<std::size_t>(std::min<std::int64_t>(count, SamplePreview::kMostTokens)));
                    set.read(i, 0, ids);
                    SamplePreview made = language_sample(ids);
                    made.used = previews_.packed ? count : std::min(count, length_);
                    made.cut = count - made.used;
                    return made;
                });
            left -= std::min(left, set.sequences());
        }
    }

    void table(const std::vector<fs::path>& files, std::int64_t most) {
        TableColumns columns = choose_columns(data_, task_, recipe_.model.loss, {files.front()});
        columns.options.record_limit = kMostPreviewRecord;
        columns.options.memory_limit = kMostPreviewMemory;
        columns.options.on_corrupt = [](const formats::CorruptRows&) {};
        const auto reader = formats::open_table(files.front(), columns.options);
        if (task_ == families::kTokenClassification)
            classes_.emplace(recipe_);
        std::size_t bytes = 0;
        while (most > 0 && bytes < kMostPreviewBytes) {
            const formats::Table rows = reader->next(1);
            if (rows.rows == 0)
                return;
            bytes += rows.bytes();
            most -= rows.rows;
            for (std::int64_t row = 0; row < rows.rows; ++row)
                add([&] { return row_sample(rows, columns, row); });
        }
    }

  private:
    template <class Make>
    void add(Make make) {
        try {
            previews_.rows.push_back(make());
        } catch (const UserError& error) {
            previews_.rows.push_back({.problem = error.message()});
        } catch (const std::exception& error) {
            previews_.rows.push_back({.problem = Message::verbatim(error.what())});
        }
    }

    /// Returns the index of the next row.
    std::int64_t number() const { return std::ssize(previews_.rows); }

    /// Tokens of documents: all are counted but those that are never masked.
    SamplePreview language_sample(const std::vector<std::int64_t>& ids) const {
        SampleTokens sample{ids, ids};
        if (task_ == families::kMaskedLm)
            for (std::int64_t& label : sample.labels)
                label = tokens_.is_special(label) ? kUncountedLabel : label;
        return document(sample);
    }
    /// Cut to a sample, unless samples are cut from all rows.
    SamplePreview document(SampleTokens sample) const {
        SamplePreview made;
        const auto count = std::ssize(sample.ids);
        made.used = previews_.packed ? count : std::min(count, length_);
        made.cut = count - made.used;
        sample.ids.resize(static_cast<std::size_t>(made.used));
        sample.labels.resize(static_cast<std::size_t>(made.used));
        append(made, sample);
        return made;
    }

    SamplePreview row_sample(const formats::Table& rows, const TableColumns& columns, std::int64_t row) {
        const auto column = [&](const std::string& key) -> const formats::Column* {
            const auto name = columns.names.find(key);
            return name == columns.names.end() ? nullptr : rows.find(name->second);
        };
        const formats::Column* texts = column("data.column");
        if (texts == nullptr)
            return {};
        if (texts->is_missing(row))
            return {.problem = Message("the row has no value in {} and is left out", texts->field.name)};
        const bool is_text = texts->field.type == formats::ElementType::text;
        numbers_ = !is_text && data_.tokenizer.empty();
        if (chats_)
            return document(chats_->of(is_text ? std::string(texts->text(row)) : std::string(),
                                       row_tools(column(kChatTools), row, number()), number()));
        if (task_ == families::kCausalLm || task_ == families::kMaskedLm)
            return language_row(*texts, row, is_text);
        if (!is_text)
            return {.problem = Message("{} is not text", texts->field.describe())};
        if (task_ == families::kTokenClassification) {
            const formats::Column* tags = column("data.label_column");
            return tags == nullptr ? SamplePreview() : tagged(*texts, *tags, row);
        }
        const auto second = [&](const char* key) {
            const formats::Column* found = column(key);
            return found == nullptr || found->is_missing(row) || found->field.type != formats::ElementType::text
                       ? std::string()
                       : whole_row_text(*found, row);
        };
        const std::string first = whole_row_text(*texts, row);
        SamplePreview made;
        if (task_ == families::kSeq2SeqLm) {
            append(made, uncounted(tokens_.encode(first, {}).ids));
            const std::vector<std::int64_t> to = of_target_length().encode(second("data.target_column"), {}).ids;
            append(made, {to, to});
        } else if (task_ == families::kSentenceEmbedding) {
            append(made, uncounted(tokens_.encode(first, {}).ids));
            append(made, uncounted(tokens_.encode(second("data.second_column"), {}).ids));
        } else if (task_ == families::kMultipleChoice) {
            const std::string beginning = second("data.second_column");
            for (std::size_t choice = 0; column(choice_key(choice)) != nullptr; ++choice) {
                const std::string end = second(choice_key(choice).c_str());
                append(made, uncounted(tokens_.encode(first, beginning.empty() ? end : beginning + " " + end).ids));
            }
        } else if (task_ == families::kQuestionAnswering) {
            const formats::Column *contexts = column("data.second_column"), *answers = column("data.label_column");
            if (contexts == nullptr || answers == nullptr || contexts->is_missing(row) ||
                contexts->field.type != formats::ElementType::text)
                return {};
            const std::string context(contexts->text(row));
            const AnswerReader reader(*answers, column(kAnswerStarts));
            const std::vector<Answer> right = reader.read(row, context, number());
            if (context.size() > kMostRowText)
                return {.problem = Message("the text of the row is longer than {} bytes, too much for a preview",
                                           kMostRowText)};
            question(made, first, context, right);
        } else {
            const bool pair = !data_.second_column.empty();
            append(made, uncounted(tokens_.encode(first, pair ? second("data.second_column") : std::string()).ids));
        }
        return made;
    }

    SamplePreview language_row(const formats::Column& column, std::int64_t row, bool is_text) const {
        std::vector<std::int64_t> ids;
        if (is_text) {
            const std::string text = whole_row_text(column, row);
            if (text_tokens_) {
                const std::vector<tokenizers::Id> made = text_tokens_->encode(text);
                ids.assign(made.begin(), made.end());
            } else {
                for (const char letter : text + "\n")
                    ids.push_back(static_cast<unsigned char>(letter));
            }
        } else {
            const std::int64_t end = std::min<std::int64_t>(column.end_of(row), column.begin_of(row) + kMostRowText);
            for (std::int64_t at = column.begin_of(row); at < end; ++at)
                ids.push_back(static_cast<std::int64_t>(ClassReader::number(column, at)));
        }
        return language_sample(ids);
    }

    SamplePreview tagged(const formats::Column& words, const formats::Column& tags, std::int64_t row) const {
        if (!words.field.list || !tags.field.list)
            return {.problem = Message("{} and {} must be lists, one entry for each word", words.field.describe(),
                                       tags.field.describe())};
        const SampleTokens sample = tagged_tokens(tokens_, words, tags, *classes_, row);
        SamplePreview made;
        made.used = std::ssize(sample.ids);
        made.counted = made.used - std::ranges::count(sample.labels, kUncountedLabel);
        const std::vector<std::string> names = families::label_names(recipe_.model);
        for (std::size_t i = 0; i < std::min(sample.ids.size(), SamplePreview::kMostTokens); ++i) {
            const std::int64_t label = sample.labels[i];
            PreviewToken token{
                text::to_utf8(tokens_.whole_text_of({sample.ids[i]})), {sample.ids[i]}, label != kUncountedLabel};
            if (token.counted)
                token.label = label >= 0 && label < std::ssize(names) ? names[static_cast<std::size_t>(label)]
                                                                      : std::to_string(label);
            made.tokens.push_back(std::move(token));
        }
        return made;
    }

    /// The part that has the first answer, else the first part, with the tokens of the answer marked.
    void question(SamplePreview& made, const std::string& asked, const std::string& context,
                  const std::vector<Answer>& answers) {
        if (!question_tokens_)
            question_tokens_.emplace(recipe_);
        const std::vector<QuestionPart> parts = question_tokens_->parts(asked, context);
        const auto has_answer = [&](const QuestionPart& part) {
            return !answers.empty() && !part.offsets.empty() && part.offsets.front().first <= answers.front().begin &&
                   part.offsets.back().second >= answers.front().end;
        };
        const auto found = std::ranges::find_if(parts, has_answer);
        const QuestionPart& part = found == parts.end() ? parts.at(0) : *found;
        SampleTokens sample = uncounted(part.ids);
        if (has_answer(part))
            for (std::size_t i = 0; i < part.offsets.size(); ++i)
                if (part.offsets[i].first < answers.front().end && part.offsets[i].second > answers.front().begin) {
                    const std::size_t token = static_cast<std::size_t>(part.first) + i;
                    sample.labels.at(token) = part.ids.at(token);
                }
        append(made, sample);
    }

    const SequenceTokens& of_target_length() const {
        if (!targets_) {
            config::Recipe recipe = recipe_;
            recipe.data.sequence_length = recipe.data.target_length;
            targets_.emplace(recipe);
        }
        return *targets_;
    }
    static SampleTokens uncounted(const std::vector<std::int64_t>& ids) {
        return {ids, std::vector<std::int64_t>(ids.size(), kUncountedLabel)};
    }

    /// Tokens whose text is a part of a character are joined with those after them.
    void append(SamplePreview& made, const SampleTokens& sample) const {
        const bool is_first = made.tokens.empty();
        if (made.used == 0 || !is_first)
            made.used += std::ssize(sample.ids);
        made.counted += std::ssize(sample.labels) - std::ranges::count(sample.labels, kUncountedLabel);
        const std::size_t begin = made.tokens.size();
        for (std::size_t i = 0; i < sample.ids.size() && made.tokens.size() < SamplePreview::kMostTokens;) {
            const bool counted = sample.labels[i] != kUncountedLabel;
            PreviewToken token{{}, {}, counted};
            std::string whole;
            std::size_t size = 1;
            for (std::size_t n = 1; !numbers_ && n <= kMostTokensOfCharacter && i + n <= sample.ids.size(); ++n) {
                if ((sample.labels[i + n - 1] != kUncountedLabel) != counted)
                    break;
                whole = tokens_.whole_text_of({sample.ids.begin() + static_cast<std::ptrdiff_t>(i),
                                               sample.ids.begin() + static_cast<std::ptrdiff_t>(i + n)});
                if (text::is_utf8(whole) && whole.find("\xEF\xBF\xBD") == std::string::npos) {
                    size = n;
                    break;
                }
                whole.clear();
            }
            token.ids.assign(sample.ids.begin() + static_cast<std::ptrdiff_t>(i),
                             sample.ids.begin() + static_cast<std::ptrdiff_t>(i + size));
            token.text = numbers_        ? std::to_string(token.ids.front())
                         : whole.empty() ? text::to_utf8(tokens_.whole_text_of(token.ids))
                                         : std::move(whole);
            made.tokens.push_back(std::move(token));
            i += size;
        }
        if (!is_first && made.tokens.size() > begin)
            made.tokens[begin].begins_text = true;
    }

    const config::Recipe& recipe_;
    const config::DataRecipe& data_;
    std::string task_;
    std::int64_t length_;
    SequenceTokens tokens_;
    mutable std::optional<SequenceTokens> targets_;
    std::optional<ChatTokens> chats_;
    std::optional<QuestionTokens> question_tokens_;
    std::optional<TextTokens> text_tokens_;
    std::optional<ClassReader> classes_;
    bool numbers_ = false;  ///< tokens have no text: there is no tokenizer
    SamplePreviews& previews_;
};

}  // namespace

SamplePreviews preview_samples(const config::Recipe& recipe, const std::vector<fs::path>& files, std::int64_t most) {
    SamplePreviews previews;
    const config::DataFormat format = recipe.data.format;
    if (!families::reads_text(recipe.model.task) || (files.empty() && format != config::DataFormat::megatron))
        return previews;
    try {
        Previewer previewer(recipe, previews);
        if (format == config::DataFormat::bytes)
            previewer.bytes(most);
        else if (format == config::DataFormat::megatron)
            previewer.megatron(most);
        else
            previewer.table(files, most);
    } catch (const UserError& error) {
        previews.problem = error.message();
    } catch (const std::exception& error) {
        previews.problem = Message::verbatim(error.what());
    }
    return previews;
}

}  // namespace trainyard::inputs
