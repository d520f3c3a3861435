// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of ProcessState: the rank and its roles, main_process_first, splitting work between processes, the environment
// variables of launchers, and logging in the order of ranks.

#include "distributed/parallel/process_state.h"

#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>
#include <sstream>

#include <ATen/Parallel.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>
#include <ATen/ops/tensor.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <malloc.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <trainyard/rank_logger.h>
#include <unistd.h>

#include "base/cores.h"
#include "base/error.h"
#include "distributed/parallel/load_device.h"
#include "support/ranks.h"
#include "support/temporary_folder.h"

namespace trainyard::parallel {
namespace {

using ::testing::HasSubstr;

/// Runs `body(state)` on every rank; `per_machine` ranks share a machine.
void on_processes(int size, int per_machine, const std::function<void(ProcessState&)>& body) {
    test::run_ranks(size, [&](std::unique_ptr<World> world) {
        int rank = world->rank();
        ProcessState state(std::move(world), {rank, size, rank % per_machine, per_machine});
        body(state);
    });
}

void append(const std::filesystem::path& file, const std::string& text) {
    std::ofstream(file, std::ios::app) << text << "\n" << std::flush;
}

std::vector<std::string> lines_of(const std::filesystem::path& file) {
    std::ifstream in(file);
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);)
        lines.push_back(line);
    return lines;
}

TEST(ProcessState, KnowsItsPlace) {
    on_processes(4, 2, [](ProcessState& state) {
        EXPECT_EQ(state.is_main_process(), state.rank() == 0);
        EXPECT_EQ(state.is_local_main_process(), state.rank() % 2 == 0);
        EXPECT_EQ(state.is_last_process(), state.rank() == 3);
        EXPECT_EQ(state.local().size(), 2);
        EXPECT_EQ(state.local().rank(), state.local_rank());
        EXPECT_TRUE(state.use_distributed());
        EXPECT_EQ(state.on_main_process([] { return 5; }), state.rank() == 0 ? std::optional(5) : std::nullopt);
        EXPECT_EQ(state.on_local_main_process([] {}), state.rank() % 2 == 0);
        EXPECT_EQ(state.on_last_process([] {}), state.rank() == 3);
        EXPECT_EQ(state.on_process(2, [] {}), state.rank() == 2);
        EXPECT_EQ(state.on_local_process(1, [] {}), state.rank() % 2 == 1);
    });
    ProcessState alone;
    EXPECT_TRUE(alone.is_main_process() && alone.is_last_process() && !alone.use_distributed());
    EXPECT_TRUE(alone.on_process(7, [] {})) << "one process alone does everything";
    alone.wait_for_everyone();
    FirstScope first = alone.main_process_first();
}

TEST(FirstScope, MainBeforeTheOthers) {
    test::TemporaryFolder folder;
    std::filesystem::path file = folder.path() / "order";
    on_processes(3, 3, [&](ProcessState& state) {
        for (int round = 0; round < 5; ++round) {
            {
                FirstScope first = state.main_process_first();
                append(file, state.is_main_process() ? "main" : "other");
            }
            state.wait_for_everyone();
        }
    });
    std::vector<std::string> lines = lines_of(file), expected;
    for (int round = 0; round < 5; ++round)
        expected.insert(expected.end(), {"main", "other", "other"});
    EXPECT_EQ(lines, expected);
}

TEST(FirstScope, OnEveryMachine) {
    test::TemporaryFolder folder;
    on_processes(4, 2, [&](ProcessState& state) {
        FirstScope first = state.local_main_process_first();
        append(folder.path() / std::to_string(state.rank() / 2), std::to_string(state.local_rank()));
    });
    EXPECT_EQ(lines_of(folder.path() / "0"), (std::vector<std::string>{"0", "1"}));
    EXPECT_EQ(lines_of(folder.path() / "1"), (std::vector<std::string>{"0", "1"}));
}

TEST(FirstScope, TheOthersLearnOfAFailure) {
    std::atomic<int> lost = 0, failed = 0;
    on_processes(3, 3, [&](ProcessState& state) {
        try {
            FirstScope first = state.main_process_first();
            if (!state.is_main_process())
                ADD_FAILURE() << "continued without the data of the main process";
            throw UserError("the download failed");
        } catch (const PeerLost&) {
            ++lost;
        } catch (const UserError&) {
            ++failed;
        }
    });
    EXPECT_EQ(lost, 2);
    EXPECT_EQ(failed, 1);
}

