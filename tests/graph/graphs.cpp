// SPDX-License-Identifier: GPL-3.0-or-later
// Graphs of real files: ONNX of both exporters of torch, torch.export, checkpoints, recipes.

#include <algorithm>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "formats/onnx/onnx_model.h"
#include "observe/graph/graph.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace {

using namespace trainyard;
using test::says;
using testing::_;
namespace fs = std::filesystem;

const fs::path kModels = GRAPH_FILES;

const graph::Node* node_named(const graph::Graph& graph, const std::string& name) {
    const auto found = std::ranges::find(graph.nodes, name, &graph::Node::name);
    return found == graph.nodes.end() ? nullptr : &*found;
}

std::vector<std::string> operators_of(const graph::Graph& graph) {
    std::vector<std::string> operators;
    for (const graph::Node& node : graph.nodes)
        if (!node.is_block && node.op != "Input" && node.op != "Output")
            operators.push_back(node.op);
    std::ranges::sort(operators);
    return operators;
}

void expect_sound(const graph::Graph& graph) {
    std::uint64_t parameters = 0;
    for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) {
        const graph::Node& node = graph.nodes[i];
        EXPECT_TRUE(node.parent == graph::kNone || (node.parent < i && graph.nodes[node.parent].is_block));
        EXPECT_TRUE(node.alike == graph::kNone || graph.nodes[node.alike].parent == node.parent);
        parameters += node.parent == graph::kNone ? node.parameters : 0;
    }
    for (const graph::Edge& edge : graph.edges)
        EXPECT_TRUE(edge.from < graph.nodes.size() && edge.to < graph.nodes.size() && edge.from != edge.to);
    EXPECT_EQ(parameters, graph.parameters);
}

TEST(Graphs, OnnxHasTheOperatorsAndWeightsOfItsLibrary) {
    const nlohmann::json all = parse_json(read_file(kModels / "expected.json"));
    for (const std::string name : {"blocks.onnx", "blocks_legacy.onnx"}) {
        SCOPED_TRACE(name);
        const graph::Graph graph = graph::open_graph(kModels / name);
        expect_sound(graph);
        EXPECT_TRUE(graph.has_flow);
        EXPECT_EQ(operators_of(graph), all[name]["operators"].get<std::vector<std::string>>());
        std::uint64_t weights = 0;
        for (const auto& [tensor, dims] : all[name]["initializers"].items()) {
            std::uint64_t elements = 1;
            for (const auto& size : dims)
                elements *= size.get<std::uint64_t>();
            weights += elements > 1 ? elements : 0;  // single numbers are arguments
        }
        EXPECT_EQ(graph.parameters, weights);
        EXPECT_EQ(graph.bytes, 4 * weights);
        // The three blocks are drawn once.
        const graph::Node* first = node_named(graph, "layers.0");
        ASSERT_NE(first, nullptr);
        EXPECT_EQ(first->repeat, 3u);
        EXPECT_EQ(node_named(graph, "layers.2")->alike, static_cast<std::uint32_t>(first - graph.nodes.data()));
    }
    const graph::Graph graph = graph::open_graph(kModels / "blocks.onnx");
    EXPECT_EQ(node_named(graph, "layers.0")->op, "Block");
    EXPECT_EQ(node_named(graph, "layers.0.up")->op, "Linear");
}

TEST(Graphs, ShapesFlowAlongTheEdges) {
    const graph::Graph graph = graph::open_graph(kModels / "blocks.onnx");
    const auto input = std::ranges::find(graph.nodes, "Input", &graph::Node::op);
    ASSERT_NE(input, graph.nodes.end());
    EXPECT_EQ(input->facts.front().second, "int64 [batch, 4]");
    const auto into = std::ranges::find_if(graph.edges, [&](const graph::Edge& edge) {
        return graph.nodes[edge.from].op == "Gather" || graph.nodes[edge.to].op == "Output";
    });
    ASSERT_NE(into, graph.edges.end());
    EXPECT_NE(into->value.find("float32 [batch, 4, "), std::string::npos) << into->value;
}

