// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of running commands on test hosts with real sshd.

#include "remote/session.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <thread>

#include <gmock/gmock.h>
#include <sys/eventfd.h>

#include "remote/connected.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::remote {

namespace {

using test::connect;
using test::failure_of;
using test::says;
using test::says_only;
using testing::_;
using ::testing::HasSubstr;
using testing::StartsWith;

class Sessions : public ::testing::Test {
  protected:
    static void SetUpTestSuite() { hosts_ = new test::TestHosts({.count = 3, .behind = 1, .shares = {}}); }
    static void TearDownTestSuite() { delete hosts_; }
    static test::TestHosts& hosts() { return *hosts_; }

  private:
    static inline test::TestHosts* hosts_ = nullptr;
};

TEST_F(Sessions, CommandsEndWithTheirStatusAndBothStreams) {
    Session session = connect(hosts(), "host2");
    EXPECT_THAT(session.authenticated_by(), HasSubstr("key: "));
    ExecResult result = session.exec({{"/bin/sh", "-c", "printf out; printf err >&2; exit 7"}, {}, ""});
    EXPECT_EQ(result.output, "out");
    EXPECT_EQ(result.error, "err");
    EXPECT_EQ(result.exit.status, 7);
    EXPECT_THAT(result.exit.text(), says_only("exit status {}", 7));
    result = session.exec({{"/bin/sh", "-c", "kill -KILL $$"}, {}, ""});
    EXPECT_EQ(result.exit.signal, "KILL");
    EXPECT_FALSE(result.exit.ok());
    result = session.exec({{"/nonexistent/trainyard"}, {}, ""});
    EXPECT_EQ(result.exit.status, 127);
    EXPECT_TRUE(session.alive());
}

TEST_F(Sessions, ArgumentsArriveAsTheyAre) {
    Session session = connect(hosts(), "host2");
    RemoteCommand command{
        {"/usr/bin/env", "printf", "[%s]\\n", "a'b", "$(id)", "; id", "-n", "two\nlines", "äöü", "\"\\", "*"},
        {{"ODD", "a b'c$d"}},
        "/tmp"};
    EXPECT_EQ(session.exec(command).output, "[a'b]\n[$(id)]\n[; id]\n[-n]\n[two\nlines]\n[äöü]\n[\"\\]\n[*]\n");
    command.argv = {"/bin/sh", "-c", "pwd; echo \"$ODD\""};
    EXPECT_EQ(session.exec(command).output, "/tmp\na b'c$d\n");
}

TEST_F(Sessions, MuchGoesThroughBothWays) {
    Session session = connect(hosts(), "host2");
    std::string much;
    for (int i = 0; much.size() < 6'000'000; ++i)
        much += "line " + std::to_string(i) + "\n";
    ExecResult result = session.exec({{"/bin/sh", "-c", "tee /dev/stderr"}, {}, ""}, much);
    EXPECT_TRUE(result.exit.ok());
    EXPECT_TRUE(result.output == much);
    EXPECT_TRUE(result.error == much);
    // A command that does not read its input must not block.
    result = session.exec({{"/bin/sh", "-c", "exit 3"}, {}, ""}, much);
    EXPECT_EQ(result.exit.status, 3);
}

TEST_F(Sessions, ChannelsAreDialoguesSideBySide) {
    Session session = connect(hosts(), "host2");
    Channel first = session.open({{"/bin/cat"}, {}, ""}), second = session.open({{"/bin/cat"}, {}, ""});
    auto hear = [](Channel& channel, std::size_t size) {
        std::string heard;
        while (heard.size() < size && !channel.ended())
            heard += channel.read(5).bytes;
        return heard;
    };
    for (int i = 0; i < 20; ++i) {
        first.write("first " + std::to_string(i));
        second.write("second " + std::to_string(i));
        EXPECT_EQ(hear(second, 8), "second " + std::to_string(i));
        EXPECT_EQ(hear(first, 7), "first " + std::to_string(i));
    }
    EXPECT_TRUE(first.read(0.05).bytes.empty());
    int wake = ::eventfd(1, EFD_CLOEXEC);
    double begin = monotonic_seconds();
    EXPECT_TRUE(first.read(30, wake).bytes.empty());
    EXPECT_LT(monotonic_seconds() - begin, 10);
    ::close(wake);
    first.close_input();
    while (!first.ended())
        first.read(5);
    EXPECT_EQ(first.exit().status, 0);
    // sshd hands on signals where it has given up root's rights: not to root, and not when it runs as the user itself.
    if (hosts().namespaces())
        second.signal("TERM");
    else
        second.close_input();
    while (!second.ended())
        second.read(5);
    EXPECT_EQ(second.exit().signal, hosts().namespaces() ? "TERM" : "");
}

TEST_F(Sessions, ACommandEndsWithItsChannel) {
    Session session = connect(hosts(), "host2");
    std::string mark = "314.15926" + std::to_string(::getpid());
    auto runs = [&] {
        return session.exec({{"/bin/sh", "-c", "cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' '"}, {}, ""})
                   .output.find("sleep " + mark) != std::string::npos;
    };
    {
        // The command is not killed: it ends because it reads the end of its standard input.
        Channel channel = session.open({{"/bin/sh", "-c", "sleep " + mark + " & read line; kill $!"}, {}, ""});
        EXPECT_TRUE(test::soon(runs));
    }
    EXPECT_TRUE(test::soon([&] { return !runs(); }));
}

TEST_F(Sessions, LimitsAndCancelEndAnyWait) {
    ConnectOptions options;
    options.cancel = std::make_shared<Cancel>();
    Session session = connect(hosts(), "host2", options);
    auto failure = failure_of([&] { session.exec({{"/bin/sleep", "30"}, {}, ""}, {}, 0.3); });
    EXPECT_EQ(failure.cause, Cause::timed_out);
    EXPECT_LT(failure.seconds, 10);
    std::thread other([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        options.cancel->set();
    });
    failure = failure_of([&] { session.exec({{"/bin/sleep", "30"}, {}, ""}); });
    EXPECT_EQ(failure.cause, Cause::cancelled);
    EXPECT_LT(failure.seconds, 10);
    other.join();
    EXPECT_EQ(failure_of([&] { connect(hosts(), "host2", options); }).cause, Cause::cancelled);
}

TEST_F(Sessions, ThroughOneJumpAndThroughTwo) {
    Session one = connect(hosts(), "host3");
    EXPECT_EQ(one.exec({{"/bin/echo", "behind"}, {}, ""}).output, "behind\n");
    // Two: bastion, then host2, then host3.
    SshConfig config(hosts().ssh_config(), "/nonexistent");
    HostSettings target = config.resolve(hosts().namespaces() ? "bastion" : "host3");
    target.jumps = {{"host2", "", 0}, {hosts().namespaces() ? "host2" : "bastion", "", 0}};
    Session two = Session::connect(target, config);
    std::string much(3'000'000, 'x');
    EXPECT_EQ(two.exec({{"/bin/cat"}, {}, ""}, much).output.size(), much.size());
    EXPECT_EQ(one.exec({{"/bin/cat"}, {}, ""}, much).output.size(), much.size());
    EXPECT_THAT(hosts().sshd_log("host2"), HasSubstr("Accepted publickey"));
    std::string all;
    for (const Message& line : two.transcript())
        all += line.text() + "\n";
    EXPECT_THAT(all, says("jump from {} to {} port {}", "host2", _, _));
    EXPECT_EQ(two.remote_address(), "");
    // A jump of a jump that leads back is seen before anything is connected.
    test::append_to(hosts().ssh_config(), "Host loop\n  ProxyJump loop2\nHost loop2\n  ProxyJump loop\n");
    auto failure = failure_of([&] { connect(hosts(), "loop"); });
    EXPECT_EQ(failure.cause, Cause::bad_settings);
    EXPECT_THAT(
        failure.sentence,
        says("{}: more than {} jump hosts are on the way: does a ProxyJump of ssh_config lead back to itself?", _, 7));
}

TEST_F(Sessions, WithoutOpenSshLibsshReadsJumpsKeysAndAlgorithms) {
    const test::TemporaryFolder folder;
    std::ofstream(folder.path() / "config")
        << "Ciphers aes256-ctr\nUserKnownHostsFile " << (folder.path() / "missing").string() << " "
        << hosts().known_hosts().string() << "\nInclude " << hosts().ssh_config().string() << "\n";
    const std::string path = std::getenv("PATH");
    ::setenv("PATH", folder.path().c_str(), 1);
    const SshConfig config(folder.path() / "config", "/nonexistent");
    std::string all;
    try {
        Session session = Session::connect(config.resolve("host3"), config);
        for (const Message& line : session.transcript())
            all += line.text() + "\n";
    } catch (const UserError& error) {
        ADD_FAILURE() << error.what();
    }
    ::setenv("PATH", path.c_str(), 1);
    EXPECT_THAT(all, says("key exchange: {}, {}", _, "aes256-ctr"));
    EXPECT_THAT(all, says("jump from {} to {} port {}", "bastion", _, _));
}

TEST_F(Sessions, ProxyCommandRunsWithoutAShell) {
    SshConfig config(hosts().ssh_config(), "/nonexistent");
    HostSettings host = config.resolve("host2");
    host.proxy_command = {"ssh",    "-F", hosts().ssh_config(), "-W", host.host_name + ":" + std::to_string(host.port),
                          "bastion"};
    std::size_t descriptors = test::open_descriptors();
    {
        Session session = Session::connect(host, config);
        EXPECT_EQ(session.exec({{"/bin/echo", "x"}, {}, ""}).output, "x\n");
    }
    EXPECT_EQ(test::open_descriptors(), descriptors);
    EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "the program of the ProxyCommand is still there";
    host.proxy_command = {"sh", "-c", "echo no way through >&2; exit 9"};
    auto failure = failure_of([&] { Session::connect(host, config); });
    EXPECT_THAT(failure.sentence, test::says("the ProxyCommand '{}' ended with exit status {}", "sh",
                                             testing::StartsWith("9: no way through")));
    host.proxy_command = {"/nonexistent/proxy"};
    EXPECT_EQ(failure_of([&] { Session::connect(host, config); }).cause, Cause::bad_settings);
}

TEST_F(Sessions, SixteenAtOnceLeaveNothingBehind) {
    { Session warm = connect(hosts(), "host2"); }
    std::size_t descriptors = test::open_descriptors(), running = test::threads();
    std::atomic<int> good = 0;
    std::vector<std::thread> all;
    for (int i = 0; i < 16; ++i)
        all.emplace_back([&, i] {
            Session session = connect(hosts(), i % 4 == 3 ? "host3" : "host2");
            std::string text = "connection " + std::to_string(i);
            if (session.exec({{"/bin/cat"}, {}, ""}, text).output == text)
                ++good;
        });
    for (std::thread& thread : all)
        thread.join();
    EXPECT_EQ(good, 16);
    EXPECT_EQ(test::open_descriptors(), descriptors);
    EXPECT_TRUE(test::soon([&] { return test::threads() <= running; }))
        << test::threads() << " threads, before " << running;
}

TEST_F(Sessions, AServerThatDiesIsLostAndCanBeReachedAgain) {
    Session session = connect(hosts(), "host2");
    Channel channel = session.open({{"/bin/cat"}, {}, ""});
    hosts().stop_sshd("host2");
    auto failure = failure_of([&] {
        while (true)
            channel.read(5);
    });
    EXPECT_EQ(failure.cause, Cause::connection_lost);
    EXPECT_FALSE(session.alive());
    EXPECT_EQ(failure_of([&] { session.exec({{"/bin/true"}, {}, ""}); }).cause, Cause::connection_lost);
    // Under load, connecting may report "no route to host" at first, so it is retried for a while.
    auto cause = failure_of([&] { connect(hosts(), "host2"); }).cause;
    for (int i = 0; i < 50 && cause != Cause::refused; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        cause = failure_of([&] { connect(hosts(), "host2"); }).cause;
    }
    EXPECT_EQ(cause, Cause::refused);
    hosts().start_sshd("host2");
    Session again = connect(hosts(), "host2");
    EXPECT_TRUE(again.exec({{"/bin/true"}, {}, ""}).exit.ok());
}

TEST_F(Sessions, ASilentHostIsLostInTime) {
    ConnectOptions options;
    options.silence = 2;
    Session session = connect(hosts(), "host2", options), behind = connect(hosts(), "host3", options);
    Channel channel = session.open({{"/bin/cat"}, {}, ""}), far = behind.open({{"/bin/cat"}, {}, ""});
    // A command without output is not a silent host: keep-alive messages are answered.
    EXPECT_TRUE(channel.read(3).bytes.empty());
    EXPECT_TRUE(session.alive());
    hosts().cut("host2");
    auto failure = failure_of([&] {
        while (true)
            channel.read(-1);
    });
    hosts().mend("host2");
    EXPECT_EQ(failure.cause, Cause::connection_lost);
    EXPECT_THAT(failure.sentence, says("nothing was heard for {}", StartsWith("2 s")));
    EXPECT_LT(failure.seconds, 10);
    // If the bastion falls silent, connections through it are reported as lost, too.
    hosts().cut("bastion");
    failure = failure_of([&] {
        while (true)
            far.read(-1);
    });
    hosts().mend("bastion");
    EXPECT_EQ(failure.cause, Cause::connection_lost);
    EXPECT_LT(failure.seconds, 10);
}

TEST_F(Sessions, OddLoginShells) {
    auto with = [&](const std::string& command) { hosts().set("host2", {"ForceCommand " + command}); };
    with("echo Welcome to the cluster!; exec /bin/sh -c \"$SSH_ORIGINAL_COMMAND\"");
    auto failure = failure_of([&] { connect(hosts(), "host2").exec({{"/bin/true"}, {}, ""}); });
    EXPECT_EQ(failure.cause, Cause::shell_prints);
    EXPECT_THAT(failure.sentence, HasSubstr("\"Welcome to the cluster!\""));

    with("echo 'This account is currently not available.'; exit 1");
    failure = failure_of([&] { connect(hosts(), "host2").exec({{"/bin/true"}, {}, ""}); });
    EXPECT_EQ(failure.cause, Cause::no_shell);
    EXPECT_THAT(failure.sentence, HasSubstr("This account is currently not available."));

    with("exec /bin/bash --restricted -c \"$SSH_ORIGINAL_COMMAND\"");
    failure = failure_of([&] { connect(hosts(), "host2").exec({{"/bin/true"}, {}, ""}); });
    EXPECT_EQ(failure.cause, Cause::no_shell);
    EXPECT_THAT(failure.sentence, says("its restricted shell lets no commands run"));

    // With a login shell that is not a POSIX shell, commands are run by /bin/sh.
    with("SHELL=/usr/bin/fish exec /bin/sh -c \"$SSH_ORIGINAL_COMMAND\"");
    {
        Session session = connect(hosts(), "host2");
        EXPECT_EQ(session.exec({{"/usr/bin/env", "printf", "%s", "a'\\b\n!$"}, {}, ""}).output, "a'\\b\n!$");
        EXPECT_FALSE(session.shell().posix);
        EXPECT_EQ(session.shell().home, hosts().named("host2").home);
    }
    hosts().set("host2", {});
    EXPECT_TRUE(connect(hosts(), "host2").exec({{"/bin/true"}, {}, ""}).exit.ok());
}

}  // namespace

}  // namespace trainyard::remote
