#pragma once
// Which tokens make sample i of a language model, in Megatron-LM's order: documents shuffled, joined end to end and cut into pieces of
// sequence_length (+ 1), the pieces shuffled. Same seed, same samples as Megatron's GPTDataset, BlendedDataset and their builder
// (megatron/core/datasets/{gpt_dataset,blended_dataset,blended_megatron_dataset_builder}.py, helpers.cpp).

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "formats/megatron_set.h"

namespace trainyard::formats {

/// "969,30,1" as [begin, end) of the sequences for training, validation and test. Fewer than three numbers are filled with 0. Throws UserError when
/// it has other characters, a negative number or nothing above zero.
std::array<std::pair<std::int64_t, std::int64_t>, 3> split_sequences(const std::string& split, std::int64_t sequences);

struct GptOptions {
    std::int64_t sequence_length = 0;  ///< tokens of a sample; one more is read for the labels
    std::int64_t samples = 0;          ///< at least so many (more epochs are made); 0: one epoch
    std::uint32_t seed = 1234;
    bool drop_last_partial = true;  ///< validation sets may keep the short last piece, padded with `pad_token`
    std::int64_t pad_token = 0;
    std::int64_t extra_token = 1;  ///< 0: exactly sequence_length tokens
};

class GptSamples {
  public:
    /// Sequences [first, last) of `set`, which is kept. Throws UserError when they have no tokens or too few for one sample.
    GptSamples(std::shared_ptr<const MegatronSet> set, std::int64_t first, std::int64_t last,
               const GptOptions& options);

    std::int64_t size() const { return static_cast<std::int64_t>(shuffle_.size()); }
    std::int64_t tokens_of_sample() const { return options_.sequence_length + options_.extra_token; }
    /// sequence_length + extra_token tokens; returns how many of them are no padding.
    std::int64_t read(std::int64_t sample, std::span<std::int64_t> out) const;
    const GptOptions& options() const { return options_; }

    std::span<const std::int32_t> document_index() const { return documents_; }
    /// (place in document_index, offset in that document) where each sample begins; size() + 1 pairs at least.
    std::span<const std::array<std::int64_t, 2>> sample_index() const { return starts_; }
    std::span<const std::int64_t> shuffle_index() const { return shuffle_; }

  private:
    std::shared_ptr<const MegatronSet> set_;
    GptOptions options_;
    std::vector<std::int32_t> documents_;
    std::vector<std::array<std::int64_t, 2>> starts_;
    std::vector<std::int64_t> shuffle_;
};

/// For each of `size` samples of a blend: which set, and how many of that set came before. At every place the set that is furthest behind its
/// share is taken. Weights need not sum to 1. Throws UserError for none, negative ones or a sum of 0.
struct Blend {
    std::vector<std::int16_t> set;
    std::vector<std::int64_t> sample;
};
Blend blend(std::span<const double> weights, std::int64_t size);
/// Every sample of sets of these sizes once, mixed evenly.
Blend blend_all(std::span<const std::int64_t> sizes);
/// Samples that each set must offer for a blend of `size`: ceil(ceil(size * share) * (1 + surplus)).
std::vector<std::int64_t> blend_sizes(std::span<const double> weights, std::int64_t size, double surplus = 0.005);

}  // namespace trainyard::formats
