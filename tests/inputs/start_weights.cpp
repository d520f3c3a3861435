// SPDX-License-Identifier: GPL-3.0-or-later
// Values that the recipe lacks come from the config.json of model.weights; values that it has must not contradict it.
// The folders are those of transformers (golden topic gpt2_options).

#include "config/inputs/start_weights.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "checkpoint/files/manifest.h"
#include "config/inputs/check_resume.h"
#include "config/inputs/tokenizer_check.h"
#include "formats/weights/safetensors.h"
#include "formats/weights/weight_source.h"
#include "support/golden.h"
#include "support/random_model.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::inputs {
namespace {

using nlohmann::json;
using test::says;
using test::says_only;
using testing::_;
using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

class StartWeights : public testing::Test {
  protected:
    /// A copy of a folder of the golden topic, so that it can be modified.
    fs::path copy_of(const std::string& name) {
        fs::path folder = folder_.path() / name;
        fs::copy(test::golden("gpt2_options") / name, folder,
                 fs::copy_options::overwrite_existing | fs::copy_options::recursive);
        return folder;
    }
    void change_config(const fs::path& folder, const std::function<void(json&)>& change) {
        json config = json::parse(read_file(folder / "config.json"));
        change(config);
        write_file_atomically(folder / "config.json", config.dump());
    }
    /// A recipe with these keys of `model` in addition to the weights.
    config::Recipe recipe(const fs::path& weights, const std::string& keys = "", const std::string& rest = "") {
        return config::parse_recipe("model: {weights: \"" + weights.string() + "\"" +
                                        (keys.empty() ? "" : ", " + keys) + "}\n" + "data: {path: " + text_ +
                                        ", sequence_length: 8}\ntraining: {batch_size: 2}\n" + rest,
                                    "recipe.yaml");
    }
    std::vector<std::string> problems(const config::Recipe& recipe) {
        std::vector<std::string> all;
        for (const InputProblem& problem : check_recipe_inputs(recipe, 1))
            all.push_back(problem.key + ": " + problem.message.text());
        return all;
    }
    std::vector<std::string> problems(const fs::path& weights, const std::string& keys = "") {
        return problems(recipe(weights, keys));
    }

    void SetUp() override { write_file_atomically(text_, std::string(4000, '\x01')); }

