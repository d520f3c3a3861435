// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One value against its key: brought to the key's type where its meaning is plain, and what is wrong with it. Internal to the
// library; loader, checks and typed text share it.

#include <optional>
#include <string>
#include <vector>

#include "base/message.h"
#include "config/accelerate/schema.h"

namespace trainyard::settings {

struct Converted {
    Value value;
    bool changed = false;
};

/// `"4"` for an integer becomes 4, an unquoted `1:30` for a text becomes that text, `NO` read as false the choice 'NO' ... A value
/// that cannot be meant stays as it is.
Converted convert(const Key& key, Value value);

/// Returns what is wrong with a value, as text to follow the key's name: `99999 is not a port: use 0 to 65535, 0 picks
/// a free one`. A null value is always accepted.
std::optional<Message> complaint(const Key& key, const Value& value);

/// `1, 2 or 4`
Message either_of(const std::vector<std::string>& values);

/// The known name that is meant, perhaps. Words no person typed are not compared: that takes time.
std::optional<std::string> nearest_name(const std::string& word, const std::vector<std::string>& names);

}  // namespace trainyard::settings
