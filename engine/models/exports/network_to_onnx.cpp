// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/exports/network_to_onnx.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "base/file.h"
#include "base/file_mode.h"
#include "base/files/file_writer.h"
#include "base/files/mapped_file.h"
#include "models/exports/onnx_graph.h"
#include "models/exports/onnx_segformer.h"
#include "models/exports/onnx_t5.h"
#include "models/spec/alibi.h"
#include "models/spec/decoder/decoder_options.h"
#include "models/spec/encoder/encoder_options.h"
#include "models/spec/external/external_family.h"
#include "models/spec/resnet/resnet_family.h"
#include "models/spec/tasks.h"

namespace trainyard::exports {

namespace {

using families::Activation;
using families::DecoderOptions;
using families::EncoderHead;
using families::EncoderOptions;
using Kind = families::DecoderModule;
using Value = OnnxGraph::Value;
using Shape = OnnxGraph::Shape;
using onnx::DataType;
using onnx::make_attribute;

constexpr std::int64_t kIrVersion = 8;          // the first with operator set 17
constexpr std::uint64_t kExternalPlace = 4096;  // tensors begin at pages, so that readers can map them

[[noreturn]] void refuse_model(const Message& what) {
    throw UserError("the model cannot be written as ONNX: {}", what);
}

/// What all models that read tokens have: input_ids and attention_mask [batch, sequence], or of several texts for an
/// answer [batch, choices, sequence], which are read as [batch * choices, sequence].
class TextInputs {
  public:
    explicit TextInputs(OnnxGraph& graph, bool has_choices = false)
        : graph_(graph),
          has_choices_(has_choices),
          tokens(of_tokens("input_ids")),
          mask(of_tokens("attention_mask")),
          positions(graph.add_node("Range", {graph.integer(0), graph.size_of(tokens, 1), graph.integer(1)})),
          /// [batch, sequence]
          attended(graph.cast(mask, DataType::boolean)) {}

    /// Numbers of the positions, each token that is not `left_out` counted. [batch, sequence]
    Value counted(const Value& is_counted, std::int64_t first) const {
        const Value ones = graph_.cast(is_counted, DataType::int64);
        const Value numbers = graph_.times(graph_.add_node("CumSum", {ones, graph_.integer(1)}), ones);
        return graph_.plus(numbers, graph_.integer(first - 1));
    }
    Value gather(const std::string& table, const Value& rows) const {
        return graph_.add_node("Gather", {graph_.weight(table), rows}, {make_attribute("axis", std::int64_t{0})});
    }
    /// An input of a number for each token.
    Value of_tokens(const char* name) const {
        if (!has_choices_)
            return graph_.input(name, DataType::int64, {named("batch"), named("sequence")});
        const Value all = graph_.input(name, DataType::int64, {named("batch"), named("choices"), named("sequence")});
        return graph_.add_node("Flatten", {all}, {make_attribute("axis", std::int64_t{2})});
    }

  private:
    OnnxGraph& graph_;
    bool has_choices_;

  public:
    Value tokens, mask, positions, attended;
};

/// Attention of a decoder: queries in groups that share a head of keys and values, [batch, key_heads, group, sequence,
/// width].
class CausalHeads {
  public:
    CausalHeads(OnnxGraph& graph, const TextInputs& inputs, std::int64_t heads, std::int64_t key_heads,
                std::int64_t width)
        : graph_(graph), heads_(heads), key_heads_(key_heads), width_(width) {
        const Value keys = graph.reshape(inputs.positions, {1, -1}), queries = graph.reshape(inputs.positions, {-1, 1});
        distance_ = graph.minus(queries, keys);
        attended_ = graph.add_node("Unsqueeze", {inputs.attended, graph.integers({1, 2, 3})});
    }

    /// Splits [batch, sequence, heads * width].
    Value queries(const Value& x) const {
        return graph_.transpose(graph_.reshape(x, {0, 0, key_heads_, heads_ / key_heads_, width_}), {0, 2, 3, 1, 4});
    }
    Value keys(const Value& x) const {
        return graph_.transpose(graph_.reshape(x, {0, 0, key_heads_, 1, width_}), {0, 2, 3, 1, 4});
    }
    /// `window`: keys that a query sees; 0: all before it.
    Value mix(const Value& query, const Value& key, const Value& value, std::int64_t window, double scale, double cap,
              const Value& bias = {}) {
        const Value mixed =
            graph_.attend(query, graph_.transpose(key, {0, 1, 2, 4, 3}), value, allowed(window), scale, cap, bias);
        return graph_.reshape(graph_.transpose(mixed, {0, 3, 1, 2, 4}), {0, 0, heads_ * width_});
    }

