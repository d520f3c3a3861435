#pragma once
// Runs a program, usually a peer's script, and returns its output.

#include <string>
#include <vector>

namespace trainyard::bench {

/// Standard output of a program that is started without a shell, with `variables` (`NAME=value`) added to the
/// environment. Throws std::runtime_error if it cannot be started or if its exit status is not 0.
std::string output_of(const std::vector<std::string>& words, const std::vector<std::string>& variables = {});

}  // namespace trainyard::bench
