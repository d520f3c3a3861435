// Frames, the handshake's proofs and the messages, against peers that keep to nothing.

#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "launch/supervisor/agent_messages.h"
#include "launch/supervisor/agent_wire.h"
#include "launch/supervisor/network_interface.h"
#include "support/field_checks.h"

using namespace trainyard;
using namespace trainyard::launch;
using testing::HasSubstr;

namespace {

Digest key_of(const std::string& text) {
    return hmac_sha256(text, "key");
}

TEST(Secret, HmacIsThatOfTheStandard) {
    // RFC 4231, test cases 2 and 1.
    EXPECT_EQ(to_hex(bytes_of(hmac_sha256("Jefe", "what do ya want for nothing?"))),
              "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    EXPECT_EQ(to_hex(bytes_of(hmac_sha256(std::string(20, '\x0b'), "Hi There"))),
              "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
}

TEST(Secret, ProofsDifferWithEveryPartOfWhatWasSaid) {
    Secret secret("one");
    Transcript said{"run", "1", "1", "a", "b"};
    Digest proof = proof_of(Side::agent, secret, said);
    EXPECT_EQ(proof, proof_of(Side::agent, secret, said));
    EXPECT_NE(proof, proof_of(Side::head, secret, said));
    EXPECT_NE(proof, proof_of(Side::agent, Secret("two"), said));
    EXPECT_NE(proof, proof_of(Side::agent, secret, {"ru", "n1", "1", "a", "b"}));
    EXPECT_NE(proof, proof_of(Side::agent, secret, {"run", "1", "1", "ab", ""}));
    EXPECT_NE(frame_key(Side::agent, secret, said), frame_key(Side::head, secret, said));
    EXPECT_NE(frame_key(Side::agent, secret, said), proof);
}

TEST(Secret, EmptyAndEndlessOnesAreRefused) {
    EXPECT_THROW(Secret(""), UserError);
    EXPECT_THROW(Secret(std::string(1025, 'x')), UserError);
    EXPECT_EQ(Secret::random().text().size(), 64u);
    EXPECT_NE(Secret::random().text(), Secret::random().text());
}

TEST(Secret, HexadecimalGoesBothWays) {
    std::string bytes("\x00\xff\x10z", 4);
    EXPECT_EQ(from_hex(to_hex(bytes)), bytes);
    EXPECT_EQ(from_hex("abc"), "");
    EXPECT_EQ(from_hex("zz"), "");
}

TEST(Frames, ArriveWhateverTheCuts) {
    FrameWriter writer;
    FrameReader reader;
    std::string bytes = writer.bytes_of({FrameKind::hello, "one"});
    bytes += writer.bytes_of({FrameKind::challenge, ""});
    std::vector<Frame> frames;
    for (char byte : bytes) {
        reader.feed({&byte, 1});
        while (auto frame = reader.next())
            frames.push_back(*frame);
    }
    ASSERT_EQ(frames.size(), 2u);
    EXPECT_EQ(frames[0].payload, "one");
    EXPECT_EQ(frames[1].kind, FrameKind::challenge);
    EXPECT_EQ(frames[1].payload, "");
    EXPECT_EQ(reader.buffered(), 0u);
}

struct Sealed {
    FrameWriter writer;
    FrameReader reader;
    Sealed() {
        writer.use_key(key_of("k"));
        reader.use_key(key_of("k"));
    }
};

TEST(Frames, SealedOnesArriveInOrder) {
    Sealed both;
    for (int i = 0; i < 1000; ++i)
        both.reader.feed(both.writer.bytes_of({FrameKind::message, std::to_string(i)}));
    for (int i = 0; i < 1000; ++i) {
        auto frame = both.reader.next();
        ASSERT_TRUE(frame);
        EXPECT_EQ(frame->payload, std::to_string(i));
    }
    EXPECT_FALSE(both.reader.next());
}

TEST(Frames, EveryFlippedBitIsFound) {
    std::string good = Sealed().writer.bytes_of({FrameKind::message, "pay 1"});
    for (std::size_t bit = 0; bit < 8 * good.size(); ++bit) {
        Sealed both;
        std::string bad = good;
        bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << (bit % 8)));
        both.reader.feed(bad);
        // A longer length waits for bytes that do not come; everything else is refused.
        try {
            EXPECT_FALSE(both.reader.next()) << bit;
        } catch (const WireError&) {
        }
    }
}