  private:
    const Value& allowed(std::int64_t window) {
        const auto [known, is_new] = allowed_.emplace(window, "");
        if (is_new) {
            Value past = graph_.add_node("GreaterOrEqual", {distance_, graph_.integer(0)});
            if (window > 0)
                past = graph_.add_node("And", {past, graph_.add_node("Less", {distance_, graph_.integer(window)})});
            known->second = graph_.add_node("And", {past, attended_});
        }
        return known->second;
    }

    OnnxGraph& graph_;
    std::int64_t heads_, key_heads_, width_;
    Value distance_, attended_;
    std::map<std::int64_t, Value> allowed_;
};

class OnnxDecoder {
  public:
    OnnxDecoder(OnnxGraph& graph, const DecoderOptions& options)
        : graph_(graph),
          options_(options),
          inputs_(graph),
          heads_(graph, inputs_, options.heads, options.key_heads, options.head_width) {
        if (options.rotates)
            turn_tables();
        if (options.alibi_largest > 0)
            add_alibi();
    }

    void build() {
        Value stream = inputs_.gather(options_.names.token_table + ".weight", inputs_.tokens);
        if (options_.embedding_factor != 1)
            stream = graph_.times(stream, options_.embedding_factor);
        if (has_module(options_.names.project_in))
            stream = graph_.linear(stream, options_.names.project_in);
        if (!options_.names.token_norm.empty())
            stream = norm(stream, options_.names.token_norm);
        if (!options_.names.position_table.empty())
            stream = graph_.plus(stream, inputs_.gather(options_.names.position_table + ".weight", position_rows()));
        for (std::int64_t block = 0; block < options_.layers; ++block)
            stream = add_block(stream, block);
        if (options_.final_norm)
            stream = norm(stream, options_.names.final_norm);
        if (has_module(options_.names.project_out))
            stream = graph_.linear(stream, options_.names.project_out);
        graph_.output_vocabulary(stream,
                                 (options_.tied_head ? options_.names.token_table : options_.names.head) + ".weight",
                                 options_.tied_head, options_.logit_cap, options_.vocabulary);
    }

  private:
    bool has_module(const std::string& module) const {
        return !module.empty() && graph_.tensors().shape_of(module + ".weight") != nullptr;
    }

    Value position_rows() {
        return options_.positions_by_mask ? inputs_.counted(inputs_.attended, options_.first_position)
                                          : graph_.plus(inputs_.positions, graph_.integer(options_.first_position));
    }

    Value norm(const Value& x, const std::string& module) {
        if (options_.norm == DecoderOptions::Norm::layer)
            return graph_.layer_norm(x, module, options_.epsilon);
        return graph_.rms_norm(x, module, options_.epsilon,
                               options_.norm == DecoderOptions::Norm::rms_plus_one ? 1 : 0);
    }

    Value add_block(const Value& stream, std::int64_t block) {
        using Flow = DecoderOptions::Flow;
        prefix_ = fmt::format("{}{}.", options_.names.blocks, block);
        if (options_.flow == Flow::post_norm) {
            const Value middle = norm(graph_.plus(stream, attend(stream, block)), module(Kind::norm_1));
            return norm(graph_.plus(middle, feed_forward(middle, block)), module(Kind::norm_2));
        }
        const Value input = norm(stream, module(Kind::norm_1)), mixed = attend(input, block);
        if (options_.flow == Flow::normed_stream) {
            const Value normed = norm(graph_.plus(input, mixed), module(Kind::norm_2));
            return graph_.plus(normed, feed_forward(normed, block));
        }
        if (options_.flow == Flow::parallel)
            return graph_.plus(
                graph_.plus(stream, mixed),
                feed_forward(options_.has(Kind::norm_2) ? norm(stream, module(Kind::norm_2)) : input, block));
        const Value middle = graph_.plus(stream, after(Kind::norm_1_after, mixed));
        return graph_.plus(middle, after(Kind::norm_2_after, feed_forward(norm(middle, module(Kind::norm_2)), block)));
    }

    std::string module(Kind kind) const { return prefix_ + options_.name_of(kind); }
    Value linear(const Value& x, Kind kind) { return graph_.linear(x, module(kind)); }
    Value after(Kind kind, const Value& x) { return options_.has(kind) ? norm(x, module(kind)) : x; }

