// SPDX-License-Identifier: GPL-3.0-or-later
// Which agents join a run and which are refused, and what happens to a machine that falls silent: a pool, and agents
// that the test plays.

#include <cerrno>
#include <csignal>

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/file_descriptor.h"
#include "launch/supervisor/join_pool.h"
#include "support/says.h"

using namespace trainyard;
using namespace trainyard::launch;
using test::says;
using test::says_only;
using testing::_;
using testing::Contains;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

namespace {

/// The supervisor's own machine; starts nothing.
class OwnMachine final : public RankMachine {
  public:
    const std::string& host() const override { return host_; }
    void start(const MachineOrder&) override {}
    void add_descriptors(std::vector<pollfd>&) const override {}
    void take(RankListener&) override {}
    void send(int, const std::string&) override {}
    void signal(int) override {}
    bool all_ended() const override { return true; }

  private:
    std::string host_ = "head";
};

struct Heard final : RankListener {
    void started(int rank, const ProcessId&) override { events.push_back("started " + std::to_string(rank)); }
    void said(int rank, const std::string& line) override { events.push_back(std::to_string(rank) + " said " + line); }
    void wrote(int rank, std::string_view bytes, bool) override {
        events.push_back(std::to_string(rank) + " wrote " + std::string(bytes));
    }
    void ended(int rank, int status, const Message&) override {
        events.push_back(std::to_string(rank) + " ended " + std::to_string(status));
    }
    void lost(const std::string& host, const Message& reason) override {
        events.push_back("lost " + host + ": " + reason.text());
    }
    void preempted(const std::string& host, const Message&) override { events.push_back("preempted " + host); }
    void warned(const std::string&, const Message& text) override { events.push_back("warned " + text.text()); }
    std::vector<std::string> events;
};

/// The agent's side of a connection, step by step.
class Player {
  public:
    Player(int port, const JoinRequest& request, const std::string& secret = "secret",
           const std::string& version = TRAINYARD_VERSION, const std::string& rendezvous = "run") {
        Message error;
        connection_ =
            std::make_unique<AgentConnection>(begin_connecting("127.0.0.1", port, error), "head",
                                              SecureChannel(SecureChannel::Role::client, Secret(secret), rendezvous));
        connection_->send(FrameKind::hello, to_json(Hello{kAgentProtocol, version}));
        report(request);
    }

    void play() {
        if (!connection_)
            return;
        connection_->exchange();
        while (auto frame = connection_->next()) {
            if (frame->kind == FrameKind::refusal)
                refusal = parse_refusal(frame->payload).reason;
            else if (frame->kind == FrameKind::heartbeat)
                acknowledged = parse_heartbeat(frame->payload).acknowledged;
            else if (frame->kind == FrameKind::message)
                orders.push_back(parse_order(frame->payload));
        }
        connection_->exchange();
    }
    void report(const AgentReport& report) { connection_->send(FrameKind::message, to_json(report)); }
    void output(int generation, int rank, const std::string& bytes) {
        connection_->send_output(output_payload({generation, rank, false}, bytes));
    }
    void beat(std::uint64_t number, double round_trip = 0) {
        connection_->send_heartbeat(to_json(LinkHeartbeat{number, 0, round_trip, {}}));
    }
    void hang_up() { connection_.reset(); }
    bool accepted() const { return !orders.empty() && std::holds_alternative<JoinAnswer>(orders.front()); }
    bool closed() const { return connection_->broken(); }
    bool established() const { return connection_->channel().established(); }
    SecureChannel::Failure failure() const { return connection_->channel().failure(); }

    std::vector<HeadOrder> orders;
    std::string refusal;
    std::uint64_t acknowledged = 0;

