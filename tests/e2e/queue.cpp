// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of queued runs with the real programs: they are queued, moved, removed and killed with the command line, and
// trained one after the other.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "fault/real_run.h"
#include "support/says.h"

namespace trainyard {
namespace {

using test::RealRun;
using test::Said;
using test::says;
using test::says_only;
using test::trainyard;
using testing::_;
using ::testing::AllOf;
using ::testing::HasSubstr;
using Json = nlohmann::json;

run::RunPaths launch(const RealRun& place, std::vector<std::string> flags) {
    flags.insert(flags.begin(), {"launch", "--cpu", "--detach", "--json"});
    flags.push_back(place.recipe());
    Said said = trainyard(flags);
    EXPECT_EQ(said.code, 0) << said.err;
    return run::RunPaths(Json::parse(said.out)["path"].get<std::string>());
}

run::RunState wait_for(const run::RunPaths& run, const std::function<bool(const run::RunState&)>& holds) {
    const double deadline = monotonic_seconds() + 60;
    run::RunState state = run::read_state(run).value();
    for (; !holds(state) && monotonic_seconds() < deadline; state = run::read_state(run).value())
        ::usleep(10'000);
    return state;
}

run::RunState at_place(const run::RunPaths& run, int place) {
    run::RunState state = wait_for(run, [&](const run::RunState& now) { return now.queue_place == place; });
    EXPECT_EQ(state.queue_place, place) << state.message;
    return state;
}

TEST(Queue, ThreeRunsTrainInTheOrderTheyWereGiven) {
    RealRun place;
    const run::RunPaths live = launch(place, {});
    std::vector<run::RunPaths> queued;
    for (int i = 0; i < 3; ++i)
        queued.push_back(launch(place, {"--queue", "--set", "training.steps=4"}));
    EXPECT_EQ(at_place(queued[2], 3).status, run::Status::queued);
    EXPECT_THAT(trainyard({"runs", "list"}).out, AllOf(HasSubstr("queued"), HasSubstr("waits for fault on ")));
    Said moved = trainyard({"runs", "move", queued[2].id(), "1"});
    EXPECT_THAT(moved.out, says_only("is number {} in the queue now", 1).after("done: ").before("\n")) << moved.err;
    EXPECT_EQ(trainyard({"runs", "move", live.id(), "1"}).code, 1) << "it does not wait";
    at_place(queued[0], 2);
    at_place(queued[1], 3);

    // A killed waiter does not block the runs after it, and its run can be queued again in the same folder.
    const ProcessId waiter = run::read_state(queued[0])->supervisor;
    ::kill(waiter.pid, SIGKILL);
    at_place(queued[1], 2);
    Said again = trainyard(
        {"launch", "--cpu", "--detach", "--queue", "--run_dir", queued[0].root().string(), queued[0].spec().string()});
    EXPECT_EQ(again.code, 0) << again.err;
    at_place(queued[0], 3);

    EXPECT_EQ(trainyard({"runs", "stop", live.id(), "--now"}).code, 0);
    double before = run::read_state(live)->ended.value_or(0);
    for (const run::RunPaths& run : {queued[2], queued[1], queued[0]}) {
        const run::RunState state = wait_for(run, [](const run::RunState& now) { return run::is_over(now.status); });
        EXPECT_EQ(state.status, run::Status::finished) << state.message;
        EXPECT_EQ(state.progress.step, 4);
        EXPECT_GE(state.started, before);
        before = state.ended.value_or(0);
    }
}

TEST(Queue, AQueuedRunIsTakenOutAndAnotherStartsBeforeItsTurn) {
    RealRun place;
    const run::RunPaths live = launch(place, {});
    const run::RunPaths a = launch(place, {"--queue"}), b = launch(place, {"--queue", "--set", "training.steps=4"});
    at_place(b, 2);
    Said out = trainyard({"runs", "stop", a.id()});
    EXPECT_THAT(out.out, says_only("taken out of the queue before it started").after("stopped: ").before("\n"))
        << out.err;
    EXPECT_EQ(trainyard({"runs", "start", b.id()}).code, 0);
    EXPECT_EQ(wait_for(b, [](const run::RunState& now) { return run::is_over(now.status); }).status,
              run::Status::finished);
    EXPECT_EQ(wait_for(live, [](const run::RunState& now) { return now.status != run::Status::starting; }).status,
              run::Status::running);
}

TEST(Queue, AProgramWaitsInTheTerminalAndContradictionsAreNamed) {
    RealRun place;
    Said said = trainyard({"launch", "--cpu", "--queue", "--no_python", "/bin/echo", "its turn"});
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_EQ(said.out, "its turn\n");
    EXPECT_THAT(said.err, says("its turn has come"));
    for (const char* other : {"--slurm", "--check", "--no_run_dir"})
        EXPECT_THAT(trainyard({"launch", "--cpu", "--queue", other, "--no_python", "/bin/true"}).err,
                    says("--queue contradicts --{}: leave one of them out", _));
}

}  // namespace
}  // namespace trainyard