TEST(Frames, RepeatedDroppedAndForeignOnesAreFound) {
    Sealed both;
    std::string first = both.writer.bytes_of({FrameKind::message, "a"});
    std::string second = both.writer.bytes_of({FrameKind::message, "b"});
    both.reader.feed(first);
    ASSERT_TRUE(both.reader.next());
    both.reader.feed(first);
    EXPECT_THROW(both.reader.next(), WireError);
    Sealed dropped;
    dropped.reader.feed(second);
    EXPECT_THROW(dropped.reader.next(), WireError);
    FrameReader other;
    other.use_key(key_of("another run"));
    other.feed(first);
    EXPECT_THROW(other.next(), WireError);
}

TEST(Frames, BeforeTheHandshakeLittleIsTaken) {
    FrameReader reader;
    reader.feed(FrameWriter().bytes_of({FrameKind::hello, std::string(kLongestHandshakeFrame, 'x')}));
    EXPECT_THROW(reader.next(), WireError);
    FrameReader early;
    early.feed(FrameWriter().bytes_of({FrameKind::message, "{}"}));
    EXPECT_THROW(early.next(), WireError);
    Sealed late;
    late.reader.feed(late.writer.bytes_of({FrameKind::hello, "{}"}));
    EXPECT_THROW(late.reader.next(), WireError);
    FrameReader http;
    http.feed("GET / HTTP/1.1\r\n");
    EXPECT_THROW(http.next(), WireError);
    FrameReader empty;
    empty.feed(std::string(4, '\0'));
    EXPECT_THROW(empty.next(), WireError);
}

/// Nothing that arrives makes the reader or the parsers do anything but answer or throw their own error.
TEST(Frames, NoiseIsRefused) {
    std::mt19937_64 random(7);
    std::vector<std::string> seeds{
        to_json(Hello{1, "0.1", "run", "nonce"}),
        to_json(Challenge{"0.1", "nonce"}),
        proof_json(key_of("p")),
        to_json(Refusal{"no", true}),
        to_json(AgentReport(JoinRequest{"a", "host", 1, 2})),
        to_json(AgentReport(RankStarted{1, 2, {3, 4}})),
        to_json(AgentReport(RankEnded{1, 2, 9, "why"})),
        to_json(AgentReport(RankSaid{1, 2, "line"})),
        to_json(HeadOrder(JoinAnswer{"run", "spec", true, 10, 1})),
        to_json(HeadOrder(MachineOrder{1, 0, {"a"}, {{"b", "c"}}, "d", true, false, {{0, 0, {}}}, -1})),
        to_json(HeadOrder(RunOver{1, "text"})),
        to_json(LinkHeartbeat{1, 2, 3, {{0, "stopped"}}}),
        output_payload({1, 2, true}, "bytes")};
    auto quietly = [](auto&& parse) {
        try {
            parse();
        } catch (const WireError&) {
        }
    };
    for (int round = 0; round < 4000; ++round) {
        std::string text = seeds[random() % seeds.size()];
        for (std::size_t changes = 1 + random() % 5; changes-- > 0 && !text.empty();) {
            std::size_t at = random() % text.size();
            if (random() % 3 == 0)
                text.erase(at, random() % 8);
            else if (random() % 2 == 0)
                text.insert(at, std::string(random() % 4, static_cast<char>(random())));
            else
                text[at] = static_cast<char>(random());
        }
        quietly([&] { parse_hello(text); });
        quietly([&] { parse_challenge(text); });
        quietly([&] { parse_proof(text); });
        quietly([&] { parse_refusal(text); });
        quietly([&] { parse_report(text); });
        quietly([&] { parse_order(text); });
        quietly([&] { parse_heartbeat(text); });
        quietly([&] {
            std::string_view bytes;
            parse_output(text, bytes);
        });
        FrameReader plain;
        plain.feed(text);
        quietly([&] {
            while (plain.next()) {
            }
        });
        Sealed both;
        both.reader.feed(both.writer.bytes_of({FrameKind::message, text}) + text);
        quietly([&] {
            while (both.reader.next()) {
            }
        });
    }
}

