// SPDX-License-Identifier: GPL-3.0-or-later
// Addresses of files on hosts, for the command line and the window.
#include "remote/far_place.h"

#include <gtest/gtest.h>

namespace trainyard::remote {

TEST(FarPlace, AddressesAreParsedAndReadBack) {
    struct Case {
        const char *text, *host, *path;
    };
    for (const Case& one : {Case{"gpu-a:/data/runs", "gpu-a", "/data/runs"},
                            {"me@gpu-a:runs", "me@gpu-a", "runs"},
                            {"gpu-a:", "gpu-a", ""},
                            {"gpu-a:a:b", "gpu-a", "a:b"},
                            {"10.0.0.7:x y", "10.0.0.7", "x y"},
                            {"[gpu-a:2222]:/x", "gpu-a:2222", "/x"},
                            {"[::1]:/x", "::1", "/x"},
                            {"sftp://gpu-a/data/runs", "gpu-a", "/data/runs"},
                            {"ssh://me@gpu-a:2222/data", "me@gpu-a:2222", "/data"},
                            {"ssh://gpu-a:22/data", "gpu-a", "/data"},
                            {"ssh://[::1]:22/x", "::1", "/x"},
                            {"ssh://gpu-a/~/runs", "gpu-a", "runs"},
                            {"ssh://gpu-a/a%20b%2", "gpu-a", "/a b%2"},
                            {"ssh://gpu-a", "gpu-a", ""}}) {
        const auto place = far_place(one.text);
        ASSERT_TRUE(place) << one.text;
        EXPECT_EQ(place->host, one.host) << one.text;
        EXPECT_EQ(place->path, one.path) << one.text;
        EXPECT_EQ(far_place(place->text()), place) << one.text;
    }
}

TEST(FarPlace, PathsOfThisMachineAndOtherAddressesAreNone) {
    for (const char* text : {"",
                             ":",
                             "/data/runs",
                             "runs",
                             "./a:b",
                             "a/b:c",
                             "http://gpu-a/x",
                             "file:///x",
                             "std::string",
                             "-oProxyCommand=x:y",
                             "[]:x",
                             "[a b]:x",
                             "[a",
                             "@gpu-a:x",
                             "me@:x",
                             "a b:x",
                             "ssh://",
                             "ssh:///x",
                             "ssh://gpu-a:0/x",
                             "ssh://gpu-a:70000/x",
                             "ssh://gpu-a:x/y",
                             "ssh://[::1]:2222/x",
                             "ssh://a%20b/x",
                             "s3://bucket/x"})
        EXPECT_FALSE(far_place(text)) << text;
}

}  // namespace trainyard::remote
