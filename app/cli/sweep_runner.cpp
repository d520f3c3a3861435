// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/sweep_runner.h"

#include <algorithm>
#include <fstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/fields.h"
#include "base/file.h"
#include "base/run_program.h"
#include "cli/launch_program.h"
#include "cli/terminal.h"
#include "launch/plan/plan.h"
#include "launch/supervisor/program_launch.h"
#include "launch/supervisor/recipe_launch.h"
#include "run/listing.h"
#include "run/request_body.h"
#include "run/run_labels.h"
#include "run/spec.h"
#include "run/state.h"

namespace trainyard::cli {

namespace fs = std::filesystem;

namespace {

constexpr double kStartSeconds = 900;  ///< of a launch, with the copy of the engine to a host
constexpr double kCheckSeconds = 60;   ///< of a look at a host
constexpr double kHostPatience = 30;   ///< until a host that cannot be reached is given up
constexpr double kStopSeconds = 60;    ///< until a run that is asked to stop has left its device

/// The answer of `launch --detach --json`.
struct Started {
    std::string run_id;
    void fields(auto& field) const { field("run_id", run_id).required(); }
};

run::RunPaths paths_of(const sweep::Trial& trial) {
    return run::RunPaths(run::runs_root() / trial.run);
}

/// Whether a process of `trainyard launch` has this word, with the name of the run: that of a sweep that was killed.
bool is_starting(const std::string& text) {
    const std::string word = text + '\0';
    std::error_code error;
    for (fs::directory_iterator entry("/proc", error), end; !error && entry != end; entry.increment(error)) {
        std::ifstream file(entry->path() / "cmdline", std::ios::binary);
        const std::string words{std::istreambuf_iterator<char>(file), {}};
        if (words.find('\0' + word) != std::string::npos)
            return true;
    }
    return false;
}

Message last_words(const ProgramResult& result) {
    constexpr std::string_view kProgram = "trainyard: ";
    std::string text = result.error.substr(result.error.starts_with(kProgram) ? kProgram.size() : 0);
    text.erase(text.find_last_not_of('\n') + 1);
    return text.empty() ? Message("the launch failed without a message") : Message::verbatim(text);
}

}  // namespace

RunsOfSweep::RunsOfSweep(fs::path folder, const sweep::SweepFile& file)
    : folder_(std::move(folder)), program_(fs::read_symlink("/proc/self/exe")), file_(file) {}

std::vector<std::string> RunsOfSweep::flags_of(const sweep::Trial& trial) const {
    if (file_.devices == 0)
        return file_.launch;
    std::vector<std::string> words;
    bool counts = false;
    for (std::size_t i = 0; i < file_.launch.size(); ++i) {
        std::string name = file_.launch[i].substr(0, file_.launch[i].find('='));
        std::ranges::replace(name, '-', '_');
        counts = counts || name == "__num_processes";
        if (name != "__gpu_ids")
            words.push_back(file_.launch[i]);
        else if (file_.launch[i].find('=') == std::string::npos)
            ++i;  // its value
    }
    const std::vector<std::string> pool = sweep::device_pool(file_, 0);
    std::vector<std::string> ids;
    for (std::int64_t i = trial.slot * file_.devices; i < (trial.slot + 1) * file_.devices; ++i)
        ids.push_back(i < std::ssize(pool) ? pool[static_cast<std::size_t>(i)] : std::to_string(i));
    if (!counts && trial.host.empty())
        words.insert(words.end(), {"--num_processes", std::to_string(file_.devices)});
    words.insert(words.end(), {"--gpu_ids", fmt::format("{}", fmt::join(ids, ","))});
    return words;
}

void RunsOfSweep::write_program(const sweep::Trial& trial, const std::string& name) const {
    std::vector<std::string> words = flags_of(trial);
    const auto is_given = [&](const char* flag) { return std::ranges::find(words, flag) != words.end(); };
    if (fs::path(file_.program.front()).extension() != ".py" && !is_given("--module") && !is_given("-m") &&
        !is_given("--no_python"))
        words.emplace_back("--no_python");
    for (const std::string& word : file_.program)
        if (std::string filled = sweep::filled_in(file_, trial.point, word); !filled.empty() || word.empty())
            words.push_back(std::move(filled));  // a flag that is left out is a value without text
    const plan::Flags flags = plan::parse_flags(words);
    const launch::LaunchSettings settings = launch::resolve_launch(flags);
    const plan::Plan made =
        plan::make_plan(flags, settings.resolved, settings.machine, settings.environment, interpreter());
    words.insert(words.begin(), {"trainyard", "launch"});
    run::RunSpec spec = launch::program_spec(made, flags, settings, words);
    spec.recipe.name = name;
    spec.program->directory = file_.directory.string();
    for (const auto& [variable, value] : file_.environment)
        spec.program->environment[variable] = sweep::filled_in(file_, trial.point, value);
    write_file_atomically(program_file(name), run::to_yaml(spec));
}

std::string RunsOfSweep::start(const sweep::Trial& trial, const std::string& name) {
    std::vector<std::string> words{program_, "launch", "--detach", "--json"};
    if (!trial.host.empty()) {
        const bool has_share = file_.devices == 0 || trial.host.find(':') != std::string::npos;
        words.insert(words.end(),
                     {"--hosts", has_share ? trial.host : fmt::format("{}:{}", trial.host, file_.devices)});
    }
    if (!file_.program.empty()) {
        write_program(trial, name);
        if (std::ranges::find(file_.launch, "--queue") != file_.launch.end())
            words.emplace_back("--queue");
        words.push_back(program_file(name).string());
    } else {
        const std::vector<std::string> flags = flags_of(trial);
        words.insert(words.end(), flags.begin(), flags.end());
        for (const std::string& assignment : sweep::assignments(file_, trial.point))
            words.insert(words.end(), {"--set", assignment});
        words.insert(words.end(), {"--set", "name=" + name, (folder_ / "recipe.yaml").string()});
    }
    const ProgramResult result = run_program(words, {}, kStartSeconds);
    if (result.status < 0)
        throw UserError("{} cannot be started", words[0]);
    if (result.timed_out)
        throw UserError("the launch did not end within {:.0f} s", kStartSeconds);
    if (!result.ok()) {
        // A host that is fine refuses the trial itself.
        const std::string host = trial.host.substr(0, trial.host.find(':'));
        if (!host.empty() && !run_program({words[0], "hosts", "check", host}, {}, kCheckSeconds).ok())
            throw HostLost{Message("{}: {}", trial.host, last_words(result))};
        throw UserError(last_words(result));
    }
    const auto started = fields::from_text<Started>(result.output, "launch");
    const run::RunPaths paths(run::runs_root() / started.run_id);
    run::Labels labels = run::labels_or_none(paths);
    run::add_tag(labels, file_.name);
    run::write_labels(paths, labels);
    return started.run_id;
}

std::string RunsOfSweep::find(const std::string& name) {
    const double until = monotonic_seconds() + kStartSeconds;
    while (true) {
        // The process first: what it started before it ended is in the list.
        const std::string word = file_.program.empty() ? "name=" + name : program_file(name).string();
        const bool may_come = is_starting(word) && monotonic_seconds() < until;
        for (const run::ListedRun& run : run::list_runs(run::runs_root()))
            if (run.state && run.state->name == name)
                return run.paths.id();
        if (!may_come)
            return {};
        pause_for(kLook);
    }
}

sweep::TrialRunner::Look RunsOfSweep::look(const sweep::Trial& trial) {
    using State = Look::State;
    const run::RunPaths paths = paths_of(trial);
    Look look;
    const std::optional<run::RunState> state = run::read_state(paths);
    auto& curves = curves_[trial.run];
    if (!curves)
        curves = std::make_unique<events::ScalarFolder>(paths.metrics());
    // The state first: what a run logged before it ended is there then.
    while (curves->poll()) {
    }
    auto curve = curves->curves().find(file_.metric);
    if (curve == curves->curves().end() && !file_.program.empty())
        curve = curves->curves().find("printed/" + file_.metric);
    if (curve != curves->curves().end())
        for (const events::CurvePoint& point : curve->second)
            look.curve.push_back({point.step, point.value});
    if (!state) {
        std::error_code error;
        if (!fs::exists(paths.root(), error)) {
            look.state = State::failed;
            look.message = Message("the folder of the run was removed");
        }
        return look;
    }
    const double now = wall_seconds();
    const std::string shown = run::shown_status(*state, now);
    if (state->status == run::Status::finished && (!state->mirror || state->mirror->complete)) {
        look.state = State::finished;
    } else if (state->status == run::Status::failed || state->status == run::Status::stopped) {
        look.state = State::failed;
        look.message = state->message;
    } else if (shown == "unreachable") {
        if (state->mirror && now - state->mirror->contact > kHostPatience) {
            look.state = State::unreachable;
            look.message = Message("nothing was heard of it for {:.0f} s", kHostPatience);
        }
    } else if (shown == "lost" || shown == "abandoned") {
        look.state = trial.host.empty() ? State::failed : State::unreachable;
        look.message = run::shown_message(*state, now);
    }
    if (is_over(trial.state) || look.state == State::finished || look.state == State::failed)
        curves_.erase(trial.run);
    return look;
}

void RunsOfSweep::stop(const sweep::Trial& trial) {
    const run::RunPaths paths = paths_of(trial);
    try {
        run::drop_request(paths, run::make_request(run::StopRequest{.checkpoint = false}, "terminal"));
    } catch (const UserError&) {
        return;  // its folder is gone
    }
    const double until = monotonic_seconds() + kStopSeconds;
    while (monotonic_seconds() < until) {
        const auto state = run::read_state(paths);
        if (!state || run::is_over(state->status) || run::is_lost(*state, wall_seconds()) ||
            run::shown_status(*state, wall_seconds()) == "unreachable")
            return;
        pause_for(kLook);
    }
}

}  // namespace trainyard::cli
