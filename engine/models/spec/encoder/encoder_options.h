// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// An encoder as options: what tells BERT, RoBERTa, DistilBERT and ViT apart, and the heads of their tasks.
// encoder_family.cpp makes the options of a configuration, encoder_network.cpp computes what they say.

#include <cstdint>
#include <string>
#include <vector>

#include "models/spec/activation.h"
#include "models/spec/family.h"

namespace trainyard::families {

struct EncoderNames {
    std::string token_table = {}, position_table = {}, type_table = {},
                table_norm = {};                          ///< text; a name that is empty is not there
    std::string class_token = {}, patch_projection = {};  ///< images
    std::string blocks = {}, query = {}, key = {}, value = {}, attention_output = {}, norm_1 = {}, up = {}, down = {},
                norm_2 = {};
    std::string final_norm = {};
};

/// The head of a task: [dropout], dense, activation, [dropout], output. Names that are empty are not there.
struct EncoderHead {
    enum class Input { every_token, first_token, mean };
    enum class Act { of_model, gelu, tanh, relu };
    std::string task = {}, architecture = {};
    Input input = Input::every_token;
    std::string dense = {};
    Act act = Act::of_model;
    std::string norm = {};    ///< behind the activation
    std::string output = {};  ///< the classifier; of a language model the vocabulary's weight, if it is not tied
    std::string bias = {};    ///< of the vocabulary
    std::string unused = {};  ///< a dense layer that is stored and does not take part
    bool drops_input = false, drops_output = false;
};

struct EncoderOptions {
    EncoderNames names;
    EncoderHead head;
    bool pre_norm = false;  ///< norms are in front of attention and feed-forward; false: behind the residual sums
    bool lists_norms_first = false;  ///< with pre_norm: tensors of a norm precede those of what follows it
    double epsilon = 1e-12;
    std::int64_t vocabulary = 0, positions = 0, types = 0, layers = 0, width = 0, inner = 0, heads = 0;
    std::int64_t first_position = -1;  ///< tokens other than padding are counted from here on; -1: all, from 0
    std::int64_t padding = -1;         ///< token id
    bool query_bias = true;
    Activation activation = Activation::gelu;
    double deviation = 0.02, attention_dropout = 0, hidden_dropout = 0, head_dropout = 0;
    bool tied_head = true;
    std::int64_t labels = 2;
    std::string problem;  ///< the loss: one of labels.h, or of a plug-in
    std::int64_t image_size = 0, patch_size = 0, channels = 0;
    std::int64_t image_width = 0, patch_width = 0;
    std::int64_t patches() const { return (image_size / patch_size) * (image_width / patch_width); }
};

/// `config` must be of a family with this network.
EncoderOptions encoder_options(const ModelConfig& config);
/// Tokens that a model of any family sees at once: RoBERTa numbers its positions from the one after the padding's, and
/// has fewer than max_position_embeddings.
std::int64_t most_tokens(const ModelConfig& config);
/// BERT, RoBERTa, DistilBERT, Megatron-BERT, ViT.
const std::vector<const Family*>& encoder_families();

}  // namespace trainyard::families
