// SPDX-License-Identifier: GPL-3.0-or-later
// Recipes on a device, with the real programs: losses equal those of the CPU, with accumulation, evaluation, dropout,
// low precision and checkpoints, on one and two ranks; checkpoints of a device can be resumed on it and on the CPU.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "base/filesystem.h"
#include "fault/saves.h"
#include "support/says.h"

namespace trainyard {
namespace {

using test::Said;
using testing::HasSubstr;

class DeviceRuns : public ::testing::Test {
  protected:
    static std::vector<std::string> on_device() {
        return {"--device", "guarded", "--device_library", TRAINYARD_GUARDED_DEVICE};
    }

    /// Runs in the foreground; returns the losses of its steps.
    std::map<std::int64_t, double> train(const std::string& name, std::vector<std::string> flags,
                                         const std::vector<std::string>& settings) {
        const fs::path folder = run_.root() / name;
        flags = test::with(std::move(flags), settings);
        flags.insert(flags.begin(), {"launch", "--run_dir", folder.string()});
        flags.push_back(run_.recipe());
        const Said said = test::trainyard(flags);
        EXPECT_EQ(said.code, 0) << name << "\n" << said.out << said.err;
        said_ = said.out + said.err;
        run_.paths.emplace(folder);
        return test::losses_of(run_);
    }

    static void expect_same(const std::map<std::int64_t, double>& one, const std::map<std::int64_t, double>& other,
                            double tolerance, const std::string& what) {
        ASSERT_EQ(one.size(), other.size()) << what;
        for (const auto& [step, loss] : one)
            EXPECT_NEAR(loss, other.at(step), tolerance) << what << ", step " << step;
    }

