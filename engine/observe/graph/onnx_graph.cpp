// SPDX-License-Identifier: GPL-3.0-or-later
// Graphs of ONNX. Blocks are the modules that the exporter named: in torch's names of nodes ("/layers.0/mlp/MatMul"),
// in its metadata of nodes, and the functions and graphs of the file itself.

#include <set>

#include <fmt/format.h>

#include "base/error.h"
#include "base/printable.h"
#include "formats/onnx/onnx_model.h"
#include "observe/graph/graph_builder.h"

namespace trainyard::graph {

namespace {

constexpr int kDeepestCall = 16;

std::string type_text(const onnx::Type& type) {
    std::string text = type.container.empty() ? "" : type.container + " ";
    if (type.element != onnx::DataType::undefined)
        text += onnx::data_type_name(type.element);
    if (type.shape)
        text += " [" +
                list_text(*type.shape,
                          [](const onnx::Dimension& dimension) {
                              return dimension.size           ? std::to_string(*dimension.size)
                                     : dimension.name.empty() ? "?"
                                                              : dimension.name;
                          }) +
                "]";
    return text;
}

std::string attribute_text(const onnx::Attribute& attribute) {
    if (!attribute.reference.empty())
        return attribute.reference;
    if (!attribute.texts.empty())
        return list_text(attribute.texts, [](const std::string& text) { return text::printable(text, 200); });
    if (!attribute.reals.empty())
        return list_text(attribute.reals, [](float value) { return fmt::format("{}", value); });
    if (!attribute.integers.empty())
        return list_text(attribute.integers, [](std::int64_t value) { return std::to_string(value); });
    // A field that is 0 may be left out of the message.
    return attribute.type == onnx::AttributeType::integer || attribute.type == onnx::AttributeType::real ? "0" : "";
}

std::string tensor_text(const onnx::Tensor& tensor) {
    std::string text = onnx::data_type_name(tensor.type) + " " + shape_text(tensor.dims);
    const std::vector<std::int64_t> values = onnx::integers_of(tensor);
    return values.empty() ? text
                          : text + " = " + list_text(values, [](std::int64_t value) { return std::to_string(value); });
}

/// The texts of a list in Python's notation: "['', 'layers.0']".
std::vector<std::string> quoted_texts(const std::string& list) {
    std::vector<std::string> texts;
    for (std::size_t at = 0; (at = list.find_first_of("'\"", at)) != std::string::npos;) {
        const std::size_t end = list.find(list[at], at + 1);
        if (end == std::string::npos)
            break;
        texts.push_back(list.substr(at + 1, end - at - 1));
        at = end + 1;
    }
    return texts;
}

class OnnxGraph {
  public:
    OnnxGraph(const onnx::Model& model, const std::string& where) : model_(model), builder_(where) {}

    Graph build() {
        for (const onnx::Function& function : model_.functions)
            functions_.emplace(std::pair(function.domain, function.name), &function);
        builder_.graph.kind = "ONNX";
        builder_.graph.title = model_.graph.name;
        builder_.graph.has_flow = true;
        auto& facts = builder_.graph.facts;
        if (!model_.producer_name.empty())
            facts.emplace_back("producer", model_.producer_name + " " + model_.producer_version);
        facts.emplace_back("IR version", std::to_string(model_.ir_version));
        for (const onnx::OperatorSet& set : model_.operator_sets)
            facts.emplace_back(set.domain.empty() ? "ai.onnx" : set.domain, std::to_string(set.version));
        for (const auto& [key, value] : model_.metadata)
            facts.emplace_back(key, text::printable(value, 300));
        Scope scope;
        add_graph(model_.graph, kNone, scope, 0);
        return builder_.finish();
    }

  private:
    /// Initializers and constants of a graph, by name.
    using Constants = std::map<std::string, const onnx::Tensor*>;

