// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/graph/graph_layout.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "widgets/pixels.h"

namespace trainyard::widgets {

namespace {

const double &kGapX = live_px(18.0), &kGapY = live_px(30.0), &kPadding = live_px(14.0);
constexpr qreal kDummyWidth = 12;
// A chain of dummies for every long edge would be quadratic in the worst case; longer ones are drawn straight.
constexpr int kMostDummiesOfEdge = 64;
constexpr int kSweeps = 6;

/// A node, a port or a dummy of one block while it is placed.
struct Item {
    int node = -1;  ///< -1: a port or a dummy
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
        segments_.resize(data_.nodes.size() + 1);
        ports_of_.resize(data_.nodes.size() + 1);
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
        for (int i = 0; i < count; ++i) {
            if (drawn_[index(i)] != i)
                continue;
            const int parent = data_.nodes[index(i)].parent;
            places_[index(i)] += parent < 0 ? QPointF() : places_[index(parent)];
            layout.box_of[index(i)] = static_cast<int>(layout.boxes.size());
            layout.boxes.push_back({i, QRectF(places_[index(i)], sizes_[index(i)]), is_open(i)});
        }
        for (GraphPort& port : ports_)
            port.at += places_[index(port.block)];
        for (const Way& way : ways_)
            layout.lines.push_back(line_of(way));
        layout.ports = std::move(ports_);
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

    /// Part of an edge inside one block, from top to bottom. Its ends are nodes, or ~port, where a port is one of this
    /// block or of a block in it.
    struct Segment {
        int from, to;
        std::vector<QPointF> bends = {};
    };
    /// An edge between drawn nodes as its segments.
    struct Way {
        int from, to;
        bool goes_up;  ///< it is laid out from `to` to `from`
        std::vector<std::pair<std::size_t, std::size_t>> segments = {};
    };

    /// The port of an open block for all edges from one node.
    int port_of(int block, bool is_input, int source) {
        const auto [known, is_new] =
            known_ports_.emplace(std::tuple(block, is_input, source), static_cast<int>(ports_.size()));
        if (is_new) {
            ports_of_[index(block)].push_back(known->second);
            ports_.push_back({block, source, is_input, {}});
        }
        return known->second;
    }

    void add_segment(Way& way, std::size_t list, int from, int to) {
        const auto [known, is_new] = known_segments_.emplace(std::tuple(list, from, to), segments_[list].size());
        if (is_new)
            segments_[list].push_back({from, to});
        way.segments.emplace_back(list, known->second);
    }

    /// Each edge is divided at the frames of the blocks between its ends. Files are in an order in which each node
    /// follows its inputs, so an edge against that order is a way back: of a loop, or of a block that is used again.
    void share_edges() {
        std::set<std::pair<int, int>> seen;
        for (const GraphEdge& edge : data_.edges) {
            int from = drawn_[index(edge.from)], to = drawn_[index(edge.to)];
            Way way{from, to, false};
            if (from == to || !seen.emplace(from, to).second)
                continue;
            const auto climb = [&](int node) { return data_.nodes[index(node)].parent; };
            int above = from, below = to;
            std::vector<int> left, entered;  // blocks from the inside out
            while (depth_[index(above)] > depth_[index(below)])
                left.push_back(above = climb(above));
            while (depth_[index(below)] > depth_[index(above)])
                entered.push_back(below = climb(below));
            while (above != below && climb(above) != climb(below)) {
                left.push_back(above = climb(above));
                entered.push_back(below = climb(below));
            }
            // Blocks that hold nodes are not drawn.
            if (above == below)
                continue;
            const int around = climb(above);
            if (above > below) {
                way.goes_up = true;
                std::swap(from, to);
                std::swap(left, entered);
            }
            int at = from;
            for (const int block : left) {
                const int port = ~port_of(block, false, from);
                add_segment(way, index(block), at, port);
                at = port;
            }
            std::size_t list = list_of(around);
            for (std::size_t i = entered.size(); i-- > 0;) {
                const int port = ~port_of(entered[i], true, from);
                add_segment(way, list, at, port);
                at = port;
                list = index(entered[i]);
            }
            add_segment(way, list, at, to);
            ways_.push_back(std::move(way));
        }
    }

    QSizeF place_children(std::size_t list) {
        const std::vector<int>& nodes = children_[list];
        std::vector<Item> items;
        std::vector<int>& place = scratch_;
        place.resize(data_.nodes.size());
        std::map<int, int> place_of_port;  // of this block
        const auto add_ports = [&](bool inputs) {
            for (const int port : ports_of_[list])
                if (ports_[index(port)].is_input == inputs) {
                    place_of_port[port] = static_cast<int>(items.size());
                    items.push_back({.width = kDummyWidth, .height = 0});
                }
            return items.size();
        };
        const std::size_t inputs = add_ports(true);
        for (const int node : nodes) {
            place[index(node)] = static_cast<int>(items.size());
            items.push_back(
                {.node = node, .width = sizes_[index(node)].width(), .height = sizes_[index(node)].height()});
        }
        const std::size_t outputs = items.size();
        add_ports(false);
        std::vector<Segment>& segments = segments_[list];
        std::vector<std::pair<int, int>> pairs;
        pairs.reserve(segments.size());
        const auto place_of = [&](int end) {
            if (end >= 0)
                return place[index(end)];
            const auto own = place_of_port.find(~end);
            return own == place_of_port.end() ? place[index(ports_[index(~end)].block)] : own->second;
        };
        for (const Segment& segment : segments)
            pairs.emplace_back(place_of(segment.from), place_of(segment.to));
        set_layers(items, pairs, inputs, outputs);
        std::vector<std::vector<int>> chains(segments.size());
        for (std::size_t i = 0; i < segments.size(); ++i)
            chains[i] = add_chain(items, pairs[i].first, pairs[i].second);
        std::vector<std::vector<int>> layers = order_layers(items);
        const qreal width = set_x(items, layers);
        const QSizeF size = set_places(items, layers, segments, chains, width, list != data_.nodes.size());
        for (const auto& [port, item] : place_of_port)
            ports_[index(port)].at = {kPadding + items[index(item)].x,
                                      ports_[index(port)].is_input ? 0 : size.height()};
        return size;
    }

