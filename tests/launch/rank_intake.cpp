// SPDX-License-Identifier: GPL-3.0-or-later
// What ranks and machines report, on machines without processes: where it goes, and what changes the course of the run.

#include "launch/supervisor/rank_intake.h"

#include <csignal>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "launch/fake_machine.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::launch {
namespace {

using test::says_only;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Heartbeat heartbeat(std::int64_t step) {
    Heartbeat heartbeat;
    heartbeat.step = step;
    heartbeat.phase = "forward";
    heartbeat.resident_bytes = 7;
    return heartbeat;
}

/// Records what it is asked for.
class Recorder : public RunControl {
  public:
    void suspect(int rank, run::Failure seen, const Message& reason, Weight weight) override {
        suspects.push_back({rank, seen.exit_code, seen.signal, reason, weight});
    }
    void stop_for_health(const Message& reason) override { stops.push_back(reason); }
    void stop_refused(const RequestOutcome& outcome) override { stops.push_back(outcome.text); }
    void preempted(const std::string& host, const Message& reason) override {
        stops.push_back(Message("{}: {}", host, reason));
    }

    struct Suspect {
        int rank;
        std::optional<int> exit_code, signal;
        std::string reason;
        Weight weight;
    };
    std::vector<Suspect> suspects;
    std::vector<std::string> stops;
};

class Intake : public testing::Test {
  protected:
    /// Ranks 0 on host a, and 1 and 2 on host b; of a program where `command` is given.
    void begin(const std::vector<std::string>& command = {}) {
        options_.foreground = true;
        of_ranks_.launch.machines = {{"a", 1, ""}, {"b", 2, ""}};
        if (!command.empty())
            spec_.program.emplace().command = command;
        of_ranks_.program.emplace().command = {"sh"};
        of_ranks_.program->rendezvous = false;
        ranks_.emplace(prepared_, of_ranks_);
        watch_.emplace(options_, spec_, [](int) { return Message(); });
        intake_.emplace(paths_, spec_, options_, *ranks_, report_, *watch_, inbox_, control_);
        ranks_->assign({{&a_, 1, ""}, {&b_, 2, ""}}, {.number = 1, .restarts = 0});
        report_.change().status = run::Status::starting;
        report_.change().ranks = ranks_->states();
        report_.open_logs(3);
        watch_->begin(report_.state().ranks, 0);
    }
    void from(test::FakeMachine& machine, std::function<void(RankListener&)> report) {
        machine.reports.push_back(std::move(report));
        ranks_->take(*intake_);
    }
    void say(test::FakeMachine& machine, int rank, const RankMessage& message) {
        from(machine, [&](RankListener& listener) { listener.said(rank, rank_message_line(message)); });
    }
    void end(test::FakeMachine& machine, int rank, int status, const Message& reason = {}) {
        from(machine, [&](RankListener& listener) { listener.ended(rank, status, reason); });
    }
    const run::RankState& rank(std::size_t number) const { return report_.state().ranks.at(number); }
    std::vector<std::string> events(const std::string& kind) const {
        std::vector<std::string> texts;
        for (const run::Event& event : run::JournalReader(paths_.journal()).poll())
            if (event.kind == kind)
                texts.push_back(event.text);
        return texts;
    }