    Value attend(const Value& x, std::int64_t block) {
        Value query, key, value;
        const std::int64_t width = options_.head_width, queries = options_.heads * width,
                           keys = options_.key_heads * width;
        if (options_.has(Kind::query_key_value_by_head)) {
            const std::int64_t group = options_.heads / options_.key_heads;
            const Value all = graph_.reshape(linear(x, Kind::query_key_value_by_head),
                                             {0, 0, options_.key_heads, (group + 2) * width});
            const std::vector<Value> parts = graph_.split(all, {group * width, width, width});
            std::tie(query, key, value) = std::tie(parts[0], parts[1], parts[2]);
        } else if (options_.has(Kind::query_key_value)) {
            Value all = linear(x, Kind::query_key_value);
            if (const double limit = options_.projection_limit; limit > 0)
                all = graph_.add_node("Clip", {all, graph_.number(-limit), graph_.number(limit)});
            const std::vector<Value> parts = graph_.split(all, {queries, keys, keys});
            std::tie(query, key, value) = std::tie(parts[0], parts[1], parts[2]);
        } else {
            query = linear(x, Kind::query);
            key = linear(x, Kind::key);
            value = linear(x, Kind::value);
        }
        query = heads_.queries(query);
        key = heads_.keys(key);
        if (options_.has(Kind::query_norm))
            query = norm(query, module(Kind::query_norm));
        if (options_.has(Kind::key_norm))
            key = norm(key, module(Kind::key_norm));
        const double scale =
            options_.score_scale != 0 ? options_.score_scale : 1 / std::sqrt(static_cast<double>(width));
        const Value mixed =
            heads_.mix(turn(query), turn(key), heads_.keys(value), options_.windows[static_cast<std::size_t>(block)],
                       scale, options_.score_cap, alibi_);
        return linear(mixed, Kind::attention_output);
    }

    Value feed_forward(const Value& x, std::int64_t block) {
        if (options_.has_experts(block)) {
            const Value mixed = mix_experts(x);
            if (!options_.has(Kind::shared_down))
                return mixed;
            const Value shared =
                gated(x, module(Kind::shared_gate), module(Kind::shared_up), module(Kind::shared_down));
            const Value share = graph_.add_node("Sigmoid", {linear(x, Kind::shared_router)});
            return graph_.plus(mixed, graph_.times(shared, share));
        }
        if (options_.has(Kind::gate_up)) {
            const std::vector<Value> both = graph_.split(linear(x, Kind::gate_up), {options_.inner, options_.inner});
            return linear(graph_.times(graph_.activate(options_.activation, both[0]), both[1]), Kind::down);
        }
        if (options_.has(Kind::gate))
            return gated(x, module(Kind::gate), module(Kind::up), module(Kind::down));
        return linear(graph_.activate(options_.activation, linear(x, Kind::up)), Kind::down);
    }
    Value gated(const Value& x, const std::string& gate, const std::string& up, const std::string& down) {
        const Value opened = graph_.activate(options_.activation, graph_.linear(x, gate));
        return graph_.linear(graph_.times(opened, graph_.linear(x, up)), down);
    }

    /// Each expert computes the tokens that the router chose it for, which may be none.
    Value mix_experts(const Value& x) {
        const onnx::Attribute last_axis = make_attribute("axis", std::int64_t{-1});
        const auto sum = [&](const Value& values, std::int64_t keep) {
            return graph_.add_node("ReduceSum", {values, graph_.integers({-1})}, {make_attribute("keepdims", keep)});
        };
        const Value tokens = graph_.reshape(x, {-1, options_.width});
        const Value shares = graph_.add_node("Softmax", {linear(tokens, Kind::router)}, {last_axis});
        const std::vector<Value> best =
            graph_.add_node("TopK", {shares, graph_.integers({options_.experts_per_token})}, {last_axis}, 2);
        const Value weights =
            options_.normalises_experts ? graph_.add_node("Div", {best[0], sum(best[0], 1)}) : best[0];
        Value mixed = graph_.add_node("ConstantOfShape", {graph_.add_node("Shape", {tokens})});
        for (std::int64_t expert = 0; expert < options_.experts; ++expert) {
            const auto name = [&](Kind kind) { return fmt::format(fmt::runtime(module(kind)), expert); };
            const Value chosen = graph_.add_node("Equal", {best[1], graph_.integer(expert)});
            const Value share = sum(graph_.times(weights, graph_.cast(chosen, DataType::float32)), 1);
            const Value rows =
                graph_.transpose(graph_.add_node("NonZero", {sum(graph_.cast(chosen, DataType::int64), 0)}), {1, 0});
            const Value own = gated(graph_.add_node("GatherND", {tokens, rows}), name(Kind::expert_gate),
                                    name(Kind::expert_up), name(Kind::expert_down));
            mixed = graph_.add_node("ScatterND",
                                    {mixed, rows, graph_.times(own, graph_.add_node("GatherND", {share, rows}))},
                                    {make_attribute("reduction", std::string("add"))});
        }
        return graph_.add_node("Reshape", {mixed, graph_.add_node("Shape", {x})});
    }

