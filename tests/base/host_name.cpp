// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/host_name.h"

#include <gtest/gtest.h>

namespace trainyard {

TEST(HostName, AcceptsNamesAndAddresses) {
    for (const char* name : {"gpu-a", "gpu_a", "10.0.0.1", "::1", "fe80::1%eth0", "a.example", "xn--bcher-kva.example",
                             "b\xc3\xbc"
                             "cher.example",
                             "a", "UPPER", "host#1", "a=b", "*", "!a"})
        EXPECT_TRUE(is_valid_host_name(name)) << name;
}

TEST(HostName, RefusesWhatAShellOrAnOptionParserWouldInterpret) {
    for (const char* name : {"",         "-oProxyCommand=x",
                             "-a",       "a;b",
                             "a&b",      "a|b",
                             "a<b",      "a>b",
                             "$(id)",    "${IFS}",
                             "`id`",     "a'b",
                             "a\"b",     "a\\b",
                             "a b",      "a\tb",
                             "a\nb",     "a\rb",
                             "a\x1b[0m", "a\x7f",
                             "(a)",      "{a}",
                             "a/b"})
        EXPECT_FALSE(is_valid_host_name(name)) << name;
    EXPECT_FALSE(is_valid_host_name(std::string_view("a\0b", 3)));
}

TEST(HostName, UsersFollowTheRulesOfOpenSsh) {
    for (const char* name : {"me", "first last", "DOMAIN\\user", "svc$", "me+admin", "user@domain"})
        EXPECT_TRUE(is_valid_user_name(name)) << name;
    for (const char* name : {"", "-l", "a -o", "user\\", "a;b", "`id`", "$(id)", "a|b", "a&b", "a<b", "a'b", "a\"b",
                             "{a}", "a\nb", "a\x7f"})
        EXPECT_FALSE(is_valid_user_name(name)) << name;
}

}  // namespace trainyard