  private:
    std::unique_ptr<AgentConnection> connection_;
};

class Pools : public testing::Test {
  protected:
    void open(JoinOptions::Way way, int most, double handshake_s = 5) {
        JoinOptions options;
        options.way = way;
        options.max_machines = most;
        options.hosts = {"head", "beta", "gamma"};
        options.link.lease_s = 0.5;
        options.link.heartbeat_s = 0.05;
        ListenerOptions listener;
        listener.rendezvous = "run";
        listener.secret = Secret("secret");
        listener.handshake_s = handshake_s;
        pool = std::make_unique<JoinPool>(options, listener, std::make_unique<OwnMachine>(), 2);
        pool->tell("20260101-run", "spec", true);
    }
    Player& player(int number, int ranks = 1, const std::string& agent = {}) {
        players.push_back(std::make_unique<Player>(
            pool->port(),
            JoinRequest{agent.empty() ? "agent" + std::to_string(players.size()) : agent, "some-host", number, ranks}));
        return *players.back();
    }
    template <typename F>
    bool until(F&& holds, double seconds = 5) {
        double end = monotonic_seconds() + seconds;
        while (!holds()) {
            if (monotonic_seconds() > end)
                return false;
            pool->take();
            for (auto& one : players)
                one->play();
            for (Message& text : pool->take_notes())
                notes.push_back(std::move(text));
            if (machine != nullptr)
                machine->take(heard);
            ::usleep(1000);
        }
        return true;
    }
    /// A connection without TLS, and what it sends.
    FileDescriptor stranger(const std::string& bytes) {
        FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        sockaddr_in place{};
        place.sin_family = AF_INET;
        place.sin_port = htons(static_cast<std::uint16_t>(pool->port()));
        ::inet_pton(AF_INET, "127.0.0.1", &place.sin_addr);
        EXPECT_EQ(::connect(socket.get(), reinterpret_cast<sockaddr*>(&place), sizeof place), 0);
        EXPECT_EQ(::send(socket.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL), static_cast<ssize_t>(bytes.size()));
        return socket;
    }
    /// The pool has closed the connection; what it had sent is discarded.
    static bool closed(const FileDescriptor& socket) {
        char buffer[4096];
        const ssize_t n = ::recv(socket.get(), buffer, sizeof buffer, MSG_DONTWAIT);
        return n == 0 || (n < 0 && errno != EAGAIN && errno != EWOULDBLOCK);
    }
    /// One agent that has joined and was ordered to start rank 2.
    Player& running() {
        open(JoinOptions::Way::by_number, 2);
        Player& agent = player(1);
        EXPECT_TRUE(until([&] { return agent.accepted(); }));
        std::vector<Participant> participants = pool->participants();
        EXPECT_EQ(participants.size(), 2u);
        machine = participants[1].machine;
        pool->close();
        order.generation = 3;
        order.ranks = {{2, 0, {{"RANK", "2"}}}};
        machine->start(order);
        EXPECT_TRUE(until([&] { return agent.orders.size() == 2; }));
        return agent;
    }

