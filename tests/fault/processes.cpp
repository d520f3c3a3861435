// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of kill -9 of a rank and of the supervisor, and of the processes and sockets of a run.

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "fault/real_run.h"
#include "run/request.h"

namespace trainyard {
namespace {

using run::Status;
using test::RealRun;
using testing::MatchesRegex;

TEST(Processes, AKilledRankIsNamedAndTheOtherEndsWithinTwoSeconds) {
    for (int victim : {0, 1}) {
        RealRun run;
        test::Said said = run.start({"--num_processes", "2"});
        ASSERT_EQ(said.code, 0) << said.err;
        run::RunState running = run.wait_for([](const run::RunState& s) {
            return run::is_over(s.status) || (s.progress.step >= 20 && s.ranks[0].step > 0 && s.ranks[1].step > 0);
        });
        ASSERT_EQ(running.status, Status::running) << running.message;
        ::kill(running.ranks.at(static_cast<std::size_t>(victim)).process.pid, SIGKILL);
        EXPECT_LT(test::seconds_until_gone(running, 20), 2.0);
        run::RunState state = run.wait_until_over();
        EXPECT_EQ(state.status, Status::failed);
        ASSERT_TRUE(state.first_failure);
        EXPECT_EQ(state.first_failure->rank, victim);
        EXPECT_EQ(state.first_failure->signal, SIGKILL);
        EXPECT_GE(state.first_failure->step, 20);
        EXPECT_THAT(state.first_failure->message,
                    MatchesRegex("rank " + std::to_string(victim) +
                                 " on .* was killed by signal 9 \\(SIGKILL\\) at step [0-9]+ \\([a-z]+\\)"));
        test::Said followed = test::trainyard({"runs", "follow", "fault"});
        EXPECT_EQ(followed.code, 1);
        EXPECT_THAT(followed.err, testing::StartsWith(state.first_failure->message.text() + "\n"));
    }
}

/// The message has the coordinates of the rank in every dimension of the mesh.
TEST(Processes, AKilledRankIsNamedByItsPlaceInTheMesh) {
    struct Case {
        const char* model;
        std::vector<std::string> settings;
        int ranks, victim;
        const char* place;
    };
    const char *gpt2 = "{n_layer: 2, n_embd: 32, n_head: 2, n_positions: 16}",
               *mixtral =
                   "{model_type: mixtral, hidden_size: 32, intermediate_size: 24, num_hidden_layers: 1, "
                   "num_attention_heads: 2, num_key_value_heads: 2, num_local_experts: 4}";
    for (const Case& one :
         {Case{gpt2,
               {"parallel.pp_size=2", "training.gradient_accumulation_steps=2", "parallel.tp_size=2"},
               4,
               2,
               "pp 1, tp 0"},
          {gpt2, {"parallel.cp_size=2"}, 4, 3, "dp_replicate 1, cp 1"},
          {gpt2, {"parallel.zero_stage=3", "parallel.sp_size=2"}, 4, 2, "dp_shard 1, sp 0"},
          {mixtral, {"parallel.ep_size=2", "parallel.tp_size=2"}, 4, 3, "dp_replicate 1, tp 1, ep 1"}}) {
        RealRun run;
        std::ofstream(run.root() / "recipe.yaml") << "name: fault\nmodel: " << one.model
                                                  << "\ndata: {path: text.txt, sequence_length: 16}\n"
                                                     "training: {steps: 1000000, batch_size: 2}\n";
        std::vector<std::string> words{"--num_processes", std::to_string(one.ranks)};
        for (const std::string& setting : one.settings)
            words.insert(words.end(), {"--set", setting});
        const test::Said said = run.start(words);
        ASSERT_EQ(said.code, 0) << one.place << ": " << said.err;
        const run::RunState running = run.wait_for([&](const run::RunState& s) {
            return run::is_over(s.status) ||
                   std::ranges::all_of(s.ranks, [](const run::RankState& rank) { return rank.step > 0; });
        });
        ASSERT_EQ(running.status, Status::running) << one.place << ": " << running.message;
        ::kill(running.ranks.at(static_cast<std::size_t>(one.victim)).process.pid, SIGKILL);
        const run::RunState state = run.wait_until_over();
        ASSERT_TRUE(state.first_failure) << one.place;
        EXPECT_EQ(state.first_failure->rank, one.victim) << one.place;
        EXPECT_THAT(state.first_failure->message.text(),
                    testing::StartsWith("rank " + std::to_string(one.victim) + " (" + one.place + ") on "));
    }
}

TEST(Processes, AStoppedRankThatHangsIsEndedWhenItsPeerDies) {
    RealRun run;
    ASSERT_EQ(run.start({"--num_processes", "2"}).code, 0);
    run::RunState running = run.wait_for_step(5);
    ::kill(running.ranks.at(0).process.pid, SIGSTOP);
    ::kill(running.ranks.at(1).process.pid, SIGKILL);
    EXPECT_LT(test::seconds_until_gone(running, 20), 2.0);
    run::RunState state = run.wait_until_over();
    EXPECT_EQ(state.first_failure->rank, 1);
    EXPECT_EQ(state.ranks[0].state, "killed");
}

TEST(Processes, AKilledSupervisorLeavesNoOrphan) {
    RealRun run;
    ASSERT_EQ(run.start({"--num_processes", "2"}).code, 0);
    run::RunState running = run.wait_for_step(5);
    ASSERT_EQ(running.status, Status::running);
    ::kill(running.supervisor.pid, SIGKILL);
    EXPECT_LT(test::seconds_until_gone(running, 20), 2.0);
    for (int i = 0; i < 1000 && is_alive(running.supervisor); ++i)  // it exits after its ranks have noticed
        ::usleep(10'000);
    run::RunState left = run::read_state(*run.paths).value();
    EXPECT_TRUE(run::is_lost(left, left.heartbeat + 11));
}

TEST(Processes, AStoppedRunSavedACheckpoint) {
    RealRun run;
    ASSERT_EQ(run.start({"--num_processes", "2"}).code, 0);
    run.wait_for_step(5);
    test::Said said = test::trainyard({"runs", "stop", "fault"});
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_EQ(run::read_state(*run.paths)->status, Status::stopped);
    EXPECT_TRUE(run::has_checkpoint(*run.paths));
    EXPECT_EQ(test::trainyard({"runs", "follow", "fault"}).code, 75);
}

TEST(Processes, NothingListensBeyondTheLoopbackAddress) {
    RealRun run;
    ASSERT_EQ(run.start({"--num_processes", "2"}).code, 0);
    run::RunState running = run.wait_for_step(5);
    ASSERT_EQ(running.status, Status::running);
    std::string sockets;
    for (pid_t pid : {running.supervisor.pid, running.ranks[0].process.pid, running.ranks[1].process.pid})
        for (const auto& entry : fs::directory_iterator("/proc/" + std::to_string(pid) + "/fd")) {
            std::error_code error;
            sockets += fs::read_symlink(entry.path(), error).string() + "\n";
        }
    int listening = 0;
    for (const char* table : {"/proc/net/tcp", "/proc/net/tcp6"}) {
        std::ifstream lines(table);
        for (std::string line; std::getline(lines, line);) {
            std::istringstream fields(line);
            std::string number, local, remote, state, skip, inode;
            fields >> number >> local >> remote >> state;
            for (int i = 0; i < 5; ++i)
                fields >> skip;
            fields >> inode;
            if (state != "0A" || sockets.find("socket:[" + inode + "]") == std::string::npos)
                continue;
            ++listening;
            EXPECT_TRUE(local.starts_with("0100007F:") || local.starts_with("0000000000000000FFFF00000100007F:") ||
                        local.starts_with("00000000000000000000000001000000:"))
                << table << ": " << local;
        }
    }
    EXPECT_GE(listening, 1) << "the ranks meet somewhere";
}

}  // namespace
}  // namespace trainyard
