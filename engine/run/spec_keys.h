// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// run.yaml as a flat list of keys and words, for tables that put runs side by side. Says nothing of what the keys mean, so that keys of
// newer versions and of other programs are compared like all others.

#include <string>
#include <utility>
#include <vector>

namespace trainyard::run {

using FlatKeys = std::vector<std::pair<std::string, std::string>>;

/// Dotted keys in ascending order, without the `recipe.` in front: `training.lr` -> `0.002`. A list of words is one value
/// (`a, b`), a list of maps is numbered (`launch.machines.0.host`). Throws UserError when the text is not YAML.
FlatKeys flat_keys(const std::string& yaml, const std::string& origin = "run.yaml");

}  // namespace trainyard::run
