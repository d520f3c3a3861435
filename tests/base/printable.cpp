// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/printable.h"

#include <gtest/gtest.h>

#include "base/utf8.h"

namespace trainyard::text {
namespace {

using namespace std::string_literals;

TEST(Printable, OrdersToATerminalAreShownAsText) {
    EXPECT_EQ(printable("\x1b]0;title\x07"), R"(\x1b]0;title\x07)");
    EXPECT_EQ(printable("\x1b[2Jgone\x9b"), "\\x1b[2Jgone\xef\xbf\xbd");
    EXPECT_EQ(printable("\xc2\x9b"
                        "2J"),
              R"(\u009b2J)")
        << "the same order in one character";
    EXPECT_EQ(printable("a\0b\x7f"s), R"(a\x00b\u007f)");
    EXPECT_EQ(printable("one\r\ntwo\tthree"), "one\\r\\ntwo\tthree");
}

TEST(Printable, ColoursAreLeftOut) {
    EXPECT_EQ(printable("\x1b[1;31merror\x1b[0m: \x1b[38;2;1;2;3mx\x1b[m"), "error: x");
    EXPECT_EQ(printable("\x1b[31"), R"(\x1b[31)") << "cut short";
}

TEST(Printable, MarksThatTurnOrHideTextAreShown) {
    EXPECT_EQ(printable("\u202Egnp.exe\u2066\u200b\ufeff"), R"(\u202egnp.exe\u2066\u200b\ufeff)");
    EXPECT_EQ(printable("\U000e0041"), R"(\udb40\udc41)");
    EXPECT_EQ(printable("Grüße, 日本語, \U0001f600, \u200d"), "Grüße, 日本語, \U0001f600, \u200d");
}

TEST(Printable, WhatIsNoUtf8IsReplaced) {
    EXPECT_EQ(printable("\xff\xfe"), "\xef\xbf\xbd\xef\xbf\xbd");
    EXPECT_EQ(printable("caf\xe9"), "caf\xef\xbf\xbd");
    EXPECT_EQ(printable("\xc0\xaf\xed\xa0\x80"), "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd")
        << "an overlong form and a surrogate";
    EXPECT_EQ(printable("\xe6\x97x"), "\xef\xbf\xbdx") << "cut short";
    for (const char* good : {"", "plain", "é", "日", "\U0010ffff"})
        EXPECT_TRUE(is_utf8(good)) << good;
    for (const char* bad : {"\x80", "\xc3", "\xe9t", "\xf4\x90\x80\x80", "\xf0\x80\x80\x80", "\xc1\x81"})
        EXPECT_FALSE(is_utf8(bad)) << printable(bad);
    EXPECT_EQ(to_utf8("a\xff\n\x1b"), "a\xef\xbf\xbd\n\x1b");
}

TEST(Printable, LongTextIsCutBetweenCharacters) {
    EXPECT_EQ(printable("ééé", 3), "ééé");
    EXPECT_EQ(printable("éééé", 3), "ééé... (2 B more)");
    EXPECT_EQ(printable(std::string(300'000, 'm'), 4), "mmmm... (300.0 kB more)");
}

TEST(Printable, DoneTwiceIsDoneOnce) {
    for (const std::string& text : {"\x1b[2J\xff\u202e\U000e0041\n\t"s, "\x7f\xc2\x9b"s}) {
        EXPECT_EQ(printable(printable(text)), printable(text));
        EXPECT_EQ(printable_lines(printable(text)), printable(text));
    }
    EXPECT_EQ(printable_lines("one\ntwo\x1b"), "one\ntwo\\x1b");
}

}  // namespace
}  // namespace trainyard::text
