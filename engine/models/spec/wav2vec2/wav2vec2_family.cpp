// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/spec/wav2vec2/wav2vec2_family.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "models/spec/config_keys.h"
#include "models/spec/tasks.h"

namespace trainyard::families {

namespace {

constexpr std::int64_t kMostConvolution = 1 << 16;  ///< of its numbers

struct ConvolutionList {
    const char* key;
    JsonText ModelConfig::*member;
};

constexpr std::array<ConvolutionList, 3> kConvolutionLists{{{"conv_dim", &ModelConfig::conv_dim},
                                                            {"conv_kernel", &ModelConfig::conv_kernel},
                                                            {"conv_stride", &ModelConfig::conv_stride}}};

ConfigKey of_training(ConfigKey key) {
    key.of_weights = false;
    return key;
}

FamilyRow wav2vec2_row() {
    using keys::M;
    return {
        "wav2vec2",
        "Wav2Vec2Model",
        "wav2vec2.",
        "",
        {{kSpeechPretraining, "Wav2Vec2ForPreTraining"}},
        {keys::size("hidden_size", &M::n_embd),
         keys::size("num_hidden_layers", &M::n_layer),
         keys::size("num_attention_heads", &M::n_head),
         keys::size("intermediate_size", &M::n_inner),
         keys::word("hidden_act", &M::activation_function),
         keys::rate("hidden_dropout", &M::resid_pdrop),
         keys::rate("activation_dropout", &M::activation_dropout, "Dropout inside the feed-forward layers."),
         keys::rate("attention_dropout", &M::attn_pdrop),
         keys::rate("feat_proj_dropout", &M::feat_proj_dropout, "wav2vec 2.0: dropout of what the blocks read."),
         keys::rate("feat_quantizer_dropout", &M::feat_quantizer_dropout,
                    "wav2vec 2.0: dropout of what codes are chosen by."),
         keys::rate("layerdrop", &M::layerdrop, "Share of the steps in which a block is skipped."),
         {.name = "initializer_range", .member = &M::initializer_range, .least = 0, .most = 10},
         keys::number("layer_norm_eps", &M::layer_norm_epsilon, 1, "Added to the variance in layer norms."),
         keys::word("feat_extract_norm", &M::feat_extract_norm,
                    "wav2vec 2.0: norm of the convolutions: layer, of each; group, of the first."),
         keys::word("feat_extract_activation", &M::feat_extract_activation,
                    "wav2vec 2.0: function behind each convolution, by its name in transformers."),
         keys::table("conv_dim", &M::conv_dim,
                     "wav2vec 2.0: channels of each convolution in front of the blocks: a list."),
         keys::table("conv_kernel", &M::conv_kernel, "wav2vec 2.0: positions that each of them sees."),
         keys::table("conv_stride", &M::conv_stride, "wav2vec 2.0: positions from one of its outputs to the next."),
         keys::choice("conv_bias", &M::conv_bias, "wav2vec 2.0: the convolutions have biases."),
         keys::size("num_conv_pos_embeddings", &M::num_conv_pos_embeddings,
                    "wav2vec 2.0: frames that the convolution sees which stands for positions."),
         keys::size("num_conv_pos_embedding_groups", &M::num_conv_pos_embedding_groups,
                    "wav2vec 2.0: parts of the channels that this convolution keeps apart."),
         keys::choice("do_stable_layer_norm", &M::do_stable_layer_norm,
                      "wav2vec 2.0: norms come before attention and feed-forward, not after them."),
         of_training(keys::number("mask_time_prob", &M::mask_time_prob, 1,
                                  "wav2vec 2.0: share of the frames that masks cover, were there no overlaps; 0.65 is "
                                  "usual in pre-training.")),
         of_training(keys::size("mask_time_length", &M::mask_time_length, "wav2vec 2.0: frames of a mask.")),
         {.name = "mask_time_min_masks",
          .member = &M::mask_time_min_masks,
          .least = 0,
          .most = keys::kLargestSize,
          .help = "wav2vec 2.0: masks of a recording at least."},
         keys::size("num_codevectors_per_group", &M::num_codevectors_per_group,
                    "wav2vec 2.0: codes of each group, of which a frame has one."),
         keys::size("num_codevector_groups", &M::num_codevector_groups, "wav2vec 2.0: groups of codes."),
         keys::size("codevector_dim", &M::codevector_dim, "wav2vec 2.0: width of a frame's codes together."),
         keys::size("proj_codevector_dim", &M::proj_codevector_dim,
                    "wav2vec 2.0: width in which frames are compared with codes."),
         of_training(keys::size("num_negatives", &M::num_negatives,
                                "wav2vec 2.0: negatives, codes of other frames, for each masked frame.")),
         {.name = "contrastive_logits_temperature",
          .member = &M::contrastive_logits_temperature,
          .least = 1e-6,
          .most = 1000,
          .help = "wav2vec 2.0: cosines are divided by it."},
         keys::number("diversity_loss_weight", &M::diversity_loss_weight, 1000,
                      "wav2vec 2.0: factor of the loss of codes that are seldom used.", false),
         {.name = "max_gumbel_temperature",
          .member = &M::max_gumbel_temperature,
          .least = 1e-6,
          .most = 1000,
          .help = "wav2vec 2.0: temperature at which codes are drawn in the first step."},
         {.name = "min_gumbel_temperature",
          .member = &M::min_gumbel_temperature,
          .least = 1e-6,
          .most = 1000,
          .help = "wav2vec 2.0: temperature that it does not go below."},
         {.name = "gumbel_temperature_decay",
          .member = &M::gumbel_temperature_decay,
          .least = 0,
          .most = 1,
          .help = "wav2vec 2.0: factor of the temperature from one step to the next."}},
        // Of other tasks, of fairseq, and what transformers computes from the lists.
        {"vocab_size",
         "bos_token_id",
         "eos_token_id",
         "pad_token_id",
         "final_dropout",
         "ctc_loss_reduction",
         "ctc_zero_infinity",
         "use_weighted_layer_sum",
         "classifier_proj_size",
         "tdnn_dim",
         "tdnn_kernel",
         "tdnn_dilation",
         "xvector_output_dim",
         "output_hidden_size",
         "adapter_kernel_size",
         "adapter_stride",
         "num_adapter_layers",
         "num_feat_extract_layers",
         "freeze_feat_extract_train",
         "feat_extract_dropout",
         "mask_feature_length",
         "mask_feature_min_masks",
         "mask_channel_length",
         "mask_channel_min_space",
         "mask_channel_other",
         "mask_channel_prob",
         "mask_channel_selection",
         "mask_time_min_space",
         "mask_time_other",
         "mask_time_selection",
         "no_mask_channel_overlap",
         "no_mask_time_overlap"},
        {.no_split = {}},
        {{"add_adapter", "false"}, {"apply_spec_augment", "true"}, {"mask_feature_prob", "0.0"}}};
}

class Wav2Vec2Family final : public Family {
  public:
    Wav2Vec2Family() : Family(wav2vec2_row()) {}
    Network network() const override { return Network::wav2vec2; }