TEST(SplitBetweenProcesses, NestsAndVectors) {
    on_processes(3, 3, [](ProcessState& state) {
        std::vector<int> work{0, 1, 2, 3};
        std::vector<std::vector<int>> parts{{0, 1}, {2}, {3}}, padded{{0, 1}, {2, 3}, {3, 3}};
        auto rank = static_cast<std::size_t>(state.rank());
        EXPECT_EQ(state.split_between_processes(std::span<const int>(work)), parts[rank]);
        EXPECT_EQ(state.split_between_processes(std::span<const int>(work), true), padded[rank]);

        Tree nest = Tree::dict({{"ids", at::arange(4).view({4, 1})},
                                {"more", Tree::dict({{"texts", Tree::tuple({"a", "b", "c", "d"})}})},
                                {"name", "whole"}});
        Tree part = state.split_between_processes(nest, true);
        EXPECT_EQ(part.at("ids").as_tensor().size(0), 2);
        EXPECT_EQ(part.at("more").at("texts"), rank == 0   ? Tree::tuple({"a", "b"})
                                               : rank == 1 ? Tree::tuple({"c", "d"})
                                                           : Tree::tuple({"d", "d"}));
        EXPECT_EQ(part.at("name"), Tree("whole"));
        EXPECT_EQ(nest.at("ids").as_tensor().size(0), 4) << "the whole stays";
        EXPECT_EQ(state.split_between_processes(Tree(5)), Tree(5));
        EXPECT_EQ(state.split_between_processes(Tree::list(), true), Tree::list());
        nest.at("more");
        nest.find("more")->set("short", Tree::list({1}));
        EXPECT_THROW(state.split_between_processes(nest), UserError);
    });
}

/// Sets environment variables for its lifetime, and unsets all other variables of launchers.
class Environment {
  public:
    explicit Environment(const std::map<std::string, std::string>& variables) {
        std::map<std::string, std::string> all;
        for (const char* name : {"RANK",
                                 "WORLD_SIZE",
                                 "LOCAL_RANK",
                                 "LOCAL_WORLD_SIZE",
                                 "MASTER_ADDR",
                                 "MASTER_PORT",
                                 "ACCELERATE_USE_CPU",
                                 "ACCELERATE_DEBUG_MODE",
                                 "ACCELERATE_TORCH_DEVICE",
                                 "TRAINYARD_STORE_FD",
                                 "TRAINYARD_GENERATION",
                                 "OMPI_COMM_WORLD_RANK",
                                 "OMPI_COMM_WORLD_SIZE",
                                 "OMPI_COMM_WORLD_LOCAL_RANK",
                                 "PMI_RANK",
                                 "PMI_SIZE",
                                 "TORCHELASTIC_USE_AGENT_STORE",
                                 "TORCHELASTIC_RESTART_COUNT",
                                 "ACCELERATE_LOG_LEVEL",
                                 "OMP_NUM_THREADS"})
            all[name];
        for (const auto& [name, value] : variables)
            all[name] = value;
        for (const auto& [name, value] : all) {
            const char* before = std::getenv(name.c_str());
            before_[name] = before == nullptr ? std::nullopt : std::optional<std::string>(before);
            value.empty() ? ::unsetenv(name.c_str()) : ::setenv(name.c_str(), value.c_str(), 1);
        }
    }
    ~Environment() {
        for (const auto& [name, value] : before_)
            value ? ::setenv(name.c_str(), value->c_str(), 1) : ::unsetenv(name.c_str());
    }

  private:
    std::map<std::string, std::optional<std::string>> before_;
};

TEST(LaunchEnvironment, NothingSetIsOneProcess) {
    Environment none({});
    LaunchEnvironment environment = read_launch_environment();
    EXPECT_EQ(environment.place.world_size, 1);
    EXPECT_EQ(environment.place.local_world_size, 1);
    EXPECT_FALSE(environment.rendezvous.verify);
    ProcessState state = ProcessState::from_environment();
    EXPECT_EQ(state.world_size(), 1);
    EXPECT_EQ(state.device(), at::Device(at::kCPU));
}

