// SPDX-License-Identifier: GPL-3.0-or-later
// Agent: what the head orders, and what the ranks do.

#include <csignal>
#include <cstdlib>
#include <set>

#include <fmt/format.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/counted.h"
#include "base/environment_names.h"
#include "base/error.h"
#include "base/fields.h"
#include "base/file.h"
#include "base/text.h"
#include "base/untrusted.h"
#include "launch/supervisor/agent.h"
#include "launch/supervisor/messages.h"
#include "launch/supervisor/network_interface.h"
#include "launch/supervisor/prepare.h"

namespace trainyard::launch {

namespace {

constexpr double kEndSeconds = 5;              // for ranks that were killed to be gone
constexpr std::size_t kLastCurves = 4u << 20;  // bytes that the end of the ranks may wait behind

/// What only the head knows, and every machine must be told alike, whatever its own command line says.
const std::set<std::string>& names_of_the_head() {
    static const std::set<std::string> names{
        kEnvRank,           kEnvLocalRank,   kEnvWorldSize,     kEnvLocalWorldSize, kEnvGroupRank,
        kEnvGroupWorldSize, kEnvRoleRank,    kEnvRoleWorldSize, kEnvMasterAddress,  kEnvMasterPort,
        kEnvRestartCount,   kEnvMaxRestarts, kEnvElasticRunId,  kEnvUseAgentStore,  kEnvAddress,
        kEnvGeneration,     kEnvBatchSize};
    return names;
}

/// The folder of a run on this machine. Where the runs root is shared with the head's, the head's folder is there
/// already.
fs::path folder_of(const std::string& run_id, const std::string& host) {
    fs::path folder = run::runs_root() / run_id;
    std::error_code error;
    if (fs::exists(folder / "state.json", error))
        folder = folder / "hosts" / host;
    return folder;
}

}  // namespace

void Agent::take_order(HeadOrder order) {
    if (const auto* answer = std::get_if<JoinAnswer>(&order))
        return become_member(*answer);
    if (stage_ != Stage::member)
        throw WireError("it orders something before it has let this machine in");
    if (auto* machine_order = std::get_if<MachineOrder>(&order))
        start(std::move(*machine_order));
    else if (const auto* send = std::get_if<SendOrder>(&order))
        machine_->send(send->rank, send->line);
    else if (const auto* signal = std::get_if<SignalOrder>(&order))
        machine_->signal(signal->number);
    else if (const auto* over = std::get_if<RunOver>(&order))
        leave(over->code, over->text);
}

void Agent::become_member(const JoinAnswer& answer) {
    if (!RunId::parse(answer.run_id) || (!run_id_.empty() && run_id_ != answer.run_id))
        throw WireError("its run is not the one that was joined before");
    lease_s_ = answer.lease_s;
    heartbeat_s_ = answer.heartbeat_s;
    recipe_ = answer.recipe;
    run_id_ = answer.run_id;
    if (recipe_ && options_.own)
        return leave(kExitUsage,
                     Message("the head of the run at {} trains a recipe, this machine was told to start {}: "
                             "give all machines the same",
                             connection_->peer(), options_.own->command.front()));
    try {
        if (folder_.empty()) {
            folder_ = folder_of(run_id_, options_.host);
            run::RunPaths paths(folder_);
            for (const fs::path& folder : {paths.root(), paths.logs(), paths.metrics()})
                make_private_folder(folder);
            write_file_atomically(paths.spec(), answer.spec, false);
        }
        if (!files_)
            files_.emplace(options_.output ? *options_.output
                                           : run::parse_spec(answer.spec, "run.yaml of the head").launch.output);
    } catch (const UserError& error) {
        return leave(kExitFailed, Message("{} cannot keep what its ranks write: {}", options_.host, message_of(error)));
    }
    if (!figures_)
        figures_ = std::make_unique<MachineRecorder>(run::RunPaths(folder_).metrics(), options_.host);
    if (!curves_)
        curves_.emplace(run::RunPaths(folder_).metrics());
    curves_->start_over();
    stage_ = Stage::member;
    lease_from_ = monotonic_seconds();
    refused_since_ = beaten_ = round_trip_s_ = 0;
    unacknowledged_.clear();
    pause_ = 0.05;
    const Message ranks = text::ranks(options_.ranks);
    options_.tell(
        was_member_
            ? Message("{} is back in the run {} at {} with {}", options_.host, run_id_, connection_->peer(), ranks)
            : Message("{} joined the run {} at {} with {}", options_.host, run_id_, connection_->peer(), ranks));
    was_member_ = true;
    write_state("waiting");
}

void Agent::start(MachineOrder order) {
    if (!machine_->all_ended()) {
        machine_->signal(SIGKILL);
        return report(StartFailed{order.generation,
                                  Message("ranks of an earlier generation are still ending on {}", options_.host)});
    }
    generation_ = order.generation;
    started_ = monotonic_seconds();
    ranks_.clear();
    if (options_.own) {
        std::map<std::string, std::string> common = options_.own->environment;
        for (const auto& [name, value] : order.environment)
            if (names_of_the_head().contains(name))
                common[name] = value;
        order.environment = std::move(common);
        order.command = options_.own->command;
        order.directory = options_.own->directory;
    }
    if (recipe_)
        order.command = {worker_path().string()};
    else if (!written_)
        written_.emplace(run::RunPaths(folder_).metrics(), order.directory, order.command);
    order.environment[kEnvRunDirectory] = folder_.string();
    for (const auto& [name, value] : interface_variables(connection_->own_address()))
        order.environment.try_emplace(name, value);
    try {
        fence(generation_);
        for (const RankOrder& rank : order.ranks)
            ranks_[rank.rank] = {
                rank.local_rank, {}, std::make_unique<RankLog>(run::RunPaths(folder_).rank_log(rank.rank)), 0};
        machine_->start(order);
        machine_->take(*this);  // the head hears of them now, not when they first write something
    } catch (const UserError& error) {
        machine_->signal(SIGKILL);
        report(StartFailed{generation_, Message("{} cannot start its ranks: {}", options_.host, message_of(error))});
    }
    write_state("running");
}

void Agent::end_ranks() {
    double until = monotonic_seconds() + kEndSeconds;
    machine_->signal(SIGKILL);
    while (!machine_->all_ended() && monotonic_seconds() < until) {
        ::usleep(5000);
        machine_->take(*this);
    }
}

void Agent::fence(int generation) {
    if (folder_.empty())
        return;
    try {
        write_file_atomically(run::RunPaths(folder_).generation(), std::to_string(generation) + "\n", false);
    } catch (const UserError& error) {
        options_.tell(error.message());
    }
}

/// What has grown, as far as the link takes it. Before the word that the ranks have ended (`last`), since the head
/// waits for nothing after that.
void Agent::send_curves(bool last) {
    double now = curves_sent_ = monotonic_seconds();
    if (!connection_ || !curves_)
        return;
    if (written_ && (last || written_->due(now))) {
        std::vector<pid_t> processes;
        for (const auto& [number, rank] : ranks_)
            if (is_alive(rank.process))
                processes.push_back(rank.process.pid);
        written_->look(processes, now);
    }
    curves_->look();
    while (auto part = curves_->next()) {
        std::string payload = event_part_payload(*part);
        if (!(last ? connection_->send_events(std::move(payload), kLastCurves)
                   : connection_->send_events(std::move(payload))))
            break;
        curves_->sent(*part);
    }
    if (std::uint64_t left = curves_->unsent(); last && left > 0)
        options_.tell(Message("{} of curves are only on {}: the link is slower than they were written",
                              text::file_size(left), options_.host));
}

namespace {

/// agent.json
struct AgentFile {
    struct Rank {
        int rank = 0;
        ProcessId process;