    ModelConfig defaults() const override {
        ModelConfig config;
        config.model_type = "wav2vec2";
        config.task = kSpeechPretraining;
        config.n_embd = 768;
        config.n_layer = 12;
        config.n_head = 12;
        config.n_inner = 3072;
        config.activation_function = "gelu";
        config.resid_pdrop = config.attn_pdrop = 0.1;
        config.feat_extract_norm = "group";
        config.conv_dim.text = "[512,512,512,512,512,512,512]";
        config.conv_kernel.text = "[10,3,3,3,3,2,2]";
        config.conv_stride.text = "[5,2,2,2,2,2,2]";
        return config;
    }
    ModelConfig small() const override {
        ModelConfig config = defaults();
        config.n_embd = 64;
        config.n_layer = 4;
        config.n_head = 4;
        config.n_inner = 256;
        config.resid_pdrop = config.attn_pdrop = config.activation_dropout = config.layerdrop = 0;
        // As transformers' example of pre-training asks for.
        config.feat_extract_norm = "layer";
        config.do_stable_layer_norm = true;
        config.mask_time_prob = 0.65;
        config.conv_dim.text = "[32,32,32,32,32,32,32]";
        config.num_conv_pos_embeddings = 16;
        config.num_conv_pos_embedding_groups = 4;
        config.num_codevectors_per_group = 32;
        config.codevector_dim = 32;
        config.proj_codevector_dim = 32;
        config.num_negatives = 20;
        return config;
    }

