// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of scratch files: the same bytes through the mapping, read(), write(), load() and store(), in ranges that begin
// and end within pages, and pages that stay in memory.

#include "base/files/scratch_file.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <random>
#include <span>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/files/page_size.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::files {
namespace {

/// Random actions on a file and on an array: both have the same bytes at any time.
void expect_equal_to_memory(const std::filesystem::path& folder, unsigned seed, int actions) {
    constexpr std::size_t kPages = 40;
    const std::size_t count = kPages * page_size() + 1234;
    ScratchFile file(folder, count, "a test");
    ASSERT_EQ(file.bytes().size(), count);
    std::vector<std::byte> expected(count);
    std::vector<bool> loaded(kPages);
    std::mt19937 random(seed);
    const auto some = [&](std::size_t most) { return static_cast<std::size_t>(random()) % most; };
    for (int action = 0; action < actions; ++action) {
        const std::size_t begin = some(count), end = begin + some(count - begin + 1), page = some(kPages);
        std::vector<std::byte> bytes(end - begin, static_cast<std::byte>(random()));
        switch (some(6)) {
            case 0:
                file.write(begin, end, bytes.data());
                std::ranges::copy(bytes, expected.begin() + static_cast<std::ptrdiff_t>(begin));
                break;
            case 1:  // as code that knows nothing of the file
                std::memcpy(file.bytes().data() + begin, bytes.data(), bytes.size());
                std::ranges::copy(bytes, expected.begin() + static_cast<std::ptrdiff_t>(begin));
                break;
            case 2:
                if (!loaded[page])
                    file.load(page * page_size(), (page + 1) * page_size());
                loaded[page] = true;
                break;
            case 3:
                if (loaded[page])
                    file.store(page * page_size(), (page + 1) * page_size());
                loaded[page] = false;
                break;
            case 4:
                file.let_go(begin, end);
                break;
            default:
                file.read(begin, end, bytes.data());
                ASSERT_TRUE(std::ranges::equal(bytes, std::span(expected).subspan(begin, end - begin)))
                    << "seed " << seed << ", action " << action;
        }
        ASSERT_EQ(file.in_memory(page * page_size(), (page + 1) * page_size()), loaded[page]);
    }
    ASSERT_TRUE(std::ranges::equal(file.bytes(), expected)) << "seed " << seed;
    file.check();
}

TEST(ScratchFile, HasTheSameBytesInEveryWay) {
    const test::TemporaryFolder folder;
    expect_equal_to_memory(folder.path(), 1, 100);  // a disk writes what the mapping changed before it is read
    for (unsigned seed = 2; seed <= 20; ++seed)
        expect_equal_to_memory("/dev/shm", seed, 400);
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(ScratchFile, LoadedPagesKeepTheirBytesWhenTheOthersAreReleased) {
    const test::TemporaryFolder folder;
    const std::size_t page = page_size();
    ScratchFile file(folder.path(), 3 * page, "a test");
    std::ranges::fill(file.bytes(), std::byte{1});
    file.load(page, 2 * page);
    std::memset(file.bytes().data() + page, 2, page);
    file.let_go();
    std::vector<std::byte> bytes(3 * page);
    file.read(0, bytes.size(), bytes.data());
    EXPECT_EQ(bytes[page - 1], std::byte{1});
    EXPECT_EQ(bytes[page], std::byte{2});
    EXPECT_EQ(bytes[2 * page], std::byte{1});
    EXPECT_FALSE(file.in_memory(0, 2 * page));
    EXPECT_TRUE(file.in_memory(page, 2 * page));
}

/// Pages of a range that was stored serve the next range of the same size.
TEST(ScratchFile, RangesThatTakeTurnsInMemoryKeepTheirBytes) {
    const test::TemporaryFolder folder;
    constexpr std::size_t kRanges = 5;
    for (const std::size_t size : {kLargePage, 3 * page_size()}) {
        ScratchFile file(folder.path(), kRanges * size, "a test"), other(folder.path(), size, "another");
        for (int round = 0; round < 3; ++round) {
            for (std::size_t range = 0; range < kRanges; ++range) {
                const std::span<std::byte> bytes = file.bytes().subspan(range * size, size);
                file.load(range * size, (range + 1) * size);
                EXPECT_EQ(std::ranges::count(bytes, static_cast<std::byte>(round == 0 ? 0 : 10 * round + range)),
                          static_cast<std::ptrdiff_t>(size))
                    << round << " " << range;
                std::ranges::fill(bytes, static_cast<std::byte>(10 * (round + 1) + range));
                if (round == 1 && range == 2) {  // what is discarded does not count
                    file.discard(range * size, (range + 1) * size);
                    file.load(range * size, (range + 1) * size);
                    EXPECT_EQ(bytes.front(), static_cast<std::byte>(10 * round + range));
                    std::ranges::fill(bytes, static_cast<std::byte>(10 * (round + 1) + range));
                }
                file.store(range * size, (range + 1) * size);
            }
            other.load(0, size);
            EXPECT_EQ(std::ranges::count(other.bytes(), std::byte{}), static_cast<std::ptrdiff_t>(size));
            other.discard(0, size);
            file.let_go();
        }
    }
}

}  // namespace
}  // namespace trainyard::files
