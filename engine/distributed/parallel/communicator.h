// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The thin layer through which every collective goes: it counts bytes, names the operation for the watchdog and the trace, checks
// arguments, and turns a lost peer into one exception. Backends: none (one rank), shared memory (CPU, one machine),
// Gloo (CPU), that of a device's library (NCCL), or that of the CPU with copies to the host (through_host.h).
// All ranks of a communicator must issue the same collectives in the same order, from one thread at a time.
//
// Sizes: Gloo ends the process when the ranks' sizes differ. Callers that cannot be sure of them use
// distributed/parallel/collectives.h, which agrees on shapes first; callers that repeat the same shapes for a whole run
// check them once with distributed/parallel/fingerprint.h. In debug mode (verify_every_call) each call below compares
// its operation, name, dtype, shape, device and root over the ranks before it starts.

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "base/message.h"
#include "profile/marks.h"

namespace trainyard::parallel {

/// A peer is gone, or did not reach a collective in time. The cause is a failure on another rank.
class PeerLost : public std::runtime_error {
  public:
    explicit PeerLost(const Message& message)
        : std::runtime_error(message.text()), message_(std::make_shared<const Message>(message)) {}
    const Message& message() const { return *message_; }

  private:
    std::shared_ptr<const Message> message_;  ///< shared, so that copies cannot throw
};

/// `average` is the sum divided by the number of ranks; floating tensors only.
enum class ReduceOp { sum, average, max, min, product };
const char* to_string(ReduceOp op);

enum class CollectiveKind {
    all_reduce,
    broadcast,
    all_gather,
    reduce_scatter,
    scatter,
    all_to_all,
    send,
    receive,
    barrier,
    check,  ///< messages that compare the ranks' operations (distributed/parallel/agreement.h)
};
inline constexpr std::size_t kCollectiveKinds = 10;
const char* to_string(CollectiveKind kind);

struct CollectiveStats {
    struct Kind {
        std::uint64_t count = 0;
        std::uint64_t bytes = 0;
    };
    std::uint64_t count = 0;
    std::uint64_t bytes = 0;    ///< payload of this rank: what it contributes, or receives where it contributes nothing
    double waited_seconds = 0;  ///< time the calling thread was blocked
    std::array<Kind, kCollectiveKinds> kinds;
    const Kind& operations(CollectiveKind kind) const { return kinds[static_cast<std::size_t>(kind)]; }
};

/// A running collective. wait() throws PeerLost. Destroying it without waiting is an error of the program; it must not
/// outlive its communicator.
class Pending {
  public:
    class Work;
    Pending();
    /// `text`: the collective, for waiting_in().
    explicit Pending(std::unique_ptr<Work> work, double* waited_seconds = nullptr, std::string text = {},
                     std::optional<profile::Mark> mark = {});
    Pending(Pending&&) noexcept;
    Pending& operator=(Pending&&) noexcept;
    ~Pending();
    void wait();

  private:
    std::unique_ptr<Work> work_;
    double* waited_seconds_ = nullptr;
    std::string text_;
    std::optional<profile::Mark> mark_;  ///< set while a profiler records
};

/// One call, as passed to backends. Tensors are contiguous and on the communicator's device.
struct Collective {
    CollectiveKind kind = CollectiveKind::barrier;
    std::string name{};
    at::Tensor
        out{};  ///< where the result goes; of all_reduce and broadcast the source too; undefined in send, barrier
    at::Tensor in{};
    int peer = -1;  ///< root of broadcast and scatter, the other rank of send and receive
    ReduceOp op = ReduceOp::sum;
    std::vector<std::int64_t> out_rows{},
        in_rows{};             ///< of all_to_all: rows from and to every rank; empty: equal shares
    std::uint64_t number = 0;  ///< counts the calls of this communicator from 1

    /// "all_reduce #31 gradients h.3"
    std::string text() const;
};

class Communicator {
  public:
    Communicator() = default;
    Communicator(const Communicator&) = delete;
    Communicator& operator=(const Communicator&) = delete;
    virtual ~Communicator() = default;
    virtual int rank() const = 0;
    virtual int size() const = 0;
    /// Returns the device that the tensors of collectives must be on.
    virtual at::Device device() const { return at::Device(at::kCPU); }

