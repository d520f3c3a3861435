// SPDX-License-Identifier: GPL-3.0-or-later
// Graphs of torch.export: JSON in a ZIP archive, of its version 5 and later ("models/model.json") and of those before
// ("serialized_exported_program.json"). Fields: torch/_export/serde/schema.py.

#include <set>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files/mapped_file.h"
#include "base/files/zip_archive.h"
#include "base/json.h"
#include "base/printable.h"
#include "observe/graph/graph_builder.h"

namespace trainyard::graph {

namespace {

using nlohmann::json;

constexpr int kDeepestSubgraph = 16;

struct ElementType {
    int number;
    const char* name;
    int bytes;
};

constexpr ElementType kElementTypes[] = {
    {1, "uint8", 1},
    {2, "int8", 1},
    {3, "int16", 2},
    {4, "int32", 4},
    {5, "int64", 8},
    {6, "float16", 2},
    {7, "float32", 4},
    {8, "float64", 8},
    {9, "complex32", 4},
    {10, "complex64", 8},
    {11, "complex128", 16},
    {12, "bool", 1},
    {13, "bfloat16", 2},
    {28, "uint16", 2},
    {29, "float8_e4m3fn", 1},
    {30, "float8_e5m2", 1},
    {31, "float8_e4m3fnuz", 1},
    {32, "float8_e5m2fnuz", 1},
};

const json& member(const json& object, const char* key) {
    static const json nothing;
    if (!object.is_object())
        return nothing;
    const auto found = object.find(key);
    return found == object.end() ? nothing : *found;
}

std::string text_of(const json& value) {
    return value.is_string() ? text::printable(value.get<std::string>(), 1000) : "";
}

/// The name in {"as_tensor": {"name": "x"}} or in the argument of a signature, {"name": "x"}; empty for other values.
std::string value_name(const json& argument) {
    for (const char* key : {"as_tensor", "as_custom_obj"})
        if (const json& inner = member(argument, key); inner.is_object())
            return text_of(member(inner, "name"));
    for (const char* key : {"as_sym_int", "as_sym_float", "as_sym_bool"})
        if (const json& inner = member(argument, key); inner.is_object())
            return text_of(member(inner, "as_name"));
    return text_of(member(argument, "name"));
}

/// All names of values in an argument: of one, or of a list.
std::vector<std::string> value_names(const json& argument) {
    std::vector<std::string> names;
    for (const char* key : {"as_tensors", "as_optional_tensors", "as_sym_ints"})
        if (const json& list = member(argument, key); list.is_array())
            for (const json& one : list)
                if (std::string name =
                        key == std::string_view("as_sym_ints") ? text_of(member(one, "as_name")) : value_name(one);
                    !name.empty())
                    names.push_back(std::move(name));
    if (std::string name = value_name(argument); !name.empty())
        names.push_back(std::move(name));
    return names;
}

class ExportGraph {
  public:
    ExportGraph(const json& program, const std::string& where) : program_(program), where_(where), builder_(where) {}

    Graph build() {
        const json& module = member(program_, "graph_module");
        const json& graph = member(module, "graph");
        if (!member(graph, "nodes").is_array())
            throw UserError("{} is not a program of torch.export: it has no graph", where_);
        builder_.graph.kind = "torch.export";
        builder_.graph.has_flow = true;
        if (const std::string version = text_of(member(program_, "torch_version")); !version.empty())
            builder_.graph.facts.emplace_back("torch", version);
        read_ranges();
        read_signature(member(member(module, "signature"), "input_specs"));
        Scope scope;
        add_graph(graph, kNone, scope, 0);
        return builder_.finish();
    }

  private:
    void read_ranges() {
        const json& ranges = member(program_, "range_constraints");
        if (ranges.is_object())
            for (const auto& [symbol, range] : ranges.items()) {
                const auto bound = [&](const char* key) {
                    const json& value = member(range, key);
                    return value.is_number_integer() ? std::to_string(value.get<std::int64_t>()) : std::string("…");
                };
                builder_.graph.facts.emplace_back(symbol, bound("min_val") + " to " + bound("max_val"));
            }
    }

    void read_signature(const json& inputs) {
        static constexpr std::pair<const char*, const char*> kStored[] = {
            {"parameter", "parameter_name"}, {"buffer", "buffer_name"}, {"tensor_constant", "tensor_constant_name"}};
        if (!inputs.is_array())
            return;
        for (const json& input : inputs)
            for (const auto& [kind, key] : kStored)
                if (const json& spec = member(input, kind); spec.is_object())
                    stored_.emplace(value_name(member(spec, "arg")), text_of(member(spec, key)));
    }

