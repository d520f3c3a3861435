// SPDX-License-Identifier: GPL-3.0-or-later
// bench_estimate: prints a table of the predicted and the measured memory of recipes in every layout, which validates
// the calibration of the estimator, and the time of an estimate of a large model. packaging/bench estimate

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "base/file.h"
#include "bench/engine/figure.h"
#include "bench/peer_program.h"
#include "bench/training_text.h"
#include "estimate/calibration.h"
#include "estimate/estimate_file.h"
#include "estimate/search.h"

namespace trainyard::bench {
namespace {

namespace fs = std::filesystem;

struct Row {
    std::string name;
    int ranks;
    std::vector<std::string> set;
};

std::vector<std::string> large_model() {
    return {"model.n_layer=12",      "model.n_head=12",          "model.n_embd=768",
            "model.n_positions=128", "data.sequence_length=128", "training.batch_size=4"};
}

/// `folder` is for offloaded tensors; its subfolder base/ has a model of large_model().
std::vector<Row> rows(const fs::path& folder) {
    const std::vector<std::string> medium{"model.n_layer=6",          "model.n_head=6",
                                          "model.n_embd=384",         "model.n_positions=256",
                                          "data.sequence_length=256", "training.batch_size=12"};
    const std::vector<std::string> large = large_model();
    const std::vector<std::string> experts{
        "model.model_type=mixtral",    "model.num_hidden_layers=4",   "model.num_attention_heads=8",
        "model.num_key_value_heads=4", "model.hidden_size=256",       "model.intermediate_size=512",
        "model.num_local_experts=8",   "model.num_experts_per_tok=2", "model.max_position_embeddings=256",
        "data.sequence_length=256",    "training.batch_size=12"};
    const auto with = [](std::vector<std::string> base, std::vector<std::string> more) {
        base.insert(base.end(), more.begin(), more.end());
        return base;
    };
    const std::vector<std::string> offloaded{"parallel.offload_optimizer_device=nvme",
                                             "parallel.offload_optimizer_nvme_path=" + folder.string()};
    const std::vector<std::string> adapter{"lora.r=8", "model.weights=" + (folder / "base").string()};
    return {
        {"0.83 M fp32", 1, {}},
        {"0.83 M bf16", 1, {"training.mixed_precision=bf16"}},
        {"10.8 M fp32", 1, medium},
        {"10.8 M bf16", 1, with(medium, {"training.mixed_precision=bf16"})},
        {"10.8 M batch 32", 1, with(medium, {"training.batch_size=32"})},
        {"10.8 M accumulation 4", 1, with(medium, {"training.gradient_accumulation_steps=4", "training.batch_size=6"})},
        {"10.8 M checkpointing, batch 24", 1,
         with(medium, {"training.activation_checkpointing=true", "training.batch_size=24"})},
        {"10.8 M sequence 512", 1,
         with(medium, {"model.n_positions=512", "data.sequence_length=512", "training.batch_size=6"})},
        {"10.8 M vocabulary 32,000", 1, with(medium, {"model.vocab_size=32000"})},
        {"10.8 M averaged weights", 1, with(medium, {"training.ema_decay=0.99"})},
        {"10.8 M half of it frozen", 1,
         with(medium, {"model.freeze=[transformer.h.0.*,transformer.h.1.*,transformer.h.2.*]"})},
        {"10.8 M replicas", 2, medium},
        {"10.8 M ZeRO 1", 2, with(medium, {"parallel.zero_stage=1"})},
        {"10.8 M ZeRO 2", 2, with(medium, {"parallel.zero_stage=2"})},
        {"10.8 M two stages", 2, with(medium, {"parallel.pp_size=2", "training.gradient_accumulation_steps=4"})},
        {"10.8 M two stages, GPipe", 2,
         with(medium, {"parallel.pp_size=2", "training.gradient_accumulation_steps=4", "training.batch_size=6",
                       "parallel.pipeline_schedule=GPipe"})},
        {"10.8 M two stages, ZBH1", 2,
         with(medium, {"parallel.pp_size=2", "training.gradient_accumulation_steps=4", "training.batch_size=6",
                       "parallel.pipeline_schedule=ZBH1"})},
        {"10.8 M two ranks of two stages, Interleaved1F1B", 2,
         with(medium, {"parallel.pp_size=2", "training.gradient_accumulation_steps=4", "training.batch_size=6",
                       "parallel.pipeline_schedule=Interleaved1F1B"})},
        {"10.8 M two ranks of two stages, ZBVZeroBubble", 2,
         with(medium, {"parallel.pp_size=2", "training.gradient_accumulation_steps=4", "training.batch_size=6",
                       "parallel.pipeline_schedule=ZBVZeroBubble"})},
        {"10.8 M four stages", 4,
         with(medium, {"parallel.pp_size=4", "training.gradient_accumulation_steps=8", "training.batch_size=6"})},
        {"10.8 M tensor 2", 2, with(medium, {"parallel.tp_size=2"})},
        {"10.8 M tensor 2, bf16", 2, with(medium, {"parallel.tp_size=2", "training.mixed_precision=bf16"})},
        {"10.8 M tensor 2, positions divided", 2,
         with(medium, {"parallel.tp_size=2", "parallel.tp_sequence_parallel=true"})},
        {"85.4 M tensor 4", 4, with(large, {"parallel.tp_size=4"})},
        {"10.8 M context 2", 2, with(medium, {"parallel.cp_size=2"})},
        {"10.8 M context 2, ring", 2, with(medium, {"parallel.cp_size=2", "parallel.cp_rotate_method=alltoall"})},
        {"10.8 M context 4", 4, with(medium, {"parallel.cp_size=4"})},
        {"10.8 M sequence 2", 2, with(medium, {"parallel.sp_size=2"})},
        {"10.8 M ZeRO 3", 2, with(medium, {"parallel.zero_stage=3"})},
        {"85.4 M ZeRO 3", 2, with(large, {"parallel.zero_stage=3"})},
        {"10.8 M ZeRO 3 in two replicas", 4,
         with(medium, {"parallel.zero_stage=3", "parallel.dp_replicate_size=2", "parallel.dp_shard_size=2"})},
        {"10.8 M two stages of tensor 2", 4,
         with(medium, {"parallel.pp_size=2", "parallel.tp_size=2", "training.gradient_accumulation_steps=4"})},
        {"10.8 M two replicas of tensor 2", 4, with(medium, {"parallel.tp_size=2"})},
        {"10.8 M ZeRO 2 of tensor 2", 4, with(medium, {"parallel.tp_size=2", "parallel.zero_stage=2"})},
        {"10.8 M two stages of context 2", 4,
         with(medium, {"parallel.pp_size=2", "parallel.cp_size=2", "training.gradient_accumulation_steps=4"})},
        {"13.2 M experts, replicas", 2, experts},
        {"13.2 M experts 2", 2, with(experts, {"parallel.ep_size=2"})},
        {"13.2 M experts 4", 4, with(experts, {"parallel.ep_size=4"})},
        {"85.4 M two stages", 2, with(large, {"parallel.pp_size=2", "training.gradient_accumulation_steps=4"})},
        {"85.4 M fp32", 1, large},
        {"85.4 M bf16", 1, with(large, {"training.mixed_precision=bf16"})},
        {"85.4 M checkpoints while training", 1, with(large, {"checkpoint.every=2", "training.batch_size=1"})},
        {"0.83 M optimizer state on disk", 1, offloaded},
        {"10.8 M optimizer state on disk", 1, with(medium, offloaded)},
        {"85.4 M optimizer state on disk", 1, with(large, offloaded)},
        {"10.8 M ZeRO 2, state on disk", 2, with(with(medium, {"parallel.zero_stage=2"}), offloaded)},
        {"85.4 M adapter", 1, with(large, adapter)},
        {"85.4 M adapter, base on disk", 1, with(with(large, adapter), {"model.device_map=disk"})},
        {"85.4 M bf16 adapter, base on disk", 1,
         with(with(large, adapter), {"model.device_map=disk", "training.mixed_precision=bf16"})}};
}

estimate::EstimateFile run_row(const Row& row, const std::string& programs, const fs::path& work, int steps) {
    const fs::path folder = work / "run";
    fs::remove_all(folder);
    std::vector<std::string> words{programs + "/trainyard",
                                   "launch",
                                   (work / "recipe.yaml").string(),
                                   "--num_processes",
                                   std::to_string(row.ranks),
                                   "--run_dir",
                                   folder.string(),
                                   "--set",
                                   fmt::format("training.steps={}", steps)};
    for (const std::string& set : row.set)
        words.insert(words.end(), {"--set", set});
    output_of(words);
    const std::optional<estimate::EstimateFile> file = estimate::read_estimate_file(folder / "estimate.json");
    if (!file || !file->measured)
        throw std::runtime_error(row.name + ": the run wrote no measured memory");
    return *file;
}

/// Returns the largest error (predicted / measured - 1) among weights, gradients and optimizer state.
double state_error(const estimate::EstimateFile& file) {
    double worst = 0;
    for (const std::string_view key : {"weights", "gradients", "optimizer", estimate::kOnDisk.data()}) {
        const auto predicted = static_cast<double>(estimate::bytes_of(file.predicted, key)),
                   measured = static_cast<double>(estimate::bytes_of(file.measured->parts, key));
        const double error = measured > 0 ? predicted / measured - 1 : predicted > 0 ? 1 : 0;
        if (std::fabs(error) > std::fabs(worst))
            worst = error;
    }
    return worst;
}

/// Seconds of one estimate and of the search for the largest batch, for 70 B parameters in 100 layers on 512 ranks.
std::vector<Figure> speed(int rounds) {
    estimate::TrainingSetup setup;
    setup.layout = {.dp_shard = 16, .tp = 8, .pp = 4};
    setup.zero_stage = 1;
    setup.accumulation = 16;
    const std::string config =
        R"({"model_type": "llama", "hidden_size": 7680, "num_hidden_layers": 100, "num_attention_heads": 64, "num_key_value_heads": 8,
            "intermediate_size": 23040, "vocab_size": 128256})";
    Figure one{.id = "speed.estimate",
               .what = "estimate, 70 B parameters, 100 layers, 512 ranks",
               .unit = "ms",
               .values = {},
               .peer = {},
               .target = 5.0,
               .lower_is_better = true};
    Figure search{.id = "speed.search",
                  .what = "largest micro-batch and fewest devices of it",
                  .unit = "ms",
                  .values = {},
                  .peer = {},
                  .target = 1000.0,
                  .lower_is_better = true};
    for (int i = 0; i < rounds; ++i) {
        const auto timed = [](auto&& work) {
            const auto begin = std::chrono::steady_clock::now();
            work();
            return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
        };
        one.values.push_back(timed([&] {
            const estimate::ModelParts model = estimate::model_parts(config, "model");
            estimate::estimate_memory(model, setup, *estimate::find_device("H100"));
        }));
        estimate::Hardware hardware;
        hardware.device = *estimate::find_device("H100");
        hardware.hosts = 64;
        hardware.devices_per_host = 8;
        const estimate::Search found(estimate::model_parts(config, "model"), hardware);
        search.values.push_back(timed([&] {
            found.largest_batch(setup);
            found.fewest_devices(setup);
        }));
    }
    return {one, search};
}

