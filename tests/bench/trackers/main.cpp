// SPDX-License-Identifier: GPL-3.0-or-later
// bench_trackers [--tracker NAME]... [--steps N] [--step-ms MS] [--rounds N] [--json]: by how much each tracker slows a
// training down, with a server, or a package, that fails half of the requests.
//   NAME.slower     part by which the steps take longer than without a tracker, each of MS of arithmetic with 20
//                   values, on the clock of the wall; target: 0.01
//   NAME.processor  the same in processor time of the thread that trains, which other programs do not lengthen; target:
//                   0.01
//   NAME.beside     processor time of the tracker's threads and processes, without that of servers, as a part of that
//                   of the steps
//   NAME.call       part of a step that the call of log() takes; target: 0.01
//   NAME.lost       values that the server, the file or the package does not have in the end; target: 0
// Of the steps without a tracker one half is before those with one, and one half after them. Trackers without a server
// write to a disk that fails for half of the time.
// Servers run in this process, so that .slower includes their work where processors are few. The package of Aim is a
// stub in a process of its own. Default: all trackers, 10,000 steps of 2 ms, 3 rounds (2 minutes for each). Prints one
// line per figure; exits with 0 if all could be measured.

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <sys/resource.h>
#include <time.h>

#include "base/clock.h"
#include "base/file.h"
#include "bench/engine/figure.h"
#include "observe/track/sqlite_file.h"
#include "observe/track/trackers.h"
#include "support/failing_disk.h"
#include "support/temporary_folder.h"
#include "track/fake_mlflow.h"
#include "track/fake_services.h"
#include "track/stub_aim.h"

using namespace trainyard;

namespace {

namespace fs = std::filesystem;

constexpr int kValues = 20;
constexpr int kMostEnds = 50;  ///< runs that continue only to send what is left

std::string value_name(int value) {
    return fmt::format("train/value_{:02}", value);
}

volatile double result = 0;  ///< of the work, so that the compiler keeps it

/// The work of a step. It begins with a value that the compiler does not know, and is the same code with and without
/// a tracker.
[[gnu::noinline]] double compute(std::int64_t work) {
    static volatile double first = 1;
    double x = first;
    for (std::int64_t i = 0; i < work; ++i)
        x = x * 0.999999 + 1e-7;
    return x;
}

double seconds_of(clockid_t clock) {
    timespec time{};
    ::clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// Processor time of this process and of its children that have ended.
double processor_seconds() {
    rusage children{};
    ::getrusage(RUSAGE_CHILDREN, &children);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    };
    return seconds_of(CLOCK_PROCESS_CPUTIME_ID) + seconds(children.ru_utime) + seconds(children.ru_stime);
}

struct Times {
    double all = 0, processor = 0, calls = 0;  ///< seconds
    Times& operator+=(const Times& more) {
        all += more.all;
        processor += more.processor;
        calls += more.calls;
        return *this;
    }
};

/// A loop of steps. The work is counted, not timed, so that a loop with less of the processor takes longer.
Times train(int steps, std::int64_t work, track::Trackers* trackers) {
    Times times;
    const double begin = monotonic_seconds(), processor = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    for (int step = 0; step < steps; ++step) {
        const double x = compute(work);
        result = x;
        if (trackers == nullptr)
            continue;
        const double before = monotonic_seconds();
        track::Values values;
        for (int value = 0; value < kValues; ++value)
            values.push_back({value_name(value), x + step});
        trackers->log(std::move(values), step);
        times.calls += monotonic_seconds() - before;
    }
    times.all = monotonic_seconds() - begin;
    times.processor = seconds_of(CLOCK_THREAD_CPUTIME_ID) - processor;
    return times;
}

std::int64_t work_of_a_step(double seconds) {
    constexpr std::int64_t kProbe = 100'000'000;
    const double begin = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    result = compute(kProbe);
    return static_cast<std::int64_t>(kProbe * seconds / (seconds_of(CLOCK_THREAD_CPUTIME_ID) - begin));
}

std::size_t count(const std::string& text, const std::string& word) {
    std::size_t found = 0;
    for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += word.size())
        ++found;
    return found;
}

std::vector<fs::path> files_below(const fs::path& folder, const std::string& ending) {
    std::vector<fs::path> files;
    for (const fs::directory_entry& file : fs::recursive_directory_iterator(folder))
        if (file.is_regular_file() && file.path().string().ends_with(ending))
            files.push_back(file.path());
    return files;
}

/// One run of a tracker with everything that it writes to.
class Place {
  public:
    explicit Place(const std::string& tracker) : tracker_(tracker) {
        variables_.set("HOME", folder_.path().string());
        services_.set_variables(variables_);
        variables_.set("MLFLOW_TRACKING_URI", mlflow_.address());
        variables_.set("TRACKIO_DIR", (folder_.path() / "trackio").string());
        test::install_stub_aim(folder_.path() / "python", variables_);
        variables_.set("STUB_AIM_FAILS", "0.00007");  // of calls: half of the deliveries
        services_.service().fail(0.5);
        mlflow_.service().fail(0.5);
    }

    std::unique_ptr<track::Trackers> start(bool continues = false) {
        track::TrackersOptions options;
        options.project = "bench";
        options.logging_dir = folder_.path() / "run";
        options.continues = continues;
        if (tracker_ == "dvclive")
            options.arguments[tracker_] = track::Values{{"dir", (folder_.path() / "dvclive").string()}};
        auto started = track::Trackers::start({tracker_}, options);
        if (writes_files())
            disk_.emplace(folder_.path());
        return started;
    }

