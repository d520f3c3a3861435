// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of connection failures: each cause must be reported with its own message within a short time (fault 15).

#include <set>

#include <gmock/gmock.h>

#include "remote/connected.h"
#include "remote/known_hosts.h"
#include "remote/relay.h"
#include "support/says.h"

namespace trainyard::remote {

namespace {

using test::connect;
using test::Failure;
using test::failure_of;
using test::says;
using testing::_;
using ::testing::HasSubstr;
using testing::StartsWith;

constexpr double kSoon = 10;  // seconds, the promise

class Failures : public ::testing::Test {
  protected:
    static void SetUpTestSuite() { hosts_ = new test::TestHosts({.count = 3, .behind = 1, .shares = {}}); }
    static void TearDownTestSuite() { delete hosts_; }
    static test::TestHosts& hosts() { return *hosts_; }

    HostSettings settings(const std::string& name) {
        return SshConfig(hosts().ssh_config(), "/nonexistent").resolve(name);
    }
    Failure reach(const HostSettings& host, ConnectOptions options = {}) {
        Failure failure =
            failure_of([&] { Session::connect(host, SshConfig(hosts().ssh_config(), "/nonexistent"), options); });
        EXPECT_LT(failure.seconds, kSoon) << failure.sentence;
        EXPECT_FALSE(failure.transcript.empty());
        return failure;
    }
    std::string text_of(const std::filesystem::path& file) {
        std::ifstream in(file);
        return {std::istreambuf_iterator<char>(in), {}};
    }