    test::TemporaryFolder folder_;
    std::string text_ = (folder_.path() / "text").string();
};

TEST_F(StartWeights, WhatTheRecipeLeavesOutIsAsInTheFile) {
    config::Recipe one = recipe(copy_of("all_at_once"));
    EXPECT_THAT(problems(one), IsEmpty());
    config::ModelRecipe model = settle_model(one.model).model;
    EXPECT_EQ(model.activation_function, "silu");
    EXPECT_FALSE(model.tie_word_embeddings);
    EXPECT_TRUE(model.scale_attn_by_inverse_layer_idx);
    EXPECT_EQ(model.layer_norm_epsilon, 0.01);
    EXPECT_EQ(model.n_inner, 12);
    EXPECT_EQ(model.n_head, 1);
    EXPECT_EQ(model.bos_token_id, -1);
    EXPECT_EQ(model.pad_token_id, 3);
    // A field that the file lacks has the default of transformers, not of recipes.
    change_config(folder_.path() / "all_at_once", [](json& config) { config.erase("resid_pdrop"); });
    EXPECT_EQ(settle_model(one.model).model.resid_pdrop, 0.1);
    // Dropout and initial values can be chosen for every run.
    EXPECT_EQ(settle_model(recipe(folder_.path() / "all_at_once", "resid_pdrop: 0.3").model).model.resid_pdrop, 0.3);
    EXPECT_THAT(problems(folder_.path() / "all_at_once", "resid_pdrop: 0.3, initializer_range: 0.5, eos_token_id: 7"),
                IsEmpty());
}

TEST_F(StartWeights, ASettledRecipeIsWrittenWholeAndAnOpenOneIsNot) {
    config::Recipe open = recipe(copy_of("untied"), "n_head: 2");
    EXPECT_THAT(config::to_yaml(open), AllOf(HasSubstr("n_head: 2"), testing::Not(HasSubstr("n_layer"))));
    EXPECT_THAT(config::to_whole_yaml(open), HasSubstr("n_layer"));
    config::Recipe again = config::parse_recipe(config::to_yaml(open), "run.yaml");
    EXPECT_EQ(again, open);
    EXPECT_EQ(settle_model(again.model).model, settle_model(open.model).model);
    config::Recipe settled = open;
    settled.model = settle_model(open.model).model;
    config::Recipe read = config::parse_recipe(config::to_yaml(settled), "run.yaml");
    EXPECT_EQ(read, settled);
    EXPECT_FALSE(read.model.tie_word_embeddings);
    EXPECT_THAT(problems(read), IsEmpty());
}

TEST_F(StartWeights, AContradictionNamesTheKeyAndBothValues) {
    const fs::path folder = copy_of("usual");
    const std::string config = (folder / "config.json").string();
    for (auto [keys, key, mine, its] :
         {std::array<const char*, 4>{"n_head: 4", "n_head", "4", "2"},
          {"n_layer: 3", "n_layer", "3", "2"},
          {"activation_function: relu", "activation_function", "\"relu\"", "\"gelu_new\""},
          {"tie_word_embeddings: no", "tie_word_embeddings", "false", "true"},
          {"scale_attn_weights: no", "scale_attn_weights", "false", "true"},
          {"scale_attn_by_inverse_layer_idx: yes", "scale_attn_by_inverse_layer_idx", "true", "false"},
          {"layer_norm_epsilon: 0.1", "layer_norm_epsilon", "0.1", "1e-05"},
          {"n_inner: 33", "n_inner", "33", "null"},
          {"vocab_size: 30", "vocab_size", "30", "24"}})
        EXPECT_THAT(problems(folder, keys),
                    ElementsAre(says_only("the recipe says {}, and {}, which describes the weights, says {}: leave the "
                                          "key out, or give the same value",
                                          mine, config, its)
                                    .after(std::string("model.") + key + ": ")));
    EXPECT_THAT(problems(folder, "n_embd: 16, n_inner: 0"), ElementsAre(HasSubstr("model.n_embd: the recipe says 16")));
    // The same function with another name.
    EXPECT_THAT(problems(folder, "n_inner: 32, activation_function: gelu_pytorch_tanh, n_head: 2"), IsEmpty());
}

TEST_F(StartWeights, WhatCannotBeComputedIsRefusedBeforeTheStart) {
    auto refusal = [&](const std::function<void(json&)>& change) {
        change_config(copy_of("usual"), change);
        std::vector<std::string> all = problems(folder_.path() / "usual");
        EXPECT_FALSE(all.empty());
        return all.empty() ? "" : all.front();
    };
    EXPECT_THAT(refusal([](json& config) { config["add_cross_attention"] = true; }),
                says("blocks with cross-attention need the states of an encoder, which no data set of this version "
                     "has: set it to false"));
    EXPECT_THAT(
        refusal([](json& config) { config["activation_function"] = "prelu"; }),
        says("{} has trained parameters of its own, which this version does not have: take another one, e.g. gelu", _));
    EXPECT_THAT(refusal([](json& config) { config["activation_function"] = "glu"; }),
                says("'{}' is not known{}", "glu", _));
    EXPECT_THAT(refusal([](json& config) { config["rope_theta"] = 10000; }),
                AllOf(HasSubstr("config.json: rope_theta"),
                      says("{}: this version does not know the field, so it cannot tell what it changes ({} is not a "
                           "field of {}): remove it if it does not affect training",
                           _, _, _)));
    EXPECT_THAT(refusal([](json& config) { config["pruned_heads"] = {{"0", {1}}}; }), HasSubstr("pruned_heads"));
    EXPECT_THAT(refusal([](json& config) {
                    config["quantization_config"] = {{"bits", 4}};
                }),
                HasSubstr("quantization_config"));
    EXPECT_THAT(refusal([](json& config) { config["n_layer"] = "two"; }), HasSubstr("n_layer: must be a whole number"));
    EXPECT_THAT(refusal([](json& config) { config["attn_pdrop"] = 1.0; }),
                says("must be a number from {} to below {}", 0, StartsWith("1")).after("attn_pdrop: "));
    EXPECT_THAT(refusal([](json& config) { config["hidden_size"] = 16; }),
                says("is {}, but {} is {}, and both are the same: keep one", _, _, _));
    EXPECT_THAT(refusal([](json& config) { config["model_type"] = "mamba"; }),
                says("{} describes a model of type '{}', and this version knows {}", _, "mamba", StartsWith("gpt2, ")));
    EXPECT_THAT(refusal([](json& config) { config.erase("model_type"); }),
                says("{} is not a model configuration: it has no model_type", _));
    // Names of version 4, and fields for generation.
    change_config(copy_of("usual"), [](json& config) {
        for (auto [now, before] : {std::pair("n_embd", "hidden_size"), {"n_layer", "num_hidden_layers"}}) {
            config[before] = config[now];
            config.erase(now);
        }
        config["n_ctx"] = 10;
        config["torch_dtype"] = "float32";
        config["temperature"] = 0.7;
        config["task_specific_params"] = {{"text-generation", {{"max_length", 50}}}};
        config["pruned_heads"] = json::object();
    });
    EXPECT_THAT(problems(folder_.path() / "usual"), IsEmpty());
}

TEST_F(StartWeights, ValuesOfTheFileMeetTheRestOfTheRecipe) {
    const fs::path folder = copy_of("usual");
    EXPECT_THAT(
        problems(config::parse_recipe("model: {weights: " + folder.string() + "}\ndata: {path: " + text_ +
                                          ", sequence_length: 11}\ntraining: {batch_size: 2}\n",
                                      "recipe.yaml")),
        ElementsAre(test::says("{} is more than model.{} ({}): shorten the samples or raise {}",
                               testing::EndsWith("data.sequence_length: 11"), "n_positions", "10", testing::_)));
    EXPECT_THAT(problems(recipe(folder, "", "parallel: {pp_size: 4}\n")),
                testing::Contains(HasSubstr("parallel.pp_size: 4 pipeline stages")));
}

TEST_F(StartWeights, AHeadThatDiffersFromTheTableCountsWhateverTheFlagSays) {
    const fs::path folder = copy_of("untied");
    change_config(folder, [](json& config) { config["tie_word_embeddings"] = true; });
    const SettledModel settled = settle_model(recipe(folder).model);
    EXPECT_THAT(settled.problems, IsEmpty());
    EXPECT_FALSE(settled.model.tie_word_embeddings);
    EXPECT_THAT(
        settled.notes,
        ElementsAre(AllOf(says("{} has tie_word_embeddings: true, and the weights have a head of their own, {}, which "
                               "differs from {}: the head of the file is used, and tie_word_embeddings counts as false",
                               EndsWith("config.json"), _, _),
                          says("{} has tie_word_embeddings: true, and the weights have a head of their own, {}, which "
                               "differs from {}: the head of the file is used, and tie_word_embeddings counts as false",
                               _, EndsWith("lm_head.weight"), StartsWith("transformer.wte")))));
    EXPECT_THAT(problems(folder), IsEmpty());
    EXPECT_THAT(problems(folder, "tie_word_embeddings: no"), IsEmpty());
    EXPECT_THAT(
        problems(folder, "tie_word_embeddings: yes"),
        testing::Contains(test::says("is true, and the weights in {} have a head of their own, {}, which differs from "
                                     "the table of the embedding: leave the key out, or set it to false",
                                     testing::_, testing::_)
                              .after("model.tie_word_embeddings: ")));
    // Settled again, as every rank does.
    EXPECT_FALSE(settle_model(settled.model).model.tie_word_embeddings);
    EXPECT_THAT(settle_model(settled.model).problems, IsEmpty());
    EXPECT_THAT(settle_model(recipe(copy_of("untied")).model).notes, IsEmpty()) << "the flag agrees";
    EXPECT_THAT(settle_model(recipe(copy_of("usual")).model).notes, IsEmpty());
}

TEST_F(StartWeights, TensorsMustBeThoseOfTheModel) {
    fs::path folder = copy_of("untied");
    fs::remove(folder / "config.json");
    const std::string sizes = "vocab_size: 24, n_positions: 10, n_embd: 8, n_layer: 2, n_head: 2";
    EXPECT_THAT(problems(folder, sizes),
                ElementsAre(AllOf(HasSubstr("lm_head.weight, which differs"), HasSubstr("set it to false"))));
    EXPECT_THAT(problems(folder, sizes + ", tie_word_embeddings: no"), IsEmpty());
    folder = copy_of("usual");
    fs::remove(folder / "config.json");
    EXPECT_THAT(problems(folder, sizes + ", tie_word_embeddings: no"),
                ElementsAre(says("has no tensor {}", StartsWith("lm_head.weight"))));
    EXPECT_THAT(problems(folder, "n_embd: 8, n_head: 2"), ElementsAre(says("give the file's own sizes under model")));
    // Weights of a longer model with the config.json of a shorter one.
    folder = copy_of("usual");
    change_config(folder, [](json& config) { config["n_layer"] = 1; });
    EXPECT_THAT(
        problems(folder),
        ElementsAre(says("has tensors that {} lacks ({}): remove them from the file, since training would drop them",
                         "GPT2LMHeadModel", StartsWith("transformer.h.1.attn.c_attn.bias"))));
    change_config(folder, [](json& config) { config["n_layer"] = 3; });
    EXPECT_THAT(problems(folder),
                ElementsAre(AllOf(says("{} (and {} more do not fit): {}",
                                       says("has no tensor {}", "transformer.h.2.ln_1.weight").at_end(), 11, _),
                                  says("{} is not of these weights", EndsWith("config.json")))));
}

/// Writes the tensors of a folder under other names.
void rename_all(const fs::path& folder, const std::function<std::string(const std::string&)>& change) {
    std::vector<weights::TensorToWrite> tensors;
    const auto source = weights::open_weights(folder);
    for (std::size_t i = 0; i < source->tensors().size(); ++i) {
        const weights::SourceTensor& tensor = source->tensors()[i];
        tensors.push_back(
            {change(tensor.name), tensor.dtype, tensor.shape, {}, [&source, i](const weights::ByteSink& sink) {
                 source->stream(i, sink);
             }});
    }
    weights::write_safetensors(folder / "new", tensors);
    fs::rename(folder / "new", folder / "model.safetensors");
}

TEST_F(StartWeights, NamesOfWrappedModulesAreThoseOfTheModel) {
    for (const char* wrapper : {"_orig_mod.", "module._orig_mod.", "module.", "_fsdp_wrapped_module."}) {
        const fs::path folder = copy_of("usual");
        rename_all(folder, [&](const std::string& name) { return wrapper + name; });
        EXPECT_THAT(problems(folder), IsEmpty()) << wrapper;
        fs::remove_all(folder);
    }
}

TEST_F(StartWeights, MissingNamesAreToldWithThoseThatAreThereAndTheCommandThatMendsThem) {
    fs::path folder = copy_of("usual");
    rename_all(folder, [](const std::string& name) { return "net.body." + name; });
    EXPECT_THAT(problems(folder),
                ElementsAre(AllOf(says("has no tensor {}", StartsWith("transformer.")),
                                  says("it has {} instead, so write it under the model's names with `trainyard "
                                       "checkpoints rename {} OUT --table T`, where the file T has the line '{}* -> *'",
                                       StartsWith("net.body.transformer."), _, _),
                                  HasSubstr("trainyard checkpoints rename " + folder.string() + " OUT --table T"),
                                  says("it has {} instead, so write it under the model's names with `trainyard "
                                       "checkpoints rename {} OUT --table T`, where the file T has the line '{}* -> *'",
                                       _, _, "net.body."),
                                  Not(HasSubstr("config.json is not")))));
    fs::remove_all(folder);
    folder = copy_of("usual");
    rename_all(folder, [](const std::string& name) { return name + "_x"; });
    EXPECT_THAT(problems(folder),
                ElementsAre(AllOf(says("it has names such as {}, so it is of another model, or `trainyard checkpoints "
                                       "rename {} OUT --table T` must give its tensors the model's names",
                                       StartsWith("transformer."), _),
                                  HasSubstr("checkpoints rename"))));
}

TEST_F(StartWeights, EveryWayOfStoringIsAccepted) {
    for (const char* name : {"usual", "shards", "untied_shards", "bin", "untied_bin", "bin_shards", "without_prefix",
                             "masks_of_old_files", "bfloat16"})
        EXPECT_THAT(problems(test::golden("gpt2_options") / name), IsEmpty()) << name;
    // A single file with the config.json in its folder.
    EXPECT_THAT(problems(test::golden("gpt2_options/usual/model.safetensors")), IsEmpty());
    EXPECT_THAT(problems(test::golden("gpt2_options/untied_bin/pytorch_model.bin")), IsEmpty());
    fs::path folder = copy_of("bin_shards");
    fs::remove(folder / "pytorch_model-00002-of-00002.bin");
    EXPECT_THAT(problems(folder), ElementsAre(HasSubstr("pytorch_model-00002-of-00002.bin")));
}

/// Throughput counts samples of recordings and images, with the family named by the recipe or by the weights.
TEST(SettledRecipe, SamplesWithoutTextCountAsOneToken) {
    const auto tokens_of_step = [](const std::string& model, const std::string& data) {
        config::Recipe recipe = config::parse_recipe(
            "model: {weights: " + model + "}\ndata: {path: x" + data + "}\ntraining: {batch_size: 4}\n",
            "/recipe.yaml");
        settle_model_of(recipe);
        return recipe.tokens_per_step(2);
    };
    EXPECT_EQ(tokens_of_step((test::own_golden("speech_models") / "stable").string(), ", format: audio"), 8);
    EXPECT_EQ(tokens_of_step((test::own_golden("models") / "vit_classification").string(), ", format: images"), 8);
    EXPECT_EQ(tokens_of_step((test::own_golden("models") / "gpt2").string(), ", sequence_length: 4"), 32);
}

/// A checkpoint of the trainer for a model of another size is refused before a rank starts.
TEST_F(StartWeights, ACheckpointOfAnotherSizeIsRefused) {
    const test::RandomModel saved(
        R"({"model_type": "gpt2", "n_embd": 32, "n_layer": 1, "n_head": 4, "n_positions": 8, "vocab_size": 256})");
    const fs::path checkpoint = folder_.path() / "run" / "checkpoints" / "checkpoint_4";
    saved.write(checkpoint);
    write_file_atomically(checkpoint / "position.json", R"({"step": 4})");
    config::Recipe one = config::parse_recipe(
        "model: {n_embd: 32, n_layer: 1, n_head: 4, n_positions: 8, vocab_size: "
        "256}\ndata: {path: a, sequence_length: 8}\n",
        "recipe.yaml");
    one.checkpoint.resume_from = (folder_.path() / "run").string();
    EXPECT_THAT(check_resume(one), IsEmpty());
    one.parallel.tp_size = 2;  // files have whole tensors, whatever the layout
    EXPECT_THAT(check_resume(one), IsEmpty());
    one.model.n_embd = 64;
    EXPECT_THAT(check_resume(one),
                ElementsAre(says("the weights in {} do not fit: {}", checkpoint.string(),
                                 AllOf(StartsWith("transformer.wte.weight has shape [256, 32] instead of [256, 64]"),
                                       HasSubstr(" more")))));
    // A damaged one is left to the ranks, which take the one before.
    write_file_atomically(checkpoint / "model.safetensors", "damaged");
    EXPECT_THAT(check_resume(one), IsEmpty());
}

constexpr const char* kTokens = R"({"added_tokens": [{"id": 3, "content": "<end>"}], "model": {"type": "BPE", "vocab":
    {"a": 0, "b": 1, "ab": 2}, "merges": ["a b"]}})";

