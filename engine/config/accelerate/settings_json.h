#pragma once
// Settings for programs, in the answers of --json.

#include <nlohmann/json_fwd.hpp>

#include "config/accelerate/settings.h"

namespace trainyard::settings {

/// Keys as in the file. What JSON cannot say is text: dates, `inf` and `nan`.
nlohmann::ordered_json json_of(const Settings& settings);
nlohmann::ordered_json json_of(const Value& value);

}  // namespace trainyard::settings
