// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/spec/segformer/segformer_family.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json_writer.h"
#include "models/spec/config_keys.h"
#include "models/spec/labels.h"
#include "models/spec/tasks.h"

namespace trainyard::families {

namespace {

/// Lists with a number for each stage, and the largest that one of them may have.
struct StageList {
    const char* key;
    JsonText ModelConfig::*member;
    std::int64_t most;
};

constexpr std::int64_t kMostReduction = 1 << 12;

const std::vector<StageList>& stage_lists() {
    static const std::vector<StageList> lists{{"hidden_sizes", &ModelConfig::hidden_sizes, 1 << 20},
                                              {"sr_ratios", &ModelConfig::sr_ratios, kMostReduction},
                                              {"patch_sizes", &ModelConfig::patch_sizes, kMostReduction},
                                              {"strides", &ModelConfig::strides, kMostReduction},
                                              {"stage_heads", &ModelConfig::stage_heads, 1 << 12},
                                              {"mlp_ratios", &ModelConfig::mlp_ratios, 1 << 12}};
    return lists;
}

FamilyRow segformer_row() {
    using keys::M;
    FamilyRow row{
        "segformer",
        "SegformerModel",
        "segformer.",
        "",
        {{kSemanticSegmentation, "SegformerForSemanticSegmentation"},
         {kImageClassification, "SegformerForImageClassification"}},
        {keys::size("num_channels", &M::num_channels),
         keys::optional_size("num_encoder_blocks", &M::num_encoder_blocks,
                             "Stages of the encoder; 0: as many as depths has numbers."),
         keys::table("depths", &M::depths, "Blocks of each stage: a list."),
         keys::table("hidden_sizes", &M::hidden_sizes, "Channels of each stage: a list."),
         keys::table("sr_ratios", &M::sr_ratios,
                     "SegFormer, by stage: keys and values are of squares with sides of so many positions."),
         keys::table("patch_sizes", &M::patch_sizes, "SegFormer, by stage: positions of a side of a patch."),
         keys::table("strides", &M::strides, "SegFormer, by stage: positions from one patch to the next."),
         keys::table("stage_heads", &M::stage_heads,
                     "SegFormer, by stage: attention heads; num_attention_heads in its config.json."),
         keys::table("mlp_ratios", &M::mlp_ratios,
                     "SegFormer, by stage: width inside the feed-forward layers, in widths of the stage."),
         keys::word("hidden_act", &M::activation_function),
         keys::rate("hidden_dropout_prob", &M::resid_pdrop),
         keys::rate("attention_probs_dropout_prob", &M::attn_pdrop),
         keys::rate("classifier_dropout_prob", &M::classifier_dropout,
                    "SegFormer: dropout before the classifier of the pixels."),
         keys::rate("drop_path_rate", &M::drop_path_rate,
                    "Share of the samples that skip the last block in training; earlier blocks are skipped less."),
         {.name = "initializer_range", .member = &M::initializer_range, .least = 0, .most = 10},
         keys::size("decoder_hidden_size", &M::decoder_hidden_size, "SegFormer: channels of the decoder."),
         {.name = "semantic_loss_ignore_index",
          .member = &M::semantic_loss_ignore_index,
          .least = -1,
          .most = 65535,
          .help = "Value of pixels whose class is not counted."},
         {.name = "num_labels", .member = &M::num_labels, .least = 1, .most = 1 << 24},
         keys::table("id2label", &M::id2label, "", false),
         keys::word("problem_type", &M::problem_type)},
        // The norms of transformers' SegFormer have the epsilon of torch, whatever layer_norm_eps says.
        {"layer_norm_eps", "image_size", "downsampling_rates", "out_features", "out_indices", "stage_names"},
        {.no_split = {{"stages.#", "SegformerStage"}},
         .renamed = {{"encoder.patch_embeddings.#.", "stages.#.patch_embeddings."},
                     {"encoder.block.#.", "stages.#.blocks."},
                     {"encoder.layer_norm.#.", "stages.#.layer_norm."},
                     {"attention.self.query", "attention.q_proj"},
                     {"attention.self.key", "attention.k_proj"},
                     {"attention.self.value", "attention.v_proj"},
                     {"attention.self.sr", "attention.sequence_reduction.sequence_reduction"},
                     {"attention.self.layer_norm", "attention.sequence_reduction.layer_norm"},
                     {"attention.output.dense", "attention.o_proj"},
                     {"mlp.dense1", "mlp.fc1"},
                     {"mlp.dense2", "mlp.fc2"},
                     {"layer_norm_1", "layernorm_before"},
                     {"layer_norm_2", "layernorm_after"},
                     {"decode_head.linear_c.", "decode_head.linear_projections."}}},
        {{"reshape_last_stage", "true"}}};
    row.keys.back().of_weights = false;
    const auto heads = std::ranges::find(row.keys, "stage_heads", &ConfigKey::name);
    heads->in_files = "num_attention_heads";
    return row;
}

class SegformerFamily final : public Family {
  public:
    SegformerFamily() : Family(segformer_row()) {}
    Network network() const override { return Network::segformer; }
    std::string image_processor() const override { return "Segformer"; }