    void add_graph(const onnx::Graph& graph, std::uint32_t parent, Scope& scope, int depth) {
        Constants constants;
        for (const onnx::Tensor& tensor : graph.initializers)
            constants.emplace(tensor.name, &tensor);
        for (const onnx::Value& value : graph.inputs) {
            types_[value.name] = type_text(value.type);
            if (!constants.contains(value.name))
                scope.producers[value.name] = add_end(value, "Input", parent);
        }
        for (const auto* list : {&graph.values, &graph.outputs})
            for (const onnx::Value& value : *list)
                types_[value.name] = type_text(value.type);
        add_nodes(graph.nodes, parent, scope, constants, depth);
        for (const onnx::Value& value : graph.outputs) {
            const std::uint32_t end = add_end(value, "Output", parent);
            builder_.connect(scope.producer(value.name), end, value_text(value.name));
        }
    }

    std::uint32_t add_end(const onnx::Value& value, const char* op, std::uint32_t parent) {
        Node end;
        end.label = end.name = value.name;
        end.op = op;
        end.parent = parent;
        if (const std::string type = type_text(value.type); !type.empty())
            end.facts.emplace_back("type", type);
        return builder_.add(std::move(end));
    }

    void add_nodes(const std::vector<onnx::Node>& nodes, std::uint32_t parent, Scope& scope, Constants& constants,
                   int depth) {
        for (const onnx::Node& node : nodes) {
            const onnx::Tensor* value = constant_of(node, constants);
            if (value != nullptr && node.outputs.size() == 1)
                constants.emplace(node.outputs.front(), value);
            else
                add_node(node, parent, scope, constants, depth);
        }
    }

    /// The tensor that a node stands for: torch gives equal weights to several modules by the operator Identity.
    static const onnx::Tensor* constant_of(const onnx::Node& node, const Constants& constants) {
        if (node.op_type == "Identity" && node.inputs.size() == 1)
            if (const auto found = constants.find(node.inputs.front()); found != constants.end())
                return found->second;
        if (node.op_type != "Constant" || node.attributes.size() != 1 || node.attributes.front().tensors.size() != 1)
            return nullptr;
        return &node.attributes.front().tensors.front();
    }

    void add_node(const onnx::Node& node, std::uint32_t parent, Scope& scope, const Constants& constants, int depth) {
        Node made;
        made.op = node.op_type;
        made.name = node.name;
        std::vector<std::string> path = module_path(node);
        made.label = node.op_type;
        if (!node.name.empty() && path.empty()) {
            path = parts_of_path(node.name, "/");
            made.label = path.empty() ? node.name : path.back();
            std::vector<std::string> blocks;  // a name with slashes is a path; "layers.0" in it are two blocks
            for (std::size_t i = 0; i + 1 < path.size(); ++i)
                for (std::string& part : parts_of_path(path[i], "."))
                    blocks.push_back(std::move(part));
            path = std::move(blocks);
        }
        made.parent = builder_.block(parent, path);
        name_classes(node, made.parent);
        if (!node.domain.empty())
            made.facts.emplace_back("domain", node.domain);
        for (const onnx::Attribute& attribute : node.attributes) {
            std::string text = attribute_text(attribute);
            for (const onnx::Tensor& tensor : attribute.tensors)
                text += tensor_text(tensor);
            if (attribute.graphs.empty())
                made.facts.emplace_back(attribute.name, text);
        }
        for (std::size_t i = 0; i < node.inputs.size(); ++i)
            add_input(node.inputs[i], i, constants, made);
        for (const std::string& output : node.outputs)
            if (!output.empty())
                made.facts.emplace_back("output", value_text(output));
        const auto function = functions_.find({node.domain, node.op_type});
        const bool is_call = function != functions_.end() && depth < kDeepestCall;
        for (const onnx::Attribute& attribute : node.attributes)
            made.is_block = made.is_block || !attribute.graphs.empty();
        made.is_block = made.is_block || is_call;
        const std::uint32_t number = builder_.add(std::move(made));
        for (const std::string& input : node.inputs)
            if (!is_call)
                builder_.connect(scope.producer(input), number, value_text(input));
        for (const onnx::Attribute& attribute : node.attributes)
            for (std::size_t i = 0; i < attribute.graphs.size(); ++i) {
                Scope inner{&scope};
                const std::uint32_t block = builder_.block(
                    number, {attribute.graphs.size() == 1 ? attribute.name : attribute.name + std::to_string(i)});
                add_graph(attribute.graphs[i], block, inner, depth + 1);
            }
        if (is_call)
            add_call(*function->second, node, number, scope, depth);
        for (const std::string& output : node.outputs)
            if (!output.empty())
                scope.producers.insert_or_assign(output, number);
    }

