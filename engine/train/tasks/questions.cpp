// SPDX-License-Identifier: GPL-3.0-or-later
// Task question_answering: the part of a text that answers a question, by its first and last token, as transformers'
// example run_qa.py prepares and judges it. A text that is longer than a sample becomes several samples, its parts, of
// which two neighbours share data.doc_stride tokens. A question without an answer in a part points at the first token.

#include <algorithm>
#include <limits>
#include <map>
#include <optional>

#include <ATen/ops/full.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json.h"
#include "base/utf8.h"
#include "config/inputs/table_columns.h"
#include "config/inputs/text_tokens.h"
#include "train/tasks/answer_text.h"
#include "train/tasks/task_table.h"

namespace trainyard::train {

namespace {

constexpr std::int64_t kNoAnswer = 0;  ///< the token that stands for no answer: [CLS], <s>

struct Answer {
    std::string text;
    std::int64_t begin = 0;  ///< in the context, in characters
    std::int64_t end = 0;
};

std::int64_t characters_in(std::string_view text) {
    return std::ranges::count_if(text, text::begins_character);
}

/// Bytes of the first `characters` characters.
std::size_t bytes_of(std::string_view text, std::int64_t characters) {
    std::size_t at = 0;
    while (at < text.size() && (characters > 0 || !text::begins_character(text[at])))
        characters -= text::begins_character(text[at++]) ? 1 : 0;
    return at;
}

/// The answers of a row: lists of texts and of the characters where they begin, or one text, whose first place in the
/// context counts if none is given. An empty list or text: no answer.
class AnswerReader {
  public:
    explicit AnswerReader(const TaskTable& table)
        : texts_(table.column("data.label_column")), starts_(table.find(inputs::kAnswerStarts)) {
        if (texts_.field.type != formats::ElementType::text && !texts_.field.is_assumed)
            throw UserError("data.label_column: {} holds no texts of answers", texts_.field.describe());
        if (starts_ != nullptr && starts_->field.list != texts_.field.list)
            throw UserError("data.label_column: {} and {} must both be lists, or both not", texts_.field.describe(),
                            starts_->field.describe());
    }

    std::vector<Answer> read(std::int64_t row, const std::string& context) const {
        std::vector<Answer> answers;
        if (texts_.is_missing(row) || texts_.field.type != formats::ElementType::text)  // no row has an answer
            return answers;
        const std::int64_t first = texts_.begin_of(row), count = texts_.end_of(row) - first;
        if (!texts_.field.list && std::string_view(texts_.text(row)).starts_with('{'))
            return from_json(std::string(texts_.text(row)), row, context);
        const bool placed = starts_ != nullptr && !starts_->is_missing(row);
        const std::int64_t start = placed ? starts_->begin_of(row) : 0;
        if (placed && starts_->end_of(row) - start != count)
            throw UserError("data.label_column: row {} has {} answers and {} places where they begin", row + 1, count,
                            starts_->end_of(row) - start);
        for (std::int64_t i = 0; i < count; ++i)
            add(answers, std::string(texts_.text(first + i)),
                placed ? std::optional(static_cast<std::int64_t>(ClassReader::number(*starts_, start + i)))
                       : std::nullopt,
                row, context);
        return answers;
    }

  private:
    /// {"text": [...], "answer_start": [...]}, as JSON in a table without lists.
    static std::vector<Answer> from_json(const std::string& text, std::int64_t row, const std::string& context) {
        const nlohmann::json given = read_json(text);
        const auto list = [&](const char* key) {
            return given.is_object() && given.contains(key) && given[key].is_array() ? given[key]
                                                                                     : nlohmann::json::array();
        };
        const nlohmann::json texts = list("text"), starts = list("answer_start");
        bool good = given.is_object() && given.contains("text") && texts.size() == starts.size();
        for (std::size_t i = 0; good && i < texts.size(); ++i)
            good = texts[i].is_string() && starts[i].is_number_integer();
        if (!good)
            throw UserError(
                "data.label_column: the answers of row {} are not {{\"text\": [...], \"answer_start\": [...]}}",
                row + 1);
        std::vector<Answer> answers;
        for (std::size_t i = 0; i < texts.size(); ++i)
            add(answers, texts[i].get<std::string>(), starts[i].get<std::int64_t>(), row, context);
        return answers;
    }

