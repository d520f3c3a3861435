#include "launch/agent_messages.h"

#include "base/json.h"
#include "launch/agent_wire.h"
#include "run/json_fields.h"

namespace trainyard::launch {

namespace {

using run::json::Json;

constexpr std::size_t kOutputHeaderBytes = 9;
constexpr int kMostRanks = 4096;

/// Runs `read` on the parsed text; whatever is wrong in it becomes one WireError.
template <typename F>
auto parsed(std::string_view text, F&& read) {
    try {
        return read(parse_json(text));
    } catch (const nlohmann::json::exception&) {
        throw WireError("it sent a message that is none of Trainyard's");
    }
}

int whole(const Json& json, const char* key, int least, int most) {
    auto value = json.at(key).get<std::int64_t>();
    if (value < least || value > most)
        throw WireError(std::string("it sent a message whose ") + key + " is out of range");
    return static_cast<int>(value);
}
int rank_of(const Json& json) {
    return whole(json, "rank", 0, 1 << 20);
}
int generation_of(const Json& json) {
    return whole(json, "generation", 0, 1 << 30);
}
double seconds_at(const Json& json, const char* key, double least, double most) {
    double value = json.at(key).get<double>();
    if (!(value >= least && value <= most))
        throw WireError(std::string("it sent a message whose ") + key + " is out of range");
    return value;
}

struct ReportWriter {
    Json operator()(const JoinRequest& join) const {
        return {{"kind", "join"},
                {"agent", join.agent},
                {"host", join.host},
                {"machine_rank", join.machine_rank},
                {"ranks", join.ranks}};
    }
    Json operator()(const RankStarted& started) const {
        return {{"kind", "started"},
                {"generation", started.generation},
                {"rank", started.rank},
                {"pid", started.process.pid},
                {"start_time", started.process.start_time}};
    }
    Json operator()(const RankEnded& ended) const {
        return {{"kind", "ended"},
                {"generation", ended.generation},
                {"rank", ended.rank},
                {"status", ended.status},
                {"reason", ended.reason}};
    }
    Json operator()(const RankSaid& said) const {
        return {{"kind", "said"}, {"generation", said.generation}, {"rank", said.rank}, {"line", said.line}};
    }
    Json operator()(const StartFailed& failed) const {
        return {{"kind", "failed"}, {"generation", failed.generation}, {"reason", failed.reason}};
    }
    Json operator()(const Preempted& preempted) const { return {{"kind", "preempted"}, {"reason", preempted.reason}}; }
};

struct OrderWriter {
    Json operator()(const JoinAnswer& answer) const {
        return {{"kind", "accepted"},      {"run_id", answer.run_id},   {"spec", answer.spec},
                {"recipe", answer.recipe}, {"lease_s", answer.lease_s}, {"heartbeat_s", answer.heartbeat_s}};
    }
    Json operator()(const MachineOrder& order) const {
        Json ranks = Json::array();
        for (const RankOrder& rank : order.ranks)
            ranks.push_back({{"rank", rank.rank}, {"local_rank", rank.local_rank}, {"environment", rank.environment}});
        return {{"kind", "start"},
                {"generation", order.generation},
                {"machine_rank", order.machine_rank},
                {"command", order.command},
                {"environment", order.environment},
                {"directory", order.directory.string()},
                {"share_cores", order.share_cores},
                {"cpu_affinity", order.cpu_affinity},
                {"ranks", ranks}};
    }
    Json operator()(const SendOrder& send) const {
        return {{"kind", "send"}, {"rank", send.rank}, {"line", send.line}};
    }
    Json operator()(const SignalOrder& signal) const { return {{"kind", "signal"}, {"number", signal.number}}; }
    Json operator()(const RunOver& over) const { return {{"kind", "over"}, {"code", over.code}, {"text", over.text}}; }
};

MachineOrder read_start(const Json& json) {
    MachineOrder order;
    order.generation = generation_of(json);
    order.machine_rank = whole(json, "machine_rank", 0, 1 << 20);
    order.command = json.at("command").get<std::vector<std::string>>();
    order.environment = json.at("environment").get<std::map<std::string, std::string>>();
    order.directory = json.at("directory").get<std::string>();
    order.share_cores = json.at("share_cores").get<bool>();
    order.cpu_affinity = json.at("cpu_affinity").get<bool>();
    for (const Json& rank : json.at("ranks"))
        order.ranks.push_back({rank_of(rank), whole(rank, "local_rank", 0, kMostRanks),
                               rank.at("environment").get<std::map<std::string, std::string>>()});
    if (order.ranks.size() > kMostRanks)
        throw WireError("it orders more ranks than a machine can have");
    return order;
}

}  // namespace

std::string to_json(const Hello& hello) {
    return run::json::dump({{"protocol", hello.protocol},
                            {"version", hello.version},
                            {"rendezvous", hello.rendezvous},
                            {"nonce", to_hex(hello.nonce)}});
}

Hello parse_hello(std::string_view json) {
    return parsed(json, [](const Json& all) {
        return Hello{whole(all, "protocol", 0, 1 << 20), all.at("version").get<std::string>(),
                     all.at("rendezvous").get<std::string>(), from_hex(all.at("nonce").get<std::string>())};
    });
}

std::string to_json(const Challenge& challenge) {
    return run::json::dump({{"version", challenge.version}, {"nonce", to_hex(challenge.nonce)}});
}

Challenge parse_challenge(std::string_view json) {
    return parsed(json, [](const Json& all) {
        return Challenge{all.at("version").get<std::string>(), from_hex(all.at("nonce").get<std::string>())};
    });
}

std::string proof_json(const Digest& proof) {
    return run::json::dump({{"proof", to_hex(bytes_of(proof))}});
}

std::string parse_proof(std::string_view json) {
    return parsed(json, [](const Json& all) { return from_hex(all.at("proof").get<std::string>()); });
}

std::string to_json(const Refusal& refusal) {
    return run::json::dump({{"reason", refusal.reason}, {"final", refusal.final}});
}

Refusal parse_refusal(std::string_view json) {
    return parsed(json, [](const Json& all) {
        return Refusal{all.at("reason").get<std::string>().substr(0, 1000), all.at("final").get<bool>()};
    });
}

std::string to_json(const AgentReport& report) {
    return run::json::dump(std::visit(ReportWriter{}, report));
}

std::string to_json(const HeadOrder& order) {
    return run::json::dump(std::visit(OrderWriter{}, order));
}

AgentReport parse_report(std::string_view json) {
    return parsed(json, [](const Json& all) -> AgentReport {
        std::string kind = all.at("kind").get<std::string>();
        if (kind == "join")
            return JoinRequest{all.at("agent").get<std::string>().substr(0, 64),
                               all.at("host").get<std::string>().substr(0, 255),
                               whole(all, "machine_rank", -1, 1 << 20), whole(all, "ranks", 1, kMostRanks)};
        if (kind == "started")
            return RankStarted{generation_of(all),
                               rank_of(all),
                               {whole(all, "pid", 0, 1 << 30), all.at("start_time").get<std::uint64_t>()}};
        if (kind == "ended")
            return RankEnded{generation_of(all), rank_of(all), whole(all, "status", 0, 0xffff),
                             all.at("reason").get<std::string>()};
        if (kind == "said")
            return RankSaid{generation_of(all), rank_of(all), all.at("line").get<std::string>()};
        if (kind == "failed")
            return StartFailed{generation_of(all), all.at("reason").get<std::string>()};
        if (kind == "preempted")
            return Preempted{all.at("reason").get<std::string>()};
        throw WireError("it reports '" + kind.substr(0, 40) + "', which this version does not know");
    });
}

HeadOrder parse_order(std::string_view json) {
    return parsed(json, [](const Json& all) -> HeadOrder {
        std::string kind = all.at("kind").get<std::string>();
        if (kind == "accepted")
            return JoinAnswer{all.at("run_id").get<std::string>(), all.at("spec").get<std::string>(),
                              all.at("recipe").get<bool>(), seconds_at(all, "lease_s", 0.1, 3600),
                              seconds_at(all, "heartbeat_s", 0.01, 3600)};
        if (kind == "start")
            return read_start(all);
        if (kind == "send")
            return SendOrder{rank_of(all), all.at("line").get<std::string>()};
        if (kind == "signal")
            return SignalOrder{whole(all, "number", 1, 64)};
        if (kind == "over")
            return RunOver{whole(all, "code", 0, 255), all.at("text").get<std::string>()};
        throw WireError("it orders '" + kind.substr(0, 40) + "', which this version does not know");
    });
}

std::string to_json(const LinkHeartbeat& heartbeat) {
    Json json{{"n", heartbeat.number}, {"ack", heartbeat.acknowledged}};
    if (heartbeat.round_trip_s > 0)
        json["round_trip_s"] = heartbeat.round_trip_s;
    for (const auto& [rank, text] : heartbeat.conditions)
        json["conditions"].push_back({{"rank", rank}, {"text", text}});
    return run::json::dump(json);
}

LinkHeartbeat parse_heartbeat(std::string_view json) {
    return parsed(json, [](const Json& all) {
        LinkHeartbeat heartbeat;
        heartbeat.number = all.at("n").get<std::uint64_t>();
        heartbeat.acknowledged = all.at("ack").get<std::uint64_t>();
        heartbeat.round_trip_s = all.value("round_trip_s", 0.0);
        if (auto found = all.find("conditions"); found != all.end())
            for (const Json& one : *found)
                heartbeat.conditions.emplace_back(rank_of(one), one.at("text").get<std::string>());
        return heartbeat;
    });
}

std::string output_payload(const OutputHeader& header, std::string_view bytes) {
    std::string payload;
    for (int number : {header.generation, header.rank})
        for (int shift = 24; shift >= 0; shift -= 8)
            payload.push_back(static_cast<char>((number >> shift) & 0xff));
    payload.push_back(header.standard_error ? 1 : 0);
    payload += bytes;
    return payload;
}

OutputHeader parse_output(std::string_view payload, std::string_view& bytes) {
    if (payload.size() < kOutputHeaderBytes)
        throw WireError("it sent output of no rank");
    auto number = [&](std::size_t at) {
        std::uint32_t value = 0;
        for (std::size_t i = 0; i < 4; ++i)
            value = value << 8 | static_cast<unsigned char>(payload[at + i]);
        return static_cast<int>(value & 0x7fffffff);
    };
    bytes = payload.substr(kOutputHeaderBytes);
    return {number(0), number(4), payload[8] != 0};
}

}  // namespace trainyard::launch
