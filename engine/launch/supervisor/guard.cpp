// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/supervisor/guard.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <vector>

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/system_call.h"
#include "launch/supervisor/descriptors.h"
#include "launch/supervisor/first_failure.h"
#include "launch/supervisor/process_tree.h"

namespace trainyard::launch {

namespace {

constexpr int kHandedOn[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};

pid_t guard_of_this_process = 0;  // 0: none that counts

sigset_t guarded_signals(bool hands_on) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    for (int number : kHandedOn)
        if (hands_on)
            sigaddset(&set, number);
    return set;
}

/// A terminal sends to all processes in its foreground, the guarded one among them.
bool was_sent_to_both(const siginfo_t& info) {
    return info.si_code == SI_KERNEL && (info.si_signo == SIGINT || info.si_signo == SIGQUIT);
}

[[noreturn]] void be_guard(pid_t guarded, const sigset_t& signals) {
    ::prctl(PR_SET_NAME, "trainyard-guard");
    close_all_but({});
    int status = 0;
    for (bool ended = false; !ended;) {
        siginfo_t info{};
        if (retry_interrupted([&] { return ::sigwaitinfo(&signals, &info); }) < 0)
            ::waitpid(guarded, &status, 0), ended = true;
        else if (info.si_signo != SIGCHLD && info.si_signo != 0 && !was_sent_to_both(info))
            ::kill(guarded, info.si_signo);
        int seen = 0;
        for (pid_t pid; (pid = ::waitpid(-1, &seen, WNOHANG)) > 0;)
            if (pid == guarded) {
                status = seen;
                ended = true;
            }
    }
    int left = end_orphans();
    if (WIFEXITED(status))
        ::_exit(WEXITSTATUS(status));
    std::fprintf(stderr, "%s trainyard: the process %d that looked after the ranks was killed by %s%s\n",
                 iso_time(wall_seconds()).c_str(), static_cast<int>(guarded),
                 signal_text(WTERMSIG(status)).text().c_str(),
                 left > 0 ? ": what its ranks had started was ended" : "");
    std::fflush(stderr);
    ::_exit(128 + WTERMSIG(status));
}

void go_on_as_child(bool hands_on) {
    std::fflush(nullptr);
    const pid_t self = ::getpid();
    int was_reaper = 0;
    ::prctl(PR_GET_CHILD_SUBREAPER, &was_reaper);
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    ::signal(SIGCHLD, SIG_DFL);  // ignored, as it may have been inherited, children could not be waited for
    const sigset_t signals = guarded_signals(hands_on);
    sigset_t before;
    ::sigprocmask(SIG_BLOCK, &signals, &before);
    const pid_t pid = ::fork();
    if (pid > 0)
        be_guard(pid, signals);
    ::sigprocmask(SIG_SETMASK, &before, nullptr);
    if (pid < 0)
        ::prctl(PR_SET_CHILD_SUBREAPER, was_reaper);
    else if (hands_on)
        guard_of_this_process = self;
}

}  // namespace

void go_on_under_guard() {
    go_on_as_child(true);
}

void go_on_under_silent_guard() {
    go_on_as_child(false);
}

bool guard_is_gone() {
    return guard_of_this_process != 0 && ::getppid() != guard_of_this_process;
}

}  // namespace trainyard::launch