    std::vector<ConfigProblem> problems(const ModelConfig& config) const override {
        std::vector<ConfigProblem> found;
        std::vector<std::size_t> lengths;
        for (const ConvolutionList& list : kConvolutionLists) {
            const auto numbers = keys::sizes_of(config.*list.member);
            if (numbers.empty())
                found.push_back({list.key, {}, "must be a list with a whole number from 1 on for each convolution"});
            else if (*std::ranges::max_element(numbers) > kMostConvolution)
                found.push_back({list.key, {}, Message("must have numbers of at most {}", kMostConvolution)});
            lengths.push_back(numbers.size());
        }
        for (std::size_t i = 1; i < lengths.size(); ++i)
            if (lengths[0] > 0 && lengths[i] > 0 && lengths[i] != lengths[0])
                found.push_back({kConvolutionLists[i].key,
                                 {"conv_dim"},
                                 Message("has {} numbers, and conv_dim has {}: give one for each convolution",
                                         lengths[i], lengths[0])});
        const auto divides = [&](std::int64_t whole, std::int64_t parts, const char* key, const char* other) {
            if (parts > 0 && whole % parts != 0)
                found.push_back({key, {other}, Message("{} do not divide {} ({}) evenly", parts, other, whole)});
        };
        divides(config.n_embd, config.n_head, "num_attention_heads", "hidden_size");
        divides(config.n_embd, config.num_conv_pos_embedding_groups, "num_conv_pos_embedding_groups", "hidden_size");
        divides(config.codevector_dim, config.num_codevector_groups, "num_codevector_groups", "codevector_dim");
        if (config.feat_extract_norm != "layer" && config.feat_extract_norm != "group")
            found.push_back(
                {"feat_extract_norm", {}, Message("'{}' is not known: use layer or group", config.feat_extract_norm)});
        if (config.mask_time_prob == 0)
            found.push_back({"mask_time_prob",
                             {},
                             "no frame would be masked, and masked frames are what is learnt: give a share above 0"});
        if (config.min_gumbel_temperature > config.max_gumbel_temperature)
            found.push_back({"min_gumbel_temperature",
                             {"max_gumbel_temperature"},
                             Message("is {}, above max_gumbel_temperature ({})", config.min_gumbel_temperature,
                                     config.max_gumbel_temperature)});
        check_activation("hidden_act", config.activation_function, found);
        check_activation("feat_extract_activation", config.feat_extract_activation, found);
        return found;
    }

    std::vector<TensorShape> tensors(const ModelConfig& config) const override {
        using Kind = Start::Kind;
        std::vector<TensorShape> all;
        Part part = Part::embedding;
        std::int64_t block = 0;
        bool of_task = false;
        const auto add = [&](std::string name, std::vector<std::int64_t> shape, Kind kind, double deviation = 0) {
            all.push_back({std::move(name), std::move(shape), part, block, false, {kind, deviation}, of_task});
        };
        const auto add_norm = [&](const std::string& module, std::int64_t width) {
            add(module + ".weight", {width}, Kind::ones);
            add(module + ".bias", {width}, Kind::zeros);
        };
        const auto add_linear = [&](const std::string& module, std::int64_t out, std::int64_t in) {
            add(module + ".weight", {out, in}, Kind::normal, config.initializer_range);
            add(module + ".bias", {out}, Kind::zeros);
        };
        const auto add_even = [&](const std::string& module, std::int64_t out, std::int64_t in) {  // as torch.nn.Linear
            const double limit = 1 / std::sqrt(as_real(in));
            add(module + ".weight", {out, in}, Kind::uniform, limit);
            add(module + ".bias", {out}, Kind::uniform, limit);
        };
        const std::int64_t width = config.n_embd;
        add("wav2vec2.masked_spec_embed", {width}, Kind::positive, 1);
        std::int64_t features = 1;
        for (const SpeechConvolution& each : speech_convolutions(config)) {
            const double fan = as_real(each.in * each.kernel);
            add(each.name + ".conv.weight", {each.out, each.in, each.kernel}, Kind::normal, std::sqrt(2 / fan));
            if (config.conv_bias)
                add(each.name + ".conv.bias", {each.out}, Kind::uniform, std::sqrt(1 / fan));
            if (each.has_norm)
                add_norm(each.name + ".layer_norm", each.out);
            features = each.out;
        }
        add_norm("wav2vec2.feature_projection.layer_norm", features);
        add_even("wav2vec2.feature_projection.projection", width, features);
        const std::string positions = "wav2vec2.encoder.pos_conv_embed.conv.";
        const std::int64_t kernel = config.num_conv_pos_embeddings, groups = config.num_conv_pos_embedding_groups;
        const double deviation = 2 / std::sqrt(as_real(kernel * width));
        add(positions + "bias", {width}, Kind::zeros);
        // The magnitude of normal numbers, so that the weight is what its direction starts as.
        add(positions + "parametrizations.weight.original0", {1, 1, kernel}, Kind::constant,
            deviation * std::sqrt(as_real(width) * as_real(width / groups)));
        add(positions + "parametrizations.weight.original1", {width, width / groups, kernel}, Kind::normal, deviation);
        const std::string norm = "wav2vec2.encoder.layer_norm";
        if (!config.do_stable_layer_norm)
            add_norm(norm, width);
        part = Part::block;
        for (block = 0; block < config.n_layer; ++block) {
            const std::string name = fmt::format("wav2vec2.encoder.layers.{}.", block);
            for (const char* each : {"k_proj", "v_proj", "q_proj", "out_proj"})
                add_linear(name + "attention." + each, width, width);
            add_norm(name + "layer_norm", width);
            add_linear(name + "feed_forward.intermediate_dense", config.n_inner, width);
            add_linear(name + "feed_forward.output_dense", width, config.n_inner);
            add_norm(name + "final_layer_norm", width);
        }
        part = Part::head;
        block = 0;
        if (config.do_stable_layer_norm)
            add_norm(norm, width);
        of_task = true;
        const std::int64_t codes = config.num_codevector_groups * config.num_codevectors_per_group;
        add("quantizer.codevectors", {1, codes, config.codevector_dim / config.num_codevector_groups}, Kind::positive,
            1);
        add("quantizer.weight_proj.weight", {codes, features}, Kind::normal, 1);
        add("quantizer.weight_proj.bias", {codes}, Kind::zeros);
        add_even("project_hid", config.proj_codevector_dim, width);
        add_even("project_q", config.proj_codevector_dim, config.codevector_dim);
        return all;
    }

