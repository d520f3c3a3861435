// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/supervisor/rank_group.h"

#include <algorithm>
#include <csignal>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "base/listen_socket.h"
#include "config/recipe/recipe_mesh.h"
#include "launch/supervisor/network_interface.h"

namespace trainyard::launch {

RankGroup::RankGroup(PreparedRun& run, const run::RunSpec& spec)
    : paths_(run.paths),
      spec_(spec),
      worker_(std::move(run.worker)),
      store_socket_(std::move(run.store_socket)),
      reservation_(std::move(run.reservation)),
      port_(run.port) {}

FileDescriptor RankGroup::listen(int& port) {
    if (spec_.program && !spec_.program->rendezvous)
        return FileDescriptor();
    if (store_socket_) {
        port = port_;
        return std::move(store_socket_);
    }
    port = spec_.launch.main_process_port;
    const bool reserved = reservation_ && port == port_;
    FileDescriptor socket = reserved ? listen_on(spec_.launch.main_process_ip, port)
                                     : listen_for_ranks(spec_.launch.main_process_ip, port, reservation_);
    port_ = port;
    return socket;
}

void RankGroup::assign(std::vector<Participant> participants, Generation generation) {
    machines_ = std::move(participants);
    socket_ = listen(generation.port);
    std::vector<run::MachineSpec> machines;
    for (const Participant& participant : machines_)
        machines.push_back({participant.machine->host(), participant.ranks, participant.address});
    orders_ = rank_orders(paths_, spec_, machines, generation, worker_);
    if (spec_.program)
        socket_.close();  // its rank 0 binds the port itself
    orders_.front().store_socket = socket_.get();
    for (const auto& [name, value] : interface_variables(machines_.front().address))
        orders_.front().environment.try_emplace(name, value);
    ranks_.clear();
    for (std::size_t machine = 0; machine < orders_.size(); ++machine)
        for (const RankOrder& order : orders_[machine].ranks)
            ranks_.push_back({.machine = machine, .local_rank = order.local_rank});
}

void RankGroup::start(RankListener& listener) {
    const FileDescriptor handed_over = std::move(socket_);
    try {
        for (sender_ = 0; sender_ < machines_.size(); ++sender_) {
            machines_[sender_].machine->start(orders_[sender_]);
            machines_[sender_].machine->take(listener);
        }
    } catch (const UserError&) {
        for (Rank& rank : ranks_)
            rank.ended = rank.ended || rank.machine >= sender_;
        end(SIGKILL);
        throw;
    }
}

Message RankGroup::places() const {
    if (machines_.size() == 1)
        return Message::verbatim(machines_.front().machine->host());
    std::vector<std::string> places;
    for (const Participant& participant : machines_)
        places.push_back(fmt::format("{} ({})", participant.machine->host(), participant.ranks));
    return Message("{} and {}", fmt::join(places.begin(), places.end() - 1, ", "), places.back());
}

std::vector<run::RankState> RankGroup::states() const {
    std::vector<run::RankState> states;
    for (const Rank& rank : ranks_) {
        run::RankState& state = states.emplace_back();
        state.rank = static_cast<int>(states.size()) - 1;
        if (!spec_.program && !spec_.launch.self_check)
            state.place = config::rank_place(spec_.recipe, std::ssize(ranks_), state.rank);
        state.host = machines_[rank.machine].machine->host();
        state.device =
            spec_.launch.device == "cpu" ? "cpu" : fmt::format("{}:{}", spec_.launch.device, rank.local_rank);
    }
    return states;
}

std::vector<run::MachineState> RankGroup::machine_states(const std::vector<run::MachineState>& before,
                                                         const char* state) const {
    std::vector<run::MachineState> machines;
    const auto find = [](const std::vector<run::MachineState>& among, const std::string& host) {
        return std::find_if(among.begin(), among.end(),
                            [&](const run::MachineState& machine) { return machine.host == host; });
    };
    for (const Participant& participant : machines_) {
        const std::string& host = participant.machine->host();
        const auto known = find(before, host);
        const bool lost = known != before.end() && known->state == "lost" && std::string(state) == "ended";
        machines.push_back({host, participant.ranks, lost ? "lost" : state, participant.machine->last_contact()});
    }
    const std::size_t named = run::machines_of(spec_.launch).size();
    for (const run::MachineState& known : before)
        if (find(machines, known.host) == machines.end() && machines.size() < named && known.host != "localhost")
            machines.push_back(
                {known.host, known.ranks, known.state == "lost" ? "lost" : "waiting", known.last_contact});
    return machines;
}

bool RankGroup::have_ended() const {
    return std::all_of(ranks_.begin(), ranks_.end(), [](const Rank& rank) { return rank.ended; });
}

void RankGroup::add_descriptors(std::vector<pollfd>& descriptors) const {
    for (const Participant& participant : machines_)
        participant.machine->add_descriptors(descriptors);
}

void RankGroup::take(RankListener& listener) {
    for (sender_ = 0; sender_ < machines_.size(); ++sender_)
        machines_[sender_].machine->take(listener);
}

const RankGroup::Rank* RankGroup::find(int rank) const {
    const auto index = static_cast<std::size_t>(rank);
    return rank >= 0 && index < ranks_.size() && ranks_[index].machine == sender_ ? &ranks_[index] : nullptr;
}

bool RankGroup::set_ended(int rank) {
    return find(rank) != nullptr && !std::exchange(ranks_[static_cast<std::size_t>(rank)].ended, true);
}

std::vector<int> RankGroup::lose_machine() {
    std::vector<int> lost;
    for (int rank = 0; static_cast<std::size_t>(rank) < ranks_.size(); ++rank)
        if (set_ended(rank))
            lost.push_back(rank);
    return lost;
}

std::vector<double> RankGroup::last_contacts() const {
    std::vector<double> contacts;
    for (const Participant& participant : machines_)
        contacts.push_back(participant.machine->last_contact());
    return contacts;
}

void RankGroup::signal(int number) {
    for (const Participant& participant : machines_)
        participant.machine->signal(number);
}

void RankGroup::end(int number) {
    for (Rank& rank : ranks_)
        rank.killed = rank.killed || !rank.ended;
    signal(number);
}

}  // namespace trainyard::launch
