// Communicators over c10d: TCPStore for the rendezvous, Gloo on CPU, NCCL through the plug-in on GPU.

#include <algorithm>

#include <ATen/ops/empty.h>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include <dlfcn.h>

#include "base/clock.h"
#include "parallel/backend.h"
#include "parallel/collective_record.h"
#include "parallel/nccl/plugin.h"

namespace trainyard::parallel {

namespace {

using BackendPointer = c10::intrusive_ptr<c10d::Backend>;

[[noreturn]] void peer_lost(const std::string& operation, const std::exception& error) {
    std::string reason = error.what();
    throw PeerLost(operation + " failed, another rank is gone or did not come: " + reason.substr(0, reason.find('\n')));
}

class C10dWork final : public Pending::Work {
  public:
    C10dWork(c10::intrusive_ptr<c10d::Work> work, std::string operation, CollectiveStats* stats)
        : work_(std::move(work)), operation_(std::move(operation)), stats_(stats) {}

    void wait() override {
        double begin = monotonic_seconds();
        try {
            work_->wait();
        } catch (const std::exception& error) {
            peer_lost(operation_, error);
        }
        stats_->waited_seconds += monotonic_seconds() - begin;
    }

  private:
    c10::intrusive_ptr<c10d::Work> work_;
    std::string operation_;
    CollectiveStats* stats_;
};

class C10dCommunicator final : public Communicator {
  public:
    C10dCommunicator(BackendPointer backend, int rank, int size)
        : backend_(std::move(backend)), rank_(rank), size_(size) {}

    int rank() const override { return rank_; }
    int size() const override { return size_; }

    Pending all_reduce(const at::Tensor& tensor, const std::string& name) override {
        return start("all_reduce", name, tensor, [&] {
            std::vector<at::Tensor> tensors{tensor};
            return backend_->allreduce(tensors);
        });
    }

    void broadcast(const at::Tensor& tensor, int root, const std::string& name) override {
        start("broadcast", name, tensor, [&] {
            std::vector<at::Tensor> tensors{tensor};
            c10d::BroadcastOptions options;
            options.rootRank = root;
            return backend_->broadcast(tensors, options);
        }).wait();
    }

    void all_gather(const at::Tensor& out, const at::Tensor& in, const std::string& name) override {
        start("all_gather", name, in, [&] {
            // Gloo compares the shapes of the parts with that of the source; the numbers lie the same way when both are flat.
            at::Tensor target = out.view({-1}), source = in.view({-1});
            return backend_->_allgather_base(target, source);
        }).wait();
    }

    void barrier(const std::string& name) override {
        start("barrier", name, at::Tensor(), [&] { return backend_->barrier(); }).wait();
    }

    CollectiveStats stats() const override { return stats_; }

  private:
    template <typename Issue>
    Pending start(const char* operation, const std::string& name, const at::Tensor& payload, Issue issue) {
        ++stats_.count;
        stats_.bytes += payload.defined() ? payload.nbytes() : 0;
        record_collective(operation, stats_.count, name);
        std::string text = std::string(operation) + " #" + std::to_string(stats_.count) + " " + name;
        try {
            return Pending(std::make_unique<C10dWork>(issue(), std::move(text), &stats_));
        } catch (const std::exception& error) {
            peer_lost(text, error);
        }
    }

    BackendPointer backend_;
    int rank_;
    int size_;
    CollectiveStats stats_;
};

class C10dWorld final : public World {
  public:
    C10dWorld(const Rendezvous& rendezvous, const std::string& device)
        : rendezvous_(rendezvous), device_(device), store_(meet(rendezvous)) {}

    int rank() const override { return rendezvous_.rank; }
    int size() const override { return rendezvous_.world_size; }

    std::shared_ptr<Communicator> group(std::span<const int> ranks, const std::string& name) override {
        int size = static_cast<int>(ranks.size());
        int rank = static_cast<int>(std::find(ranks.begin(), ranks.end(), rendezvous_.rank) - ranks.begin());
        auto store = c10::make_intrusive<c10d::PrefixStore>(
            name + "/" + std::to_string(rendezvous_.generation) + "/" + std::to_string(ranks.front()), store_);
        try {
            BackendPointer backend = device_ == "cpu"
                                         ? gloo(store, rank, size)
                                         : nccl_plugin().make_backend(store, rank, size, rendezvous_.timeout);
            return std::make_shared<C10dCommunicator>(backend, rank, size);
        } catch (const std::exception& error) {
            peer_lost("connecting the ranks of " + name, error);
        }
    }

  private:
    static c10::intrusive_ptr<c10d::Store> meet(const Rendezvous& rendezvous) {
        c10d::TCPStoreOptions options;
        options.port = static_cast<std::uint16_t>(rendezvous.port);
        options.isServer = rendezvous.rank == 0;
        options.numWorkers = static_cast<std::size_t>(rendezvous.world_size);
        options.waitWorkers = false;  // the first group waits anyway
        options.timeout = std::min(rendezvous.timeout, std::chrono::milliseconds(5 * 60 * 1000));
        if (rendezvous.store_fd >= 0)
            options.masterListenFd = rendezvous.store_fd;
        try {
            return c10::make_intrusive<c10d::TCPStore>(rendezvous.address, options);
        } catch (const std::exception& error) {
            peer_lost("rendezvous at " + rendezvous.address + ":" + std::to_string(rendezvous.port), error);
        }
    }

    BackendPointer gloo(const c10::intrusive_ptr<c10d::Store>& store, int rank, int size) const {
        auto options = c10d::ProcessGroupGloo::Options::create(rendezvous_.timeout);
        options->devices.push_back(c10d::ProcessGroupGloo::createDeviceForHostname(rendezvous_.interface_address));
        options->threads = 1;  // one thread keeps the collectives in order and leaves the cores to the GEMMs
        return c10::make_intrusive<c10d::ProcessGroupGloo>(store, rank, size, options);
    }

    Rendezvous rendezvous_;
    std::string device_;
    c10::intrusive_ptr<c10d::Store> store_;
};

}  // namespace

std::unique_ptr<World> connect_c10d(const Rendezvous& rendezvous, const std::string& device) {
    return std::make_unique<C10dWorld>(rendezvous, device);
}

}  // namespace trainyard::parallel
