// SPDX-License-Identifier: GPL-3.0-or-later
// Adapters (LoRA) from a recipe to a merged model through the real programs: GPT-2, Llama and an encoder that classifies.

#include <cstdlib>
#include <fstream>
#include <map>
#include <span>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "cli/program.h"
#include "formats/weights/safetensors.h"
#include "run/listing.h"
#include "support/temporary_folder.h"

namespace trainyard {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

struct Subject {
    std::string name, model, data;
    std::string whole = {};       ///< a module that is trained whole
    std::string parameters = {};  ///< lora.target_parameters
};

void PrintTo(const Subject& subject, std::ostream* out) {
    *out << subject.name;
}

class Adapters : public ::testing::TestWithParam<Subject> {
  protected:
    void SetUp() override {
        ::setenv("TRAINYARD_RUNS", (folder_.path() / "runs").c_str(), 1);
        ::setenv("HF_HOME", (folder_.path() / "home").c_str(), 1);
        ::unsetenv("TRAINYARD_CONFIG");
        ::setenv("OMP_NUM_THREADS", "1", 1);
        std::ofstream text(folder_.path() / "text.txt"), rows(folder_.path() / "rows.jsonl");
        for (int i = 0; i < 3000; ++i)
            text << "line " << i * 7919 % 3000 << " of a text that repeats itself\n";
        for (int i = 0; i < 200; ++i)
            rows << R"({"text": ")" << (i % 2 == 0 ? "a good book" : "a bad film") << ' ' << i << R"(", "label": )"
                 << i % 2 << "}\n";
        std::ofstream(folder_.path() / "recipe.yaml")
            << "name: adapters\nmodel: " << GetParam().model << "\ndata: " << GetParam().data
            << "\noptimizer: {lr: 1e-2}\nschedule: {warmup_steps: 2}\n"
               "training: {steps: 8, batch_size: 4, evaluate_every: 4, evaluate_batches: 2}\n"
               "checkpoint: {every: 4, keep_last: 0}\n";
    }

    fs::path launch(const std::vector<std::string>& flags) {
        std::vector<std::string> words{"launch", "--cpu"};
        words.insert(words.end(), flags.begin(), flags.end());
        words.push_back((folder_.path() / "recipe.yaml").string());
        const test::Said said = test::trainyard(words);
        EXPECT_EQ(said.code, 0) << said.err;
        const auto runs = run::list_runs(folder_.path() / "runs");
        return runs.empty() ? fs::path() : runs.front().paths.root();
    }

    static std::map<std::string, std::string> tensors(const fs::path& file) {
        std::map<std::string, std::string> all;
        const weights::SafetensorsFile source(file);
        for (const weights::TensorInfo& tensor : source.tensors()) {
            const std::span<const std::byte> bytes = source.bytes(tensor);
            all[tensor.name].assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        }
        return all;
    }