    /// Cosines and sines of each position, [sequence, frequencies].
    void turn_tables() {
        const families::Rotary& rotary = options_.rotary;
        const auto turns_at = [&](std::int64_t length) {
            return families::rotary_frequencies(rotary, options_.head_width, length);
        };
        const families::RotaryFrequencies turns = turns_at(1);
        Value frequencies = graph_.floats(turns.frequencies);
        if (rotary.type == "longrope") {
            const std::int64_t trained = rotary.original_max_position_embeddings > 0
                                             ? rotary.original_max_position_embeddings
                                             : options_.positions;
            const Value is_long =
                graph_.add_node("Greater", {graph_.size_of(inputs_.tokens, 1), graph_.integer(trained)});
            frequencies =
                graph_.add_node("Where", {is_long, graph_.floats(turns_at(trained + 1).frequencies), frequencies});
        }
        turned_ = std::ssize(turns.frequencies);
        if (rotary.type == "dynamic")
            frequencies = graph_.times(frequencies, dynamic_factors(rotary));
        const Value positions = graph_.reshape(graph_.cast(inputs_.positions, DataType::float32), {-1, 1});
        const Value angles = graph_.times(positions, frequencies);
        cosines_ = graph_.times(graph_.add_node("Cos", {angles}), turns.attention_factor);
        sines_ = graph_.times(graph_.add_node("Sin", {angles}), turns.attention_factor);
    }

    /// What the length of a text makes of the frequencies of rope_type dynamic: their base grows with it.
    Value dynamic_factors(const families::Rotary& rotary) {
        std::vector<float> exponents;
        for (std::int64_t i = 0; i < turned_; ++i)
            exponents.push_back(-static_cast<float>(static_cast<double>(i) / static_cast<double>(turned_ - 1)));
        const auto positions = static_cast<double>(rotary.max_positions);
        const Value length = graph_.add_node("Max", {graph_.cast(graph_.size_of(inputs_.tokens, 1), DataType::float32),
                                                     graph_.number(static_cast<float>(positions))});
        const Value growth = graph_.minus(graph_.times(length, rotary.factor / positions),
                                          graph_.number(static_cast<float>(rotary.factor - 1)));
        return graph_.add_node("Pow", {growth, graph_.floats(exponents)});
    }

    /// Computes the part of ALiBi in the scores of the keys, [batch, key_heads, group, 1, keys].
    void add_alibi() {
        const auto rounded = [&](const Value& x) {
            return options_.rounds_alibi ? graph_.cast(graph_.cast(x, DataType::bfloat16), DataType::float32) : x;
        };
        const Value slopes =
            graph_.reshape(graph_.floats(families::alibi_slopes(options_.heads, options_.alibi_largest)),
                           {1, options_.key_heads, options_.heads / options_.key_heads, 1, 1});
        // Of masked tokens, which no query sees, the number is another one than in transformers.
        const Value counted = graph_.cast(inputs_.counted(inputs_.attended, 0), DataType::float32);
        const Value positions = graph_.add_node("Unsqueeze", {counted, graph_.integers({1, 2, 3})});
        alibi_ = rounded(graph_.times(rounded(slopes), rounded(positions)));
        if (options_.scales_alibi)
            alibi_ = graph_.times(alibi_, 1 / std::sqrt(static_cast<double>(options_.head_width)));
    }

    /// Turns pairs of elements of the two halves of a head's first part.
    Value turn(const Value& x) {
        if (!options_.rotates)
            return x;
        const std::int64_t rest = options_.head_width - 2 * turned_;
        Shape sizes{turned_, turned_};
        if (rest > 0)
            sizes.push_back(rest);
        const std::vector<Value> parts = graph_.split(x, sizes);
        std::vector<Value> made{graph_.minus(graph_.times(parts[0], cosines_), graph_.times(parts[1], sines_)),
                                graph_.plus(graph_.times(parts[1], cosines_), graph_.times(parts[0], sines_))};
        if (rest > 0)
            made.push_back(parts[2]);
        return graph_.concat(made);
    }

