// SPDX-License-Identifier: GPL-3.0-or-later
// Task multiple_choice: which of several texts fits, as SWAG has it: a context, the beginning of all choices, and their
// ends. Each choice is a row of the sample, tokens [choices, length], so that they go through the encoder together.

#include <algorithm>

#include <ATen/ops/full.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include <fmt/format.h>

#include "base/error.h"
#include "base/number.h"
#include "config/inputs/table_columns.h"
#include "models/nn/kernels/cross_entropy.h"
#include "train/tasks/task_table.h"

namespace trainyard::train {

namespace {

class Choices final : public SampleSet {
  public:
    explicit Choices(const config::Recipe& recipe) : tokens_(recipe), types_(recipe.model.type_vocab_size > 1) {
        const TaskTable table(recipe);
        const formats::Column& contexts = table.column("data.column");
        const formats::Column* beginnings = table.find("data.second_column");
        const formats::Column& labels = table.column("data.label_column");
        std::vector<const formats::Column*> choices;
        while (const formats::Column* each = table.find(inputs::choice_key(choices.size())))
            choices.push_back(each);
        choices_ = std::ssize(choices);
        for (std::int64_t row = 0; row < table.rows(); ++row) {
            if (contexts.is_missing(row) || labels.is_missing(row))
                continue;
            const std::string beginning = beginnings != nullptr ? std::string(beginnings->text(row)) : std::string();
            for (const formats::Column* choice : choices) {
                const std::string end(choice->text(row));
                encoded_.push_back(
                    tokens_.encode(std::string(contexts.text(row)), beginning.empty() ? end : beginning + " " + end));
            }
            labels_.push_back(label_of(labels, row));
        }
        cut_ = Cut(std::ssize(labels_), recipe.data.validation_fraction);
    }
    std::int64_t training_samples() const override { return cut_.training; }
    std::int64_t validation_samples() const override { return cut_.held_out; }
    std::int64_t targets_per_sample(std::int64_t) const override { return 1; }

    Tree batch(bool held_out, std::span<const std::int64_t> indices, std::int64_t length) const override {
        const auto rows = static_cast<std::int64_t>(indices.size());
        const std::vector<std::int64_t> shape{rows, choices_, length};
        const at::Tensor ids = at::full(shape, tokens_.padding(), at::kLong);
        const at::Tensor mask = at::zeros(shape, at::kLong), types = at::zeros(shape, at::kLong);
        std::vector<std::int64_t> labels;
        std::int64_t at = 0;
        for (const std::int64_t index : indices) {
            const std::int64_t place = cut_.place(held_out, index);
            for (std::int64_t choice = 0; choice < choices_; ++choice, at += length) {
                const SequenceTokens::Encoded& text = encoded_[static_cast<std::size_t>(place * choices_ + choice)];
                std::ranges::copy(text.ids, ids.data_ptr<std::int64_t>() + at);
                std::ranges::copy(text.types, types.data_ptr<std::int64_t>() + at);
                std::fill_n(mask.data_ptr<std::int64_t>() + at, std::max<std::size_t>(1, text.ids.size()), 1);
            }
            labels.push_back(labels_[static_cast<std::size_t>(place)]);
        }
        const at::Tensor right = at::tensor(labels, at::kLong);
        Tree made = Tree::dict({{"tokens", ids},
                                {"labels", right},
                                {"attention_mask", mask},
                                {"targets", right.ne(models::kIgnoredLabel).to(at::kLong)}});
        if (types_)
            made.set("token_type_ids", types);
        return made;
    }

  private:
    std::int64_t label_of(const formats::Column& labels, std::int64_t row) const {
        const bool is_text = labels.field.type == formats::ElementType::text;
        const double value = is_text ? parse_number<double>(std::string(labels.text(row))).value_or(-1)
                                     : ClassReader::number(labels, row);
        const auto label = static_cast<std::int64_t>(value);
        if (label == models::kIgnoredLabel || (static_cast<double>(label) == value && label >= 0 && label < choices_))
            return label;
        throw UserError(
            "data.label_column: row {} has {}, and there are {} choices: give the number of the right one, from 0 to "
            "{}",
            row + 1, is_text ? Message("'{}'", labels.text(row)) : Message("{}", value), choices_, choices_ - 1);
    }

    SequenceTokens tokens_;
    bool types_;
    std::int64_t choices_ = 0;
    std::vector<SequenceTokens::Encoded> encoded_;  ///< the choices of a row one behind the other
    std::vector<std::int64_t> labels_;
    Cut cut_;
};

}  // namespace

std::unique_ptr<SampleSet> open_choices(const config::Recipe& recipe) {
    return std::make_unique<Choices>(recipe);
}

}  // namespace trainyard::train