  private:
    static inline test::TestHosts* hosts_ = nullptr;
};

TEST_F(Failures, ANameThatDoesNotExist) {
    HostSettings host = settings("host2");
    host.host_name = "nowhere.invalid";
    Failure failure = reach(host);
    EXPECT_EQ(failure.cause, Cause::name_not_found);
    EXPECT_THAT(failure.sentence, HasSubstr("'nowhere.invalid'"));
    // Names behind a jump host are resolved on the jump host.
    host.jumps = {{"bastion", "", 0}};
    failure = reach(host);
    EXPECT_TRUE(failure.cause == Cause::name_not_found || failure.cause == Cause::timed_out) << failure.sentence;
    EXPECT_THAT(failure.sentence, HasSubstr("as seen from the jump host bastion"));
}

TEST_F(Failures, NothingListens) {
    test::Listener listener;
    listener.close();
    HostSettings host = settings("host2");
    host.host_name = "127.0.0.1";
    host.port = listener.port();
    Failure failure = reach(host);
    EXPECT_EQ(failure.cause, Cause::refused);
    EXPECT_THAT(failure.sentence, HasSubstr("nothing listens on port " + std::to_string(listener.port())));
    host.jumps = {{"bastion", "", 0}};
    host.port = 1;
    failure = reach(host);
    EXPECT_EQ(failure.cause, Cause::refused);
    EXPECT_THAT(failure.sentence,
                says("{}: nothing listens on port {}, as seen from the jump host {}", _, 1, StartsWith("bastion")));
}

TEST_F(Failures, ServersThatSayNothingOrSomethingElse) {
    ConnectOptions quick;
    quick.timeout = 1;
    HostSettings host = settings("host2");
    host.host_name = "127.0.0.1";
    {
        test::Listener mute;
        host.port = mute.port();
        Failure failure = reach(host, quick);
        EXPECT_EQ(failure.cause, Cause::timed_out);
        EXPECT_THAT(failure.sentence, says("{}: no answer from its SSH server within {}: the connection was accepted, "
                                           "but the SSH handshake did not finish in time",
                                           _, _));
    }
    for (std::string words :
         {"", "HTTP/1.0 400 Bad Request\r\n\r\n", "SSH-2.0-x\r\nnonsense nonsense nonsense nonsense"}) {
        test::Listener odd;
        host.port = odd.port();
        std::thread server([&] {
            int client = ::accept(odd.fd(), nullptr, nullptr);
            ::send(client, words.data(), words.size(), MSG_NOSIGNAL);
            ::shutdown(client, SHUT_WR);
            char buffer[1024];
            while (::recv(client, buffer, sizeof buffer, 0) > 0) {
            }
            ::close(client);
        });
        Failure failure = reach(host, quick);
        server.join();
        EXPECT_TRUE(failure.cause == Cause::not_ssh || failure.cause == Cause::connection_lost)
            << words << failure.sentence;
    }
}

TEST_F(Failures, HostsThatAreCutOffNameTheHopThatIsSilent) {
    ConnectOptions quick;
    quick.timeout = 1.5;
    std::set<std::string> sentences;
    hosts().cut("host2");
    Failure failure = reach(settings("host2"), quick);
    hosts().mend("host2");
    EXPECT_EQ(failure.cause, Cause::timed_out);
    EXPECT_EQ(failure.host, "host2");
    sentences.insert(failure.sentence);
    hosts().cut("bastion");
    failure = reach(settings("host3"), quick);
    hosts().mend("bastion");
    EXPECT_EQ(failure.cause, Cause::timed_out);
    EXPECT_EQ(failure.host, "bastion");
    sentences.insert(failure.sentence);
    hosts().cut("host3");
    failure = reach(settings("host3"), quick);
    hosts().mend("host3");
    EXPECT_EQ(failure.cause, Cause::timed_out);
    EXPECT_EQ(failure.host, "host3");
    sentences.insert(failure.sentence);
    EXPECT_EQ(sentences.size(), 3u);
    EXPECT_TRUE(connect(hosts(), "host3").alive());
}

TEST_F(Failures, ADeadBastionAndOneThatDoesNotForward) {
    hosts().stop_sshd("bastion");
    Failure failure = reach(settings("host3"));
    EXPECT_EQ(failure.cause, Cause::refused);
    EXPECT_EQ(failure.host, "bastion");
    hosts().start_sshd("bastion");
    hosts().set("bastion", {"AllowTcpForwarding no"});
    failure = reach(settings("host3"));
    hosts().set("bastion", {});
    EXPECT_EQ(failure.cause, Cause::jump_refused);
    EXPECT_EQ(failure.host, "bastion");
    EXPECT_THAT(failure.sentence, says("{}: this jump host does not connect us to {}: its sshd_config has to allow TCP "
                                       "forwarding (AllowTcpForwarding, PermitOpen)",
                                       _, _));
}

TEST_F(Failures, RevokedHostKeysAreRefusedAlsoWhereKnownHostsHasThem) {
    test::TemporaryFolder folder;
    HostSettings host = settings("host2");
    host.revoked_host_keys = {folder.path() / "revoked"};
    Failure failure = reach(host);
    EXPECT_EQ(failure.cause, Cause::bad_settings);
    EXPECT_THAT(failure.sentence, HasSubstr((folder.path() / "revoked").string()));
    EXPECT_THAT(failure.sentence, says("{}: RevokedHostKeys of ssh_config cannot be used, so no host key is accepted: "
                                       "{}: repair or create the file, or remove the line from ssh_config",
                                       _, _));
    std::filesystem::copy(hosts().key().string() + ".pub", folder.path() / "revoked");
    SshConfig config(hosts().ssh_config(), "/nonexistent");
    EXPECT_TRUE(Session::connect(host, config, {}).alive());
    std::filesystem::copy(hosts().folder_of("host2") / "host_key.pub", folder.path() / "revoked",
                          std::filesystem::copy_options::overwrite_existing);
    failure = reach(host);
    EXPECT_EQ(failure.cause, Cause::host_key_revoked);
    EXPECT_THAT(failure.sentence,
                says("{}: its host key is revoked in {} ({}): the key must not be trusted, so no connection is made", _,
                     StartsWith((folder.path() / "revoked").string() + ":1"), _));
    ASSERT_TRUE(failure.report);
    EXPECT_EQ(failure.report->recorded.front().key, failure.report->offered);
    ConnectOptions stubborn;
    stubborn.accepted_once = {accepted_for_now(*failure.report)};
    EXPECT_EQ(reach(host, stubborn).cause, Cause::host_key_revoked);
}

TEST_F(Failures, AKnownHostsCommandIsRunAndOneThatFailsIsRefused) {
    test::TemporaryFolder folder;
    HostSettings host = settings("host2");
    const std::string line = [&] {
        std::ifstream key(hosts().folder_of("host2") / "host_key.pub");
        std::string type, blob;
        key >> type >> blob;
        return host.known_name() + " " + type + " " + blob;
    }();
    std::ofstream(folder.path() / "keys")
        << "#!/bin/sh\necho \"$@\" >>" << (folder.path() / "asked").string() << "\necho '" << line << "'\n";
    std::filesystem::permissions(folder.path() / "keys", std::filesystem::perms::owner_all);
    host.user_known_hosts = {folder.path() / "none"};
    EXPECT_EQ(reach(host).cause, Cause::host_key_unknown);
    host.known_hosts_command = {(folder.path() / "keys").string(), "%I", "%H", "%t", "100%%"};
    SshConfig config(hosts().ssh_config(), "/nonexistent");
    EXPECT_TRUE(Session::connect(host, config, {}).alive());
    EXPECT_EQ(text_of(folder.path() / "asked"),
              "ORDER " + host.known_name() + " NONE 100%\nHOSTNAME " + host.known_name() + " ssh-ed25519 100%\n");
    // A key that the command revokes is refused, although known_hosts has it.
    std::ofstream(folder.path() / "keys") << "#!/bin/sh\necho '@revoked " << line << "'\n";
    host.user_known_hosts = {hosts().known_hosts()};
    EXPECT_EQ(reach(host).cause, Cause::host_key_revoked);
    std::ofstream(folder.path() / "keys") << "#!/bin/sh\necho 'no database' >&2\nexit 3\n";
    Failure failure = reach(host);
    EXPECT_EQ(failure.cause, Cause::bad_settings);
    EXPECT_THAT(failure.sentence, HasSubstr("KnownHostsCommand"));
    EXPECT_THAT(failure.sentence, HasSubstr("no database"));
    host.known_hosts_command = {(folder.path() / "missing").string()};
    EXPECT_THAT(reach(host).sentence, says("cannot be started"));
}

TEST_F(Failures, AnUnknownKeyIsAskedAboutAndNothingIsWritten) {
    test::TemporaryFolder folder;
    HostSettings host = settings("host2");
    host.user_known_hosts = {folder.path() / "ssh" / "known_hosts"};
    Failure failure = reach(host);
    EXPECT_EQ(failure.cause, Cause::host_key_unknown);
    ASSERT_TRUE(failure.report);
    EXPECT_THAT(failure.sentence, HasSubstr(failure.report->offered.fingerprint()));
    std::string art = failure.report->offered.randomart();
    EXPECT_TRUE(art.starts_with("+--[ED25519 256]--+\n")) << art;
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "ssh"));
    // This time only.
    ConnectOptions once;
    once.accepted_once = {accepted_for_now(*failure.report)};
    EXPECT_TRUE(Session::connect(host, SshConfig(hosts().ssh_config(), "/nonexistent"), once).alive());
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "ssh"));
    // The user's consent is for one key of one host: it covers neither the same key of another host nor another key of
    // this host.
    once.accepted_once = {{"host1", failure.report->offered}};
    EXPECT_EQ(reach(host, once).cause, Cause::host_key_unknown);
    once.accepted_once = {{failure.report->host, {failure.report->offered.type, "AAAA"}}};
    EXPECT_EQ(reach(host, once).cause, Cause::host_key_unknown);
    // Trusts the key permanently.
    trust(*failure.report);
    EXPECT_TRUE(Session::connect(host, SshConfig(hosts().ssh_config(), "/nonexistent")).alive());
}

