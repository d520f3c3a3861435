// SPDX-License-Identifier: GPL-3.0-or-later
// trainyard agent: looks after this machine's ranks for a run whose head is elsewhere. Its order is launch/supervisor/agent_order.h's, from standard
// input; it answers one line, continues in the background and ends with the run.

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <CLI/CLI.hpp>
#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/file_descriptor.h"
#include "base/files/user_folders.h"
#include "base/process.h"
#include "base/system_call.h"
#include "cli/commands.h"
#include "cli/order_input.h"
#include "cli/say.h"
#include "launch/supervisor/agent.h"
#include "launch/supervisor/agent_order.h"
#include "launch/supervisor/guard.h"
#include "launch/supervisor/prepare.h"

namespace trainyard::cli {

namespace {

fs::path log_file(const launch::AgentOrder& order) {
    const fs::path folder = files::state_folder() / "agents";
    make_private_folder(folder);
    return folder / fmt::format("{}-{}.log", order.rendezvous, order.machine_rank);
}

[[noreturn]] void be_agent(const launch::AgentOrder& order, const fs::path& log, int ready) {
    ::setsid();
    ::umask(0077);
    if (pid_t pid = ::fork(); pid != 0)
        ::_exit(pid < 0 ? 1 : 0);
    for (int number : {SIGHUP, SIGPIPE, SIGQUIT, SIGTSTP, SIGTTOU, SIGTTIN})
        ::signal(number, SIG_IGN);
    FileDescriptor nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
    FileDescriptor file(::open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    ::dup2(nothing.get(), STDIN_FILENO);
    ::dup2(file ? file.get() : nothing.get(), STDOUT_FILENO);
    ::dup2(file ? file.get() : nothing.get(), STDERR_FILENO);
    // Only now: the guard keeps the standard descriptors, and who reads the starter's output waits for their end.
    launch::go_on_under_silent_guard();
    std::string pid = std::to_string(::getpid());
    ssize_t ignored = ::write(ready, pid.data(), pid.size());
    (void)ignored;
    ::close(ready);
    int code = kExitFailed;
    try {
        launch::AgentOptions options;
        options.rendezvous = order.rendezvous;
        options.secret = order.secret;
        options.head_address = order.head_address;
        options.head_port = order.head_port;
        options.host = order.host;
        options.machine_rank = order.machine_rank;
        options.ranks = order.ranks;
        options.join_timeout_s = order.join_timeout_s;
        options.tell = [](const std::string& sentence) {
            say_format(stderr, "%s %s\n", iso_time(wall_seconds()).c_str(), sentence.c_str());
        };
        code = launch::Agent(std::move(options)).run();
    } catch (const std::exception& error) {
        say(stderr, error.what());
    }
    std::error_code gone;
    if (code == kExitDone)
        fs::remove(log, gone);  // the run's folder here says the rest
    ::_exit(code);
}

std::string start_agent() {
    std::string text = read_order();
    launch::AgentOrder order = launch::parse_agent_order(text);
    launch::wipe(text);
    make_private_folder(run::runs_root());  // before the head is asked
    fs::path log = log_file(order);
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        throw UserError("cannot start the agent: {}", system_message(errno));
    FileDescriptor read(ends[0]), write(ends[1]);
    std::fflush(nullptr);
    pid_t child = ::fork();
    if (child == 0)
        be_agent(order, log, write.release());
    write.close();
    std::string pid;
    if (child > 0)
        read_to_end(read.get(), pid);
    if (pid.empty())
        throw UserError("the agent ended before it began: there may be too many processes or too little memory");
    return launch::to_json(
        launch::AgentAnswer{order.host.empty() ? host_name() : order.host, std::atoi(pid.c_str()), log.string()});
}

}  // namespace

void add_agent(CLI::App& app, Action& chosen) {
    app.add_subcommand("agent", "Looks after the ranks of this machine for a run whose head is elsewhere")
        ->group("")
        ->callback([&chosen] { chosen = [] { return answer_with(start_agent); }; });
}

}  // namespace trainyard::cli
