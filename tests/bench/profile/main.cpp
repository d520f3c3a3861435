// SPDX-License-Identifier: GPL-3.0-or-later
// bench_profile [--rounds N] [--ranks N] [--json]: what the hooks of the profiler cost while nobody records.
//   profile.mark   nanoseconds of one hook (profile::Scope), the loop around it taken off
//   profile.marks  hooks that a step passes: the engine's slices in a recorded trace of the same training
//   profile.step   seconds of a step that is not recorded
//   profile.off    the first two multiplied, as a part of the third
//   profile.on     a recorded step, for comparison
// The training is bench_engine's small model. Measure on an idle machine only.

#include <algorithm>
#include <map>
#include <string>
#include <thread>

#include <CLI/CLI.hpp>

#include "base/clock.h"
#include "base/error.h"
#include "bench/engine/contestant.h"
#include "bench/engine/figure.h"
#include "observe/traces/rank_set.h"
#include "observe/traces/trace_reader.h"
#include "profile/marks.h"
#include "support/temporary_folder.h"

namespace trainyard::bench {
namespace {

constexpr int kLoop = 20'000'000, kRecorded = 20;
constexpr double kTarget = 0.1;  // % of a step
const Shape kSmall{"small", "0.83 M parameters", 4, 4, 128, 64, 12, 220, 20};

/// Seconds of a loop that the compiler cannot leave out.
template <typename Body>
double loop_seconds(Body body) {
    const double begin = monotonic_seconds();
    for (int i = 0; i < kLoop; ++i) {
        body();
        asm volatile("" ::: "memory");
    }
    return monotonic_seconds() - begin;
}

/// Not inlined: as engine code passes it, and g++ 12 would warn of the mark that is not made.
[[gnu::noinline]] void pass_hook() {
    const profile::Scope scope([] { return profile::phase_mark("forward"); });
}

double mark_nanoseconds() {
    const double with = loop_seconds(pass_hook);
    const double without = loop_seconds([] {});
    return std::max(0.0, with - without) / kLoop * 1e9;
}

struct Recorded {
    double marks = 0, seconds = 0;  ///< of a step of rank 0
};

Recorded recorded_step(const fs::path& run) {
    const auto trace = traces::read_trace(traces::rank_files(run).front());
    if (trace->steps.empty())
        throw UserError("the trace has no steps");
    Recorded found;
    std::vector<double> seconds;
    for (const traces::Step& step : trace->steps)
        seconds.push_back(static_cast<double>(step.end - step.begin) * 1e-9);
    found.seconds = median(seconds);
    std::uint64_t marks = 0;
    for (const traces::Slice& slice : trace->slices) {
        const std::string_view category = trace->category(slice);
        marks += category == "phase" || category == "action" || category == "unit" || category == "collective" ? 1 : 0;
    }
    found.marks = static_cast<double>(marks) / static_cast<double>(trace->steps.size()) + 1;  // and the step's own
    return found;
}

int run(int argc, char** argv) {
    int rounds = 5, ranks = 2;
    bool json = false;
    std::string text = "/usr/share/perl", pattern = "*.pod";
    Setting setting;
    setting.cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    setting.programs = TRAINYARD_BIN_DIR;
    CLI::App app("The hooks of the profiler while nobody records");
    app.add_option("--rounds", rounds, "How often each is measured")->check(CLI::Range(1, 1000));
    app.add_option("--ranks", ranks, "Of the training")->check(CLI::Range(1, 64));
    app.add_option("--text", text, "File or folder to train on [perl-doc's .pod files]");
    app.add_option("--pattern", pattern, "Files taken from a folder");
    app.add_flag("--json", json, "For programs");
    CLI11_PARSE(app, argc, argv);

    test::TemporaryFolder folder;
    setting.work = folder.path();
    setting.text = one_file(text, pattern, setting.work);
    Figure mark{"profile.mark", "a hook while nobody records", "ns", {}, {}, {}, true},
        marks{"profile.marks", "hooks that a step passes", "", {}, {}, {}, true},
        step{"profile.step", "a step that is not recorded", "s", {}, {}, {}, true},
        off{"profile.off", "part of the hooks in it", "%", {}, {}, kTarget, true},
        on{"profile.on", "a recorded step", "s", {}, {}, {}, true};
    for (int round = 0; round < rounds; ++round) {
        const double tokens = kSmall.batch * kSmall.block * ranks;
        const double seconds = tokens / run_ours(setting, kSmall, {.ranks = ranks}).tokens_per_s;
        run_ours(
            setting, kSmall,
            {.ranks = ranks,
             .set = {"profile.active=" + std::to_string(kRecorded), "profile.wait=" + std::to_string(kSmall.warmup)}});
        const Recorded recorded = recorded_step(setting.work / "run");
        const double ns = mark_nanoseconds();
        mark.values.push_back(ns);
        marks.values.push_back(recorded.marks);
        step.values.push_back(seconds);
        on.values.push_back(recorded.seconds);
        off.values.push_back(100 * recorded.marks * ns * 1e-9 / seconds);
    }
    print({mark, marks, step, off, on}, json);
    return 0;
}

}  // namespace
}  // namespace trainyard::bench

int main(int argc, char** argv) {
    return trainyard::bench::main_of("bench_profile", trainyard::bench::run, argc, argv);
}
