// SPDX-License-Identifier: GPL-3.0-or-later
// Merging distributed checkpoints gives the same bytes as `accelerate merge-weights`; merging other sources gives the
// tensors that Python reads from them.

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "formats/weights/merge.h"
#include "formats/weights/safetensors.h"
#include "formats/weights/weight_source.h"
#include "support/golden.h"
#include "support/says.h"
#include "support/sha256.h"
#include "support/temporary_folder.h"

namespace trainyard::weights {
namespace {

using nlohmann::json;
using test::says;
using testing::_;

/// All tensors of a folder with one file or an index, as {name: {shape, sha256}}.
json tensors_of(const MergeResult& result) {
    json all = json::object();
    for (const fs::path& path : result.files) {
        if (path.extension() != ".safetensors")
            continue;
        weights::SafetensorsFile file(path);
        for (const weights::TensorInfo& tensor : file.tensors())
            all[tensor.name] = {{"shape", tensor.shape}, {"sha256", test::sha256(file.bytes(tensor))}};
    }
    return all;
}

json without_dtype(json tensors) {
    for (auto& [name, tensor] : tensors.items()) {
        tensor.erase("dtype");
        tensor.erase("values");
        tensor.erase("type");
    }
    return tensors;
}

TEST(GoldenMerged, DistributedCheckpointsAsAccelerateMergesThem) {
    int cases = 0;
    for (const fs::directory_entry& entry : fs::directory_iterator(test::golden("checkpoints"))) {
        fs::path merged = entry.path() / "merged" / "model.safetensors";
        if (!fs::exists(merged))
            continue;
        ++cases;
        test::TemporaryFolder folder;
        MergeResult result = merge_weights(
            {.checkpoint = entry.path() / "ckpt" / "pytorch_model_fsdp_0", .output = folder.path() / "out"});
        EXPECT_EQ(result.source, "distributed checkpoint");
        ASSERT_EQ(result.files.size(), 1u);
        EXPECT_TRUE(read_file(result.files[0]) == read_file(merged)) << entry.path();
        // In Accelerate's first releases the folder has no fsdp in its name.
        const fs::path older = folder.path() / "older";
        fs::create_directory(older);
        fs::copy(entry.path() / "ckpt" / "pytorch_model_fsdp_0", older / "pytorch_model_0");
        result = merge_weights({.checkpoint = older / "pytorch_model_0", .output = folder.path() / "again"});
        EXPECT_TRUE(read_file(result.files.at(0)) == read_file(merged)) << entry.path();
        EXPECT_EQ(open_saved_model(older, 0)->tensors().size(),
                  open_weights(older / "pytorch_model_0")->tensors().size());
        EXPECT_THAT([&] { (void)merge_weights({.checkpoint = older, .output = folder.path() / "parent"}); },
                    testing::ThrowsMessage<UserError>(
                        says("{} holds no weights itself: did you mean {}?", _, (older / "pytorch_model_0").string())));
    }
    EXPECT_GT(cases, 0);
}

/// Whether the described folder contains one model in torch's files or in shards: the sources of merge_weights besides
/// distributed checkpoints.
bool holds_one_model(const json& description) {
    int indexes = 0, torch_files = 0;
    const json files = description.value("files", json::object());
    for (const auto& [file, entry] : files.items()) {
        indexes += file.ends_with(".index.json") ? 1 : 0;
        torch_files += file.starts_with("pytorch_model") && file.ends_with(".bin") && entry.contains("content") ? 1 : 0;
    }
    return indexes == 1 || (indexes == 0 && torch_files == 1);
}

TEST(GoldenMerged, ShardsOfEveryKind) {
    int cases = 0;
    for (const fs::directory_entry& folder_of_case : fs::directory_iterator(test::golden("checkpoints"))) {
        const fs::path root = folder_of_case.path();
        if (!fs::exists(root / "ckpt"))
            continue;
        json description = json::parse(std::ifstream(root / "expected.json")), expected = json::object();
        if (!holds_one_model(description))
            continue;
        SCOPED_TRACE(root.filename());
        for (const auto& [file, entry] : description["files"].items()) {
            if (entry.contains("tensors"))
                expected.update(entry["tensors"]);
            if (file.ends_with(".bin") && file.starts_with("pytorch_model"))
                for (const json& item : entry["content"]["items"])
                    expected[item[0].get<std::string>()] = item[1];
        }
        ASSERT_FALSE(expected.empty());
        ++cases;
        test::TemporaryFolder folder;
        MergeResult whole = merge_weights({.checkpoint = root / "ckpt", .output = folder.path() / "whole"});
        EXPECT_EQ(whole.files.size(), 1u);
        EXPECT_EQ(tensors_of(whole), without_dtype(expected));
        MergeResult shards = merge_weights({.checkpoint = root / "ckpt",
                                            .output = folder.path() / "shards",
                                            .max_shard_bytes = fs::file_size(whole.files.at(0)) / 2});
        EXPECT_EQ(shards.files.size() > 1, expected.size() > 1);
        EXPECT_EQ(tensors_of(shards), without_dtype(expected));
    }
    EXPECT_GT(cases, 0);
}

}  // namespace
}  // namespace trainyard::weights
