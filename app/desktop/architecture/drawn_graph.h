// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A model's graph as the widget draws it, and the change of its weights against another checkpoint.

#include <memory>
#include <utility>
#include <vector>

#include <QString>

#include "desktop/checkpoints/open_checkpoint.h"
#include "observe/graph/graph.h"
#include "observe/inspect/compare.h"
#include "widgets/graph/graph_layout.h"

namespace trainyard::desktop {

/// A graph, and the checkpoint that it was read from, if it was one.
struct OpenArchitecture {
    graph::Graph graph;
    OpenCheckpointPointer checkpoint = {};
};
using OpenArchitecturePointer = std::shared_ptr<const OpenArchitecture>;

/// Reads files: not for the GUI thread. Throws UserError.
OpenArchitecturePointer open_architecture(const QString& path);
OpenArchitecturePointer architecture_of_checkpoint(OpenCheckpointPointer checkpoint);
OpenArchitecturePointer architecture_of_recipe(const QString& yaml, const QString& file);

widgets::GraphData drawn_graph(const graph::Graph& graph);

/// |b - a| / |a| of the weights in each node, by node; negative: nothing of it was compared.
std::vector<double> changes_by_node(const graph::Graph& graph, const inspect::Comparison& comparison);
/// The same as shares of the largest one.
std::vector<double> heat_of(const std::vector<double>& changes);

/// Returns the format of the file that a graph is of, in the language of the window, or "checkpoint" or "recipe" in it.
QString kind_words(const graph::Graph& graph);
/// Property and value of a node, or, for -1, of the whole.
QVector<std::pair<QString, QString>> node_details(const graph::Graph& graph, int node,
                                                  const std::vector<double>& changes);

}  // namespace trainyard::desktop