    /// The operators of a function inside the node that calls it; values have the names of the caller outside.
    void add_call(const onnx::Function& function, const onnx::Node& node, std::uint32_t number, const Scope& outer,
                  int depth) {
        Scope inner;
        for (std::size_t i = 0; i < function.inputs.size() && i < node.inputs.size(); ++i)
            inner.producers[function.inputs[i]] = outer.producer(node.inputs[i]);
        Constants constants;
        add_nodes(function.nodes, number, inner, constants, depth + 1);
    }

    void add_input(const std::string& input, std::size_t place, const Constants& constants, Node& made) {
        if (input.empty())
            return;
        const auto constant = constants.find(input);
        if (constant == constants.end()) {
            made.facts.emplace_back("input " + std::to_string(place), value_text(input));
            return;
        }
        const onnx::Tensor& tensor = *constant->second;
        // Shapes, axes and single numbers are arguments, not weights.
        const bool is_argument = tensor.elements() <= 1 || !onnx::integers_of(tensor).empty();
        if (is_argument) {
            made.facts.emplace_back("input " + std::to_string(place), tensor_text(tensor));
            return;
        }
        Weight weight;
        weight.name = input;
        weight.dtype = onnx::data_type_name(tensor.type);
        weight.shape = tensor.dims;
        weight.elements = tensor.elements();
        weight.bytes = tensor.bytes();
        weight.shared = !counted_.insert(&tensor).second;
        if (tensor.external)
            made.facts.emplace_back("data of " + input, text::printable(tensor.external->location, 200));
        made.weights.push_back(std::move(weight));
    }

    /// The module of a node from torch's metadata; empty without.
    static std::vector<std::string> module_path(const onnx::Node& node) {
        for (const auto& [key, value] : node.metadata)
            if (key == "pkg.torch.onnx.name_scopes")
                if (const auto scopes = quoted_texts(value); scopes.size() > 1)
                    return parts_of_path(scopes[scopes.size() - 2], ".");
        return {};
    }

    /// The classes of the blocks around a node, of the same metadata.
    void name_classes(const onnx::Node& node, std::uint32_t block) {
        std::vector<std::string> scopes, classes;
        for (const auto& [key, value] : node.metadata) {
            if (key == "pkg.torch.onnx.name_scopes")
                scopes = quoted_texts(value);
            else if (key == "pkg.torch.onnx.class_hierarchy")
                classes = quoted_texts(value);
        }
        for (; block != kNone; block = builder_.node(block).parent)
            for (std::size_t i = 0; i + 1 < scopes.size() && i < classes.size(); ++i)
                if (builder_.node(block).name == scopes[i] && builder_.node(block).op.empty())
                    builder_.node(block).op = classes[i].substr(classes[i].rfind('.') + 1);
    }

    std::string value_text(const std::string& value) const {
        const auto type = types_.find(value);
        return type == types_.end() || type->second.empty() ? value : value + " " + type->second;
    }

    const onnx::Model& model_;
    GraphBuilder builder_;
    std::map<std::pair<std::string, std::string>, const onnx::Function*> functions_;
    std::unordered_map<std::string, std::string> types_;
    std::set<const onnx::Tensor*> counted_;
};

}  // namespace

Graph graph_of_onnx(const std::filesystem::path& path) {
    const onnx::ModelFile file = onnx::read_model(path);
    Graph graph = OnnxGraph(file.model, path.string()).build();
    graph.title = path.filename().string();
    return graph;
}

}  // namespace trainyard::graph
