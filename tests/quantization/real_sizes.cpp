// SPDX-License-Identifier: GPL-3.0-or-later
// GPT-2 XL in 4 and 8 bits (load_and_quantize_model), in memory and with its blocks on disk. The reference's guide says:
// 6 GB in fp32, 1.6 GB with 8-bit modules, 1.2 GB with 4-bit modules. The file of weights is sparse: zeros that take no
// room on the disk.

#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "distributed/parallel/matrix_kernel.h"
#include "inference/dispatch/load_and_quantize.h"
#include "models/spec/family.h"
#include "support/private_memory.h"
#include "support/temporary_folder.h"

namespace trainyard::dispatch {
namespace {

constexpr int kBlocks = 48;

config::ModelRecipe gpt2_xl() {
    config::ModelRecipe recipe;
    recipe.vocab_size = 50257;
    recipe.n_positions = 1024;
    recipe.n_embd = 1600;
    recipe.n_layer = kBlocks;
    recipe.n_head = 25;
    return recipe;
}

/// Returns the bytes that the header announces.
std::uint64_t write_sparse_weights(const std::filesystem::path& file, const config::ModelRecipe& recipe) {
    nlohmann::ordered_json header;
    std::uint64_t end = 0;
    for (const families::TensorShape& tensor : families::family_of(recipe).tensors(recipe)) {
        const std::uint64_t begin = end;
        end += static_cast<std::uint64_t>(tensor.elements()) * 2;
        header[tensor.name] = {{"dtype", "F16"}, {"shape", tensor.shape}, {"data_offsets", {begin, end}}};
    }
    std::string text = header.dump();
    text.resize((text.size() + 7) / 8 * 8, ' ');
    const std::uint64_t size = text.size();
    std::ofstream(file, std::ios::binary) << std::string(reinterpret_cast<const char*>(&size), sizeof size) << text;
    std::filesystem::resize_file(file, sizeof size + size + end);
    return end;
}

std::uint64_t bytes_of(const models::Model& model) {
    std::uint64_t bytes = 0;
    for (const parallel::Unit* unit : model.units())
        for (const parallel::Parameter* parameter : unit->parameters())
            bytes += parameter->kernel() != nullptr ? parameter->kernel()->bytes()
                     : parameter->value().is_meta() ? 0
                                                    : parameter->value().nbytes();
    return bytes;
}

TEST(RealSizes, Gpt2XlTakesWhatTheGuideSays) {
    constexpr double kGigabyte = 1e9, kMatrixElements = kBlocks * 12.0 * 1600 * 1600;
    const test::TemporaryFolder folder;
    const config::ModelRecipe recipe = gpt2_xl();
    const auto elements = static_cast<double>(write_sparse_weights(folder.path() / "model.safetensors", recipe)) / 2;
    EXPECT_NEAR(4 * elements, 6.2 * kGigabyte, 0.1 * kGigabyte);
    const double rest = elements - kMatrixElements;  // of tables, norms and biases
    struct Case {
        const char* config;
        double matrix_bytes, most;  ///< of an element of a matrix; of the whole model, as documented
    };
    for (const Case& each :
         {Case{R"({"load_in_8bit": true})", 1, 1.6 * kGigabyte},
          Case{R"({"load_in_4bit": true, "bnb_4bit_quant_type": "nf4"})", 0.5 + 4.0 / 64, 1.2 * kGigabyte}}) {
        SCOPED_TRACE(each.config);
        for (const bool on_disk : {false, true}) {
            if (on_disk && each.matrix_bytes == 1)
                continue;  // as with 4 bits
            const std::unique_ptr<models::Model> model = models::make_model(recipe);
            LoadOptions options;
            options.offload_folder = folder.path() / "offload";
            options.device_map = on_disk ? DeviceMap{{"transformer.wte", "cpu"},
                                                     {"transformer.wpe", "cpu"},
                                                     {"transformer.h", "disk"},
                                                     {"transformer.ln_f", "cpu"},
                                                     {"lm_head", "cpu"}}
                                         : DeviceMap{{"", "cpu"}};
            const std::uint64_t before = test::private_bytes();
            const QuantizedModel loaded =
                load_and_quantize_model(*model, folder.path(), read_bnb_config(each.config), options);
            const auto risen = static_cast<double>(test::private_bytes() - before);
            const double expected = (on_disk ? 0 : kMatrixElements * each.matrix_bytes) + 2 * rest;
            if (!on_disk) {
                EXPECT_NEAR(static_cast<double>(bytes_of(*model)), expected, 0.01 * expected);
                const auto whole = static_cast<double>(bytes_of(*model));
                EXPECT_LT(whole, 1.1 * each.most);
                EXPECT_GT(whole, 0.75 * each.most);
            }
            EXPECT_LT(risen, expected + 0.15 * kGigabyte) << (on_disk ? "on disk" : "in memory");
            std::filesystem::remove_all(folder.path() / "offload");
        }
    }
}

}  // namespace
}  // namespace trainyard::dispatch