/// The same tokens in another order of the file, with merges as pairs.
constexpr const char* kSameTokens = R"({"model": {"merges": [["a", "b"]], "vocab": {"ab": 2, "b": 1, "a": 0}},
    "added_tokens": [{"content": "<end>", "id": 3}, {"content": "<new>", "id": 4}]})";

constexpr const char* kOtherTokens = R"({"added_tokens": [{"id": 3, "content": "<end>"}], "model": {"type": "BPE",
    "vocab": {"b": 0, "a": 1, "ab": 2}, "merges": ["a b"]}})";

TEST_F(StartWeights, TokenizersDifferByTokensAndMerges) {
    const auto file = [&](const char* name, const std::string& text) {
        write_file_atomically(folder_.path() / name, text);
        return folder_.path() / name;
    };
    const fs::path mine = file("mine.json", kTokens), same = file("same.json", kSameTokens),
                   other = file("other.json", kOtherTokens);
    EXPECT_EQ(token_difference(mine, same), "") << "one has a token more, under an id of its own";
    EXPECT_EQ(token_difference(same, mine), "");
    EXPECT_THAT(token_difference(mine, other),
                says("token {} is '{}' in {} and '{}' in {}", 0, "a", mine.string(), "b", other.string()));
    const fs::path merges =
        file("merges.json", R"({"model": {"vocab": {"a": 0, "b": 1, "ab": 2}, "merges": ["b a"]}})");
    EXPECT_THAT(token_difference(mine, merges),
                says("merge {} is '{}' in {} and '{}' in {}", 0, "a b", mine.string(), "b a", merges.string()));
    const fs::path unigram = file("unigram.json", R"({"model": {"vocab": [["a", -1.5], ["c", -2]]}})");
    EXPECT_THAT(token_difference(mine, unigram),
                says("token {} is '{}' in {} and '{}' in {}", 1, "b", mine.string(), "c", unigram.string()));
    EXPECT_THROW((void)token_difference(mine, file("list.json", "[1")), UserError);
    EXPECT_THROW((void)token_difference(mine, file("ids.json", R"({"model": {"vocab": {"a": "b"}}})")), UserError);
}