TEST(Graphs, GraphsAndFunctionsInsideOperatorsAreBlocks) {
    const graph::Graph graph = graph::open_graph(kModels / "nested.onnx");
    expect_sound(graph);
    const graph::Node* choice = node_named(graph, "choice");
    ASSERT_NE(choice, nullptr);
    EXPECT_TRUE(choice->is_block);
    const auto inside = [&](std::uint32_t node, const graph::Node* block) {
        while (node != graph::kNone && &graph.nodes[node] != block)
            node = graph.nodes[node].parent;
        return node != graph::kNone;
    };
    // The branches use x, which comes from outside.
    const auto x = static_cast<std::uint32_t>(node_named(graph, "x") - graph.nodes.data());
    EXPECT_EQ(std::ranges::count_if(graph.edges,
                                    [&](const graph::Edge& edge) { return edge.from == x && inside(edge.to, choice); }),
              2);
    // Each call of the function has its operators, and the data goes through them.
    for (const char* call : {"first", "second"}) {
        const graph::Node* block = node_named(graph, call);
        ASSERT_NE(block, nullptr);
        EXPECT_EQ(block->op, "Twice");
        EXPECT_EQ(std::ranges::count_if(graph.nodes,
                                        [&](const graph::Node& node) {
                                            return node.op == "Add" && node.parent != graph::kNone &&
                                                   &graph.nodes[node.parent] == block;
                                        }),
                  1);
    }
    const auto facts = node_named(graph, "add")->facts;
    EXPECT_NE(std::ranges::find(facts, graph::Fact("data of far", "nested.bin")), facts.end());
}

TEST(Graphs, TorchExportHasWhatTorchSays) {
    const nlohmann::json all = parse_json(read_file(kModels / "expected.json"));
    const graph::Graph graph = graph::open_graph(kModels / "blocks.pt2");
    expect_sound(graph);
    EXPECT_TRUE(graph.has_flow);
    EXPECT_EQ(operators_of(graph), all["blocks.pt2"]["operators"].get<std::vector<std::string>>());
    EXPECT_EQ(graph.parameters, all["blocks.pt2"]["parameters"].get<std::uint64_t>());
    EXPECT_EQ(node_named(graph, "layers.0")->repeat, 3u);
    EXPECT_EQ(node_named(graph, "layers.0")->op, "Block");
    EXPECT_EQ(node_named(graph, "layers.1.norm")->op, "LayerNorm");
    const auto embedding = std::ranges::find(graph.nodes, "embedding", &graph::Node::op);
    ASSERT_NE(embedding, graph.nodes.end());
    EXPECT_EQ(embedding->weights.front().name, "embed.weight");
    EXPECT_EQ(embedding->weights.front().shape, (std::vector<std::int64_t>{16, 8}));
    EXPECT_NE(std::ranges::find(embedding->facts, graph::Fact("output", "embedding float32 [s23, 4, 8]")),
              embedding->facts.end());
    const graph::Graph branches = graph::open_graph(kModels / "cond.pt2");
    expect_sound(branches);
    const std::vector<std::string> operators = operators_of(branches);
    for (const char* name : {"sin", "cos"})  // of both branches
        EXPECT_NE(std::ranges::find(operators, name), operators.end()) << name;
}

/// Names of a decoder as safetensors has them, `layers` of them.
void write_decoder(const fs::path& folder, int layers) {
    nlohmann::ordered_json header;
    std::int64_t end = 0;
    const auto add = [&](const std::string& name, const std::vector<std::int64_t>& shape) {
        std::int64_t bytes = 2;
        for (std::int64_t size : shape)
            bytes *= size;
        header[name] = {{"dtype", "BF16"}, {"shape", shape}, {"data_offsets", {end, end + bytes}}};
        end += bytes;
    };
    add("model.embed_tokens.weight", {64, 16});
    for (int i = 0; i < layers; ++i) {
        const std::string layer = "model.layers." + std::to_string(i) + ".";
        add(layer + "input_layernorm.weight", {16});
        for (const char* name : {"q_proj", "k_proj", "v_proj", "o_proj"})
            add(layer + "self_attn." + name + ".weight", {16, 16});
        add(layer + "post_attention_layernorm.weight", {16});
        add(layer + "mlp.gate_proj.weight", {32, 16});
        add(layer + "mlp.up_proj.weight", {32, 16});
        add(layer + "mlp.down_proj.weight", {16, 32});
    }
    add("model.norm.weight", {16});
    add("lm_head.weight", {64, 16});
    const std::string text = header.dump();
    const std::uint64_t size = text.size();
    std::ofstream(folder / "model.safetensors", std::ios::binary)
            .write(reinterpret_cast<const char*>(&size), sizeof size)
            .write(text.data(), static_cast<std::streamsize>(size))
        << std::string(static_cast<std::size_t>(end), '\0');
}

