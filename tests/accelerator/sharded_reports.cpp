// SPDX-License-Identifier: GPL-3.0-or-later
// What users of FSDP and ZeRO reported, tried on modules of a program at every stage: parameters without elements
// (deepspeedai/DeepSpeed issues 8279, 8375), modules that are used twice (966), the state of parameters that were
// frozen later (pytorch/pytorch issue 192202), norms over all shards (170862), Adagrad in folders of shares
// (huggingface/accelerate issues 3855, 3971). Each is compared with replicas.

#include <string>
#include <vector>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <torch/nn/modules/linear.h>

#include <gtest/gtest.h>

#include "accelerator/training.h"
#include "optim/rule_optimizer.h"
#include "support/temporary_folder.h"

namespace trainyard {
namespace {

/// A layer that is used twice, one without elements, one that may be frozen.
struct Reported : torch::nn::Module {
    Reported() {
        shared = register_module("shared", torch::nn::Linear(4, 4));
        empty = register_module("empty", torch::nn::Linear(torch::nn::LinearOptions(4, 0).bias(false)));
        last = register_module("last", torch::nn::Linear(4, 3));
        const at::NoGradGuard no_grad;
        std::int64_t number = 0;
        for (const at::Tensor& parameter : parameters())
            parameter.copy_(at::arange(parameter.numel(), at::kFloat).add(++number).sin().view(parameter.sizes()));
    }
    at::Tensor forward(const at::Tensor& x) {
        const at::Tensor hidden = shared(shared(x).tanh());
        return last(hidden).square().mean() + empty(x).sum() * 0;
    }
    at::Tensor flat() const {
        std::vector<at::Tensor> all;
        for (const at::Tensor& parameter : parameters())
            all.push_back(parameter.detach().reshape({-1}));
        return at::cat(all);
    }
    torch::nn::Linear shared{nullptr}, empty{nullptr}, last{nullptr};
};

class ReportedTraining {
  public:
    ReportedTraining(std::shared_ptr<parallel::ProcessState> process, std::int64_t stage, const std::string& kind,
                     bool in_shares = false)
        : accelerator(
              {.zero_stage = stage,
               .sharding = accelerator::ShardingOptions{.state_dict = in_shares ? accelerator::StateDictType::sharded
                                                                                : accelerator::StateDictType::full}},
              std::move(process)),
          net(std::make_shared<Reported>()),
          model(accelerator.prepare(net)),
          optimizer(accelerator.prepare(
              optim::make_optimizer(kind, net->parameters(), Tree::dict({{"lr", 0.05}, {"weight_decay", 0.0}})))) {}

    void steps(int from, int to) {
        for (int step = from; step < to; ++step) {
            const at::Tensor x =
                at::arange(8, at::kFloat).add(10 * step + accelerator.process_index()).cos().view({2, 4});
            accelerator.backward(model(x));
            norms.push_back(accelerator.clip_grad_norm(model, 0.5).item<double>());
            optimizer->step();
            optimizer->zero_grad();
        }
    }
    std::vector<at::Tensor> weights() {
        std::vector<at::Tensor> all;
        for (const auto& [name, weight] : accelerator.get_state_dict(model))
            all.push_back(weight.clone());
        return all;
    }

    Accelerator accelerator;
    std::shared_ptr<Reported> net;
    accelerator::Prepared<Reported> model;
    std::shared_ptr<accelerator::PreparedOptimizer> optimizer;
    std::vector<double> norms;
};

/// The main process's weights after `steps`.
template <class Body>
std::pair<std::vector<at::Tensor>, std::vector<double>> weights_and_norms(std::int64_t stage, const Body& body,
                                                                          const std::string& optimizer,
                                                                          bool in_shares = false) {
    std::vector<at::Tensor> weights;
    std::vector<double> norms;
    test::on_ranks(2, [&](std::shared_ptr<parallel::ProcessState> process) {
        const bool is_main = process->is_main_process();
        ReportedTraining training(process, stage, optimizer, in_shares);
        body(training);
        std::vector<at::Tensor> own = training.weights();
        if (is_main) {
            weights = std::move(own);
            norms = training.norms;
        }
        process->wait_for_everyone();
    });
    return {weights, norms};
}

void expect_same(const std::vector<at::Tensor>& a, const std::vector<at::Tensor>& b) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        EXPECT_EQ(a[i].sizes(), b[i].sizes());
        EXPECT_TRUE(a[i].allclose(b[i], 1e-5, 1e-6)) << i;
    }
}

class ShardedReports : public ::testing::TestWithParam<std::int64_t> {};

TEST_P(ShardedReports, EmptyAndSharedLayersAndNormsAreThoseOfReplicas) {
    const auto train = [](ReportedTraining& training) { training.steps(0, 4); };
    const auto [expected, norms] = weights_and_norms(0, train, "AdamW");
    const auto [got, own] = weights_and_norms(GetParam(), train, "AdamW");
    expect_same(got, expected);
    ASSERT_EQ(own.size(), 4u);
    for (std::size_t i = 0; i < own.size(); ++i)
        EXPECT_NEAR(own[i], norms[i], 1e-5);
    EXPECT_GT(norms[0], 0.5) << "it is clipped";
}

TEST_P(ShardedReports, TheStateOfParametersThatWereFrozenLaterIsSaved) {
    for (const bool in_shares : {false, true}) {
        if (in_shares && GetParam() == 0)
            continue;
        test::TemporaryFolder folder;
        const auto freeze = [](ReportedTraining& training, bool freezes) {
            for (const at::Tensor& parameter : training.net->last->parameters())
                parameter.set_requires_grad(!freezes);
        };
        const auto [straight, norms] = weights_and_norms(
            GetParam(), [&](ReportedTraining& training) { training.steps(0, 6); }, "AdamW", in_shares);
        const auto [resumed, own] = weights_and_norms(
            GetParam(),
            [&](ReportedTraining& training) {
                training.steps(0, 3);
                freeze(training, true);
                training.accelerator.save_state(folder.path() / "state");
                freeze(training, false);
                training.steps(3, 5);
                training.accelerator.load_state(folder.path() / "state");
                training.steps(3, 6);
            },
            "AdamW", in_shares);
        expect_same(resumed, straight);
    }
}

TEST_P(ShardedReports, AdagradContinuesFromAFolderOfShares) {
    test::TemporaryFolder folder;
    const bool in_shares = GetParam() > 0;
    const auto [straight, norms] = weights_and_norms(
        GetParam(), [&](ReportedTraining& training) { training.steps(0, 6); }, "Adagrad", in_shares);
    weights_and_norms(
        GetParam(),
        [&](ReportedTraining& training) {
            training.steps(0, 3);
            training.accelerator.save_state(folder.path() / "state");
        },
        "Adagrad", in_shares);
    const auto [resumed, own] = weights_and_norms(
        GetParam(),
        [&](ReportedTraining& training) {
            training.accelerator.load_state(folder.path() / "state");
            training.steps(3, 6);
        },
        "Adagrad", in_shares);
    expect_same(resumed, straight);
}

INSTANTIATE_TEST_SUITE_P(Stages, ShardedReports, ::testing::Values(0, 1, 2, 3),
                         [](const auto& stage) { return "stage_" + std::to_string(stage.param); });

}  // namespace
}  // namespace trainyard
