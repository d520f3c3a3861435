// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/agent_keys.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/error.h"
#include "base/system_call.h"
#include "remote/agent_socket.h"

namespace trainyard::remote {

namespace {

constexpr std::size_t kLargestAnswer = 1u << 20;
constexpr char kIdentitiesAnswer = 12;
constexpr double kPatience = 5;  // seconds: listing keys needs no user action

std::uint32_t number_at(std::string_view bytes, std::size_t at) {
    std::uint32_t number = 0;
    for (std::size_t i = 0; i < 4; ++i)
        number = number << 8 | static_cast<unsigned char>(bytes[at + i]);
    return number;
}

}  // namespace

std::string wire_text(std::string_view text) {
    auto size = static_cast<std::uint32_t>(text.size());
    std::string bytes{static_cast<char>(size >> 24), static_cast<char>(size >> 16), static_cast<char>(size >> 8),
                      static_cast<char>(size)};
    return bytes.append(text);
}

std::optional<std::string_view> take_wire_text(std::string_view& bytes) {
    if (bytes.size() < 4)
        return std::nullopt;
    std::size_t size = number_at(bytes, 0);
    if (size > bytes.size() - 4)
        return std::nullopt;
    std::string_view text = bytes.substr(4, size);
    bytes.remove_prefix(4 + size);
    return text;
}

std::string agent_socket(const std::string& identity_agent) {
    if (identity_agent == "none")
        return {};
    if (!identity_agent.empty())
        return identity_agent;
    const char* socket = std::getenv("SSH_AUTH_SOCK");
    return socket != nullptr ? socket : "";
}

FileDescriptor connect_agent(const std::string& identity_agent) {
    std::string path = agent_socket(identity_agent);
    if (path.empty())
        throw UserError(identity_agent == "none" ? Message("no agent is used (IdentityAgent none)")
                                                 : Message("there is no agent: SSH_AUTH_SOCK is not set"));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof address.sun_path)
        throw UserError("the agent's socket {} has too long a path", path);
    std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
    FileDescriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (!socket || ::connect(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
        throw UserError("the agent at {} does not answer: {}", path, system_message(errno));
    return socket;
}

std::optional<std::string> read_agent_message(int socket, double seconds, int wake) {
    std::string bytes;
    std::size_t wanted = 4;
    while (bytes.size() < wanted) {
        pollfd events[2] = {{socket, POLLIN, 0}, {wake, POLLIN, 0}};
        const int milliseconds = seconds < 0 ? -1 : static_cast<int>(seconds * 1000);
        const int ready = retry_interrupted([&] { return ::poll(events, 2, milliseconds); });
        if (ready <= 0 || events[1].revents != 0)
            return std::nullopt;
        char buffer[4096];
        ssize_t size = ::recv(socket, buffer, std::min(sizeof buffer, wanted - bytes.size()), 0);
        if (size <= 0)
            return std::nullopt;
        bytes.append(buffer, static_cast<std::size_t>(size));
        if (bytes.size() == 4) {
            wanted = 4 + std::size_t{number_at(bytes, 0)};
            if (wanted == 4 || wanted > kLargestAnswer)
                return std::nullopt;
        }
    }
    return bytes.substr(4);
}

std::string identities_answer(const std::vector<AgentKey>& keys) {
    std::string answer(1, kIdentitiesAnswer);
    auto count = static_cast<std::uint32_t>(keys.size());
    for (int shift = 24; shift >= 0; shift -= 8)
        answer += static_cast<char>(count >> shift);
    for (const AgentKey& key : keys)
        answer += wire_text(base64_decode(key.key.blob)) + wire_text(key.comment);
    return answer;
}

std::vector<AgentKey> agent_keys(const std::string& identity_agent) {
    FileDescriptor socket = connect_agent(identity_agent);
    std::optional<std::string> answer;
    if (send_all(socket.get(), wire_text(std::string(1, kRequestIdentities))))
        answer = read_agent_message(socket.get(), kPatience, -1);
    if (!answer || answer->size() < 5 || answer->front() != kIdentitiesAnswer)
        throw UserError("the agent at {} does not list its keys: is it locked?", agent_socket(identity_agent));
    std::uint32_t count = number_at(*answer, 1);
    std::string_view rest = std::string_view(*answer).substr(5);
    std::vector<AgentKey> keys;
    for (std::uint32_t i = 0; i < count; ++i) {
        std::optional<std::string_view> blob = take_wire_text(rest), comment = take_wire_text(rest);
        std::string_view fields = blob.value_or(std::string_view());
        std::optional<std::string_view> type = take_wire_text(fields);
        if (!blob || !comment || !type)
            break;
        keys.push_back({{std::string(*type), base64_encode(*blob)}, std::string(*comment)});
    }
    return keys;
}

}  // namespace trainyard::remote