    OnnxGraph& graph_;
    const DecoderOptions& options_;
    TextInputs inputs_;
    CausalHeads heads_;
    std::string prefix_;
    std::int64_t turned_ = 0;
    Value cosines_, sines_, alibi_;
};

/// Its projections are stored as [in, out].
void build_gpt2(OnnxGraph& graph, const families::ModelConfig& config) {
    const TextInputs inputs(graph);
    CausalHeads heads(graph, inputs, config.n_head, config.n_head, config.n_embd / config.n_head);
    const auto dense = [&](const Value& x, const std::string& module) {
        return graph.plus(graph.product(x, graph.weight(module + ".weight")), graph.weight(module + ".bias"));
    };
    const Activation activation = families::activation_of(config.activation_function).value_or(Activation::gelu_tanh);
    Value stream = graph.plus(inputs.gather("transformer.wte.weight", inputs.tokens),
                              inputs.gather("transformer.wpe.weight", inputs.positions));
    for (std::int64_t block = 0; block < config.n_layer; ++block) {
        const std::string name = fmt::format("transformer.h.{}.", block);
        double scale = config.scale_attn_weights
                           ? 1 / std::sqrt(static_cast<double>(config.n_embd) / static_cast<double>(config.n_head))
                           : 1;
        if (config.scale_attn_by_inverse_layer_idx)
            scale /= static_cast<double>(block + 1);
        const Value input = graph.layer_norm(stream, name + "ln_1", config.layer_norm_epsilon);
        const std::vector<Value> parts =
            graph.split(dense(input, name + "attn.c_attn"), {config.n_embd, config.n_embd, config.n_embd});
        const Value mixed = heads.mix(heads.queries(parts[0]), heads.keys(parts[1]), heads.keys(parts[2]), 0, scale, 0);
        stream = graph.plus(stream, dense(mixed, name + "attn.c_proj"));
        const Value inner = graph.activate(
            activation, dense(graph.layer_norm(stream, name + "ln_2", config.layer_norm_epsilon), name + "mlp.c_fc"));
        stream = graph.plus(stream, dense(inner, name + "mlp.c_proj"));
    }
    const Value last = graph.layer_norm(stream, "transformer.ln_f", config.layer_norm_epsilon);
    graph.output_vocabulary(last, config.tie_word_embeddings ? "transformer.wte.weight" : "lm_head.weight",
                            config.tie_word_embeddings, 0, config.vocab_size);
}

class OnnxEncoder {
  public:
    OnnxEncoder(OnnxGraph& graph, const EncoderOptions& options) : graph_(graph), options_(options) {}

    void build() {
        Value stream = options_.names.class_token.empty() ? embed_text() : embed_image();
        for (std::int64_t block = 0; block < options_.layers; ++block)
            stream = add_block(stream, fmt::format("{}{}.", options_.names.blocks, block));
        finish(stream);
    }

  private:
    Value norm(const Value& x, const std::string& module) { return graph_.layer_norm(x, module, options_.epsilon); }
    bool has_choices() const { return options_.head.task == families::kMultipleChoice; }

    Value embed_text() {
        const TextInputs inputs(graph_, has_choices());
        mask_ = inputs.mask;
        allowed_ = graph_.add_node("Unsqueeze", {inputs.attended, graph_.integers({1, 2})});
        Value positions = inputs.positions;
        if (options_.first_position >= 0) {
            const Value is_padding = graph_.add_node("Equal", {inputs.tokens, graph_.integer(options_.padding)});
            positions = inputs.counted(graph_.add_node("Not", {is_padding}), options_.first_position);
        }
        Value hidden = graph_.plus(inputs.gather(options_.names.token_table + ".weight", inputs.tokens),
                                   inputs.gather(options_.names.position_table + ".weight", positions));
        if (options_.types > 0) {
            const Value types = inputs.of_tokens("token_type_ids");
            hidden = graph_.plus(hidden, inputs.gather(options_.names.type_table + ".weight", types));
        }
        return options_.names.table_norm.empty() ? hidden : norm(hidden, options_.names.table_norm);
    }

    Value embed_image() {
        const Value pixels = graph_.input(
            "pixel_values", DataType::float32,
            {named("batch"), of_size(options_.channels), of_size(options_.image_size), of_size(options_.image_width)});
        const std::string& patch = options_.names.patch_projection;
        const Value patches =
            graph_.add_node("Conv", {pixels, graph_.weight(patch + ".weight"), graph_.weight(patch + ".bias")},
                            {make_attribute("strides", Shape{options_.patch_size, options_.patch_width})});
        const Value rows = graph_.transpose(graph_.reshape(patches, {0, options_.width, -1}), {0, 2, 1});
        const Value batch = graph_.reshape(graph_.size_of(pixels, 0), {1});
        const Value shape = graph_.concat({batch, graph_.integers({1, options_.width})}, 0);
        const Value first = graph_.add_node("Expand", {graph_.weight(options_.names.class_token), shape});
        return graph_.plus(graph_.concat({first, rows}, 1), graph_.weight(options_.names.position_table));
    }

