// SPDX-License-Identifier: GPL-3.0-or-later
// Experts whose matrices stay in 4 and 8 bits: products of all of them at once against those of each, training beside
// them against training beside their decoded values, and experts that ranks divide against those of one rank.

#include <memory>
#include <tuple>

#include <ATen/Parallel.h>

#include <gmock/gmock.h>

#include "distributed/parallel/flat_group.h"
#include "models/nn/kernels/grouped_linear.h"
#include "models/nn/modules/packing_plan.h"
#include "models/nn/quantization/packed_kernel.h"
#include "quantization/quantized_runs.h"

namespace trainyard::train {
namespace {

using quantization::PackedMatrix;

constexpr const char* kMixtral = R"({"model_type": "mixtral", "vocab_size": 256, "hidden_size": 64,
    "intermediate_size": 96, "num_attention_heads": 4, "num_key_value_heads": 2, "num_hidden_layers": 2,
    "num_local_experts": 4, "num_experts_per_tok": 2, "output_router_logits": true, "max_position_embeddings": 32,
    "tie_word_embeddings": false, "architectures": ["MixtralForCausalLM"]})";

constexpr const char* kQwen2Moe = R"({"model_type": "qwen2_moe", "vocab_size": 256, "hidden_size": 64,
    "intermediate_size": 128, "moe_intermediate_size": 64, "shared_expert_intermediate_size": 96,
    "num_attention_heads": 4, "num_key_value_heads": 2, "num_hidden_layers": 2, "num_experts": 4,
    "num_experts_per_tok": 2, "max_position_embeddings": 32, "tie_word_embeddings": false,
    "architectures": ["Qwen2MoeForCausalLM"]})";

struct Format {
    Quantization method;
    bool double_quant = false;
};
constexpr Format kFormats[] = {{Quantization::nf4},  {Quantization::nf4, true},     {Quantization::fp4},
                               {Quantization::int8}, {Quantization::float8_e4m3fn}, {Quantization::float8_e5m2}};

/// The kernel of a matrix [out, in] in fp32.
std::shared_ptr<parallel::MatrixKernel> kernel_of(const at::Tensor& matrix, const Format& format, at::ScalarType type) {
    const std::string name = choice_name(format.method);
    if (const auto cast = models::cast_type(name))
        return std::make_shared<models::CastKernel>(matrix.to(*cast), false, type, type);
    return std::make_shared<models::PackedKernel>(
        std::make_shared<PackedMatrix>(
            PackedMatrix::encode({matrix.const_data_ptr<float>(), static_cast<std::size_t>(matrix.numel())},
                                 matrix.size(1), {.method = name, .double_quant = format.double_quant})),
        models::PackedOptions{.result = type});
}

/// The values that the format has for a matrix.
at::Tensor decoded(const at::Tensor& matrix, const Format& format) {
    const std::string name = choice_name(format.method);
    if (const auto cast = models::cast_type(name))
        return matrix.to(*cast).to(at::kFloat);
    const at::Tensor wide = matrix.contiguous(), values = at::empty(matrix.sizes(), at::kFloat);
    PackedMatrix::encode({wide.const_data_ptr<float>(), static_cast<std::size_t>(wide.numel())}, wide.size(1),
                         {.method = name, .double_quant = format.double_quant})
        .decode_rows(0, wide.size(0), {values.data_ptr<float>(), static_cast<std::size_t>(values.numel())});
    return values;
}

class QuantizedExperts : public QuantizedRuns {
  protected:
    static std::string name_of(const Format& format) {
        return choice_name(format.method) + std::string(format.double_quant ? " double" : "");
    }
};

