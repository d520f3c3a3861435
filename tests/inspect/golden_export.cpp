// SPDX-License-Identifier: GPL-3.0-or-later
// What a training was given is what an export of its checkpoints writes: for every family of golden/models and each
// type of weights, from the base over the checkpoint in fp32 to the folder for transformers.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "config/inputs/export_form.h"
#include "config/inputs/model_folder.h"
#include "config/recipe/recipe.h"
#include "formats/weights/expert_tensors.h"
#include "formats/weights/model_files.h"
#include "formats/weights/source_changes.h"
#include "formats/weights/write_weights.h"
#include "models/spec/config_file.h"
#include "observe/inspect/conversion.h"
#include "support/golden.h"
#include "support/temporary_folder.h"

namespace trainyard::inspect {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Stored {
    std::string dtype;
    std::vector<std::int64_t> shape;
    std::vector<std::byte> bytes;
    bool operator==(const Stored&) const = default;
};

std::map<std::string, Stored> stored(const fs::path& folder) {
    std::map<std::string, Stored> all;
    const auto source = weights::open_weights(folder);
    for (std::size_t i = 0; i < source->tensors().size(); ++i) {
        const weights::SourceTensor& tensor = source->tensors()[i];
        Stored& one = all[tensor.name];
        one.dtype = tensor.dtype;
        one.shape = tensor.shape;
        source->stream(i, [&](std::span<const std::byte> piece) {
            one.bytes.insert(one.bytes.end(), piece.begin(), piece.end());
        });
    }
    return all;
}

Converted write(const fs::path& from, const fs::path& to, Conversion conversion = {}) {
    conversion.sources = {from};
    conversion.output = to;
    Progress progress;
    return convert(conversion, progress);
}

/// A checkpoint of a training of no steps: the weights in fp32 and what the trainer writes beside them.
void write_checkpoint(const fs::path& base, const fs::path& folder,
                      config::ExportDtype export_dtype = config::ExportDtype::automatic) {
    Progress progress;
    weights::write_weights(*weights::as_dtype(weights::open_model(base), "fp32"), {.output = folder}, progress);
    config::Recipe recipe;
    recipe.model.weights = base.string();
    recipe.checkpoint.export_dtype = export_dtype;
    for (const inputs::FileBeside& file : inputs::files_beside_model(recipe))
        write_file_atomically(folder / file.name, file.content);
    const std::string origin = inputs::config_text(base);
    write_file_atomically(folder / "config.json",
                          families::write_config(families::read_config(origin, "base").config, origin));
}

std::vector<fs::path> models() {
    std::vector<fs::path> folders;
    for (const fs::directory_entry& entry : fs::directory_iterator(test::golden("models")))
        if (fs::exists(entry.path() / "config.json") && fs::exists(entry.path() / "model.safetensors"))
            folders.push_back(entry.path());
    return folders;
}

constexpr struct {
    const char *flag, *safetensors, *transformers;
} kTypes[] = {{"fp32", "F32", "float32"}, {"bf16", "BF16", "bfloat16"}, {"fp16", "F16", "float16"}};

TEST(GoldenExport, WhatWasReadIsWrittenAgain) {
    std::size_t compared = 0;
    for (const fs::path& golden : models())
        for (const auto& type : kTypes) {
            SCOPED_TRACE(golden.filename().string() + " " + type.flag);
            test::TemporaryFolder folder;
            const fs::path base = folder.path() / "base", checkpoint = folder.path() / "checkpoint_0",
                           out = folder.path() / "out";
            write(golden, base, {.dtype = type.flag, .hugging_face = true});
            write_checkpoint(base, checkpoint);
            for (const auto& [name, tensor] : stored(checkpoint))
                EXPECT_THAT(tensor.dtype, testing::AnyOf("F32", "I64")) << "a training resumes with fp32";
            EXPECT_EQ(json::parse(read_file(checkpoint / "config.json")).value("dtype", "float32"), "float32");
            const Converted result = write(checkpoint, out, {.max_shard_bytes = 40'000, .hugging_face = true});
            EXPECT_EQ(stored(out), stored(base));
            std::uint64_t bytes = 0;
            for (const auto& [name, tensor] : stored(out))
                bytes += tensor.bytes.size();
            EXPECT_EQ(result.written.bytes, bytes);
            if (fs::exists(out / "model.safetensors.index.json")) {
                EXPECT_EQ(json::parse(read_file(out / "model.safetensors.index.json"))["metadata"]["total_size"],
                          bytes);
            }
            const json config = json::parse(read_file(out / "config.json"));
            EXPECT_EQ(config.contains("dtype") ? config["dtype"] : config["torch_dtype"], type.transformers);
            ++compared;
        }
    EXPECT_GE(compared, std::size(kTypes));
}

// transformers 5 can write the experts of a block as two tensors.
TEST(GoldenExport, ExpertsAreSpelledAsTheyWereRead) {
    std::size_t models_with_experts = 0;
    for (const fs::path& golden : models()) {
        test::TemporaryFolder folder;
        const fs::path base = folder.path() / "base", checkpoint = folder.path() / "checkpoint_0",
                       out = folder.path() / "out";
        Progress progress;
        weights::write_weights(*weights::joined_experts(weights::as_dtype(weights::open_weights(golden), "bf16")),
                               {.output = base, .beside = weights::model_files(golden, weights::ModelFiles::all)},
                               progress);
        if (!weights::has_joined_experts(*weights::open_weights(base)))
            continue;
        ++models_with_experts;
        write_checkpoint(base, checkpoint);
        EXPECT_EQ(weights::open_weights(checkpoint)->tensors().size(), weights::open_weights(golden)->tensors().size())
            << "a checkpoint has matrices of each expert";
        write(checkpoint, out, {.max_shard_bytes = 40'000, .hugging_face = true});
        EXPECT_EQ(stored(out), stored(base));
        write(base, folder.path() / "copy", {.hugging_face = true});
        EXPECT_EQ(stored(folder.path() / "copy"), stored(base));
    }
    EXPECT_GT(models_with_experts, 0u);
}

TEST(GoldenExport, ARecipeOrAFlagChooseAnotherType) {
    const fs::path golden = models().front();
    test::TemporaryFolder folder;
    const fs::path base = folder.path() / "base";
    write(golden, base, {.dtype = "bf16", .hugging_face = true});
    int number = 0;
    const auto exported = [&](config::ExportDtype key, const char* flag) {
        const fs::path checkpoint = folder.path() / std::to_string(++number), out = checkpoint / "out";
        write_checkpoint(base, checkpoint, key);
        const std::vector<Message> notes = write(checkpoint, out, {.dtype = flag, .hugging_face = true}).notes;
        return std::pair(weights::main_dtype(*weights::open_weights(out)), notes);
    };
    EXPECT_THAT(exported(config::ExportDtype::automatic, ""),
                testing::Pair("BF16", ElementsAre(HasSubstr("written as bfloat16"))));
    EXPECT_THAT(exported(config::ExportDtype::fp16, ""),
                testing::Pair("F16", ElementsAre(HasSubstr("written as float16"))));
    EXPECT_THAT(exported(config::ExportDtype::fp32, ""), testing::Pair("F32", IsEmpty()));
    EXPECT_THAT(exported(config::ExportDtype::automatic, "fp32"), testing::Pair("F32", IsEmpty()));
    EXPECT_THAT(exported(config::ExportDtype::fp32, "fp16"), testing::Pair("F16", IsEmpty()));
    // A training that starts from the weights of a checkpoint exports as that checkpoint does.
    const fs::path first = folder.path() / "first", second = folder.path() / "second";
    write_checkpoint(base, first);
    write_checkpoint(first, second);
    EXPECT_EQ(inputs::read_export_form(second).dtype, "bfloat16");
    write(second, folder.path() / "merged");
    EXPECT_EQ(weights::main_dtype(*weights::open_weights(folder.path() / "merged")), "F32") << "only exports";
}

}  // namespace
}  // namespace trainyard::inspect
