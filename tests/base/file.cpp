// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/process.h"
#include "support/temporary_folder.h"

namespace trainyard {
namespace {

TEST(File, ReplacesAtomicallyAndLeavesNothingBeside) {
    test::TemporaryFolder folder;
    fs::path path = folder.path() / "a.json";
    write_file_atomically(path, "old");
    write_file_atomically(path, "new");
    EXPECT_EQ(read_file(path), "new");
    EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator{}), 1);
    struct stat info {};
    ASSERT_EQ(::stat(path.c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0600u);
}

TEST(File, AFailedWriteKeepsTheOldContent) {
    test::TemporaryFolder folder;
    fs::path path = folder.path() / "folder";
    fs::create_directory(path);  // a file cannot replace a folder
    EXPECT_THROW(write_file_atomically(path, "x"), UserError);
    EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator{}), 1);
}

TEST(File, NamesThePathAndTheReason) {
    try {
        read_file("/no/such/file");
        FAIL();
    } catch (const UserError& error) {
        EXPECT_STREQ(error.what(), "cannot read /no/such/file: No such file or directory");
    }
}

TEST(File, RefusesMoreThanTheLimit) {
    test::TemporaryFolder folder;
    write_file_atomically(folder.path() / "big", std::string(100, 'x'));
    EXPECT_THROW(read_file(folder.path() / "big", 99), UserError);
}

TEST(File, AppendsWholeLines) {
    test::TemporaryFolder folder;
    append_line(folder.path() / "log", "one");
    append_line(folder.path() / "log", "two");
    EXPECT_EQ(read_file(folder.path() / "log"), "one\ntwo\n");
}

TEST(Process, KnowsItselfAndNotAnother) {
    ProcessId self = this_process();
    EXPECT_TRUE(is_alive(self));
    EXPECT_FALSE(is_alive({self.pid, self.start_time + 1}));
    EXPECT_FALSE(is_alive({}));
}

TEST(Clock, IsoTimesRoundTrip) {
    EXPECT_EQ(iso_time(0), "1970-01-01T00:00:00.000Z");
    double now = wall_seconds();
    EXPECT_NEAR(parse_iso_time(iso_time(now)), now, 0.001);
    EXPECT_THROW(parse_iso_time("yesterday"), std::invalid_argument);
}

}  // namespace
}  // namespace trainyard
