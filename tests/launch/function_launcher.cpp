// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of running a function on several ranks: its results, failures, and that no processes or files are left.

#include <cstdlib>
#include <stdexcept>
#include <thread>

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <trainyard/function_launcher.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/environment_names.h"
#include "base/file_descriptor.h"
#include "base/listen_socket.h"
#include "support/says.h"

namespace trainyard::launch {
namespace {

using test::says;
using testing::ElementsAre;
using testing::EndsWith;

std::string variable(const char* name) {
    const char* text = std::getenv(name);
    return text == nullptr ? "-" : text;
}

class LaunchFunction : public testing::Test {
  protected:
    void SetUp() override {
        for (const char* name : {"RANK", "WORLD_SIZE", "OMP_NUM_THREADS"})
            ::unsetenv(name);
    }
    void TearDown() override {
        EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "a rank is left";
        EXPECT_EQ(variable("RANK"), "-") << "the environment of this process must not change";
    }
};

TEST_F(LaunchFunction, EveryRankHasItsVariablesAndReturnsAText) {
    auto texts = launch_function(3,
                                 [](int rank) {
                                     return std::to_string(rank) + " " + variable("RANK") + "/" +
                                            variable("WORLD_SIZE") + " " + variable("LOCAL_RANK") + " " +
                                            variable("MASTER_ADDR") + " " + variable("FORK_LAUNCHED") + " " +
                                            variable("ACCELERATE_MIXED_PRECISION") + " " + variable("MINE");
                                 },
                                 {.mixed_precision = "bf16", .environment = {{"MINE", "yes"}}});
    EXPECT_THAT(texts, ElementsAre("0 0/3 0 127.0.0.1 1 bf16 yes", "1 1/3 1 127.0.0.1 1 bf16 yes",
                                   "2 2/3 2 127.0.0.1 1 bf16 yes"));
    EXPECT_THAT(debug_launch([](int) { return variable("ACCELERATE_USE_CPU"); }), ElementsAre("yes", "yes"));
}

TEST_F(LaunchFunction, OneRankRunsInThisProcess) {
    int called = 0;
    EXPECT_THAT(launch_function(1, [&](int) { return std::to_string(++called); }), ElementsAre("1"));
    EXPECT_EQ(called, 1);
}

TEST_F(LaunchFunction, SaysHowManyRanksItStarts) {
    const auto said = [](int ranks) {
        testing::internal::CaptureStderr();
        launch_function(ranks, [](int) { return std::string(); });
        return testing::internal::GetCapturedStderr();
    };
    EXPECT_EQ(said(1), "starting 1 rank, which is this process\n");
    EXPECT_EQ(said(2), "starting 2 ranks\n");
}

/// Rank 0 listens on a loopback port, which the other ranks receive in their environment.
TEST_F(LaunchFunction, TheRanksCanMeet) {
    auto texts = launch_function(2, [](int rank) -> std::string {
        char byte = 'x';
        if (rank == 0) {
            int peer = ::accept(std::atoi(variable(kEnvStoreFd).c_str()), nullptr, nullptr);
            return ::read(peer, &byte, 1) == 1 ? std::string(1, byte) : "nothing";
        }
        EXPECT_EQ(variable(kEnvStoreFd), "-");
        int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        address.sin_port = htons(static_cast<std::uint16_t>(std::atoi(variable("MASTER_PORT").c_str())));
        byte = 'y';
        bool sent = ::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 &&
                    ::write(socket, &byte, 1) == 1;
        return sent ? "sent" : "lost";
    });
    EXPECT_THAT(texts, ElementsAre("y", "sent"));
}

/// A failure of the first attempt: the second one starts all ranks again.
TEST_F(LaunchFunction, RanksAreStartedAgain) {
    const auto throws_once = [](int rank) -> std::string {
        if (rank == 1 && variable("TORCHELASTIC_RESTART_COUNT") == "0")
            throw std::runtime_error("once");
        return std::to_string(rank) + " in attempt " + variable("TORCHELASTIC_RESTART_COUNT");
    };
    EXPECT_THAT(launch_function(2, throws_once, {.max_restarts = 1}), ElementsAre("0 in attempt 1", "1 in attempt 1"));
    EXPECT_THROW(launch_function(2, throws_once), RankFailed);
}

TEST_F(LaunchFunction, NodesMeetWithDifferentNumbersOfRanks) {
    int port = 0;
    { const FileDescriptor free = listen_on("127.0.0.1", port); }
    const auto place = [](int rank) {
        return std::to_string(rank) + "/" + variable("WORLD_SIZE") + " " + variable("LOCAL_RANK") + "/" +
               variable("LOCAL_WORLD_SIZE") + " " + variable("GROUP_RANK") + " " + variable("MASTER_PORT");
    };
    const pid_t other = ::fork();  // the node with rank 1, and two ranks
    if (other == 0) {
        const auto texts = launch_function(2, place, {.port = port, .num_nodes = 2, .node_rank = 1});
        const bool right =
            texts.size() == 2 && texts[0].starts_with("1/3 0/2 1 ") && texts[1].starts_with("2/3 1/2 1 ");
        ::_exit(right ? 0 : 1);
    }
    const auto texts = launch_function(1, place, {.port = port, .num_nodes = 2, .node_rank = 0});
    int status = -1;
    ::waitpid(other, &status, 0);
    EXPECT_EQ(status, 0);
    ASSERT_EQ(texts.size(), 1u);
    EXPECT_THAT(texts[0], testing::StartsWith("0/3 0/1 0 "));
}

TEST_F(LaunchFunction, NodesThatCannotMeetAreNamed) {
    const auto failure = [](const FunctionOptions& options) {
        try {
            launch_function(
                2, [](int) { return std::string(); }, options);
        } catch (const UserError& error) {
            return error.message();
        }
        return Message();
    };
    EXPECT_THAT(failure({.port = 1, .num_nodes = 2, .node_rank = 2}),
                says("node_rank {} is not from 0 to {}, the number of nodes less 1", 2, 1));
    EXPECT_THAT(failure({.num_nodes = 2}),
                says("{} nodes need a port at which they meet: give all of them the same one", 2));
    int port = 0;
    { const FileDescriptor free = listen_on("127.0.0.1", port); }
    EXPECT_THAT(failure({.port = port, .num_nodes = 3, .time_limit_s = 0.3}),
                says("of {} nodes these did not call at {}:{} in time: {}", 3, "127.0.0.1", port, "1, 2"));
    EXPECT_THAT(
        failure({.port = port, .num_nodes = 2, .node_rank = 1, .time_limit_s = 0.3}),
        says("node {} cannot reach the node with node_rank 0 at {}:{}: start it, and check master_addr and port", 1,
             "127.0.0.1", port));
}

TEST_F(LaunchFunction, LongTextsComeBackWhole) {
    auto texts = launch_function(2, [](int rank) { return std::string(3'000'000, static_cast<char>('a' + rank)); });
    EXPECT_EQ(texts[0], std::string(3'000'000, 'a'));
    EXPECT_EQ(texts[1].size(), 3'000'000u);
}

TEST_F(LaunchFunction, AnExceptionComesBackWithItsRankAndTheOthersAreEnded) {
    double begin = monotonic_seconds();
    try {
        launch_function(3,
                        [](int rank) -> std::string {
                            if (rank == 1)
                                throw UserError("the loss of step {} is not a number", 7);
                            ::sleep(600);
                            return "";
                        },
                        {.grace_s = 0.1});
        FAIL();
    } catch (const RankFailed& error) {
        EXPECT_EQ(error.rank(), 1);
        EXPECT_STREQ(error.what(), "rank 1: the loss of step 7 is not a number");
        EXPECT_EQ(error.message().values()[1].form(), "the loss of step {} is not a number");
    }
    EXPECT_LT(monotonic_seconds() - begin, 60);
}

TEST_F(LaunchFunction, EndsOfOtherKindsAreNamed) {
    auto text_of = [](const std::function<std::string(int)>& function) -> std::string {
        try {
            launch_function(2, function, {.grace_s = 0.1});
        } catch (const RankFailed& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_THAT(text_of([](int rank) -> std::string {
                    if (rank == 0)
                        ::kill(::getpid(), SIGKILL);
                    return "";
                }),
                says("rank {}: {}", 0, says("was killed by {}", "signal 9").at_start()));
    EXPECT_THAT(text_of([](int rank) -> std::string {
                    if (rank == 1)
                        ::_exit(7);
                    return "";
                }),
                says("rank {}: {}", 1, says("ended the process with exit code {}", 7).at_start()));
}

TEST_F(LaunchFunction, ALimitOfTimeEndsAll) {
    EXPECT_THROW(launch_function(2,
                                 [](int) -> std::string {
                                     ::sleep(600);
                                     return "";
                                 },
                                 {.time_limit_s = 0.3}),
                 RankFailed);
}

TEST_F(LaunchFunction, AThreadThatHasEndedIsNoThread) {
    for (int i = 0; i < 50; ++i) {
        std::jthread([] {}).join();
        EXPECT_THAT(launch_function(2, [](int rank) { return std::to_string(rank); }), ElementsAre("0", "1"));
    }
}

TEST_F(LaunchFunction, IsRefusedWhereRanksCannotBe) {
    auto nothing = [](int) { return std::string(); };
    EXPECT_THROW(launch_function(0, nothing), UserError);
    EXPECT_THROW(launch_function(100'000, nothing), UserError);
    {
        std::jthread other([](const std::stop_token& stop) {
            while (!stop.stop_requested())
                ::usleep(1000);
        });
        try {
            launch_function(2, nothing);
            FAIL();
        } catch (const UserError& error) {
            EXPECT_THAT(error.what(), says("ranks cannot be forked from this process, which has {} threads (a process "
                                           "group is there already, or something was computed): start them first",
                                           EndsWith("2")));
        }
    }
    ::setenv("RANK", "1", 1);
    ::setenv("WORLD_SIZE", "2", 1);
    try {
        launch_function(2, nothing);
        FAIL();
    } catch (const UserError& error) {
        EXPECT_THAT(error.what(),
                    says("this process is rank {} of {} already: ranks cannot be started from within one", 1, 2));
    }
    ::unsetenv("RANK");
    ::unsetenv("WORLD_SIZE");
    // A nested call within a rank must be refused.
    EXPECT_THROW(launch_function(2, [&](int) { return launch_function(2, [](int) { return std::string(); }).front(); },
                                 {.grace_s = 0.1}),
                 RankFailed);
}

}  // namespace
}  // namespace trainyard::launch