TEST_F(QuantizedExperts, GroupsHaveTheProductsOfEachExpert) {
    constexpr std::int64_t kIn = 128, kOut = 72;
    const std::vector<std::int64_t> counts{3, 0, 41, 5, 0, 1};
    const std::int64_t rows = 50;
    for (const Format& format : kFormats)
        for (const auto& [type, bound] : {std::pair{at::kFloat, 1e-5}, {at::kBFloat16, 2e-2}})
            for (const int threads : {1, 3}) {
                SCOPED_TRACE(name_of(format) + " " + toString(type) + " " + std::to_string(threads));
                at::set_num_threads(threads);
                std::vector<std::unique_ptr<parallel::Parameter>> weights;
                std::vector<parallel::Parameter*> all;
                std::vector<at::Tensor> values;
                for (std::size_t i = 0; i < counts.size(); ++i) {
                    weights.push_back(std::make_unique<parallel::Parameter>(
                        "w" + std::to_string(i), std::vector<std::int64_t>{kOut, kIn}, parallel::Initialiser{}));
                    const at::Tensor matrix = at::randn({kOut, kIn}).mul(0.05);
                    values.push_back(decoded(matrix, format));
                    weights.back()->freeze();
                    weights.back()->pack(kernel_of(matrix, format, type), type);
                    ASSERT_TRUE(weights.back()->kernel()->has_products());
                    all.push_back(weights.back().get());
                }
                const at::Tensor input = at::randn({rows, kIn}).to(type), dy = at::randn({rows, kOut}).to(type);
                const at::Tensor x = input.clone().set_requires_grad(true),
                                 same = input.clone().set_requires_grad(true);
                const at::Tensor y = models::grouped_linear(x, counts, all);
                y.backward(dy);
                at::set_num_threads(1);
                std::vector<at::Tensor> parts, of_values, gradients;
                std::int64_t begin = 0;
                for (std::size_t i = 0; i < counts.size(); begin += counts[i], ++i) {
                    if (counts[i] == 0)
                        continue;
                    parts.push_back(
                        weights[i]->kernel()->multiply(same.narrow(0, begin, counts[i]), *weights[i], nullptr));
                    of_values.push_back(input.narrow(0, begin, counts[i]).to(at::kFloat).mm(values[i].t()));
                    gradients.push_back(dy.narrow(0, begin, counts[i]).to(at::kFloat).mm(values[i]));
                }
                const at::Tensor expected = at::cat(parts);
                expected.backward(dy);
                EXPECT_EQ(y.scalar_type(), type);
                if (threads == 1) {
                    EXPECT_TRUE(at::equal(y, expected));
                    EXPECT_TRUE(at::equal(x.grad(), same.grad()));
                }
                const auto apart = [](const at::Tensor& a, const at::Tensor& b) {
                    return (a.to(at::kFloat) - b).abs().max().item<double>() / b.abs().max().item<double>();
                };
                EXPECT_LT(apart(y, at::cat(of_values)), bound);
                EXPECT_LT(apart(x.grad(), at::cat(gradients)), bound);
            }
}

/// Modules that a recipe skips are dense beside quantized ones.
TEST_F(QuantizedExperts, GroupsMayHaveDenseMatricesBesideQuantizedOnes) {
    constexpr std::int64_t kIn = 64, kOut = 64;
    const std::vector<std::int64_t> counts{4, 2, 3};
    parallel::Parameter packed("packed", {kOut, kIn}, {}), dense("dense", {kOut, kIn}, {}),
        last("last", {kOut, kIn}, {});
    const at::Tensor matrix = at::randn({kOut, kIn}), trained = at::randn({kOut, kIn});
    const Format format{Quantization::nf4};
    for (parallel::Parameter* one : {&packed, &last}) {
        one->freeze();
        one->pack(kernel_of(matrix, format, at::kFloat), at::kFloat);
    }
    parallel::FlatArena arena({{"experts", {&dense}}}, at::kFloat, at::kCPU, false);
    arena.set_value(dense, trained);
    const at::Tensor x = at::randn({9, kIn}).set_requires_grad(true), dy = at::randn({9, kOut});
    const std::vector<parallel::Parameter*> all{&packed, &dense, &last};
    const at::Tensor y = models::grouped_linear(x, counts, all);
    y.backward(dy);
    const at::Tensor values = decoded(matrix, format), of_dense = dy.narrow(0, 4, 2);
    const auto per_group = [&](const at::Tensor& rows, bool back) {
        const auto of = [&](std::int64_t begin, std::int64_t count, const at::Tensor& weight) {
            return rows.narrow(0, begin, count).mm(back ? weight : weight.t());
        };
        return at::cat({of(0, 4, values), of(4, 2, trained), of(6, 3, values)});
    };
    EXPECT_TRUE(y.allclose(per_group(x.detach(), false), 1e-4, 1e-4));
    EXPECT_TRUE(x.grad().allclose(per_group(dy, true), 1e-4, 1e-4));
    EXPECT_TRUE(dense.gradient().allclose(of_dense.t().mm(x.detach().narrow(0, 4, 2)), 1e-4, 1e-4));
}

/// Adapters beside attention, where experts are multiplied together, and beside experts, where each is alone.
TEST_F(QuantizedExperts, TrainingIsThatBesideTheDecodedMatrices) {
    for (const char* model : {kMixtral, kQwen2Moe})
        for (const std::vector<std::string>& targets :
             {std::vector<std::string>{"q_proj", "v_proj"}, std::vector<std::string>{"all-linear"}})
            for (const Format& format : kFormats) {
                if (format.method == Quantization::fp4 || format.method == Quantization::float8_e5m2)
                    continue;  // the same kernels with other tables
                use_model(model);
                SCOPED_TRACE(recipe_.model.model_type + " " + targets.front() + " " + name_of(format));
                recipe_.model.lora.target_modules = targets;
                config::Recipe recipe = with(format.method, format.double_quant), oracle = with(Quantization::no);
                oracle.model.weights =
                    changed("decoded", [&](const at::Tensor& matrix) { return decoded(matrix, format); }).string();
                ASSERT_TRUE(config::check_recipe(recipe).empty());
                const Trained found = train(recipe), expected = train(oracle);
                // Of each block: four of attention, the router, three of each expert, and of Qwen2-MoE four more.
                EXPECT_EQ(found.packed, model == kMixtral ? 2u * 17 : 2u * 21);
                EXPECT_LT(found.losses.back(), found.losses.front());
                for (std::size_t i = 0; i < expected.losses.size(); ++i)
                    EXPECT_NEAR(found.losses[i], expected.losses[i], 1e-4) << i;
                EXPECT_NEAR(found.evaluation, expected.evaluation, 1e-4);
                fs::remove_all(folder_.path() / "decoded");
            }
}

