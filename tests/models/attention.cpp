// SPDX-License-Identifier: GPL-3.0-or-later
// Compares causal attention with the plain formula in double precision: the function that models call, and every CPU
// kernel that this machine can run.

#include "models/nn/kernels/attention.h"

#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>

#include <gtest/gtest.h>

#include "models/nn/kernels/attention_cpu.h"
#include "models/nn/kernels/half_bits.h"
#include "models/oracle.h"

namespace trainyard::models {
namespace {

using test::distance;
using test::leaf;

class Attention : public ::testing::TestWithParam<std::tuple<AttentionShape, InstructionSet>> {
  protected:
    static const AttentionShape& shape_of_test() { return std::get<0>(GetParam()); }
    test::OnInstructionSet instruction_set_;
    void SetUp() override {
        instruction_set_.use(std::get<1>(GetParam()));
        at::manual_seed(7);  // the same numbers for every instruction set
        calls_ = 0;
    }

    /// Result and gradient of the packed input. Computed for the first of the instruction sets, which all have the same
    /// numbers.
    std::pair<at::Tensor, at::Tensor> plainly(const at::Tensor& qkv, std::int64_t heads, const at::Tensor& dout,
                                              const PlainAttention& what = {}, at::ScalarType type = at::kDouble) {
        const std::string test = ::testing::UnitTest::GetInstance()->current_test_info()->name();
        static std::map<std::string, std::pair<at::Tensor, at::Tensor>> known;
        auto& [out, gradient] = known[test.substr(0, test.rfind('_')) + "#" + std::to_string(calls_++)];
        if (!out.defined()) {
            at::Tensor x = leaf(qkv, type), y = causal_attention_plain(x, heads, what);
            y.backward(dout.to(type));
            out = y.detach();
            gradient = x.grad();
        }
        return {out, gradient};
    }

