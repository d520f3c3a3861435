// Decoder language models: GPT-2, Llama and its relatives, GPT-NeoX, OPT, BLOOM, Falcon, Phi.

#include <fmt/format.h>

#include "base/error.h"
#include "estimate/architecture_parts.h"

namespace trainyard::estimate {

namespace {

using Config = ArchitectureConfig;

const std::vector<const char*> kLayers{"num_hidden_layers", "n_layer"};
const std::vector<const char*> kHeads{"num_attention_heads", "n_head"};
const std::vector<const char*> kWidth{"hidden_size", "n_embed"};

/// Two buffers with rotary frequencies, neither of which is saved.
void rotary(Module& model, std::int64_t head_width) {
    const std::int64_t angles = (head_width + 1) / 2;
    model.child("rotary_emb").buffer("inv_freq", {angles}).buffer("original_inv_freq", {angles});
}

double rotary_share(const Config& config, double otherwise) {
    const double share = config.table("rope_parameters").number("partial_rotary_factor", otherwise);
    return config.number("partial_rotary_factor", config.number("rotary_pct", share));
}

/// The differences between Llama and its relatives.
struct LlamaKind {
    std::string model_type, prefix;  ///< "qwen2", "Qwen2"
    std::int64_t vocabulary = 32000, width = 4096, inner = 11008, layers = 32, heads = 32;
    std::int64_t key_value_heads = 0;  ///< 0: as many as attention heads
    std::int64_t head_width = 0;       ///< 0: width / heads
    bool qkv_bias = false;             ///< whatever the configuration says
    bool head_norms = false;           ///< norms of queries and keys
    bool scaled_embedding = false;
    bool norms_around = false;  ///< norms after attention and feed-forward, too
    bool experts = false;
    bool fused = false;  ///< Phi 3: one product for queries, keys and values
    bool tied = false;
};

void llama_attention(Module& block, const Config& config, const LlamaKind& kind, std::int64_t width,
                     std::int64_t head_width, std::int64_t heads, std::int64_t key_value_heads) {
    Module& attention = block.child("self_attn");
    const std::int64_t queries = heads * head_width, keys = key_value_heads * head_width;
    if (kind.fused) {
        attention.linear("o_proj", queries, width, false);
        attention.linear("qkv_proj", width, queries + 2 * keys, false);
        return;
    }
    const bool takes_bias = !kind.qkv_bias && !kind.experts && kind.model_type != "mistral";
    const bool bias = takes_bias && config.truth("attention_bias", false);
    attention.linear("q_proj", width, queries, bias || kind.qkv_bias);
    attention.linear("k_proj", width, keys, bias || kind.qkv_bias);
    attention.linear("v_proj", width, keys, bias || kind.qkv_bias);
    attention.linear("o_proj", queries, width, bias);
    if (kind.head_norms) {
        attention.norm("q_norm", head_width, false);
        attention.norm("k_norm", head_width, false);
    }
}

void llama_feed_forward(Module& block, const Config& config, const LlamaKind& kind, std::int64_t width) {
    const std::int64_t inner = config.whole("intermediate_size", kind.inner);
    Module& mlp = block.child("mlp");
    if (kind.experts) {
        const std::int64_t experts = config.whole({"num_local_experts", "num_experts"}, 8);
        mlp.child("gate").parameter("weight", {experts, width});
        mlp.child("experts")
            .parameter("gate_up_proj", {experts, 2 * inner, width})
            .parameter("down_proj", {experts, width, inner});
        return;
    }
    const bool bias = kind.model_type == "llama" && config.truth("mlp_bias", false);
    if (kind.fused) {
        mlp.linear("gate_up_proj", width, 2 * inner, false);
    } else {
        mlp.linear("gate_proj", width, inner, bias);
        mlp.linear("up_proj", width, inner, bias);
    }
    mlp.linear("down_proj", inner, width, bias);
}

void llama_model(Module& model, const Config& config, const LlamaKind& kind) {
    const std::int64_t width = config.whole("hidden_size", kind.width), heads = config.whole(kHeads, kind.heads),
                       vocabulary = config.whole("vocab_size", kind.vocabulary);
    const std::int64_t stated = kind.key_value_heads == 0 ? heads : kind.key_value_heads;
    const std::int64_t key_value_heads = config.whole("num_key_value_heads", stated);
    const std::int64_t head_width = config.whole("head_dim", kind.head_width == 0 ? width / heads : kind.head_width);
    model.embedding("embed_tokens", vocabulary, width);
    if (kind.scaled_embedding)
        model.children.back().buffer("embed_scale", {});
    Module& block = model.child("layers").layers(config.whole(kLayers, kind.layers, 0), kind.prefix + "DecoderLayer");
    llama_attention(block, config, kind, width, head_width, heads, key_value_heads);
    llama_feed_forward(block, config, kind, width);
    block.norm("input_layernorm", width, false);
    block.norm("post_attention_layernorm", width, false);
    if (kind.norms_around) {
        block.norm("pre_feedforward_layernorm", width, false);
        block.norm("post_feedforward_layernorm", width, false);
    }
    model.norm("norm", width, false);
    rotary(model, kind.fused ? static_cast<std::int64_t>(static_cast<double>(head_width) * rotary_share(config, 1))
                             : head_width);
}

/// The classes with heads around a model called `inner`: language model, sequence and token classification.
Architecture with_heads(std::string model_type, const std::string& prefix, const std::string& inner,
                        std::set<std::string> no_split, const Build& base, const std::string& table,
                        std::int64_t vocabulary, const std::function<std::int64_t(const Config&)>& width,
                        bool head_bias = false) {
    Architecture made{std::move(model_type), std::move(no_split), false, {}};
    auto around = [inner, base](Module& model, const Config& config) { base(model.child(inner), config); };
    made.heads["AutoModel"] = {prefix + "Model", base};
    made.heads["AutoModelForCausalLM"] = {prefix + "ForCausalLM",
                                          [=](Module& model, const Config& config) {
                                              around(model, config);
                                              model.linear("lm_head", width(config),
                                                           config.whole("vocab_size", vocabulary), head_bias);
                                          },
                                          {{"lm_head.weight", inner + "." + table + ".weight"}}};
    made.heads["AutoModelForSequenceClassification"] = {
        prefix + "ForSequenceClassification", [=](Module& model, const Config& config) {
            around(model, config);
            model.linear("score", width(config), config.labels(), false);
        }};
    // The families that share transformers' general class call the product score.
    const std::string labels = inner == "model" ? "score" : "classifier";
    made.heads["AutoModelForTokenClassification"] = {prefix + "ForTokenClassification",
                                                     [=](Module& model, const Config& config) {
                                                         around(model, config);
                                                         model.linear(labels, width(config), config.labels());
                                                     }};
    return made;
}

Architecture llama_like(const LlamaKind& kind) {
    Architecture made = with_heads(
        kind.model_type, kind.prefix, "model", {kind.prefix + "DecoderLayer"},
        [kind](Module& model, const Config& config) { llama_model(model, config, kind); }, "embed_tokens",
        kind.vocabulary, [kind](const Config& config) { return config.whole("hidden_size", kind.width); });
    made.tie_word_embeddings = kind.tied;
    return made;
}

void phi_model(Module& model, const Config& config) {
    const std::int64_t width = config.whole("hidden_size", 2048), heads = config.whole(kHeads, 32),
                       head_width = width / heads, inner = config.whole("intermediate_size", 8192),
                       keys = config.whole("num_key_value_heads", heads) * head_width;
    model.embedding("embed_tokens", config.whole("vocab_size", 51200), width);
    Module& block = model.child("layers").layers(config.whole(kLayers, 24, 0), "PhiDecoderLayer");
    Module& attention = block.child("self_attn");
    attention.linear("q_proj", width, heads * head_width);
    attention.linear("k_proj", width, keys);
    attention.linear("v_proj", width, keys);
    attention.linear("dense", heads * head_width, width);
    if (config.truth("qk_layernorm", false)) {
        attention.norm("q_layernorm", head_width);
        attention.norm("k_layernorm", head_width);
    }
    Module& mlp = block.child("mlp");
    mlp.linear("fc1", width, inner);
    mlp.linear("fc2", inner, width);
    block.norm("input_layernorm", width);
    rotary(model, static_cast<std::int64_t>(static_cast<double>(head_width) * rotary_share(config, 0.5)));
    model.norm("final_layernorm", width);
}

/// GPT-NeoX and BLOOM: one product for queries, keys and values.
void fused_attention(Module& block, const char* attention_name, std::int64_t width, bool attention_bias) {
    Module& attention = block.child(attention_name);
    attention.linear("query_key_value", width, 3 * width, attention_bias);
    attention.linear("dense", width, width, attention_bias);
}

void mlp_4h(Module& block, std::int64_t width, std::int64_t inner, bool bias) {
    Module& mlp = block.child("mlp");
    mlp.linear("dense_h_to_4h", width, inner, bias);
    mlp.linear("dense_4h_to_h", inner, width, bias);
}

void neox_model(Module& model, const Config& config) {
    const std::int64_t width = config.whole("hidden_size", 6144), heads = config.whole(kHeads, 64),
                       inner = config.whole("intermediate_size", 24576);
    model.embedding("embed_in", config.whole("vocab_size", 50432), width);
    Module& block = model.child("layers").layers(config.whole(kLayers, 44, 0), "GPTNeoXLayer");
    block.norm("input_layernorm", width);
    block.norm("post_attention_layernorm", width);
    fused_attention(block, "attention", width, config.truth("attention_bias", true));
    mlp_4h(block, width, inner, true);
    model.norm("final_layer_norm", width);
    rotary(model, static_cast<std::int64_t>(static_cast<double>(width / heads) * rotary_share(config, 0.25)));
}

void bloom_model(Module& model, const Config& config) {
    const std::int64_t width = config.whole(kWidth, 64);
    model.embedding("word_embeddings", config.whole("vocab_size", 250880), width);
    model.norm("word_embeddings_layernorm", width);
    Module& block = model.child("h").layers(config.whole(kLayers, 2, 0), "BloomBlock");
    block.norm("input_layernorm", width);
    fused_attention(block, "self_attention", width, true);
    block.norm("post_attention_layernorm", width);
    mlp_4h(block, width, 4 * width, true);
    model.norm("ln_f", width);
}

void falcon_model(Module& model, const Config& config) {
    const std::int64_t width = config.whole(kWidth, 4544), heads = config.whole(kHeads, 71), head_width = width / heads;
    const bool newer = config.truth("new_decoder_architecture", false), bias = config.truth("bias", false),
               multi_query = config.truth("multi_query", true);
    const std::int64_t key_value_heads = config.whole("num_kv_heads", heads),
                       queries_keys_values = newer         ? (key_value_heads * 2 + heads) * head_width
                                             : multi_query ? width + 2 * head_width
                                                           : 3 * width,
                       inner = config.whole("ffn_hidden_size", 4 * width);
    model.embedding("word_embeddings", config.whole("vocab_size", 65024), width);
    Module& block = model.child("h").layers(config.whole(kLayers, 32, 0), "FalconDecoderLayer");
    Module& attention = block.child("self_attention");
    attention.linear("query_key_value", width, queries_keys_values, bias);
    attention.linear("dense", width, width, bias);
    mlp_4h(block, width, inner, bias);
    if (!config.truth("parallel_attn", true)) {
        block.norm("post_attention_layernorm", width);
        block.norm("input_layernorm", width);
    } else if (config.whole("num_ln_in_parallel_attn", newer ? 2 : 1) == 2) {
        block.norm("ln_attn", width);
        block.norm("ln_mlp", width);
    } else {
        block.norm("input_layernorm", width);
    }
    model.norm("ln_f", width);
    rotary(model, head_width);  // also with ALiBi
}

void opt_model(Module& model, const Config& config) {
    const std::int64_t width = config.whole("hidden_size", 768), inner = config.whole("ffn_dim", 3072),
                       projected = config.whole("word_embed_proj_dim", width);
    const bool bias = config.truth("enable_bias", true), first = config.truth("do_layer_norm_before", true),
               affine = config.truth("layer_norm_elementwise_affine", true);
    auto norm = [&](Module& in, const char* name) {
        if (affine)
            in.norm(name, width);
        else
            in.child(name);
    };
    Module& decoder = model.child("decoder");
    decoder.embedding("embed_tokens", config.whole("vocab_size", 50272), projected);
    decoder.embedding("embed_positions", config.whole("max_position_embeddings", 2048) + 2, width);
    if (projected != width) {
        decoder.linear("project_out", width, projected, false);
        decoder.linear("project_in", projected, width, false);
    }
    if (first && !config.truth("_remove_final_layer_norm", false))
        norm(decoder, "final_layer_norm");
    Module& block = decoder.child("layers").layers(config.whole(kLayers, 12, 0), "OPTDecoderLayer");
    Module& attention = block.child("self_attn");
    for (const char* name : {"k_proj", "v_proj", "q_proj", "out_proj"})
        attention.linear(name, width, width, bias);
    norm(block, "self_attn_layer_norm");
    block.linear("fc1", width, inner, bias);
    block.linear("fc2", inner, width, bias);
    norm(block, "final_layer_norm");
}

/// Conv1D: the weight is transposed.
void conv1d(Module& parent, const char* name, std::int64_t in, std::int64_t out) {
    parent.child(name).parameter("weight", {in, out}).parameter("bias", {out});
}

void gpt2_model(Module& model, const Config& config) {
    const std::int64_t width = config.whole({"n_embd", "hidden_size"}, 768), heads = config.whole(kHeads, 12),
                       inner = config.whole("n_inner", 4 * width);
    if (width % heads != 0)
        config.fail("n_embd", Message("{} must be a multiple of n_head, which is {}", width, heads));
    model.embedding("wte", config.whole("vocab_size", 50257), width);
    model.embedding("wpe", config.whole({"n_positions", "max_position_embeddings"}, 1024), width);
    Module& block = model.child("h").layers(config.whole({"n_layer", "num_hidden_layers"}, 12, 0), "GPT2Block");
    block.norm("ln_1", width);
    Module& attention = block.child("attn");
    conv1d(attention, "c_attn", width, 3 * width);
    conv1d(attention, "c_proj", width, width);
    block.norm("ln_2", width);
    if (config.truth("add_cross_attention", false)) {
        Module& cross = block.child("crossattention");
        conv1d(cross, "c_attn", width, 2 * width);
        conv1d(cross, "q_attn", width, width);
        conv1d(cross, "c_proj", width, width);
        block.norm("ln_cross_attn", width);
    }
    Module& mlp = block.child("mlp");
    conv1d(mlp, "c_fc", width, inner);
    conv1d(mlp, "c_proj", inner, width);
    model.norm("ln_f", width);
}

std::function<std::int64_t(const Config&)> width_of(std::int64_t otherwise) {
    return [otherwise](const Config& config) { return config.whole(kWidth, otherwise); };
}

Architecture tied(Architecture architecture) {
    architecture.tie_word_embeddings = true;
    return architecture;
}

}  // namespace

std::vector<Architecture> decoder_architectures() {
    std::vector<Architecture> made;
    for (const LlamaKind& kind : std::vector<LlamaKind>{
             {.model_type = "llama", .prefix = "Llama"},
             {.model_type = "mistral", .prefix = "Mistral", .inner = 14336, .key_value_heads = 8},
             {.model_type = "mixtral", .prefix = "Mixtral", .inner = 14336, .key_value_heads = 8, .experts = true},
             {.model_type = "qwen2",
             .prefix = "Qwen2",
             .vocabulary = 151936,
             .inner = 22016,
             .key_value_heads = 32,
             .qkv_bias = true},
             {.model_type = "qwen3",
             .prefix = "Qwen3",
             .vocabulary = 151936,
             .inner = 22016,
             .key_value_heads = 32,
             .head_width = 128,
             .head_norms = true},
             {.model_type = "phi3", .prefix = "Phi3", .vocabulary = 32064, .width = 3072, .inner = 8192, .fused = true},
             {.model_type = "gemma",
             .prefix = "Gemma",
             .vocabulary = 256000,
             .width = 3072,
             .inner = 24576,
             .layers = 28,
             .heads = 16,
             .key_value_heads = 16,
             .head_width = 256,
             .scaled_embedding = true,
             .tied = true},
             {.model_type = "gemma2",
             .prefix = "Gemma2",
             .vocabulary = 256000,
             .width = 2304,
             .inner = 9216,
             .layers = 26,
             .heads = 8,
             .key_value_heads = 4,
             .head_width = 256,
             .scaled_embedding = true,
             .norms_around = true,
             .tied = true}})
        made.push_back(llama_like(kind));
    made.push_back(tied(
        with_heads("gpt2", "GPT2", "transformer", {"GPT2Block"}, gpt2_model, "wte", 50257, [](const Config& config) {
            return config.whole({"n_embd", "hidden_size"}, 768);
        })));
    made.back().heads["AutoModelForCausalLM"].model_class = "GPT2LMHeadModel";
    made.push_back(
        with_heads("phi", "Phi", "model", {"PhiDecoderLayer"}, phi_model, "embed_tokens", 51200, width_of(2048), true));
    made.push_back(
        with_heads("gpt_neox", "GPTNeoX", "gpt_neox", {"GPTNeoXLayer"}, neox_model, "embed_in", 50432, width_of(6144)));
    made.push_back(tied(with_heads("bloom", "Bloom", "transformer", {"BloomBlock"}, bloom_model, "word_embeddings",
                                   250880, width_of(64))));
    made.push_back(tied(with_heads("falcon", "Falcon", "transformer", {"FalconDecoderLayer"}, falcon_model,
                                   "word_embeddings", 65024, width_of(4544))));
    made.push_back(tied(with_heads(
        "opt", "OPT", "model", {"OPTDecoderLayer"}, opt_model, "decoder.embed_tokens", 50272,
        [](const Config& config) { return config.whole("word_embed_proj_dim", config.whole("hidden_size", 768)); })));
    made.back().heads.erase("AutoModelForTokenClassification");  // there is no such class
    return made;
}

}  // namespace trainyard::estimate
