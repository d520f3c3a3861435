#include "remote/secret.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace trainyard::remote {

namespace {

TEST(Secret, HoldsTextOfAnySize) {
    Secret secret;
    EXPECT_TRUE(secret.empty());
    EXPECT_STREQ(secret.c_str(), "");
    std::string expected;
    for (int i = 0; i < 10000; ++i) {
        secret.append(static_cast<char>('a' + i % 26));
        expected += static_cast<char>('a' + i % 26);
    }
    EXPECT_EQ(secret.view(), expected);
    EXPECT_EQ(std::string(secret.c_str()), expected);
    secret.remove_last();
    expected.pop_back();
    Secret copy = secret.copy(), moved = std::move(secret);
    EXPECT_TRUE(secret.empty());  // NOLINT: moved from on purpose
    EXPECT_EQ(moved.view(), expected);
    EXPECT_EQ(copy.view(), expected);
    moved = Secret("x");
    EXPECT_EQ(moved.view(), "x");
    moved.clear();
    EXPECT_TRUE(moved.empty());
}

TEST(Secret, WipedTextIsGone) {
    std::string text = "correct horse";
    const char* where = text.data();
    wipe(text);
    EXPECT_TRUE(text.empty());
    EXPECT_EQ(where[0], '\0');
    EXPECT_EQ(where[5], '\0');
}

TEST(KeyRing, WithoutADesktopThereIsASentenceAndNoHarm) {
    ::unsetenv("DBUS_SESSION_BUS_ADDRESS");
    ::unsetenv("XDG_RUNTIME_DIR");
    EXPECT_THAT(key_ring::problem(), ::testing::HasSubstr("there is no key ring: no desktop session"));
    EXPECT_FALSE(key_ring::find({"password", "a@b:22"}));
    EXPECT_THROW(key_ring::keep({"password", "a@b:22"}, Secret("x")), UserError);
    EXPECT_NO_THROW(key_ring::forget({"password", "a@b:22"}));
}

}  // namespace

}  // namespace trainyard::remote
