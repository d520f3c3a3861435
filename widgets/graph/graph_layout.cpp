// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/graph/graph_layout.h"

#include <algorithm>
#include <set>

namespace trainyard::widgets {

namespace {

constexpr qreal kGapX = 18, kGapY = 30, kPadding = 14;
constexpr qreal kDummyWidth = 12;
// A chain of dummies for every long edge would be quadratic in the worst case; longer ones are drawn straight.
constexpr int kMostDummiesOfEdge = 64;
constexpr int kSweeps = 6;

/// A node or a dummy of one block while it is placed.
struct Item {
    int node = -1;  ///< -1: a dummy
    int layer = 0;
    qreal width = kGraphBoxWidth, height = kGraphBoxHeight;
    qreal x = 0;  ///< of the middle
    qreal order = 0;
    std::vector<int> up = {}, down = {};
};

class Layout {
  public:
    Layout(const GraphData& data, const GraphFolds& folds) : data_(data), folds_(folds) {}

    GraphLayout run() {
        const auto count = static_cast<int>(data_.nodes.size());
        children_.resize(data_.nodes.size() + 1);
        edges_.resize(data_.nodes.size() + 1);
        depth_.resize(data_.nodes.size());
        drawn_.resize(data_.nodes.size());
        for (int i = 0; i < count; ++i) {
            const int parent = data_.nodes[index(i)].parent;
            depth_[index(i)] = parent < 0 ? 0 : depth_[index(parent)] + 1;
            drawn_[index(i)] = drawn(i);
            if (drawn_[index(i)] == i)
                children_[list_of(parent)].push_back(i);
        }
        share_edges();
        sizes_.resize(data_.nodes.size());
        places_.resize(data_.nodes.size());
        // Blocks from the inside out: a block is before its nodes in the list.
        for (int i = count; i-- > 0;)
            if (drawn_[index(i)] == i)
                sizes_[index(i)] = is_open(i) ? place_children(list_of(i)) : QSizeF(kGraphBoxWidth, kGraphBoxHeight);
        const QSizeF whole = place_children(data_.nodes.size());
        GraphLayout layout;
        layout.bounds = QRectF(QPointF(0, 0), whole);
        layout.box_of.assign(data_.nodes.size(), -1);
        emit_block(data_.nodes.size(), QPointF(0, 0), layout);
        for (int i = 0; i < count; ++i) {
            if (drawn_[index(i)] != i)
                continue;
            const int parent = data_.nodes[index(i)].parent;
            const QPointF origin = parent < 0 ? QPointF() : places_[index(parent)];
            places_[index(i)] += origin;
            layout.box_of[index(i)] = static_cast<int>(layout.boxes.size());
            layout.boxes.push_back({i, QRectF(places_[index(i)], sizes_[index(i)]), is_open(i)});
            if (is_open(i))
                emit_block(index(i), places_[index(i)], layout);
        }
        return layout;
    }

  private:
    static std::size_t index(int node) { return static_cast<std::size_t>(node); }
    std::size_t list_of(int parent) const { return parent < 0 ? data_.nodes.size() : index(parent); }
    bool is_open(int node) const { return data_.nodes[index(node)].is_block && folds_.open[index(node)]; }

    /// Nodes are after their block, so that of the block is known.
    int drawn(int node) const {
        const GraphNode& one = data_.nodes[index(node)];
        if (one.parent >= 0 && (drawn_[index(one.parent)] != one.parent || !is_open(one.parent)))
            return drawn_[index(one.parent)];
        return one.alike >= 0 && !folds_.spread[index(one.alike)] ? one.alike : node;
    }

