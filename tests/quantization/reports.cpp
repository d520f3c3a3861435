// SPDX-License-Identifier: GPL-3.0-or-later
// Faults of low precision that users of bitsandbytes, torchao, Transformer Engine and transformers reported.
// The number of each issue is in its test; those of fp8 training are in fp8_training.cpp.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "config/inputs/start_weights.h"
#include "distributed/parallel/matrix_kernel.h"
#include "formats/weights/quantization/int8_rows.h"
#include "generate/logits.h"
#include "inference/dispatch/load_and_quantize.h"
#include "inference/generate/loaded_model.h"
#include "models/nn/quantization/packed_kernel.h"
#include "models/nn/quantization/quantized_linear.h"
#include "optim/rule_optimizer.h"
#include "support/random_model.h"
#include "support/temporary_folder.h"

namespace trainyard {
namespace {

namespace fs = std::filesystem;
using dispatch::BnbQuantizationConfig;

models::Int8Linear int8_linear(const at::Tensor& weight, double threshold) {
    const quantization::Int8Rows rows = quantization::encode_int8_rows(
        {weight.const_data_ptr<float>(), static_cast<std::size_t>(weight.numel())}, weight.size(1));
    return {at::tensor(rows.codes, at::kChar).view(weight.sizes()), at::tensor(rows.magnitudes), {}, threshold};
}

double relative(const at::Tensor& a, const at::Tensor& b) {
    return ((a - b).norm() / b.norm()).item<double>();
}

class LowPrecisionReports : public ::testing::Test {
  protected:
    void SetUp() override { at::manual_seed(3); }

    fs::path base(bool tied) {
        const fs::path folder = folder_.path() / (tied ? "tied" : "base");
        test::RandomModel(
            std::string(R"({"model_type": "llama", "architectures": ["LlamaForCausalLM"], "vocab_size": 256,
            "hidden_size": 128, "intermediate_size": 192, "num_attention_heads": 4, "num_key_value_heads": 2,
            "num_hidden_layers": 2, "max_position_embeddings": 32, "tie_word_embeddings": )") +
            (tied ? "true}" : "false}"))
            .write(folder);
        return folder;
    }

    static std::unique_ptr<models::Model> empty(const fs::path& folder) {
        config::ModelRecipe recipe;
        recipe.weights = folder.string();
        return models::make_model(inputs::settle_model(recipe).model);
    }

