// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A graph of ONNX that grows node by node. Operators are those of set 17; numbers are fp32. Weights stay in the model's
// files until the graph is written. Operators: https://github.com/onnx/onnx/blob/main/docs/Operators.md

#include <cstdint>
#include <initializer_list>
#include <list>
#include <map>
#include <string>
#include <vector>

#include "formats/onnx/onnx_model.h"
#include "models/exports/exported_tensor.h"
#include "models/spec/activation.h"

namespace trainyard::exports {

inline constexpr std::int64_t kOperatorSet = 17;

/// A dimension of any size, and one of this size.
inline onnx::Dimension named(const char* name) {
    return {.name = name};
}
inline onnx::Dimension of_size(std::int64_t size) {
    return {.size = size};
}

class OnnxGraph {
  public:
    using Attributes = std::vector<onnx::Attribute>;
    using Value = std::string;  ///< the name of what a node gives
    using Shape = std::vector<std::int64_t>;

    explicit OnnxGraph(ModelTensors& tensors) : tensors_(tensors) {}

    // --- inputs and outputs ---
    Value input(const std::string& name, onnx::DataType type, std::vector<onnx::Dimension> shape);
    void output(const Value& value, const std::string& name, std::vector<onnx::Dimension> shape);

    // --- constants ---
    Value number(float value);
    Value floats(const std::vector<float>& values);
    Value integer(std::int64_t value);  ///< a scalar
    Value integers(const Shape& values);
    /// A stored tensor, as it is or [out, in] as [in, out].
    Value weight(const std::string& stored, bool transposed = false);

    // --- nodes ---
    Value add_node(const std::string& type, std::vector<Value> inputs, Attributes attributes = {});
    std::vector<Value> add_node(const std::string& type, std::vector<Value> inputs, Attributes attributes,
                                std::size_t outputs);
    Value plus(const Value& a, const Value& b) { return add_node("Add", {a, b}); }
    Value minus(const Value& a, const Value& b) { return add_node("Sub", {a, b}); }
    Value times(const Value& a, const Value& b) { return add_node("Mul", {a, b}); }
    Value times(const Value& a, double factor) { return times(a, number(static_cast<float>(factor))); }
    Value product(const Value& a, const Value& b) { return add_node("MatMul", {a, b}); }
    Value reshape(const Value& x, const Shape& shape) { return add_node("Reshape", {x, integers(shape)}); }
    Value transpose(const Value& x, const Shape& order);
    Value cast(const Value& x, onnx::DataType type);
    std::vector<Value> split(const Value& x, const Shape& sizes, std::int64_t axis = -1);
    Value concat(const std::vector<Value>& parts, std::int64_t axis = -1);
    /// The size of a dimension, as a scalar.
    Value size_of(const Value& x, std::int64_t dimension);

    // --- layers ---
    /// A module with `weight` [out, in] and perhaps `bias`.
    Value linear(const Value& x, const std::string& module);
    Value layer_norm(const Value& x, const std::string& module, double epsilon);
    /// x / root(mean(x^2) + epsilon) * (weight + added)
    Value rms_norm(const Value& x, const std::string& module, double epsilon, double added);
    Value activate(families::Activation activation, const Value& x);
    /// Scores of queries [..., seq, width] and keys [..., seq, width] where `allowed`, and their mixture of values.
    /// `bias`, if any, is added to the scores.
    Value attend(const Value& query, const Value& key, const Value& value, const Value& allowed, double scale,
                 double cap, const Value& bias = {});
    /// Logits [batch, `sequence`, vocabulary] as an output, from the last hidden states.
    void output_vocabulary(const Value& last, const std::string& table, bool is_tied, double cap,
                           std::int64_t vocabulary, const std::string& bias = {}, const char* sequence = "sequence");

    ModelTensors& tensors() { return tensors_; }

    struct Weight {
        std::size_t initializer;
        ExportedTensor tensor;
    };
    onnx::Graph graph = {};
    std::vector<Weight> weights = {};
    std::list<std::string> texts = {};  ///< bytes of constants, which the graph has views of

  private:
    Value constant(onnx::DataType type, const Shape& shape, std::string bytes);

    ModelTensors& tensors_;
    std::map<std::string, Value> known_;  ///< constants by their bytes, weights by their names
    std::map<std::string, int> counts_;
};

}  // namespace trainyard::exports
