// SPDX-License-Identifier: GPL-3.0-or-later
// The search for programs in PATH.
#include "base/find_program.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "support/temporary_folder.h"

namespace trainyard {

namespace {

TEST(FindProgram, TakesTheFirstFileThatMayBeExecuted) {
    const test::TemporaryFolder folder;
    for (const char* name : {"a", "b", "c", "d"})
        std::filesystem::create_directory(folder.path() / name);
    std::filesystem::create_directory(folder.path() / "a" / "tool");  // a folder may be "executed", too
    std::ofstream(folder.path() / "b" / "tool") << "no program";
    for (const char* name : {"c", "d"}) {
        std::ofstream(folder.path() / name / "tool") << "#!/bin/sh\n";
        std::filesystem::permissions(folder.path() / name / "tool", std::filesystem::perms::owner_all);
    }
    const std::string root = folder.path().string() + "/";
    const std::string path = root + "a:" + root + "b:" + root + "c:" + root + "d";
    EXPECT_EQ(find_program("tool", path.c_str()), root + "c/tool");
    EXPECT_EQ(find_program("other", path.c_str()), "");
    EXPECT_EQ(find_program("", path.c_str()), "");
    EXPECT_EQ(find_program("tool", ""), "");
    EXPECT_NE(find_program("sh", nullptr), "");
    const std::string relative = std::filesystem::relative(folder.path() / "c").string() + ":" + root + "d";
    EXPECT_TRUE(find_program("tool", relative.c_str()).ends_with("c/tool"));
    EXPECT_EQ(find_program("tool", relative.c_str(), SearchFolders::absolute), root + "d/tool");
    EXPECT_EQ(find_program("tool", ":.:", SearchFolders::absolute), "");
}

}  // namespace

}  // namespace trainyard
