// SPDX-License-Identifier: GPL-3.0-or-later
// Settings of hosts as ssh of this machine resolves them, and as libssh does where no ssh is installed.
#include "remote/ssh_config.h"

#include <cstdlib>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/files/user_folders.h"
#include "remote/failure.h"
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
using ::testing::UnorderedElementsAre;

class SshConfigs : public ::testing::Test {
  protected:
    SshConfig config(const std::string& text) {
        std::ofstream(file()) << text;
        return SshConfig(file(), "/nonexistent");
    }
    HostSettings resolve(const std::string& text, const std::string& name) { return config(text).resolve(name); }
    std::filesystem::path file() const { return folder_.path() / "config"; }
    std::string home() const { return files::home_folder().string(); }
    test::TemporaryFolder folder_;
};

TEST_F(SshConfigs, FirstValueWinsAndIdentityFilesGather) {
    const SshConfig read = config(R"(
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
    HostSettings host = read.resolve("gpu-b");
    EXPECT_EQ(host.alias, "gpu-b");
    EXPECT_EQ(host.host_name, "gpu-b.cluster.example");
    EXPECT_EQ(host.port, 2222);
    EXPECT_EQ(host.user, "everybody");
    EXPECT_THAT(host.identity_files,
                ElementsAre(home() + "/keys/a key", home() + "/.ssh/id_gpu-b.cluster.example_everybody"));
    EXPECT_TRUE(host.identities_only);
    EXPECT_TRUE(host.identity_files_given);
    EXPECT_EQ(host.connect_timeout, 3.0);
    EXPECT_EQ(host.known_name(), "[gpu-b.cluster.example]:2222");
    EXPECT_THAT(read.aliases(), ElementsAre("gpu-a", "gpu-b"));
    EXPECT_EQ(read.place_of("gpu-b"), file().string() + ":3");
    EXPECT_EQ(read.place_of("gpu-c"), "");
}

TEST_F(SshConfigs, UserAndPortOfTheNameComeFirst) {
    const SshConfig read = config("Host a\n  User config\n  Port 7\n  HostName 10.0.0.1\n");
    EXPECT_EQ(read.resolve("me@a:99").target(), "me@10.0.0.1:99");
    EXPECT_EQ(read.resolve("ssh://you@a").target(), "you@10.0.0.1:7");
    EXPECT_EQ(read.resolve("[::1]:2200").host_name, "::1");
    EXPECT_EQ(read.resolve("[::1]:2200").port, 2200);
    EXPECT_EQ(read.resolve("fe80::1").host_name, "fe80::1");
    EXPECT_EQ(read.resolve("fe80::1").known_name(), "fe80::1");
    for (const char* bad :
         {"", "@a", "a:", "a:0", "a:65536", "a:x", "-oProxyCommand=x", "a b", "-x@a", "[::1", "a/b", "a'b"})
        EXPECT_THROW(read.resolve(bad), ConnectionError) << bad;
}

TEST_F(SshConfigs, NamesThatAShellWouldInterpretAreRefusedWhereverTheyComeFrom) {
    const SshConfig empty = SshConfig::empty();
    for (const char* bad : {"$(id)", "a;id", "a|b", "a&b", "`id`", "a\\b", "a>b", "{a}", "me;id@a", "a\nb", "a\x1b[2J",
                            "me -l@a", "me\\@a", "[fe80::1%$(id)]"})
        EXPECT_THROW(empty.resolve(bad), ConnectionError) << bad;
    EXPECT_EQ(empty.resolve("DOMAIN\\me@a").user, "DOMAIN\\me");
    for (const char* bad : {"a,$(id)", "me;id@a", "-oProxyCommand=id", "-l@a", "a,-b"})
        EXPECT_THROW(parse_jumps(bad), ConnectionError) << bad;
    for (const char* bad : {"HostName $(id)", "HostName -x", "HostName %h;id", "User a;id", "User -l", "User `id`",
                            "HostKeyAlias a;b", "ProxyJump a;id"}) {
        SCOPED_TRACE(bad);
        try {
            resolve(bad, "a");
            ADD_FAILURE();
        } catch (const ConnectionError& error) {
            EXPECT_EQ(error.cause(), Cause::bad_settings);
            EXPECT_EQ(error.host(), "a");
        }
    }
}

TEST_F(SshConfigs, RevokedKeysAndCommandsThatKnowHosts) {
    const HostSettings host = resolve(
        "Host a\n  HostName 100%%.example\n  Port 99\n"
        "  RevokedHostKeys \"~/of %h\"\n"
        "  KnownHostsCommand /usr/bin/keys %H %h \"of %r\" %% %I %t\n"
        "  RequiredRSASize 3072\n  User me\n",
        "a");
    EXPECT_THAT(host.known_hosts_command,
                ElementsAre("/usr/bin/keys", "%H", "100%%.example", "of me", "%%", "%I", "%t"));
    EXPECT_EQ(host.required_rsa_size, 3072);
    // Names with blanks are printed without quotes: the ones that exist decide.
    EXPECT_THAT(host.revoked_host_keys, ElementsAre(home() + "/of", "100%.example"));
    const std::string spaced = (folder_.path() / "of all hosts").string();
    std::ofstream(spaced) << "";
    EXPECT_THAT(resolve("RevokedHostKeys \"" + spaced + "\"\n", "a").revoked_host_keys, ElementsAre(spaced));
    EXPECT_THAT(resolve("UserKnownHostsFile ~/x \"" + spaced + "\" ~/z\n", "a").user_known_hosts,
                ElementsAre(home() + "/x", spaced, home() + "/z"));
    const HostSettings none = resolve("RevokedHostKeys none\nKnownHostsCommand none\n", "a");
    EXPECT_THAT(none.revoked_host_keys, IsEmpty());
    EXPECT_THAT(none.known_hosts_command, IsEmpty());
    for (const char* bad :
         {"KnownHostsCommand keys", "KnownHostsCommand /x %C", "RevokedHostKeys /x/%y", "RequiredRSASize large"})
        EXPECT_THROW(resolve(bad, "a"), ConnectionError) << bad;
}

TEST_F(SshConfigs, PatternsAndConditionsOfBlocks) {
    const SshConfig patterns = config("Host !login gpu* login\n  User trainer\nHost *\n  User other\n");
    EXPECT_EQ(patterns.resolve("gpu1").user, "trainer");
    EXPECT_EQ(patterns.resolve("login").user, "other");
    const std::string text =
        "Host short\n  HostName %h.example\nMatch exec \"false\"\n  Port 1\nMatch exec \"test %n = short\"\n  Port 3\n"
        "Match final host *.example\n  User last\n";
    const HostSettings host = resolve(text, "short");
    EXPECT_EQ(host.target(), "last@short.example:3");
    EXPECT_THAT(host.notes, IsEmpty());
    EXPECT_FALSE(host.identity_files_given) << "the default identity files of ssh do not count as given by the user";
    EXPECT_EQ(resolve(text, "me@other:4").target(), "me@other:4");
}

TEST_F(SshConfigs, AllSettingsOfAHost) {
    const std::string text =
        "Host a*\n  HostName 10.0.0.1\n  ProxyJump b,me@c:7\n  HashKnownHosts yes\n  Ciphers aes256-ctr\n"
        "  PasswordAuthentication no\n  KbdInteractiveAuthentication no\n  PubkeyAuthentication no\n"
        "  GSSAPIAuthentication yes\n  HostKeyAlias alias\n  AddressFamily inet6\n  CertificateFile \"~/my cert.pub\"\n"
        "Host d\n  ProxyCommand nc %h %p\n  IdentityAgent none\n  Port 2222\n  GlobalKnownHostsFile none\n"
        "  IdentityFile none\n  MACs hmac-sha2-256\n  KexAlgorithms curve25519-sha256\n"
        "  HostKeyAlgorithms ssh-ed25519\n  PubkeyAcceptedAlgorithms ssh-ed25519\n"
        "Match user root host d\n  BindAddress 127.0.0.1\n";
    const HostSettings a = resolve(text, "me@a2:99");
    EXPECT_EQ(a.target(), "me@10.0.0.1:99");
    EXPECT_EQ(a.known_name(), "alias");
    EXPECT_THAT(a.jumps, ElementsAre(Jump{"b", "", 0}, Jump{"c", "me", 7}));
    EXPECT_TRUE(a.hash_known_hosts);
    EXPECT_TRUE(a.gssapi_authentication);
    EXPECT_FALSE(a.password_authentication);
    EXPECT_FALSE(a.kbd_interactive_authentication);
    EXPECT_FALSE(a.pubkey_authentication);
    EXPECT_EQ(a.ciphers, "aes256-ctr");
    EXPECT_EQ(a.address_family, "inet6");
    EXPECT_THAT(a.certificate_files, ElementsAre(home() + "/my cert.pub"));
    const HostSettings d = resolve(text, "root@d");
    EXPECT_THAT(d.proxy_command, ElementsAre("nc", "d", "2222"));
    EXPECT_EQ(d.identity_agent, "none");
    EXPECT_THAT(d.global_known_hosts, IsEmpty());
    EXPECT_THAT(d.identity_files, IsEmpty());
    EXPECT_EQ(d.bind_address, "127.0.0.1");
    EXPECT_EQ(d.macs, "hmac-sha2-256");
    EXPECT_EQ(d.kex_algorithms, "curve25519-sha256");
    EXPECT_EQ(d.host_key_algorithms, "ssh-ed25519");
    EXPECT_EQ(d.pubkey_algorithms, "ssh-ed25519");
    const HostSettings other = resolve(text, "nowhere");
    EXPECT_EQ(other.host_name, "nowhere");
    EXPECT_EQ(other.port, 22);
    EXPECT_TRUE(other.pubkey_authentication);
    EXPECT_FALSE(other.gssapi_authentication);
    EXPECT_THAT(other.user_known_hosts, ElementsAre(home() + "/.ssh/known_hosts", home() + "/.ssh/known_hosts2"));
    EXPECT_EQ(other.ciphers, "");
}

TEST_F(SshConfigs, NoNameReachesTheShellOfMatchExec) {
    const std::filesystem::path made = folder_.path() / "made";
    const SshConfig hostile = config("Match exec \"true %n\"\n  Port 3\n");
    EXPECT_THROW(hostile.resolve("$(touch${IFS}" + made.string() + ")"), ConnectionError);
    EXPECT_THROW(hostile.resolve("`touch\t" + made.string() + "`"), ConnectionError);
    EXPECT_THROW(hostile.resolve("x;touch\t" + made.string() + ";y@a"), ConnectionError);
    EXPECT_FALSE(std::filesystem::exists(made));
}

TEST_F(SshConfigs, AFileThatSshRefusesIsRefused) {
    try {
        resolve("Host a\n  Port 5\n  NoSuchKeyword yes\n", "a");
        FAIL();
    } catch (const ConnectionError& error) {
        EXPECT_EQ(error.cause(), Cause::bad_settings);
        EXPECT_THAT(error.message(), AllOf(says("ssh -G failed: {}", _), HasSubstr("line 3")));
    }
    for (const char* bad : {"Port 70000\n", "HostName %x\n", "ConnectTimeout soon\n", "ProxyJump a,,b\n"})
        EXPECT_THROW(resolve(bad, "a"), ConnectionError) << bad;
}

TEST_F(SshConfigs, JumpsAndProxyCommands) {
    const SshConfig read = config(R"(
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
    EXPECT_THAT(read.resolve("a").jumps, ElementsAre(Jump{"bastion", "", 0}, Jump{"second", "me", 2222}));
    EXPECT_TRUE(read.resolve("a").proxy_command.empty());
    EXPECT_THAT(read.resolve("x@b:7").proxy_command, ElementsAre("/usr/bin/nc", "-X", "5", "b", "7", "--name", "x n"));
    EXPECT_TRUE(read.resolve("d").jumps.empty());
    EXPECT_THAT(read.resolve("e").jumps, ElementsAre(Jump{"always", "", 0}));
    try {
        read.resolve("c");
        FAIL();
    } catch (const ConnectionError& error) {
        EXPECT_EQ(error.cause(), Cause::bad_settings);
        EXPECT_THAT(error.what(), says("this ProxyCommand needs a shell, which is never started with names of hosts in "
                                       "it: use ProxyJump, or put the command into a script of its own")
                                      .after("c: "));
    }
}

TEST_F(SshConfigs, IncludesBelongToTheBlockThatIncludesThem) {
    std::ofstream(folder_.path() / "part-1") << "Port 6\nHost inner\n  User one\nHost other\n  User two\n";
    std::ofstream(folder_.path() / "part-2") << "Host *\n  HostName two.example\n";
    const SshConfig read =
        config("Host inner\n  Include " + (folder_.path() / "part-*").string() + "\nHost *\n  Port 5\n");
    EXPECT_EQ(read.resolve("inner").port, 6);
    EXPECT_EQ(read.resolve("inner").user, "one");
    EXPECT_EQ(read.resolve("inner").host_name, "two.example");
    EXPECT_EQ(read.resolve("other").port, 5);
    EXPECT_EQ(read.resolve("other").user, SshConfig::empty().resolve("other").user);
    EXPECT_EQ(read.resolve("other").host_name, "other");
    EXPECT_THAT(read.aliases(), ElementsAre("inner", "other"));
    EXPECT_EQ(read.place_of("other"), (folder_.path() / "part-1").string() + ":4");
    try {
        config("Include " + file().string() + "\n");
        FAIL();
    } catch (const InvalidInput& error) {
        EXPECT_THAT(error.what(), says("files are included more than 16 deep: does one include itself?"));
    }
}

TEST_F(SshConfigs, AllThatIsWrongWithNamesIsReportedAtOnce) {
    try {
        config("Include\nHost \"open\nHost=\nPort\n");
        FAIL();
    } catch (const InvalidInput& error) {
        ASSERT_EQ(error.problems().size(), 3u);
        EXPECT_EQ(error.problems()[0].line, 1);
        EXPECT_THAT(error.problems()[1].message, says("a quote is never closed"));
        EXPECT_THAT(error.problems()[2].message, says("a value is missing"));
    }
    EXPECT_THROW(config("Host a\nMatch host\nInclude\n=\nHost=\nMatch =\n\"\n\\\nProxyJump ,,\n"), InvalidInput);
    std::string many;
    for (int i = 0; i < 20000; ++i)
        many += "Host h" + std::to_string(i) + "\n  Port " + std::to_string(i % 60000 + 1) + "\n";
    const SshConfig read = config(many);
    EXPECT_EQ(read.aliases().size(), 20000u);
    EXPECT_EQ(read.resolve("h19999").port, 20000);
}

TEST_F(SshConfigs, WhatWouldWeakenTheCheckOfKeysIsNotFollowed) {
    const HostSettings host =
        resolve("StrictHostKeyChecking no\nForwardAgent yes\nUserKnownHostsFile /dev/null /x\n", "a");
    EXPECT_THAT(host.notes, UnorderedElementsAre(says("{}: '{} {}' is not followed: {}", _, "stricthostkeychecking", _,
                                                      "unknown host keys always need confirmation, changed ones are "
                                                      "never accepted"),
                                                 says("{}: '{} {}' is not followed: {}", _, "forwardagent", "yes",
                                                      "the agent is never forwarded")));
    EXPECT_THAT(host.user_known_hosts, ElementsAre("/dev/null", "/x"));
    EXPECT_THAT(resolve("StrictHostKeyChecking yes\n", "a").notes, IsEmpty());
}

TEST_F(SshConfigs, AgentsByPathVariableAndNone) {
    ::setenv("TRAINYARD_TEST_AGENT", "/run/agent", 1);
    auto agent = [this](const std::string& value) { return resolve("IdentityAgent " + value, "a").identity_agent; };
    EXPECT_EQ(agent("none"), "none");
    EXPECT_EQ(agent("SSH_AUTH_SOCK"), "");
    EXPECT_EQ(agent("$TRAINYARD_TEST_AGENT"), "/run/agent");
    EXPECT_EQ(agent("${TRAINYARD_TEST_AGENT}.1"), "/run/agent.1");
    EXPECT_EQ(agent("~/agent"), home() + "/agent");
    ::unsetenv("TRAINYARD_TEST_AGENT");
}

/// PATH has no ssh: libssh reads the files.
class WithoutOpenSsh : public SshConfigs {
  protected:
    WithoutOpenSsh() : path_(std::getenv("PATH")) { ::setenv("PATH", folder_.path().c_str(), 1); }
    ~WithoutOpenSsh() override { ::setenv("PATH", path_.c_str(), 1); }
    std::string path_;
};

TEST_F(WithoutOpenSsh, LibsshResolvesHosts) {
    const std::string text =
        "Host a*\n  HostName %h.example\n  User config\n  Port 7\n  IdentityFile ~/.ssh/%r_key\n  ProxyJump b,me@c:7\n"
        "  UserKnownHostsFile ~/known\n  Ciphers aes256-ctr\n"
        "Host d\n  ProxyCommand nc %h %p\n"
        "Match user root\n  Port 99\n";
    const HostSettings a = resolve(text, "a1");
    EXPECT_EQ(a.target(), "config@a1.example:7");
    EXPECT_THAT(a.identity_files, ElementsAre(home() + "/.ssh/config_key"));
    EXPECT_TRUE(a.identity_files_given);
    EXPECT_THAT(a.jumps, ElementsAre(Jump{"b", "", 0}, Jump{"c", "me", 7}));
    EXPECT_THAT(a.proxy_command, IsEmpty());
    EXPECT_THAT(a.user_known_hosts, ElementsAre(home() + "/known"));
    EXPECT_THAT(a.libssh_files, ElementsAre(file()));
    EXPECT_THAT(a.notes, IsEmpty());
    EXPECT_EQ(resolve(text, "me@a1:8").target(), "me@a1.example:8");
    EXPECT_EQ(resolve(text, "root@x").target(), "root@x:99");
    const HostSettings d = resolve(text, "d");
    EXPECT_THAT(d.proxy_command, ElementsAre("nc", "d", "22"));
    EXPECT_FALSE(d.identity_files_given);
    EXPECT_EQ(d.identity_files.size(), 5u);
}

TEST_F(WithoutOpenSsh, WhatLibsshDoesNotReadIsRefusedOrReported) {
    const std::filesystem::path made = folder_.path() / "made";
    const std::string condition = "Match exec \"/bin/mkdir " + made.string() + "\"";
    for (const std::string& key : {std::string("RevokedHostKeys /x"), std::string("KnownHostsCommand /x"), condition}) {
        SCOPED_TRACE(key);
        try {
            resolve("Host b\n  Port 3\n" + key + "\n", "a");
            ADD_FAILURE();
        } catch (const ConnectionError& error) {
            EXPECT_EQ(error.cause(), Cause::bad_settings);
            EXPECT_THAT(error.message(),
                        says("{}: '{}' needs the program ssh of OpenSSH: install it, or remove the line",
                             EndsWith("config:3"), _));
        }
    }
    EXPECT_FALSE(std::filesystem::exists(made)) << "the command of Match exec was run";
    EXPECT_THAT(resolve("HostKeyAlias x\nIdentityFile ~/a\nIdentityFile ~/b\n", "a").notes,
                ElementsAre(says("{}: '{}' is ignored without the program ssh of OpenSSH", EndsWith("config:1"),
                                 "hostkeyalias"),
                            says("{}: only one '{}' is used without the program ssh of OpenSSH", EndsWith("config:2"),
                                 "IdentityFile")));
}

TEST_F(WithoutOpenSsh, AllKnownHostsFilesOfALineAreUsed) {
    const std::string text =
        "Host a\n  UserKnownHostsFile ~/one ~/two\nHost b\n  UserKnownHostsFile ~/three\n"
        "Host *\n  GlobalKnownHostsFile /one /two\n";
    EXPECT_THAT(resolve(text, "a").user_known_hosts, ElementsAre(home() + "/one", home() + "/two"));
    EXPECT_THAT(resolve(text, "b").user_known_hosts, ElementsAre(home() + "/three"));
    EXPECT_THAT(resolve(text, "b").global_known_hosts, ElementsAre("/one", "/two"));
    // libssh does not report which of the two lines it has read.
    const std::string same_first = text + "Host c\n  UserKnownHostsFile ~/one\n";
    EXPECT_THROW(resolve(same_first, "a"), ConnectionError);
    EXPECT_THROW(resolve(same_first, "c"), ConnectionError);
    EXPECT_THAT(resolve(same_first, "b").user_known_hosts, ElementsAre(home() + "/three"));
}

}  // namespace

}  // namespace trainyard::remote
