// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of requests to an active run through the files of its folder: pause, resume, another learning rate, an
// evaluation, a checkpoint.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/clock.h"
#include "base/file.h"
#include "fault/real_run.h"
#include "observe/traces/summary.h"
#include "observe/traces/trace_reader.h"
#include "run/idle_time.h"
#include "run/request.h"
#include "support/says.h"

namespace trainyard {
namespace {

using test::RealRun;
using test::says;
using testing::_;
using ::testing::HasSubstr;

run::Request ask(const RealRun& run, const std::string& kind, std::map<std::string, std::string> values = {}) {
    run::Request request;
    request.kind = kind;
    request.values = std::move(values);
    request.from = "terminal";
    std::string id = run::drop_request(*run.paths, request);
    double deadline = monotonic_seconds() + 60;
    while (monotonic_seconds() < deadline) {
        if (auto finished = run::finished_request(*run.paths, id))
            return *finished;
        ::usleep(10'000);
    }
    ADD_FAILURE() << kind << " was not answered";
    return request;
}

TEST(Requests, ARunPausesTakesAnotherRateEvaluatesAndGoesOn) {
    RealRun run;
    test::Said said = run.start({"--num_processes", "2"});
    ASSERT_EQ(said.code, 0) << said.err;
    run.wait_for_step(5);
    EXPECT_EQ(ask(run, "resume").outcome, "refused");

    run::Request pause = ask(run, "pause");
    ASSERT_EQ(pause.outcome, "done") << pause.text;
    std::int64_t step = std::stoll(pause.text.text().substr(pause.text.text().rfind(' ') + 1));
    run::Request rate = ask(run, "set", {{"lr", "0.00025"}});
    EXPECT_EQ(rate.outcome, "done");
    EXPECT_THAT(rate.text, HasSubstr("0.00025"));
    EXPECT_EQ(ask(run, "set", {{"lr", "fast"}}).outcome, "refused");
    EXPECT_EQ(ask(run, "evaluate").outcome, "done");
    EXPECT_EQ(ask(run, "checkpoint").outcome, "done");
    EXPECT_EQ(ask(run, "profile", {{"steps", "0"}}).outcome, "refused");
    EXPECT_EQ(run.wait_for([&](const run::RunState& s) { return s.progress.step >= step; }).progress.step, step)
        << "it stands still";
    EXPECT_EQ(ask(run, "resume").outcome, "done");
    EXPECT_GE(run.wait_for_step(step + 5).progress.step, step + 5);
    EXPECT_EQ(ask(run, "checkpoint").outcome, "done");
    run::Request profile = ask(run, "profile", {{"steps", "2"}});
    EXPECT_EQ(profile.outcome, "done") << profile.text;
    EXPECT_THAT(profile.text, says("profile of steps {} to {}: {} events of each rank, {}", _, _, _, _));
    // It has both steps, and their phases leave nothing out.
    const auto files = traces::rank_files(run.paths->root());
    const traces::TraceSummary summary = traces::summarise(traces::join_ranks({traces::read_trace(files.at(0))}));
    EXPECT_EQ(summary.steps_counted, 2);
    for (const traces::StepShare& one : summary.steps) {
        EXPECT_GT(one.share.total, 0);
        std::int64_t phases = 0;
        for (const auto& [name, ns] : one.phases)
            phases += ns;
        EXPECT_NEAR(static_cast<double>(phases), static_cast<double>(one.share.total),
                    0.02 * static_cast<double>(one.share.total));
    }
    EXPECT_FALSE(summary.operations.empty());
    EXPECT_EQ(ask(run, "stop").outcome, "done");
    const run::RunState ended = run.wait_until_over();
    // The time in state.json is that between the two events of the journal.
    double paused = 0;
    for (const run::Event& event : run::JournalReader(run.paths->journal()).poll())
        paused += run::ends_pause(event) ? event.time : run::begins_pause(event) ? -event.time : 0;
    EXPECT_GT(paused, 0);
    EXPECT_NEAR(ended.idle_s.value_or(-1), paused, 0.001);
    EXPECT_EQ(ended.idle_since, 0);
    EXPECT_NEAR(run::active_seconds(ended, 0).value(), *ended.ended - ended.started - paused, 0.001);
    std::string journal = read_file(run.paths->journal());
    for (const char* text : {"paused after step", "the highest learning rate is 0.00025", "validation loss",
                             "training goes on after step"})
        EXPECT_THAT(journal, HasSubstr(text));
}

TEST(Requests, ARunStopsAfterItsStepWithoutACheckpoint) {
    RealRun run;
    ASSERT_EQ(run.start({"--num_processes", "2"}).code, 0);
    run.wait_for_step(5);
    EXPECT_EQ(ask(run, "stop", {{"checkpoint", "false"}}).outcome, "done");
    run::RunState state = run.wait_until_over();
    EXPECT_EQ(state.status, run::Status::stopped);
    EXPECT_THAT(state.message, HasSubstr(", no checkpoint"));
    EXPECT_FALSE(run::has_checkpoint(*run.paths));
}

}  // namespace
}  // namespace trainyard
