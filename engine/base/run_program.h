// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A program of this machine with text on its input, run to its end.

#include <string>
#include <string_view>
#include <vector>

namespace trainyard {

struct ProgramResult {
    int status = -1;  ///< as of waitpid; -1: it could not be started
    bool timed_out = false;
    std::string output;
    std::string error;
    bool ok() const { return status == 0; }
};

/// Started without a shell, in a process group of its own that is killed after `seconds`, or as soon as `cancelled` (a
/// descriptor, -1: none) is readable.
ProgramResult run_program(const std::vector<std::string>& argv, std::string_view input, double seconds,
                          int cancelled = -1);

}  // namespace trainyard