    test::TemporaryFolder folder_;
};

/// bitsandbytes 28: the result of a text depends on the others of its batch, whose outliers choose the columns. It does
/// here, too, by the errors of rounding alone.
TEST_F(LowPrecisionReports, OutliersOfOtherRowsMoveAResultByRoundingAlone) {
    const at::Tensor weight = at::randn({48, 96});
    at::Tensor x = at::randn({4, 96});
    x[2][7] = 60;
    const models::Int8Linear linear = int8_linear(weight, 6);
    const at::Tensor together = linear(x, false);
    for (std::int64_t row = 0; row < 4; ++row) {
        const at::Tensor alone = linear(x.narrow(0, row, 1), false), full = x.narrow(0, row, 1).mm(weight.t());
        EXPECT_LE(relative(alone, together.narrow(0, row, 1)), 0.02) << row;
        EXPECT_LE(relative(alone, full), 0.02) << row;
    }
}

/// bitsandbytes 165: numbers that are not finite. Rows of zeros, in the input and in the weight, have no scale.
TEST_F(LowPrecisionReports, RowsOfZerosGiveZeros) {
    at::Tensor weight = at::randn({16, 64}), x = at::randn({3, 64});
    weight[5].zero_();
    x[1].zero_();
    for (const double threshold : {0.0, 6.0}) {
        const models::Int8Linear linear = int8_linear(weight, threshold);
        for (const bool training : {false, true}) {
            const at::Tensor y = linear(x, training);
            EXPECT_TRUE(y.isfinite().all().item<bool>());
            EXPECT_EQ(y[1].abs().max().item<float>(), 0);
            EXPECT_EQ(y.select(1, 5).abs().max().item<float>(), 0);
        }
    }
    const models::FourBitLinear four(
        quantization::encode_four_bit({weight.const_data_ptr<float>(), static_cast<std::size_t>(weight.numel())},
                                      {16, 64}, {.type = "nf4", .double_quant = true}),
        {});
    EXPECT_TRUE(four(x).isfinite().all().item<bool>());
}

/// bitsandbytes 1331: the gradient of a batch of one sequence has the sizes of the output instead of the input.
TEST_F(LowPrecisionReports, GradientsOfOneSequenceHaveTheSizesOfTheInput) {
    const at::Tensor weight = at::randn({24, 40}), x = at::randn({1, 10, 40}).requires_grad_();
    const models::Int8Linear linear = int8_linear(weight, 6);
    const at::Tensor y = linear(x, true);
    EXPECT_EQ(y.sizes(), at::IntArrayRef({1, 10, 24}));
    const at::Tensor dy = at::randn({1, 10, 24});
    y.backward(dy);
    EXPECT_EQ(x.grad().sizes(), x.sizes());
    EXPECT_LE(relative(x.grad(), dy.matmul(weight)), 0.02);
}

/// transformers 40327: a 4-bit matrix whose magnitudes and quant_state are in another shard than its codes.
TEST_F(LowPrecisionReports, PartsOfAMatrixMayBeInDifferentShards) {
    const at::Tensor ids = at::randint(256, {2, 9}, at::kLong);
    for (const BnbQuantizationConfig& config :
         {BnbQuantizationConfig{.load_in_4bit = true, .bnb_4bit_quant_type = "nf4", .bnb_4bit_use_double_quant = true},
          BnbQuantizationConfig{.load_in_8bit = true}}) {
        SCOPED_TRACE(config.method());
        const fs::path folder = base(false), saved = folder_.path() / ("sharded_" + config.method());
        const std::unique_ptr<models::Model> model = empty(folder);
        const dispatch::QuantizedModel loaded = dispatch::load_and_quantize_model(*model, folder, config);
        dispatch::save_quantized_model(*model, saved, 4096);
        std::size_t shards = 0;
        for (const auto& entry : fs::directory_iterator(saved))
            shards += entry.path().extension() == ".safetensors" ? 1 : 0;
        EXPECT_GT(shards, 20u);
        const std::unique_ptr<models::Model> again = empty(folder);
        dispatch::LoadOptions options;
        options.dtype = config.type();
        options.packing = models::Packing{.options = {.result = config.type()}};
        if (config.load_in_4bit)
            options.packing->options.compute = config.compute_type();
        dispatch::load_checkpoint_in_model(*again, saved, options);
        EXPECT_TRUE(at::equal(test::logits_of(*again, ids), test::logits_of(*model, ids)));
    }
}

/// auto-round 101, bitsandbytes 1343: a tied head stays, also where nothing is to be skipped; another one is quantized.
TEST_F(LowPrecisionReports, ATiedHeadStaysAndAnotherIsQuantizedWhereNothingIsSkipped) {
    const at::Tensor ids = at::randint(256, {2, 9}, at::kLong);
    for (const bool tied : {true, false}) {
        const fs::path folder = base(tied);
        const at::Tensor full = test::logits_of(generate::LoadedModel({folder, {}, {}}).model(), ids);
        for (const char* method : {"int8", "nf4"}) {
            SCOPED_TRACE(std::string(tied ? "tied " : "own ") + method);
            BnbQuantizationConfig config{.torch_dtype = "fp32", .skip_modules = std::vector<std::string>{}};
            config.load_in_8bit = method == std::string("int8");
            config.load_in_4bit = !config.load_in_8bit;
            config.bnb_4bit_quant_type = "nf4";
            config.bnb_4bit_compute_dtype = "fp32";
            const std::unique_ptr<models::Model> model = empty(folder);
            const dispatch::QuantizedModel loaded = dispatch::load_and_quantize_model(*model, folder, config);
            std::size_t heads = 0, tables = 0;
            for (const parallel::Unit* unit : model->units())
                for (const parallel::Parameter* parameter : unit->parameters()) {
                    heads += parameter->name() == "lm_head.weight" && parameter->is_packed() ? 1 : 0;
                    tables += parameter->is_table() && !parameter->is_packed() ? 1 : 0;
                }
            EXPECT_EQ(heads, tied ? 0u : 1u);
            EXPECT_EQ(tables, 1u);
            const at::Tensor logits = test::logits_of(*model, ids);
            EXPECT_LT(test::distance(logits, full), 0.3 * full.abs().max().item<double>());
            // The loss is that of the logits.
            parallel::StepContext context;
            context.tokens = context.labels = ids;
            context.training = false;
            context.loss_sum = at::zeros({}, at::kDouble);
            {
                const at::NoGradGuard no_grad;
                model->forward(context);
            }
            const double expected = at::cross_entropy_loss(logits.narrow(1, 0, 8).flatten(0, 1),
                                                           ids.narrow(1, 1, 8).flatten(), {}, at::Reduction::Sum)
                                        .item<double>();
            EXPECT_NEAR(context.loss_sum.item<double>(), expected, 1e-4 * expected);
        }
    }
}

/// unsloth-zoo 962: elements without a gradient move, because their moment's code is not zero.
TEST_F(LowPrecisionReports, ElementsWithoutGradientStay) {
    const at::Tensor start = at::randn({64, 128});
    for (const char* name : {"Adam8bit", "Lion8bit", "RMSprop8bit", "Adagrad8bit"}) {
        SCOPED_TRACE(name);
        const at::Tensor parameter = start.clone().requires_grad_();
        const auto optimizer = optim::make_optimizer(name, std::vector{parameter}, Tree::dict({{"lr", 1e-2}}));
        for (int step = 0; step < 200; ++step) {
            at::Tensor gradient = at::randn({64, 128});
            gradient.narrow(1, 0, 64).zero_();
            parameter.mutable_grad() = gradient;
            optimizer->step();
        }
        const at::Tensor moved = (parameter.detach() - start).abs();
        EXPECT_EQ(moved.narrow(1, 0, 64).max().item<float>(), 0);
        EXPECT_GT(moved.narrow(1, 64, 64).mean().item<float>(), 0);
    }
}

/// bitsandbytes 1261: arguments that 8-bit optimizers do not have are taken in silence.
TEST_F(LowPrecisionReports, ArgumentsWithoutEffectAreRefused) {
    const at::Tensor parameter = at::randn({64, 128}).requires_grad_();
    for (const char* key : {"amsgrad", "optim_bits"})
        EXPECT_THAT(
            [&] {
                optim::make_optimizer("Adam8bit", std::vector{parameter}, Tree::dict({{key, 1}}));
            },
            testing::ThrowsMessage<UserError>(testing::HasSubstr(key)));
}

}  // namespace
}  // namespace trainyard