    /// Each edge belongs to the innermost block with both ends, between the nodes of that block that have the ends.
    void share_edges() {
        std::set<std::pair<int, int>> seen;
        for (const GraphEdge& edge : data_.edges) {
            int from = drawn_[index(edge.from)], to = drawn_[index(edge.to)];
            const int drawn_from = from, drawn_to = to;
            if (from == to || !seen.emplace(from, to).second)
                continue;
            const auto climb = [&](int node) { return data_.nodes[index(node)].parent; };
            while (depth_[index(from)] > depth_[index(to)])
                from = climb(from);
            while (depth_[index(to)] > depth_[index(from)])
                to = climb(to);
            while (from != to && climb(from) != climb(to)) {
                from = climb(from);
                to = climb(to);
            }
            // Blocks that hold nodes are not drawn.
            if (from != to)
                edges_[list_of(climb(from))].push_back({from, to, drawn_from, drawn_to});
        }
    }

    struct Inner {
        int from, to;              ///< children of the block
        int drawn_from, drawn_to;  ///< in them
        std::vector<QPointF> bends = {};
    };

    QSizeF place_children(std::size_t list) {
        const std::vector<int>& nodes = children_[list];
        std::vector<Item> items(nodes.size());
        std::vector<int>& place = scratch_;
        place.resize(data_.nodes.size());
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            items[i].node = nodes[i];
            items[i].width = sizes_[index(nodes[i])].width();
            items[i].height = sizes_[index(nodes[i])].height();
            place[index(nodes[i])] = static_cast<int>(i);
        }
        std::vector<Inner>& edges = edges_[list];
        std::vector<std::pair<int, int>> pairs;
        pairs.reserve(edges.size());
        for (const Inner& edge : edges)
            pairs.emplace_back(place[index(edge.from)], place[index(edge.to)]);
        set_layers(items, pairs);
        std::vector<std::vector<int>> chains(edges.size());
        for (std::size_t i = 0; i < edges.size(); ++i)
            chains[i] = add_chain(items, pairs[i].first, pairs[i].second);
        std::vector<std::vector<int>> layers = order_layers(items);
        const qreal width = set_x(items, layers);
        return set_places(items, layers, edges, chains, width, list != data_.nodes.size());
    }

    /// Longest path from the sources. Files are in an order in which each node follows its inputs, so an edge against
    /// that order is a way back: of a loop, or of a block that is used again.
    static void set_layers(std::vector<Item>& items, std::vector<std::pair<int, int>>& pairs) {
        std::vector<std::vector<int>> next(items.size());
        for (auto& [from, to] : pairs) {
            if (from > to)
                std::swap(from, to);
            next[index(from)].push_back(to);
        }
        for (std::size_t i = 0; i < items.size(); ++i)
            for (int to : next[i])
                items[index(to)].layer = std::max(items[index(to)].layer, items[i].layer + 1);
        // A source stands above its first user, not at the top.
        std::vector<bool> has_input(items.size(), false);
        for (const auto& [from, to] : pairs)
            has_input[index(to)] = true;
        for (std::size_t i = 0; i < items.size(); ++i)
            if (!has_input[i] && !next[i].empty()) {
                int lowest = items[index(next[i].front())].layer;
                for (int to : next[i])
                    lowest = std::min(lowest, items[index(to)].layer);
                items[i].layer = std::max(0, lowest - 1);
            }
    }

    static std::vector<int> add_chain(std::vector<Item>& items, int from, int to) {
        if (items[index(from)].layer > items[index(to)].layer)
            std::swap(from, to);
        const int span = items[index(to)].layer - items[index(from)].layer;
        std::vector<int> chain;
        int last = from;
        if (span <= kMostDummiesOfEdge)
            for (int layer = items[index(from)].layer + 1; layer < items[index(to)].layer; ++layer) {
                Item dummy;
                dummy.layer = layer;
                dummy.width = kDummyWidth;
                dummy.height = 0;
                const auto number = static_cast<int>(items.size());
                dummy.up.push_back(last);
                items[index(last)].down.push_back(number);
                items.push_back(std::move(dummy));
                chain.push_back(number);
                last = number;
            }
        if (span > 0 && span <= kMostDummiesOfEdge) {
            items[index(last)].down.push_back(to);
            items[index(to)].up.push_back(last);
        }
        return chain;
    }

