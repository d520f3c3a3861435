// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/supervisor/rendezvous_settings.h"

#include <cstdlib>
#include <cstring>
#include <map>

#include <fmt/format.h>

#include "base/environment_names.h"
#include "base/error.h"
#include "base/listen_socket.h"
#include "base/number.h"
#include "base/text.h"
#include "launch/supervisor/network_interface.h"

namespace trainyard::launch {

namespace {

std::map<std::string, std::string> pairs_in_conf(const std::string& conf, std::vector<Problem>& problems) {
    std::map<std::string, std::string> pairs;
    for (std::size_t begin = 0; begin < conf.size();) {
        std::size_t end = std::min(conf.find(',', begin), conf.size());
        std::string pair = conf.substr(begin, end - begin);
        std::size_t equals = pair.find('=');
        if (equals == std::string::npos || equals == 0)
            problems.push_back(
                {"", 0, 0, "--rdzv_conf",
                 Message("'{}' is not a key=value pair: write join_timeout=600,last_call_timeout=30", pair)});
        else if (!pairs.emplace(pair.substr(0, equals), pair.substr(equals + 1)).second)
            problems.push_back(
                {"", 0, 0, "--rdzv_conf", Message("'{}' is said twice: say it once", pair.substr(0, equals))});
        begin = end + 1;
    }
    return pairs;
}

class Conf {
  public:
    Conf(const std::string& conf, std::vector<Problem>& problems)
        : problems_(problems), pairs_(pairs_in_conf(conf, problems)) {}

    double number(const char* key, double least, double most, double otherwise) {
        std::string text = take(key);
        if (text.empty())
            return otherwise;
        const auto value = parse_number<double>(text, least, most);
        if (!value) {
            problems_.push_back(
                {"", 0, 0, "--rdzv_conf", Message("{}={} is not a number from {} to {}", key, text, least, most)});
            return otherwise;
        }
        return *value;
    }
    std::string take(const char* key) {
        auto found = pairs_.find(key);
        if (found == pairs_.end())
            return {};
        std::string text = found->second;
        pairs_.erase(found);
        return text;
    }
    std::string rest() const {
        std::string names;
        for (const auto& [key, value] : pairs_)
            names += (names.empty() ? "" : ", ") + key;
        return names;
    }

  private:
    std::vector<Problem>& problems_;
    std::map<std::string, std::string> pairs_;
};

}  // namespace

RendezvousSettings read_rendezvous(const RendezvousArguments& arguments) {
    std::vector<Problem> problems;
    auto wrong = [&](const char* key, const Message& message) { problems.push_back({"", 0, 0, key, message}); };
    RendezvousSettings settings;
    if (arguments.backend == "c10d")
        settings.way = JoinOptions::Way::by_arrival;
    else if (arguments.backend == "etcd" || arguments.backend == "etcd-v2")
        wrong("--rdzv_backend", Message("{} needs a server beside the run, which Trainyard does not: give "
                                        "static (with --machine_rank) or c10d (without)",
                                        arguments.backend));
    else if (arguments.backend != "static")
        wrong("--rdzv_backend", Message("'{}' is unknown{}", arguments.backend,
                                        text::did_you_mean(arguments.backend, {"static", "c10d"})));
    bool numbered = settings.way == JoinOptions::Way::by_number;
    settings.address = arguments.address;
    settings.port = arguments.port;
    settings.machines = arguments.machines;
    settings.machine_rank = numbered ? arguments.machine_rank : -1;
    settings.ranks = arguments.ranks;
    if (arguments.address.empty())
        wrong("--main_process_ip", "is missing: give the address of the first machine, where the others find it");
    if (arguments.port < 1 || arguments.port > 65535)
        wrong("--main_process_port", Message("{} is not a valid port: give 1 to 65535", arguments.port));
    if (numbered && (arguments.machine_rank < 0 || arguments.machine_rank >= arguments.machines))
        wrong("--machine_rank",
              arguments.machine_rank < 0
                  ? Message("is missing: give each machine its number, 0 to {}, or leave numbers to the "
                            "order of arrival with --rdzv_backend c10d",
                            arguments.machines - 1)
                  : Message("{} is not below the number of machines, {}", arguments.machine_rank, arguments.machines));

    Conf conf(arguments.conf, problems);
    settings.join_timeout_s = conf.number("timeout", 1, 1e6, settings.join_timeout_s);
    settings.join_timeout_s = conf.number("join_timeout", 1, 1e6, settings.join_timeout_s);
    settings.last_call_s = conf.number("last_call_timeout", 0, 1e6, settings.last_call_s);
    settings.min_machines = static_cast<int>(conf.number("min_nodes", 1, arguments.machines, 0));
    std::string key = conf.take("key");
    if (std::string rest = conf.rest(); !rest.empty())
        settings.notes.push_back(Message("--rdzv_conf: {} means nothing here and is passed over", rest));
    settings.id = arguments.id.empty() ? "none" : arguments.id;
    if (char* secret = std::getenv(kEnvRunSecret); secret != nullptr && *secret != '\0') {
        key = secret;
        // The text itself would stay readable in /proc/PID/environ.
        ::explicit_bzero(secret, std::strlen(secret));
    }
    ::unsetenv(kEnvRunSecret);
    if (key.empty()) {
        key = "rendezvous " + settings.id;
        settings.notes.push_back(
            Message("the machines do not share a secret: any host that reaches {}:{} and knows the name '{}' can join; "
                    "set the same {} on all machines",
                    settings.address, settings.port, settings.id, kEnvRunSecret));
    }
    try {
        settings.secret = Secret(key);
    } catch (const UserError& error) {
        wrong("--rdzv_conf", error.message());
    }
    wipe(key);
    if (is_public_address(settings.address))
        settings.notes.push_back(
            Message("{} is an address of the internet: what ranks send each other is not encrypted; use a "
                    "private network, or hosts over SSH (--hosts)",
                    settings.address));
    if (!problems.empty())
        throw InvalidInput(std::move(problems));
    return settings;
}

std::unique_ptr<JoinPool> open_rendezvous(const RendezvousSettings& settings, std::unique_ptr<RankMachine> own) {
    bool numbered = settings.way == JoinOptions::Way::by_number;
    if (numbered && settings.machine_rank != 0)
        return nullptr;
    if (!numbered) {
        // The launcher that can bind the address is the head: other machines do not have the address, other launchers
        // here find the port in use.
        try {
            int port = settings.port;
            listen_on(settings.address, port);
        } catch (const UserError&) {
            return nullptr;
        }
    }
    JoinOptions options;
    options.way = settings.way;
    options.max_machines = settings.machines;
    options.port_is_the_stores = numbered;
    ListenerOptions listener;
    listener.address = settings.address;
    listener.port = settings.port;
    listener.rendezvous = settings.id;
    listener.secret = settings.secret;
    return std::make_unique<JoinPool>(options, listener, std::move(own), settings.ranks);
}

AgentOptions agent_of(const RendezvousSettings& settings) {
    AgentOptions options;
    options.rendezvous = settings.id;
    options.secret = settings.secret;
    options.head_address = settings.address;
    options.head_port = settings.port;
    options.machine_rank = settings.machine_rank;
    options.ranks = settings.ranks;
    options.join_timeout_s = settings.join_timeout_s;
    return options;
}

}  // namespace trainyard::launch