    LayerCounts shorten(ModelConfig& config) const override {
        return {cut("wav2vec2.encoder.layers.", config.n_layer)};
    }

    /// The convolutions count for the first block, with which they are computed.
    std::vector<double> block_costs(const ModelConfig& config, const SampleSize& size) const override {
        std::vector<double> costs = Family::block_costs(config, size);
        double rows = size.tokens, sum = 0;
        std::vector<SpeechConvolution> all = speech_convolutions(config);
        const std::int64_t features = all.empty() ? 0 : all.back().out;
        std::ranges::reverse(all);
        for (const SpeechConvolution& each : all) {
            sum += rows * as_real(each.in * each.out * each.kernel);
            rows *= as_real(each.stride);
        }
        sum +=
            size.tokens * as_real(config.n_embd) *
            as_real(features + config.n_embd / config.num_conv_pos_embedding_groups * config.num_conv_pos_embeddings);
        if (!costs.empty())
            costs.front() += sum;
        return costs;
    }
    ActivationBytes activation_bytes(const ModelConfig& config, std::uint64_t product_bytes,
                                     std::int64_t block) const override {
        ActivationBytes bytes = Family::activation_bytes(config, product_bytes, block);
        // Each convolution, its norm and its activation.
        std::vector<SpeechConvolution> all = speech_convolutions(config);
        std::ranges::reverse(all);
        std::int64_t rows = 1;
        for (const SpeechConvolution& each : all) {
            bytes.outside +=
                static_cast<std::uint64_t>(rows * each.out) * (2 * product_bytes + (each.has_norm ? 4 : 0));
            rows *= each.stride;
        }
        // Codes: scores, draws and their sum; what frames are compared by.
        const std::int64_t codes = config.num_codevector_groups * config.num_codevectors_per_group;
        bytes.outside += static_cast<std::uint64_t>(
            4 * (3 * codes + 4 * config.proj_codevector_dim + 3 * (config.num_negatives + 1)));
        return bytes;
    }

  private:
    static double as_real(std::int64_t number) { return static_cast<double>(number); }
};

}  // namespace

const Family& wav2vec2_family() {
    static const Wav2Vec2Family family;
    return family;
}

std::vector<SpeechConvolution> speech_convolutions(const ModelConfig& config) {
    const auto widths = keys::sizes_of(config.conv_dim), kernels = keys::sizes_of(config.conv_kernel),
               strides = keys::sizes_of(config.conv_stride);
    std::vector<SpeechConvolution> all;
    std::int64_t in = 1;
    for (std::size_t i = 0; i < std::min({widths.size(), kernels.size(), strides.size()}); ++i) {
        all.push_back({in, widths[i], kernels[i], strides[i], i == 0 || config.feat_extract_norm == "layer",
                       fmt::format("wav2vec2.feature_extractor.conv_layers.{}", i)});
        in = widths[i];
    }
    return all;
}

std::int64_t speech_frames(const ModelConfig& config, std::int64_t samples) {
    for (const SpeechConvolution& each : speech_convolutions(config))
        samples = samples < each.kernel ? 0 : (samples - each.kernel) / each.stride + 1;
    return samples;
}

std::int64_t samples_of_frames(const ModelConfig& config, std::int64_t frames) {
    std::vector<SpeechConvolution> all = speech_convolutions(config);
    std::ranges::reverse(all);
    for (const SpeechConvolution& each : all)
        frames = (frames - 1) * each.stride + each.kernel;
    return frames;
}

std::int64_t least_speech_frames(const ModelConfig& config) {
    return std::max<std::int64_t>(2, config.mask_time_length);
}

}  // namespace trainyard::families
