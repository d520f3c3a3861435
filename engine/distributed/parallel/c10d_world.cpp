// SPDX-License-Identifier: GPL-3.0-or-later
// Communicators over c10d: TCPStore for the rendezvous, Gloo on the CPU, a device's own back end through its library
// (NCCL for CUDA).

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <future>
#include <map>
#include <mutex>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include "base/device_kinds.h"
#include "base/error.h"
#include "base/listen_socket.h"
#include "distributed/parallel/backend.h"
#include "distributed/parallel/byte_view.h"
#include "distributed/parallel/device_library.h"
#include "distributed/parallel/reduction_kernels.h"
#include "distributed/parallel/shared_memory.h"
#include "distributed/parallel/task_thread.h"
#include "distributed/parallel/through_host.h"

namespace trainyard::parallel {

namespace {

using BackendPointer = c10::intrusive_ptr<c10d::Backend>;

[[noreturn]] void peer_lost(const Message& operation, const std::exception& error) {
    std::string reason = error.what();
    throw PeerLost(
        Message("{} failed, another rank is gone or did not come: {}", operation, reason.substr(0, reason.find('\n'))));
}

/// The result is available when wait() returns; the waiting thread calls `then`.
class C10dWork final : public Pending::Work {
  public:
    C10dWork(std::function<void()> wait, std::string text, std::function<void()> then)
        : wait_(std::move(wait)), text_(std::move(text)), then_(std::move(then)) {}

    void wait() override {
        try {
            wait_();
        } catch (const std::exception& error) {
            peer_lost(Message::verbatim(text_), error);
        }
        if (then_)
            then_();
    }

  private:
    std::function<void()> wait_;
    std::string text_;
    std::function<void()> then_;
};

std::vector<std::int64_t> bytes_of_rows(const at::Tensor& tensor, std::vector<std::int64_t> rows) {
    std::int64_t bytes = tensor.element_size();
    for (std::int64_t size : tensor.sizes().slice(1))
        bytes *= size;
    for (std::int64_t& count : rows)
        count *= bytes;
    return rows;
}

c10d::ReduceOp reduce_op(ReduceOp op) {
    switch (op) {
        case ReduceOp::sum:
        case ReduceOp::average:
            return c10d::ReduceOp::SUM;
        case ReduceOp::max:
            return c10d::ReduceOp::MAX;
        case ReduceOp::min:
            return c10d::ReduceOp::MIN;
        case ReduceOp::product:
            return c10d::ReduceOp::PRODUCT;
    }
    return c10d::ReduceOp::SUM;
}

class C10dCommunicator : public Communicator {
  public:
    C10dCommunicator(BackendPointer backend, int rank, int size, at::Device device)
        : backend_(std::move(backend)), rank_(rank), size_(size), device_(device) {}

    int rank() const override { return rank_; }
    int size() const override { return size_; }
    at::Device device() const override { return device_; }

  protected:
    std::unique_ptr<Pending::Work> start(const Collective& collective) override {
        const at::Tensor& payload = collective.out.defined() ? collective.out : collective.in;
        if (payload.defined() && payload.numel() == 0 && collective.kind != CollectiveKind::all_to_all)
            return nullptr;
        std::function<void()> then;
        if (collective.op == ReduceOp::average)
            then = [target = collective.out, size = size_] { target.div_(size); };
        try {
            return std::make_unique<C10dWork>(issue(collective), collective.text(), std::move(then));
        } catch (const std::exception& error) {
            peer_lost(Message::verbatim(collective.text()), error);
        }
    }

    c10d::Backend& backend() const { return *backend_; }
    /// Starts the operation; returns what waits for it.
    virtual std::function<void()> issue(const Collective& collective) {
        return [work = issue_on_backend(collective)] { work->wait(); };
    }

