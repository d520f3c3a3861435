// SPDX-License-Identifier: GPL-3.0-or-later
// Task seq2seq_lm: a text from a text, such as a summary.

#include <algorithm>

#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>

#include "models/nn/kernels/cross_entropy.h"
#include "train/tasks/task_table.h"

namespace trainyard::train {

namespace {

class TextPairs final : public SampleSet {
  public:
    explicit TextPairs(const config::Recipe& recipe)
        : sources_(recipe), targets_(of_target_length(recipe)), target_length_(recipe.data.target_length) {
        const config::DataRecipe& data = recipe.data;
        const TaskTable table(recipe);
        const formats::Column& from = table.column("data.column");
        const formats::Column& to = table.column("data.target_column");
        for (std::int64_t row = 0; row < table.rows(); ++row) {
            if (from.is_missing(row) || to.is_missing(row))
                continue;
            samples_.push_back({sources_.encode(std::string(from.text(row)), {}).ids,
                                targets_.encode(std::string(to.text(row)), {}).ids});
        }
        cut_ = Cut(static_cast<std::int64_t>(samples_.size()), data.validation_fraction);
    }
    std::int64_t training_samples() const override { return cut_.training; }
    std::int64_t validation_samples() const override { return cut_.held_out; }
    std::int64_t targets_per_sample(std::int64_t) const override { return target_length_; }

    Tree batch(bool held_out, std::span<const std::int64_t> indices, std::int64_t length) const override {
        const auto rows = static_cast<std::int64_t>(indices.size());
        const at::Tensor ids = at::full({rows, length}, sources_.padding(), at::kLong);
        const at::Tensor mask = at::zeros({rows, length}, at::kLong), counted = at::zeros({rows}, at::kLong);
        const at::Tensor labels = at::full({rows, target_length_}, models::kIgnoredLabel, at::kLong);
        for (std::int64_t row = 0; row < rows; ++row) {
            const Pair& pair =
                samples_[static_cast<std::size_t>(cut_.place(held_out, indices[static_cast<std::size_t>(row)]))];
            std::copy(pair.from.begin(), pair.from.end(), ids.data_ptr<std::int64_t>() + row * length);
            std::copy(pair.to.begin(), pair.to.end(), labels.data_ptr<std::int64_t>() + row * target_length_);
            std::fill_n(mask.data_ptr<std::int64_t>() + row * length, std::max<std::size_t>(1, pair.from.size()), 1);
            counted.data_ptr<std::int64_t>()[row] = static_cast<std::int64_t>(pair.to.size());
        }
        return Tree::dict({{"tokens", ids}, {"labels", labels}, {"attention_mask", mask}, {"targets", counted}});
    }

  private:
    struct Pair {
        std::vector<std::int64_t> from, to;
    };
    static config::Recipe of_target_length(config::Recipe recipe) {
        recipe.data.sequence_length = recipe.data.target_length;
        return recipe;
    }
    SequenceTokens sources_, targets_;
    std::int64_t target_length_;
    std::vector<Pair> samples_;
    Cut cut_;
};

}  // namespace

std::unique_ptr<SampleSet> open_text_pairs(const config::Recipe& recipe) {
    return std::make_unique<TextPairs>(recipe);
}

}  // namespace trainyard::train
