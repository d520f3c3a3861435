// SPDX-License-Identifier: GPL-3.0-or-later
// Files of models and adapters that contradict themselves or hold more than a usual one, in generation and in merging:
// what PEFT makes of the starts of training (golden/adapter_starts), a head of its own beside a tied table, tensors
// that an adapter brings whole, names of wrappers, types of weights.

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>

#include <ATen/ATen.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "checkpoint/write_files.h"
#include "config/inputs/stored_head.h"
#include "generate/logits.h"
#include "inference/dispatch/load_checkpoint.h"
#include "inference/generate/merge_adapters.h"
#include "models/spec/family.h"
#include "support/golden.h"
#include "support/says.h"
#include "support/temporary_folder.h"
#include "support/weights_file.h"

namespace trainyard::generate {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::distance;
using test::says;
using testing::_;
using ::testing::AllOf;
using ::testing::ElementsAre;
using testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::StartsWith;
using Tensors = std::map<std::string, at::Tensor>;

Tensors stored_tensors(const fs::path& path) {
    Tensors tensors;
    for (auto& [name, tensor] : test::read_weights(path))
        tensors.emplace(name, tensor);
    return tensors;
}

void write_tensors(const fs::path& file, const Tensors& tensors) {
    make_private_folder(file.parent_path());
    checkpoint::write_file(file.parent_path(), {file.filename().string(),
                                                checkpoint::WeightsFile{NamedTensors(tensors.begin(), tensors.end())}});
}

json config_of(const fs::path& folder) {
    return json::parse(read_file(folder / "config.json"));
}

/// The same bits.
bool same(const at::Tensor& a, const at::Tensor& b) {
    return a.scalar_type() == b.scalar_type() && at::equal(a, b);
}

std::string refusal(const std::function<void()>& load) {
    try {
        load();
    } catch (const UserError& error) {
        return error.what();
    }
    return "it loads";
}

// --- what training subtracted from the base, and exceptions for single modules
// ----------------------------------------

class AdapterStarts : public ::testing::TestWithParam<std::string> {
  protected:
    const fs::path folder_ = test::golden("adapter_starts") / GetParam();
    const fs::path base_ = folder_.parent_path() / (GetParam().ends_with("gpt2") ? "gpt2" : "llama");
    const at::Tensor ids_ = at::arange(12, at::kLong).view({2, 6});
};

TEST_P(AdapterStarts, MergedAsPeftMergesIt) {
    test::TemporaryFolder out;
    const std::vector<Message> warnings = merge_adapters({base_, {}, {{folder_, 1}}}, out.path() / "merged");
    EXPECT_EQ(warnings.empty(), GetParam() != "pissa_niter");
    const Tensors base = stored_tensors(base_), merged = stored_tensors(out.path() / "merged");
    Tensors expected = stored_tensors(folder_ / "expected.safetensors");
    for (const auto& [name, tensor] : merged)
        if (const auto changed = expected.find("merged." + name); changed != expected.end()) {
            EXPECT_LT(distance(tensor, changed->second), 2e-5) << name;
            expected.erase(changed);
        } else {
            EXPECT_TRUE(same(tensor, base.at(name))) << name;
        }
    EXPECT_TRUE(expected.empty());
    EXPECT_LT(distance(test::logits_of(LoadedModel({base_, {}, {{folder_, 1}}}).model(), ids_),
                       test::logits_of(LoadedModel({out.path() / "merged", {}, {}}).model(), ids_)),
              2e-4)
        << "generation beside the adapter";
}

INSTANTIATE_TEST_SUITE_P(Cases, AdapterStarts,
                         ::testing::Values("pissa", "pissa_niter", "pissa_gpt2", "olora", "gaussian", "orthogonal",
                                           "mica", "patterns", "some_layers", "excluded"),
                         [](const auto& made) { return made.param; });

TEST(AdapterStart, SideBySideAndWeighted) {
    const fs::path golden = test::golden("adapter_starts");
    const std::string q = "model.layers.0.self_attn.q_proj.weight";
    const at::Tensor base = stored_tensors(golden / "llama").at(q),
                     pissa = stored_tensors(golden / "pissa" / "expected.safetensors").at("merged." + q),
                     olora = stored_tensors(golden / "olora" / "expected.safetensors").at("merged." + q);
    test::TemporaryFolder out;
    merge_adapters({golden / "llama", {}, {{golden / "pissa", 1}, {golden / "olora", 0.5}}}, out.path());
    EXPECT_LT(distance(stored_tensors(out.path()).at(q), pissa + (olora - base) * 0.5), 2e-5)
        << "each changes the weights that it was trained on";
    EXPECT_THAT(refusal([&] {
                    merge_adapters({golden / "llama", {}, {{golden / "pissa", -1}}}, out.path() / "again");
                }),
                AllOf(says("{} has init_lora_weights '{}': it cannot be taken out of a model, because what it changed "
                           "follows from the original weights alone",
                           _, "pissa"),
                      says("{} has init_lora_weights '{}': it cannot be taken out of a model, because what it changed "
                           "follows from the original weights alone",
                           _, _)));
    ModelSource offloaded{golden / "llama", {}, {{golden / "pissa", 1}}};
    offloaded.placement.device_map = "disk";
    EXPECT_THAT(refusal([&] { LoadedModel model(offloaded); }),
                says("{} changes weights of the model itself, which only a model in the processor's memory takes: "
                     "merge it first (trainyard merge-adapter)",
                     _));
}

// --- a head of its own beside a table that the flag ties
// ---------------------------------------------------------------

class TiedHead : public ::testing::TestWithParam<std::string> {
  protected:
    void SetUp() override {
        tensors_ = stored_tensors(golden_);
        const json config = config_of(golden_);
        head_ = families::family_of(config.at("model_type").get<std::string>()).head_name();
        const LoadedModel model({golden_, {}, {}});
        table_ = inputs::tied_table(model.config());
        head_value_ = at::randn_like(tensors_.at(table_)) * 0.3;
    }
    fs::path model(const std::string& name, bool tied, const at::Tensor& head) {
        const fs::path folder = out_.path() / name;
        Tensors tensors = tensors_;
        if (head.defined())
            tensors[head_] = head;
        write_tensors(folder / "model.safetensors", tensors);
        json config = config_of(golden_);
        config["tie_word_embeddings"] = tied;
        std::ofstream(folder / "config.json") << config.dump(2);
        return folder;
    }
    at::Tensor logits(const fs::path& folder) const {
        return test::logits_of(LoadedModel({folder, {}, {}}).model(), at::arange(3, 9, at::kLong).view({1, 6}));
    }

