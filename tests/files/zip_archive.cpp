// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of zip archives that differ from those of torch.save.

#include "base/files/zip_archive.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "support/says.h"
#include "weights/written.h"

namespace trainyard::files {
namespace {

using test::bytes_of;
using test::says;
using test::zip;
using testing::_;
using testing::HasSubstr;

/// The error; empty if the archive opens and the entry "a" can be read.
std::string said_of(const std::string& archive) {
    try {
        ZipArchive(bytes_of(archive), "the file").read("a");
        return "";
    } catch (const UserError& error) {
        return error.what();
    }
}

TEST(ZipArchive, ReadsStoredEntries) {
    std::string archive = zip({{"x/a", "content"}, {"x/data/0", std::string("\0\1", 2)}, {"x/empty", ""}});
    ZipArchive read(bytes_of(archive), "the file");
    ASSERT_EQ(read.entries().size(), 3u);
    EXPECT_EQ(read.read("a").size(), 7u);
    EXPECT_EQ(read.read("data/0")[1], std::byte{1});
    EXPECT_EQ(read.read("empty").size(), 0u);
    EXPECT_EQ(read.find("b"), nullptr);
}

TEST(ZipArchive, ReadsSizesOf64Bits) {
    EXPECT_EQ(said_of(zip({{.name = "x/a", .content = "content", .zip64 = true}})), "");
}

TEST(ZipArchive, CommentsBehindTheDirectory) {
    std::string archive = zip({{"x/a", "content"}});
    archive[archive.size() - 2] = 3;
    EXPECT_EQ(said_of(archive + "abc"), "");
    EXPECT_THAT(said_of(archive + "ab"), HasSubstr("cut"));
}

TEST(ZipArchive, RefusesWhatTorchNeverWrites) {
    EXPECT_THAT(said_of(zip({{.name = "x/a", .content = "c", .method = 8}})), HasSubstr("compressed"));
    EXPECT_THAT(said_of(zip({{"x/a", "c"}, {.name = "x/b", .content = "c", .method = 8}})), HasSubstr("'x/b'"));
    EXPECT_THAT(said_of(zip({{.name = "x/a", .content = "c", .flags = 1}})), says("its entry '{}' is encrypted", _));
    EXPECT_THAT(said_of(zip({{.name = "x/a", .content = "c", .bad_crc = true}})),
                says("{} is damaged: the checksum of its entry '{}' is wrong", _, _));
    EXPECT_THAT(said_of(zip({{"x/a", "c"}, {"x/a", "d"}})), says("{}: the entry '{}' is there twice", _, _));
    EXPECT_THAT(said_of(zip({{"x/a", "c"}, {"y/b", "d"}})), says("{}: its entries are not all in one folder", _));
    EXPECT_THAT(said_of(zip({{"a", "c"}})), says("{}: its entries are not all in one folder", _));
    for (const char* name : {"x/../a", "/x/a", "x//a", "x\\a", "x/./a", "../a"})
        EXPECT_THAT(said_of(zip({{name, "c"}})), says("the name '{}' leaves the archive", _)) << name;
}

TEST(ZipArchive, RefusesEntriesThatLieElsewhereOrOverlap) {
    EXPECT_THAT(said_of(zip({{.name = "x/a", .content = "c", .moved = 1}})),
                says("its entry '{}' is not where the directory says", _));
    // The second entry claims the offset of the first.
    std::string first_size(30 + 3 + 1, ' ');
    EXPECT_THAT(said_of(zip({{"x/a", "c"},
                             {.name = "x/a", .content = "c", .moved = -static_cast<std::int64_t>(first_size.size())}})),
                says("its entries '{}' and '{}' overlap", _, _));
}

TEST(ZipArchive, EveryCutIsNoticed) {
    std::string archive = zip({{"x/a", "content"}, {"x/b", "more"}});
    for (std::size_t size = 0; size < archive.size(); ++size)
        EXPECT_NE(said_of(archive.substr(0, size)), "") << size;
}

TEST(ZipArchive, EveryFlippedBitIsNoticedOrHarmless) {
    // Changes of dates, versions and attributes are not detected, but the content that is read must equal the written
    // one.
    std::string archive = zip({{"x/a", "content"}, {"x/b", "more"}});
    for (std::size_t bit = 0; bit < 8 * archive.size(); ++bit) {
        std::string flipped = archive;
        flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
        try {
            auto content = ZipArchive(bytes_of(flipped), "the file").read("a");
            EXPECT_EQ(std::string(reinterpret_cast<const char*>(content.data()), content.size()), "content") << bit;
        } catch (const UserError&) {
        }
    }
}

TEST(Crc32, OfTheStandardsExample) {
    EXPECT_EQ(crc32(bytes_of("123456789")), 0xCBF43926u);
    EXPECT_EQ(crc32({}), 0u);
}

}  // namespace
}  // namespace trainyard::files
