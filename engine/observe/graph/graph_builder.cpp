// SPDX-License-Identifier: GPL-3.0-or-later
#include "observe/graph/graph_builder.h"

#include <algorithm>
#include <functional>

#include "base/error.h"

namespace trainyard::graph {

namespace {

constexpr std::size_t kMostNodes = 400'000;

std::size_t mixed(std::size_t seed, std::size_t value) {
    return seed ^ (value + 0x9e3779b97f4a7c15ULL + (seed << 6) + (seed >> 2));
}

bool is_number(const std::string& text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// What a node is, without the names of operators: those are counted through the whole graph.
std::size_t hash_of(const Node& node) {
    std::size_t hash = std::hash<std::string>()(node.op);
    if (node.is_block && !is_number(node.label))
        hash = mixed(hash, std::hash<std::string>()(node.label));
    for (const Weight& weight : node.weights) {
        hash = mixed(hash, std::hash<std::string>()(weight.dtype));
        for (std::int64_t size : weight.shape)
            hash = mixed(hash, static_cast<std::size_t>(size));
    }
    return hash;
}

void mark_repeats(Graph& graph) {
    const std::size_t count = graph.nodes.size();
    std::vector<std::size_t> hashes(count);
    std::vector<std::vector<std::uint32_t>> children(count + 1);  // the last: of the whole
    for (std::uint32_t i = 0; i < count; ++i)
        children[graph.nodes[i].parent == kNone ? count : graph.nodes[i].parent].push_back(i);
    for (std::size_t i = count; i-- > 0;) {
        hashes[i] = hash_of(graph.nodes[i]);
        for (std::uint32_t child : children[i])
            hashes[i] = mixed(hashes[i], hashes[child]);
    }
    for (const auto& siblings : children) {
        std::uint32_t first = kNone;
        for (std::uint32_t sibling : siblings) {
            Node& node = graph.nodes[sibling];
            if (!node.is_block || !is_number(node.label)) {
                first = kNone;
            } else if (first != kNone && hashes[sibling] == hashes[first]) {
                node.alike = first;
                ++graph.nodes[first].repeat;
            } else {
                first = sibling;
            }
        }
    }
}

}  // namespace

std::uint32_t GraphBuilder::add(Node node) {
    if (graph.nodes.size() == kMostNodes)
        throw UserError("{} has more than {} operators and blocks: its graph cannot be shown", where_, kMostNodes);
    graph.nodes.push_back(std::move(node));
    return static_cast<std::uint32_t>(graph.nodes.size() - 1);
}

std::uint32_t GraphBuilder::block(std::uint32_t parent, const std::vector<std::string>& path) {
    for (const std::string& part : path) {
        const auto [found, is_new] = blocks_.try_emplace({parent, part}, kNone);
        if (is_new) {
            Node made;
            made.label = part;
            made.name =
                parent == kNone || graph.nodes[parent].name.empty() ? part : graph.nodes[parent].name + "." + part;
            made.parent = parent;
            made.is_block = true;
            found->second = add(std::move(made));
        }
        parent = found->second;
    }
    return parent;
}

void GraphBuilder::connect(std::uint32_t from, std::uint32_t to, std::string value) {
    if (from != kNone && to != kNone && from != to)
        graph.edges.push_back({from, to, std::move(value)});
}

Graph GraphBuilder::finish() {
    for (Node& node : graph.nodes)
        for (const Weight& weight : node.weights) {
            node.parameters += weight.shared ? 0 : weight.elements;
            node.bytes += weight.shared ? 0 : weight.bytes;
        }
    for (std::size_t i = graph.nodes.size(); i-- > 0;) {
        const Node& node = graph.nodes[i];
        const bool is_root = node.parent == kNone;
        (is_root ? graph.parameters : graph.nodes[node.parent].parameters) += node.parameters;
        (is_root ? graph.bytes : graph.nodes[node.parent].bytes) += node.bytes;
    }
    mark_repeats(graph);
    return std::move(graph);
}

std::vector<std::string> parts_of_path(std::string_view path, std::string_view separators) {
    std::vector<std::string> parts;
    for (std::size_t at = 0; at <= path.size();) {
        const std::size_t end = std::min(path.find_first_of(separators, at), path.size());
        if (end > at)
            parts.emplace_back(path.substr(at, end - at));
        at = end + 1;
    }
    constexpr std::size_t kDeepest = 64;  // a name with more parts is not a path of modules
    if (parts.size() > kDeepest)
        parts.resize(kDeepest);
    return parts;
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
    return "[" + list_text(shape, [](std::int64_t size) { return std::to_string(size); }) + "]";
}

}  // namespace trainyard::graph
