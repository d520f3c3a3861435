// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/order_input.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <unistd.h>

#include "base/error.h"
#include "base/system_call.h"
#include "cli/problem_json.h"

namespace trainyard::cli {

namespace {

constexpr std::size_t kLongestOrder = 16u << 20;

void print_line(const std::string& text) {
    std::printf("%s\n", text.c_str());
    std::fflush(stdout);
}

}  // namespace

std::string read_order() {
    if (::isatty(STDIN_FILENO) != 0)
        throw UserError(
            "an order is read from standard input: this command is started by `trainyard launch`, not by hand");
    std::string text;
    char buffer[65536];
    text.reserve(2 * sizeof buffer);  // an order has a secret: a text that grows leaves copies behind
    const auto read_some = [&] { return ::read(STDIN_FILENO, buffer, sizeof buffer); };
    for (ssize_t n; (n = retry_interrupted(read_some)) > 0;) {
        text.append(buffer, static_cast<std::size_t>(n));
        if (text.size() > kLongestOrder)
            throw UserError("the order is larger than 16 MiB: it does not come from Trainyard");
    }
    ::explicit_bzero(buffer, sizeof buffer);
    return text;
}

int answer_with(const std::function<std::string()>& work) {
    try {
        print_line(work());
        return kExitDone;
    } catch (const UserError& error) {
        print_line(problems_json(error));
        return kExitUsage;
    } catch (const std::exception& error) {
        print_line(problems_json(error));
        return kExitFailed;
    }
}

}  // namespace trainyard::cli
