// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/onnx/onnx_model.h"

#include <array>
#include <bit>
#include <cstring>

#include "base/error.h"
#include "base/protobuf.h"
#include "base/utf8.h"

namespace trainyard::onnx {

namespace {

using protobuf::Fields;
using protobuf::Wire;

// A message of two bytes becomes a structure of a hundred, so the number of structures is bounded, not only the file.
constexpr std::size_t kMostParts = 1u << 21;
constexpr int kDeepestGraph = 32;
constexpr std::uint64_t kLargestMessage = (std::uint64_t{1} << 31) - 1;  // of protobuf's own library

struct DataTypeRow {
    std::string_view name;
    int bits;
};

constexpr std::array<DataTypeRow, 27> kDataTypes = {{
    {"undefined", 0},
    {"float32", 32},
    {"uint8", 8},
    {"int8", 8},
    {"uint16", 16},
    {"int16", 16},
    {"int32", 32},
    {"int64", 64},
    {"string", 0},
    {"bool", 8},
    {"float16", 16},
    {"float64", 64},
    {"uint32", 32},
    {"uint64", 64},
    {"complex64", 64},
    {"complex128", 128},
    {"bfloat16", 16},
    {"float8_e4m3fn", 8},
    {"float8_e4m3fnuz", 8},
    {"float8_e5m2", 8},
    {"float8_e5m2fnuz", 8},
    {"uint4", 4},
    {"int4", 4},
    {"float4_e2m1", 4},
    {"float8_e8m0", 8},
    {"uint2", 2},
    {"int2", 2},
}};

const DataTypeRow* row_of(DataType type) {
    const auto number = static_cast<std::size_t>(type);
    return number < kDataTypes.size() ? &kDataTypes[number] : nullptr;
}

class ModelReader {
  public:
    explicit ModelReader(const std::string& where) : where_(where) {}

    Model read(std::string_view bytes) {
        Model model;
        bool has_graph = false;
        each(bytes, [&](const Fields& field) {
            if (field.is(1, Wire::varint))
                model.ir_version = field.integer();
            else if (field.is(2, Wire::bytes))
                model.producer_name = text(field);
            else if (field.is(3, Wire::bytes))
                model.producer_version = text(field);
            else if (field.is(7, Wire::bytes)) {
                model.graph = graph(field.bytes(), 0);
                has_graph = true;
            } else if (field.is(8, Wire::bytes))
                model.operator_sets.push_back(operator_set(field.bytes()));
            else if (field.is(14, Wire::bytes))
                model.metadata.push_back(entry(field.bytes()));
            else if (field.is(25, Wire::bytes))
                model.functions.push_back(function(field.bytes()));
        });
        // Many files are sequences of fields by chance; a model has a version and a graph.
        if (!has_graph || model.ir_version == 0)
            fail("it has no graph");
        return model;
    }

  private:
    [[noreturn]] void fail(const Message& what) const { throw UserError("{} is not an ONNX model: {}", where_, what); }

    template <class Take>
    void each(std::string_view message, Take take) {
        Fields field(message);
        while (field.next())
            take(field);
        if (!field.valid())
            fail("a message in it is damaged or cut off");
    }

    void count_part() {
        if (++parts_ > kMostParts)
            fail(Message("it has more than {} parts", kMostParts));
    }

    std::string text(const Fields& field) {
        count_part();
        return text::to_utf8(std::string(field.bytes()));
    }

    std::pair<std::string, std::string> entry(std::string_view message) {
        std::pair<std::string, std::string> read;
        each(message, [&](const Fields& field) {
            if (field.is(1, Wire::bytes))
                read.first = text(field);
            else if (field.is(2, Wire::bytes))
                read.second = text(field);
        });
        return read;
    }

    OperatorSet operator_set(std::string_view message) {
        count_part();
        OperatorSet set;
        each(message, [&](const Fields& field) {
            if (field.is(1, Wire::bytes))
                set.domain = text(field);
            else if (field.is(2, Wire::varint))
                set.version = field.integer();
        });
        return set;
    }

    /// A repeated number, packed or not.
    void add_integers(const Fields& field, std::vector<std::int64_t>& values) {
        if (!protobuf::read_integers(field, values))
            fail("a list of numbers in it is cut off");
        if (parts_ + values.size() > kMostParts)
            fail(Message("it has more than {} parts", kMostParts));
    }

