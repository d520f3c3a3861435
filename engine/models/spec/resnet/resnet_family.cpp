// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/spec/resnet/resnet_family.h"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json_writer.h"
#include "models/spec/config_keys.h"
#include "models/spec/labels.h"
#include "models/spec/tasks.h"

namespace trainyard::families {

namespace {

using M = ModelConfig;
using keys::sizes_of;

FamilyRow resnet_row() {
    FamilyRow row{"resnet",
                  "ResNetModel",
                  "resnet.",
                  "",
                  {{kImageClassification, "ResNetForImageClassification"}},
                  {keys::size("num_channels", &M::num_channels, "Colours of an image."),
                   keys::size("embedding_size", &M::embedding_size, "Channels after the first convolution."),
                   keys::table("hidden_sizes", &M::hidden_sizes, "Channels of each stage: a list."),
                   keys::table("depths", &M::depths, "Layers of each stage: a list."),
                   keys::word("layer_type", &M::layer_type, "basic: two convolutions a layer; bottleneck: three."),
                   keys::word("hidden_act", &M::activation_function),
                   keys::choice("downsample_in_first_stage", &M::downsample_in_first_stage,
                                "The first stage halves the image, too."),
                   keys::choice("downsample_in_bottleneck", &M::downsample_in_bottleneck,
                                "The first convolution of a bottleneck halves the image, not the second."),
                   {.name = "num_labels", .member = &M::num_labels, .least = 1, .most = 1 << 24},
                   keys::table("id2label", &M::id2label, "", false),
                   keys::word("problem_type", &M::problem_type)},
                  {"out_features", "out_indices", "stage_names"},
                  {.no_split = {{"embedder.embedder", "ResNetConvLayer"},
                                {"layer.#", "ResNetConvLayer"},
                                {"shortcut", "ResNetShortCut"}}}};
    row.keys.back().of_weights = false;
    return row;
}

class ResNetFamily final : public Family {
  public:
    ResNetFamily() : Family(resnet_row()) {}
    Network network() const override { return Network::resnet; }
    std::string image_processor() const override { return "ConvNext"; }

    ModelConfig defaults() const override {
        ModelConfig config;
        config.model_type = "resnet";
        config.task = kImageClassification;
        config.activation_function = "relu";
        config.hidden_sizes.text = "[256,512,1024,2048]";
        config.depths.text = "[3,4,6,3]";
        return config;
    }
    ModelConfig small() const override {
        ModelConfig config = defaults();
        config.embedding_size = 16;
        config.hidden_sizes.text = "[16,32]";
        config.depths.text = "[2,2]";
        config.layer_type = "basic";
        config.image_size = 32;
        return config;
    }
    ModelConfig resolved(const ModelConfig& config) const override { return with_label_names(config); }
    void modernise(nlohmann::json& config) const override { count_labels(config); }

    std::vector<ConfigProblem> problems(const ModelConfig& config) const override {
        std::vector<ConfigProblem> found;
        const auto sizes = sizes_of(config.hidden_sizes), depths = sizes_of(config.depths);
        if (sizes.empty())
            found.push_back({"hidden_sizes", {}, "must list the channels of each stage, such as [64, 128]"});
        if (depths.empty())
            found.push_back({"depths", {}, "must list the layers of each stage, such as [2, 2]"});
        if (!sizes.empty() && !depths.empty() && sizes.size() != depths.size())
            found.push_back({"depths",
                             {"hidden_sizes"},
                             Message("has {} stages, and hidden_sizes has {}", depths.size(), sizes.size())});
        if (config.layer_type != "basic" && config.layer_type != "bottleneck")
            found.push_back(
                {"layer_type", {}, Message("'{}' is not known: use basic or bottleneck", config.layer_type)});
        else if (config.layer_type == "bottleneck")
            for (std::int64_t size : sizes)
                if (size % 4 != 0) {
                    found.push_back({"hidden_sizes",
                                     {"layer_type"},
                                     Message("{} is not a multiple of 4, which bottleneck layers need", size)});
                    break;
                }
        check_activation("hidden_act", config.activation_function, found);
        check_labels(config, found);
        return found;
    }

    std::vector<TensorShape> tensors(const ModelConfig& config) const override {
        std::vector<TensorShape> all;
        const ResNetPlan plan = resnet_plan(config);
        walk(plan, [&](const ResNetConvolution& each, Part part, std::int64_t block) {
            const double deviation = std::sqrt(2.0 / static_cast<double>(each.out * each.kernel * each.kernel));
            all.push_back({each.name + ".convolution.weight",
                           {each.out, each.in, each.kernel, each.kernel},
                           part,
                           block,
                           false,
                           {Start::Kind::normal, deviation}});
            all.push_back(
                {each.name + ".normalization.weight", {each.out}, part, block, false, {Start::Kind::ones, 0}});
            all.push_back({each.name + ".normalization.bias", {each.out}, part, block, false, {Start::Kind::zeros, 0}});
        });
        const Start uniform{Start::Kind::normal, 1 / std::sqrt(3.0 * static_cast<double>(plan.width))};
        all.push_back({"classifier.1.weight", {config.num_labels, plan.width}, Part::head, 0, false, uniform, true});
        all.push_back({"classifier.1.bias", {config.num_labels}, Part::head, 0, false, {Start::Kind::zeros, 0}, true});
        return all;
    }

