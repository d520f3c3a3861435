#pragma once
// Settings for programs, in the answers of --json.

#include <nlohmann/json_fwd.hpp>

#include "settings/settings.h"

namespace trainyard::cli {

/// Keys as in the file. What JSON cannot say is text: dates, `inf` and `nan`.
nlohmann::ordered_json json_of(const settings::Settings& settings);
nlohmann::ordered_json json_of(const settings::Value& value);

}  // namespace trainyard::cli
