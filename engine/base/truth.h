// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Truth values as texts of settings, flags and environment variables.

#include <string_view>

#include "base/letter_case.h"

namespace trainyard {

enum class Truth { yes, no, neither };

/// str_to_bool of Accelerate: y yes t true on 1 / n no f false off 0, any case.
inline Truth truth_of(std::string_view spelled) {
    const std::string word = text::lower(spelled);
    for (std::string_view yes : {"y", "yes", "t", "true", "on", "1"})
        if (word == yes)
            return Truth::yes;
    for (std::string_view no : {"n", "no", "f", "false", "off", "0"})
        if (word == no)
            return Truth::no;
    return Truth::neither;
}

}  // namespace trainyard