    static std::vector<std::vector<int>> order_layers(std::vector<Item>& items) {
        int deepest = 0;
        for (const Item& item : items)
            deepest = std::max(deepest, item.layer);
        std::vector<std::vector<int>> layers(static_cast<std::size_t>(deepest) + 1);
        for (std::size_t i = 0; i < items.size(); ++i)
            layers[index(items[i].layer)].push_back(static_cast<int>(i));
        const auto number = [&](std::vector<int>& layer) {
            for (std::size_t i = 0; i < layer.size(); ++i)
                items[index(layer[i])].order = static_cast<qreal>(i) - static_cast<qreal>(layer.size() - 1) / 2;
        };
        for (auto& layer : layers)
            number(layer);
        const auto sort = [&](std::vector<int>& layer, bool by_upper) {
            std::vector<std::pair<qreal, int>> keys;
            keys.reserve(layer.size());
            for (int item : layer) {
                const std::vector<int>& near = by_upper ? items[index(item)].up : items[index(item)].down;
                qreal sum = 0;
                for (int other : near)
                    sum += items[index(other)].order;
                keys.emplace_back(near.empty() ? items[index(item)].order : sum / static_cast<qreal>(near.size()),
                                  item);
            }
            std::stable_sort(keys.begin(), keys.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
            for (std::size_t i = 0; i < layer.size(); ++i)
                layer[i] = keys[i].second;
            number(layer);
        };
        for (int sweep = 0; sweep < kSweeps; ++sweep) {
            if (sweep % 2 == 0)
                for (std::size_t i = 1; i < layers.size(); ++i)
                    sort(layers[i], true);
            else
                for (std::size_t i = layers.size() - 1; i-- > 0;)
                    sort(layers[i], false);
        }
        return layers;
    }

    /// Moves each node towards the middle of its neighbours, as far as its own neighbours in the layer let it.
    static qreal set_x(std::vector<Item>& items, const std::vector<std::vector<int>>& layers) {
        for (const auto& layer : layers) {
            qreal whole = -kGapX, at = 0;
            for (int item : layer)
                whole += items[index(item)].width + kGapX;
            at = -whole / 2;
            for (int item : layer) {
                items[index(item)].x = at + items[index(item)].width / 2;
                at += items[index(item)].width + kGapX;
            }
        }
        std::vector<qreal> left, right;
        for (int sweep = 0; sweep < kSweeps; ++sweep) {
            const bool by_upper = sweep % 2 == 0;
            for (std::size_t step = 0; step < layers.size(); ++step) {
                const std::vector<int>& layer = layers[by_upper ? step : layers.size() - 1 - step];
                const std::size_t count = layer.size();
                left.resize(count);
                right.resize(count);
                for (std::size_t i = 0; i < count; ++i) {
                    const Item& item = items[index(layer[i])];
                    const std::vector<int>& near = by_upper ? item.up : item.down;
                    qreal wish = 0;
                    for (int other : near)
                        wish += items[index(other)].x;
                    left[i] = right[i] = near.empty() ? item.x : wish / static_cast<qreal>(near.size());
                }
                const auto gap = [&](std::size_t i) {
                    return (items[index(layer[i])].width + items[index(layer[i + 1])].width) / 2 + kGapX;
                };
                for (std::size_t i = 1; i < count; ++i)
                    left[i] = std::max(left[i], left[i - 1] + gap(i - 1));
                for (std::size_t i = count; i-- > 1;)
                    right[i - 1] = std::min(right[i - 1], right[i] - gap(i - 1));
                for (std::size_t i = 0; i < count; ++i)
                    items[index(layer[i])].x = (left[i] + right[i]) / 2;
            }
        }
        qreal least = 0, most = 0;
        bool first = true;
        for (const Item& item : items) {
            least = first ? item.x - item.width / 2 : std::min(least, item.x - item.width / 2);
            most = first ? item.x + item.width / 2 : std::max(most, item.x + item.width / 2);
            first = false;
        }
        for (Item& item : items)
            item.x -= least;
        return most - least;
    }

    QSizeF set_places(const std::vector<Item>& items, const std::vector<std::vector<int>>& layers,
                      std::vector<Inner>& edges, const std::vector<std::vector<int>>& chains, qreal width,
                      bool has_frame) {
        const qreal left = kPadding, top = has_frame ? kGraphTitle + kPadding / 2 : kPadding;
        std::vector<qreal> middle(layers.size());
        qreal y = top;
        for (std::size_t i = 0; i < layers.size(); ++i) {
            qreal height = 0;
            for (int item : layers[i])
                height = std::max(height, items[index(item)].height);
            middle[i] = y + height / 2;
            y += height + kGapY;
            for (int number : layers[i]) {
                const Item& item = items[index(number)];
                if (item.node >= 0)
                    places_[index(item.node)] = {left + item.x - item.width / 2, middle[i] - item.height / 2};
            }
        }
        for (std::size_t i = 0; i < edges.size(); ++i)
            for (int number : chains[i])
                edges[i].bends.emplace_back(left + items[index(number)].x, middle[index(items[index(number)].layer)]);
        const qreal least = has_frame ? kGraphBoxWidth : 0;
        return {std::max(width + 2 * kPadding, least), y - kGapY + kPadding};
    }

    void emit_block(std::size_t list, QPointF origin, GraphLayout& layout) {
        // The ends are known when all boxes are placed: GraphView draws from box to box.
        for (const Inner& edge : edges_[list]) {
            GraphLine line{edge.drawn_from, edge.drawn_to, {}};
            line.points.reserve(edge.bends.size());
            for (const QPointF& bend : edge.bends)
                line.points.push_back(bend + origin);
            layout.lines.push_back(std::move(line));
        }
    }

    const GraphData& data_;
    const GraphFolds& folds_;
    std::vector<std::vector<int>> children_;
    std::vector<std::vector<Inner>> edges_;
    std::vector<int> depth_, drawn_, scratch_;
    std::vector<QSizeF> sizes_;
    std::vector<QPointF> places_;
};

}  // namespace

GraphLayout layout_graph(const GraphData& data, const GraphFolds& folds) {
    GraphLayout layout = Layout(data, folds).run();
    for (GraphLine& line : layout.lines) {
        const QRectF& from =
            layout.boxes[static_cast<std::size_t>(layout.box_of[static_cast<std::size_t>(line.from)])].rect;
        const QRectF& to =
            layout.boxes[static_cast<std::size_t>(layout.box_of[static_cast<std::size_t>(line.to)])].rect;
        const bool goes_down = from.bottom() <= to.top();
        if (!goes_down)
            std::reverse(line.points.begin(), line.points.end());
        line.points.insert(line.points.begin(), {from.center().x(), goes_down ? from.bottom() : from.top()});
        line.points.emplace_back(to.center().x(), goes_down ? to.top() : to.bottom());
    }
    return layout;
}

int drawn_node(const GraphData& data, const GraphFolds& folds, int node) {
    std::vector<int> chain;
    for (int at = node; at >= 0; at = data.nodes[static_cast<std::size_t>(at)].parent)
        chain.push_back(at);
    for (std::size_t i = chain.size(); i-- > 0;) {
        const GraphNode& one = data.nodes[static_cast<std::size_t>(chain[i])];
        if (one.alike >= 0 && !folds.spread[static_cast<std::size_t>(one.alike)])
            return one.alike;
        if (i == 0 || !folds.open[static_cast<std::size_t>(chain[i])])
            return chain[i];
    }
    return node;
}

}  // namespace trainyard::widgets
