// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <functional>
#include <list>
#include <string>
#include <utility>
#include <vector>

#include <ATen/core/grad_mode.h>
#include <torch/nn/modules.h>

#include <fmt/format.h>
#include <trainyard/onnx_export.h>

#include "base/error.h"
#include "base/file.h"
#include "base/file_mode.h"
#include "formats/onnx/onnx_model.h"

// A namespace of its own: its short names are not those of the files that are compiled with it.
namespace trainyard::sequential_onnx {

namespace {

namespace nn = torch::nn;
using onnx::Attribute;
using onnx::DataType;
using onnx::make_attribute;
using Value = std::string;
using Sizes = std::vector<std::int64_t>;

constexpr std::int64_t kIrVersion = 8, kOperatorSet = 17;
constexpr std::uint64_t kMostBytes = 2'000'000'000;  // protobuf's own library reads up to 2 GiB

/// Calls a function at the end of a scope.
struct Restore {
    std::function<void()> call;
    ~Restore() { call(); }
};

class OnnxModules {
  public:
    void build(nn::SequentialImpl& model, const at::Tensor& example) {
        const bool is_whole = example.scalar_type() == at::kLong;
        if (!is_whole && example.scalar_type() != at::kFloat)
            throw UserError("the example of an ONNX export must have fp32 or int64 elements");
        if (example.dim() < 1)
            throw UserError("the example of an ONNX export needs a first dimension, of samples");
        const at::NoGradGuard no_grad;
        graph_.name = "sequential";
        graph_.inputs.push_back({"input", type_of(is_whole ? DataType::int64 : DataType::float32, example.sizes())});
        const bool was_training = model.is_training();
        model.eval();
        const Restore restore{[&] { model.train(was_training); }};
        const at::Tensor result = add_all(model, example);
        if (result.scalar_type() != at::kFloat)
            throw UserError("a model whose output is not fp32 cannot be written as ONNX");
        graph_.nodes.push_back({.op_type = "Identity", .inputs = {value_}, .outputs = {"output"}, .name = "output"});
        graph_.outputs.push_back({"output", type_of(DataType::float32, result.sizes())});
    }

    std::string bytes() {
        std::uint64_t all = 0;
        for (const onnx::Tensor& tensor : graph_.initializers)
            all += tensor.raw.size();
        if (all > kMostBytes)
            throw UserError("a Sequential with {} bytes of parameters is too large for one ONNX file: at most {}", all,
                            kMostBytes);
        onnx::Model model;
        model.ir_version = kIrVersion;
        model.producer_name = "trainyard";
        model.operator_sets = {{"", kOperatorSet}};
        model.graph = std::move(graph_);
        return onnx::serialize_model(model);
    }

  private:
    static onnx::Type type_of(DataType element, at::IntArrayRef sizes) {
        onnx::Type type{.element = element, .shape = std::vector<onnx::Dimension>{{.name = "batch"}}};
        for (std::size_t i = 1; i < sizes.size(); ++i)
            type.shape->push_back({.size = sizes[i]});
        return type;
    }

    [[noreturn]] void refuse(const Message& why) const {
        throw UserError("layer {} of the Sequential cannot be written as ONNX: {}", place_, why);
    }

    /// A parameter or buffer, in this order of elements.
    Value weight(const char* name, const at::Tensor& tensor) {
        if (!tensor.defined() || tensor.is_meta() || tensor.numel() == 0)
            refuse(Message("its {} is not in this process: export the model before it is sharded or offloaded", name));
        kept_.push_back(tensor.detach().to(at::kCPU, at::kFloat).contiguous());
        const at::Tensor& plain = kept_.back();
        graph_.initializers.push_back(
            {.name = fmt::format("{}.{}", place_, name),
             .type = DataType::float32,
             .dims = plain.sizes().vec(),
             .raw = {static_cast<const char*>(plain.const_data_ptr()), static_cast<std::size_t>(plain.nbytes())}});
        return graph_.initializers.back().name;
    }
    Value weight_or(const char* name, const at::Tensor& tensor, std::int64_t size, float otherwise) {
        return weight(name, tensor.defined() ? tensor : at::full({size}, otherwise));
    }
    Value number(float value) {
        const Value name = fmt::format("{}.constant_{}", place_, ++constants_);
        kept_.push_back(at::full({}, value));
        graph_.initializers.push_back(
            {.name = name,
             .type = DataType::float32,
             .raw = {static_cast<const char*>(kept_.back().const_data_ptr()), sizeof(float)}});
        return name;
    }

