// SPDX-License-Identifier: GPL-3.0-or-later
// A communication hook of a program's own: gradients travel as bytes with one scale, what was rounded off is fed back,
// and the errors are in the checkpoint.

#include <map>

#include <ATen/ops/allclose.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros_like.h>
#include <torch/optim/sgd.h>

#include <gtest/gtest.h>
#include <trainyard/comm_hook.h>

#include "accelerator/training.h"
#include "support/temporary_folder.h"

namespace trainyard::own_comm_hook {
namespace {

/// Sends values as codes of 8 bits.
class ByteHook final : public parallel::CommHook {
  public:
    std::unique_ptr<parallel::BucketReduction> start(const parallel::Bucket& bucket,
                                                     parallel::Communicator& communicator) override {
        at::Tensor& error = errors_[static_cast<std::int64_t>(bucket.index)];
        const at::Tensor wanted = bucket.slice + (error.defined() ? error : at::zeros_like(bucket.slice));
        const at::Tensor scale = (wanted.abs().max() / 127).clamp_min(1e-30);
        const at::Tensor codes = (wanted / scale).round().to(at::kChar);
        error = wanted - codes.to(at::kFloat) * scale;
        return std::make_unique<Reduction>(bucket, communicator, codes, scale.reshape({1}));
    }
    Tree state_dict() const override {
        Tree state = Tree::dict();
        for (const auto& [index, error] : errors_)
            state.set(index, Tree(error.clone()));
        return state;
    }
    void load_state_dict(const Tree& state) override {
        for (const auto& [key, value] : state.entries())
            errors_[std::get<std::int64_t>(key)] = value.as_tensor().clone();
    }

  private:
    class Reduction final : public parallel::BucketReduction {
      public:
        Reduction(const parallel::Bucket& bucket, parallel::Communicator& communicator, const at::Tensor& codes,
                  const at::Tensor& scale)
            : bucket_(bucket),
              codes_(at::empty({communicator.size(), codes.numel()}, codes.options())),
              scales_(at::empty({communicator.size(), 1}, scale.options())) {
            pending_.push_back(communicator.all_gather_async(codes_, codes, bucket.name));
            pending_.push_back(communicator.all_gather_async(scales_, scale, bucket.name));
        }
        bool advance() override {
            if (pending_.empty())
                return false;
            for (parallel::Pending& each : pending_)
                each.wait();
            pending_.clear();
            bucket_.slice.copy_((codes_.to(at::kFloat) * scales_).sum(0).div_(bucket_.divisor));
            return false;
        }

      private:
        parallel::Bucket bucket_;
        at::Tensor codes_, scales_;
        std::vector<parallel::Pending> pending_;
    };

    std::map<std::int64_t, at::Tensor> errors_;
};

/// The states of all ranks in one object of a checkpoint.
class StatesOfRanks final : public Stateful {
  public:
    StatesOfRanks(Accelerator& accelerator, ByteHook& hook) : accelerator_(accelerator), hook_(hook) {}
    Tree state_dict() const override { return accelerator_.gather_object(Tree::list({hook_.state_dict()})); }
    void load_state_dict(const Tree& state) override {
        hook_.load_state_dict(state.items().at(static_cast<std::size_t>(accelerator_.process_index())));
    }

  private:
    Accelerator& accelerator_;
    ByteHook& hook_;
};

struct Trained {
    at::Tensor weights;
    std::uint64_t bytes = 0;
    Tree errors;
};

/// Epochs [first, last) of a training on two ranks. The state is loaded before the first, and saved in the end.
Trained train(bool own, int first, int last, const std::filesystem::path& folder = {}) {
    Trained result;
    test::on_ranks(2, [&](std::shared_ptr<parallel::ProcessState> process) {
        const bool is_first_rank = process->rank() == 0;
        auto hook = std::make_shared<ByteHook>();
        AcceleratorOptions options;
        if (own)
            options.data_parallel.comm_hook = hook;
        Accelerator accelerator(options, process);
        auto net = std::make_shared<test::Net>();
        auto model = accelerator.prepare(net);
        auto optimizer = accelerator.prepare(std::make_unique<torch::optim::SGD>(net->parameters(), 0.05));
        auto loader = accelerator.prepare(test::loader_over(test::samples(64), 8));
        StatesOfRanks states(accelerator, *hook);
        accelerator.register_for_checkpointing(states);
        if (first > 0)
            accelerator.load_state(folder);
        const std::uint64_t before = process->everyone().stats().bytes;
        for (int epoch = first; epoch < last; ++epoch)
            for (Tree& batch : *loader) {
                const auto scope = accelerator.accumulate(model);
                accelerator.backward(test::loss_of(model(batch.at("x").as_tensor()), batch));
                optimizer->step();
                optimizer->zero_grad();
            }
        if (is_first_rank)
            result.bytes = process->everyone().stats().bytes - before;
        if (!folder.empty())
            accelerator.save_state(folder);
        if (is_first_rank) {
            result.weights = net->flat();
            result.errors = hook->state_dict();
        }
    });
    return result;
}

TEST(OwnCommHook, SendsAQuarterOfTheBytesAndStaysClose) {
    const Trained plain = train(false, 0, 6), own = train(true, 0, 6);
    EXPECT_LT(own.bytes, plain.bytes / 2);
    EXPECT_TRUE(at::allclose(own.weights, plain.weights, 1e-2, 1e-2)) << (own.weights - plain.weights).abs().max();
    EXPECT_FALSE(own.weights.equal(plain.weights));
}

TEST(OwnCommHook, ItsStateIsInTheCheckpoint) {
    const test::TemporaryFolder folder;
    const Trained whole = train(true, 0, 4);
    train(true, 0, 2, folder.path() / "state");
    const Trained resumed = train(true, 2, 4, folder.path() / "state");
    EXPECT_TRUE(resumed.weights.equal(whole.weights));
    EXPECT_TRUE(resumed.errors == whole.errors);
}

}  // namespace
}  // namespace trainyard::own_comm_hook
