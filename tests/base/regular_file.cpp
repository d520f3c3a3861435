// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/regular_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/file.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard {
namespace {

using test::says;
using test::says_only;
using testing::_;
using testing::HasSubstr;
using testing::StartsWith;

std::string problem_of_reading(const fs::path& path) {
    try {
        read_regular_file(path, 100);
    } catch (const UserError& error) {
        return error.what();
    }
    return "";
}

TEST(RegularFile, IsReadWholeThroughALinkToo) {
    test::TemporaryFolder folder;
    write_file_atomically(folder.path() / "a", "content");
    fs::create_symlink("a", folder.path() / "link");
    EXPECT_EQ(read_regular_file(folder.path() / "link", 7), "content");
    EXPECT_EQ(read_head(folder.path() / "link", 3), "con");
    EXPECT_EQ(read_head(folder.path() / "link", 100), "content");
    EXPECT_TRUE(try_open_regular_file(folder.path() / "a"));
}

TEST(RegularFile, NothingElseIsOpened) {
    test::TemporaryFolder folder;
    const fs::path pipe = folder.path() / "pipe", loop = folder.path() / "loop", zero = folder.path() / "zero";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    fs::create_symlink("loop", loop);
    fs::create_symlink("/dev/zero", zero);
    EXPECT_THAT(problem_of_reading(pipe), says_only("cannot read {}: it is {}: replace it with a regular file",
                                                    pipe.string(), says_only("a named pipe")));
    EXPECT_THAT(problem_of_reading(zero),
                says("cannot read {}: it is {}: replace it with a regular file", _, StartsWith("a device")));
    EXPECT_THAT(problem_of_reading(folder.path()),
                says("cannot read {}: it is {}: replace it with a regular file", _, StartsWith("a folder")));
    EXPECT_THAT(problem_of_reading(loop), HasSubstr("Too many levels of symbolic links"));
    EXPECT_THAT(problem_of_reading(folder.path() / "none"), HasSubstr("No such file"));
    for (const fs::path& path : {pipe, zero, loop, folder.path(), folder.path() / "none"}) {
        EXPECT_FALSE(try_open_regular_file(path)) << path;
        EXPECT_EQ(read_head(path, 10), "") << path;
    }
}

TEST(RegularFile, IsOfABoundedSize) {
    test::TemporaryFolder folder;
    const fs::path path = folder.path() / "big";
    write_file_atomically(path, std::string(101, 'x'));
    EXPECT_THAT(problem_of_reading(path),
                says_only("cannot read {}: it is {}, more than the {} allowed here", path.string(), "101 B", "100 B"));
    fs::resize_file(path, 1ull << 33);
    EXPECT_THAT(problem_of_reading(path),
                says("cannot read {}: it is {}, more than the {} allowed here", _, StartsWith("8.6 GB"), _));
}

}  // namespace
}  // namespace trainyard
