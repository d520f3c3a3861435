// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Names of flags as they are typed: `-` and `_` are the same, dashes before the name do not count. Internal to plan.

#include <string>
#include <string_view>

#include "config/accelerate/schema.h"

namespace trainyard::plan {

/// `--num-processes` -> `num_processes`
std::string plain_name(std::string_view flag);
inline std::string plain_name(const settings::Key& key) {
    return plain_name(key.flag.name);
}
inline bool takes_value(const settings::Key& key) {
    return key.flag.kind == settings::FlagKind::value || key.flag.kind == settings::FlagKind::repeated;
}

}  // namespace trainyard::plan
