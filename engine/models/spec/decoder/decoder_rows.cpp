// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/spec/decoder/decoder_rows.h"

#include <cmath>

#include <nlohmann/json.hpp>

#include "base/json.h"
#include "base/json_writer.h"
#include "models/spec/config_file.h"
#include "models/spec/config_keys.h"
#include "models/spec/tasks.h"

namespace trainyard::families {

namespace {

constexpr double kUsualAlibi = 8;

using M = ModelConfig;
using Options = DecoderOptions;
using Kind = DecoderModule;

// --- keys
// -------------------------------------------------------------------------------------------------------------

/// Those of all rows, under the names of Llama.
std::vector<ConfigKey> sizes(const std::string& inner = "intermediate_size") {
    return {keys::size("vocab_size", &M::vocab_size),
            keys::size("max_position_embeddings", &M::n_positions, "Longest sequence the model can take, in tokens.",
                       "n_positions"),
            keys::size("hidden_size", &M::n_embd, "Width of the hidden states.", "n_embd"),
            keys::size(inner, &M::n_inner, "Width inside the feed-forward layers."),
            keys::size("num_hidden_layers", &M::n_layer, "Number of transformer blocks.", "n_layer"),
            keys::size("num_attention_heads", &M::n_head, "Attention heads of each block.", "n_head")};
}

std::vector<ConfigKey> with(std::vector<ConfigKey> all, std::vector<ConfigKey> more) {
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

ConfigKey act(const char* name = "hidden_act") {
    return keys::word(name, &M::activation_function,
                      "Function of the feed-forward layers, by its name in transformers.");
}
ConfigKey rms_epsilon() {
    return keys::number("rms_norm_eps", &M::layer_norm_epsilon, 1, "Added to the mean square in norms.");
}
ConfigKey layer_epsilon(const char* name = "layer_norm_epsilon") {
    return keys::number(name, &M::layer_norm_epsilon, 1, "Added to the variance in layer norms.");
}
ConfigKey deviation(const char* name = "initializer_range") {
    return keys::number(name, &M::initializer_range, 10, "Standard deviation of the initial weights.", false);
}
ConfigKey tied() {
    return keys::choice("tie_word_embeddings", &M::tie_word_embeddings,
                        "The output layer uses the table of the token embedding.");
}
ConfigKey rope() {
    return keys::table("rope_parameters", &M::rope_parameters,
                       "Rotary positions: {rope_type: default, rope_theta: 10000.0}; other types are linear, dynamic, "
                       "yarn, llama3 and longrope, with their parameters.");
}
ConfigKey attention_dropout() {
    return keys::rate("attention_dropout", &M::attn_pdrop, "Dropout of the attention weights.");
}
ConfigKey key_value_heads() {
    return keys::optional_size("num_key_value_heads", &M::num_key_value_heads,
                               "Heads of keys and values, which groups of attention heads share; 0: as many as heads.");
}
ConfigKey head_dim() {
    return keys::optional_size("head_dim", &M::head_dim, "Width of a head; 0: hidden_size / num_attention_heads.");
}
ConfigKey given_head_dim() {
    return keys::size("head_dim", &M::head_dim, "Width of a head.");
}
ConfigKey window() {
    return keys::optional_size("sliding_window", &M::sliding_window,
                               "Keys that a query can see, its own included; 0: all before it.");
}
ConfigKey attention_bias() {
    return keys::choice("attention_bias", &M::attention_bias, "The projections of attention have biases.");
}
ConfigKey layer_types() {
    return keys::table(
        "layer_types", &M::layer_types,
        "Attention of each block: a list of full_attention and sliding_attention; empty: the usual one.");
}
/// `zero`: files may have 0 instead of null for a model without a window.
std::vector<ConfigKey> windows_of_qwen(bool zero = false) {
    ConfigKey keys_seen = window();
    if (zero)
        keys_seen.least = 0;
    return {
        keys::choice("use_sliding_window", &M::use_sliding_window, "Blocks from max_window_layers on have a window."),
        keys_seen,
        {.name = "max_window_layers",
         .member = &M::max_window_layers,
         .of_weights = true,
         .least = 0,
         .most = keys::kLargestSize,
         .help = "First block with a sliding window."},
        layer_types()};
}

// --- defaults
// ---------------------------------------------------------------------------------------------------------

ModelConfig llama_sizes(const char* type) {
    ModelConfig config;
    config.model_type = type;
    config.vocab_size = 32000;
    config.n_embd = 4096;
    config.n_inner = 11008;
    config.n_layer = config.n_head = 32;
    config.n_positions = 2048;
    config.activation_function = "silu";
    config.layer_norm_epsilon = 1e-6;
    config.tie_word_embeddings = false;
    config.bos_token_id = 1;
    config.eos_token_id = 2;
    return config;
}

ModelConfig mistral_sizes(const char* type) {
    ModelConfig config = llama_sizes(type);
    config.n_inner = 14336;
    config.num_key_value_heads = 8;
    config.n_positions = 131072;
    return config;
}

ModelConfig qwen_sizes(const char* type) {
    ModelConfig config = llama_sizes(type);
    config.vocab_size = 151936;
    config.n_inner = 22016;
    config.num_key_value_heads = 32;
    config.n_positions = 32768;
    config.sliding_window = 4096;
    config.bos_token_id = config.eos_token_id = -1;
    return config;
}

// --- names
// ------------------------------------------------------------------------------------------------------------

using Modules = std::vector<std::pair<Kind, std::string>>;

Modules gated_mlp() {
    return {{Kind::gate, "mlp.gate_proj"}, {Kind::up, "mlp.up_proj"}, {Kind::down, "mlp.down_proj"}};
}
Modules two_norms() {
    return {{Kind::norm_1, "input_layernorm"}, {Kind::norm_2, "post_attention_layernorm"}};
}

Modules joined(std::initializer_list<Modules> parts) {
    Modules all;
    for (const Modules& part : parts)
        all.insert(all.end(), part.begin(), part.end());
    return all;
}

Modules separate_attention(const char* output = "o_proj") {
    return {{Kind::query, "self_attn.q_proj"},
            {Kind::key, "self_attn.k_proj"},
            {Kind::value, "self_attn.v_proj"},
            {Kind::attention_output, std::string("self_attn.") + output}};
}

DecoderNames llama_names(Modules block) {
    return {.token_table = "model.embed_tokens",
            .blocks = "model.layers.",
            .final_norm = "model.norm",
            .head = "lm_head",
            .block = std::move(block)};
}

// --- options
// ----------------------------------------------------------------------------------------------------------

/// Windows of the blocks that layer_types, or else `has_window`, says.
template <class HasWindow>
void set_windows(const ModelConfig& config, DecoderOptions& options, HasWindow has_window) {
    const auto types = read_json(config.layer_types.text);
    for (std::size_t i = 0; i < options.windows.size(); ++i) {
        const bool windowed = types.is_array() && i < types.size() ? types[i] == "sliding_attention" : has_window(i);
        options.windows[i] = windowed ? config.sliding_window : 0;
    }
}

void configure_llama(const ModelConfig& config, DecoderOptions& options) {
    options.query_bias = options.output_bias = config.attention_bias;
    options.mlp_bias = config.mlp_bias;
    options.windows.assign(options.windows.size(), 0);
}
void configure_mistral(const ModelConfig&, DecoderOptions&) {}
void configure_qwen2(const ModelConfig& config, DecoderOptions& options) {
    options.query_bias = true;
    set_windows(config, options, [&](std::size_t layer) {
        return config.use_sliding_window && std::cmp_greater_equal(layer, config.max_window_layers);
    });
    if (!config.use_sliding_window)
        options.windows.assign(options.windows.size(), 0);
}
void configure_qwen3(const ModelConfig& config, DecoderOptions& options) {
    configure_qwen2(config, options);
    options.query_bias = options.output_bias = config.attention_bias;
}
void configure_gemma2(const ModelConfig& config, DecoderOptions& options) {
    options.norm = Options::Norm::rms_plus_one;
    options.query_bias = options.output_bias = config.attention_bias;
    options.embedding_factor = std::sqrt(static_cast<double>(config.n_embd));
    options.score_scale = 1 / std::sqrt(config.query_pre_attn_scalar);
    set_windows(config, options, [](std::size_t layer) { return layer % 2 == 0; });
}
void configure_mixtral(const ModelConfig& config, DecoderOptions& options) {
    options.experts = config.num_local_experts;
    options.experts_per_token = config.num_experts_per_tok;
    options.router_loss = config.output_router_logits;
    options.router_loss_factor = config.router_aux_loss_coef;
}
void configure_qwen2_moe(const ModelConfig& config, DecoderOptions& options) {
    options.query_bias = config.qkv_bias;
    set_windows(config, options,
                [&](std::size_t layer) { return layer % 2 == 0 && std::cmp_less(layer, config.max_window_layers); });
    if (!config.use_sliding_window)
        options.windows.assign(options.windows.size(), 0);
    configure_mixtral(config, options);
    options.normalises_experts = config.norm_topk_prob;
    options.expert_inner = config.moe_intermediate_size;
    options.shared_inner = config.shared_expert_intermediate_size;
}
void configure_gpt_neox(const ModelConfig& config, DecoderOptions& options) {
    options.norm = Options::Norm::layer;
    options.flow = config.use_parallel_residual ? Options::Flow::parallel : Options::Flow::pre_norm;
    options.query_bias = options.output_bias = config.attention_bias;
    options.mlp_bias = true;
    options.embedding_dropout = config.resid_pdrop;
    options.padding = -1;  // its table has none
}
void configure_opt(const ModelConfig& config, DecoderOptions& options) {
    options.norm = Options::Norm::layer;
    options.epsilon = 1e-5;
    options.flow = config.do_layer_norm_before ? Options::Flow::pre_norm : Options::Flow::post_norm;
    options.final_norm = config.do_layer_norm_before && !config.no_final_norm;
    options.norm_weights = config.norm_weights;
    options.query_bias = options.output_bias = options.mlp_bias = config.attention_bias;
    options.rotates = false;
    options.first_position = 2;
    options.positions_by_mask = true;
}

void use_alibi(DecoderOptions& options) {
    options.rotates = false;
    options.alibi_largest = kUsualAlibi;
}
void configure_bloom(const ModelConfig& config, DecoderOptions& options) {
    options.norm = Options::Norm::layer;
    options.flow =
        config.apply_residual_connection_post_layernorm ? Options::Flow::normed_stream : Options::Flow::pre_norm;
    options.query_bias = options.output_bias = options.mlp_bias = true;
    options.padding = -1;  // its table has none
    use_alibi(options);
}

void configure_falcon(const ModelConfig& config, DecoderOptions& options) {
    using Flow = Options::Flow;
    options.norm = Options::Norm::layer;
    options.query_bias = options.output_bias = options.mlp_bias = config.attention_bias;
    options.padding = -1;
    if (!config.new_decoder_architecture)
        options.key_heads = config.multi_query ? 1 : config.n_head;
    const bool two_norms =
        config.num_ln_in_parallel_attn == 2 || (config.num_ln_in_parallel_attn == 0 && config.new_decoder_architecture);
    options.flow = config.parallel_attn ? Flow::parallel : Flow::pre_norm;
    if (config.parallel_attn) {
        options.sum_dropout = config.resid_pdrop;
        options.hidden_dropout = options.mixed_dropout = 0;
    } else {
        options.mixed_dropout = config.attn_pdrop;
    }
    Modules norms{{Kind::norm_1, "input_layernorm"}};
    if (!config.parallel_attn)
        norms = {{Kind::norm_2, "post_attention_layernorm"}, {Kind::norm_1, "input_layernorm"}};
    else if (two_norms)
        norms = {{Kind::norm_1, "ln_attn"}, {Kind::norm_2, "ln_mlp"}};
    options.names.block.insert(options.names.block.end(), norms.begin(), norms.end());
    if (config.alibi) {
        use_alibi(options);
        options.scales_alibi = options.rounds_alibi = true;
    }
}
void check_falcon(const ModelConfig& config, std::vector<ConfigProblem>& problems) {
    if (config.new_decoder_architecture && !config.parallel_attn)
        problems.push_back(
            {"parallel_attn", {"new_decoder_architecture"}, "must be true with new_decoder_architecture"});
    if (config.num_ln_in_parallel_attn > 2)
        problems.push_back({"num_ln_in_parallel_attn", {}, "must be 1, 2 or null"});
    if (config.num_ln_in_parallel_attn == 2 && !config.new_decoder_architecture)
        problems.push_back({"num_ln_in_parallel_attn",
                            {"new_decoder_architecture"},
                            "2 norms are of models with new_decoder_architecture alone"});
}

/// Values of MPT's attn_config that this version computes.
struct MptAttention {
    double dropout = 0, limit = 0, scale = 0;
};
MptAttention mpt_attention(const ModelConfig& config) {
    const nlohmann::json given = read_json(config.attn_config.text);
    const auto number = [&](const char* name) {
        const nlohmann::json value = given.is_object() ? given.value(name, nlohmann::json()) : nlohmann::json();
        return value.is_number() ? value.get<double>() : 0.0;
    };
    return {number("attn_pdrop"), number("clip_qkv"), number("softmax_scale")};
}
void configure_mpt(const ModelConfig& config, DecoderOptions& options) {
    const MptAttention attention = mpt_attention(config);
    options.norm = Options::Norm::layer;
    options.norm_bias = false;
    options.padding = -1;
    options.attention_dropout = options.hidden_dropout = options.mixed_dropout = attention.dropout;
    options.projection_limit = attention.limit;
    options.score_scale = attention.scale;
    use_alibi(options);
}
/// Whether this version computes a value of attn_config; transformers has one kind of attention, and reads neither
/// attn_impl nor alibi.
bool is_computed(const std::string& name, const nlohmann::json& value) {
    const auto is_number_to = [&](double most) {
        return value.is_number() && value.get<double>() >= 0 && value.get<double>() <= most;
    };
    constexpr double kLargest = 1e6;
    if (name == "attn_type")
        return value == "multihead_attention";
    if (name == "attn_pdrop")
        return is_number_to(1) && value != 1;
    if (name == "alibi_bias_max")  // transformers does not read it, and computes this one
        return value == kUsualAlibi;
    if (name == "clip_qkv" || name == "softmax_scale")
        return value.is_null() || is_number_to(kLargest);
    const bool is_known =
        name == "qk_ln" || name == "prefix_lm" || name == "attn_uses_sequence_id" || name == "is_encoder_decoder";
    return name == "attn_impl" || name == "alibi" || is_common_field(name) ||
           (is_known && (value.is_null() || value == false));
}
void check_mpt(const ModelConfig& config, std::vector<ConfigProblem>& problems) {
    if (config.attn_config.text.empty())
        return;
    const nlohmann::json given = read_json(config.attn_config.text);
    if (!given.is_object())
        return problems.push_back({"attn_config", {}, "must be a table, such as {attn_pdrop: 0.0}"});
    for (const auto& [name, value] : given.items())
        if (!is_computed(name, value))
            problems.push_back(
                {"attn_config", {}, Message("{} is {}, which this version does not compute", name, json_text(value))});
}

std::vector<TaskClass> causal(const char* architecture) {
    return {{kCausalLm, architecture}};
}

/// `labels`: of the class that labels tokens; empty: there is none.
ModuleRow decoder_modules(const std::string& type, const std::string& labels = "score") {
    ModuleRow row{
        .no_split = {{"layers.#", type + "DecoderLayer"}},
        .classes = {{"AutoModelForSequenceClassification", type + "ForSequenceClassification", "score", false}}};
    if (!labels.empty())
        row.classes.push_back({"AutoModelForTokenClassification", type + "ForTokenClassification", labels});
    return row;
}

DecoderRow llama() {
    return {{"llama",
             "LlamaModel",
             "model.",
             "lm_head.weight",
             causal("LlamaForCausalLM"),
             keys::with_token_ids(with(
                 sizes(),
                 {key_value_heads(), head_dim(), act(), rms_epsilon(), deviation(), tied(), rope(), attention_dropout(),
                  attention_bias(), keys::choice("mlp_bias", &M::mlp_bias, "The feed-forward layers have biases.")})),
             {"pretraining_tp"},
             decoder_modules("Llama")},
            llama_names(joined({separate_attention(), gated_mlp(), two_norms()})),
            llama_sizes("llama"),
            {},
            {},
            configure_llama};
}

DecoderRow mistral() {
    ModelConfig defaults = mistral_sizes("mistral");
    defaults.sliding_window = 4096;
    return {{"mistral",
             "MistralModel",
             "model.",
             "lm_head.weight",
             causal("MistralForCausalLM"),
             keys::with_token_ids(with(sizes(), {key_value_heads(), head_dim(), act(), rms_epsilon(), deviation(),
                                                 tied(), rope(), attention_dropout(), window()})),
             {},
             decoder_modules("Mistral")},
            llama_names(joined({separate_attention(), gated_mlp(), two_norms()})),
            defaults,
            {},
            {},
            configure_mistral};
}

DecoderRow qwen2() {
    return {{"qwen2",
             "Qwen2Model",
             "model.",
             "lm_head.weight",
             causal("Qwen2ForCausalLM"),
             keys::with_token_ids(with(with(sizes(), {key_value_heads(), act(), rms_epsilon(), deviation(), tied(),
                                                      rope(), attention_dropout()}),
                                       windows_of_qwen())),
             {},
             decoder_modules("Qwen2"),
             {},
             {head_dim()}},
            llama_names(joined({separate_attention(), gated_mlp(), two_norms()})),
            qwen_sizes("qwen2"),
            {},
            {},
            configure_qwen2};
}

DecoderRow qwen3() {
    ModelConfig defaults = qwen_sizes("qwen3");
    defaults.head_dim = 128;
    return {
        {"qwen3",
         "Qwen3Model",
         "model.",
         "lm_head.weight",
         causal("Qwen3ForCausalLM"),
         keys::with_token_ids(with(with(sizes(), {key_value_heads(), given_head_dim(), act(), rms_epsilon(),
                                                  deviation(), tied(), rope(), attention_dropout(), attention_bias()}),
                                   windows_of_qwen())),
         {},
         decoder_modules("Qwen3")},
        llama_names(joined({separate_attention(),
                            {{Kind::query_norm, "self_attn.q_norm"}, {Kind::key_norm, "self_attn.k_norm"}},
                            gated_mlp(),
                            two_norms()})),
        defaults,
        {},
        {},
        configure_qwen3};
}

DecoderRow phi3() {
    ModelConfig defaults = llama_sizes("phi3");
    defaults.vocab_size = 32064;
    defaults.n_embd = 3072;
    defaults.n_inner = 8192;
    defaults.n_positions = 4096;
    defaults.layer_norm_epsilon = 1e-5;
    defaults.eos_token_id = defaults.pad_token_id = 32000;
    Rotary rotary;
    rotary.original_max_position_embeddings = 4096;
    return {{"phi3",
             "Phi3Model",
             "model.",
             "lm_head.weight",
             causal("Phi3ForCausalLM"),
             keys::with_token_ids(
                 with(sizes(), {key_value_heads(), act(), rms_epsilon(), deviation(), tied(), rope(),
                                attention_dropout(), keys::rate("resid_pdrop", &M::resid_pdrop), window()})),
             {"embd_pdrop"},  // which its network does not have
             decoder_modules("Phi3"),
             {},
             {head_dim()}},
            llama_names(joined({{{Kind::attention_output, "self_attn.o_proj"},
                                 {Kind::query_key_value, "self_attn.qkv_proj"},
                                 {Kind::gate_up, "mlp.gate_up_proj"},
                                 {Kind::down, "mlp.down_proj"}},
                                two_norms()})),
            defaults,
            rotary,
            {},
            configure_mistral,
            {{"su", "longrope"}, {"yarn", "longrope"}}};
}

DecoderRow gemma2() {
    ModelConfig defaults = llama_sizes("gemma2");
    defaults.vocab_size = 256000;
    defaults.n_embd = 2304;
    defaults.n_inner = 9216;
    defaults.n_layer = 26;
    defaults.n_head = 8;
    defaults.num_key_value_heads = 4;
    defaults.head_dim = 256;
    defaults.activation_function = "gelu_pytorch_tanh";
    defaults.n_positions = 8192;
    defaults.tie_word_embeddings = true;
    defaults.sliding_window = 4096;
    defaults.attn_logit_softcapping = 50;
    defaults.final_logit_softcapping = 30;
    defaults.pad_token_id = 0;
    defaults.eos_token_id = 1;
    defaults.bos_token_id = 2;
    auto cap = [](const char* name, double M::*member, const char* help) {
        ConfigKey key = keys::number(name, member, 1e9, help);
        key.null = 0;
        return key;
    };
    ConfigKey score_scalar = keys::number("query_pre_attn_scalar", &M::query_pre_attn_scalar, 1e9,
                                          "Attention scores are divided by its square root.");
    score_scalar.integer_if_whole = true;
    return {{"gemma2",
             "Gemma2Model",
             "model.",
             "lm_head.weight",
             causal("Gemma2ForCausalLM"),
             keys::with_token_ids(with(
                 sizes(), {key_value_heads(), given_head_dim(), act("hidden_activation"), rms_epsilon(), deviation(),
                           tied(), rope(), attention_dropout(), attention_bias(), window(), layer_types(), score_scalar,
                           cap("attn_logit_softcapping", &M::attn_logit_softcapping,
                               "Attention scores stay within this number of 0; 0: not limited."),
                           cap("final_logit_softcapping", &M::final_logit_softcapping,
                               "Logits stay within this number of 0; 0: not limited.")})),
             {"cache_implementation"},
             decoder_modules("Gemma2")},
            llama_names(joined({separate_attention(),
                                gated_mlp(),
                                {{Kind::norm_1, "input_layernorm"},
                                 {Kind::norm_1_after, "post_attention_layernorm"},
                                 {Kind::norm_2, "pre_feedforward_layernorm"},
                                 {Kind::norm_2_after, "post_feedforward_layernorm"}}})),
            defaults,
            {},
            {{"hidden_act", "hidden_activation"}},
            configure_gemma2};
}

DecoderRow mixtral() {
    ModelConfig defaults = mistral_sizes("mixtral");
    defaults.layer_norm_epsilon = 1e-5;
    Rotary rotary;
    rotary.theta = 1000000;
    return {
        {"mixtral",
         "MixtralModel",
         "model.",
         "lm_head.weight",
         causal("MixtralForCausalLM"),
         keys::with_token_ids(with(
             sizes(),
             {key_value_heads(), head_dim(), act(), rms_epsilon(), deviation(), tied(), rope(), attention_dropout(),
              window(), keys::size("num_local_experts", &M::num_local_experts, "Experts of each block.", "num_experts"),
              keys::size("num_experts_per_tok", &M::num_experts_per_tok, "Experts that compute a token."),
              keys::choice("output_router_logits", &M::output_router_logits,
                           "Adds the loss that keeps the experts equally busy.", false),
              keys::number("router_aux_loss_coef", &M::router_aux_loss_coef, 1000,
                           "Factor of the loss that keeps the experts equally busy.", false)})),
         {},
         decoder_modules("Mixtral")},
        llama_names(joined({separate_attention(),
                            {{Kind::router, "block_sparse_moe.gate"},
                             {Kind::expert_gate, "block_sparse_moe.experts.{}.w1"},
                             {Kind::expert_down, "block_sparse_moe.experts.{}.w2"},
                             {Kind::expert_up, "block_sparse_moe.experts.{}.w3"}},
                            two_norms()})),
        defaults,
        rotary,
        {},
        configure_mixtral};
}

DecoderRow qwen2_moe() {
    ModelConfig defaults = qwen_sizes("qwen2_moe");
    defaults.n_embd = 2048;
    defaults.n_inner = 5632;
    defaults.n_layer = 24;
    defaults.n_head = defaults.num_key_value_heads = 16;
    defaults.num_local_experts = 60;
    defaults.num_experts_per_tok = 4;
    return {{"qwen2_moe",
             "Qwen2MoeModel",
             "model.",
             "lm_head.weight",
             causal("Qwen2MoeForCausalLM"),
             keys::with_token_ids(with(
                 with(sizes(),
                      {key_value_heads(), act(), rms_epsilon(), deviation(), tied(), rope(), attention_dropout(),
                       keys::choice("qkv_bias", &M::qkv_bias),
                       keys::size("num_experts", &M::num_local_experts, "Experts of each block.", "num_local_experts"),
                       keys::size("num_experts_per_tok", &M::num_experts_per_tok, "Experts that compute a token."),
                       keys::size("moe_intermediate_size", &M::moe_intermediate_size, "Width inside an expert."),
                       keys::size("shared_expert_intermediate_size", &M::shared_expert_intermediate_size,
                                  "Width inside the expert that computes every token."),
                       keys::size("decoder_sparse_step", &M::decoder_sparse_step,
                                  "One of so many blocks has experts: the last of them."),
                       keys::table("mlp_only_layers", &M::mlp_only_layers,
                                   "Numbers of further blocks without experts, from 0: a list."),
                       keys::choice("norm_topk_prob", &M::norm_topk_prob,
                                    "The weights of a token's experts are divided by their sum."),
                       keys::choice("output_router_logits", &M::output_router_logits,
                                    "Adds the loss that keeps the experts equally busy.", false),
                       keys::number("router_aux_loss_coef", &M::router_aux_loss_coef, 1000,
                                    "Factor of the loss that keeps the experts equally busy.", false)}),
                 windows_of_qwen(true))),
             {},
             decoder_modules("Qwen2Moe"),
             {},
             {head_dim()}},
            llama_names(joined({separate_attention(),
                                gated_mlp(),
                                {{Kind::router, "mlp.gate"},
                                 {Kind::expert_gate, "mlp.experts.{}.gate_proj"},
                                 {Kind::expert_up, "mlp.experts.{}.up_proj"},
                                 {Kind::expert_down, "mlp.experts.{}.down_proj"},
                                 {Kind::shared_gate, "mlp.shared_expert.gate_proj"},
                                 {Kind::shared_up, "mlp.shared_expert.up_proj"},
                                 {Kind::shared_down, "mlp.shared_expert.down_proj"},
                                 {Kind::shared_router, "mlp.shared_expert_gate"}},
                                two_norms()})),
            defaults,
            {},
            {},
            configure_qwen2_moe};
}

DecoderRow gpt_neox() {
    ModelConfig defaults;
    defaults.model_type = "gpt_neox";
    defaults.vocab_size = 50432;
    defaults.n_embd = 6144;
    defaults.n_layer = 44;
    defaults.n_head = 64;
    defaults.n_inner = 24576;
    defaults.activation_function = "gelu";
    defaults.n_positions = 2048;
    defaults.tie_word_embeddings = false;
    defaults.attention_bias = true;
    defaults.bos_token_id = 0;
    defaults.eos_token_id = 2;
    Rotary rotary;
    rotary.partial_factor = 0.25;
    ModuleRow modules = decoder_modules("GPTNeoX", "classifier");
    modules.no_split = {{"layers.#", "GPTNeoXLayer"}};
    modules.renamed = {{"embed_out.", "lm_head."}};
    return {{"gpt_neox",
             "GPTNeoXModel",
             "gpt_neox.",
             "embed_out.weight",
             causal("GPTNeoXForCausalLM"),
             keys::with_token_ids(with(
                 sizes(), {act(), layer_epsilon("layer_norm_eps"), deviation(), tied(), rope(), attention_dropout(),
                           keys::rate("hidden_dropout", &M::resid_pdrop,
                                      "Dropout of embeddings, and behind attention and feed-forward."),
                           attention_bias(),
                           keys::choice("use_parallel_residual", &M::use_parallel_residual,
                                        "Attention and feed-forward read the same stream.")})),
             {"classifier_dropout", "is_decoder"},
             modules},
            {.token_table = "gpt_neox.embed_in",
             .blocks = "gpt_neox.layers.",
             .final_norm = "gpt_neox.final_layer_norm",
             .head = "embed_out",
             .block = joined({two_norms(),
                              {{Kind::query_key_value_by_head, "attention.query_key_value"},
                               {Kind::attention_output, "attention.dense"},
                               {Kind::up, "mlp.dense_h_to_4h"},
                               {Kind::down, "mlp.dense_4h_to_h"}}})},
            defaults,
            rotary,
            {{"rotary_emb_base", "rope_theta"}, {"rotary_pct", "partial_rotary_factor"}},
            configure_gpt_neox};
}

DecoderRow opt() {
    ModelConfig defaults;
    defaults.model_type = "opt";
    defaults.vocab_size = 50272;
    defaults.n_embd = 768;
    defaults.n_layer = defaults.n_head = 12;
    defaults.n_inner = 3072;
    defaults.activation_function = "relu";
    defaults.n_positions = 2048;
    defaults.resid_pdrop = 0.1;
    defaults.attention_bias = true;
    defaults.pad_token_id = 1;
    defaults.bos_token_id = defaults.eos_token_id = 2;
    ModuleRow modules = decoder_modules("OPT", "");
    modules.last = {"decoder.project_in", "decoder.final_layer_norm", "decoder.layers"};
    return {{"opt",
             "OPTModel",
             "model.",
             "lm_head.weight",
             causal("OPTForCausalLM"),
             keys::with_token_ids(
                 with(sizes("ffn_dim"),
                      {act("activation_function"), deviation("init_std"), tied(), attention_dropout(),
                       keys::rate("dropout", &M::resid_pdrop, "Dropout behind attention and feed-forward."),
                       keys::choice("enable_bias", &M::attention_bias, "Linear layers have biases."),
                       keys::choice("do_layer_norm_before", &M::do_layer_norm_before,
                                    "Norms are before attention and feed-forward; no: behind the residual sums."),
                       keys::optional_size("word_embed_proj_dim", &M::word_embed_proj_dim,
                                           "Width of the token table; 0: hidden_size.")})),
             {"output_projection"},
             modules,
             {{"layer_norm_elementwise_affine", "true"}, {"_remove_final_layer_norm", "false"}, {"layerdrop", "0"}},
             {keys::choice("layer_norm_elementwise_affine", &M::norm_weights),
              keys::choice("_remove_final_layer_norm", &M::no_final_norm)}},
            {.token_table = "model.decoder.embed_tokens",
             .position_table = "model.decoder.embed_positions",
             .project_in = "model.decoder.project_in",
             .project_out = "model.decoder.project_out",
             .blocks = "model.decoder.layers.",
             .final_norm = "model.decoder.final_layer_norm",
             .head = "lm_head",
             .block = {{Kind::key, "self_attn.k_proj"},
                       {Kind::value, "self_attn.v_proj"},
                       {Kind::query, "self_attn.q_proj"},
                       {Kind::attention_output, "self_attn.out_proj"},
                       {Kind::norm_1, "self_attn_layer_norm"},
                       {Kind::up, "fc1"},
                       {Kind::down, "fc2"},
                       {Kind::norm_2, "final_layer_norm"}}},
            defaults,
            {},
            {},
            configure_opt};
}

/// BLOOM and Falcon have the modules of the first Megatron-LM.
Modules attention_and_mlp_4h() {
    return {{Kind::query_key_value_by_head, "self_attention.query_key_value"},
            {Kind::attention_output, "self_attention.dense"},
            {Kind::up, "mlp.dense_h_to_4h"},
            {Kind::down, "mlp.dense_4h_to_h"}};
}

DecoderNames transformer_names(Modules block) {
    return {.token_table = "transformer.word_embeddings",
            .blocks = "transformer.h.",
            .final_norm = "transformer.ln_f",
            .head = "lm_head",
            .block = std::move(block)};
}

DecoderRow bloom() {
    ModelConfig defaults;
    defaults.model_type = "bloom";
    defaults.vocab_size = 250880;
    defaults.n_embd = 64;
    defaults.n_layer = 2;
    defaults.n_head = 8;
    defaults.n_positions = 2048;
    defaults.activation_function = "gelu_pytorch_tanh";
    defaults.bos_token_id = 1;
    defaults.eos_token_id = 2;
    ModuleRow modules = decoder_modules("Bloom", "classifier");
    modules.no_split = {{"h.#", "BloomBlock"}};
    const Modules parts = attention_and_mlp_4h();
    DecoderNames names = transformer_names({{Kind::norm_1, "input_layernorm"},
                                            parts[0],
                                            parts[1],
                                            {Kind::norm_2, "post_attention_layernorm"},
                                            parts[2],
                                            parts[3]});
    names.token_norm = "transformer.word_embeddings_layernorm";
    ConfigKey length =
        keys::size("seq_length", &M::n_positions, "Longest text of the training, in tokens.", "n_positions");
    length.of_weights = false;  // ALiBi has no table of positions
    return {{"bloom",
             "BloomModel",
             "transformer.",
             "lm_head.weight",
             causal("BloomForCausalLM"),
             keys::with_token_ids(
                 {keys::size("vocab_size", &M::vocab_size), length,
                  keys::size("hidden_size", &M::n_embd, "Width of the hidden states.", "n_embd"),
                  keys::size("n_layer", &M::n_layer, "Number of transformer blocks.", "num_hidden_layers"),
                  keys::size("n_head", &M::n_head, "Attention heads of each block.", "num_attention_heads"),
                  layer_epsilon(), deviation(), tied(), attention_dropout(),
                  keys::rate("hidden_dropout", &M::resid_pdrop, "Dropout behind attention and feed-forward."),
                  keys::choice("apply_residual_connection_post_layernorm", &M::apply_residual_connection_post_layernorm,
                               "The residual stream continues after the norms instead of before them.")}),
             // Of its training with Megatron-LM; parts of a product that ranks computed are added in another order.
             {"attention_softmax_in_fp32", "bias_dropout_fusion", "masked_softmax_fusion", "offset_alibi",
              "pretraining_tp", "skip_bias_add", "skip_bias_add_qkv", "slow_but_exact", "unk_token_id"},
             modules},
            std::move(names),
            defaults,
            {},
            {{"n_embed", "hidden_size"}},
            configure_bloom};
}

DecoderRow falcon() {
    ModelConfig defaults;
    defaults.model_type = "falcon";
    defaults.vocab_size = 65024;
    defaults.n_embd = 4544;
    defaults.n_layer = 32;
    defaults.n_head = 71;
    defaults.n_positions = 2048;
    defaults.activation_function = "gelu";
    defaults.bos_token_id = defaults.eos_token_id = 11;
    ModuleRow modules = decoder_modules("Falcon", "classifier");
    modules.no_split = {{"h.#", "FalconDecoderLayer"}};
    ConfigKey norms =
        keys::optional_size("num_ln_in_parallel_attn", &M::num_ln_in_parallel_attn,
                            "Norms in front of attention and feed-forward that read the same stream: 1 or 2; 0: 2 with "
                            "new_decoder_architecture, else 1.");
    ConfigKey inner = keys::optional_size("ffn_hidden_size", &M::n_inner,
                                          "Width inside the feed-forward layers; 0: 4 * hidden_size.");
    ConfigKey key_heads =
        keys::optional_size("num_kv_heads", &M::num_key_value_heads,
                            "With new_decoder_architecture: heads of keys and values, which groups of attention heads "
                            "share; 0: as many as heads.");
    return {{"falcon",
             "FalconModel",
             "transformer.",
             "lm_head.weight",
             causal("FalconForCausalLM"),
             keys::with_token_ids(
                 {keys::size("vocab_size", &M::vocab_size),
                  keys::size("max_position_embeddings", &M::n_positions,
                             "Longest sequence the model can take, in tokens.", "n_positions"),
                  keys::size("hidden_size", &M::n_embd, "Width of the hidden states.", "n_embd"),
                  inner,
                  keys::size("num_hidden_layers", &M::n_layer, "Number of transformer blocks.", "n_layer"),
                  keys::size("num_attention_heads", &M::n_head, "Attention heads of each block.", "n_head"),
                  key_heads,
                  act("activation"),
                  layer_epsilon(),
                  deviation(),
                  tied(),
                  rope(),
                  attention_dropout(),
                  keys::rate("hidden_dropout", &M::resid_pdrop, "Dropout behind attention and feed-forward."),
                  keys::choice("bias", &M::attention_bias, "Linear layers have biases."),
                  keys::choice("alibi", &M::alibi,
                               "Scores of attention fall with the distance (ALiBi) instead of rotary positions."),
                  keys::choice("multi_query", &M::multi_query, "All attention heads share one of keys and values."),
                  keys::choice("new_decoder_architecture", &M::new_decoder_architecture,
                               "The blocks are those of Falcon 40B and later."),
                  keys::choice("parallel_attn", &M::parallel_attn, "Attention and feed-forward read the same stream."),
                  norms}),
             {},
             modules},
            transformer_names(attention_and_mlp_4h()),
            defaults,
            {},
            {{"n_embed", "hidden_size"}},
            configure_falcon,
            {},
            check_falcon};
}

DecoderRow mpt() {
    ModelConfig defaults;
    defaults.model_type = "mpt";
    defaults.vocab_size = 50368;
    defaults.n_embd = 2048;
    defaults.n_layer = 24;
    defaults.n_head = 16;
    defaults.n_positions = 2048;
    defaults.activation_function = "gelu";
    ModuleRow modules = decoder_modules("Mpt", "classifier");
    modules.no_split = {{"blocks.#", "MptBlock"}};
    ConfigKey length =
        keys::size("max_seq_len", &M::n_positions, "Longest text of the training, in tokens.", "n_positions");
    length.of_weights = false;
    return {
        {"mpt",
         "MptModel",
         "transformer.",
         "lm_head.weight",
         causal("MptForCausalLM"),
         keys::with_token_ids(
             {keys::size("vocab_size", &M::vocab_size), length,
              keys::size("d_model", &M::n_embd, "Width of the hidden states.", "hidden_size"),
              keys::size("n_layers", &M::n_layer, "Number of transformer blocks.", "num_hidden_layers"),
              keys::size("n_heads", &M::n_head, "Attention heads of each block.", "num_attention_heads"),
              layer_epsilon(), deviation(), tied(),
              keys::table("attn_config", &M::attn_config,
                          "Attention: {attn_pdrop: 0.0, clip_qkv: null, softmax_scale: null, alibi_bias_max: 8}.")}),
         // Fields that the network in transformers does not read.
         {"emb_pdrop", "embedding_fraction", "init_config", "init_device", "learned_pos_emb", "norm_type",
          "resid_pdrop", "tokenizer_name", "verbose"},
         modules,
         {{"expansion_ratio", "4"}, {"no_bias", "true"}, {"logit_scale", "null"}}},
        {.token_table = "transformer.wte",
         .blocks = "transformer.blocks.",
         .final_norm = "transformer.norm_f",
         .head = "lm_head",
         .block = {{Kind::norm_1, "norm_1"},
                   {Kind::query_key_value, "attn.Wqkv"},
                   {Kind::attention_output, "attn.out_proj"},
                   {Kind::norm_2, "norm_2"},
                   {Kind::up, "ffn.up_proj"},
                   {Kind::down, "ffn.down_proj"}}},
        defaults,
        {},
        {},
        configure_mpt,
        {},
        check_mpt};
}

}  // namespace

const std::vector<DecoderRow>& decoder_rows() {
    static const std::vector<DecoderRow> rows{llama(),   mistral(),  qwen2(), qwen3(), qwen2_moe(), phi3(), gemma2(),
                                              mixtral(), gpt_neox(), opt(),   bloom(), falcon(),    mpt()};
    return rows;
}

}  // namespace trainyard::families