TEST_F(Failures, AChangedKeyIsAHardStopAndHearsNoByte) {
    test::TemporaryFolder folder;
    test::Relay relay(hosts().named("host2").address, hosts().named("host2").port);
    HostSettings host = settings("host2");
    host.host_name = "127.0.0.1";
    host.port = relay.port();
    std::filesystem::path known = folder.path() / "known_hosts";
    host.user_known_hosts = {known};
    // The line of another host's key, under this name.
    std::ifstream key_file(hosts().folder_of("bastion") / "host_key.pub");
    HostKey other;
    key_file >> other.type >> other.blob;
    std::ofstream(known) << "# mine\n" << known_hosts_line(host.known_name(), other, true) << "\n";
    std::string before = text_of(known);
    ConnectOptions options;
    std::ifstream true_key_file(hosts().folder_of("host2") / "host_key.pub");
    HostKey true_key;
    true_key_file >> true_key.type >> true_key.blob;
    // A key that is accepted "this time only" must not bypass the check.
    options.accepted_once = {{host.known_name(), true_key}};
    Failure failure = reach(host, options);
    EXPECT_EQ(failure.cause, Cause::host_key_changed);
    EXPECT_THAT(failure.sentence, HasSubstr(true_key.fingerprint()));
    EXPECT_THAT(failure.sentence, HasSubstr(other.fingerprint()));
    EXPECT_THAT(failure.sentence, HasSubstr(known.string() + ":2"));
    EXPECT_EQ(text_of(known), before);
    ASSERT_TRUE(failure.report);
    EXPECT_THROW(trust(*failure.report), UserError);
    test::Relay::Reading reading = relay.reading();
    EXPECT_TRUE(reading.has_new_keys);
    EXPECT_EQ(reading.packets, (std::vector<int>{20, 30, 21}));  // KEXINIT, the exchange, NEWKEYS
    EXPECT_EQ(reading.bytes_after, 0u);
}

