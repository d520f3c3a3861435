// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Values as the trackers' files spell them. Inside this library.

#include <string>
#include <string_view>

#include "observe/track/tracked_values.h"

namespace trainyard::track {

/// As Python's str() writes it: `0.1`, `1e-05`, `True`, words as they are; lists and dictionaries as JSON.
std::string python_text(const Value& value);
/// As Python's str() writes it, lists and dictionaries included: `[1, 'x', None]`.
std::string python_str(const Value& value);
/// One line of JSON; numbers that JSON has not are the texts "inf", "-inf", "nan".
std::string json_text(const Value& value);
/// JSON over several lines, as json.dump(indent=4) writes it.
std::string indented_json(const Value& value);
/// Nested dictionaries as one: {"model": {"layers": 2}} is {"model/layers": 2}.
Values flattened(const Values& values);

}  // namespace trainyard::track
