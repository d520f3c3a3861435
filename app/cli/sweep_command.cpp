// SPDX-License-Identifier: GPL-3.0-or-later
// trainyard sweep FILE.yaml | FOLDER: many runs of a recipe with other values, and which of them is best.

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>

#include <CLI/CLI.hpp>
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <sys/file.h>

#include "base/error.h"
#include "base/file_descriptor.h"
#include "base/json_writer.h"
#include "base/text.h"
#include "base/text_file.h"
#include "cli/commands.h"
#include "cli/say.h"
#include "cli/sweep_runner.h"
#include "cli/terminal.h"
#include "launch/plan/flags.h"
#include "run/paths.h"
#include "sweep/suggest.h"

namespace trainyard::cli {

namespace fs = std::filesystem;

namespace {

constexpr double kRound = 0.5;  ///< seconds between two looks at the trials

struct SweepArguments {
    std::string what;
    bool json = false, dry_run = false, show = false;
};

/// The folder of all sweeps, in the folder of the runs.
fs::path place_of_sweeps() {
    return run::runs_root() / ".sweeps";
}

nlohmann::json json_of_trial(const sweep::SweepFile& file, const sweep::Trial& trial) {
    nlohmann::json values = nlohmann::json::object();
    for (std::size_t i = 0; i < trial.point.size(); ++i)
        values[file.parameters[i].key] = trial.point[i];
    nlohmann::json json{{"trial", trial.number},
                        {"values", values},
                        {"state", choice_name(trial.state)},
                        {"run", trial.run},
                        {"attempt", trial.attempt}};
    if (!trial.host.empty())
        json["host"] = trial.host;
    if (trial.value) {
        json["value"] = *trial.value;
        json["step"] = trial.step;
    }
    if (!trial.problem.empty())
        json["problem"] = trial.problem.text();
    return json;
}

std::string line_of(const sweep::SweepFile& file, const sweep::Trial& trial, bool is_best) {
    std::string line = fmt::format("trial {:>3}  {:<9}", trial.number, choice_name(trial.state));
    if (trial.value)
        line += fmt::format("  {} {:.6g} at step {}", file.metric, *trial.value, trial.step);
    line += fmt::format("  {}", fmt::join(sweep::assignments(file, trial.point), " "));
    if (!trial.host.empty())
        line += fmt::format("  on {}", trial.host);
    if (is_best)
        line += "  best so far";
    if (!trial.problem.empty())
        line += fmt::format("\n           {}", trial.problem.text());
    return line;
}

void print_trials_to_come(const sweep::SweepFile& file, bool json) {
    const bool learns = file.method == sweep::Method::tpe;
    const std::int64_t known = learns ? std::min(file.trials, file.startup_trials) : file.trials;
    if (json) {
        nlohmann::json trials = nlohmann::json::array();
        for (std::int64_t i = 0; i < known; ++i)
            trials.push_back(json_of_trial(file, {.number = i, .point = sweep::suggest(file, i, {})})["values"]);
        say_format(stdout, "%s\n",
                   json_text(nlohmann::json{{"name", file.name},
                                            {"method", choice_name(file.method)},
                                            {"metric", file.metric},
                                            {"direction", choice_name(file.direction)},
                                            {"trials", file.trials},
                                            {"planned", trials}})
                       .c_str());
        return;
    }
    say(fmt::format("{}: {} trials ({}), {} at once, {} {}", file.name, file.trials, choice_name(file.method),
                    file.at_once, choice_name(file.direction), file.metric));
    for (std::int64_t i = 0; i < known; ++i)
        say(fmt::format("trial {:>3}  {}", i, fmt::join(sweep::assignments(file, sweep::suggest(file, i, {})), " ")));
    if (known < file.trials)
        say(fmt::format("{} more, with values that follow from the results of these", file.trials - known));
}

/// Of the trials so far: how good, what mattered, how to train the best one again.
void print_result(const sweep::Sweep& sweep, bool json) {
    const sweep::SweepFile& file = sweep.file();
    const std::optional<std::int64_t> best = sweep.best();
    const std::vector<double> shares = sweep::importance(file, sweep.trials());
    if (json) {
        nlohmann::json end{{"sweep", sweep.folder().filename().string()}, {"path", sweep.folder().string()}};
        end["best"] = best ? json_of_trial(file, sweep.trials().at(*best)) : nlohmann::json();
        for (std::size_t i = 0; i < shares.size(); ++i)
            end["importance"][file.parameters[i].key] = shares[i];
        say_format(stdout, "%s\n", json_text(end).c_str());
        return;
    }
    if (!best) {
        say(fmt::format("No trial has a value of {} yet.", file.metric));
        return;
    }
    const sweep::Trial& trial = sweep.trials().at(*best);
    say(fmt::format("Best: trial {}, run {}, {} {:.6g} at step {}", trial.number, trial.run, file.metric, *trial.value,
                    trial.step));
    for (std::size_t i = 0; i < shares.size(); ++i)
        say(fmt::format("  {:<32} {:<14} {:>3.0f} % of the differences", file.parameters[i].key, trial.point[i],
                        100 * shares[i]));
    std::string again = "trainyard launch";
    for (const std::string& assignment : sweep::assignments(file, trial.point))
        again += fmt::format(" --set '{}'", assignment);
    say(fmt::format("{} {}", again, (sweep.folder() / "recipe.yaml").string()));
}

int run_sweep(const SweepArguments& arguments) {
    std::error_code error;
    fs::path folder = arguments.what;
    if (const fs::path named = place_of_sweeps() / arguments.what;
        !fs::exists(folder, error) && fs::is_directory(named, error))
        folder = named;
    if (!fs::is_directory(folder, error)) {
        if (arguments.show)
            throw UserError("--show prints a sweep that was begun, and {} is not one: leave it out to begin one",
                            arguments.what);
        const sweep::SweepFile file = sweep::load_sweep(arguments.what);
        std::vector<std::string> words = file.launch;
        words.push_back(file.recipe.string());
        plan::parse_flags(words);  // throws for flags that no launch has
        if (arguments.dry_run) {
            print_trials_to_come(file, arguments.json);
            return kExitDone;
        }
        folder = sweep::Sweep::create(file, text::read_text_file(arguments.what), place_of_sweeps());
    } else if (arguments.dry_run) {
        throw UserError("--dry-run is for the file of a new sweep, and {} was begun: --show prints its trials",
                        folder.filename().string());
    }
    RunsOfSweep runner(folder, sweep::parse_sweep(text::read_text_file(folder / "sweep.yaml"), folder / "sweep.yaml",
                                                  folder / "recipe.yaml"));
    const FileDescriptor lock(::open((folder / ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    if (!arguments.show && lock && ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0)
        throw UserError("another process continues the sweep {}: `--show` prints its trials",
                        folder.filename().string());
    sweep::Sweep sweep(folder, runner);
    const auto print = [&](const sweep::Trial& trial, bool is_best) {
        if (arguments.json)
            say_format(stdout, "%s\n", json_text(json_of_trial(sweep.file(), trial)).c_str());
        else
            say(line_of(sweep.file(), trial, is_best));
        std::fflush(stdout);
    };
    if (arguments.show) {
        for (const auto& [number, trial] : sweep.trials())
            print(trial, false);
        print_result(sweep, arguments.json);
        return kExitDone;
    }
    if (!arguments.json)
        say(folder.filename().string() + "\n" + folder.string());
    InterruptFlag interrupt;
    std::map<std::int64_t, sweep::Trial> shown = sweep.trials();
    std::map<std::string, Message> lost;
    for (bool more = true; more;) {
        more = sweep.advance();
        for (const auto& [host, message] : sweep.lost_hosts())
            if (lost.emplace(host, message).second)
                say(stderr,
                    fmt::format("trainyard: {} is lost: {}: its trials begin again elsewhere", host, message.text()));
        for (const auto& [number, trial] : sweep.trials()) {
            const auto before = shown.find(number);
            if (before == shown.end() || before->second.state != trial.state || before->second.run != trial.run)
                print(trial, sweep.best() == number);
            shown[number] = trial;
        }
        if (more)
            pause_for(kRound);
        if (interrupt.taken()) {
            say(stderr, fmt::format("Trials that are running continue; `trainyard sweep {}` starts the others, "
                                    "`trainyard runs stop` ends them.",
                                    folder.filename().string()));
            return kExitInterrupted;
        }
    }
    print_result(sweep, arguments.json);
    return sweep.best() ? kExitDone : kExitFailed;
}

}  // namespace

void add_sweep(CLI::App& app, Action& chosen) {
    auto arguments = std::make_shared<SweepArguments>();
    CLI::App* command = app.add_subcommand(
        "sweep", "Train a recipe with many values of its keys, and find the best; or continue such a sweep");
    command
        ->add_option("sweep", arguments->what, "sweep.yaml of a new sweep, or the name or folder of one that was begun")
        ->required();
    command->add_flag("--dry-run,--dry_run", arguments->dry_run, "Check it and print the trials without starting any");
    command->add_flag("--show", arguments->show, "Print the trials of a sweep that was begun, and start none");
    command->add_flag("--json", arguments->json, "One JSON object for each change of a trial, and one at the end");
    command->callback([arguments, &chosen] { chosen = [arguments] { return run_sweep(*arguments); }; });
}

}  // namespace trainyard::cli
