// SPDX-License-Identifier: GPL-3.0-or-later
// Sockets where ranks meet.
#include "base/listen_socket.h"

#include <functional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "base/error.h"
#include "support/says.h"

using namespace trainyard;
using test::says;
using testing::EndsWith;

namespace {

std::string problem_of(const std::function<void()>& listen) {
    try {
        listen();
    } catch (const UserError& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST(ListenSocket, BindsOnlyTheAddressAndNamesAPortInUse) {
    int port = 0;
    const FileDescriptor socket = listen_on("127.0.0.1", port);
    EXPECT_GT(port, 0);
    sockaddr_in address{};
    socklen_t size = sizeof address;
    ASSERT_EQ(::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&address), &size), 0);
    EXPECT_EQ(address.sin_addr.s_addr, htonl(INADDR_LOOPBACK));
    EXPECT_EQ(ntohs(address.sin_port), port);
    EXPECT_THAT(problem_of([&] { listen_on("127.0.0.1", port); }),
                says("port {} of {} is in use by another program: give another one, or 0 for a free one",
                     std::to_string(port), "127.0.0.1"));
}

TEST(ListenSocket, SaysWhyAnAddressCannotBeHad) {
    int port = 0;
    EXPECT_THAT(
        problem_of([&] { listen_on("192.0.2.1", port); }),
        says("{} is not an address of this machine: give one of its own, or start this on the machine that has it",
             "192.0.2.1"))
        << "no address of this machine";
    port = 70000;
    EXPECT_THAT(problem_of([&] { listen_on("127.0.0.1", port); }),
                says("{} is not a port: give 1 to 65535, or 0 for a free one", EndsWith("70000")));
    port = 0;
    EXPECT_THAT(problem_of([&] { listen_on("no such name.invalid", port); }),
                test::says("the address '{}' is unknown: {}", "no such name.invalid", testing::_));
}

TEST(ListenSocket, AReservedPortIsInUseUntilItsReservationEnds) {
    int port = free_port("127.0.0.1");
    FileDescriptor reservation, second;
    FileDescriptor socket = listen_for_ranks("127.0.0.1", port, reservation);
    socket.close();  // as before the ranks of a program start, which listen themselves
    EXPECT_FALSE(reserve_port(port));
    EXPECT_THAT(problem_of([&] { listen_for_ranks("127.0.0.1", port, second); }),
                says("port {} of this machine is in use by another launch: give another one, or 0 for a free one",
                     std::to_string(port)));
    int other = 0;
    EXPECT_TRUE(listen_for_ranks("127.0.0.1", other, second));
    EXPECT_NE(other, port);
    reservation.close();
    EXPECT_TRUE(reserve_port(port));
}

TEST(ListenSocket, FreePortsCanBeHad) {
    int port = free_port("127.0.0.1");
    ASSERT_GT(port, 0);
    EXPECT_TRUE(listen_on("127.0.0.1", port));
}
