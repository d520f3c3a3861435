// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/model_export.h"

#include <array>
#include <fstream>
#include <set>

#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "checkpoint/accelerate_folder.h"
#include "checkpoint/described.h"
#include "support/golden.h"
#include "support/says.h"
#include "support/temporary_folder.h"
#include "support/umask.h"

namespace trainyard::checkpoint {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::says;
using ::testing::ElementsAre;
using testing::EndsWith;

NamedTensors of_bytes(std::initializer_list<std::int64_t> sizes) {
    NamedTensors state;
    for (std::int64_t size : sizes)
        state.emplace_back("t" + std::to_string(state.size()), at::zeros({size}, at::kByte));
    return state;
}

TEST(PlanShards, FollowsTheOrder) {
    EXPECT_THAT(plan_shards(of_bytes({6, 6, 2, 6, 2, 2}), 10),
                ElementsAre(ElementsAre(0), ElementsAre(1, 2), ElementsAre(3, 4, 5)));
    EXPECT_THAT(plan_shards(of_bytes({4, 20, 4}), 10), ElementsAre(ElementsAre(1), ElementsAre(0, 2)))
        << "the large one's shard is finished first";
    EXPECT_THAT(plan_shards(of_bytes({}), 10), ElementsAre());
}

TEST(PlanShards, KeepsTogetherWhatSharesMemory) {
    NamedTensors state = of_bytes({6, 6, 6});
    state.emplace_back("view", state[0].second.narrow(0, 2, 3));
    state.emplace_back("tied", state[1].second);
    EXPECT_THAT(plan_shards(state, 6), ElementsAre(ElementsAre(0, 3), ElementsAre(1, 4), ElementsAre(2)));
    at::Tensor arena = at::zeros({30}, at::kByte);  // slices of one storage are not the same memory
    NamedTensors slices{{"a", arena.narrow(0, 0, 6)}, {"b", arena.narrow(0, 6, 6)}, {"c", arena.narrow(0, 12, 6)}};
    EXPECT_EQ(plan_shards(slices, 6).size(), 3u);
}

/// Order of the state dictionary of GPT2LMHeadModel, which sorted lists of names do not keep.
std::array<std::size_t, 3> place_in_gpt2(const std::string& name) {
    static const std::vector<std::string> kModules{"ln_1.", "attn.c_attn.", "attn.c_proj.",
                                                   "ln_2.", "mlp.c_fc.",    "mlp.c_proj."};
    static const std::vector<std::string> kParts{"transformer.wte", "transformer.wpe", "transformer.h.",
                                                 "transformer.ln_f", "lm_head"};
    auto part = static_cast<std::size_t>(
        std::find_if(kParts.begin(), kParts.end(), [&](const std::string& p) { return name.starts_with(p); }) -
        kParts.begin());
    std::size_t layer = part == 2 ? std::stoul(name.substr(kParts[2].size())) : 0;
    auto module =
        static_cast<std::size_t>(std::find_if(kModules.begin(), kModules.end(),
                                              [&](const std::string& m) { return name.find(m) != std::string::npos; }) -
                                 kModules.begin());
    return {part, layer, 2 * module + (name.ends_with("bias") ? 1 : 0)};
}

/// The limit is not recorded: one of the shards is as large as it may be, or all are.
std::string limit_that_makes(const NamedTensors& state, const json& weight_map,
                             const std::map<std::string, std::uint64_t>& shards) {
    for (const auto& [shard, bytes] : shards) {
        auto plan = plan_shards(state, bytes);
        bool same = plan.size() == shards.size();
        for (std::size_t i = 0; i < plan.size() && same; ++i)
            for (std::size_t tensor : plan[i])
                same = same && weight_map.at(state[tensor].first) ==
                                   std::next(shards.begin(), static_cast<std::ptrdiff_t>(i))->first;
        if (same)
            return std::to_string(bytes);
    }
    return {};
}

TEST(SaveModel, GoldenFoldersAreMadeAgain) {
    int made = 0;
    for (const auto& entry : fs::directory_iterator(test::golden("checkpoints"))) {
        std::ifstream file(entry.path() / "expected.json");
        json golden = json::parse(file);
        if (!golden.is_object() || !golden.contains("all_tensors"))
            continue;
        SCOPED_TRACE(entry.path().filename().string());
        std::string index_name;
        for (const auto& [name, content] : golden["files"].items())
            if (name.ends_with(".index.json"))
                index_name = name;
        ASSERT_FALSE(index_name.empty());
        bool safe = index_name.starts_with("model.");
        json index = golden["files"][index_name]["content"];
        NamedTensors state = read_weights(entry.path() / "ckpt");
        std::sort(state.begin(), state.end(),
                  [](const auto& a, const auto& b) { return place_in_gpt2(a.first) < place_in_gpt2(b.first); });
        std::map<std::string, std::uint64_t> shards;
        std::set<const void*> seen;
        for (const auto& [name, tensor] : state)
            if (seen.insert(tensor.const_data_ptr()).second)
                shards[index["weight_map"].at(name)] += tensor.nbytes();
        std::string limit = limit_that_makes(state, index["weight_map"], shards);
        ASSERT_FALSE(limit.empty()) << "no limit makes these shards";
        test::TemporaryFolder folder;
        Exported exported = save_model(state, folder.path(), {limit, safe});
        EXPECT_EQ(exported.files.size(), shards.size() + 1);
        EXPECT_EQ(read_file(folder.path() / index_name), read_file(entry.path() / "ckpt" / index_name));
        for (const auto& [shard, bytes] : shards)
            if (safe) {
                EXPECT_EQ(read_file(folder.path() / shard), read_file(entry.path() / "ckpt" / shard)) << shard;
            }
        for (const auto& [name, tensor] : read_weights(folder.path()))
            test::expect_tensor(tensor, golden["all_tensors"][name]);
        ++made;
    }
    EXPECT_GT(made, 0);
}

TEST(SaveModel, RemovesStaleShardsDropsAliasesAndSaysSo) {
    test::TemporaryFolder folder;
    at::Tensor w = at::arange(8, at::kFloat);
    NamedTensors state{{"wte", w}, {"lm_head", w}, {"bias", at::zeros({8})}};
    std::ofstream(folder.path() / "model-notes.safetensors") << "mine";
    save_model(state, folder.path(), {"32"});
    EXPECT_TRUE(fs::exists(folder.path() / "model-00002-of-00002.safetensors"));
    Exported exported = save_model(state, folder.path());
    EXPECT_THAT(exported.files, ElementsAre(folder.path() / "model.safetensors"));
    EXPECT_THAT(
        exported.warnings,
        ElementsAre(says(
            "{} shares its memory with a weight that is saved, and is not written again: tie the weights after loading",
            EndsWith("lm_head"))));
    EXPECT_FALSE(fs::exists(folder.path() / "model-00002-of-00002.safetensors"));
    EXPECT_FALSE(fs::exists(folder.path() / "model.safetensors.index.json"));
    EXPECT_TRUE(fs::exists(folder.path() / "model-notes.safetensors"));
    EXPECT_EQ(read_weights(folder.path()).size(), 2u);
    save_model(state, folder.path(), {"10GB", false});
    EXPECT_EQ(read_weights(folder.path() / "pytorch_model.bin").size(), 3u) << "torch.save keeps ties";
}

TEST(SaveModel, AModelIsAsReadableAsOtherFilesOfTheUser) {
    test::TemporaryFolder folder;
    const test::Umask group_reads(0027);
    const fs::path output = folder.path() / "shared" / "model";
    for (const bool safe : {true, false})
        for (const fs::path& file : save_model(of_bytes({4, 4}), output, {"5", safe}).files)
            EXPECT_EQ(test::mode_of(file), 0640) << file;
    EXPECT_EQ(test::mode_of(output), 0750);
    EXPECT_EQ(test::mode_of(output.parent_path()), 0750);
}

TEST(SaveModel, RefusesWhatCannotBeSaved) {
    test::TemporaryFolder folder;
    NamedTensors state = of_bytes({4});
    std::ofstream(folder.path() / "file") << "x";
    EXPECT_THROW(save_model(state, folder.path() / "file"), UserError);
    EXPECT_THROW(save_model(state, folder.path(), {"ten"}), UserError);
    state.emplace_back("ghost", at::empty({4}, at::TensorOptions().device(at::kMeta)));
    EXPECT_THROW(save_model(state, folder.path()), UserError);
    EXPECT_FALSE(fs::exists(folder.path() / "model.safetensors"));
}

TEST(Unwrapped, DropsTheWrappersNames) {
    at::Tensor t = at::zeros({1});
    NamedTensors plain = unwrapped({{"module._orig_mod.a.module.b", t}, {"_orig_mod.c", t}, {"d", t}});
    EXPECT_EQ(plain[0].first, "a.module.b");
    EXPECT_EQ(plain[1].first, "c");
    EXPECT_EQ(plain[2].first, "d");
}

}  // namespace
}  // namespace trainyard::checkpoint