  private:
    /// What is only moved goes as bytes: Gloo knows few dtypes, and compares shapes where only the order of the
    /// numbers counts.
    c10::intrusive_ptr<c10d::Work> issue_on_backend(const Collective& collective) {
        std::vector<at::Tensor> tensors;
        switch (collective.kind) {
            case CollectiveKind::all_reduce: {
                tensors = {collective.out};
                c10d::AllreduceOptions options;
                options.reduceOp = reduce_op(collective.op);
                return backend_->allreduce(tensors, options);
            }
            case CollectiveKind::broadcast: {
                tensors = {bytes_of(collective.out)};
                c10d::BroadcastOptions options;
                options.rootRank = collective.peer;
                return backend_->broadcast(tensors, options);
            }
            case CollectiveKind::all_gather:
            case CollectiveKind::check: {
                at::Tensor target = bytes_of(collective.out), source = bytes_of(collective.in);
                return backend_->_allgather_base(target, source);
            }
            case CollectiveKind::reduce_scatter: {
                at::Tensor target = collective.out.view({-1}), source = collective.in.view({-1});
                c10d::ReduceScatterOptions options;
                options.reduceOp = reduce_op(collective.op);
                return backend_->_reduce_scatter_base(target, source, options);
            }
            case CollectiveKind::scatter: {
                tensors = {bytes_of(collective.out)};
                std::vector<std::vector<at::Tensor>> parts;
                if (rank_ == collective.peer)
                    parts.push_back(bytes_of(collective.in).chunk(size_));
                c10d::ScatterOptions options;
                options.rootRank = collective.peer;
                return backend_->scatter(tensors, parts, options);
            }
            case CollectiveKind::all_to_all: {
                at::Tensor target = bytes_of(collective.out), source = bytes_of(collective.in);
                std::vector<std::int64_t> out_bytes = bytes_of_rows(collective.out, collective.out_rows);
                std::vector<std::int64_t> in_bytes = bytes_of_rows(collective.in, collective.in_rows);
                return backend_->alltoall_base(target, source, out_bytes, in_bytes);
            }
            case CollectiveKind::send:
                tensors = {bytes_of(collective.in)};
                return backend_->send(tensors, collective.peer, 0);
            case CollectiveKind::receive:
                tensors = {bytes_of(collective.out)};
                return backend_->recv(tensors, collective.peer, 0);
            case CollectiveKind::barrier:
                break;
        }
        return backend_->barrier();
    }

    BackendPointer backend_;
    int rank_;
    int size_;
    at::Device device_;
};

/// all_gather and reduce_scatter as rings of messages, on a thread of their own. c10d makes of Gloo's reduce_scatter an
/// all_reduce of a copy, which sends and adds twice as much, and of its all_gather one into a buffer that is copied.
/// Rings because ranks of a host follow each other: every byte enters and leaves a host once.
/// Patarasuk and Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations", 2009.
class GlooCommunicator final : public C10dCommunicator {
  public:
    using C10dCommunicator::C10dCommunicator;

  protected:
    std::function<void()> issue(const Collective& collective) override {
        const bool gathers = collective.kind == CollectiveKind::all_gather || collective.kind == CollectiveKind::check;
        if (size() == 1 || !(gathers || (collective.kind == CollectiveKind::reduce_scatter &&
                                         has_reduction(collective.out.scalar_type())))) {
            const std::lock_guard lock(mutex_);
            return C10dCommunicator::issue(collective);
        }
        std::shared_future<void> done = thread_
                                            .post([this, collective, gathers] {
                                                const at::NoGradGuard no_grad;
                                                gathers ? gather(collective) : reduce(collective);
                                            })
                                            .share();
        return [done = std::move(done)] { done.get(); };
    }

  private:
    static constexpr int kTag = 1;  ///< of messages of rings; Communicator::send() has 0
    using Work = c10::intrusive_ptr<c10d::Work>;

    /// The rank so many places before this one.
    int before(int places) const { return (rank() - places + 2 * size()) % size(); }
    at::Tensor part_of(const at::Tensor& whole, int part) const {
        return bytes_of(whole).chunk(size())[static_cast<std::size_t>(part)];
    }

    /// Sends to the next rank, and receives from the one before. Returns the works of the two.
    std::array<Work, 2> exchange(const at::Tensor& sent, const at::Tensor& received) {
        std::vector<at::Tensor> in{received}, out{sent};
        const std::lock_guard lock(mutex_);
        Work receiving = backend().recv(in, before(1), kTag);
        return {std::move(receiving), backend().send(out, before(-1), kTag)};
    }

    void gather(const Collective& collective) {
        const at::Tensor own = part_of(collective.out, rank());
        if (own.const_data_ptr() != collective.in.const_data_ptr())
            std::memcpy(own.mutable_data_ptr(), collective.in.const_data_ptr(), own.nbytes());
        for (int step = 1; step < size(); ++step)
            for (const Work& work :
                 exchange(part_of(collective.out, before(step - 1)), part_of(collective.out, before(step))))
                work->wait();
    }

    /// In each step one part comes with the sums of the ranks that it has passed.
    void reduce(const Collective& collective) {
        const ReduceOp op = collective.op == ReduceOp::average ? ReduceOp::sum : collective.op;
        std::array<at::Tensor, 2> sums;  // one is filled while the other is sent
        at::Tensor sent = part_of(collective.in, before(1));
        for (int step = 2; step <= size(); ++step) {
            const at::Tensor own = part_of(collective.in, before(step));
            at::Tensor received = bytes_of(collective.out);
            const bool in_place = received.const_data_ptr() == own.const_data_ptr();
            if (step < size() || in_place) {
                at::Tensor& sum = sums[static_cast<std::size_t>(step % 2)];
                if (!sum.defined())
                    sum = at::empty(own.sizes(), own.options());
                received = sum;
            }
            const auto [receiving, sending] = exchange(sent, received);
            receiving->wait();
            std::array parts{static_cast<std::uint8_t*>(received.mutable_data_ptr()),
                             static_cast<std::uint8_t*>(own.mutable_data_ptr())};
            if (in_place && step == size())
                std::swap(parts[0], parts[1]);
            reduce_parts(collective.out.scalar_type(), op, parts, static_cast<std::size_t>(collective.out.numel()));
            sending->wait();
            sent = received;
        }
    }

