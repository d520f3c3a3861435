// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of profiles of real runs of two ranks, started by the recipe and by a request, with one slow rank. The sums
// must equal the times that the engine measured.

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "fault/real_run.h"
#include "formats/events/event_file.h"
#include "observe/traces/rank_set.h"
#include "observe/traces/roles.h"
#include "observe/traces/summary.h"
#include "observe/traces/trace_reader.h"
#include "run/request.h"
#include "support/says.h"

namespace trainyard {
namespace {

using test::RealRun;
using test::says;
using testing::_;
using ::testing::Contains;
using ::testing::HasSubstr;
using testing::StartsWith;

class Failpoint {
  public:
    explicit Failpoint(const char* text) { ::setenv("TRAINYARD_FAILPOINT", text, 1); }
    ~Failpoint() { ::unsetenv("TRAINYARD_FAILPOINT"); }
    Failpoint(const Failpoint&) = delete;
    Failpoint& operator=(const Failpoint&) = delete;
};

traces::RankSet joined(const std::filesystem::path& folder) {
    std::vector<std::shared_ptr<const traces::Trace>> all;
    for (const std::filesystem::path& file : traces::rank_files(folder))
        all.push_back(traces::read_trace(file));
    return traces::join_ranks(std::move(all));
}

/// Returns the seconds of every phase by step, which rank 0 logs with its loss.
std::map<std::int64_t, std::map<std::string, double>> phases_of(const run::RunPaths& paths) {
    std::map<std::int64_t, std::map<std::string, double>> found;
    for (const auto& entry : std::filesystem::directory_iterator(paths.metrics())) {
        if (!entry.path().filename().string().starts_with("events.out.tfevents"))
            continue;
        events::EventFileReader reader(entry.path());
        for (const events::Scalar& scalar : reader.poll())
            if (scalar.tag.starts_with("phase/"))
                found[scalar.step][scalar.tag.substr(6)] = scalar.value;
    }
    return found;
}

std::set<std::string> names_of(const traces::Trace& trace, traces::Role role) {
    const std::vector<traces::Role> roles = traces::roles_of(trace);
    std::set<std::string> names;
    for (const traces::Slice& slice : trace.slices)
        if (roles[slice.category] == role)
            names.emplace(trace.name(slice));
    return names;
}

TEST(Profiles, OfARunWithASlowRankNameItAndAgreeWithThePhaseClock) {
    const Failpoint slow("phase.1.forward:sleep@8+");
    RealRun run;
    const test::Said said = run.start({"--num_processes", "2"});
    ASSERT_EQ(said.code, 0) << said.err;
    run.wait_for_step(8);
    const test::Said asked = test::trainyard(
        {"runs", "profile", run.paths->id(), "--steps", "3", "--warmup", "1", "--record_shapes", "--profile_memory"});
    ASSERT_EQ(asked.code, 0) << asked.err;
    EXPECT_THAT(asked.out, says("profile of steps {} to {}: {} events of each rank, {}", _, _, _, _));
    EXPECT_THAT(asked.out, says("{}; a recorded step took {}, others {} ({:+.0f} %)", _, _, _, _));

    const traces::RankSet set = joined(run.paths->root());
    ASSERT_EQ(set.ranks.size(), 2U);
    EXPECT_THAT(set.alignment, says("clocks agree within 5 ms, by the ends of collectives"))
        << "one machine has one clock";
    const std::vector<std::int64_t> steps = set.step_numbers();
    ASSERT_EQ(steps.size(), 3U);
    const std::vector<traces::Wait> waits = set.waits(traces::kWhole);
    ASSERT_FALSE(waits.empty());
    EXPECT_EQ(waits[0].rank, 1) << "which sleeps 1.5 s in every step";
    EXPECT_GT(waits[0].waited, 3'000'000'000);
    for (std::size_t i = 1; i < waits.size(); ++i)
        EXPECT_LT(waits[i].waited, 500'000'000);

    // The trace of each rank has the operations of LibTorch and of the engine.
    for (const traces::RankTrace& rank : set.ranks) {
        SCOPED_TRACE(rank.rank);
        EXPECT_EQ(rank.trace->reading.unplaced(), 0U) << rank.trace->reading.unplaced_words();
        EXPECT_THAT(names_of(*rank.trace, traces::Role::operation), Contains(HasSubstr("aten::")));
        const std::set<std::string> units = names_of(*rank.trace, traces::Role::unit);
        EXPECT_THAT(units, Contains(HasSubstr(" forward")));
        EXPECT_THAT(units, Contains(HasSubstr(" backward")));
        EXPECT_FALSE(rank.trace->memory.empty());
        ASSERT_FALSE(rank.collectives.empty());
        for (const traces::CollectiveCall& call : rank.collectives)
            EXPECT_THAT(call.group, HasSubstr("[0, 1]")) << call.operation;
        EXPECT_TRUE(std::any_of(rank.collectives.begin(), rank.collectives.end(),
                                [](const traces::CollectiveCall& call) { return call.bytes > 0; }));
    }

    // The curves have the readings of rank 0's phase clock.
    const auto clock = phases_of(*run.paths);
    const traces::TraceSummary summary = traces::summarise(traces::join_ranks({set.ranks[0].trace}));
    ASSERT_EQ(summary.steps.size(), 3U);
    for (const traces::StepShare& one : summary.steps) {
        SCOPED_TRACE(one.step);
        ASSERT_TRUE(clock.contains(one.step));
        double all = 0, ours = 0;
        for (const auto& [name, seconds] : clock.at(one.step)) {
            if (name == "save" || name == "evaluate")
                continue;
            all += seconds;
            const auto found = one.phases.find(name);
            const double traced = found == one.phases.end() ? 0 : static_cast<double>(found->second) * 1e-9;
            ours += traced;
            EXPECT_NEAR(traced, seconds, 0.02 * seconds + 20e-6) << name;
        }
        EXPECT_NEAR(ours, all, 0.02 * all);
        EXPECT_NEAR(static_cast<double>(one.share.total) * 1e-9, all, 0.02 * all);
    }
}

TEST(Profiles, OfARecipeRecordTheStepsOfTheirSchedule) {
    RealRun run;
    const test::Said said = test::trainyard(
        {"launch", "--cpu", "-q", "--num_processes", "2", "--set", "training.steps=13", "--set", "profile.active=2",
         "--set", "profile.wait=1", "--set", "profile.skip_first=3", "--set", "profile.repeat=2", run.recipe()});
    ASSERT_EQ(said.code, 0) << said.err;
    const run::RunPaths paths = run::list_runs(run.runs()).front().paths;
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(paths.traces()))
        names.insert(entry.path().filename());
    EXPECT_THAT(names, ::testing::ElementsAre("step-000006-rank-0.trace.json", "step-000006-rank-1.trace.json",
                                              "step-000010-rank-0.trace.json", "step-000010-rank-1.trace.json"));
    for (const char* first : {"step-000006", "step-000010"}) {
        const auto trace = traces::read_trace(paths.traces() / (std::string(first) + "-rank-1.trace.json"));
        EXPECT_EQ(trace->rank(), 1);
        ASSERT_EQ(trace->steps.size(), 2U);
        EXPECT_EQ(trace->steps[0].number, std::stoll(std::string(first).substr(5)));
    }
    EXPECT_THAT(read_file(paths.journal()),
                says("profile of steps {} to {}: {} events of each rank, {}", 10, StartsWith("11"), _, _));
}

TEST(Profiles, OutsideTheRunsFolderAreFoundFromIt) {
    RealRun run;
    const std::filesystem::path outside = run.root() / "elsewhere";
    const test::Said said =
        test::trainyard({"launch", "--cpu", "-q", "--num_processes", "2", "--set", "training.steps=4", "--set",
                         "profile.active=2", "--set", "profile.output_trace_dir=" + outside.string(), run.recipe()});
    ASSERT_EQ(said.code, 0) << said.err;
    const run::RunPaths paths = run::list_runs(run.runs()).front().paths;
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(outside))
        names.insert(entry.path().filename());
    EXPECT_THAT(names, ::testing::ElementsAre(paths.id() + "-step-000002-rank-0.trace.json",
                                              paths.id() + "-step-000002-rank-1.trace.json"));
    const traces::RankSet set = joined(paths.root());
    ASSERT_EQ(set.ranks.size(), 2U);
    EXPECT_EQ(set.ranks[1].rank, 1);
    EXPECT_EQ(set.step_numbers(), (std::vector<std::int64_t>{2, 3}));
    const test::Said summary = test::trainyard({"trace", "summary", paths.id(), "--step", "3"});
    EXPECT_EQ(summary.code, 0) << summary.err;
    std::filesystem::remove_all(outside);
    EXPECT_TRUE(traces::profiles_in(paths.root()).empty()) << "deleted profiles must not be listed";
}

TEST(Profiles, WhatCannotBeRecordedIsSaidBeforeTraining) {
    RealRun run;
    const test::Said said = test::trainyard({"launch", "--cpu", "-q", "--set", "training.steps=3", "--set",
                                             "profile.active=1", "--set", "profile.activities=cuda", run.recipe()});
    EXPECT_NE(said.code, 0);
    EXPECT_THAT(said.err, says("activities: cuda has nothing to record, this run does not compute on a CUDA device"));
}

}  // namespace
}  // namespace trainyard