    std::vector<TensorShape> buffers(const ModelConfig& config) const override {
        std::vector<TensorShape> all;
        walk(resnet_plan(config), [&](const ResNetConvolution& each, Part part, std::int64_t block) {
            all.push_back({each.name + ".normalization.running_mean", {each.out}, part, block});
            all.push_back({each.name + ".normalization.running_var", {each.out}, part, block});
            all.push_back({each.name + ".normalization.num_batches_tracked", {}, part, block});
        });
        return all;
    }

    LayerCounts shorten(ModelConfig& config) const override {
        LayerCounts counts;
        std::vector<std::int64_t> depths = sizes_of(config.depths);
        for (std::size_t stage = 0; stage < depths.size(); ++stage)
            counts.insert(cut(fmt::format("resnet.encoder.stages.{}.layers.", stage), depths[stage]));
        config.depths.text = json_text(nlohmann::json(depths));
        return counts;
    }

    std::vector<double> block_costs(const ModelConfig& config, const SampleSize& size) const override {
        const ResNetPlan plan = resnet_plan(config);
        Picture picture = picture_of(size);
        convolved(plan.embedder, picture);
        picture.shrink(2);  // the pooling in front of the first stage
        std::vector<double> costs;
        for (const ResNetLayer& layer : plan.layers) {
            Picture shortcut = picture;
            double cost = 0;
            for (const ResNetConvolution& each : layer.shortcut)
                cost += convolved(each, shortcut);
            for (const ResNetConvolution& each : layer.convolutions)
                cost += convolved(each, picture);
            costs.push_back(cost);
        }
        if (!costs.empty())
            costs.back() += static_cast<double>(plan.width * config.num_labels);
        return costs;
    }

    double image_cost(const ModelConfig& config, const SampleSize& size) const override {
        Picture picture = picture_of(size);
        return convolved(resnet_plan(config).embedder, picture);
    }

  private:
    struct Picture {
        std::int64_t height, width;
        void shrink(std::int64_t stride) {
            height = (height + stride - 1) / stride;
            width = (width + stride - 1) / stride;
        }
    };
    /// The family has no size of its own: where it is not known, the one that ResNet was published with. Shares of
    /// the blocks hardly depend on it.
    static Picture picture_of(const SampleSize& size) {
        return size.height > 0 && size.width > 0 ? Picture{size.height, size.width} : Picture{224, 224};
    }
    /// Multiplications of one convolution, padded by half a kernel; the picture becomes its output.
    static double convolved(const ResNetConvolution& each, Picture& picture) {
        picture.shrink(each.stride);
        return static_cast<double>(picture.height * picture.width) *
               static_cast<double>(each.out * each.in * each.kernel * each.kernel);
    }
    template <class Visit>
    static void walk(const ResNetPlan& plan, Visit visit) {
        visit(plan.embedder, Part::embedding, 0);
        std::int64_t block = 0;
        for (const ResNetLayer& layer : plan.layers) {
            for (const auto* part : {&layer.shortcut, &layer.convolutions})
                for (const ResNetConvolution& each : *part)
                    visit(each, Part::block, block);
            ++block;
        }
    }
};

}  // namespace

const Family& resnet_family() {
    static const ResNetFamily family;
    return family;
}

ResNetPlan resnet_plan(const ModelConfig& config) {
    ResNetPlan plan;
    plan.embedder = {"resnet.embedder.embedder", config.num_channels, config.embedding_size, 7, 2, true};
    plan.width = config.embedding_size;
    const auto sizes = sizes_of(config.hidden_sizes), depths = sizes_of(config.depths);
    for (std::size_t stage = 0; stage < std::min(sizes.size(), depths.size()); ++stage) {
        const std::int64_t out = sizes[stage];
        for (std::int64_t number = 0; number < depths[stage]; ++number) {
            const std::string name = fmt::format("resnet.encoder.stages.{}.layers.{}.", stage, number);
            const std::int64_t stride = number == 0 && (stage > 0 || config.downsample_in_first_stage) ? 2 : 1;
            ResNetLayer layer;
            if (plan.width != out || stride != 1)
                layer.shortcut.push_back({name + "shortcut", plan.width, out, 1, stride, false});
            if (config.layer_type == "basic") {
                layer.convolutions = {{name + "layer.0", plan.width, out, 3, stride, true},
                                      {name + "layer.1", out, out, 3, 1, false}};
            } else {
                const std::int64_t narrow = out / 4;
                const bool early = config.downsample_in_bottleneck;
                layer.convolutions = {{name + "layer.0", plan.width, narrow, 1, early ? stride : 1, true},
                                      {name + "layer.1", narrow, narrow, 3, early ? 1 : stride, true},
                                      {name + "layer.2", narrow, out, 1, 1, false}};
            }
            plan.layers.push_back(std::move(layer));
            plan.width = out;
        }
    }
    return plan;
}

}  // namespace trainyard::families
