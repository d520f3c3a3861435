// SPDX-License-Identifier: GPL-3.0-or-later
// bench_curves [--peer PYTHON] [--points MILLIONS] [--quick] [--only read|many|long] [--json]: speed of reading logs,
// memory of curves, time to draw a long curve. Prints one line per figure; exits with 0 if all could be measured.
//   read.*     one TensorBoard folder with 1 M scalars (5 tags, one record each, as PyTorch writes them), one thread, verified checksums: P7
//   many.*     a folder of 1,000 runs with 100 tags (10 points each), and one run with 12,345 tags, from the start until every curve is
//              loaded by the window's threads: P8; also the longest time for which the window's main thread was busy
//   long.*     one curve with 100 M points (--points): time per frame of 3,840 columns at any zoom, without painting: P6
// --peer: TensorBoard's loader (package tensorboard: EventAccumulator, which TensorBoard uses without a data server) on
// the same files, each in a separate process; time without imports, and the process's peak memory.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <functional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QTimer>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>

#include "base/file.h"
#include "bench/engine/figure.h"
#include "bench/peer_program.h"
#include "desktop/sources/curve_store.h"
#include "desktop/sources/event_tail.h"
#include "desktop/sources/log_tree.h"
#include "formats/events/event_file.h"
#include "support/temporary_folder.h"
#include "widgets/plot/reduction.h"

using namespace trainyard;
using bench::Figure;
using desktop::CurveBatch;
using desktop::CurveStore;
using desktop::EventTail;
using desktop::LogTree;

