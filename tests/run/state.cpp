// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/state.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "support/temporary_folder.h"

namespace trainyard::run {
namespace {

using testing::HasSubstr;

RunState full_state() {
    RunState state;
    state.run_id = "20261121-074512-gpt2-4f2a";
    state.name = "gpt2";
    state.status = Status::failed;
    state.supervisor_host = "here";
    state.supervisor = {4711, 99887766};
    state.generation = 3;
    state.created = 1795250000.125;
    state.started = 1795250001.25;
    state.ended = 1795250099.5;
    state.restarts = 2;
    state.message = "over";
    state.machines = {{"here", 2, "running", 0}, {"gpu-b", 3, "lost", 1795250050.25}};
    RankState rank;
    rank.rank = 1;
    rank.host = "here";
    rank.device = "cuda:1";
    rank.process = {4712, 5};
    rank.state = "failed";
    rank.step = 123;
    rank.phase = "backward";
    rank.last_collective = "all_reduce #1204 grads.h.3";
    rank.signal = 9;
    rank.resident_bytes = 1ull << 40;
    state.ranks = {RankState{}, rank};
    state.ranks[0].exit_code = 75;
    Failure failure;
    failure.rank = 1;
    failure.host = "here";
    failure.signal = 9;
    failure.step = 123;
    failure.phase = "backward";
    failure.last_collective = "all_reduce #1204";
    failure.message = "rank 1 on here was killed by signal 9 (SIGKILL) at step 123 (backward)";
    failure.log = {"one", "two"};
    failure.time = 1795250098.5;
    state.first_failure = failure;
    state.progress = {.step = 123,
                      .of = 600,
                      .epoch = 0.5,
                      .tokens = 9216,
                      .samples = 144,
                      .eta_s = 3.5,
                      .loss = 4.25,
                      .validation_loss = 4.5,
                      .tokens_per_s = 23000.0};
    return state;
}

TEST(State, EveryFieldSurvivesTheFile) {
    RunState state = full_state();
    RunState read = parse_state(to_json(state));
    EXPECT_EQ(to_json(read), to_json(state));
    EXPECT_EQ(read.status, Status::failed);
    EXPECT_EQ(read.supervisor, state.supervisor);
    EXPECT_EQ(read.generation, 3);
    EXPECT_DOUBLE_EQ(read.created, state.created);
    EXPECT_DOUBLE_EQ(*read.ended, *state.ended);
    ASSERT_EQ(read.ranks.size(), 2u);
    EXPECT_EQ(read.ranks[0].exit_code, 75);
    ASSERT_EQ(read.machines.size(), 2u);
    EXPECT_EQ(read.machines[1].state, "lost");
    EXPECT_DOUBLE_EQ(read.machines[1].last_contact, 1795250050.25);
    EXPECT_EQ(read.machines[0].last_contact, 0);
    EXPECT_FALSE(read.ranks[0].signal);
    EXPECT_EQ(read.ranks[1].signal, 9);
    EXPECT_EQ(read.ranks[1].resident_bytes, 1ull << 40);
    ASSERT_TRUE(read.first_failure);
    EXPECT_EQ(read.first_failure->message, state.first_failure->message);
    EXPECT_EQ(read.first_failure->log, state.first_failure->log);
    EXPECT_DOUBLE_EQ(*read.progress.loss, 4.25);
}

TEST(State, NamesAndMessagesOfAHostHaveALimit) {
    RunState state;
    const std::string endless = std::string(2999, 'x') + "\u00fc" + std::string(100'000, 'x');
    state.name = endless;
    state.message = Message::verbatim(endless);
    state.ranks.resize(2);
    state.ranks[1].host = state.ranks[1].phase = endless;
    state.first_failure.emplace().message = Message::verbatim(endless);
    const RunState read = parse_state(to_json(state));
    EXPECT_EQ(read.name, std::string(1000, 'x'));
    EXPECT_EQ(read.message.text().size(), 4000u);
    EXPECT_EQ(read.ranks[1].host.size(), 1000u);
    EXPECT_EQ(read.ranks[1].phase.size(), 1000u);
    EXPECT_EQ(read.first_failure->message.text().size(), 4000u);
    // Characters stay whole.
    state.name = std::string(999, 'x') + "\u00fc";
    EXPECT_EQ(parse_state(to_json(state)).name, std::string(999, 'x'));
}

TEST(State, WhatIsAbsentStaysAbsent) {
    RunState read = parse_state(to_json(RunState{}));
    EXPECT_FALSE(read.ended);
    EXPECT_FALSE(read.first_failure);
    EXPECT_FALSE(read.progress.eta_s);
    EXPECT_FALSE(read.progress.loss);
}

TEST(State, ALossThatIsNoNumberIsKept) {
    RunState state;
    state.progress.loss = std::nan("");
    state.progress.validation_loss = HUGE_VAL;
    RunState read = parse_state(to_json(state));
    EXPECT_TRUE(std::isnan(*read.progress.loss));
    EXPECT_TRUE(std::isinf(*read.progress.validation_loss));
}

TEST(State, LogLinesThatAreNoUtf8DoNotStopTheWriter) {
    RunState state = full_state();
    state.first_failure->log = {"caf\xe9 \xff\xfe"};
    EXPECT_THAT(parse_state(to_json(state)).first_failure->log[0], HasSubstr("caf"));
}

TEST(State, DamagedTextNamesTheFileAndTheKey) {
    std::string whole = to_json(full_state());
    for (std::size_t length : {std::size_t{0}, std::size_t{1}, whole.size() / 2, whole.size() - 3})
        EXPECT_THROW(parse_state(whole.substr(0, length), "x/state.json"), UserError) << length;
    try {
        parse_state(R"({"status":"running","restarts":"many"})", "x/state.json");
        FAIL() << "a wrong type was accepted";
    } catch (const UserError& error) {
        EXPECT_THAT(error.what(), HasSubstr("x/state.json"));
        EXPECT_THAT(error.what(), HasSubstr("restarts"));
    }
    EXPECT_THROW(parse_state(R"({"status":"dancing"})"), UserError);
    EXPECT_THROW(parse_state(R"({"status":"running","progress":7})"), UserError);
    EXPECT_NO_THROW(parse_state(R"({"status":"running","from_the_future":[1,2]})"));
    // A number out of range is refused, because a truncated number could denote an unrelated process or rank.
    for (const char* number : {"1e308", "-1e308", "1.5", "4294967296", "-4294967296", "18446744073709551615"})
        EXPECT_THROW(parse_state(std::string(R"({"status":"running","restarts":)") + number + "}"), UserError)
            << number;
    EXPECT_EQ(parse_state(R"({"status":"running","restarts":3.0})").restarts, 3);
    EXPECT_THROW(parse_state(R"({"status":"running","ranks":[{"resident_bytes":-1}]})"), UserError);
    EXPECT_THROW(parse_state(R"({"status":"running","x":)" + std::string(100, '[') + std::string(100, ']') + "}"),
                 UserError);
}

TEST(State, WritingSetsTheHeartbeatAndLeavesNothingAside) {
    test::TemporaryFolder folder;
    RunPaths run(folder.path());
    EXPECT_FALSE(read_state(run));
    double before = wall_seconds();
    write_state(run, full_state());
    write_state(run, full_state(), false);
    auto read = read_state(run);
    ASSERT_TRUE(read);
    EXPECT_GE(read->heartbeat, before - 0.001);
    EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 1);
    EXPECT_EQ(fs::status(run.state()).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST(State, LostIsAnOldHeartbeatAndNoSuchProcess) {
    RunState state;
    state.status = Status::running;
    state.supervisor_host = host_name();
    state.supervisor = this_process();
    state.heartbeat = 1000;
    EXPECT_FALSE(is_lost(state, 1005));
    EXPECT_FALSE(is_lost(state, 1100)) << "a live process is not lost, even with an old heartbeat";
    state.supervisor.start_time += 1;  // the number was given to another process
    EXPECT_FALSE(is_lost(state, 1009));
    EXPECT_TRUE(is_lost(state, 1011));
    EXPECT_EQ(shown_status(state, 1011), "lost");
    state.status = Status::finished;
    EXPECT_FALSE(is_lost(state, 1011));
    EXPECT_EQ(shown_status(state, 1011), "finished");
}

TEST(State, StatusNamesAreThoseOfTheContract) {
    for (const char* name : {"preparing", "starting", "running", "stopping", "finished", "failed", "stopped"})
        EXPECT_EQ(to_string(parse_status(name)), name);
}

}  // namespace
}  // namespace trainyard::run
