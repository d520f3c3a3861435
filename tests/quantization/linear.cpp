// SPDX-License-Identifier: GPL-3.0-or-later
// Linear layers of low precision against plain operators on decoded operands: random shapes and strides, odd sizes,
// gradients, and bounds of errors.

#include <cmath>

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/instruction_set.h"
#include "formats/weights/quantization/int8_rows.h"
#include "models/nn/quantization/cast_linear.h"
#include "models/nn/quantization/packed_product.h"
#include "models/nn/quantization/quantized_linear.h"

namespace trainyard::models {
namespace {

using quantization::Float8;

struct Shape {
    std::int64_t rows, in, out;
};
constexpr Shape kShapes[] = {{1, 16, 8}, {7, 37, 13}, {32, 64, 96}, {3, 257, 5}, {0, 8, 4}};

at::Tensor random(at::IntArrayRef shape, bool strided = false) {
    if (!strided)
        return at::randn(shape);
    return at::randn({shape[1], shape[0]}).t();
}

std::span<const float> values_of(const at::Tensor& tensor) {
    return {tensor.const_data_ptr<float>(), static_cast<std::size_t>(tensor.numel())};
}

double distance(const at::Tensor& a, const at::Tensor& b) {
    return a.numel() == 0 ? 0 : ((a - b).norm() / b.norm().clamp_min(1e-12)).item<double>();
}

FourBitLinear four_bit(const at::Tensor& weight, const at::Tensor& bias, const std::string& type = "nf4") {
    return {quantization::encode_four_bit(values_of(weight), weight.sizes().vec(), {.type = type}), bias};
}

class LowPrecisionLinear : public ::testing::Test {
  protected:
    void SetUp() override { at::manual_seed(7); }
};

TEST_F(LowPrecisionLinear, FourBitsMultiplyTheDecodedWeight) {
    for (const auto& [rows, in, out] : kShapes)
        for (const bool strided : {false, true}) {
            const at::Tensor weight = random({out, in}), bias = random({1, out})[0];
            const at::Tensor x = random({rows, in}, strided).requires_grad_();
            const FourBitLinear layer = four_bit(weight, bias);
            const at::Tensor decoded = layer.decoded(at::kFloat), dy = random({rows, out}, strided);
            const at::Tensor y = layer(x);
            EXPECT_LE(distance(y, x.detach().mm(decoded.t()) + bias), 1e-6);
            y.backward(dy);
            EXPECT_LE(distance(x.grad(), dy.mm(decoded)), 1e-6);
            EXPECT_LE(distance(decoded, weight), 0.12) << "NF4 of normal numbers";
        }
}

/// The layer is linear in x: the difference of two results is the derivative.
TEST_F(LowPrecisionLinear, GradientsAreTheDifferences) {
    const at::Tensor weight = random({9, 21});
    const FourBitLinear narrow = four_bit(weight, {}, "fp4");
    const quantization::Int8Rows rows = quantization::encode_int8_rows(values_of(weight), 21);
    const Int8Linear eight(at::tensor(rows.codes, at::kChar).view({9, 21}), at::tensor(rows.magnitudes), {});
    const at::Tensor x = random({4, 21}), dy = random({4, 9});
    const auto check = [&](const auto& layer) {
        const at::Tensor inside = x.clone().requires_grad_();
        layer(inside).backward(dy);
        for (const std::int64_t at : {0, 10, 83}) {
            at::Tensor moved = x.clone();
            moved.view(-1)[at] += 1.0;
            const double difference = ((layer(moved) - layer(x)) * dy).sum().template item<double>();
            EXPECT_NEAR(inside.grad().view(-1)[at].template item<double>(), difference, 1e-4);
        }
    };
    check([&](const at::Tensor& given) { return narrow(given); });
    check([&](const at::Tensor& given) { return eight(given, true); });
}

TEST_F(LowPrecisionLinear, EightBitsAreWithinTheBoundOfRounding) {
    for (const auto& [rows, in, out] : kShapes)
        for (const bool strided : {false, true}) {
            const at::Tensor weight = random({out, in}), bias = random({1, out})[0];
            const quantization::Int8Rows codes = quantization::encode_int8_rows(values_of(weight), in);
            const Int8Linear layer(at::tensor(codes.codes, at::kChar).view({out, in}), at::tensor(codes.magnitudes),
                                   bias, 6);
            at::Tensor x = random({rows, in}, strided).clone();
            if (rows > 0)
                x[0][in / 2] = 40;
            const at::Tensor full = x.mm(weight.t()) + bias;
            EXPECT_LE(distance(layer(x, false), full), 0.02);
            EXPECT_LE(distance(layer(x, true), full), 0.02);
        }
}

/// Without the threshold an outlier takes the places of all others of its row.
TEST_F(LowPrecisionLinear, OutlierColumnsKeepTheOthersPrecise) {
    const at::Tensor weight = random({24, 64});
    const quantization::Int8Rows codes = quantization::encode_int8_rows(values_of(weight), 64);
    const auto layer = [&](double threshold) {
        return Int8Linear(at::tensor(codes.codes, at::kChar).view({24, 64}), at::tensor(codes.magnitudes), {},
                          threshold);
    };
    at::Tensor x = random({8, 64});
    x.select(1, 3).fill_(500);
    const at::Tensor full = x.mm(weight.t()), without = x.clone();
    EXPECT_LT(distance(layer(6)(x, false), full), distance(layer(0)(x, false), full));
}

/// A product of operands that are off by at most these shares of each number, or by a share of the largest number.
void expect_within(const at::Tensor& ours, const at::Tensor& a, const at::Tensor& b, double of_a, double of_b) {
    if (ours.numel() == 0 || a.numel() == 0)
        return;
    const double tiny = 1e-5 * static_cast<double>(a.size(1)) * (a.abs().max() * b.abs().max()).item<double>();
    const at::Tensor bound = a.abs().mm(b.abs()) * (of_a + of_b + of_a * of_b) + tiny;
    EXPECT_TRUE((ours - a.mm(b)).abs().le(bound).all().item<bool>());
}

/// `rounding`: the largest share that a number is off by; gradients have a mantissa of 2 bits at least.
void check_casts(const OperandCasts& casts, const Shape& shape, bool strided, double rounding) {
    const auto [rows, in, out] = shape;
    using Product = OperandCasts::Product;
    const at::Tensor x = random({rows, in}, strided).requires_grad_(),
                     weight = random({out, in}, strided).requires_grad_();
    const at::Tensor bias = random({1, out})[0].clone().requires_grad_(), dy = random({rows, out}, strided);
    const at::Tensor y = cast_linear(x, weight, bias, casts);
    y.backward(dy);
    const at::Tensor plain_x = x.detach(), plain_weight = weight.detach();
    EXPECT_LE(distance(y, casts.input(plain_x, Product::output).mm(casts.weight(plain_weight, Product::output).t()) +
                              bias.detach()),
              1e-6);
    EXPECT_LE(
        distance(x.grad(),
                 casts.gradient(dy, Product::grad_input).mm(casts.weight(plain_weight.t(), Product::grad_input).t())),
        1e-6);
    EXPECT_LE(
        distance(weight.grad(),
                 casts.gradient(dy.t(), Product::grad_weight).mm(casts.input(plain_x.t(), Product::grad_weight).t())),
        1e-6);
    EXPECT_LE(distance(bias.grad(), dy.sum(0)), 1e-6);
    expect_within(y.detach() - bias.detach(), plain_x, plain_weight.t(), rounding, rounding);
    expect_within(x.grad(), dy, plain_weight, 0.125, rounding);
    expect_within(weight.grad(), dy.t(), plain_x, 0.125, rounding);
}

TEST_F(LowPrecisionLinear, Float8MultipliesTheRoundedOperands) {
    for (const Shape& shape : kShapes)
        for (const char* recipe : {"tensorwise", "rowwise", "rowwise_with_gw_hp"})
            for (const bool strided : {false, true}) {
                SCOPED_TRACE(std::string(recipe) + " " + std::to_string(shape.in));
                check_casts(Float8Casts(Float8Casts::recipe(recipe), strided), shape, strided, 0x1p-4);
            }
}

TEST_F(LowPrecisionLinear, MxMultipliesTheRoundedOperands) {
    for (const char* mode : {"floor", "ceil", "even", "rceil", "engine"})
        for (const Shape& shape : {Shape{32, 64, 96}, Shape{64, 32, 32}})
            check_casts(MxCasts(quantization::mx_mode(mode), Float8::e4m3, Float8::e5m2), shape, false, 0x1p-3);
}

TEST_F(LowPrecisionLinear, MxNeedsWholeBlocks) {
    const MxCasts casts(quantization::MxMode::floor, Float8::e4m3, Float8::e4m3);
    EXPECT_THROW(cast_linear(random({32, 33}), random({32, 33}), {}, casts), UserError);
}

/// Of codes and of decoded strips, on every instruction set of this processor: rows that begin within blocks, odd rows,
/// a last block that is shorter, several strips.
TEST_F(LowPrecisionLinear, AFewRowsOfAModelInUseAreThoseOfTraining) {
    const at::Tensor weight = at::randn({70, 128}), x = at::randn({12, 128});
    for (const bool double_quant : {false, true}) {
        const FourBitLinear linear(std::make_shared<quantization::PackedMatrix>(quantization::PackedMatrix::encode(
                                       {weight.const_data_ptr<float>(), static_cast<std::size_t>(weight.numel())}, 128,
                                       {.method = "nf4", .double_quant = double_quant})),
                                   at::kFloat);
        for (std::int64_t rows = 0; rows <= 12; ++rows) {
            const at::Tensor input = x.narrow(0, 0, rows), trained = linear(input, {});
            const at::NoGradGuard no_grad;
            EXPECT_TRUE(at::allclose(linear(input, {}), trained, 1e-5, 1e-5)) << rows;
        }
    }
}

TEST_F(LowPrecisionLinear, PackedMatricesMultiplyAlikeOnEveryInstructionSet) {
    for (const InstructionSet set : kInstructionSets) {
        if (set > best_instruction_set())
            continue;
        const UseInstructionSet use(set);
        for (const auto& [method, double_quant] :
             {std::pair{"nf4", false}, {"nf4", true}, {"fp4", false}, {"int8", false}})
            for (const auto& [out, in] : {std::pair{5, 64}, {7, 192}, {16, 37}, {300, 4096}, {9, 96}, {1, 1}}) {
                SCOPED_TRACE(std::string(to_string(set)) + " " + method + " " + std::to_string(in));
                const at::Tensor weight = random({out, in});
                const quantization::PackedMatrix packed = quantization::PackedMatrix::encode(
                    values_of(weight), in, {.method = method, .double_quant = double_quant});
                EXPECT_EQ(packed.rows(), out);
                EXPECT_EQ(packed.method(), method);
                at::Tensor decoded = at::empty({out, in});
                packed.decode_rows(0, out, {decoded.data_ptr<float>(), static_cast<std::size_t>(decoded.numel())});
                EXPECT_LE(distance(decoded, weight), 0.2);
                at::Tensor row = at::empty({1, in});
                packed.decode_rows(out - 1, 1, {row.data_ptr<float>(), static_cast<std::size_t>(in)});
                EXPECT_TRUE(row.equal(decoded.narrow(0, out - 1, 1)));
                for (const std::int64_t rows : {1, 3, 6}) {
                    const at::Tensor x = random({rows, in});
                    EXPECT_LE(distance(packed_product(x, packed, at::kFloat), x.mm(decoded.t())), 2e-6) << rows;
                    EXPECT_LE(distance(packed_product(x, packed, at::kFloat, rows), x.mm(decoded.t())), 2e-6) << rows;
                    const at::Tensor dy = random({rows, out});
                    EXPECT_LE(distance(packed_gradient(dy, packed, at::kFloat), dy.mm(decoded)), 2e-6) << rows;
                    if (!packed.is_int8())
                        continue;
                    const at::Tensor codes = at::randint(-127, 128, {rows, in}, at::kChar);
                    const at::Tensor of_weight = at::from_blob(const_cast<std::int8_t*>(packed.codes().data()),
                                                               {out, in}, at::TensorOptions().dtype(at::kChar));
                    EXPECT_TRUE(product_of_codes(codes, packed)
                                    .equal(codes.to(at::kLong).mm(of_weight.to(at::kLong).t()).to(at::kInt)));
                }
            }
    }
}

/// With products of bfloat16 pairs the values of codes are rounded to bfloat16, which is the bound of their error;
/// elsewhere they are not. Vectors in groups of four and alone, blocks of double quantization that end within a row.
TEST_F(LowPrecisionLinear, VectorsOfBfloat16MultiplyAlikeOnEveryInstructionSet) {
    for (const InstructionSet set : kInstructionSets) {
        if (set > best_instruction_set())
            continue;
        const UseInstructionSet use(set);
        for (const auto& [method, double_quant] : {std::pair{"nf4", false}, {"nf4", true}, {"fp4", false}})
            for (const auto& [out, in] : {std::pair{5, 64}, {37, 192}, {300, 4096}, {9, 96}}) {
                SCOPED_TRACE(std::string(to_string(set)) + " " + method + " " + std::to_string(in));
                const at::Tensor weight = random({out, in});
                const quantization::PackedMatrix packed = quantization::PackedMatrix::encode(
                    values_of(weight), in, {.method = method, .double_quant = double_quant});
                at::Tensor decoded = at::empty({out, in});
                packed.decode_rows(0, out, {decoded.data_ptr<float>(), static_cast<std::size_t>(decoded.numel())});
                const at::Tensor all = random({7, in}).to(at::kBFloat16);
                const at::Tensor together = packed_product(all, packed, at::kBFloat16, 7);
                const at::Tensor wide = all.to(at::kFloat), expected = wide.mm(decoded.t());
                const at::Tensor bound = wide.abs().mm(decoded.abs().t()) * (std::pow(2, -9) + 1e-5);
                EXPECT_TRUE((together - expected).abs().le(bound).all().item<bool>());
                if (set < InstructionSet::avx512bf16 || in % 64 != 0) {
                    EXPECT_LE(distance(together, expected), 2e-6);
                }
                for (std::int64_t row = 0; row < 7; ++row)
                    EXPECT_LE(distance(packed_product(all.narrow(0, row, 1), packed, at::kBFloat16),
                                       together.narrow(0, row, 1)),
                              2e-6)
                        << row;
            }
    }
}

/// Four bits and a magnitude of 8 bits, or of 32, for 64 elements.
TEST_F(LowPrecisionLinear, PackedMatricesTakeTheirBitsAlone) {
    const at::Tensor weight = random({512, 1024});
    const auto bits = [&](const char* method, bool double_quant) {
        return 8 *
               static_cast<double>(quantization::PackedMatrix::encode(values_of(weight), 1024,
                                                                      {.method = method, .double_quant = double_quant})
                                       .bytes()) /
               static_cast<double>(weight.numel());
    };
    EXPECT_NEAR(bits("nf4", false), 4.5, 0.02);
    EXPECT_NEAR(bits("nf4", true), 4.127, 0.04);
    EXPECT_NEAR(bits("int8", false), 8.03, 0.02);
}

TEST_F(LowPrecisionLinear, WeightsThatAreNoMatricesAreRefused) {
    const at::Tensor values = random({2, 30});
    EXPECT_THROW(FourBitLinear(quantization::encode_four_bit(values_of(values), {60}, {}), {}), UserError);
    EXPECT_THROW(Int8Linear(at::zeros({4, 8}, at::kChar), at::zeros({3}), {}), UserError);
}

}  // namespace
}  // namespace trainyard::models
