// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of whole runs with the real programs, on one and two ranks: curves, checkpoints, resuming, and a kill during a
// save.

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <variant>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>

#include "base/counted.h"
#include "base/file.h"
#include "cli/program.h"
#include "config/recipe/recipe.h"
#include "formats/events/event_file.h"
#include "formats/weights/weight_source.h"
#include "run/journal.h"
#include "run/listing.h"
#include "support/golden.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard {
namespace {

using test::says;
using test::says_only;
using testing::_;
using testing::Contains;
using testing::EndsWith;
using ::testing::HasSubstr;
using testing::StartsWith;
using Curve = std::map<std::int64_t, double>;

class Runs : public ::testing::Test {
  protected:
    void SetUp() override {
        ::setenv("TRAINYARD_RUNS", (folder_.path() / "runs").c_str(), 1);
        ::setenv("HF_HOME", (folder_.path() / "home").c_str(), 1);  // not the user's default settings
        ::unsetenv("TRAINYARD_CONFIG");
        ::setenv("OMP_NUM_THREADS", "1", 1);
        ::unsetenv("TRAINYARD_WORKER");
        ::unsetenv("TRAINYARD_FAILPOINT");
        write_files(folder_.path());
    }
    static void write_files(const fs::path& folder) {
        std::ofstream text(folder / "text.txt");
        for (int i = 0; i < 6000; ++i)
            text << "line " << i * 7919 % 6000 << " of a text that repeats itself\n";
        std::ofstream(folder / "recipe.yaml")
            << "name: e2e\n"
               "model: {n_layer: 2, n_embd: 32, n_head: 2, n_positions: 32}\n"
               "data: {path: text.txt, sequence_length: 32}\n"
               "optimizer: {lr: 3e-3}\n"
               "schedule: {warmup_steps: 3}\n"
               "training: {steps: 14, batch_size: 8, evaluate_every: 7, evaluate_batches: 3}\n"
               "checkpoint: {every: 5, keep_last: 0}\n";
    }

    struct Run {
        test::Said said;
        run::RunPaths paths;
        run::RunState state;
    };

    /// Launches a run with `flags` before the recipe, and follows it to its end.
    Run launch(const std::vector<std::string>& flags, const std::string& recipe = {}) {
        return launch_in(folder_.path(), flags, recipe);
    }
    /// The run of the recipe on one rank, made once for all tests.
    const Run& run_of_one_rank() {
        static const test::TemporaryFolder folder;
        static std::optional<Run> run;
        if (!run) {
            write_files(folder.path());
            ::setenv("TRAINYARD_RUNS", (folder.path() / "runs").c_str(), 1);
            run = launch_in(folder.path(), {}, {});
            ::setenv("TRAINYARD_RUNS", (folder_.path() / "runs").c_str(), 1);
        }
        return *run;
    }
    static Run launch_in(const fs::path& folder, const std::vector<std::string>& flags, const std::string& recipe) {
        std::vector<std::string> words{"launch", "--cpu"};
        words.insert(words.end(), flags.begin(), flags.end());
        words.push_back(recipe.empty() ? (folder / "recipe.yaml").string() : recipe);
        test::Said said = test::trainyard(words);
        auto runs = run::list_runs(folder / "runs");
        if (runs.empty())
            throw std::runtime_error("no run was made: " + said.err);
        run::RunPaths paths = runs.front().paths;
        return {said, paths, run::read_state(paths).value()};
    }

    /// Sums of the values by tag and step; each is written once.
    using Histograms = std::map<std::string, Curve>;
    static Histograms histograms_of(const Run& run) {
        Histograms sums;
        for (const auto& entry : std::filesystem::directory_iterator(run.paths.metrics()))
            if (entry.path().filename().string().starts_with("events.out.tfevents"))
                events::EventFileReader(entry.path())
                    .poll([&](const events::EventRecord& record, std::string_view, std::uint64_t) {
                        for (const events::MediaValue& value : record.media)
                            if (const auto* histogram = std::get_if<events::Histogram>(&value.value)) {
                                const bool is_new =
                                    sums[std::string(value.tag)].emplace(record.step, histogram->sum).second;
                                EXPECT_TRUE(is_new) << value.tag << " twice at step " << record.step;
                            }
                    });
        return sums;
    }

    /// Texts by tag and step.
    using Texts = std::map<std::pair<std::string, std::int64_t>, std::string>;
    static Texts texts_of(const Run& run) {
        Texts texts;
        for (const auto& entry : std::filesystem::directory_iterator(run.paths.metrics()))
            if (entry.path().filename().string().starts_with("events.out.tfevents"))
                events::EventFileReader(entry.path())
                    .poll([&](const events::EventRecord& record, std::string_view, std::uint64_t) {
                        for (const events::MediaValue& value : record.media)
                            if (const auto* text = std::get_if<std::string>(&value.value)) {
                                const bool is_new =
                                    texts.emplace(std::pair(std::string(value.tag), record.step), *text).second;
                                EXPECT_TRUE(is_new) << value.tag << " twice at step " << record.step;
                            }
                    });
        return texts;
    }

    static Curve curve(const run::RunPaths& paths, const std::string& tag) {
        Curve result;
        for (const auto& entry : std::filesystem::directory_iterator(paths.metrics())) {
            if (!entry.path().filename().string().starts_with("events.out.tfevents"))
                continue;
            events::EventFileReader reader(entry.path());
            for (const events::Scalar& scalar : reader.poll())
                if (scalar.tag == tag)
                    result[scalar.step] = scalar.value;
            EXPECT_EQ(reader.problem(), "");
        }
        return result;
    }

