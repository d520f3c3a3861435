// SPDX-License-Identifier: GPL-3.0-or-later
// Tests that values of another machine that leave a folder, look like an option or forge a line are refused.

#include "base/untrusted.h"

#include <gtest/gtest.h>

#include "base/clock.h"
#include "support/says.h"

namespace trainyard {

namespace {

const std::string kHidden[] = {
    "a\nb",          "a\x1b[31mb",    "a\x7f",          "a\tb",          std::string("a\0b", 3),
    "a\xc2\x85z",    "a\xc2\x9b[31m", "a\xe2\x80\xaez", "a\xe2\x81\xa6", "a\xe2\x80\x8b",
    "a\xef\xbb\xbf", "caf\xe9",       "\x9b[2J"};

TEST(Untrusted, FileNamesAreOneComponentWithoutHiddenCharacters) {
    for (const char* good : {"checkpoint_100", "model-00001-of-00002.safetensors", "a b", "übung", ".hidden", "..."})
        EXPECT_TRUE(SafeFileName::parse(good)) << good;
    for (const std::string& bad : {std::string(), std::string("."), std::string(".."), std::string("/etc/passwd"),
                                   std::string("../x"), std::string("a/b"), std::string("a/"), std::string(256, 'x')})
        EXPECT_FALSE(SafeFileName::parse(bad)) << bad;
    for (const std::string& bad : kHidden)
        EXPECT_FALSE(SafeFileName::parse(bad)) << bad;
    EXPECT_EQ(fs::path("/here") / *SafeFileName::parse("checkpoint_1"), "/here/checkpoint_1");
}

TEST(Untrusted, PathsStayBelowTheirFolder) {
    EXPECT_EQ(SafePath::parse("logs/rank-00000.log")->names().size(), 2u);
    EXPECT_EQ(fs::path("/run") / *SafePath::parse("a/b"), "/run/a/b");
    std::string deep = "d";
    for (std::size_t i = 1; i < SafePath::kDeepest; ++i)
        deep += "/d";
    EXPECT_TRUE(SafePath::parse(deep));
    EXPECT_FALSE(SafePath::parse(deep + "/d"));
    for (const std::string& bad : {std::string(), std::string("/a"), std::string("a//b"), std::string("a/"),
                                   std::string("a/../b"), std::string("./a"), "x/" + std::string(1100, 'x')})
        EXPECT_FALSE(SafePath::parse(bad)) << bad;
    // Paths that are put together have the same limits.
    const SafeFileName d = *SafeFileName::parse("d"), name = *SafeFileName::parse(std::string(255, 'x'));
    EXPECT_EQ(safe_path(d).child(d)->text(), "d/d");
    EXPECT_FALSE(SafePath::parse(deep)->child(d));
    EXPECT_TRUE(safe_path(name).child(name)->child(name)->child(name));
    EXPECT_FALSE(safe_path(name).child(name)->child(name)->child(name)->child(name));
}

TEST(Untrusted, RunIdsAreNamesOfFoldersAndNoOptions) {
    for (const char* good : {"20261121-074512-gpt2-perldoc-4f2a", "my run", "x"})
        EXPECT_TRUE(RunId::parse(good)) << good;
    for (const std::string& bad : {std::string(), std::string("-rf"), std::string("../../../../Documents"),
                                   std::string(".trash"), std::string(".."), std::string("a/b"), std::string(201, 'x')})
        EXPECT_FALSE(RunId::parse(bad)) << bad;
    for (const std::string& bad : kHidden)
        EXPECT_FALSE(RunId::parse(bad)) << bad;
    try {
        RunId::require("../\x1b[2J", "gpu-a");
        FAIL();
    } catch (const UserError& error) {
        EXPECT_THAT(std::string(error.what()),
                    test::says_only("{}: '{}' is not {}", "gpu-a", "../\\x1b[2J", test::says_only("the id of a run")));
    }
}

TEST(Untrusted, PathsOnAHostAreAbsolute) {
    for (const char* good : {"/home/me/runs/x", "/", "/a//b", "/with space"})
        EXPECT_TRUE(HostPath::parse(good)) << good;
    for (const std::string& bad : {std::string(), std::string("runs/x"), std::string("-rf"), std::string("/a/../b"),
                                   std::string("/a/."), std::string("/a\nb"), "/" + std::string(4096, 'x')})
        EXPECT_FALSE(HostPath::parse(bad)) << bad;
}

TEST(Untrusted, TextIsBoundedAndShowsWhatItHides) {
    EXPECT_EQ(HostText("two\nlines \xe2\x80\xaegnp.exe \xc2\x9b").text(), "two\\nlines \\u202egnp.exe \\u009b");
    EXPECT_EQ(HostText::lines("two\nlines\r").text(), "two\nlines\\r");
    EXPECT_EQ(HostText::first_line("first\nsecond").text(), "first");
    EXPECT_LT(HostText(std::string(1u << 20, 'x')).text().size(), HostText::kLabel + 40);
}

TEST(Untrusted, BudgetEndsACopyThatExceedsALimit) {
    Limits limits;
    limits.files = 3;
    limits.bytes = 100;
    limits.listing_s = 0;
    CopyBudget budget(limits, "the copy of gpu-a:/data");
    const double begun = monotonic_seconds();
    for (int i = 0; i < 3; ++i)
        budget.add_entry();
    EXPECT_THROW(budget.add_entry(), LimitReached);
    budget.release_entry();
    budget.add_entry();  // the time limit is one of listings
    EXPECT_EQ(budget.entries(), 3u);
    while (monotonic_seconds() == begun) {
    }
    EXPECT_THROW(budget.require_time(), LimitReached);
    budget.add_bytes(100);
    EXPECT_THROW(budget.add_bytes(1), LimitReached);
    EXPECT_THROW(budget.add_bytes(UINT64_MAX), LimitReached);
    budget.release_bytes(60);
    budget.add_bytes(60);
    EXPECT_EQ(budget.bytes(), 100u);
    budget.require_room("/", 0);
    EXPECT_THROW(budget.require_room("/", UINT64_MAX), LimitReached);
}

}  // namespace

}  // namespace trainyard