    const fs::path golden_ = test::golden("models") / GetParam();
    Tensors tensors_;
    std::string head_, table_;
    at::Tensor head_value_;
    test::TemporaryFolder out_;
};

TEST_P(TiedHead, OneThatDiffersIsTheHead) {
    const fs::path same_as_table = model("same", true, tensors_.at(table_).clone()),
                   differs = model("differs", true, head_value_), untied = model("untied", false, head_value_);
    EXPECT_THAT(LoadedModel({same_as_table, {}, {}}).warnings(), IsEmpty()) << "nothing is lost";
    EXPECT_TRUE(at::equal(logits(same_as_table), logits(golden_)));
    const LoadedModel loaded({differs, {}, {}});
    EXPECT_THAT(
        loaded.warnings(),
        ElementsAre(AllOf(says("{} has tie_word_embeddings: true, and the weights have a head of their own, {}, which "
                               "differs from {}: the head of the file is used, and tie_word_embeddings counts as false",
                               _, _, _),
                          HasSubstr(head_))));
    EXPECT_TRUE(at::equal(logits(differs), logits(untied)));
    EXPECT_FALSE(at::allclose(logits(differs), logits(golden_)));
}

TEST_P(TiedHead, AModelThatIsTiedRefusesOneThatDiffers) {
    config::ModelRecipe recipe = LoadedModel({golden_, {}, {}}).config();
    ASSERT_TRUE(recipe.tie_word_embeddings);
    const auto load = [&](const fs::path& folder) {
        const auto network = models::make_model(recipe);
        return dispatch::load_checkpoint_in_model(*network, folder, {}).warnings;
    };
    EXPECT_THAT(load(model("same", true, tensors_.at(table_).clone())), IsEmpty());
    EXPECT_THAT(refusal([&] { load(model("differs", true, head_value_)); }),
                AllOf(HasSubstr(head_), says("{} has a head of its own, {}, which differs from {}, and the model has "
                                             "one tensor for both: set tie_word_embeddings to false",
                                             _, _, _)));
}

INSTANTIATE_TEST_SUITE_P(Families, TiedHead,
                         ::testing::Values("gpt2", "qwen2_tied", "qwen3", "opt", "gemma2", "mixtral_left_tied",
                                           "gpt_neox_sequential_left"),
                         [](const auto& made) { return made.param; });

// --- one model, one adapter
// --------------------------------------------------------------------------------------------

class AdapterOfLlama : public ::testing::Test {
  protected:
    AdapterOfLlama() {
        at::manual_seed(5);
        base_tensors_ = stored_tensors(golden_ / "llama");
        a_ = at::randn({4, 16}) * 0.05;
        b_ = at::randn({16, 4}) * 0.05;
        pair_ = {{peft_ + ".lora_A.weight", a_}, {peft_ + ".lora_B.weight", b_}};
    }
    fs::path adapter(const Tensors& more, const json& fields = json::object(), bool tied = false) {
        const fs::path folder = out_.path() / ("adapter_" + std::to_string(number_++));
        Tensors tensors = pair_;
        tensors.insert(more.begin(), more.end());
        write_tensors(folder / "adapter_model.safetensors", tensors);
        json config{{"peft_type", "LORA"},
                    {"r", 4},
                    {"lora_alpha", 8},
                    {"target_modules", {"layers.0.self_attn.q_proj"}},
                    {"base_model_name_or_path", base(at::kFloat, tied).string()}};
        config.update(fields);
        std::ofstream(folder / "adapter_config.json") << config.dump();
        return folder;
    }
    /// The base with all weights in this type.
    fs::path base(at::ScalarType type, bool tied = false) {
        const fs::path folder =
            out_.path() / ("base_" + std::to_string(static_cast<int>(type)) + (tied ? "_tied" : ""));
        if (fs::exists(folder))
            return folder;
        Tensors tensors;
        for (const auto& [name, tensor] : base_tensors_)
            if (!tied || name != "lm_head.weight")
                tensors[name] = tensor.to(type);
        write_tensors(folder / "model.safetensors", tensors);
        json config = config_of(golden_ / "llama");
        config["tie_word_embeddings"] = tied;
        config["dtype"] = type == at::kBFloat16 ? "bfloat16" : type == at::kHalf ? "float16" : "float32";
        config["my_field"] = nullptr;
        std::ofstream(folder / "config.json") << config.dump(2);
        return folder;
    }
    std::vector<Message> merge(const fs::path& base, const std::vector<AdapterSource>& adapters,
                               const MergeOptions& options = {}) {
        fs::remove_all(merged_);
        return merge_adapters({base, {}, adapters}, merged_, options);
    }
    at::Tensor logits(const ModelSource& source) const {
        return test::logits_of(LoadedModel(source).model(), at::arange(12, at::kLong).view({2, 6}));
    }

