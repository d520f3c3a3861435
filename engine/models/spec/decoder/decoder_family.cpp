// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "models/spec/config_keys.h"
#include "models/spec/decoder/decoder_options.h"
#include "models/spec/decoder/decoder_rows.h"
#include "models/spec/module_parameters.h"
#include "models/spec/tasks.h"

namespace trainyard::families {

namespace {

using Kind = DecoderModule;

constexpr std::int64_t kMostBlocksOfKinds = 4096;  ///< each is described on its own

std::int64_t head_width_of(const ModelConfig& config) {
    return config.head_dim > 0 ? config.head_dim : config.n_embd / std::max<std::int64_t>(1, config.n_head);
}

/// Shape of a module's weight; of a norm one number.
std::vector<std::int64_t> shape_of(Kind module, const DecoderOptions& options) {
    const std::int64_t width = options.width, inner = options.inner;
    const std::int64_t queries = options.heads * options.head_width, keys = options.key_heads * options.head_width;
    switch (module) {
        case Kind::query:
            return {queries, width};
        case Kind::key:
        case Kind::value:
            return {keys, width};
        case Kind::query_key_value:
        case Kind::query_key_value_by_head:
            return {queries + 2 * keys, width};
        case Kind::query_norm:
        case Kind::key_norm:
            return {options.head_width};
        case Kind::attention_output:
            return {width, queries};
        case Kind::gate:
        case Kind::up:
            return {inner, width};
        case Kind::expert_gate:
        case Kind::expert_up:
            return {options.expert_inner, width};
        case Kind::expert_down:
            return {width, options.expert_inner};
        case Kind::shared_gate:
        case Kind::shared_up:
            return {options.shared_inner, width};
        case Kind::shared_down:
            return {width, options.shared_inner};
        case Kind::shared_router:
            return {1, width};
        case Kind::gate_up:
            return {2 * inner, width};
        case Kind::down:
            return {width, inner};
        case Kind::router:
            return {options.experts, width};
        case Kind::norm_1:
        case Kind::norm_1_after:
        case Kind::norm_2:
        case Kind::norm_2_after:
            return {width};
    }
    return {};
}

bool has_bias(Kind module, const DecoderOptions& options) {
    switch (module) {
        case Kind::query:
        case Kind::key:
        case Kind::value:
        case Kind::query_key_value:
        case Kind::query_key_value_by_head:
            return options.query_bias;
        case Kind::attention_output:
            return options.output_bias;
        case Kind::gate:
        case Kind::up:
        case Kind::gate_up:
        case Kind::down:
            return options.mlp_bias;
        case Kind::norm_1:
        case Kind::norm_1_after:
        case Kind::norm_2:
        case Kind::norm_2_after:
            return options.has_norm_biases();
        default:
            return false;
    }
}

bool is_expert(Kind module) {
    return module == Kind::expert_gate || module == Kind::expert_up || module == Kind::expert_down;
}

bool is_of_experts(Kind module) {
    return is_expert(module) || module == Kind::router || module == Kind::shared_gate || module == Kind::shared_up ||
           module == Kind::shared_down || module == Kind::shared_router;
}

bool is_dense(Kind module) {
    return module == Kind::gate || module == Kind::up || module == Kind::gate_up || module == Kind::down;
}

/// Blocks are alike unless the keys of Qwen 2 MoE leave experts out of some.
bool has_dense_blocks(const ModelConfig& config) {
    const nlohmann::json listed = read_json(config.mlp_only_layers.text);
    return config.decoder_sparse_step > 1 || (listed.is_array() && !listed.empty());
}

/// As Qwen2MoeDecoderLayer of transformers. Without experts in any block the model is one that has none.
void set_dense_blocks(const ModelConfig& config, DecoderOptions& options) {
    if (options.experts == 0 || !has_dense_blocks(config))
        return;
    options.dense_blocks.assign(options.windows.size(), false);
    const std::int64_t step = std::max<std::int64_t>(1, config.decoder_sparse_step);
    for (std::int64_t block = 0; block < std::ssize(options.windows); ++block)
        options.dense_blocks[static_cast<std::size_t>(block)] = (block + 1) % step != 0;
    const nlohmann::json listed = read_json(config.mlp_only_layers.text);
    for (const nlohmann::json& number : listed)
        if (number.is_number_integer() && number >= 0 && number < std::ssize(options.windows))
            options.dense_blocks[number.get<std::size_t>()] = true;
    if (std::ranges::find(options.dense_blocks, false) == options.dense_blocks.end()) {
        options.dense_blocks.clear();
        options.experts = 0;
        options.router_loss = false;
    }
}

/// Collects the tensors of a decoder.
class Tensors {
  public:
    explicit Tensors(const DecoderOptions& options) : options_(options) {}

