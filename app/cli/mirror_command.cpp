// SPDX-License-Identifier: GPL-3.0-or-later
// trainyard mirror: keeps the local copy of a run on another machine current until the run is over.

#include <csignal>
#include <cstdio>
#include <functional>
#include <memory>

#include <CLI/CLI.hpp>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file_descriptor.h"
#include "base/filesystem.h"
#include "cli/commands.h"
#include "remote/mirror.h"
#include "run/listing.h"

namespace trainyard::cli {

namespace {

/// `prepare` runs once the secrets have been read.
int follow_copy(const run::RunPaths& local, bool secrets, const std::function<void()>& prepare) {
    remote::BagAsker asker(secrets ? remote::SecretBag::read(STDIN_FILENO) : remote::SecretBag());
    prepare();
    remote::MirrorOptions options;
    options.asker = secrets ? &asker : nullptr;
    options.logged_in = [&asker] { asker.forget(); };
    return remote::run_mirror(local, options);
}

/// Continues in a process of its own session, without terminal and inherited descriptors. That process reads the
/// secrets: memory locks do not pass to a forked process, and no other one needs them.
int detach(const run::RunPaths& local, bool secrets) {
    std::fflush(nullptr);
    pid_t child = ::fork();
    if (child < 0)
        throw UserError("the mirror could not be started: there are too many processes");
    if (child > 0) {
        ::waitpid(child, nullptr, 0);
        return kExitDone;
    }
    ::setsid();
    if (::fork() != 0)
        ::_exit(0);
    auto leave_starter = [] {
        FileDescriptor nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
        for (int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
            ::dup2(nothing.get(), fd);
        ::close_range(3, ~0u, 0);
        (void)nothing.release();
    };
    int code = kExitFailed;
    try {
        code = follow_copy(local, secrets, leave_starter);
    } catch (const std::exception&) {
        // Report the error in mirror.json if possible.
    }
    ::_exit(code);
}

}  // namespace

void add_mirror(CLI::App& app, Action& chosen) {
    auto run = std::make_shared<std::string>();
    auto detached = std::make_shared<bool>(false);
    auto secrets = std::make_shared<bool>(false);
    CLI::App* command = app.add_subcommand("mirror", "Keeps the local copy of a run on another machine current");
    command->group("");
    command->add_option("run", *run, "Id, name or folder of the copy")->required();
    command->add_flag("--detach", *detached, "Continue in the background");
    command->add_flag("--secrets", *secrets, "What its connection is asked for comes on standard input");
    command->callback([run, detached, secrets, &chosen] {
        chosen = [run, detached, secrets] {
            run::RunPaths local = run::mirror_source(run::RunPaths(*run)) ? run::RunPaths(fs::absolute(*run))
                                                                          : run::find_run(run::runs_root(), *run);
            return *detached ? detach(local, *secrets) : follow_copy(local, *secrets, [] {});
        };
    });
}

}  // namespace trainyard::cli
