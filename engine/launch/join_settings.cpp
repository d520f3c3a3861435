#include "launch/join_settings.h"

#include <charconv>
#include <cstdlib>
#include <map>

#include <fmt/format.h>

#include "base/error.h"
#include "base/text.h"
#include "launch/launch_environment_names.h"
#include "launch/network_interface.h"
#include "launch/store_socket.h"

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
                 fmt::format("'{}' is no key=value: write join_timeout=600,last_call_timeout=30", pair)});
        else if (!pairs.emplace(pair.substr(0, equals), pair.substr(equals + 1)).second)
            problems.push_back(
                {"", 0, 0, "--rdzv_conf", fmt::format("'{}' is said twice: say it once", pair.substr(0, equals))});
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
        double value = 0;
        auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc() || end != text.data() + text.size() || !(value >= least && value <= most)) {
            problems_.push_back(
                {"", 0, 0, "--rdzv_conf", fmt::format("{}={} is not a number from {} to {}", key, text, least, most)});
            return otherwise;
        }
        return value;
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

Meeting read_meeting(const MeetingWords& words) {
    std::vector<Problem> problems;
    auto wrong = [&](const char* key, const std::string& message) { problems.push_back({"", 0, 0, key, message}); };
    Meeting meeting;
    if (words.backend == "c10d")
        meeting.way = JoinOptions::Way::by_arrival;
    else if (words.backend == "etcd" || words.backend == "etcd-v2")
        wrong("--rdzv_backend", words.backend +
                                    " needs a server beside the run, which Trainyard does not: give static (with "
                                    "--machine_rank) or c10d (without)");
    else if (words.backend != "static")
        wrong("--rdzv_backend",
              fmt::format("'{}' is unknown{}", words.backend, text::did_you_mean(words.backend, {"static", "c10d"})));
    bool numbered = meeting.way == JoinOptions::Way::by_number;
    meeting.address = words.address;
    meeting.port = words.port;
    meeting.machines = words.machines;
    meeting.machine_rank = numbered ? words.machine_rank : -1;
    meeting.ranks = words.ranks;
    if (words.address.empty())
        wrong("--main_process_ip", "is missing: give the address of the first machine, where the others find it");
    if (words.port < 1 || words.port > 65535)
        wrong("--main_process_port",
              fmt::format("{} is no port that machines can agree on: give 1 to 65535", words.port));
    if (numbered && (words.machine_rank < 0 || words.machine_rank >= words.machines))
        wrong("--machine_rank",
              words.machine_rank < 0
                  ? fmt::format(
                        "is missing: give each machine its number, 0 to {}, or leave numbers to the order of arrival "
                        "with --rdzv_backend c10d",
                        words.machines - 1)
                  : fmt::format("{} is not below the number of machines, {}", words.machine_rank, words.machines));

    Conf conf(words.conf, problems);
    meeting.join_timeout_s = conf.number("timeout", 1, 1e6, meeting.join_timeout_s);
    meeting.join_timeout_s = conf.number("join_timeout", 1, 1e6, meeting.join_timeout_s);
    meeting.last_call_s = conf.number("last_call_timeout", 0, 1e6, meeting.last_call_s);
    meeting.min_machines = static_cast<int>(conf.number("min_nodes", 1, words.machines, 0));
    std::string key = conf.take("key");
    if (std::string rest = conf.rest(); !rest.empty())
        meeting.notes.push_back("--rdzv_conf: " + rest + " means nothing here and is passed over");
    meeting.rendezvous = words.id.empty() ? "none" : words.id;
    if (const char* secret = std::getenv(kEnvRunSecret); secret != nullptr && *secret != '\0')
        key = secret;
    ::unsetenv(kEnvRunSecret);
    if (key.empty()) {
        key = "rendezvous " + meeting.rendezvous;
        meeting.notes.push_back(
            fmt::format("the machines have no secret in common: whoever reaches {}:{} and knows the name '{}' can "
                        "join; set the same {} on "
                        "all machines",
                        meeting.address, meeting.port, meeting.rendezvous, kEnvRunSecret));
    }
    try {
        meeting.secret = Secret(key);
    } catch (const UserError& error) {
        wrong("--rdzv_conf", error.what());
    }
    if (is_public_address(meeting.address))
        meeting.notes.push_back(
            fmt::format("{} is an address of the internet: what ranks send each other is not encrypted; use a private "
                        "network, or hosts "
                        "over SSH (--hosts)",
                        meeting.address));
    if (!problems.empty())
        throw InvalidInput(std::move(problems));
    return meeting;
}

std::unique_ptr<JoinPool> open_meeting(const Meeting& meeting, std::unique_ptr<RankMachine> own) {
    bool numbered = meeting.way == JoinOptions::Way::by_number;
    if (numbered && meeting.machine_rank != 0)
        return nullptr;
    if (!numbered) {
        // Whoever can bind the address is the head; another machine has not got it, another launcher here has taken the port.
        int port = meeting.port;
        std::string problem;
        if (!listen_on(meeting.address, port, problem))
            return nullptr;
    }
    JoinOptions options;
    options.way = meeting.way;
    options.max_machines = meeting.machines;
    options.port_is_the_stores = numbered;
    ListenerOptions listener;
    listener.address = meeting.address;
    listener.port = meeting.port;
    listener.rendezvous = meeting.rendezvous;
    listener.secret = meeting.secret;
    return std::make_unique<JoinPool>(options, listener, std::move(own), meeting.ranks);
}

AgentOptions agent_of(const Meeting& meeting) {
    AgentOptions options;
    options.rendezvous = meeting.rendezvous;
    options.secret = meeting.secret;
    options.head_address = meeting.address;
    options.head_port = meeting.port;
    options.machine_rank = meeting.machine_rank;
    options.ranks = meeting.ranks;
    options.join_timeout_s = meeting.join_timeout_s;
    return options;
}

}  // namespace trainyard::launch