    /// Over all ranks, in place. `name` appears in the watchdog's report.
    Pending all_reduce(const at::Tensor& tensor, const std::string& name, ReduceOp op = ReduceOp::sum);
    /// Any dtype, as everything below that does no arithmetic.
    void broadcast(const at::Tensor& tensor, int root, const std::string& name);
    /// `out` is [size, ...] of `in`, or the same numbers in another shape.
    void all_gather(const at::Tensor& out, const at::Tensor& in, const std::string& name);
    Pending all_gather_async(const at::Tensor& out, const at::Tensor& in, const std::string& name);
    /// Tensors whose first dimension differs between the ranks (the others and the dtype must not): what every rank gave. Two
    /// messages, the second as large as the largest part.
    std::vector<at::Tensor> all_gather_unequal(const at::Tensor& in, const std::string& name);
    /// `in` is [size, ...] of `out`: every rank gets the reduction of its part.
    Pending reduce_scatter(const at::Tensor& out, const at::Tensor& in, const std::string& name,
                           ReduceOp op = ReduceOp::sum);
    /// `in` is [size, ...] of `out` on the root, and not looked at elsewhere (may be undefined).
    Pending scatter(const at::Tensor& out, const at::Tensor& in, int root, const std::string& name);
    /// `in_rows[r]` rows of `in` go to rank r, `out_rows[r]` rows of `out` come from it; empty: equal shares.
    Pending all_to_all(const at::Tensor& out, const at::Tensor& in, const std::string& name,
                       std::vector<std::int64_t> out_rows = {}, std::vector<std::int64_t> in_rows = {});
    /// To and from one other rank; messages between two ranks keep their order.
    Pending send(const at::Tensor& tensor, int to, const std::string& name);
    Pending receive(const at::Tensor& tensor, int from, const std::string& name);
    void barrier(const std::string& name);

    /// Returns the statistics of this rank. With a single rank they stay zero, because nothing is sent.
    const CollectiveStats& stats() const { return stats_; }

    /// Debug mode: before every collective the ranks compare what they are about to do; a difference is a DistributedOperationError
    /// with every rank's part in it, on all ranks, and nothing has been sent. send and receive are not compared. Set it on all ranks.
    void verify_every_call(bool verify) { verify_ = verify; }
    bool verifies_every_call() const { return verify_; }

    /// Sets the name and the global numbers of its ranks, for traces.
    void set_group(std::string name, std::vector<int> ranks);

    /// A message of kind `check`, never verified itself: `out` is [size, ...] of `in`. For
    /// distributed/parallel/agreement.h.
    void exchange_check(const at::Tensor& out, const at::Tensor& in, const std::string& name);

  protected:
    /// Starts the operation. Throws PeerLost.
    virtual std::unique_ptr<Pending::Work> start(const Collective& collective) = 0;
    /// The same by another communicator over the same ranks, for backends that do not do everything themselves.
    static std::unique_ptr<Pending::Work> start_on(Communicator& other, const Collective& collective);

  private:
    Pending issue(Collective collective);
    std::optional<profile::Mark> mark_of(const Collective& collective, std::uint64_t bytes);

    CollectiveStats stats_;
    bool verify_ = false;
    std::string group_;
    std::vector<int> ranks_;  ///< empty: 0, 1, ...
    std::map<std::pair<int, int>, std::uint64_t>
        messages_{};  ///< sent from one rank to another, of those that this one sent or got
};

/// Where ranks meet. `store_fd` is a listening socket bound by the launcher (rank 0 only); without one a socket is bound to `address`
/// here (TCPStore left to itself listens on every interface). `interface_address` is the address that data connections bind to.
struct Rendezvous {
    int rank = 0;
    int world_size = 1;
    std::string address = "127.0.0.1";
    int port = 0;
    int store_fd = -1;
    int generation = 1;
    std::string interface_address = "127.0.0.1";
    std::chrono::milliseconds timeout{30 * 60 * 1000};
    bool store_exists = false;  ///< another process serves the store instead of rank 0 (torchrun's agent)
    bool verify = false;        ///< debug mode of every communicator
    bool share_memory =
        true;  ///< ranks of one machine: the processor's collectives go through memory instead of sockets
};

/// Connects the ranks and makes communicators over any subset of them.
class World {
  public:
    /// One rank: no store, no sockets. Otherwise blocks until all ranks have come. `device` is "cpu", or "<kind>:<n>" of
    /// one that load_device() has loaded.
    static std::unique_ptr<World> connect(const Rendezvous& rendezvous, const std::string& device);
    virtual ~World() = default;
    virtual int rank() const = 0;
    virtual int size() const = 0;
    virtual std::string device() const { return "cpu"; }  ///< as given to connect
    virtual std::string backend() const { return ""; }    ///< of its groups (choose_backend()); empty: one rank alone
    /// Communicator over `ranks` (global numbers, rising, this rank among them). All of them must call it with the same name.
    virtual std::shared_ptr<Communicator> group(std::span<const int> ranks, const std::string& name) = 0;
    /// A word that every rank can read under its name, over the place where they met: also before any two of them are connected.
    virtual void post(const std::string& name, const std::string& word) { words_[name] = word; }
    /// Waits until it has been posted. Throws PeerLost.
    virtual std::string posted(const std::string& name) { return words_[name]; }

  private:
    std::map<std::string, std::string> words_;  ///< of one rank alone
};

/// "all_reduce #31 gradients h.3": the newest collective of this process, for heartbeats. Any thread.
std::string last_collective();
/// Returns the collective that this process currently waits in, or an empty text. Any thread.
std::string waiting_in();

}  // namespace trainyard::parallel