/// A checkpoint has the tokenizer that it was trained with. Tokens of another one of the same size mean other embeddings.
TEST_F(StartWeights, AnotherTokenizerIsRefusedOnResumptionAndNotedAtTheStart) {
    const test::RandomModel saved(
        R"({"model_type": "gpt2", "n_embd": 32, "n_layer": 1, "n_head": 4, "n_positions": 8, "vocab_size": 256})");
    const fs::path checkpoint = folder_.path() / "run" / "checkpoints" / "checkpoint_4";
    saved.write(checkpoint);
    write_file_atomically(checkpoint / "position.json", R"({"step": 4})");
    config::Recipe one = config::parse_recipe(
        "model: {n_embd: 32, n_layer: 1, n_head: 4, n_positions: 8, vocab_size: "
        "256}\ndata: {path: a, sequence_length: 8, format: text}\n",
        "recipe.yaml");
    const fs::path tokenizer = folder_.path() / "tokenizer.json";
    write_file_atomically(tokenizer, kTokens);
    one.data.tokenizer = tokenizer.string();
    const auto resumed = [&] {
        config::Recipe recipe = one;
        recipe.checkpoint.resume_from = (folder_.path() / "run").string();
        EXPECT_EQ(note_on_tokenizer(recipe), "") << "a resumption is checked by check_resume()";
        return check_resume(recipe);
    };
    one.model.weights = checkpoint.string();
    EXPECT_THAT(resumed(), IsEmpty()) << "of a version that stored no tokenizer";
    EXPECT_EQ(note_on_tokenizer(one), "");
    write_file_atomically(checkpoint / "tokenizer.json", kSameTokens);
    EXPECT_THAT(resumed(), IsEmpty());
    EXPECT_EQ(note_on_tokenizer(one), "");
    const fs::path stored = checkpoint / "tokenizer.json";
    write_file_atomically(stored, kOtherTokens);
    EXPECT_THAT(resumed(),
                ElementsAre(says("{} was trained with another tokenizer than data.tokenizer: {}. Set data.tokenizer to "
                                 "{}, or start from its weights alone with model.weights",
                                 checkpoint.string(), StartsWith("token 0 is 'b' in "), stored.string())));
    EXPECT_THAT(note_on_tokenizer(one), says("model.weights come with another tokenizer than data.tokenizer: {}. Set "
                                             "data.tokenizer to {}, unless you want to train the embeddings again",
                                             StartsWith("token 0 is 'b' in "), stored.string()));
    one.model.weights = (checkpoint / "model.safetensors").string();
    EXPECT_NE(note_on_tokenizer(one), "") << "the file in the folder";
    one.data.tokenizer.clear();
    EXPECT_THAT(resumed(), IsEmpty()) << "the data have tokens already";
    EXPECT_EQ(note_on_tokenizer(one), "");
}

