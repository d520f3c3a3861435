// SPDX-License-Identifier: GPL-3.0-or-later
// Options in code (plug-ins, process group) against the launch's variables, and the remaining arguments of Accelerate's
// methods.

#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>
#include <torch/nn/modules/embedding.h>
#include <torch/nn/modules/normalization.h>
#include <torch/optim/adamw.h>
#include <torch/optim/sgd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "accelerator/plugin_variables.h"
#include "accelerator/training.h"
#include "base/error.h"
#include "base/file.h"
#include "checkpoint/accelerate_folder.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::options_in_code {
namespace {

using accelerator::DeepSpeedPlugin;
using accelerator::FullyShardedDataParallelPlugin;
using test::says;
using testing::_;

/// Variables of a launch, as long as it lives.
class LaunchVariables {
  public:
    explicit LaunchVariables(const std::map<std::string, std::string>& values) : values_(values) {
        for (const auto& [name, value] : values_)
            ::setenv(name.c_str(), value.c_str(), 1);
    }
    ~LaunchVariables() {
        for (const auto& [name, value] : values_)
            ::unsetenv(name.c_str());
    }
    LaunchVariables(const LaunchVariables&) = delete;
    LaunchVariables& operator=(const LaunchVariables&) = delete;

  private:
    std::map<std::string, std::string> values_;
};

accelerator::Plugins read(const AcceleratorOptions& options, int processes = 2) {
    return accelerator::read_plugins({true, processes, processes}, accelerator::PluginVariables(options));
}

TEST(OptionsInCode, ObjectOverLaunch) {
    const std::map<std::string, std::string> deepspeed{{"ACCELERATE_USE_DEEPSPEED", "true"},
                                                       {"ACCELERATE_DEEPSPEED_ZERO_STAGE", "1"},
                                                       {"ACCELERATE_GRADIENT_CLIPPING", "2.5"},
                                                       {"ACCELERATE_GRADIENT_ACCUMULATION_STEPS", "4"},
                                                       {"ACCELERATE_DEEPSPEED_MOE_LAYER_CLS_NAMES", "Experts"}};
    const std::map<std::string, std::string> fsdp{{"ACCELERATE_USE_FSDP", "true"},
                                                  {"FSDP_VERSION", "1"},
                                                  {"FSDP_SHARDING_STRATEGY", "SHARD_GRAD_OP"},
                                                  {"FSDP_AUTO_WRAP_POLICY", "TRANSFORMER_BASED_WRAP"},
                                                  {"FSDP_TRANSFORMER_CLS_TO_WRAP", "Layer"},
                                                  {"FSDP_ACTIVATION_CHECKPOINTING", "true"}};
    {
        const LaunchVariables launch(deepspeed);
        EXPECT_EQ(read({}).zero_stage, 1);
        AcceleratorOptions options;
        options.deepspeed_plugin = DeepSpeedPlugin{};
        EXPECT_EQ(read(options).zero_stage, 1) << "what the object leaves out is the launch's";
        EXPECT_EQ(read(options).gradient_clipping, 2.5);
        options.deepspeed_plugin = DeepSpeedPlugin{.zero_stage = 3,
                                                   .gradient_accumulation_steps = 2,
                                                   .gradient_clipping = 1.5,
                                                   .zero3_save_16bit_model = true,
                                                   .transformer_moe_cls_names = std::vector<std::string>{"A", "B"}};
        const accelerator::Plugins all = read(options);
        EXPECT_EQ(all.zero_stage, 3);
        EXPECT_EQ(all.gradient_clipping, 1.5);
        EXPECT_EQ(all.gradient_accumulation_steps, 2);
        EXPECT_TRUE(all.sharding.save_16bit_model);
        EXPECT_EQ(all.sharding.whole_classes, (std::vector<std::string>{"A", "B"}));
        Accelerator accelerator(options, test::alone());
        EXPECT_EQ(accelerator.gradient_accumulation_steps(), 2) << "over the variable, which says 4";
    }
    {
        const LaunchVariables launch(fsdp);
        EXPECT_EQ(read({}).zero_stage, 2);
        AcceleratorOptions options;
        options.fsdp_plugin =
            FullyShardedDataParallelPlugin{.sharding_strategy = "FULL_SHARD",
                                           .transformer_cls_names_to_wrap = std::vector<std::string>{"Block", "Head"},
                                           .ignored_modules = "head",
                                           .state_dict_type = "SHARDED_STATE_DICT",
                                           .activation_checkpointing = false};
        const accelerator::Plugins all = read(options);
        EXPECT_EQ(all.zero_stage, 3);
        EXPECT_EQ(all.sharding.wrap.classes, (std::vector<std::string>{"Block", "Head"}));
        EXPECT_EQ(all.sharding.ignored_modules, "head");
        EXPECT_EQ(all.sharding.state_dict, accelerator::StateDictType::sharded);
        EXPECT_FALSE(all.activation_checkpointing);
        // A plug-in of another kind than the launch's.
        options = {};
        options.deepspeed_plugin = DeepSpeedPlugin{.zero_stage = 2};
        EXPECT_EQ(read(options).zero_stage, 2);
    }
}

at::Tensor weights_after(const AcceleratorOptions& options) {
    at::Tensor weights;
    test::on_ranks(2, [&](std::shared_ptr<parallel::ProcessState> process) {
        const bool first = process->rank() == 0;
        Accelerator accelerator(options, std::move(process));
        auto net = std::make_shared<test::Net>();
        auto model = accelerator.prepare(net);
        auto optimizer = accelerator.prepare(std::make_unique<torch::optim::AdamW>(net->parameters(), 1e-2));
        auto loader = accelerator.prepare(test::loader_over(test::samples(32), 4));
        for (Tree& batch : *loader) {
            const auto scope = accelerator.accumulate(model);
            accelerator.backward(test::loss_of(model(batch.at("x").as_tensor()), batch));
            optimizer->step();
            optimizer->zero_grad();
        }
        EXPECT_NE(model.model().flat(), nullptr) << "the weights are divided";
        const NamedTensors state = accelerator.get_state_dict(model);
        if (first)
            weights = at::cat({state[0].second.reshape({-1}), state[1].second, state[2].second.reshape({-1})});
    });
    return weights;
}

TEST(OptionsInCode, TheSameWeightsByFileAndByObject) {
    const test::TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "ds.json";
    std::ofstream(file) << R"({"zero_optimization": {"stage": 3}, "gradient_accumulation_steps": 2,
                               "gradient_clipping": 0.1})";
    at::Tensor by_variables, by_file;
    {
        const LaunchVariables launch({{"ACCELERATE_USE_DEEPSPEED", "true"},
                                      {"ACCELERATE_DEEPSPEED_ZERO_STAGE", "3"},
                                      {"ACCELERATE_GRADIENT_ACCUMULATION_STEPS", "2"},
                                      {"ACCELERATE_GRADIENT_CLIPPING", "0.1"}});
        by_variables = weights_after({});
    }
    {
        const LaunchVariables launch(
            {{"ACCELERATE_USE_DEEPSPEED", "true"}, {"ACCELERATE_DEEPSPEED_CONFIG_FILE", file.string()}});
        by_file = weights_after({});
    }
    AcceleratorOptions options;
    options.deepspeed_plugin =
        DeepSpeedPlugin{.zero_stage = 3, .gradient_accumulation_steps = 2, .gradient_clipping = 0.1};
    const at::Tensor by_object = weights_after(options);
    options.deepspeed_plugin = DeepSpeedPlugin{.hf_ds_config = file};
    const at::Tensor by_file_of_object = weights_after(options);
    EXPECT_TRUE(by_object.equal(by_variables));
    EXPECT_TRUE(by_object.equal(by_file));
    EXPECT_TRUE(by_object.equal(by_file_of_object));
    options.deepspeed_plugin = DeepSpeedPlugin{.zero_stage = 3, .gradient_accumulation_steps = 2};
    EXPECT_FALSE(by_object.equal(weights_after(options))) << "clipping acts";
}

