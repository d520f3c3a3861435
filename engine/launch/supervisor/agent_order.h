// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the fixed commands of further machines read from their standard input, one JSON document, and the one line they answer with
// before they go on by themselves. Whoever launches a run over SSH writes these; nothing of them is ever in an argument.
//
// `trainyard supervise` (on the first host):
//   {"version":"0.1.0","spec":"<text of run.yaml>","run_id":"20261121-074512-gpt2-4f2a","run_dir":"","queued":false,
//    "listen":{"address":"10.0.0.1","port":0},"secret":"<hex>",
//    "lease_s":10,"heartbeat_s":1,"last_call_s":30,"still_s":10,"short_life_s":10}
//   spec.launch.machines lists all hosts, the first one is this; with one machine nothing listens and listen and secret may be missing.
//   Without run_id and run_dir the machine chooses a name.
//   answer: {"run_dir":"/home/u/.local/share/trainyard/runs/...","run_id":"...","pid":4711,"agent_port":40123}   (0: one machine)
//
// `trainyard agent` (on each further host, once the first one has answered):
//   {"version":"0.1.0","rendezvous":"<run_id>","secret":"<hex>","head":{"address":"10.0.0.1","port":40123},"host":"gpu-b",
//    "machine_rank":1,"ranks":2,"join_timeout_s":600}
//   answer: {"host":"gpu-b","pid":4712,"log":"/home/u/.local/state/trainyard/agents/..."}
//
// Both, when something is wrong: {"problems":[{"file","line","column","key","message","text"}, ...]} and exit code 2; nothing is left
// behind then. An order of another version of Trainyard is refused: the machines would not understand each other.

#include <filesystem>
#include <string>
#include <string_view>

#include "launch/supervisor/rank_machine.h"
#include "launch/supervisor/remote_machine.h"
#include "launch/supervisor/run_secret.h"

namespace trainyard::launch {

const char* order_version();
bool is_run_id(const std::string& text);
bool is_run_id_or_empty(const std::string& text);

struct SuperviseOrder {
    std::string spec;    ///< text of run.yaml
    std::string run_id;  ///< name of a new folder under the runs root of that machine, chosen by the launching machine
    std::filesystem::path run_dir;  ///< a folder that the user named, instead of run_id
    bool queued = false;            ///< waits for its turn on that machine
    std::string listen_address;     ///< of the interface that the other machines reach
    int listen_port = 0;            ///< 0: a free one
    Secret secret;
    LinkTimes link;
    double last_call_s = 30;  ///< how long others may still come once spec.launch.min_machines are there
    double still_s = 10;      ///< without progress of any rank: a warning
    double short_life_s =
        10;  ///< a generation that ends sooner makes the next one wait; nor does a program's end sooner for more machines

    /// The secret is not described: it is written and wiped apart.
    void fields(auto& field) const {
        field.constant("version", order_version());
        field("spec", spec).required();
        field("run_id", run_id).allowed_if(is_run_id_or_empty);
        field("run_dir", run_dir)("queued", queued);
        field.table("listen", [this](auto& table) {
            table("address", listen_address);
            table("port", listen_port).between(0, 65535);
        });
        field("lease_s", link.lease_s).between(0.5, 3600);
        field("heartbeat_s", link.heartbeat_s).between(0.05, 600);
        field("last_call_s", last_call_s).between(0, 86400);
        field("still_s", still_s).between(0.1, 86400);
        field("short_life_s", short_life_s).between(0.1, 86400);
    }
};

/// The line that answers it.
struct SuperviseAnswer {
    std::string run_dir;
    std::string run_id;
    int pid = 0;
    int agent_port = 0;

    void fields(auto& field) const {
        field("run_dir", run_dir);
        field("run_id", run_id).required();
        field("pid", pid);
        field("agent_port", agent_port).between(0, 65535);
    }
};

struct AgentOrder {
    std::string rendezvous;  ///< the run's id
    Secret secret;
    std::string head_address;
    int head_port = 0;
    std::string host;  ///< as people name this machine
    int machine_rank = 1;
    int ranks = 1;
    double join_timeout_s = 600;

    void fields(auto& field) const {
        field.constant("version", order_version());
        field("rendezvous", rendezvous).required().allowed_if(is_run_id);
        field.table("head", [this](auto& table) {
            table("address", head_address).required();
            table("port", head_port).required().between(1, 65535);
        });
        field("host", host);
        field("machine_rank", machine_rank).between(-1, kMostWorld);
        field("ranks", ranks).between(1, kMostRanks);
        field("join_timeout_s", join_timeout_s).between(0.1, 86400);
    }
};

/// The line that answers it.
struct AgentAnswer {
    std::string host;
    int pid = 0;
    std::string log;

    void fields(auto& field) const {
        field("host", host);
        field("pid", pid).required();
        field("log", log);
    }
};

/// With the secret in it: to be wiped (launch::wipe) once it is sent.
std::string to_json(const SuperviseOrder& order);
std::string to_json(const AgentOrder& order);
std::string to_json(const SuperviseAnswer& answer);
std::string to_json(const AgentAnswer& answer);
/// Throw InvalidInput with everything that is wrong.
SuperviseOrder parse_supervise_order(std::string_view json);
AgentOrder parse_agent_order(std::string_view json);

}  // namespace trainyard::launch
