// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/supervisor/agent_messages.h"

#include "base/error.h"
#include "base/fields.h"
#include "launch/supervisor/agent_wire.h"

namespace trainyard::launch {

namespace {

constexpr std::size_t kOutputHeaderBytes = 9;

/// Whatever is wrong in the text becomes one WireError.
template <typename Sent>
Sent message_in(std::string_view text) {
    const fields::Json json = read_json(text);
    if (!json.is_object())
        throw WireError("it sent a message that is not a JSON object");
    Sent message;
    fields::Reading in;
    fields::read(in, json, message);
    if (!in.problems().empty())
        throw WireError(Message("it sent a message that is refused: {}", problem_text(in.problems().front())));
    return message;
}

}  // namespace

std::string to_json(const Hello& hello) {
    return fields::to_text(hello);
}

Hello parse_hello(std::string_view json) {
    return message_in<Hello>(json);
}

std::string to_json(const Refusal& refusal) {
    return fields::to_text(refusal);
}

Refusal parse_refusal(std::string_view json) {
    return message_in<Refusal>(json);
}

std::string to_json(const AgentReport& report) {
    return fields::to_text(report);
}

std::string to_json(const HeadOrder& order) {
    return fields::to_text(order);
}

AgentReport parse_report(std::string_view json) {
    return message_in<AgentReport>(json);
}

HeadOrder parse_order(std::string_view json) {
    return message_in<HeadOrder>(json);
}

std::string to_json(const LinkHeartbeat& heartbeat) {
    return fields::to_text(heartbeat);
}

LinkHeartbeat parse_heartbeat(std::string_view json) {
    return message_in<LinkHeartbeat>(json);
}

std::string output_payload(const OutputHeader& header, std::string_view bytes) {
    std::string payload;
    for (int number : {header.generation, header.rank})
        for (int shift = 24; shift >= 0; shift -= 8)
            payload.push_back(static_cast<char>((number >> shift) & 0xff));
    payload.push_back(header.standard_error ? 1 : 0);
    payload += bytes;
    return payload;
}

OutputHeader parse_output(std::string_view payload, std::string_view& bytes) {
    if (payload.size() < kOutputHeaderBytes)
        throw WireError("it sent output of no rank");
    auto number = [&](std::size_t at) {
        std::uint32_t value = 0;
        for (std::size_t i = 0; i < 4; ++i)
            value = value << 8 | static_cast<unsigned char>(payload[at + i]);
        return static_cast<int>(value & 0x7fffffff);
    };
    bytes = payload.substr(kOutputHeaderBytes);
    return {number(0), number(4), payload[8] != 0};
}

}  // namespace trainyard::launch