/// transformers 29267, LLaMA-Factory 2252: training beside quantized experts does not continue from a checkpoint, or
/// not in 8 bits.
TEST_F(QuantizedExperts, TrainingContinuesFromACheckpoint) {
    use_model(kMixtral);
    recipe_.model.lora.target_modules = {"all-linear"};
    for (const Format& format : {Format{Quantization::nf4, true}, {Quantization::int8}}) {
        config::Recipe recipe = with(format.method, format.double_quant);
        const Trained expected = train(recipe);
        const fs::path saved = folder_.path() / ("saved_" + name_of(format));
        train(recipe, 1, 3, saved);
        recipe.checkpoint.resume_from = (saved / "checkpoint_3").string();
        const Trained found = train(recipe);
        EXPECT_EQ(found.losses, std::vector<double>(expected.losses.begin() + 3, expected.losses.end()));
        // On ranks that divide the experts, too.
        recipe.parallel.ep_size = 2;
        recipe.training.batch_size = 2;
        const Trained divided = train(recipe, 2);
        ASSERT_EQ(divided.losses.size(), 3u);
        for (std::size_t i = 0; i < divided.losses.size(); ++i)
            EXPECT_NEAR(divided.losses[i], expected.losses[3 + i], 1e-4) << i;
    }
}

/// Each rank quantizes and has its own experts alone.
TEST_F(QuantizedExperts, RanksThatDivideThemTrainAsOneRank) {
    struct Layout {
        int ranks, ep;
        std::int64_t zero_stage = 0;
        int tp = 1;
    };
    for (const char* model : {kMixtral, kQwen2Moe})
        for (const Format& format :
             {Format{Quantization::nf4, true}, {Quantization::int8}, {Quantization::float8_e4m3fn}}) {
            use_model(model);
            recipe_.model.lora.target_modules = {"all-linear"};
            const config::Recipe recipe = with(format.method, format.double_quant);
            const Trained expected = train(recipe);
            for (const Layout& layout : {Layout{2, 2}, Layout{4, 4, 2}, Layout{4, 2, 3}, Layout{4, 2, 0, 2}}) {
                SCOPED_TRACE(recipe.model.model_type + " " + name_of(format) + " ranks " +
                             std::to_string(layout.ranks) + " ep " + std::to_string(layout.ep) + " zero " +
                             std::to_string(layout.zero_stage) + " tp " + std::to_string(layout.tp));
                config::Recipe shared = recipe;
                shared.parallel.ep_size = layout.ep;
                shared.parallel.tp_size = layout.tp;
                shared.parallel.zero_stage = layout.zero_stage;
                shared.training.batch_size = 4 * layout.tp / layout.ranks;
                for (const Problem& problem : config::check_recipe(shared))
                    ADD_FAILURE() << problem.key << ": " << problem.message.text();
                const Trained found = train(shared, layout.ranks);
                const std::size_t of_experts = 2u * 12;
                EXPECT_EQ(found.packed,
                          expected.packed - of_experts + of_experts / static_cast<std::size_t>(layout.ep));
                constexpr double kTables = 4 * 272;  // of each matrix
                const double share = static_cast<double>(found.packed) / static_cast<double>(expected.packed);
                EXPECT_LT(static_cast<double>(found.packed_bytes),
                          1.1 * share * static_cast<double>(expected.packed_bytes) / layout.tp +
                              kTables * static_cast<double>(found.packed));
                ASSERT_EQ(found.losses.size(), expected.losses.size());
                for (std::size_t i = 0; i < expected.losses.size(); ++i)
                    EXPECT_NEAR(found.losses[i], expected.losses[i], 1e-4) << i;
                EXPECT_NEAR(found.evaluation, expected.evaluation, 1e-4);
                for (const auto& [name, weight] : found.adapters)
                    EXPECT_LT((weight - expected.adapters.at(name)).abs().max().item<double>(), 1e-3) << name;
            }
        }
}

}  // namespace
}  // namespace trainyard::train