    Tensor tensor(std::string_view message) {
        count_part();
        Tensor read;
        read.message = message;
        bool is_external = false;
        ExternalData external;
        each(message, [&](const Fields& field) {
            if (field.number() == 1)
                add_integers(field, read.dims);
            else if (field.is(2, Wire::varint))
                read.type = static_cast<DataType>(field.integer());
            else if (field.is(8, Wire::bytes))
                read.name = text(field);
            else if (field.is(9, Wire::bytes))
                read.raw = field.bytes();
            else if (field.is(13, Wire::bytes))
                add_external(entry(field.bytes()), external);
            else if (field.is(14, Wire::varint))
                is_external = field.integer() == 1;
        });
        if (is_external)
            read.external = std::move(external);
        return read;
    }

    void add_external(const std::pair<std::string, std::string>& entry, ExternalData& external) {
        const auto number = [&]() -> std::uint64_t {
            std::uint64_t value = 0;
            for (char c : entry.second)
                if (c < '0' || c > '9' || __builtin_mul_overflow(value, std::uint64_t{10}, &value) ||
                    __builtin_add_overflow(value, static_cast<std::uint64_t>(c - '0'), &value))
                    fail(Message("its external data has {} '{}', which is not a number", entry.first, entry.second));
            return value;
        };
        if (entry.first == "location")
            external.location = entry.second;
        else if (entry.first == "offset")
            external.offset = number();
        else if (entry.first == "length")
            external.length = number();
    }

    Type type(std::string_view message, int depth) {
        if (depth == kDeepestGraph)
            fail("a type in it is nested too deeply");
        static constexpr std::pair<int, const char*> kContainers[] = {{1, ""},       {4, "sequence"}, {5, "map"},
                                                                      {7, "opaque"}, {8, "sparse"},   {9, "optional"}};
        Type read;
        each(message, [&](const Fields& field) {
            for (const auto& [number, container] : kContainers)
                if (field.is(number, Wire::bytes)) {
                    read = type_inside(field.bytes(), number, depth);
                    read.container = container;
                }
        });
        return read;
    }

    /// The message of a tensor's type, or that of a container with the type of its elements.
    Type type_inside(std::string_view message, int container, int depth) {
        Type read;
        const bool is_tensor = container == 1 || container == 8;
        each(message, [&](const Fields& field) {
            if (is_tensor && field.is(1, Wire::varint))
                read.element = static_cast<DataType>(field.integer());
            else if (is_tensor && field.is(2, Wire::bytes))
                read.shape = shape(field.bytes());
            else if (!is_tensor && container != 7 && field.is(container == 5 ? 2 : 1, Wire::bytes))
                read = type(field.bytes(), depth + 1);
        });
        return read;
    }

    std::vector<Dimension> shape(std::string_view message) {
        std::vector<Dimension> read;
        each(message, [&](const Fields& field) {
            if (!field.is(1, Wire::bytes))
                return;
            count_part();
            Dimension dimension;
            each(field.bytes(), [&](const Fields& part) {
                if (part.is(1, Wire::varint))
                    dimension.size = part.integer();
                else if (part.is(2, Wire::bytes))
                    dimension.name = text(part);
            });
            read.push_back(std::move(dimension));
        });
        return read;
    }

    Value value(std::string_view message) {
        count_part();
        Value read;
        each(message, [&](const Fields& field) {
            if (field.is(1, Wire::bytes))
                read.name = text(field);
            else if (field.is(2, Wire::bytes))
                read.type = type(field.bytes(), 0);
        });
        return read;
    }

    Attribute attribute(std::string_view message, int depth) {
        count_part();
        Attribute read;
        each(message, [&](const Fields& field) {
            switch (field.number()) {
                case 1:
                    read.name = text(field);
                    break;
                case 2:
                case 7:
                    if (!protobuf::read_floats(field, read.reals))
                        fail("a list of numbers in it is cut off");
                    break;
                case 3:
                case 8:
                    add_integers(field, read.integers);
                    break;
                case 4:
                case 9:
                    read.texts.push_back(text(field));
                    break;
                case 5:
                case 10:
                    read.tensors.push_back(tensor(field.bytes()));
                    break;
                case 6:
                case 11:
                    read.graphs.push_back(graph(field.bytes(), depth + 1));
                    break;
                case 20:
                    read.type = static_cast<AttributeType>(field.integer());
                    break;
                case 21:
                    read.reference = text(field);
                    break;
                default:
                    break;
            }
        });
        return read;
    }

