// SPDX-License-Identifier: GPL-3.0-or-later
// Files that Python packages wrote with torch.save or torch.distributed.checkpoint (tests/golden/checkpoints, created
// by generate/checkpoints.py), compared with the result of Python's unpickler, including all bytes of tensors.

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "formats/weights/dcp_folder.h"
#include "formats/weights/torch_file.h"
#include "support/golden.h"
#include "support/sha256.h"

namespace trainyard::weights {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

double as_double(const Object& digits) {
    double value = 0;
    for (std::size_t i = digits.text.size(); i-- > 0;) {
        auto byte = static_cast<unsigned char>(digits.text[i]);
        value = value * 256 + (i + 1 == digits.text.size() ? static_cast<signed char>(byte) : byte);
    }
    return value;
}

std::string hash(std::string_view bytes) {
    return test::sha256(std::as_bytes(std::span(bytes.data(), bytes.size())));
}

/// Compares the objects of one file with their description.
class Comparison {
  public:
    explicit Comparison(const TorchFile& file) : file_(file) {}

    void compare(const Value& value, const json& expected, const std::string& place) {
        SCOPED_TRACE(place);
        if (!expected.is_object())
            return compare_plain(value, expected);
        auto type = expected["type"].get<std::string>();
        if (type == "dict") {
            ASSERT_EQ(value.kind, Kind::dict);
            ASSERT_EQ(value.items().size(), 2 * expected["items"].size());
            for (std::size_t i = 0; i < expected["items"].size(); ++i) {
                compare(value.items()[2 * i], expected["items"][i][0], place + ".key");
                compare(value.items()[2 * i + 1], expected["items"][i][1],
                        place + "." + expected["items"][i][0].dump());
            }
        } else if (type == "list" || type == "tuple" || type == "Size") {
            ASSERT_EQ(value.kind, type == "list" ? Kind::list : type == "tuple" ? Kind::tuple : Kind::size);
            compare_sequence(value, expected, place);
        } else if (type == "tensor") {
            ASSERT_EQ(value.kind, Kind::tensor);
            compare_tensor(*value.object->tensor, expected);
        } else if (type == "bytes") {
            ASSERT_EQ(value.kind, Kind::bytes);
            EXPECT_EQ(hash(value.object->text), expected["sha256"].get<std::string>());
        } else if (type == "numpy") {
            ASSERT_EQ(value.kind, Kind::record);
            EXPECT_EQ(value.object->type, "numpy.ndarray");
            std::span<const Value> state = value.object->items.at(1).items();
            ASSERT_EQ(state.size(), 5u);
            compare_sequence(state[1], {{"items", expected["shape"]}}, place + ".shape");
            EXPECT_EQ(hash(state[4].object->text), expected["sha256"].get<std::string>());
        } else {
            ASSERT_EQ(type, "object") << "a description this test does not know";
            auto name = expected["class"].get<std::string>();
            Kind kind = name == "builtins.set" ? Kind::set : name == "torch.dtype" ? Kind::dtype : Kind::device;
            EXPECT_TRUE(kind != Kind::device || name == "torch.device") << name;
            EXPECT_EQ(value.kind, kind);
        }
        ++compared;
    }

    int compared = 0;

  private:
    void compare_plain(const Value& value, const json& expected) {
        ++compared;
        if (expected.is_null()) {
            EXPECT_EQ(value.kind, Kind::none);
        } else if (expected.is_boolean()) {
            ASSERT_EQ(value.kind, Kind::boolean);
            EXPECT_EQ(value.boolean, expected.get<bool>());
        } else if (expected.is_string() && value.kind == Kind::real) {
            std::string shown = std::isnan(value.real) ? "nan" : value.real > 0 ? "inf" : "-inf";
            EXPECT_FALSE(std::isfinite(value.real));
            EXPECT_EQ(shown, expected.get<std::string>());
        } else if (expected.is_string()) {
            EXPECT_EQ(value.text(), expected.get<std::string>());
        } else if (value.kind == Kind::long_integer) {
            EXPECT_EQ(as_double(*value.object), expected.get<double>());
        } else if (value.kind == Kind::integer) {
            EXPECT_EQ(value.integer, expected.get<std::int64_t>());
        } else {
            ASSERT_EQ(value.kind, Kind::real);
            EXPECT_EQ(value.real, expected.get<double>());
        }
    }

    void compare_sequence(const Value& value, const json& expected, const std::string& place) {
        std::span<const Value> items = value.items();
        if (expected.contains("items")) {
            ASSERT_EQ(items.size(), expected["items"].size());
            for (std::size_t i = 0; i < items.size(); ++i)
                compare(items[i], expected["items"][i], place + "[" + std::to_string(i) + "]");
            return;
        }
        ASSERT_EQ(items.size(), expected["length"].get<std::size_t>());
        std::int64_t sum = 0;
        for (const Value& item : items)
            sum += item.integer;
        EXPECT_EQ(sum, expected["sum"].get<std::int64_t>());
        for (std::size_t i = 0; i < expected["first"].size(); ++i)
            EXPECT_EQ(items[i].integer, expected["first"][i].get<std::int64_t>());
        std::size_t tail = items.size() - expected["last"].size();
        for (std::size_t i = 0; i < expected["last"].size(); ++i)
            EXPECT_EQ(items[tail + i].integer, expected["last"][i].get<std::int64_t>());
    }