    std::mutex mutex_;   ///< of the backend, which numbers its calls
    TaskThread thread_;  ///< ends before the backend
};

class C10dWorld final : public World {
  public:
    C10dWorld(const Rendezvous& rendezvous, const std::string& device)
        : rendezvous_(rendezvous),
          device_(device),
          library_(device_library(device.substr(0, device.find(':')))),
          backend_(choose_backend(device.substr(0, device.find(':')), library_ != nullptr)),
          store_(meet(rendezvous)) {}

    int rank() const override { return rendezvous_.rank; }
    int size() const override { return rendezvous_.world_size; }
    std::string device() const override { return device_; }
    std::string backend() const override { return backend_; }

    std::shared_ptr<Communicator> group(std::span<const int> ranks, const std::string& name) override {
        int size = static_cast<int>(ranks.size());
        int rank = static_cast<int>(std::find(ranks.begin(), ranks.end(), rendezvous_.rank) - ranks.begin());
        // A name may come again (a second mesh over the same ranks): what its first group left in the store is not to
        // be met.
        const int again = groups_made_[name]++;
        auto store = c10::make_intrusive<c10d::PrefixStore>(name + (again > 0 ? "#" + std::to_string(again) : "") +
                                                                "/" + std::to_string(rendezvous_.generation) + "/" +
                                                                std::to_string(ranks.front()),
                                                            store_);
        const at::Device device(device_);
        try {
            std::shared_ptr<Communicator> communicator;
            if (backend_ != kHostCollectives) {
                communicator = std::make_shared<C10dCommunicator>(
                    library_->make_backend(store, rank, size, rendezvous_.timeout), rank, size, device);
            } else {
                communicator = std::make_shared<GlooCommunicator>(gloo(store, rank, size), rank, size, at::kCPU);
                if (rendezvous_.share_memory)
                    if (auto shared = share_memory(*store, communicator, rendezvous_.timeout))
                        communicator = shared;
                if (!device.is_cpu())
                    communicator = through_host(communicator, device);
            }
            communicator->verify_every_call(rendezvous_.verify);
            communicator->set_group(name, {ranks.begin(), ranks.end()});
            return communicator;
        } catch (const std::exception& error) {
            peer_lost(Message("connecting the ranks of {}", name), error);
        }
    }

    void post(const std::string& name, const std::string& word) override {
        try {
            store_->set(word_key(name), std::vector<std::uint8_t>(word.begin(), word.end()));
        } catch (const std::exception& error) {
            peer_lost("telling the other ranks", error);
        }
    }
    std::string posted(const std::string& name) override {
        try {
            std::vector<std::uint8_t> word = store_->get(word_key(name));
            return {word.begin(), word.end()};
        } catch (const std::exception& error) {
            peer_lost(Message("waiting for a word of another rank ({})", name), error);
        }
    }

  private:
    std::string word_key(const std::string& name) const {
        return "word/" + std::to_string(rendezvous_.generation) + "/" + name;
    }

    /// TCPStore left to itself listens on every interface.
    static FileDescriptor meeting_point(const Rendezvous& rendezvous) {
        int port = rendezvous.port;
        try {
            return listen_on(rendezvous.address, port);
        } catch (const UserError& error) {
            throw UserError("MASTER_ADDR and MASTER_PORT: {}", error.message());
        }
    }

    static c10::intrusive_ptr<c10d::Store> meet(const Rendezvous& rendezvous) {
        c10d::TCPStoreOptions options;
        options.port = static_cast<std::uint16_t>(rendezvous.port);
        options.isServer = rendezvous.rank == 0 && !rendezvous.store_exists;
        options.numWorkers = static_cast<std::size_t>(rendezvous.world_size);
        options.waitWorkers = false;  // the first group waits anyway
        options.timeout = std::min(rendezvous.timeout, std::chrono::milliseconds(5 * 60 * 1000));
        try {
            if (options.isServer)
                options.masterListenFd =
                    rendezvous.store_fd >= 0 ? rendezvous.store_fd : meeting_point(rendezvous).release();
            return c10::make_intrusive<c10d::TCPStore>(rendezvous.address, options);
        } catch (const std::exception& error) {
            peer_lost(Message("rendezvous at {}:{}", rendezvous.address, rendezvous.port), error);
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
    const DeviceLibrary* library_;  ///< of the device; nullptr: it brings no collectives
    std::string backend_;
    std::map<std::string, int> groups_made_;  ///< by name
    c10::intrusive_ptr<c10d::Store> store_;
};

}  // namespace

std::unique_ptr<World> connect_c10d(const Rendezvous& rendezvous, const std::string& device) {
    return std::make_unique<C10dWorld>(rendezvous, device);
}

}  // namespace trainyard::parallel
