// SPDX-License-Identifier: GPL-3.0-or-later
// Linear layers of low precision as bitsandbytes and torchao compute them, and written references of MXFP8 and delayed
// scaling (golden/quantization).

#include <algorithm>
#include <array>
#include <map>

#include <ATen/ATen.h>

#include "golden_topic.h"
#include "models/nn/quantization/cast_linear.h"
#include "models/nn/quantization/fp8_layers.h"
#include "models/nn/quantization/quantized_linear.h"
#include "support/weights_file.h"

namespace trainyard::models {
namespace {

using test::Json;

/// The tensors of a topic, in their own dtypes.
class Topic {
  public:
    explicit Topic(const std::string& name) {
        for (auto& [key, tensor] : test::read_weights(test::golden("quantization") / (name + ".safetensors")))
            all_.emplace(key, tensor);
    }
    at::Tensor operator()(const std::string& name) const {
        const auto found = all_.find(name);
        if (found == all_.end())
            throw std::runtime_error("no tensor " + name);
        return found->second;
    }
    at::Tensor or_none(const std::string& name) const { return all_.contains(name) ? (*this)(name) : at::Tensor(); }

  private:
    std::map<std::string, at::Tensor> all_;
};

at::ScalarType type_of(const std::string& name) {
    return name == "bfloat16"  ? at::kBFloat16
           : name == "float16" ? at::kHalf
           : name == "float32" ? at::kFloat
                               : throw std::runtime_error("unknown dtype " + name);
}

/// `share` of the largest value.
void expect_close(const at::Tensor& ours, const at::Tensor& expected, double share, const std::string& what) {
    ASSERT_EQ(ours.sizes(), expected.sizes()) << what;
    EXPECT_EQ(ours.scalar_type(), expected.scalar_type()) << what;
    const at::Tensor wide = expected.to(at::kDouble);
    EXPECT_LE((ours.detach().to(at::kDouble) - wide).abs().max().item<double>(),
              share * wide.abs().max().item<double>())
        << what;
}

/// fp32 `least`, fp16 2e-3, bf16 2e-2: of the narrowest type that was computed with.
double share_of(at::ScalarType type, double fp32 = 1e-5) {
    return type == at::kBFloat16 ? 2e-2 : type == at::kHalf ? 2e-3 : fp32;
}

TEST(GoldenQuantization, Linear4bit) {
    const Topic tensors("linear_4bit");
    const test::GoldenTensors file("linear_4bit");
    for (const Json& one : test::golden_cases("linear_4bit")) {
        const std::string name = one.at("name"), prefix = name + "/";
        SCOPED_TRACE(name);
        const auto find = [&](const std::string& key) -> std::optional<quantization::StoredTensor> {
            if (!file.has(prefix + key))
                return std::nullopt;
            const auto bytes = file.file().bytes(file.info(prefix + key));
            return quantization::StoredTensor{key, file.info(prefix + key).dtype, {}, {bytes.begin(), bytes.end()}};
        };
        std::optional<quantization::FourBitWeight> weight = quantization::read_four_bit("weight", find);
        ASSERT_TRUE(weight.has_value());
        const at::Tensor full = tensors(prefix + "full_weight");
        const quantization::FourBitWeight ours =
            quantization::encode_four_bit({full.const_data_ptr<float>(), static_cast<std::size_t>(full.numel())},
                                          full.sizes().vec(), weight->options);
        EXPECT_EQ(ours.packed, weight->packed);
        std::optional<at::ScalarType> compute;
        if (one.contains("compute_dtype") && !one.at("compute_dtype").is_null())
            compute = type_of(one.at("compute_dtype"));
        const FourBitLinear layer(std::move(*weight), tensors.or_none(prefix + "bias"), compute);
        const at::Tensor x = tensors(prefix + "x").requires_grad_();
        const at::Tensor y = layer(x);
        const double share = std::max(share_of(x.scalar_type()), share_of(compute.value_or(x.scalar_type())));
        expect_close(y, tensors(prefix + "output"), share, "output");
        y.backward(tensors(prefix + "grad_output"));
        expect_close(x.grad(), tensors(prefix + "grad_input"), share, "grad_input");
    }
}

TEST(GoldenQuantization, Linear8bit) {
    const Topic tensors("int8");
    for (const Json& one : test::golden_cases("int8")) {
        const std::string name = one.at("name"), prefix = name + "/";
        SCOPED_TRACE(name);
        const Int8Linear layer(tensors(prefix + "weight"), tensors(prefix + "SCB"), tensors.or_none(prefix + "bias"),
                               one.at("threshold"));
        EXPECT_TRUE(at::_int_mm(tensors(prefix + "x_codes"), tensors(prefix + "weight").t())
                        .equal(tensors(prefix + "product_int32")));
        const at::Tensor x = tensors(prefix + "x");
        const double share = share_of(x.scalar_type());
        expect_close(layer(x, false), tensors(prefix + "output_evaluating"), share, "output_evaluating");
        const at::Tensor inside = x.clone().requires_grad_();
        const at::Tensor y = layer(inside, true);
        expect_close(y, tensors(prefix + "output_training"), share, "output_training");
        y.backward(tensors(prefix + "grad_output"));
        expect_close(inside.grad(), tensors(prefix + "grad_input"), share, "grad_input");
    }
}

class Float8Case {
  public:
    Float8Case(const Json& one, const Topic& tensors)
        : one_(one),
          tensors_(tensors),
          prefix_(one.at("name").get<std::string>() + "/"),
          recipe_(Float8Casts::recipe(one.at("recipe").get<std::string>())),
          x_(tensors(prefix_ + "x")),
          weight_(tensors(prefix_ + "weight")),
          gradient_(tensors(prefix_ + "grad_y")) {}

