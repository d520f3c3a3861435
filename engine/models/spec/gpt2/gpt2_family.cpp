#include "models/spec/gpt2/gpt2_family.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/text.h"
#include "models/spec/activation.h"
#include "models/spec/config_keys.h"
#include "models/spec/tasks.h"

namespace trainyard::families {

namespace {

std::vector<ConfigKey> make_gpt2_keys() {
    using namespace keys;
    auto choice = [](const char* name, bool M::*member, bool of_weights) {
        return keys::choice(name, member, {}, of_weights);
    };
    auto size = [](const char* name, std::int64_t M::*member, const char* alias = "") {
        return keys::size(name, member, {}, alias);
    };
    ConfigKey inner = size("n_inner", &M::n_inner);
    inner.null = 0;
    return {
        size("vocab_size", &M::vocab_size),
        size("n_positions", &M::n_positions, "max_position_embeddings"),
        size("n_embd", &M::n_embd, "hidden_size"),
        size("n_layer", &M::n_layer, "num_hidden_layers"),
        size("n_head", &M::n_head, "num_attention_heads"),
        inner,
        ConfigKey{.name = "activation_function", .member = &M::activation_function, .of_weights = true},
        rate("resid_pdrop", &M::resid_pdrop),
        rate("embd_pdrop", &M::embd_pdrop),
        rate("attn_pdrop", &M::attn_pdrop),
        ConfigKey{
            .name = "layer_norm_epsilon", .member = &M::layer_norm_epsilon, .of_weights = true, .least = 0, .most = 1},
        ConfigKey{.name = "initializer_range", .member = &M::initializer_range, .least = 0, .most = 10},
        choice("scale_attn_weights", &M::scale_attn_weights, true),
        choice("scale_attn_by_inverse_layer_idx", &M::scale_attn_by_inverse_layer_idx, true),
        choice("reorder_and_upcast_attn", &M::reorder_and_upcast_attn, false),
        choice("add_cross_attention", &M::add_cross_attention, true),
        choice("tie_word_embeddings", &M::tie_word_embeddings, true),
        token("bos_token_id", &M::bos_token_id),
        token("eos_token_id", &M::eos_token_id),
        token("pad_token_id", &M::pad_token_id)};
}

class Gpt2Family final : public Family {
  public:
    std::string model_type() const override { return "gpt2"; }
    const std::vector<TaskClass>& tasks() const override {
        static const std::vector<TaskClass> tasks{{kCausalLm, "GPT2LMHeadModel"}};
        return tasks;
    }
    ModelConfig small() const override { return {}; }
    std::string base_architecture() const override { return "GPT2Model"; }
    std::string head_name() const override { return "lm_head.weight"; }
    std::string base_prefix() const override { return "transformer."; }

    const std::vector<ConfigKey>& keys() const override {
        static const std::vector<ConfigKey> keys = make_gpt2_keys();
        return keys;
    }

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

    const std::vector<std::string>& keys_without_effect() const override {
        // Keys of GPT2DoubleHeadsModel's head; n_ctx is the size of a mask that is no longer stored.
        static const std::vector<std::string> keys{"summary_type",          "summary_use_proj",
                                                   "summary_activation",    "summary_proj_to_labels",
                                                   "summary_first_dropout", "n_ctx",
                                                   "predict_special_tokens"};
        return keys;
    }

    bool same_weights(const ConfigKey& key, const ModelConfig& a, const ModelConfig& b) const override {
        if (key.name == "n_inner")
            return a.n_inner == b.n_inner || inner_width(a) == inner_width(b);
        if (key.name == "activation_function" && activation_of(a.activation_function))
            return activation_of(a.activation_function) == activation_of(b.activation_function);
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
        const std::string& name = config.activation_function;
        if (name == "prelu" || name == "xielu")
            found.push_back({"activation_function",
                             {},
                             Message("{} has trained parameters of its own, which this version does not have: take "
                                     "another one, e.g. gelu_new",
                                     name)});
        else if (!activation_of(name))
            found.push_back({"activation_function",
                             {},
                             Message("'{}' is not known{}", name, text::did_you_mean(name, activation_names()))});
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

    std::vector<double> block_costs(const ModelConfig& config, const SampleSize& size) const override {
        std::vector<double> costs(
            static_cast<std::size_t>(config.n_layer),
            size.tokens * (block_products(config) + 2 * static_cast<double>(config.n_embd) * size.tokens));
        if (!costs.empty())
            costs.back() += size.tokens * head_products(config);
        return costs;
    }

    ActivationBytes activation_bytes(const ModelConfig& config, std::uint64_t product_bytes) const override {
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

  private:
    /// Multiplications with the weights of one block, per token.
    static double block_products(const ModelConfig& config) {
        const auto width = static_cast<double>(config.n_embd);
        return 4 * width * width + 2 * width * static_cast<double>(inner_width(config));
    }
    static double head_products(const ModelConfig& config) {
        return static_cast<double>(config.n_embd) * static_cast<double>(config.vocab_size);
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
