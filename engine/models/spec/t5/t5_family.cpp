// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/spec/t5/t5_family.h"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "models/spec/config_keys.h"
#include "models/spec/tasks.h"

namespace trainyard::families {

namespace {

using M = ModelConfig;

FamilyRow t5_row() {
    return {"t5",
            "T5Model",
            "",
            "lm_head.weight",
            {{kSeq2SeqLm, "T5ForConditionalGeneration"}},
            {keys::size("vocab_size", &M::vocab_size),
             keys::size("d_model", &M::n_embd, "Width of the hidden states.", "hidden_size"),
             keys::size("d_kv", &M::head_dim, "Width of a head.", "head_dim"),
             keys::size("d_ff", &M::n_inner, "Width inside the feed-forward layers."),
             keys::size("num_layers", &M::n_layer, "Blocks of the encoder.", "num_hidden_layers"),
             keys::optional_size("num_decoder_layers", &M::num_decoder_layers,
                                 "Blocks of the decoder; 0: as many as the encoder's."),
             keys::size("num_heads", &M::n_head, "Attention heads of each block.", "num_attention_heads"),
             keys::size("relative_attention_num_buckets", &M::relative_attention_num_buckets,
                        "Classes of distances between positions."),
             keys::size("relative_attention_max_distance", &M::relative_attention_max_distance,
                        "Distance from which on all are of one class."),
             keys::rate("dropout_rate", &M::resid_pdrop, "Dropout of all layers and of attention weights."),
             keys::number("layer_norm_epsilon", &M::layer_norm_epsilon, 1, ""),
             keys::number("initializer_factor", &M::initializer_factor, 1000, "Factor of the initial weights.", false),
             keys::word("feed_forward_proj", &M::feed_forward_proj,
                        "Function of the feed-forward layers, such as relu; gated-gelu: with a gate, as T5 1.1."),
             keys::choice("tie_word_embeddings", &M::tie_word_embeddings),
             keys::choice("scale_decoder_outputs", &M::scale_decoder_outputs,
                          "Hidden states are divided by the square root of d_model before the head."),
             keys::token("decoder_start_token_id", &M::decoder_start_token_id, "Token that begins what is written."),
             keys::token("eos_token_id", &M::eos_token_id), keys::token("pad_token_id", &M::pad_token_id)},
            {"dense_act_fn", "is_gated_act", "classifier_dropout", "n_positions", "output_past"},
            {.no_split = {{"block.#", "T5Block"}},
             .shared = {{"shared.weight", "encoder.embed_tokens.weight", false},
                        {"shared.weight", "decoder.embed_tokens.weight", false},
                        {"shared.weight", "lm_head.weight"}}},
            {{"is_encoder_decoder", "true"}, {"is_decoder", "false"}}};
}

class T5Family final : public Family {
  public:
    T5Family() : Family(t5_row()) {}
    Network network() const override { return Network::t5; }

    ModelConfig defaults() const override {
        ModelConfig config;
        config.model_type = "t5";
        config.task = kSeq2SeqLm;
        config.vocab_size = 32128;
        config.n_embd = 512;
        config.head_dim = 64;
        config.n_inner = 2048;
        config.n_layer = 6;
        config.n_head = 8;
        config.resid_pdrop = 0.1;
        config.layer_norm_epsilon = 1e-6;
        config.pad_token_id = 0;
        config.eos_token_id = 1;
        return config;
    }
    ModelConfig small() const override {
        const ModelConfig sizes;
        ModelConfig config = defaults();
        config.vocab_size = sizes.vocab_size;
        config.n_embd = sizes.n_embd;
        config.head_dim = sizes.n_embd / sizes.n_head;
        config.n_inner = 4 * sizes.n_embd;
        config.n_layer = 2;
        config.n_head = sizes.n_head;
        config.resid_pdrop = 0;
        return config;
    }
    ModelConfig resolved(const ModelConfig& config) const override {
        ModelConfig made = config;
        made.num_decoder_layers = t5_decoder_layers(config);
        return made;
    }

    void modernise(nlohmann::json& config) const override {
        // Before version 5 an untied head meant that hidden states are not scaled.
        if (!config.contains("scale_decoder_outputs") && config.contains("tie_word_embeddings") &&
            config["tie_word_embeddings"] == false)
            config["scale_decoder_outputs"] = false;
    }
    bool head_is_as_stored() const override { return true; }

    std::vector<ConfigProblem> problems(const ModelConfig& config) const override {
        std::vector<ConfigProblem> found;
        if (!t5_feed_forward(config).known)
            found.push_back({"feed_forward_proj",
                             {},
                             Message("'{}' is not known: give an activation function, or gated- and one, "
                                     "such as gated-gelu",
                                     config.feed_forward_proj)});
        if (config.relative_attention_num_buckets < 4 || config.relative_attention_num_buckets % 4 != 0)
            found.push_back({"relative_attention_num_buckets", {}, "must be a multiple of 4"});
        if (config.relative_attention_max_distance <= config.relative_attention_num_buckets / 2)
            found.push_back({"relative_attention_max_distance",
                             {"relative_attention_num_buckets"},
                             Message("must be more than half of relative_attention_num_buckets ({})",
                                     config.relative_attention_num_buckets)});
        return found;
    }

