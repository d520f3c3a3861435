// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Places of a nested graph's nodes: in each open block layers from top to bottom along the edges, with few crossings
// (Sugiyama, Tagawa and Toda 1981: longest paths, dummy nodes, medians). Qt Core and geometry only.

#include <vector>

#include <QPointF>
#include <QRectF>
#include <QString>

#include "widgets/pixels.h"

namespace trainyard::widgets {

struct GraphNode {
    QString label;    ///< first line
    QString caption;  ///< second line: "Linear, 4.2 M"
    QString search;   ///< further text that search() finds
    int parent = -1;  ///< a block, before this node in the list
    bool is_block = false;
    int repeat = 1;    ///< number of equal blocks that this one is the first of
    int alike = -1;    ///< the first of those, if this is another one
    int hue = 0;       ///< kind of node, for its colour
    double heat = -1;  ///< share of the strongest colour, 0 to 1; negative: no colour
};

struct GraphEdge {
    int from = 0, to = 0;
    bool operator==(const GraphEdge&) const = default;
};

struct GraphData {
    std::vector<GraphNode> nodes;
    std::vector<GraphEdge> edges;
};

/// The open blocks.
struct GraphFolds {
    std::vector<bool> open;    ///< by node: the nodes inside a block are drawn
    std::vector<bool> spread;  ///< by node with `repeat`: each of the equal blocks is drawn
};

struct GraphBox {
    int node = 0;
    QRectF rect;
    bool open = false;
};

/// Goes through the ports of the open blocks that it enters and leaves.
struct GraphLine {
    int from = 0, to = 0;  ///< nodes that are drawn
    std::vector<QPointF> points;
    QRectF bounds;
};

/// Where lines cross the frame of an open block: all those from one node enter at one port, and leave at one.
struct GraphPort {
    int block = 0, source = 0;
    bool is_input = false;
    QPointF at;
};

struct GraphLayout {
    std::vector<GraphBox> boxes;  ///< a block before the nodes in it
    std::vector<GraphLine> lines;
    std::vector<GraphPort> ports;
    std::vector<int> box_of;  ///< by node: its place in boxes, or -1
    QRectF bounds;
};

inline const double &kGraphBoxWidth = live_px(180.0), &kGraphBoxHeight = live_px(40.0), &kGraphTitle = live_px(26.0);

GraphLayout layout_graph(const GraphData& data, const GraphFolds& folds);

/// The node that is drawn for `node`: itself, the block that hides it, or the one that it is alike.
int drawn_node(const GraphData& data, const GraphFolds& folds, int node);

}  // namespace trainyard::widgets
