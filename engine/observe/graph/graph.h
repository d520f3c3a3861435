// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a model consists of, as a graph to look at: modules or operators in nested blocks, with shapes, parameters and
// bytes. Of a file that stores the flow of data (ONNX, torch.export) the edges are that flow; a checkpoint, a
// config.json and a recipe say which modules there are, and the edges are the order in which a family uses them. No
// weights are read.

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "base/message.h"

namespace trainyard::inspect {
class Reader;
}

namespace trainyard::graph {

inline constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

/// A parameter, or another tensor that the file stores.
struct Weight {
    std::string name;   ///< the part after the module's name: "weight"
    std::string dtype;  ///< as shown: "bf16", "Q4_K", "float32"
    std::vector<std::int64_t> shape = {};
    std::uint64_t elements = 0;
    std::uint64_t bytes = 0;
    std::uint32_t tensor = kNone;  ///< index in inspect::Contents::tensors, of a checkpoint
    bool shared = false;           ///< another node before this one has it, which counts it
};

/// Key and value, shown as they are.
using Fact = std::pair<std::string, std::string>;

struct Node {
    std::string label;  ///< "q_proj", "MatMul"
    std::string name;   ///< full: "model.layers.0.self_attn.q_proj"
    std::string op;     ///< "Linear", "MatMul", "LlamaDecoderLayer"; may be empty
    std::uint32_t parent = kNone;
    bool is_block = false;
    std::vector<Weight> weights = {};
    std::vector<Fact> facts = {};  ///< attributes, inputs and outputs
    std::uint64_t parameters = 0;  ///< of this node and all nodes in it
    std::uint64_t bytes = 0;       ///< of the same
    std::uint32_t repeat = 1;      ///< number of equal blocks that begin with this one: the layers of a model
    std::uint32_t alike = kNone;   ///< the first of those blocks, if this is another one
};

struct Edge {
    std::uint32_t from = kNone, to = kNone;
    std::string value = {};  ///< name and type of what flows: "logits float32 [batch, 10]"
};

struct Graph {
    std::string title;             ///< name of the file or class
    std::string kind;              ///< "ONNX", "torch.export", "checkpoint", "recipe", "config.json"
    std::vector<Node> nodes = {};  ///< a block is before the nodes in it
    std::vector<Edge> edges = {};
    std::vector<Fact> facts = {};     ///< of the whole: version, producer, keys of config.json
    std::vector<Message> notes = {};  ///< what a reader of the graph must know
    bool has_flow = false;            ///< the edges are what the file stores
    std::uint64_t parameters = 0, bytes = 0;
};

/// Whether open_graph() reads files of this kind, by the content of the file: ONNX or torch.export. `false` for files
/// of weights.
bool is_graph_file(const std::filesystem::path& path);

/// A file of ONNX or torch.export, a recipe (.yaml), a config.json, or anything that inspect::read_contents() reads.
/// Throws UserError.
Graph open_graph(const std::filesystem::path& path);

Graph graph_of_onnx(const std::filesystem::path& path);
Graph graph_of_export(const std::filesystem::path& path);
/// Whether a file is an archive of torch.export, by its content.
bool is_export_file(const std::filesystem::path& path);
Graph graph_of_config_file(const std::filesystem::path& path);
/// The model of a run, by its run.yaml.
Graph graph_of_run(const std::filesystem::path& spec);
/// The YAML of a recipe; the file need not exist.
Graph graph_of_recipe(const std::string& yaml, const std::filesystem::path& file);
/// The weights of a checkpoint, on this machine or another one. If a config.json of a known family is beside them, with
/// its classes.
Graph graph_of_checkpoint(const inspect::Reader& reader);

/// "[4096, 512]"
std::string shape_text(const std::vector<std::int64_t>& shape);

}  // namespace trainyard::graph