TEST(OptionsInCode, ContradictionsAndWhatIsNotDoneHaveOneSentence) {
    const auto refused = [](const std::function<void(AcceleratorOptions&)>& change) {
        AcceleratorOptions options;
        change(options);
        try {
            Accelerator accelerator(options, test::alone());
        } catch (const UserError& error) {
            return error.message();
        }
        return Message();
    };
    EXPECT_THAT(refused([](AcceleratorOptions& options) {
                    options.deepspeed_plugin.emplace();
                    options.fsdp_plugin.emplace();
                }),
                says("fsdp_plugin, deepspeed_plugin and megatron_lm_plugin exclude each other: give one of them"));
    EXPECT_THAT(refused([](AcceleratorOptions& options) {
                    options.deepspeed_plugin.emplace();
                    options.zero_stage = 1;
                }),
                says("zero_stage and sharding say what a plug-in says, too: give either those or the plug-in"));
    EXPECT_THAT(refused([](AcceleratorOptions& options) { options.megatron_lm_plugin.emplace().tp_degree = 2; }).text(),
                testing::HasSubstr("MEGATRON_LM"));
    EXPECT_THAT(
        refused([](AcceleratorOptions& options) { options.megatron_lm_plugin.emplace().return_logits = true; }),
        says("return_logits of MegatronLMPlugin: this library does not have Megatron-LM: leave the plug-in out, the "
             "forward of a program's own model returns its logits on every rank, and gather() joins them"));
    EXPECT_THAT(
        refused([](AcceleratorOptions& options) { options.fsdp_plugin.emplace().state_dict_type = "WHOLE"; }).text(),
        testing::HasSubstr("WHOLE"));
    EXPECT_THAT(refused([](AcceleratorOptions& options) {
                    options.deepspeed_plugin.emplace().offload_param_device = "nvme";
                }).text(),
                testing::HasSubstr("offload_param_device nvme"));
}