TEST(Messages, ComeBackAsTheyWere) {
    MachineOrder order{3, 1, {"a", "b c"}, {{"X", "y=z"}}, "/tmp", true, true, {{4, 0, {{"RANK", "4"}}}}, 7};
    auto back = std::get<MachineOrder>(parse_order(to_json(HeadOrder(order))));
    EXPECT_EQ(back.generation, 3);
    EXPECT_EQ(back.machine_rank, 1);
    EXPECT_EQ(back.command, order.command);
    EXPECT_EQ(back.environment, order.environment);
    EXPECT_EQ(back.directory, order.directory);
    EXPECT_TRUE(back.share_cores && back.cpu_affinity);
    ASSERT_EQ(back.ranks.size(), 1u);
    EXPECT_EQ(back.ranks[0].environment.at("RANK"), "4");
    EXPECT_EQ(back.store_socket, -1) << "a descriptor means nothing elsewhere";
    std::string_view bytes;
    std::string payload = output_payload({70000, 3, true}, std::string_view("a\0b", 3));
    OutputHeader header = parse_output(payload, bytes);
    EXPECT_EQ(header.generation, 70000);
    EXPECT_EQ(header.rank, 3);
    EXPECT_TRUE(header.standard_error);
    EXPECT_EQ(bytes, std::string_view("a\0b", 3));
    auto said = std::get<RankSaid>(parse_report(to_json(AgentReport(RankSaid{1, 0, "not \xff utf-8"}))));
    EXPECT_THAT(said.line, HasSubstr("not "));
}

TEST(Messages, AreThoseOfEarlierVersionsByteForByte) {
    EXPECT_EQ(to_json(Hello{1, "0.1", "run", "nonce"}),
              R"({"nonce":"6e6f6e6365","protocol":1,"rendezvous":"run","version":"0.1"})");
    EXPECT_EQ(to_json(Challenge{"0.1", "nonce"}), R"({"nonce":"6e6f6e6365","version":"0.1"})");
    EXPECT_EQ(proof_json(hmac_sha256("a", "b")),
              R"({"proof":"08de329931e295683776aa9a43529bd0b275286df3160300c49ba4e841833013"})");
    EXPECT_EQ(to_json(Refusal{"no", true}), R"({"final":true,"reason":"no","reason_message":{"form":"no"}})");
    EXPECT_EQ(to_json(AgentReport(JoinRequest{"a", "host", 1, 2})),
              R"({"agent":"a","host":"host","kind":"join","machine_rank":1,"ranks":2})");
    EXPECT_EQ(to_json(AgentReport(RankStarted{1, 2, {3, 4}})),
              R"({"generation":1,"kind":"started","pid":3,"rank":2,"start_time":4})");
    EXPECT_EQ(to_json(AgentReport(RankEnded{1, 2, 9, "why"})),
              R"({"generation":1,"kind":"ended","rank":2,"reason":"why","reason_message":{"form":"why"},"status":9})");
    EXPECT_EQ(to_json(AgentReport(RankSaid{1, 2, "line \xff"})),
              R"({"generation":1,"kind":"said","line":"line �","rank":2})");
    EXPECT_EQ(to_json(AgentReport(StartFailed{1, "no"})),
              R"({"generation":1,"kind":"failed","reason":"no","reason_message":{"form":"no"}})");
    EXPECT_EQ(to_json(AgentReport(Preempted{"asked"})),
              R"({"kind":"preempted","reason":"asked","reason_message":{"form":"asked"}})");
    EXPECT_EQ(to_json(HeadOrder(JoinAnswer{"run", "spec: 1\n", true, 10, 0.1})),
              R"({"heartbeat_s":0.1,"kind":"accepted","lease_s":10.0,"recipe":true,"run_id":"run","spec":"spec: )"
              R"(1\n"})");
    EXPECT_EQ(to_json(HeadOrder(MachineOrder{
                  1, 0, {"a"}, {{"b", "c"}}, "d", true, false, {{0, 0, {{"RANK", "0"}}}, {1, 1, {}}}, -1})),
              R"({"command":["a"],"cpu_affinity":false,"directory":"d","environment":{"b":"c"},"generation":1,)"
              R"("kind":"start","machine_rank":0,"ranks":[{"environment":{"RANK":"0"},"local_rank":0,"rank":0},)"
              R"({"environment":{},"local_rank":1,"rank":1}],"share_cores":true})");
    EXPECT_EQ(to_json(HeadOrder(SendOrder{1, "{}"})), R"({"kind":"send","line":"{}","rank":1})");
    EXPECT_EQ(to_json(HeadOrder(SignalOrder{15})), R"({"kind":"signal","number":15})");
    EXPECT_EQ(to_json(HeadOrder(RunOver{1, "text"})),
              R"({"code":1,"kind":"over","text":"text","text_message":{"form":"text"}})");
    EXPECT_EQ(to_json(LinkHeartbeat{1, 2, 0, {}}), R"({"ack":2,"n":1})");
    EXPECT_EQ(to_json(LinkHeartbeat{1, 2, 3, {{0, "stopped"}, {2, "x"}}}),
              R"({"ack":2,"conditions":[{"rank":0,"text":"stopped","text_message":{"form":"stopped"}},)"
              R"({"rank":2,"text":"x","text_message":{"form":"x"}}],"n":1,"round_trip_s":3.0})");
}

