// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Rendezvous as in torchrun: the same command runs on each machine, and the machines find each other. This header turns
// the arguments of the command line (--main_process_ip, --main_process_port, --machine_rank, --rdzv_backend,
// --rdzv_conf, --rdzv_id) into settings.
//
// --rdzv_conf takes key=value pairs separated by commas: join_timeout (s, 600; also timeout), last_call_timeout (s,
// 30), min_nodes (fewest machines that may train; default: all), key (the run's secret; $TRAINYARD_RUN_SECRET is safer,
// because process lists do not show it).
// Other keys of torchelastic have no effect here; a note names them.

#include <memory>
#include <string>
#include <vector>

#include "base/message.h"
#include "launch/supervisor/agent.h"
#include "launch/supervisor/join_pool.h"

namespace trainyard::launch {

struct RendezvousArguments {
    std::string backend = "static";  ///< static | c10d
    std::string address;             ///< where the head listens
    int port = 29500;
    int machine_rank = -1;  ///< -1: not said
    int machines = 2;
    int ranks = 1;  ///< of this machine
    std::string conf;
    std::string id;  ///< empty: "none", as torchrun has it
};

struct RendezvousSettings {
    JoinOptions::Way way = JoinOptions::Way::by_number;
    std::string address;
    int port = 0;
    int machine_rank = -1;
    int machines = 1;
    int min_machines = 0;  ///< 0: all
    int ranks = 1;
    std::string id;
    Secret secret;
    double join_timeout_s = 600;
    double last_call_s = 30;
    std::vector<Message> notes;  ///< for people, before anything starts
};

/// Reads $TRAINYARD_RUN_SECRET and takes it out of the environment, so that no rank inherits it. Throws InvalidInput
/// with everything that is wrong.
RendezvousSettings read_rendezvous(const RendezvousArguments& arguments);

/// The head's machines: this one, `own`, and those that join. By number the machine with number 0 is the head; by
/// arrival it is the one that has the address and finds the port free. Empty where this machine is not the head. Throws
/// UserError where it must be and cannot.
std::unique_ptr<JoinPool> open_rendezvous(const RendezvousSettings& settings, std::unique_ptr<RankMachine> own);

/// For the machines that are not the head.
AgentOptions agent_of(const RendezvousSettings& settings);

}  // namespace trainyard::launch