TEST(LaunchEnvironment, OfTorchrunAccelerateAndMpi) {
    {
        Environment torchrun({{"RANK", "5"},
                              {"WORLD_SIZE", "8"},
                              {"LOCAL_RANK", "1"},
                              {"LOCAL_WORLD_SIZE", "4"},
                              {"MASTER_ADDR", "10.0.0.7"},
                              {"MASTER_PORT", "1234"},
                              {"ACCELERATE_USE_CPU", "yes"},
                              {"ACCELERATE_DEBUG_MODE", "1"},
                              {"TORCHELASTIC_USE_AGENT_STORE", "True"},
                              {"TORCHELASTIC_RESTART_COUNT", "2"}});
        LaunchEnvironment environment = read_launch_environment();
        EXPECT_EQ(environment.place.rank, 5);
        EXPECT_EQ(environment.place.local_world_size, 4);
        EXPECT_EQ(environment.rendezvous.port, 1234);
        EXPECT_EQ(environment.rendezvous.generation, 3);
        EXPECT_TRUE(environment.rendezvous.verify && environment.rendezvous.store_exists && environment.use_cpu);
    }
    Environment mpi({{"RANK", "-1"},
                     {"OMPI_COMM_WORLD_RANK", "2"},
                     {"OMPI_COMM_WORLD_SIZE", "3"},
                     {"OMPI_COMM_WORLD_LOCAL_RANK", "2"}});
    LaunchEnvironment environment = read_launch_environment();
    EXPECT_EQ(environment.place.rank, 2) << "a negative value counts as not set";
    EXPECT_EQ(environment.place.world_size, 3);
    EXPECT_EQ(environment.place.local_world_size, 3) << "all are on the machine of the loopback address";
}

TEST(LaunchEnvironment, EverythingWrongAtOnce) {
    Environment wrong(
        {{"RANK", "4"}, {"WORLD_SIZE", "four"}, {"ACCELERATE_DEBUG_MODE", "maybe"}, {"MASTER_PORT", "99999"}});
    try {
        read_launch_environment();
        FAIL();
    } catch (const InvalidInput& error) {
        for (const char* key : {"RANK", "WORLD_SIZE", "ACCELERATE_DEBUG_MODE", "MASTER_PORT"})
            EXPECT_THAT(error.what(), HasSubstr(std::string(key) + ": "));
    }
}

/// Real processes, started as a launcher starts them: connect, agree, and share the cores.
TEST(LaunchEnvironment, ProcessesMeet) {
    test::LoopbackSocket socket;
    std::vector<pid_t> children;
    for (int rank = 0; rank < 2; ++rank) {
        pid_t child = ::fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            int failures = 1;
            try {
                Environment launched({{"RANK", std::to_string(rank)},
                                      {"LOCAL_RANK", std::to_string(rank)},
                                      {"WORLD_SIZE", "2"},
                                      {"MASTER_PORT", std::to_string(socket.port)},
                                      {"TRAINYARD_STORE_FD", rank == 0 ? std::to_string(socket.fd) : ""},
                                      {"ACCELERATE_USE_CPU", "1"},
                                      {"ACCELERATE_DEBUG_MODE", "true"}});
                ProcessState state = ProcessState::from_environment();
                at::Tensor sum = at::full({1}, 1.0);
                state.everyone().all_reduce(sum, "test").wait();
                failures = (sum.item<double>() != 2.0) + (state.rank() != rank) + !state.debug() +
                           (at::get_num_threads() != std::max(1, physical_cores() / 2));
            } catch (const std::exception& error) {
                std::fprintf(stderr, "rank %d: %s\n", rank, error.what());
            }
            ::_exit(failures);
        }
        children.push_back(child);
    }
    for (pid_t child : children) {
        int status = 0;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
    }
    ::close(socket.fd);
}

