#include "base/error.h"
#include "base/json.h"
#include "launch/reach.h"
#include "run/json_fields.h"

namespace trainyard::launch {

using run::json::Json;

namespace {

template <typename Value>
Value field(const Json& object, const char* key, Value fallback) {
    if (!object.is_object())
        throw UserError("what a host said about the network is not what it should be");
    run::json::read(object, key, fallback, "what a host said about the network");
    return fallback;
}
std::string text_field(const Json& object, const char* key) {
    return field<std::string>(object, key, {});
}

Json json_of(const ReachTarget& target) {
    Json addresses = Json::array();
    for (const auto& [address, port] : target.addresses)
        addresses.push_back({{"address", address}, {"port", port}});
    return {{"host", target.host}, {"token", target.token}, {"addresses", addresses}};
}

ReachTarget target_of(const Json& object) {
    ReachTarget target{text_field(object, "host"), text_field(object, "token"), {}};
    for (const Json& one : field<Json>(object, "addresses", Json::array()))
        target.addresses.emplace_back(text_field(one, "address"), field(one, "port", 0));
    return target;
}

Json list_of(const std::string& json) {
    Json list = read_json(json);
    if (!list.is_array())
        throw UserError("what a host said about the network cannot be read: " + json.substr(0, 100));
    return list;
}

}  // namespace

std::string to_json(const ReachTarget& target) {
    return run::json::dump(json_of(target));
}

ReachTarget parse_reach_target(const std::string& json) {
    return target_of(run::json::parse_object(json, "what a host said about the network"));
}

std::string to_json(const std::vector<ReachTarget>& targets) {
    Json list = Json::array();
    for (const ReachTarget& target : targets)
        list.push_back(json_of(target));
    return run::json::dump(list);
}

std::vector<ReachTarget> parse_reach_targets(const std::string& json) {
    std::vector<ReachTarget> targets;
    for (const Json& one : list_of(json))
        targets.push_back(target_of(one));
    return targets;
}

std::string to_json(const std::vector<Reach>& answers) {
    Json list = Json::array();
    for (const Reach& one : answers)
        list.push_back({{"from", one.from},
                        {"to", one.to},
                        {"ok", one.ok},
                        {"address", one.address},
                        {"local_address", one.local_address},
                        {"interface", one.interface},
                        {"round_trip_s", one.round_trip_s},
                        {"problem", one.problem}});
    return run::json::dump(list);
}

std::vector<Reach> parse_reaches(const std::string& json) {
    std::vector<Reach> answers;
    for (const Json& one : list_of(json)) {
        Reach reach;
        reach.from = text_field(one, "from");
        reach.to = text_field(one, "to");
        reach.ok = field(one, "ok", false);
        reach.address = text_field(one, "address");
        reach.local_address = text_field(one, "local_address");
        reach.interface = text_field(one, "interface");
        reach.round_trip_s = field(one, "round_trip_s", 0.0);
        reach.problem = text_field(one, "problem");
        answers.push_back(std::move(reach));
    }
    return answers;
}

}  // namespace trainyard::launch
