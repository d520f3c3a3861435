// What a settings file and flags set of a recipe: the functions behind `launch`, the wizard's memory panel and the
// checks before a start.

#include "launch/plan/recipe_keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "launch/plan/counts.h"
#include "launch/plan/recipe_settings.h"
#include "support/temporary_folder.h"

namespace trainyard::plan {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

settings::Settings deepspeed() {
    settings::Settings settings;
    settings.set("distributed_type", "DEEPSPEED");
    return settings;
}

TEST(RecipeKeys, SettingsActWhereTheRecipeLeavesTheDefault) {
    settings::Settings settings = deepspeed();
    EXPECT_EQ(with_settings({}, settings).parallel.zero_stage, 2) << "DeepSpeed's own default";
    settings.set("deepspeed_config.zero_stage", std::int64_t{1});
    settings.set("deepspeed_config.gradient_clipping", "auto");
    settings.set("deepspeed_config.gradient_accumulation_steps", std::int64_t{4});
    config::Recipe recipe;
    recipe.training.max_grad_norm = 0.5;
    recipe = with_settings(recipe, settings);
    EXPECT_EQ(recipe.parallel.zero_stage, 1);
    EXPECT_EQ(recipe.training.gradient_accumulation_steps, 4);
    EXPECT_EQ(recipe.training.max_grad_norm, 0.5) << "auto is the recipe's own";
    settings.set("deepspeed_config.gradient_accumulation_steps", std::int64_t{8});
    try {
        with_settings(recipe, settings);
        FAIL() << "4 and 8 contradict";
    } catch (const InvalidInput& error) {
        ASSERT_EQ(error.problems().size(), 1U);
        EXPECT_EQ(error.problems()[0].key, "training.gradient_accumulation_steps");
        EXPECT_THAT(error.problems()[0].text(),
                    HasSubstr("the recipe says 4 and deepspeed_config.gradient_accumulation_steps says 8"));
    }
}

TEST(RecipeKeys, OptimizerStateOnADiskHasAFolder) {
    settings::Settings settings = deepspeed();
    settings.set("deepspeed_config.offload_optimizer_device", "nvme");
    const config::Recipe recipe = with_settings({}, settings);
    EXPECT_EQ(recipe.parallel.offload_optimizer_device, "nvme");
    EXPECT_EQ(recipe.parallel.offload_optimizer_nvme_path, "/nvme");
}

TEST(RecipeKeys, DeepspeedsOwnFileTakesThePlaceOfTheKeys) {
    test::TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "ds.json";
    write_file_atomically(file, R"({"zero_optimization": {"stage": 1}, "gradient_clipping": 2.0})");
    settings::Settings settings = deepspeed();
    settings.set("deepspeed_config.deepspeed_config_file", file.string());
    const config::Recipe recipe = with_settings({}, settings);
    EXPECT_EQ(recipe.parallel.zero_stage, 1);
    EXPECT_EQ(recipe.training.max_grad_norm, 2.0);
    std::filesystem::remove(file);
    EXPECT_THROW(with_settings({}, settings), UserError);
    settings.set("distributed_type", "MULTI_CPU");
    EXPECT_EQ(with_settings({}, settings), config::Recipe{}) << "the file is of another way of training";
}

TEST(RecipeKeys, MeshAndActivationCheckpointingOfFsdp) {
    settings::Settings settings;
    settings.set("distributed_type", "FSDP");
    settings.set("fsdp_config.fsdp_activation_checkpointing", true);
    settings.set("parallelism_config.parallelism_config_dp_replicate_size", std::int64_t{2});
    const config::Recipe recipe = with_settings({}, settings);
    EXPECT_EQ(recipe.parallel.dp_replicate_size, 2);
    EXPECT_EQ(recipe.training.activation_checkpointing,
              with_settings(recipe, settings).training.activation_checkpointing);
    EXPECT_NE(recipe.training.activation_checkpointing, config::Recipe{}.training.activation_checkpointing);
}

TEST(RecipeKeys, FlagsAreOverridesAndLeaveOutWhatTheFileSays) {
    const Flags flags = parse_flags({"--use_deepspeed", "--zero_stage", "1", "--gradient_clipping", "auto", "r.yaml"});
    EXPECT_THAT(typed_recipe_keys(flags), ElementsAre("parallel.zero_stage=1"));
    settings::Machine machine;
    const Resolved resolved = resolve(flags, std::nullopt, machine, {});
    for (const config::GivenKey& one : recipe_keys(flags, resolved))
        EXPECT_NE(one.key, "parallel.zero_stage") << one.source;
    EXPECT_TRUE(refused_settings(settings_of_recipe(flags, resolved)).empty());
}

TEST(RecipeKeys, HostsWithoutANumberShareTheRestEvenly) {
    Flags flags = parse_flags({"--hosts", "a:2,b,c", "--num_processes", "6", "r.yaml"});
    const std::vector<HostRanks> hosts = host_shares(flags);
    ASSERT_EQ(hosts.size(), 3U);
    EXPECT_EQ(hosts[0].ranks, 2);
    EXPECT_EQ(hosts[1].ranks, 2);
    EXPECT_EQ(hosts[2].ranks, 2);
    EXPECT_EQ(as_one_machine(flags).number("num_processes"), 6);
    EXPECT_TRUE(as_one_machine(flags).hosts.empty());
    flags.typed.insert_or_assign("num_processes", Value(std::int64_t{5}));
    EXPECT_THROW(host_shares(flags), UserError) << "3 ranks on 2 hosts";
}

}  // namespace
}  // namespace trainyard::plan