  private:
    int calls_ = 0;  ///< of plainly() in this test
};

at::Tensor random_qkv(const AttentionShape& shape) {
    return at::randn({shape.batch, shape.seq, 3 * shape.width()});
}

TEST_P(Attention, EqualsThePlainFormula) {
    at::Tensor packed = random_qkv(shape_of_test());
    at::Tensor x = leaf(packed, at::kFloat), y = causal_attention(x, shape_of_test().heads);
    at::Tensor dy = at::randn(y.sizes());
    y.backward(dy);
    auto [out, dqkv] = plainly(packed, shape_of_test().heads, dy);
    EXPECT_LT(distance(y, out), 1e-5);
    EXPECT_LT(distance(x.grad(), dqkv), 1e-5);
}

TEST_P(Attention, EqualsThePlainFormulaInHalfTypes) {
    for (at::ScalarType type : {at::kBFloat16, at::kHalf}) {
        at::Tensor packed = random_qkv(shape_of_test()).to(type);
        at::Tensor x = leaf(packed, type), y = causal_attention(x, shape_of_test().heads);
        at::Tensor dy = at::randn(y.sizes()).to(type);
        y.backward(dy);
        EXPECT_EQ(y.scalar_type(), type);
        auto [out, dqkv] = plainly(packed, shape_of_test().heads, dy);
        EXPECT_LT(distance(y, out), 1e-2);
        EXPECT_LT(distance(x.grad(), dqkv), 2e-2);
    }
}

/// Everything but dropout, caches, caps and biases, for two sequences of this length. Every query sees a key.
std::vector<std::pair<std::string, PlainAttention>> seen_keys_of_test(std::int64_t seq) {
    // The first sequence has no masked keys; the second one has masked keys at its end and in between.
    at::Tensor mask = at::ones({2, seq}, at::kLong), every_other = mask.clone();
    mask[1].narrow(0, (seq + 1) / 2, seq / 2).zero_();
    if (seq > 4)
        mask[1][1].zero_();
    every_other[1].slice(0, 1, seq, 2).zero_();
    std::vector<std::pair<std::string, PlainAttention>> all;
    auto add = [&](const std::string& name, bool causal, std::int64_t window, const at::Tensor& given) {
        PlainAttention what;
        what.causal = causal;
        what.window = window;
        what.mask = given;
        all.emplace_back(name, what);
    };
    add("all keys", false, 0, {});
    add("all keys, masked", false, 0, mask);
    add("causal, masked", true, 0, mask);
    add("window of 1", true, 1, {});
    add("window of 2, masked", true, 2, every_other);
    add("window of 33", true, 33, {});
    add("window of 70, masked", true, 70, every_other);
    return all;
}

TEST_P(Attention, EqualsThePlainFormulaForAllKindsOfSeenKeys) {
    AttentionShape shape = shape_of_test();
    shape.batch = 2;
    for (const auto& [name, what] : seen_keys_of_test(shape.seq)) {
        SCOPED_TRACE(name);
        for (auto [type, tolerance] : {std::pair(at::kFloat, 1e-5), std::pair(at::kHalf, 5e-3)}) {
            at::Tensor qkv = random_qkv(shape).to(type),
                       dy = at::randn({shape.batch, shape.seq, shape.width()}).to(type);
            at::Tensor x = leaf(qkv, type), y = attention(x, shape.heads, what);
            y.backward(dy);
            auto [out, dqkv] = plainly(qkv, shape.heads, dy, what);
            EXPECT_LT(distance(y, out), tolerance);
            EXPECT_LT(distance(x.grad(), dqkv), tolerance);
        }
    }
}

TEST_P(Attention, AQueryWithoutAnyKeyHasTheMeanOfAllValues) {
    AttentionShape shape = shape_of_test();
    shape.batch = 2;
    const at::Tensor qkv = random_qkv(shape), dy = at::randn({shape.batch, shape.seq, shape.width()});
    at::Tensor all = at::ones({2, shape.seq}, at::kLong), first = all.clone();
    all[1].zero_();
    first[1][0].zero_();
    for (bool causal : {true, false})
        for (const at::Tensor& mask : {all, first}) {
            PlainAttention what;
            what.causal = causal;
            what.mask = mask;
            at::Tensor x = leaf(qkv, at::kFloat), y = attention(x, shape.heads, what);
            y.backward(dy);
            auto [out, dqkv] = plainly(qkv, shape.heads, dy, what, at::kFloat);
            EXPECT_LT(distance(y, out), 1e-5);
            EXPECT_LT(distance(x.grad(), dqkv), 1e-5);
            if (causal || mask.is_same(all)) {
                at::Tensor values = qkv[1].narrow(1, 2 * shape.width(), shape.width());
                EXPECT_LT(distance(y[1][0], values.mean(0)), 1e-5);
            }
        }
}

struct Kernel {
    std::string name;
    std::function<void(const at::Tensor& qkv, const at::Tensor& out, float* log_sum_exp)> forward;
    std::function<void(const at::Tensor& qkv, const at::Tensor& out, const float* log_sum_exp, const at::Tensor& dout,
                       const at::Tensor& dqkv)>
        backward;
};

/// Returns all kernels that support this dtype on this machine.
std::vector<Kernel> kernels_of(const AttentionShape& shape, at::ScalarType type) {
    std::vector<Kernel> kernels;
    kernels.push_back({"products in fp32",
                       [shape, type](const at::Tensor& qkv, const at::Tensor& out, float* log_sum_exp) {
                           const NumberFormat format = format_of(type);
                           tiled_attention_forward(shape, {}, packed_inputs(shape, format, qkv.const_data_ptr()),
                                                   plain_rows(shape, out.data_ptr()), format, log_sum_exp);
                       },
                       [shape, type](const at::Tensor& qkv, const at::Tensor& out, const float* log_sum_exp,
                                     const at::Tensor& dout, const at::Tensor& dqkv) {
                           const NumberFormat format = format_of(type);
                           tiled_attention_backward(shape, {}, packed_inputs(shape, format, qkv.const_data_ptr()),
                                                    plain_rows(shape, out.const_data_ptr()), log_sum_exp,
                                                    plain_rows(shape, dout.const_data_ptr()),
                                                    packed_inputs(shape, format, dqkv.data_ptr()));
                       }});
    if (type == at::kBFloat16 && has_bfloat16_attention(shape))
        kernels.push_back({"products of the processor",
                           [shape](const at::Tensor& qkv, const at::Tensor& out, float* log_sum_exp) {
                               bfloat16_attention_forward(shape, bits(qkv), bits_to_write(out), log_sum_exp);
                           },
                           [shape](const at::Tensor& qkv, const at::Tensor& out, const float* log_sum_exp,
                                   const at::Tensor& dout, const at::Tensor& dqkv) {
                               bfloat16_attention_backward(shape, bits(qkv), bits(out), log_sum_exp, bits(dout),
                                                           bits_to_write(dqkv));
                           }});
    return kernels;
}

/// Rounding the probabilities, their gradients and the result to 8 bits leaves 2 to 3e-3; a wrong tile leaves ten times
/// that.
constexpr double kRounding = 5e-3;

TEST_P(Attention, EveryKernelOfAHalfTypeEqualsThePlainFormula) {
    const AttentionShape& shape = shape_of_test();
    for (at::ScalarType type : {at::kBFloat16, at::kHalf}) {
        at::Tensor qkv = random_qkv(shape).to(type);
        at::Tensor dout = at::randn({shape.batch, shape.seq, shape.width()}).to(type);
        auto [expected, gradient] = plainly(qkv, shape.heads, dout);
        for (const Kernel& kernel : kernels_of(shape, type)) {
            SCOPED_TRACE(std::string(c10::toString(type)) + ", " + kernel.name);
            // Elements that a kernel does not write stay NaN.
            at::Tensor out = at::full(dout.sizes(), NAN, qkv.options());
            at::Tensor dqkv = at::full(qkv.sizes(), NAN, qkv.options());
            at::Tensor log_sum_exp = at::full({shape.batch, shape.heads, shape.seq}, NAN);
            kernel.forward(qkv, out, log_sum_exp.data_ptr<float>());
            kernel.backward(qkv, out, log_sum_exp.const_data_ptr<float>(), dout, dqkv);
            EXPECT_LT(distance(out, expected), kRounding);
            EXPECT_LT(distance(dqkv, gradient), kRounding);
        }
    }
}

TEST_P(Attention, ScoresBeyondTheRangeOfExponentialsStayFinite) {
    const AttentionShape& shape = shape_of_test();
    at::Tensor qkv = random_qkv(shape).mul(40).to(at::kBFloat16);
    at::Tensor dout = at::randn({shape.batch, shape.seq, shape.width()}).to(at::kBFloat16);
    at::Tensor expected = plainly(qkv, shape.heads, dout).first;
    for (const Kernel& kernel : kernels_of(shape, at::kBFloat16)) {
        SCOPED_TRACE(kernel.name);
        at::Tensor out = at::empty(dout.sizes(), qkv.options()), dqkv = at::empty(qkv.sizes(), qkv.options());
        at::Tensor log_sum_exp = at::empty({shape.batch, shape.heads, shape.seq});
        kernel.forward(qkv, out, log_sum_exp.data_ptr<float>());
        kernel.backward(qkv, out, log_sum_exp.const_data_ptr<float>(), dout, dqkv);
        EXPECT_LT(distance(out, expected), kRounding);
        EXPECT_TRUE(at::isfinite(dqkv).all().item<bool>());
    }
}

// Sequences below, at and beyond one and several tiles of 64, odd ones; heads of 8 and of 16 divided lanes, odd ones,
// the usual ones.
INSTANTIATE_TEST_SUITE_P(
    Shapes, Attention,
    ::testing::Combine(::testing::Values(AttentionShape{3, 5, 2, 4}, AttentionShape{2, 64, 4, 32},
                                         AttentionShape{1, 100, 3, 16}, AttentionShape{2, 256, 2, 64},
                                         AttentionShape{1, 1, 1, 8}, AttentionShape{1, 300, 1, 24},
                                         AttentionShape{1, 63, 2, 80}, AttentionShape{1, 65, 2, 128},
                                         AttentionShape{2, 129, 1, 6}, AttentionShape{1, 191, 2, 34},
                                         AttentionShape{1, 82, 3, 7}, AttentionShape{1, 144, 1, 200}),
                       ::testing::ValuesIn(kInstructionSets)),
    [](const auto& tested) {
        const AttentionShape& shape = std::get<0>(tested.param);
        InstructionSet set = std::get<1>(tested.param);
        return "seq" + std::to_string(shape.seq) + "x" + std::to_string(shape.head_width) + "_" + to_string(set);
    });

}  // namespace
}  // namespace trainyard::models
