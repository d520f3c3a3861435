// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/supervisor/rank_process.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <map>
#include <sstream>

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/environment_names.h"
#include "base/error.h"
#include "base/find_program.h"
#include "base/system_call.h"

namespace trainyard::launch {

namespace {

struct Pipe {
    FileDescriptor read, write;
};

Pipe make_pipe() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        throw UserError("cannot start a rank: no pipe: {}", system_message(errno));
    return {FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

void set_nonblocking(int fd) {
    ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
}

void keep_over_exec(int fd) {
    if (fd >= 0)
        ::fcntl(fd, F_SETFD, 0);
}

/// Data for the child between fork and exec, where only async-signal-safe calls are allowed.
struct RankChild {
    pid_t supervisor;
    int output, error, control, store, report;
    const RankStreams* streams;
    const char* program;
    const char* directory;   ///< nullptr: stay
    const cpu_set_t* cores;  ///< nullptr: all
    char* const* arguments;
    char* const* environment;
};

[[noreturn]] void report_and_exit(const RankChild& child) {
    int error = errno;
    ssize_t ignored = ::write(child.report, &error, sizeof error);
    (void)ignored;
    ::_exit(127);
}

[[noreturn]] void become_rank(const RankChild& child) {
    if (child.streams->terminal < 0)
        ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != child.supervisor)  // it died before the promise was made
        ::_exit(1);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    for (int number = 1; number < 32; ++number)
        ::signal(number, SIG_DFL);
    const RankStreams& streams = *child.streams;
    if (streams.terminal >= 0 && ::setsid() >= 0)  // its own terminal needs a session of its own
        ::ioctl(streams.terminal, TIOCSCTTY, 0);
    if (streams.terminal >= 0 && streams.input)
        ::dup2(streams.terminal, STDIN_FILENO);
    else if (!streams.keep_input)
        ::dup2(::open("/dev/null", O_RDONLY), STDIN_FILENO);
    ::dup2(streams.terminal >= 0 && streams.output ? streams.terminal : child.output, STDOUT_FILENO);
    ::dup2(streams.terminal >= 0 && streams.error ? streams.terminal : child.error, STDERR_FILENO);
    keep_over_exec(child.control);
    keep_over_exec(child.store);
    if (child.cores != nullptr)
        ::sched_setaffinity(0, sizeof *child.cores, child.cores);
    if (child.directory != nullptr && ::chdir(child.directory) != 0)
        report_and_exit(child);
    ::execve(child.program, child.arguments, child.environment);
    report_and_exit(child);
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> all;
    for (std::string& text : texts)
        all.push_back(text.data());
    all.push_back(nullptr);
    return all;
}

}  // namespace

int usable_cores() {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (::sched_getaffinity(0, sizeof set, &set) != 0)
        return std::max(1, static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN)));
    return std::max(1, CPU_COUNT(&set));
}

namespace {

/// NAME=value of everything the rank gets.
std::vector<std::string> variables(const RankStart& start, int control) {
    std::map<std::string, std::string> set = start.environment;
    set[kEnvControlFd] = std::to_string(control);
    if (start.store_socket >= 0)
        set[kEnvStoreFd] = std::to_string(start.store_socket);
    std::vector<std::string> all;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        std::string name(*entry, std::strcspn(*entry, "="));
        if (!set.contains(name) && name != kEnvStoreFd && name != kEnvRunSecret)
            all.emplace_back(*entry);
    }
    for (const auto& [name, value] : set)
        all.push_back(name + "=" + value);
    return all;
}

/// The file to execute. Not left to execvpe, which hands files of unknown format to a shell.
std::string file_of_program(const std::string& name) {
    const std::string found =
        name.find('/') == std::string::npos ? find_program(name, std::getenv("PATH")) : std::string();
    return found.empty() ? name : found;
}

Message start_problem(const RankStart& start, int error) {
    std::error_code ignored;
    if (!start.directory.empty() && !std::filesystem::is_directory(start.directory, ignored))
        return Message("cannot start rank {}: {} is not a folder", start.rank, start.directory.string());
    return Message("cannot start rank {}: {}: {}", start.rank, start.command.front(), system_message(error));
}

}  // namespace

StartedRank start_rank(const RankStart& start) {
    if (start.command.empty())
        throw UserError("cannot start rank {}: it has no command", start.rank);
    int sockets[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
        throw UserError("cannot start rank {}: no socket pair: {}", start.rank, system_message(errno));
    FileDescriptor ours(sockets[0]), theirs(sockets[1]);
    Pipe output = make_pipe(), errors = make_pipe(), report = make_pipe();
    std::vector<std::string> arguments = start.command, environment = variables(start, theirs.get());
    std::vector<char*> argument_pointers = pointers(arguments), environment_pointers = pointers(environment);
    cpu_set_t cores;
    CPU_ZERO(&cores);
    for (int core : start.cores)
        CPU_SET(static_cast<std::size_t>(core), &cores);
    std::string program = file_of_program(start.command.front());
    RankChild child{.supervisor = ::getpid(),
                    .output = output.write.get(),
                    .error = errors.write.get(),
                    .control = theirs.get(),
                    .store = start.store_socket,
                    .report = report.write.get(),
                    .streams = &start.streams,
                    .program = program.c_str(),
                    .directory = start.directory.empty() ? nullptr : start.directory.c_str(),
                    .cores = start.cores.empty() ? nullptr : &cores,
                    .arguments = argument_pointers.data(),
                    .environment = environment_pointers.data()};
    pid_t pid = ::fork();
    if (pid < 0)
        throw UserError("cannot start rank {}: {}", start.rank, system_message(errno));
    if (pid == 0)
        become_rank(child);
    report.write.close();
    int error = 0;
    if (retry_interrupted([&] { return ::read(report.read.get(), &error, sizeof error); }) ==
        static_cast<ssize_t>(sizeof error)) {
        ::waitpid(pid, nullptr, 0);
        throw UserError(start_problem(start, error));
    }
    set_nonblocking(ours.get());
    set_nonblocking(output.read.get());
    set_nonblocking(errors.read.get());
    // Output read from the terminal belongs to the stream that is attached to it; if both are, they are merged already.
    if (start.streams.terminal >= 0) {
        Pipe& stream = start.streams.output ? output : errors;
        if (start.streams.output || start.streams.error)
            stream.read = FileDescriptor(::fcntl(start.streams.ours, F_DUPFD_CLOEXEC, 0));
    }
    FileDescriptor exited(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
    return {pid, std::move(exited), std::move(ours), std::move(output.read), std::move(errors.read)};
}

}  // namespace trainyard::launch
