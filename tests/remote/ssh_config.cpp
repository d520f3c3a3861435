// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/ssh_config.h"

#include <cstdlib>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files/user_folders.h"
#include "remote/failure.h"
#include "remote/ssh_words.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::remote {

namespace {

using test::says;
using testing::_;
using ::testing::AllOf;
using ::testing::ElementsAre;
using testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(SshConfig, FirstValueWinsAndIdentityFilesGather) {
    SshConfig config = SshConfig::from_text(R"(
User everybody
Host gpu-a gpu-b
    HostName %h.cluster.example
    Port=2222
    IdentityFile "~/keys/a key"
    IdentitiesOnly yes
Host gpu-*
    Port 22
    User me
    IdentityFile ~/.ssh/id_%h_%r
Host *
    ConnectTimeout 3
)");
    HostSettings host = config.resolve("gpu-b");
    EXPECT_EQ(host.alias, "gpu-b");
    EXPECT_EQ(host.host_name, "gpu-b.cluster.example");
    EXPECT_EQ(host.port, 2222);
    EXPECT_EQ(host.user, "everybody");
    EXPECT_THAT(host.identity_files,
                ElementsAre(files::home_folder().string() + "/keys/a key",
                            files::home_folder().string() + "/.ssh/id_gpu-b.cluster.example_everybody"));
    EXPECT_TRUE(host.identities_only);
    EXPECT_TRUE(host.identity_files_given);
    EXPECT_EQ(host.connect_timeout, 3.0);
    EXPECT_EQ(host.known_name(), "[gpu-b.cluster.example]:2222");
    EXPECT_THAT(config.aliases(), ElementsAre("gpu-a", "gpu-b"));
    EXPECT_EQ(config.place_of("gpu-b"), "ssh_config:3");
    EXPECT_EQ(config.place_of("gpu-c"), "");
}

TEST(SshConfig, UserAndPortOfTheNameComeFirst) {
    SshConfig config = SshConfig::from_text("Host a\n  User config\n  Port 7\n  HostName 10.0.0.1\n");
    EXPECT_EQ(config.resolve("me@a:99").target(), "me@10.0.0.1:99");
    EXPECT_EQ(config.resolve("ssh://you@a").target(), "you@10.0.0.1:7");
    EXPECT_EQ(config.resolve("[::1]:2200").host_name, "::1");
    EXPECT_EQ(config.resolve("[::1]:2200").port, 2200);
    EXPECT_EQ(config.resolve("fe80::1").host_name, "fe80::1");
    EXPECT_EQ(config.resolve("fe80::1").known_name(), "fe80::1");
    for (const char* bad :
         {"", "@a", "a:", "a:0", "a:65536", "a:x", "-oProxyCommand=x", "a b", "-x@a", "[::1", "a/b", "a'b"})
        EXPECT_THROW(config.resolve(bad), ConnectionError) << bad;
}

TEST(SshConfig, NamesThatAShellWouldInterpretAreRefusedWhereverTheyComeFrom) {
    const SshConfig empty = SshConfig::from_text("");
    for (const char* bad : {"$(id)", "a;id", "a|b", "a&b", "`id`", "a\\b", "a>b", "{a}", "me;id@a", "a\nb", "a\x1b[2J",
                            "me -l@a", "me\\@a", "[fe80::1%$(id)]"})
        EXPECT_THROW(empty.resolve(bad), ConnectionError) << bad;
    EXPECT_EQ(empty.resolve("DOMAIN\\me@a").user, "DOMAIN\\me");
    for (const char* bad : {"a,$(id)", "me;id@a", "-oProxyCommand=id", "-l@a", "a,-b"})
        EXPECT_THROW(parse_jumps(bad), ConnectionError) << bad;
    // Values of ssh_config.
    for (const char* bad : {"HostName $(id)", "HostName -x", "HostName %h;id", "User a;id", "User -l", "User `id`",
                            "HostKeyAlias a;b", "ProxyJump a;id"})
        EXPECT_THROW(SshConfig::from_text(bad).resolve("a"), ConnectionError) << bad;
    try {
        SshConfig::from_text("HostName $(id)").resolve("a");
        FAIL();
    } catch (const ConnectionError& error) {
        EXPECT_EQ(error.cause(), Cause::bad_settings);
        EXPECT_THAT(error.what(), AllOf(HasSubstr("$(id)"), HasSubstr("characters that a shell interprets")));
    }
}

TEST(SshConfig, RevokedKeysAndCommandsThatKnowHosts) {
    const HostSettings host = SshConfig::from_text(
                                  "Host a\n  HostName 100%%.example\n  Port 99\n"
                                  "  RevokedHostKeys ~/revoked \"/etc/of %h\"\n"
                                  "  KnownHostsCommand /usr/bin/keys %H %h \"of %r\" %% %I %t\n"
                                  "  RequiredRSASize 3072\n  User me\n")
                                  .resolve("a");
    EXPECT_THAT(host.revoked_host_keys,
                ElementsAre(files::home_folder().string() + "/revoked", "/etc/of 100%.example"));
    EXPECT_THAT(host.known_hosts_command,
                ElementsAre("/usr/bin/keys", "%H", "100%%.example", "of me", "%%", "%I", "%t"));
    EXPECT_EQ(host.required_rsa_size, 3072);
    const HostSettings none = SshConfig::from_text("RevokedHostKeys none\nKnownHostsCommand none\n").resolve("a");
    EXPECT_THAT(none.revoked_host_keys, IsEmpty());
    EXPECT_THAT(none.known_hosts_command, IsEmpty());
    for (const char* bad :
         {"KnownHostsCommand keys", "KnownHostsCommand /x %C", "RevokedHostKeys /x/%y", "RequiredRSASize large"})
        EXPECT_THROW(SshConfig::from_text(bad).resolve("a"), ConnectionError) << bad;
}

TEST(SshConfig, PatternsNegateAndMatch) {
    EXPECT_TRUE(matches_pattern("gpu-17", "gpu-??"));
    EXPECT_FALSE(matches_pattern("gpu-7", "gpu-??"));
    EXPECT_TRUE(matches_pattern("abcabd", "*abd"));
    EXPECT_TRUE(matches_pattern("", "*"));
    EXPECT_TRUE(matches_pattern_list("a.example", "*.example,!b.example"));
    EXPECT_FALSE(matches_pattern_list("b.example", "*.example,!b.example"));
    EXPECT_FALSE(matches_pattern_list("a", "!b"));
    SshConfig config = SshConfig::from_text("Host !login gpu* login\n  User trainer\nHost *\n  User other\n");
    EXPECT_EQ(config.resolve("gpu1").user, "trainer");
    EXPECT_EQ(config.resolve("login").user, "other");
}

TEST(SshConfig, MatchBlocksHoldWhereTheyCan) {
    SshConfig config = SshConfig::from_text(R"(
Host short
    HostName long.example
Match host *.example user admin
    Port 1
Match host *.example originalhost short
    Port 2
Match exec "test -f /x"
    Port 3
Match !host *.example
    Port 4
Match final
    Compression yes
Match all
    User last
)");
    EXPECT_EQ(config.resolve("admin@short").port, 1);
    HostSettings host = config.resolve("short");
    EXPECT_EQ(host.port, 2);
    EXPECT_EQ(host.user, "last");
    ASSERT_FALSE(host.notes.empty());
    EXPECT_THAT(host.notes.front(), says("{}: 'Match {}' is not followed: {}", EndsWith("ssh_config:8"), "exec", _));
    EXPECT_EQ(config.resolve("other").port, 4);
}

class OpenSsh : public ::testing::Test {
  protected:
    SshConfig config(const std::string& text) {
        const std::filesystem::path file = folder_.path() / "config";
        std::ofstream(file) << text;
        return SshConfig(file, "/nonexistent");
    }
    test::TemporaryFolder folder_;
};

TEST_F(OpenSsh, SaysWhatHoldsAlsoForCommandsAndFinalNames) {
    const std::string text =
        "Host short\n  HostName %h.example\nMatch exec \"false\"\n  Port 1\nMatch exec \"test %n = short\"\n  Port 3\n"
        "Match final host *.example\n  User last\n";
    const HostSettings host = config(text).resolve("short");
    EXPECT_EQ(host.target(), "last@short.example:3");
    EXPECT_THAT(host.notes, IsEmpty());
    EXPECT_FALSE(host.identity_files_given) << "the default identity files of ssh do not count as given by the user";
    EXPECT_EQ(config(text).resolve("me@other:4").target(), "me@other:4");
}

TEST_F(OpenSsh, GetsNoNameThatItsMatchExecWouldGiveToAShell) {
    const std::filesystem::path made = folder_.path() / "made";
    const SshConfig hostile = config("Match exec \"true %n\"\n  Port 3\n");
    EXPECT_THROW(hostile.resolve("$(touch${IFS}" + made.string() + ")"), ConnectionError);
    EXPECT_THROW(hostile.resolve("`touch\t" + made.string() + "`"), ConnectionError);
    EXPECT_THROW(hostile.resolve("x;touch\t" + made.string() + ";y@a"), ConnectionError);
    EXPECT_FALSE(std::filesystem::exists(made));
}

TEST_F(OpenSsh, IsNotNeeded) {
    const std::string path = std::getenv("PATH");
    ::setenv("PATH", folder_.path().c_str(), 1);
    const HostSettings host = config("Match exec \"true\"\n  Port 3\nHost a\n  Port 5\n").resolve("a");
    ::setenv("PATH", path.c_str(), 1);
    EXPECT_EQ(host.port, 5);
    EXPECT_THAT(host.notes, ElementsAre(says("{}: 'Match {}' is not followed: {}", _, "exec", _)));
}

TEST_F(OpenSsh, ThatRefusesItsFileIsHeardAndTheFileIsReadHere) {
    const HostSettings host = config("Host a\n  Port 5\n  NoSuchKeyword yes\n").resolve("a");
    EXPECT_EQ(host.port, 5);
    ASSERT_FALSE(host.notes.empty());
    EXPECT_THAT(host.notes.front(), AllOf(says("ssh -G failed: {}", _), HasSubstr("line 3")));
}

TEST_F(OpenSsh, AndTheReaderOfOurOwnAgree) {
    const std::string text =
        "Host a*\n  HostName 10.0.0.1\n  IdentityFile \"~/.ssh/my key\"\n  IdentityFile ~/.ssh/other\n  ProxyJump "
        "b,me@c:7\n"
        "  UserKnownHostsFile ~/x \"~/y z\"\n  HashKnownHosts yes\n  ConnectTimeout 5\n  Ciphers aes256-ctr\n"
        "  PasswordAuthentication no\n  HostKeyAlias alias\n  AddressFamily inet6\n  IdentitiesOnly yes\n"
        "Host d\n  ProxyCommand nc %h %p\n  IdentityAgent none\n  Port 2222\n  GlobalKnownHostsFile none\n"
        "  RevokedHostKeys ~/revoked_%h\n  KnownHostsCommand /usr/bin/keys %H \"a b\"\n  RequiredRSASize 3000\n"
        "Match user root host d\n  BindAddress 127.0.0.1\n";
    const SshConfig asking = config(text), reading = SshConfig::from_text(text);
    for (const char* name : {"a1", "me@a2:99", "d", "root@d", "nowhere"}) {
        const HostSettings one = asking.resolve(name), two = reading.resolve(name);
        EXPECT_EQ(one.target(), two.target()) << name;
        EXPECT_EQ(one.identity_files, two.identity_files) << name;
        EXPECT_EQ(one.identity_files_given, two.identity_files_given) << name;
        EXPECT_EQ(one.identities_only, two.identities_only) << name;
        EXPECT_EQ(one.identity_agent, two.identity_agent) << name;
        EXPECT_EQ(one.jumps, two.jumps) << name;
        EXPECT_EQ(one.proxy_command, two.proxy_command) << name;
        EXPECT_EQ(one.user_known_hosts, two.user_known_hosts) << name;
        EXPECT_EQ(one.global_known_hosts, two.global_known_hosts) << name;
        EXPECT_EQ(one.revoked_host_keys, two.revoked_host_keys) << name;
        EXPECT_EQ(one.known_hosts_command, two.known_hosts_command) << name;
        EXPECT_EQ(one.required_rsa_size, two.required_rsa_size) << name;
        EXPECT_EQ(one.host_key_alias, two.host_key_alias) << name;
        EXPECT_EQ(one.hash_known_hosts, two.hash_known_hosts) << name;
        EXPECT_EQ(one.password_authentication, two.password_authentication) << name;
        EXPECT_EQ(one.address_family, two.address_family) << name;
        EXPECT_EQ(one.bind_address, two.bind_address) << name;
        EXPECT_EQ(one.connect_timeout, two.connect_timeout) << name;
        EXPECT_EQ(one.ciphers, two.ciphers) << name;
    }
}

TEST(SshConfig, JumpsAndProxyCommands) {
    SshConfig config = SshConfig::from_text(R"(
Host a
    ProxyJump bastion,me@second:2222
    ProxyCommand never %h
Host b
    ProxyCommand exec /usr/bin/nc -X 5 %h %p --name "%r n"
Host c
    ProxyCommand ssh gate "nc %h %p" | cat
Host d
    ProxyJump none
Host *
    ProxyJump always
)");
    EXPECT_THAT(config.resolve("a").jumps, ElementsAre(Jump{"bastion", "", 0}, Jump{"second", "me", 2222}));
    EXPECT_TRUE(config.resolve("a").proxy_command.empty());
    EXPECT_THAT(config.resolve("x@b:7").proxy_command,
                ElementsAre("/usr/bin/nc", "-X", "5", "b", "7", "--name", "x n"));
    EXPECT_TRUE(config.resolve("d").jumps.empty());
    EXPECT_THAT(config.resolve("e").jumps, ElementsAre(Jump{"always", "", 0}));
    try {
        config.resolve("c");
        FAIL();
    } catch (const ConnectionError& error) {
        EXPECT_EQ(error.cause(), Cause::bad_settings);
        EXPECT_THAT(error.what(), says("this ProxyCommand needs a shell, which is never started with names of hosts in "
                                       "it: use ProxyJump, or put the command into a script of its own")
                                      .after("ssh_config:8: "));
    }
}

TEST(SshConfig, IncludesBelongToTheBlockThatIncludesThem) {
    test::TemporaryFolder folder;
    std::ofstream(folder.path() / "main")
        << "Host inner\n  Include " << (folder.path() / "part-*").string() << "\nHost *\n  Port 5\n";
    std::ofstream(folder.path() / "part-1") << "Port 6\nHost inner\n  User one\nHost other\n  User two\n";
    std::ofstream(folder.path() / "part-2") << "Host *\n  HostName two.example\n";
    SshConfig config(folder.path() / "main", folder.path() / "none");
    EXPECT_EQ(config.resolve("inner").port, 6);
    EXPECT_EQ(config.resolve("inner").user, "one");
    EXPECT_EQ(config.resolve("inner").host_name, "two.example");
    EXPECT_EQ(config.resolve("other").port, 5);
    EXPECT_EQ(config.resolve("other").user, local_user());
    EXPECT_EQ(config.resolve("other").host_name, "other");
    EXPECT_THAT(config.aliases(), ElementsAre("inner", "other"));

    std::ofstream(folder.path() / "loop") << "Include " << (folder.path() / "loop").string() << "\n";
    try {
        SshConfig loop(folder.path() / "loop", folder.path() / "none");
        FAIL();
    } catch (const InvalidInput& error) {
        EXPECT_THAT(error.what(), says("files are included more than 16 deep: does one include itself?"));
    }
}

TEST(SshConfig, AllThatIsWrongIsSaidAtOnce) {
    try {
        SshConfig::from_text("Port\nHost \"open\nUser 'x\n");
        FAIL();
    } catch (const InvalidInput& error) {
        ASSERT_EQ(error.problems().size(), 3u);
        EXPECT_EQ(error.problems()[0].line, 1);
        EXPECT_THAT(error.problems()[1].message, says("a quote is never closed"));
    }
    SshConfig config =
        SshConfig::from_text("Host a\n  Port 70000\nHost b\n  HostName %x\nHost c\n  ConnectTimeout soon\n");
    EXPECT_THROW(config.resolve("a"), ConnectionError);
    EXPECT_THROW(config.resolve("b"), ConnectionError);
    EXPECT_THROW(config.resolve("c"), ConnectionError);
    EXPECT_NO_THROW(config.resolve("d"));
}

TEST(SshConfig, WhatWouldWeakenTheCheckOfKeysIsNotFollowed) {
    HostSettings host =
        SshConfig::from_text("StrictHostKeyChecking no\nForwardAgent yes\nUserKnownHostsFile /dev/null /x\n")
            .resolve("a");
    ASSERT_EQ(host.notes.size(), 2u);
    EXPECT_THAT(host.notes[0], says("unknown host keys always need confirmation, changed ones are never accepted"));
    EXPECT_THAT(host.notes[1], says("the agent is never forwarded"));
    EXPECT_THAT(host.user_known_hosts, ElementsAre("/dev/null", "/x"));
}

TEST(SshConfig, AgentsByPathVariableAndNone) {
    ::setenv("TRAINYARD_TEST_AGENT", "/run/agent", 1);
    auto agent = [](const std::string& value) {
        return SshConfig::from_text("IdentityAgent " + value).resolve("a").identity_agent;
    };
    EXPECT_EQ(agent("none"), "none");
    EXPECT_EQ(agent("SSH_AUTH_SOCK"), "");
    EXPECT_EQ(agent("$TRAINYARD_TEST_AGENT"), "/run/agent");
    EXPECT_EQ(agent("${TRAINYARD_TEST_AGENT}.1"), "/run/agent.1");
    EXPECT_EQ(agent("~/agent"), files::home_folder().string() + "/agent");
    ::unsetenv("TRAINYARD_TEST_AGENT");
}

TEST(SshConfig, HostileTextNeverCrashes) {
    std::string text = "Host a\nMatch host\nInclude\n=\nHost=\nMatch =\n\"\n\\\nProxyJump ,,\nIdentityFile %\n";
    EXPECT_THROW(SshConfig::from_text(text), InvalidInput);
    SshConfig config = SshConfig::from_text("ProxyJump a,,b\n");
    EXPECT_THROW(config.resolve("x"), ConnectionError);
    std::string many;
    for (int i = 0; i < 20000; ++i)
        many += "Host h" + std::to_string(i) + "\n  Port " + std::to_string(i % 60000 + 1) + "\n";
    EXPECT_EQ(SshConfig::from_text(many).resolve("h19999").port, 20000);
}

}  // namespace

}  // namespace trainyard::remote
