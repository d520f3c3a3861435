// SPDX-License-Identifier: GPL-3.0-or-later
// bench_cross_entropy: our fused last layer and loss alternating with torch's linear and cross_entropy: time of forward
// and backward, and the peak resident memory that they add.
//
//   build/release/bin/bench_cross_entropy [--peer-python PATH] [--rounds 3] [--json]
//
// Each measurement is a separate process (--measure), so that memory is not shared.

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <thread>

#include <ATen/Parallel.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/process.h"
#include "bench/engine/figure.h"
#include "distributed/parallel/flat_group.h"
#include "models/nn/kernels/cross_entropy.h"

namespace trainyard::bench {
namespace {

struct Case {
    std::int64_t rows = 1024, vocabulary = 50304, width = 384;
    std::string type = "fp32";
};

double status_bytes(const std::string& key) {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with(key + ":"))
            return std::stod(line.substr(key.size() + 1)) * 1024;
    return 0;
}

/// Measures in this process: {"ms", "extra_bytes"}.
nlohmann::json measure(const Case& what) {
    parallel::Parameter table("table", {what.vocabulary, what.width}, {parallel::Initialiser::Kind::normal, 0.02});
    parallel::FlatArena arena({{"head", {&table}}}, what.type == "bf16" ? at::kBFloat16 : at::kFloat, at::kCPU, false);
    arena.initialise(1);
    at::Tensor hidden = at::randn({1, what.rows, what.width}).set_requires_grad(true);
    at::Tensor labels = at::randint(0, what.vocabulary, {1, what.rows}, at::kLong);
    at::Tensor sum = at::zeros({}, at::kDouble);
    hidden.mutable_grad() = at::zeros_like(hidden);
    arena.gradients().fill_(0.0);  // allocates the pages of the gradient before the measurement
    at::Tensor few = at::randn({64, what.width});
    few.matmul(few.t());  // allocates what the libraries need before the measurement
    double before = status_bytes("VmRSS");
    std::vector<double> times;
    for (int repeat = 0; repeat < 5; ++repeat) {
        double begin = monotonic_seconds();
        arena.forget_gradients();
        models::next_token_loss(hidden, table, labels, 1.0 / static_cast<double>(what.rows), sum).backward();
        times.push_back(1e3 * (monotonic_seconds() - begin));
    }
    return {{"ms", median(times)}, {"extra_bytes", status_bytes("VmHWM") - before}};
}

/// Runs a program and returns the JSON in its last line.
nlohmann::json run_program(const std::vector<std::string>& words) {
    int ends[2];
    if (::pipe(ends) != 0)
        throw std::runtime_error("no pipe");
    std::vector<char*> arguments;
    for (const std::string& word : words)
        arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    pid_t child = ::fork();
    if (child == 0) {
        ::dup2(ends[1], STDOUT_FILENO);
        ::close(ends[0]);
        ::close(ends[1]);
        ::execvp(arguments[0], arguments.data());
        ::_exit(127);
    }
    ::close(ends[1]);
    std::string said;
    char buffer[4096];
    for (ssize_t n; (n = ::read(ends[0], buffer, sizeof buffer)) > 0;)
        said.append(buffer, static_cast<std::size_t>(n));
    ::close(ends[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        throw std::runtime_error(words[0] + " failed: " + said);
    return nlohmann::json::parse(said);
}

std::vector<std::string> flags(const Case& what) {
    return {"--rows",  std::to_string(what.rows),  "--vocab", std::to_string(what.vocabulary),
            "--width", std::to_string(what.width), "--dtype", what.type};
}

int run(int argc, char** argv) {
    Case what;
    std::string peer;
    int rounds = 3;
    bool json = false, here = false;
    CLI::App app("Chunked fused cross entropy beside torch's");
    app.add_option("--peer-python", peer, "Interpreter with torch; without it only ours is measured");
    app.add_option("--rounds", rounds, "How often each is measured")->check(CLI::Range(1, 1000));
    app.add_flag("--json", json, "For programs");
    app.add_flag("--measure", here, "Measure one case in this process");
    app.add_option("--rows", what.rows, "Rows of one measurement");
    app.add_option("--vocab", what.vocabulary, "Vocabulary");
    app.add_option("--width", what.width, "Hidden width");
    app.add_option("--dtype", what.type, "Format of one measurement")->check(CLI::IsMember({"fp32", "bf16"}));
    CLI11_PARSE(app, argc, argv);
    if (here) {
        std::printf("%s\n", measure(what).dump().c_str());
        return kExitDone;
    }
    std::string threads = std::to_string(std::max(1u, std::thread::hardware_concurrency()));
    ::setenv("OMP_NUM_THREADS", threads.c_str(), 1);
    std::vector<Figure> figures;
    for (const char* type : {"fp32", "bf16"}) {
        what.type = type;
        Figure time{std::string("cross_entropy.time.") + type,
                    fmt::format("forward and backward, {} rows, {}", what.rows, type),
                    "ms",
                    {},
                    {},
                    {},
                    true};
        Figure memory{std::string("cross_entropy.memory.") + type,
                      fmt::format("extra memory, {} rows, {}", what.rows, type),
                      "MB",
                      {},
                      {},
                      {},
                      true};
        for (int round = 0; round < rounds; ++round) {
            std::vector<std::string> ours{"/proc/self/exe", "--measure"},
                theirs{peer, TRAINYARD_TESTS_DIR "/bench/peer/cross_entropy.py"};
            for (const std::string& flag : flags(what)) {
                ours.push_back(flag);
                theirs.push_back(flag);
            }
            nlohmann::json mine = run_program(ours);
            time.values.push_back(mine.at("ms"));
            memory.values.push_back(mine.at("extra_bytes").get<double>() / 1e6);
            if (peer.empty())
                continue;
            nlohmann::json other = run_program(theirs);
            time.peer.push_back(other.at("ms"));
            memory.peer.push_back(other.at("extra_bytes").get<double>() / 1e6);
            time.target = 1.0;
            memory.target = 0.25;
        }
        figures.push_back(time);
        figures.push_back(memory);
    }
    print(figures, json);
    return kExitDone;
}

}  // namespace
}  // namespace trainyard::bench

int main(int argc, char** argv) {
    return trainyard::bench::main_of("bench_cross_entropy", trainyard::bench::run, argc, argv);
}
