// SPDX-License-Identifier: GPL-3.0-or-later
// Distributed checkpoints that the golden files do not cover: chunks of columns and of blocks, empty tensors, and
// inconsistent metadata.

#include "formats/weights/dcp_folder.h"

#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "support/says.h"
#include "support/temporary_folder.h"
#include "weights/written.h"

namespace trainyard::weights {
namespace {

using test::says;
using test::write_dcp;
using test::WrittenChunk;
using testing::_;

class DcpFolders : public testing::Test {
  protected:
    std::vector<float> read(const std::vector<std::int64_t>& shape, const std::vector<WrittenChunk>& chunks) {
        write_dcp(folder_.path(), "w", shape, chunks);
        DcpFolder folder(folder_.path());
        std::vector<std::byte> bytes;
        folder.stream(folder.tensors().at(0),
                      [&](std::span<const std::byte> piece) { bytes.insert(bytes.end(), piece.begin(), piece.end()); });
        std::vector<float> values(bytes.size() / sizeof(float));
        std::memcpy(values.data(), bytes.data(), bytes.size());
        return values;
    }
    std::string refusal(const std::vector<std::int64_t>& shape, const std::vector<WrittenChunk>& chunks) {
        try {
            read(shape, chunks);
            return "";
        } catch (const UserError& error) {
            return error.what();
        }
    }
    test::TemporaryFolder folder_;
};

TEST_F(DcpFolders, Rows) {
    EXPECT_EQ(read({3, 2}, {{{2, 0}, {1, 2}, {5, 6}}, {{0, 0}, {2, 2}, {1, 2, 3, 4}}}),
              (std::vector<float>{1, 2, 3, 4, 5, 6}));
}

TEST_F(DcpFolders, Columns) {
    EXPECT_EQ(read({2, 3}, {{{0, 0}, {2, 1}, {1, 4}}, {{0, 1}, {2, 2}, {2, 3, 5, 6}}}),
              (std::vector<float>{1, 2, 3, 4, 5, 6}));
}

TEST_F(DcpFolders, BlocksOfThreeDimensions) {
    // [2, 2, 2] with the values 0 to 7, as four chunks of [1, 2, 1].
    std::vector<WrittenChunk> chunks;
    for (std::int64_t i : {1, 0})
        for (std::int64_t k : {0, 1}) {
            auto first = static_cast<float>(4 * i + k);
            chunks.push_back({{i, 0, k}, {1, 2, 1}, {first, first + 2}});
        }
    EXPECT_EQ(read({2, 2, 2}, chunks), (std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7}));
}

TEST_F(DcpFolders, ScalarsAndEmptyTensors) {
    EXPECT_EQ(read({}, {{{}, {}, {7}}}), (std::vector<float>{7}));
    EXPECT_EQ(read({0, 3}, {{{0, 0}, {0, 3}, {}}}), (std::vector<float>{}));
}

TEST_F(DcpFolders, ListsThatLie) {
    EXPECT_THAT(refusal({3, 2}, {{{0, 0}, {2, 2}, {1, 2, 3, 4}}}), says("the chunks of '{}' do not cover it", _));
    EXPECT_THAT(refusal({3, 2}, {{{0, 0}, {2, 2}, {1, 2, 3, 4}}, {{1, 0}, {1, 2}, {5, 6}}}),
                says("the chunks of '{}' overlap", _));
    EXPECT_THAT(refusal({3, 2}, {{{0, 0}, {2, 2}, {1, 2, 3, 4}}, {{2, 1}, {1, 2}, {5, 6}}}),
                says("a chunk of '{}' reaches beyond its shape", _));
    EXPECT_THAT(refusal({INT64_MAX, 8}, {{{0, 0}, {2, 2}, {1, 2, 3, 4}}}), says("the shape of '{}' is too large", _));
    EXPECT_THAT(refusal({2}, {{{0, 0}, {2, 2}, {1, 2, 3, 4}}}), says("a chunk of '{}' has no sound offset or size", _));
}

TEST_F(DcpFolders, OverlapsInsideOfGrids) {
    // The number of elements is right, but one block occurs twice and another is missing.
    std::vector<WrittenChunk> chunks;
    for (std::int64_t i : {0, 1})
        for (std::int64_t k : {0, 1})
            chunks.push_back({{i, k}, {1, 1}, {1}});
    chunks[3].offset = {0, 1};
    EXPECT_THAT(refusal({2, 2}, chunks), says("a chunk of '{}' is there twice", _));
    EXPECT_THAT(
        refusal({2, 3},
                {{{0, 0}, {1, 2}, {1, 2}}, {{0, 1}, {2, 1}, {1, 2}}, {{1, 2}, {1, 1}, {1}}, {{0, 2}, {1, 1}, {1}}}),
        says("the chunks of '{}' overlap", _));
}

TEST_F(DcpFolders, ManyChunksTakeNoTime) {
    // Comparing all pairs would take two hundred million comparisons.
    std::vector<WrittenChunk> chunks;
    for (std::int64_t i = 0; i < 20'000; ++i)
        chunks.push_back({{i}, {1}, {static_cast<float>(i)}});
    EXPECT_EQ(read({20'000}, chunks).back(), 19'999.f);
}

TEST_F(DcpFolders, AChunkOfAnotherShapeThanTheListSays) {
    write_dcp(folder_.path(), "w", {4}, {{{0}, {4}, {1, 2, 3, 4}}});
    std::string other = test::saved_tensor({2, 2}, {1, 2, 3, 4});
    std::string same = test::saved_tensor({4}, {1, 2, 3, 4});
    other.resize(std::max(other.size(), same.size()), ' ');
    std::ofstream(folder_.path() / "__0_0.distcp", std::ios::binary) << other;
    DcpFolder folder(folder_.path());
    EXPECT_THROW(folder.stream(folder.tensors()[0], [](std::span<const std::byte>) {}), UserError);
}

}  // namespace
}  // namespace trainyard::weights
