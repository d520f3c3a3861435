// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/supervisor/daemon.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "base/message_json.h"
#include "base/system_call.h"
#include "launch/supervisor/alarm_process.h"
#include "launch/supervisor/descriptors.h"
#include "launch/supervisor/guard.h"
#include "launch/supervisor/rank_log.h"
#include "launch/supervisor/rank_output.h"

namespace trainyard::launch {

namespace {

std::vector<int> needed_descriptors(const PreparedRun& run, const MachinePool* pool, int ready) {
    std::vector<int> kept{ready, run.store_socket.get(), run.reservation.get()};
    std::vector<pollfd> of_pool;
    if (pool != nullptr)
        pool->add_descriptors(of_pool);
    for (const pollfd& descriptor : of_pool)
        kept.push_back(descriptor.fd);
    return kept;
}

void send_to_log(const fs::path& log) {
    FileDescriptor nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
    FileDescriptor file(::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
    ::dup2(nothing.get(), STDIN_FILENO);
    ::dup2(file ? file.get() : nothing.get(), STDOUT_FILENO);
    ::dup2(file ? file.get() : nothing.get(), STDERR_FILENO);
}

/// Copies of what ranks write, as launch.output of the run asks for, beside what the caller does with it. Ranks of
/// other machines than the first have their files there; a terminal can show those of all.
void add_copies(SupervisorOptions& options, const PreparedRun& run) {
    const run::OutputSpec& wanted = run.spec.launch.output;
    if (wanted == run::OutputSpec{})
        return;
    auto files = std::make_shared<RankFiles>(wanted, run::machines_of(run.spec.launch).front().ranks);
    std::shared_ptr<RankOutput> console;
    if (StreamRules(wanted).tees_anything()) {
        fs::create_directories(run.paths.logs());
        auto log = std::make_shared<RankLog>(run.paths.console_log());
        console = std::make_shared<RankOutput>(
            wanted, RankOutput::Options{.role = run.spec.program ? run.spec.program->role : "default",
                                        .teed_only = true,
                                        .sink = [log](std::string_view bytes, bool) { log->write(bytes); }});
    }
    options.output = [files, console, other = std::move(options.output)](int rank, int local_rank,
                                                                         std::string_view bytes, bool standard_error) {
        files->write(rank, local_rank, bytes, standard_error);
        if (console)
            console->write(rank, local_rank, bytes, standard_error);
        if (other)
            other(rank, local_rank, bytes, standard_error);
    };
}

void say(int fd, const std::string& text) {
    ssize_t ignored = ::write(fd, text.data(), text.size());
    (void)ignored;
}

[[noreturn]] void be_supervisor(PreparedRun run, SupervisorOptions options, std::unique_ptr<MachinePool> pool,
                                int ready) {
    ::setsid();
    ::umask(0077);
    // The second fork: not a session leader any more, so no terminal can ever become ours.
    pid_t pid = ::fork();
    if (pid != 0)
        ::_exit(pid < 0 ? 1 : 0);
    for (int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT, SIGTSTP, SIGTTOU, SIGTTIN, SIGUSR1})
        ::signal(number, SIG_IGN);
    send_to_log(run.paths.supervisor_log());
    // A daemon that kept its starter's pipes open would keep the starter's reader waiting for the end of a run.
    close_all_but(needed_descriptors(run, pool.get(), ready));
    go_on_under_silent_guard();
    int code = 1;
    bool started = false;
    fs::path folder = run.paths.root();
    bool was_there = run.was_there;
    try {
        add_copies(options, run);
        Supervisor supervisor(std::move(run), std::move(options), std::move(pool));
        supervisor.start();
        started = true;
        say(ready, "started");
        ::close(ready);
        code = supervisor.watch();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        if (!started) {
            std::error_code ignored;
            if (!was_there)
                fs::remove_all(folder, ignored);
            say(ready, message_to_json(message_of(error)));
        }
    }
    ::_exit(code);
}

}  // namespace

void start_detached(PreparedRun run, const SupervisorOptions& options, std::unique_ptr<MachinePool> pool) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        throw UserError("cannot start the supervisor: {}", system_message(errno));
    FileDescriptor read(ends[0]), write(ends[1]);
    fs::path folder = run.paths.root();
    bool was_there = run.was_there;
    std::fflush(nullptr);
    pid_t pid = ::fork();
    if (pid == 0)
        be_supervisor(std::move(run), options, std::move(pool), write.get());
    write.close();
    if (pid > 0)
        retry_interrupted([&] { return ::waitpid(pid, nullptr, 0); });
    std::string said;
    if (pid > 0)
        read_to_end(read.get(), said);
    if (said == "started")
        return start_alarm_process(run::RunPaths(folder));
    if (!said.empty())
        throw UserError(message_from_json(said));
    std::error_code ignored;
    if (!was_there)
        fs::remove_all(folder, ignored);
    throw UserError(
        "the supervisor ended before it started a rank: there may be too many processes or too little memory");
}

int run_in_foreground(PreparedRun run, SupervisorOptions options, std::unique_ptr<MachinePool> pool) {
    fs::path folder = run.paths.root();
    bool was_there = run.was_there;
    options.foreground = true;
    std::optional<Supervisor> supervisor;
    try {
        add_copies(options, run);
        supervisor.emplace(std::move(run), std::move(options), std::move(pool));
        supervisor->start();
        start_alarm_process(run::RunPaths(folder));
    } catch (const UserError&) {
        supervisor.reset();
        std::error_code ignored;
        if (!was_there)
            fs::remove_all(folder, ignored);
        throw;
    }
    return supervisor->watch();
}

}  // namespace trainyard::launch
