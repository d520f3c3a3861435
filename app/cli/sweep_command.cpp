// SPDX-License-Identifier: GPL-3.0-or-later
// trainyard sweep FILE.yaml | FOLDER: many runs of a recipe with other values, and which of them is best.

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include <CLI/CLI.hpp>
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "base/error.h"
#include "base/file_descriptor.h"
#include "base/json_writer.h"
#include "base/text.h"
#include "base/text_file.h"
#include "cli/commands.h"
#include "cli/problem_json.h"
#include "cli/say.h"
#include "cli/sweep_runner.h"
#include "cli/terminal.h"
#include "run/paths.h"
#include "sweep/suggest.h"
#include "sweep/sweep_folder.h"

namespace trainyard::cli {

namespace fs = std::filesystem;

namespace {

constexpr double kRound = 0.5;  ///< seconds between two looks at the trials

struct SweepArguments {
    std::string what;
    bool json = false, dry_run = false, show = false, detach = false;
    bool pause = false, stop = false, remove = false, yes = false, retry = false;
    std::int64_t trials = 0;
};

fs::path sweeps_root() {
    return sweep::sweeps_in(run::runs_root());
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
    std::vector<sweep::Point> points;
    for (std::int64_t i = 0; i < known; ++i)
        points.push_back(sweep::suggest(file, i, {}, points));
    if (json) {
        nlohmann::json trials = nlohmann::json::array();
        for (std::int64_t i = 0; i < known; ++i)
            trials.push_back(
                json_of_trial(file, {.number = i, .point = points[static_cast<std::size_t>(i)]})["values"]);
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
        say(fmt::format("trial {:>3}  {}", i,
                        fmt::join(sweep::assignments(file, points[static_cast<std::size_t>(i)]), " ")));
    if (known < file.trials)
        say(fmt::format("{} more, with values that follow from the results of these", file.trials - known));
}

void print_trial(const sweep::SweepFile& file, const sweep::Trial& trial, bool is_best, bool json) {
    if (json)
        say_format(stdout, "%s\n", json_text(json_of_trial(file, trial)).c_str());
    else
        say(line_of(file, trial, is_best));
    std::fflush(stdout);
}

/// The command that trains the recipe, or starts the program, with the values of a trial.
std::string command_of_trial(const fs::path& folder, const sweep::SweepFile& file, const sweep::Trial& trial) {
    std::vector<std::string> words{"trainyard", "launch"};
    if (!file.program.empty()) {
        words.push_back((run::runs_root() / trial.run / "run.yaml").string());
        return text::shell_words(words);
    }
    words.insert(words.end(), file.launch.begin(), file.launch.end());
    for (const std::string& assignment : sweep::assignments(file, trial.point))
        words.insert(words.end(), {"--set", assignment});
    words.push_back((folder / "recipe.yaml").string());
    return text::shell_words(words);
}

/// Of the trials so far: how good, what mattered, how to train the best one again.
void print_result(const fs::path& folder, const sweep::SweepFile& file,
                  const std::map<std::int64_t, sweep::Trial>& trials, bool json) {
    const std::optional<std::int64_t> best = sweep::best_trial(file, trials);
    const std::vector<double> shares = sweep::importance(file, trials);
    if (json) {
        nlohmann::json end{{"sweep", folder.filename().string()}, {"path", folder.string()}};
        end["best"] = best ? json_of_trial(file, trials.at(*best)) : nlohmann::json();
        for (std::size_t i = 0; i < shares.size(); ++i)
            end["importance"][file.parameters[i].key] = shares[i];
        say_format(stdout, "%s\n", json_text(end).c_str());
        return;
    }
    if (!best) {
        say(fmt::format("No trial has a value of {} yet.", file.metric));
        return;
    }
    const sweep::Trial& trial = trials.at(*best);
    say(fmt::format("Best: trial {}, run {}, {} {:.6g} at step {}", trial.number, trial.run, file.metric, *trial.value,
                    trial.step));
    for (std::size_t i = 0; i < shares.size(); ++i)
        say(fmt::format("  {:<32} {:<14} {:>3.0f} % of the differences", file.parameters[i].key, trial.point[i],
                        100 * shares[i]));
    say(command_of_trial(folder, file, trial));
}

/// The folder of a sweep that was begun, given as folder, id (NAME-3f2a) or NAME; empty: `what` is not one. Throws
/// UserError if several have that name.
fs::path sweep_folder_of(const std::string& what) {
    std::error_code error;
    for (const fs::path& folder : {fs::path(what), sweeps_root() / what})
        if (fs::is_directory(folder, error))
            return folder;
    if (fs::exists(what, error))
        return {};
    std::vector<std::string> ids;
    for (const fs::path& folder : sweep::sweep_folders(sweeps_root()))
        if (const std::string id = folder.filename().string(); id.substr(0, id.rfind('-')) == what)
            ids.push_back(id);
    if (ids.size() > 1)
        throw UserError("several sweeps are called {}: name one of {}", what, fmt::join(ids, ", "));
    return ids.empty() ? fs::path() : sweeps_root() / ids.front();
}

int list_sweeps(bool json) {
    nlohmann::json all = nlohmann::json::array();
    for (const fs::path& folder : sweep::sweep_folders(sweeps_root())) {
        nlohmann::json one{{"sweep", folder.filename().string()}, {"path", folder.string()}};
        try {
            const sweep::StoredSweep sweep = sweep::read_sweep(folder);
            one["state"] = choice_name(sweep.state);
            one["trials"] = sweep.file.trials;
            one["over"] = sweep.over();
            if (const auto best = sweep.best())
                one["best"] = json_of_trial(sweep.file, sweep.trials.at(*best));
            if (!sweep.problem.empty())
                one["problem"] = sweep.problem.text();
        } catch (const UserError& error) {
            one["state"] = "unreadable";
            one["problem"] = error.message().text();
        }
        if (!json)
            say(fmt::format("{:<32} {:<12} {:>9}{}", one["sweep"].get<std::string>(), one["state"].get<std::string>(),
                            one.contains("trials") ? fmt::format("{}/{}", one["over"].get<std::int64_t>(),
                                                                 one["trials"].get<std::int64_t>())
                                                   : "",
                            one.contains("problem") ? "  " + one["problem"].get<std::string>() : ""));
        all.push_back(std::move(one));
    }
    if (json)
        say_format(stdout, "%s\n", json_text(all).c_str());
    else if (all.empty())
        say("No sweeps in " + sweeps_root().string() + " yet.");
    return kExitDone;
}

void confirm_deletion(const SweepArguments& arguments, const fs::path& folder) {
    if (arguments.yes)
        return;
    if (!is_terminal(STDIN_FILENO))
        throw UserError("--delete removes the folder {}, and nobody can be asked here: add --yes", folder.string());
    say(stderr, fmt::format("Delete the folder {}? The runs of its trials stay. [y/N]", folder.string()));
    std::string answer;
    std::getline(std::cin, answer);
    if (answer != "y" && answer != "yes")
        throw UserError("nothing was deleted");
}

/// The process leaves its starter and its terminal; false in the starter. Its output goes to a file of the folder.
bool leave_terminal(const fs::path& folder) {
    std::fflush(nullptr);
    const pid_t pid = ::fork();
    if (pid < 0)
        throw UserError("the sweep cannot be started: {}", system_message(errno));
    if (pid > 0)
        return false;
    ::setsid();
    for (int number : {SIGINT, SIGHUP, SIGPIPE, SIGQUIT, SIGTSTP, SIGTTOU, SIGTTIN})
        ::signal(number, SIG_IGN);
    const FileDescriptor nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
    const FileDescriptor log(::open((folder / "log.txt").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
    ::dup2(nothing.get(), STDIN_FILENO);
    ::dup2(log ? log.get() : nothing.get(), STDOUT_FILENO);
    ::dup2(log ? log.get() : nothing.get(), STDERR_FILENO);
    return true;
}

/// From where the sweep is to its end, or until it is asked to end.
int continue_sweep(sweep::Sweep& sweep, bool json) {
    const fs::path& folder = sweep.folder();
    const std::string id = folder.filename().string();
    InterruptFlag interrupt;
    std::map<std::int64_t, sweep::Trial> shown = sweep.trials();
    std::map<std::string, Message> lost;
    const auto end = [&](sweep::SweepState state) {
        if (state == sweep::SweepState::stopped)
            sweep.stop_trials();
        sweep::write_end(folder, state);
        say(stderr, state == sweep::SweepState::stopped
                        ? fmt::format("The trials were stopped; `trainyard sweep {}` begins them again.", id)
                        : fmt::format("Trials that are running continue; `trainyard sweep {}` starts the others, "
                                      "`trainyard runs stop` ends them.",
                                      id));
    };
    for (bool more = true; more;) {
        if (const auto asked = sweep::asked_end(folder)) {
            end(*asked);
            return kExitResumable;
        }
        more = sweep.advance();
        for (const auto& [host, message] : sweep.lost_hosts())
            if (lost.emplace(host, message).second)
                say(stderr,
                    fmt::format("trainyard: {} is lost: {}: its trials begin again elsewhere", host, message.text()));
        for (const auto& [number, trial] : sweep.trials()) {
            const auto before = shown.find(number);
            if (before == shown.end() || before->second.state != trial.state || before->second.run != trial.run)
                print_trial(sweep.file(), trial, sweep.best() == number, json);
            shown[number] = trial;
        }
        if (more)
            pause_for(kRound);
        if (interrupt.taken()) {
            end(sweep::SweepState::paused);
            return kExitInterrupted;
        }
    }
    print_result(folder, sweep.file(), sweep.trials(), json);
    return sweep.best() ? kExitDone : kExitFailed;
}

int show_sweep(const fs::path& folder, bool json) {
    const sweep::SweepFile file = sweep::load_begun(folder);
    const std::map<std::int64_t, sweep::Trial> trials = sweep::read_trials(folder, file);
    for (const auto& [number, trial] : trials)
        print_trial(file, trial, false, json);
    print_result(folder, file, trials, json);
    return kExitDone;
}

int run_sweep(const SweepArguments& arguments) {
    if (arguments.what.empty())
        return list_sweeps(arguments.json);
    fs::path folder = sweep_folder_of(arguments.what);
    sweep::SweepFile file;
    if (folder.empty()) {
        for (const auto& [name, given] : {std::pair("--show", arguments.show),
                                          {"--pause", arguments.pause},
                                          {"--stop", arguments.stop},
                                          {"--delete", arguments.remove},
                                          {"--trials", arguments.trials > 0},
                                          {"--retry", arguments.retry}})
            if (given)
                throw UserError("{} is for a sweep that was begun, and {} is not one: leave it out to begin one", name,
                                arguments.what);
        file = sweep::load_sweep(arguments.what);
        if (arguments.dry_run) {
            print_trials_to_come(file, arguments.json);
            return kExitDone;
        }
        folder = sweep::Sweep::create(file, text::read_text_file(arguments.what), sweeps_root());
    } else {
        if (arguments.dry_run)
            throw UserError("--dry-run is for the file of a new sweep, and {} was begun: --show prints its trials",
                            folder.filename().string());
        if (arguments.show)
            return show_sweep(folder, arguments.json);
        if (arguments.pause || arguments.stop) {
            sweep::ask_to_end(folder, arguments.stop);
            return kExitDone;
        }
        if (arguments.remove) {
            confirm_deletion(arguments, folder);
            sweep::delete_sweep(folder);
            return kExitDone;
        }
    }
    const sweep::SweepLock lock(folder);
    if (arguments.trials > 0)
        sweep::raise_trials(folder, arguments.trials);
    if (file.parameters.empty() || arguments.trials > 0)
        file = sweep::load_begun(folder);
    sweep::begin_again(folder);
    if (arguments.detach && !leave_terminal(folder)) {
        if (arguments.json)
            say_format(
                stdout, "%s\n",
                json_text(nlohmann::json{{"sweep", folder.filename().string()}, {"path", folder.string()}}).c_str());
        else
            say(folder.filename().string() + "\n" + folder.string());
        return kExitDone;
    }
    if (!arguments.json && !arguments.detach)
        say(folder.filename().string() + "\n" + folder.string());
    try {
        RunsOfSweep runner(folder, file);
        sweep::Sweep sweep(folder, file, runner);
        if (arguments.retry)
            sweep.retry_failed();
        return continue_sweep(sweep, arguments.json);
    } catch (const std::exception& error) {
        sweep::write_end(folder, sweep::SweepState::failed, message_of(error));
        throw;
    }
}

int run_and_report(const SweepArguments& arguments) {
    try {
        return run_sweep(arguments);
    } catch (const UserError& error) {
        if (arguments.json && arguments.detach)
            say_format(stdout, "%s\n", problems_json(error).c_str());
        throw;
    }
}

}  // namespace

void add_sweep(CLI::App& app, Action& chosen) {
    auto arguments = std::make_shared<SweepArguments>();
    CLI::App* command = app.add_subcommand(
        "sweep", "Train a recipe with many values of its keys, and find the best; or continue such a sweep");
    command->add_option("sweep", arguments->what,
                        "sweep.yaml of a new sweep, or the name or folder of one that was begun; none: lists all");
    command->add_flag("--dry-run,--dry_run", arguments->dry_run, "Check it and print the trials without starting any");
    command->add_flag("--show", arguments->show, "Print the trials of a sweep that was begun, and start none");
    command->add_flag("--detach", arguments->detach, "Return at once: the sweep continues without this terminal");
    command->add_option("--trials", arguments->trials, "Continue with more trials: their number in all")
        ->check(CLI::Range(std::int64_t{1}, sweep::kMostTrials));
    command->add_flag("--retry", arguments->retry, "Continue, and begin the trials that failed again");
    CLI::Option* pause = command->add_flag("--pause", arguments->pause, "Start no more trials; running trials finish");
    CLI::Option* stop = command->add_flag("--stop", arguments->stop, "End the sweep and the trials that run");
    CLI::Option* remove =
        command->add_flag("--delete", arguments->remove, "Delete the folder of a sweep; the runs of its trials stay");
    pause->excludes(stop)->excludes(remove);
    stop->excludes(remove);
    command->add_flag("--yes", arguments->yes, "Delete without asking")->needs(remove);
    command->add_flag("--json", arguments->json, "One JSON object for each change of a trial, and one at the end");
    command->callback([arguments, &chosen] { chosen = [arguments] { return run_and_report(*arguments); }; });
}

}  // namespace trainyard::cli