    static void add(std::vector<Answer>& answers, const std::string& text, std::optional<std::int64_t> begin,
                    std::int64_t row, const std::string& context) {
        if (text.empty())
            return;
        if (!begin) {
            const std::size_t at = context.find(text);
            if (at == std::string::npos)
                throw UserError(
                    "data.label_column: the answer '{}' of row {} is not in its text: answers are parts of "
                    "the text, letter by letter",
                    text, row + 1);
            begin = characters_in(std::string_view(context).substr(0, at));
        }
        const Answer made{text, *begin, *begin + characters_in(text)};
        const std::size_t from = *begin < 0 ? context.size() : bytes_of(context, *begin);
        if (context.compare(from, text.size(), text) != 0)
            throw UserError(
                "data.label_column: the answer '{}' of row {} is not at character {} of its text: count "
                "characters from 0, not bytes or words",
                text, row + 1, *begin);
        answers.push_back(made);
    }

    const formats::Column& texts_;
    const formats::Column* starts_;
};

/// data.doc_stride; one that is left out fits any sample.
std::int64_t stride_of(const config::DataRecipe& data) {
    const bool is_usual = data.doc_stride == config::DataRecipe().doc_stride;
    return is_usual && data.doc_stride >= data.sequence_length ? data.sequence_length / 3 : data.doc_stride;
}

class Questions final : public SampleSet {
  public:
    explicit Questions(const config::Recipe& recipe)
        : length_(recipe.data.sequence_length),
          stride_(stride_of(recipe.data)),
          padding_(std::max<std::int64_t>(0, recipe.model.pad_token_id)),
          types_(recipe.model.type_vocab_size > 1) {
        const config::DataRecipe& data = recipe.data;
        if (!data.tokenizer.empty()) {
            tokenizer_.emplace(tokenizers::Tokenizer::from_file(inputs::tokenizer_file(data)));
            tokenizer_->set_truncation(
                tokenizers::Truncation{.max_length = static_cast<std::size_t>(length_),
                                       .stride = static_cast<std::size_t>(stride_),
                                       .strategy = tokenizers::Truncation::Strategy::only_second});
            tokenizer_->set_padding(std::nullopt);
        }
        const TaskTable table(recipe);
        const formats::Column& questions = table.column("data.column");
        const formats::Column& contexts = table.column("data.second_column");
        const AnswerReader answers(table);
        std::vector<std::int64_t> ends;  // parts up to the end of each question
        for (std::int64_t row = 0; row < table.rows(); ++row) {
            if (questions.is_missing(row) || contexts.is_missing(row))
                continue;
            // Questions of SQuAD that begin with much white space would leave no room for the text.
            std::string question(questions.text(row));
            question.erase(0, std::min(question.find_first_not_of(" \t\n"), question.size()));
            Question made{std::string(contexts.text(row)), {}};
            const std::vector<Answer> right = answers.read(row, made.context);
            for (const Answer& answer : right)
                made.answers.push_back(answer.text);
            questions_.push_back(std::move(made));
            add_parts(question, right.empty() ? nullptr : &right.front(), row);
            ends.push_back(std::ssize(parts_));
        }
        const Cut cut(std::ssize(questions_), data.validation_fraction);
        training_ = cut.training > 0 ? ends[static_cast<std::size_t>(cut.training) - 1] : 0;
        has_unanswerable_ = std::ranges::any_of(questions_, [](const Question& one) { return one.answers.empty(); });
    }
    std::int64_t training_samples() const override { return training_; }
    std::int64_t validation_samples() const override { return std::ssize(parts_) - training_; }
    std::int64_t targets_per_sample(std::int64_t) const override { return 1; }

