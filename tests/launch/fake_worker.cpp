// SPDX-License-Identifier: GPL-3.0-or-later
// A rank that trains nothing: speaks the protocol of launch/supervisor/messages.h and misbehaves on demand, so that
// the supervisor can be tested without a tensor library. Ranks hold a connection to rank 0 over the store's socket,
// as real ones do, and notice a lost peer by it.
//
// FAKE_STEPS (20), FAKE_STEP_MS (10), and FAKE_DO: directives `rank:what:step[:number[:generation]]`, separated by
// commas, `*` for all ranks
//   signal:S:N raises signal N   fail:S says why and exits 1   exit:S:N exits with N and no word   hang:S falls silent
//   still:S heartbeats without a new step   deaf:0 does not stop when asked   stubborn:0 ignores SIGTERM
//   child:0 leaves a sleeping child, its pid in child.pid of the run's folder   print:S writes a line   loud:0:N
// writes N bytes
//   refuse:0 refuses profile and evaluate   memory:S:N says that memory ran out, unless micro-batches have at most N
// samples

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/environment_names.h"

using Json = nlohmann::json;
using namespace trainyard;

namespace {

std::string variable(const char* name, const char* otherwise) {
    const char* value = std::getenv(name);
    return value == nullptr ? otherwise : value;
}

const int kRank = std::atoi(variable("RANK", "0").c_str());
const int kWorld = std::atoi(variable("WORLD_SIZE", "1").c_str());
const int kControl = std::atoi(variable(kEnvControlFd, "-1").c_str());

/// The number of a directive for this rank at this step (0 when it has none), empty when there is no such directive.
std::optional<long> directive(const std::string& what, long step) {
    std::istringstream all(variable("FAKE_DO", ""));
    for (std::string one; std::getline(all, one, ',');) {
        std::istringstream parts(one);
        std::string rank, name, at, number, generation;
        std::getline(parts, rank, ':');
        std::getline(parts, name, ':');
        std::getline(parts, at, ':');
        std::getline(parts, number, ':');
        std::getline(parts, generation);
        if (!generation.empty() && generation != variable(kEnvGeneration, ""))
            continue;
        if ((rank == "*" || std::atoi(rank.c_str()) == kRank) && name == what && std::atol(at.c_str()) == step)
            return std::atol(number.c_str());
    }
    return std::nullopt;
}

void say(const Json& message) {
    std::string line = message.dump() + "\n";
    if (::send(kControl, line.data(), line.size(), MSG_NOSIGNAL) < 0)
        std::exit(1);  // the supervisor is gone
}

[[noreturn]] void fail(const std::string& message, long step, const char* phase, bool secondary) {
    say({{"kind", "failure"}, {"message", message}, {"step", step}, {"phase", phase}, {"secondary", secondary}});
    std::exit(1);
}

std::vector<int> connect_peers() {
    std::vector<int> peers;
    if (kRank == 0) {
        int store = std::atoi(variable(kEnvStoreFd, "-1").c_str());
        for (int i = 1; i < kWorld; ++i)
            peers.push_back(::accept(store, nullptr, nullptr));
        return peers;
    }
    int peer = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(std::atoi(variable("MASTER_PORT", "0").c_str())));
    ::inet_pton(AF_INET, variable("MASTER_ADDR", "").c_str(), &address.sin_addr);
    if (::connect(peer, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
        fail("cannot reach rank 0", 0, "init", false);
    peers.push_back(peer);
    return peers;
}

enum class Peers { fine, lost, stopping };

/// A peer says `d` when it is done and `s` when it stops; the end of the stream without a word means that it died.
Peers hear_peers(std::vector<int>& peers) {
    Peers heard = Peers::fine;
    for (int& peer : peers) {
        char byte = 0;
        ssize_t n = peer < 0 ? -1 : ::recv(peer, &byte, 1, MSG_DONTWAIT);
        if (n == 0)
            return Peers::lost;
        if (n == 1 && byte == 's')
            heard = Peers::stopping;
        if (n == 1)
            peer = -1;
    }
    return heard;
}

void tell_peers(const std::vector<int>& peers, char byte) {
    for (int peer : peers)
        if (peer >= 0)
            ::send(peer, &byte, 1, MSG_NOSIGNAL);
}

/// Requests wait at most `milliseconds`. True when a stop was asked for.
bool hear(std::string& inbox, int milliseconds) {
    pollfd control{kControl, POLLIN, 0};
    bool stop = false;
    if (::poll(&control, 1, milliseconds) > 0) {
        char buffer[4096];
        ssize_t n = ::recv(kControl, buffer, sizeof buffer, MSG_DONTWAIT);
        if (n == 0)
            std::exit(1);
        if (n > 0)
            inbox.append(buffer, static_cast<std::size_t>(n));
    }
    for (std::size_t end; (end = inbox.find('\n')) != std::string::npos; inbox.erase(0, end + 1)) {
        Json request = Json::parse(inbox.substr(0, end))["request"];
        std::string kind = request["kind"];
        bool refuse = (kind == "profile" || kind == "evaluate") && directive("refuse", 0);
        if (kind == "stop" && directive("deaf", 0))
            continue;
        stop = stop || kind == "stop";
        say({{"kind", "outcome"},
             {"id", request["id"]},
             {"outcome", refuse ? "refused" : "done"},
             {"text", refuse ? "this worker cannot " + kind : kind + " taken"}});
    }
    return stop;
}

void misbehave(long step) {
    if (auto number = directive("signal", step)) {
        ::signal(static_cast<int>(*number), SIG_DFL);
        ::raise(static_cast<int>(*number));
    }
    if (directive("fail", step))
        fail("the loss is not a number", step, "forward", false);
    if (auto fits = directive("memory", step))
        if (const long size = std::atol(variable(kEnvBatchSize, "0").c_str()); size == 0 || size > *fits) {
            say({{"kind", "failure"},
                 {"message", "no memory is left"},
                 {"step", step},
                 {"phase", "forward"},
                 {"out_of_memory", true}});
            std::exit(1);
        }
    if (auto number = directive("exit", step))
        std::_Exit(static_cast<int>(*number));
    while (directive("hang", step))
        ::pause();
    while (directive("still", step)) {
        say({{"kind", "heartbeat"}, {"step", step}, {"phase", "reduce"}, {"collective", "all_reduce #7"}});
        ::usleep(20'000);
    }
    if (directive("print", step))
        std::fprintf(stderr, "rank %d says hello at step %ld\n", kRank, step);
}

}  // namespace

int main() {
    if (directive("stubborn", 0))
        ::signal(SIGTERM, SIG_IGN);
    if (directive("child", 0)) {
        pid_t child = ::fork();
        if (child == 0)
            for (;;)
                ::pause();
        std::ofstream(variable(kEnvRunDirectory, ".") + "/child.pid") << child << "\n";
    }
    if (auto bytes = directive("loud", 0)) {
        std::string line(99, 'x');
        for (long written = 0; written < *bytes; written += 100)
            std::printf("%s\n", line.c_str());
        std::fflush(stdout);
    }
    long steps = std::atol(variable("FAKE_STEPS", "20").c_str());
    int step_ms = std::atoi(variable("FAKE_STEP_MS", "10").c_str());
    std::vector<int> peers = connect_peers();
    std::string inbox;
    for (long step = 1; step <= steps; ++step) {
        say({{"kind", "heartbeat"},
             {"step", step},
             {"phase", "backward"},
             {"collective", "all_reduce #" + std::to_string(step)},
             {"resident_bytes", 1000000}});
        misbehave(step);
        Peers heard = hear_peers(peers);
        if (heard == Peers::lost)
            fail("connection closed by peer", step, "reduce", true);
        if (heard == Peers::stopping)
            return 75;
        if (kRank == 0)
            say({{"kind", "progress"},
                 {"step", step},
                 {"of", steps},
                 {"tokens", step * 64},
                 {"loss", 5.0 / static_cast<double>(step)},
                 {"tokens_per_s", 1000.0},
                 {"step_s", step_ms / 1000.0}});
        if (hear(inbox, step_ms)) {
            tell_peers(peers, 's');
            return 75;
        }
    }
    tell_peers(peers, 'd');
    return 0;
}
