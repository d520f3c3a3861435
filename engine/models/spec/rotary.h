// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Rotary positions: pairs of elements of queries and keys are turned by position * frequency. Su et al., "RoFormer",
// 2021. The scalings for longer contexts and their parameters are those of transformers (modeling_rope_utils.py):
//   default, linear (Chen et al., "Extending context window of large language models via positional interpolation", 2023),
//   dynamic (NTK-aware), yarn (Peng et al., "YaRN", 2023), llama3, longrope (Ding et al., "LongRoPE", 2024).

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/message.h"
#include "models/spec/family.h"

namespace trainyard::families {

struct Rotary {
    std::string type = "default";
    double theta = 10000;
    double partial_factor = 1;    ///< share of a head's width that is turned
    double factor = 1;            ///< of the context's length
    double attention_factor = 0;  ///< of sine and cosine; 0: as the type says
    double mscale = 0, mscale_all_dim = 0;
    double beta_fast = 32, beta_slow = 1;
    bool truncate = true;
    double low_freq_factor = 1, high_freq_factor = 4;
    std::int64_t original_max_position_embeddings = 0;  ///< of defaults 0: the length of the model
    std::vector<double> short_factor, long_factor;      ///< longrope: of each frequency
    std::int64_t max_positions = 0;
};

/// What turns the first 2 * frequencies.size() elements of each head.
struct RotaryFrequencies {
    std::vector<float> frequencies;  ///< radians per position
    float attention_factor = 1;      ///< of sine and cosine
};

/// rope_parameters of a configuration. Values that are missing are those of `defaults`.
Rotary rotary_of(const ModelConfig& config, const Rotary& defaults);
/// What is wrong with them, for heads of `head_width` elements; empty: nothing.
std::vector<ConfigProblem> rotary_problems(const ModelConfig& config, const Rotary& defaults, std::int64_t head_width);
/// Of a sequence of `length` positions: dynamic and longrope depend on it.
RotaryFrequencies rotary_frequencies(const Rotary& rotary, std::int64_t head_width, std::int64_t length);

/// Names of rope_type that a family had earlier, and the present ones.
using RenamedTypes = std::vector<std::pair<std::string, std::string>>;

/// Replaces rope_scaling, rope_theta and partial_rotary_factor of transformers before version 5 by rope_parameters. As
/// in transformers rope_scaling takes precedence over rope_parameters, and a length of training beside them over one
/// in them.
void modernise_rotary(nlohmann::json& config, const Rotary& defaults, const RenamedTypes& renamed = {});

/// Removes the parameters that transformers does not read for the rope_type of a modern config.json: attn_factor of
/// yarn. Returns a sentence for each.
std::vector<Message> drop_unread_parameters(nlohmann::json& config);

}  // namespace trainyard::families
