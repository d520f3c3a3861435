// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of adapters on a base model that stays on disk: losses, gradients and adapters are bitwise equal to those with
// all weights in memory, training resumes from checkpoints, and invalid device maps are refused.

#include "train/frozen_base.h"

#include <fstream>
#include <map>
#include <random>

#include <ATen/ops/equal.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"
#include "config/inputs/recipe_inputs.h"
#include "config/inputs/start_weights.h"
#include "support/random_model.h"
#include "support/ranks.h"
#include "support/says.h"
#include "support/temporary_folder.h"
#include "train/trainer.h"

namespace trainyard::train {
namespace {

namespace fs = std::filesystem;
using test::says;
using testing::_;

struct Family {
    const char* name;
    const char* config;
    const char* block;  ///< of a device map
    const char* norm;   ///< a module to be trained whole
};

void PrintTo(const Family& family, std::ostream* out) {
    *out << family.name;
}

class BaseOnDisk : public ::testing::TestWithParam<Family> {
  protected:
    BaseOnDisk() {
        test::RandomModel(GetParam().config).write(folder_.path() / "base");
        std::mt19937 random(3);
        std::ofstream file(folder_.path() / "text.txt");
        for (int i = 0; i < 4000; ++i)
            file << "base adapter " << random() % 10;
        file.close();
        recipe_.data.paths = {(folder_.path() / "text.txt").string()};
        recipe_.data.sequence_length = 16;
        recipe_.model.weights = (folder_.path() / "base").string();
        recipe_.model = inputs::settle_model(recipe_.model).model;
        recipe_.model.lora.r = 4;
        recipe_.training.steps = 6;
        recipe_.training.batch_size = 4;
        recipe_.training.evaluate_batches = 2;
        recipe_.optimizer.lr = 1e-2;
    }

    struct Trained {
        std::vector<double> losses, norms;
        double evaluation = 0;
        std::map<std::string, at::Tensor> adapters;
        std::uint64_t on_disk = 0;
        std::string notices;
    };

    static Trained train(const config::Recipe& recipe, int ranks = 1, std::int64_t steps = 6,
                         const fs::path& save_to = {}) {
        Trained result;
        test::run_ranks(ranks, [&](std::unique_ptr<parallel::World> world) {
            parallel::Mesh mesh(parallel::replicas(ranks), std::move(world));
            Trainer trainer(recipe, mesh, at::kCPU);
            trainer.start();
            Trained mine;
            while (trainer.position().step < steps) {
                const StepReport report = trainer.step();
                mine.losses.push_back(report.loss);
                mine.norms.push_back(report.gradient_norm);
            }
            mine.evaluation = trainer.evaluate().value().loss;
            mine.on_disk = trainer.bytes_on_disk();
            for (const auto& [name, weight] : trainer.weights())
                if (config::is_of_adapter_file(recipe.model, name))
                    mine.adapters[name] = weight.clone();
            for (const Notice& notice : trainer.start_notices())
                mine.notices += notice.text.text() + "\n";
            if (!save_to.empty())
                trainer.save(save_to);
            if (mesh.rank() == 0)
                result = std::move(mine);
        });
        return result;
    }

    static void expect_equal(const Trained& found, const Trained& expected, const std::string& where) {
        EXPECT_EQ(found.losses, expected.losses) << where;
        EXPECT_EQ(found.norms, expected.norms) << where;
        EXPECT_EQ(found.evaluation, expected.evaluation) << where;
        ASSERT_EQ(found.adapters.size(), expected.adapters.size()) << where;
        for (const auto& [name, weight] : expected.adapters)
            EXPECT_TRUE(at::equal(weight, found.adapters.at(name))) << where << ": " << name;
    }

    config::Recipe with(const std::string& map, Precision precision = Precision::no) const {
        config::Recipe recipe = recipe_;
        recipe.model.device_map = map;
        recipe.training.mixed_precision = precision;
        return recipe;
    }