    void node(const std::string& op, std::vector<Value> inputs, std::vector<Attribute> attributes = {}) {
        onnx::Node made{.op_type = op, .inputs = std::move(inputs), .attributes = std::move(attributes)};
        made.name = fmt::format("{}.{}_{}", place_, op, graph_.nodes.size());
        made.outputs = {made.name + "_out"};
        value_ = made.outputs.front();
        graph_.nodes.push_back(std::move(made));
    }

    /// Returns what the layers make of the example.
    at::Tensor add_all(nn::SequentialImpl& model, const at::Tensor& example) {
        at::Tensor x = example;
        const auto children = model.named_children();
        for (std::size_t i = 0; i < children.size(); ++i) {
            nn::Module& layer = *children[i].value();
            place_ = children[i].key();
            sizes_ = x.sizes().vec();
            if (!add_weighted(layer) && !add_normed(layer) && !add_pool(layer) && !add_function(layer) &&
                !add_activation(layer) && !add_shape(layer))
                refuse(Message("{} is not a layer that it knows (accelerator/trainyard/onnx_export.h lists them)",
                               layer.name()));
            x = (model.begin() + static_cast<std::ptrdiff_t>(i))->forward<at::Tensor>(x);
        }
        return x;
    }

    /// A value for each channel, as it is added to or multiplied with [batch, channels, ...].
    Value of_channels(const char* name, const at::Tensor& values) {
        Sizes shape(std::max<std::size_t>(sizes_.size(), 2) - 1, 1);
        shape[0] = values.numel();
        return weight(name, values.reshape(shape));
    }
    Value integers(const Sizes& values) {
        kept_.push_back(at::tensor(values, at::kLong));
        const at::Tensor& kept = kept_.back();
        const Value name = fmt::format("{}.constant_{}", place_, ++constants_);
        graph_.initializers.push_back(
            {.name = name,
             .type = DataType::int64,
             .dims = {kept.numel()},
             .raw = {static_cast<const char*>(kept.const_data_ptr()), static_cast<std::size_t>(kept.nbytes())}});
        return name;
    }

    template <std::size_t D, class Convolution>
    bool transposed_convolution(nn::Module& module) {
        const auto* layer = module.as<Convolution>();
        if (layer == nullptr)
            return false;
        const auto& options = layer->options;
        const auto list = [](const auto& array) { return Sizes(array->begin(), array->end()); };
        const auto* padding = std::get_if<torch::ExpandingArray<D>>(&options.padding());
        if (padding == nullptr)
            refuse("its padding is not a number for each side");
        const Sizes sides = list(*padding);
        Sizes pads = sides;
        pads.insert(pads.end(), sides.begin(), sides.end());
        std::vector<Value> inputs{value_, weight("weight", layer->weight)};
        if (layer->bias.defined())
            inputs.push_back(weight("bias", layer->bias));
        node("ConvTranspose", inputs,
             {make_attribute("strides", list(options.stride())), make_attribute("pads", pads),
              make_attribute("dilations", list(options.dilation())), make_attribute("group", options.groups()),
              make_attribute("output_padding", list(options.output_padding()))});
        return true;
    }