    Tree batch(bool held_out, std::span<const std::int64_t> indices, std::int64_t length) const override {
        const auto rows = static_cast<std::int64_t>(indices.size());
        const at::Tensor ids = at::full({rows, length}, padding_, at::kLong);
        const at::Tensor mask = at::zeros({rows, length}, at::kLong), types = at::zeros({rows, length}, at::kLong);
        std::vector<std::int64_t> labels;
        for (std::int64_t row = 0; row < rows; ++row) {
            const std::int64_t place = indices[static_cast<std::size_t>(row)] + (held_out ? training_ : 0);
            const Part& part = parts_[static_cast<std::size_t>(place)];
            std::ranges::copy(part.ids, ids.data_ptr<std::int64_t>() + row * length);
            std::ranges::copy(part.types, types.data_ptr<std::int64_t>() + row * length);
            std::fill_n(mask.data_ptr<std::int64_t>() + row * length, part.ids.size(), 1);
            labels.insert(labels.end(),
                          {part.begin, part.end, place, part.first, part.first + std::ssize(part.offsets)});
        }
        Tree made = Tree::dict({{"tokens", ids},
                                {"labels", at::tensor(labels, at::kLong).view({rows, -1})},
                                {"attention_mask", mask},
                                {"targets", at::full({rows}, 1, at::kLong)}});
        if (types_)
            made.set("token_type_ids", types);
        return made;
    }

    AnswerFigures judge(std::span<const FoundAnswer> answers) const override {
        std::map<std::int64_t, Best> best;
        for (const FoundAnswer& found : answers) {
            Best& own = best[parts_[static_cast<std::size_t>(found.part)].question];
            own.no_answer = std::min(own.no_answer, found.no_answer);
            if (found.score > own.score) {
                own.score = found.score;
                own.text = text_of(found);
            }
        }
        AnswerFigures sum;
        for (const auto& [number, own] : best) {
            const std::string text = has_unanswerable_ && own.no_answer > own.score ? std::string() : own.text;
            const std::vector<std::string>& right = questions_[static_cast<std::size_t>(number)].answers;
            double exact = 0, f1 = 0;
            for (const std::string& each : right.empty() ? std::vector<std::string>{""} : right) {
                exact = std::max(exact, is_exact_match(text, each) ? 1.0 : 0.0);
                f1 = std::max(f1, answer_f1(text, each));
            }
            sum.exact_match += exact;
            sum.f1 += f1;
        }
        const auto count = static_cast<double>(std::max<std::size_t>(1, best.size()));
        return {sum.exact_match / count, sum.f1 / count};
    }

  private:
    using Range = std::pair<std::int64_t, std::int64_t>;
    struct Question {
        std::string context;
        std::vector<std::string> answers;
    };
    struct Part {
        std::vector<std::int64_t> ids, types;
        std::int64_t first = 0;      ///< token of the context
        std::vector<Range> offsets;  ///< of the tokens of the context: characters of it
        std::int64_t question = 0;
        std::int64_t begin = kNoAnswer, end = kNoAnswer;
    };
    struct Best {
        double score = -std::numeric_limits<double>::infinity(), no_answer = std::numeric_limits<double>::infinity();
        std::string text;
    };

    void add_parts(const std::string& question, const Answer* answer, std::int64_t row) {
        const std::string& context = questions_.back().context;
        const std::size_t before = parts_.size();
        if (!tokenizer_) {
            add_bytes(question, context, row);
        } else {
            const auto length = std::ssize(tokenizer_->encode_ids(question, false));
            tokenizers::Encoding all;
            try {
                all = tokenizer_->encode(question, context, true);
            } catch (const UserError& error) {
                throw UserError(
                    "data.sequence_length: row {}: {}: make it longer, or data.doc_stride less, or shorten the "
                    "question",
                    row + 1, error.message());
            }
            add(all, length);
            for (const tokenizers::Encoding& more : all.overflowing)
                add(more, length);
        }
        for (std::size_t i = before; i < parts_.size(); ++i) {
            parts_[i].question = std::ssize(questions_) - 1;
            if (answer != nullptr)
                place(parts_[i], *answer);
        }
    }