TEST(Messages, EveryFieldSurvivesAndIsChecked) {
    test::check_described<Hello, Challenge, Refusal, JoinRequest, RankStarted, RankEnded, RankSaid, StartFailed,
                          Preempted, JoinAnswer, MachineOrder, SendOrder, SignalOrder, RunOver, LinkHeartbeat>();
}

TEST(Messages, NumbersOutOfRangeAreRefused) {
    EXPECT_THROW(parse_report(R"({"kind":"join","agent":"a","host":"h","machine_rank":0,"ranks":0})"), WireError);
    EXPECT_THROW(parse_report(R"({"kind":"join","agent":"a","host":"h","machine_rank":0,"ranks":1000000})"), WireError);
    EXPECT_THROW(parse_report(R"({"kind":"ended","generation":1,"rank":-1,"status":0,"reason":""})"), WireError);
    EXPECT_THROW(parse_order(R"({"kind":"signal","number":0})"), WireError);
    EXPECT_THROW(
        parse_order(R"({"kind":"accepted","run_id":"r","spec":"","recipe":true,"lease_s":-1,"heartbeat_s":1})"),
        WireError);
    EXPECT_THROW(parse_order(R"({"kind":"dance"})"), WireError);
    EXPECT_THROW(parse_order(std::string(100000, '[')), WireError);
}

TEST(Addresses, PublicOnesAreKnown) {
    for (const char* address : {"127.0.0.1", "10.1.2.3", "172.16.0.1", "172.31.255.1", "192.168.1.1", "169.254.0.1",
                                "100.64.0.1", "::1", "fe80::1", "fd00::1", "::ffff:10.0.0.1", "not an address"})
        EXPECT_FALSE(is_public_address(address)) << address;
    for (const char* address : {"8.8.8.8", "172.32.0.1", "100.128.0.1", "2001:db8::1", "::ffff:8.8.8.8"})
        EXPECT_TRUE(is_public_address(address)) << address;
    EXPECT_EQ(interface_with("127.0.0.1"), "") << "the loopback interface is what libraries take anyway";
    EXPECT_EQ(interface_with("203.0.113.77"), "");
}

}  // namespace