    bool add_normed(nn::Module& module) {
        if (const auto* norm = module.as<nn::GroupNormImpl>()) {
            const std::int64_t groups = norm->options.num_groups();
            const Value x = value_;
            node("Shape", {x});
            const Value shape = value_;
            node("Reshape", {x, integers({0, groups, -1})});
            node("InstanceNormalization",
                 {value_, weight("ones", at::ones({groups})), weight("zeros", at::zeros({groups}))},
                 {make_attribute("epsilon", static_cast<float>(norm->options.eps()))});
            node("Reshape", {value_, shape});
            if (norm->weight.defined())
                node("Mul", {value_, of_channels("weight", norm->weight)});
            if (norm->bias.defined())
                node("Add", {value_, of_channels("bias", norm->bias)});
            return true;
        }
        if (const auto* slopes = module.as<nn::PReLUImpl>()) {
            node("PRelu", {value_, of_channels("weight", slopes->weight)});
            return true;
        }
        return transposed_convolution<1, nn::ConvTranspose1dImpl>(module) ||
               transposed_convolution<2, nn::ConvTranspose2dImpl>(module) ||
               transposed_convolution<3, nn::ConvTranspose3dImpl>(module);
    }

    bool add_activation(nn::Module& module) {
        const Value x = value_;
        const auto shrink = [&](double lambda, double bias) {
            node("Shrink", {x},
                 {make_attribute("lambd", static_cast<float>(lambda)),
                  make_attribute("bias", static_cast<float>(bias))});
        };
        if (const auto* celu = module.as<nn::CELUImpl>()) {
            node("Celu", {x}, {make_attribute("alpha", static_cast<float>(celu->options.alpha()))});
        } else if (module.as<nn::SoftsignImpl>() != nullptr) {
            node("Softsign", {x});
        } else if (module.as<nn::LogSigmoidImpl>() != nullptr) {
            node("Neg", {x});
            node("Softplus", {value_});
            node("Neg", {value_});
        } else if (const auto* hard = module.as<nn::HardshrinkImpl>()) {
            shrink(hard->options.lambda(), 0);
        } else if (const auto* soft = module.as<nn::SoftshrinkImpl>()) {
            shrink(soft->options.lambda(), soft->options.lambda());
        } else if (module.as<nn::TanhshrinkImpl>() != nullptr) {
            node("Tanh", {x});
            node("Sub", {x, value_});
        } else if (const auto* glu = module.as<nn::GLUImpl>()) {
            add_halves(x, glu->options.dim());
        } else {
            return false;
        }
        return true;
    }

    void add_halves(const Value& x, std::int64_t dim) {
        const std::size_t axis = static_cast<std::size_t>(dim < 0 ? dim + std::ssize(sizes_) : dim);
        if (axis == 0 || axis >= sizes_.size())
            refuse("GLU divides a dimension of a sample alone");
        const std::int64_t half = sizes_[axis] / 2;
        onnx::Node made{.op_type = "Split", .inputs = {x, integers({half, half})}};
        made.attributes = {make_attribute("axis", static_cast<std::int64_t>(axis))};
        made.name = fmt::format("{}.Split_{}", place_, graph_.nodes.size());
        made.outputs = {made.name + "_first", made.name + "_second"};
        const std::vector<Value> parts = made.outputs;
        graph_.nodes.push_back(std::move(made));
        node("Sigmoid", {parts[1]});
        node("Mul", {parts[0], value_});
    }

