// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/supervisor/prepare.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <sstream>
#include <tuple>

#include <fmt/format.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/device_kinds.h"
#include "base/elf_file.h"
#include "base/environment_names.h"
#include "base/error.h"
#include "base/files/scratch_file.h"
#include "base/filesystem.h"
#include "base/find_program.h"
#include "base/listen_socket.h"
#include "base/process.h"
#include "base/text.h"
#include "base/truth.h"
#include "config/inputs/check_resume.h"
#include "config/inputs/hub_files.h"
#include "config/inputs/recipe_inputs.h"
#include "config/inputs/start_weights.h"
#include "config/recipe/device_checks.h"
#include "estimate/training_memory.h"
#include "launch/plan/probe.h"
#include "launch/supervisor/disk_room.h"
#include "launch/supervisor/git_state.h"
#include "launch/supervisor/plugin_check.h"
#include "launch/supervisor/rank_output.h"
#include "launch/supervisor/rank_process.h"
#include "launch/supervisor/slurm_run.h"
#include "models/spec/family.h"
#include "run/folder_record.h"
#include "run/queue.h"
#include "run/remote_checkpoint.h"
#include "run/spec_text.h"

namespace trainyard::launch {

namespace {

constexpr int kFewestRanksAllowed = 16;

using Problems = std::vector<Problem>;

void add_problem(Problems& problems, std::string key, Message message) {
    problems.push_back({"", 0, 0, std::move(key), std::move(message)});
}

void add_all(Problems& problems, const UserError& error) {
    if (const auto* invalid = dynamic_cast<const InvalidInput*>(&error))
        problems.insert(problems.end(), invalid->problems().begin(), invalid->problems().end());
    else
        add_problem(problems, "", error.message());
}

/// Files of a hub in place of their names, and the values of the model that its config.json says.
void settle_recipe(config::Recipe& recipe, const hub::FetchOptions* fetch, const fs::path& file, Problems& problems) {
    for (inputs::InputProblem& problem : inputs::settle_hub_names(recipe, fetch))
        problems.push_back({file.string(), 0, 0, std::move(problem.key), std::move(problem.message)});
    inputs::settle_model_of(recipe);  // its problems are found with those of the data
}

/// The recipe with its overrides. False when it cannot be used; the reasons are in `problems`. `here`: its paths are
/// those of this machine.
bool read_recipe(const LaunchOptions& options, bool here, run::RunSpec& spec, Problems& problems) {
    std::size_t before = problems.size();
    try {
        if (run::is_spec_file(options.file)) {
            // Its host wrote it: the program, plug-ins and environment that it names are not ours.
            const run::RunPaths folder(fs::absolute(options.file).parent_path());
            if (run::origin_of(folder) == run::RunOrigin::mirror)
                throw UserError(
                    "{} is of a copy of a run on another machine and is not executed on this one: "
                    "read it, and launch a copy of it outside of that folder",
                    options.file.string());
            spec = run::read_spec(options.file);
        } else {
            spec.recipe = config::load_recipe(options.file);
        }
    } catch (const UserError& error) {
        add_all(problems, error);
        return false;
    }
    if (spec.program)
        return true;
    std::vector<std::string> overrides;
    std::vector<config::GivenKey> given = options.file_settings;
    const auto precision_from = [&given](const std::string& value, const char* source) {
        given.push_back({"training.mixed_precision", '"' + value + '"', source});
        return given.back().key + "=" + given.back().value;
    };
    if (!run::is_spec_file(options.file))
        overrides = config::overrides_of(options.file_settings, spec.recipe, problems);
    overrides.insert(overrides.end(), options.overrides.begin(), options.overrides.end());
    if (options.mixed_precision)
        overrides.push_back(precision_from(*options.mixed_precision, "--mixed_precision"));
    else if (!options.default_mixed_precision.empty() && spec.recipe.training.mixed_precision == Precision::no)
        overrides.insert(overrides.begin(), precision_from(options.default_mixed_precision, "mixed_precision"));
    try {
        config::apply_given(spec.recipe, overrides, given);  // together: one may make room for another
    } catch (const UserError& error) {
        add_all(problems, error);
    }
    if (problems.size() != before)
        return false;
    if (here || !inputs::has_hub_names(spec.recipe))
        settle_recipe(spec.recipe, here && options.fetch ? &*options.fetch : nullptr, options.file, problems);
    return problems.size() == before;
}

bool needs_library(const std::string& device) {
    return device != "cpu" && device != "cuda";
}

void check_device(const run::LaunchSpec& launch, Problems& problems) {
    const DeviceKind* kind = find_device_kind(launch.device);
    if (kind != nullptr && kind->distributed_type.empty() && launch.num_processes > 1)
        add_problem(problems, "--num_processes",
                    Message("{} ranks cannot train on '{}', for which LibTorch has no collectives: give 1, or --cpu",
                            launch.num_processes, launch.device));
    if (!needs_library(launch.device))
        return;
    if (launch.device_library.empty())
        add_problem(problems, "--device",
                    Message("'{}' needs the library that brings this device to LibTorch: name it with "
                            "--device_library or in {}, or take cpu or cuda",
                            launch.device, kEnvDeviceLibrary));
    else if (launch.machines.empty() && ::access(launch.device_library.c_str(), R_OK) != 0)
        add_problem(problems, "--device_library",
                    Message("{} cannot be read: {}", launch.device_library, system_message(errno)));
}

void check_numbers(const run::LaunchSpec& launch, Problems& problems) {
    int cores = usable_cores();
    int most = std::max(kFewestRanksAllowed, 4 * cores);
    std::vector<run::MachineSpec> machines = run::machines_of(launch);
    if (machines.front().ranks > most)
        add_problem(problems, "--num_processes",
                    Message("{} ranks are too many for the {} cores of {}: give at most {}", machines.front().ranks,
                            cores, host_name(), most));
    for (const run::MachineSpec& machine : machines)
        if (machine.ranks < 1)
            add_problem(problems, "--num_processes",
                        machines.size() == 1
                            ? Message("{} ranks cannot train: give 1 or more", machine.ranks)
                            : Message("{} gets {} ranks: give 1 or more", machine.host, machine.ranks));
    if (launch.num_cpu_threads_per_process < 0 || launch.num_cpu_threads_per_process > 1024)
        add_problem(problems, "--num_cpu_threads_per_process",
                    Message("{} is not a valid number of threads: give 1 to 1024, or 0 for cores / ranks",
                            launch.num_cpu_threads_per_process));
    check_device(launch, problems);
    try {
        StreamRules rules(launch.output);
    } catch (const UserError& error) {
        add_problem(problems, "launch.output", error.message());
    }
    if (launch.max_restarts < 0)
        add_problem(problems, "--max_restarts",
                    Message("{} is not a valid number of restarts: give 0 or more", launch.max_restarts));
    if (launch.min_machines < 0 || static_cast<std::size_t>(launch.min_machines) > machines.size())
        add_problem(problems, "launch.min_machines",
                    Message("{} is not from 0 to {}, the number of machines", launch.min_machines, machines.size()));
}

void check_worker(const fs::path& worker, Problems& problems) {
    if (::access(worker.c_str(), X_OK) != 0)
        add_problem(problems, "",
                    Message("{} cannot be run: {}: build trainyard-worker, or name it in TRAINYARD_WORKER",
                            worker.string(), system_message(errno)));
}

/// As execvpe will look for it.
void check_program(const run::ProgramSpec& program, Problems& problems) {
    const std::string name = program.command.empty() ? "" : program.command.front();
    std::error_code error;
    if (!program.directory.empty() && !fs::is_directory(program.directory, error))
        add_problem(problems, "", Message("{} is not a folder to start the program in", program.directory));
    if (name.find('/') != std::string::npos) {
        fs::path file = fs::path(program.directory) / name;
        if (::access(file.c_str(), X_OK) != 0)
            add_problem(problems, "", Message("{} cannot be run: {}", file.string(), system_message(errno)));
        return;
    }
    if (!find_program(name, std::getenv("PATH")).empty())
        return;
    add_problem(problems, "", Message("the program '{}' was not found: check its name, or give its path", name));
}

/// `needed_bytes` 0: nothing is known of what it will take.
void check_place(const fs::path& place, std::uint64_t needed_bytes, Problems& problems) {
    fs::path existing = place;
    std::error_code error;
    while (!fs::exists(existing, error) && existing != existing.parent_path())
        existing = existing.parent_path();
    if (!fs::is_directory(existing, error)) {
        add_problem(problems, "",
                    Message("the run cannot be kept in {}: {} is not a folder: choose another place with "
                            "--run_dir or TRAINYARD_RUNS",
                            place.string(), existing.string()));
        return;
    }
    if (::access(existing.c_str(), W_OK | X_OK) != 0) {
        add_problem(problems, "",
                    Message("the run cannot be kept in {}: {} cannot be written: {}: choose another place "
                            "with --run_dir or TRAINYARD_RUNS",
                            place.string(), existing.string(), system_message(errno)));
        return;
    }
    struct statvfs disk {};
    if (::statvfs(existing.c_str(), &disk) != 0)
        return;
    if (disk.f_blocks ==
        0) {  // no disk (/proc, /sys), or one that does not tell its size: only trying says whether it takes a folder
        std::string trial = (existing / ".trainyard-XXXXXX").string();
        if (::mkdtemp(trial.data()) == nullptr)
            add_problem(problems, "",
                        Message("the run cannot be kept in {}: {} takes no new folders: {}: choose another "
                                "place with --run_dir or TRAINYARD_RUNS",
                                place.string(), existing.string(), system_message(errno)));
        else
            ::rmdir(trial.c_str());
        return;
    }
    if (needed_bytes == 0)
        return;
    std::uint64_t room = static_cast<std::uint64_t>(disk.f_bavail) * disk.f_frsize;
    if (room < needed_bytes)
        add_problem(problems, "",
                    Message("the disk of {} is full: {} free, checkpoints and logs need {}: make room, or "
                            "choose another place with --run_dir or TRAINYARD_RUNS",
                            place.string(), text::file_size(room), text::file_size(needed_bytes)));
}

/// True for a run whose folder exists already and which is to continue in it.
bool is_left_for_us(const fs::path& folder) {
    if (is_run_of_this_job(folder))
        return true;
    try {
        const std::optional<run::RunState> state = run::read_state(run::RunPaths(folder));
        return state && state->status == run::Status::queued && state->supervisor.pid > 0 && !state->mirror &&
               state->supervisor_host == host_name() && !is_alive(state->supervisor);
    } catch (const UserError&) {
        return false;
    }
}

/// Reports a checkpoint of a mirror whose files are on another machine. Returns whether it is one.
bool add_remote_checkpoint(const config::Recipe& recipe, const fs::path& file, Problems& problems) {
    const std::string& from = recipe.checkpoint.resume_from;
    Message elsewhere = from.empty() ? Message() : run::not_fetched(from);
    if (elsewhere.empty())
        return false;
    problems.push_back({file.string(), 0, 0, "checkpoint.resume_from", std::move(elsewhere)});
    return true;
}

/// A folder without a checkpoint, or with one that the recipe cannot continue from. A path that is not a folder is
/// reported by the check of the inputs.
void check_checkpoint(const config::Recipe& recipe, const fs::path& file, Problems& problems) {
    const std::string& from = recipe.checkpoint.resume_from;
    std::error_code error;
    if (from.empty() || !fs::is_directory(from, error) || add_remote_checkpoint(recipe, file, problems))
        return;
    std::vector<Message> found = inputs::check_resume(recipe);
    if (inputs::checkpoint_to_resume(from).empty())
        found.push_back(
            Message("{} has no checkpoint of a run: give the folder of a run or of one of its checkpoints, "
                    "or start from weights with model.weights",
                    from));
    for (Message& problem : found)
        problems.push_back({file.string(), 0, 0, "checkpoint.resume_from", std::move(problem)});
}

/// The disks of this machine have room for what its ranks offload. Ranks of other machines reserve it when they start.
void check_offload_room(const run::RunSpec& spec, Problems& problems) {
    const config::Recipe& recipe = spec.recipe;
    if (!spec.launch.machines.empty() || (!recipe.offloads_optimizer() && !recipe.offloads_params()))
        return;
    double state = 0, weights = 0;
    for (const estimate::RankMemory& stage : estimate::estimate_memory(recipe, spec.launch.num_processes).stages) {
        const auto bytes = [&](estimate::Part part) {
            return stage.bytes_of(part, estimate::Place::disk) * static_cast<double>(stage.ranks);
        };
        state += bytes(estimate::Part::optimizer);
        weights += bytes(estimate::Part::gradients);
        if (recipe.model.device_map.empty())  // else the disk has the files of the base model
            weights += bytes(estimate::Part::weights);
    }
    for (const auto& [used, key, folder, size, what] :
         {std::tuple{recipe.offloads_optimizer(), "parallel.offload_optimizer_nvme_path",
                     recipe.parallel.offload_optimizer_nvme_path, state, Message("the optimizer state of all ranks")},
          {recipe.offloads_params(), "parallel.offload_param_nvme_path", recipe.parallel.offload_param_nvme_path,
           weights, Message("the weights and gradients of all ranks")}})
        if (Message problem = used ? files::why_no_room(folder, static_cast<std::uint64_t>(size), what) : Message();
            !problem.empty())
            add_problem(problems, key, std::move(problem));
}

/// The number formats of the recipe on the devices of this machine.
void check_formats(CheckedLaunch& launch, Problems& problems) {
    config::Recipe recipe = launch.spec.recipe;
    inputs::settle_model_of(recipe);  // weights may be quantized
    const DeviceFacts device = plan::probe_device(launch.spec.launch.device);
    std::ranges::move(config::missing_formats(recipe, device), std::back_inserter(problems));
    std::ranges::move(config::notes_on_formats(recipe, device), std::back_inserter(launch.notes));
}

/// A device whose library brings no collectives (of a kind that should have some: xccl, hccl) is trained on all the
/// same.
void note_on_collectives(const run::LaunchSpec& launch, std::vector<Message>& notes) {
    if (launch.num_processes < 2 || !launch.machines.empty() || !needs_library(launch.device) ||
        exports_symbol(launch.device_library, kDeviceLibrarySymbol))
        return;
    notes.push_back(
        Message("{} brings no collectives ({}), so the ranks exchange data through the memory of the host, "
                "with Gloo: slower, and otherwise the same",
                launch.device_library, choose_backend(launch.device, true)));
}

/// Everything but the recipe's own words.
void check_rest(CheckedLaunch& launch, const fs::path& run_dir, bool usable, bool holds_port, const fs::path& file,
                Problems& problems) {
    const run::RunSpec& spec = launch.spec;
    check_numbers(spec.launch, problems);
    if (spec.launch.device == "cuda" && spec.recipe.parallel.pp_size > 1 && !spec.launch.self_check)
        add_problem(problems, "parallel.pp_size",
                    "pipeline stages work on the CPU alone in this version: set it to 1, or start with --cpu");
    if (spec.launch.device != "cpu" && spec.recipe.offloads_optimizer() && !spec.launch.self_check)
        add_problem(problems, "parallel.offload_optimizer_device",
                    Message("this version offloads optimizer state to disk only for ranks on processors, and these "
                            "train on {}: set it to none, or start with --cpu",
                            spec.launch.device));
    if (spec.launch.device != "cpu" && spec.recipe.offloads_params() && !spec.launch.self_check)
        add_problem(problems, "parallel.offload_param_device",
                    Message("this version offloads weights to disk only for ranks on processors, and these train on "
                            "{}: set it to none, or start with --cpu",
                            spec.launch.device));
    if (spec.launch.device != "cpu" && !spec.recipe.model.device_map.empty() && !spec.launch.self_check)
        add_problem(problems, "model.device_map",
                    Message("this version offloads weights to disk only for ranks on processors, and these train on "
                            "{}: leave it out, or start with --cpu",
                            spec.launch.device));
    if (usable && !spec.program && !spec.launch.self_check)
        check_formats(launch, problems);
    note_on_collectives(spec.launch, launch.notes);
    if (usable)
        std::ranges::move(run::text_problems(spec), std::back_inserter(problems));
    std::uint64_t needed = spec.program ? kRoomOfLogs : 0;
    if (spec.program) {
        check_program(*spec.program, problems);
    } else {
        // The ranks of a self-check make their data themselves.
        if (usable && spec.launch.num_processes >= 1 && !spec.launch.self_check)
            for (const inputs::InputProblem& problem :
                 inputs::check_recipe_inputs(spec.recipe, spec.launch.num_processes))
                problems.push_back({file.string(), 0, 0, problem.key, problem.message});
        // Settings that are wrong have no size, and weights that cannot be read leave the model unknown.
        const bool sized =
            usable && std::ranges::none_of(problems, [](const Problem& one) { return one.key.starts_with("model."); });
        if (sized)
            needed = disk_room(spec.recipe);
        if (usable && !spec.launch.self_check) {
            if (sized && spec.launch.num_processes >= 1)
                check_offload_room(spec, problems);
            check_checkpoint(spec.recipe, file, problems);
        }
        launch.worker = worker_path();
        check_worker(launch.worker, problems);
        // The libraries are only loaded for a recipe that is correct otherwise.
        if (problems.empty() && !spec.recipe.plugins.empty() && !spec.launch.self_check)
            for (Message& problem : check_plugins(spec.recipe, launch.worker))
                problems.push_back({file.string(), 0, 0, "", std::move(problem)});
    }
    launch.run_dir = run_dir.empty() ? fs::path() : fs::absolute(run_dir).lexically_normal();
    std::error_code error;
    bool left_for_us = !launch.run_dir.empty() && is_left_for_us(launch.run_dir);
    if (!left_for_us && !launch.run_dir.empty() && fs::exists(launch.run_dir, error) &&
        !(fs::is_directory(launch.run_dir, error) && fs::is_empty(launch.run_dir, error)))
        add_problem(problems, "--run_dir",
                    Message("{} is there already and not empty: name another folder", launch.run_dir.string()));
    else
        check_place(launch.run_dir.empty() ? run::runs_root() : launch.run_dir, needed, problems);
    launch.port = spec.launch.main_process_port;
    try {
        if (holds_port && !launch.queued && (!spec.program || spec.program->rendezvous))
            launch.store_socket = listen_for_ranks(spec.launch.main_process_ip, launch.port, launch.reservation);
    } catch (const UserError& in_use) {
        add_problem(problems, "--main_process_port", in_use.message());
    }
    if (!problems.empty())
        throw InvalidInput(std::move(problems));
    launch.spec.versions = build_versions();
    launch.spec.created = wall_seconds();
}

}  // namespace

fs::path worker_path() {
    if (const char* named = std::getenv(kEnvWorker); named != nullptr && *named != '\0')
        return fs::absolute(named);
    std::error_code error;
    return fs::read_symlink("/proc/self/exe", error).parent_path() / "trainyard-worker";
}

std::string default_device() {
    std::error_code error;
    return fs::exists("/dev/nvidia0", error) &&
                   fs::exists(device_library_file("cuda", worker_path().parent_path()), error)
               ? "cuda"
               : "cpu";
}

void choose_device(run::LaunchSpec& launch, const DeviceChoice& choice) {
    if (choice.cpu)
        launch.device = "cpu";
    else if (!choice.device.empty())
        launch.device = choice.device;
    std::string library = choice.library.empty() ? launch.device_library : choice.library;
    if (const char* named = std::getenv(kEnvDeviceLibrary); named != nullptr && library.empty())
        library = named;
    launch.device_library =
        needs_library(launch.device) && !library.empty() ? fs::absolute(library).lexically_normal().string() : "";
}

std::map<std::string, std::string> build_versions() {
    return {
        {"trainyard", TRAINYARD_VERSION}, {"libtorch", TRAINYARD_LIBTORCH_VERSION}, {"compiler", "g++ " __VERSION__}};
}

namespace {

/// ACCELERATE_USE_CPU of the ranks: that of the launch, or the one that they inherit. It forces the CPU, as in
/// Accelerate, unless another device is typed.
void follow_use_cpu(const run::LaunchSpec& launch, DeviceChoice& choice, Problems& problems) {
    const auto given = launch.environment.find(kEnvUseCpu);
    const char* inherited = std::getenv(kEnvUseCpu);
    const std::string text = given != launch.environment.end() ? given->second : inherited ? inherited : "";
    if (text.empty())
        return;
    switch (truth_of(text)) {
        case Truth::yes:
            choice.cpu = choice.cpu || choice.device.empty();
            break;
        case Truth::neither:
            add_problem(problems, kEnvUseCpu, Message("'{}' is neither true nor false: write true or false", text));
            break;
        case Truth::no:
            break;
    }
}

/// The specification that the options come to. False when its recipe cannot be used; the reasons are in `problems`.
bool read_options(const LaunchOptions& options, bool here, run::RunSpec& spec, Problems& problems) {
    spec.launch.device = default_device();
    bool usable = read_recipe(options, here, spec, problems);
    run::LaunchSpec& numbers = spec.launch;
    if (!numbers.machines.empty() && options.num_processes && *options.num_processes != numbers.num_processes)
        add_problem(problems, "--num_processes",
                    Message("{} names {} ranks on {} machines: change launch.machines in it, or leave the "
                            "flag out",
                            options.file.string(), numbers.num_processes, numbers.machines.size()));
    numbers.num_processes = options.num_processes.value_or(numbers.num_processes);
    numbers.main_process_port = options.main_process_port.value_or(numbers.main_process_port);
    numbers.num_cpu_threads_per_process =
        options.num_cpu_threads_per_process.value_or(numbers.num_cpu_threads_per_process);
    if (options.device.cpu && !options.device.device.empty() && options.device.device != "cpu")
        add_problem(problems, "--cpu",
                    Message("contradicts --device {}: leave one of them out", options.device.device));
    for (const auto& [name, value] : options.environment)
        numbers.environment[name] = value;
    DeviceChoice device = options.device;
    if (!spec.program)
        follow_use_cpu(numbers, device, problems);
    choose_device(numbers, device);
    numbers.max_restarts = options.max_restarts.value_or(numbers.max_restarts);
    numbers.cpu_affinity = options.cpu_affinity.value_or(numbers.cpu_affinity);
    numbers.gpu_ids = options.gpu_ids.value_or(numbers.gpu_ids);
    if (numbers.device == "cpu")
        numbers.gpu_ids.clear();
    numbers.output = options.output.value_or(numbers.output);
    if (options.rendezvous) {
        numbers.machines = options.rendezvous->machines;
        numbers.num_processes = options.rendezvous->num_processes;
        numbers.main_process_ip = options.rendezvous->main_process_ip;
        numbers.main_process_port = options.rendezvous->main_process_port;
        numbers.min_machines = options.rendezvous->min_machines;
        numbers.join_timeout_s = options.rendezvous->join_timeout_s;
    }
    spec.recipe_file = fs::absolute(options.file).lexically_normal().string();
    spec.command = options.command;
    return usable;
}

}  // namespace

run::RunSpec read_launch(const LaunchOptions& options) {
    Problems problems;
    run::RunSpec spec;
    if (read_options(options, false, spec, problems)) {
        std::ranges::move(run::text_problems(spec), std::back_inserter(problems));
        add_remote_checkpoint(spec.recipe, options.file, problems);
    }
    if (!problems.empty())
        throw InvalidInput(std::move(problems));
    return spec;
}

CheckedLaunch check_launch(const LaunchOptions& options) {
    GitStatus git(fs::absolute(options.file).parent_path());
    Problems problems;
    CheckedLaunch launch;
    launch.queued = options.queued;
    bool usable = read_options(options, true, launch.spec, problems);
    check_rest(launch, options.run_dir, usable, !options.rendezvous, options.file, problems);
    launch.spec.git = git.result(0.010);
    return launch;
}

CheckedLaunch check_spec(run::RunSpec spec, const fs::path& run_dir, bool holds_port, bool queued) {
    fs::path place = spec.program ? fs::path(spec.program->directory) : fs::path(spec.recipe_file).parent_path();
    GitStatus git(place.empty() ? fs::current_path() : place);
    Problems problems;
    CheckedLaunch launch;
    launch.queued = queued;
    launch.spec = std::move(spec);
    if (!launch.spec.program && inputs::has_hub_names(launch.spec.recipe)) {
        const hub::FetchOptions fetch;
        settle_recipe(launch.spec.recipe, &fetch, launch.spec.recipe_file, problems);
    }
    check_rest(launch, run_dir, problems.empty(), holds_port, launch.spec.recipe_file, problems);
    launch.spec.git = git.result(0.010);
    return launch;
}

namespace {

/// The first state of this start, written; `was_there`: the folder is older than this launch.
PreparedRun prepared(CheckedLaunch launch, const run::RunPaths& paths, run::RunState state, bool was_there) {
    for (const run::MachineSpec& machine : run::machines_of(launch.spec.launch))
        state.machines.push_back({machine.host, machine.ranks, "waiting", 0});
    if (launch.queued)
        run::enter_queue(paths);
    state.status = launch.queued ? run::Status::queued : run::Status::preparing;
    state.message = Message::table_text(run::to_string(state.status));
    run::write_state(paths, state, false);
    return {paths,
            std::move(launch.spec),
            std::move(state),
            std::move(launch.worker),
            std::move(launch.store_socket),
            std::move(launch.reservation),
            launch.port,
            was_there};
}

/// Takes over a run that was queued, or that was stopped when its job was preempted; the latter continues as the next
/// generation.
PreparedRun take_over(CheckedLaunch launch) {
    run::RunPaths paths(launch.run_dir);
    run::RunState state = run::read_state(paths).value_or(run::RunState());
    if (state.started > 0) {
        ++state.generation;
        ++state.restarts;
        if (state.idle_since <= 0)
            state.idle_since = state.ended.value_or(state.heartbeat);
    }
    state.supervisor_host = host_name();
    state.supervisor = this_process();
    state.ended.reset();
    state.first_failure.reset();
    state.ranks.clear();
    state.machines.clear();
    return prepared(std::move(launch), paths, std::move(state), true);
}

}  // namespace

PreparedRun create_run(CheckedLaunch launch) {
    if (!launch.run_dir.empty() && is_left_for_us(launch.run_dir))
        return take_over(std::move(launch));
    bool own_place = launch.run_dir.empty();
    run::RunPaths paths = own_place ? run::create_run_directory(run::runs_root(), launch.spec.recipe.name)
                                    : run::create_run_directory_at(launch.run_dir);
    try {
        run::RunState state;
        state.run_id = paths.id();
        state.name = launch.spec.recipe.name;
        state.supervisor_host = host_name();
        state.supervisor = this_process();
        state.created = launch.spec.created;
        state.progress.of = launch.spec.program ? 0 : launch.spec.recipe.training.steps;
        state.batch_size = launch.spec.program ? 0 : inputs::found_batch_size(launch.spec.recipe);
        run::write_spec(paths, launch.spec, false);  // the supervisor flushes it
        run::record_own_run(paths);
        return prepared(std::move(launch), paths, std::move(state), false);
    } catch (...) {
        std::error_code ignored;
        fs::remove_all(paths.root(), ignored);
        throw;
    }
}

}  // namespace trainyard::launch
