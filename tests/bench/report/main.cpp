// SPDX-License-Identifier: GPL-3.0-or-later
// bench_report [--points N] [--rounds N] [--json]: time in which `trainyard report` writes 10 runs with 100,000 points
// (--points) each as one HTML file. Prints one line per figure; exits with 0 if all could be measured.
//   report.one     a curve for each run, from the start of the program to its exit
//   report.ten     the same points in ten curves for each run, a chart for each metric
//   report.size    of the file with one curve for each run

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/file.h"
#include "bench/engine/figure.h"
#include "cli/program.h"
#include "formats/events/event_file.h"
#include "run/state.h"
#include "support/temporary_folder.h"

using namespace trainyard;
using bench::Figure;

namespace {

constexpr int kRuns = 10;

std::vector<std::string> write_runs(const std::filesystem::path& folder, int points, int curves) {
    std::vector<std::string> runs;
    std::mt19937 random(1);
    std::normal_distribution<double> noise(0, 0.1);
    for (int number = 0; number < kRuns; ++number) {
        const std::filesystem::path run = folder / fmt::format("run-{}", number);
        std::filesystem::create_directories(run / "metrics");
        events::EventFileWriter writer(run / "metrics");
        for (int step = 0; step < points / curves; ++step) {
            std::vector<std::pair<std::string, double>> scalars;
            for (int curve = 0; curve < curves; ++curve)
                scalars.emplace_back(fmt::format("train/metric_{}", curve), 3 * std::exp(-step * 1e-4) + noise(random));
            writer.add_scalars(step, 1.7e9 + 0.1 * step, scalars);
            if (step % 256 == 0)
                writer.flush();
        }
        writer.flush();
        run::RunState state;
        state.run_id = state.name = run.filename().string();
        state.status = run::Status::finished;
        run::write_state(run::RunPaths(run), state, false);
        runs.push_back(run.string());
    }
    return runs;
}

double seconds_of_report(const std::vector<std::string>& runs, const std::filesystem::path& file) {
    std::vector<std::string> words{"report", "-o", file.string()};
    words.insert(words.end(), runs.begin(), runs.end());
    const auto begin = std::chrono::steady_clock::now();
    const test::Said said = test::trainyard(words);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (said.code != 0)
        throw std::runtime_error(said.err);
    return seconds;
}

int measure(int argc, char** argv) {
    int points = 100'000, rounds = 5;
    bool json = false;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        if (word == "--points" && i + 1 < argc)
            points = std::stoi(argv[++i]);
        else if (word == "--rounds" && i + 1 < argc)
            rounds = std::stoi(argv[++i]);
        else if (word == "--json")
            json = true;
        else
            throw std::runtime_error("usage: bench_report [--points N] [--rounds N] [--json]");
    }
    test::TemporaryFolder folder;
    const std::string amount = fmt::format("{} runs with {} points each", kRuns, points);
    Figure one{"report.one", amount + " in one curve", "s", {}, {}, 2.0, true};
    Figure ten{"report.ten", amount + " in ten curves", "s", {}, {}, 2.0, true};
    Figure size{"report.size", "the file with one curve for each run", "MB", {}, {}, {}, true};
    const std::vector<std::string> narrow = write_runs(folder.path() / "one", points, 1);
    const std::vector<std::string> wide = write_runs(folder.path() / "ten", points, 10);
    const std::filesystem::path file = folder.path() / "report.html";
    for (int round = 0; round < rounds; ++round) {
        one.values.push_back(seconds_of_report(narrow, file));
        size.values.push_back(static_cast<double>(std::filesystem::file_size(file)) / 1e6);
        ten.values.push_back(seconds_of_report(wide, file));
    }
    bench::print({one, ten, size}, json);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    return bench::main_of("bench_report", measure, argc, argv);
}
