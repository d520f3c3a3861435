// SPDX-License-Identifier: GPL-3.0-or-later
// What goes into a bundle: read from programs and libraries themselves.

#include "remote/bundle.h"

#include <algorithm>
#include <fstream>

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"
#include "support/temporary_folder.h"

namespace trainyard::remote {

namespace {

/// Keeps hashes where the test may write.
class BundleTest : public ::testing::Test {
  protected:
    void SetUp() override { ::setenv("XDG_CACHE_HOME", (folder_.path() / "cache").c_str(), 1); }
    fs::path file(const std::string& name, const std::string& content) {
        fs::path path = folder_.path() / name;
        std::ofstream(path, std::ios::binary) << content;
        return path;
    }
    test::TemporaryFolder folder_;
};

TEST_F(BundleTest, ReadsNeedsOfThisProgram) {
    ElfNeeds needs = read_elf_needs("/proc/self/exe");
    EXPECT_NE(std::ranges::find(needs.libraries, "libc.so.6"), needs.libraries.end());
    EXPECT_FALSE(version_less(needs.c_library, "2.17"));
    EXPECT_TRUE(needs.machine == "x86_64" || needs.machine == "aarch64");
}

TEST_F(BundleTest, DamagedProgramsAreRefused) {
    std::string whole = read_file("/proc/self/exe", 1ull << 30);
    EXPECT_THROW(read_elf_needs(file("text", "#!/bin/sh\n")), UserError);
    EXPECT_THROW(read_elf_needs(file("nothing", "")), UserError);
    for (std::size_t length : {10u, 64u, 100u, 500u, 1000u})
        EXPECT_THROW(read_elf_needs(file("cut", whole.substr(0, length))), UserError) << length;
    // Any byte of the headers may be wrong: refused or read, never a crash.
    for (std::size_t at = 0; at < 900; at += 3) {
        std::string wrong = whole.substr(0, 1 << 16);
        wrong[at] = static_cast<char>(wrong[at] ^ 0xff);
        try {
            read_elf_needs(file("wrong", wrong));
        } catch (const UserError&) {
        }
    }
}

TEST_F(BundleTest, VersionsAreComparedByNumbers) {
    EXPECT_TRUE(version_less("2.4", "2.36"));
    EXPECT_TRUE(version_less("", "2.2"));
    EXPECT_FALSE(version_less("2.36", "2.36"));
    EXPECT_FALSE(version_less("2.36", "2.4"));
    EXPECT_TRUE(version_less("2.36", "2.36.1"));
}

TEST_F(BundleTest, HashIsThatOfTheContentAndFollowsChanges) {
    fs::path one = file("one", "1"), two = file("two", "22");
    Bundle first = bundle_of({{one, "bin/one", 0, ""}, {two, "lib/two", 0, ""}});
    EXPECT_EQ(first.size(), 3u);
    EXPECT_EQ(first.files[0].sha256, "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b");
    // In another order, from another place, and remembered: the same.
    Bundle again = bundle_of({{two, "lib/two", 0, ""}, {file("copy", "1"), "bin/one", 0, ""}});
    EXPECT_EQ(again.hash, first.hash);
    EXPECT_TRUE(fs::exists(cache_folder() / "hashes.json"));
    file("one", "x");
    EXPECT_NE(bundle_of({{one, "bin/one", 0, ""}, {two, "lib/two", 0, ""}}).hash, first.hash);
    std::ofstream(cache_folder() / "hashes.json") << "no JSON";
    EXPECT_EQ(bundle_of({{two, "lib/two", 0, ""}, {file("copy", "1"), "bin/one", 0, ""}}).hash, first.hash);
}

TEST_F(BundleTest, EngineComesWithItsLibrariesAndWithoutGlibc) {
    Bundle bundle = this_bundle(TRAINYARD_BIN_DIR);
    std::vector<std::string> paths;
    for (const BundleFile& one : bundle.files)
        paths.push_back(one.path);
    auto has = [&](const std::string& path) { return std::ranges::find(paths, path) != paths.end(); };
    EXPECT_TRUE(has("bin/trainyard") && has("bin/trainyard-worker"));
    EXPECT_TRUE(has("lib/libtorch_cpu.so") && has("lib/libc10.so") && has("lib/libstdc++.so.6"));
    EXPECT_TRUE(has("lib/libssh.so.4"));
    EXPECT_TRUE(has("lib/libcudart.so.13"));  // needed by a library, not by a program
    EXPECT_FALSE(has("lib/libc.so.6") || has("lib/libm.so.6") || has("lib/ld-linux-x86-64.so.2"));
    EXPECT_FALSE(bundle.c_library.empty());
    EXPECT_EQ(bundle.hash.size(), 64u);
    EXPECT_EQ(client_name(), client_name());
}

}  // namespace

}  // namespace trainyard::remote