    const fs::path golden_ = test::golden("adapter_starts");
    const std::string q_ = "model.layers.0.self_attn.q_proj", peft_ = "base_model.model." + q_;
    Tensors base_tensors_, pair_;
    at::Tensor a_, b_;
    test::TemporaryFolder out_;
    const fs::path merged_ = out_.path() / "merged";
    int number_ = 0;
};

TEST_F(AdapterOfLlama, WholeTensorsAreThoseOfTheModel) {
    const at::Tensor head = at::randn({48, 16}), table = at::randn({48, 16});
    const fs::path with_head =
        adapter({{"base_model.model.lm_head.weight", head}, {"base_model.model.model.embed_tokens.weight", table}});
    const fs::path plain = adapter({});
    EXPECT_THAT(merge(base(at::kFloat), {{with_head, 1}}), IsEmpty());
    Tensors expected = base_tensors_;
    expected[q_ + ".weight"] = base_tensors_.at(q_ + ".weight") + at::mm(b_, a_) * 2;
    expected["lm_head.weight"] = head;
    expected["model.embed_tokens.weight"] = table;
    const Tensors merged = stored_tensors(merged_);
    ASSERT_EQ(merged.size(), expected.size());
    for (const auto& [name, tensor] : merged)
        EXPECT_LT(distance(tensor, expected.at(name)), 1e-6) << name;
    EXPECT_LT(distance(logits({base(at::kFloat), {}, {{with_head, 1}}}), logits({merged_, {}, {}})), 1e-4);
    ModelSource half{base(at::kFloat), {}, {{with_head, 1}}};
    half.placement.dtype = "bfloat16";
    const at::Tensor of_merged = logits({merged_, {}, {}});
    EXPECT_LT(distance(logits(half), of_merged), 0.05 * of_merged.abs().max().item<double>()) << "in another type, too";
    EXPECT_FALSE(at::allclose(logits({merged_, {}, {}}), logits({base(at::kFloat), {}, {{plain, 1}}})));
    EXPECT_THAT(refusal([&] {
                    merge(base(at::kFloat), {{with_head, 1}, {with_head, 1}});
                }),
                says("{} brings {}, and so does another adapter: use one of them", _, _));
    EXPECT_THAT(refusal([&] {
                    merge(base(at::kFloat), {{with_head, 0.5}});
                }),
                says("{} brings whole tensors ({}), which cannot count {} times: leave the weight out", _, _, "0.5"));
}

TEST_F(AdapterOfLlama, TiedModelsTakeOneTensor) {
    const at::Tensor table = at::randn({48, 16});
    const Tensors both{{"base_model.model.lm_head.weight", table.clone()},
                       {"base_model.model.model.embed_tokens.weight", table}};
    EXPECT_THAT(merge(base(at::kFloat, true), {{adapter(both), 1}}), IsEmpty());
    EXPECT_TRUE(same(stored_tensors(merged_).at("model.embed_tokens.weight"), table));
    EXPECT_FALSE(stored_tensors(merged_).contains("lm_head.weight"));
    Tensors differ = both;
    differ["base_model.model.lm_head.weight"] = table + 1;
    EXPECT_THAT(refusal([&] {
                    merge(base(at::kFloat, true), {{adapter(differ), 1}});
                }),
                AllOf(HasSubstr("lm_head.weight"), HasSubstr("tie_word_embeddings")));
}

TEST_F(AdapterOfLlama, AMergeKeepsAHeadOfItsOwn) {
    const fs::path folder = base(at::kFloat);
    json config = config_of(folder);
    config["tie_word_embeddings"] = true;
    std::ofstream(folder / "config.json") << config.dump();
    EXPECT_THAT(merge(folder, {{adapter({}), 1}}), ElementsAre(HasSubstr("lm_head.weight")));
    EXPECT_TRUE(same(stored_tensors(merged_).at("lm_head.weight"), base_tensors_.at("lm_head.weight")));
    EXPECT_EQ(config_of(merged_).at("tie_word_embeddings"), false);
    EXPECT_THAT(LoadedModel({merged_, {}, {}}).warnings(), IsEmpty());
}

TEST_F(AdapterOfLlama, AMergeKeepsTheTypeOfEachWeight) {
    for (const at::ScalarType type : {at::kBFloat16, at::kHalf, at::kFloat}) {
        EXPECT_THAT(merge(base(type), {{adapter({}), 1}}), IsEmpty());
        const Tensors before = stored_tensors(base(type)), after = stored_tensors(merged_);
        for (const auto& [name, tensor] : after)
            if (name == q_ + ".weight") {
                const at::Tensor sum = before.at(name).to(at::kFloat) + at::mm(b_, a_) * 2;
                EXPECT_EQ(tensor.scalar_type(), type);
                EXPECT_LE(tensor.ne(sum.to(type)).sum().item<std::int64_t>(), 1) << "rounded once";
                EXPECT_FALSE(at::equal(tensor, before.at(name)));
            } else {
                EXPECT_TRUE(same(tensor, before.at(name))) << name;
            }
        EXPECT_EQ(config_of(merged_).at("dtype"), config_of(base(type)).at("dtype"));
        EXPECT_EQ(fs::file_size(merged_ / "model.safetensors"), fs::file_size(base(type) / "model.safetensors"));
    }
}

TEST_F(AdapterOfLlama, AnotherTypeIsWrittenOnRequest) {
    merge(base(at::kBFloat16), {{adapter({}), 1}}, {.dtype = "float32"});
    const Tensors before = stored_tensors(base(at::kBFloat16)), after = stored_tensors(merged_);
    for (const auto& [name, tensor] : after)
        EXPECT_EQ(tensor.scalar_type(), at::kFloat) << name;
    EXPECT_LT(distance(after.at(q_ + ".weight"), before.at(q_ + ".weight").to(at::kFloat) + at::mm(b_, a_) * 2), 1e-6);
    EXPECT_EQ(config_of(merged_).at("dtype"), "float32");
    EXPECT_THAT(refusal([&] {
                    merge(base(at::kFloat), {{adapter({}), 1}}, {.dtype = "int8"});
                }),
                says("dtype '{}' cannot be written: give float32, bfloat16, float16 or auto", "int8"));
    const Tensors large{{peft_ + ".lora_B.weight", b_ * 1e8}};
    pair_.erase(peft_ + ".lora_B.weight");
    EXPECT_THAT(refusal([&] {
                    merge(base(at::kHalf), {{adapter(large), 1}});
                }),
                AllOf(HasSubstr(q_ + ".weight"), says("{} has values after the merge that {} cannot hold, or that are "
                                                      "not finite: check the adapter, or give --dtype float32",
                                                      _, EndsWith("float16"))));
}

TEST_F(AdapterOfLlama, TypesOfSingleWeightsAreKept) {
    const fs::path folder = base(at::kBFloat16);
    Tensors mixed = stored_tensors(folder);
    mixed["model.norm.weight"] = mixed.at("model.norm.weight").to(at::kFloat);
    write_tensors(folder / "model.safetensors", mixed);
    merge(folder, {{adapter({}), 1}});
    for (const auto& [name, tensor] : stored_tensors(merged_))
        EXPECT_EQ(tensor.scalar_type(), mixed.at(name).scalar_type()) << name;
    EXPECT_EQ(config_of(merged_).at("dtype"), "bfloat16");
}

TEST_F(AdapterOfLlama, WhatIsNotUsedIsNamedOrRefused) {
    const Tensors stray{{peft_ + ".lora_magnitude_vector", at::ones({16})}};
    EXPECT_THAT(
        refusal([&] {
            LoadedModel model({base(at::kFloat), {}, {{adapter(stray), 1}}});
        }),
        AllOf(says("the adapter was trained in a way that is not computed, such as DoRA (lora_magnitude_vector), with "
                   "biases or for an embedding, so merge it with PEFT, or remove these tensors"),
              HasSubstr("DoRA")));
    EXPECT_THAT(merge(base(at::kFloat), {{adapter({{"foo.bar", at::ones({2})}}), 1}}),
                ElementsAre(says("{} has tensors that neither the model nor its adapter has, and they are not used: {}",
                                 _, StartsWith("foo.bar"))));
    EXPECT_THAT(refusal([&] {
                    LoadedModel model({base(at::kFloat),
                                       {},
                                       {{adapter({}, {{"target_modules", {"layers.0.self_attn.q_proj", "lm_head"}},
                                                      {"alora_invocation_tokens", {97}}}),
                                         1}}});
                }),
                HasSubstr("alora_invocation_tokens"));
}

}  // namespace
}  // namespace trainyard::generate
