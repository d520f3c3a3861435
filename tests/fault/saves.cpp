// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of checkpoints that cannot be resumed, and of disks that cannot be written: training loses as little as
// possible, and reports it.

#include "fault/saves.h"

#include <cstring>
#include <fstream>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "support/says.h"

namespace trainyard {
namespace {

using run::Status;
using namespace test;
using test::says;
using test::says_only;
using testing::_;
using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// A run that ends with NaN in the gradients of its last ten steps.
class NotFinite : public testing::Test {
  protected:
    static constexpr const char* kPoison = "gradient.0.transformer.h.0.attn.c_attn.weight:nan@11+";

    void run_into_nan(const std::vector<std::string>& more = {}) {
        Failpoint poison(kPoison);
        std::vector<std::string> settings{"training.steps=60", "checkpoint.every=2", "checkpoint.keep_last=2"};
        settings.insert(settings.end(), more.begin(), more.end());
        ASSERT_EQ(run_.start(with({}, settings)).code, 0);
        state_ = run_.wait_until_over();
    }
    RealRun run_;
    run::RunState state_;
};

TEST_F(NotFinite, StepsPushNoGoodCheckpointOutAndTheEndNamesTheReason) {
    run_into_nan();
    EXPECT_EQ(state_.status, Status::failed);
    EXPECT_THAT(state_.message.text(),
                AllOf(HasSubstr("failed at step 20"),
                      says("{}: look for values that are not finite in the data, or lower optimizer.lr and resume from "
                           "a good checkpoint",
                           says("{} (first in {})", says_only("{} steps in a row were not finite", 10),
                                "transformer.h.0.attn.c_attn.weight"))));
    EXPECT_THAT(saved_steps(run_), ElementsAre(8, 10, 20)) << "two good ones, and the newest of the others";
    EXPECT_THAT(read_file(checkpoint_of(run_, 20) / "manifest.json"),
                says("the {} steps before it were not finite", 10).after("\"not_good\": \"").before("\""));
    EXPECT_THAT(read_file(checkpoint_of(run_, 10) / "manifest.json"), Not(HasSubstr("not_good")));
    EXPECT_THAT(joined(texts_of(run_, "checkpoint")),
                says("checkpoint {}, {} in {}, training paused for {}, is marked as not good: {}; no run resumes from "
                     "it automatically, and no earlier one is removed for it",
                     _, _, _, _, says("the {} steps before it were not finite", 2).at_start()));
}

TEST_F(NotFinite, ARunThatGoesOnFromAnotherTakesItsNewestGoodCheckpoint) {
    run_into_nan();
    const fs::path before = run_.paths->root();
    ASSERT_EQ(run_.start(with({}, {"training.steps=24", "checkpoint.resume_from=" + before.string()})).code, 0);
    ASSERT_NE(run_.paths->root(), before);
    state_ = run_.wait_until_over();
    EXPECT_EQ(state_.status, Status::finished) << state_.message;
    EXPECT_THAT(joined(texts_of(run_, "phase")),
                says("resumed from {} at step {}", EndsWith("checkpoint_10"), StartsWith("10")));
    EXPECT_THAT(texts_of(run_, "warning", "checkpoint_"),
                ElementsAre(says_only("{} is passed over: {}", "checkpoint_20",
                                      says_only("the {} steps before it were not finite", 10)),
                            says_only("training continues from {}: the {} steps from there to {} are lost",
                                      "checkpoint_10", 10, "checkpoint_20")));
}

TEST_F(NotFinite, StepsThatAreIgnoredMarkTheirCheckpointsToo) {
    run_into_nan({"health.on_non_finite=ignore", "training.steps=13"});
    EXPECT_EQ(state_.status, Status::finished) << state_.message;
    EXPECT_THAT(saved_steps(run_), ElementsAre(8, 10, 13));
    EXPECT_EQ(run::newest_good_checkpoint(*run_.paths), 10);
}

TEST_F(NotFinite, ARollBackGoesOnFromTheLastGoodCheckpointWithoutTheBatchesSince) {
    const Failpoint once("gradient.0.transformer.h.0.attn.c_attn.weight:nan@11");
    ASSERT_EQ(run_.start(with({}, {"training.steps=20", "checkpoint.every=4", "checkpoint.keep_last=0",
                                   "health.on_non_finite=rollback"}))
                  .code,
              0);
    state_ = run_.wait_until_over();
    EXPECT_EQ(state_.status, Status::finished) << state_.message;
    EXPECT_THAT(texts_of(run_, "warning", "again"),
                ElementsAre(says_only(
                    "weights and optimizer are those of {} again; the batches from there to step {} are left out",
                    "checkpoint_8", 11)));
    EXPECT_THAT(saved_steps(run_), ElementsAre(4, 8, 12, 16, 20));
    EXPECT_EQ(run::newest_good_checkpoint(*run_.paths), 20);
}

/// Sets an element of a float32 tensor of a safetensors file to NaN.
void put_nan(const fs::path& file, const std::string& tensor) {
    const std::string text = read_file(file);
    std::uint64_t length = 0;
    std::memcpy(&length, text.data(), sizeof length);
    const auto header = nlohmann::json::parse(text.substr(sizeof length, length));
    const auto begin = header.at(tensor).at("data_offsets").at(0).get<std::uint64_t>();
    const float value = std::numeric_limits<float>::quiet_NaN();
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekp(static_cast<std::streamoff>(sizeof length + length + begin));
    stream.write(reinterpret_cast<const char*>(&value), sizeof value);
}

TEST_F(NotFinite, ARunOverWeightsThatAreNotFiniteFailsAndNamesThem) {
    ASSERT_EQ(run_.start(with({}, {"training.steps=1"})).code, 0);
    run_.wait_until_over();
    const fs::path model = run_.root() / "model";
    fs::create_directory(model);
    for (const char* name : {"model.safetensors", "config.json"})
        fs::copy_file(checkpoint_of(run_, 1) / name, model / name);
    put_nan(model / "model.safetensors", "transformer.h.0.mlp.c_fc.weight");
    for (const char* steps : {"10", "50"}) {  // the last step, and one before it
        ASSERT_EQ(
            run_.start(with({}, {"model.weights=" + model.string(), std::string("training.steps=") + steps})).code, 0);
        state_ = run_.wait_until_over();
        EXPECT_EQ(state_.status, Status::failed) << steps;
        EXPECT_THAT(state_.message.text(),
                    says("{}: look for values that are not finite in the weights (trainyard checkpoints verify {}) and "
                         "in the data, or lower optimizer.lr",
                         says("{} (first in {})", says_only("{} steps in a row were not finite", 10),
                              says_only("the weights {}", "transformer.h.0.mlp.c_fc.weight")),
                         model.string()));
        EXPECT_THAT(joined(texts_of(run_, "nan")), HasSubstr("step 1: the loss and the gradients are not finite (first "
                                                             "in the weights transformer.h.0.mlp.c_fc.weight)"));
        EXPECT_EQ(test::trainyard({"runs", "follow", run_.paths->id()}).code, 1) << steps;
    }
}

/// Two finished checkpoints, 10 and 20, of which the newer is to be damaged.
class Damaged : public testing::Test {
  protected:
    Damaged() {
        EXPECT_EQ(run_.start(with({}, {"training.steps=20", "checkpoint.every=10"})).code, 0);
        EXPECT_EQ(run_.wait_until_over().status, Status::finished);
        first_ = run_.paths->root();
        newest_ = checkpoint_of(run_, 20);
    }
    /// Runs a second run that resumes from the folder of the first, and returns its final state.
    run::RunState go_on() {
        EXPECT_EQ(run_.start(with({}, {"training.steps=22", "checkpoint.resume_from=" + first_.string()})).code, 0);
        EXPECT_NE(run_.paths->root(), first_);
        return run_.wait_until_over();
    }
    void expect_fallback(const std::string& reason) {
        run::RunState state = go_on();
        EXPECT_EQ(state.status, Status::finished) << state.message;
        EXPECT_THAT(joined(texts_of(run_, "phase")),
                    says("resumed from {} at step {}", EndsWith("checkpoint_10"), StartsWith("10")));
        EXPECT_THAT(texts_of(run_, "warning", "checkpoint_"),
                    ElementsAre(AllOf(says("{} is passed over: {}", EndsWith("checkpoint_20"), _), HasSubstr(reason)),
                                says_only("training continues from {}: the {} steps from there to {} are lost",
                                          "checkpoint_10", 10, "checkpoint_20")));
        std::string log = read_file(run_.paths->rank_log(0));
        EXPECT_THAT(log, AllOf(says("{} is passed over: {}", EndsWith("checkpoint_20"), _),
                               says("training continues from {}: the {} steps from there to {} are lost", _,
                                    EndsWith("10"), _)));
        EXPECT_THAT(
            test::trainyard({"runs", "follow", run_.paths->id()}).out,
            AllOf(says("{} is passed over: {}", EndsWith("checkpoint_20"), _),
                  says("training continues from {}: the {} steps from there to {} are lost", _, EndsWith("10"), _)));
    }
    RealRun run_;
    fs::path first_, newest_;
};

TEST_F(Damaged, WithoutAManifestTheOneBeforeIsTakenAndTold) {
    fs::remove(newest_ / "manifest.json");
    expect_fallback("manifest.json is missing, so its files cannot be verified");
}

TEST_F(Damaged, AnEmptyFolderToo) {
    fs::remove_all(newest_);
    fs::create_directories(newest_);
    expect_fallback("was not written to its end");
}

TEST_F(Damaged, AFlippedByteIsPlacedInItsTensor) {
    const fs::path file = newest_ / "model.safetensors";
    std::string bytes = read_file(file);
    bytes[bytes.size() - 2] ^= 1;
    std::ofstream(file, std::ios::binary) << bytes;
    expect_fallback(file.string() + " is damaged (its checksum differs) in tensor transformer.");
}

TEST(NotFiniteOnOneRank, AllRanksSkipTheStepAndTheParameterIsNamed) {
    RealRun run;
    {
        Failpoint poison("gradient.1.transformer.h.0.attn.c_attn.weight:nan@5");
        ASSERT_EQ(run.start(with({"--num_processes", "3"}, {"training.steps=8", "checkpoint.every=1",
                                                            "checkpoint.keep_last=0", "health.divergence_every=1"}))
                      .code,
                  0);
    }
    run::RunState state = run.wait_until_over();
    ASSERT_EQ(state.status, Status::finished) << state.message;
    EXPECT_THAT(texts_of(run, "nan"),
                ElementsAre(says_only("step {}: {}", 5,
                                      says_only("{} (first in {})", says_only("the gradients are not finite"),
                                                "transformer.h.0.attn.c_attn.weight"))));
    for (const char* file : {"model.safetensors", "optimizer.bin"}) {
        const std::string before = read_file(checkpoint_of(run, 4) / file),
                          at = read_file(checkpoint_of(run, 5) / file);
        EXPECT_TRUE(at == before) << file << " is untouched by the step";
        EXPECT_FALSE(read_file(checkpoint_of(run, 6) / file) == at) << file << " changes with the next one";
    }
    // The weights were compared after every step: a rank that had updated them alone would be named.
    EXPECT_THAT(texts_of(run, "warning", "parameters"), testing::IsEmpty());
    for (const run::RankState& rank : state.ranks)
        EXPECT_EQ(rank.exit_code, 0) << rank.rank;
}

TEST(Restarted, AnEarlierCheckpointStaysWhenTheDamagedOneIsNewer) {
    RealRun run;
    std::vector<std::string> flags =
        with({"--max_restarts", "1"}, {"training.steps=100000", "checkpoint.every=10", "checkpoint.keep_last=1"});
    ASSERT_EQ(run.start(flags).code, 0);
    run.wait_for_step(25);
    run::RunState running = run::read_state(*run.paths).value();
    ASSERT_EQ(running.status, Status::running) << running.message;
    // A checkpoint of steps that are not done again at once, and which nobody can read.
    const fs::path future = checkpoint_of(run, 90000);
    fs::create_directories(future);
    std::ofstream(future / "manifest.json")
        << R"({"files": {"model.safetensors": {"bytes": 1, "xxh128": "0"}}, "number": 90000, "position": {"step": 90000}})";
    ::kill(running.ranks.at(0).process.pid, SIGKILL);
    run::RunState later = run.wait_for([&](const run::RunState& s) {
        return run::is_over(s.status) || (s.generation == 2 && s.status == Status::running && s.ranks.at(0).step > 60);
    });
    EXPECT_EQ(later.status, Status::running) << later.message;
    EXPECT_THAT(joined(texts_of(run, "warning")), says("{} is passed over: {}", EndsWith("checkpoint_90000"), _));
    EXPECT_GE(saved_steps(run).size(), 2u) << "a folder with a higher step must not displace new checkpoints";
    EXPECT_GE(saved_steps(run).front(), 30);
}

}  // namespace
}  // namespace trainyard
