// SPDX-License-Identifier: GPL-3.0-or-later
// Few bits in a module of one's own: its Linear layers in fp8 while it trains, then a copy of its weights in 4 bits, and
// an adapter that is trained beside that. With several ranks the adapter's optimizer state is divided among them.

#include <filesystem>

#include <torch/optim/adamw.h>

#include <trainyard/quantized_modules.h>

#include "main.h"
#include "rings.h"

using namespace samples;
using trainyard::Precision;
namespace dispatch = trainyard::dispatch;

namespace {

/// Layers of sizes that fp8 has products for.
struct WideNet : torch::nn::Module {
    WideNet() {
        register_module("in", in);
        register_module("first", first);
        register_module("second", second);
        register_module("out", out);
    }
    at::Tensor hidden(const at::Tensor& x) { return at::relu(second(at::relu(first(at::relu(in(x)))))); }
    at::Tensor forward(const at::Tensor& x) { return out(hidden(x)); }
    torch::nn::Linear in{2, 32}, first{32, 32}, second{32, 32}, out{32, 2};
};

/// The net, frozen, and a matrix of low rank beside its last layer.
struct AdaptedNet : torch::nn::Module {
    explicit AdaptedNet(std::shared_ptr<WideNet> net) : base(register_module("base", std::move(net))) {
        for (const at::Tensor& parameter : base->parameters())
            parameter.set_requires_grad(false);
        register_module("down", down);
        register_module("up", up);
        const at::NoGradGuard no_grad;
        up->weight.zero_();
    }
    at::Tensor forward(const at::Tensor& x) {
        const at::Tensor hidden = base->hidden(x);
        return base->out(hidden) + up(down(hidden));
    }
    std::shared_ptr<WideNet> base;
    torch::nn::Linear down{torch::nn::LinearOptions(32, 4).bias(false)};
    torch::nn::Linear up{torch::nn::LinearOptions(4, 2).bias(false)};
};

/// The loss after some passes over the points.
template <class Model>
double train(trainyard::Accelerator& accelerator, Model& model, std::vector<at::Tensor> parameters, int epochs) {
    auto optimizer = accelerator.prepare(
        std::make_unique<torch::optim::AdamW>(std::move(parameters), torch::optim::AdamWOptions(1e-2)));
    auto loader = accelerator.prepare(trainyard::data::LoaderSpec{.dataset = points(1024), .batch_size = 64});
    double last = 0;
    for (int epoch = 0; epoch < epochs; ++epoch)
        for (trainyard::Tree& batch : *loader) {
            const at::Tensor loss = loss_of(model(x_of(batch)), label_of(batch));
            accelerator.backward(loss);
            optimizer->step();
            optimizer->zero_grad();
            last = loss.template item<double>();
        }
    return last;
}

}  // namespace

bool sample() {
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / "trainyard-sample-low-precision";
    double fp8 = 0;
    {
        // Scales from each tensor; a filter instead of the rule of the first and the last layer.
        trainyard::Accelerator accelerator(
            {.mixed_precision = Precision::fp8,
             .fp8 = trainyard::AORecipeKwargs{.recipe_name = "rowwise", .module_filter_func = [](const auto& layer) {
                                                  return layer.name == "first" || layer.name == "second";
                                              }}});
        if (accelerator.is_main_process())
            std::filesystem::remove_all(folder);
        accelerator.wait_for_everyone();
        accelerator.set_seed(7);
        auto net = std::make_shared<WideNet>();
        auto model = accelerator.prepare(net);
        fp8 = train(accelerator, model, net->parameters(), 8);
        accelerator.save_model(model, folder);
        accelerator.wait_for_everyone();
    }
    trainyard::Accelerator accelerator({.zero_stage = 2});
    accelerator.set_seed(8);
    auto frozen = dispatch::init_empty_weights([] { return std::make_shared<WideNet>(); });
    const auto quantized = dispatch::load_and_quantize_model(
        frozen, folder, {.load_in_4bit = true, .bnb_4bit_quant_type = "nf4", .bnb_4bit_compute_dtype = "fp32"});
    auto net = std::make_shared<AdaptedNet>(frozen);
    auto model = accelerator.prepare(net);
    const double adapted = train(accelerator, model, {net->down->weight, net->up->weight}, 4);
    accelerator.wait_for_everyone();
    if (accelerator.is_main_process())
        std::filesystem::remove_all(folder);
    accelerator.print("fp8 " + std::to_string(fp8) + ", with an adapter beside 4 bits " + std::to_string(adapted));
    return fp8 < 0.5 && adapted < 0.5 && frozen->first->weight.scalar_type() == at::kByte &&
           frozen->out->weight.scalar_type() == at::kFloat;
}
