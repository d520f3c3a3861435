// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/secret.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "remote/secret_bag.h"
#include "support/says.h"

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

TEST(Secret, AMemoryThatIsNotLockedIsReported) {
    const pid_t child = ::fork();
    if (child == 0) {
        const rlimit none{0, 0};
        ::setrlimit(RLIMIT_MEMLOCK, &none);
        if (::geteuid() == 0 && ::setresuid(65534, 65534, 65534) != 0)  // root may lock all it likes
            ::_exit(3);
        const bool silent_before = secret_lock_problem().empty();
        const Secret secret("correct horse");
        ::_exit(silent_before && !secret_lock_problem().empty() && secret.view() == "correct horse" ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(SecretBag, HoldsPasswordsAndPassphrasesButNoAnswersToPrompts) {
    SecretBag bag;
    const SecretQuestion password{SecretQuestion::Kind::password, "a", "me", "me@a:22", "", false, 1, false},
        passphrase{SecretQuestion::Kind::passphrase, "a", "me", "/key", "", false, 1, false},
        code{SecretQuestion::Kind::challenge, "a", "me", "Verification code: ", "", false, 1, false};
    bag.keep(password, Secret("p"));
    bag.keep(passphrase, Secret("q"));
    bag.keep(code, Secret("123456"));
    EXPECT_EQ(bag.find(password)->view(), "p");
    EXPECT_EQ(bag.find(passphrase)->view(), "q");
    EXPECT_EQ(bag.find(code), nullptr) << "a code counts once, and a new password is not one for logging in";
    BagAsker asker(std::move(bag));
    EXPECT_TRUE(asker.ask(password));
    asker.forget();
    EXPECT_FALSE(asker.ask(password));
}

TEST(Prompts, OnlyThoseForTheLoginPasswordAreAnsweredFromTheKeyRing) {
    for (const char* prompt : {"Password: ", "password:", "Password", "Me@host's password: ", "me's password:",
                               "Password for me:", "Password for me@REALM: ", "(me@host) Password: "})
        EXPECT_TRUE(is_login_password_prompt(prompt, "me")) << prompt;
    for (const char* prompt :
         {"New password: ", "Retype new password: ", "Current password: ", "Enter new UNIX password: ",
          "One-time password (OATH) for `me': ", "Password for other:", "other@host's password: ",
          "Enter a password for the next user", "Your password expired. Password", "Verification code: ", "", ":",
          "(other@host) Password: ", "(me@host) New password: ", "Password for me@a and all others:",
          "me@host, here is a new user's password: "})
        EXPECT_FALSE(is_login_password_prompt(prompt, "me")) << prompt;
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
    EXPECT_THAT(
        key_ring::problem(),
        test::says("there is no key ring: no desktop session is under way (DBUS_SESSION_BUS_ADDRESS is not set)"));
    EXPECT_FALSE(key_ring::find({"password", "a@b:22"}));
    EXPECT_THROW(key_ring::keep({"password", "a@b:22"}, Secret("x")), UserError);
    EXPECT_NO_THROW(key_ring::forget({"password", "a@b:22"}));
}

}  // namespace

}  // namespace trainyard::remote
