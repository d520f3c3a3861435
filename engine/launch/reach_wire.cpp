#include <arpa/inet.h>

#include "base/error.h"
#include "base/json.h"
#include "base/untrusted.h"
#include "launch/reach.h"
#include "run/json_fields.h"

namespace trainyard::launch {

using run::json::Json;

namespace {

constexpr std::size_t kMostAddresses = 256;  // of a machine
constexpr std::size_t kMostAnswers = 4096;   // hosts
constexpr std::size_t kLongestToken = 64;    // characters

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
std::string label_field(const Json& object, const char* key) {
    return HostText(text_field(object, key));
}

/// A numeric address, or nothing: ranks of other hosts connect to it.
std::string address_field(const Json& object, const char* key) {
    std::string text = text_field(object, key);
    in6_addr bits{};
    const bool numeric = text.size() < INET6_ADDRSTRLEN && (::inet_pton(AF_INET, text.c_str(), &bits) == 1 ||
                                                            ::inet_pton(AF_INET6, text.c_str(), &bits) == 1);
    if (!text.empty() && !numeric)
        throw UserError("what a host said about the network is not what it should be: '" + HostText(text, 60).text() +
                        "' is not an address");
    return text;
}

Json json_of(const ReachTarget& target) {
    Json addresses = Json::array();
    for (const auto& [address, port] : target.addresses)
        addresses.push_back({{"address", address}, {"port", port}});
    return {{"host", target.host}, {"token", target.token}, {"addresses", addresses}};
}

ReachTarget target_of(const Json& object) {
    ReachTarget target{label_field(object, "host"), text_field(object, "token"), {}};
    const Json addresses = field<Json>(object, "addresses", Json::array());
    if (!addresses.is_array() || addresses.size() > kMostAddresses || target.token.size() > kLongestToken)
        throw UserError("what a host said about the network is not what it should be");
    for (const Json& one : addresses) {
        const int port = field(one, "port", 0);
        if (port < 1 || port > 65535)
            throw UserError("what a host said about the network is not what it should be: a port is not one");
        target.addresses.emplace_back(address_field(one, "address"), port);
    }
    return target;
}

Json list_of(const std::string& json) {
    Json list = read_json(json);
    if (!list.is_array() || list.size() > kMostAnswers)
        throw UserError("what a host said about the network cannot be read: " + HostText(json, 100).text());
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
        reach.from = label_field(one, "from");
        reach.to = label_field(one, "to");
        reach.ok = field(one, "ok", false);
        reach.address = address_field(one, "address");
        reach.local_address = address_field(one, "local_address");
        reach.interface = label_field(one, "interface");
        reach.round_trip_s = field(one, "round_trip_s", 0.0);
        reach.problem = label_field(one, "problem");
        answers.push_back(std::move(reach));
    }
    return answers;
}

}  // namespace trainyard::launch
