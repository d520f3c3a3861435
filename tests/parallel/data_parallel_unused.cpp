// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters that a step leaves out, or uses several times: errors without the options, right averages with them.

#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/custom_function.h>

#include <gtest/gtest.h>

#include "base/error.h"
#include "distributed/parallel/data_parallel.h"
#include "over_ranks.h"
#include "small_module.h"

namespace trainyard::parallel {
namespace {

using test::joined_batch;
using test::over_ranks;
using test::share;
using test::SmallModule;

std::string failure(const std::function<void()>& body) {
    try {
        body();
    } catch (const UserError& error) {
        return error.what();
    }
    return {};
}

TEST(UnusedParameters, AreAnErrorThatNamesThemWithoutTheOption) {
    over_ranks(2, [&](Communicator& communicator) {
        SmallModule mine(1);
        DataParallel parallel(mine.parameters(), {}, communicator);
        std::string message = failure([&] { mine.loss(joined_batch(2, 0), false).backward(); });
        EXPECT_NE(message.find("spare.weight"), std::string::npos) << message;
        EXPECT_NE(message.find("find_unused_parameters"), std::string::npos) << message;
        EXPECT_EQ(message.find("first.weight"), std::string::npos) << message;
    });
}

TEST(UnusedParameters, OnOneRankAreAnErrorOnAllWithCheckReduction) {
    over_ranks(2, [&](Communicator& communicator) {
        SmallModule mine(1);
        DataParallelOptions options;
        options.check_reduction = true;
        DataParallel parallel(mine.parameters(), {}, communicator, options);
        EXPECT_EQ(failure([&] { mine.loss(joined_batch(2, 0)).backward(); }), "");
        std::string message = failure([&] { mine.loss(joined_batch(2, 0), communicator.rank() == 0).backward(); });
        EXPECT_NE(message.find("spare.weight"), std::string::npos) << message;
    });
}

TEST(UnusedParameters, NobodyUsedKeepAnUndefinedGradient) {
    for (bool views : {false, true})
        over_ranks(2, [&](Communicator& communicator) {
            SmallModule mine(1), alone(1);
            DataParallelOptions options;
            options.find_unused_parameters = true;
            options.gradient_as_bucket_view = views;
            DataParallel parallel(mine.parameters(), {}, communicator, options);
            for (std::int64_t step = 0; step < 3; ++step) {
                mine.loss(share(joined_batch(4, step), communicator.rank(), 2), false).backward();
                alone.loss(joined_batch(4, step), false).backward();
                EXPECT_FALSE(mine.spare.grad().defined());
                EXPECT_LT((mine.first.grad() - alone.first.grad()).abs().max().item<float>(), 1e-5);
                mine.zero_grad();
                alone.zero_grad();
            }
        });
}

TEST(UnusedParameters, UsedBySomeAreAveragedWithZeros) {
    for (bool views : {false, true})
        over_ranks(3, [&](Communicator& communicator) {
            SmallModule mine(1), alone(1);
            DataParallelOptions options;
            options.find_unused_parameters = true;
            options.gradient_as_bucket_view = views;
            options.bucket_cap_mb = 1e-4;
            DataParallel parallel(mine.parameters(), {}, communicator, options);
            for (std::int64_t step = 0; step < 3; ++step) {
                mine.loss(share(joined_batch(6, step), communicator.rank(), 3), communicator.rank() == 1).backward();
                at::Tensor total;
                for (int rank = 0; rank < 3; ++rank) {
                    at::Tensor part = alone.loss(share(joined_batch(6, step), rank, 3), rank == 1) / 3.0;
                    total = total.defined() ? total + part : part;
                }
                total.backward();
                for (std::size_t i = 0; i < 5; ++i)
                    EXPECT_LT((mine.parameters()[i].second.grad() - alone.parameters()[i].second.grad())
                                  .abs()
                                  .max()
                                  .item<float>(),
                              1e-5)
                        << i << " in step " << step;
                mine.zero_grad();
                alone.zero_grad();
            }
        });
}

TEST(UnusedParameters, UsedInALocalMicroBatchCountInTheReducingOne) {
    over_ranks(2, [&](Communicator& communicator) {
        SmallModule mine(1), alone(1);
        DataParallelOptions options;
        options.find_unused_parameters = true;
        DataParallel parallel(mine.parameters(), {}, communicator, options);
        {
            NoSync local = parallel.no_sync();
            mine.loss(share(joined_batch(4, 0), communicator.rank(), 2), true).backward();
        }
        mine.loss(share(joined_batch(4, 1), communicator.rank(), 2), false).backward();
        alone.loss(joined_batch(4, 0), true).backward();
        alone.loss(joined_batch(4, 1), false).backward();
        EXPECT_LT((mine.spare.grad() - alone.spare.grad()).abs().max().item<float>(), 1e-5);
        EXPECT_LT((mine.first.grad() - alone.first.grad()).abs().max().item<float>(), 1e-5);
    });
}

TEST(UnusedParameters, ARankWhoseLossTouchesNothingTakesPartByFinishBackward) {
    over_ranks(2, [&](Communicator& communicator) {
        SmallModule mine(1), alone(1);
        DataParallelOptions options;
        options.find_unused_parameters = true;
        DataParallel parallel(mine.parameters(), {}, communicator, options);
        for (int step = 0; step < 2; ++step) {
            mine.zero_grad();
            parallel.before_forward();
            if (communicator.rank() == 0)
                mine.loss(joined_batch(2, 0)).backward();
            parallel.finish_backward();  // nothing on rank 0, which has reduced already
        }
        (alone.loss(joined_batch(2, 0)) / 2.0).backward();
        EXPECT_LT((mine.first.grad() - alone.first.grad()).abs().max().item<float>(), 1e-5);
    });
}

TEST(StaticGraph, LearnsWhatIsUsedFromTheFirstStep) {
    over_ranks(2, [&](Communicator& communicator) {
        SmallModule mine(1), alone(1);
        DataParallelOptions options;
        options.static_graph = true;
        options.bucket_cap_mb = 1e-4;
        DataParallel parallel(mine.parameters(), {}, communicator, options);
        for (std::int64_t step = 0; step < 3; ++step) {
            std::uint64_t before = communicator.stats().count;
            mine.loss(share(joined_batch(4, step), communicator.rank(), 2), false).backward();
            std::uint64_t searching = step == 0 ? 1 : 0;
            EXPECT_EQ(communicator.stats().count - before, parallel.bucket_bytes().size() + searching);
            alone.loss(joined_batch(4, step), false).backward();
            EXPECT_FALSE(mine.spare.grad().defined());
            EXPECT_LT((mine.second.grad() - alone.second.grad()).abs().max().item<float>(), 1e-5);
            mine.zero_grad();
            alone.zero_grad();
        }
        std::string message = failure([&] { mine.loss(joined_batch(2, 0), true).backward(); });
        EXPECT_NE(message.find("spare.weight"), std::string::npos) << "the graph changed: " << message;
    });
}

/// Activation checkpointing: forward without a graph, backward runs forward and a backward of its own.
struct Checkpointed : torch::autograd::Function<Checkpointed> {
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& x, SmallModule* module) {
        context->save_for_backward({x});
        context->saved_data["module"] = reinterpret_cast<std::int64_t>(module);
        at::NoGradGuard no_grad;
        return module->forward(x);
    }
    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   torch::autograd::variable_list gradients) {
        auto* module = reinterpret_cast<SmallModule*>(context->saved_data["module"].toInt());
        at::AutoGradMode grad(true);
        at::Tensor x = context->get_saved_variables()[0].detach().set_requires_grad(true);
        module->forward(x).backward(gradients[0]);
        return {x.grad(), at::Tensor()};
    }
};