    Value add_block(const Value& stream, const std::string& block) {
        const auto named_norm = [&](const Value& x, const std::string& module) { return norm(x, block + module); };
        if (options_.pre_norm) {
            const Value middle = graph_.plus(stream, attend(named_norm(stream, options_.names.norm_1), block));
            return graph_.plus(middle, feed_forward(named_norm(middle, options_.names.norm_2), block));
        }
        const Value middle = named_norm(graph_.plus(stream, attend(stream, block)), options_.names.norm_1);
        return named_norm(graph_.plus(middle, feed_forward(middle, block)), options_.names.norm_2);
    }

    Value attend(const Value& x, const std::string& block) {
        const std::int64_t width = options_.width / options_.heads;
        const auto heads_of = [&](const std::string& module, const Shape& order) {
            return graph_.transpose(graph_.reshape(graph_.linear(x, block + module), {0, 0, options_.heads, width}),
                                    order);
        };
        const Value query = heads_of(options_.names.query, {0, 2, 1, 3}),
                    key = heads_of(options_.names.key, {0, 2, 3, 1}),
                    value = heads_of(options_.names.value, {0, 2, 1, 3});
        const double scale = 1 / std::sqrt(static_cast<double>(width));
        Value mixed;
        if (allowed_.empty())  // images: every patch
            mixed = graph_.product(graph_.add_node("Softmax", {graph_.times(graph_.product(query, key), scale)},
                                                   {make_attribute("axis", std::int64_t{-1})}),
                                   value);
        else
            mixed = graph_.attend(query, key, value, allowed_, scale, 0);
        return graph_.linear(graph_.reshape(graph_.transpose(mixed, {0, 2, 1, 3}), {0, 0, options_.width}),
                             block + options_.names.attention_output);
    }

    Value feed_forward(const Value& x, const std::string& block) {
        const Value inner = graph_.activate(options_.activation, graph_.linear(x, block + options_.names.up));
        return graph_.linear(inner, block + options_.names.down);
    }

    /// Mean over the tokens that are attended to, as a vector of length 1.
    Value mean_of_tokens(const Value& x) {
        const auto sum = [&](const Value& value, std::int64_t axis, std::int64_t keep) {
            return graph_.add_node("ReduceSum", {value, graph_.integers({axis})}, {make_attribute("keepdims", keep)});
        };
        const auto at_least = [&](const Value& value, float least) {
            return graph_.add_node("Max", {value, graph_.number(least)});
        };
        const Value counted =
            graph_.add_node("Unsqueeze", {graph_.cast(mask_, DataType::float32), graph_.integers({2})});
        const Value mean =
            graph_.add_node("Div", {sum(graph_.times(x, counted), 1, 0), at_least(sum(counted, 1, 0), 1e-9F)});
        const Value length = graph_.add_node("Sqrt", {sum(graph_.times(mean, mean), 1, 1)});
        return graph_.add_node("Div", {mean, at_least(length, 1e-12F)});
    }

    Value activated(const Value& x) {
        switch (options_.head.act) {
            case EncoderHead::Act::gelu:
                return graph_.activate(Activation::gelu, x);
            case EncoderHead::Act::tanh:
                return graph_.activate(Activation::tanh, x);
            case EncoderHead::Act::relu:
                return graph_.activate(Activation::relu, x);
            default:
                return graph_.activate(options_.activation, x);
        }
    }

    void finish(Value x) {
        const EncoderHead& head = options_.head;
        if (!options_.names.final_norm.empty())
            x = norm(x, options_.names.final_norm);
        const bool has_tokens = head.input == EncoderHead::Input::every_token;
        if (head.input == EncoderHead::Input::first_token)
            x = graph_.add_node("Gather", {x, graph_.integer(0)}, {make_attribute("axis", std::int64_t{1})});
        else if (head.input == EncoderHead::Input::mean)
            x = mean_of_tokens(x);
        if (!head.dense.empty())
            x = activated(graph_.linear(x, head.dense));
        if (!head.norm.empty())
            x = norm(x, head.norm);
        if (!head.bias.empty())
            return graph_.output_vocabulary(
                x, options_.tied_head ? options_.names.token_table + ".weight" : head.output + ".weight",
                options_.tied_head, 0, options_.vocabulary, head.bias);
        if (head.output.empty())
            return graph_.output(x, "sentence_embedding", {named("batch"), of_size(options_.width)});
        const Value logits = graph_.linear(x, head.output);
        if (head.task == families::kQuestionAnswering) {
            const std::vector<Value> both = graph_.split(logits, {1, 1});
            const char* const names[] = {"start_logits", "end_logits"};
            for (std::size_t i = 0; i < 2; ++i)
                graph_.output(graph_.add_node("Squeeze", {both[i], graph_.integers({-1})}), names[i],
                              {named("batch"), named("sequence")});
        } else if (has_choices()) {
            const Value shape = graph_.add_node(
                "Slice", {graph_.add_node("Shape", {"input_ids"}), graph_.integers({0}), graph_.integers({2})});
            graph_.output(graph_.add_node("Reshape", {logits, shape}), "logits", {named("batch"), named("choices")});
        } else if (has_tokens) {
            graph_.output(logits, "logits", {named("batch"), named("sequence"), of_size(options_.labels)});
        } else {
            graph_.output(logits, "logits", {named("batch"), of_size(options_.labels)});
        }
    }

