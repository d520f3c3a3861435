// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/stage_ranks.h"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <thread>

#include <ATen/ops/full.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "base/listen_socket.h"
#include "distributed/parallel/agreement.h"
#include "distributed/parallel/collectives.h"

extern char** environ;

namespace trainyard::worker {

namespace {

constexpr const char* kLoopback = "127.0.0.1";
/// Prompts of a person may be days apart.
constexpr std::chrono::hours kStagePatience{24 * 30};

/// This program as rank `rank`; what it prints is this one's to tell.
pid_t start_stage(int rank, int count, int port) {
    std::string number = std::to_string(rank), all = std::to_string(count), place = std::to_string(port),
                parent = std::to_string(::getpid()), mode = kStageMode, self = "trainyard-worker";
    char* const words[] = {self.data(), mode.data(), number.data(), all.data(), place.data(), parent.data(), nullptr};
    posix_spawn_file_actions_t files;
    ::posix_spawn_file_actions_init(&files);
    ::posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t child = -1;
    const int error = ::posix_spawn(&child, "/proc/self/exe", &files, nullptr, words, environ);
    ::posix_spawn_file_actions_destroy(&files);
    if (error != 0)
        throw UserError("process {} cannot be started: {}", rank, system_message(error));
    return child;
}

}  // namespace

StageRanks::StageRanks(int count) {
    int port = 0;
    FileDescriptor store;
    if (count > 1)
        store = listen_on(kLoopback, port);
    for (int rank = 1; rank < count; ++rank)
        others_.push_back(start_stage(rank, count, port));
    if (count > 1)
        std::thread([pids = others_] {
            for (;;) {
                int status = 0;
                const pid_t gone = ::waitpid(-1, &status, 0);
                if (gone < 0)
                    return;
                for (std::size_t i = 0; i < pids.size(); ++i)
                    if (pids[i] == gone && !(WIFEXITED(status) && WEXITSTATUS(status) == kExitDone)) {
                        std::fprintf(
                            stderr, "trainyard: process %zu of the model ended (%s): no more text can be made\n", i + 1,
                            WIFSIGNALED(status) ? ::strsignal(WTERMSIG(status))
                                                : fmt::format("exit code {}", WEXITSTATUS(status)).c_str());
                        std::_Exit(kExitFailed);
                    }
            }
        }).detach();
    connect(0, count, port, store.release());
}

StageRanks::StageRanks(int argc, char** argv) {
    constexpr int kWords = 6;  // program, mode, number, count, port, process of the first one
    if (argc != kWords)
        throw UserError("{} is started by trainyard-worker generate alone", kStageMode);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != std::atoi(argv[5]))  // it has gone already
        std::_Exit(kExitFailed);
    connect(std::atoi(argv[2]), std::atoi(argv[3]), std::atoi(argv[4]), -1);
}

void StageRanks::connect(int rank, int count, int port, int store) {
    parallel::Rendezvous rendezvous;
    rendezvous.rank = rank;
    rendezvous.world_size = count;
    rendezvous.port = port;
    rendezvous.store_fd = store;
    rendezvous.timeout = kStagePatience;
    world_ = parallel::World::connect(rendezvous, "cpu");
    std::vector<int> all(static_cast<std::size_t>(count));
    std::iota(all.begin(), all.end(), 0);
    ranks_ = world_->group(all, "stages");
}

StageRanks::~StageRanks() = default;

std::string StageRanks::said(const std::string& text) {
    return ranks_->size() == 1 ? text : parallel::broadcast_object(*ranks_, Tree(text), 0, "prompt").as_text();
}

Message StageRanks::problem_of_any(const Message& own) {
    return parallel::first_message(*ranks_, own, "model loaded");
}

bool StageRanks::goes_on(bool own) {
    if (ranks_->size() == 1)
        return own;
    const at::Tensor answer = at::full({1}, own ? 1 : 0, at::kLong);
    ranks_->broadcast(answer, 0, "text continues");
    return answer.item<std::int64_t>() != 0;
}

}  // namespace trainyard::worker
