// SPDX-License-Identifier: GPL-3.0-or-later
// trainyard supervise: becomes the head of a run on this machine. Its order is launch/supervisor/agent_order.h's, from standard input.

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "base/process.h"
#include "cli/commands.h"
#include "cli/order_input.h"
#include "launch/supervisor/agent_order.h"
#include "launch/supervisor/daemon.h"
#include "launch/supervisor/join_pool.h"
#include "launch/supervisor/local_machine.h"

namespace trainyard::cli {

namespace {

/// This machine and the agents that will come; listens from now on.
std::unique_ptr<launch::JoinPool> open_pool(const launch::SuperviseOrder& order, run::RunSpec& spec) {
    const std::vector<run::MachineSpec>& machines = spec.launch.machines;
    std::vector<Problem> problems;
    for (auto [key, missing] :
         {std::pair("listen.address", order.listen_address.empty()), std::pair("secret", order.secret.empty())})
        if (missing)
            problems.push_back(
                {"order of trainyard supervise", 0, 0, key, "is missing: the run is on several machines"});
    if (!problems.empty())
        throw InvalidInput(std::move(problems));
    launch::JoinOptions options;
    options.way = launch::JoinOptions::Way::by_number;
    options.max_machines = static_cast<int>(machines.size());
    for (const run::MachineSpec& machine : machines)
        options.hosts.push_back(machine.host);
    options.link = order.link;
    launch::ListenerOptions listener;
    listener.address = order.listen_address;
    listener.port = order.listen_port;
    listener.secret = order.secret;
    spec.launch.main_process_ip = order.listen_address;
    return std::make_unique<launch::JoinPool>(
        options, listener, std::make_unique<launch::LocalMachine>(machines.front().host), machines.front().ranks);
}

std::string supervise() {
    std::string text = read_order();
    launch::SuperviseOrder order = launch::parse_supervise_order(text);
    launch::wipe(text);
    run::RunSpec spec = run::parse_spec(order.spec, "run.yaml");
    std::unique_ptr<launch::JoinPool> pool;
    if (spec.launch.machines.size() > 1)
        pool = open_pool(order, spec);
    if (order.run_dir.empty() && !order.run_id.empty()) {
        make_private_folder(run::runs_root());
        order.run_dir = run::runs_root() / order.run_id;
    }
    launch::PreparedRun prepared =
        launch::create_run(launch::check_spec(std::move(spec), order.run_dir, true, order.queued));
    run::RunPaths paths = prepared.paths;
    int port = pool ? pool->port() : 0;
    if (pool)
        pool->tell(paths.id(), run::to_yaml(prepared.spec), !prepared.spec.program);
    launch::SupervisorOptions options;
    options.last_call_s = order.last_call_s;
    options.still_s = order.still_s;
    options.short_life_s = order.short_life_s;
    launch::start_detached(std::move(prepared), options, std::move(pool));
    std::optional<run::RunState> state = run::read_state(paths);
    return launch::to_json(
        launch::SuperviseAnswer{paths.root().string(), paths.id(), state ? state->supervisor.pid : 0, port});
}

}  // namespace

void add_supervise(CLI::App& app, Action& chosen) {
    app.add_subcommand("supervise", "Looks after a run that another machine's launcher orders")
        ->group("")
        ->callback([&chosen] { chosen = [] { return answer_with(supervise); }; });
}

}  // namespace trainyard::cli
