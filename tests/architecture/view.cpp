// SPDX-License-Identifier: GPL-3.0-or-later
// The layout of nested graphs and the widget that draws them: folding, selection, search, keys, pictures, many nodes.

#include <QFile>
#include <QImage>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QWheelEvent>

#include <gtest/gtest.h>

#include "support/picture.h"
#include "widgets/graph/graph_view.h"
#include "widgets/theme.h"

namespace trainyard::widgets {
namespace {

GraphNode node(const QString& label, int parent = -1, bool is_block = false) {
    GraphNode made;
    made.label = label;
    made.parent = parent;
    made.is_block = is_block;
    return made;
}

/// in -> block { a -> (b, c) -> d } x 3 -> out, with a way around the block.
GraphData blocks() {
    GraphData data;
    data.nodes = {node("in")};
    for (int i = 0; i < 3; ++i) {
        const auto block = static_cast<int>(data.nodes.size());
        data.nodes.push_back(node(QString::number(i), -1, true));
        if (i == 0)
            data.nodes.back().repeat = 3;
        else
            data.nodes.back().alike = 1;
        for (const char* label : {"a", "b", "c", "d"})
            data.nodes.push_back(node(QLatin1String(label), block));
        for (const auto& [from, to] : {std::pair(1, 2), std::pair(1, 3), std::pair(2, 4), std::pair(3, 4)})
            data.edges.push_back({block + from, block + to});
        data.edges.push_back({i == 0 ? 0 : block - 1, block + 1});
    }
    data.nodes.push_back(node("out"));
    const auto out = static_cast<int>(data.nodes.size()) - 1;
    data.edges.push_back({out - 1, out});
    data.edges.push_back({0, out});
    return data;
}

GraphFolds folds_of(const GraphData& data, bool open) {
    return {std::vector<bool>(data.nodes.size(), open), std::vector<bool>(data.nodes.size(), false)};
}

const GraphBox& box_of(const GraphLayout& layout, int node) {
    return layout.boxes[static_cast<std::size_t>(layout.box_of[static_cast<std::size_t>(node)])];
}

TEST(GraphLayout, EdgesGoDownAndBoxesDoNotOverlap) {
    const GraphData data = blocks();
    for (const bool open : {false, true}) {
        const GraphLayout layout = layout_graph(data, folds_of(data, open));
        EXPECT_EQ(layout.boxes.size(), open ? 7u : 3u) << "the equal blocks are drawn once";
        for (const GraphBox& one : layout.boxes) {
            EXPECT_TRUE(layout.bounds.contains(one.rect));
            for (const GraphBox& other : layout.boxes) {
                const bool nested = data.nodes[std::size_t(one.node)].parent == other.node ||
                                    data.nodes[std::size_t(other.node)].parent == one.node;
                EXPECT_TRUE(one.node == other.node || nested || !one.rect.intersects(other.rect));
                const bool is_inside = data.nodes[std::size_t(one.node)].parent == other.node;
                EXPECT_TRUE(!is_inside || other.rect.contains(one.rect));
            }
        }
        for (const GraphLine& line : layout.lines)
            EXPECT_LT(line.points.front().y(), line.points.back().y());
        // The way around the block does not go through it.
        for (const GraphLine& line : layout.lines) {
            const bool is_way_around = line.from == 0 && line.to == static_cast<int>(data.nodes.size()) - 1;
            for (std::size_t i = 1; is_way_around && i + 1 < line.points.size(); ++i)
                EXPECT_FALSE(box_of(layout, 1).rect.contains(line.points[i]));
        }
    }
}

TEST(GraphLayout, EachOfEqualBlocksIsDrawnWhenSpread) {
    const GraphData data = blocks();
    GraphFolds folds = folds_of(data, false);
    folds.spread[1] = true;
    const GraphLayout layout = layout_graph(data, folds);
    EXPECT_EQ(layout.boxes.size(), 5u);
    EXPECT_EQ(drawn_node(data, folds, 7), 6);
    folds.spread[1] = false;
    EXPECT_EQ(drawn_node(data, folds, 7), 1);
    EXPECT_EQ(layout_graph({}, {}).boxes.size(), 0u);
}

// Lines cross the frame of an open block at one port for each node that they come from.
TEST(GraphLayout, LinesEnterAndLeaveBlocksAtPorts) {
    GraphData data = blocks();
    data.edges.push_back({0, 5});  // a second edge from the first node into the first block
    GraphFolds folds = folds_of(data, true);
    folds.spread[1] = true;
    const GraphLayout layout = layout_graph(data, folds);
    const QRectF block = box_of(layout, 1).rect;
    const auto ports_of = [&](bool is_input) {
        std::vector<GraphPort> found;
        for (const GraphPort& port : layout.ports)
            if (port.block == 1 && port.is_input == is_input)
                found.push_back(port);
        return found;
    };
    const std::vector<GraphPort> inputs = ports_of(true), outputs = ports_of(false);
    ASSERT_EQ(inputs.size(), 1u) << "both edges come from one node";
    ASSERT_EQ(outputs.size(), 1u);
    EXPECT_EQ(inputs[0].source, 0);
    EXPECT_EQ(inputs[0].at.y(), block.top());
    EXPECT_EQ(outputs[0].source, 5);
    EXPECT_EQ(outputs[0].at.y(), block.bottom());
    int through = 0;
    for (const GraphLine& line : layout.lines) {
        EXPECT_TRUE(line.bounds.contains(line.points.front()) || line.bounds.isEmpty());
        if (line.from == 0 && line.to >= 2 && line.to <= 5) {
            ++through;
            EXPECT_NE(std::find(line.points.begin(), line.points.end(), inputs[0].at), line.points.end());
        }
    }
    EXPECT_EQ(through, 2);
}

// lutzroeder/netron issues 589 and 1212: chains and nesting of any depth.
TEST(GraphLayout, DepthIsNotBoundedByAStack) {
    GraphData chain;
    for (int i = 0; i < 30'000; ++i) {
        chain.nodes.push_back(node(QString::number(i)));
        if (i > 0)
            chain.edges.push_back({i - 1, i});
    }
    EXPECT_EQ(layout_graph(chain, folds_of(chain, true)).lines.size(), 29'999u);
    GraphData nest;
    for (int i = 0; i < 400; ++i)
        nest.nodes.push_back(node(QString::number(i), i - 1, true));
    nest.nodes.push_back(node(QStringLiteral("inside"), 399));
    nest.nodes.push_back(node(QStringLiteral("outside")));
    nest.edges.push_back({400, 401});
    const GraphLayout layout = layout_graph(nest, folds_of(nest, true));
    EXPECT_EQ(layout.ports.size(), 400u);
    ASSERT_EQ(layout.lines.size(), 1u);
    EXPECT_EQ(layout.lines[0].points.size(), 402u);
}

class GraphViewTest : public testing::Test {
  protected:
    GraphViewTest() : view_(QStringLiteral("Graph")) {
        view_.resize(900, 700);
        view_.show();
        view_.setData(blocks());
    }
    QPoint middle(int node) const { return view_.rectOf(node).center().toPoint(); }
    void wheel(const QPoint& at, int delta) {
        QWheelEvent event(at, view_.mapToGlobal(at), {}, {0, delta}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase,
                          false);
        QCoreApplication::sendEvent(&view_, &event);
    }
    GraphView view_;
};

TEST_F(GraphViewTest, MouseSelectsFoldsPansAndZooms) {
    QSignalSpy selected(&view_, &GraphView::selectionChanged);
    QTest::mouseClick(&view_, Qt::LeftButton, {}, middle(0));
    EXPECT_EQ(view_.selected(), 0);
    EXPECT_EQ(selected.count(), 1);
    const bool was_open = view_.isOpen(1);
    const QPoint title = view_.rectOf(1).topLeft().toPoint() + QPoint(20, 6);
    QTest::mouseDClick(&view_, Qt::LeftButton, {}, title);
    EXPECT_NE(view_.isOpen(1), was_open);
    const QPointF before = view_.rectOf(0).topLeft();
    QTest::mousePress(&view_, Qt::LeftButton, {}, {5, 5});
    QTest::mouseMove(&view_, {65, 45});
    QMouseEvent move(QEvent::MouseMove, QPointF(65, 45), view_.mapToGlobal(QPointF(65, 45)), Qt::NoButton,
                     Qt::LeftButton, {});
    QCoreApplication::sendEvent(&view_, &move);
    QTest::mouseRelease(&view_, Qt::LeftButton, {}, {65, 45});
    EXPECT_EQ(view_.rectOf(0).topLeft() - before, QPointF(60, 40));
    const QPointF under = view_.rectOf(0).center();
    const double scale = view_.scale();
    wheel(under.toPoint(), 240);
    EXPECT_GT(view_.scale(), scale);
    EXPECT_LT(std::hypot(view_.rectOf(0).center().x() - under.x(), view_.rectOf(0).center().y() - under.y()), 2);
}

TEST_F(GraphViewTest, KeysWalkFoldAndShowEverything) {
    view_.setFocus();
    QTest::keyClick(&view_, Qt::Key_Home);
    EXPECT_EQ(view_.selected(), 0);
    QTest::keyClick(&view_, Qt::Key_Down);
    EXPECT_EQ(view_.selected(), 1);
    view_.foldAll();
    EXPECT_FALSE(view_.isOpen(1));
    QTest::keyClick(&view_, Qt::Key_Return);
    EXPECT_TRUE(view_.isOpen(1));
    QTest::keyClick(&view_, Qt::Key_Down);
    EXPECT_EQ(view_.selected(), 2) << "the first node in the block";
    QTest::keyClick(&view_, Qt::Key_Backspace);
    EXPECT_EQ(view_.selected(), 1);
    QTest::keyClick(&view_, Qt::Key_S);
    EXPECT_FALSE(view_.rectOf(6).isEmpty()) << "the second of the equal blocks";
    QTest::keyClick(&view_, Qt::Key_Plus);
    QTest::keyClick(&view_, Qt::Key_0);
    for (const GraphBox& box : view_.layoutOfNodes().boxes)
        EXPECT_TRUE(QRectF(view_.rect()).contains(view_.rectOf(box.node)));
}

// lutzroeder/netron issue 610: from a node to what it feeds, however far away.
TEST_F(GraphViewTest, CtrlFollowsEdges) {
    view_.foldAll();
    const auto out = static_cast<int>(view_.data().nodes.size()) - 1;
    view_.select(1);
    QTest::keyClick(&view_, Qt::Key_Down, Qt::ControlModifier);
    EXPECT_EQ(view_.selected(), out);
    view_.select(1);
    QTest::keyClick(&view_, Qt::Key_Up, Qt::ControlModifier);
    EXPECT_EQ(view_.selected(), 0);
}

TEST_F(GraphViewTest, SearchOpensWhatItFinds) {
    view_.foldAll();
    EXPECT_EQ(view_.search(QStringLiteral("B")), 3);
    EXPECT_EQ(view_.selected(), 3);
    EXPECT_FALSE(view_.rectOf(3).isEmpty());
    view_.nextHit(1);
    EXPECT_EQ(view_.selected(), 8) << "in the second block, which is drawn now";
    EXPECT_FALSE(view_.rectOf(8).isEmpty());
    EXPECT_EQ(view_.search(QStringLiteral("nothing like it")), 0);
    EXPECT_EQ(view_.search({}), 0);
}

TEST_F(GraphViewTest, PicturesHaveTheWholeGraph) {
    const QTemporaryDir folder;
    for (const bool dark : {true, false}) {
        Theme::instance().setChoice(dark ? ThemeChoice::Dark : ThemeChoice::Light);
        EXPECT_EQ(view_.savePng(folder.filePath(QStringLiteral("g.png"))), QString());
        const QImage image(folder.filePath(QStringLiteral("g.png")));
        EXPECT_EQ(image.size(), (view_.layoutOfNodes().bounds.size() * 2).toSize());
        EXPECT_EQ(image.pixelColor(1, 1), Theme::instance().color(Token::BgPage));
        test::take_picture(&view_, dark ? "-dark" : "-light");
    }
    EXPECT_EQ(view_.saveSvg(folder.filePath(QStringLiteral("g.svg"))), QString());
    QFile svg(folder.filePath(QStringLiteral("g.svg")));
    ASSERT_TRUE(svg.open(QIODevice::ReadOnly));
    EXPECT_TRUE(svg.readAll().contains("<svg"));
    EXPECT_NE(view_.savePng(folder.filePath(QStringLiteral("none/g.png"))), QString());
}

/// Four blocks in each other, each with a node before the next block.
TEST(GraphViewSize, OpensAsManyBlocksAsCanBeRead) {
    constexpr int kBlocks = 4;
    GraphData data;
    for (int i = 0; i < kBlocks; ++i) {
        const int outer = i == 0 ? -1 : 2 * (i - 1) + 1;
        data.nodes.push_back(node(QStringLiteral("before"), outer));
        data.nodes.push_back(node(QStringLiteral("block"), outer, true));
        data.edges.push_back({2 * i, 2 * i + 1});
    }
    data.nodes.push_back(node(QStringLiteral("inside"), 2 * kBlocks - 1));
    GraphView view(QStringLiteral("Graph"));
    const auto open = [&] { return std::ranges::count(view.folds().open, true); };
    view.resize(900, 900);
    view.show();
    view.setData(data);
    EXPECT_EQ(open(), kBlocks);
    view.resize(300, 260);
    QCoreApplication::processEvents();
    EXPECT_LT(open(), kBlocks);
    EXPECT_GE(12 * view.scale(), 8) << "pixels of a title";
    view.resize(900, 900);
    QCoreApplication::processEvents();
    EXPECT_EQ(open(), kBlocks);
    view.unfoldAll();
    view.resize(300, 260);
    QCoreApplication::processEvents();
    EXPECT_EQ(open(), kBlocks) << "what the user opened";
}

TEST(GraphViewSize, TenThousandNodesAreDrawn) {
    GraphData data;
    for (int i = 0; i < 10'000; ++i) {
        data.nodes.push_back(node(QString::number(i)));
        for (const int back : {1, 7, 40})
            if (i >= back && i % back == 0)
                data.edges.push_back({i - back, i});
    }
    GraphView view(QStringLiteral("Graph"));
    view.resize(1200, 800);
    view.show();
    view.setData(std::move(data));
    EXPECT_EQ(view.layoutOfNodes().boxes.size(), 10'000u);
    const QImage whole = view.grab().toImage();
    EXPECT_FALSE(whole.isNull());
    std::printf("all in sight: %.1f ms\n", view.lastPaintMilliseconds());
    view.zoom(1 / view.scale(), QPointF(600, 400));
    view.grab();
    std::printf("at scale 1: %.1f ms\n", view.lastPaintMilliseconds());
}

}  // namespace
}  // namespace trainyard::widgets