    void compare_tensor(const TensorPart& tensor, const json& expected) {
        EXPECT_EQ(tensor.dtype, expected["dtype"].get<std::string>());
        EXPECT_EQ(tensor.shape, expected["shape"].get<std::vector<std::int64_t>>());
        std::vector<std::byte> bytes;
        file_.stream(tensor,
                     [&](std::span<const std::byte> piece) { bytes.insert(bytes.end(), piece.begin(), piece.end()); });
        EXPECT_EQ(test::sha256(bytes), expected["sha256"].get<std::string>());
    }

    const TorchFile& file_;
};

void compare_metadata(const DcpFolder& folder, const json& expected) {
    std::size_t plain = 0;
    for (const auto& [name, entry] : expected["tensors"].items())
        plain += entry.contains("chunks") ? 0 : 1;
    EXPECT_EQ(folder.values().size(), plain);
    ASSERT_EQ(folder.tensors().size() + plain, expected["tensors"].size());
    std::size_t chunks = 0;
    for (const DcpTensor& tensor : folder.tensors()) {
        SCOPED_TRACE(tensor.name);
        const json& entry = expected["tensors"].at(tensor.name);
        EXPECT_EQ(tensor.dtype, entry["dtype"].get<std::string>());
        EXPECT_EQ(tensor.shape, entry["shape"].get<std::vector<std::int64_t>>());
        ASSERT_EQ(tensor.chunks.size(), entry["chunks"].size());
        EXPECT_EQ(tensor.path, expected["paths"].at(tensor.name).get<std::vector<std::string>>());
        for (const DcpChunk& chunk : tensor.chunks) {
            ++chunks;
            EXPECT_NE(std::find(entry["chunks"].begin(), entry["chunks"].end(),
                                json{{"offsets", chunk.offset}, {"sizes", chunk.size}}),
                      entry["chunks"].end());
            bool stored = std::any_of(expected["stored"].begin(), expected["stored"].end(), [&](const json& place) {
                return place["name"] == tensor.name && place["offsets"] == json(chunk.offset) &&
                       place["file"] == chunk.file && place["offset"] == chunk.position &&
                       place["length"] == chunk.length;
            });
            EXPECT_TRUE(stored) << chunk.file << " at " << chunk.position;
        }
    }
    EXPECT_EQ(chunks + plain, expected["stored"].size());
}

TEST(GoldenTorchFiles, HoldWhatPythonReads) {
    int files = 0, folders = 0, compared = 0;
    for (const fs::directory_entry& entry : fs::directory_iterator(test::golden("checkpoints"))) {
        json description = json::parse(std::ifstream(entry.path() / "expected.json"));
        if (!description.is_object() || !description.contains("files"))
            continue;
        for (const auto& [name, file] : description["files"].items()) {
            SCOPED_TRACE(entry.path().filename().string() + "/" + name);
            fs::path path = entry.path() / "ckpt" / name;
            if (!file.contains("content") || path.extension() == ".json")
                continue;
            if (path.filename() == ".metadata") {
                compare_metadata(DcpFolder(path.parent_path()), file["content"]);
                ++folders;
            } else {
                TorchFile opened(path);
                Comparison comparison(opened);
                comparison.compare(opened.root(), file["content"], "root");
                compared += comparison.compared;
                ++files;
            }
        }
    }
    EXPECT_GT(files, 0);
    EXPECT_GT(folders, 0);
    EXPECT_GT(compared, files);
}

/// Tensors in nested dictionaries by the path of their keys.
void collect(const json& value, std::vector<std::string> path, std::map<std::vector<std::string>, json>& tensors) {
    if (value.value("type", "") == "tensor")
        tensors[path] = value;
    if (value.value("type", "") != "dict")
        return;
    for (const json& item : value["items"]) {
        std::vector<std::string> inner = path;
        inner.push_back(item[0].is_string() ? item[0].get<std::string>() : item[0].dump());
        if (item[1].is_object())
            collect(item[1], inner, tensors);
    }
}

TEST(GoldenTorchFiles, ChunksGiveTheWholeOptimizer) {
    int compared = 0;
    for (const fs::directory_entry& entry : fs::directory_iterator(test::golden("checkpoints"))) {
        json description = json::parse(std::ifstream(entry.path() / "expected.json"));
        if (!description.is_object() || !description.contains("optimizer_whole"))
            continue;
        std::map<std::vector<std::string>, json> expected;
        collect(description["optimizer_whole"], {}, expected);
        DcpFolder folder(entry.path() / "ckpt" / "optimizer_0");
        EXPECT_EQ(folder.tensors().size(), expected.size());
        for (const DcpTensor& tensor : folder.tensors()) {
            SCOPED_TRACE(entry.path().filename().string() + ": " + tensor.name);
            std::vector<std::byte> bytes;
            folder.stream(tensor, [&](std::span<const std::byte> piece) {
                bytes.insert(bytes.end(), piece.begin(), piece.end());
            });
            ASSERT_TRUE(expected.contains(tensor.path));
            EXPECT_EQ(test::sha256(bytes), expected[tensor.path]["sha256"].get<std::string>());
            ++compared;
        }
    }
    EXPECT_GT(compared, 0);
}

}  // namespace
}  // namespace trainyard::weights
