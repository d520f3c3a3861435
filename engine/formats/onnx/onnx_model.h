// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Models of ONNX as plain structures: the same ones for reading and for writing. Messages and numbers of their fields:
// https://github.com/onnx/onnx/blob/main/onnx/onnx.proto. The bytes of tensors are views into the file or into the
// memory of the caller, so a model of several gigabytes is opened without reading its weights.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/files/mapped_file.h"

namespace trainyard::onnx {

/// TensorProto.DataType.
enum class DataType : int {
    undefined = 0,
    float32 = 1,
    uint8 = 2,
    int8 = 3,
    uint16 = 4,
    int16 = 5,
    int32 = 6,
    int64 = 7,
    string = 8,
    boolean = 9,
    float16 = 10,
    float64 = 11,
    uint32 = 12,
    uint64 = 13,
    complex64 = 14,
    complex128 = 15,
    bfloat16 = 16,
    float8_e4m3fn = 17,
    float8_e4m3fnuz = 18,
    float8_e5m2 = 19,
    float8_e5m2fnuz = 20,
    uint4 = 21,
    int4 = 22,
    float4_e2m1 = 23,
    float8_e8m0 = 24,
    uint2 = 25,
    int2 = 26
};

/// "float32", "int4"; "type 99" for one that is not known.
std::string data_type_name(DataType type);
/// Bits of an element; 0 for strings and unknown types.
int data_type_bits(DataType type);

/// Place of a tensor's bytes outside of the model's file.
struct ExternalData {
    std::string location;  ///< relative to the folder of the model's file
    std::uint64_t offset = 0;
    std::optional<std::uint64_t> length = std::nullopt;
};

struct Tensor {
    std::string name;
    DataType type = DataType::undefined;
    std::vector<std::int64_t> dims = {};
    std::string_view raw = {};  ///< row-major, little-endian; a view, see above
    std::optional<ExternalData> external = std::nullopt;
    std::string_view message =
        {};  ///< of a tensor that was read: the whole message, for elements that are not in `raw`

    /// 0 if the shape is not valid.
    std::uint64_t elements() const;
    /// Bytes of the elements by type and shape.
    std::uint64_t bytes() const;
};

/// The elements of a tensor of at most `most` integers; empty for others.
std::vector<std::int64_t> integers_of(const Tensor& tensor, std::size_t most = 64);

/// A size, a name of a size ("batch"), or neither.
struct Dimension {
    std::optional<std::int64_t> size = std::nullopt;
    std::string name = {};
};

struct Type {
    /// "" for a tensor; "sequence", "map", "optional", "sparse", "opaque" (of `element` and `shape`, if it has them)
    std::string container = {};
    DataType element = DataType::undefined;
    std::optional<std::vector<Dimension>> shape = std::nullopt;
};

struct Value {
    std::string name;
    Type type = {};
};

struct Graph;

/// AttributeProto.AttributeType.
enum class AttributeType : int {
    undefined = 0,
    real = 1,
    integer = 2,
    text = 3,
    tensor = 4,
    graph = 5,
    reals = 6,
    integers = 7,
    texts = 8,
    tensors = 9,
    graphs = 10
};

struct Attribute {
    std::string name;
    AttributeType type = AttributeType::undefined;
    std::vector<std::int64_t> integers = {};  ///< one for a type that is not a list
    std::vector<float> reals = {};
    std::vector<std::string> texts = {};
    std::vector<Tensor> tensors = {};
    std::vector<Graph> graphs;
    std::string reference = {};  ///< in a function: the name of the function's attribute that it takes
};

struct Node {
    std::string op_type;
    std::vector<std::string> inputs = {};  ///< names of values; "" for one that is left out
    std::vector<std::string> outputs = {};
    std::vector<Attribute> attributes = {};
    std::string name = {};
    std::string domain = {};
    std::vector<std::pair<std::string, std::string>> metadata = {};
};

struct Graph {
    std::string name;
    std::vector<Node> nodes = {};  ///< in an order in which each follows its inputs
    std::vector<Tensor> initializers = {};
    std::vector<Value> inputs = {};
    std::vector<Value> outputs = {};
    std::vector<Value> values = {};  ///< types of values between the nodes, if known
};

Attribute make_attribute(std::string name, std::int64_t value);
Attribute make_attribute(std::string name, float value);
Attribute make_attribute(std::string name, std::string value);
Attribute make_attribute(std::string name, std::vector<std::int64_t> values);
Attribute make_attribute(std::string name, Tensor value);

struct OperatorSet {
    std::string domain;  ///< "" or "ai.onnx": the standard operators
    std::int64_t version = 0;
};

struct Function {
    std::string name;
    std::string domain = {};
    std::vector<std::string> inputs = {};
    std::vector<std::string> outputs = {};
    std::vector<Node> nodes = {};
    std::vector<OperatorSet> operator_sets = {};
};

struct Model {
    std::int64_t ir_version = 0;
    std::string producer_name = {};
    std::string producer_version = {};
    std::vector<OperatorSet> operator_sets = {};
    Graph graph = {};
    std::vector<Function> functions = {};
    std::vector<std::pair<std::string, std::string>> metadata = {};
};

/// `bytes` must outlive the model's tensors. `where` is used in messages. Throws UserError if they are not a model.
Model parse_model(std::string_view bytes, const std::string& where);

/// The message as bytes. A model with more than 2 GiB of tensors in it cannot be read by protobuf's own library: keep
/// them as external data. Throws UserError.
std::string serialize_model(const Model& model);

/// A model with the mapped file that its tensors are views of.
struct ModelFile {
    std::shared_ptr<const files::MappedFile> file;
    Model model;
};

/// Maps and reads a file. Throws UserError if it is unreadable or not a model.
ModelFile read_model(const std::filesystem::path& path);

/// Whether a path has the ending of ONNX files.
bool has_onnx_name(const std::filesystem::path& path);

}  // namespace trainyard::onnx