    bool add_shape(nn::Module& module) {
        if (const auto* shuffle = module.as<nn::PixelShuffleImpl>()) {
            node("DepthToSpace", {value_},
                 {make_attribute("blocksize", shuffle->options.upscale_factor()),
                  make_attribute("mode", std::string("CRD"))});
            return true;
        }
        if (const auto* zeros = module.as<nn::ZeroPad2dImpl>()) {
            const auto& sides = *zeros->options.padding();  // left, right, top, bottom
            node("Pad", {value_, integers({0, 0, sides[2], sides[0], 0, 0, sides[3], sides[1]}), number(0)});
            return true;
        }
        if (const auto* upsample = module.as<nn::UpsampleImpl>()) {
            const auto& options = upsample->options;
            const bool nearest = std::holds_alternative<torch::enumtype::kNearest>(options.mode());
            if (!nearest && !std::holds_alternative<torch::enumtype::kBilinear>(options.mode()))
                refuse("Upsample has operators for the modes nearest and bilinear alone");
            if (!options.scale_factor())
                refuse("Upsample has operators for a scale_factor alone, and not for a size");
            std::vector<float> scales{1, 1};
            for (const double factor : *options.scale_factor())
                scales.push_back(static_cast<float>(factor));
            if (scales.size() != sizes_.size())
                refuse("its scale_factor does not have a number for each dimension of the image");
            kept_.push_back(at::tensor(scales));
            const Value name = fmt::format("{}.constant_{}", place_, ++constants_);
            graph_.initializers.push_back({.name = name,
                                           .type = DataType::float32,
                                           .dims = {kept_.back().numel()},
                                           .raw = {static_cast<const char*>(kept_.back().const_data_ptr()),
                                                   static_cast<std::size_t>(kept_.back().nbytes())}});
            const bool aligned = options.align_corners().value_or(false);
            std::vector<Attribute> how{
                make_attribute("mode", std::string(nearest ? "nearest" : "linear")),
                make_attribute("coordinate_transformation_mode", std::string(nearest   ? "asymmetric"
                                                                             : aligned ? "align_corners"
                                                                                       : "half_pixel"))};
            if (nearest)
                how.push_back(make_attribute("nearest_mode", std::string("floor")));
            node("Resize", {value_, "", name}, how);
            return true;
        }
        return false;
    }

    template <std::size_t D, class Convolution>
    bool convolution(nn::Module& module) {
        const auto* layer = module.as<Convolution>();
        if (layer == nullptr)
            return false;
        const auto& options = layer->options;
        if (!std::holds_alternative<torch::enumtype::kZeros>(options.padding_mode()))
            refuse("its padding repeats or reflects the edge, and zeros alone have operators");
        Sizes pads(2 * D, 0);
        for (std::size_t i = 0; i < D; ++i) {
            if (const auto* given = std::get_if<torch::ExpandingArray<D>>(&options.padding())) {
                pads[i] = pads[D + i] = (**given)[i];
            } else if (std::holds_alternative<torch::enumtype::kSame>(options.padding())) {
                const std::int64_t both = (*options.dilation())[i] * ((*options.kernel_size())[i] - 1);
                pads[i] = both / 2;
                pads[D + i] = both - both / 2;
            }
        }
        std::vector<Value> inputs{value_, weight("weight", layer->weight)};
        if (options.bias())
            inputs.push_back(weight("bias", layer->bias));
        const auto list = [](const auto& array) { return Sizes(array->begin(), array->end()); };
        node("Conv", inputs,
             {make_attribute("strides", list(options.stride())), make_attribute("pads", pads),
              make_attribute("dilations", list(options.dilation())), make_attribute("group", options.groups())});
        return true;
    }

    template <class Norm>
    bool batch_norm(nn::Module& module) {
        const auto* layer = module.as<Norm>();
        if (layer == nullptr)
            return false;
        const auto& options = layer->options;
        if (!options.track_running_stats())
            refuse("it has no running statistics, and depends on the other samples");
        node("BatchNormalization",
             {value_, weight_or("weight", layer->weight, options.num_features(), 1),
              weight_or("bias", layer->bias, options.num_features(), 0), weight("running_mean", layer->running_mean),
              weight("running_var", layer->running_var)},
             {make_attribute("epsilon", static_cast<float>(options.eps()))});
        return true;
    }

    bool add_weighted(nn::Module& module) {
        if (const auto* linear = module.as<nn::LinearImpl>()) {
            node("MatMul",
                 {value_, weight("weight_transposed", linear->weight.defined() ? linear->weight.t() : linear->weight)});
            if (linear->bias.defined())
                node("Add", {value_, weight("bias", linear->bias)});
            return true;
        }
        if (const auto* table = module.as<nn::EmbeddingImpl>()) {
            if (table->options.max_norm())
                refuse("max_norm changes its rows when they are read");
            node("Gather", {weight("weight", table->weight), value_}, {make_attribute("axis", std::int64_t{0})});
            return true;
        }
        if (const auto* norm = module.as<nn::LayerNormImpl>()) {
            const Sizes& shape = norm->options.normalized_shape();
            std::vector<Value> inputs{value_,
                                      weight("weight", norm->weight.defined() ? norm->weight : at::ones(shape))};
            if (norm->bias.defined())
                inputs.push_back(weight("bias", norm->bias));
            node("LayerNormalization", inputs,
                 {make_attribute("axis", -std::ssize(shape)),
                  make_attribute("epsilon", static_cast<float>(norm->options.eps()))});
            return true;
        }
        return convolution<1, nn::Conv1dImpl>(module) || convolution<2, nn::Conv2dImpl>(module) ||
               convolution<3, nn::Conv3dImpl>(module) || batch_norm<nn::BatchNorm1dImpl>(module) ||
               batch_norm<nn::BatchNorm2dImpl>(module) || batch_norm<nn::BatchNorm3dImpl>(module);
    }

