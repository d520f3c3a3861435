// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The number formats that a recipe uses, and whether a device has them (base/device_formats.h); CUDA graphs.

#include <optional>
#include <string_view>
#include <vector>

#include "base/device_formats.h"
#include "base/error.h"
#include "config/recipe/recipe.h"

namespace trainyard::config {

/// The format that a value of a key stands for, e.g. quantization.method nf4; nothing for values of other keys, and for
/// those that stand for fp32 or for what other keys have.
std::optional<DeviceFormat> format_of_choice(std::string_view key, std::string_view value);

/// One problem for each key whose format the device does not have, and for a graph on a processor; places are empty.
std::vector<Problem> missing_formats(const Recipe& recipe, const DeviceFacts& device);

/// A note on each key whose format is emulated there, or has no effect.
std::vector<Message> notes_on_formats(const Recipe& recipe, const DeviceFacts& device);

}  // namespace trainyard::config
