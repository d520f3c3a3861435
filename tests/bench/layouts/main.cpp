// SPDX-License-Identifier: GPL-3.0-or-later
// bench_layouts: speed and memory of one recipe (10.8 M parameters, eight micro-batches) with different layouts,
// alternating: replicas, activation checkpointing, pipelines with all schedules, divided positions in chunks.
// packaging/bench layouts

#include <map>
#include <thread>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "bench/engine/contestant.h"
#include "bench/engine/figure.h"
#include "bench/training_text.h"

namespace trainyard::bench {
namespace {

constexpr int kMicroBatches = 8;

struct LayoutOfBench {
    std::string id, what;
    int ranks, replicas;
    std::vector<std::string> set;
};

std::vector<LayoutOfBench> layouts_of_bench() {
    std::vector<LayoutOfBench> all;
    auto add = [&](const std::string& id, const std::string& what, int ranks, int replicas,
                   std::vector<std::string> set) {
        set.push_back(fmt::format("training.gradient_accumulation_steps={}", kMicroBatches / replicas));
        all.push_back({id, what, ranks, replicas, std::move(set)});
    };
    for (int ranks : {1, 2})
        for (const std::string recomputed : {"no", "selective", "full"})
            add(fmt::format("{}rank{}", ranks, recomputed == "no" ? "" : "." + recomputed),
                fmt::format("{} replica{}, activation_checkpointing {}", ranks, ranks == 1 ? "" : "s", recomputed),
                ranks, ranks, {"training.activation_checkpointing=" + recomputed});
    for (const char* schedule : {"GPipe", "1F1B", "ZBH1"})
        add(fmt::format("2stages.{}", schedule), fmt::format("2 stages, {}", schedule), 2, 1,
            {"parallel.pp_size=2", fmt::format("parallel.pipeline_schedule={}", schedule)});
    for (int chunks : {1, 2, 4})
        add(fmt::format("2positions.{}", chunks),
            fmt::format("2 ranks share layers and positions, tp_overlap_chunks {}", chunks), 2, 1,
            {"parallel.tp_size=2", "parallel.tp_sequence_parallel=true",
             fmt::format("parallel.tp_overlap_chunks={}", chunks)});
    return all;
}

int run(int argc, char** argv) {
    CLI::App app("Speed and memory of one recipe on different layouts of ranks.");
    int rounds = 3, steps = 12, batch = 4;
    bool json = false;
    std::string only, programs = TRAINYARD_BIN_DIR;
    app.add_option("--rounds", rounds, "Runs of each layout, in turns [3]");
    app.add_option("--steps", steps, "Steps of a run, the first two of them not timed [12]");
    app.add_option("--batch", batch, "Samples of a micro-batch [4]");
    app.add_option("--only", only, "Layouts whose id holds this text");
    app.add_option("--programs", programs, "Folder of trainyard");
    app.add_flag("--json", json, "One JSON list");
    CLI11_PARSE(app, argc, argv);
    Setting setting;
    setting.programs = programs;
    setting.work = fs::temp_directory_path() / fmt::format("trainyard-bench-layouts-{}", ::getpid());
    setting.text = setting.work / "text";
    setting.cores = static_cast<int>(std::thread::hardware_concurrency());
    fs::create_directories(setting.work);
    write_training_text(setting.text);
    const Shape shape{"large", "10.8 M parameters", 6, 6, 384, 256, batch, steps, 2};
    std::map<std::string, std::pair<std::vector<double>, std::vector<double>>> measured;
    for (int round = 0; round < rounds; ++round)
        for (const LayoutOfBench& layout : layouts_of_bench()) {
            if (layout.id.find(only) == std::string::npos)
                continue;
            Mode mode{.ranks = layout.ranks, .set = layout.set};
            Measured one = run_ours(setting, shape, mode);
            // A step has the same samples with every layout.
            auto& [speed, memory] = measured[layout.id];
            speed.push_back(one.tokens_per_s * kMicroBatches / layout.ranks);
            memory.push_back(one.peak_bytes / 1e6);
        }
    std::vector<Figure> figures;
    for (const LayoutOfBench& layout : layouts_of_bench())
        if (auto found = measured.find(layout.id); found != measured.end()) {
            Figure speed, memory;
            speed.id = "speed." + layout.id;
            speed.what = "tokens/s, " + layout.what;
            speed.values = found->second.first;
            memory.id = "memory." + layout.id;
            memory.what = "peak resident memory of rank 0, " + layout.what;
            memory.unit = "MB";
            memory.values = found->second.second;
            memory.lower_is_better = true;
            figures.push_back(std::move(speed));
            figures.push_back(std::move(memory));
        }
    print(figures, json);
    fs::remove_all(setting.work);
    return 0;
}

}  // namespace
}  // namespace trainyard::bench

int main(int argc, char** argv) {
    return trainyard::bench::main_of("bench_layouts", trainyard::bench::run, argc, argv);
}
