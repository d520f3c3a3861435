// SPDX-License-Identifier: GPL-3.0-or-later
// Arguments as a shell hands them on: printed by a program that a real /bin/sh (and others that are there) started.

#include "remote/quoting.h"

#include <cstdio>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "support/temporary_folder.h"

namespace trainyard::remote {

namespace {

const std::vector<std::string> kHostile{"",
                                        " ",
                                        "plain",
                                        "two words",
                                        "'",
                                        "''",
                                        "\"",
                                        "\\",
                                        "\\\\'",
                                        "a\nb",
                                        "\n",
                                        "$HOME",
                                        "$(id)",
                                        "`id`",
                                        ";id",
                                        "& id",
                                        "| id",
                                        "> /x",
                                        "#comment",
                                        "-n",
                                        "--",
                                        "-e",
                                        "*",
                                        "?",
                                        "[a]",
                                        "{a,b}",
                                        "~",
                                        "~root",
                                        "!",
                                        "!!",
                                        "a!b",
                                        "%s",
                                        "%%",
                                        "\\n",
                                        "\\047",
                                        "=x",
                                        "A=b",
                                        "if",
                                        "\t\r\v\f",
                                        "äöü 日本 🚂",
                                        "\x01\x7f",
                                        "\xff\xfe",
                                        "a'b\"c`d$",
                                        "^M",
                                        "$'x'",
                                        "\\",
                                        "end\\",
                                        "(x)",
                                        "a  b",
                                        "\n\n",
                                        "' ; id ; '",
                                        "$((1+1))",
                                        "${PATH}",
                                        "<(id)",
                                        "@(a|b)",
                                        "1>&2",
                                        "a\\\nb",
                                        "''\n''",
                                        std::string(5000, 'x')};

std::string run(const std::vector<std::string>& argv) {
    int out[2];
    if (::pipe(out) != 0)
        return "no pipe";
    pid_t child = ::fork();
    if (child == 0) {
        std::vector<char*> words;
        for (const std::string& word : argv)
            words.push_back(const_cast<char*>(word.c_str()));
        words.push_back(nullptr);
        ::dup2(out[1], 1);
        ::close(out[0]);
        ::execvp(words[0], words.data());
        ::_exit(127);
    }
    ::close(out[1]);
    std::string text;
    char buffer[4096];
    for (ssize_t size; (size = ::read(out[0], buffer, sizeof buffer)) > 0;)
        text.append(buffer, static_cast<std::size_t>(size));
    ::close(out[0]);
    ::waitpid(child, nullptr, 0);
    return text;
}

RemoteCommand printing(const std::vector<std::string>& words) {
    // NUL bytes between the words: no other byte is free. printf of /bin/sh would read a first dash as an option.
    RemoteCommand command;
    command.argv = {"/usr/bin/env", "printf", "%s\\0"};
    command.argv.insert(command.argv.end(), words.begin(), words.end());
    return command;
}

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words)
        text += word + '\0';
    return text;
}

std::vector<std::string> shells() {
    std::vector<std::string> there;
    for (const char* shell : {"/bin/sh", "/bin/dash", "/bin/bash", "/bin/zsh", "/bin/ksh", "/bin/mksh"})
        if (std::filesystem::exists(shell))
            there.emplace_back(shell);
    return there;
}

TEST(Quoting, EveryHostileArgumentArrivesAsItIs) {
    for (const std::string& shell : shells())
        EXPECT_EQ(run({shell, "-c", posix_command_line(printing(kHostile))}), joined(kHostile)) << shell;
}

TEST(Quoting, EveryByteArrives) {
    std::vector<std::string> words;
    for (int byte = 1; byte < 256; ++byte) {
        words.emplace_back(1, static_cast<char>(byte));
        words.push_back("x" + std::string(3, static_cast<char>(byte)));
    }
    EXPECT_EQ(run({"/bin/sh", "-c", posix_command_line(printing(words))}), joined(words));
    EXPECT_EQ(run({"/bin/sh", "-c", any_shell_command_line(printing(words))}), joined(words));
}

TEST(Quoting, TheOctalFormSaysTheSameInAnyShell) {
    std::vector<std::string> all = shells();
    for (const char* shell : {"/usr/bin/fish", "/bin/csh", "/bin/tcsh"})
        if (std::filesystem::exists(shell))
            all.emplace_back(shell);
    for (const std::string& shell : all)
        EXPECT_EQ(run({shell, "-c", any_shell_command_line(printing(kHostile))}), joined(kHostile)) << shell;
    // Nothing in it that any shell reads as something: csh's `!`, fish's backslashes before quotes, line ends.
    std::string line = any_shell_command_line({{"/bin/echo", "!'\\\n"}, {}, ""});
    EXPECT_TRUE(line.starts_with("/bin/sh -c 'eval \"$(printf \""));
    EXPECT_TRUE(line.ends_with("\")\"'"));
    std::string inside = line.substr(28, line.size() - 28 - 4);
    EXPECT_EQ(inside.find_first_not_of("\\01234567"), std::string::npos) << inside;
}

TEST(Quoting, FolderAndEnvironmentAreWordsToo) {
    test::TemporaryFolder folder;
    std::filesystem::path odd = folder.path() / "-a 'b' $(c)";
    std::filesystem::create_directory(odd);
    RemoteCommand command;
    command.argv = {"/bin/sh", "-c", "pwd; printf %s \"$ODD\""};
    command.directory = odd;
    command.environment["ODD"] = "a'b\n$(id)";
    EXPECT_EQ(run({"/bin/sh", "-c", posix_command_line(command)}), odd.string() + "\na'b\n$(id)");
    command.environment["A B"] = "x";
    EXPECT_THROW(posix_command_line(command), UserError);
    EXPECT_THROW(posix_command_line({{}, {}, ""}), UserError);
    EXPECT_THROW(shell_quote(std::string("a\0b", 3)), UserError);
}

TEST(Quoting, KnowsPosixShells) {
    for (const char* shell : {"/bin/sh", "/usr/bin/bash", "/bin/zsh", "ash"})
        EXPECT_TRUE(is_posix_shell(shell)) << shell;
    for (const char* shell :
         {"/usr/bin/fish", "/bin/tcsh", "/bin/csh", "/usr/sbin/nologin", "", "/usr/bin/nu", "/bin/rbash"})
        EXPECT_FALSE(is_posix_shell(shell)) << shell;
}

}  // namespace

}  // namespace trainyard::remote
