// SPDX-License-Identifier: GPL-3.0-or-later
// trainyard serve-run: a run's folder over standard output, for the mirror on another machine (remote/run_stream.h).

#include <csignal>
#include <memory>

#include <CLI/CLI.hpp>
#include <unistd.h>

#include "cli/commands.h"
#include "remote/run_stream.h"

namespace trainyard::cli {

void add_serve_run(CLI::App& app, Action& chosen) {
    auto folder = std::make_shared<std::string>();
    CLI::App* command = app.add_subcommand("serve-run", "Streams a run's folder to a mirror on another machine");
    command->group("");
    command->add_option("--run", *folder, "The run's folder")->required();
    command->callback([folder, &chosen] {
        chosen = [folder] {
            ::signal(SIGPIPE, SIG_IGN);
            return remote::serve_run(run::RunPaths(*folder), STDIN_FILENO, STDOUT_FILENO);
        };
    });
}

}  // namespace trainyard::cli
