// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>
#include <stdexcept>
#include <utility>

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>

#include <trainyard/comm_hook.h>

#include "base/error.h"
#include "distributed/parallel/block_codes.h"
#include "distributed/parallel/power_sgd.h"

namespace trainyard::parallel {

namespace {

/// One message: what is left to do when it has come is copying it back where it was sent in another dtype.
class OneMessage final : public BucketReduction {
  public:
    OneMessage(at::Tensor sent, at::Tensor slice, Pending pending)
        : sent_(std::move(sent)), slice_(std::move(slice)), pending_(std::move(pending)) {}

    bool advance() override {
        pending_.wait();
        if (!sent_.is_same(slice_))
            slice_.copy_(sent_);
        return false;
    }

  private:
    at::Tensor sent_, slice_;
    Pending pending_;
};

class CastHook final : public CommHook {
  public:
    explicit CastHook(at::ScalarType dtype) : dtype_(dtype) {}

    std::unique_ptr<BucketReduction> start(const Bucket& bucket, Communicator& communicator) override {
        at::Tensor sent = dtype_ == at::ScalarType::Undefined ? bucket.slice : bucket.slice.to(dtype_);
        // A mean in full precision is the backend's affair, which divides in the pass that sums. Half precision is
        // divided before: its sums overflow. A sum is left untouched, to the bit.
        bool half = sent.element_size() < 4;
        bool mean = bucket.divisor == communicator.size() && !half;
        if (!mean && bucket.divisor != 1)
            sent.div_(bucket.divisor);
        Pending pending = communicator.all_reduce(sent, bucket.name, mean ? ReduceOp::average : ReduceOp::sum);
        return std::make_unique<OneMessage>(std::move(sent), bucket.slice, std::move(pending));
    }

  private:
    at::ScalarType dtype_;  ///< Undefined: that of the bucket
};

/// Sums of this rank's share.
class OneShare final : public BucketReduction {
  public:
    OneShare(const Bucket& bucket, Communicator& shards, Communicator* copies, bool as_codes)
        : name_(bucket.name),
          owned_(bucket.owned),
          sums_(bucket.accumulate ? at::empty(owned_.sizes(), owned_.options()) : owned_),
          slice_(bucket.slice),
          copies_(copies),
          rank_(shards.rank()) {
        if (as_codes && shards.size() > 1)
            send_codes(shards);
        else
            pending_ = shards.reduce_scatter(sums_, slice_, bucket.name);
    }

    bool advance() override {
        pending_.wait();
        if (received_.defined())
            sum_codes();
        slice_ = sent_ = received_ = at::Tensor();
        if (Communicator* copies = std::exchange(copies_, nullptr)) {
            pending_ = copies->all_reduce(sums_, name_);
            return true;
        }
        if (!sums_.is_same(owned_))
            owned_.add_(sums_);
        return false;
    }

  private:
    static constexpr CodeBits kBits = CodeBits::four;

    at::Tensor share_of(int rank) const { return slice_.narrow(0, rank * sums_.numel(), sums_.numel()); }
    /// A row for every rank; this rank's own is not used.
    void send_codes(Communicator& shards) {
        sent_ = at::empty({shards.size(), coded_bytes(sums_.numel(), kBits)}, sums_.options().dtype(at::kByte));
        for (int rank = 0; rank < shards.size(); ++rank)
            if (rank != rank_)
                encode(share_of(rank), kBits, sent_[rank]);
        received_ = at::empty_like(sent_);
        pending_ = shards.all_to_all(received_, sent_, name_);
    }
    /// In the order of the ranks.
    void sum_codes() {
        for (int rank = 0; rank < received_.size(0); ++rank) {
            if (rank == rank_)
                rank == 0 ? sums_.copy_(share_of(rank)) : sums_.add_(share_of(rank));
            else if (rank == 0)
                decode_to(received_[rank], kBits, sums_);
            else
                add_decoded(received_[rank], kBits, sums_);
        }
    }