    /// The disk fails no longer.
    void mend() { disk_.reset(); }

    /// Runs that continue until everything was sent.
    void send_rest() {
        for (int i = 0; i < kMostEnds && has_unsent(); ++i)
            start(true)->finish();
    }

    double processor_seconds_of_servers() {
        return mlflow_.service().processor_seconds() + services_.service().processor_seconds();
    }

    /// Values that arrived. Each counts once.
    std::size_t arrived() const {
        std::size_t found = 0;
        for (int value = 0; value < kValues; ++value)
            found += points_of(value_name(value));
        return found;
    }

  private:
    bool writes_files() const { return tracker_ == "trackio" || tracker_ == "dvclive"; }

    bool has_unsent() const {
        const fs::path unsent = folder_.path() / "run" / ".trainyard-unsent";
        if (!fs::exists(unsent))
            return false;
        const std::vector<fs::path> files = files_below(unsent, ".jsonl");
        return std::ranges::any_of(
            files, [](const fs::path& file) { return file.string().find(".refused") == std::string::npos; });
    }

    std::size_t points_of(const std::string& name) const {
        if (tracker_ == "mlflow") {
            std::map<std::int64_t, int> steps;
            const std::vector<test::FakeMlflow::Run> runs = mlflow_.runs();
            for (const auto& [step, value] : runs.at(0).metrics.at(name))
                ++steps[step];
            return steps.size();
        }
        if (tracker_ == "trackio") {
            if (content_.empty())
                for (const auto& row :
                     track::SqliteFile(folder_.path() / "trackio" / "bench.db").run("SELECT metrics FROM metrics"))
                    content_ += track::cell_text(row.at(0)) + "\n";
            return count(content_, "\"" + name + "\"");
        }
        if (tracker_ == "dvclive") {
            const std::string file = name.substr(name.find('/') + 1) + ".tsv";
            return count(read_file(files_below(folder_.path(), file).at(0)), "\n") - 1;
        }
        if (tracker_ == "aim") {
            if (aim_.empty())
                aim_ = test::stub_aim_runs(folder_.path() / "run");
            const auto found = aim_.at(0).curves.find(name);
            return found == aim_.at(0).curves.end() ? 0 : found->second.size();
        }
        if (points_.empty())
            points_ = services_.points();
        const auto found = points_.find(tracker_ == "clearml" ? name.substr(name.find('/') + 1) : name);
        return found == points_.end() ? 0 : found->second.size();
    }

    const std::string tracker_;
    test::TemporaryFolder folder_;
    test::Variables variables_;
    test::FakeMlflow mlflow_;
    test::FakeServices services_;
    std::optional<test::FailingDisk> disk_;
    mutable std::string content_;
    mutable test::FakeServices::Points points_;
    mutable std::vector<test::StubAimRun> aim_;
};

int run(int argc, char** argv) {
    const std::vector<std::string> all = {"mlflow",   "wandb",   "trackio", "swanlab",
                                          "comet_ml", "clearml", "aim",     "dvclive"};
    std::vector<std::string> trackers = all;
    int steps = 10'000, rounds = 3;
    double milliseconds = 2;
    bool json = false;
    CLI::App app("By how much trackers slow a training down, and what they lose.");
    app.add_option("--tracker", trackers)->check(CLI::IsMember(all));
    app.add_option("--steps", steps)->check(CLI::PositiveNumber);
    app.add_option("--step-ms", milliseconds)->check(CLI::PositiveNumber);
    app.add_option("--rounds", rounds)->check(CLI::PositiveNumber);
    app.add_flag("--json", json);
    CLI11_PARSE(app, argc, argv);
    const std::int64_t work = work_of_a_step(milliseconds / 1000);
    std::vector<bench::Figure> figures;
    for (const std::string& tracker : trackers) {
        const std::string what = fmt::format("{} steps of {} ms, {} values each", steps, milliseconds, kValues);
        bench::Figure slower{tracker + ".slower", what, "", {}, {}, 0.01, true};
        bench::Figure processor{tracker + ".processor", "the same in processor time", "", {}, {}, 0.01, true};
        bench::Figure beside{tracker + ".beside", "processor time beside the steps", "", {}, {}, {}};
        bench::Figure call{tracker + ".call", "log() as a part of a step", "", {}, {}, 0.01, true};
        bench::Figure lost{tracker + ".lost", "values that did not arrive", "", {}, {}, 0, true};
        for (int round = 0; round < rounds; ++round) {
            Place place(tracker);
            Times without = train(steps / 2, work, nullptr);
            const double before = processor_seconds() - place.processor_seconds_of_servers();
            auto running = place.start();
            const Times with = train(steps, work, running.get());
            running->finish();
            running.reset();
            const double spent = processor_seconds() - place.processor_seconds_of_servers() - before;
            place.mend();
            place.send_rest();
            without += train(steps - steps / 2, work, nullptr);
            slower.values.push_back(with.all / without.all - 1);
            processor.values.push_back(with.processor / without.processor - 1);
            beside.values.push_back((spent - with.processor) / without.processor);
            call.values.push_back(with.calls / without.all);
            lost.values.push_back(static_cast<double>(steps) * kValues - static_cast<double>(place.arrived()));
        }
        for (bench::Figure* figure : {&slower, &processor, &beside, &call, &lost})
            figures.push_back(*figure);
    }
    bench::print(figures, json);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    return bench::main_of("bench_trackers", run, argc, argv);
}