    std::vector<TensorShape> tensors(const ModelConfig& config) const override {
        std::vector<TensorShape> all;
        const std::int64_t width = config.n_embd, inner = config.n_inner, heads = config.n_head * config.head_dim;
        const double factor = config.initializer_factor, by_width = factor / std::sqrt(static_cast<double>(width));
        Part part = Part::embedding;
        std::int64_t block = 0;
        auto add = [&](const std::string& name, std::vector<std::int64_t> shape, double deviation) {
            all.push_back({name + ".weight", std::move(shape), part, block, false, {Start::Kind::normal, deviation}});
        };
        auto norm = [&](const std::string& name) {
            all.push_back({name + ".weight", {width}, part, block, false, {Start::Kind::ones, 0}});
        };
        auto attention = [&](const std::string& name, bool with_bias) {
            add(name + ".q", {heads, width}, by_width / std::sqrt(static_cast<double>(config.head_dim)));
            add(name + ".k", {heads, width}, by_width);
            add(name + ".v", {heads, width}, by_width);
            add(name + ".o", {width, heads}, factor / std::sqrt(static_cast<double>(heads)));
            if (with_bias)
                add(name + ".relative_attention_bias", {config.relative_attention_num_buckets, config.n_head},
                    by_width);
        };
        auto feed_forward = [&](const std::string& name) {
            if (t5_feed_forward(config).gated) {
                add(name + ".wi_0", {inner, width}, by_width);
                add(name + ".wi_1", {inner, width}, by_width);
            } else {
                add(name + ".wi", {inner, width}, by_width);
            }
            add(name + ".wo", {width, inner}, factor / std::sqrt(static_cast<double>(inner)));
        };
        add("shared", {config.vocab_size, width}, factor);
        all.back().tied_to_head = true;  // the decoder begins with it, too
        part = Part::block;
        for (std::int64_t layer = 0; layer < config.n_layer; ++layer, ++block) {
            const std::string name = fmt::format("encoder.block.{}.layer.", layer);
            attention(name + "0.SelfAttention", layer == 0);
            norm(name + "0.layer_norm");
            feed_forward(name + "1.DenseReluDense");
            norm(name + "1.layer_norm");
        }
        norm("encoder.final_layer_norm");  // with the decoder's embedding a unit between the stacks
        ++block;
        for (std::int64_t layer = 0; layer < t5_decoder_layers(config); ++layer, ++block) {
            const std::string name = fmt::format("decoder.block.{}.layer.", layer);
            attention(name + "0.SelfAttention", layer == 0);
            norm(name + "0.layer_norm");
            attention(name + "1.EncDecAttention", false);
            norm(name + "1.layer_norm");
            feed_forward(name + "2.DenseReluDense");
            norm(name + "2.layer_norm");
        }
        part = Part::head;
        block = 0;
        norm("decoder.final_layer_norm");
        if (!config.tie_word_embeddings)
            add("lm_head", {config.vocab_size, width}, factor);
        return all;
    }

    std::vector<double> block_costs(const ModelConfig& config, const SampleSize& size) const override {
        std::vector<double> costs = Family::block_costs(config, size);
        costs.erase(costs.begin() + config.n_layer);  // the unit between the stacks
        return costs;
    }

    LayerCounts shorten(ModelConfig& config) const override {
        config.num_decoder_layers = t5_decoder_layers(config);
        return {cut("encoder.block.", config.n_layer), cut("decoder.block.", config.num_decoder_layers)};
    }

  protected:
    std::int64_t attention_width(const ModelConfig& config) const override { return config.n_head * config.head_dim; }
    double attention_pairs(const ModelConfig& config, const SampleSize& size, std::int64_t block) const override {
        return block < config.n_layer ? size.tokens * size.tokens
                                      : size.target_tokens * (size.target_tokens + size.tokens);
    }
    double rows(const ModelConfig& config, const SampleSize& size, const TensorShape& tensor) const override {
        if (tensor.name.ends_with("relative_attention_bias.weight"))
            return 0;  // a table
        if (tensor.part == Part::block && tensor.block < config.n_layer)
            return size.tokens;
        const bool of_encoder =
            tensor.name.ends_with("EncDecAttention.k.weight") || tensor.name.ends_with("EncDecAttention.v.weight");
        return of_encoder ? size.tokens : size.target_tokens;
    }
};

}  // namespace

const Family& t5_family() {
    static const T5Family family;
    return family;
}

T5FeedForward t5_feed_forward(const ModelConfig& config) {
    T5FeedForward made;
    std::string name = config.feed_forward_proj;
    made.gated = name.starts_with("gated-");
    if (made.gated)
        name = name.substr(6);
    if (made.gated && name == "gelu")  // T5 1.1 means the tanh approximation
        name = "gelu_new";
    const auto known = activation_of(name);
    made.known = known.has_value();
    made.activation = known.value_or(Activation::relu);
    return made;
}

std::int64_t t5_decoder_layers(const ModelConfig& config) {
    return config.num_decoder_layers > 0 ? config.num_decoder_layers : config.n_layer;
}

}  // namespace trainyard::families
