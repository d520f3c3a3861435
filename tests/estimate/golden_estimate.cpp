// SPDX-License-Identifier: GPL-3.0-or-later
// Compares our estimates with `accelerate estimate-memory` (tests/golden/estimate.json): the figures, and the names and
// shapes of all tensors of the module trees.
//
// Differences from Accelerate, by input:
//   A weight that several modules share is counted once. Accelerate builds the model on the meta device, which breaks
// the sharing, and counts the
//   weight once per use. The expected values are those of the golden case for the same model `with_sharing`.
//   A T5 with tie_word_embeddings false has a separate head; transformers 5.23 ties it anyway.

#include <algorithm>
#include <fstream>
#include <iterator>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "estimate/architectures.h"
#include "estimate/loading_memory.h"
#include "models/spec/family.h"
#include "support/golden.h"
#include "support/sha256.h"

namespace trainyard::estimate {
namespace {

using nlohmann::json;

/// SHA-256 of the sorted lines `name 768x768`, as computed by generate/estimate.py.
std::string hash_of(const std::vector<ModuleTensor>& tensors) {
    std::vector<std::string> lines;
    for (const ModuleTensor& tensor : tensors)
        lines.push_back(fmt::format("{} {}", tensor.name, fmt::join(tensor.shape, "x")));
    std::ranges::sort(lines);
    const std::string text = fmt::format("{}", fmt::join(lines, "\n"));
    return test::sha256(std::as_bytes(std::span(text.data(), text.size())));
}

void compare_rows(const ModelSize& size, const json& expected) {
    // The rows are computed from our total in the same way.
    double scale = static_cast<double>(size.total_bytes) / expected["total_bytes"].get<double>();
    for (const auto& [dtype, row] : expected["rows"].items()) {
        SCOPED_TRACE(dtype);
        DtypeRow ours = dtype_row(size, dtype);
        EXPECT_EQ(ours.largest_layer, row["largest_layer"].get<double>());
        EXPECT_DOUBLE_EQ(ours.total, row["total"].get<double>() * scale);
        EXPECT_EQ(ours.trainable, row["training"]["step"] != -1);
        if (!ours.trainable)
            continue;
        EXPECT_DOUBLE_EQ(ours.weights, row["training"]["model"].get<double>() * scale);
        EXPECT_DOUBLE_EQ(ours.gradients, row["training"]["gradients"].get<double>() * scale);
        EXPECT_DOUBLE_EQ(ours.optimizer, row["training"]["optimizer"].get<double>() * scale);
        EXPECT_DOUBLE_EQ(ours.step, row["training"]["step"].get<double>() * scale);
    }
}

class GoldenEstimate : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Files, GoldenEstimate,
                         testing::Values("estimate.json", "estimate_more.json", "estimate_heads.json",
                                         "estimate_segmentation.json", "estimate_speech.json",
                                         "estimate_multimodal.json", "estimate_megatron.json"));

TEST_P(GoldenEstimate, EveryModel) {
    json golden = json::parse(std::ifstream(test::golden(GetParam())));
    ASSERT_FALSE(golden["cases"].empty());
    for (const json& entry : golden["cases"]) {
        const json &input = entry["input"], &expected = entry["expected"];
        SCOPED_TRACE(entry["id"].get<std::string>());
        const std::string text = input["config"].dump(), auto_class = input.value("auto_class", "AutoModel");
        if (expected.contains("error")) {
            EXPECT_THROW(model_size(text, "config.json", auto_class), UserError);
            continue;
        }
        ModelTree tree;
        try {
            tree = model_tree(text, "config.json", auto_class);
        } catch (const UserError& error) {
            ADD_FAILURE() << error.what();
            continue;
        }
        if (expected.contains("tensors_sha256")) {
            EXPECT_EQ(hash_of(parameters_of(tree.root)), expected["tensors_sha256"].get<std::string>());
        }
        ModelSize size = model_size(text, "config.json", auto_class);
        std::uint64_t own_head = 0;
        if (input["config"]["model_type"] == "t5" && input["config"].value("tie_word_embeddings", true) == false &&
            auto_class == "AutoModelForSeq2SeqLM")
            own_head = static_cast<std::uint64_t>(find_parameter(tree.root, "lm_head.weight")->elements());
        const json& counted = expected["with_sharing"];
        EXPECT_EQ(size.total_bytes, counted["total_bytes"].get<std::uint64_t>() + 4 * own_head);
        EXPECT_EQ(static_cast<std::uint64_t>(size.parameter_count),
                  counted["parameter_count"].get<std::uint64_t>() + own_head);
        EXPECT_EQ(size.model_class, expected["class"].get<std::string>());
        EXPECT_EQ(size.largest_layer, expected["largest_layer"]["bytes"].get<std::uint64_t>());
        EXPECT_EQ(size.layers.size(), expected["largest_layer"]["name_count"].get<std::size_t>());
        const json& names = expected["largest_layer"]["names"];
        for (std::size_t i = 0; i < std::min(names.size(), size.layers.size()); ++i)
            EXPECT_EQ(size.layers[i], names[i].get<std::string>());
        EXPECT_EQ(size.tied.empty(), expected["with_sharing"].value("tied_groups", json::array()).empty());
        compare_rows(size, expected);
    }
}

/// The tree of each class of a family has the parameters that the family lists.
TEST(TreesOfModules, TheTreeOfARecipesModelIsTheFamilys) {
    for (const std::string& type : families::model_types()) {
        const families::Family& family = families::family_of(type);
        if (!family.lists_tensors())
            continue;
        for (const families::TaskClass& task : family.tasks())
            for (bool tied : {true, false}) {
                SCOPED_TRACE(type + " " + task.task);
                families::ModelConfig model = family.small();
                model.task = task.task;
                model.n_layer = 3;
                model.tie_word_embeddings = tied;
                // transformers lists the bias of these heads twice, which is one parameter only if it is tied.
                const bool two_biases = !tied && task.task == "masked_lm" && type != "distilbert";
                EXPECT_EQ(model_size(model).parameter_count,
                          families::parameter_count(model) + (two_biases ? model.vocab_size : 0));
            }
    }
}

TEST(TreesOfModules, AnyNumberOfLayersIsOneEntry) {
    const ModelTree tree =
        model_tree(R"({"model_type": "t5", "num_layers": 1000000000, "num_decoder_layers": 1})", "t5", "AutoModel");
    const Module& encoder = *std::next(tree.root.children.begin());
    const Module& blocks = *std::next(encoder.children.begin());
    ASSERT_EQ(blocks.children.size(), 2u) << "the first has the positions";
    EXPECT_EQ(blocks.children.back().repeat, 999'999'999);
    EXPECT_EQ(blocks.children.back().type, "T5Block");
    EXPECT_NE(find_parameter(tree.root, "encoder.block.999999999.layer.0.SelfAttention.q.weight"), nullptr);
    EXPECT_EQ(find_parameter(tree.root, "encoder.block.1000000000.layer.0.SelfAttention.q.weight"), nullptr);
    // Stages of the same width are not one entry if their numbers of layers differ.
    const ModelTree stages =
        model_tree(R"({"model_type": "resnet", "layer_type": "basic", "hidden_sizes": [8, 8, 8], "depths": [2, 5, 9]})",
                   "resnet", "AutoModel");
    EXPECT_NE(find_parameter(stages.root, "encoder.stages.2.layers.8.layer.1.convolution.weight"), nullptr);
    EXPECT_EQ(find_parameter(stages.root, "encoder.stages.1.layers.5.layer.1.convolution.weight"), nullptr);
}

/// The table of Accelerate's guide for idefics-80b-instruct. Versions of transformers up to 4 kept the cosines and
/// sines of 2048 positions in each of its 100 attention layers, and counted them.
TEST(TreesOfModules, IdeficsHasTheSizesOfTheGuide) {
    const ModelSize size = model_size(
        R"({"model_type": "idefics", "additional_vocab_size": 2, "alpha_type": "vector", "qk_layer_norms": true,
            "use_resampler": true, "hidden_size": 8192, "intermediate_size": 22016, "num_hidden_layers": 80,
            "num_attention_heads": 64, "cross_layer_interval": 4,
            "vision_config": {"embed_dim": 1280, "image_size": 224, "patch_size": 14, "num_hidden_layers": 32,
                              "num_attention_heads": 16, "intermediate_size": 5120},
            "perceiver_config": {"qk_layer_norms_perceiver": true}})",
        "config.json", "AutoModel");
    constexpr std::uint64_t kCaches = 100ULL * 2 * 2048 * 128 * 4;
    EXPECT_EQ(loading_size(static_cast<double>(size.largest_layer)), "3.02 GB");
    EXPECT_EQ(loading_size(static_cast<double>(size.total_bytes)), "296.93 GB");
    EXPECT_EQ(loading_size(static_cast<double>(size.total_bytes + kCaches)), "297.12 GB");
    EXPECT_THROW(model_size(R"({"model_type": "idefics", "num_attention_heads": 7})", "config.json", "AutoModel"),
                 UserError);
    EXPECT_THROW(model_size(R"({"model_type": "idefics", "alpha_type": "matrix"})", "config.json", "AutoModel"),
                 UserError);
}

TEST(LoadingSize, AsPythonRounds) {
    EXPECT_EQ(loading_size(12), "12 bytes");
    EXPECT_EQ(loading_size(753.5), "753.5 bytes");
    EXPECT_EQ(loading_size(1024), "1.0 KB");
    EXPECT_EQ(loading_size(1536), "1.5 KB");
    EXPECT_EQ(loading_size(497759232), "474.7 MB");
    EXPECT_EQ(loading_size(1991036928), "1.85 GB");
    EXPECT_EQ(loading_size(0x1p60), "1024.0 PB");
}

}  // namespace
}  // namespace trainyard::estimate