    Node node(std::string_view message, int depth) {
        count_part();
        Node read;
        each(message, [&](const Fields& field) {
            if (field.is(1, Wire::bytes))
                read.inputs.push_back(text(field));
            else if (field.is(2, Wire::bytes))
                read.outputs.push_back(text(field));
            else if (field.is(3, Wire::bytes))
                read.name = text(field);
            else if (field.is(4, Wire::bytes))
                read.op_type = text(field);
            else if (field.is(5, Wire::bytes))
                read.attributes.push_back(attribute(field.bytes(), depth));
            else if (field.is(7, Wire::bytes))
                read.domain = text(field);
            else if (field.is(9, Wire::bytes))
                read.metadata.push_back(entry(field.bytes()));
        });
        return read;
    }

    Graph graph(std::string_view message, int depth) {
        if (depth == kDeepestGraph)
            fail("a graph in it is nested too deeply");
        count_part();
        Graph read;
        each(message, [&](const Fields& field) {
            if (field.is(1, Wire::bytes))
                read.nodes.push_back(node(field.bytes(), depth));
            else if (field.is(2, Wire::bytes))
                read.name = text(field);
            else if (field.is(5, Wire::bytes))
                read.initializers.push_back(tensor(field.bytes()));
            else if (field.is(15, Wire::bytes))
                read.initializers.push_back(sparse_tensor(field.bytes()));
            else if (field.is(11, Wire::bytes))
                read.inputs.push_back(value(field.bytes()));
            else if (field.is(12, Wire::bytes))
                read.outputs.push_back(value(field.bytes()));
            else if (field.is(13, Wire::bytes))
                read.values.push_back(value(field.bytes()));
        });
        return read;
    }

    /// The values that are stored, with the shape of the whole tensor.
    Tensor sparse_tensor(std::string_view message) {
        Tensor read;
        std::vector<std::int64_t> dims;
        each(message, [&](const Fields& field) {
            if (field.is(1, Wire::bytes))
                read = tensor(field.bytes());
            else if (field.number() == 3)
                add_integers(field, dims);
        });
        read.dims = std::move(dims);
        return read;
    }

    Function function(std::string_view message) {
        count_part();
        Function read;
        each(message, [&](const Fields& field) {
            if (field.is(1, Wire::bytes))
                read.name = text(field);
            else if (field.is(4, Wire::bytes))
                read.inputs.push_back(text(field));
            else if (field.is(5, Wire::bytes))
                read.outputs.push_back(text(field));
            else if (field.is(7, Wire::bytes))
                read.nodes.push_back(node(field.bytes(), 0));
            else if (field.is(9, Wire::bytes))
                read.operator_sets.push_back(operator_set(field.bytes()));
            else if (field.is(10, Wire::bytes))
                read.domain = text(field);
        });
        return read;
    }