    struct Shape {
        std::string text;
        std::vector<std::int64_t> sizes;  ///< -1: known when the program runs
        std::string dtype;
        std::uint64_t elements = 1;
        int element_bytes = 0;
    };

    static Shape shape_of(const json& value) {
        Shape shape;
        const json& type = member(value, "dtype");
        for (const ElementType& known : kElementTypes)
            if (type.is_number_integer() && type.get<std::int64_t>() == known.number) {
                shape.dtype = known.name;
                shape.element_bytes = known.bytes;
            }
        std::vector<std::string> texts;
        const json& sizes = member(value, "sizes");
        if (sizes.is_array())
            for (const json& size : sizes) {
                std::int64_t number = -1;
                if (const json& fixed = member(size, "as_int"); fixed.is_number_integer())
                    number = fixed.get<std::int64_t>();
                shape.sizes.push_back(number);
                if (number < 0 ||
                    __builtin_mul_overflow(shape.elements, static_cast<std::uint64_t>(number), &shape.elements))
                    shape.elements = 0;
                texts.push_back(number >= 0 ? std::to_string(number)
                                            : symbol_of(text_of(member(member(size, "as_expr"), "expr_str"))));
            }
        shape.text = shape.dtype + " [" + list_text(texts, [](const std::string& text) { return text; }) + "]";
        return shape;
    }

    /// "s23" of "Symbol('s23', positive=True, integer=True)".
    static std::string symbol_of(const std::string& expression) {
        constexpr std::string_view kSymbol = "Symbol('";
        std::string text;
        for (std::size_t at = 0; at < expression.size();) {
            const std::size_t begin = expression.find(kSymbol, at);
            text += expression.substr(at, begin == std::string::npos ? begin : begin - at);
            if (begin == std::string::npos)
                break;
            const std::size_t name = begin + kSymbol.size(), quote = expression.find('\'', name);
            text += expression.substr(name, quote == std::string::npos ? quote : quote - name);
            const std::size_t close = expression.find(')', name);
            at = close == std::string::npos ? expression.size() : close + 1;
        }
        return text.empty() ? "?" : text;
    }

    void add_graph(const json& graph, std::uint32_t parent, Scope& scope, int depth) {
        const json& values = member(graph, "tensor_values");
        const auto read_type = [&](const std::string& name) {
            if (const json& value = member(values, name.c_str()); value.is_object() && !types_.contains(name))
                types_.emplace(name, shape_of(value));
        };
        const json& inputs = member(graph, "inputs");
        if (inputs.is_array())
            for (const json& input : inputs) {
                const std::string name = value_name(input);
                read_type(name);
                if (!name.empty() && !stored_.contains(name))
                    scope.producers.insert_or_assign(name, add_end(name, "Input", parent));
            }
        const json& nodes = member(graph, "nodes");
        if (nodes.is_array())
            for (const json& node : nodes)
                add_node(node, parent, scope, read_type, depth);
        const json& outputs = member(graph, "outputs");
        if (outputs.is_array())
            for (const json& output : outputs)
                for (const std::string& name : value_names(output))
                    builder_.connect(scope.producer(name), add_end(name, "Output", parent), value_text(name));
    }

    std::uint32_t add_end(const std::string& name, const char* op, std::uint32_t parent) {
        Node end;
        end.label = end.name = name;
        end.op = op;
        end.parent = parent;
        if (types_.contains(name))
            end.facts.emplace_back("type", types_.at(name).text);
        return builder_.add(std::move(end));
    }

    template <class ReadType>
    void add_node(const json& node, std::uint32_t parent, Scope& scope, const ReadType& read_type, int depth) {
        Node made;
        made.op = short_target(text_of(member(node, "target")));
        made.label = made.op;
        made.name = text_of(member(node, "name"));
        made.facts.emplace_back("target", text_of(member(node, "target")));
        std::vector<std::string> used, produced;
        std::vector<std::pair<std::string, const json*>> graphs;
        const json& inputs = member(node, "inputs");
        if (inputs.is_array())
            for (const json& input : inputs) {
                const json& argument = member(input, "arg");
                const std::string label = text_of(member(input, "name"));
                if (const json& inner = member(argument, "as_graph"); inner.is_object())
                    graphs.emplace_back(text_of(member(inner, "name")), &member(inner, "graph"));
                std::vector<std::string> names = value_names(argument);
                for (const std::string& name : names) {
                    read_type(name);
                    add_input(label, name, made);
                }
                if (names.empty() && argument.is_object() && !argument.empty() && graphs.empty())
                    made.facts.emplace_back(label, text::printable(argument.begin()->dump(), 200));
                used.insert(used.end(), names.begin(), names.end());
            }
        const json& outputs = member(node, "outputs");
        if (outputs.is_array())
            for (const json& output : outputs)
                for (std::string& name : value_names(output)) {
                    read_type(name);
                    made.facts.emplace_back("output", value_text(name));
                    produced.push_back(std::move(name));
                }
        if (made.name.empty() && !produced.empty())
            made.name = produced.front();
        if (const std::string trace = text_of(member(member(node, "metadata"), "stack_trace")); !trace.empty())
            made.facts.emplace_back("source", trace);
        made.parent = module_of(text_of(member(member(node, "metadata"), "nn_module_stack")), parent);
        made.is_block = !graphs.empty();
        const std::uint32_t number = builder_.add(std::move(made));
        for (const std::string& name : used)
            builder_.connect(scope.producer(name), number, value_text(name));
        if (depth < kDeepestSubgraph)
            for (const auto& [name, graph] : graphs) {
                Scope inner{&scope};
                add_graph(*graph, builder_.block(number, {name.empty() ? "graph" : name}), inner, depth + 1);
            }
        for (const std::string& name : produced)
            scope.producers.insert_or_assign(name, number);
    }

