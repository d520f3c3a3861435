// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/exports/onnx_graph.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include <fmt/format.h>

namespace trainyard::exports {

using onnx::DataType;
using onnx::make_attribute;

OnnxGraph::Value OnnxGraph::input(const std::string& name, DataType type, std::vector<onnx::Dimension> shape) {
    graph.inputs.push_back({name, {.element = type, .shape = std::move(shape)}});
    return name;
}

void OnnxGraph::output(const Value& value, const std::string& name, std::vector<onnx::Dimension> shape) {
    graph.nodes.push_back({.op_type = "Identity", .inputs = {value}, .outputs = {name}, .name = name});
    graph.outputs.push_back({name, {.element = DataType::float32, .shape = std::move(shape)}});
}

OnnxGraph::Value OnnxGraph::constant(DataType type, const Shape& shape, std::string bytes) {
    const std::string key = fmt::format("{} {} {}", static_cast<int>(type), shape.size(), bytes);
    const auto [known, is_new] = known_.emplace(key, "");
    if (is_new) {
        known->second = fmt::format("constant_{}", ++counts_["constant"]);
        texts.push_back(std::move(bytes));
        graph.initializers.push_back({.name = known->second, .type = type, .dims = shape, .raw = texts.back()});
    }
    return known->second;
}

OnnxGraph::Value OnnxGraph::number(float value) {
    return constant(DataType::float32, {}, std::string(reinterpret_cast<const char*>(&value), sizeof value));
}

OnnxGraph::Value OnnxGraph::floats(const std::vector<float>& values) {
    return constant(DataType::float32, {std::ssize(values)},
                    std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)));
}

OnnxGraph::Value OnnxGraph::integer(std::int64_t value) {
    return constant(DataType::int64, {}, std::string(reinterpret_cast<const char*>(&value), sizeof value));
}

OnnxGraph::Value OnnxGraph::integers(const Shape& values) {
    return constant(DataType::int64, {std::ssize(values)},
                    std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(std::int64_t)));
}

OnnxGraph::Value OnnxGraph::weight(const std::string& stored, bool transposed) {
    const std::string name = transposed ? stored + ".transposed" : stored;
    if (!known_.emplace("weight " + name, name).second)
        return name;
    ExportedTensor tensor = tensors_.find(stored);
    tensor.name = name;
    if (transposed && tensor.shape.size() == 2) {
        tensor.transposed = true;
        std::swap(tensor.shape[0], tensor.shape[1]);
    }
    weights.push_back({graph.initializers.size(), tensor});
    graph.initializers.push_back({.name = name, .type = DataType::float32, .dims = tensor.shape});
    return name;
}

std::vector<OnnxGraph::Value> OnnxGraph::add_node(const std::string& type, std::vector<Value> inputs,
                                                  Attributes attributes, std::size_t outputs) {
    onnx::Node node{.op_type = type, .inputs = std::move(inputs), .attributes = std::move(attributes)};
    node.name = fmt::format("{}_{}", type, ++counts_[type]);
    for (std::size_t i = 0; i < outputs; ++i)
        node.outputs.push_back(outputs == 1 ? node.name + "_out" : fmt::format("{}_out_{}", node.name, i));
    graph.nodes.push_back(node);
    return node.outputs;
}

OnnxGraph::Value OnnxGraph::add_node(const std::string& type, std::vector<Value> inputs, Attributes attributes) {
    return add_node(type, std::move(inputs), std::move(attributes), 1).front();
}

OnnxGraph::Value OnnxGraph::transpose(const Value& x, const Shape& order) {
    return add_node("Transpose", {x}, {make_attribute("perm", order)});
}

OnnxGraph::Value OnnxGraph::cast(const Value& x, DataType type) {
    return add_node("Cast", {x}, {make_attribute("to", static_cast<std::int64_t>(type))});
}

std::vector<OnnxGraph::Value> OnnxGraph::split(const Value& x, const Shape& sizes, std::int64_t axis) {
    return add_node("Split", {x, integers(sizes)}, {make_attribute("axis", axis)}, sizes.size());
}

OnnxGraph::Value OnnxGraph::concat(const std::vector<Value>& parts, std::int64_t axis) {
    return add_node("Concat", parts, {make_attribute("axis", axis)});
}

OnnxGraph::Value OnnxGraph::size_of(const Value& x, std::int64_t dimension) {
    return add_node("Gather", {add_node("Shape", {x}), integer(dimension)}, {make_attribute("axis", std::int64_t{0})});
}