TEST_F(Failures, TheRelaySeesWhatFollowsARightKey) {  // so that the test above can fail
    test::Relay relay(hosts().named("host2").address, hosts().named("host2").port);
    HostSettings host = settings("host2");
    host.host_key_alias =
        hosts().namespaces() ? host.host_name : "[" + host.host_name + "]:" + std::to_string(host.port);
    host.host_name = "127.0.0.1";
    host.port = relay.port();
    {
        Session session = Session::connect(host, SshConfig(hosts().ssh_config(), "/nonexistent"));
        EXPECT_TRUE(session.exec({{"/bin/true"}, {}, ""}).exit.ok());
    }
    test::Relay::Reading reading = relay.reading();
    EXPECT_TRUE(reading.has_new_keys);
    EXPECT_GT(reading.bytes_after, 100u);
}

TEST_F(Failures, ANewHostKeyOfTheHostIsSeen) {
    hosts().new_host_key("host2");
    Failure failure = reach(settings("host2"));
    EXPECT_EQ(failure.cause, Cause::host_key_changed);
    // As a user would do after asking the administrator: removes the old line, then trusts the new key.
    EXPECT_THAT(failure.sentence,
                says("{}: THE HOST KEY HAS CHANGED. The server now shows the {}, but {} has {}. The host may have been "
                     "reinstalled, or an attacker may be intercepting the connection. Ask the administrator of the "
                     "host; if the new key is right, remove the old line",
                     _, _, _, _));
    ASSERT_TRUE(failure.report);
    std::string lines, all = text_of(hosts().known_hosts());
    std::istringstream in(all);
    int number = 0;
    for (std::string line; std::getline(in, line);)
        if (++number != failure.report->recorded.front().line)
            lines += line + "\n";
    std::ofstream(hosts().known_hosts()) << lines;
    EXPECT_EQ(reach(settings("host2")).cause, Cause::host_key_unknown);
    trust(*failure.report);
    EXPECT_TRUE(connect(hosts(), "host2").alive());
}

TEST_F(Failures, RevokedKeysAuthoritiesAndOtherTypes) {
    test::TemporaryFolder folder;
    HostSettings host = settings("host2");
    HostKey key;
    std::ifstream(hosts().folder_of("host2") / "host_key.pub") >> key.type >> key.blob;
    auto with = [&](const std::string& text) {
        host.user_known_hosts = {folder.path() / "known"};
        std::ofstream(host.user_known_hosts.front()) << text;
        return reach(host);
    };
    std::string line = known_hosts_line(host.known_name(), key, false) + "\n";
    Failure failure = with(line + "@revoked * " + key.type + " " + key.blob + "\n");
    EXPECT_EQ(failure.cause, Cause::host_key_revoked);
    EXPECT_THAT(failure.sentence, HasSubstr("known:2"));
    failure = with("@cert-authority * " + key.type + " " + key.blob + "\n");
    EXPECT_EQ(failure.cause, Cause::host_key_unknown);
    EXPECT_THAT(failure.sentence,
                says("A certificate authority is named for it, but host certificates are not supported."));
    failure = with(host.known_name() + " ssh-rsa " + base64_encode(std::string("\0\0\0\7ssh-rsa", 11)) + "\n");
    EXPECT_EQ(failure.cause, Cause::host_key_unknown);
    EXPECT_THAT(failure.sentence, HasSubstr("A KEY OF ANOTHER TYPE"));
}

TEST_F(Failures, NothingIsLeftAnywhere) {
    ConnectOptions quick;
    quick.timeout = 1;
    auto of_hosts = [&] {
        return hosts().run("host2", {"sh", "-c", "cat /proc/[0-9]*/comm 2>/dev/null | grep -c '^sshd$' || true"});
    };
    reach(settings("nobody@host2"), quick);
    std::size_t descriptors = test::open_descriptors();
    EXPECT_TRUE(test::soon([&] { return test::threads() <= 3; }));
    HostSettings unknown = settings("host3");
    unknown.user_known_hosts = {"/nonexistent/known_hosts"};
    unknown.identity_files = {hosts().stranger_key()};
    for (int i = 0; i < 10; ++i) {
        reach(unknown, quick);
        reach(settings("nobody@host2"), quick);
    }
    EXPECT_EQ(test::open_descriptors(), descriptors);
    // Threads of name look-ups and jumps, and the server's processes for us, are gone a moment later.
    EXPECT_TRUE(test::soon([&] { return test::threads() <= 3; })) << test::threads();
    if (hosts().namespaces()) {
        EXPECT_TRUE(test::soon([&] { return of_hosts() == "1\n"; })) << of_hosts();
    }
}

}  // namespace

}  // namespace trainyard::remote