    std::string name_;
    at::Tensor owned_, sums_, slice_, sent_, received_;
    Communicator* copies_;
    int rank_;
    Pending pending_;
};

class ReduceScatterHook final : public CommHook {
  public:
    ReduceScatterHook(Communicator* copies, bool as_codes) : copies_(copies), as_codes_(as_codes) {}

    std::unique_ptr<BucketReduction> start(const Bucket& bucket, Communicator& shards) override {
        if (bucket.divisor != 1)
            throw std::logic_error("reduce_scatter_hook makes sums");
        return std::make_unique<OneShare>(bucket, shards, copies_, as_codes_);
    }

  private:
    Communicator* copies_;
    bool as_codes_;
};

class WrapperHook final : public CommHook {
  public:
    WrapperHook(at::ScalarType dtype, std::shared_ptr<CommHook> inner) : dtype_(dtype), inner_(std::move(inner)) {}

    std::unique_ptr<BucketReduction> start(const Bucket& bucket, Communicator& communicator) override {
        Bucket cast = bucket;
        cast.slice = bucket.slice.to(dtype_);
        for (auto& [name, gradient] : cast.gradients)
            gradient = cast.slice.narrow(0, gradient.storage_offset() - bucket.slice.storage_offset(), gradient.numel())
                           .view(gradient.sizes());
        auto inner = inner_->start(cast, communicator);
        return std::make_unique<CopyBack>(std::move(inner), std::move(cast.slice), bucket.slice);
    }

    Tree state_dict() const override { return inner_->state_dict(); }
    void load_state_dict(const Tree& state) override { inner_->load_state_dict(state); }

  private:
    class CopyBack final : public BucketReduction {
      public:
        CopyBack(std::unique_ptr<BucketReduction> inner, at::Tensor cast, at::Tensor slice)
            : inner_(std::move(inner)), cast_(std::move(cast)), slice_(std::move(slice)) {}
        bool advance() override {
            if (inner_->advance())
                return true;
            if (!cast_.is_same(slice_))
                slice_.copy_(cast_);
            return false;
        }

      private:
        std::unique_ptr<BucketReduction> inner_;
        at::Tensor cast_, slice_;
    };

    at::ScalarType dtype_;
    std::shared_ptr<CommHook> inner_;
};

at::ScalarType half_type(bool fp16) {
    return fp16 ? at::kHalf : at::kBFloat16;
}

}  // namespace

std::shared_ptr<CommHook> all_reduce_hook() {
    return std::make_shared<CastHook>(at::ScalarType::Undefined);
}

std::shared_ptr<CommHook> reduce_scatter_hook(Communicator* copies, bool as_codes) {
    return std::make_shared<ReduceScatterHook>(copies, as_codes);
}

std::shared_ptr<CommHook> compress_hook(at::ScalarType dtype) {
    return std::make_shared<CastHook>(dtype);
}

std::shared_ptr<CommHook> compress_wrapper(at::ScalarType dtype, std::shared_ptr<CommHook> inner) {
    return std::make_shared<WrapperHook>(dtype, std::move(inner));
}

std::shared_ptr<CommHook> make_comm_hook(CommHookType comm_hook, Precision comm_wrapper,
                                         const Tree& comm_state_option) {
    const PowerSgdOptions options = PowerSgdOptions::from(comm_state_option);
    if (comm_hook == CommHookType::no)
        return nullptr;
    std::shared_ptr<CommHook> hook = comm_hook == CommHookType::power_sgd ? power_sgd_hook(options)
                                     : comm_hook == CommHookType::batched_power_sgd
                                         ? batched_power_sgd_hook(options)
                                         : compress_hook(half_type(comm_hook == CommHookType::fp16));
    return comm_wrapper == Precision::no
               ? hook
               : compress_wrapper(half_type(comm_wrapper == Precision::fp16), std::move(hook));
}

}  // namespace trainyard::parallel