    OnnxGraph& graph_;
    const EncoderOptions& options_;
    Value mask_, allowed_;
};

void build_resnet(OnnxGraph& graph, const families::ModelConfig& config) {
    const families::ResNetPlan plan = families::resnet_plan(config);
    const Activation activation = families::activation_of(config.activation_function).value_or(Activation::relu);
    const auto run = [&](const families::ResNetConvolution& row, const Value& x, const Value& residual = {}) {
        const Shape strides{row.stride, row.stride}, pads(4, row.kernel / 2);
        const Value mixed = graph.add_node("Conv", {x, graph.weight(row.name + ".convolution.weight")},
                                           {make_attribute("strides", strides), make_attribute("pads", pads)});
        const std::string norm = row.name + ".normalization.";
        Value normed = graph.add_node("BatchNormalization",
                                      {mixed, graph.weight(norm + "weight"), graph.weight(norm + "bias"),
                                       graph.weight(norm + "running_mean"), graph.weight(norm + "running_var")},
                                      {make_attribute("epsilon", 1e-5F)});
        if (!residual.empty())
            normed = graph.plus(normed, residual);
        return row.activates || !residual.empty() ? graph.activate(activation, normed) : normed;
    };
    const Value pixels = graph.input("pixel_values", DataType::float32,
                                     {named("batch"), of_size(config.num_channels), named("height"), named("width")});
    Value x = graph.add_node("MaxPool", {run(plan.embedder, pixels)},
                             {make_attribute("kernel_shape", Shape{3, 3}), make_attribute("strides", Shape{2, 2}),
                              make_attribute("pads", Shape{1, 1, 1, 1})});
    for (const families::ResNetLayer& layer : plan.layers) {
        Value residual = x;
        for (const families::ResNetConvolution& row : layer.shortcut)
            residual = run(row, residual);
        for (std::size_t i = 0; i < layer.convolutions.size(); ++i)
            x = run(layer.convolutions[i], x, i + 1 == layer.convolutions.size() ? residual : Value());
    }
    const Value pooled = graph.add_node("Flatten", {graph.add_node("GlobalAveragePool", {x})});
    graph.output(graph.linear(pooled, "classifier.1"), "logits", {named("batch"), of_size(config.num_labels)});
}

/// Returns why models of this type have no graph.
Message why_not(const std::string& model_type) {
    if (model_type == families::kPluginModel)
        return "code of a plug-in computes it; write a Sequential with export_onnx() in the plug-in or a program";
    if (model_type == families::kScriptModel)
        return "it is a TorchScript file, whose code runs in torch; use the exporter of torch";
    if (model_type == "wav2vec2")
        return "speech_pretraining masks its input at random and has no output but its loss";
    return Message("those of type '{}' cannot; GPT-2, decoders, encoders, T5, ViT, ResNet and SegFormer can",
                   model_type);
}

void build_network(OnnxGraph& graph, const families::ModelConfig& config) {
    const families::Family& family = families::family_of(config);
    switch (family.network()) {
        case families::Network::gpt2:
            return build_gpt2(graph, config);
        case families::Network::decoder:
            return OnnxDecoder(graph, families::decoder_options(config)).build();
        case families::Network::encoder:
            return OnnxEncoder(graph, families::encoder_options(config)).build();
        case families::Network::resnet:
            return build_resnet(graph, config);
        case families::Network::t5:
            return build_t5(graph, config);
        case families::Network::segformer:
            return build_segformer(graph, config);
        default:
            refuse_model(why_not(family.model_type()));
    }
}

std::string bytes_of_floats(const weights::WeightSource& source, const ExportedTensor& tensor) {
    std::string bytes;
    read_floats(source, tensor, [&](std::span<const float> values) {
        bytes.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
    });
    return bytes;
}

/// A graph with its weights, which write() puts into one file, or large ones into a second.
struct OnnxContent {
    std::shared_ptr<const weights::WeightSource> source;
    onnx::Model model;
    std::vector<OnnxGraph::Weight> weights;
    std::list<std::string> texts;
    std::uint64_t bytes = 0, most_bytes = 0;

