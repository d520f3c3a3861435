// SPDX-License-Identifier: GPL-3.0-or-later
// Folders of offloaded weights: those that Accelerate wrote are read (golden/dispatch/offload_folder), and ours are the same files.

#include "formats/weights/offload_folder.h"

#include <algorithm>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "formats/weights/elements.h"
#include "support/golden.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::weights {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::vector<std::byte> bytes_of(const WeightSource& source, std::size_t tensor) {
    std::vector<std::byte> bytes;
    source.stream(tensor,
                  [&](std::span<const std::byte> piece) { bytes.insert(bytes.end(), piece.begin(), piece.end()); });
    return bytes;
}

TEST(OffloadFolder, ReadsWhatAccelerateWrote) {
    const fs::path folder = test::own_golden("dispatch") / "offload_folder";
    const std::unique_ptr<WeightSource> source = open_weights(folder);
    EXPECT_EQ(source->kind(), "offload folder");
    const Json values = Json::parse(read_file(folder.parent_path() / "offload_folder_values.json"));
    ASSERT_EQ(source->tensors().size(), values.size());
    for (std::size_t i = 0; i < source->tensors().size(); ++i) {
        const SourceTensor& tensor = source->tensors()[i];
        SCOPED_TRACE(tensor.name);
        const Json& expected = values.at(tensor.name);
        std::vector<float> numbers(expected.size());
        decode_elements(tensor.dtype, bytes_of(*source, i), numbers);
        EXPECT_EQ(numbers, expected.get<std::vector<float>>());
        const std::optional<FilePiece> piece = source->piece(i);
        ASSERT_TRUE(piece);
        EXPECT_EQ(piece->bytes, tensor.bytes);
    }
}

TEST(OffloadFolder, WritesTheSameFiles) {
    const fs::path golden = test::own_golden("dispatch") / "offload_folder";
    const std::unique_ptr<WeightSource> source = open_weights(golden);
    test::TemporaryFolder folder;
    for (const bool second : {false, true}) {  // the second call keeps the entries of the first
        OffloadWriter writer(folder.path() / "weights");
        for (std::size_t i = second ? 3 : 0; i < (second ? source->tensors().size() : 3); ++i) {
            const SourceTensor& tensor = source->tensors()[i];
            writer.write(tensor.name, tensor.dtype, tensor.shape,
                         [&](const ByteSink& sink) { source->stream(i, sink); });
        }
        writer.finish();
    }
    std::ptrdiff_t files = 0;
    for (const auto& entry : fs::directory_iterator(golden)) {
        EXPECT_EQ(read_file(folder.path() / "weights" / entry.path().filename()), read_file(entry.path()))
            << entry.path().filename();
        ++files;
    }
    EXPECT_GT(files, 1);
    EXPECT_EQ(std::distance(fs::directory_iterator(folder.path() / "weights"), {}), files) << "and no others";
}

TEST(OffloadFolder, EntriesThatPointIntoSafetensors) {
    test::TemporaryFolder folder;
    const std::vector<float> numbers{1, 2.00390625f, -3};
    write_safetensors(folder.path() / "model.safetensors", {{"inner", "F32", {3}, std::as_bytes(std::span(numbers))}});
    std::ofstream(folder.path() / "index.json") << R"({
      "same": {"safetensors_file": "model.safetensors", "weight_name": "inner", "dtype": "float32"},
      "narrow": {"safetensors_file": "model.safetensors", "weight_name": "inner", "dtype": "bfloat16"}})";
    const std::unique_ptr<WeightSource> source = open_offload_folder(folder.path());
    ASSERT_EQ(source->tensors().size(), 2u);
    std::vector<float> read(3);
    decode_elements("F32", bytes_of(*source, 0), read);
    EXPECT_EQ(read, numbers);
    ASSERT_TRUE(source->piece(0));
    EXPECT_FALSE(source->piece(1)) << "its bytes are of another dtype";
    decode_elements("BF16", bytes_of(*source, 1), read);
    EXPECT_EQ(read, (std::vector<float>{1, 2, -3}));
}

TEST(OffloadFolder, DamageIsOneSentence) {
    const fs::path golden = test::own_golden("dispatch") / "offload_folder";
    test::TemporaryFolder folder;
    const auto refused = [&](const std::function<void(const fs::path&)>& damage) {
        fs::remove_all(folder.path() / "copy");
        fs::copy(golden, folder.path() / "copy");
        damage(folder.path() / "copy");
        try {
            open_offload_folder(folder.path() / "copy");
        } catch (const UserError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_THAT(
        refused([](const fs::path& f) { fs::remove(f / "half.dat"); }),
        test::says("{} is missing, though {} names '{}'", testing::EndsWith("half.dat"), testing::_, testing::_));
    EXPECT_THAT(refused([](const fs::path& f) { fs::resize_file(f / "half.dat", 6); }),
                test::says("{} has {} bytes, and its entry in {} needs {}", testing::_, testing::EndsWith("6"),
                           testing::_, testing::_));
    EXPECT_NE(
        refused([](const fs::path& f) { std::ofstream(f / "index.json") << R"({"a": {"dtype": 3}})"; }).find("'a'"),
        std::string::npos);
    EXPECT_THAT(refused([](const fs::path& f) {
                    std::ofstream(f / "index.json") << R"({"../a": {"dtype": "float32", "shape": [1]}})";
                }),
                test::says("{}: '{}' is not the name of a tensor", testing::_, testing::_));
}

}  // namespace
}  // namespace trainyard::weights
