// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/engine/contestant.h"

#include <algorithm>
#include <fstream>
#include <functional>
#include <stdexcept>

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "bench/engine/figure.h"
#include "config/inputs/byte_corpus.h"
#include "formats/events/scalar_folder.h"
#include "run/state.h"

namespace trainyard::bench {

namespace {

constexpr double kLimit = 900;  // seconds of one run

/// Runs a program to its end, its output in `log`; `watch` is called every 10 ms. Throws when it fails.
void run_program(const std::vector<std::string>& words, const std::vector<std::string>& variables, const fs::path& log,
                 const std::function<void()>& watch) {
    std::vector<char*> arguments;
    for (const std::string& word : words)
        arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    pid_t child = ::fork();
    if (child == 0) {
        int out = ::open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        ::dup2(out, STDOUT_FILENO);
        ::dup2(out, STDERR_FILENO);
        for (const std::string& variable : variables)
            ::putenv(const_cast<char*>(variable.c_str()));
        ::execvp(arguments[0], arguments.data());
        ::_exit(127);
    }
    int status = 0;
    double begin = monotonic_seconds();
    while (::waitpid(child, &status, WNOHANG) == 0) {
        if (monotonic_seconds() - begin > kLimit)
            ::kill(child, SIGKILL);
        watch();
        ::usleep(10'000);
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return;
    std::string said = read_file(log);
    throw std::runtime_error(
        fmt::format("{} failed: {}", words[0], said.size() > 2000 ? said.substr(said.size() - 2000) : said));
}

/// Peak resident memory of a running process; 0 if it has exited.
double high_water(pid_t pid) {
    std::ifstream status("/proc/" + std::to_string(pid) + "/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("VmHWM:"))
            return std::stod(line.substr(6)) * 1024;
    return 0;
}

}  // namespace

fs::path one_file(const std::string& text, const std::string& pattern, const fs::path& work) {
    config::DataRecipe data;
    data.paths = {fs::absolute(text).string()};
    data.pattern = pattern;
    std::string joined;
    for (const fs::path& file : inputs::corpus_files(data))
        joined += (joined.empty() ? "" : "\n") + read_file(file, 1ull << 30);
    write_file_atomically(work / "text", joined, false);
    return work / "text";
}

std::string recipe_text(const Setting& setting, const Shape& shape, const Mode& mode) {
    return fmt::format(
        "name: bench\n"
        "model: {{n_positions: {}, n_embd: {}, n_layer: {}, n_head: {}}}\n"
        "data: {{path: \"{}\", sequence_length: {}, validation_fraction: 0}}\n"
        "optimizer: {{lr: 1e-3, betas: [0.9, 0.99], weight_decay: 0.1, decay_all: true}}\n"
        "schedule: {{name: cosine, decay_steps: 10000}}\n"
        "training: {{steps: {}, batch_size: {}, mixed_precision: \"{}\"}}\n",
        shape.block, shape.hidden, shape.layers, shape.heads, setting.text.string(), shape.block, shape.steps,
        shape.batch, mode.precision);
}

Measured run_ours(const Setting& setting, const Shape& shape, const Mode& mode) {
    const int ranks = mode.ranks;
    fs::path recipe = setting.work / "recipe.yaml", folder = setting.work / "run";
    fs::remove_all(folder);
    write_file_atomically(recipe, recipe_text(setting, shape, mode), false);
    run::RunPaths run(folder);
    Measured measured;
    pid_t rank_0 = 0;
    auto watch = [&] {
        if (rank_0 == 0) {
            try {
                auto state = run::read_state(run);
                if (state && !state->ranks.empty())
                    rank_0 = state->ranks[0].process.pid;
            } catch (const UserError&) {
                return;  // not written yet
            }
        }
        if (rank_0 > 0)
            measured.peak_bytes = std::max(measured.peak_bytes, high_water(rank_0));
    };
    std::vector<std::string> words{(setting.programs / "trainyard").string(),
                                   "launch",
                                   "--json",
                                   "--cpu",
                                   "--num_processes",
                                   std::to_string(ranks),
                                   "--num_cpu_threads_per_process",
                                   std::to_string(std::max(1, setting.cores / ranks)),
                                   "--run_dir",
                                   folder.string()};
    for (const std::string& assignment : mode.set)
        words.insert(words.end(), {"--set", assignment});
    words.push_back(recipe.string());
    double begin = wall_seconds();
    run_program(words, {}, setting.work / "ours.log", watch);
    events::ScalarFolder curves(run.metrics());
    curves.poll();
    auto found = curves.curves().find("train/loss");
    if (found == curves.curves().end() || std::ssize(found->second) != shape.steps)
        throw std::runtime_error("the run left no complete loss curve");
    const std::vector<events::CurvePoint>& points = found->second;
    measured.first_step_s = points[0].wall_time - begin;
    // From the end of one step to the end of the next, so that all parts of a step are included.
    std::vector<double> times;
    for (std::size_t i = static_cast<std::size_t>(shape.warmup); i < points.size(); ++i)
        times.push_back(points[i].wall_time - points[i - 1].wall_time);
    measured.tokens_per_s = shape.batch * shape.block * ranks / median(times);
    return measured;
}

Measured run_peer(const Setting& setting, const Shape& shape, const Mode& mode) {
    const int ranks = mode.ranks;
    std::string threads = std::to_string(std::max(1, setting.cores / ranks));
    std::vector<std::string> words{setting.peer_python, "-m"};
    // `accelerate launch --cpu --num_processes 2` starts one process; torchrun starts two.
    if (ranks == 1)
        words.insert(words.end(), {"accelerate.commands.launch", "--cpu", "--num_processes", "1",
                                   "--num_cpu_threads_per_process", threads, "--mixed_precision", mode.precision});
    else
        words.insert(words.end(), {"torch.distributed.run", "--standalone", "--nproc_per_node", std::to_string(ranks)});
    fs::path log = setting.work / "peer.log";
    auto number = [](int value) { return std::to_string(value); };
    words.insert(words.end(), {setting.peer_script.string(), "--t0", fmt::format("{:.3f}", wall_seconds()), "--text",
                               setting.text.string(), "--steps", number(shape.steps), "--warmup", number(shape.warmup),
                               "--batch", number(shape.batch), "--block", number(shape.block), "--layers",
                               number(shape.layers), "--heads", number(shape.heads), "--hidden", number(shape.hidden)});
    if (mode.compiled)
        words.push_back("--compile");
    run_program(words,
                {"HF_HUB_OFFLINE=1", "ACCELERATE_USE_CPU=true", "OMP_NUM_THREADS=" + threads,
                 "ACCELERATE_MIXED_PRECISION=" + mode.precision},
                log, [] {});
    std::ifstream output(log);
    for (std::string line; std::getline(output, line);) {
        if (!line.starts_with("{\"peer\""))
            continue;
        auto json = nlohmann::json::parse(line);
        if (json.at("ranks").get<int>() != ranks)
            throw std::runtime_error(
                fmt::format("the peer started {} ranks instead of {}", json.at("ranks").dump(), ranks));
        return {json.at("first_step_s"), json.at("tokens_per_s"), json.at("peak_rss_bytes")};
    }
    throw std::runtime_error("the peer printed no result: " + read_file(log));
}

double run_gemm(const Setting& setting, const std::string& precision) {
    fs::path log = setting.work / "gemm.log";
    run_program({TRAINYARD_BUILD_DIR "/bench/bench_gemm", precision},
                {"OMP_NUM_THREADS=" + std::to_string(setting.cores)}, log, [] {});
    return std::stod(read_file(log));
}

}  // namespace trainyard::bench
