// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Models of every family at a size that a bench can afford.

#include <cstdint>
#include <string>
#include <vector>

#include "models/spec/family.h"
#include "models/spec/tasks.h"

namespace trainyard::bench {

inline constexpr std::int64_t kMiniSequence = 128, kMiniImage = 64;

struct MiniModel {
    std::string family, task;
};

inline const std::vector<MiniModel>& mini_models() {
    static const std::vector<MiniModel> models{{"gpt2", families::kCausalLm},
                                               {"llama", families::kCausalLm},
                                               {"mistral", families::kCausalLm},
                                               {"qwen2", families::kCausalLm},
                                               {"qwen3", families::kCausalLm},
                                               {"phi3", families::kCausalLm},
                                               {"gemma2", families::kCausalLm},
                                               {"mixtral", families::kCausalLm},
                                               {"gpt_neox", families::kCausalLm},
                                               {"opt", families::kCausalLm},
                                               {"bert", families::kSequenceClassification},
                                               {"roberta", families::kSequenceClassification},
                                               {"distilbert", families::kSequenceClassification},
                                               {"t5", families::kSeq2SeqLm},
                                               {"vit", families::kImageClassification},
                                               {"resnet", families::kImageClassification}};
    return models;
}

inline families::ModelConfig mini(const MiniModel& what) {
    families::ModelConfig config = families::family_of(what.family).small();
    config.task = what.task;
    config.vocab_size = 4096;
    config.n_positions = 2 * kMiniSequence;
    config.n_embd = 256;
    config.n_head = 4;
    config.n_layer = 4;
    config.n_inner = 768;
    if (config.head_dim > 0)
        config.head_dim = 64;
    if (config.num_key_value_heads > 0)
        config.num_key_value_heads = 2;
    config.query_pre_attn_scalar = 64;
    if (what.family == "gemma2")
        config.sliding_window = kMiniSequence;  // transformers cannot do without one
    config.image_size = kMiniImage;
    config.patch_size = 8;
    config.embedding_size = 32;
    config.hidden_sizes.text = what.family == "resnet" ? "[64,128]" : config.hidden_sizes.text;
    return config;
}

}  // namespace trainyard::bench
