// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Continues tokens with a model, whatever its family. Keys and values of the positions that were seen are kept
// (parallel::KeyValueCache), so that a token costs one position. The model's values must be laid out; nothing of it
// changes.

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
};

/// Called with every new token; false ends the text.
using OnToken = std::function<bool(std::int64_t token)>;

/// Appends tokens [rows, length] to the sequences of a cache: the logits after the last position, [rows, vocabulary].
using NextLogits = std::function<at::Tensor(const at::Tensor& tokens, parallel::KeyValueCache& cache)>;

/// `prompt` has at least one token and is shorter than `context`, the most positions of the model. Beams tell their
/// tokens at the end. `next`: the model is computed by several ranks, which all call this with the same arguments,
/// and whose OnToken answer alike. Throws InvalidInput for options out of range, UserError for the prompt.
Generated generate(const models::Model& model, const std::vector<std::int64_t>& prompt, std::int64_t context,
                   at::Device device, const GenerationOptions& options, const OnToken& on_token = {},
                   const NextLogits& next = {});

}  // namespace trainyard::generate