    std::vector<TensorShape> all() {
        const DecoderNames& names = options_.names;
        add(names.token_table, {options_.vocabulary, options_.table_width}, Part::embedding);
        made_.back().tied_to_head = options_.tied_head;
        if (!names.token_norm.empty())
            add_norm(names.token_norm, options_.width, Part::embedding, 0, options_.has_norm_biases());
        if (!names.position_table.empty())
            add(names.position_table, {options_.positions + options_.first_position, options_.width}, Part::embedding);
        const bool projects = options_.table_width != options_.width;
        if (projects)
            add(names.project_in, {options_.width, options_.table_width}, Part::embedding);
        for (std::int64_t layer = 0; layer < options_.layers; ++layer)
            add_block(layer);
        if (options_.final_norm)
            add_norm(names.final_norm, options_.width, Part::head, 0, options_.has_norm_biases());
        if (projects)
            add(names.project_out, {options_.table_width, options_.width}, Part::head);
        if (!options_.tied_head)
            add(names.head, {options_.vocabulary, options_.table_width}, Part::head);
        return std::move(made_);
    }

  private:
    void add(const std::string& module, std::vector<std::int64_t> shape, Part part, std::int64_t block = 0,
             bool bias = false) {
        const Start normal{Start::Kind::normal, options_.deviation}, zeros{Start::Kind::zeros, 0};
        const std::int64_t outputs = shape[0];
        made_.push_back({module + ".weight", std::move(shape), part, block, false, normal});
        if (bias)
            made_.push_back({module + ".bias", {outputs}, part, block, false, zeros});
    }
    void add_norm(const std::string& module, std::int64_t width, Part part, std::int64_t block, bool bias) {
        if (!options_.norm_weights)
            return;
        add(module, {width}, part, block, bias);
        const bool from_zero = options_.norm == DecoderOptions::Norm::rms_plus_one;
        made_[made_.size() - (bias ? 2 : 1)].start = {from_zero ? Start::Kind::zeros : Start::Kind::ones, 0};
    }
    void add_block(std::int64_t layer) {
        const std::string prefix = fmt::format("{}{}.", options_.names.blocks, layer);
        bool experts_done = false;
        for (const auto& [module, name] : options_.names.block) {
            if (!options_.has(module, layer))
                continue;
            const std::vector<std::int64_t> shape = shape_of(module, options_);
            if (is_expert(module)) {
                if (!std::exchange(experts_done, true))
                    add_experts(prefix, layer);
            } else if (shape.size() == 1) {
                add_norm(prefix + name, shape[0], Part::block, layer, has_bias(module, options_));
            } else {
                add(prefix + name, shape, Part::block, layer, has_bias(module, options_));
            }
        }
    }
    void add_experts(const std::string& prefix, std::int64_t layer) {
        for (std::int64_t expert = 0; expert < options_.experts; ++expert)
            for (const auto& [module, name] : options_.names.block)
                if (is_expert(module))
                    add(prefix + fmt::format(fmt::runtime(name), expert), shape_of(module, options_), Part::block,
                        layer);
    }