/// Lines of all ranks in the order they were printed.
std::vector<std::string> logged(int size, const std::vector<std::string>& levels,
                                const std::function<void(RankLogger&)>& body) {
    std::vector<std::string> lines;
    std::mutex mutex;
    on_processes(size, size, [&](ProcessState& state) {
        RankLogger logger(state, "data", levels[static_cast<std::size_t>(state.rank())],
                          [&](LogLevel level, const std::string& text) {
                              std::lock_guard lock(mutex);
                              lines.push_back(std::string(to_string(level)) + " " + text);
                          });
        body(logger);
    });
    return lines;
}

TEST(RankLogger, MainProcessOnlyAllOrInTurn) {
    auto lines = logged(3, {"info", "info", "info"}, [](RankLogger& logger) {
        logger.info("main");
        logger.debug("below the level");
        for (int round = 0; round < 3; ++round)
            logger.warning("turn", {.in_order = true});
    });
    EXPECT_EQ(lines[0], "info [RANK 0] data: main");
    ASSERT_EQ(lines.size(), 10u);
    for (std::size_t i = 0; i < 9; ++i)
        EXPECT_EQ(lines[i + 1], "warning [RANK " + std::to_string(i % 3) + "] data: turn");
    auto everybody = logged(3, {"info", "info", "info"},
                            [](RankLogger& logger) { logger.error("all", {.main_process_only = false}); });
    EXPECT_EQ(everybody.size(), 3u);
}

TEST(RankLogger, RanksWithOtherLevelsDoNotWaitForEver) {
    auto lines =
        logged(3, {"debug", "error", "info"}, [](RankLogger& logger) { logger.info("x", {.in_order = true}); });
    EXPECT_EQ(lines, (std::vector<std::string>{"info [RANK 0] data: x", "info [RANK 2] data: x"}));
}

TEST(RankLogger, WarnsOnceAndReadsItsLevel) {
    EXPECT_EQ(logged(1, {"warning"},
                     [](RankLogger& logger) {
                         for (int i = 0; i < 3; ++i)
                             logger.warning_once("deprecated");
                         logger.warning_once("other");
                     })
                  .size(),
              2u);
    ProcessState alone;
    Environment variable(std::map<std::string, std::string>{{"ACCELERATE_LOG_LEVEL", "INFO"}});
    EXPECT_EQ(RankLogger(alone, "x").level(), LogLevel::info);
    EXPECT_EQ(RankLogger(alone, "x", "critical").level(), LogLevel::critical);
    EXPECT_THROW(RankLogger(alone, "x", "loud"), UserError);
}

/// Page faults of filling `bytes` of memory for the second time.
long faults_of_memory_used_again(std::size_t bytes) {
    rusage before{}, after{};
    for (int round = 0; round < 2; ++round) {
        ::getrusage(RUSAGE_THREAD, &before);
        auto* memory = static_cast<volatile char*>(std::malloc(bytes));
        for (std::size_t at = 0; at < bytes; at += 4096)
            memory[at] = 1;
        ::getrusage(RUSAGE_THREAD, &after);
        std::free(const_cast<char*>(memory));
    }
    return after.ru_minflt - before.ru_minflt;
}

TEST(LoadDevice, MemoryThatAStepGivesBackStaysForTheNext) {
    constexpr std::size_t kBytes = 20 << 20, kPages = kBytes / 4096;
    // Processes of their own: the C library's thresholds are one for each.
    const auto child = [](bool loads) {
        const pid_t pid = ::fork();
        if (pid == 0) {
            ::prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);  // a fault for each small page
            ::mallopt(M_MMAP_THRESHOLD, 128 << 10);
            ::mallopt(M_TRIM_THRESHOLD, 128 << 10);
            if (loads)
                load_device("cpu", 0);
            ::_exit(faults_of_memory_used_again(kBytes) < static_cast<long>(kPages / 20) ? 0 : 1);
        }
        int status = 0;
        ::waitpid(pid, &status, 0);
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    };
    EXPECT_EQ(child(false), 1) << "the measurement sees pages that are fetched again";
    EXPECT_EQ(child(true), 0);
    ::setenv("MALLOC_TRIM_THRESHOLD_", "131072", 1);
    EXPECT_EQ(child(true), 1) << "the user chose another threshold";
    ::unsetenv("MALLOC_TRIM_THRESHOLD_");
}

}  // namespace
}  // namespace trainyard::parallel