OnnxGraph::Value OnnxGraph::linear(const Value& x, const std::string& module) {
    const Value mixed = product(x, weight(module + ".weight", true));
    return tensors_.shape_of(module + ".bias") == nullptr ? mixed : plus(mixed, weight(module + ".bias"));
}

OnnxGraph::Value OnnxGraph::layer_norm(const Value& x, const std::string& module, double epsilon) {
    std::vector<Value> inputs{x, weight(module + ".weight")};
    if (tensors_.shape_of(module + ".bias") != nullptr)
        inputs.push_back(weight(module + ".bias"));
    return add_node("LayerNormalization", std::move(inputs),
                    {make_attribute("axis", std::int64_t{-1}), make_attribute("epsilon", static_cast<float>(epsilon))});
}

OnnxGraph::Value OnnxGraph::rms_norm(const Value& x, const std::string& module, double epsilon, double added) {
    const Value mean = add_node("ReduceMean", {times(x, x)},
                                {make_attribute("axes", Shape{-1}), make_attribute("keepdims", std::int64_t{1})});
    const Value root = add_node("Sqrt", {plus(mean, number(static_cast<float>(epsilon)))});
    const Value factor = weight(module + ".weight");
    return times(add_node("Div", {x, root}), added == 0 ? factor : plus(factor, number(static_cast<float>(added))));
}

OnnxGraph::Value OnnxGraph::activate(families::Activation activation, const Value& x) {
    using families::Activation;
    const auto half_of_one_plus = [&](const Value& bell) { return times(plus(bell, number(1)), 0.5); };
    switch (activation) {
        case Activation::gelu:
            return times(x, half_of_one_plus(add_node("Erf", {times(x, 1 / std::numbers::sqrt2)})));
        case Activation::gelu_tanh: {
            const Value cubic = times(times(times(x, x), x), 0.044715);
            const Value inner = times(plus(x, cubic), std::sqrt(2 / std::numbers::pi));
            return times(x, half_of_one_plus(add_node("Tanh", {inner})));
        }
        case Activation::quick_gelu:
            return times(x, add_node("Sigmoid", {times(x, 1.702)}));
        case Activation::hardswish:
            return add_node("HardSwish", {x});
        case Activation::leaky_relu:
            return add_node("LeakyRelu", {x}, {make_attribute("alpha", 0.01F)});
        case Activation::linear:
            return x;
        case Activation::mish:
            return times(x, add_node("Tanh", {add_node("Softplus", {x})}));
        case Activation::relu:
            return add_node("Relu", {x});
        case Activation::relu2: {
            const Value positive = add_node("Relu", {x});
            return times(positive, positive);
        }
        case Activation::relu6:
            return add_node("Clip", {x, number(0), number(6)});
        case Activation::sigmoid:
            return add_node("Sigmoid", {x});
        case Activation::silu:
            return times(x, add_node("Sigmoid", {x}));
        case Activation::tanh:
            return add_node("Tanh", {x});
        case Activation::gelu_10:
            return add_node("Clip", {activate(Activation::gelu, x), number(-10), number(10)});
        case Activation::laplace:
            return half_of_one_plus(
                add_node("Erf", {times(minus(x, number(0.707107F)), 1 / (0.282095 * std::numbers::sqrt2))}));
        case Activation::sqrtsoftplus:
            return add_node("Sqrt", {add_node("Softplus", {x})});
    }
    throw std::logic_error("an activation function without operators");
}

OnnxGraph::Value OnnxGraph::attend(const Value& query, const Value& key, const Value& value, const Value& allowed,
                                   double scale, double cap, const Value& bias) {
    Value scores = product(query, key);
    if (scale != 1)
        scores = times(scores, scale);
    if (!bias.empty())
        scores = plus(scores, bias);
    if (cap > 0)
        scores = times(add_node("Tanh", {times(scores, 1 / cap)}), cap);
    scores = add_node("Where", {allowed, scores, number(std::numeric_limits<float>::lowest())});
    return product(add_node("Softmax", {scores}, {make_attribute("axis", std::int64_t{-1})}), value);
}

void OnnxGraph::output_vocabulary(const Value& last, const std::string& table, bool is_tied, double cap,
                                  std::int64_t vocabulary, const std::string& bias, const char* sequence) {
    Value logits = product(last, is_tied ? transpose(weight(table), {1, 0}) : weight(table, true));
    if (!bias.empty())
        logits = plus(logits, weight(bias));
    if (cap > 0)
        logits = times(add_node("Tanh", {times(logits, 1 / cap)}), cap);
    output(logits, "logits", {named("batch"), named(sequence), of_size(vocabulary)});
}

}  // namespace trainyard::exports
