// SPDX-License-Identifier: GPL-3.0-or-later
// Task sequence_classification: the class of a text, or of two; or a number.

#include <algorithm>

#include <ATen/ops/full.h>
#include <ATen/ops/isnan.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include "models/nn/kernels/cross_entropy.h"
#include "models/spec/labels.h"
#include "train/tasks/task_table.h"

namespace trainyard::train {

namespace {

class LabelledText final : public SampleSet {
  public:
    explicit LabelledText(const config::Recipe& recipe) : tokens_(recipe), types_(recipe.model.type_vocab_size > 1) {
        const config::DataRecipe& data = recipe.data;
        const TaskTable table(recipe);
        const formats::Column& texts = table.column("data.column");
        const formats::Column* seconds = data.second_column.empty() ? nullptr : &table.column("data.second_column");
        const formats::Column& labels = table.column("data.label_column");
        const bool regression = families::problem_of(recipe.model) == families::kRegression;
        const ClassReader classes(recipe);
        for (std::int64_t row = 0; row < table.rows(); ++row) {
            if (texts.is_missing(row) || labels.is_missing(row))
                continue;
            encoded_.push_back(tokens_.encode(std::string(texts.text(row)),
                                              seconds == nullptr ? std::string() : std::string(seconds->text(row))));
            if (regression)
                numbers_.push_back(static_cast<float>(ClassReader::number(labels, row)));
            else
                classes_.push_back(classes.index(labels, row));
        }
        cut_ = Cut(static_cast<std::int64_t>(encoded_.size()), data.validation_fraction);
    }
    std::int64_t training_samples() const override { return cut_.training; }
    std::int64_t validation_samples() const override { return cut_.held_out; }
    std::int64_t targets_per_sample(std::int64_t) const override { return 1; }
    std::string describe(bool held_out, std::int64_t index, std::int64_t) const override {
        return tokens_.text_of(encoded_[static_cast<std::size_t>(cut_.place(held_out, index))].ids);
    }

    Tree batch(bool held_out, std::span<const std::int64_t> indices, std::int64_t length) const override {
        const auto rows = static_cast<std::int64_t>(indices.size());
        const at::Tensor ids = at::full({rows, length}, tokens_.padding(), at::kLong);
        const at::Tensor mask = at::zeros({rows, length}, at::kLong), types = at::zeros({rows, length}, at::kLong);
        std::vector<std::int64_t> classes;
        std::vector<float> numbers;
        for (std::int64_t row = 0; row < rows; ++row) {
            const auto place = static_cast<std::size_t>(cut_.place(held_out, indices[static_cast<std::size_t>(row)]));
            const SequenceTokens::Encoded& sample = encoded_[place];
            std::copy(sample.ids.begin(), sample.ids.end(), ids.data_ptr<std::int64_t>() + row * length);
            std::copy(sample.types.begin(), sample.types.end(), types.data_ptr<std::int64_t>() + row * length);
            std::fill_n(mask.data_ptr<std::int64_t>() + row * length, std::max<std::size_t>(1, sample.ids.size()), 1);
            if (numbers_.empty())
                classes.push_back(classes_[place]);
            else
                numbers.push_back(numbers_[place]);
        }
        const at::Tensor labels = numbers_.empty() ? at::tensor(classes, at::kLong) : at::tensor(numbers);
        const at::Tensor counted = numbers_.empty() ? labels.ne(models::kIgnoredLabel) : labels.isnan().logical_not();
        Tree made = Tree::dict(
            {{"tokens", ids}, {"labels", labels}, {"attention_mask", mask}, {"targets", counted.to(at::kLong)}});
        if (types_)
            made.set("token_type_ids", types);
        return made;
    }

  private:
    SequenceTokens tokens_;
    bool types_;
    std::vector<SequenceTokens::Encoded> encoded_;
    std::vector<std::int64_t> classes_;
    std::vector<float> numbers_;  ///< of regressions
    Cut cut_;
};

}  // namespace

std::unique_ptr<SampleSet> open_labelled_text(const config::Recipe& recipe) {
    return std::make_unique<LabelledText>(recipe);
}

}  // namespace trainyard::train
