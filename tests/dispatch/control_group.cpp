// SPDX-License-Identifier: GPL-3.0-or-later
// Tests with a model that is larger than the memory limit of its control group: it cannot be loaded into memory, and
// with its weights on disk it generates the same text. Registered if control groups can be created
// (packaging/cmake/TrainyardTests.cmake); memory_limit.cpp does the same with a limit of the process.

#include "support/control_group.h"

#include <fstream>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/program.h"
#include "support/page_cache.h"
#include "support/random_model.h"
#include "support/temporary_folder.h"

namespace trainyard {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLimit = 320'000'000, kTrainingLimit = 440'000'000;

test::Said generated_in(const fs::path& model, const std::string& members, const char* device_map) {
    const fs::path file = model / "model.safetensors";
    test::drop_from_page_cache(file);
    test::Program program({TRAINYARD_BIN_DIR "/trainyard", "generate", model.string(), "--prompt", "12",
                           "--max_new_tokens", "3", "--device-map", device_map, "--json"},
                          [&members] {
                              if (!members.empty() && !test::enter_control_group(members.c_str()))
                                  ::_exit(99);
                          });
    return program.wait(240);
}

std::string text_in(const test::Said& said) {
    EXPECT_EQ(said.code, 0) << said.out << said.err;
    std::string text;
    std::istringstream lines(said.out);
    for (std::string line; std::getline(lines, line);)
        if (const auto event = nlohmann::json::parse(line); event.at("event") == "text")
            text += event.at("text").get<std::string>();
    return text;
}

TEST(MemoryOfAControlGroup, LargerModelGenerates) {
    const test::RandomModel random(
        R"({"model_type": "llama", "vocab_size": 256, "hidden_size": 1024, "intermediate_size": 4096,
            "num_attention_heads": 16, "num_key_value_heads": 16, "max_position_embeddings": 64,
            "architectures": ["LlamaForCausalLM"], "tie_word_embeddings": false, "num_hidden_layers": 8})");
    ASSERT_GT(random.bytes(), 3 * kLimit / 2);
    const test::TemporaryFolder folder;
    random.write(folder.path());
    {
        test::ControlGroup group("memory");
        group.limit_memory(kLimit);
        EXPECT_NE(generated_in(folder.path(), group.members().string(), "cpu").code, 0) << "the limit has no effect";
    }
    test::ControlGroup group("memory");
    group.limit_memory(kLimit);
    const std::string from_disk = text_in(generated_in(folder.path(), group.members().string(), "disk"));
    EXPECT_FALSE(from_disk.empty());
    EXPECT_EQ(from_disk, text_in(generated_in(folder.path(), "", "cpu")));
}

/// Three steps of an adapter; its losses, or nothing where the run failed.
std::string losses_in(const fs::path& folder, const std::string& members, const std::string& device_map,
                      const std::string& name) {
    test::drop_from_page_cache(folder / "base" / "model.safetensors");
    test::Program program({TRAINYARD_BIN_DIR "/trainyard", "launch", "--cpu", "--run_dir", (folder / name).string(),
                           "--set", "model.device_map=" + device_map, (folder / "recipe.yaml").string()},
                          [&members] {
                              if (!members.empty() && !test::enter_control_group(members.c_str()))
                                  ::_exit(99);
                          });
    const test::Said said = program.wait(240);
    if (said.code != 0)
        return "";
    std::ifstream adapter(folder / name / "checkpoints" / "checkpoint_3" / "adapter_model.safetensors",
                          std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(adapter), {});
}

TEST(MemoryOfAControlGroup, LargerBaseIsFineTuned) {
    const test::RandomModel random(
        R"({"model_type": "llama", "vocab_size": 256, "hidden_size": 1024, "intermediate_size": 4096,
            "num_attention_heads": 16, "num_key_value_heads": 16, "max_position_embeddings": 64,
            "architectures": ["LlamaForCausalLM"], "tie_word_embeddings": false, "num_hidden_layers": 10})");
    ASSERT_GT(random.bytes(), 3 * kTrainingLimit / 2);
    const test::TemporaryFolder folder;
    random.write(folder.path() / "base");
    std::ofstream text(folder.path() / "text.txt");
    for (int i = 0; i < 2000; ++i)
        text << "line " << i * 7919 % 2000 << "\n";
    text.close();
    std::ofstream(folder.path() / "recipe.yaml")
        << "name: larger\nmodel: {weights: base}\nlora: {r: 2}\ndata: {path: text.txt, sequence_length: 16}\n"
           "training: {steps: 3, batch_size: 1, evaluate_batches: 1}\n";
    {
        test::ControlGroup group("memory");
        group.limit_memory(kTrainingLimit);
        EXPECT_EQ(losses_in(folder.path(), group.members().string(), "", "killed"), "") << "the limit has no effect";
    }
    test::ControlGroup group("memory");
    group.limit_memory(kTrainingLimit);
    const std::string limited = losses_in(folder.path(), group.members().string(), "disk", "limited");
    EXPECT_FALSE(limited.empty());
    EXPECT_EQ(limited, losses_in(folder.path(), "", "", "resident"));
}

}  // namespace
}  // namespace trainyard
