// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/host_name.h"

#include <climits>

#include <unistd.h>

namespace trainyard {

namespace {

bool is_control(char letter) {
    const auto code = static_cast<unsigned char>(letter);
    return code < ' ' || code == 127;
}

}  // namespace

std::string full_host_name() {
    char name[HOST_NAME_MAX + 1] = {};
    return ::gethostname(name, sizeof name - 1) == 0 ? name : "localhost";
}

bool is_valid_host_name(std::string_view name) {
    if (name.empty() || name.front() == '-')
        return false;
    for (const char letter : name)
        if (is_control(letter) || std::string_view(" '`\"$\\;&<>|(){}/").find(letter) != std::string_view::npos)
            return false;
    return true;
}

bool is_valid_user_name(std::string_view name) {
    if (name.empty() || name.front() == '-' || name.back() == '\\')
        return false;
    for (std::size_t i = 0; i < name.size(); ++i)
        if (is_control(name[i]) || std::string_view("'`\";&<>|(){}").find(name[i]) != std::string_view::npos ||
            (name[i] == ' ' && i + 1 < name.size() && name[i + 1] == '-'))
            return false;
    return true;
}

}  // namespace trainyard
