// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Megatron's indexed sets and weighted blends as data sets.

#include <cstdint>
#include <memory>
#include <vector>

#include "data/dataset.h"
#include "formats/tables/megatron_gpt.h"

namespace trainyard::data {

/// {"input_ids": [n], "labels": [n]} with n = sequence_length + 1 tokens, in Megatron's order. Labels are the tokens
/// themselves (position t predicts token t + 1, as in transformers); -100 where a short last sample was padded.
class MegatronDataset : public Dataset {
  public:
    explicit MegatronDataset(formats::GptSamples samples) : samples_(std::move(samples)) {}
    std::int64_t size() const override { return samples_.size(); }
    Tree get(std::int64_t index) const override;

  private:
    formats::GptSamples samples_;
};

/// Samples of several data sets in the order of a blend (formats::blend, formats::blend_all).
class BlendedDataset : public Dataset {
  public:
    /// Throws UserError if the blend needs more samples of a data set than it has.
    BlendedDataset(std::vector<std::shared_ptr<Dataset>> sets, formats::Blend blend);
    std::int64_t size() const override { return std::ssize(blend_.set); }
    Tree get(std::int64_t index) const override;
    void set_epoch(std::int64_t epoch) override;

  private:
    std::vector<std::shared_ptr<Dataset>> sets_;
    formats::Blend blend_;
};

}  // namespace trainyard::data
