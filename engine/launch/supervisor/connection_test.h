// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Tests which machines reach each other over TCP: each one opens ports on its own addresses for seconds, the others
// connect and get a token that only that machine can know, so that another one behind the same address (NAT, a stale
// name) is not taken for it. Used before a run starts (remote/host_helper.h) and by ranks that check themselves
// (worker/selfcheck.h).

#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/file_descriptor.h"
#include "base/message.h"

namespace trainyard::launch {

/// Can `from` open a TCP connection to `to`, and over which addresses?
/// Ranks of other hosts connect to it, so a name is not enough. Also true of an empty text.
bool is_numeric_address(const std::string& text);
bool is_short_token(const std::string& text);

struct ConnectionTest {
    std::string from;
    std::string to;
    bool ok = false;
    std::string address;        ///< of `to` that answered
    std::string local_address;  ///< of `from` on that way
    std::string interface;      ///< of `from` on that way
    double round_trip_s = 0;
    Message problem;  ///< "refused", "no answer for 3 s", ...; empty when ok

    void fields(auto& field) const {
        field("from", from).label();
        field("to", to).label();
        field("ok", ok);
        field("address", address).allowed_if(is_numeric_address);
        field("local_address", local_address).allowed_if(is_numeric_address);
        field("interface", interface).label();
        field("round_trip_s", round_trip_s);
        field("problem", problem).label();
    }
};

struct ConnectionAddress {
    std::string address;
    int port = 0;

    void fields(auto& field) const {
        field("address", address).allowed_if(is_numeric_address);
        field("port", port).required().between(1, 65535);
    }
};

/// A host that listens for seconds: its addresses, and the token that identifies it.
struct ConnectionTarget {
    std::string host;
    std::string token;  ///< 32 hexadecimal digits; the second half is the answer to the first
    std::vector<ConnectionAddress> addresses;

    void fields(auto& field) const {
        field("host", host).label();
        field("token", token).allowed_if(is_short_token);
        field("addresses", addresses).at_most(256);
    }
};

std::string to_json(const ConnectionTarget& target);
ConnectionTarget parse_connection_target(const std::string& json);
std::string to_json(const std::vector<ConnectionTarget>& targets);
std::vector<ConnectionTarget> parse_connection_targets(const std::string& json);
std::string to_json(const std::vector<ConnectionTest>& answers);
std::vector<ConnectionTest> parse_connection_tests(const std::string& json);

/// Listens on every address of this machine except loopback (on loopback if it is the only one) until destruction. A
/// peer that sends the first half of the token gets the second half.
class ConnectionTestListener {
  public:
    /// `only`: an address of this machine that alone is listened on; one that it has not: as if it were empty.
    explicit ConnectionTestListener(const std::string& only = {});
    ~ConnectionTestListener();
    ConnectionTestListener(const ConnectionTestListener&) = delete;
    ConnectionTestListener& operator=(const ConnectionTestListener&) = delete;
    const ConnectionTarget& target() const { return self_; }

  private:
    void serve();
    ConnectionTarget self_;
    std::vector<FileDescriptor> listeners_;
    FileDescriptor stop_, stopper_;
    std::thread thread_;
};

/// Tries all at once, at most 3 s.
std::vector<ConnectionTest> try_targets(const std::vector<ConnectionTarget>& targets);

}  // namespace trainyard::launch