namespace {

double seconds_of(const std::function<void()>& work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double megabytes_of(const std::filesystem::path& folder) {
    std::uint64_t bytes = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
        if (entry.is_regular_file())
            bytes += entry.file_size();
    return static_cast<double>(bytes) / 1e6;
}

/// One record per scalar.
void write_run(const std::filesystem::path& folder, int tags, int steps) {
    std::filesystem::create_directories(folder);
    events::EventFileWriter writer(folder);
    std::vector<std::string> names;
    for (int tag = 0; tag < tags; ++tag)
        names.push_back(fmt::format("group_{}/metric_{}", tag / 10, tag));
    std::mt19937 random(1);
    std::normal_distribution<double> noise(2.5, 0.3);
    for (int step = 0; step < steps; ++step) {
        for (const std::string& name : names)
            writer.add_scalars(step, 1.7e9 + 0.25 * step, {{name, noise(random)}});
        if (step % 64 == 0)
            writer.flush();
    }
    writer.flush();
}

void read_folder(const std::filesystem::path& folder, CurveStore& store) {
    EventTail tail(folder);
    for (bool all = false; !all;) {
        CurveBatch batch;
        all = tail.poll(batch, 2u << 20);
        store.take(batch);
    }
}

/// Seconds and peak memory of a process that reads once, as reported by the peer's script.
int read_once(const std::filesystem::path& folder) {
    CurveStore store;
    const double seconds = seconds_of([&] { read_folder(folder, store); });
    rusage used{};
    ::getrusage(RUSAGE_SELF, &used);
    std::printf("%s\n", nlohmann::json{{"seconds", seconds},
                                       {"megabytes", static_cast<double>(used.ru_maxrss) * 1024 / 1e6},
                                       {"points", store.points()}}
                            .dump()
                            .c_str());
    return 0;
}

struct Options {
    std::string peer, only;
    double millions = 100;
    int rounds = 5;
    bool json = false;
};

void measure_reading(const Options& options, std::vector<Figure>& figures) {
    const test::TemporaryFolder folder;
    constexpr int kTags = 5, kSteps = 200'000;
    write_run(folder.path(), kTags, kSteps);
    const double megabytes = megabytes_of(folder.path());
    Figure time{"read.time", "1 M scalars of one file, one thread, checksums", "s", {}, {}, 0.2, true};
    Figure rate{"read.rate", fmt::format("the same, {:.0f} MB", megabytes), "MB/s", {}, {}, 500.0};
    Figure memory{"read.memory", "peak memory of a process that reads it", "MB", {}, {}, {}, true};
    Figure point{"read.point", "memory of a point (20 bytes of step, time, value)", "B", {}, {}, 25.0, true};
    const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
    const std::string script = TRAINYARD_TESTS_DIR "/bench/peer/event_files.py";
    for (int round = 0; round < options.rounds; ++round) {
        const auto ours = nlohmann::json::parse(bench::output_of({self, "--read-once", folder.path().string()}));
        if (ours["points"] != kTags * kSteps)
            throw std::runtime_error("not all points were read");
        time.values.push_back(ours["seconds"]);
        rate.values.push_back(megabytes / ours["seconds"].get<double>());
        memory.values.push_back(ours["megabytes"]);
        if (!options.peer.empty() && round < 3) {
            const auto theirs =
                nlohmann::json::parse(bench::output_of({options.peer, script, "read", folder.path().string()}));
            if (theirs["points"] != kTags * kSteps)
                throw std::runtime_error("the peer did not read all points");
            time.peer.push_back(theirs["seconds"]);
            rate.peer.push_back(megabytes / theirs["seconds"].get<double>());
            memory.peer.push_back(theirs["megabytes"]);
        }
    }
    if (!options.peer.empty()) {
        // The target is absolute, not relative to the peer.
        time.what += fmt::format(" (target 0.2 s: {})", bench::median(time.values) <= 0.2 ? "ok" : "over");
        rate.what += fmt::format(" (target 500 MB/s: {})", bench::median(rate.values) >= 500 ? "ok" : "over");
        time.target = rate.target = {};
    }
    CurveStore store;
    read_folder(folder.path(), store);
    point.values.push_back(static_cast<double>(store.bytes()) / static_cast<double>(store.points()));
    figures.insert(figures.end(), {time, rate, memory, point});
}

/// From start() until everything is read, in the window's event loop. Second: the longest pause of that loop, ms.
std::pair<double, double> open_tree(const std::filesystem::path& folder, std::size_t curves) {
    LogTree tree(QString::fromStdString(folder.string()));
    double longest = 0;
    QElapsedTimer since;
    since.start();
    QTimer pulse;
    QObject::connect(&pulse, &QTimer::timeout, [&] {
        longest = std::max(longest, static_cast<double>(since.nsecsElapsed()) / 1e6);
        since.restart();
    });
    pulse.start(0);
    const double seconds = seconds_of([&] {
        tree.start();
        while (!tree.isCaughtUp())
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    });
    std::size_t found = 0;
    double sum = 0;
    for (const desktop::LogRecord* source : tree.sources())
        for (const desktop::TagInfo& info : source->tags()) {
            const widgets::Series& series = source->series(info.tag);
            found += series.empty() ? 0 : 1;
            sum += series.empty() ? 0 : series.value(series.size() - 1);  // the last values, which the list shows
        }
    if (found != curves || !std::isfinite(sum))
        throw std::runtime_error(fmt::format("{} curves instead of {}", found, curves));
    return {seconds, longest};
}

void measure_many(const Options& options, std::vector<Figure>& figures) {
    const test::TemporaryFolder folder;
    constexpr int kRuns = 1000, kTags = 100, kManyTags = 12'345;
    for (int run = 0; run < kRuns; ++run)
        write_run(folder.path() / "runs" / fmt::format("run_{:04}", run), kTags, 10);
    write_run(folder.path() / "wide", kManyTags, 10);
    Figure runs{
        "many.runs",
        fmt::format("1,000 runs of 100 tags, {:.0f} MB, until all is there", megabytes_of(folder.path() / "runs")),
        "s",
        {},
        {},
        2.0,
        true};
    Figure pause{"many.pause", "the same: the longest time that the window's thread was busy", "ms", {}, {}, 50.0,
                 true};
    Figure wide{"many.tags", "one run of 12,345 tags, until all is there", "s", {}, {}, 1.0, true};
    for (int round = 0; round < options.rounds; ++round) {
        const auto [seconds, busy] = open_tree(folder.path() / "runs", kRuns * kTags);
        runs.values.push_back(seconds);
        pause.values.push_back(busy);
        wide.values.push_back(open_tree(folder.path() / "wide", kManyTags).first);
    }
    if (!options.peer.empty()) {
        const std::string script = TRAINYARD_TESTS_DIR "/bench/peer/event_files.py";
        for (Figure* figure : {&runs, &wide}) {
            const std::filesystem::path at = folder.path() / (figure == &runs ? "runs" : "wide");
            const auto theirs = nlohmann::json::parse(bench::output_of({options.peer, script, "tree", at.string()}));
            figure->peer.push_back(theirs["seconds"]);
            const double target = *figure->target;
            figure->what +=
                fmt::format(" (target {} s: {})", target, bench::median(figure->values) <= target ? "ok" : "over");
            figure->target = {};
        }
    }
    figures.insert(figures.end(), {runs, pause, wide});
}

void measure_long(const Options& options, std::vector<Figure>& figures) {
    const auto points = static_cast<std::size_t>(options.millions * 1e6);
    const std::string name = fmt::format("{:g} M points", options.millions);
    widgets::Series series;
    std::mt19937 random(5);
    std::vector<float> noise(1 << 16);
    for (float& value : noise)
        value = static_cast<float>(std::normal_distribution<double>(2.5, 0.3)(random));
    Figure build{"long.build", name + ": as chunks, as a reading thread makes them", "s", {}, {}, {}, true};
    build.values.push_back(seconds_of([&] {
        for (std::size_t i = 0; i < points;) {
            widgets::SeriesPiece piece;
            for (std::size_t end = std::min(points, i + (1 << 20)); i < end; ++i)
                piece.add({static_cast<std::int64_t>(i), 1.7e9 + 0.01 * static_cast<double>(i),
                           noise[(i * 2654435761u >> 8) & 0xffff]});
            piece.finish();
            series.append(piece);
        }
    }));
    Figure point{"long.point", name + ": memory of a point (20 bytes of step, time, value)", "B", {}, {}, 25.0, true};
    point.values.push_back(static_cast<double>(series.bytes()) / static_cast<double>(points));
    constexpr int kColumns = 3840;
    const auto frame = [&](double from, double to) {
        const widgets::XRange range{from * static_cast<double>(points), to * static_cast<double>(points)};
        double lower = 0, upper = 0;
        std::size_t drawn = 0;
        const double seconds = seconds_of([&] {
            widgets::value_range(widgets::raw(series), {}, range, false, lower, upper);
            drawn = widgets::reduced(widgets::raw(series), {}, range, kColumns).size();
        });
        if (drawn == 0 || !(lower < upper))
            throw std::runtime_error("nothing was drawn");
        return seconds * 1000;
    };
    Figure whole{"long.whole", name + ": a frame of all of it, 3,840 columns, without painting", "ms", {}, {}, 16.0,
                 true};
    Figure zoom{"long.zoom", name + ": the slowest frame of a zoom from all of it to 4,000 points", "ms", {}, {}, 16.0,
                true};
    for (int round = 0; round < options.rounds; ++round) {
        whole.values.push_back(frame(0, 1));
        double slowest = 0;
        for (double width = 0.9; width * static_cast<double>(points) > 4000; width *= 0.7)
            slowest = std::max(slowest, frame(0.4 * (1 - width), 0.4 * (1 - width) + width));
        zoom.values.push_back(slowest);
    }
    figures.insert(figures.end(), {build, point, whole, zoom});
}

int run(int argc, char** argv) {
    Options options;
    for (int i = 1; i < argc; ++i) {
        const auto value = [&] {
            if (i + 1 == argc)
                throw std::runtime_error(fmt::format("{} needs a value", argv[i]));
            return std::string(argv[++i]);
        };
        if (!std::strcmp(argv[i], "--read-once"))
            return read_once(value());
        if (!std::strcmp(argv[i], "--peer"))
            options.peer = value();
        else if (!std::strcmp(argv[i], "--points"))
            options.millions = std::stod(value());
        else if (!std::strcmp(argv[i], "--only"))
            options.only = value();
        else if (!std::strcmp(argv[i], "--quick"))
            options.rounds = 1;
        else if (!std::strcmp(argv[i], "--json"))
            options.json = true;
        else
            throw std::runtime_error(fmt::format("what is {}?", argv[i]));
    }
    QCoreApplication application(argc, argv);
    std::vector<Figure> figures;
    const auto wants = [&](const char* part) { return options.only.empty() || options.only == part; };
    if (wants("read"))
        measure_reading(options, figures);
    if (wants("many"))
        measure_many(options, figures);
    if (wants("long"))
        measure_long(options, figures);
    bench::print(figures, options.json);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    return bench::main_of("bench_curves", run, argc, argv);
}
