// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/supervisor/function_nodes.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <trainyard/function_launcher.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/listen_socket.h"
#include "base/system_call.h"

namespace trainyard::launch {

namespace {

constexpr double kMeetSeconds = 600;  ///< as torchrun's join_timeout
constexpr int kLongestNodeLine = 200;

struct CalledNode {
    FileDescriptor socket;
    int node = 0, ranks = 0;
};

double deadline_of(const FunctionOptions& options) {
    return monotonic_seconds() + (options.time_limit_s > 0 ? options.time_limit_s : kMeetSeconds);
}

/// One line; empty if it does not come in time.
std::string read_line(int socket, double until) {
    std::string line;
    while (line.size() < kLongestNodeLine) {
        pollfd ready{socket, POLLIN, 0};
        const double left = until - monotonic_seconds();
        if (left <= 0 || ::poll(&ready, 1, static_cast<int>(std::min(left, 1e5) * 1000) + 1) <= 0)
            return {};
        char byte = 0;
        if (::read(socket, &byte, 1) != 1)
            return {};
        if (byte == '\n')
            return line;
        line += byte;
    }
    return {};
}

FileDescriptor call(const FunctionOptions& options, double until) {
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    const std::string port = std::to_string(options.port);
    for (;;) {
        addrinfo* found = nullptr;
        if (::getaddrinfo(options.master_addr.c_str(), port.c_str(), &hints, &found) == 0) {
            const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner(found, &::freeaddrinfo);
            for (const addrinfo* each = found; each != nullptr; each = each->ai_next) {
                FileDescriptor socket(::socket(each->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
                if (socket && ::connect(socket.get(), each->ai_addr, each->ai_addrlen) == 0)
                    return socket;
            }
        }
        if (monotonic_seconds() > until)
            throw UserError(
                "node {} cannot reach the node with node_rank 0 at {}:{}: start it, and check master_addr and "
                "port",
                options.node_rank, options.master_addr, options.port);
        ::usleep(50'000);
    }
}

NodePlace head_place(int ranks, int attempt, const FunctionOptions& options) {
    int port = options.port;
    const FileDescriptor listener = listen_on(options.master_addr, port);
    const double until = deadline_of(options);
    std::vector<CalledNode> nodes(1);
    nodes.front().ranks = ranks;
    while (nodes.size() < static_cast<std::size_t>(options.num_nodes)) {
        pollfd ready{listener.get(), POLLIN, 0};
        if (monotonic_seconds() > until) {
            std::vector<int> missing;
            for (int node = 1; node < options.num_nodes; ++node)
                if (std::ranges::find(nodes, node, &CalledNode::node) == nodes.end())
                    missing.push_back(node);
            throw UserError("of {} nodes these did not call at {}:{} in time: {}", options.num_nodes,
                            options.master_addr, options.port, fmt::join(missing, ", "));
        }
        if (::poll(&ready, 1, 100) <= 0)
            continue;
        CalledNode called{FileDescriptor(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC))};
        int of_attempt = -1, of_nodes = 0;
        const std::string line = read_line(called.socket.get(), monotonic_seconds() + 5);
        if (std::sscanf(line.c_str(), "trainyard-node %d %d %d %d", &called.node, &of_nodes, &called.ranks,
                        &of_attempt) != 4 ||
            of_attempt != attempt || called.ranks < 1)
            continue;  // of another program, or of an attempt that is over
        if (of_nodes != options.num_nodes || called.node < 1 || called.node >= options.num_nodes)
            throw UserError("node {} of {} called, and this is node 0 of {}: give all nodes the same num_nodes",
                            called.node, of_nodes, options.num_nodes);
        std::erase_if(nodes, [&](const CalledNode& other) { return other.node == called.node; });
        nodes.push_back(std::move(called));
    }
    std::ranges::sort(nodes, {}, &CalledNode::node);
    NodePlace place;
    place.address = options.master_addr;
    place.store = listen_on(options.master_addr, place.port);
    for (const CalledNode& node : nodes)
        place.world += node.ranks;
    int first = 0;
    for (const CalledNode& node : nodes) {
        if (node.node != 0)
            (void)send_all(node.socket.get(), fmt::format("{} {} {}\n", first, place.world, place.port));
        first += node.ranks;
    }
    return place;
}

}  // namespace

NodePlace meet_nodes(int ranks, int attempt, const FunctionOptions& options) {
    if (options.num_nodes < 1 || options.node_rank < 0 || options.node_rank >= options.num_nodes)
        throw UserError("node_rank {} is not from 0 to {}, the number of nodes less 1", options.node_rank,
                        options.num_nodes - 1);
    NodePlace place;
    if (options.num_nodes == 1) {
        place.address = "127.0.0.1";
        place.world = ranks;
        place.port = options.port;
        place.store = listen_on(place.address, place.port);
        return place;
    }
    if (options.port == 0)
        throw UserError("{} nodes need a port at which they meet: give all of them the same one", options.num_nodes);
    if (options.node_rank == 0)
        return head_place(ranks, attempt, options);
    const double until = deadline_of(options);
    for (;;) {
        const FileDescriptor head = call(options, until);
        (void)send_all(head.get(), fmt::format("trainyard-node {} {} {} {}\n", options.node_rank, options.num_nodes,
                                               ranks, attempt));
        const std::string line = read_line(head.get(), until);
        if (std::sscanf(line.c_str(), "%d %d %d", &place.first_rank, &place.world, &place.port) == 3) {
            place.address = options.master_addr;
            return place;
        }
        if (monotonic_seconds() > until)
            throw UserError("the node with node_rank 0 at {}:{} did not answer in time", options.master_addr,
                            options.port);
        ::usleep(50'000);  // it ended, or is at another attempt
    }
}

}  // namespace trainyard::launch