    void check_operands() const {
        using quantization::Float8;
        const at::Tensor rows = x_.reshape({-1, x_.size(-1)}), dy = gradient_.reshape({-1, weight_.size(0)});
        const bool whole = recipe_ == Float8Casts::Recipe::tensorwise;
        const bool full_weight_gradient = recipe_ == Float8Casts::Recipe::rowwise_with_gw_hp;
        const Float8 backward = whole ? Float8::e5m2 : Float8::e4m3;
        check("output.input", rows, Float8::e4m3, !whole, false);
        check("output.weight_t", weight_, Float8::e4m3, !whole, true);
        check("grad_input.grad_output", dy, backward, !whole, false);
        check("grad_input.weight_t", weight_.t(), Float8::e4m3, !whole && !full_weight_gradient, false);
        if (full_weight_gradient)
            return;
        check("grad_weight.grad_output", dy.t(), backward, !whole, true);
        check("grad_weight.input", rows.t(), Float8::e4m3, !whole, true);
    }

    void check_layer() const {
        const at::Tensor x = x_.clone().requires_grad_(), weight = weight_.clone().requires_grad_();
        at::Tensor bias = tensors_.or_none(prefix_ + "bias");
        if (bias.defined())
            bias = bias.clone().requires_grad_();
        const Float8Casts casts(recipe_, one_.at("power_of_two"));
        const at::Tensor y = cast_linear(x, weight, bias, casts);
        y.backward(gradient_);
        const double share = x.scalar_type() == at::kFloat ? 1e-5 : 1e-2;
        expect_close(y, tensors_(prefix_ + "output"), share, "output");
        expect_close(x.grad(), tensors_(prefix_ + "grad_input"), share, "grad_input");
        expect_close(weight.grad(), tensors_(prefix_ + "grad_weight"), share, "grad_weight");
        if (bias.defined())
            expect_close(bias.grad(), tensors_(prefix_ + "grad_bias"), share, "grad_bias");
    }

  private:
    /// `turned`: the file has the operand transposed.
    void check(const std::string& operand, const at::Tensor& rows, quantization::Float8 format, bool of_rows,
               bool turned) const {
        const Float8Operand ours = float8_operand(rows, format, of_rows, one_.at("power_of_two"));
        const at::Tensor codes = tensors_(prefix_ + operand + ".codes"), scale = tensors_(prefix_ + operand + ".scale");
        EXPECT_TRUE(ours.scale.flatten().equal(scale.flatten())) << operand;
        EXPECT_TRUE(ours.codes.contiguous().view(at::kByte).equal((turned ? codes.t() : codes).contiguous()))
            << operand;
    }

