// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of communication hooks: the traffic that they save, their state, and error feedback of compression.

#include <ATen/ops/arange.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/outer.h>

#include <gtest/gtest.h>

#include "base/error.h"
#include "distributed/parallel/data_parallel.h"
#include "distributed/parallel/group_sync.h"
#include "distributed/parallel/orthogonalise.h"
#include "distributed/parallel/power_sgd.h"
#include "over_ranks.h"
#include "small_module.h"

namespace trainyard::parallel {
namespace {

using test::over_ranks;
using test::random_tensor;

/// One bucket of one matrix.
struct Matrix {
    at::Tensor value;
    std::unique_ptr<DataParallel> parallel;
    Matrix(std::int64_t rows, std::int64_t columns, Communicator& communicator, std::shared_ptr<CommHook> hook)
        : value(at::zeros({rows, columns}).set_requires_grad(true)) {
        DataParallelOptions options;
        options.comm_hook = std::move(hook);
        parallel =
            std::make_unique<DataParallel>(NamedTensors{{"matrix", value}}, NamedTensors{}, communicator, options);
    }
    at::Tensor reduce(const at::Tensor& gradient) {
        value.mutable_grad() = at::Tensor();
        (value * gradient).sum().backward();
        return value.grad().clone();
    }
};

std::uint64_t bytes_of_a_step(Communicator& communicator, const std::shared_ptr<CommHook>& hook) {
    Matrix matrix(100, 60, communicator, hook);
    std::uint64_t before = communicator.stats().bytes;
    matrix.reduce(random_tensor({100, 60}, 3));
    return communicator.stats().bytes - before;
}

TEST(CommHooks, SendWhatTheyPromise) {
    over_ranks(2, [&](Communicator& communicator) {
        EXPECT_EQ(bytes_of_a_step(communicator, nullptr), 24000u);
        EXPECT_EQ(bytes_of_a_step(communicator, make_comm_hook(CommHookType::fp16)), 12000u);
        EXPECT_EQ(bytes_of_a_step(communicator, make_comm_hook(CommHookType::bf16)), 12000u);
        Tree options = Tree::dict({{"start_powerSGD_iter", 0}, {"matrix_approximation_rank", 2}});
        EXPECT_EQ(bytes_of_a_step(communicator, make_comm_hook(CommHookType::power_sgd, Precision::no, options)),
                  2u * 160 * 4);
        EXPECT_EQ(bytes_of_a_step(communicator, make_comm_hook(CommHookType::power_sgd, Precision::fp16, options)),
                  2u * 160 * 2);
        EXPECT_EQ(
            bytes_of_a_step(communicator, make_comm_hook(CommHookType::batched_power_sgd, Precision::no, options)),
            2u * 156 * 4);
        Tree late = Tree::dict({{"start_powerSGD_iter", 1}});
        EXPECT_EQ(bytes_of_a_step(communicator, make_comm_hook(CommHookType::power_sgd, Precision::no, late)), 24000u);
    });
}

TEST(CommHooks, HalfPrecisionIsClose) {
    over_ranks(2, [&](Communicator& communicator) {
        at::Tensor mean = (random_tensor({100, 60}, 1) + random_tensor({100, 60}, 2)) / 2;
        for (const CommHookType name : {CommHookType::fp16, CommHookType::bf16}) {
            Matrix matrix(100, 60, communicator, make_comm_hook(name));
            at::Tensor got =
                matrix.reduce(random_tensor({100, 60}, static_cast<std::uint64_t>(communicator.rank()) + 1));
            EXPECT_LT((got - mean).abs().max().item<float>(), 3e-2) << choice_name(name);
            EXPECT_GT((got - mean).abs().max().item<float>(), 0) << choice_name(name);
            EXPECT_EQ(got.scalar_type(), at::kFloat);
        }
    });
}

TEST(PowerSgd, OfFullRankIsExact) {
    over_ranks(2, [&](Communicator& communicator) {
        PowerSgdOptions options;
        options.matrix_approximation_rank = 4;
        options.start_powerSGD_iter = 0;
        options.min_compression_rate = 0;
        Matrix matrix(30, 4, communicator, power_sgd_hook(options));
        at::Tensor got = matrix.reduce(random_tensor({30, 4}, static_cast<std::uint64_t>(communicator.rank()) + 1));
        at::Tensor mean = (random_tensor({30, 4}, 1) + random_tensor({30, 4}, 2)) / 2;
        EXPECT_LT((got - mean).abs().max().item<float>(), 1e-5);
    });
}

/// With error feedback, the compression error of a step is added to the next one, so that the sums of the reduced and
/// of the original gradients differ by the error of one step only.
double distance_of_sums(Communicator& communicator, bool feedback) {
    PowerSgdOptions options;
    options.start_powerSGD_iter = 0;
    options.use_error_feedback = feedback;
    Matrix matrix(20, 16, communicator, power_sgd_hook(options));
    at::Tensor mine = random_tensor({20, 16}, static_cast<std::uint64_t>(communicator.rank()) + 1);
    at::Tensor mean = (random_tensor({20, 16}, 1) + random_tensor({20, 16}, 2)) / 2;
    at::Tensor sum = at::zeros({20, 16});
    constexpr int kSteps = 60;
    for (int step = 0; step < kSteps; ++step)
        sum += matrix.reduce(mine);
    return ((sum / kSteps - mean).norm() / mean.norm()).item<double>();
}

TEST(PowerSgd, ErrorFeedbackSumsConverge) {
    over_ranks(2, [&](Communicator& communicator) {
        EXPECT_LT(distance_of_sums(communicator, true), 0.2);
        EXPECT_GT(distance_of_sums(communicator, false), 0.5);
    });
}

TEST(PowerSgd, AGradientOfZerosStaysZero) {
    over_ranks(2, [&](Communicator& communicator) {
        PowerSgdOptions options;
        options.start_powerSGD_iter = 0;
        options.matrix_approximation_rank = 2;
        Matrix matrix(20, 16, communicator, power_sgd_hook(options));
        EXPECT_EQ(matrix.reduce(at::zeros({20, 16})).abs().max().item<float>(), 0);
        at::Tensor later = matrix.reduce(random_tensor({20, 16}, 4));
        EXPECT_TRUE(later.isfinite().all().item<bool>()) << "all-zero gradients in the first step must not lead to NaN";
    });
}

TEST(PowerSgd, StateGoesOnWhereItWasSaved) {
    over_ranks(2, [&](Communicator& communicator) {
        for (bool warm : {true, false}) {
            PowerSgdOptions options;
            options.start_powerSGD_iter = 2;
            options.warm_start = warm;
            auto gradient = [&](int step) {
                return random_tensor({20, 16}, static_cast<std::uint64_t>(10 * step + communicator.rank()));
            };
            auto hook = power_sgd_hook(options);
            Matrix matrix(20, 16, communicator, hook);
            for (int step = 0; step < 5; ++step)
                matrix.reduce(gradient(step));
            Tree saved = hook->state_dict().map_tensors([](const at::Tensor& tensor) { return tensor.clone(); });
            at::Tensor expected = matrix.reduce(gradient(5));

            auto resumed = power_sgd_hook(options);
            resumed->load_state_dict(saved);
            Matrix again(20, 16, communicator, resumed);
            EXPECT_TRUE(again.reduce(gradient(5)).equal(expected));
            EXPECT_EQ(resumed->compression_stats().before, hook->compression_stats().before);

            Matrix smaller(10, 16, communicator, power_sgd_hook(options));
            smaller.parallel->comm_hook()->load_state_dict(saved);
            if (warm) {
                EXPECT_THROW(smaller.reduce(random_tensor({10, 16}, 1)), UserError) << "the state of another model";
            }
        }
    });
}

TEST(PowerSgd, AStateThatIsNoneIsRefusedAndChangesNothing) {
    auto hook = power_sgd_hook({});
    Tree before = hook->state_dict();
    for (const char* key : {"iter", "error_dict", "rng_draws"}) {
        Tree broken = before;
        broken.set(key, "text");
        EXPECT_THROW(hook->load_state_dict(broken), UserError) << key;
    }
    Tree endless = before;
    endless.set("rng_draws", std::int64_t{1} << 60);
    EXPECT_THROW(hook->load_state_dict(endless), UserError);
    EXPECT_EQ(hook->state_dict(), before);
}

TEST(PowerSgd, ReportsItsSavingEverySoManySteps) {
    over_ranks(2, [&](Communicator& communicator) {
        PowerSgdOptions options;
        options.start_powerSGD_iter = 1;
        options.compression_stats_logging_frequency = 3;
        auto hook = power_sgd_hook(options);
        std::vector<std::string> lines;
        hook->report_to([&](const std::string& line) { lines.push_back(line); });
        Matrix matrix(20, 16, communicator, hook);
        for (int step = 0; step < 6; ++step)
            matrix.reduce(random_tensor({20, 16}, 1));
        ASSERT_EQ(lines.size(), 2u);
        EXPECT_NE(lines[0].find("320 gradients sent as 36"), std::string::npos) << lines[0];
        EXPECT_NEAR(hook->compression_stats().rate(), 320.0 / 36, 1e-9);
    });
}

TEST(CommHooks, OptionsAreCheckedAllAtOnce) {
    EXPECT_EQ(make_comm_hook(CommHookType::no), nullptr);
    EXPECT_EQ(make_comm_hook(CommHookType::no, Precision::fp16), nullptr) << "a wrapper without a hook does nothing";
    try {
        make_comm_hook(CommHookType::no, Precision::no,
                       Tree::dict({{"matrix_aproximation_rank", 2}, {"random_seed", -1}, {"warm_start", 3}}));
        FAIL();
    } catch (const UserError& error) {
        for (const char* word : {"matrix_aproximation_rank", "random_seed", "warm_start"})
            EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    }
}

TEST(Orthogonalise, ColumnsBecomeOrthonormalByBothWays) {
    for (std::int64_t columns : {1, 2, 3, 5}) {
        at::Tensor batch = random_tensor({3, 8, columns}, 1);
        orthogonalise(batch, 0);
        at::Tensor product = batch.transpose(1, 2).matmul(batch);
        EXPECT_LT((product - at::eye(columns)).abs().max().item<float>(), 1e-5) << columns;
    }
}

/// The bundled engine's groups with a hook: sums, not means, and padding in the slices.
TEST(GroupSyncHooks, CompressedSumsOfTheArena) {
    struct Holder final : Unit {
        Holder() : Unit("u") {
            add_parameter("a", {20, 16}, {});
            add_parameter("b", {5}, {});
        }
        Tensors forward(const Tensors& inputs, StepContext&) override { return inputs; }
    };
    over_ranks(2, [&](Communicator& communicator) {
        Holder unit;
        FlatArena arena({{"u", unit.parameters()}}, at::kFloat, at::kCPU, false);
        at::Tensor ones = at::outer(at::arange(20).to(at::kFloat), at::ones({16}));  // of rank one: nothing is lost
        PowerSgdOptions power;
        power.start_powerSGD_iter = 1;
        GroupSyncOptions options;
        options.hook = power_sgd_hook(power);
        GroupSync sync(arena, {&unit}, communicator, options);
        for (int step = 0; step < 4; ++step) {
            sync.begin_step();
            arena.forget_gradients();
            sync.begin_micro_batch(true);
            unit.parameters()[0]->add_gradient(ones * (communicator.rank() + 1.0));
            unit.parameters()[1]->add_gradient(at::ones({5}) * (communicator.rank() + 1.0));
            sync.after_backward(unit, {}, 0);
            sync.finish();
            EXPECT_LT((unit.parameters()[0]->gradient() - ones * 3).abs().max().item<float>(), 1e-3) << step;
            EXPECT_EQ(unit.parameters()[1]->gradient().sum().item<float>(), 15);
        }
    });
}

}  // namespace
}  // namespace trainyard::parallel
