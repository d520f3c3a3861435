// SPDX-License-Identifier: GPL-3.0-or-later
// Task question_answering: the part of a text that answers a question, by its first and last token, as transformers'
// example run_qa.py prepares and judges it. Each part of a text (config/inputs/question_parts.h) is a sample. A question
// without an answer in a part points at the first token.

#include <algorithm>
#include <limits>
#include <map>
#include <optional>

#include <ATen/ops/full.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include "base/error.h"
#include "config/inputs/answer_reader.h"
#include "config/inputs/question_parts.h"
#include "config/inputs/row_problems.h"
#include "config/inputs/table_columns.h"
#include "train/tasks/answer_text.h"
#include "train/tasks/task_table.h"

namespace trainyard::train {

namespace {

constexpr std::int64_t kNoAnswer = 0;  ///< the token that stands for no answer: [CLS], <s>

using inputs::Answer;

class Questions final : public SampleSet {
  public:
    explicit Questions(const config::Recipe& recipe)
        : padding_(std::max<std::int64_t>(0, recipe.model.pad_token_id)),
          types_(recipe.model.type_vocab_size > 1),
          tokens_(recipe) {
        const config::DataRecipe& data = recipe.data;
        const TaskTable table(recipe);
        const formats::Column& questions = table.column("data.column");
        const formats::Column& contexts = table.column("data.second_column");
        const inputs::AnswerReader answers(table.column("data.label_column"), table.find(inputs::kAnswerStarts));
        inputs::RowProblems problems;
        std::vector<std::int64_t> ends;  // parts up to the end of each question
        for (std::int64_t row = 0; row < table.rows(); ++row) {
            if (questions.is_missing(row) || contexts.is_missing(row))
                continue;
            Question made{std::string(contexts.text(row)), {}};
            std::vector<Answer> right;
            problems.run([&] { right = answers.read(row, made.context, row); });
            for (const Answer& answer : right)
                made.answers.push_back(answer.text);
            questions_.push_back(std::move(made));
            add_parts(std::string(questions.text(row)), right.empty() ? nullptr : &right.front(), row);
            ends.push_back(std::ssize(parts_));
        }
        problems.check("data.label_column");
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
    using Range = inputs::QuestionPart::Range;
    struct Question {
        std::string context;
        std::vector<std::string> answers;
    };
    struct Part : inputs::QuestionPart {
        std::int64_t question = 0;
        std::int64_t begin = kNoAnswer, end = kNoAnswer;
    };
    struct Best {
        double score = -std::numeric_limits<double>::infinity(), no_answer = std::numeric_limits<double>::infinity();
        std::string text;
    };

    void add_parts(const std::string& question, const Answer* answer, std::int64_t row) {
        std::vector<inputs::QuestionPart> made;
        try {
            made = tokens_.parts(question, questions_.back().context);
        } catch (const UserError& error) {
            throw UserError(
                "data.sequence_length: row {}: {}: make it longer, or data.doc_stride less, or shorten the "
                "question",
                row + 1, error.message());
        }
        for (inputs::QuestionPart& each : made) {
            Part part{std::move(each)};
            part.question = std::ssize(questions_) - 1;
            if (answer != nullptr)
                place(part, *answer);
            parts_.push_back(std::move(part));
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
        return inputs::characters_of(context, part.offsets[static_cast<std::size_t>(found.begin - part.first)].first,
                                     part.offsets[static_cast<std::size_t>(found.end - part.first)].second);
    }

    std::int64_t padding_;
    bool types_;
    inputs::QuestionTokens tokens_;
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
