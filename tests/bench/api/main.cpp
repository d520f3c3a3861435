// SPDX-License-Identifier: GPL-3.0-or-later
// bench_api [--rounds N] [--steps N] [--ranks 1,2] [--precision no,bf16] [--json]: a custom training loop on
// Accelerator (the sample program train_recipe) alternating with the worker of `trainyard launch`, with the same recipe
// and text. The model is that of resources/samples/sample.yaml.
//   api.<ranks>rank[.bf16]   tokens/s of the program; the peer is the worker. Target: 0.97 of the worker's

#include <algorithm>
#include <cstdio>
#include <sstream>
#include <thread>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "bench/engine/contestant.h"
#include "bench/engine/figure.h"
#include "bench/peer_program.h"
#include "support/temporary_folder.h"

namespace trainyard::bench {
namespace {

/// tokens/s of the program, measured from the end of one step to the end of the next, as contestant.h does for the
/// worker.
double run_recipe_program(const Setting& setting, const Shape& shape, const Mode& mode) {
    const fs::path recipe = setting.work / "recipe.yaml";
    write_file_atomically(recipe, recipe_text(setting, shape, mode), false);
    const std::string said = output_of(
        {(setting.programs / "trainyard").string(), "launch", "--no_python", "--cpu", "--num_processes",
         std::to_string(mode.ranks), "--num_cpu_threads_per_process",
         std::to_string(std::max(1, setting.cores / mode.ranks)), "--main_process_port", "0", "--run_dir",
         (setting.work / fmt::format("program-{}", ::getpid())).string(), TRAINYARD_TRAIN_RECIPE, recipe.string()});
    fs::remove_all(setting.work / fmt::format("program-{}", ::getpid()));
    std::vector<double> ends;
    std::istringstream lines(said);
    for (std::string line; std::getline(lines, line);)
        if (const std::size_t at = line.find(" seconds "); line.starts_with("step ") && at != std::string::npos)
            ends.push_back(std::stod(line.substr(at + 9)));
    if (std::ssize(ends) != shape.steps)
        throw std::runtime_error(fmt::format("the program printed {} steps of {}", ends.size(), shape.steps));
    std::vector<double> times;
    for (std::size_t i = static_cast<std::size_t>(shape.warmup); i < ends.size(); ++i)
        times.push_back(ends[i] - ends[i - 1]);
    return shape.batch * shape.block * mode.ranks / median(times);
}

int run(int argc, char** argv) {
    Setting setting;
    setting.cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    std::string programs = TRAINYARD_BIN_DIR;
    int rounds = 5, steps = 300;
    std::vector<int> ranks{1, 2};
    std::vector<std::string> precisions{"no"};
    bool json = false;
    CLI::App app("A loop on Accelerator beside the worker's own");
    app.add_option("--rounds", rounds, "How often each is measured [5]")->check(CLI::Range(1, 1000));
    app.add_option("--steps", steps, "Steps of a run, the first 20 of them not timed [300]")
        ->check(CLI::Range(30, 100000));
    app.add_option("--ranks", ranks, "Numbers of ranks [1,2]")->delimiter(',');
    app.add_option("--precision", precisions, "no, bf16 [no]")->delimiter(',');
    app.add_option("--programs", programs, "Folder of trainyard and trainyard-worker");
    app.add_flag("--json", json, "For programs");
    CLI11_PARSE(app, argc, argv);

    const test::TemporaryFolder folder;
    setting.work = folder.path();
    setting.programs = programs;
    setting.text = one_file("/usr/share/perl", "*.pod", setting.work);
    const Shape shape{"small", "0.83 M parameters", 4, 4, 128, 64, 12, steps, 20};
    std::vector<Figure> figures;
    for (const std::string& precision : precisions)
        for (int number : ranks) {
            Figure figure;
            figure.id = fmt::format("api.{}rank{}", number, precision == "no" ? "" : "." + precision);
            figure.what = fmt::format("tokens/s of a loop on Accelerator, {}, {} rank{}, peer: the worker", shape.size,
                                      number, number == 1 ? "" : "s");
            figure.unit = "tokens/s";
            figure.target = 0.97;
            const Mode mode{.ranks = number, .precision = precision};
            for (int round = 0; round < rounds; ++round) {
                figure.values.push_back(run_recipe_program(setting, shape, mode));
                figure.peer.push_back(run_ours(setting, shape, mode).tokens_per_s);
            }
            figures.push_back(std::move(figure));
        }
    print(figures, json);
    return kExitDone;
}

}  // namespace
}  // namespace trainyard::bench

int main(int argc, char** argv) {
    return trainyard::bench::main_of("bench_api", trainyard::bench::run, argc, argv);
}
