// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/supervisor/alarm_process.h"

#include <csignal>
#include <cstdlib>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/files/user_folders.h"
#include "base/filesystem.h"
#include "base/system_call.h"
#include "launch/supervisor/descriptors.h"

namespace trainyard::launch {

namespace {

bool has_alarm_settings() {
    std::error_code error;
    return fs::exists(files::config_folder() / "alarms.json", error);
}

}  // namespace

void start_alarm_process(const run::RunPaths& run) {
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path() / "trainyard";
    if (!has_alarm_settings() || !fs::exists(program, error))
        return;
    const std::string path = program.string(), folder = run.root().string();
    const char* words[] = {path.c_str(), "alarms", "watch", folder.c_str(), nullptr};
    const pid_t pid = ::fork();
    if (pid != 0) {
        if (pid > 0)
            retry_interrupted([&] { return ::waitpid(pid, nullptr, 0); });
        return;
    }
    ::setsid();
    if (::fork() != 0)
        ::_exit(0);
    for (int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT, SIGUSR1})
        ::signal(number, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    const int nothing = ::open("/dev/null", O_RDWR);
    for (int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        ::dup2(nothing, standard);
    close_all_but({});
    ::execv(words[0], const_cast<char**>(words));
    ::_exit(127);
}

}  // namespace trainyard::launch