/// State that the recipe's optimizer needs must be there. State of another one that it does not use is noted.
TEST_F(StartWeights, StateOfAnotherOptimizerIsRefusedOrNoted) {
    const test::RandomModel saved(
        R"({"model_type": "gpt2", "n_embd": 32, "n_layer": 1, "n_head": 4, "n_positions": 8, "vocab_size": 256})");
    const fs::path checkpoint = folder_.path() / "checkpoint_4";
    saved.write(checkpoint);
    write_file_atomically(checkpoint / "position.json", R"({"step": 4})");
    config::Recipe one = config::parse_recipe(
        "model: {n_embd: 32, n_layer: 1, n_head: 4, n_positions: 8, vocab_size: "
        "256}\ndata: {path: a, sequence_length: 8}\n",
        "recipe.yaml");
    one.checkpoint.resume_from = checkpoint.string();
    const auto with_states = [&](const std::map<std::string, std::string>& tensors) {
        checkpoint::Manifest manifest;
        manifest.files["optimizer-1-of-2.safetensors"] = {1, "00", {}, tensors};
        checkpoint::write_manifest(checkpoint, manifest);
    };
    with_states({});  // of a version whose manifests do not name tensors
    EXPECT_THAT(check_resume(one), IsEmpty());
    EXPECT_EQ(note_on_optimizer(one), "");
    with_states({{"exp_avg.transformer.wte.weight#0", "00"}, {"exp_avg_sq.transformer.wte.weight#0", "00"}});
    EXPECT_THAT(check_resume(one), IsEmpty());
    EXPECT_EQ(note_on_optimizer(one), "");
    one.optimizer.name = "lion";
    EXPECT_THAT(check_resume(one), IsEmpty());
    EXPECT_THAT(note_on_optimizer(one),
                says("{} has state of an optimizer that {} does not use, and that is left out: {}", checkpoint.string(),
                     "lion", "exp_avg_sq"));
    one.optimizer.name = "muon";  // which leaves vectors and tables to AdamW
    EXPECT_THAT(check_resume(one),
                ElementsAre(says("{} has the state of another optimizer ({}), and {} needs {}: set the optimizer as it "
                                 "was there, or start from the weights alone with model.weights",
                                 checkpoint.string(), "exp_avg, exp_avg_sq", "muon", "momentum_buffer")));
    one.checkpoint.resume_from.clear();
    EXPECT_EQ(note_on_optimizer(one), "");
}