    std::vector<std::string> write(const std::filesystem::path& folder, const std::string& name,
                                   Progress& progress) const {
        onnx::Model written = model;
        std::list<std::string> embedded;
        std::vector<std::string> names{name};
        std::vector<std::uint32_t> checksums;
        if (bytes > most_bytes) {
            names.push_back(name + "_data");
            checksums = write_data(folder / names.back(), names.back(), written, progress);
        } else {
            for (const OnnxGraph::Weight& weight : weights) {
                embedded.push_back(bytes_of_floats(*source, weight.tensor));
                written.graph.initializers[weight.initializer].raw = embedded.back();
                checksums.push_back(take_parts(std::as_bytes(std::span(embedded.back())), 0, progress, [](auto) {}));
            }
        }
        write_file_atomically(folder / name, onnx::serialize_model(written), true, kUserFileMode);
        read_back(folder, name, names.size() > 1 ? names.back() : "", checksums, progress);
        return names;
    }

  private:
    std::vector<std::uint32_t> write_data(const std::filesystem::path& path, const std::string& name,
                                          onnx::Model& written, Progress& progress) const {
        std::uint64_t end = 0;
        for (const OnnxGraph::Weight& weight : weights) {
            onnx::Tensor& tensor = written.graph.initializers[weight.initializer];
            tensor.external = onnx::ExternalData{name, end, tensor.bytes()};
            end = (end + tensor.bytes() + kExternalPlace - 1) / kExternalPlace * kExternalPlace;
        }
        std::vector<std::uint32_t> checksums;
        files::FileWriter file(path, end);
        for (const OnnxGraph::Weight& weight : weights) {
            std::uint32_t checksum = 0;
            read_floats(*source, weight.tensor, [&](std::span<const float> values) {
                checksum = take_parts(std::as_bytes(values), checksum, progress,
                                      [&](std::span<const std::byte> part) { file.write(part); });
            });
            checksums.push_back(checksum);
            const std::uint64_t at = file.position();
            file.write(std::string((at + kExternalPlace - 1) / kExternalPlace * kExternalPlace - at, '\0'));
        }
        file.finish();
        return checksums;
    }

    void read_back(const std::filesystem::path& folder, const std::string& name, const std::string& data,
                   const std::vector<std::uint32_t>& checksums, Progress& progress) const {
        const onnx::ModelFile file = onnx::read_model(folder / name);
        std::optional<files::MappedFile> mapped;
        if (!data.empty())
            mapped.emplace(folder / data);
        for (std::size_t i = 0; i < weights.size(); ++i) {
            const onnx::Tensor& tensor = file.model.graph.initializers.at(weights[i].initializer);
            std::span<const std::byte> found = std::as_bytes(std::span(tensor.raw));
            if (mapped && tensor.external)
                found = mapped->bytes().subspan(tensor.external->offset, tensor.external->length.value_or(0));
            if (tensor.name != weights[i].tensor.name ||
                take_parts(found, 0, progress, files::release_pages) != checksums[i])
                throw_damaged(weights[i].tensor.name, folder / name);
        }
    }
};

}  // namespace

ExportedModel onnx_model(std::shared_ptr<const weights::WeightSource> source, const families::ModelConfig& config,
                         const std::filesystem::path& folder, std::uint64_t most_bytes) {
    ModelTensors tensors(source, config, folder);
    OnnxGraph graph(tensors);
    graph.graph.name = config.model_type;
    build_network(graph, config);
    tensors.check();
    auto content = std::make_shared<OnnxContent>();
    content->source = std::move(source);
    content->most_bytes = most_bytes;
    content->model.ir_version = kIrVersion;
    content->model.producer_name = "trainyard";
    content->model.operator_sets = {{"", kOperatorSet}};
    content->model.graph = std::move(graph.graph);
    content->weights = std::move(graph.weights);
    content->texts = std::move(graph.texts);
    for (const OnnxGraph::Weight& weight : content->weights)
        content->bytes += content->model.graph.initializers[weight.initializer].bytes();
    ExportedModel model{content->bytes, content->weights.size(), content->source->notes()};
    model.notes.push_back(
        Message("operators of set {}, numbers in fp32; whole texts are computed, without past keys "
                "and values",
                kOperatorSet));
    model.write = [content](const std::filesystem::path& to, const std::string& name, Progress& progress) {
        return content->write(to, name, progress);
    };
    return model;
}

}  // namespace trainyard::exports
