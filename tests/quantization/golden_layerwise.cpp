// SPDX-License-Identifier: GPL-3.0-or-later
// Layer-wise casting as Accelerate's attach_layerwise_casting_hooks does it (golden/quantization/layerwise_casting):
// which tensors are stored in 8 bits, their codes, and what models of such layers compute. The cast is LibTorch's, which
// from version 2.15 on saturates values beyond the largest one; torch 2.11, which wrote the cases, makes them NaN.

#include <map>
#include <memory>
#include <set>

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include "distributed/tensors/dtype.h"
#include "golden_topic.h"
#include "inference/dispatch/layerwise_casting.h"
#include "support/weights_file.h"

namespace trainyard::dispatch {
namespace {

using parallel::Parameter;
using test::Json;
using Values = std::map<std::string, at::Tensor>;

/// A layer of torch, [name, class, arguments] as the golden case has it.
class LayerUnit final : public parallel::Unit {
  public:
    LayerUnit(const Json& layer, bool gelu, const Values& start, at::ScalarType type)
        : Unit(layer.at(0).get<std::string>()), class_(layer.at(1).get<std::string>()), gelu_(gelu) {
        for (std::size_t i = 2; i < layer.size(); ++i)
            arguments_.push_back(layer[i].get<std::int64_t>());
        for (const char* part : {"weight", "bias"}) {
            const auto found = start.find(name() + "." + part);
            if (found == start.end())
                continue;
            Parameter& parameter = add_parameter(found->first, found->second.sizes().vec(), {});
            const at::Tensor value = found->second.to(type);
            parameter.place(value, value);
            (part == std::string("weight") ? weight_ : bias_) = &parameter;
        }
        if (class_ == "Linear")
            weight_->set_product(Parameter::Product::out_in);
        if (class_ == "Embedding")
            weight_->set_table();
    }

  protected:
    parallel::Tensors forward(const parallel::Tensors& inputs, parallel::StepContext& context) override {
        const at::Tensor x =
            inputs.empty() ? (class_ == "Embedding" ? context.tokens : context.inputs.front().second) : inputs.front();
        const at::Tensor weight = weight_->compute(), bias = bias_ != nullptr ? bias_->compute() : at::Tensor();
        if (class_ == "Embedding")
            return {at::embedding(weight, x)};
        if (class_ == "LayerNorm")
            return {at::layer_norm(x, {arguments_.at(0)}, weight, bias)};
        if (class_ == "GroupNorm")
            return {at::group_norm(x, arguments_.at(0), weight, bias)};
        if (class_ == "Conv2d")
            return {at::conv2d(x, weight, bias)};
        const at::Tensor y = at::linear(x, weight, bias);
        return {gelu_ ? at::gelu(y) : y};
    }