/// So is one of another family or task, and one with adapters for a recipe without, or the other way round.
TEST_F(StartWeights, ACheckpointOfAnotherModelIsRefused) {
    const auto recipe_of = [&](const std::string& model, const fs::path& from) {
        config::Recipe recipe = config::parse_recipe(model + "\ndata: {path: a, sequence_length: 8}\n", "recipe.yaml");
        recipe.checkpoint.resume_from = from.string();
        return recipe;
    };
    const fs::path gpt2 = folder_.path() / "checkpoint_4", bert = folder_.path() / "checkpoint_5";
    const test::RandomModel saved(
        R"({"model_type": "gpt2", "n_embd": 32, "n_layer": 1, "n_head": 4, "n_positions": 8, "vocab_size": 256})");
    saved.write(gpt2);
    test::RandomModel(R"({"model_type": "bert", "architectures": ["BertForSequenceClassification"], "hidden_size": 32,
        "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32, "vocab_size": 257})")
        .write(bert);
    for (const fs::path& each : {gpt2, bert})
        write_file_atomically(each / "position.json", R"({"step": 4})");
    const std::string same = "model: {n_embd: 32, n_layer: 1, n_head: 4, n_positions: 8, vocab_size: 256}";
    EXPECT_THAT(check_resume(recipe_of(same, gpt2)), IsEmpty());
    EXPECT_THAT(
        check_resume(recipe_of("model: {model_type: llama, hidden_size: 32}", gpt2)),
        ElementsAre(says("{} is of a model of type {}, and the recipe's is {}: resume with the recipe of that run",
                         gpt2.string(), "gpt2", "llama")));
    EXPECT_THAT(
        check_resume(recipe_of("model: {model_type: bert, task: masked_lm, hidden_size: 32, num_hidden_layers: 1, "
                               "num_attention_heads: 2, intermediate_size: 32, vocab_size: 257}",
                               bert)),
        ElementsAre(says("{} is of a model that was trained as {}, and the recipe's is trained as {}: start from "
                         "its weights alone with model.weights",
                         bert.string(), "sequence_classification", "masked_lm")));
    const std::string adapters = same + "\nlora: {r: 2, target_modules: [c_attn]}";
    EXPECT_THAT(check_resume(recipe_of(adapters, gpt2)),
                ElementsAre(says("{} is of a training without adapters, and lora.r is {}: start from its weights with "
                                 "model.weights, or set lora.r to 0",
                                 gpt2.string(), "2")));
    // The same checkpoint with adapters.
    const std::vector<float> numbers(32 * 96);
    std::vector<weights::TensorToWrite> tensors;
    const auto source = weights::open_weights(gpt2);
    for (std::size_t i = 0; i < source->tensors().size(); ++i) {
        const weights::SourceTensor& tensor = source->tensors()[i];
        tensors.push_back({tensor.name, tensor.dtype, tensor.shape, source->mapped(i, false)});
    }
    for (const auto& [end, shape] : {std::pair<const char*, std::vector<std::int64_t>>{"A", {2, 32}}, {"B", {96, 2}}})
        tensors.push_back({std::string("transformer.h.0.attn.c_attn.lora_") + end + ".weight", "F32", shape,
                           std::as_bytes(std::span(numbers)).first(4 * static_cast<std::size_t>(shape[0] * shape[1]))});
    weights::write_safetensors(folder_.path() / "with_adapters", tensors);
    fs::rename(folder_.path() / "with_adapters", gpt2 / "model.safetensors");
    EXPECT_THAT(check_resume(recipe_of(adapters, gpt2)), IsEmpty());
    EXPECT_THAT(check_resume(recipe_of(same + "\nlora: {r: 4, target_modules: [c_attn]}", gpt2)),
                ElementsAre(says("the weights in {} do not fit: {}", gpt2.string(),
                                 HasSubstr("c_attn.lora_A.weight has shape [2, 32] instead of [4, 32]"))));
    EXPECT_THAT(check_resume(recipe_of(same, gpt2)),
                ElementsAre(says("{} is of a training of adapters ({}), and the recipe has none: set lora.r as it was "
                                 "there, or merge them (trainyard merge-adapter) and start from the result with "
                                 "model.weights",
                                 gpt2.string(), "transformer.h.0.attn.c_attn.lora_A.weight")));
    // As weights to start from, it says what to do with the adapters.
    EXPECT_THAT(problems(recipe(gpt2)), ElementsAre(says("has an adapter beside its weights ({}): merge it (trainyard "
                                                         "merge-adapter), or start from the model that it was trained "
                                                         "on, with lora.adapter",
                                                         _)
                                                        .after("model.weights: " + gpt2.string() + " ")));
}

}  // namespace
}  // namespace trainyard::inputs