    template <std::size_t D, class Pool>
    bool pool(nn::Module& module, const char* op) {
        const auto* layer = module.as<Pool>();
        if (layer == nullptr)
            return false;
        const auto& options = layer->options;
        Sizes pads;
        for (int side = 0; side < 2; ++side)
            pads.insert(pads.end(), options.padding()->begin(), options.padding()->end());
        std::vector<Attribute> attributes{
            make_attribute("kernel_shape", Sizes(options.kernel_size()->begin(), options.kernel_size()->end())),
            make_attribute("strides", Sizes(options.stride()->begin(), options.stride()->end())),
            make_attribute("pads", pads), make_attribute("ceil_mode", std::int64_t{options.ceil_mode()})};
        if constexpr (requires { options.dilation(); }) {
            attributes.push_back(
                make_attribute("dilations", Sizes(options.dilation()->begin(), options.dilation()->end())));
        } else {
            if constexpr (requires { options.divisor_override(); })
                if (options.divisor_override())
                    refuse("divisor_override has no operators");
            if (options.ceil_mode())
                refuse("ceil_mode of an average counts other elements there");
            attributes.push_back(make_attribute("count_include_pad", std::int64_t{options.count_include_pad()}));
        }
        node(op, {value_}, attributes);
        return true;
    }

    template <class Pool>
    bool global_pool(nn::Module& module, const char* op) {
        const auto* layer = module.as<Pool>();
        if (layer == nullptr)
            return false;
        for (const auto& size : *layer->options.output_size())
            if (std::optional<std::int64_t>(size) != 1)
                refuse("an adaptive pool of another size than 1 has no operators");
        node(op, {value_});
        return true;
    }

    bool add_pool(nn::Module& module) {
        return pool<1, nn::MaxPool1dImpl>(module, "MaxPool") || pool<2, nn::MaxPool2dImpl>(module, "MaxPool") ||
               pool<3, nn::MaxPool3dImpl>(module, "MaxPool") || pool<1, nn::AvgPool1dImpl>(module, "AveragePool") ||
               pool<2, nn::AvgPool2dImpl>(module, "AveragePool") || pool<3, nn::AvgPool3dImpl>(module, "AveragePool") ||
               global_pool<nn::AdaptiveAvgPool1dImpl>(module, "GlobalAveragePool") ||
               global_pool<nn::AdaptiveAvgPool2dImpl>(module, "GlobalAveragePool") ||
               global_pool<nn::AdaptiveAvgPool3dImpl>(module, "GlobalAveragePool") ||
               global_pool<nn::AdaptiveMaxPool1dImpl>(module, "GlobalMaxPool") ||
               global_pool<nn::AdaptiveMaxPool2dImpl>(module, "GlobalMaxPool") ||
               global_pool<nn::AdaptiveMaxPool3dImpl>(module, "GlobalMaxPool");
    }