    const DecoderOptions& options_;
    std::vector<TensorShape> made_;
};

/// The row where the head is a second name of the token table.
FamilyRow with_shared_head(const DecoderRow& row) {
    FamilyRow made = row.family;
    made.modules.shared = {{row.names.token_table + ".weight", row.names.head + ".weight"}};
    return made;
}

class DecoderFamily final : public Family {
  public:
    explicit DecoderFamily(const DecoderRow& row) : Family(with_shared_head(row)), decoder_(row) {}
    Network network() const override { return Network::decoder; }

    ModelConfig defaults() const override { return decoder_.defaults; }

    ModelConfig small() const override {
        ModelConfig config = decoder_.defaults;
        const ModelConfig sizes;
        config.vocab_size = sizes.vocab_size;
        config.n_positions = sizes.n_positions;
        config.n_embd = sizes.n_embd;
        config.n_layer = sizes.n_layer;
        config.n_head = sizes.n_head;
        config.n_inner = key_of(&ModelConfig::n_inner).empty() ? 0 : 3 * sizes.n_embd;
        config.num_key_value_heads = decoder_.defaults.num_key_value_heads > 0 &&
                                             decoder_.defaults.num_key_value_heads < decoder_.defaults.n_head
                                         ? sizes.n_head / 2
                                         : 0;
        config.head_dim = config.head_dim > 0 ? sizes.n_embd / sizes.n_head : 0;
        config.query_pre_attn_scalar = static_cast<double>(sizes.n_embd) / static_cast<double>(sizes.n_head);
        config.word_embed_proj_dim = 0;
        config.num_local_experts = std::min<std::int64_t>(config.num_local_experts, 4);
        config.num_experts_per_tok = std::min<std::int64_t>(config.num_experts_per_tok, 2);
        config.moe_intermediate_size = config.shared_expert_intermediate_size = sizes.n_embd;
        config.sliding_window = 0;
        config.resid_pdrop = config.embd_pdrop = config.attn_pdrop = 0;
        config.bos_token_id = config.eos_token_id = config.pad_token_id = -1;
        return config;
    }

    void modernise(nlohmann::json& config) const override {
        for (const auto& [old, now] : decoder_.renamed)
            if (auto given = config.find(old); given != config.end()) {
                if (!config.contains(now))
                    config[now] = *given;
                config.erase(old);
            }
        if (options(decoder_.defaults).rotates)
            modernise_rotary(config, decoder_.rotary, decoder_.renamed_rope_types);
    }

    ModelConfig resolved(const ModelConfig& config) const override {
        ModelConfig made = config;
        if (made.n_head < 1)
            return made;
        made.head_dim = head_width_of(made);
        if (made.num_key_value_heads == 0)
            made.num_key_value_heads = made.n_head;
        if (made.word_embed_proj_dim == 0)
            made.word_embed_proj_dim = made.n_embd;
        if (made.mlp_only_layers.text.empty() && !key_of(&ModelConfig::mlp_only_layers).empty())
            made.mlp_only_layers.text = "[]";
        if (options(decoder_.defaults).rotates) {
            nlohmann::json fields = nlohmann::json::object();
            if (!config.rope_parameters.text.empty())
                fields["rope_parameters"] = read_json(config.rope_parameters.text);
            modernise_rotary(fields, decoder_.rotary, decoder_.renamed_rope_types);
            made.rope_parameters.text = json_text(fields["rope_parameters"]);
        }
        return made;
    }

