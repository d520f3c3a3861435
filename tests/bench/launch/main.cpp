// SPDX-License-Identifier: GPL-3.0-or-later
// bench_launch [--peer PYTHON] [--json]: the peer's training script (tests/bench/peer/train_gpt.py) with `trainyard
// launch`, alternating with the peer's launcher: seconds from the command to the end of the first optimizer step, and
// the final loss.
//   start.program    an executable that does nothing, on one rank and on two; without a peer
//   start.by_name    what a run of one step takes longer with a model of the hub's cache by name than by its path
//   first_step.1     one process; the peer: accelerate launch
//   first_step.2     two processes on the CPU; the peer: torchrun, which accelerate launch would use on GPUs
//   loss.1, loss.2   maximum difference between the final losses
// The peer's figures need a Python with Accelerate, torch and transformers.

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "base/file.h"
#include "bench/engine/figure.h"
#include "bench/peer_program.h"
#include "support/fake_hub.h"
#include "support/temporary_folder.h"

using namespace trainyard;
using bench::Figure;

namespace {

constexpr int kRounds = 11, kPeerRounds = 3;  // each takes seconds

double seconds_of(const std::vector<std::string>& words) {
    double begin = monotonic_seconds();
    bench::output_of(words);
    return monotonic_seconds() - begin;
}

struct Trained {
    double first_step_s = 0, loss = 0;
};

Trained train(std::vector<std::string> words, const std::string& text, const std::vector<std::string>& variables) {
    words.insert(words.end(), {TRAINYARD_TESTS_DIR "/bench/peer/train_gpt.py", "--text", text, "--steps", "12",
                               "--warmup", "2", "--t0", fmt::format("{:.6f}", wall_seconds())});
    std::string said = bench::output_of(words, variables);
    std::size_t line = said.find("{\"peer\"");
    if (line == std::string::npos)
        throw std::runtime_error("train_gpt.py printed no result");
    nlohmann::json result = nlohmann::json::parse(said.substr(line, said.find('\n', line) - line));
    return {result.at("first_step_s"), result.at("last_loss")};
}

/// `folder` has the settings of this user, too: HF_HOME, TRAINYARD_CACHE.
Figure start_by_name(const std::string& program, const std::filesystem::path& folder) {
    std::string text;
    for (int i = 0; text.size() < 20'000; ++i)
        text += fmt::format("{} bottles of milk on the wall\n", i % 977);
    write_file_atomically(folder / "text.txt", text, false);
    const auto start = [&](const std::string& name, const std::string& model, const std::string& more) {
        const std::filesystem::path recipe = folder / (name + ".yaml");
        write_file_atomically(recipe,
                              fmt::format("name: {}\nmodel: {{{}}}\ndata: {{path: text.txt, sequence_length: 32}}\n"
                                          "training: {{steps: 1, batch_size: 1}}\n{}",
                                          name, model, more),
                              false);
        return std::vector<std::string>{program, "launch",       "--cpu", "--num_processes", "1", "--main_process_port",
                                        "0",     recipe.string()};
    };
    bench::output_of(start("base", "n_layer: 2, n_head: 4, n_embd: 128, n_positions: 64", "checkpoint: {every: 1}\n"));
    std::filesystem::path checkpoint;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder / "runs"))
        if (entry.path().filename() == "model.safetensors")
            checkpoint = entry.path().parent_path();
    {
        test::FakeHub hub;
        for (const char* file : {"config.json", "model.safetensors"})
            hub.put("org/tiny", file, read_file(checkpoint / file));
        bench::output_of({program, "download", "org/tiny"}, {"HF_ENDPOINT=" + hub.address(), "no_proxy=*"});
    }  // no start asks it
    const std::vector<std::string> by_path = start("by-path", "weights: " + checkpoint.string(), ""),
                                   by_name = start("by-name", "weights: org/tiny", "");
    Figure figure{"start.by_name", "one step with a cached model, by name less by path", "s", {}, {}, 0.05, true};
    // One start differs from the next by 0.2 s: only many pairs show 50 ms.
    for (int round = -1; round < 4 * kRounds; ++round) {
        const bool first = round % 2 == 0;
        const double one = seconds_of(first ? by_name : by_path), other = seconds_of(first ? by_path : by_name);
        if (round >= 0)
            figure.values.push_back(first ? one - other : other - one);
    }
    return figure;
}

