// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Computes the tokens of sample i of a language model in Megatron-LM's order: documents are shuffled, concatenated and
// cut into pieces of sequence_length (+ 1) tokens, which are shuffled, too. With the same seed, the samples equal those
// of Megatron's GPTDataset, BlendedDataset and their builder
// (megatron/core/datasets/{gpt_dataset,blended_dataset,blended_megatron_dataset_builder}.py, helpers.cpp).

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "formats/tables/megatron_set.h"

namespace trainyard::formats {

/// "969,30,1" as ranges [begin, end) of sequences for training, validation and test. Missing numbers are 0. Throws
/// UserError for other characters, a negative number, or if no number is positive.
std::array<std::pair<std::int64_t, std::int64_t>, 3> split_sequences(const std::string& split, std::int64_t sequences);

struct GptOptions {
    std::int64_t sequence_length = 0;  ///< tokens per sample; one more is read for the labels
    std::int64_t samples = 0;          ///< the minimum (more epochs are used if needed); 0: one epoch
    std::uint32_t seed = 1234;
    bool drop_last_partial = true;  ///< validation sets may keep the last, incomplete piece, padded with `pad_token`
    std::int64_t pad_token = 0;
    std::int64_t extra_token = 1;  ///< 0: exactly sequence_length tokens
};

class GptSamples {
  public:
    /// Uses sequences [first, last) of `set`. Throws UserError if they contain no tokens or too few for one sample.
    GptSamples(std::shared_ptr<const MegatronSet> set, std::int64_t first, std::int64_t last,
               const GptOptions& options);

    std::int64_t size() const { return static_cast<std::int64_t>(shuffle_.size()); }
    std::int64_t tokens_of_sample() const { return options_.sequence_length + options_.extra_token; }
    /// Reads sequence_length + extra_token tokens; returns how many of them are not padding.
    std::int64_t read(std::int64_t sample, std::span<std::int64_t> out) const;
    const GptOptions& options() const { return options_; }

    std::span<const std::int32_t> document_index() const { return documents_; }
    /// (index in document_index, offset in that document) of each sample's start; at least size() + 1 pairs.
    std::span<const std::array<std::int64_t, 2>> sample_index() const { return starts_; }
    std::span<const std::int64_t> shuffle_index() const { return shuffle_; }

  private:
    std::shared_ptr<const MegatronSet> set_;
    GptOptions options_;
    std::vector<std::int32_t> documents_;
    std::vector<std::array<std::int64_t, 2>> starts_;
    std::vector<std::int64_t> shuffle_;
};

/// For each of the `size` samples of a blend: the set, and the index within the set. Each sample is taken from the set
/// with the largest deficit against its weight. Weights need not sum to 1. Throws UserError if there are none, one is
/// negative, or their sum is 0.
struct Blend {
    std::vector<std::int16_t> set;
    std::vector<std::int64_t> sample;
};
Blend blend(std::span<const double> weights, std::int64_t size);
/// Every sample of sets with these sizes once, evenly mixed.
Blend blend_all(std::span<const std::int64_t> sizes);
/// Samples that each set needs for a blend of `size`: ceil(ceil(size * weight) * (1 + surplus)), with normalised
/// weights.
std::vector<std::int64_t> blend_sizes(std::span<const double> weights, std::int64_t size, double surplus = 0.005);

}  // namespace trainyard::formats
