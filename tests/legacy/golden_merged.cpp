// Merging distributed checkpoints gives the file that `accelerate merge-weights` gives, byte for byte; other sources give the tensors
// that Python reads from them.

#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "io/safetensors.h"
#include "legacy/merge.h"
#include "support/golden.h"
#include "support/sha256.h"
#include "support/temporary_folder.h"

namespace trainyard::legacy {
namespace {

using nlohmann::json;

/// All tensors of a folder with one file or an index, as {name: {shape, sha256}}.
json tensors_of(const MergeResult& result) {
    json all = json::object();
    for (const fs::path& path : result.files) {
        if (path.extension() != ".safetensors")
            continue;
        io::SafetensorsFile file(path);
        for (const io::TensorInfo& tensor : file.tensors())
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
    }
    EXPECT_GT(cases, 0);
}

TEST(GoldenMerged, ShardsOfEveryKind) {
    int cases = 0;
    for (const char* name : {"model_sharded", "model_bin_sharded", "single_bin"}) {
        SCOPED_TRACE(name);
        fs::path root = test::golden(std::string("checkpoints/") + name);
        json description = json::parse(std::ifstream(root / "expected.json")), expected = json::object();
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
        for (std::uint64_t limit : {std::uint64_t{0}, std::uint64_t{6000}}) {
            MergeResult result = merge_weights({.checkpoint = root / "ckpt",
                                                .output = folder.path() / std::to_string(limit),
                                                .max_shard_bytes = limit});
            EXPECT_EQ(result.files.size() > 1, limit > 0);
            EXPECT_EQ(tensors_of(result), without_dtype(expected));
        }
    }
    EXPECT_EQ(cases, 3);
}

}  // namespace
}  // namespace trainyard::legacy
