// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <trainyard/function_launcher.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/environment_names.h"
#include "base/error.h"
#include "base/file_descriptor.h"
#include "base/listen_socket.h"
#include "base/message_json.h"
#include "base/system_call.h"
#include "launch/supervisor/first_failure.h"
#include "launch/supervisor/function_nodes.h"
#include "launch/supervisor/rank_process.h"

namespace trainyard::launch {

namespace {

constexpr int kMostForkedRanks = 256;
constexpr char kReturned = 'R', kThrew = 'E';  // first byte of what a rank sends

void set(const char* name, const std::string& value) {
    ::setenv(name, value.c_str(), 1);
}

std::string variable(const char* name) {
    const char* text = std::getenv(name);
    return text == nullptr ? "" : text;
}

/// A thread that was joined is listed until the kernel has released it, a moment later.
int threads_of_this_process() {
    constexpr double kRelease = 1;  // seconds; on a busy machine
    for (const double until = monotonic_seconds() + kRelease;;) {
        std::error_code error;
        std::filesystem::directory_iterator tasks("/proc/self/task", error);
        const int threads = error ? 1 : static_cast<int>(std::distance(begin(tasks), end(tasks)));
        if (threads <= 1 || monotonic_seconds() > until)
            return threads;
        ::usleep(1000);
    }
}

void check_fork(int ranks) {
    if (ranks < 1 || ranks > kMostForkedRanks)
        throw UserError("{} ranks cannot be started: give 1 to {}", ranks, kMostForkedRanks);
    if (std::string world = variable(kEnvWorldSize); !variable(kEnvRank).empty() && std::atoi(world.c_str()) > 1)
        throw UserError(
            "this process is rank {} of {} already: ranks cannot be started from within "
            "one",
            variable(kEnvRank), world);
    if (int threads = threads_of_this_process(); threads > 1 && ranks > 1)
        throw UserError(
            "ranks cannot be forked from this process, which has {} threads (a process group is "
            "there already, or something was computed): start them first",
            threads);
}

/// `local`: number of the rank on this node, which starts `ranks`.
void set_environment(int local, int ranks, int attempt, const NodePlace& place, const FunctionOptions& options) {
    for (const char* name : {kEnvRank, kEnvRoleRank})
        set(name, std::to_string(place.first_rank + local));
    set(kEnvLocalRank, std::to_string(local));
    for (const char* name : {kEnvWorldSize, kEnvRoleWorldSize})
        set(name, std::to_string(place.world));
    set(kEnvLocalWorldSize, std::to_string(ranks));
    set(kEnvGroupRank, std::to_string(options.node_rank));
    set(kEnvGroupWorldSize, std::to_string(options.num_nodes));
    set(kEnvMasterAddress, place.address);
    set(kEnvMasterPort, std::to_string(place.port));
    set(kEnvRestartCount, std::to_string(attempt));
    set(kEnvUseAgentStore, "False");
    set("FORK_LAUNCHED", "1");
    set(kEnvMixedPrecision, options.mixed_precision);
    if (options.cpu)
        set(kEnvUseCpu, "yes");
    if (variable(kEnvThreads).empty())
        set(kEnvThreads, std::to_string(std::max(1, usable_cores() / ranks)));
    ::unsetenv(kEnvGeneration);
    ::unsetenv(kEnvRunSecret);
    if (place.first_rank + local == 0)
        set(kEnvStoreFd, std::to_string(place.store.get()));
    else
        ::unsetenv(kEnvStoreFd);
    for (const auto& [name, value] : options.environment)
        set(name.c_str(), value);
}

[[noreturn]] void be_rank(int rank, int answer, const std::function<std::string(int)>& function) {
    std::string said(1, kReturned);
    int code = 0;
    try {
        said += function(rank);
    } catch (const std::exception& error) {
        said = kThrew + message_to_json(message_of(error));
        code = 1;
    } catch (...) {
        said = kThrew + message_to_json("an exception that does not derive from std::exception");
        code = 1;
    }
    std::fflush(nullptr);
    write_all(answer, said);
    ::_exit(code);  // destructors of this program's globals are the parent's
}

struct ForkedRank {
    int number = 0;
    pid_t pid = 0;
    FileDescriptor answer;
    std::string said;
    bool ended = false;
};

/// Ranks that do not outlive it.
class Ranks {
  public:
    ~Ranks() {
        for (ForkedRank& rank : all)
            if (!rank.ended) {
                ::kill(rank.pid, SIGKILL);
                ::waitpid(rank.pid, nullptr, 0);
            }
    }
    bool any_left() const {
        return std::ranges::any_of(all, [](const ForkedRank& rank) { return !rank.ended; });
    }
    std::vector<ForkedRank> all;
};

/// What is wrong with a rank that has ended; empty: nothing.
Message problem_of(const ForkedRank& rank, int status) {
    if (WIFSIGNALED(status))
        return Message("was killed by {}", signal_text(WTERMSIG(status)));
    if (rank.said.starts_with(kThrew))
        return message_from_json(std::string_view(rank.said).substr(1));
    if (!rank.said.starts_with(kReturned))
        return Message("ended the process with exit code {}", WEXITSTATUS(status));
    return {};
}

void wait_for(Ranks& ranks, const FunctionOptions& options) {
    std::optional<RankFailed> failure;
    double begin = monotonic_seconds(), failed_at = 0;
    while (ranks.any_left()) {
        std::vector<pollfd> watched;
        for (const ForkedRank& rank : ranks.all)
            watched.push_back({rank.ended ? -1 : rank.answer.get(), POLLIN, 0});
        ::poll(watched.data(), watched.size(),
               static_cast<int>(std::clamp(options.monitor_interval_s, 0.001, 60.0) * 1000));
        for (std::size_t i = 0; i < ranks.all.size(); ++i) {
            ForkedRank& rank = ranks.all[i];
            if (rank.ended || watched[i].revents == 0)
                continue;
            char buffer[1 << 16];
            ssize_t n = ::read(rank.answer.get(), buffer, sizeof buffer);
            if (n > 0)
                rank.said.append(buffer, static_cast<std::size_t>(n));
            if (n != 0)
                continue;
            int status = 0;
            ::waitpid(rank.pid, &status, 0);
            rank.ended = true;
            const Message problem = problem_of(rank, status);
            if (!problem.empty() && !failure) {  // later ones are consequences: their peer is gone
                failure.emplace(rank.number, problem);
                failed_at = monotonic_seconds();
            }
        }
        double now = monotonic_seconds();
        if (failure && now - failed_at > options.grace_s)
            throw *failure;
        if (options.time_limit_s > 0 && now - begin > options.time_limit_s)
            for (const ForkedRank& rank : ranks.all)
                if (!rank.ended)
                    throw RankFailed(rank.number, Message("has not ended within {} s", options.time_limit_s));
    }
    if (failure)
        throw *failure;
}

Message start_message(int ranks, const FunctionOptions& options) {
    if (options.num_nodes != 1)
        return ranks == 1 ? Message("starting 1 rank as node {} of {}", options.node_rank, options.num_nodes)
                          : Message("starting {} ranks as node {} of {}", ranks, options.node_rank, options.num_nodes);
    return ranks == 1 ? Message("starting 1 rank, which is this process") : Message("starting {} ranks", ranks);
}

std::vector<std::string> run_attempt(int ranks, int attempt, const std::function<std::string(int)>& function,
                                     const FunctionOptions& options) {
    NodePlace place = meet_nodes(ranks, attempt, options);
    std::fflush(nullptr);
    Ranks started;
    pid_t parent = ::getpid();
    for (int local = 0; local < ranks; ++local) {
        const int number = place.first_rank + local;
        int ends[2];
        if (::pipe2(ends, O_CLOEXEC) != 0)
            throw UserError("rank {} cannot be started: no pipe: {}", number, system_message(errno));
        FileDescriptor read(ends[0]), write(ends[1]);
        pid_t pid = ::fork();
        if (pid < 0)
            throw UserError("rank {} cannot be started: {}", number, system_message(errno));
        if (pid == 0) {
            ::prctl(PR_SET_PDEATHSIG, SIGKILL);
            if (::getppid() != parent)
                ::_exit(1);
            for (const ForkedRank& other : started.all)
                ::close(other.answer.get());
            set_environment(local, ranks, attempt, place, options);
            if (number != 0)
                place.store.close();
            be_rank(number, write.get(), function);
        }
        started.all.push_back({number, pid, std::move(read), "", false});
    }
    place.store.close();
    wait_for(started, options);
    std::vector<std::string> returned;
    for (const ForkedRank& rank : started.all)
        returned.push_back(rank.said.substr(1));
    return returned;
}

}  // namespace

RankFailed::RankFailed(int rank, const Message& text) : UserError("rank {}: {}", rank, text), rank_(rank) {}

std::vector<std::string> launch_function(int ranks, const std::function<std::string(int rank)>& function,
                                         const FunctionOptions& options) {
    check_fork(ranks);
    std::fprintf(stderr, "%s\n", start_message(ranks, options).text().c_str());
    if (ranks == 1 && options.num_nodes == 1 && options.node_rank == 0)
        return {function(0)};
    for (int attempt = 0;; ++attempt) {
        try {
            return run_attempt(ranks, attempt, function, options);
        } catch (const RankFailed& failure) {
            if (attempt >= options.max_restarts)
                throw;
            std::fprintf(stderr, "%s\n",
                         Message("{}: starting all ranks again, attempt {} of {}", message_of(failure), attempt + 2,
                                 options.max_restarts + 1)
                             .text()
                             .c_str());
        }
    }
}

std::vector<std::string> debug_launch(const std::function<std::string(int rank)>& function, int ranks) {
    FunctionOptions options;
    options.cpu = true;
    return launch_function(ranks, function, options);
}

}  // namespace trainyard::launch
