// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Continues tokens with a model, whatever its family. Keys and values of the positions that were seen are kept
// (parallel::KeyValueCache), so that a token costs one position. The model's values must be laid out; nothing of it
// changes.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "inference/generate/sampling.h"
#include "models/nn/model.h"

namespace trainyard::generate {

/// Why a text ended.
enum class End { length, end_token, context, stopped };

struct Generated {
    std::vector<std::int64_t> tokens;  ///< the new ones, an end token included
    End end = End::length;
    /// With return_logits: fp32 [tokens, vocabulary] on the CPU, from which each token was chosen, before
    /// repetition_penalty and temperature.
    at::Tensor logits = {};
};

/// Called with every new token; false ends the text.
using OnToken = std::function<bool(std::int64_t token)>;
/// The same for the prompt with this index of several.
using OnTokenOf = std::function<bool(std::size_t prompt, std::int64_t token)>;

/// Appends tokens [rows, length] to the sequences of a cache: the logits after the last position, [rows, vocabulary].
using NextLogits = std::function<at::Tensor(const at::Tensor& tokens, parallel::KeyValueCache& cache)>;

/// `prompt` has at least one token and is shorter than `context`, the most positions of the model. Beams tell their
/// tokens at the end. `next`: the model is computed by several ranks, which all call this with the same arguments,
/// and whose OnToken answer alike. Throws InvalidInput for options out of range, UserError for the prompt.
Generated generate(const models::Model& model, const std::vector<std::int64_t>& prompt, std::int64_t context,
                   at::Device device, const GenerationOptions& options, const OnToken& on_token = {},
                   const NextLogits& next = {});

/// Continues several prompts together, one Generated for each. Prompts of different length are padded on the left and
/// masked, with positions that count the tokens of the prompt alone: each text is that of its prompt alone, up to the
/// rounding of sums. A prompt that is complete leaves the batch. With `next`, and with rotations that depend on the
/// length of the sequence (dynamic, longrope), prompts of different length are continued one after the other. Throws as
/// generate(), and InvalidInput for beams with more than one prompt.
std::vector<Generated> generate_batch(const models::Model& model, const std::vector<std::vector<std::int64_t>>& prompts,
                                      std::int64_t context, at::Device device, const GenerationOptions& options,
                                      const OnTokenOf& on_token = {}, const NextLogits& next = {});

}  // namespace trainyard::generate