int run(const std::string& python, bool json) {
    test::TemporaryFolder folder;
    ::setenv("HF_HOME", folder.path().c_str(), 1);  // ignores this user's default file
    ::setenv("TRAINYARD_CACHE", (folder.path() / "cache").c_str(), 1);
    ::setenv("TRAINYARD_RUNS", (folder.path() / "runs").c_str(), 1);
    const std::string program = TRAINYARD_BIN_DIR "/trainyard";
    std::vector<Figure> figures;
    for (int ranks : {1, 2}) {
        std::vector<std::string> words{program,
                                       "launch",
                                       "-q",
                                       "--cpu",
                                       "--main_process_port",
                                       "0",
                                       "--num_processes",
                                       std::to_string(ranks),
                                       "--no_python",
                                       "/bin/true"};
        Figure figure{fmt::format("start.program.{}", ranks),
                      fmt::format("/bin/true on {} rank{}, with its run folder", ranks, ranks == 1 ? "" : "s"),
                      "s",
                      {},
                      {},
                      0.1,
                      true};
        seconds_of(words);  // loads its files into the page cache
        for (int round = 0; round < kRounds; ++round)
            figure.values.push_back(seconds_of(words));
        figures.push_back(figure);
    }
    figures.push_back(start_by_name(program, folder.path()));
    if (!python.empty()) {
        std::string text;
        for (int i = 0; text.size() < 400'000; ++i)
            text += fmt::format("{} bottles of milk on the wall, {} bottles of milk.\n", i % 977, i % 131);
        std::string file = folder.path() / "text.txt";
        write_file_atomically(file, text, false);
        for (int ranks : {1, 2}) {
            std::string number = std::to_string(ranks);
            std::vector<std::string> ours{program, "launch",          "-q",  "--cpu", "--main_process_port",
                                          "0",     "--num_processes", number};
            std::vector<std::string> peer =
                ranks == 1
                    ? std::vector<std::string>{python,
                                               "-m",
                                               "accelerate.commands.launch",
                                               "--cpu",
                                               "--num_processes",
                                               "1",
                                               "--num_machines",
                                               "1",
                                               "--mixed_precision",
                                               "no",
                                               "--dynamo_backend",
                                               "no"}
                    : std::vector<std::string>{
                          python, "-m", "torch.distributed.run", "--nproc-per-node", number, "--master-port", "29517"};
            Figure step{
                "first_step." + number,
                fmt::format("command to the end of the first step, {} process{}", ranks, ranks == 1 ? "" : "es"),
                "s",
                {},
                {},
                1.0,
                true};
            Figure loss{"loss." + number, "difference between the last losses", "", {}, {}, 1e-3, true};
            std::vector<std::string> variables{"TRAINYARD_PYTHON=" + python, "OMP_NUM_THREADS=1"};
            for (int round = 0; round < kPeerRounds; ++round) {
                Trained mine = train(ours, file, variables),
                        theirs = train(peer, file, {"OMP_NUM_THREADS=1", "ACCELERATE_USE_CPU=true"});
                step.values.push_back(mine.first_step_s);
                step.peer.push_back(theirs.first_step_s);
                loss.values.push_back(std::abs(mine.loss - theirs.loss));
            }
            figures.push_back(step);
            figures.push_back(loss);
        }
    }
    bench::print(figures, json);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    return bench::main_of(
        "bench_launch",
        [](int count, char** words) {
            std::string python;
            bool json = false;
            for (int i = 1; i < count; ++i) {
                std::string word = words[i];
                if (word == "--json") {
                    json = true;
                } else if (word == "--peer" && i + 1 < count) {
                    python = words[++i];
                } else {
                    std::fputs("usage: bench_launch [--peer PYTHON] [--json]\n", stderr);
                    return 2;
                }
            }
            return run(python, json);
        },
        argc, argv);
}
