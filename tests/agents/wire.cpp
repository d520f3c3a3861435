// SPDX-License-Identifier: GPL-3.0-or-later
// Frames and messages, with peers that do not follow the protocol. secure_channel.cpp tests the encryption.

#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/hex.h"
#include "launch/supervisor/agent_messages.h"
#include "launch/supervisor/agent_wire.h"
#include "launch/supervisor/network_interface.h"
#include "support/field_checks.h"

using namespace trainyard;
using namespace trainyard::launch;
using testing::HasSubstr;

namespace {

TEST(Secret, EmptyAndEndlessOnesAreRefused) {
    EXPECT_THROW(Secret(""), UserError);
    EXPECT_THROW(Secret(std::string(1025, 'x')), UserError);
    EXPECT_EQ(Secret::random().text().size(), 64u);
    EXPECT_NE(Secret::random().text(), Secret::random().text());
}

TEST(Secret, HexadecimalDigitsAreLowerCase) {
    EXPECT_EQ(to_hex(std::string("\x00\xff\x10z", 4)), "00ff107a");
}

TEST(Frames, ArriveWhateverTheCuts) {
    FrameReader reader;
    const std::string bytes = encode_frame({FrameKind::hello, "one"}) + encode_frame({FrameKind::heartbeat, ""});
    std::vector<Frame> frames;
    for (char byte : bytes) {
        reader.feed({&byte, 1});
        while (auto frame = reader.next())
            frames.push_back(*frame);
    }
    ASSERT_EQ(frames.size(), 2u);
    EXPECT_EQ(frames[0].kind, FrameKind::hello);
    EXPECT_EQ(frames[0].payload, "one");
    EXPECT_EQ(frames[1].kind, FrameKind::heartbeat);
    EXPECT_EQ(frames[1].payload, "");
    EXPECT_EQ(reader.buffered(), 0u);
}

TEST(Frames, ArriveInOrderUpToTheLargest) {
    FrameReader reader;
    for (int i = 0; i < 1000; ++i)
        reader.feed(encode_frame({FrameKind::message, std::to_string(i)}));
    reader.feed(encode_frame({FrameKind::output, std::string(kLongestFrame - 1, 'x')}));
    for (int i = 0; i < 1000; ++i) {
        auto frame = reader.next();
        ASSERT_TRUE(frame);
        EXPECT_EQ(frame->payload, std::to_string(i));
    }
    auto largest = reader.next();
    ASSERT_TRUE(largest);
    EXPECT_EQ(largest->payload.size(), kLongestFrame - 1);
    EXPECT_FALSE(reader.next());
}

TEST(Frames, SizesAndKindsThatDoNotExistAreRefused) {
    FrameReader long_one;
    long_one.feed(encode_frame({FrameKind::output, std::string(kLongestFrame, 'x')}).substr(0, 4));
    EXPECT_THROW(long_one.next(), WireError) << "before the payload has arrived";
    FrameReader empty;
    empty.feed(std::string(4, '\0'));
    EXPECT_THROW(empty.next(), WireError);
    for (const int kind : {0, 2, 3, 5, 20, 255}) {
        FrameReader unknown;
        unknown.feed(encode_frame({static_cast<FrameKind>(kind), "{}"}));
        EXPECT_THROW(unknown.next(), WireError) << kind;
    }
}

/// Nothing that arrives makes the reader or the parsers do anything but answer or throw their own error.
TEST(Frames, NoiseIsRefused) {
    std::mt19937_64 random(7);
    std::vector<std::string> seeds{
        to_json(Hello{1, "0.1"}),
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
        quietly([&] { parse_refusal(text); });
        quietly([&] { parse_report(text); });
        quietly([&] { parse_order(text); });
        quietly([&] { parse_heartbeat(text); });
        quietly([&] {
            std::string_view bytes;
            parse_output(text, bytes);
        });
        FrameReader reader;
        reader.feed(encode_frame({FrameKind::message, text}) + text);
        quietly([&] {
            while (reader.next()) {
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

TEST(Messages, KeepTheirFormByteForByte) {
    EXPECT_EQ(to_json(Hello{1, "0.1"}), R"({"protocol":1,"version":"0.1"})");
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
    test::check_described<Hello, Refusal, JoinRequest, RankStarted, RankEnded, RankSaid, StartFailed, Preempted,
                          JoinAnswer, MachineOrder, SendOrder, SignalOrder, RunOver, LinkHeartbeat>();
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
