// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/supervisor/network_interface.h"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>

namespace trainyard::launch {

namespace {

struct Network {
    std::uint32_t base;
    int bits;
};
constexpr std::array<Network, 8> kNotPublic{{{0x7f000000, 8},
                                             {0xc6120000, 15},
                                             {0x0a000000, 8},
                                             {0xac100000, 12},
                                             {0xc0a80000, 16},
                                             {0xa9fe0000, 16},
                                             {0x64400000, 10},
                                             {0x00000000, 8}}};

bool is_private_v4(std::uint32_t address) {
    for (const Network& network : kNotPublic)
        if (address >> (32 - network.bits) == network.base >> (32 - network.bits))
            return true;
    return false;
}

std::string address_text(const sockaddr* place) {
    char text[INET6_ADDRSTRLEN] = {};
    if (place->sa_family == AF_INET)
        ::inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in*>(place)->sin_addr, text, sizeof text);
    else if (place->sa_family == AF_INET6)
        ::inet_ntop(AF_INET6, &reinterpret_cast<const sockaddr_in6*>(place)->sin6_addr, text, sizeof text);
    return text;
}

}  // namespace

std::string interface_with(const std::string& address) {
    ifaddrs* all = nullptr;
    if (::getifaddrs(&all) != 0)
        return {};
    std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> owner(all, &::freeifaddrs);
    for (const ifaddrs* one = all; one != nullptr; one = one->ifa_next)
        if (one->ifa_addr != nullptr && address_text(one->ifa_addr) == address)
            return (one->ifa_flags & IFF_LOOPBACK) != 0 ? "" : one->ifa_name;
    return {};
}

std::span<const char* const> interface_variable_names() {
    static constexpr std::array kNames{"GLOO_SOCKET_IFNAME", "NCCL_SOCKET_IFNAME", "TP_SOCKET_IFNAME"};
    return kNames;
}

std::map<std::string, std::string> interface_variables(const std::string& address) {
    std::map<std::string, std::string> variables;
    std::string name = interface_with(address);
    if (name.empty())
        return variables;
    for (const char* variable : interface_variable_names())
        if (std::getenv(variable) == nullptr)
            variables[variable] = name;
    return variables;
}

bool is_public_address(const std::string& address) {
    in_addr four{};
    if (::inet_pton(AF_INET, address.c_str(), &four) == 1)
        return !is_private_v4(ntohl(four.s_addr));
    in6_addr six{};
    if (::inet_pton(AF_INET6, address.c_str(), &six) != 1)
        return false;
    if (IN6_IS_ADDR_LOOPBACK(&six) || IN6_IS_ADDR_UNSPECIFIED(&six) || IN6_IS_ADDR_LINKLOCAL(&six) ||
        (six.s6_addr[0] & 0xfe) == 0xfc)
        return false;
    if (IN6_IS_ADDR_V4MAPPED(&six)) {
        std::memcpy(&four, six.s6_addr + 12, sizeof four);
        return !is_private_v4(ntohl(four.s_addr));
    }
    return true;
}

}  // namespace trainyard::launch
