#include "remote/far_name.h"

#include <algorithm>

namespace trainyard::remote {

namespace {
constexpr std::size_t kLongestName = 255;  // bytes, NAME_MAX of Linux

bool controls_a_terminal(char byte) {
    const auto code = static_cast<unsigned char>(byte);
    return code < 0x20 || code == 0x7f;
}
}  // namespace

std::optional<FarName> FarName::of(std::string_view given) {
    if (given.empty() || given == "." || given == ".." || given.size() > kLongestName ||
        given.find('/') != std::string_view::npos || std::ranges::any_of(given, controls_a_terminal))
        return std::nullopt;
    return FarName(given);
}

}  // namespace trainyard::remote
