// SPDX-License-Identifier: GPL-3.0-or-later
// bench_graph [--json] [--each]: frames of a model's graph with 10,000 nodes, in the real widget. A round zooms from
// the whole graph to its texts and back, and pans at each of several scales.
//   graph.layout   placing all nodes
//   graph.median   a frame
//   graph.p99      99 of 100 frames are faster
//   graph.longest  the longest frame
// --each prints every frame of the first round.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QWindow>

#include "bench/engine/figure.h"
#include "widgets/graph/graph_view.h"
#include "widgets/theme.h"

using namespace trainyard;
using bench::Figure;
using widgets::GraphData;
using widgets::GraphView;

namespace {

constexpr int kRounds = 5;
constexpr int kLayers = 100, kNodesOfLayer = 98;
constexpr int kZoomFrames = 60, kPanFrames = 12;

widgets::GraphNode node(const QString& label, int parent, bool is_block) {
    widgets::GraphNode made;
    made.label = label;
    made.caption = QStringLiteral("Linear · [4096, 4096] · 16.8 M");
    made.parent = parent;
    made.is_block = is_block;
    made.hue = parent % 8;
    return made;
}

/// Layers of a decoder: each a block with attention and feed-forward blocks in it, and a stream around both.
GraphData model() {
    GraphData data;
    const auto count = [&] { return static_cast<int>(data.nodes.size()); };
    data.nodes.push_back(node(QStringLiteral("input_ids"), -1, false));
    int stream = 0;
    for (int layer = 0; layer < kLayers; ++layer) {
        const int block = count();
        data.nodes.push_back(node(QStringLiteral("layers.%1").arg(layer), -1, true));
        for (const char* part : {"self_attn", "mlp"}) {
            const int inner = count();
            data.nodes.push_back(node(QLatin1String(part), block, true));
            for (int i = 1; i < kNodesOfLayer / 2; ++i) {
                const int one = count();
                data.nodes.push_back(node(QStringLiteral("projection.%1.weight").arg(i), inner, false));
                const bool is_branch = i % 4 == 2 || i % 4 == 3;
                data.edges.push_back({i == 1 ? stream : is_branch ? one - i % 4 + 1 : one - 1, one});
                if (i % 4 == 0)
                    data.edges.push_back({one - 2, one});
            }
            const int last = count() - 1, sum = count();
            data.nodes.push_back(node(QStringLiteral("Add"), block, false));
            data.edges.push_back({last, sum});
            data.edges.push_back({stream, sum});
            stream = sum;
        }
    }
    data.nodes.push_back(node(QStringLiteral("logits"), -1, false));
    data.edges.push_back({stream, count() - 1});
    return data;
}

double frame(GraphView& view) {
    QElapsedTimer clock;
    clock.start();
    view.repaint();
    return static_cast<double>(clock.nsecsElapsed()) * 1e-6;
}

std::vector<double> round(GraphView& view, bool prints) {
    std::vector<double> frames;
    const auto add = [&](const char* what) {
        frames.push_back(frame(view));
        if (prints)
            std::printf("%-5s scale %.3f  %.1f ms\n", what, view.scale(), frames.back());
    };
    const QPointF middle(view.width() / 2.0, view.height() / 2.0);
    view.showWhole();
    const double factor = std::pow(1.5 / view.scale(), 1.0 / kZoomFrames);
    for (int i = 0; i < kZoomFrames; ++i) {
        view.zoom(factor, middle);
        add("zoom");
        if (i % 10 == 9)
            for (int k = 0; k < kPanFrames; ++k) {
                view.pan({24, k % 2 == 0 ? 32.0 : -16.0});
                add("pan");
            }
    }
    for (int i = 0; i < kZoomFrames; ++i) {
        view.zoom(1 / factor, middle);
        add("zoom");
    }
    return frames;
}

int measure(int argc, char** argv) {
    bool json = false, each = false;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        json = json || word == "--json";
        each = each || word == "--each";
        if (word != "--json" && word != "--each") {
            std::fprintf(stderr, "usage: bench_graph [--json] [--each]\n");
            return 2;
        }
    }
    QApplication application(argc, argv);
    widgets::Theme::instance().install(application);
    GraphView view(QStringLiteral("Graph"));
    view.resize(1440, 900);
    view.show();
    while (!view.windowHandle()->isExposed())  // until then nothing is painted
        QApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents);
    Figure layout{"graph.layout", "placing 10,000 nodes, all blocks open", "ms", {}, {}, {}, true};
    Figure median{"graph.median", "a frame of 10,000 nodes while it pans and zooms", "ms", {}, {}, 16, true};
    Figure slow{"graph.p99", "99 of 100 frames are faster", "ms", {}, {}, 16, true};
    Figure longest{"graph.longest", "the longest frame", "ms", {}, {}, {}, true};
    view.setData(model());
    for (int i = 0; i < kRounds; ++i) {
        view.foldAll();
        QElapsedTimer clock;
        clock.start();
        view.unfoldAll();
        layout.values.push_back(static_cast<double>(clock.nsecsElapsed()) * 1e-6);
        std::vector<double> frames = round(view, each && i == 0);
        std::ranges::sort(frames);
        median.values.push_back(frames[frames.size() / 2]);
        slow.values.push_back(frames[frames.size() * 99 / 100]);
        longest.values.push_back(frames.back());
    }
    bench::print({layout, median, slow, longest}, json);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("DISPLAY") && qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    return bench::main_of("bench_graph", measure, argc, argv);
}
