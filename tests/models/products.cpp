// SPDX-License-Identifier: GPL-3.0-or-later
// Compares blocked matrix products with LibTorch's in double precision: every instruction set, dtype and layout, and
// sizes that are not multiples of a block.

#include "models/nn/kernels/products.h"

#include <cmath>
#include <string>
#include <tuple>

#include <ATen/Parallel.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/randn.h>

#include <gtest/gtest.h>

#include "distributed/parallel/flat_group.h"
#include "models/nn/kernels/weight_gradient.h"
#include "models/oracle.h"

namespace trainyard::models {
namespace {

using test::distance;

struct ProductSize {
    std::int64_t m, n, k;
};

// Single numbers, less than a tile, whole tiles, and more than one block of rows, of depth (384), of packed depth
// (4096), of packed columns.
constexpr ProductSize kSizes[] = {{1, 1, 1},     {3, 5, 7},      {12, 32, 16},   {100, 48, 128}, {193, 130, 384},
                                  {67, 97, 385}, {29, 70, 1153}, {37, 33, 4099}, {5, 300, 4200}};

class Products : public ::testing::TestWithParam<std::tuple<at::ScalarType, InstructionSet>> {
  protected:
    static at::ScalarType type() { return std::get<0>(GetParam()); }
    test::OnInstructionSet instruction_set_;
    void SetUp() override {
        instruction_set_.use(std::get<1>(GetParam()));
        at::manual_seed(7);
    }
    /// Only the rounding of the result, or, in fp32, that of the sums.
    static double tolerance() { return type() == at::kFloat ? 1e-6 : type() == at::kHalf ? 5e-4 : 4e-3; }

