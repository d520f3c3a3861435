// SPDX-License-Identifier: GPL-3.0-or-later
// Task token_classification: the class of each word. The first token of a word has its class, the others are not counted,
// as in transformers' examples.

#include <algorithm>

#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>

#include "base/error.h"
#include "models/nn/kernels/cross_entropy.h"
#include "train/tasks/task_table.h"

namespace trainyard::train {

namespace {

class TaggedTokens final : public SampleSet {
  public:
    explicit TaggedTokens(const config::Recipe& recipe) : tokens_(recipe) {
        const config::DataRecipe& data = recipe.data;
        const TaskTable table(recipe);
        const formats::Column& words = table.column("data.column");
        const formats::Column& tags = table.column("data.label_column");
        if (!words.field.list || !tags.field.list)
            throw UserError("data.column: {} and {} must be lists, one entry for each word", words.field.describe(),
                            tags.field.describe());
        const ClassReader classes(recipe);
        for (std::int64_t row = 0; row < table.rows(); ++row)
            add(words, tags, classes, row);
        cut_ = Cut(static_cast<std::int64_t>(samples_.size()), data.validation_fraction);
    }
    std::int64_t training_samples() const override { return cut_.training; }
    std::int64_t validation_samples() const override { return cut_.held_out; }
    std::int64_t targets_per_sample(std::int64_t length) const override { return length; }
    /// The text with the word of the token in «».
    std::string describe(bool held_out, std::int64_t index, std::int64_t position) const override {
        const Sample& sample = samples_[static_cast<std::size_t>(cut_.place(held_out, index))];
        const auto length = std::ssize(sample.ids);
        if (position < 0 || position >= length)
            return tokens_.text_of(sample.ids);
        std::int64_t end = position + 1;
        const auto begins_word = [&](std::int64_t place) {
            return sample.labels[static_cast<std::size_t>(place)] != models::kIgnoredLabel;
        };
        while (end < length && !begins_word(end) && !tokens_.is_special(sample.ids[static_cast<std::size_t>(end)]))
            ++end;
        const auto part = [&](std::int64_t from, std::int64_t to) {
            return tokens_.text_of({sample.ids.begin() + from, sample.ids.begin() + to});
        };
        const std::string before = part(0, position), after = part(end, length);
        return before + (before.empty() ? "«" : " «") + part(position, end) + (after.empty() ? "»" : "» ") + after;
    }

    Tree batch(bool held_out, std::span<const std::int64_t> indices, std::int64_t length) const override {
        const auto rows = static_cast<std::int64_t>(indices.size());
        const at::Tensor ids = at::full({rows, length}, tokens_.padding(), at::kLong);
        const at::Tensor labels = at::full({rows, length}, models::kIgnoredLabel, at::kLong);
        const at::Tensor mask = at::zeros({rows, length}, at::kLong), targets = at::zeros({rows}, at::kLong);
        for (std::int64_t row = 0; row < rows; ++row) {
            const Sample& sample =
                samples_[static_cast<std::size_t>(cut_.place(held_out, indices[static_cast<std::size_t>(row)]))];
            std::copy(sample.ids.begin(), sample.ids.end(), ids.data_ptr<std::int64_t>() + row * length);
            std::copy(sample.labels.begin(), sample.labels.end(), labels.data_ptr<std::int64_t>() + row * length);
            std::fill_n(mask.data_ptr<std::int64_t>() + row * length, std::max<std::size_t>(1, sample.ids.size()), 1);
            targets.data_ptr<std::int64_t>()[row] = sample.counted;
        }
        return Tree::dict({{"tokens", ids}, {"labels", labels}, {"attention_mask", mask}, {"targets", targets}});
    }

  private:
    struct Sample {
        std::vector<std::int64_t> ids, labels;
        std::int64_t counted = 0;
    };

    void add(const formats::Column& words, const formats::Column& tags, const ClassReader& classes, std::int64_t row) {
        inputs::SampleTokens made = inputs::tagged_tokens(tokens_, words, tags, classes, row);
        const std::int64_t counted = std::ssize(made.labels) - std::ranges::count(made.labels, models::kIgnoredLabel);
        samples_.push_back({std::move(made.ids), std::move(made.labels), counted});
    }

    SequenceTokens tokens_;
    std::vector<Sample> samples_;
    Cut cut_;
};

}  // namespace

std::unique_ptr<SampleSet> open_tagged_tokens(const config::Recipe& recipe) {
    return std::make_unique<TaggedTokens>(recipe);
}

}  // namespace trainyard::train