    std::unique_ptr<JoinPool> pool;
    std::vector<std::unique_ptr<Player>> players;
    std::vector<Message> notes;
    RankMachine* machine = nullptr;
    MachineOrder order;
    Heard heard;
};

TEST_F(Pools, ByNumberWhateverTheOrderOfArrival) {
    open(JoinOptions::Way::by_number, 3);
    EXPECT_EQ(pool->missing(), "beta, gamma");
    Player& last = player(2, 4);
    ASSERT_TRUE(until([&] { return last.accepted(); }));
    EXPECT_TRUE(last.established());
    EXPECT_EQ(std::get<JoinAnswer>(last.orders[0]).run_id, "20260101-run");
    EXPECT_EQ(pool->missing(), "beta");
    Player& first = player(1);
    ASSERT_TRUE(until([&] { return first.accepted(); }));
    EXPECT_EQ(pool->missing(), "");
    std::vector<Participant> participants = pool->participants();
    ASSERT_EQ(participants.size(), 3u);
    EXPECT_EQ(participants[0].machine->host(), "head");
    EXPECT_EQ(participants[0].ranks, 2);
    EXPECT_EQ(participants[1].machine->host(), "beta");
    EXPECT_EQ(participants[2].machine->host(), "gamma");
    EXPECT_EQ(participants[2].ranks, 4);
    EXPECT_EQ(participants[2].address, "127.0.0.1");
    EXPECT_THAT(notes, Contains(says("{} ({}) joined as machine {} with {}", EndsWith("gamma"), "127.0.0.1", 2,
                                     StartsWith("4 ranks"))));
}

TEST_F(Pools, NumbersThatAreTakenOrDoNotExistAreRefusedAtBothEnds) {
    open(JoinOptions::Way::by_number, 3);
    Player& good = player(1);
    ASSERT_TRUE(until([&] { return good.accepted(); }));
    Player &again = player(1), &zero = player(0), &beyond = player(3), &none = player(-1);
    ASSERT_TRUE(until([&] {
        return !again.refusal.empty() && !zero.refusal.empty() && !beyond.refusal.empty() && !none.refusal.empty();
    }));
    EXPECT_THAT(again.refusal, says("machine {} is {} ({}) already: give this machine another --machine_rank", 1,
                                    "beta", "127.0.0.1"));
    EXPECT_THAT(
        zero.refusal,
        says("machine 0 is {}, where the run's head is: give this machine another --machine_rank, 1 to {}", "head", _));
    EXPECT_THAT(beyond.refusal,
                says("machine {} does not exist in a run on {} machines: give this machine a --machine_rank of 1 to {}",
                     3, 3, _));
    EXPECT_THAT(notes, Contains(says("{} ({}) was turned away: {}", _, _,
                                     says("machine {} is {} ({}) already: give this machine another --machine_rank", 1,
                                          StartsWith("beta"), _)
                                         .at_start())));
    EXPECT_EQ(pool->participants().size(), 2u);
}

TEST_F(Pools, ByArrivalNumbersAreDense) {
    open(JoinOptions::Way::by_arrival, 4);
    EXPECT_THAT(pool->missing(), says_only("{} of {} machines", 3, 4));
    Player& one = player(-1);
    ASSERT_TRUE(until([&] { return one.accepted(); }));
    EXPECT_THAT(pool->missing(), says_only("{} of {} machines", 2, 4));
    EXPECT_EQ(pool->participants().size(), 2u);
    EXPECT_EQ(pool->waiting(), 0);
    pool->close();
    Player &two = player(-1), &three = player(-1);
    ASSERT_TRUE(until([&] { return two.accepted() && three.accepted(); }));
    EXPECT_EQ(pool->waiting(), 2) << "for the next generation";
    Player& four = player(-1);
    ASSERT_TRUE(until([&] { return !four.refusal.empty(); }));
    EXPECT_THAT(four.refusal, says("all {} machines of the run are there: start it with more --num_machines", 4));
    pool->open();
    EXPECT_EQ(pool->participants().size(), 4u);
    EXPECT_EQ(pool->waiting(), 0);
}

TEST_F(Pools, WrongSecretsVersionsAndRunsAreTurnedAwayWithASentence) {
    open(JoinOptions::Way::by_number, 2);
    JoinRequest request{"a", "h", 1, 1};
    players.push_back(std::make_unique<Player>(pool->port(), request, "guess"));
    players.push_back(std::make_unique<Player>(pool->port(), request, "secret", "9.9"));
    players.push_back(std::make_unique<Player>(pool->port(), request, "secret", TRAINYARD_VERSION, "other"));
    ASSERT_TRUE(until([&] { return std::ranges::all_of(players, [](const auto& one) { return one->closed(); }); }));
    EXPECT_EQ(players[0]->failure(), SecureChannel::Failure::secret_refused);
    EXPECT_THAT(players[1]->refusal, HasSubstr("install the same version on both"));
    EXPECT_EQ(players[2]->failure(), SecureChannel::Failure::other_rendezvous);
    for (const auto& one : players)
        EXPECT_FALSE(one->accepted());
    EXPECT_FALSE(players[0]->established() || players[2]->established());
    EXPECT_THAT(notes, Contains(says("{} was turned away: it does not know the run's secret", _)));
    EXPECT_THAT(notes, Contains(says("{} was turned away: it wants to join '{}', which is not this run", _, "other")));
    EXPECT_EQ(pool->participants().size(), 1u);
}

TEST_F(Pools, StrangersAndSilentGuestsAreClosed) {
    open(JoinOptions::Way::by_number, 2, 0.3);
    std::vector<FileDescriptor> strangers;
    for (const char* words : {"GET / HTTP/1.1\r\n\r\n", "\x16\x03\x01garbage", ""})
        strangers.push_back(stranger(words));
    for (const FileDescriptor& one : strangers)
        EXPECT_TRUE(until([&] { return closed(one); }));
    EXPECT_THAT(notes,
                Contains(says("a connection from {} was closed: {}", _, says("TLS failed: {}", "http request"))));
    EXPECT_THAT(notes,
                Contains(says("a connection from {} was closed: it did not prove that it belongs to this run", _)));
    Player& good = player(1);
    EXPECT_TRUE(until([&] { return good.accepted(); })) << "the listener still accepts agents";
}

TEST_F(Pools, ClientsThatSendTheirHandshakeSlowlyAreClosedAndDoNotKeepOthersWaiting) {
    open(JoinOptions::Way::by_number, 2, 2);
    const std::string hello = SecureChannel(SecureChannel::Role::client, Secret("secret"), "run").take_outgoing();
    FileDescriptor slow = stranger({}), stuck = stranger(hello.substr(0, hello.size() - 1));
    Player& good = player(1);
    std::size_t sent = 0;
    double begin = monotonic_seconds(), joined = 0;
    EXPECT_TRUE(until([&] {
        if (static_cast<double>(sent) < 50 * (monotonic_seconds() - begin))
            ::send(slow.get(), &hello[sent++], 1, MSG_NOSIGNAL);
        if (joined == 0 && good.accepted())
            joined = monotonic_seconds() - begin;
        return joined > 0 && closed(slow) && closed(stuck);
    }));
    EXPECT_LT(sent, hello.size());
    EXPECT_LT(joined, 1.5);
}

TEST_F(Pools, AConnectionThatEndsInTheHandshakeOrInAFrameDeliversNothing) {
    open(JoinOptions::Way::by_number, 2);
    SecureChannel channel(SecureChannel::Role::client, Secret("secret"), "run");
    std::string plaintext;
    {
        FileDescriptor cut = stranger(channel.take_outgoing());
        until([&] {
            char buffer[4096];
            const ssize_t n = ::recv(cut.get(), buffer, sizeof buffer, MSG_DONTWAIT);
            if (n > 0)
                channel.receive({buffer, static_cast<std::size_t>(n)}, plaintext);
            return channel.established();
        });
        ASSERT_TRUE(channel.established());
        channel.send(encode_frame({FrameKind::hello, to_json(Hello{kAgentProtocol, TRAINYARD_VERSION})}));
        const std::string join = encode_frame({FrameKind::message, to_json(AgentReport(JoinRequest{"a", "h", 1, 1}))});
        channel.send(std::string_view(join).substr(0, join.size() - 1));
        const std::string bytes = channel.take_outgoing();
        ASSERT_EQ(::send(cut.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL), static_cast<ssize_t>(bytes.size()));
    }
    until([] { return false; }, 0.2);
    EXPECT_EQ(pool->participants().size(), 1u);
    EXPECT_EQ(pool->missing(), "beta");
}

TEST_F(Pools, AgentsOfVersionsWithoutTlsAreToldToUpdate) {
    open(JoinOptions::Way::by_number, 2);
    FileDescriptor old = stranger(
        encode_frame({FrameKind::hello, R"({"nonce":"00","protocol":2,"rendezvous":"run","version":"0.1.0"})"}));
    FrameReader reader;
    std::optional<Frame> answer;
    EXPECT_TRUE(until([&] {
        char buffer[4096];
        const ssize_t n = ::recv(old.get(), buffer, sizeof buffer, MSG_DONTWAIT);
        if (n > 0)
            reader.feed({buffer, static_cast<std::size_t>(n)});
        answer = answer ? answer : reader.next();
        return n == 0;
    }));
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->kind, FrameKind::refusal);
    const Refusal refusal = parse_refusal(answer->payload);
    EXPECT_TRUE(refusal.final);
    EXPECT_THAT(refusal.reason,
                says("the head of the run is Trainyard {}, which requires TLS: install the same version "
                     "on both",
                     StartsWith(TRAINYARD_VERSION)));
    EXPECT_THAT(notes, Contains(says("{} was turned away: its Trainyard does not use TLS, this is {}: install the same "
                                     "version on both",
                                     _, StartsWith(TRAINYARD_VERSION))));
}

