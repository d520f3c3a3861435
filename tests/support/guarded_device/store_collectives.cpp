// SPDX-License-Identifier: GPL-3.0-or-later
// Collectives of the device `guarded`, as the library of a device exports them (distributed/parallel/device_library.h):
// a back end of LibTorch that exchanges the bytes of tensors through the store at which the ranks meet. Slow and
// simple; tests see with it that ranks use the collectives of the device and not those of the host. Every call appends
// its name to the file $TRAINYARD_TEST_COLLECTIVES, if that is set.

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <string>

#include <ATen/ops/empty.h>
#include <ATen/ops/stack.h>
#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <torch/csrc/distributed/c10d/Store.hpp>

#include "distributed/parallel/device_library.h"

namespace trainyard::test {

namespace {

using Bytes = std::vector<std::uint8_t>;

/// Everything has happened when the call returns.
class Done final : public c10d::Work {
  public:
    bool isCompleted() override { return true; }
    bool isSuccess() const override { return true; }
    bool wait(std::chrono::milliseconds) override { return true; }
};

Bytes bytes_of(const at::Tensor& tensor) {
    const at::Tensor host = tensor.cpu().contiguous();
    const auto* begin = static_cast<const std::uint8_t*>(host.const_data_ptr());
    return {begin, begin + host.nbytes()};
}

/// A host tensor of the type and shape of `like`.
at::Tensor tensor_of(const Bytes& bytes, const at::Tensor& like) {
    at::Tensor host = at::empty(like.sizes(), like.options().device(at::kCPU));
    TORCH_CHECK(bytes.size() == host.nbytes(), "ranks exchange tensors of different sizes");
    std::memcpy(host.mutable_data_ptr(), bytes.data(), bytes.size());
    return host;
}

class StoreCollectives final : public c10d::Backend {
  public:
    StoreCollectives(c10::intrusive_ptr<c10d::Store> store, int rank, int size)
        : Backend(rank, size), store_(std::move(store)) {}

    const std::string getBackendName() const override { return "guarded"; }

    c10::intrusive_ptr<c10d::Work> allreduce(std::vector<at::Tensor>& tensors,
                                             const c10d::AllreduceOptions& options) override {
        begin("allreduce");
        tensors[0].copy_(reduced(exchange(bytes_of(tensors[0])), tensors[0], options.reduceOp));
        return done();
    }
    c10::intrusive_ptr<c10d::Work> broadcast(std::vector<at::Tensor>& tensors,
                                             const c10d::BroadcastOptions& options) override {
        begin("broadcast");
        const std::string key = std::to_string(calls_);
        if (getRank() == options.rootRank)
            store_->set(key, bytes_of(tensors[0]));
        else
            tensors[0].copy_(tensor_of(store_->get(key), tensors[0]));
        return done();
    }
    c10::intrusive_ptr<c10d::Work> _allgather_base(at::Tensor& out, at::Tensor& in,
                                                   const c10d::AllgatherOptions&) override {
        begin("allgather");
        Bytes all;
        for (const Bytes& part : exchange(bytes_of(in)))
            all.insert(all.end(), part.begin(), part.end());
        out.copy_(tensor_of(all, out));
        return done();
    }
    c10::intrusive_ptr<c10d::Work> _reduce_scatter_base(at::Tensor& out, at::Tensor& in,
                                                        const c10d::ReduceScatterOptions& options) override {
        begin("reduce_scatter");
        const at::Tensor sum = reduced(exchange(bytes_of(in)), in, options.reduceOp);
        out.copy_(sum.view({-1}).narrow(0, getRank() * out.numel(), out.numel()).view(out.sizes()));
        return done();
    }
    c10::intrusive_ptr<c10d::Work> scatter(std::vector<at::Tensor>& out, std::vector<std::vector<at::Tensor>>& in,
                                           const c10d::ScatterOptions& options) override {
        begin("scatter");
        const auto key = [this](int rank) { return std::to_string(calls_) + "/" + std::to_string(rank); };
        for (int rank = 0; getRank() == options.rootRank && rank < getSize(); ++rank)
            store_->set(key(rank), bytes_of(in[0][static_cast<std::size_t>(rank)]));
        out[0].copy_(tensor_of(store_->get(key(getRank())), out[0]));
        return done();
    }
    c10::intrusive_ptr<c10d::Work> alltoall_base(at::Tensor& out, at::Tensor& in, std::vector<std::int64_t>& out_sizes,
                                                 std::vector<std::int64_t>& in_sizes,
                                                 const c10d::AllToAllOptions&) override {
        begin("alltoall");
        const auto key = [this](int from, int to) {
            return std::to_string(calls_) + "/" + std::to_string(from) + "/" + std::to_string(to);
        };
        std::int64_t at = 0;
        for (int rank = 0; rank < getSize(); ++rank) {
            const std::int64_t rows = in_sizes[static_cast<std::size_t>(rank)];
            store_->set(key(getRank(), rank), bytes_of(in.narrow(0, at, rows)));
            at += rows;
        }
        at = 0;
        for (int rank = 0; rank < getSize(); ++rank) {
            at::Tensor part = out.narrow(0, at, out_sizes[static_cast<std::size_t>(rank)]);
            part.copy_(tensor_of(store_->get(key(rank, getRank())), part));
            at += part.size(0);
        }
        return done();
    }
    c10::intrusive_ptr<c10d::Work> send(std::vector<at::Tensor>& tensors, int to, int) override {
        write_name("send");
        store_->set(pair_key(getRank(), to), bytes_of(tensors[0]));
        return done();
    }
    c10::intrusive_ptr<c10d::Work> recv(std::vector<at::Tensor>& tensors, int from, int) override {
        write_name("receive");
        tensors[0].copy_(tensor_of(store_->get(pair_key(from, getRank())), tensors[0]));
        return done();
    }
    c10::intrusive_ptr<c10d::Work> barrier(const c10d::BarrierOptions&) override {
        begin("barrier");
        exchange({1});
        return done();
    }