  private:
    std::string class_;
    bool gelu_;
    std::vector<std::int64_t> arguments_;
    Parameter *weight_ = nullptr, *bias_ = nullptr;
};

class LayerModel final : public models::Model {
  public:
    LayerModel(const Json& layers, const Values& start, at::ScalarType type) : Model({}) {
        std::size_t last = 0;
        for (std::size_t i = 0; i < layers.size(); ++i)
            if (layers[i].at(1) == "Linear")
                last = i;
        for (std::size_t i = 0; i < layers.size(); ++i)
            units_.push_back(std::make_unique<LayerUnit>(layers[i], i != last, start, type));
    }
    std::vector<parallel::Unit*> blocks() const override { return {}; }
    parallel::Tensors empty_streams(const parallel::Unit&, const parallel::StepContext&, at::Device) const override {
        return {};
    }
};

at::ScalarType type_named(const Json& name) {
    return dtype_of_name(name.get<std::string>()).value();
}

TEST(GoldenLayerwiseCasting, EveryCase) {
    const at::NoGradGuard no_grad;
    Values all;
    for (auto& [name, tensor] : test::read_weights(test::golden("quantization") / "layerwise_casting.safetensors"))
        all.emplace(name, tensor);
    std::size_t cases = 0;
    std::int64_t saturated = 0;
    for (const Json& one : test::golden_cases("layerwise_casting")) {
        const std::string name = one.at("name");
        SCOPED_TRACE(name);
        ++cases;
        Values start;
        for (const auto& [key, tensor] : all)
            if (key.starts_with(name + "/start/"))
                start.emplace(key.substr(name.size() + 7), tensor);
        const at::ScalarType compute = type_named(one.at("compute"));
        const LayerModel model(one.at("layers"), start, type_named(one.value("model_dtype", Json("float32"))));
        LayerwiseCasting casting{type_named(one.at("storage")), compute, {}};
        for (const Json& pattern : one.value("skip_patterns", Json::array()))
            casting.skip_modules_pattern.push_back(pattern);
        const std::unique_ptr<Dispatched> hooks = attach_layerwise_casting_hooks(model, casting);

        Values stored;
        std::set<std::string> hooked;
        for (const UnitWeights& unit : hooks->stored())
            for (const Use& use : unit.uses) {
                stored.emplace(use.target.name, use.stored.tensor);
                hooked.insert(use.target.name.substr(0, use.target.name.rfind('.')));
            }
        for (const ModelTensor& tensor : tensors_of(model))
            if (!stored.contains(tensor.name)) {
                stored.emplace(tensor.name, tensor.parameter->compute());
            } else {
                EXPECT_TRUE(tensor.parameter->value().is_meta()) << tensor.name;
            }
        const std::vector<std::string> expected_hooked = one.at("hooked");
        EXPECT_EQ(hooked, std::set<std::string>(expected_hooked.begin(), expected_hooked.end()));
        ASSERT_EQ(stored.size(), one.at("stored").size());
        std::size_t bytes = 0;
        for (const auto& [key, dtype] : one.at("stored").items()) {
            ASSERT_TRUE(stored.contains(key)) << key;
            const at::Tensor& ours = stored[key];
            bytes += ours.nbytes();
            EXPECT_EQ(ours.scalar_type(), type_named(dtype)) << key;
            at::Tensor expected = all.at(name + "/stored/" + key);
            const at::Tensor same_kind = ours.element_size() == 1 ? ours.view(at::kByte) : ours;
            if (casting.storage_dtype == at::kFloat8_e4m3fn && ours.scalar_type() == at::kFloat8_e4m3fn) {
                const at::Tensor beyond = expected.bitwise_and(0x7f).eq(0x7f);
                expected = at::where(beyond, expected.sub(1), expected);
                saturated += beyond.sum().item<std::int64_t>();
            }
            EXPECT_TRUE(at::equal(same_kind, expected)) << key;
        }
        EXPECT_EQ(bytes, one.at("bytes").get<std::size_t>());

        const at::Tensor input = all.at(name + "/input");
        const auto output_of = [&](const LayerModel& of) {
            parallel::StepContext context;
            context.training = false;
            context.tokens = input;
            context.inputs = {{"x", input}};
            return parallel::run_units(of.units(), {}, context).front();
        };
        at::Tensor expected = all.at(name + "/output").to(at::kFloat);
        if (expected.isnan().any().item<bool>()) {  // what the saturated weights give
            Values rounded;
            for (const auto& [key, value] : start)
                rounded.emplace(key, value.to(casting.storage_dtype).to(compute));
            expected = output_of(LayerModel(one.at("layers"), rounded, compute)).to(at::kFloat);
        }
        for (int pass = 0; pass < 2; ++pass) {
            const at::Tensor output = output_of(model);
            EXPECT_EQ(output.scalar_type(), type_named(one.at("output_dtype")));
            const at::Tensor ours = output.to(at::kFloat);
            ASSERT_EQ(ours.sizes(), expected.sizes());
            EXPECT_TRUE(at::equal(ours.isnan(), expected.isnan()));
            const double largest = expected.nan_to_num().abs().max().item<double>();
            EXPECT_LE(ours.sub(expected).nan_to_num().abs().max().item<double>(),
                      (compute == at::kFloat ? 1e-5 : 2e-2) * largest);
        }
        for (const ModelTensor& tensor : tensors_of(model))
            if (hooked.contains(tensor.name.substr(0, tensor.name.rfind('.')))) {
                EXPECT_TRUE(tensor.parameter->value().is_meta()) << tensor.name << " is stored again";
            }
    }
    EXPECT_GE(cases, 7u);
    EXPECT_GT(saturated, 0);
}

}  // namespace
}  // namespace trainyard::dispatch
