// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// main() of every sample: runs `sample()` and prints an error in one sentence. Launch with
//
//     trainyard launch --no_python --cpu --num_processes 2 ./first_steps

#include <cstdio>
#include <exception>

/// The sample. Returns true if the result is as expected.
bool sample();

int main() {
    try {
        if (sample())
            return 0;
        std::fprintf(stderr, "the result is not what this sample should give\n");
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
    }
    return 1;
}
