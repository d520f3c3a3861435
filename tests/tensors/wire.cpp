// SPDX-License-Identifier: GPL-3.0-or-later
// Serialised trees, and malformed bytes.

#include "distributed/tensors/wire.h"

#include <cstring>

#include <ATen/ops/arange.h>
#include <ATen/ops/zeros.h>

#include <gtest/gtest.h>

#include "base/error.h"
#include "distributed/tensors/dtype.h"
#include "support/says.h"

namespace trainyard {
namespace {

Tree everything() {
    return Tree::dict({{"none", Tree()},
                       {"flags", Tree::tuple({true, false})},
                       {std::int64_t{-3}, Tree(std::int64_t{1} << 62)},
                       {"real", 0.1},
                       {"text", std::string("ä\0b", 4)},
                       {"empty", Tree::list({Tree::list(), Tree::tuple(), Tree::dict()})},
                       {"view", at::arange(12).view({3, 4}).t()},
                       {"scalar", at::zeros({}, at::kBool)},
                       {"no rows", at::zeros({0, 5}, at::kBFloat16)},
                       {"undefined", at::Tensor()}});
}

TEST(Wire, GivesBackEveryKind) {
    EXPECT_EQ(from_bytes(to_bytes(everything())), everything());
}

TEST(Wire, GivesBackEveryDtype) {
    for (auto type : {at::kFloat, at::kDouble, at::kHalf, at::kBFloat16, at::kLong, at::kInt, at::kShort, at::kChar,
                      at::kByte, at::kBool, at::kUInt16, at::kFloat8_e4m3fn, at::kComplexFloat}) {
        at::Tensor sent = at::arange(5, at::kFloat).to(type);
        at::Tensor got = from_bytes(to_bytes(Tree(sent))).as_tensor();
        EXPECT_EQ(got.scalar_type(), type);
        EXPECT_EQ(std::memcmp(got.const_data_ptr(), sent.const_data_ptr(), sent.nbytes()), 0) << dtype_name(type);
        EXPECT_EQ(dtype_of_name(dtype_name(type)), type);
    }
    EXPECT_EQ(dtype_of_name("float31"), std::nullopt);
}

TEST(Wire, RefusesEveryTruncation) {
    std::vector<std::uint8_t> bytes = to_bytes(everything());
    for (std::size_t size = 0; size < bytes.size(); ++size)
        EXPECT_THROW(from_bytes(std::span(bytes).first(size)), UserError) << size;
    bytes.push_back(0);
    EXPECT_THROW(from_bytes(bytes), UserError);
}

/// Every byte is changed to several other values: the result must be another tree or a UserError.
TEST(Wire, DamageIsAnErrorNotACrash) {
    const std::vector<std::uint8_t> bytes = to_bytes(everything());
    std::size_t refused = 0;
    for (std::size_t place = 0; place < bytes.size(); ++place)
        for (int value : {0, 1, 7, 0x7f, 0x80, 0xff}) {
            std::vector<std::uint8_t> damaged = bytes;
            damaged[place] = static_cast<std::uint8_t>(value);
            try {
                EXPECT_EQ(from_bytes(damaged) == everything(), damaged == bytes) << "byte " << place << " as " << value;
            } catch (const UserError& error) {
                EXPECT_NE(damaged, bytes);
                EXPECT_THAT(std::string(error.what()),
                            test::says("a received object is damaged at byte {}: {}", testing::_, testing::_));
                ++refused;
            }
        }
    EXPECT_GT(refused, 0u);
}

TEST(Wire, DeepNestsAndSharedKeysAreRefused) {
    Tree deep;
    for (int i = 0; i < 300; ++i)
        deep = Tree::list({std::move(deep)});
    EXPECT_THROW(to_bytes(deep), UserError);
    std::vector<std::uint8_t> bytes{'T', 'Y', 'T', '1'};
    for (int i = 0; i < 100000; ++i)
        bytes.insert(bytes.end(), {8, 1, 0, 0, 0, 0, 0, 0, 0});
    bytes.push_back(0);
    EXPECT_THROW(from_bytes(bytes), UserError);

    std::vector<std::uint8_t> twice{'T', 'Y', 'T', '1', 10, 2, 0, 0, 0, 0, 0, 0, 0};
    for (int i = 0; i < 2; ++i)
        twice.insert(twice.end(), {0, 5, 0, 0, 0, 0, 0, 0, 0, 0});  // key 5: None
    EXPECT_THROW(from_bytes(twice), UserError);
}

TEST(Wire, LengthsThatLieCostNoMemory) {
    for (std::uint8_t kind : {5, 8, 9, 10}) {
        std::vector<std::uint8_t> bytes{'T', 'Y', 'T', '1', kind, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f};
        EXPECT_THROW(from_bytes(bytes), UserError) << int{kind};
    }
    // float32, 2 dimensions of 2^40: 2^82 bytes
    std::vector<std::uint8_t> bytes{'T', 'Y', 'T', '1', 6, 7, 'f', 'l', 'o', 'a', 't', '3', '2', 2, 0, 0, 0};
    for (int i = 0; i < 2; ++i)
        bytes.insert(bytes.end(), {0, 0, 0, 0, 0, 1, 0, 0});
    bytes.insert(bytes.end(), 8, 0);
    EXPECT_THROW(from_bytes(bytes), UserError);
}

}  // namespace
}  // namespace trainyard
