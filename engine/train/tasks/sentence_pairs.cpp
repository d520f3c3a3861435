// SPDX-License-Identifier: GPL-3.0-or-later
// Task sentence_embedding: two texts that are similar, or how similar two texts are. Both are rows of one sample, tokens
// [2, length], so that they go through the encoder together (models/nn/kernels/embedding_loss.h).

#include <algorithm>
#include <limits>

#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include "models/spec/labels.h"
#include "train/tasks/task_table.h"

namespace trainyard::train {

namespace {

class SentencePairs final : public SampleSet {
  public:
    explicit SentencePairs(const config::Recipe& recipe)
        : tokens_(recipe), scored_(recipe.model.loss == families::kCosineLoss) {
        const config::DataRecipe& data = recipe.data;
        const TaskTable table(recipe);
        const formats::Column& first = table.column("data.column");
        const formats::Column& second = table.column("data.second_column");
        const formats::Column* scores = scored_ ? &table.column("data.label_column") : nullptr;
        for (std::int64_t row = 0; row < table.rows(); ++row) {
            if (first.is_missing(row) || second.is_missing(row) || (scored_ && scores->is_missing(row)))
                continue;
            pairs_.push_back({tokens_.encode(std::string(first.text(row)), {}).ids,
                              tokens_.encode(std::string(second.text(row)), {}).ids,
                              scored_ ? static_cast<float>(ClassReader::number(*scores, row)) : 0});
        }
        cut_ = Cut(static_cast<std::int64_t>(pairs_.size()), data.validation_fraction);
    }
    std::int64_t training_samples() const override { return cut_.training; }
    std::int64_t validation_samples() const override { return cut_.held_out; }
    std::int64_t targets_per_sample(std::int64_t) const override { return 1; }

    Tree batch(bool held_out, std::span<const std::int64_t> indices, std::int64_t length) const override {
        const auto rows = static_cast<std::int64_t>(indices.size());
        const at::Tensor ids = at::full({rows, 2, length}, tokens_.padding(), at::kLong);
        const at::Tensor mask = at::zeros({rows, 2, length}, at::kLong);
        std::vector<float> scores;
        for (std::int64_t row = 0; row < rows; ++row) {
            const Pair& pair =
                pairs_[static_cast<std::size_t>(cut_.place(held_out, indices[static_cast<std::size_t>(row)]))];
            std::int64_t at = 2 * row * length;
            for (const std::vector<std::int64_t>* text : {&pair.first, &pair.second}) {
                std::ranges::copy(*text, ids.data_ptr<std::int64_t>() + at);
                std::fill_n(mask.data_ptr<std::int64_t>() + at, std::max<std::size_t>(1, text->size()), 1);
                at += length;
            }
            scores.push_back(pair.score);
        }
        return Tree::dict({{"tokens", ids},
                           {"labels", scored_ ? at::tensor(scores) : at::zeros({rows}, at::kLong)},
                           {"attention_mask", mask},
                           {"targets", at::ones({rows}, at::kLong)}});
    }

  private:
    struct Pair {
        std::vector<std::int64_t> first, second;
        float score = 0;
    };
    SequenceTokens tokens_;
    bool scored_;
    std::vector<Pair> pairs_;
    Cut cut_;
};

}  // namespace

std::unique_ptr<SampleSet> open_sentence_pairs(const config::Recipe& recipe) {
    return std::make_unique<SentencePairs>(recipe);
}

}  // namespace trainyard::train
