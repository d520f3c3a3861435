// What a machine can be sent over the network, and what a rank can say, changed at random (support/byte_fuzz.h): frames before and after the
// handshake, in any cuts, and every message. It is taken or refused with the error that ends the connection; nothing else happens.

#include <cstdio>
#include <cstdlib>
#include <functional>

#include "base/error.h"
#include "launch/supervisor/agent_messages.h"
#include "launch/supervisor/agent_order.h"
#include "launch/supervisor/agent_wire.h"
#include "launch/supervisor/messages.h"
#include "support/byte_fuzz.h"

namespace {

using namespace trainyard;
using namespace trainyard::launch;

const Digest kKey = hmac_sha256("secret", "key");

/// Frames of a direction until the rules are broken, and how it ended.
std::vector<std::string> frames_of(std::string_view bytes, bool keyed, std::size_t cut) {
    FrameReader reader;
    if (keyed)
        reader.use_key(kKey);
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

void read_messages(std::string_view text) {
    std::string_view rest;
    const std::function<void()> readers[] = {
        [&] { static_cast<void>(parse_hello(text)); },
        [&] { static_cast<void>(parse_challenge(text)); },
        [&] { static_cast<void>(parse_proof(text)); },
        [&] { static_cast<void>(parse_refusal(text)); },
        // What is taken must be possible to say again.
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
    for (bool keyed : {false, true})
        if (frames_of(bytes, keyed, size) != frames_of(bytes, keyed, size / 3)) {
            std::fprintf(stderr, "frames depend on how the bytes arrive\n");
            std::abort();
        }
    FrameWriter writer;
    writer.use_key(kKey);
    std::string sealed = writer.bytes_of({FrameKind::message, std::string(bytes)});
    if (size + 64 < kLongestFrame && frames_of(sealed, true, sealed.size() / 2).size() != 2) {
        std::fprintf(stderr, "a sealed frame was not taken\n");
        std::abort();
    }
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
    FrameWriter open, keyed;
    keyed.use_key(kKey);
    std::vector<std::string> seeds{
        to_json(Hello{1, "0.1.0", "run", to_hex(std::string(32, 'n'))}),
        to_json(Challenge{"0.1.0", to_hex(std::string(32, 'm'))}),
        proof_json(kKey),
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
        open.bytes_of({FrameKind::hello, "{}"}) + open.bytes_of({FrameKind::proof, "{}"}),
        keyed.bytes_of({FrameKind::message, "{}"}) + keyed.bytes_of({FrameKind::output, "x"}),
    };
    return test::fuzz(seeds, [](std::string&) {});
}

#endif