    const Json& one_;
    const Topic& tensors_;
    std::string prefix_;
    Float8Casts::Recipe recipe_;
    at::Tensor x_, weight_, gradient_;
};

TEST(GoldenQuantization, Float8Linear) {
    const Topic tensors("fp8_linear");
    for (const Json& one : test::golden_cases("fp8_linear")) {
        SCOPED_TRACE(one.at("name").get<std::string>());
        const Float8Case of_file(one, tensors);
        of_file.check_operands();
        of_file.check_layer();
    }
}

quantization::Float8 format_of(const std::string& name) {
    if (name != "e4m3fn" && name != "e5m2")
        throw std::runtime_error("unknown format " + name);
    return name == "e5m2" ? quantization::Float8::e5m2 : quantization::Float8::e4m3;
}

TEST(GoldenQuantization, MxLinear) {
    const Topic tensors("mxfp8_linear");
    for (const Json& one : test::golden_cases("mxfp8_linear")) {
        const std::string name = one.at("name"), prefix = name + "/";
        SCOPED_TRACE(name);
        const MxCasts casts(quantization::mx_mode(one.at("mode").get<std::string>()),
                            format_of(one.value("forward", "e4m3fn")), format_of(one.value("backward", "e4m3fn")));
        const at::Tensor x = tensors(prefix + "x").requires_grad_(),
                         weight = tensors(prefix + "weight").requires_grad_();
        const at::Tensor y = cast_linear(x, weight, {}, casts);
        y.backward(tensors(prefix + "grad_y"));
        expect_close(y, tensors(prefix + "output"), 1e-5, "output");
        expect_close(x.grad(), tensors(prefix + "grad_input"), 1e-5, "grad_input");
        expect_close(weight.grad(), tensors(prefix + "grad_weight"), 1e-5, "grad_weight");
    }
}

DelayedScaling::Options scaling_options(const Json& one) {
    const std::string algorithm = one.value("algorithm", "most_recent");
    if (algorithm != "max" && algorithm != "most_recent")
        throw std::runtime_error("unknown algorithm " + algorithm);
    return {.history = one.value("history", 1024),
            .algorithm = algorithm == "max" ? DelayedScaling::Algorithm::max : DelayedScaling::Algorithm::most_recent,
            .margin = one.value("margin", 0),
            .interval = one.value("interval", 1)};
}

struct Formats {
    quantization::Float8 forward, backward;
    explicit Formats(const std::string& name)
        : forward(name == "E5M2" ? quantization::Float8::e5m2 : quantization::Float8::e4m3),
          backward(name == "E4M3" ? quantization::Float8::e4m3 : quantization::Float8::e5m2) {
        if (name != "HYBRID" && name != "E4M3" && name != "E5M2")
            throw std::runtime_error("unknown format " + name);
    }
};

std::vector<float> floats_of(const Json& list) {
    std::vector<float> values;
    for (const Json& value : list)
        values.push_back(static_cast<float>(test::number_of(value)));
    return values;
}

TEST(GoldenQuantization, DelayedScaling) {
    for (const Json& one : test::golden_cases("delayed_scaling")) {
        SCOPED_TRACE(one.at("name").get<std::string>());
        const Formats formats(one.at("format"));
        DelayedScaling scaling(
            quantization::largest_value(one.at("direction") == "forward" ? formats.forward : formats.backward),
            scaling_options(one));
        for (std::size_t step = 0; step < one.at("amax").size(); ++step) {
            const Json& expected = one.at("steps").at(step);
            const Json& seen = one.at("amax").at(step);
            EXPECT_EQ(scaling.scale(), static_cast<float>(test::number_of(expected.at("scale_used")))) << step;
            for (const float magnitude : floats_of(seen.is_array() ? seen : Json::array({seen})))
                scaling.see(magnitude);
            scaling.update();
            EXPECT_EQ(scaling.state().history, floats_of(expected.at("history"))) << step;
            EXPECT_EQ(scaling.scale(), static_cast<float>(test::number_of(expected.at("scale_next")))) << step;
        }
    }
}

/// A layer as training computes it: casts by scales that change at the end of a step.
struct DelayedLayer {
    DelayedCasts casts;
    DelayedLayers scales;