TEST(ReferenceArguments, DevicePlacementOfEachObject) {
    Accelerator accelerator({}, test::alone());
    auto net = std::make_shared<test::Net>();
    auto [model, optimizer, loader] = accelerator.prepare_with_placement(
        {true, false, true}, net, std::make_unique<torch::optim::SGD>(net->parameters(), 0.1),
        test::loader_over(test::samples(8), 4));
    EXPECT_EQ(model.unwrap(), net);
    EXPECT_NE(optimizer, nullptr);
    EXPECT_EQ(loader->length(), 2);
    EXPECT_THAT([&] { accelerator.prepare_with_placement({true}, net, net); },
                testing::ThrowsMessage<UserError>(
                    says("device_placement has {} values for {} objects: give one for each", 1, 2)));
    test::on_ranks(2, [&](std::shared_ptr<parallel::ProcessState> process) {
        AcceleratorOptions deepspeed, fsdp;
        deepspeed.deepspeed_plugin = DeepSpeedPlugin{.zero_stage = 2};
        fsdp.fsdp_plugin = FullyShardedDataParallelPlugin{.sharding_strategy = "FULL_SHARD"};
        for (const AcceleratorOptions& options : {deepspeed, fsdp}) {
            Accelerator divided(options, process);
            EXPECT_THAT([&] { divided.prepare_with_placement({true}, std::make_shared<test::Net>()); },
                        testing::ThrowsMessage<UserError>(testing::HasSubstr("device_placement")));
        }
    });
}

TEST(ReferenceArguments, StatesGoToProjectDirWithoutAFolder) {
    const test::TemporaryFolder folder;
    AcceleratorOptions options;
    options.project.project_dir = folder.path() / "project";
    Accelerator accelerator(options, test::alone());
    auto net = std::make_shared<test::Net>();
    auto model = accelerator.prepare(net);
    EXPECT_EQ(accelerator.save_state(), folder.path() / "project");
    const at::Tensor saved = net->flat();
    {
        const at::NoGradGuard no_grad;
        net->first.zero_();
    }
    EXPECT_THAT([&] { accelerator.load_state({}, {.map_location = "moon"}); },
                testing::ThrowsMessage<UserError>(says("map_location is '{}': it must be cpu or on_device", "moon")));
    EXPECT_FALSE(net->flat().equal(saved));
    accelerator.load_state({}, {.map_location = "on_device"});
    EXPECT_TRUE(net->flat().equal(saved));
    Accelerator homeless({}, test::alone());
    EXPECT_THAT([&] { homeless.save_state(); },
                testing::ThrowsMessage<UserError>(
                    says("save_state needs a folder, a project_dir, or automatic_checkpoint_naming")));
}

TEST(ReferenceArguments, LoadStateThatIsNotStrictTakesWhatFits) {
    struct More : test::Net {
        More() { extra = register_parameter("extra", at::full({2}, 5.0)); }
        at::Tensor extra;
    };
    const test::TemporaryFolder folder;
    {
        Accelerator accelerator({}, test::alone());
        auto net = std::make_shared<More>();
        accelerator.prepare(net);
        accelerator.save_state(folder.path());
    }
    Accelerator accelerator({}, test::alone());
    auto net = std::make_shared<test::Net>();
    accelerator.prepare(net);
    const at::Tensor saved = net->flat();
    {
        const at::NoGradGuard no_grad;
        net->first.zero_();
    }
    EXPECT_THROW(accelerator.load_state(folder.path()), UserError);
    accelerator.load_state(folder.path(), {.strict = false});
    EXPECT_TRUE(net->flat().equal(saved));
}

TEST(ReferenceArguments, SaveWithSafeSerialization) {
    const test::TemporaryFolder folder;
    Accelerator accelerator({}, test::alone());
    const std::filesystem::path file = folder.path() / "own.safetensors";
    accelerator.save(Tree::dict({{"a", at::full({2, 3}, 1.5)}, {"b", at::arange(4)}}), file, true);
    const NamedTensors read = checkpoint::read_weights(file);
    ASSERT_EQ(read.size(), 2U);
    EXPECT_TRUE(read[0].second.equal(at::full({2, 3}, 1.5)) || read[1].second.equal(at::full({2, 3}, 1.5)));
    EXPECT_THAT([&] { accelerator.save(Tree(3.0), file, true); },
                testing::ThrowsMessage<UserError>(
                    says("{}: safe_serialization saves a dictionary of tensors, and this is a {}", file, "float")));
    EXPECT_THAT(
        [&] {
            accelerator.save(Tree::dict({{"lr", Tree(3.0)}}), file, true);
        },
        testing::ThrowsMessage<UserError>(
            says("{}: safe_serialization saves a dictionary of tensors, and '{}' is a {}", file, "lr", "float")));
}

