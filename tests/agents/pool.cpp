// Who is let into a run and who is not, and what becomes of a machine that falls silent: a pool with agents that are played by the test.

#include <csignal>
#include <thread>

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
    Player(int port, JoinRequest request, std::string secret = "secret", std::string version = TRAINYARD_VERSION,
           std::string rendezvous = "run")
        : request_(std::move(request)), secret_(std::move(secret)) {
        Message error;
        connection_ = std::make_unique<AgentConnection>(begin_connecting("127.0.0.1", port, error), "head");
        said_ = {rendezvous, version, {}, random_bytes(32), {}};
        connection_->send(FrameKind::hello, to_json(Hello{kAgentProtocol, version, rendezvous, said_.agent_nonce}));
    }

    void play() {
        if (!connection_)
            return;
        connection_->exchange();
        while (auto frame = connection_->next()) {
            if (frame->kind == FrameKind::challenge) {
                Challenge challenge = parse_challenge(frame->payload);
                said_.head_version = challenge.version;
                said_.head_nonce = challenge.nonce;
                connection_->send(FrameKind::proof, proof_json(proof_of(Side::agent, secret_, said_)));
            } else if (frame->kind == FrameKind::proof) {
                proved = parse_proof(frame->payload) == bytes_of(proof_of(Side::head, secret_, said_));
                connection_->use_keys(frame_key(Side::agent, secret_, said_), frame_key(Side::head, secret_, said_));
                report(request_);
            } else if (frame->kind == FrameKind::refusal) {
                refusal = parse_refusal(frame->payload).reason;
            } else if (frame->kind == FrameKind::heartbeat) {
                acknowledged = parse_heartbeat(frame->payload).acknowledged;
            } else if (frame->kind == FrameKind::message) {
                orders.push_back(parse_order(frame->payload));
            }
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

    std::vector<HeadOrder> orders;
    std::string refusal;
    bool proved = false;
    std::uint64_t acknowledged = 0;

  private:
    JoinRequest request_;
    Secret secret_;
    Transcript said_;
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
    EXPECT_TRUE(last.proved);
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
    ASSERT_TRUE(
        until([&] { return std::ranges::all_of(players, [](const auto& one) { return !one->refusal.empty(); }); }));
    EXPECT_THAT(players[0]->refusal, says("this machine was given another secret than the head of the run: set the "
                                          "same TRAINYARD_RUN_SECRET (or --rdzv_conf key=) on all machines"));
    EXPECT_THAT(players[1]->refusal, HasSubstr("install the same version on both"));
    EXPECT_THAT(players[2]->refusal,
                says("at {}:{} another run is waited for than '{}': check address, port and --rdzv_id", _, _, "other"));
    for (const auto& one : players)
        EXPECT_FALSE(one->accepted() || one->proved);
    EXPECT_THAT(notes, Contains(says("{} was turned away: it does not know the run's secret", _)));
    EXPECT_EQ(pool->participants().size(), 1u);
    EXPECT_TRUE(until([&] { return std::ranges::all_of(players, [](const auto& one) { return one->closed(); }); }));
}

TEST_F(Pools, StrangersAndSilentGuestsAreClosed) {
    open(JoinOptions::Way::by_number, 2, 0.3);
    std::vector<AgentConnection> strangers;
    for (const char* words : {"GET / HTTP/1.1\r\n\r\n", "\x00\x00\xff\xff....", ""}) {
        int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in place{};
        place.sin_family = AF_INET;
        place.sin_port = htons(static_cast<std::uint16_t>(pool->port()));
        ::inet_pton(AF_INET, "127.0.0.1", &place.sin_addr);
        ASSERT_EQ(::connect(fd, reinterpret_cast<sockaddr*>(&place), sizeof place), 0);
        ASSERT_GE(::send(fd, words, std::char_traits<char>::length(words), MSG_NOSIGNAL), 0);
        strangers.emplace_back(FileDescriptor(fd), "head");
    }
    EXPECT_TRUE(until([&] {
        return std::ranges::all_of(strangers, [](AgentConnection& one) {
            one.exchange();
            return one.broken();
        });
    }));
    Player& good = player(1);
    EXPECT_TRUE(until([&] { return good.accepted(); })) << "the listener goes on";
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
        AgentConnection knock(std::move(elsewhere), "head");
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
