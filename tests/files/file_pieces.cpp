// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/files/file_pieces.h"

#include <fstream>
#include <mutex>
#include <stdexcept>
#include <string>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"
#include "base/file_descriptor.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::files {
namespace {

using test::says;
using testing::EndsWith;
using testing::StartsWith;

class FilePieces : public ::testing::Test {
  protected:
    test::TemporaryFolder folder_;
    std::filesystem::path path_ = folder_.path() / "file";

    std::string write(std::size_t bytes) {
        std::string text(bytes, '\0');
        for (std::size_t i = 0; i < bytes; ++i)
            text[i] = static_cast<char>(i * 2654435761u >> 13);
        std::ofstream(path_, std::ios::binary) << text;
        return text;
    }

    /// Removes the file from the page cache.
    void forget() const {
        FileDescriptor file(::open(path_.c_str(), O_RDONLY | O_CLOEXEC));
        ::fdatasync(file.get());
        ::posix_fadvise(file.get(), 0, 0, POSIX_FADV_DONTNEED);
    }

    void expect(const std::string& text, Cache cache) {
        std::string in_order, scattered(text.size(), '\0');
        std::mutex mutex;
        std::size_t given = 0;
        read_pieces(path_, text.size(),
                    {[&](std::span<const std::byte> piece) {
                         in_order.append(reinterpret_cast<const char*>(piece.data()), piece.size());
                     },
                     [&](std::uint64_t offset, std::span<const std::byte> piece) {
                         std::lock_guard lock(mutex);
                         scattered.replace(offset, piece.size(), reinterpret_cast<const char*>(piece.data()),
                                           piece.size());
                         given += piece.size();
                     }},
                    cache);
        EXPECT_TRUE(in_order == text);
        EXPECT_TRUE(scattered == text);
        EXPECT_EQ(given, text.size());
    }
};

TEST_F(FilePieces, GiveEveryByteOnceInOrderAndSideBySide) {
    for (std::size_t bytes : {0, 1, 4096, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, (9 << 20) + 777}) {
        SCOPED_TRACE(bytes);
        std::string text = write(bytes);
        expect(text, Cache::pass);  // from the page cache, which writing has filled
        forget();
        expect(text, Cache::pass);
        expect(text, Cache::fill);
    }
}

TEST_F(FilePieces, AShorterFileIsNamed) {
    write(3'000'000);
    for (bool cached : {true, false}) {
        if (!cached)
            forget();
        try {
            read_pieces(path_, 4'000'000, {[](std::span<const std::byte>) {}, {}});
            FAIL() << "a million bytes too few";
        } catch (const UserError& error) {
            EXPECT_THAT(error.what(), says("{} has {} bytes instead of {}: it was cut while it was read",
                                           EndsWith(path_.string()), 3000000, StartsWith("4000000")));
        }
    }
}

TEST_F(FilePieces, WhatAReaderThrowsComesOut) {
    write(9 << 20);
    int seen = 0;
    auto third = [&](std::span<const std::byte>) {
        if (++seen == 3)
            throw std::runtime_error("enough");
    };
    EXPECT_THROW(read_pieces(path_, 9 << 20, {third, {}}), std::runtime_error);
    EXPECT_EQ(seen, 3) << "nothing is in order behind what failed";
    EXPECT_THROW(read_pieces(path_, 9 << 20,
                             {[](std::span<const std::byte>) {},
                              [](std::uint64_t, std::span<const std::byte>) { throw std::runtime_error("no"); }}),
                 std::runtime_error);
}

TEST_F(FilePieces, OnlyFilesAreRead) {
    PieceReaders nobody{[](std::span<const std::byte>) {}, {}};
    EXPECT_THROW(read_pieces(path_, 10, nobody), UserError);
    write(100);
    std::filesystem::create_symlink(path_, folder_.path() / "link");
    EXPECT_THROW(read_pieces(folder_.path() / "link", 100, nobody), UserError);
    EXPECT_THROW(read_pieces(folder_.path(), 100, nobody), UserError);
}

}  // namespace
}  // namespace trainyard::files
