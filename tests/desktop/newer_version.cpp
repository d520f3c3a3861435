// SPDX-License-Identifier: GPL-3.0-or-later
// Answers about newer versions, which are not trusted. What the window does with them: manners.cpp.
#include "desktop/shell/newer_version.h"

#include <string>

#include <gtest/gtest.h>

#include "base/error.h"

namespace trainyard::desktop {

namespace {

/// JSON with these texts.
std::string release_text(const std::string& version, const std::string& page, const std::string& more = {}) {
    return "{\"version\": \"" + version + "\", \"page\": \"" + page + "\"" + more + "}";
}

}  // namespace

TEST(NewerVersion, AnswersAreNotTrusted) {
    const std::string good = "https://example.org/x";
    EXPECT_EQ(read_release(release_text("9.1.0", good)), (Release{"9.1.0", good}));
    const std::string of_code_host = "{\"tag_name\": \"v9.1\", \"html_url\": \"" + good + "\", \"assets\": [1]}";
    EXPECT_EQ(read_release(of_code_host), (Release{"9.1", good}));
    EXPECT_EQ(read_release(release_text("9.1", "javascript:alert(1)")).page, "");
    EXPECT_EQ(read_release(release_text("9.1", "https://example.org/ x")).page, "");
    const std::string too_long(kMostReleaseBytes, 'x');
    for (const std::string& bad :
         {std::string("not JSON"), std::string("[]"), std::string("{}"), std::string("{\"version\": 9}"),
          release_text("9", good), release_text("9..1", good), release_text(".9.1", good), release_text("9.1.", good),
          release_text("9.1 <b>", good), release_text("1234567.1", good), release_text("9.1.0.0.1", good),
          release_text("9.1", good, ", \"prerelease\": true"), release_text("9.1", good, ", \"draft\": true"),
          release_text("9.1", too_long), std::string(5000, '[') + std::string(5000, ']')})
        EXPECT_THROW(read_release(bad), UserError) << bad.substr(0, 60);
    for (const char* address : {"", "example.org", "http://example.org/x", "ftp://example.org", "file:///etc/passwd",
                                "https://", "https://exa mple.org", "http://localhost.evil.org/x",
                                "http://127.0.0.1@evil.org/x", "http://127.0.0.1:80@evil.org/x"})
        EXPECT_THROW(check_release_address(address), UserError) << address;
    for (const char* address :
         {"https://example.org/x", "http://127.0.0.1:8000/x", "http://localhost", "http://[::1]:1/"})
        EXPECT_NO_THROW(check_release_address(address)) << address;
    EXPECT_TRUE(is_newer({"99.0", ""}));
    EXPECT_FALSE(is_newer({TRAINYARD_VERSION, ""}));
    EXPECT_FALSE(is_newer({"0.0.1", ""}));
}

}  // namespace trainyard::desktop
