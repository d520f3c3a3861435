// SPDX-License-Identifier: GPL-3.0-or-later
// The oracle: torch's own reducer gives the same gradients, to the bit with two ranks.

#include <gtest/gtest.h>

#include "distributed/parallel/data_parallel.h"
#include "over_ranks.h"
#include "small_module.h"
#include "support/torch_reducer.h"

namespace trainyard::parallel {
namespace {

using test::joined_batch;
using test::share;
using test::SmallModule;

class Oracle : public ::testing::TestWithParam<std::tuple<bool, bool>> {};

TEST_P(Oracle, GivesTheSameGradients) {
    auto [views, unused] = GetParam();
    test::TorchStore store;
    test::over_ranks(2, [&, views = views, unused = unused](Communicator& communicator) {
        SmallModule mine(1), theirs(1);
        std::vector<at::Tensor> parameters;
        for (const auto& [name, parameter] : theirs.parameters())
            parameters.push_back(parameter);
        constexpr double kCap = 300.0 / (1 << 20), kFirst = 100.0 / (1 << 20);
        DataParallelOptions options;
        options.bucket_cap_mb = kCap;
        options.first_bucket_mb = kFirst;
        options.gradient_as_bucket_view = views;
        options.find_unused_parameters = unused;
        DataParallel parallel(mine.parameters(), {}, communicator, options);
        test::TorchReducer oracle(store, communicator.rank(), 2, parameters, kCap, kFirst, unused, views);
        for (std::int64_t step = 0; step < 4; ++step) {
            // Every third step nobody, every other one a single rank leaves the spare parameter out.
            bool spare = !unused || (step % 3 != 0 && (communicator.rank() == 0 || step % 2 == 0));
            at::Tensor x = share(joined_batch(8, step), communicator.rank(), 2);
            mine.loss(x, spare).backward();
            at::Tensor loss = theirs.loss(x, spare);
            oracle.prepare_for_backward(loss);
            loss.backward();
            for (std::size_t i = 0; i < parameters.size(); ++i) {
                at::Tensor got = mine.parameters()[i].second.grad(), expected = parameters[i].grad();
                ASSERT_EQ(got.defined(), expected.defined()) << i << " in step " << step;
                EXPECT_TRUE(!got.defined() || got.equal(expected)) << i << " in step " << step;
            }
            mine.descend(0.01);
            theirs.descend(0.01);
            // As zero_grad(set_to_none) does.
            for (SmallModule* module : {&mine, &theirs})
                for (auto& [name, parameter] : module->parameters())
                    parameter.mutable_grad() = at::Tensor();
        }
    });
}

INSTANTIATE_TEST_SUITE_P(Torch, Oracle, ::testing::Combine(::testing::Bool(), ::testing::Bool()), [](const auto& one) {
    return std::string(std::get<0>(one.param) ? "Views" : "OwnGradients") +
           (std::get<1>(one.param) ? "FindingUnused" : "AllUsed");
});

}  // namespace
}  // namespace trainyard::parallel