    ModelConfig defaults() const override {
        ModelConfig config;
        config.model_type = "segformer";
        config.task = kSemanticSegmentation;
        config.activation_function = "gelu";
        config.num_encoder_blocks = 4;
        config.depths.text = "[2,2,2,2]";
        config.sr_ratios.text = "[8,4,2,1]";
        config.hidden_sizes.text = "[32,64,160,256]";
        config.patch_sizes.text = "[7,3,3,3]";
        config.strides.text = "[4,2,2,2]";
        config.stage_heads.text = "[1,2,5,8]";
        config.mlp_ratios.text = "[4,4,4,4]";
        config.classifier_dropout = 0.1;
        config.drop_path_rate = 0.1;
        return config;
    }
    ModelConfig small() const override {
        ModelConfig config = defaults();
        config.num_encoder_blocks = 0;
        config.depths.text = "[1,1]";
        config.sr_ratios.text = "[2,1]";
        config.hidden_sizes.text = "[16,32]";
        config.patch_sizes.text = "[7,3]";
        config.strides.text = "[4,2]";
        config.stage_heads.text = "[1,2]";
        config.mlp_ratios.text = "[4,4]";
        config.decoder_hidden_size = 32;
        config.classifier_dropout = config.drop_path_rate = 0;
        config.image_size = 32;
        return config;
    }
    ModelConfig resolved(const ModelConfig& config) const override {
        ModelConfig made = with_label_names(config);
        made.num_encoder_blocks = std::ssize(keys::sizes_of(config.depths));
        return made;
    }
    void modernise(nlohmann::json& config) const override { count_labels(config); }

    std::vector<ConfigProblem> problems(const ModelConfig& config) const override {
        std::vector<ConfigProblem> found;
        const auto depths = keys::sizes_of(config.depths);
        if (depths.empty())
            found.push_back({"depths", {}, "must list the layers of each stage, such as [2, 2]"});
        for (const StageList& list : stage_lists()) {
            const auto sizes = keys::sizes_of(config.*list.member);
            if (sizes.empty())
                found.push_back({list.key, {}, "must be a list with a whole number from 1 on for each stage"});
            else if (*std::ranges::max_element(sizes) > list.most)
                found.push_back({list.key, {}, Message("must have numbers of at most {}", list.most)});
            else if (!depths.empty() && sizes.size() != depths.size())
                found.push_back({list.key,
                                 {"depths"},
                                 Message("has {} numbers, and depths has {} stages", sizes.size(), depths.size())});
        }
        if (config.num_encoder_blocks != 0 && std::cmp_not_equal(config.num_encoder_blocks, depths.size()))
            found.push_back({"num_encoder_blocks",
                             {"depths"},
                             Message("is {}, and depths has {} stages", config.num_encoder_blocks, depths.size())});
        const auto widths = keys::sizes_of(config.hidden_sizes), heads = keys::sizes_of(config.stage_heads);
        for (std::size_t stage = 0; stage < std::min(widths.size(), heads.size()); ++stage)
            if (widths[stage] % heads[stage] != 0) {
                found.push_back({"stage_heads",
                                 {"hidden_sizes"},
                                 Message("{} heads cannot share {} channels: hidden_sizes must be multiples of "
                                         "stage_heads",
                                         heads[stage], widths[stage])});
                break;
            }
        if (config.num_labels < 2 && config.task == kSemanticSegmentation)
            found.push_back({"num_labels", {}, "a single class is always right: give num_labels from 2 on"});
        check_activation("hidden_act", config.activation_function, found);
        check_labels(config, found);
        return found;
    }