    explicit DelayedLayer(const config::Fp8Recipe& recipe) : casts(recipe) { scales.add("layer", &casts); }
    DelayedLayer(const config::Fp8Recipe& recipe, const Tree& state) : DelayedLayer(recipe) {
        scales.load_state_dict(state);
    }
    DelayedLayer(const DelayedLayer&) = delete;
    DelayedLayer& operator=(const DelayedLayer&) = delete;
};

class DelayedCase {
  public:
    DelayedCase(const Json& one, const Topic& tensors)
        : one_(one),
          tensors_(tensors),
          prefix_(one.at("name").get<std::string>() + "/"),
          weight_(tensors(prefix_ + "weight").clone()),
          formats_(one.at("format")) {
        const DelayedScaling::Options options = scaling_options(one);
        recipe_.fp8_format = one.at("format") == "HYBRID" ? config::Fp8Format::hybrid : config::Fp8Format::e4m3;
        recipe_.margin = options.margin;
        recipe_.interval = options.interval;
        recipe_.amax_history_len = options.history;
        recipe_.amax_compute_algo = options.algorithm == DelayedScaling::Algorithm::max
                                        ? config::AmaxAlgorithm::max
                                        : config::AmaxAlgorithm::most_recent;
        const auto full = one.value("override", std::vector<bool>(3));
        for (std::size_t i = 0; i < full.size(); ++i)
            if (full[i])
                recipe_.full_precision.emplace_back(std::array{"fprop", "dgrad", "wgrad"}.at(i));
    }

    /// The scales are saved and loaded into another layer before each step.
    void check() {
        Tree state = DelayedLayer(recipe_).scales.state_dict();
        for (std::int64_t number = 0; number < one_.at("steps").get<std::int64_t>(); ++number) {
            SCOPED_TRACE("step " + std::to_string(number));
            DelayedLayer layer(recipe_, state);
            step(layer, number);
            state = layer.scales.state_dict();
        }
        expect_close(weight_, tensors_(prefix_ + "weight_after"), 1e-5, "weight_after");
        DelayedLayer last(recipe_, state);
        for (int operand = 0; operand < DelayedCasts::kOperands; ++operand) {
            const char* name = kNames.at(static_cast<std::size_t>(operand));
            EXPECT_EQ(last.casts.scaling(operand).scale(), one_.at("scales_after").at(name).get<float>()) << name;
            EXPECT_EQ(last.casts.scaling(operand).state().history, floats_of(one_.at("histories").at(name))) << name;
        }
    }

  private:
    static constexpr std::array kNames{"x", "weight", "grad"};  ///< in the golden files, by OperandCasts::Operand

    void step(DelayedLayer& layer, std::int64_t number) {
        const at::Tensor x = tensors_(prefix_ + "x")[number].clone().requires_grad_();
        const at::Tensor weight = weight_.clone().requires_grad_(), dy = tensors_(prefix_ + "grad_y")[number];
        const std::array operands{x.detach(), weight_, dy};
        for (std::size_t i = 0; i < operands.size(); ++i) {
            const float scale = layer.casts.scaling(static_cast<int>(i)).scale();
            EXPECT_EQ(scale, one_.at("scales_used").at(static_cast<std::size_t>(number)).at(kNames[i]).get<float>());
            const at::Tensor codes = saturated_codes(
                operands[i], at::tensor({scale}), i == OperandCasts::kGradient ? formats_.backward : formats_.forward);
            const at::Tensor expected = tensors_(prefix_ + kNames[i] + ".codes")[number];
            EXPECT_TRUE(codes.contiguous().view(at::kByte).equal(expected)) << kNames[i];
        }
        const at::Tensor y = cast_linear(x, weight, {}, layer.casts);
        y.backward(dy);
        expect_close(y, tensors_(prefix_ + "output")[number], 1e-5, "output");
        expect_close(x.grad(), tensors_(prefix_ + "grad_input")[number], 1e-5, "grad_input");
        expect_close(weight.grad(), tensors_(prefix_ + "grad_weight")[number], 1e-5, "grad_weight");
        for (std::size_t i = 0; i < operands.size(); ++i)
            layer.casts.see(operands[i], static_cast<OperandCasts::Operand>(i));
        layer.scales.update({});
        weight_ = weight.detach().sub(weight.grad(), one_.at("lr").get<double>());
    }

    const Json& one_;
    const Topic& tensors_;
    std::string prefix_;
    at::Tensor weight_;
    Formats formats_;
    config::Fp8Recipe recipe_;
};

TEST(GoldenQuantization, DelayedLinear) {
    const Topic tensors("delayed_linear");
    for (const Json& one : test::golden_cases("delayed_linear")) {
        SCOPED_TRACE(one.at("name").get<std::string>());
        DelayedCase(one, tensors).check();
    }
}

}  // namespace
}  // namespace trainyard::models
