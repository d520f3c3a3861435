// SPDX-License-Identifier: GPL-3.0-or-later
#include <arpa/inet.h>

#include "base/error.h"
#include "base/fields.h"
#include "base/untrusted.h"
#include "launch/supervisor/connection_test.h"

namespace trainyard::launch {

namespace {

constexpr const char* kOrigin = "what a host said about the network";
constexpr std::size_t kMostAnswers = 4096;  // hosts
constexpr std::size_t kLongestToken = 64;   // characters

template <typename T>
std::vector<T> parse_list(const std::string& json) {
    std::vector<T> list;
    const fields::Json given = read_json(json);
    if (!given.is_array())
        throw UserError("{} cannot be read: {}", kOrigin, HostText(json, 100).text());
    fields::Reading in;
    fields::read(in, given, list, {.longest = kMostAnswers});
    fields::require_no_problem(in, kOrigin);
    return list;
}

}  // namespace

bool is_numeric_address(const std::string& text) {
    in6_addr bits{};
    return text.empty() || (text.size() < INET6_ADDRSTRLEN && (::inet_pton(AF_INET, text.c_str(), &bits) == 1 ||
                                                               ::inet_pton(AF_INET6, text.c_str(), &bits) == 1));
}

bool is_short_token(const std::string& text) {
    return text.size() <= kLongestToken;
}

std::string to_json(const ConnectionTarget& target) {
    return fields::to_text(target);
}

ConnectionTarget parse_connection_target(const std::string& json) {
    return fields::from_text<ConnectionTarget>(json, kOrigin);
}

std::string to_json(const std::vector<ConnectionTarget>& targets) {
    return fields::to_text(targets);
}

std::vector<ConnectionTarget> parse_connection_targets(const std::string& json) {
    return parse_list<ConnectionTarget>(json);
}

std::string to_json(const std::vector<ConnectionTest>& answers) {
    return fields::to_text(answers);
}

std::vector<ConnectionTest> parse_connection_tests(const std::string& json) {
    return parse_list<ConnectionTest>(json);
}

}  // namespace trainyard::launch
