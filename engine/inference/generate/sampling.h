// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The choice of the next token from its logits.

#include <cstdint>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "base/error.h"

namespace trainyard::generate {

/// Names and meanings of transformers' GenerationConfig.
struct GenerationOptions {
    std::int64_t max_new_tokens = 64;
    bool do_sample = false;
    double temperature = 1;
    std::int64_t top_k = 50;  ///< 0: all
    double top_p = 1;
    double top_p_decay = 0;         ///< factor of top_p from one token to the next, as in Megatron-LM; 0: it stays
    double top_p_bound = 0;         ///< that it does not fall below
    bool return_logits = false;     ///< Generated::logits; not of beams
    bool add_bos = false;           ///< a prompt without the token that begins a text gets it
    double repetition_penalty = 1;  ///< above 1: tokens that were there become less likely. Keskar et al., CTRL, 2019
    std::int64_t num_beams = 1;
    double length_penalty = 1;                ///< beams: the sum of log probabilities is divided by length^penalty
    bool early_stopping = false;              ///< beams: stop when num_beams are complete
    std::vector<std::int64_t> eos_token_ids;  ///< that end a text; empty: none
    std::uint64_t seed = 0;                   ///< of draws
    std::int64_t max_length = 0;  ///< most tokens of prompt and text together, instead of max_new_tokens; 0: not given
};

/// The options of the draw number `drawn` of a text, from 0 on.
GenerationOptions options_of_draw(const GenerationOptions& options, std::int64_t drawn);

/// Values out of range, each with its name; empty: none.
std::vector<Problem> check(const GenerationOptions& options);

/// Divides logits of tokens that were there, in place. `logits` fp32 [vocabulary].
void penalise_repetition(const at::Tensor& logits, const std::vector<std::int64_t>& tokens, double penalty);

struct Candidate {
    std::int64_t token;
    double probability;
};
/// What may be drawn, likeliest first. `logits` fp32 [vocabulary] on the CPU.
std::vector<Candidate> candidates(const at::Tensor& logits, const GenerationOptions& options);

/// `logits` fp32 [vocabulary] on the CPU; `position` numbers the draw, which depends on it and the seed alone.
/// Holtzman et al., "The curious case of neural text degeneration", ICLR 2020 (top-p).
std::int64_t choose(const at::Tensor& logits, const GenerationOptions& options, std::int64_t position);

}  // namespace trainyard::generate
