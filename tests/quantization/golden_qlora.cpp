// SPDX-License-Identifier: GPL-3.0-or-later
// Adapters on quantized models as PEFT trains them on bitsandbytes' layers (golden/quantization/qlora): logits, losses,
// gradients and adapters after three steps of AdamW.

#include <cmath>
#include <filesystem>
#include <map>

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <gtest/gtest.h>

#include "config/inputs/start_weights.h"
#include "distributed/parallel/matrix_kernel.h"
#include "golden_topic.h"
#include "models/nn/kernels/products.h"
#include "models/nn/modules/low_rank.h"
#include "support/weights_file.h"
#include "train/flat_model.h"

namespace trainyard::train {
namespace {

namespace fs = std::filesystem;
using test::Json;

std::map<std::string, at::Tensor> tensors_of(const fs::path& file) {
    std::map<std::string, at::Tensor> tensors;
    for (auto& [name, tensor] : test::read_weights(file))
        tensors.emplace(name, tensor);
    return tensors;
}

Json read(const fs::path& path) {
    std::ifstream file(path);
    return Json::parse(file);
}

/// One folder of the topic as it is trained.
class Case {
  public:
    explicit Case(const fs::path& folder)
        : expected(read(folder / "expected.json")),
          tensors(tensors_of(folder / "expected.safetensors")),
          batch_(tensors_of(folder.parent_path() / "base" / "expected.safetensors")),
          computes_bf16(expected.at("quantization").value("bnb_4bit_compute_dtype", "") == "bfloat16"),
          is_int8(expected.at("quantization").value("load_in_8bit", false)) {
        config::ModelRecipe& model = recipe_.model;
        model.weights = (folder / "quantised").string();
        model.lora.r = expected.at("rank");
        model.lora.lora_alpha = expected.at("alpha");
        model.lora.use_rslora = expected.value("rslora", false);
        model.lora.target_modules = expected.at("targets").get<std::vector<std::string>>();
        model.lora.adapter = (folder / "adapter").string();
        if (computes_bf16)
            model.quantization.bnb_4bit_compute_dtype = config::QuantizedCompute::bf16;
        model = inputs::settle_model(model).model;
        recipe_.data.sequence_length = 12;
        model_.emplace(recipe_, mesh_, at::kCPU);
        model_->initialise();
        for (const parallel::Unit* unit : model_->model().units())
            for (parallel::Parameter* parameter : unit->parameters())
                if (parameter->trains())
                    adapters.push_back(parameter);
                else if (parameter->is_packed())
                    packed.push_back(parameter->name());
    }

    struct Run {
        at::Tensor logits;
        double loss = 0;
    };

    Run forward(bool training) {
        parallel::StepContext context;
        Run run;
        context.training = training;
        context.tokens = batch_.at("input_ids");
        context.labels = batch_.at("labels");
        const auto targets = context.labels.narrow(1, 1, context.labels.size(1) - 1).ne(-100).sum().item<double>();
        context.loss_scale = 1 / targets;
        context.loss_sum = at::zeros({}, at::kDouble);
        if (training) {
            model_->begin_backward(true);
            model_->run(0, {}, context).at(0).backward();
            model_->end_backward();
            model_->finish_gradients();
            run.loss = context.loss_sum.item<double>() / targets;
            return run;
        }
        const at::NoGradGuard no_grad;
        const models::InUse in_use;
        context.labels = at::Tensor();
        context.logits = &run.logits;
        model_->run(0, {}, context);
        return run;
    }

    /// Logits as a module in training mode computes them.
    at::Tensor training_logits() {
        parallel::StepContext context;
        at::Tensor logits;
        context.tokens = batch_.at("input_ids");
        context.logits = &logits;
        const at::NoGradGuard no_grad;
        model_->run(0, {}, context);
        return logits;
    }

    void set(parallel::Parameter& parameter, const at::Tensor& value) {
        model_->arena().set_value(parameter, value);
        model_->arena().refresh_compute();
    }

    Json expected;
    std::map<std::string, at::Tensor> tensors;

  private:
    std::map<std::string, at::Tensor> batch_;
    config::Recipe recipe_;
    parallel::Mesh mesh_{parallel::replicas(1), parallel::World::connect({}, "cpu")};
    std::optional<FlatModel> model_;

