// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes that a machine can receive over the network or from a rank, changed at random (support/byte_fuzz.h): the TLS
// handshake, decrypted frames in any cuts, and every message. They are accepted, or refused with the error that ends
// the connection.

#include <cstdio>
#include <cstdlib>
#include <functional>

#include "base/error.h"
#include "launch/supervisor/agent_messages.h"
#include "launch/supervisor/agent_order.h"
#include "launch/supervisor/agent_wire.h"
#include "launch/supervisor/messages.h"
#include "launch/supervisor/secure_channel.h"
#include "support/byte_fuzz.h"

namespace {

using namespace trainyard;
using namespace trainyard::launch;

/// Frames of a direction up to the first one that breaks a rule, and how it ended.
std::vector<std::string> frames_of(std::string_view bytes, std::size_t cut) {
    FrameReader reader;
    std::vector<std::string> frames;
    try {
        for (std::string_view part : {bytes.substr(0, cut), bytes.substr(cut)}) {
            reader.feed(part);
            while (auto frame = reader.next())
                frames.push_back(static_cast<char>(frame->kind) + frame->payload);
        }
        frames.push_back("waits");
    } catch (const WireError&) {
        frames.push_back("refused");
    }
    return frames;
}

/// Bytes from a peer without the secret are never delivered as a message.
void shake_hands(SecureChannel::Role role, std::string_view bytes) {
    SecureChannel channel(role, Secret("secret"), "run");
    std::string plaintext;
    channel.receive(bytes.substr(0, bytes.size() / 3), plaintext);
    channel.receive(bytes.substr(bytes.size() / 3), plaintext);
    if (channel.established() || !plaintext.empty()) {
        std::fprintf(stderr, "a handshake without the secret succeeded\n");
        std::abort();
    }
}

void read_messages(std::string_view text) {
    std::string_view rest;
    const std::function<void()> readers[] = {
        [&] { static_cast<void>(parse_hello(text)); },
        [&] { static_cast<void>(parse_refusal(text)); },
        // An accepted message can be written again.
        [&] { static_cast<void>(parse_report(to_json(parse_report(text)))); },
        [&] { static_cast<void>(parse_order(to_json(parse_order(text)))); },
        [&] { static_cast<void>(parse_heartbeat(to_json(parse_heartbeat(text)))); },
        [&] { static_cast<void>(parse_output(text, rest)); },
        [&] { static_cast<void>(parse_supervise_order(text)); },
        [&] { static_cast<void>(parse_agent_order(text)); },
        [&] { static_cast<void>(parse_rank_message(std::string(text))); },
    };
    for (const auto& read : readers) {
        try {
            read();
        } catch (const WireError&) {
        } catch (const UserError&) {
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view bytes(reinterpret_cast<const char*>(data), size);
    if (frames_of(bytes, size) != frames_of(bytes, size / 3)) {
        std::fprintf(stderr, "frames depend on how the bytes arrive\n");
        std::abort();
    }
    const std::string frame = encode_frame({FrameKind::message, std::string(bytes)});
    if (size < kLongestFrame && frames_of(frame, frame.size() / 2).size() != 2) {
        std::fprintf(stderr, "a frame was not accepted\n");
        std::abort();
    }
    shake_hands(SecureChannel::Role::server, bytes);
    shake_hands(SecureChannel::Role::client, bytes);
    read_messages(bytes);
    return 0;
}

#if !defined(TRAINYARD_LIBFUZZER)

int main() {
    MachineOrder start;
    start.command = {"python", "train.py"};
    start.environment = {{"A", "b"}};
    start.ranks.resize(2);
    LinkHeartbeat heartbeat{3, 2, 0.5, {{1, "in the collective reduce"}}};
    SuperviseOrder supervise;
    supervise.spec = "version: 1\n";
    supervise.listen_address = "127.0.0.1";
    supervise.secret = Secret("a");
    AgentOrder agent;
    agent.rendezvous = "run";
    agent.secret = Secret("a");
    agent.head_address = "127.0.0.1";
    agent.head_port = 4000;
    agent.host = "b";
    SecureChannel client(SecureChannel::Role::client, Secret("secret"), "run"),
        server(SecureChannel::Role::server, Secret("secret"), "run");
    std::string plaintext;
    const std::string client_hello = client.take_outgoing();
    server.receive(client_hello, plaintext);
    std::vector<std::string> seeds{
        to_json(Hello{1, "0.1.0"}),
        to_json(Refusal{"full", true}),
        to_json(AgentReport(JoinRequest{"abc", "b", 1, 2})),
        to_json(AgentReport(RankStarted{1, 1, {}})),
        to_json(AgentReport(RankEnded{1, 1, 9, "memory"})),
        to_json(AgentReport(RankSaid{1, 1, R"({"kind":"heartbeat"})"})),
        to_json(AgentReport(StartFailed{1, "no such program"})),
        to_json(AgentReport(Preempted{"asked"})),
        to_json(HeadOrder(JoinAnswer{"run", "version: 1\n", true, 10, 1})),
        to_json(HeadOrder(start)),
        to_json(HeadOrder(SendOrder{1, "{}"})),
        to_json(HeadOrder(SignalOrder{15})),
        to_json(HeadOrder(RunOver{0, "done"})),
        to_json(heartbeat),
        output_payload({1, 1, true}, "Traceback\n"),
        to_json(supervise),
        to_json(agent),
        R"({"kind":"heartbeat","step":3,"phase":"forward","collective":"reduce","resident_bytes":4096})",
        R"({"kind":"progress","step":3,"steps":9,"samples":4,"tokens":5,"loss":1.5,"step_s":0.25})",
        R"({"kind":"failure","message":"no","step":3,"phase":"data","secondary":true})",
        encode_frame({FrameKind::hello, "{}"}) + encode_frame({FrameKind::message, "{}"}),
        client_hello,
        server.take_outgoing(),
    };
    return test::fuzz(seeds, [](std::string&) {});
}

#endif