    std::vector<ConfigProblem> problems(const ModelConfig& config) const override {
        std::vector<ConfigProblem> found;
        const std::string heads = key_of(&ModelConfig::n_head), width = key_of(&ModelConfig::n_embd);
        if (config.n_head < 1)
            return found;
        if (config.head_dim == 0 && config.n_embd % config.n_head != 0)
            found.push_back(
                {heads,
                 {width},
                 Message("{} ({}) must be a multiple of {} ({})", width, config.n_embd, heads, config.n_head)});
        if (config.num_key_value_heads > 0 && config.n_head % config.num_key_value_heads != 0)
            found.push_back({key_of(&ModelConfig::num_key_value_heads),
                             {heads},
                             Message("{} ({}) must be a multiple of {} ({})", heads, config.n_head,
                                     key_of(&ModelConfig::num_key_value_heads), config.num_key_value_heads)});
        if (config.num_experts_per_tok > config.num_local_experts)
            found.push_back(
                {"num_experts_per_tok",
                 {key_of(&ModelConfig::num_local_experts)},
                 Message("{} experts cannot be chosen of {}", config.num_experts_per_tok, config.num_local_experts)});
        check_activation(key_of(&ModelConfig::activation_function), config.activation_function, found);
        check_layer_types(config, found);
        check_dense_blocks(config, found);
        if (decoder_.check != nullptr)
            decoder_.check(config, found);
        if (found.empty() && options(decoder_.defaults).rotates)
            for (ConfigProblem& problem : rotary_problems(config, decoder_.rotary, head_width_of(config)))
                found.push_back(std::move(problem));
        return found;
    }

    std::vector<TensorShape> tensors(const ModelConfig& config) const override {
        return Tensors(options(config)).all();
    }

    std::vector<TensorShape> module_tensors(const ModelConfig& config) const override {
        const DecoderOptions made = options(config);
        if (!made.has(Kind::router))
            return tensors(config);
        // The experts of a block are one parameter for all of them.
        ModelConfig single = config;
        single.num_local_experts = 1;
        std::vector<TensorShape> all;
        for (TensorShape& tensor : tensors(single)) {
            const std::string block = fmt::format("{}{}.", made.names.blocks, tensor.block);
            const auto is = [&](Kind module) {
                return tensor.name == block + fmt::format(fmt::runtime(made.name_of(module)), 0) + ".weight";
            };
            if (is(Kind::expert_up))
                continue;
            if (is(Kind::router))
                all.push_back({block + kRouter, {made.experts, made.width}, Part::block, tensor.block});
            else if (is(Kind::expert_gate))
                all.push_back(
                    {block + kGateUp, {made.experts, 2 * made.expert_inner, made.width}, Part::block, tensor.block});
            else if (is(Kind::expert_down))
                all.push_back(
                    {block + kDown, {made.experts, made.width, made.expert_inner}, Part::block, tensor.block});
            else
                all.push_back(std::move(tensor));
        }
        return all;
    }

    std::vector<ModuleTensor> module_buffers(const ModelConfig& config) const override {
        const DecoderOptions made = options(config);
        std::vector<ModuleTensor> all;
        if (made.norm == DecoderOptions::Norm::rms_plus_one)
            all.push_back({made.names.token_table + ".embed_scale", {}, true});
        const double share = std::clamp(made.rotary.partial_factor, 0.0, 1.0);
        const auto turned = static_cast<std::int64_t>(static_cast<double>(made.head_width) * share);
        if (has_rotary_buffers())
            for (const char* name : {"rotary_emb.inv_freq", "rotary_emb.original_inv_freq"})
                all.push_back({base_prefix() + name, {(turned + 1) / 2}, true});
        return all;
    }

    LayerCounts shorten(ModelConfig& config) const override {
        if (has_dense_blocks(config))  // none stands for the others
            return {};
        return {cut(decoder_.names.blocks, config.n_layer)};
    }

    bool is_constant(const std::string& name) const override {
        // Frequencies and masks, which transformers stored until version 4.
        return name.ends_with(".rotary_emb.inv_freq") || name.ends_with(".attention.bias") ||
               name.ends_with(".attention.masked_bias") || Family::is_constant(name);
    }

