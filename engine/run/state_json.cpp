#include "run/json_fields.h"
#include "run/state.h"

namespace trainyard::run {

using json::Json;

namespace {

constexpr std::size_t kMostRanks = 65'536;

Json rank_json(const RankState& rank) {
    Json object{{"rank", rank.rank},
                {"host", rank.host},
                {"device", rank.device},
                {"pid", rank.process.pid},
                {"start_time", rank.process.start_time},
                {"state", rank.state},
                {"step", rank.step},
                {"phase", rank.phase},
                {"last_collective", rank.last_collective},
                {"resident_bytes", rank.resident_bytes}};
    json::write(object, "exit", rank.exit_code);
    json::write(object, "signal", rank.signal);
    return object;
}

RankState parse_rank(const Json& object, const std::string& origin) {
    RankState rank;
    json::read(object, "rank", rank.rank, origin);
    json::read(object, "host", rank.host, origin);
    json::read(object, "device", rank.device, origin);
    json::read(object, "pid", rank.process.pid, origin);
    json::read(object, "start_time", rank.process.start_time, origin);
    json::read(object, "state", rank.state, origin);
    json::read(object, "step", rank.step, origin);
    json::read(object, "phase", rank.phase, origin);
    json::read(object, "last_collective", rank.last_collective, origin);
    json::read(object, "resident_bytes", rank.resident_bytes, origin);
    json::read(object, "exit", rank.exit_code, origin);
    json::read(object, "signal", rank.signal, origin);
    return rank;
}

Json machine_json(const MachineState& machine) {
    Json object{{"host", machine.host}, {"ranks", machine.ranks}, {"state", machine.state}};
    object["last_contact"] = machine.last_contact > 0 ? Json(iso_time(machine.last_contact)) : Json(nullptr);
    return object;
}

MachineState parse_machine(const Json& object, const std::string& origin) {
    MachineState machine;
    json::read(object, "host", machine.host, origin);
    json::read(object, "ranks", machine.ranks, origin);
    json::read(object, "state", machine.state, origin);
    json::read_time(object, "last_contact", machine.last_contact, origin);
    return machine;
}

Json failure_json(const Failure& failure) {
    Json object{{"rank", failure.rank},       {"host", failure.host},
                {"step", failure.step},       {"phase", failure.phase},
                {"log", failure.log},         {"last_collective", failure.last_collective},
                {"message", failure.message}, {"time", iso_time(failure.time)}};
    json::write(object, "exit", failure.exit_code);
    json::write(object, "signal", failure.signal);
    return object;
}

Failure parse_failure(const Json& object, const std::string& origin) {
    Failure failure;
    json::read(object, "rank", failure.rank, origin);
    json::read(object, "host", failure.host, origin);
    json::read(object, "step", failure.step, origin);
    json::read(object, "phase", failure.phase, origin);
    json::read(object, "last_collective", failure.last_collective, origin);
    json::read(object, "message", failure.message, origin);
    json::read(object, "log", failure.log, origin);
    json::read(object, "exit", failure.exit_code, origin);
    json::read(object, "signal", failure.signal, origin);
    json::read_time(object, "time", failure.time, origin);
    return failure;
}

Json progress_json(const Progress& progress) {
    Json object{{"step", progress.step},
                {"of", progress.of},
                {"epoch", progress.epoch},
                {"tokens", progress.tokens},
                {"samples", progress.samples}};
    json::write_real(object, "eta_s", progress.eta_s);
    json::write_real(object, "loss", progress.loss);
    json::write_real(object, "validation_loss", progress.validation_loss);
    json::write_real(object, "tokens_per_s", progress.tokens_per_s);
    return object;
}

Progress parse_progress(const Json& object, const std::string& origin) {
    Progress progress;
    json::read(object, "step", progress.step, origin);
    json::read(object, "of", progress.of, origin);
    json::read(object, "epoch", progress.epoch, origin);
    json::read(object, "tokens", progress.tokens, origin);
    json::read(object, "samples", progress.samples, origin);
    json::read_real(object, "eta_s", progress.eta_s, origin);
    json::read_real(object, "loss", progress.loss, origin);
    json::read_real(object, "validation_loss", progress.validation_loss, origin);
    json::read_real(object, "tokens_per_s", progress.tokens_per_s, origin);
    return progress;
}

const Json* find_object(const Json& object, const char* key, const std::string& origin) {
    auto found = object.find(key);
    if (found == object.end() || found->is_null())
        return nullptr;
    if (!found->is_object())
        throw UserError(origin + ": " + key + " has the wrong type");
    return &*found;
}

}  // namespace

std::string to_json(const RunState& state) {
    Json ranks = Json::array();
    for (const RankState& rank : state.ranks)
        ranks.push_back(rank_json(rank));
    Json machines = Json::array();
    for (const MachineState& machine : state.machines)
        machines.push_back(machine_json(machine));
    Json object{{"run_id", state.run_id},
                {"name", state.name},
                {"status", to_string(state.status)},
                {"message", state.message},
                {"supervisor",
                 {{"host", state.supervisor_host},
                  {"pid", state.supervisor.pid},
                  {"start_time", state.supervisor.start_time},
                  {"generation", state.generation}}},
                {"created", iso_time(state.created)},
                {"started", state.started > 0 ? Json(iso_time(state.started)) : Json(nullptr)},
                {"ended", state.ended ? Json(iso_time(*state.ended)) : Json(nullptr)},
                {"heartbeat", iso_time(state.heartbeat)},
                {"restarts", state.restarts},
                {"queue_place", state.queue_place > 0 ? Json(state.queue_place) : Json(nullptr)},
                {"machines", machines},
                {"ranks", ranks},
                {"first_failure", state.first_failure ? failure_json(*state.first_failure) : Json(nullptr)},
                {"progress", progress_json(state.progress)}};
    return json::dump(object) + "\n";
}

RunState parse_state(const std::string& text, const std::string& origin) {
    Json object = json::parse_object(text, origin);
    RunState state;
    json::read(object, "run_id", state.run_id, origin);
    json::read(object, "name", state.name, origin);
    json::read(object, "message", state.message, origin);
    std::string status;
    json::read(object, "status", status, origin);
    try {
        state.status = parse_status(status);
    } catch (const UserError& error) {
        throw UserError(origin + ": " + error.what());
    }
    if (const Json* supervisor = find_object(object, "supervisor", origin)) {
        json::read(*supervisor, "host", state.supervisor_host, origin);
        json::read(*supervisor, "pid", state.supervisor.pid, origin);
        json::read(*supervisor, "start_time", state.supervisor.start_time, origin);
        json::read(*supervisor, "generation", state.generation, origin);
    }
    json::read_time(object, "created", state.created, origin);
    json::read_time(object, "started", state.started, origin);
    json::read_time(object, "heartbeat", state.heartbeat, origin);
    double ended = 0;
    json::read_time(object, "ended", ended, origin);
    if (ended > 0)
        state.ended = ended;
    json::read(object, "restarts", state.restarts, origin);
    json::read(object, "queue_place", state.queue_place, origin);
    for (const char* key : {"machines", "ranks"})
        if (auto list = object.find(key); list != object.end() && list->size() > kMostRanks)
            throw UserError(origin + ": " + key + " has " + std::to_string(list->size()) + " entries, more than the " +
                            std::to_string(kMostRanks) + " of any run");
    if (auto machines = object.find("machines"); machines != object.end() && machines->is_array())
        for (const Json& machine : *machines)
            if (machine.is_object())
                state.machines.push_back(parse_machine(machine, origin));
    if (auto ranks = object.find("ranks"); ranks != object.end() && ranks->is_array())
        for (const Json& rank : *ranks)
            if (rank.is_object())
                state.ranks.push_back(parse_rank(rank, origin));
    if (const Json* failure = find_object(object, "first_failure", origin))
        state.first_failure = parse_failure(*failure, origin);
    if (const Json* progress = find_object(object, "progress", origin))
        state.progress = parse_progress(*progress, origin);
    return state;
}

}  // namespace trainyard::run
