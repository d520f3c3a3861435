#include "launch/rank_process.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <map>

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "launch/protocol.h"

namespace trainyard::launch {

namespace {

struct Pipe {
    FileDescriptor read, write;
};

Pipe make_pipe() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        throw UserError(fmt::format("cannot start a rank: no pipe: {}", std::strerror(errno)));
    return {FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

void set_nonblocking(int fd) {
    ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
}

void keep_over_exec(int fd) {
    if (fd >= 0)
        ::fcntl(fd, F_SETFD, 0);
}

/// Runs in the child between fork and exec: system calls only.
[[noreturn]] void become_rank(pid_t supervisor, int output, int control, int store, int report, char* const* arguments,
                              char* const* environment) {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != supervisor)  // it died before the promise was made
        ::_exit(1);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    for (int number = 1; number < 32; ++number)
        ::signal(number, SIG_DFL);
    int nothing = ::open("/dev/null", O_RDONLY);
    ::dup2(nothing, STDIN_FILENO);
    ::dup2(output, STDOUT_FILENO);
    ::dup2(output, STDERR_FILENO);
    keep_over_exec(control);
    keep_over_exec(store);
    ::execve(arguments[0], arguments, environment);
    int error = errno;
    ssize_t ignored = ::write(report, &error, sizeof error);
    (void)ignored;
    ::_exit(127);
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

int threads_per_rank(const run::LaunchSpec& launch) {
    if (launch.num_cpu_threads_per_process > 0)
        return launch.num_cpu_threads_per_process;
    if (const char* own = std::getenv("OMP_NUM_THREADS"); own != nullptr && std::atoi(own) > 0)
        return std::atoi(own);
    return std::max(1, usable_cores() / std::max(1, launch.num_processes));
}

std::vector<std::string> rank_environment(const run::RunPaths& paths, const run::RunSpec& spec, const RankStart& start,
                                          int control) {
    std::map<std::string, std::string> set{
        {"RANK", std::to_string(start.rank)},
        {"LOCAL_RANK", std::to_string(start.rank)},
        {"WORLD_SIZE", std::to_string(spec.launch.num_processes)},
        {"LOCAL_WORLD_SIZE", std::to_string(spec.launch.num_processes)},
        {"GROUP_RANK", "0"},
        {"MASTER_ADDR", spec.launch.main_process_ip},
        {"MASTER_PORT", std::to_string(start.port)},
        {"OMP_NUM_THREADS", std::to_string(start.threads)},
        {"ACCELERATE_USE_CPU", spec.launch.device == "cpu" ? "True" : "False"},
        {"ACCELERATE_MIXED_PRECISION", spec.recipe.training.mixed_precision},
        {kEnvRunDirectory, paths.root().string()},
        {kEnvControlFd, std::to_string(control)},
        {kEnvGeneration, std::to_string(start.generation)},
    };
    // LibTorch's OpenMP threads spin while they wait for each other. With libgomp's own limit a core that another program
    // needs for a moment stalls a step tenfold; this limit costs nothing on a quiet machine. Measured on two cores, 0.83 M
    // parameters: 25.8 k tokens/s against 24.7 k with the default; with one core busy 8.3 k, with a limit of 10000 2.8 k.
    if (std::getenv("OMP_WAIT_POLICY") == nullptr && std::getenv("GOMP_SPINCOUNT") == nullptr)
        set["GOMP_SPINCOUNT"] = "2000";
    if (start.store_socket >= 0)
        set[kEnvStoreFd] = std::to_string(start.store_socket);
    std::vector<std::string> environment;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        std::string name(*entry, std::strcspn(*entry, "="));
        if (!set.contains(name) && name != kEnvStoreFd)
            environment.emplace_back(*entry);
    }
    for (const auto& [name, value] : set)
        environment.push_back(name + "=" + value);
    return environment;
}

StartedRank start_rank(const run::RunPaths& paths, const run::RunSpec& spec, const RankStart& start) {
    int sockets[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
        throw UserError(fmt::format("cannot start rank {}: no socket pair: {}", start.rank, std::strerror(errno)));
    FileDescriptor ours(sockets[0]), theirs(sockets[1]);
    Pipe output = make_pipe();
    Pipe report = make_pipe();

    std::vector<std::string> arguments{start.worker.string()};
    std::vector<std::string> environment = rank_environment(paths, spec, start, theirs.get());
    std::vector<char*> argument_pointers = pointers(arguments), environment_pointers = pointers(environment);
    pid_t supervisor = ::getpid();
    pid_t pid = ::fork();
    if (pid < 0)
        throw UserError(fmt::format("cannot start rank {}: {}", start.rank, std::strerror(errno)));
    if (pid == 0)
        become_rank(supervisor, output.write.get(), theirs.get(), start.store_socket, report.write.get(),
                    argument_pointers.data(), environment_pointers.data());
    report.write.close();
    int error = 0;
    ssize_t n;
    while ((n = ::read(report.read.get(), &error, sizeof error)) < 0 && errno == EINTR) {
    }
    if (n == static_cast<ssize_t>(sizeof error)) {
        ::waitpid(pid, nullptr, 0);
        throw UserError(
            fmt::format("cannot start rank {}: {}: {}", start.rank, start.worker.string(), std::strerror(error)));
    }
    set_nonblocking(ours.get());
    set_nonblocking(output.read.get());
    return {pid, std::move(ours), std::move(output.read)};
}

}  // namespace trainyard::launch
