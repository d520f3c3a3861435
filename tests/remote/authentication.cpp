// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of authentication on real SSH servers: key files, agents, passwords and keyboard-interactive dialogues.

#include <csignal>

#include <fcntl.h>
#include <gmock/gmock.h>

#include "remote/agent_keys.h"
#include "remote/connected.h"
#include "remote/mirror.h"
#include "run/mirror.h"
#include "support/says.h"

namespace trainyard::remote {

namespace {

using test::Failure;
using test::failure_of;
using test::says;
using testing::_;
using ::testing::AllOf;
using testing::EndsWith;
using ::testing::HasSubstr;
using testing::StartsWith;

/// A simulated user who answers from a list.
class Person : public Asker {
  public:
    explicit Person(std::vector<std::string> answers) : answers_(std::move(answers)) {}
    std::optional<SecretAnswer> ask(const SecretQuestion& question) override {
        questions.push_back(question);
        if (next_ >= answers_.size())
            return std::nullopt;
        return SecretAnswer{Secret(answers_[next_++]), false};
    }
    void say(const std::string&, const Message& line) override { said.push_back(line); }
    std::vector<SecretQuestion> questions;
    std::vector<std::string> said;

  private:
    std::vector<std::string> answers_;
    std::size_t next_ = 0;
};

/// An ssh-agent with keys generated for the test.
class Agent {
  public:
    explicit Agent(const std::filesystem::path& folder) : socket_(folder / "agent") {
        pid_ = ::fork();
        if (pid_ == 0) {
            ::dup2(::open("/dev/null", O_WRONLY | O_CLOEXEC), 1);
            ::execlp("ssh-agent", "ssh-agent", "-D", "-a", socket_.c_str(), nullptr);
            ::_exit(127);
        }
        test::soon([&] { return std::filesystem::exists(socket_); });
    }
    ~Agent() {
        ::kill(pid_, SIGTERM);
        ::waitpid(pid_, nullptr, 0);
    }
    Agent(const Agent&) = delete;
    Agent& operator=(const Agent&) = delete;
    const std::string& socket() const { return socket_; }
    void add(const std::filesystem::path& key) {
        std::string command = "SSH_AUTH_SOCK=" + socket_ + " ssh-add -q " + key.string() + " 2>/dev/null";
        ASSERT_EQ(std::system(command.c_str()), 0);
    }

  private:
    std::string socket_;
    pid_t pid_ = 0;
};

class Authentications : public ::testing::Test {
  protected:
    static void SetUpTestSuite() { hosts_ = new test::TestHosts({.count = 1, .shares = {}}); }
    static void TearDownTestSuite() { delete hosts_; }
    static test::TestHosts& hosts() { return *hosts_; }

    HostSettings settings() {
        HostSettings host = SshConfig(hosts().ssh_config(), "/nonexistent").resolve("host1");
        host.identity_files.clear();
        host.identities_only = false;
        return host;
    }
    Session log_in(const HostSettings& host, Asker* asker = nullptr) {
        ConnectOptions options;
        options.asker = asker;
        options.use_key_ring = false;
        return Session::connect(host, SshConfig(hosts().ssh_config(), "/nonexistent"), options);
    }
    Failure refused(const HostSettings& host, Asker* asker = nullptr) {
        Failure failure = failure_of([&] { log_in(host, asker); });
        EXPECT_LT(failure.seconds, 10);
        return failure;
    }
    std::filesystem::path make_key(const std::string& name, const std::string& passphrase,
                                   const std::string& type = "ed25519", bool let_in = true,
                                   const std::string& more = "") {
        std::filesystem::path file = folder_.path() / name;
        std::string command =
            "ssh-keygen -q -t " + type + " -C " + name + " -N '" + passphrase + "' " + more + " -f " + file.string();
        EXPECT_EQ(std::system(command.c_str()), 0);
        std::ifstream in(file.string() + ".pub");
        if (let_in)
            std::ofstream(hosts().folder_of("host1") / "authorized_keys", std::ios::app) << in.rdbuf();
        return file;
    }

