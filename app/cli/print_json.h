#pragma once
// The answers of --json.

#include <cstdio>

namespace trainyard::cli {

/// Indented, with a newline; bytes that are no UTF-8 are replaced.
template <typename Json>
void print_json(const Json& value) {
    std::printf("%s\n", value.dump(2, ' ', false, Json::error_handler_t::replace).c_str());
}

}  // namespace trainyard::cli
