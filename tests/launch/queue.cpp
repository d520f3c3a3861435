// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of queued runs with real supervisors and scripted ranks.

#include "run/queue.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "launch/fake_run.h"
#include "support/says.h"

namespace trainyard::launch {
namespace {

using run::Status;
using test::says;
using test::says_only;
using testing::_;
using testing::HasSubstr;

class Queue : public testing::Test {
  protected:
    ~Queue() override {
        for (const run::RunPaths& paths : all_)
            if (auto now = run::read_state(paths);
                now && is_alive(now->supervisor) && now->supervisor.pid != ::getpid())
                ::kill(now->supervisor.pid, SIGKILL);
    }
    /// Creates a run of one rank, with the folder, recipe and worker of FakeRun.
    run::RunPaths make(bool queued, int steps = 20) {
        ::setenv("FAKE_DO", "", 1);
        ::setenv("FAKE_STEPS", std::to_string(steps).c_str(), 1);
        ::setenv("FAKE_STEP_MS", "10", 1);
        LaunchOptions asked;
        asked.file = place_.recipe();
        asked.num_processes = 1;
        asked.device.cpu = true;
        asked.queued = queued;
        return start(check_launch(asked));
    }
    run::RunPaths start(CheckedLaunch checked) {
        PreparedRun prepared = create_run(std::move(checked));
        const run::RunPaths paths = prepared.paths;
        all_.push_back(paths);
        SupervisorOptions options;
        options.queue_look_s = 0.05;
        start_detached(std::move(prepared), options);
        return paths;
    }
    static run::RunState wait_for(const run::RunPaths& run, const std::function<bool(const run::RunState&)>& holds) {
        const double deadline = monotonic_seconds() + 30;
        run::RunState state = run::read_state(run).value();
        for (; !holds(state) && monotonic_seconds() < deadline; state = run::read_state(run).value())
            ::usleep(10'000);
        return state;
    }
    static run::RunState wait_until_over(const run::RunPaths& run) {
        return wait_for(run, [](const run::RunState& state) { return run::is_over(state.status); });
    }
    static std::string ask(const run::RunPaths& run, const std::string& kind,
                           std::map<std::string, std::string> values = {}) {
        run::Request request;
        request.kind = kind;
        request.values = std::move(values);
        const std::string id = run::drop_request(run, request);
        for (double deadline = monotonic_seconds() + 30; monotonic_seconds() < deadline; ::usleep(10'000))
            if (auto answer = run::finished_request(run, id))
                return answer->outcome + ": " + answer->text.text();
        return "no answer";
    }

    test::FakeRun place_;
    std::vector<run::RunPaths> all_;
};

TEST_F(Queue, RunsStartOneAfterTheOtherInTheirOrder) {
    const run::RunPaths live = make(false, 100'000);
    const run::RunPaths a = make(true), b = make(true), c = make(true);
    run::RunState waiting = wait_for(c, [](const run::RunState& state) { return state.queue_place == 3; });
    EXPECT_EQ(waiting.status, Status::queued);
    EXPECT_THAT(waiting.message, says_only("waits for {} on {}, {} before it", "fake", host_name(), 2));
    EXPECT_EQ(waiting.started, 0);
    EXPECT_TRUE(waiting.ranks.empty());
    EXPECT_TRUE(is_alive(waiting.supervisor));
    EXPECT_THAT(ask(c, "move", {{"place", "1"}}), says_only("is number {} in the queue now", 1).after("done: "));
    EXPECT_EQ(wait_for(a, [](const run::RunState& state) { return state.queue_place == 2; }).queue_place, 2);
    ask(live, "kill");
    double before = 0;
    for (const run::RunPaths& run : {live, c, a, b}) {
        const run::RunState state = wait_until_over(run);
        ASSERT_TRUE(state.ended) << state.message;
        EXPECT_EQ(state.status, run.id() == live.id() ? Status::stopped : Status::finished) << state.message;
        EXPECT_EQ(state.queue_place, 0);
        EXPECT_GE(state.started, before) << "the one before had not ended";
        EXPECT_FALSE(fs::exists(run.queue()));
        before = *state.ended;
    }
}

TEST_F(Queue, OnAFreeMachineARunStartsAtOnceAndSaysWhenItWasQueued) {
    const run::RunPaths run = make(true);
    const run::RunState state = wait_until_over(run);
    EXPECT_EQ(state.status, Status::finished) << state.message;
    EXPECT_GT(state.started, 0);
    std::vector<std::string> phases;
    for (const run::Event& event : run::JournalReader(run.journal()).poll())
        if (event.kind == "phase")
            phases.push_back(event.text);
    ASSERT_GE(phases.size(), 4u);
    EXPECT_THAT(phases[0], says_only("queued on {}", host_name()));
    EXPECT_THAT(phases[1], says_only("its turn has come"));
    EXPECT_THAT(phases[2], says("started {} on {} ({}), {} threads each", "1 rank", _, _, _).at_start());
}

TEST_F(Queue, AKilledWaiterDoesNotHoldUpTheOthersAndItsRunIsQueuedAgain) {
    const run::RunPaths live = make(false, 100'000);
    const run::RunPaths a = make(true), b = make(true);
    wait_for(a, [](const run::RunState& state) { return state.queue_place == 1; });
    const ProcessId waiter = run::read_state(a)->supervisor;
    ::kill(waiter.pid, SIGKILL);
    while (is_alive(waiter))
        ::usleep(1000);
    EXPECT_EQ(wait_for(b, [](const run::RunState& state) { return state.queue_place == 1; }).queue_place, 1);
    EXPECT_EQ(run::shown_status(*run::read_state(a), wall_seconds() + 60), "abandoned");
    EXPECT_THROW(check_spec(run::read_spec(b.spec()), b.root(), true, true), UserError) << "this run is still queued";

    EXPECT_EQ(start(check_spec(run::read_spec(a.spec()), a.root(), true, true)).root(), a.root());
    EXPECT_THAT(wait_for(a, [](const run::RunState& state) { return state.queue_place == 2; }).message,
                says_only("waits for {} on {}, {} before it", "fake", host_name(), 1));
    ask(live, "kill");
    EXPECT_EQ(wait_until_over(b).status, Status::finished);
    const run::RunState state = wait_until_over(a);
    EXPECT_EQ(state.status, Status::finished) << state.message;
    EXPECT_EQ(state.generation, 1);
}

TEST_F(Queue, AStopTakesARunOutAndAStartPutsItBeforeAll) {
    const run::RunPaths live = make(false, 100'000);
    const run::RunPaths a = make(true), b = make(true);
    EXPECT_THAT(ask(a, "checkpoint"),
                says("a run in the queue takes stop, kill, note, move and start, not {}", _).after("refused: "));
    EXPECT_THAT(ask(a, "move", {{"place", "0"}}), HasSubstr("refused: move takes place"));
    EXPECT_THAT(ask(a, "stop"), says_only("taken out of the queue before it started").after("done: "));
    const run::RunState out = wait_until_over(a);
    EXPECT_EQ(out.status, Status::stopped);
    EXPECT_THAT(out.message, says_only("taken out of the queue before it started"));
    EXPECT_EQ(out.started, 0);
    EXPECT_FALSE(out.first_failure);
    EXPECT_THAT(ask(b, "start"), says_only("starts now, before its turn").after("done: "));
    EXPECT_EQ(wait_until_over(b).status, Status::finished);
    EXPECT_EQ(run::read_state(live)->status, Status::running);
    EXPECT_THAT(ask(live, "move", {{"place", "1"}}),
                says("the run is not in the queue: it has started").after("refused: "));
}

TEST_F(Queue, ARunThatIsKilledMakesRoom) {
    const run::RunPaths live = make(false, 100'000);
    const run::RunPaths a = make(true);
    const run::RunState running =
        wait_for(live, [](const run::RunState& state) { return state.status == Status::running; });
    wait_for(a, [](const run::RunState& state) { return state.queue_place == 1; });
    ::kill(running.supervisor.pid, SIGKILL);
    EXPECT_EQ(wait_until_over(a).status, Status::finished);
}

}  // namespace
}  // namespace trainyard::launch