    /// Longest path from the sources; each pair is in the order of the items. The first `inputs` items are ports at the
    /// top, those from `outputs` on ports at the bottom.
    static void set_layers(std::vector<Item>& items, const std::vector<std::pair<int, int>>& pairs, std::size_t inputs,
                           std::size_t outputs) {
        std::vector<std::vector<int>> next(items.size());
        for (const auto& [from, to] : pairs)
            next[index(from)].push_back(to);
        for (std::size_t i = 0; i < items.size(); ++i)
            for (int to : next[i])
                items[index(to)].layer = std::max(items[index(to)].layer, items[i].layer + 1);
        // A source stands above its first user, not at the top.
        std::vector<bool> has_input(items.size(), false);
        for (const auto& [from, to] : pairs)
            has_input[index(to)] = true;
        int deepest = 0;
        for (std::size_t i = inputs; i < outputs; ++i) {
            if (!has_input[i] && !next[i].empty()) {
                int lowest = items[index(next[i].front())].layer;
                for (int to : next[i])
                    lowest = std::min(lowest, items[index(to)].layer);
                items[i].layer = std::max(0, lowest - 1);
            }
            deepest = std::max(deepest, items[i].layer);
        }
        for (std::size_t i = outputs; i < items.size(); ++i)
            items[i].layer = deepest + 1;
    }

    static std::vector<int> add_chain(std::vector<Item>& items, int from, int to) {
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
                      std::vector<Segment>& segments, const std::vector<std::vector<int>>& chains, qreal width,
                      bool has_frame) {
        const qreal left = kPadding, top = has_frame ? kGraphTitle + kPadding / 2 : kPadding;
        std::vector<qreal> middle(layers.size());
        qreal y = top, bottom = top;
        for (std::size_t i = 0; i < layers.size(); ++i) {
            qreal height = 0;
            for (int item : layers[i])
                height = std::max(height, items[index(item)].height);
            middle[i] = y + height / 2;
            bottom = y + height;
            y = bottom + (height > 0 ? kGapY : kGapY / 2);  // ports alone have no height
            for (int number : layers[i]) {
                const Item& item = items[index(number)];
                if (item.node >= 0)
                    places_[index(item.node)] = {left + item.x - item.width / 2, middle[i] - item.height / 2};
            }
        }
        for (std::size_t i = 0; i < segments.size(); ++i)
            for (int number : chains[i])
                segments[i].bends.emplace_back(left + items[index(number)].x,
                                               middle[index(items[index(number)].layer)]);
        const qreal least = has_frame ? kGraphBoxWidth : 0;
        return {std::max(width + 2 * kPadding, least), bottom + kPadding};
    }

    /// All boxes and ports are placed.
    GraphLine line_of(const Way& way) const {
        GraphLine line{way.from, way.to, {}, {}};
        const std::size_t top = index(way.goes_up ? way.to : way.from), end = index(way.goes_up ? way.from : way.to);
        line.points.emplace_back(places_[top].x() + sizes_[top].width() / 2, places_[top].y() + sizes_[top].height());
        for (const auto& [list, number] : way.segments) {
            const Segment& segment = segments_[list][number];
            const QPointF origin = list == data_.nodes.size() ? QPointF() : places_[list];
            for (const QPointF& bend : segment.bends)
                line.points.push_back(bend + origin);
            if (segment.to < 0)
                line.points.push_back(ports_[index(~segment.to)].at);
        }
        line.points.emplace_back(places_[end].x() + sizes_[end].width() / 2, places_[end].y());
        if (way.goes_up)
            std::reverse(line.points.begin(), line.points.end());
        qreal left = line.points.front().x(), right = left, highest = line.points.front().y(), lowest = highest;
        for (const QPointF& point : line.points) {
            left = std::min(left, point.x());
            right = std::max(right, point.x());
            highest = std::min(highest, point.y());
            lowest = std::max(lowest, point.y());
        }
        line.bounds = QRectF(QPointF(left, highest), QPointF(right, lowest));
        return line;
    }

    const GraphData& data_;
    const GraphFolds& folds_;
    std::vector<std::vector<int>> children_;
    std::vector<std::vector<Segment>> segments_;  ///< by block
    std::vector<std::vector<int>> ports_of_;      ///< by block
    std::vector<GraphPort> ports_;                ///< `at` in their block until all blocks are placed
    std::vector<Way> ways_;
    std::map<std::tuple<int, bool, int>, int> known_ports_;
    std::map<std::tuple<std::size_t, int, int>, std::size_t> known_segments_;
    std::vector<int> depth_, drawn_, scratch_;
    std::vector<QSizeF> sizes_;
    std::vector<QPointF> places_;
};

}  // namespace

GraphLayout layout_graph(const GraphData& data, const GraphFolds& folds) {
    return Layout(data, folds).run();
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
