// SPDX-License-Identifier: GPL-3.0-or-later
// Keys and known_hosts files against what OpenSSH's own programs say and write.

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "remote/host_key.h"
#include "remote/known_hosts.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::remote {

namespace {

using test::says;
using testing::_;
using ::testing::ElementsAre;
using testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

std::string output_of(const std::string& command) {
    FILE* pipe = ::popen(command.c_str(), "r");
    std::string text;
    std::array<char, 4096> buffer;
    while (std::size_t size = std::fread(buffer.data(), 1, buffer.size(), pipe))
        text.append(buffer.data(), size);
    EXPECT_EQ(::pclose(pipe), 0) << command;
    return text;
}

std::string text_of(const std::filesystem::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
}

class HostKeys : public ::testing::Test {
  protected:
    HostKey make_key(const std::string& words, const std::string& name) {
        std::string file = (folder_.path() / name).string();
        output_of("ssh-keygen -q -N '' -C '' " + words + " -f " + file);
        std::ifstream in(file + ".pub");
        HostKey key;
        in >> key.type >> key.blob;
        return key;
    }
    std::filesystem::path write(const std::string& name, const std::string& text) {
        std::ofstream(folder_.path() / name) << text;
        return folder_.path() / name;
    }
    test::TemporaryFolder folder_;
};

TEST_F(HostKeys, FingerprintAndPictureAreThoseOfSshKeygen) {
    for (const char* words :
         {"-t ed25519", "-t ecdsa -b 256", "-t ecdsa -b 384", "-t ecdsa -b 521", "-t rsa -b 2048"}) {
        std::string name = "key" + std::to_string(std::hash<std::string>()(words));
        HostKey key = make_key(words, name);
        std::string shown = output_of("ssh-keygen -lv -E sha256 -f " + (folder_.path() / (name + ".pub")).string());
        std::size_t line = shown.find('\n');
        EXPECT_THAT(shown.substr(0, line), HasSubstr(key.fingerprint())) << words;
        EXPECT_THAT(shown.substr(0, line), HasSubstr("(" + key.short_type() + ")"));
        EXPECT_EQ(key.randomart() + "\n", shown.substr(line + 1)) << words;
    }
}

TEST_F(HostKeys, Base64BothWays) {
    for (std::string text :
         {std::string(), std::string("a"), std::string("ab"), std::string("abc"), std::string("\0\xff", 2)})
        EXPECT_EQ(base64_decode(base64_encode(text)), text);
    EXPECT_EQ(base64_decode("abc"), "");
    EXPECT_EQ(base64_decode("a*c="), "");
}

TEST_F(HostKeys, KnownHostsOfEveryKind) {
    HostKey key = make_key("-t ed25519", "a"), other = make_key("-t ed25519", "b"),
            rsa = make_key("-t rsa -b 2048", "c");
    auto line = [](const std::string& names, const HostKey& of) {
        return names + " " + of.type + " " + of.blob + " comment\n";
    };
    KnownHosts known(
        {write("one", "# comment\n\n" + line("plain,10.0.0.1", key) + line("[port]:2222", key) +
                          line("*.example,!bad.example", key) + line("@revoked revoked", key) + line("revoked", key) +
                          line("@cert-authority *.signed", key) + line("changed", other) + line("rsa-only", rsa) +
                          "broken line\nproto1 1024 65537 12345\n" + line("@future x", key)),
         write("two", line("changed", key) + line("Upper.Case", key) + line("gpu-??,*abd", key)),
         folder_.path() / "missing"});
    auto key_state = [&](const std::string& name) { return known.look_up(name, key).state; };
    EXPECT_EQ(key_state("plain"), KeyState::known);
    EXPECT_EQ(key_state("PLAIN"), KeyState::known);
    EXPECT_EQ(key_state("upper.case"), KeyState::known);
    EXPECT_EQ(key_state("10.0.0.1"), KeyState::known);
    EXPECT_EQ(key_state("10.0.0.2"), KeyState::unknown);
    EXPECT_EQ(key_state("port"), KeyState::unknown);
    EXPECT_EQ(key_state("[port]:2222"), KeyState::known);
    EXPECT_EQ(key_state("a.example"), KeyState::known);
    EXPECT_EQ(key_state("bad.example"), KeyState::unknown);
    EXPECT_EQ(key_state("gpu-17"), KeyState::known);
    EXPECT_EQ(key_state("gpu-7"), KeyState::unknown);
    EXPECT_EQ(key_state("abcabd"), KeyState::known);
    EXPECT_EQ(key_state("revoked"), KeyState::revoked);
    EXPECT_EQ(key_state("x"), KeyState::unknown);
    EXPECT_EQ(key_state("proto1"), KeyState::unknown);
    EXPECT_TRUE(known.look_up("h.signed", key).authority);
    EXPECT_EQ(key_state("h.signed"), KeyState::unknown);
    // A second line with the right key is enough (a host may have several).
    EXPECT_EQ(key_state("changed"), KeyState::known);
    KnownHostsAnswer answer = known.look_up("plain", other);
    EXPECT_EQ(answer.state, KeyState::changed);
    ASSERT_EQ(answer.lines.size(), 1u);
    EXPECT_EQ(answer.lines[0].place(), (folder_.path() / "one").string() + ":3");
    EXPECT_EQ(answer.lines[0].key.fingerprint(), key.fingerprint());
    answer = known.look_up("rsa-only", key);
    EXPECT_EQ(answer.state, KeyState::unknown);
    ASSERT_EQ(answer.lines.size(), 1u);
    EXPECT_THAT(known.key_types("rsa-only"), ElementsAre("ssh-rsa"));
    EXPECT_EQ(known.lines_about("revoked").size(), 2u);
}

TEST_F(HostKeys, RevokedKeysInTextAndInListsOfSshKeygen) {
    const HostKey key = make_key("-t ed25519", "a"), other = make_key("-t ed25519", "b"),
                  rsa = make_key("-t rsa -b 2048", "c");
    auto line = [](const HostKey& of) { return of.type + " " + of.blob + " comment\n"; };
    const std::filesystem::path text = write("text", "# revoked\n\n" + line(rsa) + line(key)),
                                list = folder_.path() / "list";
    EXPECT_EQ(look_up_revoked({text}, key).line->place(), text.string() + ":4");
    EXPECT_EQ(look_up_revoked({text}, rsa).line->line, 3);
    EXPECT_FALSE(look_up_revoked({text}, other).line);
    EXPECT_EQ(look_up_revoked({text}, other).problem, "");
    output_of("ssh-keygen -q -k -f " + list.string() + " " + (folder_.path() / "b.pub").string());
    EXPECT_EQ(look_up_revoked({text, list}, other).line->place(), list.string());
    EXPECT_FALSE(look_up_revoked({list}, key).line);
    EXPECT_EQ(look_up_revoked({list}, key).problem, "");
    // The answers of OpenSSH to files that it cannot use: no key is accepted.
    EXPECT_THAT(look_up_revoked({folder_.path() / "missing"}, key).problem, HasSubstr("missing"));
    EXPECT_FALSE(look_up_revoked({folder_.path()}, key).problem.empty());
    EXPECT_THAT(look_up_revoked({write("odd", line(rsa) + "no key\n")}, key).problem,
                says("{}:{} is not a public key", EndsWith("odd"), 2));
    EXPECT_THAT(look_up_revoked({write("cut", text_of(list).substr(0, 30))}, key).problem,
                says("{} is a key revocation list that ssh-keygen did not read: {}", _, _));
    EXPECT_FALSE(look_up_revoked({}, key).line);
}

TEST_F(HostKeys, HashedNamesOfSshKeygenAreRead) {
    HostKey key = make_key("-t ed25519", "a");
    std::filesystem::path file =
        write("known", "host.example " + key.type + " " + key.blob + "\n[h]:99 " + key.type + " " + key.blob + "\n");
    output_of("ssh-keygen -q -H -f " + file.string() + " 2>&1");
    EXPECT_THAT(text_of(file), Not(HasSubstr("example")));
    KnownHosts known({file});
    EXPECT_EQ(known.look_up("host.example", key).state, KeyState::known);
    EXPECT_EQ(known.look_up("[h]:99", key).state, KeyState::known);
    EXPECT_EQ(known.look_up("other.example", key).state, KeyState::unknown);
}

TEST_F(HostKeys, TrustWritesLinesThatSshKeygenFinds) {
    HostKey key = make_key("-t ed25519", "a"), other = make_key("-t ed25519", "b");
    std::filesystem::path file = folder_.path() / "new" / "known_hosts";
    HostKeyReport report{"host.example", "10.0.0.1", key, {}, file, false};
    trust(report);
    EXPECT_EQ(std::filesystem::status(file).permissions(), std::filesystem::perms(0600));
    EXPECT_EQ(std::filesystem::status(file.parent_path()).permissions(), std::filesystem::perms(0700));
    EXPECT_THAT(output_of("ssh-keygen -F host.example -f " + file.string()), HasSubstr(key.blob));
    std::string before = text_of(file);
    trust(report);  // once is enough
    EXPECT_EQ(text_of(file), before);
    // A last line without an end stays a line of its own.
    std::ofstream(file, std::ios::app) << "# no end";
    report.host = "[secret.example]:2222";
    report.hash_names = true;
    trust(report);
    EXPECT_THAT(text_of(file), Not(HasSubstr("secret")));
    EXPECT_THAT(text_of(file), HasSubstr("# no end\n|1|"));
    EXPECT_THAT(output_of("ssh-keygen -F '[secret.example]:2222' -f " + file.string()), HasSubstr(key.blob));
    // Never over a key that is there.
    report.offered = other;
    before = text_of(file);
    EXPECT_THROW(trust(report), UserError);
    EXPECT_EQ(text_of(file), before);
}

}  // namespace

}  // namespace trainyard::remote
