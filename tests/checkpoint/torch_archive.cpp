// SPDX-License-Identifier: GPL-3.0-or-later
// Trees through torch.save files and back; and every such file of the golden folders, as Python reads it.

#include "checkpoint/torch_archive.h"

#include <fstream>

#include <ATen/ops/arange.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/zeros.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "checkpoint/described.h"
#include "support/golden.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::checkpoint {
namespace {

using nlohmann::json;
using test::says;
using testing::EndsWith;

class TorchArchive : public ::testing::Test {
  protected:
    Tree there_and_back(const Tree& tree) {
        files::WrittenFile written = write_torch_file(path_, tree);
        EXPECT_EQ(written.bytes, std::filesystem::file_size(path_));
        return read_torch_file(path_);
    }
    test::TemporaryFolder folder_;
    std::filesystem::path path_ = folder_.path() / "x.bin";
};

TEST_F(TorchArchive, KeepsEveryKind) {
    Tree tree = Tree::dict({{"none", {}},
                            {"true", true},
                            {"small", 7},
                            {"negative", -5},
                            {"large", std::int64_t{1} << 62},
                            {"least", std::numeric_limits<std::int64_t>::min()},
                            {"real", 0.1},
                            {"text", "naïve \n \"x\""},
                            {std::int64_t{3}, Tree::tuple({0.9, 0.999})},
                            {"empty list", Tree::list()},
                            {"empty tuple", Tree::tuple()},
                            {"empty dict", Tree::dict()},
                            {"nested", Tree::list({Tree::dict({{"a", Tree::list({1, 2})}})})}});
    EXPECT_TRUE(there_and_back(tree) == tree);
}

TEST_F(TorchArchive, KeepsEveryElementTypeAndLayout) {
    Tree tree = Tree::dict({});
    at::Tensor base = at::rand({6, 10}).mul(4);
    for (at::ScalarType type : {at::kDouble, at::kFloat, at::kHalf, at::kBFloat16, at::kFloat8_e4m3fn, at::kFloat8_e5m2,
                                at::kLong, at::kInt, at::kShort, at::kChar, at::kByte, at::kUInt16, at::kUInt32,
                                at::kUInt64, at::kBool, at::kComplexFloat, at::kComplexDouble})
        tree.set(std::string(c10::toString(type)), base.to(type));
    tree.set("transposed", base.t());
    tree.set("rows", base.narrow(0, 2, 3));
    tree.set("expanded", at::ones({3, 1}).expand({3, 5}));
    tree.set("scalar", at::zeros({}));
    tree.set("empty", at::zeros({0, 4}));
    Tree back = there_and_back(tree);
    ASSERT_EQ(back.entries().size(), tree.entries().size());
    for (std::size_t i = 0; i < tree.entries().size(); ++i) {
        const at::Tensor &was = tree.entries()[i].value.as_tensor(), &is = back.entries()[i].value.as_tensor();
        SCOPED_TRACE(to_string(tree.entries()[i].key));
        EXPECT_EQ(is.scalar_type(), was.scalar_type());
        EXPECT_EQ(is.sizes(), was.sizes());
        EXPECT_EQ(test::tensor_hash(is), test::tensor_hash(was));
        if (was.numel() > 0) {
            EXPECT_EQ(is.strides(), was.strides());
        }
    }
}

TEST_F(TorchArchive, SharedMemoryIsStoredOnceAndSharedAgain) {
    at::Tensor whole = at::arange(100'000, at::kFloat).view({100, 1000});
    Tree back = there_and_back(Tree::list({whole, whole.t(), whole.narrow(0, 3, 2)}));
    EXPECT_LT(std::filesystem::file_size(path_), 402'000u);
    at::Tensor first = back.items()[0].as_tensor();
    first[3][7].fill_(-1);
    EXPECT_EQ(back.items()[1].as_tensor()[7][3].item<float>(), -1);
    EXPECT_EQ(back.items()[2].as_tensor()[0][7].item<float>(), -1);
    EXPECT_EQ(read_torch_file(path_).items()[0].as_tensor()[3][7].item<float>(), 3007) << "the file is as it was";
}

TEST_F(TorchArchive, OfALargeStorageOnlyTheViewIsWritten) {
    write_torch_file(path_, Tree(at::zeros({1 << 20}).narrow(0, 5, 100)));
    EXPECT_LT(std::filesystem::file_size(path_), 4000u);
}

TEST_F(TorchArchive, TensorsOutliveTheTree) {
    write_torch_file(path_, Tree::list({at::arange(1000, at::kLong)}));
    at::Tensor kept = read_torch_file(path_).items()[0].as_tensor();
    std::filesystem::remove(path_);
    EXPECT_EQ(kept.sum().item<std::int64_t>(), 499'500);
}

TEST_F(TorchArchive, DamageIsNamed) {
    write_torch_file(path_, Tree::list({at::arange(1000, at::kLong)}));
    std::string bytes = read_file(path_);
    bytes[2000] ^= 1;
    std::ofstream(path_, std::ios::binary) << bytes;
    try {
        read_torch_file(path_);
        FAIL() << "read";
    } catch (const UserError& error) {
        EXPECT_THAT(error.what(),
                    says("{} is damaged: the checksum of its entry '{}' is wrong", EndsWith("x.bin"), "data/0"));
    }
}

TEST_F(TorchArchive, EveryGoldenFileHoldsWhatPythonReadsAndIsWrittenBack) {
    int files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(test::golden("checkpoints"))) {
        json description = json::parse(std::ifstream(entry.path() / "expected.json"));
        if (!description.is_object() || !description.contains("files"))
            continue;
        for (const auto& [name, file] : description["files"].items()) {
            std::filesystem::path path = entry.path() / "ckpt" / name;
            if (!file.contains("content") || path.extension() == ".json" || path.filename() == ".metadata")
                continue;
            SCOPED_TRACE(path.string());
            Tree tree = read_torch_file(path);
            test::expect_described(tree, file["content"], "root");
            test::expect_described(there_and_back(tree), file["content"], "written back");
            ++files;
        }
    }
    EXPECT_GT(files, 0);
}

}  // namespace
}  // namespace trainyard::checkpoint