    const std::string& where_;
    std::size_t parts_ = 0;
};

// Fields that are empty are left out, as the writer of protobuf does for fields without presence.

void append_text(std::string& out, int number, std::string_view text) {
    if (!text.empty())
        protobuf::append_bytes(out, number, text);
}

std::string message_of_entry(std::string_view key, std::string_view value) {
    std::string out;
    protobuf::append_bytes(out, 1, key);
    protobuf::append_bytes(out, 2, value);
    return out;
}

std::string message_of_set(const OperatorSet& set) {
    std::string out;
    protobuf::append_bytes(out, 1, set.domain);
    protobuf::append_integer(out, 2, set.version);
    return out;
}

std::string message_of_tensor(const Tensor& tensor) {
    std::string out;
    for (std::int64_t size : tensor.dims)
        protobuf::append_integer(out, 1, size);
    protobuf::append_integer(out, 2, static_cast<std::int64_t>(tensor.type));
    append_text(out, 8, tensor.name);
    if (!tensor.external) {
        protobuf::append_bytes(out, 9, tensor.raw);
        return out;
    }
    protobuf::append_bytes(out, 13, message_of_entry("location", tensor.external->location));
    protobuf::append_bytes(out, 13, message_of_entry("offset", std::to_string(tensor.external->offset)));
    if (tensor.external->length)
        protobuf::append_bytes(out, 13, message_of_entry("length", std::to_string(*tensor.external->length)));
    protobuf::append_integer(out, 14, 1);
    return out;
}

std::string message_of_value(const Value& value) {
    std::string shape, tensor, type, out;
    protobuf::append_integer(tensor, 1, static_cast<std::int64_t>(value.type.element));
    if (value.type.shape) {
        for (const Dimension& dimension : *value.type.shape) {
            std::string one;
            if (dimension.size)
                protobuf::append_integer(one, 1, *dimension.size);
            else
                append_text(one, 2, dimension.name);
            protobuf::append_bytes(shape, 1, one);
        }
        protobuf::append_bytes(tensor, 2, shape);
    }
    protobuf::append_bytes(type, 1, tensor);
    protobuf::append_bytes(out, 1, value.name);
    protobuf::append_bytes(out, 2, type);
    return out;
}

std::string message_of_graph(const Graph& graph);

std::string message_of_attribute(const Attribute& attribute) {
    const bool is_list = attribute.type >= AttributeType::reals;
    std::string out;
    append_text(out, 1, attribute.name);
    for (float value : attribute.reals)
        protobuf::append_float(out, is_list ? 7 : 2, value);
    for (std::int64_t value : attribute.integers)
        protobuf::append_integer(out, is_list ? 8 : 3, value);
    for (const std::string& value : attribute.texts)
        protobuf::append_bytes(out, is_list ? 9 : 4, value);
    for (const Tensor& value : attribute.tensors)
        protobuf::append_bytes(out, is_list ? 10 : 5, message_of_tensor(value));
    for (const Graph& value : attribute.graphs)
        protobuf::append_bytes(out, is_list ? 11 : 6, message_of_graph(value));
    protobuf::append_integer(out, 20, static_cast<std::int64_t>(attribute.type));
    append_text(out, 21, attribute.reference);
    return out;
}

std::string message_of_node(const Node& node) {
    std::string out;
    for (const std::string& input : node.inputs)
        protobuf::append_bytes(out, 1, input);
    for (const std::string& output : node.outputs)
        protobuf::append_bytes(out, 2, output);
    append_text(out, 3, node.name);
    append_text(out, 4, node.op_type);
    for (const Attribute& attribute : node.attributes)
        protobuf::append_bytes(out, 5, message_of_attribute(attribute));
    append_text(out, 7, node.domain);
    for (const auto& [key, value] : node.metadata)
        protobuf::append_bytes(out, 9, message_of_entry(key, value));
    return out;
}

std::string message_of_graph(const Graph& graph) {
    std::string out;
    for (const Node& node : graph.nodes)
        protobuf::append_bytes(out, 1, message_of_node(node));
    append_text(out, 2, graph.name);
    for (const Tensor& tensor : graph.initializers)
        protobuf::append_bytes(out, 5, message_of_tensor(tensor));
    for (const Value& value : graph.inputs)
        protobuf::append_bytes(out, 11, message_of_value(value));
    for (const Value& value : graph.outputs)
        protobuf::append_bytes(out, 12, message_of_value(value));
    for (const Value& value : graph.values)
        protobuf::append_bytes(out, 13, message_of_value(value));
    return out;
}

std::string message_of_function(const Function& function) {
    std::string out;
    append_text(out, 1, function.name);
    for (const std::string& input : function.inputs)
        protobuf::append_bytes(out, 4, input);
    for (const std::string& output : function.outputs)
        protobuf::append_bytes(out, 5, output);
    for (const Node& node : function.nodes)
        protobuf::append_bytes(out, 7, message_of_node(node));
    for (const OperatorSet& set : function.operator_sets)
        protobuf::append_bytes(out, 9, message_of_set(set));
    append_text(out, 10, function.domain);
    return out;
}

}  // namespace

std::string data_type_name(DataType type) {
    const DataTypeRow* row = row_of(type);
    return row != nullptr ? std::string(row->name) : "type " + std::to_string(static_cast<int>(type));
}

int data_type_bits(DataType type) {
    const DataTypeRow* row = row_of(type);
    return row != nullptr ? row->bits : 0;
}

std::uint64_t Tensor::elements() const {
    std::uint64_t count = 1;
    for (std::int64_t size : dims)
        if (size < 0 || __builtin_mul_overflow(count, static_cast<std::uint64_t>(size), &count))
            return 0;
    return count;
}

std::uint64_t Tensor::bytes() const {
    std::uint64_t bits = 0;
    if (__builtin_mul_overflow(elements(), static_cast<std::uint64_t>(data_type_bits(type)), &bits) ||
        bits > UINT64_MAX - 7)
        return 0;
    return (bits + 7) / 8;
}

std::vector<std::int64_t> integers_of(const Tensor& tensor, std::size_t most) {
    std::vector<std::int64_t> values;
    const bool is_long = tensor.type == DataType::int64;
    const std::uint64_t count = tensor.elements();
    if ((!is_long && tensor.type != DataType::int32) || tensor.external || count > most)
        return values;
    const std::size_t width = is_long ? 8 : 4;
    if (tensor.raw.size() == count * width) {
        for (std::size_t at = 0; at < tensor.raw.size(); at += width) {
            const std::uint64_t bits = protobuf::little_endian(tensor.raw.substr(at, width));
            values.push_back(is_long ? static_cast<std::int64_t>(bits) : static_cast<std::int32_t>(bits));
        }
    } else {
        for (Fields field(tensor.message); field.next();)
            if (field.number() == (is_long ? 7 : 5) && !protobuf::read_integers(field, values))
                return {};
    }
    return values.size() == count ? values : std::vector<std::int64_t>();
}

Attribute make_attribute(std::string name, std::int64_t value) {
    Attribute made;
    made.name = std::move(name);
    made.type = AttributeType::integer;
    made.integers = {value};
    return made;
}

Attribute make_attribute(std::string name, float value) {
    Attribute made;
    made.name = std::move(name);
    made.type = AttributeType::real;
    made.reals = {value};
    return made;
}

Attribute make_attribute(std::string name, std::string value) {
    Attribute made;
    made.name = std::move(name);
    made.type = AttributeType::text;
    made.texts = {std::move(value)};
    return made;
}

Attribute make_attribute(std::string name, std::vector<std::int64_t> values) {
    Attribute made;
    made.name = std::move(name);
    made.type = AttributeType::integers;
    made.integers = std::move(values);
    return made;
}

Attribute make_attribute(std::string name, Tensor value) {
    Attribute made;
    made.name = std::move(name);
    made.type = AttributeType::tensor;
    made.tensors = {std::move(value)};
    return made;
}

Model parse_model(std::string_view bytes, const std::string& where) {
    return ModelReader(where).read(bytes);
}

std::string serialize_model(const Model& model) {
    std::string out;
    protobuf::append_integer(out, 1, model.ir_version);
    append_text(out, 2, model.producer_name);
    append_text(out, 3, model.producer_version);
    protobuf::append_bytes(out, 7, message_of_graph(model.graph));
    for (const OperatorSet& set : model.operator_sets)
        protobuf::append_bytes(out, 8, message_of_set(set));
    for (const auto& [key, value] : model.metadata)
        protobuf::append_bytes(out, 14, message_of_entry(key, value));
    for (const Function& function : model.functions)
        protobuf::append_bytes(out, 25, message_of_function(function));
    if (out.size() > kLargestMessage)
        throw UserError("the ONNX model has more than 2 GiB of tensors in its file: keep them as external data");
    return out;
}

ModelFile read_model(const std::filesystem::path& path) {
    ModelFile read;
    read.file = std::make_shared<files::MappedFile>(path, files::MappedFile::Pages::shared);
    const std::span<const std::byte> bytes = read.file->bytes();
    read.model = parse_model({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, path.string());
    return read;
}

bool has_onnx_name(const std::filesystem::path& path) {
    return path.extension() == ".onnx";
}

}  // namespace trainyard::onnx