    std::vector<TensorShape> tensors(const ModelConfig& config) const override {
        std::vector<TensorShape> all;
        Part part = Part::embedding;
        std::int64_t block = 0;
        const Start start{Start::Kind::normal, config.initializer_range}, zeros{Start::Kind::zeros, 0},
            ones{Start::Kind::ones, 0};
        const auto add = [&](const std::string& module, std::vector<std::int64_t> shape, bool bias = true) {
            const std::int64_t out = shape[0];
            const bool head = part == Part::head;
            all.push_back({module + ".weight", std::move(shape), part, block, false, start, head});
            if (bias)
                all.push_back({module + ".bias", {out}, part, block, false, zeros, head});
        };
        const auto add_norm = [&](const std::string& module, std::int64_t width) {
            all.push_back({module + ".weight", {width}, part, block, false, ones, part == Part::head});
            all.push_back({module + ".bias", {width}, part, block, false, zeros, part == Part::head});
        };
        const SegformerPlan plan = segformer_plan(config);
        for (std::size_t number = 0; number < plan.stages.size(); ++number) {
            const SegformerStage& stage = plan.stages[number];
            part = number == 0 ? Part::embedding : Part::block;
            block = number == 0 ? 0 : stage.first_block;
            add(stage.patches + ".proj", {stage.width, stage.in, stage.patch, stage.patch});
            add_norm(stage.patches + ".layer_norm", stage.width);
            part = Part::block;
            for (std::int64_t own = 0; own < stage.blocks; ++own) {
                block = stage.first_block + own;
                const std::string name = SegformerPlan::block_name(number, own) + ".";
                add_norm(name + "layer_norm_1", stage.width);
                for (const char* each : {"self.query", "self.key", "self.value", "output.dense"})
                    add(name + "attention." + each, {stage.width, stage.width});
                if (stage.reduction > 1) {
                    add(name + "attention.self.sr", {stage.width, stage.width, stage.reduction, stage.reduction});
                    add_norm(name + "attention.self.layer_norm", stage.width);
                }
                add_norm(name + "layer_norm_2", stage.width);
                add(name + "mlp.dense1", {stage.inner, stage.width});
                add(name + "mlp.dwconv.dwconv", {stage.inner, 1, 3, 3});
                add(name + "mlp.dense2", {stage.width, stage.inner});
            }
            add_norm(stage.norm, stage.width);
        }
        part = Part::head;
        block = 0;
        if (config.task == kImageClassification) {
            add("classifier", {config.num_labels, plan.stages.empty() ? 1 : plan.stages.back().width});
            return all;
        }
        const std::int64_t width = config.decoder_hidden_size;
        for (std::size_t number = 0; number < plan.stages.size(); ++number)
            add(SegformerPlan::projection_name(number), {width, plan.stages[number].width});
        add("decode_head.linear_fuse", {width, width * std::ssize(plan.stages), 1, 1}, false);
        add_norm("decode_head.batch_norm", width);
        add("decode_head.classifier", {config.num_labels, width, 1, 1});
        return all;
    }

    std::vector<TensorShape> buffers(const ModelConfig& config) const override {
        const std::string norm = "decode_head.batch_norm.";
        std::vector<TensorShape> all;
        if (config.task == kImageClassification)
            return all;
        for (const char* each : {"running_mean", "running_var"})
            all.push_back({norm + each, {config.decoder_hidden_size}, Part::head, 0, false, {}, true});
        all.push_back({norm + "num_batches_tracked", {}, Part::head, 0, false, {}, true});
        return all;
    }

    LayerCounts shorten(ModelConfig& config) const override {
        LayerCounts counts;
        std::vector<std::int64_t> depths = keys::sizes_of(config.depths);
        for (std::size_t stage = 0; stage < depths.size(); ++stage)
            counts.insert(cut(fmt::format("segformer.encoder.block.{}.", stage), depths[stage]));
        config.depths.text = json_text(nlohmann::json(depths));
        return counts;
    }

    std::vector<double> block_costs(const ModelConfig& config, const SampleSize& size) const override {
        const SegformerPlan plan = segformer_plan(config);
        const std::vector<FeatureGrid> grids = plan.grids(image_of(size));
        std::vector<double> costs;
        double head = 0;
        for (std::size_t number = 0; number < plan.stages.size(); ++number) {
            const SegformerStage& stage = plan.stages[number];
            const auto rows = as_real(grids[number].size()), keys = as_real(stage.key_grid(grids[number]).size());
            const auto width = as_real(stage.width), inner = as_real(stage.inner);
            const double reduced = stage.reduction > 1 ? as_real(stage.reduction * stage.reduction) : 0;
            const double block = rows * (2 * width * width + 2 * width * inner + 9 * inner) +
                                 keys * width * width * (2 + reduced) + 2 * rows * keys * width;
            costs.insert(costs.end(), static_cast<std::size_t>(stage.blocks), block);
            if (number > 0)
                costs[static_cast<std::size_t>(stage.first_block)] += patch_cost(stage, grids[number]);
            const auto decoder = as_real(config.decoder_hidden_size);
            head += rows * width * decoder + as_real(grids.front().size()) * decoder * decoder;
        }
        head += as_real(grids.empty() ? 0 : grids.front().size() * config.decoder_hidden_size * config.num_labels);
        if (config.task == kImageClassification)
            head = as_real(plan.stages.empty() ? 0 : plan.stages.back().width * config.num_labels);
        if (!costs.empty())
            costs.back() += head;
        return costs;
    }
    double rows_of_block(const ModelConfig& config, const SampleSize& size) const override {
        const std::vector<FeatureGrid> grids = segformer_plan(config).grids(image_of(size));
        return grids.empty() ? 0 : as_real(grids.front().size());
    }
    double image_cost(const ModelConfig& config, const SampleSize& size) const override {
        const SegformerPlan plan = segformer_plan(config);
        return plan.stages.empty() ? 0 : patch_cost(plan.stages.front(), plan.stages.front().grid(image_of(size)));
    }