    test::TemporaryFolder folder_;
};

TEST_F(Runs, TwoRanksWithHalfTheBatchGiveTheCurveOfOne) {
    const Run& one = run_of_one_rank();
    ASSERT_EQ(one.said.code, 0) << one.said.err;
    EXPECT_EQ(one.state.status, run::Status::finished);
    Run two = launch({"--num_processes", "2", "--set", "training.batch_size=4"});
    ASSERT_EQ(two.said.code, 0) << two.said.err;
    EXPECT_EQ(two.state.ranks.size(), 2u);
    for (const char* tag : {"train/loss", "eval/loss"}) {
        Curve a = curve(one.paths, tag), b = curve(two.paths, tag);
        ASSERT_EQ(a.size(), std::string(tag) == "train/loss" ? 14u : 2u);
        ASSERT_EQ(a.size(), b.size());
        for (const auto& [step, loss] : a)
            EXPECT_NEAR(b.at(step), loss, 1e-5) << tag << " at step " << step;
    }
    EXPECT_LT(curve(one.paths, "train/loss").at(14), 4.5) << "the loss falls from 5.5";
    EXPECT_EQ(curve(one.paths, "train/lr").at(1), 0.0);
    EXPECT_EQ(one.state.progress.step, 14);
    EXPECT_EQ(one.state.progress.tokens, 14 * 8 * 32);
}

TEST_F(Runs, MicroBatchesThatRunOutOfMemoryAreHalvedAndTheCurveStaysTheSame) {
    std::ofstream text(folder_.path() / "numbers.txt");
    for (int i = 0; i < 40'000; ++i)
        text << i << " is a number\n";
    text.close();
    const std::string recipe = (folder_.path() / "numbers.yaml").string();
    std::ofstream(recipe)
        << "name: e2e\n"
           "model: {n_layer: 1, n_embd: 32, n_head: 2, n_positions: 16, vocab_size: 256}\n"
           "data: {path: numbers.txt, sequence_length: 16}\n"
           "training: {steps: 2, batch_size: 20000, evaluate_batches: 1, auto_find_batch_size: yes}\n";
    // The libraries and a quarter of the batch stay below the limit.
    const auto limited = [&](std::vector<std::string> flags) {
        flags.insert(flags.begin(), {TRAINYARD_BIN_DIR "/trainyard", "launch", "--cpu", "--num_processes", "2"});
        flags.push_back(recipe);
        test::Program program(flags, [] {
            const rlimit limit{1'200'000'000, 1'200'000'000};
            ::setrlimit(RLIMIT_AS, &limit);
        });
        const test::Said said = program.wait(300);
        const run::RunPaths paths = run::list_runs(folder_.path() / "runs").front().paths;
        return Run{said, paths, run::read_state(paths).value()};
    };
    const auto texts = [](const Run& run, const std::string& kind) {
        std::vector<std::string> found;
        for (const run::Event& event : run::JournalReader(run.paths.journal()).poll())
            if (event.kind == kind)
                found.push_back(event.text);
        return found;
    };
    const Run small = limited({});
    ASSERT_EQ(small.said.code, 0) << small.said.err;
    EXPECT_LE(small.state.batch_size, 10'000);
    EXPECT_GE(texts(small, "oom").size(), 1u);
    EXPECT_THAT(small.said.out + small.said.err,
                says("all ranks start again with micro-batches of {} instead of {}, {} for an update: "
                     "an update has as many samples as before",
                     _, _, _));
    const std::int64_t found = small.state.batch_size;
    EXPECT_THAT(texts(small, "phase"),
                Contains(says("micro-batches of {}, {} for an update", text::samples(found), _)));
    const Run whole = launch({"--num_processes", "2"}, recipe);
    ASSERT_EQ(whole.said.code, 0) << whole.said.err;
    EXPECT_EQ(whole.state.batch_size, 0);
    const Curve a = curve(small.paths, "train/loss"), b = curve(whole.paths, "train/loss");
    ASSERT_EQ(a.size(), 2u);
    ASSERT_EQ(b.size(), 2u);
    for (const auto& [step, loss] : a)
        EXPECT_NEAR(b.at(step), loss, 1e-5) << step;
    // The run that continues from there does not search again.
    const Run resumed =
        limited({"--set", "checkpoint.resume_from=" + small.paths.root().string(), "--set", "training.steps=3"});
    ASSERT_EQ(resumed.said.code, 0) << resumed.said.err;
    EXPECT_EQ(resumed.state.batch_size, found);
    EXPECT_TRUE(texts(resumed, "oom").empty());
    EXPECT_THAT(texts(resumed, "note"),
                Contains(says_only("micro-batches of at most {}, as before the checkpoint", text::samples(found))));
}

TEST_F(Runs, EveryFolderOfEventFilesIsOneRunForTensorBoardAndTheHyperParametersAreThere) {
    Run run = launch({"--num_processes", "2", "--set", "optimizer.lr=2e-3"});
    ASSERT_EQ(run.said.code, 0) << run.said.err;
    std::set<std::string> folders;
    events::HyperParameters parameters;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(run.paths.metrics())) {
        if (!entry.is_regular_file())
            continue;
        const std::string folder = entry.path().parent_path().lexically_relative(run.paths.metrics()).string();
        EXPECT_TRUE(folders.insert(folder).second) << "two files of " << folder << " would be one curve";
        events::EventFileReader reader(entry.path());
        std::set<std::pair<std::string, std::int64_t>> points;
        reader.poll([&](const events::EventRecord& record, std::string_view, std::uint64_t) {
            parameters.insert(parameters.end(), record.parameters.begin(), record.parameters.end());
            for (const auto& [tag, value] : record.scalars) {
                const std::string name(tag);
                EXPECT_EQ(name.starts_with("rank/") || name.starts_with("system/"), folder.starts_with("rank-")) << tag;
                EXPECT_EQ(name.starts_with("machine/"), folder.starts_with("host-")) << tag;
                if (folder == ".") {
                    EXPECT_TRUE(points.emplace(name, record.step).second) << tag << " has two values";
                }
            }
        });
        EXPECT_EQ(reader.problem(), "");
    }
    EXPECT_THAT(folders, testing::IsSupersetOf({".", "rank-00000", "rank-00001"}));
    using Value = events::HyperParameters::value_type;
    EXPECT_THAT(parameters,
                testing::IsSupersetOf({Value("optimizer.lr", 2e-3), Value("training.batch_size", 8.0),
                                       Value("data.shuffle", true), Value("data.format", std::string("bytes")),
                                       Value("launch.num_processes", 2.0)}));
    EXPECT_EQ(parameters.size(), config::recipe_keys().size() + 1) << "every key, once";
}

TEST_F(Runs, APipelineGivesTheCurveOfOneRankAndItsCheckpointsGoOnWithoutStages) {
    Run one = launch({"--set", "training.gradient_accumulation_steps=4", "--set", "training.batch_size=2"});
    ASSERT_EQ(one.said.code, 0) << one.said.err;
    for (const char* schedule : {"GPipe", "1F1B"}) {
        Run two = launch({"--num_processes", "2", "--set", "training.gradient_accumulation_steps=4", "--set",
                          "training.batch_size=2", "--set", "parallel.pp_size=2", "--set", "logging.histograms_every=7",
                          "--set", std::string("parallel.pipeline_schedule=") + schedule});
        ASSERT_EQ(two.said.code, 0) << two.said.err;
        const Histograms histograms = histograms_of(two);
        for (const char* name : {"wte.weight", "h.0.attn.c_attn.weight", "h.1.attn.c_attn.weight", "ln_f.weight"})
            for (const char* what : {"weights/transformer.", "gradients/transformer."})
                EXPECT_EQ(histograms.at(std::string(what) + name).size(), 2u) << what << name << " at two steps";
        for (const char* tag : {"train/loss", "train/grad_norm", "eval/loss"}) {
            Curve a = curve(one.paths, tag), b = curve(two.paths, tag);
            ASSERT_EQ(a.size(), b.size());
            for (const auto& [step, value] : a)
                EXPECT_NEAR(b.at(step), value, 1e-5) << schedule << ", " << tag << " at step " << step;
        }
        EXPECT_EQ(two.state.progress.tokens, 14 * 8 * 32) << "the stages see the same tokens";
        Run rest = launch({"--set", "training.gradient_accumulation_steps=4", "--set", "training.batch_size=2", "--set",
                           "checkpoint.resume_from=" + (two.paths.checkpoints() / "checkpoint_10").string()});
        ASSERT_EQ(rest.said.code, 0) << rest.said.err;
        Curve a = curve(one.paths, "train/loss"), b = curve(rest.paths, "train/loss");
        ASSERT_EQ(b.size(), 4u);
        for (const auto& [step, loss] : b)
            EXPECT_NEAR(a.at(step), loss, 1e-5) << schedule << ", resumed, step " << step;
    }
}

TEST_F(Runs, RanksThatShareSequencesGiveTheCurveOfOneRank) {
    const Run& one = run_of_one_rank();
    ASSERT_EQ(one.said.code, 0) << one.said.err;
    const std::vector<std::vector<std::string>> ways{
        {"--set", "parallel.cp_size=2"},
        {"--set", "parallel.cp_size=2", "--set", "parallel.cp_rotate_method=alltoall"},
        {"--set", "parallel.sp_size=2"}};
    for (std::vector<std::string> flags : ways) {
        const std::string way = flags.back();
        flags.insert(flags.begin(), {"--num_processes", "2"});
        Run two = launch(flags);
        ASSERT_EQ(two.said.code, 0) << way << ": " << two.said.err;
        for (const char* tag : {"train/loss", "train/grad_norm", "eval/loss"}) {
            Curve a = curve(one.paths, tag), b = curve(two.paths, tag);
            ASSERT_EQ(a.size(), b.size()) << way;
            for (const auto& [step, value] : a)
                EXPECT_NEAR(b.at(step), value, 1e-5) << way << ", " << tag << " at step " << step;
        }
        EXPECT_EQ(two.state.progress.tokens, one.state.progress.tokens) << way;
    }
    Run odd = launch({"--num_processes", "3", "--set", "parallel.cp_size=3"});
    EXPECT_EQ(odd.said.code, 2);
    EXPECT_THAT(odd.said.err, HasSubstr("parallel.cp_size: 3: data.sequence_length (32)"));
}

TEST_F(Runs, RanksThatDivideExpertsGiveTheCurveOfOneRank) {
    std::ofstream(folder_.path() / "recipe.yaml")
        << "name: e2e\n"
           "model: {model_type: mixtral, vocab_size: 257, hidden_size: 32, intermediate_size: 32, num_hidden_layers: "
           "2, "
           "num_attention_heads: 2, num_key_value_heads: 2, num_local_experts: 4, output_router_logits: yes, "
           "router_aux_loss_coef: 0.1}\n"
           "data: {path: text.txt, sequence_length: 32}\n"
           "optimizer: {lr: 3e-3}\n"
           "training: {steps: 10, batch_size: 8, evaluate_every: 5, evaluate_batches: 0}\n"
           "checkpoint: {every: 5, keep_last: 0}\n";
    Run one = launch({"--set", "logging.histograms_every=5"});
    ASSERT_EQ(one.said.code, 0) << one.said.err;
    const Histograms whole = histograms_of(one);
    // Those of all experts are written, and those that a token goes to on one rank only are not an error.
    const auto expect_histograms = [&](const Run& run) {
        const Histograms divided = histograms_of(run);
        ASSERT_EQ(divided.size(), whole.size());
        for (const auto& [tag, steps] : whole) {
            ASSERT_TRUE(divided.contains(tag)) << tag;
            for (const auto& [step, sum] : steps)
                EXPECT_NEAR(divided.at(tag).at(step), sum, 1e-3) << tag << " at step " << step;
        }
        EXPECT_TRUE(divided.contains("gradients/model.layers.1.block_sparse_moe.experts.3.w2.weight"));
    };
    Run two = launch({"--num_processes", "2", "--set", "training.batch_size=4", "--set", "parallel.ep_size=2", "--set",
                      "logging.histograms_every=5", "--set", "parallel.check_reduction=yes"});
    ASSERT_EQ(two.said.code, 0) << two.said.err;
    expect_histograms(two);
    for (const char* tag : {"train/loss", "train/grad_norm", "eval/loss"}) {
        Curve a = curve(one.paths, tag), b = curve(two.paths, tag);
        ASSERT_EQ(a.size(), b.size());
        for (const auto& [step, value] : a)
            EXPECT_NEAR(b.at(step), value, 2e-5) << tag << " at step " << step;
    }
    Run rest = launch({"--set", "checkpoint.resume_from=" + (two.paths.checkpoints() / "checkpoint_5").string()});
    ASSERT_EQ(rest.said.code, 0) << rest.said.err;
    Curve a = curve(one.paths, "train/loss"), b = curve(rest.paths, "train/loss");
    ASSERT_EQ(b.size(), 5u);
    for (const auto& [step, loss] : b)
        EXPECT_NEAR(a.at(step), loss, 2e-5) << "resumed, step " << step;
    Run odd = launch({"--num_processes", "3", "--set", "parallel.ep_size=3"});
    EXPECT_EQ(odd.said.code, 2);
    EXPECT_THAT(odd.said.err, says("{}: {} experts do not divide among the ranks: take a divisor of {}",
                                   EndsWith("parallel.ep_size: 3"), 4, 4));
    Run sharded = launch({"--num_processes", "2", "--set", "training.batch_size=4", "--set", "parallel.ep_size=2",
                          "--set", "parallel.zero_stage=2", "--set", "logging.histograms_every=5"});
    ASSERT_EQ(sharded.said.code, 0) << sharded.said.err;
    expect_histograms(sharded);
    Curve divided = curve(sharded.paths, "train/loss");
    ASSERT_EQ(divided.size(), a.size());
    for (const auto& [step, loss] : a)
        EXPECT_NEAR(divided.at(step), loss, 2e-5) << "with ZeRO 2, step " << step;
}

/// Ranks that have parts of the model write the samples of one rank that has it whole.
TEST_F(Runs, SamplesWhileTrainingAreThoseOfOneRank) {
    const auto write_recipe = [&](const std::string& model) {
        std::ofstream(folder_.path() / "recipe.yaml")
            << "name: e2e\nmodel: " << model
            << "\ndata: {path: text.txt, sequence_length: 32}\n"
               "optimizer: {lr: 1e-2}\n"
               "training: {steps: 12, batch_size: 8}\n"
               "checkpoint: {every: 0}\n"
               "generation: {every: 6, prompts: [\"line 7\", \"a text\"], max_new_tokens: 12, do_sample: true, "
               "temperature: 0.5}\n";
    };
    using Words = std::vector<std::string>;
    const auto on_mesh = [&](const std::string& ranks, const Words& settings) {
        Words flags{"--num_processes", ranks};
        for (const std::string& setting : settings)
            flags.insert(flags.end(), {"--set", setting});
        const Run run = launch(flags);
        EXPECT_EQ(run.said.code, 0) << run.said.err;
        return texts_of(run);
    };
    const auto expect_samples_of_one_rank = [&](const std::vector<std::pair<std::string, Words>>& meshes) {
        const Texts one = on_mesh("1", {});
        ASSERT_EQ(one.size(), 4u);
        for (const auto& [place, text] : one)
            EXPECT_GT(text.size(), 8u) << place.first << ": " << text;
        for (const auto& [ranks, settings] : meshes)
            EXPECT_EQ(on_mesh(ranks, settings), one) << settings.front();
    };
    const std::string batch = "training.batch_size=", parts = "training.gradient_accumulation_steps=";
    write_recipe("{n_layer: 4, n_embd: 32, n_head: 4, n_positions: 32}");
    expect_samples_of_one_rank({
        {"2", {"parallel.pp_size=2", batch + "4", parts + "2"}},
        {"2", {"parallel.pp_size=2", "parallel.pipeline_schedule=ZBVZeroBubble", batch + "2", parts + "4"}},
        {"2", {"parallel.tp_size=2", "parallel.tp_sequence_parallel=yes"}},
        {"4", {"parallel.pp_size=2", "parallel.tp_size=2", batch + "4", parts + "2"}},
        {"4", {"parallel.tp_size=2", "parallel.cp_size=2"}},
        // Megatron-LM generates on one data rank alone, without sequence parallelism and recomputation: each condition
        // is broken here, alone and together with the others.
        {"2", {batch + "4"}},
        {"1", {"training.activation_checkpointing=yes"}},
        {"4",
         {"parallel.tp_size=2", "parallel.tp_sequence_parallel=yes", "training.activation_checkpointing=selective",
          batch + "4"}},
    });
    write_recipe("{model_type: bloom, hidden_size: 32, n_layer: 2, n_head: 4}");
    expect_samples_of_one_rank(
        {{"4", {"parallel.pp_size=2", "parallel.tp_size=2", batch + "4", parts + "2"}}, {"2", {"parallel.cp_size=2"}}});
    // Each of the ranks has the keys and values that all heads share.
    write_recipe("{model_type: falcon, hidden_size: 32, num_hidden_layers: 2, num_attention_heads: 4}");
    expect_samples_of_one_rank({{"4", {"parallel.pp_size=2", "parallel.tp_size=2", batch + "4", parts + "2"}},
                                {"2", {"parallel.tp_size=2", "parallel.tp_sequence_parallel=yes"}}});
    write_recipe("{model_type: mpt, d_model: 32, n_layers: 2, n_heads: 4, attn_config: {clip_qkv: 0.5}}");
    expect_samples_of_one_rank({{"4", {"parallel.pp_size=2", "parallel.tp_size=2", batch + "4", parts + "2"}}});
    write_recipe(
        "{model_type: mixtral, vocab_size: 257, hidden_size: 32, intermediate_size: 32, num_hidden_layers: 2, "
        "num_attention_heads: 2, num_key_value_heads: 2, num_local_experts: 4}");
    expect_samples_of_one_rank({
        {"2", {"parallel.ep_size=2", batch + "4"}},
        {"4", {"parallel.ep_size=2", "parallel.pp_size=2", batch + "2", parts + "2"}},
        {"4", {"parallel.ep_size=2", "parallel.tp_size=2", "parallel.zero_stage=3", batch + "4"}},
    });
}

TEST_F(Runs, WhatIsOnADiskTrainsOnEveryMesh) {
    std::ofstream(folder_.path() / "recipe.yaml")
        << "name: e2e\n"
           "model: {model_type: mixtral, vocab_size: 257, hidden_size: 32, intermediate_size: 32, num_hidden_layers: "
           "2, num_attention_heads: 4, num_key_value_heads: 2, num_local_experts: 4}\n"
           "data: {path: text.txt, sequence_length: 32}\n"
           "optimizer: {lr: 3e-3}\n"
           "training: {steps: 6, batch_size: 2, evaluate_every: 6, evaluate_batches: 2}\n"
           "checkpoint: {every: 6}\n"
           "parallel: {zero_stage: 3}\n";
    const std::string disk = (folder_.path() / "disk").string();
    fs::create_directory(disk);
    using Words = std::vector<std::string>;
    // Every dimension; each alone, too: TRAINYARD_ALL_PAIRS, in the label layouts.
    std::vector<Words> meshes{{"cp_size=2"}, {"sp_size=2"}, {"ep_size=2", "tp_size=2"}, {"ep_size=2", "pp_size=2"}};
    if (std::getenv("TRAINYARD_ALL_PAIRS") != nullptr)
        for (const char* alone : {"ep_size=2", "tp_size=2", "pp_size=2"})
            meshes.push_back(Words{alone});
    for (const Words& mesh : meshes) {
        Words flags{"--num_processes", "4"};
        for (const std::string& size : mesh)
            flags.insert(flags.end(), {"--set", "parallel." + size});
        const Run inMemory = launch(flags);
        for (const char* what : {"param", "optimizer"})
            flags.insert(flags.end(), {"--set", fmt::format("parallel.offload_{}_device=nvme", what), "--set",
                                       fmt::format("parallel.offload_{}_nvme_path={}", what, disk)});
        const Run onDisk = launch(flags);
        ASSERT_EQ(inMemory.said.code, 0) << mesh[0] << inMemory.said.err;
        ASSERT_EQ(onDisk.said.code, 0) << mesh[0] << onDisk.said.err;
        for (const char* tag : {"train/loss", "train/grad_norm", "eval/loss"})
            EXPECT_EQ(curve(onDisk.paths, tag), curve(inMemory.paths, tag)) << mesh[0] << ' ' << tag;
        EXPECT_TRUE(fs::is_empty(disk)) << mesh[0];
    }
}

TEST_F(Runs, ResumedIsTheSameAsUninterrupted) {
    const Run& whole = run_of_one_rank();
    ASSERT_EQ(whole.said.code, 0) << whole.said.err;
    auto checkpoint = whole.paths.checkpoints() / "checkpoint_5";
    for (const char* file : {"model.safetensors", "optimizer.bin", "config.json", "position.json", "manifest.json"})
        EXPECT_TRUE(std::filesystem::exists(checkpoint / file)) << file;
    auto config = nlohmann::json::parse(read_file(checkpoint / "config.json"));
    EXPECT_EQ(config.at("model_type"), "gpt2");
    EXPECT_EQ(config.at("n_embd"), 32);

    Run rest = launch({"--set", "checkpoint.resume_from=" + checkpoint.string()});
    ASSERT_EQ(rest.said.code, 0) << rest.said.err;
    for (const char* tag : {"train/loss", "train/lr", "train/grad_norm", "eval/loss"}) {
        Curve a = curve(whole.paths, tag), b = curve(rest.paths, tag);
        a.erase(a.begin(), a.lower_bound(6));
        EXPECT_EQ(a, b) << tag;
    }
}

TEST_F(Runs, GoingOnFromTheLastStepSavesItsStateAndSaysThatNothingIsLeft) {
    const Run& whole = run_of_one_rank();
    for (const int ranks : {1, 2}) {
        Run rest = launch({"--num_processes", std::to_string(ranks), "--set",
                           "training.batch_size=" + std::to_string(8 / ranks), "--set",
                           "checkpoint.resume_from=" + whole.paths.root().string()});
        ASSERT_EQ(rest.said.code, 0) << rest.said.err;
        EXPECT_THAT(rest.state.message.text().substr(0, rest.state.message.text().find(',')),
                    says_only("finished at once: the checkpoint that it resumed from has the last of {}", "14 steps"));
        EXPECT_FALSE(rest.state.progress.loss);
        EXPECT_NEAR(rest.state.progress.validation_loss.value_or(0), whole.state.progress.validation_loss.value_or(-1),
                    1e-5);
        EXPECT_THAT(read_file(rest.paths.journal()),
                    says("nothing is left to train: the checkpoint is of step {} of {}; its state is saved here, and "
                         "training.steps makes the run longer",
                         StartsWith("14"), _));
        EXPECT_EQ(read_file(rest.paths.checkpoints() / "checkpoint_14/model.safetensors"),
                  read_file(whole.paths.checkpoints() / "checkpoint_14/model.safetensors"));
    }
}

TEST_F(Runs, TheRunFileStartsTheSameRunAgain) {
    Run first = launch({"--num_processes", "2", "--set", "training.steps=4"});
    ASSERT_EQ(first.said.code, 0) << first.said.err;
    Run again = launch({}, first.paths.spec().string());
    ASSERT_EQ(again.said.code, 0) << again.said.err;
    EXPECT_EQ(again.state.ranks.size(), 2u);
    EXPECT_EQ(curve(first.paths, "train/loss"), curve(again.paths, "train/loss"));
}

TEST_F(Runs, DyingInTheMiddleOfASaveLeavesTheEarlierCheckpoint) {
    ::setenv("TRAINYARD_FAILPOINT", "checkpoint.write:kill@7", 1);  // the second save: five files each
    Run broken = launch({"--set", "checkpoint.async=no"});
    ::unsetenv("TRAINYARD_FAILPOINT");
    EXPECT_EQ(broken.said.code, 1);
    EXPECT_EQ(broken.state.status, run::Status::failed);
    ASSERT_TRUE(broken.state.first_failure.has_value());
    EXPECT_EQ(broken.state.first_failure->signal, SIGKILL);
    EXPECT_EQ(broken.state.first_failure->phase, "save");
    EXPECT_THAT(broken.said.out + broken.said.err, HasSubstr(broken.state.first_failure->message));

    Run rest = launch({"--set", "checkpoint.resume_from=" + broken.paths.root().string()});
    ASSERT_EQ(rest.said.code, 0) << rest.said.err;
    Curve expected = curve(run_of_one_rank().paths, "train/loss"), got = curve(rest.paths, "train/loss");
    expected.erase(expected.begin(), expected.lower_bound(6));
    EXPECT_EQ(got, expected);
}

TEST_F(Runs, AFullDiskDuringASaveIsAWarningAndTrainingGoesOn) {
    ::setenv("TRAINYARD_FAILPOINT", "checkpoint.write:enospc@7", 1);
    Run run = launch({});
    ::unsetenv("TRAINYARD_FAILPOINT");
    EXPECT_EQ(run.said.code, 0) << run.said.err;
    EXPECT_THAT(read_file(run.paths.journal()), says("checkpoint {} was not saved: {}", 10, _));
    EXPECT_TRUE(std::filesystem::exists(run.paths.checkpoints() / "checkpoint_5" / "manifest.json"));
    EXPECT_FALSE(std::filesystem::exists(run.paths.checkpoints() / "checkpoint_10"));
    EXPECT_TRUE(std::filesystem::exists(run.paths.checkpoints() / "checkpoint_14" / "manifest.json"));
}

TEST_F(Runs, BadWeightsAreRefusedBeforeAnythingStarts) {
    std::ofstream(folder_.path() / "broken.safetensors") << "no header";
    test::Said said = test::trainyard({"launch", "--cpu", "--set",
                                       "model.weights=" + (folder_.path() / "broken.safetensors").string(),
                                       (folder_.path() / "recipe.yaml").string()});
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(said.err, says("{} is not a whole safetensors file: {}", EndsWith("broken.safetensors"), _));
    EXPECT_TRUE(run::list_runs(folder_.path() / "runs").empty());
}

TEST_F(Runs, WeightsOfAnotherModelAreOneSentence) {
    Run first = launch({"--set", "training.steps=4"});
    ASSERT_EQ(first.said.code, 0) << first.said.err;
    std::string weights = (first.paths.checkpoints() / "checkpoint_4").string();
    test::Said said = test::trainyard({"launch", "--cpu", "--set", "model.n_embd=48", "--set",
                                       "model.weights=" + weights, (folder_.path() / "recipe.yaml").string()});
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(said.err, says("the recipe says {}, and {}, which describes the weights, says {}: leave the key out, "
                               "or give the same value",
                               48, weights + "/config.json", 32)
                              .after("model.n_embd: "));
    EXPECT_THAT(said.err, testing::Not(HasSubstr("n_inner")));
}

// Weights of transformers in bf16 are trained in fp32, and exported in bf16.
TEST_F(Runs, ExportsAreInTheTypeOfTheBase) {
    const fs::path base = folder_.path() / "base";
    const auto exported = [&](const fs::path& checkpoint, std::vector<std::string> flags = {}) {
        const fs::path out = folder_.path() / "out";
        fs::remove_all(out);
        std::vector<std::string> words{"checkpoints", "export", checkpoint.string(), out.string()};
        words.insert(words.end(), flags.begin(), flags.end());
        const test::Said said = test::trainyard(words);
        EXPECT_EQ(said.code, 0) << said.err;
        const std::string type = weights::main_dtype(*weights::open_weights(out));
        const auto config = nlohmann::json::parse(read_file(out / "config.json"));
        EXPECT_EQ(config.at("dtype"), type == "BF16" ? "bfloat16" : type == "F16" ? "float16" : "float32");
        return type;
    };
    const auto stored = [](const fs::path& checkpoint) {
        return weights::main_dtype(*weights::open_weights(checkpoint));
    };
    Run first = launch({"--set", "training.steps=2", "--set", "schedule.warmup_steps=0"});
    ASSERT_EQ(first.said.code, 0) << first.said.err;
    const fs::path fresh = first.paths.checkpoints() / "checkpoint_2";
    EXPECT_FALSE(fs::exists(fresh / "export.json"));
    EXPECT_EQ(exported(fresh), "F32") << "no other dtype was requested";
    EXPECT_EQ(exported(fresh, {"--dtype", "bf16"}), "BF16");
    fs::rename(folder_.path() / "out", base);
    const std::string from = "model.weights=" + base.string();
    Run tuned = launch({"--set", from, "--set", "training.steps=4"});
    ASSERT_EQ(tuned.said.code, 0) << tuned.said.err;
    const fs::path checkpoint = tuned.paths.checkpoints() / "checkpoint_4";
    EXPECT_EQ(stored(checkpoint), "F32") << "a training resumes with all bits";
    EXPECT_EQ(exported(checkpoint), "BF16");
    EXPECT_EQ(exported(checkpoint, {"--dtype", "auto"}), "BF16");
    EXPECT_EQ(exported(checkpoint, {"--dtype", "fp32"}), "F32");
    Run chosen = launch({"--set", from, "--set", "training.steps=2", "--set", "schedule.warmup_steps=0", "--set",
                         "checkpoint.export_dtype=fp16"});
    ASSERT_EQ(chosen.said.code, 0) << chosen.said.err;
    EXPECT_EQ(exported(chosen.paths.checkpoints() / "checkpoint_2"), "F16");
    // Resumed when the base is gone.
    fs::remove_all(base);
    Run resumed =
        launch({"--set", from, "--set", "training.steps=6", "--set", "checkpoint.resume_from=" + checkpoint.string()});
    ASSERT_EQ(resumed.said.code, 0) << resumed.said.err;
    EXPECT_EQ(stored(resumed.paths.checkpoints() / "checkpoint_6"), "F32");
    EXPECT_EQ(exported(resumed.paths.checkpoints() / "checkpoint_6"), "BF16");
}

// A prompt comes from a file of any editor.
TEST_F(Runs, PromptsOnStandardInputAreUtf8WithOrWithoutAMark) {
    const fs::path prompt = folder_.path() / "prompt.txt", model = test::own_golden("models") / "gpt2";
    const auto generate = [&](const std::string& text) {
        write_file_atomically(prompt, text);
        return test::Program({"/bin/sh", "-c",
                              std::string(TRAINYARD_BIN_DIR "/trainyard generate ") + model.string() +
                                  " --max_new_tokens 4 --json < " + prompt.string()})
            .wait();
    };
    const auto words = [](const test::Said& said) {
        EXPECT_EQ(said.code, 0) << said.err;
        std::string text;
        std::istringstream lines(said.out);
        for (std::string line; std::getline(lines, line);)
            if (const auto event = nlohmann::json::parse(line); event["event"] == "text")
                text += event["text"].get<std::string>();
        return text;
    };
    const std::string plain = words(generate("a gr\xc3\xbc\xc3\x9f"));
    EXPECT_FALSE(plain.empty());
    EXPECT_EQ(words(generate("\xef\xbb\xbf"
                             "a gr\xc3\xbc\xc3\x9f")),
              plain);
    for (const auto& [text, reason] : {std::pair(std::string("\xff\xfe"
                                                             "a\0 \0b\0",
                                                             8),
                                                 "the text is UTF-16"),
                                       std::pair(std::string("gr\xfc"), "(0xfc) is not valid UTF-8")}) {
        const test::Said said = generate(text);
        EXPECT_EQ(said.code, 2);
        EXPECT_THAT(said.err, testing::AllOf(HasSubstr("standard input"), HasSubstr(reason)));
    }
    const test::Said argument = test::trainyard({"generate", model.string(), "--prompt", "gr\xfc"});
    EXPECT_EQ(argument.code, 2);
    EXPECT_THAT(argument.err, testing::AllOf(says("byte {} (0x{:02x}) of the argument is not valid UTF-8: give it in "
                                                  "UTF-8, as a terminal with a UTF-8 locale does",
                                                  2, "fc")
                                                 .after("--prompt: "),
                                             testing::Not(HasSubstr("save the file"))));
}

TEST_F(Runs, InFp16ASavedScaleGoesOn) {
    std::vector<std::string> half{"--mixed_precision", "fp16", "--set", "training.loss_scale=1e7"};
    Run whole = launch(half);
    ASSERT_EQ(whole.said.code, 0) << whole.said.err;
    Curve scales = curve(whole.paths, "train/loss_scale");
    EXPECT_EQ(scales.at(1), 1e7f);
    EXPECT_LT(scales.at(14), scales.at(1)) << "halved after steps that overflowed";
    EXPECT_GT(curve(whole.paths, "train/skipped_steps").at(14), 0);
    half.insert(half.end(),
                {"--set", "checkpoint.resume_from=" + (whole.paths.checkpoints() / "checkpoint_5").string()});
    Run rest = launch(half);
    ASSERT_EQ(rest.said.code, 0) << rest.said.err;
    for (const char* tag : {"train/loss", "train/lr", "train/loss_scale"}) {
        Curve a = curve(whole.paths, tag), b = curve(rest.paths, tag);
        a.erase(a.begin(), a.lower_bound(6));
        EXPECT_EQ(a, b) << tag;
    }
}

TEST_F(Runs, ARecipeWithManyKeysTrains) {
    std::ofstream rows(folder_.path() / "rows.jsonl");
    for (int i = 0; i < 400; ++i)
        rows << "{\"id\": " << i << ", \"text\": \"row " << i % 37 << " of a text that repeats itself\"}\n";
    rows.close();
    std::ofstream(folder_.path() / "many.yaml")
        << "name: many\n"
           "model: {n_layer: 1, n_embd: 32, n_head: 2, n_positions: 32, resid_pdrop: 0.1}\n"
           "data: {format: jsonl, path: rows.jsonl, column: text, pack: no, sequence_length: 32, validation_fraction: "
           "0.1}\n"
           "schedule: {name: cosine_with_restarts, warmup_steps: 2, arguments: {num_cycles: 2}}\n"
           "training: {steps: 8, batch_size: 4, gradient_accumulation_steps: 2, mixed_precision: bf16, ema_decay: "
           "0.9,\n"
           "           evaluate_every: 4, evaluate_batches: 0}\n"
           "health: {on_spike: ignore, straggler_every: 2, divergence_every: 2}\n"
           "parallel: {comm_hook: power_sgd, comm_state_option: {matrix_approximation_rank: 2}, bucket_cap_mb: 0.01}\n"
           "checkpoint: {every: 2, keep_last: 1, keep_best: 1}\n"
           "logging: {trackers: [jsonl, csv]}\n";
    Run run = launch({"--num_processes", "2"}, (folder_.path() / "many.yaml").string());
    ASSERT_EQ(run.said.code, 0) << run.said.err << read_file(run.paths.journal());
    EXPECT_EQ(curve(run.paths, "train/loss").size(), 8u);
    EXPECT_EQ(curve(run.paths, "eval/loss_average").size(), 2u);
    EXPECT_FALSE(std::filesystem::is_empty(run.paths.root() / "trackers"));
    int checkpoints = 0;
    for (const auto& entry : std::filesystem::directory_iterator(run.paths.checkpoints()))
        checkpoints += entry.path().filename().string().starts_with("checkpoint_");
    EXPECT_GE(checkpoints, 1);
    EXPECT_LE(checkpoints, 2);
    EXPECT_THAT(read_file(run.paths.journal()), ::testing::Not(HasSubstr("\"warning\"")));
}

TEST_F(Runs, DispatchedUnevenAndSplitBatchesReachTheRanks) {
    // 14 steps of 8 samples are less than an epoch: every way of reading gives the same curve.
    const Run& one = run_of_one_rank();
    for (const std::vector<std::string>& keys :
         {std::vector<std::string>{"data.dispatch_batches=true", "training.batch_size=4"},
          {"data.split_batches=true"},
          {"data.even_batches=false", "data.num_workers=0", "training.batch_size=4"},
          {"parallel.debug=true", "parallel.find_unused_parameters=false", "parallel.check_reduction=true",
           "training.batch_size=4"}}) {
        std::vector<std::string> flags{"--num_processes", "2"};
        for (const std::string& key : keys)
            flags.insert(flags.end(), {"--set", key});
        const Run two = launch(flags);
        ASSERT_EQ(two.said.code, 0) << keys[0] << two.said.err;
        const Curve a = curve(one.paths, "train/loss"), b = curve(two.paths, "train/loss");
        ASSERT_EQ(a.size(), b.size()) << keys[0];
        for (const auto& [step, loss] : a)
            EXPECT_NEAR(b.at(step), loss, 1e-5) << keys[0] << " at step " << step;
        const std::string journal = read_file(two.paths.journal());
        EXPECT_EQ(journal.find("debug mode: the ranks compare") != std::string::npos, keys[0] == "parallel.debug=true");
    }
}

TEST_F(Runs, TheBestCheckpointByAnotherCurveIsKeptAndNamed) {
    // The first loss is the highest one: checkpoint 1 stays.
    const Run run =
        launch({"--set", "checkpoint.every=1", "--set", "checkpoint.keep_last=1", "--set", "checkpoint.keep_best=1",
                "--set", "checkpoint.best_metric=train/loss", "--set", "checkpoint.best_mode=max"});
    ASSERT_EQ(run.said.code, 0) << run.said.err;
    const Curve losses = curve(run.paths, "train/loss");
    const auto highest = std::max_element(losses.begin(), losses.end(),
                                          [](const auto& a, const auto& b) { return a.second < b.second; });
    std::vector<std::string> left;
    for (const auto& entry : std::filesystem::directory_iterator(run.paths.checkpoints()))
        left.push_back(entry.path().filename().string());
    EXPECT_THAT(left, ::testing::UnorderedElementsAre("checkpoint_" + std::to_string(highest->first), "checkpoint_14"));
    EXPECT_THAT(read_file(run.paths.journal()), says("checkpoint {} is the best so far: {} {:.6g}",
                                                     std::to_string(highest->first), StartsWith("train/loss"), _));
}

TEST_F(Runs, EachNthCheckpointIsKeptAndPruneFollowsTheRecipe) {
    const Run run =
        launch({"--set", "checkpoint.every=2", "--set", "checkpoint.keep_last=1", "--set", "checkpoint.keep_every=6"});
    ASSERT_EQ(run.said.code, 0) << run.said.err;
    const auto left = [&] {
        std::vector<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(run.paths.checkpoints()))
            if (entry.path().filename().string().starts_with("checkpoint_"))
                names.push_back(entry.path().filename().string());
        return names;
    };
    EXPECT_THAT(left(), ::testing::UnorderedElementsAre("checkpoint_6", "checkpoint_12", "checkpoint_14"));
    std::filesystem::copy(run.paths.checkpoints() / "checkpoint_14", run.paths.checkpoints() / "checkpoint_8",
                          std::filesystem::copy_options::recursive);
    const test::Said pruned = test::trainyard({"checkpoints", "prune", run.paths.root().string()});
    EXPECT_EQ(pruned.code, 0) << pruned.err;
    EXPECT_THAT(pruned.out, says("every {} steps", 6));
    EXPECT_THAT(left(), ::testing::UnorderedElementsAre("checkpoint_6", "checkpoint_12", "checkpoint_14"));
    const Run refused =
        launch({"--set", "checkpoint.every=4", "--set", "checkpoint.keep_last=1", "--set", "checkpoint.keep_every=6"});
    EXPECT_EQ(refused.said.code, 2);
    EXPECT_THAT(
        refused.said.err,
        test::says("{} is not a multiple of checkpoint.every, {}, so most of these steps have no checkpoint: use {}",
                   testing::EndsWith("checkpoint.keep_every: 6"), testing::StartsWith("4"), testing::_));
}

TEST_F(Runs, LocalSgdAndSwaRunFromARecipe) {
    Run run = launch({"--num_processes", "2", "--set", "training.local_sgd_steps=3"});
    ASSERT_EQ(run.said.code, 0) << run.said.err;
    EXPECT_EQ(run.state.progress.step, 14);
    run = launch(
        {"--set", "training.swa_start=4", "--set", "training.swa_lr=1e-3", "--set", "training.swa_anneal_steps=2"});
    ASSERT_EQ(run.said.code, 0) << run.said.err;
    EXPECT_NEAR(curve(run.paths, "train/lr").at(14), 1e-3, 1e-9);
    EXPECT_EQ(curve(run.paths, "eval/loss_average").size(), 2u);
}

}  // namespace
}  // namespace trainyard