    test::TemporaryFolder folder_;
    run::RunPaths paths_ = run::create_run_directory(folder_.path(), "intake");
    SupervisorOptions options_;
    run::RunSpec spec_, of_ranks_;  ///< the second one needs no port
    PreparedRun prepared_{paths_, {}, {}, {}, {}, {}};
    test::FakeMachine a_{"a"}, b_{"b"};
    std::optional<RankGroup> ranks_;
    RunReport report_{paths_, {}, options_};
    std::optional<RankWatch> watch_;
    RequestInbox inbox_{paths_, 1};
    Recorder control_;
    std::optional<RankIntake> intake_;
};

TEST_F(Intake, TheRunTrainsOnceEveryRankHasReported) {
    begin();
    say(a_, 0, heartbeat(3));
    EXPECT_EQ(rank(0).state, "running");
    EXPECT_EQ(rank(0).step, 3);
    EXPECT_EQ(rank(0).phase, "forward");
    EXPECT_EQ(rank(0).resident_bytes, 7u);
    say(b_, 1, Heartbeat{});
    EXPECT_EQ(report_.state().status, run::Status::starting);
    say(b_, 2, Heartbeat{});
    EXPECT_EQ(report_.state().status, run::Status::running);
    ProgressReport progress;
    progress.progress.step = 4;
    say(a_, 0, progress);
    EXPECT_EQ(rank(0).step, 4);
    EXPECT_EQ(report_.state().progress.step, 4);
    EXPECT_EQ(watch_->reported_step(), 4);
}

TEST_F(Intake, AMachineReportsItsOwnRanksAlone) {
    begin();
    say(b_, 0, heartbeat(3));
    end(b_, 0, 0);
    from(b_, [](RankListener& listener) { listener.started(0, {.pid = 5}); });
    from(b_, [](RankListener& listener) { listener.wrote(0, "text", false); });
    EXPECT_EQ(rank(0).state, "starting");
    EXPECT_EQ(rank(0).step, 0);
    EXPECT_EQ(rank(0).process.pid, 0);
    EXPECT_EQ(intake_->take_output_size(), 0u);
    EXPECT_THAT(control_.suspects, IsEmpty());
}

TEST_F(Intake, EventsAndWarningsAreRecorded) {
    begin();
    EventReport report;
    report.event.text = "saved";
    say(a_, 0, report);
    EXPECT_THAT(events("note"), ElementsAre("saved")) << "an event without a kind is a note";
    from(b_, [](RankListener& listener) { listener.warned("b", "its clock is wrong"); });
    EXPECT_THAT(events("warning"), ElementsAre("b: its clock is wrong"));
    from(a_, [](RankListener& listener) { listener.said(0, "{"); });
    EXPECT_EQ(rank(0).state, "running") << "a line that is not a message is a sign of life";
}

TEST_F(Intake, StopsAreHandedOn) {
    begin();
    say(a_, 0, StoppingReport{"the loss is not finite"});
    from(b_, [](RankListener& listener) { listener.preempted("b", "SIGTERM"); });
    run::Request stop, save;
    stop.kind = "stop";
    stop.id = "1";
    save.kind = "checkpoint";
    save.id = "2";
    inbox_.expect(stop);
    inbox_.expect(save);
    say(a_, 0, RequestOutcome{.id = "1", .outcome = "refused", .text = "not now"});
    say(a_, 0, RequestOutcome{.id = "2", .outcome = "refused", .text = "not now either"});
    say(a_, 0, RequestOutcome{.id = "3", .outcome = "done", .text = "of no request"});
    EXPECT_THAT(control_.stops, ElementsAre(says_only("the loss is not finite"), "b: SIGTERM", "not now"));
    EXPECT_EQ(run::finished_request(paths_, "1")->outcome, "refused");
    EXPECT_EQ(run::finished_request(paths_, "2")->outcome, "refused");
}

TEST_F(Intake, EndsSayWhetherARankFailed) {
    begin();
    end(a_, 0, kExitResumable << 8);
    EXPECT_EQ(rank(0).state, "finished");
    EXPECT_EQ(rank(0).exit_code, kExitResumable);
    EXPECT_THAT(control_.suspects, IsEmpty());
    say(b_, 1, FailureReport{.message = "no memory", .step = 5, .phase = "backward", .collective = {}});
    end(b_, 1, 1 << 8);
    end(b_, 2, SIGSEGV);
    EXPECT_EQ(rank(1).state, "failed");
    EXPECT_EQ(rank(1).step, 5);
    EXPECT_EQ(rank(2).signal, SIGSEGV);
    ASSERT_EQ(control_.suspects.size(), 3u);
    EXPECT_EQ(control_.suspects[0].reason, "no memory");
    EXPECT_EQ(control_.suspects[0].weight, Weight::cause);
    EXPECT_EQ(control_.suspects[1].exit_code, 1);
    EXPECT_EQ(control_.suspects[1].weight, Weight::unclear) << "an exit without a message";
    EXPECT_EQ(control_.suspects[2].signal, SIGSEGV);
    EXPECT_EQ(control_.suspects[2].weight, Weight::cause);
}

TEST_F(Intake, RanksThatWereEndedDidNotFail) {
    begin();
    ranks_->end(SIGKILL);
    say(b_, 1, FailureReport{.message = "a peer was lost", .phase = {}, .collective = {}, .secondary = true});
    end(b_, 1, SIGKILL, "the kernel's out-of-memory killer");
    EXPECT_EQ(rank(1).state, "killed");
    EXPECT_THAT(control_.suspects, IsEmpty());
    ASSERT_EQ(events("warning").size(), 1u);
    EXPECT_THAT(events("warning")[0], HasSubstr("out-of-memory killer"));
}

TEST_F(Intake, ALostMachineFailsWithItsFirstRank) {
    begin();
    report_.change().machines = ranks_->machine_states({}, "running");
    from(b_, [](RankListener& listener) { listener.lost("b", "no contact for 10 s"); });
    EXPECT_EQ(rank(0).state, "starting");
    EXPECT_EQ(rank(1).state, "lost");
    EXPECT_EQ(rank(2).state, "lost");
    EXPECT_EQ(report_.state().machines.at(1).state, "lost");
    ASSERT_EQ(control_.suspects.size(), 1u);
    EXPECT_EQ(control_.suspects[0].rank, 1);
    EXPECT_EQ(control_.suspects[0].reason, "b was lost: no contact for 10 s");
    from(b_, [](RankListener& listener) { listener.lost("b", "again"); });
    EXPECT_EQ(control_.suspects.size(), 1u);
    EXPECT_THAT(events("warning"), ElementsAre(says_only("{} was lost: {}", "b", "again")));
}

TEST_F(Intake, AProgramRunsOnceItsRanksHaveStarted) {
    begin({"sh"});
    std::string shown;
    options_.output = [&](int number, int local, std::string_view bytes, bool) {
        shown += std::to_string(number) + "/" + std::to_string(local) + " " + std::string(bytes);
    };
    from(a_, [](RankListener& listener) { listener.started(0, {.pid = 11}); });
    EXPECT_EQ(report_.state().status, run::Status::starting);
    from(b_, [](RankListener& listener) { listener.started(1, {.pid = 12}); });
    from(b_, [](RankListener& listener) { listener.started(2, {.pid = 13}); });
    EXPECT_EQ(report_.state().status, run::Status::running);
    static constexpr const char* kBar = "\r 12%|#         | 12/100 [00:01<00:09, 9.0it/s, loss=0.5]";
    from(b_, [](RankListener& listener) { listener.wrote(2, kBar, true); });
    EXPECT_EQ(shown, std::string("2/1 ") + kBar);
    EXPECT_EQ(intake_->take_output_size(), shown.size() - 4);
    EXPECT_EQ(rank(2).step, 12);
    EXPECT_EQ(report_.state().progress.step, 12);
}

}  // namespace
}  // namespace trainyard::launch
