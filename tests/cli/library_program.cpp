// SPDX-License-Identifier: GPL-3.0-or-later
// A program on Trainyard's library that trains nothing: its ranks connect and print what they were given.

#include <cstdio>
#include <string>
#include <string_view>

#include "base/cpu_affinity.h"
#include "base/environment_names.h"
#include "distributed/parallel/process_state.h"

extern char** environ;

int main() {
    const auto state = trainyard::parallel::ProcessState::from_environment();
    const std::string rank = "rank " + std::to_string(state.rank());
    std::string text = rank + " runs on " + trainyard::cpu_list(trainyard::allowed_threads()) + "\n";
    for (char** entry = environ; *entry != nullptr; ++entry)
        if (trainyard::is_accelerate_variable(*entry))
            text += rank + " has " + *entry + "\n";
    std::fputs(text.c_str(), stdout);
    return 0;
}
