// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Models that are not described here: of a plug-in (models/plugins/trainyard/plugin.h) and of TorchScript files. What
// they
// consist of is known when they are loaded; here are the keys of their config.json and their tasks. models/nn/external
// computes them.

#include <vector>

#include "models/spec/family.h"

namespace trainyard::families {

inline constexpr const char* kPluginModel = "plugin";
inline constexpr const char* kScriptModel = "torchscript";

const std::vector<const Family*>& external_families();

}  // namespace trainyard::families