TEST_F(Pools, LargeMessagesPassInBothDirections) {
    Player& agent = running();
    const std::string line(3u << 20, 'x');
    machine->send(2, line);
    agent.report(RankSaid{3, 2, line});
    std::uint64_t number = 0;
    ASSERT_TRUE(until(
        [&] {
            agent.beat(++number);  // a slow processor takes longer than the lease
            return agent.orders.size() == 3 && !heard.events.empty();
        },
        20));
    ASSERT_EQ(heard.events.size(), 1u);
    EXPECT_TRUE(std::get<SendOrder>(agent.orders[2]).line == line);
    EXPECT_TRUE(heard.events[0] == "2 said " + line);
}

TEST_F(Pools, ManySilentConnectionsDoNotKeepAgentsOut) {
    open(JoinOptions::Way::by_number, 2, 0.3);
    std::vector<FileDescriptor> silent;
    Message error;
    for (int i = 0; i < 200; ++i)
        silent.push_back(begin_connecting("127.0.0.1", pool->port(), error));
    ASSERT_TRUE(until([&] { return !notes.empty(); }));
    EXPECT_THAT(notes, Contains(says("{} was turned away: {} connections are waiting already", _, _)));
    // An agent comes again and again; the silent ones have their time only.
    double end = monotonic_seconds() + 5;
    for (bool in = false; !in && monotonic_seconds() < end;) {
        Player& agent = player(1, 1, "the same");
        in = until([&] { return agent.accepted(); }, 0.2);
    }
    EXPECT_TRUE(players.back()->accepted());
}

