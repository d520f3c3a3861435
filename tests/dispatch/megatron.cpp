// SPDX-License-Identifier: GPL-3.0-or-later
// Checkpoints of Megatron-LM compute what the models of transformers computed that they were made from.

#include <algorithm>
#include <fstream>
#include <functional>

#include <ATen/ops/tensor.h>

#include <nlohmann/json.hpp>

#include "dispatch/loaded_case.h"
#include "models/spec/config_file.h"
#include "support/temporary_folder.h"

namespace trainyard::dispatch {
namespace {

at::Tensor rows_of(const nlohmann::json& rows) {
    std::vector<std::int64_t> shape;
    for (const nlohmann::json* inner = &rows; inner->is_array(); inner = &inner->front())
        shape.push_back(static_cast<std::int64_t>(inner->size()));
    std::vector<double> values;
    const std::function<void(const nlohmann::json&)> add = [&](const nlohmann::json& part) {
        if (!part.is_array())
            values.push_back(part.get<double>());
        else
            std::ranges::for_each(part, add);
    };
    add(rows);
    return at::tensor(values, at::kDouble).reshape(shape);
}

TEST(MegatronModels, ComputeTheLogitsOfTransformers) {
    int cases = 0;
    for (const auto& entry : std::filesystem::directory_iterator(test::own_golden("megatron_folders"))) {
        SCOPED_TRACE(entry.path().filename());
        ++cases;
        const auto wanted = nlohmann::json::parse(std::ifstream(entry.path() / "case.json"));
        const std::unique_ptr<models::Model> model = test::empty_model(entry.path() / "in");
        load_checkpoint_in_model(*model, entry.path() / "in", LoadOptions());
        const at::NoGradGuard no_grad;
        parallel::StepContext context;
        at::Tensor logits;
        context.tokens = rows_of(wanted["tokens"]).to(at::kLong);
        context.labels = context.tokens;
        context.loss_sum = at::zeros({}, at::kDouble);
        context.training = false;
        context.logits = &logits;
        model->forward(context);
        const at::Tensor expected = rows_of(wanted["logits"]);
        EXPECT_EQ(logits.sizes(), expected.sizes());
        EXPECT_LT((logits.to(at::kDouble) - expected).abs().max().item<double>(), 1e-5);
    }
    EXPECT_GE(cases, 8);
}

/// mT5 is T5 1.1 with other defaults, which its config.json leaves out.
TEST(Mt5, ComputesWhatTheSameT5Computes) {
    const std::filesystem::path original = test::own_golden("models") / "t5_gated";
    const test::TemporaryFolder folder;
    const std::filesystem::path copy = folder.path() / "mt5";
    std::filesystem::copy(original, copy);
    auto config = nlohmann::json::parse(std::ifstream(original / "config.json"));
    config["model_type"] = "mt5";
    config["architectures"] = {"MT5ForConditionalGeneration"};
    for (const char* left_out : {"feed_forward_proj", "dense_act_fn", "is_gated_act", "tie_word_embeddings"})
        config.erase(left_out);
    std::filesystem::remove(copy / "config.json");
    std::ofstream(copy / "config.json") << config;
    std::vector<test::Outputs> outputs;
    for (const std::filesystem::path& place : {original, copy}) {
        const std::unique_ptr<models::Model> model = test::empty_model(place);
        load_checkpoint_in_model(*model, place, LoadOptions());
        outputs.push_back(test::forward(*model, place));
    }
    EXPECT_TRUE(outputs[0].logits.equal(outputs[1].logits));
    EXPECT_EQ(outputs[0].loss, outputs[1].loss);
    const families::ConfigFile alone = families::read_config(R"({"model_type": "mt5"})", "config.json");
    EXPECT_EQ(alone.config.vocab_size, 250112);
    EXPECT_EQ(alone.config.feed_forward_proj, "gated-gelu");
}

}  // namespace
}  // namespace trainyard::dispatch