    static at::Tensor matrix(std::int64_t rows, std::int64_t columns, bool transposed) {
        return transposed ? at::randn({columns, rows}).to(type()).t() : at::randn({rows, columns}).to(type());
    }
};

TEST_P(Products, EqualTheFormulaInEveryLayout) {
    for (const ProductSize& size : kSizes)
        for (int layout = 0; layout < 8; ++layout) {
            bool has_bias = (layout & 4) != 0;
            SCOPED_TRACE(testing::Message() << size.m << "x" << size.n << "x" << size.k << ", layout " << layout);
            at::Tensor a = matrix(size.m, size.k, (layout & 1) != 0), b = matrix(size.k, size.n, (layout & 2) != 0);
            at::Tensor bias = has_bias ? at::randn({size.n}).to(type()) : at::Tensor();
            at::Tensor expected = at::matmul(a.to(at::kDouble), b.to(at::kDouble));
            if (has_bias)
                expected.add_(bias.to(at::kDouble));
            at::Tensor got = product(a, b, bias);
            EXPECT_EQ(got.scalar_type(), type());
            EXPECT_LT(distance(got, expected), tolerance());
        }
}

TEST_P(Products, IntoAPartOfAWiderTensorTouchNothingElse) {
    at::Tensor a = matrix(50, 400, false), b = matrix(400, 37, true), wide = at::full({50, 64}, NAN, a.options());
    product_into(wide.narrow(1, 9, 37), a, b);
    EXPECT_LT(distance(wide.narrow(1, 9, 37), at::matmul(a.to(at::kDouble), b.to(at::kDouble))), tolerance());
    EXPECT_TRUE(wide.narrow(1, 0, 9).isnan().all().item<bool>());
    EXPECT_TRUE(wide.narrow(1, 46, 18).isnan().all().item<bool>());
}

TEST_P(Products, OfViewsThatLieInNeitherWay) {
    at::Tensor a = at::randn({40, 60}).to(type()).narrow(0, 0, 40), b = at::randn({30, 20, 3}).to(type()).select(2, 1);
    at::Tensor every_other = a.unfold(1, 1, 2).squeeze(2);
    EXPECT_LT(distance(product(every_other, b), at::matmul(every_other.to(at::kDouble), b.to(at::kDouble))),
              tolerance());
}

TEST_P(Products, GradientsAreSummedInFp32) {
    parallel::Parameter weight("w", {70, 33}, {parallel::Initialiser::Kind::zeros, 0});
    parallel::FlatArena arena({{"g", {&weight}}}, type(), at::kCPU, false);
    arena.initialise(1);
    at::Tensor x = matrix(1000, 70, false), dy = matrix(1000, 33, false);
    at::Tensor once = at::matmul(x.to(at::kDouble).t(), dy.to(at::kDouble));
    // LibTorch's products round a 16-bit format on the way.
    double allowed = torch_multiplies(x) ? tolerance() : 1e-6;
    for (int contribution = 1; contribution <= 2; ++contribution) {
        add_product(weight, x.t(), dy);
        EXPECT_LT(distance(weight.gradient(), once.mul(contribution)), allowed) << contribution;
    }
    arena.forget_gradients();
    add_product(weight, x.t(), dy);
    EXPECT_LT(distance(weight.gradient(), once), allowed)
        << "a new step must not include the gradients of the last one";
}

/// Rows that are less than, equal to and more than those that are packed together, written first and then, of columns
/// of wider matrices, added to; what the gradient held before does not count.
TEST_P(Products, GradientsOfWeightsAreThoseOfTheFormula) {
    for (const std::int64_t rows : {1, 7, 511, 512, 1025, 2050})
        for (const auto& [in, out] : {std::pair{66L, 48L}, {176L, 112L}, {384L, 208L}}) {
            SCOPED_TRACE(testing::Message() << rows << " " << in << " " << out);
            parallel::Parameter weight("w", {in, out}, {});
            parallel::FlatArena arena({{"group", {&weight}}}, at::kFloat, at::kCPU, false);
            const at::Tensor gradients = arena.gradients();
            gradients.fill_(std::nan(""));
            at::Tensor expected;
            for (const bool first : {true, false}) {
                const auto operand = [&](std::int64_t columns) {
                    return first ? matrix(rows, columns, false)
                                 : matrix(rows, columns + 27, false).narrow(1, 5, columns);
                };
                const at::Tensor x = operand(in), dy = operand(out);
                add_weight_gradient(weight, x, dy);
                const at::Tensor one = at::matmul(x.to(at::kDouble).t(), dy.to(at::kDouble));
                expected = first ? one : expected.add(one);
                EXPECT_LT(distance(weight.gradient(), expected), 2 * tolerance()) << first;
            }
        }
}

/// Products that LibTorch makes may differ in the last bits, and are close.
TEST_P(Products, TheSameBitsOnAnyNumberOfThreads) {
    const bool of_torch = torch_multiplies(at::randn({1}).to(type()));
    struct Threads {
        int before = at::get_num_threads();
        ~Threads() { at::set_num_threads(before); }
    } threads;
    for (const ProductSize& size : kSizes) {
        at::Tensor a = matrix(size.m, size.k, true), b = matrix(size.k, size.n, false);
        at::set_num_threads(1);
        at::Tensor alone = product(a, b);
        for (int count : {2, 5}) {
            at::set_num_threads(count);
            const at::Tensor together = product(a, b);
            EXPECT_TRUE(of_torch ? distance(together, alone) < tolerance() : at::equal(together, alone))
                << size.m << "x" << size.n << "x" << size.k << ", " << count;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Types, Products,
                         ::testing::Combine(::testing::Values(at::kFloat, at::kBFloat16, at::kHalf),
                                            ::testing::ValuesIn(kInstructionSets)),
                         [](const auto& tested) {
                             return std::string(c10::toString(std::get<0>(tested.param))) + "_" +
                                    to_string(std::get<1>(tested.param));
                         });

TEST(ProductsChoice, FormatsThatTheProcessorCannotMultiplyAreOurs) {
    at::Tensor fp32 = at::randn({2}), bf16 = fp32.to(at::kBFloat16), fp16 = fp32.to(at::kHalf);
    for (InstructionSet set : kInstructionSets) {
        if (set > best_instruction_set())
            continue;
        SCOPED_TRACE(to_string(set));
        UseInstructionSet used(set);
        EXPECT_EQ(torch_multiplies(fp32), set == InstructionSet::generic);
        EXPECT_EQ(torch_multiplies(bf16), set == InstructionSet::avx512bf16);
        if (set != InstructionSet::avx512bf16) {
            EXPECT_FALSE(torch_multiplies(fp16));
        }
        EXPECT_TRUE(torch_multiplies(fp32.to(at::kDouble)));
    }
}

}  // namespace
}  // namespace trainyard::models