    test::TemporaryFolder folder_;
};

TEST_P(Adapters, TrainedResumedMergedAndUsed) {
    // A model to start from, then an adapter of it.
    const fs::path base = launch({"--set", "training.steps=4"}) / "checkpoints" / "checkpoint_4";
    std::vector<std::string> adapter{"--set", "lora.r=4", "--set", "model.weights=" + base.string()};
    if (!GetParam().parameters.empty())
        adapter.insert(adapter.end(), {"--set", "lora.target_parameters=" + GetParam().parameters});
    const fs::path whole = launch(adapter);
    std::vector<std::string> rest = adapter;
    rest.insert(rest.end(), {"--set", "checkpoint.resume_from=" + (whole / "checkpoints" / "checkpoint_4").string()});
    const fs::path resumed = launch(rest);
    for (const char* file : {"model.safetensors", "adapter_model.safetensors", "adapter_config.json", "optimizer.bin"})
        EXPECT_EQ(read_file(whole / "checkpoints/checkpoint_8" / file),
                  read_file(resumed / "checkpoints/checkpoint_8" / file))
            << file << ": resumed is not the same as uninterrupted";

    const fs::path last = whole / "checkpoints" / "checkpoint_8";
    const auto before = tensors(base / "model.safetensors"), after = tensors(last / "model.safetensors");
    for (const auto& [name, bytes] : before) {
        const bool trained = !GetParam().whole.empty() && name.find(GetParam().whole) != std::string::npos;
        EXPECT_EQ(after.at(name) != bytes, trained) << name;
    }
    const auto config = nlohmann::json::parse(read_file(last / "adapter_config.json"));
    EXPECT_EQ(config.at("base_model_name_or_path"), base.string());
    EXPECT_EQ(config.contains("target_parameters"), !GetParam().parameters.empty());
    std::size_t lora = 0, of_experts = 0;
    for (const auto& [name, bytes] : tensors(last / "adapter_model.safetensors")) {
        lora += name.find(".lora_") != std::string::npos ? 1 : 0;
        of_experts += name.find("mlp.experts.base_layer.lora_A.weight") != std::string::npos ? 1 : 0;
    }
    EXPECT_GT(lora, 0u);
    EXPECT_EQ(of_experts > 0, !GetParam().parameters.empty());

    const fs::path merged = folder_.path() / "merged";
    const test::Said made =
        test::trainyard({"merge-adapter", last.string(), "-o", merged.string(), "--max_shard_size", "100KB"});
    ASSERT_EQ(made.code, 0) << made.err;
    EXPECT_TRUE(fs::exists(merged / "config.json"));
    EXPECT_FALSE(fs::exists(merged / "adapter_config.json"));
    const test::Said exported =
        test::trainyard({"checkpoints", "export", last.string(), (folder_.path() / "peft").string()});
    ASSERT_EQ(exported.code, 0) << exported.err;
    EXPECT_TRUE(fs::exists(folder_.path() / "peft" / "adapter_model.safetensors"));
    EXPECT_FALSE(fs::exists(folder_.path() / "peft" / "model.safetensors"));

    const auto say = [&](const std::vector<std::string>& model, const std::vector<std::string>& prompts = {"line 1"}) {
        std::vector<std::string> words{"generate"};
        words.insert(words.end(), model.begin(), model.end());
        for (const std::string& prompt : prompts)
            words.insert(words.end(), {"--prompt", prompt});
        words.insert(words.end(), {"--max_new_tokens", "24", "--do_sample", "--seed", "7"});
        return test::trainyard(words);
    };
    const test::Said text = say({last.string()});
    if (!GetParam().whole.empty()) {
        EXPECT_EQ(text.code, 2);
        EXPECT_THAT(text.err, HasSubstr("does not continue texts"));
        return;
    }
    ASSERT_EQ(text.code, 0) << text.err;
    EXPECT_NE(text.out, say({base.string()}).out) << "the adapter changes what the model says";
    EXPECT_EQ(say({last.string()}, {"line 1", "of a"}).out, text.out + say({last.string()}, {"of a"}).out)
        << "every prompt is answered, in its turn";
    for (const std::vector<std::string>& other : {std::vector<std::string>{merged.string()},
                                                  {(folder_.path() / "peft").string()},
                                                  {base.string(), "--adapter", (folder_.path() / "peft").string()},
                                                  {whole.string()}})
        EXPECT_EQ(say(other).out, text.out) << other.front();
}

const std::string kText = "{path: text.txt, sequence_length: 32}";

INSTANTIATE_TEST_SUITE_P(
    Models, Adapters,
    ::testing::Values(Subject{"Gpt2", "{n_layer: 2, n_embd: 32, n_head: 2, n_positions: 32}", kText},
                      Subject{"Llama",
                              "{model_type: llama, vocab_size: 256, hidden_size: 32, intermediate_size: 48, "
                              "num_hidden_layers: 2, num_attention_heads: 4, num_key_value_heads: 2, "
                              "max_position_embeddings: 32}",
                              kText},
                      Subject{"MixtralExperts",
                              "{model_type: mixtral, vocab_size: 256, hidden_size: 32, intermediate_size: 48, "
                              "num_hidden_layers: 2, num_attention_heads: 4, num_key_value_heads: 2, "
                              "num_local_experts: 4, max_position_embeddings: 32}",
                              kText, "", "[mlp.experts.gate_up_proj, mlp.experts.down_proj]"},
                      Subject{"BertClassification",
                              "{model_type: bert, task: sequence_classification, vocab_size: 256, hidden_size: 32, "
                              "intermediate_size: 64, num_hidden_layers: 2, num_attention_heads: 4, "
                              "max_position_embeddings: 32, num_labels: 2}",
                              "{format: jsonl, path: rows.jsonl, column: text, label_column: label, "
                              "sequence_length: 32, validation_fraction: 0.2}",
                              "classifier"}),
    [](const auto& made) { return made.param.name; });

}  // namespace
}  // namespace trainyard