    bool add_function(nn::Module& module) {
        const auto real = [](const char* name, double value) {
            return make_attribute(name, static_cast<float>(value));
        };
        const auto is_any = [&]<class... Layers>(std::type_identity<Layers>...) {
            return (... || (module.as<Layers>() != nullptr));
        };
        using std::type_identity;
        if (is_any(type_identity<nn::DropoutImpl>(), type_identity<nn::Dropout2dImpl>(),
                   type_identity<nn::Dropout3dImpl>(), type_identity<nn::AlphaDropoutImpl>(),
                   type_identity<nn::FeatureAlphaDropoutImpl>(), type_identity<nn::IdentityImpl>()))
            return true;  // in evaluation
        const Value x = value_;
        if (const auto* flatten = module.as<nn::FlattenImpl>()) {
            if (flatten->options.start_dim() != 1 || flatten->options.end_dim() != -1)
                refuse("Flatten has operators from the first dimension of a sample to the last one alone");
            node("Flatten", {x}, {make_attribute("axis", std::int64_t{1})});
        } else if (module.as<nn::ReLUImpl>() != nullptr) {
            node("Relu", {x});
        } else if (module.as<nn::ReLU6Impl>() != nullptr) {
            node("Clip", {x, number(0), number(6)});
        } else if (const auto* tanh = module.as<nn::HardtanhImpl>()) {
            node("Clip", {x, number(static_cast<float>(tanh->options.min_val())),
                          number(static_cast<float>(tanh->options.max_val()))});
        } else if (const auto* leaky = module.as<nn::LeakyReLUImpl>()) {
            node("LeakyRelu", {x}, {real("alpha", leaky->options.negative_slope())});
        } else if (const auto* elu = module.as<nn::ELUImpl>()) {
            node("Elu", {x}, {real("alpha", elu->options.alpha())});
        } else if (module.as<nn::SELUImpl>() != nullptr) {
            node("Selu", {x});
        } else if (const auto* gelu = module.as<nn::GELUImpl>()) {
            add_gelu(x, gelu->options.approximate() == "tanh");
        } else if (module.as<nn::SiLUImpl>() != nullptr) {
            node("Sigmoid", {x});
            node("Mul", {x, value_});
        } else if (module.as<nn::MishImpl>() != nullptr) {
            node("Softplus", {x});
            node("Tanh", {value_});
            node("Mul", {x, value_});
        } else if (module.as<nn::SigmoidImpl>() != nullptr) {
            node("Sigmoid", {x});
        } else if (module.as<nn::TanhImpl>() != nullptr) {
            node("Tanh", {x});
        } else if (const auto* softplus = module.as<nn::SoftplusImpl>()) {
            if (softplus->options.beta() != 1)
                refuse("Softplus has operators for beta 1 alone");
            node("Softplus", {x});
        } else if (const auto* softmax = module.as<nn::SoftmaxImpl>()) {
            node("Softmax", {x}, {make_attribute("axis", softmax->options.dim())});
        } else if (const auto* logarithm = module.as<nn::LogSoftmaxImpl>()) {
            node("LogSoftmax", {x}, {make_attribute("axis", logarithm->options.dim())});
        } else {
            return false;
        }
        return true;
    }

    void add_gelu(const Value& x, bool by_tanh) {
        if (by_tanh) {
            node("Mul", {x, x});
            node("Mul", {value_, x});
            node("Mul", {value_, number(0.044715F)});
            node("Add", {value_, x});
            node("Mul", {value_, number(0.7978845608028654F)});  // root of 2 / pi
            node("Tanh", {value_});
        } else {
            node("Mul", {x, number(0.7071067811865476F)});  // 1 / root of 2
            node("Erf", {value_});
        }
        node("Add", {value_, number(1)});
        node("Mul", {value_, x});
        node("Mul", {value_, number(0.5F)});
    }

    onnx::Graph graph_;
    std::list<at::Tensor> kept_;  ///< which the graph has views of
    std::string place_;           ///< name of a layer: "3"
    Sizes sizes_;                 ///< what the layer takes of the example
    Value value_ = "input";
    int constants_ = 0;
};

}  // namespace

}  // namespace trainyard::sequential_onnx

namespace trainyard {

void export_onnx(const torch::nn::Sequential& model, const at::Tensor& example, const std::filesystem::path& file) {
    sequential_onnx::OnnxModules modules;
    modules.build(*model.ptr(), example);
    write_file_atomically(file, modules.bytes(), true, kUserFileMode);
}

}  // namespace trainyard
