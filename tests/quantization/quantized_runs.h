// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Trains adapters beside a small base whose matrices stay in 4 and 8 bits, on any number of ranks, and compares runs.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <ATen/ATen.h>

#include <gtest/gtest.h>

#include "config/inputs/start_weights.h"
#include "distributed/parallel/matrix_kernel.h"
#include "formats/weights/safetensors.h"
#include "observe/inspect/conversion.h"
#include "support/random_model.h"
#include "support/ranks.h"
#include "support/temporary_folder.h"
#include "support/weights_file.h"
#include "train/trainer.h"

namespace trainyard::train {

namespace fs = std::filesystem;
using config::Quantization;

inline constexpr const char* kLlama = R"({"model_type": "llama", "vocab_size": 256, "hidden_size": 128,
    "intermediate_size": 256, "num_attention_heads": 4, "num_key_value_heads": 2, "num_hidden_layers": 2,
    "max_position_embeddings": 32, "tie_word_embeddings": false, "architectures": ["LlamaForCausalLM"]})";

class QuantizedRuns : public ::testing::Test {
  protected:
    QuantizedRuns() {
        std::mt19937 random(3);
        std::ofstream file(folder_.path() / "text.txt");
        for (int i = 0; i < 4000; ++i)
            file << "base adapter " << random() % 10;
        file.close();
        recipe_.data.paths = {(folder_.path() / "text.txt").string()};
        recipe_.data.sequence_length = 16;
        use_model(kLlama);
        recipe_.training.steps = 6;
        recipe_.training.batch_size = 4;
        recipe_.training.evaluate_batches = 2;
        recipe_.optimizer.lr = 1e-2;
    }

    fs::path base() const { return folder_.path() / "base"; }

    void use_model(const char* config_json) {
        fs::remove_all(base());
        test::RandomModel(config_json).write(base());
        recipe_.model = {};
        recipe_.model.weights = base().string();
        recipe_.model = inputs::settle_model(recipe_.model).model;
        recipe_.model.lora.r = 4;
    }

    config::Recipe with(Quantization method, bool double_quant = false) const {
        config::Recipe recipe = recipe_;
        recipe.model.quantization.method = method;
        recipe.model.quantization.bnb_4bit_use_double_quant = double_quant;
        return recipe;
    }

    fs::path quantized(const std::string& method, bool double_quant = false) {
        const fs::path output = folder_.path() / ("quantized_" + method + (double_quant ? "_double" : ""));
        inspect::Conversion conversion;
        conversion.sources = {base()};
        conversion.output = output;
        conversion.hugging_face = true;
        conversion.quantize = inspect::Quantize{.weights = {.method = method, .double_quant = double_quant}};
        Progress progress;
        inspect::convert(conversion, progress);
        return output;
    }

    struct Trained {
        std::vector<double> losses;
        double evaluation = 0;
        std::map<std::string, at::Tensor> adapters;
        std::size_t packed = 0;
        std::int64_t rows = 0;                           ///< of the matrices that are packed
        std::uint64_t packed_bytes = 0, full_bytes = 0;  ///< of the matrices that are packed
    };

    /// The base with its matrices of blocks changed.
    fs::path changed(const std::string& name, const std::function<at::Tensor(const at::Tensor&)>& change) {
        const fs::path output = folder_.path() / name;
        fs::create_directories(output);
        fs::copy_file(base() / "config.json", output / "config.json");
        NamedTensors tensors = test::read_weights(base() / "model.safetensors");
        std::vector<weights::TensorToWrite> all;
        for (auto& [tensor_name, tensor] : tensors) {
            if (tensor.dim() == 2 && tensor_name.find(".layers.") != std::string::npos)
                tensor = change(tensor);
            all.push_back({tensor_name,
                           "F32",
                           tensor.sizes().vec(),
                           {static_cast<const std::byte*>(tensor.const_data_ptr()), tensor.nbytes()}});
        }
        weights::write_safetensors(output / "model.safetensors", all);
        return output;
    }

    fs::path rounded(at::ScalarType type) {
        return changed(toString(type), [&](const at::Tensor& matrix) { return matrix.to(type).to(at::kFloat); });
    }

    static Trained train(const config::Recipe& recipe, int ranks = 1, std::int64_t steps = 6,
                         const fs::path& save_to = {}) {
        Trained result;
        test::run_ranks(ranks, [&](std::unique_ptr<parallel::World> world) {
            const int tp = static_cast<int>(recipe.parallel.tp_size), cp = static_cast<int>(recipe.parallel.cp_size),
                      pp = static_cast<int>(recipe.parallel.pp_size);
            parallel::Mesh mesh(tp * cp * pp > 1 ? parallel::MeshShape{pp, 1, ranks / tp / cp / pp, cp, 1, tp}
                                                 : parallel::replicas(ranks),
                                std::move(world));
            Trainer trainer(recipe, mesh, at::kCPU);
            trainer.start();
            Trained mine;
            while (trainer.position().step < steps)
                mine.losses.push_back(trainer.step().loss);
            mine.evaluation = trainer.evaluate().value().loss;
            for (const parallel::Unit* unit : trainer.model().units())
                for (const parallel::Parameter* parameter : unit->parameters()) {
                    EXPECT_EQ(parameter->trains(), config::is_adapter(parameter->name())) << parameter->name();
                    if (!parameter->is_packed())
                        continue;
                    EXPECT_TRUE(parameter->value().is_meta()) << parameter->name();
                    ++mine.packed;
                    mine.rows += parameter->shape()[0];
                    mine.packed_bytes += parameter->kernel()->bytes();
                    mine.full_bytes += 4 * static_cast<std::uint64_t>(parameter->numel());
                }
            for (const auto& [name, weight] : tp > 1 ? NamedTensors() : trainer.weights())
                if (config::is_of_adapter_file(recipe.model, name))
                    mine.adapters[name] = weight.clone();
            if (!save_to.empty())
                trainer.save(save_to);
            if (mesh.rank() == 0)
                result = std::move(mine);
        });
        return result;
    }

    static void expect_equal(const Trained& found, const Trained& expected, const std::string& where) {
        EXPECT_EQ(found.losses, expected.losses) << where;
        EXPECT_EQ(found.evaluation, expected.evaluation) << where;
        ASSERT_EQ(found.adapters.size(), expected.adapters.size()) << where;
        for (const auto& [name, weight] : expected.adapters)
            EXPECT_TRUE(at::equal(weight, found.adapters.at(name))) << where << ": " << name;
    }

    test::TemporaryFolder folder_;
    config::Recipe recipe_;
};

}  // namespace trainyard::train
