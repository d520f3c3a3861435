#pragma once
// Runs a program, usually a peer's script, and takes what it prints.

#include <string>
#include <vector>

namespace trainyard::bench {

/// Standard output of a program that is started without a shell, its environment changed by `variables` (`NAME=value`). Throws
/// std::runtime_error when it cannot be started or does not end with 0.
std::string output_of(const std::vector<std::string>& words, const std::vector<std::string>& variables = {});

}  // namespace trainyard::bench
