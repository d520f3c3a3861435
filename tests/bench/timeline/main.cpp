// SPDX-License-Identifier: GPL-3.0-or-later
// bench_timeline [--json]: how long the timeline of traces takes to paint. Prints one line per figure.
//   timeline.zoom   milliseconds of a paint while zooming from the whole trace to a microsecond, the slowest of 60 views
//   timeline.pan    the same while panning through it, a tenth of the trace in sight
//   *_cpu           processor time of these pictures, which other programs do not disturb
// The trace has 10 million slices on 40 rows: a thread with nested operators and streams with kernels.

#include <cmath>
#include <cstring>
#include <ctime>
#include <functional>
#include <memory>
#include <random>

#include <QApplication>
#include <QPixmap>

#include "bench/engine/figure.h"
#include "desktop/traces/opened_trace.h"
#include "widgets/timeline/timeline_view.h"

using namespace trainyard;
using namespace trainyard::desktop;

namespace {

constexpr int kRounds = 5, kViews = 60;
constexpr int kTracks = 40, kOfTrack = 250'000;
constexpr double kLimit = 16;  // ms

std::shared_ptr<OpenedTrace> ten_million() {
    auto trace = std::make_shared<traces::Trace>();
    trace->path = "generated.json";
    const std::uint16_t category = static_cast<std::uint16_t>(trace->categories.number("kernel"));
    std::vector<std::uint32_t> names;
    for (const char* name :
         {"gemm_bf16", "flash_fwd", "layer_norm", "ncclDevKernel_AllReduce", "add_kernel", "adam_kernel"})
        names.push_back(trace->names.number(name));
    std::mt19937 random(1);
    trace->slices.reserve(std::size_t{kTracks} * kOfTrack);
    for (int t = 0; t < kTracks; ++t) {
        traces::Track track;
        track.process = "0";
        track.thread = std::to_string(t);
        track.device = 0;
        track.stream = t;
        track.first = trace->slices.size();
        track.count = kOfTrack;
        track.rows = 1;
        std::int64_t time = 0;
        for (int i = 0; i < kOfTrack; ++i) {
            traces::Slice slice;
            slice.begin = time;
            slice.duration = static_cast<std::int64_t>(random() % (i % 1000 == 0 ? 4'000'000 : 20'000));
            slice.name = names[random() % names.size()];
            slice.category = category;
            slice.track = static_cast<std::uint32_t>(t);
            time = slice.end() + static_cast<std::int64_t>(random() % 10'000);
            trace->slices.push_back(slice);
        }
        trace->end = std::max(trace->end, time);
        trace->tracks.push_back(std::move(track));
    }
    traces::RankSet set;
    set.ranks.push_back({std::move(trace), 0, 0, 0, {}});
    return std::make_shared<OpenedTrace>(std::move(set));
}

double processor_milliseconds() {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
}

struct Slowest {
    double paint = 0, processor = 0;  ///< ms
};

Slowest slowest(widgets::TimelineView& view, const std::function<widgets::TimeSpan(int)>& of) {
    Slowest slowest;
    for (int i = 0; i < kViews; ++i) {
        view.setView(of(i));
        const double before = processor_milliseconds();
        view.viewport()->grab();
        slowest.processor = std::max(slowest.processor, processor_milliseconds() - before);
        slowest.paint = std::max(slowest.paint, view.lastPaintMilliseconds());
    }
    return slowest;
}

int measure(int argc, char** argv) {
    const bool json = argc > 1 && std::strcmp(argv[1], "--json") == 0;
    ::setenv("QT_QPA_PLATFORM", "offscreen", 1);
    QApplication application(argc, argv);
    const auto trace = ten_million();
    widgets::TimelineView view(QStringLiteral("Timeline"));
    view.resize(1200, 900);
    view.show();
    view.setData(trace);
    const widgets::TimeSpan whole = trace->whole();
    bench::Figure zoom{"timeline.zoom", "ms of the slowest paint, 10 M slices", "ms", {}, {}, kLimit, true};
    bench::Figure pan{"timeline.pan", "ms of the slowest paint, 10 M slices", "ms", {}, {}, kLimit, true};
    bench::Figure zoom_cpu{"timeline.zoom_cpu", "ms of processor time, the slowest", "ms", {}, {}, kLimit, true};
    bench::Figure pan_cpu{"timeline.pan_cpu", "ms of processor time, the slowest", "ms", {}, {}, kLimit, true};
    const auto note = [](bench::Figure& paint, bench::Figure& processor, const Slowest& found) {
        paint.values.push_back(found.paint);
        processor.values.push_back(found.processor);
    };
    for (int round = 0; round < kRounds; ++round) {
        note(zoom, zoom_cpu, slowest(view, [&](int i) {
                 const double length = std::max(1000.0, static_cast<double>(whole.length()) * std::pow(0.75, i));
                 const std::int64_t middle = whole.begin + whole.length() / 2;
                 return widgets::TimeSpan{middle - static_cast<std::int64_t>(length / 2),
                                          middle + static_cast<std::int64_t>(length / 2)};
             }));
        note(pan, pan_cpu, slowest(view, [&](int i) {
                 const std::int64_t begin = whole.begin + whole.length() / 10 * 9 / kViews * i;
                 return widgets::TimeSpan{begin, begin + whole.length() / 10};
             }));
    }
    bench::print({zoom, pan, zoom_cpu, pan_cpu}, json);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    return bench::main_of("bench_timeline", measure, argc, argv);
}
