// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Messages between plugin_check.h and `trainyard-worker check-plugins` (worker/check_plugins.h).

#include <string>
#include <vector>

#include "base/message.h"

namespace trainyard::launch {

/// The plug-ins of a recipe, and the names of the parts that it uses; empty: none.
struct PluginOrder {
    std::vector<std::string> plugins;
    std::string model, data_set, loss, step;
    std::vector<std::string> metrics;
    std::vector<std::string> trackers;  ///< with those of Trainyard

    void fields(auto& field) const {
        field("plugins", plugins)("model", model)("data_set", data_set)("loss", loss)("step", step);
        field("metrics", metrics)("trackers", trackers);
    }
};

struct PluginAnswer {
    std::vector<Message> problems;  ///< each begins with the key of the recipe

    void fields(auto& field) const { field("problems", problems); }
};

}  // namespace trainyard::launch
