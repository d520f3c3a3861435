// SPDX-License-Identifier: GPL-3.0-or-later
// The `trainyard` command. Only arguments and printing here; what is done lives in the engine's libraries.

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "base/error.h"
#include "base/failure_trace.h"
#include "cli/commands.h"
#include "cli/say.h"
#include "remote/failure.h"

namespace {

/// Accelerate takes --num-processes for --num_processes, so do we. Option names are written with underscores here,
/// but for the two that only Trainyard has.
std::string with_underscores(std::string argument) {
    if (!argument.starts_with("--") || argument.size() == 2)
        return argument;
    std::size_t end = std::min(argument.find('='), argument.size());
    std::replace(argument.begin() + 2, argument.begin() + static_cast<std::ptrdiff_t>(end), '-', '_');
    if (argument == "--dry_run")
        return "--dry-run";
    if (argument == "--no_nan")
        return "--no-nan";
    return argument;
}

/// Errors quote files, names and answers of others, at any length.
void complain(std::string_view sentence) {
    constexpr std::size_t kMost = 8000;
    trainyard::cli::say(stderr, "trainyard: " + trainyard::text::printable_lines(sentence, kMost));
}

/// Of a command that may have printed: what could not be written makes a failure of success.
int with_output_written(int code) {
    bool unwritten = std::fflush(stdout) != 0;
    int error = errno;
    if (!unwritten && std::ferror(stdout) == 0)
        return code;
    std::fprintf(stderr, "trainyard: standard output could not be written%s%s: what was printed is not complete\n",
                 unwritten ? ": " : "", unwritten ? std::strerror(error) : "");
    return code == trainyard::kExitDone ? trainyard::kExitFailed : code;
}

/// The words of the command line. `trainyard-launch` and its kind are links to this program, as Accelerate has them.
std::vector<std::string> command_words(int argc, char** argv) {
    std::vector<std::string> words(argv, argv + argc);
    const std::string name = words.empty() ? "" : std::filesystem::path(words.front()).filename().string();
    for (const char* command : {"launch", "config", "env", "test", "estimate-memory", "merge-weights"})
        if (name == std::string("trainyard-") + command)
            words.insert(words.begin() + 1, command);
    return words;
}

int run_command(int argc, char** argv) {
    trainyard::install_failure_trace();
    std::vector<std::string> command = command_words(argc, argv);
    CLI::App app{"Trains neural networks: configure, launch and watch."};
    app.name("trainyard");
    app.set_version_flag("--version", "trainyard " TRAINYARD_VERSION);
    app.require_subcommand(0, 1);
    trainyard::cli::Action chosen;
    trainyard::cli::add_launch(app, chosen, command);
    trainyard::cli::add_runs(app, chosen);
    trainyard::cli::add_env(app, chosen);
    trainyard::cli::add_cache(app, chosen);
    trainyard::cli::add_download(app, chosen);
    trainyard::cli::add_tokenizer(app, chosen);
    trainyard::cli::add_generate(app, chosen);
    trainyard::cli::add_predict(app, chosen);
    trainyard::cli::add_merge_adapter(app, chosen);
    trainyard::cli::add_trace(app, chosen);
    trainyard::cli::add_merge_weights(app, chosen);
    trainyard::cli::add_quantize(app, chosen);
    trainyard::cli::add_checkpoints(app, chosen);
    trainyard::cli::add_estimate_memory(app, chosen);
    trainyard::cli::add_simulate(app, chosen);
    trainyard::cli::add_sweep(app, chosen);
    trainyard::cli::add_report(app, chosen);
    trainyard::cli::add_alarms(app, chosen);
    trainyard::cli::add_test(app, chosen, command);
    trainyard::cli::add_config(app, chosen);
    trainyard::cli::add_settings_conversions(app, chosen);
    trainyard::cli::add_tpu_config(app, chosen);
    trainyard::cli::add_follow_job(app, chosen);
    trainyard::cli::add_supervise(app, chosen);
    trainyard::cli::add_agent(app, chosen);
    trainyard::cli::add_hosts(app, chosen);
    trainyard::cli::add_probe(app, chosen);
    trainyard::cli::add_mirror(app, chosen);
    trainyard::cli::add_serve_run(app, chosen);
    trainyard::cli::add_completion(app, chosen);

    std::vector<std::string> arguments;
    for (std::size_t i = command.size(); i-- > 1;)  // CLI11 takes them last first
        arguments.push_back(with_underscores(command[i]));
    try {
        app.parse(arguments);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0)
            return app.exit(error);
        complain(error.what());
        std::fputs("Try `trainyard --help`.\n", stderr);
        return trainyard::kExitUsage;
    }
    try {
        if (!chosen) {
            std::fputs(app.help().c_str(), stderr);
            return trainyard::kExitUsage;
        }
        return chosen();
    } catch (const trainyard::InvalidInput& error) {
        for (const trainyard::Problem& problem : error.problems())
            complain(problem.text().text());
        return trainyard::kExitUsage;
    } catch (const trainyard::remote::ConnectionError& error) {
        complain(error.what());
        if (!error.command_to_try().empty())
            trainyard::cli::say(stderr, "  try: " + error.command_to_try());
        return trainyard::kExitUsage;
    } catch (const trainyard::UserError& error) {
        complain(error.what());
        return trainyard::kExitUsage;
    } catch (const std::exception& error) {
        complain(error.what());
        return trainyard::kExitFailed;
    }
}

}  // namespace

int main(int argc, char** argv) {
    return with_output_written(run_command(argc, argv));
}
