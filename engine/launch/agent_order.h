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

#include "launch/remote_machine.h"
#include "launch/secret_handshake.h"

namespace trainyard::launch {

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
};

/// With the secret in it: to be wiped (launch::wipe) once it is sent.
std::string to_json(const SuperviseOrder& order);
std::string to_json(const AgentOrder& order);
/// Throw InvalidInput with everything that is wrong.
SuperviseOrder parse_supervise_order(std::string_view json);
AgentOrder parse_agent_order(std::string_view json);

}  // namespace trainyard::launch