    test::TemporaryFolder folder_;

  private:
    static inline test::TestHosts* hosts_ = nullptr;
};

TEST_F(Authentications, KeysOfFilesOfEveryKind) {
    for (auto [type, more] : {std::pair{"ed25519", ""}, {"ecdsa", ""}, {"rsa", "-b 2048"}, {"rsa", "-b 2048 -m PEM"}}) {
        HostSettings host = settings();
        std::filesystem::path key =
            make_key("key" + std::string(type) + std::to_string(std::string(more).size()), "", type, true, more);
        host.identity_files = {folder_.path() / "missing", key};
        host.identity_files_given = true;
        EXPECT_EQ(log_in(host).authenticated_by(), "key: " + key.string());
        // Also without the .pub file.
        std::filesystem::remove(key.string() + ".pub");
        EXPECT_EQ(log_in(host).authenticated_by(), "key: " + key.string());
    }
}

TEST_F(Authentications, EveryKeyAndEveryKnownHostsFileOfSshConfigIsTried) {
    const std::filesystem::path strange = make_key("strange", "", "ed25519", false), second = make_key("second", "");
    std::ofstream(folder_.path() / "first") << "other.example " << std::ifstream(second.string() + ".pub").rdbuf();
    std::ofstream(folder_.path() / "config")
        << "IdentityFile " << (folder_.path() / "missing").string() << "\nIdentityFile " << strange.string()
        << "\nIdentityFile " << second.string() << "\nIdentitiesOnly yes\nUserKnownHostsFile "
        << (folder_.path() / "first").string() << " " << hosts().known_hosts().string() << "\nInclude "
        << hosts().ssh_config().string() << "\n";
    const SshConfig config(folder_.path() / "config", "/nonexistent");
    Session session = Session::connect(config.resolve("host1"), config);
    EXPECT_EQ(session.authenticated_by(), "key: " + second.string());
    std::string all;
    for (const Message& line : session.transcript())
        all += line.text() + "\n";
    EXPECT_THAT(all, says("The key {} is not used: {}", EndsWith("/missing"), "it is not there"));
    EXPECT_THAT(all, HasSubstr(Message("{}: refused", Message("key: {}", strange.string())).text()));
    EXPECT_THAT(all, says("host key is known: {}", StartsWith(hosts().known_hosts().string())));
    // A key that is only in a file for all users.
    HostSettings host = settings();
    host.identity_files = {second};
    host.global_known_hosts = {folder_.path() / "first", hosts().known_hosts()};
    host.user_known_hosts = {folder_.path() / "missing"};
    EXPECT_EQ(log_in(host).authenticated_by(), "key: " + second.string());
}

TEST_F(Authentications, PassphrasesAreAskedForOnlyWhenTheServerTakesTheKey) {
    HostSettings host = settings();
    host.identity_files = {make_key("strange", "open barley", "ed25519", false), make_key("locked", "open sesame")};
    Person person({"open oats", "open sesame"});
    EXPECT_THAT(log_in(host, &person).authenticated_by(), HasSubstr("locked"));
    ASSERT_EQ(person.questions.size(), 2u);
    EXPECT_EQ(person.questions[0].kind, SecretQuestion::Kind::passphrase);
    EXPECT_THAT(person.questions[0].subject, HasSubstr("/locked"));
    EXPECT_EQ(person.questions[1].attempt, 2);
    Person clueless({"a", "b", "c", "d"});
    Failure failure = refused(host, &clueless);
    EXPECT_EQ(failure.cause, Cause::authentication);
    EXPECT_THAT(failure.sentence, says("the passphrase was wrong three times"));
    EXPECT_GE(clueless.questions.size(), 3u);
    failure = refused(host);
    EXPECT_THAT(failure.sentence, says("its passphrase could not be requested: ssh-add {}", _));
    for (const Message& line : failure.transcript)
        EXPECT_EQ(line.text().find("sesame"), std::string::npos) << line;
}

TEST_F(Authentications, AWrongKeySaysWhatWasOfferedAndWhatIsTaken) {
    HostSettings host = settings();
    host.identity_files = {hosts().stranger_key()};
    Failure failure = refused(host);
    EXPECT_EQ(failure.cause, Cause::authentication);
    EXPECT_THAT(failure.sentence, HasSubstr("key: " + hosts().stranger_key().string()));
    EXPECT_THAT(failure.sentence, says("{}: login as '{}' was denied. The server accepts {}; {}", _, _,
                                       says("public keys").at_start(), _));
    host.user = "nobody-of-that-name";
    host.identity_files = {hosts().key()};
    EXPECT_THAT(refused(host).sentence,
                says("{}: login as '{}' was denied. The server accepts {}; {}", _, "nobody-of-that-name", _, _));
    host = settings();
    EXPECT_THAT(refused(host).sentence, says("no matching credentials were available"));
}

TEST_F(Authentications, KeysThatOthersCanReadAreNotUsed) {
    HostSettings host = settings();
    std::filesystem::path key = make_key("open", "");
    std::filesystem::permissions(key, std::filesystem::perms(0644));
    host.identity_files = {key};
    EXPECT_THAT(refused(host).sentence, says("other users can read it: chmod 600 {}", StartsWith(key.string())));
    host.identity_files = {folder_.path()};
    EXPECT_THAT(refused(host).sentence, says("it is not a regular file"));
    std::ofstream(folder_.path() / "text") << "no key";
    std::filesystem::permissions(folder_.path() / "text", std::filesystem::perms(0600));
    host.identity_files = {folder_.path() / "text"};
    EXPECT_THAT(refused(host).sentence, says("it is not a private key"));
}

TEST_F(Authentications, CertificatesNextToTheKeyOrNamedBySshConfig) {
    const std::filesystem::path authority = make_key("authority", "", "ed25519", false);
    const std::filesystem::path server_copy = hosts().folder_of("host1") / "user_ca.pub";
    std::filesystem::copy(authority.string() + ".pub", server_copy, std::filesystem::copy_options::overwrite_existing);
    hosts().set("host1", {"TrustedUserCAKeys " + server_copy.string()});
    HostSettings host = settings();
    host.identity_files = {make_key("signed", "", "ed25519", false)};
    EXPECT_EQ(refused(host).cause, Cause::authentication);
    auto sign = [&](const std::string& name) {
        const std::string command = "ssh-keygen -q -s " + authority.string() + " -I test -n " + host.user + " " +
                                    (folder_.path() / name).string() + ".pub";
        EXPECT_EQ(std::system(command.c_str()), 0);
    };
    sign("signed");
    EXPECT_THAT(log_in(host).authenticated_by(), says("key: {} with its certificate", EndsWith("/signed")));
    std::filesystem::rename(folder_.path() / "signed-cert.pub", folder_.path() / "elsewhere.pub");
    EXPECT_EQ(refused(host).cause, Cause::authentication);
    make_key("other", "", "ed25519", false);
    sign("other");
    host.certificate_files = {folder_.path() / "missing", folder_.path() / "other-cert.pub",
                              folder_.path() / "elsewhere.pub"};
    EXPECT_THAT(log_in(host).authenticated_by(), says("key: {} with its certificate", EndsWith("/signed")));
    hosts().set("host1", {});
}

TEST_F(Authentications, WithoutATicketKerberosLeavesTheOtherWays) {
    hosts().set("host1", {"GSSAPIAuthentication yes"});
    HostSettings host = settings();
    EXPECT_THAT(refused(host).sentence, HasSubstr("Kerberos (off: GSSAPIAuthentication of ssh_config)"));
    host.gssapi_authentication = true;
    EXPECT_THAT(refused(host).sentence, AllOf(HasSubstr("public keys"), says("it refused {}", "Kerberos")));
    host.identity_files = {hosts().key()};
    EXPECT_EQ(log_in(host).authenticated_by(), "key: " + hosts().key().string());
    hosts().set("host1", {});
}

TEST_F(Authentications, TheAgentsKeysOneAtATime) {
    Agent agent(folder_.path());
    for (int i = 0; i < 3; ++i)
        agent.add(make_key("stranger" + std::to_string(i), "", "ed25519", false));
    std::filesystem::path good = make_key("good", "");
    agent.add(good);
    EXPECT_EQ(agent_keys(agent.socket()).size(), 4u);
    EXPECT_EQ(agent_keys(agent.socket())[3].comment, "good");
    HostSettings host = settings();
    host.identity_agent = agent.socket();
    Session session = log_in(host);
    EXPECT_THAT(session.authenticated_by(), says("agent: {} {}", "ED25519", StartsWith("SHA256:")));
    EXPECT_THAT(session.authenticated_by(), HasSubstr("(good)"));
    std::string all;
    for (const Message& line : session.transcript())
        all += line.text() + "\n";
    EXPECT_THAT(all, says("{}: refused", EndsWith("(stranger0)")));
    // RSA keys of the agent sign with SHA-2.
    agent.add(make_key("rsa", "", "rsa", true, "-b 2048"));
    std::filesystem::remove(good);
    host.identity_files = {folder_.path() / "rsa"};
    host.identities_only = true;
    session = log_in(host);
    EXPECT_THAT(session.authenticated_by(), says("agent: {} {}", StartsWith("RSA"), _));
    std::size_t before = hosts().sshd_log("host1").size();
    session = log_in(host);
    EXPECT_THAT(hosts().sshd_log("host1").substr(before), Not(HasSubstr("Failed publickey")));
}

TEST_F(Authentications, TooManyKeysAreNamedAsSuch) {
    Agent agent(folder_.path());
    for (int i = 0; i < 8; ++i)
        agent.add(make_key("many" + std::to_string(i), "", "ed25519", false));
    HostSettings host = settings();
    host.identity_agent = agent.socket();
    host.identity_files = {hosts().key()};
    Failure failure = refused(host);
    EXPECT_EQ(failure.cause, Cause::too_many_attempts);
    EXPECT_THAT(failure.sentence, says("{}: the server closed the connection after too many attempts to log in as '{}' "
                                       "({}): name the correct key with IdentityFile and IdentitiesOnly yes in {}",
                                       _, _, _, _));
    EXPECT_THAT(failure.sentence, HasSubstr("(many0)"));
    host.identities_only = true;
    EXPECT_EQ(log_in(host).authenticated_by(), "key: " + hosts().key().string());
}

TEST_F(Authentications, AgentsThatAreNotThereOrTalkNonsense) {
    HostSettings host = settings();
    host.identity_agent = folder_.path() / "none";
    host.identity_files = {hosts().key()};
    EXPECT_TRUE(log_in(host).alive());
    EXPECT_THROW(agent_keys((folder_.path() / "none").string()), UserError);
    EXPECT_THROW(agent_keys("none"), UserError);
    EXPECT_THROW(agent_keys("/" + std::string(300, 'x')), UserError);
}

TEST_F(Authentications, PasswordsAndDialogues) {
    if (!hosts().namespaces()) {
        // Test accounts with passwords need root. Without it, only checks that the user is not asked for a useless
        // password.
        Person person({"x"});
        EXPECT_EQ(refused(settings(), &person).cause, Cause::authentication);
        EXPECT_TRUE(person.questions.empty());
        return;
    }
    HostSettings host = settings();
    Person person({"wrong", hosts().password()});
    Session session = log_in(host, &person);
    EXPECT_EQ(session.authenticated_by(), "password");
    ASSERT_EQ(person.questions.size(), 2u);
    EXPECT_EQ(person.questions[0].kind, SecretQuestion::Kind::password);
    EXPECT_EQ(person.questions[0].subject, host.target());
    EXPECT_EQ(person.questions[1].attempt, 2);
    Person wrong({"a", "b", "c"});
    Failure failure = refused(host, &wrong);
    EXPECT_EQ(failure.cause, Cause::authentication);
    EXPECT_THAT(failure.sentence, says("it refused {}", StartsWith("password")));
    EXPECT_THAT(refused(host).sentence, says("The password could not be requested"));
    Person silent({});
    EXPECT_EQ(refused(host, &silent).cause, Cause::authentication);
    host.password_authentication = false;
    Person unasked({hosts().password()});
    refused(host, &unasked);
    EXPECT_TRUE(unasked.questions.empty());

    hosts().set("host1", {"UsePAM yes", "KbdInteractiveAuthentication yes", "PasswordAuthentication no"});
    host = settings();
    Person talker({"wrong", hosts().password()});
    session = log_in(host, &talker);
    EXPECT_EQ(session.authenticated_by(), "keyboard-interactive");
    EXPECT_EQ(talker.questions.size(), 2u);
    EXPECT_FALSE(talker.questions[0].echo);
    // Both, one after the other.
    hosts().set("host1", {"PasswordAuthentication yes", "AuthenticationMethods publickey,password"});
    Person both({hosts().password()});
    host.identity_files = {hosts().key()};
    session = log_in(host, &both);
    EXPECT_EQ(session.authenticated_by(), "password");
    std::string all;
    for (const Message& line : session.transcript())
        all += line.text() + "\n";
    EXPECT_THAT(all, says("{}: accepted, more methods are required", EndsWith("id_ed25519")));
    EXPECT_EQ(all.find(hosts().password()), std::string::npos);
    hosts().set("host1", {});
}

TEST_F(Authentications, AMirrorDropsThePasswordAfterTheLoginAndSaysWhoAsksAgain) {
    if (!hosts().namespaces())
        return;  // accounts with passwords of our own need root
    const std::filesystem::path file = folder_.path() / "config";
    std::ofstream(file) << "Host host1\n  HostName " << hosts()[0].address << "\n  Port " << hosts()[0].port
                        << "\n  User " << hosts()[0].user << "\n  IdentityFile none\n  IdentityAgent none\n"
                        << "  UserKnownHostsFile " << hosts().known_hosts().string()
                        << "\n  GlobalKnownHostsFile none\n";
    ::setenv("TRAINYARD_SSH_CONFIG", file.c_str(), 1);
    const HostSettings host = SshConfig(file, "/nonexistent").resolve("host1");
    SecretBag bag;
    bag.keep({SecretQuestion::Kind::password, "host1", host.user, host.target(), "", false, 1, false},
             Secret(hosts().password()));
    BagAsker asker(std::move(bag));
    int logins = 0;
    MirrorOptions options;
    options.shortest_pause_s = 0.01;
    options.asker = &asker;
    options.logged_in = [&] {
        ++logins;
        asker.forget();
    };
    // A program that ends at once: the connection is lost, and the next one is asked for the password.
    const run::RunPaths local = prepare_mirror(folder_.path() / "runs", {"host1", "/home/me/runs/r1", "/bin/true"});
    EXPECT_EQ(run_mirror(local, options), kExitFailed);
    ::unsetenv("TRAINYARD_SSH_CONFIG");
    EXPECT_EQ(logins, 1);
    EXPECT_THAT(run::read_mirror(local)->message,
                says("{}. Passwords are not stored after the login: trainyard runs attach {}:{} asks for them again", _,
                     "host1", "/home/me/runs/r1"));
}

}  // namespace

}  // namespace trainyard::remote