int run(int argc, char** argv) {
    CLI::App app("Predicted memory of recipes beside the measured one.");
    int rounds = 3, steps = 4;
    std::string only, programs = TRAINYARD_BIN_DIR;
    app.add_option("--rounds", rounds, "Runs of each recipe, in turns [3]");
    app.add_option("--steps", steps, "Steps of a run [4]");
    app.add_option("--only", only, "Recipes whose name holds this text");
    app.add_option("--programs", programs, "Folder of trainyard");
    CLI11_PARSE(app, argc, argv);
    const fs::path work = fs::temp_directory_path() / fmt::format("trainyard-bench-estimate-{}", ::getpid());
    fs::create_directories(work);
    write_training_text(work / "text");
    write_file_atomically(work / "recipe.yaml",
                          fmt::format("name: estimate\ndata: {{path: \"{}\"}}\ntraining: {{evaluate_batches: 2}}\n",
                                      (work / "text").string()),
                          false);
    // Uses an empty cache, so that the figures do not depend on earlier runs of this machine. One small run measures
    // the memory of the program itself, as for a user.
    ::setenv("TRAINYARD_CACHE", (work / "cache").c_str(), 1);
    const std::vector<Row> all = rows(work);
    if (std::ranges::any_of(all, [&](const Row& row) {
            return row.name.find(only) != std::string::npos && row.name.find("adapter") != std::string::npos;
        })) {
        run_row({"base", 1, large_model()}, programs, work, 1);
        fs::rename(work / "run" / "checkpoints" / "checkpoint_1", work / "base");
        fs::remove_all(work / "cache");  // its measured memory must not calibrate the other runs
    }
    run_row(all.front(), programs, work, steps);
    const estimate::Calibration learnt = estimate::calibration_of(estimate::calibration_key("cpu"));
    std::fprintf(stderr, "the program takes %.1f MiB on this processor, assumed without runs: %.1f MiB\n",
                 learnt.program / (1 << 20), estimate::kCpuProgram / (1 << 20));
    std::vector<std::vector<estimate::EstimateFile>> files(all.size());
    for (int round = 0; round < rounds; ++round)
        for (std::size_t i = 0; i < all.size(); ++i)
            if (all[i].name.find(only) != std::string::npos) {
                files[i].push_back(run_row(all[i], programs, work, steps));
                const estimate::EstimateFile& file = files[i].back();
                std::fprintf(stderr, "%s: %+.1f %%\n", all[i].name.c_str(), 100 / (1 + *file.error()) - 100);
            }
    fs::remove_all(work);
    std::printf("%-34s %5s %9s %9s %17s %7s %7s\n", "recipe", "ranks", "predicted", "measured", "(spread) MiB", "error",
                "state");
    bool over = false;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (files[i].empty())
            continue;
        std::vector<double> measured;
        for (const estimate::EstimateFile& file : files[i])
            measured.push_back(static_cast<double>(file.measured->peak_resident) / (1 << 20));
        const auto [least, most] = std::ranges::minmax(measured);
        const double predicted = static_cast<double>(files[i].front().predicted_total) / (1 << 20);
        const double error = predicted / median(measured) - 1;
        const double state = state_error(files[i].front());
        const bool good = std::fabs(error) <= 0.10 && std::fabs(state) <= 0.05;
        over |= !good;
        std::printf("%-34s %5d %9.1f %9.1f (%6.1f..%6.1f) %+6.1f%% %+6.1f%%  n=%zu %s\n", all[i].name.c_str(),
                    all[i].ranks, predicted, median(measured), least, most, 100 * error, 100 * state, measured.size(),
                    good ? "ok" : "over");
    }
    print(speed(20), false);
    return over ? 1 : 0;
}

}  // namespace
}  // namespace trainyard::bench

int main(int argc, char** argv) {
    return trainyard::bench::main_of("bench_estimate", trainyard::bench::run, argc, argv);
}
