// SPDX-License-Identifier: GPL-3.0-or-later
// Task token_classification: the class of each word. The first token of a word has its class, the others are not counted,
// as in transformers' examples.

#include <algorithm>

#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>

#include <fmt/format.h>

#include "base/error.h"
#include "models/nn/kernels/cross_entropy.h"
#include "train/tasks/task_table.h"

namespace trainyard::train {

namespace {

class TaggedTokens final : public SampleSet {
  public:
    explicit TaggedTokens(const config::Recipe& recipe)
        : tokens_(recipe), length_(static_cast<std::size_t>(recipe.data.sequence_length)) {
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
        const std::int64_t first = words.begin_of(row), count = words.end_of(row) - first, tag = tags.begin_of(row);
        if (tags.end_of(row) - tag != count)
            throw UserError("data.label_column: row {} has {} words and {} classes", row + 1, count,
                            tags.end_of(row) - tag);
        Sample sample;
        auto special = [&](std::initializer_list<const char*> names) {
            for (const char* name : names)
                if (const auto id = tokens_.id_of(name)) {
                    sample.ids.push_back(*id);
                    sample.labels.push_back(models::kIgnoredLabel);
                    return;
                }
        };
        special({"[CLS]", "<s>"});
        // What is cut off is at the end of the words: the last token of a sequence stays.
        const bool has_end = tokens_.id_of("[SEP]") || tokens_.id_of("</s>");
        const std::size_t room = length_ - (has_end ? 1 : 0);
        for (std::int64_t word = 0; word < count; ++word) {
            const std::vector<std::int64_t> ids = tokens_.of_word(std::string(words.text(first + word)));
            for (std::size_t i = 0; i < ids.size() && sample.ids.size() < room; ++i) {
                sample.ids.push_back(ids[i]);
                sample.labels.push_back(i == 0 ? classes.index(tags, tag + word) : models::kIgnoredLabel);
            }
        }
        special({"[SEP]", "</s>"});
        for (std::int64_t label : sample.labels)
            sample.counted += label != models::kIgnoredLabel ? 1 : 0;
        samples_.push_back(std::move(sample));
    }

    SequenceTokens tokens_;
    std::size_t length_;
    std::vector<Sample> samples_;
    Cut cut_;
};

}  // namespace

std::unique_ptr<SampleSet> open_tagged_tokens(const config::Recipe& recipe) {
    return std::make_unique<TaggedTokens>(recipe);
}

}  // namespace trainyard::train
