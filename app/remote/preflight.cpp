// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/preflight.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <thread>

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/listen_socket.h"
#include "base/run_program.h"
#include "base/text.h"
#include "config/accelerate/settings_file.h"
#include "config/inputs/check_resume.h"
#include "config/inputs/recipe_inputs.h"
#include "config/inputs/start_weights.h"
#include "config/inputs/tokenizer_check.h"
#include "config/recipe/device_checks.h"
#include "config/recipe/recipe.h"
#include "estimate/training_memory.h"
#include "launch/plan/probe.h"
#include "launch/plan/recipe_keys.h"
#include "launch/supervisor/continuation.h"
#include "launch/supervisor/disk_room.h"
#include "launch/supervisor/prepare.h"
#include "run/paths.h"

namespace trainyard::remote {

namespace fs = std::filesystem;
using State = CheckResult::State;

namespace {

constexpr double kProgramSeconds = 20;  // a first start reads LibTorch from disk
constexpr std::string_view kOfLaunch[] = {"reach",  "host_key", "engine",   "data",        "disk",   "formats",
                                          "output", "port",     "settings", "interpreter", "program"};
constexpr int kShowWords = 160;  // of the output of a program that failed

CheckResult passed(Message text) {
    CheckResult result;
    result.state = State::passed;
    result.text = std::move(text);
    return result;
}

CheckResult with(State state, Message text, Message mend) {
    CheckResult result;
    result.state = state;
    result.text = std::move(text);
    result.mend = std::move(mend);
    return result;
}

std::string last_line(std::string text) {
    while (!text.empty() && (text.back() == '\n' || text.back() == ' '))
        text.pop_back();
    text = text.substr(text.rfind('\n') + 1);
    return text.size() > kShowWords ? text.substr(0, kShowWords) + "…" : text;
}

std::string joined(const std::vector<std::string>& words) {
    std::string line;
    for (const std::string& word : words)
        line += (line.empty() ? "" : " ") + shell_quote(word);
    return line;
}

/// Runs a program and returns the first line of its output as the result, or a failure with advice.
CheckResult ask_program(const std::vector<std::string>& argv, int cancelled, const Message& what, const Message& mend) {
    const ProgramResult said = run_program(argv, {}, kProgramSeconds, cancelled);
    CheckResult result =
        said.ok() ? passed(Message::verbatim(text::first_line(said.output)))
        : said.timed_out
            ? with(State::failed, Message("{} does not answer", what), mend)
            : with(State::failed, Message("{}: {}", what, last_line(said.error.empty() ? said.output : said.error)),
                   mend);
    result.command = joined(argv);
    return result;
}

fs::path existing_part(fs::path place) {
    std::error_code error;
    while (!fs::exists(place, error) && place != place.parent_path())
        place = place.parent_path();
    return place;
}

/// Reads a value in bytes; 0: unknown. `name` includes its colon: `MemTotal:`.
std::uint64_t memory_line(const std::string& name) {
    std::ifstream file("/proc/meminfo");
    std::string word;
    for (std::uint64_t kilobytes = 0; file >> word; file.ignore(1 << 10, '\n'))
        if (word == name && file >> kilobytes)
            return kilobytes * 1024;
    return 0;
}

CheckResult check_output(const fs::path& place) {
    const fs::path existing = existing_part(place);
    std::error_code error;
    CheckResult result = passed(existing == place ? Message("can be written") : Message("new, can be written"));
    if (!fs::is_directory(existing, error))
        result =
            with(State::failed, Message("{} is not a folder", existing.string()), "choose another folder for runs");
    else if (::access(existing.c_str(), W_OK | X_OK) != 0)
        result = with(State::failed, Message("{} cannot be written: {}", existing.string(), system_message(errno)),
                      "choose another folder for runs, or change its rights");
    result.command = joined({"test", "-w", existing.string()});
    return result;
}

CheckResult check_disk(const fs::path& place, std::uint64_t needed) {
    const fs::path existing = existing_part(place);
    struct statvfs disk {};
    CheckResult result;
    if (::statvfs(existing.c_str(), &disk) != 0) {
        result = with(State::warning,
                      Message("the free space of {} is not known: {}", existing.string(), system_message(errno)),
                      "make sure that checkpoints fit");
    } else {
        const std::uint64_t room = static_cast<std::uint64_t>(disk.f_bavail) * disk.f_frsize;
        const Message found = Message("{} free, needs {}", text::file_size(room), text::file_size(needed));
        result = room < needed ? with(State::failed, Message("the disk of {} is too full: {}", place.string(), found),
                                      "make room, or choose another folder for runs")
                               : passed(found);
    }
    result.command = joined({"df", "-h", existing.string()});
    return result;
}

CheckResult check_memory(const config::Recipe& recipe, int ranks) {
    const auto needed = static_cast<std::uint64_t>(estimate::memory_of_ranks(recipe, ranks));
    const std::uint64_t all = memory_line("MemTotal:") + memory_line("SwapTotal:");
    const std::uint64_t free = memory_line("MemAvailable:");
    const Message found = Message("{} of {} free", text::memory_size(needed), text::memory_size(free));
    const Message mend = "use a smaller micro-batch with more accumulation, or fewer ranks";
    CheckResult result =
        all > 0 && needed > all
            ? with(State::failed,
                   Message("needs about {}, the machine has {}", text::memory_size(needed), text::memory_size(all)),
                   mend)
        : free > 0 && needed > free
            ? with(State::warning, Message("about {}: the machine may swap or end the run", found), mend)
            : passed(found);
    result.command = "free -h";
    return result;
}

CheckResult check_port(int port) {
    const int wanted = port;
    CheckResult result;
    try {
        FileDescriptor reservation;
        listen_for_ranks("127.0.0.1", port, reservation);
        result = passed(wanted == 0 ? Message("a free port is used") : Message("{} is free", port));
    } catch (const UserError& error) {
        result = with(State::failed, error.message(), "use port 0 to get a free one");
    }
    result.command = joined({"ss", "-ltn", "sport = :" + std::to_string(wanted)});
    return result;
}

/// Checks every address, since a host does not know yet which one its peers will use. Ports are bound and released,
/// without listening.
CheckResult check_ports(const std::vector<int>& ports) {
    std::vector<Message> taken;
    int named = 0;
    for (const int port : ports) {
        if (port == 0)
            continue;
        ++named;
        const FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        sockaddr_in place{};
        place.sin_family = AF_INET;
        place.sin_port = htons(static_cast<std::uint16_t>(port));
        if (!socket || ::bind(socket.get(), reinterpret_cast<const sockaddr*>(&place), sizeof place) != 0)
            taken.push_back(Message("port {}: {}", port, system_message(errno)));
    }
    CheckResult result = !taken.empty() ? with(State::failed, Message::joined(taken),
                                               "stop the program that uses it, or use port 0 to get a free one")
                         : named == 0   ? passed("a free port is used")
                         : named == 1   ? passed(Message("{} is free", *std::ranges::max_element(ports)))
                                        : passed(Message("free"));
    result.command = joined({"ss", "-ltnp"});
    return result;
}

/// Fills in the model settings that a recipe takes from its weights, which are read on this machine.
std::shared_ptr<const config::Recipe> settled(config::Recipe recipe) {
    inputs::settle_model_of(recipe);
    return std::make_shared<const config::Recipe>(std::move(recipe));
}

/// `device`: as in launch settings.
CheckResult check_formats(const config::Recipe& recipe, const std::string& device) {
    const DeviceFacts facts = plan::probe_device(device);
    if (const std::vector<Problem> problems = config::missing_formats(recipe, facts); !problems.empty())
        return with(State::failed, Message("{}: {}", problems.front().key, problems.front().message), "");
    const std::vector<Message> notes = config::notes_on_formats(recipe, facts);
    return notes.empty() ? passed(facts.words()) : with(State::warning, Message::joined(notes), "");
}

CheckResult check_data(const config::Recipe& recipe, int ranks) {
    std::vector<inputs::InputProblem> problems = inputs::check_recipe_inputs(recipe, ranks);
    for (Message& problem : inputs::check_resume(recipe))
        problems.push_back({"checkpoint.resume_from", std::move(problem)});
    if (const auto last = inputs::step_without_rest(recipe); last && problems.empty())
        return with(State::warning, inputs::no_rest_message(*last, recipe.training.steps),
                    Message("raise training.steps above {}", *last));
    if (problems.empty()) {
        std::vector<inputs::InputProblem> notes = inputs::notes_on_files(recipe);
        if (Message note = launch::resumed_schedule_note(recipe); !note.empty())
            notes.insert(notes.begin(), {"schedule.decay_steps", std::move(note)});
        if (!notes.empty())
            return with(State::warning, notes.front().message, "");
    }
    if (problems.empty())
        return passed(recipe.data.paths.empty()
                          ? Message("readable")
                          : Message::verbatim(fs::path(recipe.data.paths.front()).filename().string()));
    std::vector<Message> messages;
    for (const inputs::InputProblem& problem : problems)
        messages.push_back(problem.message);
    return with(State::failed, Message::joined(messages), Message("correct {} in the recipe", problems.front().key));
}

}  // namespace

Preflight::Preflight(std::string host, std::vector<Step> steps) : host_(std::move(host)), steps_(std::move(steps)) {
    for (const Step& step : steps_) {
        CheckResult result;
        result.check = step.check;
        result.host = host_;
        results_.push_back(result);
    }
}

std::vector<CheckResult> Preflight::results() const {
    const std::lock_guard lock(mutex_);
    return results_;
}

void Preflight::tell(std::size_t step, CheckResult result) {
    result.check = steps_[step].check;
    result.host = host_;
    const std::lock_guard one_at_a_time(telling_);
    {
        const std::lock_guard lock(mutex_);
        results_[step] = result;
    }
    if (on_check)
        on_check(result);
}

bool Preflight::run() {
    std::vector<State> states;
    for (const CheckResult& result : results())
        states.push_back(result.state == State::passed || result.state == State::warning ? result.state
                                                                                         : State::waiting);
    auto state_of = [&](const std::string& check) {
        for (std::size_t i = 0; i < steps_.size(); ++i)
            if (steps_[i].check == check)
                return states[i];
        return State::passed;
    };
    while (!cancelled_->is_set()) {
        std::vector<std::thread> threads;
        std::vector<std::size_t> now;
        bool skipped = false;
        for (std::size_t i = 0; i < steps_.size(); ++i) {
            if (states[i] != State::waiting)
                continue;
            std::string waits, failed;
            for (const std::string& need : steps_[i].needs) {
                const State state = state_of(need);
                if (state == State::waiting)
                    waits = need;
                else if (state == State::failed || state == State::skipped)
                    failed = need;
            }
            if (!failed.empty()) {
                states[i] = State::skipped;
                tell(i, with(State::skipped, Message("needs: {}", failed), ""));
                skipped = true;
            } else if (waits.empty()) {
                now.push_back(i);
            } else {
                tell(i, with(State::waiting, Message("waits for: {}", waits), ""));
            }
        }
        for (const std::size_t i : now) {
            tell(i, with(State::running, "", ""));
            threads.emplace_back([this, i, &states] {
                const double begun = monotonic_seconds();
                CheckResult result;
                try {
                    result = steps_[i].run(cancelled_->descriptor());
                } catch (const std::exception& error) {
                    result = with(State::failed, message_of(error), "");
                }
                result.seconds = monotonic_seconds() - begun;
                if (cancelled_->is_set())
                    result = with(State::waiting, "", "");
                states[i] = result.state;
                tell(i, std::move(result));
            });
        }
        for (std::thread& thread : threads)
            thread.join();
        if (now.empty() && !skipped)
            break;
    }
    return std::none_of(states.begin(), states.end(), [](State state) {
        return state == State::failed || state == State::skipped || state == State::waiting;
    });
}

std::vector<std::pair<std::string, std::string>> local_checks(const LocalTask& task) {
    if (!task.program.empty() && !task.is_script)
        return {{"program", "Program"},
                {"disk", "Disk for logs"},
                {"port", "Rendezvous port"},
                {"output", "Folder for runs"}};
    if (!task.program.empty())
        return {{"interpreter", "Python"}, {"torch", "import torch"},   {"script", "Script readable"},
                {"disk", "Disk for logs"}, {"port", "Rendezvous port"}, {"output", "Folder for runs"}};
    return {{"engine", "Engine"},         {"data", "Data readable"},        {"formats", "Number formats"},
            {"memory", "Memory fits"},    {"disk", "Disk for checkpoints"}, {"port", "Rendezvous port"},
            {"output", "Folder for runs"}};
}

bool stops_launch(const std::string& check) {
    // What a launch needs to begin at all, and what launch::check_spec() refuses.
    return std::ranges::find(kOfLaunch, check) != std::end(kOfLaunch);
}

namespace {

/// `directory`: base of relative paths of the script; empty: the current directory. `environment`: variables of the
/// program, in addition to those of this process.
void add_program_steps(std::vector<Preflight::Step>& steps, const std::vector<std::string>& program, bool is_script,
                       const fs::path& directory, const std::map<std::string, std::string>& environment) {
    if (std::error_code error; !directory.empty() && !fs::is_directory(directory, error)) {
        steps.push_back({is_script ? "script" : "program", {}, [directory](int) {
                             return with(State::failed, Message("{} is not a folder", directory.string()),
                                         "choose the folder that the program starts in");
                         }});
        if (!is_script)
            return;
    }
    if (!is_script) {
        steps.push_back({"program", {}, [name = program.front()](int cancelled) {
                             return ask_program({"/bin/sh", "-c", "command -v -- \"$1\"", "sh", name}, cancelled,
                                                Message("{} was not found", name), "check its name, or give its path");
                         }});
        return;
    }
    const std::string python = program.front();
    std::vector<std::string> with_variables;
    if (!environment.empty())
        with_variables.push_back("/usr/bin/env");
    for (const auto& [name, value] : environment)
        with_variables.push_back(name + "=" + value);
    steps.push_back({"interpreter", {}, [python](int cancelled) {
                         return ask_program({python, "--version"}, cancelled, Message("{} cannot be run", python),
                                            "install Python, or name one in TRAINYARD_PYTHON");
                     }});
    steps.push_back({"torch", {"interpreter"}, [python, with_variables](int cancelled) {
                         std::vector<std::string> argv = with_variables;
                         const std::vector<std::string> import{python, "-c", "import torch; print(torch.__version__)"};
                         argv.insert(argv.end(), import.begin(), import.end());
                         CheckResult result =
                             ask_program(argv, cancelled, Message("torch cannot be imported by {}", python),
                                         "choose an interpreter that has it, or install it there");
                         result.command = joined(import);  // without values of variables, which may be secrets
                         return result;
                     }});
    if (std::ranges::find(steps, std::string("script"), &Preflight::Step::check) != steps.end())
        return;  // its folder is missing
    const auto script = std::find_if(program.begin() + 1, program.end(),
                                     [](const std::string& word) { return word == "-m" || !word.starts_with('-'); });
    if (script != program.end() && *script != "-m")
        steps.push_back({"script", {}, [path = (directory / *script).string()](int) {
                             CheckResult result =
                                 ::access(path.c_str(), R_OK) == 0
                                     ? passed("readable")
                                     : with(State::failed,
                                            Message("{} cannot be read: {}", path, system_message(errno)),
                                            "choose the script again, or copy it there");
                             result.command = joined({"test", "-r", path});
                             return result;
                         }});
}

bool runs_python(const std::vector<std::string>& program) {
    return program.size() > 1 && fs::path(program.front()).filename().string().starts_with("python");
}

}  // namespace

std::vector<Preflight::Step> host_steps(const run::RunSpec& spec, const fs::path& run_dir, int ranks,
                                        const std::vector<int>& ports) {
    std::vector<Preflight::Step> steps;
    const fs::path place = run_dir.empty() ? run::runs_root() : run_dir;
    std::uint64_t room = launch::kRoomOfLogs;
    if (spec.program) {
        add_program_steps(steps, spec.program->command, runs_python(spec.program->command), spec.program->directory,
                          spec.program->environment);
    } else {
        const auto recipe = settled(spec.recipe);
        room = launch::disk_room(*recipe);
        steps.push_back(
            {"formats", {}, [recipe, device = spec.launch.device](int) { return check_formats(*recipe, device); }});
        if (spec.launch.device == "cpu")
            steps.push_back({"memory", {}, [recipe, ranks](int) { return check_memory(*recipe, ranks); }});
    }
    steps.push_back({"disk", {}, [place, room](int) { return check_disk(place, room); }});
    steps.push_back({"port", {}, [ports](int) { return check_ports(ports); }});
    return steps;
}

std::vector<Preflight::Step> local_steps(const LocalTask& task) {
    std::vector<Preflight::Step> steps;
    const fs::path place = task.place.empty() ? run::runs_root() : task.place;
    std::uint64_t room = launch::kRoomOfLogs;
    if (task.program.empty()) {
        // Throws if the recipe cannot be read: then nothing can be checked.
        config::Recipe read = config::load_recipe(task.recipe);
        std::string device = launch::default_device();
        if (!task.settings_file.empty()) {
            const settings::Settings settings = settings::load_settings(task.settings_file).settings;
            if (settings.boolean("use_cpu"))
                device = "cpu";
            read = plan::with_settings(std::move(read), settings);
        }
        const auto recipe = settled(std::move(read));
        room = launch::disk_room(*recipe);
        const std::string worker = (task.worker.empty() ? launch::worker_path() : task.worker).string();
        steps.push_back({"engine", {}, [worker](int cancelled) {
                             return ask_program({worker, "--version"}, cancelled, Message("{} cannot be run", worker),
                                                "build it again, or name it in TRAINYARD_WORKER");
                         }});
        steps.push_back({"data", {}, [recipe, ranks = task.ranks](int) { return check_data(*recipe, ranks); }});
        steps.push_back({"formats", {}, [recipe, device](int) { return check_formats(*recipe, device); }});
        steps.push_back({"memory", {}, [recipe, ranks = task.ranks](int) { return check_memory(*recipe, ranks); }});
    } else {
        add_program_steps(steps, task.program, task.is_script, task.directory, task.environment);
    }
    steps.push_back({"disk", {}, [place, room](int) { return check_disk(place, room); }});
    steps.push_back({"port", {}, [port = task.port](int) { return check_port(port); }});
    steps.push_back({"output", {}, [place](int) { return check_output(place); }});
    return steps;
}

}  // namespace trainyard::remote