    void add_input(const std::string& label, const std::string& name, Node& made) {
        const auto stored = stored_.find(name);
        if (stored == stored_.end()) {
            made.facts.emplace_back(label, value_text(name));
            return;
        }
        Weight weight;
        weight.name = stored->second;
        weight.shared = !counted_.insert(name).second;
        if (const auto type = types_.find(name); type != types_.end()) {
            weight.dtype = type->second.dtype;
            weight.shape = type->second.sizes;
            weight.elements = type->second.elements;
            weight.bytes = weight.elements * static_cast<std::uint64_t>(type->second.element_bytes);
        }
        made.weights.push_back(std::move(weight));
    }

    /// "L__self__,,Net;L__self__layers.0,layers.0,Block": key, path and class of each module around a node.
    std::uint32_t module_of(const std::string& stack, std::uint32_t parent) {
        std::uint32_t block = parent;
        for (const std::string& entry : parts_of_path(stack, ";")) {
            const std::size_t path = entry.find(','), type = entry.rfind(',');
            if (path == std::string::npos || type <= path + 1)
                continue;
            block =
                builder_.block(parent, parts_of_path(std::string_view(entry).substr(path + 1, type - path - 1), "."));
            if (block != kNone && builder_.node(block).op.empty()) {
                const std::string name = entry.substr(type + 1);
                builder_.node(block).op = name.substr(name.rfind('.') + 1);
            }
        }
        return block;
    }

    /// "linear" of "torch.ops.aten.linear.default".
    static std::string short_target(const std::string& target) {
        const std::vector<std::string> parts = parts_of_path(target, ".");
        constexpr std::size_t kOperator = 5;  // torch, ops, namespace, operator, overload
        return parts.size() == kOperator ? parts[3] : parts.empty() ? "call" : parts.back();
    }

    std::string value_text(const std::string& name) const {
        const auto type = types_.find(name);
        return type == types_.end() ? name : name + " " + type->second.text;
    }

    const json& program_;
    const std::string& where_;
    GraphBuilder builder_;
    std::unordered_map<std::string, std::string> stored_;  ///< names of parameters and buffers, by that of their value
    std::unordered_map<std::string, Shape> types_;
    std::set<std::string> counted_;
};

/// The name of the entry with the program; empty without.
std::string program_entry(const files::ZipArchive& archive) {
    for (const auto& [name, entry] : archive.entries())
        if (name == "serialized_exported_program.json" || (name.starts_with("models/") && name.ends_with(".json")))
            return name;
    return {};
}

}  // namespace

bool is_export_file(const std::filesystem::path& path) {
    try {
        const files::MappedFile file(path, files::MappedFile::Pages::shared);
        return files::ZipArchive::begins_like_one(file.bytes()) &&
               !program_entry(files::ZipArchive(file.bytes(), path.string())).empty();
    } catch (const UserError&) {
        return false;
    }
}

Graph graph_of_export(const std::filesystem::path& path) {
    const files::MappedFile file(path, files::MappedFile::Pages::shared);
    const files::ZipArchive archive(file.bytes(), path.string());
    const std::string entry = program_entry(archive);
    if (entry.empty())
        throw UserError("{} is not a program of torch.export: it has no graph", path.string());
    const std::span<const std::byte> bytes = archive.read(entry);
    const json program = read_json({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    if (program.is_discarded())
        throw UserError("{} is not a program of torch.export: '{}' in it is not JSON", path.string(),
                        text::printable(entry));
    Graph graph = ExportGraph(program, path.string()).build();
    graph.title = path.filename().string();
    return graph;
}

}  // namespace trainyard::graph
