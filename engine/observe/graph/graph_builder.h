// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Puts a graph together; internal to the library. Values are named in scopes: a graph inside an operator sees those of
// the graph around it.

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "observe/graph/graph.h"

namespace trainyard::graph {

class GraphBuilder {
  public:
    /// `where` is used in messages.
    explicit GraphBuilder(std::string where) : where_(std::move(where)) {}

    Graph graph;

    Node& node(std::uint32_t number) { return graph.nodes[number]; }
    /// Throws UserError if there are too many.
    std::uint32_t add(Node node);
    /// The block inside `parent` with these names, created where it is missing: {"layers", "0"}.
    std::uint32_t block(std::uint32_t parent, const std::vector<std::string>& path);
    void connect(std::uint32_t from, std::uint32_t to, std::string value);
    /// Totals and repeated blocks.
    Graph finish();

  private:
    std::string where_;
    std::map<std::pair<std::uint32_t, std::string>, std::uint32_t> blocks_;
};

/// Names of values that are visible at one place.
struct Scope {
    const Scope* outer = nullptr;
    std::unordered_map<std::string, std::uint32_t> producers = {};
    /// kNone: it is not a result of a node.
    std::uint32_t producer(const std::string& value) const {
        for (const Scope* scope = this; scope != nullptr; scope = scope->outer)
            if (const auto found = scope->producers.find(value); found != scope->producers.end())
                return found->second;
        return kNone;
    }
};

/// "model.layers.0" in parts.
std::vector<std::string> parts_of_path(std::string_view path, std::string_view separators);
/// A list of numbers or texts, cut after `most`.
template <class Values, class Text>
std::string list_text(const Values& values, Text text, std::size_t most = 16) {
    std::string all;
    std::size_t count = 0;
    for (const auto& value : values) {
        if (count == most) {
            all += ", …";
            break;
        }
        all += (count++ == 0 ? "" : ", ") + text(value);
    }
    return all;
}

}  // namespace trainyard::graph