TEST(StaticGraph, BackwardInsideBackwardMayTouchAParameterTwice) {
    over_ranks(2, [&](Communicator& communicator) {
        SmallModule mine(1), alone(1);
        at::Tensor scale = SmallModule::leaf({6}, 77), lone_scale = SmallModule::leaf({6}, 77);
        NamedTensors parameters = mine.parameters();
        parameters.insert(parameters.begin(), {"scale", scale});
        DataParallelOptions options;
        options.static_graph = true;
        options.bucket_cap_mb = 1e-4;
        DataParallel parallel(parameters, {}, communicator, options);
        for (std::int64_t step = 0; step < 3; ++step) {
            at::Tensor x = share(joined_batch(4, step), communicator.rank(), 2);
            at::Tensor y = Checkpointed::apply(x * scale, &mine).pow(2).sum() +
                           Checkpointed::apply(x * scale * 2, &mine).pow(2).sum();
            (y / 2.0).backward();
            at::Tensor joined = joined_batch(4, step);
            ((alone.forward(joined * lone_scale).pow(2).sum() + alone.forward(joined * lone_scale * 2).pow(2).sum()) /
             4.0)
                .backward();
            for (std::size_t i = 0; i < 5; ++i)
                EXPECT_LT((mine.parameters()[i].second.grad() - alone.parameters()[i].second.grad())
                              .abs()
                              .max()
                              .item<float>(),
                          1e-4)
                    << i << " in step " << step;
            EXPECT_LT((scale.grad() - lone_scale.grad()).abs().max().item<float>(), 1e-4);
            mine.zero_grad();
            alone.zero_grad();
            scale.mutable_grad() = at::Tensor();
            lone_scale.mutable_grad() = at::Tensor();
        }
    });
}

}  // namespace
}  // namespace trainyard::parallel
