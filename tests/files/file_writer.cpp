// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/files/file_writer.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "support/temporary_folder.h"
#include "support/umask.h"

namespace trainyard::files {
namespace {

std::string pattern(std::size_t size) {
    std::string text(size, '\0');
    for (std::size_t i = 0; i < size; ++i)
        text[i] = static_cast<char>(i * 31 + i / 251);
    return text;
}

class FileWriterSizes : public ::testing::TestWithParam<std::size_t> {};

TEST_P(FileWriterSizes, WritesWhatItIsGivenInAnyPieces) {
    test::TemporaryFolder folder;
    std::string text = pattern(GetParam());
    for (std::size_t piece : {std::size_t{999'983}, text.size() + 1})
        for (std::uint64_t expected : {std::uint64_t{0}, std::uint64_t{text.size()}, std::uint64_t{64u << 20}}) {
            fs::path path = folder.path() / "x";
            FileWriter writer(path, expected);
            for (std::size_t at = 0; at < text.size(); at += piece)
                writer.write(std::string_view(text).substr(at, piece));
            EXPECT_EQ(writer.position(), text.size());
            WrittenFile written = writer.finish();
            EXPECT_EQ(written.bytes, text.size());
            Xxh128 hash;
            hash.add(std::as_bytes(std::span(text)));
            EXPECT_EQ(written.xxh128, hash.digest());
            EXPECT_TRUE(read_file(path) == text) << piece << " " << expected;
        }
}

TEST(FileWriter, FilesHaveTheModeThatTheUmaskAllows) {
    test::TemporaryFolder folder;
    const test::Umask group_reads(0027);
    for (const std::uint64_t expected : {std::uint64_t{0}, std::uint64_t{2u << 20}}) {  // buffered, and O_DIRECT
        const fs::path path = folder.path() / std::to_string(expected);
        FileWriter(path, expected).finish();
        EXPECT_EQ(test::mode_of(path), 0640) << std::oct << test::mode_of(path);
    }
}

INSTANTIATE_TEST_SUITE_P(Sizes, FileWriterSizes,
                         ::testing::Values(0, 1, 4096, (1u << 20) + 1, 8u << 20, (16u << 20) + 4097, 20'000'003));

TEST(FileWriter, LeavesNothingWhenItIsNotFinished) {
    test::TemporaryFolder folder;
    { FileWriter(folder.path() / "x", 2u << 20).write(pattern(100)); }
    EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(FileWriter, HashIsThatOfXxh128sum) {
    Xxh128 none;
    EXPECT_EQ(none.digest(), "99aa06d3014798d86001c324468d497f");  // printf '' | xxh128sum
}

}  // namespace
}  // namespace trainyard::files
