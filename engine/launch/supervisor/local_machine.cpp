// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/supervisor/local_machine.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/cpu_affinity.h"
#include "base/environment_names.h"
#include "base/error.h"
#include "base/system_call.h"
#include "base/text.h"
#include "base/truth.h"
#include "launch/supervisor/first_failure.h"
#include "launch/supervisor/oom.h"
#include "launch/supervisor/orphans.h"
#include "launch/supervisor/process_tree.h"
#include "launch/supervisor/rank_orders.h"
#include "launch/supervisor/rank_process.h"

namespace trainyard::launch {

namespace {

constexpr std::size_t kLongestMessage = 1u << 20;
constexpr double kFollowSeconds = 0.5;          // between two looks at the control groups of the ranks
constexpr double kUndyingSeconds = 5;           // after SIGKILL; then a rank is in the kernel's hands
constexpr double kIdleSeconds = 20;             // without CPU time, to be worth a word
constexpr std::size_t kRememberedBytes = 1000;  // of the end of a rank's output
constexpr int kLoaderFailed = 127;

/// Where the dynamic loader could not even begin the program it exits with 127, as a shell does that finds no command: its own words tell
/// the two apart. Empty: it was not the loader.
Message loader_problem(std::string_view said) {
    constexpr std::string_view kWords = "error while loading shared libraries: ";
    std::size_t begin = said.rfind(kWords);
    if (begin == std::string_view::npos)
        return {};
    std::string_view words = said.substr(begin + kWords.size());
    Message problem("its program could not be loaded: {}",
                    words.substr(0, std::min(words.find_first_of("\r\n"), words.size())));
    rlimit limit{};
    if (::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        problem = Message("{}; its address space is limited to {} (ulimit -v): raise the limit", problem,
                          text::file_size(limit.rlim_cur));
    return problem;
}

}  // namespace

Message old_kernel_warning(const std::string& release, const std::string& host) {
    int major = 0, minor = 0;
    const bool read = std::sscanf(release.c_str(), "%d.%d", &major, &minor) == 2;
    if (!read || major > 5 || (major == 5 && minor >= 5))
        return {};
    return Message("the kernel of {} is {}: ranks may hang on kernels before 5.5, upgrade it", host, release);
}

struct LocalMachine::Child {
    int rank = 0;
    ProcessId process;
    FileDescriptor exited;
    FileDescriptor control;
    FileDescriptor output;
    FileDescriptor error;
    std::string said;    ///< the end of what it wrote
    std::string inbox;   ///< received, no whole line yet
    std::string outbox;  ///< to send, as far as the socket had no room
    bool told = false;   ///< the listener knows that it was started
    bool ended = false;
    mutable CpuWatch cpu;
};

LocalMachine::LocalMachine(std::string host) : host_(std::move(host)), oom_(std::make_unique<OomWatch>()) {
    // Processes that a rank leaves behind come to us, not to init, and go with the rank's group.
    ::prctl(PR_GET_CHILD_SUBREAPER, &was_reaper_);
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
}

LocalMachine::~LocalMachine() {
    if (!children_.empty()) {
        signal(SIGKILL);
        end_orphans();
    }
    ::prctl(PR_SET_CHILD_SUBREAPER, was_reaper_);
}

void LocalMachine::start(const MachineOrder& order) {
    if (!all_ended())
        throw UserError("{} still has ranks of an earlier generation", host_);
    children_.clear();
    killed_at_ = 0;
    swept_ = false;
    int count = static_cast<int>(order.ranks.size());
    std::vector<std::vector<int>> cores;
    if (order.cpu_affinity) {
        CpuTopology topology = CpuTopology::read("/", allowed_threads());
        const auto visible = order.environment.find(kEnvVisibleGpus), on_cpu = order.environment.find(kEnvUseCpu);
        topology.choose_gpus(visible == order.environment.end() ? std::getenv(kEnvVisibleGpus)
                                                                : visible->second.c_str());
        if (on_cpu != order.environment.end() && truth_of(on_cpu->second) == Truth::yes)
            topology.near_gpus.clear();
        cores = cores_of_ranks(count, topology);
    }
    RankStart start;
    if (count == 1)
        start.streams = streams_;
    start.command = order.command;
    start.directory = order.directory;
    try {
        for (const RankOrder& rank : order.ranks) {
            start.rank = rank.rank;
            start.environment = rank_environment(order, rank);
            start.environment[kEnvSupervisor] = supervisor_mark();
            start.store_socket = rank.rank == 0 ? order.store_socket : -1;
            start.cores = cores.empty() ? std::vector<int>{} : cores[static_cast<std::size_t>(rank.local_rank)];
            StartedRank started = start_rank(start);
            auto child = std::make_unique<Child>();
            child->rank = rank.rank;
            child->process = {started.pid, process_start_time(started.pid)};
            child->exited = std::move(started.exited);
            child->control = std::move(started.control);
            child->output = std::move(started.output);
            child->error = std::move(started.error);
            children_.push_back(std::move(child));
        }
    } catch (const UserError&) {
        signal(SIGKILL);
        end_orphans();
        children_.clear();
        throw;
    }
}

void LocalMachine::add_descriptors(std::vector<pollfd>& descriptors) const {
    for (const auto& child : children_) {
        for (const FileDescriptor* descriptor : {&child->exited, &child->output, &child->error})
            if (*descriptor)
                descriptors.push_back({descriptor->get(), POLLIN, 0});
        if (child->control)
            descriptors.push_back(
                {child->control.get(), static_cast<short>(child->outbox.empty() ? POLLIN : POLLIN | POLLOUT), 0});
    }
}

void LocalMachine::take(RankListener& listener) {
    double now = monotonic_seconds();
    bool follow = now - followed_ >= kFollowSeconds;
    if (follow)
        followed_ = now;
    for (const auto& child : children_) {
        if (follow && !child->ended)
            oom_->follow(child->process.pid);
        if (!std::exchange(child->told, true))
            listener.started(child->rank, child->process);
        read_output(*child, listener);
        read_control(*child, listener);
        flush(*child);
    }
    reap(listener);
    give_up_the_undying(listener);
}

void LocalMachine::read_output(Child& child, RankListener& listener) {
    char buffer[65536];
    for (FileDescriptor* stream : {&child.output, &child.error}) {
        // Bounded, so that a rank that writes without end cannot keep the others waiting.
        for (int chunk = 0; *stream && chunk < 16; ++chunk) {
            const ssize_t n = retry_interrupted([&] { return ::read(stream->get(), buffer, sizeof buffer); });
            if (n > 0) {
                std::string_view bytes(buffer, static_cast<std::size_t>(n));
                child.said.append(bytes.substr(bytes.size() - std::min(bytes.size(), kRememberedBytes)));
                child.said.erase(0, child.said.size() - std::min(child.said.size(), kRememberedBytes));
                listener.wrote(child.rank, bytes, stream == &child.error);
            } else if (n == 0)
                stream->close();
            else
                break;
        }
    }
}

void LocalMachine::read_control(Child& child, RankListener& listener) {
    char buffer[65536];
    while (child.control) {
        const ssize_t n =
            retry_interrupted([&] { return ::recv(child.control.get(), buffer, sizeof buffer, MSG_DONTWAIT); });
        if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return;
        if (n <= 0) {
            child.control.close();
            return;
        }
        child.inbox.append(buffer, static_cast<std::size_t>(n));
        std::size_t begin = 0;
        for (std::size_t end; (end = child.inbox.find('\n', begin)) != std::string::npos; begin = end + 1)
            listener.said(child.rank, child.inbox.substr(begin, end - begin));
        child.inbox.erase(0, begin);
        if (child.inbox.size() > kLongestMessage)
            child.inbox.clear();
    }
}

LocalMachine::Child* LocalMachine::find(int rank) const {
    for (const auto& child : children_)
        if (child->rank == rank)
            return child.get();
    return nullptr;
}

void LocalMachine::send(int rank, const std::string& line) {
    Child* child = find(rank);
    if (child == nullptr || child->ended || !child->control)
        return;
    child->outbox += line + "\n";
    flush(*child);
}

void LocalMachine::flush(Child& child) {
    while (!child.outbox.empty() && child.control) {
        const ssize_t n = retry_interrupted([&] {
            return ::send(child.control.get(), child.outbox.data(), child.outbox.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
        });
        if (n < 0)
            return;
        child.outbox.erase(0, static_cast<std::size_t>(n));
    }
}

void LocalMachine::signal(int number) {
    for (const auto& child : children_) {
        if (child->ended)
            continue;
        if (::kill(-child->process.pid, number) != 0)
            ::kill(child->process.pid, number);
    }
    if (number == SIGKILL && killed_at_ == 0)
        killed_at_ = monotonic_seconds();
}

void LocalMachine::reap(RankListener& listener) {
    int status = 0;
    rusage usage{};
    for (pid_t pid; (pid = retry_interrupted([&] { return ::wait4(-1, &status, WNOHANG, &usage); })) != 0;) {
        if (pid < 0)
            return;
        for (const auto& child : children_)
            if (!child->ended && child->process.pid == pid) {
                Message reason;
                if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL && killed_at_ == 0)
                    reason = oom_->struck(static_cast<std::uint64_t>(usage.ru_maxrss) * 1024);
                ::kill(-pid, SIGKILL);  // whatever it started and left
                read_output(*child, listener);
                read_control(*child, listener);
                if (WIFEXITED(status) && WEXITSTATUS(status) == kLoaderFailed)
                    reason = loader_problem(child->said);
                end(*child, status, listener, reason);
            }
    }
    if (all_ended() && !children_.empty() && !std::exchange(swept_, true))
        end_orphans();
}

void LocalMachine::end(Child& child, int status, RankListener& listener, const Message& reason) {
    child.ended = true;
    child.exited.close();
    child.control.close();
    child.output.close();
    child.error.close();
    listener.ended(child.rank, status, reason);
}

void LocalMachine::give_up_the_undying(RankListener& listener) {
    if (killed_at_ == 0 || monotonic_seconds() - killed_at_ < kUndyingSeconds)
        return;
    for (const auto& child : children_)
        if (!child->ended)
            end(*child, SIGKILL, listener,
                Message("but does not end: its process {} {}", child->process.pid,
                        process_condition(child->process.pid)));
}

bool LocalMachine::all_ended() const {
    return std::all_of(children_.begin(), children_.end(), [](const auto& child) { return child->ended; });
}

Message LocalMachine::condition(int rank) const {
    const Child* child = find(rank);
    if (child == nullptr || child->ended)
        return {};
    if (Message text = process_condition(child->process.pid); !text.empty())
        return text;
    double idle = child->cpu.idle_seconds(child->process.pid, monotonic_seconds());
    return idle >= kIdleSeconds ? Message("used no CPU for {:.0f} s", idle) : Message();
}

}  // namespace trainyard::launch