    test::TemporaryFolder folder_;
    config::Recipe recipe_;
};

TEST_P(BaseOnDisk, TrainsAsInMemory) {
    const std::uint64_t bytes = test::RandomModel(GetParam().config).bytes();
    for (const Precision precision : {Precision::no, Precision::bf16}) {
        const std::string name = choice_name(precision);
        const Trained expected = train(with("", precision));
        EXPECT_EQ(expected.on_disk, 0u);
        const Trained found = train(with("disk", precision));
        expect_equal(found, expected, name);
        EXPECT_EQ(found.on_disk, bytes);
        expect_equal(train(with("cpu", precision)), expected, name + ", cpu");
        config::Recipe limited = with("auto", precision);
        limited.model.max_memory = {"cpu=" + std::to_string(bytes / (precision == Precision::no ? 2 : 4))};
        const Trained in_part = train(limited);
        expect_equal(in_part, expected, name + ", auto");
        EXPECT_GT(in_part.on_disk, 0u);
        EXPECT_LT(in_part.on_disk, bytes);
    }
}

TEST_P(BaseOnDisk, TrainsOnTwoRanksWithMicroBatchesAndRecomputing) {
    config::Recipe recipe = with("");
    recipe.training.gradient_accumulation_steps = 2;
    recipe.training.batch_size = 2;
    recipe.parallel.zero_stage = 2;
    recipe.training.activation_checkpointing = config::Recomputation::full;
    const Trained expected = train(recipe, 2);
    recipe.model.device_map = "disk";
    expect_equal(train(recipe, 2), expected, "two ranks");
}

TEST_P(BaseOnDisk, GoesOnFromACheckpointOfTheAdapterAlone) {
    const fs::path saved = folder_.path() / "checkpoints";
    const Trained expected = train(with("disk"));
    train(with("disk"), 1, 3, saved);
    EXPECT_LT(fs::file_size(saved / "checkpoint_3" / "model.safetensors"),
              fs::file_size(folder_.path() / "base" / "model.safetensors") / 2);
    EXPECT_TRUE(fs::exists(saved / "checkpoint_3" / "adapter_model.safetensors"));
    config::Recipe again = with("disk");
    again.checkpoint.resume_from = (saved / "checkpoint_3").string();
    const Trained resumed = train(again);
    EXPECT_EQ(std::vector<double>(expected.losses.begin() + 3, expected.losses.end()), resumed.losses);
    for (const auto& [name, weight] : expected.adapters)
        EXPECT_TRUE(at::equal(weight, resumed.adapters.at(name))) << name;
}

TEST_P(BaseOnDisk, AMapSaysWhereEachPartLies) {
    const auto map = [&](const std::string& text) {
        write_file_atomically(folder_.path() / "map.json", text, false);
        return (folder_.path() / "map.json").string();
    };
    const std::string some = map(std::string(R"({"": "cpu", ")") + GetParam().block + R"(": "disk"})");
    const Trained found = train(with(some));
    expect_equal(found, train(with("")), "a block on disk");
    EXPECT_GT(found.on_disk, 0u);
    config::Recipe whole = with(map(R"({"": "disk"})"));
    whole.model.lora.modules_to_save = {GetParam().norm};
    const std::vector<inputs::InputProblem> problems = inputs::check_recipe_inputs(whole, 1);
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_EQ(problems[0].key, "model.device_map");
    whole.model.device_map = "disk";  // only frozen weights
    config::Recipe resident = whole;
    resident.model.device_map.clear();
    expect_equal(train(whole), train(resident), "a norm that is trained");
    EXPECT_THAT(
        problems[0].message,
        says("it puts {} on {}, and it is trained: what is trained stays in memory, so put it on cpu, or freeze it", _,
             "disk"));
    EXPECT_THROW(train(with(map(R"({"": "cuda:0"})"))), UserError);
    EXPECT_THROW(train(with(map("[1]"))), UserError);
}

INSTANTIATE_TEST_SUITE_P(
    Families, BaseOnDisk,
    ::testing::Values(Family{"gpt2",
                             R"({"model_type": "gpt2", "vocab_size": 256, "n_embd": 32, "n_layer": 3, "n_head": 2,
                                         "n_positions": 32, "architectures": ["GPT2LMHeadModel"]})",
                             "transformer.h.1", "ln_f"},
                      Family{"llama",
                             R"({"model_type": "llama", "vocab_size": 256, "hidden_size": 32, "intermediate_size": 64,
                                          "num_attention_heads": 4, "num_key_value_heads": 2, "num_hidden_layers": 3,
                                          "max_position_embeddings": 32, "tie_word_embeddings": false,
                                          "architectures": ["LlamaForCausalLM"]})",
                             "model.layers.1", "model.norm"}),
    [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace trainyard::train