  private:
    static c10::intrusive_ptr<c10d::Work> done() { return c10::make_intrusive<Done>(); }

    void begin(const char* name) {
        ++calls_;
        write_name(name);
    }
    void write_name(const char* name) const {
        if (const char* file = std::getenv("TRAINYARD_TEST_COLLECTIVES"))
            std::ofstream(file, std::ios::app) << getRank() << " " << name << "\n" << std::flush;
    }
    /// The bytes of all ranks, in their order.
    std::vector<Bytes> exchange(const Bytes& own) {
        const auto key = [this](int rank) { return std::to_string(calls_) + "/" + std::to_string(rank); };
        store_->set(key(getRank()), own);
        std::vector<Bytes> all;
        for (int rank = 0; rank < getSize(); ++rank)
            all.push_back(store_->get(key(rank)));
        return all;
    }
    static at::Tensor reduced(const std::vector<Bytes>& parts, const at::Tensor& like, const c10d::ReduceOp& op) {
        std::vector<at::Tensor> tensors;
        for (const Bytes& part : parts)
            tensors.push_back(tensor_of(part, like));
        const at::Tensor all = at::stack(tensors);
        switch (static_cast<c10d::ReduceOp::RedOpType>(op)) {
            case c10d::ReduceOp::SUM:
                return all.sum(0, false, like.scalar_type());
            case c10d::ReduceOp::MAX:
                return all.amax(0);
            case c10d::ReduceOp::MIN:
                return all.amin(0);
            case c10d::ReduceOp::PRODUCT:
                return all.prod(0, false, like.scalar_type());
            default:
                C10_THROW_ERROR(Error, "the collectives of guarded do not know this reduction");
        }
    }
    std::string pair_key(int from, int to) {
        return "pair/" + std::to_string(from) + "/" + std::to_string(to) + "/" +
               std::to_string(messages_[{from, to}]++);
    }

    c10::intrusive_ptr<c10d::Store> store_;
    std::int64_t calls_ = 0;  ///< of collectives: equal on all ranks
    std::map<std::pair<int, int>, std::int64_t> messages_;
};

c10::intrusive_ptr<c10d::Backend> make_backend(const c10::intrusive_ptr<c10d::Store>& store, int rank, int size,
                                               std::chrono::milliseconds) {
    return c10::make_intrusive<StoreCollectives>(store, rank, size);
}

}  // namespace

}  // namespace trainyard::test

extern "C" __attribute__((visibility("default")))
const trainyard::parallel::DeviceLibrary trainyard_device_library{&trainyard::test::make_backend};