    void add(const tokenizers::Encoding& encoding, std::int64_t tokens_of_question) {
        Part part;
        part.ids.assign(encoding.ids.begin(), encoding.ids.end());
        part.types.assign(encoding.type_ids.begin(), encoding.type_ids.end());
        // Type ids cannot tell the texts apart: those of RoBERTa are all 0.
        std::int64_t seen = 0;
        for (std::size_t i = 0; i < encoding.size(); ++i) {
            if (encoding.special_tokens_mask[i] != 0 || seen++ < tokens_of_question)
                continue;
            if (part.offsets.empty())
                part.first = static_cast<std::int64_t>(i);
            part.offsets.emplace_back(encoding.offsets[i].first, encoding.offsets[i].second);
        }
        parts_.push_back(std::move(part));
    }

    /// A token per byte: the question, a newline, and a part of the text.
    void add_bytes(const std::string& question, const std::string& context, std::int64_t row) {
        const std::string start = question + "\n";
        const std::int64_t room = length_ - std::ssize(start);
        if (room <= stride_)
            throw UserError(
                "data.sequence_length: the question of row {} has {} tokens, which leaves {} for the text, no "
                "more than data.doc_stride ({}): make it longer, or data.doc_stride less",
                row + 1, start.size(), std::max<std::int64_t>(0, room), stride_);
        std::vector<Range> places;  // characters of each byte
        std::int64_t character = -1;
        for (const char byte : context) {
            character += text::begins_character(byte) ? 1 : 0;
            places.emplace_back(character, character + 1);
        }
        for (std::int64_t from = 0;; from += room - stride_) {
            const std::int64_t to = std::min(std::ssize(context), from + room);
            Part part;
            part.first = std::ssize(start);
            for (const char byte :
                 start + context.substr(static_cast<std::size_t>(from), static_cast<std::size_t>(to - from)))
                part.ids.push_back(static_cast<unsigned char>(byte));
            part.types.assign(part.ids.size(), 0);
            part.offsets.assign(places.begin() + from, places.begin() + to);
            parts_.push_back(std::move(part));
            if (to == std::ssize(context))
                return;
        }
    }

    /// The first and last token of the answer, if the part has all of it.
    static void place(Part& part, const Answer& answer) {
        const std::vector<Range>& offsets = part.offsets;
        if (offsets.empty() || offsets.front().first > answer.begin || offsets.back().second < answer.end)
            return;
        // Several tokens can be parts of one character: all of them belong to the answer.
        const auto begin = std::ranges::upper_bound(offsets, answer.begin, {}, &Range::second);
        const auto end = std::ranges::lower_bound(offsets, answer.end, {}, &Range::first) - 1;
        part.begin = part.first + (begin - offsets.begin());
        part.end = part.first + (end - offsets.begin());
    }

    std::string text_of(const FoundAnswer& found) const {
        const Part& part = parts_[static_cast<std::size_t>(found.part)];
        const std::string& context = questions_[static_cast<std::size_t>(part.question)].context;
        const std::size_t from =
                              bytes_of(context, part.offsets[static_cast<std::size_t>(found.begin - part.first)].first),
                          to = bytes_of(context, part.offsets[static_cast<std::size_t>(found.end - part.first)].second);
        return context.substr(from, to - from);
    }

    std::int64_t length_, stride_, padding_;
    bool types_;
    std::optional<tokenizers::Tokenizer> tokenizer_;  ///< absent: a token per byte
    std::vector<Question> questions_;
    std::vector<Part> parts_;
    std::int64_t training_ = 0;  ///< parts
    bool has_unanswerable_ = false;
};

}  // namespace

std::unique_ptr<SampleSet> open_questions(const config::Recipe& recipe) {
    return std::make_unique<Questions>(recipe);
}

}  // namespace trainyard::train
