// SPDX-License-Identifier: GPL-3.0-or-later
// Supervised fine-tuning on conversations: a column with lists of {role, content}, written as inputs::ChatTokens does.
// Only what the assistant says, with the mark of its end, is learnt.

#include <algorithm>

#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>

#include "base/error.h"
#include "config/inputs/chat_tokens.h"
#include "config/inputs/row_problems.h"
#include "config/inputs/table_columns.h"
#include "models/nn/kernels/cross_entropy.h"
#include "train/tasks/task_table.h"

namespace trainyard::train {

namespace {

static_assert(inputs::kUncountedLabel == models::kIgnoredLabel);

class Chats final : public SampleSet {
  public:
    explicit Chats(const config::Recipe& recipe)
        : tokens_(recipe), chats_(recipe, tokens_), length_(recipe.data.sequence_length), packs_(recipe.data.pack) {
        const config::DataRecipe& data = recipe.data;
        const TaskTable table(recipe);
        const formats::Column& chats = table.column("data.column");
        if (chats.field.type != formats::ElementType::text || chats.field.list)
            throw UserError(
                "data.column: {} holds no conversations: each is a list of tables with role and "
                "content",
                chats.field.describe());
        const formats::Column* tools = table.find(inputs::kChatTools);
        inputs::RowProblems problems;
        for (std::int64_t row = 0; row < table.rows(); ++row)
            if (!chats.is_missing(row))
                problems.run(
                    [&] { add(chats_.of(std::string(chats.text(row)), inputs::row_tools(tools, row, row), row)); });
        problems.check("data.column");
        if (packs_ && std::ssize(ids_) < length_)
            throw UserError(
                "data.path: the conversations have {} tokens, less than one sample of "
                "data.sequence_length ({}): add some, or shorten the samples",
                ids_.size(), length_);
        const std::int64_t samples = packs_ ? std::ssize(ids_) / length_ : std::ssize(begins_);
        cut_ = Cut(samples, data.validation_fraction);
        const std::int64_t largest = ids_.empty() ? 0 : *std::ranges::max_element(ids_);
        if (largest >= recipe.model.vocab_size)
            throw UserError("model.vocab_size: the data holds the token {}, so it must be at least {}, not {}", largest,
                            largest + 1, recipe.model.vocab_size);
    }
    std::int64_t training_samples() const override { return cut_.training; }
    std::int64_t validation_samples() const override { return cut_.held_out; }
    std::int64_t targets_per_sample(std::int64_t length) const override { return length - 1; }

    Tree batch(bool held_out, std::span<const std::int64_t> indices, std::int64_t length) const override {
        const auto rows = static_cast<std::int64_t>(indices.size());
        const at::Tensor ids = at::full({rows, length}, tokens_.padding(), at::kLong);
        const at::Tensor labels = at::full({rows, length}, models::kIgnoredLabel, at::kLong);
        const at::Tensor counted = at::zeros({rows}, at::kLong);
        for (std::int64_t row = 0; row < rows; ++row) {
            const std::int64_t place = cut_.place(held_out, indices[static_cast<std::size_t>(row)]);
            const std::int64_t begin = packs_ ? place * length : begins_[static_cast<std::size_t>(place)];
            const std::int64_t end = packs_                            ? begin + length
                                     : place + 1 < std::ssize(begins_) ? begins_[static_cast<std::size_t>(place) + 1]
                                                                       : std::ssize(ids_);
            const std::int64_t count = std::min(length, end - begin);
            auto* to = labels.data_ptr<std::int64_t>() + row * length;
            std::copy_n(ids_.begin() + begin, count, ids.data_ptr<std::int64_t>() + row * length);
            for (std::int64_t i = 0; i < count; ++i)
                if (learnt_[static_cast<std::size_t>(begin + i)] != 0) {
                    to[i] = ids_[static_cast<std::size_t>(begin + i)];
                    counted.data_ptr<std::int64_t>()[row] += i > 0 ? 1 : 0;  // nothing predicts the first
                }
        }
        return Tree::dict({{"tokens", ids}, {"labels", labels}, {"targets", counted}});
    }

  private:
    void add(const inputs::SampleTokens& made) {
        begins_.push_back(std::ssize(ids_));
        ids_.insert(ids_.end(), made.ids.begin(), made.ids.end());
        for (const std::int64_t label : made.labels)
            learnt_.push_back(label == models::kIgnoredLabel ? 0 : 1);
    }

    SequenceTokens tokens_;
    inputs::ChatTokens chats_;
    std::int64_t length_;
    bool packs_;
    std::vector<std::int64_t> ids_, begins_;
    std::vector<std::uint8_t> learnt_;
    Cut cut_;
};

}  // namespace

std::unique_ptr<SampleSet> open_chats(const config::Recipe& recipe) {
    return std::make_unique<Chats>(recipe);
}

}  // namespace trainyard::train