        void fields(auto& field) const { field("rank", rank)("pid", process.pid)("start_time", process.start_time); }
    };
    std::string run_id;
    std::string head;
    std::string host;
    ProcessId process;
    std::string state;
    int generation = 0;
    std::vector<Rank> ranks;

    void fields(auto& field) const {
        field("run_id", run_id)("head", head)("host", host)("pid", process.pid)("start_time", process.start_time);
        field("state", state)("generation", generation)("ranks", ranks);
    }
};

}  // namespace

void Agent::write_state(const std::string& state) {
    AgentFile file{run_id_,
                   fmt::format("{}:{}", options_.head_address, options_.head_port),
                   options_.host,
                   this_process(),
                   state,
                   generation_,
                   {}};
    for (const auto& [number, rank] : ranks_)
        file.ranks.push_back({number, rank.process});
    try {
        write_file_atomically(folder_ / "agent.json", fields::to_text(file, 2) + "\n", false);
    } catch (const UserError& error) {
        options_.tell(error.message());
    }
}

void Agent::started(int rank, const ProcessId& process) {
    if (auto found = ranks_.find(rank); found != ranks_.end())
        found->second.process = process;
    report(RankStarted{generation_, rank, process});
    write_state("running");
}

void Agent::said(int rank, const std::string& line) {
    if (figures_)
        if (auto step = step_of_heartbeat(line))
            figures_->set_step(*step);
    report(RankSaid{generation_, rank, line});
}

void Agent::wrote(int rank, std::string_view bytes, bool standard_error) {
    auto found = ranks_.find(rank);
    if (found == ranks_.end())
        return;
    RankHere& here = found->second;
    here.log->write(bytes);
    taken_output_ += bytes.size();
    if (files_)
        files_->write(rank, here.local_rank, bytes, standard_error);
    if (options_.show)
        options_.show(rank, here.local_rank, bytes, standard_error);
    OutputHeader header{generation_, rank, standard_error};
    while (connection_ && !bytes.empty()) {
        std::string_view part = bytes.substr(0, kLongestOutput);
        bytes.remove_prefix(part.size());
        if (here.dropped > 0) {
            const std::string note = fmt::format(
                "\n[{} of this rank's output are only in {}:{}: the link is slower "
                "than the rank writes]\n",
                text::file_size(here.dropped), options_.host, run::RunPaths(folder_).rank_log(rank).string());
            if (connection_->send_output(output_payload(header, note)))
                here.dropped = 0;
        }
        if (here.dropped > 0 || !connection_->send_output(output_payload(header, part)))
            here.dropped += part.size();
    }
}

void Agent::ended(int rank, int status, const Message& reason) {
    if (machine_->all_ended())
        send_curves(true);
    report(RankEnded{generation_, rank, status, reason});
    if (machine_->all_ended())
        write_state("waiting");
}

void Agent::lost(const std::string& host, const Message& reason) {
    (void)host;
    machine_->signal(SIGKILL);
    report(StartFailed{generation_, reason});
}

}  // namespace trainyard::launch