TEST(Graphs, ACheckpointIsInTheOrderOfItsModules) {
    const test::TemporaryFolder folder;
    write_decoder(folder.path(), 12);
    const graph::Graph graph = graph::open_graph(folder.path());
    expect_sound(graph);
    EXPECT_FALSE(graph.has_flow);
    const graph::Node* layer = node_named(graph, "model.layers.0");
    ASSERT_NE(layer, nullptr);
    EXPECT_EQ(layer->repeat, 12u);
    const auto number = [&](const std::string& name) {
        return static_cast<std::uint32_t>(node_named(graph, name) - graph.nodes.data());
    };
    const auto leads = [&](const std::string& from, const std::string& to) {
        return std::ranges::any_of(graph.edges, [&](const graph::Edge& edge) {
            return edge.from == number("model.layers.0." + from) && edge.to == number("model.layers.0." + to);
        });
    };
    EXPECT_TRUE(leads("input_layernorm", "self_attn"));
    EXPECT_TRUE(leads("self_attn", "post_attention_layernorm"));
    EXPECT_TRUE(leads("post_attention_layernorm", "mlp"));
    for (const char* name : {"q_proj", "k_proj", "v_proj"})  // beside each other
        EXPECT_TRUE(leads("self_attn." + std::string(name), "self_attn.o_proj"));
    EXPECT_FALSE(leads("self_attn.q_proj", "self_attn.k_proj"));
    EXPECT_TRUE(leads("mlp.gate_proj", "mlp.down_proj"));
    EXPECT_EQ(node_named(graph, "model.layers.3.mlp.up_proj")->op, "Linear");
    EXPECT_EQ(node_named(graph, "model.embed_tokens")->op, "Embedding");
    EXPECT_EQ(node_named(graph, "model.norm")->op, "RMSNorm");
}

TEST(Graphs, ARecipeNeedsNoWeights) {
    const graph::Graph graph =
        graph::graph_of_recipe("model:\n  model_type: llama\n  hidden_size: 64\n  num_hidden_layers: 24\n", "r.yaml");
    expect_sound(graph);
    const graph::Node* layer = node_named(graph, "model.layers.0");
    ASSERT_NE(layer, nullptr);
    EXPECT_EQ(layer->repeat, 24u);
    EXPECT_EQ(layer->op, "LlamaDecoderLayer");
    EXPECT_EQ(graph.title, "LlamaForCausalLM");
    EXPECT_NE(std::ranges::find(graph.facts, graph::Fact("hidden_size", "64")), graph.facts.end());
}

// lutzroeder/netron issue 1510: an operator of a user's library.
TEST(Graphs, CustomOperatorsOfTorchAreDrawn) {
    const graph::Graph graph = graph::open_graph(kModels / "custom.pt2");
    expect_sound(graph);
    EXPECT_EQ(operators_of(graph), (std::vector<std::string>{"relu", "twice"}));
}

// Issue 647: a constant text, and an operator of another domain. Issue 1256: external data that is not there is not
// needed.
TEST(Graphs, ConstantTextsAndMissingDataDoNotMatter) {
    const test::TemporaryFolder folder;
    onnx::Model model;
    model.ir_version = 8;
    model.operator_sets = {{"", 17}, {"ai.onnx.contrib", 1}};
    model.graph.inputs = {{"x", {"", onnx::DataType::float32, std::vector<onnx::Dimension>{{2}}}}};
    model.graph.outputs = {{"y", {}}};
    model.graph.nodes = {{"Constant", {}, {"text"}, {onnx::make_attribute("value_string", std::string("abcd"))}},
                         {"MyAdd", {"x", "far", "text"}, {"y"}, {}, "mine", "ai.onnx.contrib"}};
    model.graph.initializers = {
        {"far", onnx::DataType::bfloat16, {1 << 20, 1 << 12}, {}, onnx::ExternalData{"none.bin", 0, std::nullopt}}};
    std::ofstream(folder.path() / "m.onnx", std::ios::binary) << onnx::serialize_model(model);
    const graph::Graph graph = graph::open_graph(folder.path() / "m.onnx");
    expect_sound(graph);
    EXPECT_EQ(operators_of(graph), (std::vector<std::string>{"Constant", "MyAdd"}));
    EXPECT_EQ(graph.bytes, std::uint64_t{1} << 33);
    EXPECT_EQ(node_named(graph, "mine")->weights.front().dtype, "bfloat16");
}

TEST(Graphs, WhatIsNoModelIsOneMessage) {
    const test::TemporaryFolder folder;
    const auto message = [&](const std::string& name, const std::string& content) {
        std::ofstream(folder.path() / name, std::ios::binary) << content;
        try {
            graph::open_graph(folder.path() / name);
        } catch (const UserError& error) {
            return error.message();
        }
        return Message();
    };
    EXPECT_THAT(message("a.onnx", "text"), says("{} is not an ONNX model: {}", _, _));
    EXPECT_FALSE(message("a.pt2", "text").empty());
    EXPECT_FALSE(message("a.safetensors", "text").empty());
    EXPECT_FALSE(message("a.yaml", "model: [").empty());
    EXPECT_FALSE(message("config.json", "{}").empty());
}

}  // namespace