/// A GPT-2 of transformers without layers: table, positions and the last norm under its names.
struct TinyGpt2 : torch::nn::Module {
    TinyGpt2() {
        wte = register_module("wte", torch::nn::Embedding(13, 8));
        wpe = register_module("wpe", torch::nn::Embedding(6, 8));
        ln_f = register_module("ln_f", torch::nn::LayerNorm(torch::nn::LayerNormOptions({8})));
        const at::NoGradGuard no_grad;  // ranks that are threads share one generator
        for (const at::Tensor& weight : parameters())
            weight.copy_(at::arange(weight.numel(), at::kFloat).mul(0.7).sin().reshape(weight.sizes()));
    }
    at::Tensor forward(const at::Tensor& tokens) { return ln_f(wte(tokens) + wpe(at::arange(tokens.size(1)))); }
    torch::nn::Embedding wte{nullptr}, wpe{nullptr};
    torch::nn::LayerNorm ln_f{nullptr};
};

constexpr const char* kTinyConfig = R"({"architectures": ["GPT2Model"], "model_type": "gpt2", "vocab_size": 13,
 "n_positions": 6, "n_embd": 8, "n_layer": 0, "n_head": 2})";

TEST(Pretrained, AFolderHasWeightsConfigAndTheFilesOfItsSource) {
    const test::TemporaryFolder folder;
    const std::filesystem::path source = folder.path() / "source", target = folder.path() / "target";
    std::filesystem::create_directories(source);
    std::ofstream(source / "config.json") << R"({"model_type": "older"})";
    std::ofstream(source / "generation_config.json") << R"({"max_length": 9})";
    std::ofstream(source / "tokenizer.json") << "{}";
    std::ofstream(source / "notes.txt") << "private";
    for (const int stage : {0, 3}) {
        std::filesystem::remove_all(target);
        test::on_ranks(2, [&](std::shared_ptr<parallel::ProcessState> process) {
            AcceleratorOptions options;
            options.zero_stage = stage;
            Accelerator accelerator(options, std::move(process));
            auto model = accelerator.prepare(std::make_shared<TinyGpt2>());
            accelerator.save_pretrained(model, target, {.source = source.string(), .config = kTinyConfig});
            accelerator.wait_for_everyone();
        });
        const TinyGpt2 plain;
        std::map<std::string, at::Tensor> read;
        for (const auto& [name, tensor] : checkpoint::read_weights(target))
            read[name] = tensor;
        EXPECT_EQ(read.size(), 4U);
        for (const auto& item : plain.named_parameters())
            EXPECT_TRUE(read[item.key()].equal(item.value())) << item.key() << ", stage " << stage;
        EXPECT_EQ(nlohmann::json::parse(read_file(target / "config.json")).at("n_embd"), 8);
        EXPECT_EQ(read_file(target / "generation_config.json"), R"({"max_length": 9})");
        EXPECT_TRUE(std::filesystem::exists(target / "tokenizer.json"));
        EXPECT_FALSE(std::filesystem::exists(target / "notes.txt"));
    }
    // For packaging/interop, which opens it with transformers.
    if (const char* keep = std::getenv("TRAINYARD_KEEP_PRETRAINED")) {
        Accelerator accelerator({}, test::alone());
        auto model = accelerator.prepare(std::make_shared<TinyGpt2>());
        accelerator.save_pretrained(model, keep, {.config = kTinyConfig});
        const at::NoGradGuard no_grad;
        accelerator.save(Tree::dict({{"result", model(at::arange(5).reshape({1, 5}))}}),
                         std::filesystem::path(keep) / "result.safetensors", true);
    }
}

TEST(Pretrained, WithoutAConfigItIsRefusedBeforeAnythingIsWritten) {
    const test::TemporaryFolder folder;
    Accelerator accelerator({}, test::alone());
    auto model = accelerator.prepare(std::make_shared<TinyGpt2>());
    EXPECT_THAT([&] { accelerator.save_pretrained(model, folder.path() / "target"); },
                testing::ThrowsMessage<UserError>(says(
                    "save_pretrained needs a config.json: give its text (config), or a folder that has one (source)")));
    EXPECT_THAT([&] { accelerator.save_pretrained(model, folder.path() / "target", {.config = "[1]"}); },
                testing::ThrowsMessage<UserError>(says("save_pretrained: config is not a JSON object")));
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "target"));
}

}  // namespace
}  // namespace trainyard::options_in_code