    DecoderOptions options(const ModelConfig& config) const {
        DecoderOptions made;
        made.names = decoder_.names;
        made.epsilon = config.layer_norm_epsilon;
        made.vocabulary = config.vocab_size;
        made.positions = config.n_positions;
        made.layers = config.n_layer;
        made.width = config.n_embd;
        made.table_width = config.word_embed_proj_dim > 0 ? config.word_embed_proj_dim : config.n_embd;
        made.inner = config.n_inner > 0 ? config.n_inner : 4 * config.n_embd;
        made.expert_inner = made.inner;
        made.heads = config.n_head;
        made.key_heads = config.num_key_value_heads > 0 ? config.num_key_value_heads : config.n_head;
        made.head_width = head_width_of(config);
        made.padding = config.pad_token_id;
        made.rotary = rotary_of(config, decoder_.rotary);
        if (auto known = activation_of(config.activation_function))
            made.activation = *known;
        made.score_cap = config.attn_logit_softcapping;
        made.logit_cap = config.final_logit_softcapping;
        made.loss = config.loss;
        made.tied_head = config.tie_word_embeddings;
        made.deviation = config.initializer_range;
        made.attention_dropout = config.attn_pdrop;
        made.hidden_dropout = made.mixed_dropout = config.resid_pdrop;
        made.embedding_dropout = config.embd_pdrop;
        made.windows.assign(static_cast<std::size_t>(std::max<std::int64_t>(0, config.n_layer)), config.sliding_window);
        decoder_.configure(config, made);
        set_dense_blocks(config, made);
        return made;
    }

  protected:
    std::int64_t attention_width(const ModelConfig& config) const override {
        return config.n_head * head_width_of(config);
    }
    double used_share(const ModelConfig& config, const TensorShape& tensor) const override {
        return is_of_expert(tensor.name)
                   ? static_cast<double>(config.num_experts_per_tok) / static_cast<double>(config.num_local_experts)
                   : 1;
    }

  private:
    /// Also where a configuration has ALiBi instead.
    bool has_rotary_buffers() const { return options(decoder_.defaults).rotates; }

    void check_layer_types(const ModelConfig& config, std::vector<ConfigProblem>& found) const {
        if (config.layer_types.text.empty())
            return;
        const auto list = read_json(config.layer_types.text);
        const bool good = list.is_array() && std::ssize(list) == config.n_layer &&
                          std::ranges::all_of(list, [](const nlohmann::json& type) {
                              return type == "full_attention" || type == "sliding_attention";
                          });
        if (!good)
            found.push_back(
                {"layer_types",
                 {"num_hidden_layers"},
                 Message("must list full_attention or sliding_attention for each of the {} blocks", config.n_layer)});
    }

    void check_dense_blocks(const ModelConfig& config, std::vector<ConfigProblem>& found) const {
        const nlohmann::json list = read_json(config.mlp_only_layers.text);
        const auto is_block = [&](const nlohmann::json& number) {
            return number.is_number_integer() && number >= 0 && number < config.n_layer;
        };
        if (!config.mlp_only_layers.text.empty() && (!list.is_array() || !std::ranges::all_of(list, is_block)))
            found.push_back({"mlp_only_layers",
                             {key_of(&ModelConfig::n_layer)},
                             Message("must list numbers of blocks, from 0 to {}", config.n_layer - 1)});
        else if (has_dense_blocks(config) && config.n_layer > kMostBlocksOfKinds)
            found.push_back({key_of(&ModelConfig::n_layer),
                             {"decoder_sparse_step", "mlp_only_layers"},
                             Message("a model whose blocks differ has at most {} of them", kMostBlocksOfKinds)});
    }

    const DecoderRow& decoder_;
};

}  // namespace

bool DecoderOptions::has(DecoderModule module, std::int64_t block) const {
    if (!has(module))
        return false;
    if (is_of_experts(module))
        return has_experts(block);
    return !is_dense(module) || !has_experts(block);
}

const std::vector<const Family*>& decoder_families() {
    static const std::vector<DecoderFamily> all(decoder_rows().begin(), decoder_rows().end());
    static const std::vector<const Family*> addresses = addresses_of(all);
    return addresses;
}

DecoderOptions decoder_options(const ModelConfig& config) {
    return static_cast<const DecoderFamily&>(family_of(config)).options(config);
}

}  // namespace trainyard::families
