// SPDX-License-Identifier: GPL-3.0-or-later
// The ranks of a generation on machines without processes.

#include "launch/supervisor/rank_group.h"

#include <csignal>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "launch/fake_machine.h"

namespace trainyard::launch {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Notes nothing.
class Deaf : public RankListener {
  public:
    void started(int, const ProcessId&) override {}
    void said(int, const std::string&) override {}
    void wrote(int, std::string_view, bool) override {}
    void ended(int, int, const Message&) override {}
    void lost(const std::string&, const Message&) override {}
};

class Ranks : public testing::Test {
  protected:
    Ranks() : run_{run::RunPaths("/nowhere"), {}, {}, {}, {}, {}} {
        spec_.program.emplace().command = {"sh"};
        spec_.program->rendezvous = false;
        spec_.launch.machines = {{"a", 1, ""}, {"b", 2, ""}};
    }
    void assign() { group_.assign({{&a_, 1, ""}, {&b_, 2, ""}}, {.number = 3, .restarts = 1}); }

    PreparedRun run_;
    run::RunSpec spec_;
    test::FakeMachine a_{"a"}, b_{"b"};
    Deaf listener_;
    RankGroup group_{run_, spec_};
};

TEST_F(Ranks, AreNumberedThroughAllMachines) {
    EXPECT_TRUE(group_.have_ended()) << "there are none yet";
    EXPECT_FALSE(group_.listens());
    assign();
    const std::vector<run::RankState> states = group_.states();
    ASSERT_EQ(states.size(), 3u);
    EXPECT_EQ(states[2].rank, 2);
    EXPECT_EQ(states[2].host, "b");
    EXPECT_EQ(states[2].device, "cpu");
    EXPECT_EQ(group_[2].local_rank, 1);
    EXPECT_EQ(group_.places(), "a (1) and b (2)");
    group_.start(listener_);
    ASSERT_EQ(b_.orders.size(), 1u);
    EXPECT_EQ(b_.orders[0].generation, 3);
    EXPECT_TRUE(group_.listens());
    group_.send("hello");
    EXPECT_THAT(a_.lines, ElementsAre("hello"));
    b_.conditions[2] = "is stopped";
    EXPECT_EQ(group_.condition(2), "is stopped");
}

TEST_F(Ranks, AMachineReportsItsOwnRanksAlone) {
    assign();
    std::vector<bool> known;
    std::vector<int> lost;
    a_.reports.push_back([&](RankListener&) {
        known = {group_.find(0) != nullptr, group_.find(1) != nullptr, group_.find(-1) != nullptr,
                 group_.set_ended(2),       group_.set_ended(0),       group_.set_ended(0)};
    });
    group_.take(listener_);
    EXPECT_THAT(known, ElementsAre(true, false, false, false, true, false));
    EXPECT_FALSE(group_.listens());
    EXPECT_FALSE(group_.have_ended());
    b_.reports.push_back([&](RankListener&) {
        group_.set_ended(1);
        lost = group_.lose_machine();
    });
    group_.take(listener_);
    EXPECT_THAT(lost, ElementsAre(2));
    EXPECT_TRUE(group_.have_ended());
}

TEST_F(Ranks, ThoseThatAreEndedAreKnownAsKilled) {
    assign();
    a_.reports.push_back([&](RankListener&) { group_.set_ended(0); });
    group_.take(listener_);
    group_.signal(SIGUSR1);
    EXPECT_FALSE(group_[1].killed);
    group_.end(SIGTERM);
    EXPECT_FALSE(group_[0].killed) << "it had ended before";
    EXPECT_TRUE(group_[1].killed);
    EXPECT_THAT(b_.signals, ElementsAre(SIGUSR1, SIGTERM));
}

TEST_F(Ranks, WhereAMachineCannotStartTheOthersAreKilled) {
    assign();
    b_.on_start = [] { throw UserError("no room"); };
    EXPECT_THROW(group_.start(listener_), UserError);
    EXPECT_THAT(a_.signals, ElementsAre(SIGKILL));
    EXPECT_FALSE(group_[0].ended) << "its end is still to come";
    EXPECT_TRUE(group_[1].ended);
    EXPECT_TRUE(group_[2].ended);
}

TEST_F(Ranks, MachinesThatAreMissingStayInTheList) {
    group_.assign({{&a_, 1, ""}}, {.number = 1});
    std::vector<run::MachineState> before(2);
    before[0] = {.host = "b", .ranks = 2, .state = "lost"};
    before[1] = {.host = "c", .ranks = 2};
    std::vector<run::MachineState> now = group_.machine_states(before, "running");
    ASSERT_EQ(now.size(), 2u) << "two are named in the specification";
    EXPECT_EQ(now[0].host, "a");
    EXPECT_EQ(now[0].state, "running");
    EXPECT_EQ(now[1].host, "b");
    EXPECT_EQ(now[1].state, "lost");
    now[0].state = "lost";
    EXPECT_EQ(group_.machine_states(now, "ended")[0].state, "lost") << "it did not end with the others";
}

}  // namespace
}  // namespace trainyard::launch