    test::RealRun run_;
    std::string said_;  ///< what the last run printed
    const std::vector<std::string> short_run_{"training.steps=8",          "training.gradient_accumulation_steps=2",
                                              "training.evaluate_every=4", "training.evaluate_batches=2",
                                              "model.resid_pdrop=0.1",     "model.attn_pdrop=0.1",
                                              "model.embd_pdrop=0.1"};
};

TEST_F(DeviceRuns, HaveTheCurveOfTheProcessor) {
    for (const auto& [precision, ranks] : {std::pair("no", 1), {"no", 2}, {"bf16", 2}, {"fp16", 1}}) {
        const std::string what = std::string(precision) + "-" + std::to_string(ranks);
        std::vector<std::string> settings = short_run_;
        settings.push_back(std::string("training.mixed_precision='") + precision + "'");
        std::vector<std::string> here{"--cpu"}, there = on_device();
        for (std::vector<std::string>* flags : {&here, &there})
            flags->insert(flags->end(), {"--num_processes", std::to_string(ranks)});
        const auto expected = train("cpu-" + what, here, settings);
        ASSERT_EQ(expected.size(), 8u);
        // LibTorch's bf16 products round at other points than the CPU kernels.
        expect_same(train("device-" + what, there, settings), expected, std::string(precision) == "no" ? 1e-4 : 2e-2,
                    what);
        const run::RunState state = run::read_state(*run_.paths).value();
        EXPECT_EQ(state.ranks.back().device, "guarded:" + std::to_string(ranks - 1));
    }
}

TEST_F(DeviceRuns, UseTheCollectivesOfTheDevicesLibrary) {
    const fs::path calls = run_.root() / "calls";
    ::setenv("TRAINYARD_TEST_COLLECTIVES", calls.c_str(), 1);
    std::vector<std::string> settings = short_run_;
    settings.push_back("profile.active=1");
    const auto own =
        train("own", {"--device", "guarded", "--device_library", TRAINYARD_GUARDED_COLLECTIVES, "--num_processes", "2"},
              settings);
    const std::string lines = fs::exists(calls) ? read_file(calls) : "";
    for (const char* line : {"0 allreduce\n", "1 allreduce\n", "0 allgather\n"})
        EXPECT_THAT(lines, HasSubstr(line));
    std::string traces;
    for (const fs::directory_entry& file : fs::recursive_directory_iterator(run_.paths->traces()))
        if (file.is_regular_file())
            traces += read_file(file.path());
    EXPECT_THAT(traces, HasSubstr("\"backend\": \"guarded\""));
    EXPECT_THAT(said_, testing::Not(HasSubstr("brings no collectives")));
    fs::remove(calls);
    std::vector<std::string> through_host = on_device(), here{"--cpu"};
    for (std::vector<std::string>* flags : {&through_host, &here})
        flags->insert(flags->end(), {"--num_processes", "2"});
    expect_same(own, train("host", through_host, short_run_), 1e-5, "collectives of the host");
    EXPECT_FALSE(fs::exists(calls)) << "a library without collectives has none";
    EXPECT_THAT(said_, HasSubstr("brings no collectives (guarded), so the ranks exchange data through the memory"));
    expect_same(own, train("cpu", here, short_run_), 1e-4, "the processor");
    ::unsetenv("TRAINYARD_TEST_COLLECTIVES");
}

TEST_F(DeviceRuns, GoOnFromWhatTheyHaveSavedThereAndOnTheProcessor) {
    const auto whole = train("whole", on_device(), short_run_);
    std::vector<std::string> half = short_run_;
    half.insert(half.end(), {"checkpoint.every=4", "checkpoint.keep_last=2"});
    const auto saved = train("half", on_device(), half);
    expect_same(saved, whole, 0, "saving changes nothing");
    std::vector<std::string> rest = short_run_;
    rest.push_back("checkpoint.resume_from=" + test::checkpoint_of(run_, 4).string());
    std::map<std::int64_t, double> tail(whole.upper_bound(4), whole.end());
    expect_same(train("again", on_device(), rest), tail, 0, "resumed there");
    expect_same(train("elsewhere", {"--cpu"}, rest), tail, 1e-4, "resumed on the processor");
}

/// Step by step the losses of a run whose passes are replayed are those of one whose passes are not.
TEST_F(DeviceRuns, ReplayCapturedStepsToTheBit) {
    std::vector<std::string> settings{"training.steps=20",          "training.gradient_accumulation_steps=2",
                                      "training.evaluate_every=7",  "training.evaluate_batches=2",
                                      "training.max_grad_norm=0.5", "schedule.name=cosine",
                                      "schedule.warmup_steps=5",    "optimizer.lr=0.01",
                                      "model.resid_pdrop=0.1",      "model.attn_pdrop=0.1",
                                      "model.embd_pdrop=0.1",       "checkpoint.every=10"};
    struct Case {
        const char* name;
        int ranks;
        std::vector<std::string> settings;
    };
    for (const Case& one :
         {Case{"fp32", 1, {}}, Case{"bf16", 1, {"training.mixed_precision=bf16"}},
          Case{"fp16", 2, {"training.mixed_precision=fp16", "training.loss_scale=1e9", "training.loss_scale_window=4"}},
          Case{"recomputed", 1, {"training.activation_checkpointing=true"}},
          Case{"zero", 2, {"parallel.zero_stage=1"}}}) {
        std::vector<std::string> flags = on_device(), all = settings;
        flags.insert(flags.end(), {"--num_processes", std::to_string(one.ranks)});
        all.insert(all.end(), one.settings.begin(), one.settings.end());
        const auto eager = train(std::string(one.name) + "-eager", flags, all);
        ASSERT_EQ(eager.size(), 20u) << one.name;
        all.push_back("training.cuda_graph=true");
        expect_same(train(std::string(one.name) + "-graph", flags, all), eager, 0, one.name);
        EXPECT_NE(eager.at(20), eager.at(19)) << one.name;
    }
}

/// Rotary positions and ALiBi, groups of heads, norms of heads, windows, caps and clamps. Frequencies and slopes are on
/// the device before the capture; those that depend on the length, too.
TEST_F(DeviceRuns, ReplayCapturedStepsOfDecoders) {
    const std::string few = "vocab_size: 256, hidden_size: 32",
                      layers = few + ", num_hidden_layers: 2, num_attention_heads: 4",
                      sizes = layers + ", intermediate_size: 64, max_position_embeddings: 16";
    const std::string groups = sizes + ", num_key_value_heads: 2";
    const std::string scaled = ", rope_parameters: {rope_type: dynamic, factor: 2.0, rope_theta: 10000.0}";
    for (const auto& [name, model] :
         std::map<std::string, std::string>{{"llama", groups + ", attention_dropout: 0.1" + scaled},
                                            {"qwen3", groups + ", head_dim: 8"},
                                            {"gemma2", groups + ", head_dim: 8, sliding_window: 8"},
                                            {"gpt_neox", sizes},
                                            {"bloom", few + ", n_layer: 2, n_head: 4, hidden_dropout: 0.1"},
                                            {"falcon", layers + ", hidden_dropout: 0.1"},
                                            {"falcon-alibi", layers + ", alibi: yes, multi_query: no"},
                                            {"mpt",
                                             "vocab_size: 256, d_model: 32, n_layers: 2, n_heads: 4, "
                                             "attn_config: {attn_pdrop: 0.1, clip_qkv: 0.5}"}}) {
        std::ofstream(run_.recipe()) << "name: decoder\nmodel: {model_type: " << name.substr(0, name.find('-')) << ", "
                                     << model
                                     << "}\ndata: {path: text.txt, sequence_length: 16}\n"
                                        "training: {steps: 8, batch_size: 2, gradient_accumulation_steps: 2, "
                                        "evaluate_every: 3, evaluate_batches: 1}\noptimizer: {lr: 0.01}\n";
        const auto eager = train(name + "-eager", on_device(), {});
        ASSERT_EQ(eager.size(), 8u) << name;
        expect_same(train(name + "-graph", on_device(), {"training.cuda_graph=true"}), eager, 0, name);
        EXPECT_NE(eager.at(8), eager.at(7)) << name;
    }
}

TEST_F(DeviceRuns, AreRefusedBeforeAnythingStarts) {
    const auto refused = [&](std::vector<std::string> flags) {
        flags.insert(flags.begin(), "launch");
        flags.push_back(run_.recipe());
        const Said said = test::trainyard(flags);
        EXPECT_EQ(said.code, 2) << said.err;
        EXPECT_TRUE(run_.has_no_runs());
        return said.err;
    };
    EXPECT_THAT(refused({"--device", "npu"}),
                test::says("'{}' needs the library that brings this device to LibTorch: name it with "
                           "--device_library or in {}, or take cpu or cuda",
                           "npu", testing::_));
    EXPECT_THAT(refused({"--cpu", "--set", "training.cuda_graph=true"}),
                test::says("a processor has no CUDA graphs, and the ranks train on {}: set it to no", testing::_));
    EXPECT_THAT(refused({"--device", "npu", "--device_library", "/no/such/file.so"}),
                HasSubstr("/no/such/file.so cannot be read: No such file"));
    EXPECT_THAT(refused({"--device", "mps", "--device_library", TRAINYARD_GUARDED_DEVICE, "--num_processes", "2"}),
                test::says("{} ranks cannot train on '{}', for which LibTorch has no collectives: give 1, or --cpu",
                           "2", "mps"));
    EXPECT_THAT(refused({"--cpu", "--device", "guarded", "--device_library", TRAINYARD_GUARDED_DEVICE}),
                test::says("contradicts --device {}: leave one of them out", testing::StartsWith("guarded")));
}

}  // namespace
}  // namespace trainyard
