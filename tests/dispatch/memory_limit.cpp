// SPDX-License-Identifier: GPL-3.0-or-later
// A model that is larger than what the process may have (RLIMIT_AS): it cannot be loaded, but its texts are made with its weights on disk, and they are those of
// the resident model.

#include <fstream>
#include <random>

#include <ATen/Parallel.h>

#include <gtest/gtest.h>
#include <malloc.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "formats/weights/safetensors.h"
#include "inference/generate/language_model.h"
#include "models/spec/config_file.h"
#include "support/process_limit.h"
#include "support/temporary_folder.h"

namespace trainyard::generate {
namespace {

namespace fs = std::filesystem;

/// Random weights in bfloat16; returns their bytes in fp32.
std::uint64_t write_model(const fs::path& folder, const std::string& config_json) {
    fs::create_directories(folder);
    const families::ModelConfig config = families::read_config(config_json, "the test").config;
    write_file_atomically(folder / "config.json", families::write_config(config));
    const std::vector<families::TensorShape> shapes = families::family_of(config).tensors(config);
    std::size_t elements = 0;
    for (const families::TensorShape& tensor : shapes)
        elements += static_cast<std::size_t>(tensor.elements());
    // One block for all: so large a block goes back to the system when it is freed, while the heap would keep smaller ones as room for the model.
    std::vector<std::uint16_t> values(elements);
    std::mt19937 random(5);
    for (std::uint16_t& value : values)
        value = static_cast<std::uint16_t>(0x3c00u | (random() & 0x80ffu));  // +-0.008 to 0.03
    std::vector<weights::TensorToWrite> tensors;
    std::span<const std::uint16_t> rest(values);
    for (const families::TensorShape& tensor : shapes) {
        const auto count = static_cast<std::size_t>(tensor.elements());
        tensors.push_back({tensor.name, "BF16", tensor.shape, std::as_bytes(rest.first(count))});
        rest = rest.subspan(count);
    }
    weights::write_safetensors(folder / "model.safetensors", tensors);
    return 4 * elements;
}

std::uint64_t address_space() {
    std::ifstream status("/proc/self/status");
    std::string word;
    std::uint64_t kilobytes = 0;
    while (status >> word)
        if (word == "VmSize:") {
            status >> kilobytes;
            break;
        }
    return kilobytes * 1024;
}

std::vector<std::int64_t> tokens_of(const fs::path& folder, const ModelPlacement& placement) {
    const LanguageModel model({.path = folder, .tokenizer = {}, .adapters = {}, .placement = placement});
    GenerationOptions options;
    options.max_new_tokens = 3;
    return generate(model.model(), {1, 2, 3, 4}, model.context(), model.dispatched().first_device(), options).tokens;
}

TEST(MemoryLimit, LargerModelGenerates) {
    // A fixed threshold: what is freed goes back to the system. By default the heap raises it and keeps freed blocks, on which the next model would live.
    ASSERT_EQ(::mallopt(M_MMAP_THRESHOLD, 128 << 10), 1);
    test::TemporaryFolder folder;
    const auto config = [](int layers) {
        return R"({"model_type": "llama", "vocab_size": 256, "hidden_size": 512, "intermediate_size": 2048,
            "num_attention_heads": 8, "num_key_value_heads": 8, "max_position_embeddings": 64,
            "architectures": ["LlamaForCausalLM"], "tie_word_embeddings": false, "num_hidden_layers": )" +
               std::to_string(layers) + "}";
    };
    const fs::path small = folder.path() / "small", large = folder.path() / "large";
    write_model(small, config(1));
    const std::uint64_t bytes = write_model(large, config(16));
    tokens_of(small, {.device_map = "disk"});  // threads and their stacks exist from here on
    const ModelPlacement in_part{.device_map = "auto", .max_memory = {{"cpu", std::to_string(bytes / 8)}}};
    std::vector<std::int64_t> from_disk, from_both;
    {
        // In memory the weights alone take `bytes`; on disk a few layers in fp32 and the part of the file that is mapped take less than a third of it. The
        // limit is in the middle, because what arenas of the C library take differs between machines.
        const test::ProcessLimit limit(RLIMIT_AS, address_space() + bytes / 8 * 5);
        from_disk = tokens_of(large, {.device_map = "disk"});
        from_both = tokens_of(large, in_part);
        EXPECT_ANY_THROW(tokens_of(large, {}));
    }
    const std::vector<std::int64_t> resident = tokens_of(large, {});
    EXPECT_EQ(resident.size(), 3u);
    EXPECT_EQ(from_disk, resident);
    EXPECT_EQ(from_both, resident);
}

}  // namespace
}  // namespace trainyard::generate