  public:
    bool computes_bf16, is_int8;
    std::vector<parallel::Parameter*> adapters;
    std::vector<std::string> packed;
};

double largest(const at::Tensor& tensor) {
    return tensor.abs().max().item<double>();
}

void expect_close(const at::Tensor& ours, const at::Tensor& expected, double share, const std::string& what) {
    ASSERT_EQ(ours.sizes(), expected.sizes()) << what;
    EXPECT_LE(largest(ours.to(at::kFloat) - expected), share * largest(expected) + 1e-8) << what;
}

TEST(GoldenQlora, EveryCase) {
    std::size_t cases = 0;
    for (const auto& entry : fs::directory_iterator(test::golden("quantization") / "qlora")) {
        if (!fs::exists(entry.path() / "quantised"))
            continue;
        ++cases;
        SCOPED_TRACE(entry.path().filename().string());
        Case one(entry.path());
        const double of_loss = one.computes_bf16 ? 2e-3 : 1e-5, of_evaluation = one.is_int8 ? 2e-3 : of_loss,
                     of_gradient = one.computes_bf16 ? 2e-2 : 1e-4;
        std::vector<std::string> packed;
        for (const std::string& name : one.packed)
            packed.push_back(name.substr(0, name.rfind('.')));
        std::vector<std::string> quantized = one.expected.at("quantised_modules");
        std::ranges::sort(packed);
        std::ranges::sort(quantized);
        EXPECT_EQ(packed, quantized);
        ASSERT_EQ(one.adapters.size(), one.expected.at("trainable").size());

        // Without the adapter: B times 0.
        std::vector<at::Tensor> start;
        for (parallel::Parameter* adapter : one.adapters) {
            start.push_back(adapter->value().clone());
            if (adapter->name().ends_with("lora_B.weight"))
                one.set(*adapter, at::zeros(adapter->shape()));
        }
        expect_close(one.forward(false).logits, one.tensors.at("logits_evaluating"), of_evaluation, "evaluating");
        for (std::size_t i = 0; i < start.size(); ++i)
            one.set(*one.adapters[i], start[i]);
        expect_close(one.forward(false).logits, one.tensors.at("logits_evaluating_with_adapter"), of_evaluation,
                     "evaluating with adapter");
        expect_close(one.training_logits(), one.tensors.at("logits_training_with_adapter"), of_loss,
                     "training with adapter");

        const Json& training = one.expected.at("training");
        const double rate = training.at("lr"), decay = training.at("weight_decay"), epsilon = training.at("eps");
        const std::vector<double> betas = training.at("betas");
        std::vector<at::Tensor> first(start.size()), second(start.size());
        for (std::size_t step = 0; step < training.at("losses").size(); ++step) {
            EXPECT_NEAR(one.forward(true).loss, training.at("losses")[step].get<double>(),
                        of_loss * training.at("losses")[step].get<double>())
                << step;
            for (std::size_t i = 0; i < one.adapters.size(); ++i) {
                parallel::Parameter& adapter = *one.adapters[i];
                const at::Tensor gradient = adapter.gradient().clone();
                const std::string name = models::peft_name(adapter.name());
                expect_close(gradient, one.tensors.at("gradient." + std::to_string(step) + "/" + name), of_gradient,
                             name);
                if (step == 0)
                    first[i] = at::zeros_like(gradient), second[i] = at::zeros_like(gradient);
                first[i].mul_(betas[0]).add_(gradient, 1 - betas[0]);
                second[i].mul_(betas[1]).addcmul_(gradient, gradient, 1 - betas[1]);
                const auto count = static_cast<double>(step + 1);
                const at::Tensor root = second[i].sqrt().div_(std::sqrt(1 - std::pow(betas[1], count))).add_(epsilon);
                const double corrected = rate / (1 - std::pow(betas[0], count));
                one.set(adapter, adapter.value().mul(1 - rate * decay).sub(first[i].div(root), corrected));
            }
        }
        // A step of AdamW has the size of the rate wherever the sign of a small gradient differs.
        for (const parallel::Parameter* adapter : one.adapters) {
            const std::string name = models::peft_name(adapter->name());
            const at::Tensor far = adapter->value().sub(one.tensors.at("after/" + name)).abs();
            EXPECT_LE(far.mean().item<double>(), (one.computes_bf16 ? 0.1 : 1e-3) * rate) << name;
        }
    }
    EXPECT_EQ(cases, 4u);
}

}  // namespace
}  // namespace trainyard::train
