// Sockets where ranks meet.
#include "base/listen_socket.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

using namespace trainyard;
using testing::HasSubstr;

TEST(ListenSocket, BindsOnlyTheAddressAndNamesAPortInUse) {
    int port = 0;
    Message problem;
    const FileDescriptor socket = listen_on("127.0.0.1", port, problem);
    ASSERT_TRUE(socket) << problem;
    EXPECT_GT(port, 0);
    sockaddr_in address{};
    socklen_t size = sizeof address;
    ASSERT_EQ(::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&address), &size), 0);
    EXPECT_EQ(address.sin_addr.s_addr, htonl(INADDR_LOOPBACK));
    EXPECT_EQ(ntohs(address.sin_port), port);
    EXPECT_FALSE(listen_on("127.0.0.1", port, problem));
    EXPECT_THAT(problem, HasSubstr("port " + std::to_string(port) + " of 127.0.0.1 is in use by another program"));
}

TEST(ListenSocket, SaysWhyAnAddressCannotBeHad) {
    Message problem;
    int port = 0;
    EXPECT_FALSE(listen_on("192.0.2.1", port, problem)) << "no address of this machine";
    EXPECT_THAT(problem, HasSubstr("cannot listen on 192.0.2.1:0: "));
    port = 70000;
    EXPECT_FALSE(listen_on("127.0.0.1", port, problem));
    EXPECT_THAT(problem, HasSubstr("70000 is no port"));
    port = 0;
    EXPECT_FALSE(listen_on("no such name.invalid", port, problem));
    EXPECT_THAT(problem, HasSubstr("the address 'no such name.invalid' is unknown"));
}

TEST(ListenSocket, AReservedPortIsInUseUntilItsReservationEnds) {
    int port = free_port("127.0.0.1");
    FileDescriptor reservation, second;
    Message problem;
    FileDescriptor socket = listen_for_ranks("127.0.0.1", port, reservation, problem);
    ASSERT_TRUE(socket) << problem;
    socket.close();  // as before the ranks of a program start, which listen themselves
    EXPECT_FALSE(reserve_port(port));
    EXPECT_FALSE(listen_for_ranks("127.0.0.1", port, second, problem));
    EXPECT_THAT(problem, HasSubstr("port " + std::to_string(port) + " of this machine is in use by another launch"));
    int other = 0;
    EXPECT_TRUE(listen_for_ranks("127.0.0.1", other, second, problem)) << problem;
    EXPECT_NE(other, port);
    reservation.close();
    EXPECT_TRUE(reserve_port(port));
}

TEST(ListenSocket, FreePortsCanBeHad) {
    int port = free_port("127.0.0.1");
    ASSERT_GT(port, 0);
    Message problem;
    EXPECT_TRUE(listen_on("127.0.0.1", port, problem)) << problem;
}