TEST_F(Pools, AMachineDoesWhatIsOrderedAndTells) {
    Player& agent = running();
    auto start = std::get<MachineOrder>(agent.orders[1]);
    EXPECT_EQ(start.generation, 3);
    EXPECT_EQ(start.ranks.at(0).environment.at("RANK"), "2");
    EXPECT_FALSE(machine->all_ended());
    agent.report(RankStarted{3, 2, {77, 88}});
    agent.report(RankSaid{3, 2, "{}"});
    agent.report(RankSaid{2, 2, "of an older generation"});
    agent.report(RankSaid{3, 9, "of a rank that is not its own"});
    agent.output(3, 2, "text");
    agent.output(2, 2, "old text");
    machine->send(2, "line");
    machine->signal(SIGUSR1);
    agent.report(RankEnded{3, 2, 256, ""});
    ASSERT_TRUE(until([&] { return heard.events.size() == 4 && agent.orders.size() == 4; }));
    EXPECT_EQ(heard.events, (std::vector<std::string>{"started 2", "2 said {}", "2 wrote text", "2 ended 256"}));
    EXPECT_TRUE(machine->all_ended());
    EXPECT_EQ(std::get<SendOrder>(agent.orders[2]).line, "line");
    EXPECT_EQ(std::get<SignalOrder>(agent.orders[3]).number, SIGUSR1);
    pool->over(75, "stopped");
    agent.play();
    ASSERT_EQ(agent.orders.size(), 5u);
    EXPECT_EQ(std::get<RunOver>(agent.orders[4]).code, 75);
}

TEST_F(Pools, SilenceForALeaseLosesAMachineAndHeartbeatsKeepIt) {
    Player& agent = running();
    std::uint64_t number = 0;
    double begin = monotonic_seconds(), beaten = 0;
    ASSERT_TRUE(until([&] {
        if (monotonic_seconds() - beaten > 0.1) {
            agent.beat(++number);
            beaten = monotonic_seconds();
        }
        return monotonic_seconds() - begin > 1.5;
    }));
    EXPECT_TRUE(heard.events.empty()) << heard.events.front();
    EXPECT_GT(agent.acknowledged, 5u);
    double silent_since = monotonic_seconds();
    ASSERT_TRUE(until([&] { return !heard.events.empty(); }));
    EXPECT_GE(monotonic_seconds() - silent_since, 0.3);
    EXPECT_THAT(heard.events[0], HasSubstr("lost beta: no contact with beta"));
    EXPECT_TRUE(machine->all_ended());
    EXPECT_TRUE(until([&] { return agent.closed(); }));
    pool->open();
    EXPECT_EQ(pool->participants().size(), 1u);
    EXPECT_EQ(pool->missing(), "beta");
}

