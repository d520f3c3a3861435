// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Runs several ranks in one test program: one thread each, communicating through shared memory or Gloo over loopback.

#include <chrono>
#include <cstdlib>
#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include <ATen/autocast_mode.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "distributed/parallel/communicator.h"

namespace trainyard::test {

/// A socket that listens on 127.0.0.1, and its port.
struct LoopbackSocket {
    int fd = -1;
    int port = 0;
    LoopbackSocket() {
        fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        if (fd < 0 || ::bind(fd, reinterpret_cast<sockaddr*>(&address), size) != 0 || ::listen(fd, 64) != 0 ||
            ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0)
            throw std::runtime_error("no loopback socket");
        port = ntohs(address.sin_port);
    }
};

/// Runs `body(world)` on `size` ranks concurrently; rethrows the first exception. Without `share_memory`, all
/// communication uses Gloo. `device`: its type, which must be loaded; every rank has its own device, because autograd
/// has one thread per device.
inline void run_ranks(int size, const std::function<void(std::unique_ptr<parallel::World>)>& body,
                      bool share_memory = true, const std::string& device = "cpu") {
    // c10d's flight recorder is process-wide and accesses a new group's status before it takes its lock (LibTorch
    // 2.11), so two ranks in one process would race. Workers have one rank per process.
    ::setenv("TORCH_FR_BUFFER_SIZE", "0", 1);
    LoopbackSocket socket;
    std::vector<std::thread> threads;
    std::vector<std::exception_ptr> failures(static_cast<std::size_t>(size));
    for (int rank = 0; rank < size; ++rank)
        threads.emplace_back([&, rank] {
            try {
                // LibTorch keeps weights cast by autocast for all threads, and a rank whose pass ends drops those of
                // the others: the gradients of a shared weight would be summed in bf16 or in fp32, as the threads run.
                at::autocast::set_autocast_cache_enabled(size == 1);
                parallel::Rendezvous rendezvous;
                rendezvous.rank = rank;
                rendezvous.world_size = size;
                rendezvous.port = socket.port;
                rendezvous.store_fd = rank == 0 ? socket.fd : -1;
                rendezvous.timeout = std::chrono::seconds(60);
                rendezvous.share_memory = share_memory;
                body(parallel::World::connect(rendezvous,
                                              device == "cpu" ? device : device + ":" + std::to_string(rank)));
            } catch (...) {
                failures[static_cast<std::size_t>(rank)] = std::current_exception();
            }
        });
    for (std::thread& thread : threads)
        thread.join();
    for (const std::exception_ptr& failure : failures)
        if (failure)
            std::rethrow_exception(failure);
}

}  // namespace trainyard::test
