// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/exports/onnx_segformer.h"

#include <algorithm>
#include <cmath>

#include "models/spec/segformer/segformer_family.h"
#include "models/spec/tasks.h"

namespace trainyard::exports {

namespace {

using families::Activation;
using families::SegformerPlan;
using families::SegformerStage;
using onnx::DataType;
using onnx::make_attribute;
using Value = OnnxGraph::Value;
using Shape = OnnxGraph::Shape;

constexpr double kSegformerEpsilon = 1e-5;  ///< torch's, which transformers leaves as it is

class OnnxSegformer {
  public:
    OnnxSegformer(OnnxGraph& graph, const families::ModelConfig& config)
        : graph_(graph),
          config_(config),
          plan_(families::segformer_plan(config)),
          activation_(families::activation_of(config.activation_function).value_or(Activation::gelu)) {}

    void build() {
        Value map = graph_.input("pixel_values", DataType::float32,
                                 {named("batch"), of_size(config_.num_channels), named("height"), named("width")});
        std::vector<Tokens> stages;
        for (std::size_t number = 0; number < plan_.stages.size(); ++number) {
            stages.push_back(add_stage(number, map));
            map = as_map(stages.back().values, stages.back().grid);
        }
        if (config_.task == families::kImageClassification) {
            const Value mean =
                graph_.add_node("ReduceMean", {stages.back().values},
                                {make_attribute("axes", Shape{1}), make_attribute("keepdims", std::int64_t{0})});
            return graph_.output(graph_.linear(mean, "classifier"), "logits",
                                 {named("batch"), of_size(config_.num_labels)});
        }
        decode(stages);
    }

  private:
    /// Positions of a stage [batch, positions, channels], and its rows and columns [2].
    struct Tokens {
        Value values, grid;
    };

    Value norm(const Value& x, const std::string& module) { return graph_.layer_norm(x, module, kSegformerEpsilon); }

    /// [batch, channels, rows, columns] -> [batch, positions, channels]
    Value as_tokens(const Value& map) { return graph_.transpose(graph_.reshape(map, {0, 0, -1}), {0, 2, 1}); }
    Value as_map(const Value& tokens, const Value& grid) {
        const Value shape = graph_.concat({graph_.integers({0, 0}), grid}, 0);  // 0: as it is
        return graph_.add_node("Reshape", {graph_.transpose(tokens, {0, 2, 1}), shape});
    }
    Value grid_of(const Value& map) {
        return graph_.add_node("Slice", {graph_.add_node("Shape", {map}), graph_.integers({2}), graph_.integers({4})});
    }

    Value convolve(const Value& map, const std::string& module, std::int64_t stride, std::int64_t padding,
                   std::int64_t groups = 1) {
        std::vector<Value> inputs{map, graph_.weight(module + ".weight")};
        if (graph_.tensors().shape_of(module + ".bias") != nullptr)
            inputs.push_back(graph_.weight(module + ".bias"));
        return graph_.add_node("Conv", inputs,
                               {make_attribute("strides", Shape{stride, stride}),
                                make_attribute("pads", Shape(4, padding)), make_attribute("group", groups)});
    }

    Tokens add_stage(std::size_t number, const Value& map) {
        const SegformerStage& stage = plan_.stages[number];
        const Value patches = convolve(map, stage.patches + ".proj", stage.stride, stage.patch / 2);
        Tokens x{norm(as_tokens(patches), stage.patches + ".layer_norm"), grid_of(patches)};
        for (std::int64_t block = 0; block < stage.blocks; ++block) {
            const std::string name = SegformerPlan::block_name(number, block) + ".";
            x.values = graph_.plus(x.values, attend({norm(x.values, name + "layer_norm_1"), x.grid}, stage, name));
            x.values = graph_.plus(x.values, mix({norm(x.values, name + "layer_norm_2"), x.grid}, stage, name));
        }
        x.values = norm(x.values, stage.norm);
        return x;
    }

    Value attend(const Tokens& x, const SegformerStage& stage, const std::string& block) {
        const std::string module = block + "attention.self.";
        Value reduced = x.values;
        if (stage.reduction > 1)
            reduced = norm(as_tokens(convolve(as_map(x.values, x.grid), module + "sr", stage.reduction, 0)),
                           module + "layer_norm");
        const std::int64_t width = stage.width / stage.heads;
        const auto heads_of = [&](const Value& from, const char* name, const Shape& order) {
            return graph_.transpose(graph_.reshape(graph_.linear(from, module + name), {0, 0, stage.heads, width}),
                                    order);
        };
        const Value query = heads_of(x.values, "query", {0, 2, 1, 3}), key = heads_of(reduced, "key", {0, 2, 3, 1}),
                    value = heads_of(reduced, "value", {0, 2, 1, 3});
        const Value scores = graph_.times(graph_.product(query, key), 1 / std::sqrt(static_cast<double>(width)));
        const Value mixed =
            graph_.product(graph_.add_node("Softmax", {scores}, {make_attribute("axis", std::int64_t{-1})}), value);
        return graph_.linear(graph_.reshape(graph_.transpose(mixed, {0, 2, 1, 3}), {0, 0, stage.width}),
                             block + "attention.output.dense");
    }

    Value mix(const Tokens& x, const SegformerStage& stage, const std::string& block) {
        const Value wide = as_map(graph_.linear(x.values, block + "mlp.dense1"), x.grid);
        const Value mixed = as_tokens(convolve(wide, block + "mlp.dwconv.dwconv", 1, 1, stage.inner));
        return graph_.linear(graph_.activate(activation_, mixed), block + "mlp.dense2");
    }

    void decode(const std::vector<Tokens>& stages) {
        std::vector<Value> maps;
        for (std::size_t number = 0; number < stages.size(); ++number) {
            Value map = as_map(graph_.linear(stages[number].values, SegformerPlan::projection_name(number)),
                               stages[number].grid);
            if (number > 0) {
                const Value channels = graph_.add_node(
                    "Slice", {graph_.add_node("Shape", {map}), graph_.integers({0}), graph_.integers({2})});
                map = graph_.add_node("Resize", {map, "", "", graph_.concat({channels, stages.front().grid}, 0)},
                                      {make_attribute("mode", std::string("linear")),
                                       make_attribute("coordinate_transformation_mode", std::string("half_pixel"))});
            }
            maps.insert(maps.begin(), map);
        }
        const std::string norm = "decode_head.batch_norm.";
        const Value fused = convolve(graph_.concat(maps, 1), "decode_head.linear_fuse", 1, 0);
        const Value normed =
            graph_.add_node("BatchNormalization",
                            {fused, graph_.weight(norm + "weight"), graph_.weight(norm + "bias"),
                             graph_.weight(norm + "running_mean"), graph_.weight(norm + "running_var")},
                            {make_attribute("epsilon", static_cast<float>(kSegformerEpsilon))});
        const Value logits = convolve(graph_.add_node("Relu", {normed}), "decode_head.classifier", 1, 0);
        graph_.output(logits, "logits", {named("batch"), of_size(config_.num_labels), named("rows"), named("columns")});
    }

    OnnxGraph& graph_;
    const families::ModelConfig& config_;
    SegformerPlan plan_;
    Activation activation_;
};

}  // namespace

void build_segformer(OnnxGraph& graph, const families::ModelConfig& config) {
    OnnxSegformer(graph, config).build();
}

}  // namespace trainyard::exports