TEST_F(Pools, AnAgentThatComesBackTakesItsOwnPlaceInTheNextGeneration) {
    Player& agent = running();
    agent.hang_up();
    ASSERT_TRUE(until([&] { return !heard.events.empty(); }));
    EXPECT_THAT(heard.events[0], HasSubstr("lost beta"));
    Player& back = player(1, 3, "agent0");
    ASSERT_TRUE(until([&] { return back.accepted(); }));
    EXPECT_EQ(pool->waiting(), 1);
    std::vector<Participant> participants = pool->participants();
    ASSERT_EQ(participants.size(), 2u);
    EXPECT_EQ(participants[1].machine, machine) << "machines stay valid";
    EXPECT_EQ(participants[1].ranks, 3);
    back.report(RankSaid{3, 2, "of the generation that was lost"});
    until([] { return false; }, 0.1);
    EXPECT_EQ(heard.events.size(), 1u);
}

TEST_F(Pools, SlowLinksAndPreemptionAreTold) {
    Player& agent = running();
    for (std::uint64_t number = 1; number < 8; ++number) {
        agent.beat(number, 1.5);
        until([&] { return agent.acknowledged >= number; }, 1);
    }
    agent.report(Preempted{"SIGTERM"});
    ASSERT_TRUE(until([&] { return heard.events.size() >= 2; }));
    EXPECT_THAT(
        heard.events[0],
        says("the link to {} ({}) is slow: a heartbeat takes {} there and back; training waits for it at every step",
             "beta", "127.0.0.1", StartsWith("1.50 s"))
            .after("warned "));
    EXPECT_EQ(heard.events[1], "preempted beta");
    EXPECT_EQ(heard.events.size(), 2u) << "one warning is enough";
}

TEST_F(Pools, TheOutputOfALoudMachineDoesNotGrowInMemory) {
    Player& agent = running();
    std::size_t taken = 0;
    std::string part(kLongestOutput, 'x');
    for (int i = 0; i < 2000; ++i) {
        agent.output(3, 2, part);
        if (i % 16 == 0) {
            until([] { return true; });
            agent.play();
            pool->take();
            machine->take(heard);
            for (const std::string& event : heard.events)
                taken += event.size();
            heard.events.clear();
        }
    }
    agent.beat(1);
    EXPECT_TRUE(until([&] { return agent.acknowledged == 1; })) << "heartbeats get through";
    EXPECT_GT(taken, 0u);
}

TEST_F(Pools, TheListenerIsBoundToItsAddressAndABusyPortIsNamed) {
    open(JoinOptions::Way::by_number, 2);
    ListenerOptions same;
    same.port = pool->port();
    same.rendezvous = "x";
    same.secret = Secret("s");
    AgentListener second(same);
    try {
        second.open();
        FAIL();
    } catch (const UserError& error) {
        EXPECT_THAT(error.what(),
                    says("port {} of {} is in use by another program: give another one, or 0 for a free one",
                         std::to_string(pool->port()), "127.0.0.1"));
    }
    Message problem;
    FileDescriptor elsewhere = begin_connecting("127.0.0.2", pool->port(), problem);
    if (elsewhere) {
        AgentConnection knock(std::move(elsewhere), "head",
                              SecureChannel(SecureChannel::Role::client, Secret("secret"), "run"));
        EXPECT_TRUE(until([&] {
            knock.exchange();
            return knock.broken();
        }));
        EXPECT_TRUE(knock.was_refused());
    } else {
        EXPECT_THAT(problem, HasSubstr("refused"));
    }
}

}  // namespace
