#pragma once
// The thin layer through which every collective goes: it counts bytes, names the operation for the watchdog and the trace,
// and turns a lost peer into one exception. Backends: none (one rank), Gloo (CPU), NCCL (GPU, a plug-in). All ranks of a
// communicator must issue the same collectives in the same order.

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

namespace trainyard::parallel {

/// A peer is gone, or did not come to a collective in time. The run's first failure is elsewhere.
class PeerLost : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

struct CollectiveStats {
    std::uint64_t count = 0;
    std::uint64_t bytes = 0;    ///< payload of this rank
    double waited_seconds = 0;  ///< time the calling thread stood still
};

/// A collective under way. wait() throws PeerLost. Dropping it without waiting is an error of the program.
class Pending {
  public:
    class Work;
    Pending();
    explicit Pending(std::unique_ptr<Work> work);
    Pending(Pending&&) noexcept;
    Pending& operator=(Pending&&) noexcept;
    ~Pending();
    void wait();

  private:
    std::unique_ptr<Work> work_;
};

class Communicator {
  public:
    virtual ~Communicator() = default;
    virtual int rank() const = 0;
    virtual int size() const = 0;
    /// Sum over all ranks, in place; contiguous tensor. `name` appears in the watchdog's report.
    virtual Pending all_reduce(const at::Tensor& tensor, const std::string& name) = 0;
    virtual void broadcast(const at::Tensor& tensor, int root, const std::string& name) = 0;
    /// `out` is [size, ...] of `in`.
    virtual void all_gather(const at::Tensor& out, const at::Tensor& in, const std::string& name) = 0;
    virtual void barrier(const std::string& name) = 0;
    virtual CollectiveStats stats() const = 0;
};

/// Where ranks meet. `store_fd` is a listening socket bound by the launcher (rank 0 only): left to itself TCPStore listens on
/// every interface. `interface_address` is the address that data connections bind to.
struct Rendezvous {
    int rank = 0;
    int world_size = 1;
    std::string address = "127.0.0.1";
    int port = 0;
    int store_fd = -1;
    int generation = 1;
    std::string interface_address = "127.0.0.1";
    std::chrono::milliseconds timeout{30 * 60 * 1000};
};

/// Connects the ranks and makes communicators over any subset of them.
class World {
  public:
    /// One rank: no store, no sockets. Otherwise blocks until all ranks have come. `device` is "cpu" or "cuda:<n>".
    static std::unique_ptr<World> connect(const Rendezvous& rendezvous, const std::string& device);
    virtual ~World() = default;
    virtual int rank() const = 0;
    virtual int size() const = 0;
    /// Communicator over `ranks` (global numbers, rising, this rank among them). All of them must call it with the same name.
    virtual std::shared_ptr<Communicator> group(std::span<const int> ranks, const std::string& name) = 0;
};

/// "all_reduce #31 gradients h.3": the newest collective of this process, for heartbeats. Any thread.
std::string last_collective();

}  // namespace trainyard::parallel