  private:
    static double as_real(std::int64_t number) { return static_cast<double>(number); }
    static double patch_cost(const SegformerStage& stage, const FeatureGrid& grid) {
        return as_real(grid.size()) * as_real(stage.in * stage.width * stage.patch * stage.patch);
    }
    /// The size that SegFormer was published with, where that of the images is not known.
    static FeatureGrid image_of(const SampleSize& size) {
        return size.height > 0 && size.width > 0 ? FeatureGrid{size.height, size.width} : FeatureGrid{512, 512};
    }
};

}  // namespace

const Family& segformer_family() {
    static const SegformerFamily family;
    return family;
}

FeatureGrid SegformerStage::grid(const FeatureGrid& input) const {
    const auto steps = [&](std::int64_t side) {
        const std::int64_t room = side + 2 * (patch / 2) - patch;
        return side < 1 || room < 0 ? 0 : room / stride + 1;
    };
    return {steps(input.height), steps(input.width)};
}

std::string SegformerPlan::block_name(std::size_t stage, std::int64_t number) {
    return fmt::format("segformer.encoder.block.{}.{}", stage, number);
}

std::string SegformerPlan::projection_name(std::size_t stage) {
    return fmt::format("decode_head.linear_c.{}.proj", stage);
}

std::vector<FeatureGrid> SegformerPlan::grids(FeatureGrid image) const {
    std::vector<FeatureGrid> all;
    for (const SegformerStage& stage : stages) {
        image = stage.grid(image);
        all.push_back(image);
    }
    return all;
}

Message SegformerPlan::why_too_small(const FeatureGrid& image) const {
    const auto fits = [&](std::int64_t side) {
        const std::vector<FeatureGrid> all = grids({side, side});
        for (std::size_t stage = 0; stage < stages.size(); ++stage)
            if (stages[stage].key_grid(all[stage]).height < 1)
                return false;
        return true;
    };
    const std::int64_t side = std::min(image.height, image.width);
    if (fits(side))
        return {};
    constexpr std::int64_t kMostTried = 1 << 20;
    std::int64_t least = side + 1;
    while (least < kMostTried && !fits(least))
        ++least;
    return Message(
        "images of {} × {} pixels are too small for model.strides and model.sr_ratios, which leave nothing of sides "
        "below {} pixels: take larger images, or smaller numbers there",
        image.width, image.height, least);
}

SegformerPlan segformer_plan(const ModelConfig& config) {
    SegformerPlan plan;
    const auto depths = keys::sizes_of(config.depths);
    std::vector<std::vector<std::int64_t>> lists;
    for (const StageList& list : stage_lists())
        lists.push_back(keys::sizes_of(config.*list.member));
    std::int64_t in = config.num_channels;
    for (std::size_t number = 0; number < depths.size(); ++number) {
        if (std::ranges::any_of(lists, [&](const auto& list) { return list.size() <= number; }))
            break;  // problems() names the list
        SegformerStage stage;
        stage.in = in;
        stage.width = in = lists[0][number];
        stage.reduction = lists[1][number];
        stage.patch = lists[2][number];
        stage.stride = lists[3][number];
        stage.heads = lists[4][number];
        stage.inner = stage.width * lists[5][number];
        stage.first_block = plan.blocks;
        stage.blocks = depths[number];
        stage.patches = fmt::format("segformer.encoder.patch_embeddings.{}", number);
        stage.norm = fmt::format("segformer.encoder.layer_norm.{}", number);
        plan.blocks += stage.blocks;
        plan.stages.push_back(std::move(stage));
    }
    return plan;
}

}  // namespace trainyard::families
