// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/exports/onnx_t5.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "models/spec/t5/t5_family.h"

namespace trainyard::exports {

namespace {

using onnx::DataType;
using onnx::make_attribute;
using Value = OnnxGraph::Value;
using Shape = OnnxGraph::Shape;

class OnnxT5 {
  public:
    OnnxT5(OnnxGraph& graph, const families::ModelConfig& config)
        : graph_(graph), config_(config), feed_forward_(families::t5_feed_forward(config)) {}

    void build() {
        const Value tokens = graph_.input("input_ids", DataType::int64, {named("batch"), named("sequence")});
        const Value mask = graph_.input("attention_mask", DataType::int64, {named("batch"), named("sequence")});
        const Value targets =
            graph_.input("decoder_input_ids", DataType::int64, {named("batch"), named("target_sequence")});
        const Value attended =
            graph_.add_node("Unsqueeze", {graph_.cast(mask, DataType::boolean), graph_.integers({1, 2})});

        Value stream = embed(tokens);
        Value bias = position_bias("encoder", distances(tokens), true);
        for (std::int64_t block = 0; block < config_.n_layer; ++block) {
            const std::string layer = fmt::format("encoder.block.{}.layer.", block);
            const Value normed = norm(stream, layer + "0.layer_norm");
            stream = graph_.plus(stream, attend(normed, normed, layer + "0.SelfAttention.", attended, bias));
            stream = graph_.plus(stream, feed_forward(stream, layer + "1."));
        }
        const Value states = norm(stream, "encoder.final_layer_norm");

        stream = embed(targets);
        const Value distance = distances(targets);
        const Value past = graph_.add_node("LessOrEqual", {distance, graph_.integer(0)});
        bias = position_bias("decoder", distance, false);
        for (std::int64_t block = 0; block < families::t5_decoder_layers(config_); ++block) {
            const std::string layer = fmt::format("decoder.block.{}.layer.", block);
            const Value normed = norm(stream, layer + "0.layer_norm");
            stream = graph_.plus(stream, attend(normed, normed, layer + "0.SelfAttention.", past, bias));
            stream = graph_.plus(stream, attend(norm(stream, layer + "1.layer_norm"), states,
                                                layer + "1.EncDecAttention.", attended, {}));
            stream = graph_.plus(stream, feed_forward(stream, layer + "2."));
        }
        stream = norm(stream, "decoder.final_layer_norm");
        if (config_.scale_decoder_outputs)
            stream = graph_.times(stream, 1 / std::sqrt(static_cast<double>(config_.n_embd)));
        const bool is_tied = config_.tie_word_embeddings;
        graph_.output_vocabulary(stream, is_tied ? "shared.weight" : "lm_head.weight", is_tied, 0, config_.vocab_size,
                                 {}, "target_sequence");
        graph_.output(states, "encoder_last_hidden_state",
                      {named("batch"), named("sequence"), of_size(config_.n_embd)});
    }

  private:
    Value norm(const Value& x, const std::string& module) {
        return graph_.rms_norm(x, module, config_.layer_norm_epsilon, 0);
    }
    Value embed(const Value& tokens) {
        return graph_.add_node("Gather", {graph_.weight("shared.weight"), tokens},
                               {make_attribute("axis", std::int64_t{0})});
    }

    /// Position of each key minus that of each query, [seq, seq].
    Value distances(const Value& tokens) {
        const Value positions =
            graph_.add_node("Range", {graph_.integer(0), graph_.size_of(tokens, 1), graph_.integer(1)});
        const Value keys = graph_.reshape(positions, {1, -1}), queries = graph_.reshape(positions, {-1, 1});
        return graph_.minus(keys, queries);
    }

    /// Class of a distance, as T5's network computes it.
    std::int64_t class_of(std::int64_t distance, std::int64_t classes) const {
        const std::int64_t exact = classes / 2;
        if (distance < exact)
            return distance;
        const auto scale = static_cast<float>(
            static_cast<double>(classes - exact) /
            std::log(static_cast<double>(config_.relative_attention_max_distance) / static_cast<double>(exact)));
        const float far = std::log(static_cast<float>(distance) / static_cast<float>(exact)) * scale;
        return std::min(classes - 1, static_cast<std::int64_t>(far) + exact);
    }

    /// Biases of a stack, [heads, seq, seq]. Distances of more than the largest one are of its class.
    Value position_bias(const char* stack, const Value& distance, bool both_directions) {
        const std::int64_t most = config_.relative_attention_max_distance;
        const std::int64_t classes = config_.relative_attention_num_buckets / (both_directions ? 2 : 1);
        Shape rows;  // by distance + most
        for (std::int64_t one = -most; one <= (both_directions ? most : 0); ++one)
            rows.push_back(class_of(std::abs(one), classes) + (one > 0 ? classes : 0));
        const Value by_distance = graph_.add_node(
            "Gather",
            {graph_.weight(fmt::format("{}.block.0.layer.0.SelfAttention.relative_attention_bias.weight", stack)),
             graph_.integers(rows)},
            {make_attribute("axis", std::int64_t{0})});
        const Value clipped =
            graph_.add_node("Clip", {distance, graph_.integer(-most), graph_.integer(both_directions ? most : 0)});
        const Value row = graph_.plus(clipped, graph_.integer(most));
        return graph_.transpose(
            graph_.add_node("Gather", {by_distance, row}, {make_attribute("axis", std::int64_t{0})}), {2, 0, 1});
    }

    /// Scores are not scaled: the initial weights make up for it.
    Value attend(const Value& x, const Value& source, const std::string& module, const Value& allowed,
                 const Value& bias) {
        const auto heads_of = [&](const Value& from, const char* name, const Shape& order) {
            const Value projected = graph_.linear(from, module + name);
            return graph_.transpose(graph_.reshape(projected, {0, 0, config_.n_head, config_.head_dim}), order);
        };
        // One after the other: compilers evaluate arguments in orders of their own.
        const Value query = heads_of(x, "q", {0, 2, 1, 3}), key = heads_of(source, "k", {0, 2, 3, 1}),
                    value = heads_of(source, "v", {0, 2, 1, 3});
        const Value mixed = graph_.attend(query, key, value, allowed, 1, 0, bias);
        return graph_.linear(
            graph_.reshape(graph_.transpose(mixed, {0, 2, 1, 3}), {0, 0, config_.n_head * config_.head_dim}),
            module + "o");
    }

    Value feed_forward(const Value& stream, const std::string& layer) {
        const Value x = norm(stream, layer + "layer_norm");
        const std::string module = layer + "DenseReluDense.";
        Value inner =
            graph_.activate(feed_forward_.activation, graph_.linear(x, module + (feed_forward_.gated ? "wi_0" : "wi")));
        if (feed_forward_.gated)
            inner = graph_.times(inner, graph_.linear(x, module + "wi_1"));
        return graph_.linear(inner, module + "wo");
    }

    OnnxGraph& graph_;
    const families::ModelConfig& config_;
    families::T5FeedForward feed_forward_;
};

}  // namespace

void build_t5(OnnxGraph& graph, const families::ModelConfig& config) {
    OnnxT5(graph, config).build();
}

}  // namespace trainyard::exports
