// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/spec/gpt2/gpt2_family.h"

#include <fmt/format.h>

#include "base/error.h"
#include "models/spec/config_keys.h"
#include "models/spec/tasks.h"

namespace trainyard::families {

namespace {

std::vector<ConfigKey> gpt2_keys() {
    using namespace keys;
    return {size("vocab_size", &M::vocab_size),
            size("n_positions", &M::n_positions, {}, "max_position_embeddings"),
            size("n_embd", &M::n_embd, {}, "hidden_size"),
            size("n_layer", &M::n_layer, {}, "num_hidden_layers"),
            size("n_head", &M::n_head, {}, "num_attention_heads"),
            optional_size("n_inner", &M::n_inner, {}),
            word("activation_function", &M::activation_function),
            rate("resid_pdrop", &M::resid_pdrop),
            rate("embd_pdrop", &M::embd_pdrop),
            rate("attn_pdrop", &M::attn_pdrop),
            number("layer_norm_epsilon", &M::layer_norm_epsilon, 1, {}),
            number("initializer_range", &M::initializer_range, 10, {}, false),
            choice("scale_attn_weights", &M::scale_attn_weights),
            choice("scale_attn_by_inverse_layer_idx", &M::scale_attn_by_inverse_layer_idx),
            choice("reorder_and_upcast_attn", &M::reorder_and_upcast_attn, {}, false),
            choice("add_cross_attention", &M::add_cross_attention),
            choice("tie_word_embeddings", &M::tie_word_embeddings),
            token("bos_token_id", &M::bos_token_id),
            token("eos_token_id", &M::eos_token_id),
            token("pad_token_id", &M::pad_token_id)};
}

FamilyRow gpt2_row() {
    return {"gpt2",
            "GPT2Model",
            "transformer.",
            "lm_head.weight",
            {{kCausalLm, "GPT2LMHeadModel"}},
            gpt2_keys(),
            // Keys of GPT2DoubleHeadsModel's head; n_ctx is the size of a mask that is no longer stored.
            {"summary_type", "summary_use_proj", "summary_activation", "summary_proj_to_labels",
             "summary_first_dropout", "n_ctx", "predict_special_tokens"},
            {.no_split = {{"h.#", "GPT2Block"}},
             .classes = {{"AutoModelForSequenceClassification", "GPT2ForSequenceClassification", "score", false},
                         {"AutoModelForTokenClassification", "GPT2ForTokenClassification", "classifier"}},
             .shared = {{"transformer.wte.weight", "lm_head.weight"}}}};
}

class Gpt2Family final : public Family {
  public:
    Gpt2Family() : Family(gpt2_row()) {}
    Network network() const override { return Network::gpt2; }

    ModelConfig small() const override { return {}; }
    ModelConfig defaults() const override {
        ModelConfig config;
        config.vocab_size = 50257;
        config.n_positions = 1024;
        config.n_embd = 768;
        config.n_layer = config.n_head = 12;
        config.resid_pdrop = config.embd_pdrop = config.attn_pdrop = 0.1;
        config.bos_token_id = config.eos_token_id = 50256;
        return config;
    }

    bool same_weights(const ConfigKey& key, const ModelConfig& a, const ModelConfig& b) const override {
        if (key.name == "n_inner")
            return a.n_inner == b.n_inner || inner_width(a) == inner_width(b);
        return Family::same_weights(key, a, b);
    }

    std::vector<ConfigProblem> problems(const ModelConfig& config) const override {
        std::vector<ConfigProblem> found;
        if (config.n_head > 0 && config.n_embd % config.n_head != 0)
            found.push_back({"n_head",
                             {"n_embd"},
                             Message("n_embd ({}) must be a multiple of n_head ({})", config.n_embd, config.n_head)});
        if (config.add_cross_attention)
            found.push_back({"add_cross_attention",
                             {},
                             "blocks with cross-attention need the states of an encoder, which no data set of this "
                             "version has: set it to false"});
        check_activation("activation_function", config.activation_function, found);
        return found;
    }

    std::vector<TensorShape> tensors(const ModelConfig& config) const override {
        const std::int64_t width = config.n_embd, inner = inner_width(config);
        std::vector<TensorShape> all{
            {"transformer.wte.weight", {config.vocab_size, width}, Part::embedding, 0, config.tie_word_embeddings},
            {"transformer.wpe.weight", {config.n_positions, width}}};
        for (std::int64_t layer = 0; layer < config.n_layer; ++layer) {
            auto add = [&](const char* name, std::vector<std::int64_t> shape) {
                all.push_back({fmt::format("transformer.h.{}.{}", layer, name), std::move(shape), Part::block, layer});
            };
            auto norm = [&](const std::string& name) {
                add((name + ".weight").c_str(), {width});
                add((name + ".bias").c_str(), {width});
            };
            auto dense = [&](const std::string& name, std::int64_t in, std::int64_t out) {
                add((name + ".weight").c_str(), {in, out});
                add((name + ".bias").c_str(), {out});
            };
            norm("ln_1");
            dense("attn.c_attn", width, 3 * width);
            dense("attn.c_proj", width, width);
            norm("ln_2");
            if (config.add_cross_attention) {
                dense("crossattention.c_attn", width, 2 * width);
                dense("crossattention.q_attn", width, width);
                dense("crossattention.c_proj", width, width);
                norm("ln_cross_attn");
            }
            dense("mlp.c_fc", width, inner);
            dense("mlp.c_proj", inner, width);
        }
        all.push_back({"transformer.ln_f.weight", {width}, Part::head});
        all.push_back({"transformer.ln_f.bias", {width}, Part::head});
        if (!config.tie_word_embeddings)
            all.push_back({"lm_head.weight", {config.vocab_size, width}, Part::head});
        return all;
    }

    bool is_constant(const std::string& name) const override {
        // The causal mask and its value, which transformers stored until version 4.
        return name.ends_with(".attn.bias") || name.ends_with(".attn.masked_bias");
    }

    LayerCounts shorten(ModelConfig& config) const override { return {cut("transformer.h.", config.n_layer)}; }

    ActivationBytes activation_bytes(const ModelConfig& config, std::uint64_t product_bytes,
                                     std::int64_t /*block*/) const override {
        const auto width = static_cast<std::uint64_t>(config.n_embd),
                   inner = static_cast<std::uint64_t>(inner_width(config));
        ActivationBytes bytes;
        bytes.block_input = width * 4;
        // The inputs of both layer norms (the residual stream, fp32), and as operands of products the outputs of the
        // norms, q, k, v, the attention's output, and input and output of the activation function.
        bytes.block = 2 * width * 4 + (6 * width + 2 * inner) * product_bytes;
        // Dropout saves no mask (it is computed again), but attention with dropout saves its probabilities.
        bytes.probabilities = config.attn_pdrop > 0 ? static_cast<std::uint64_t>(config.n_head) * 4 : 0;
        bytes.outside = 3 * width * 4;
        bytes.head_input = width * product_bytes;
        bytes.in_flight = (2 * inner + 2 * width) * 4;
        return bytes;
    }
};

}  // namespace

const Family& gpt2_family() {
    static const Gpt2Family family;
    return family;
}

std::int64_t inner_width(const ModelConfig& config) {
    return config.n_inner > 0 ? config.n_inner : 4 * config.n_embd;
}

}  // namespace trainyard::families
