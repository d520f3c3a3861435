// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Models that the estimator reads: a recipe, a config.json, weights or a folder of them, or the name of a model on a hub, of which config.json or the headers of
// its weights are brought (formats/hub/remote_model.h). For other threads.

#include <functional>
#include <optional>
#include <stop_token>

#include <QString>

#include "config/recipe/recipe.h"
#include "estimate/model_parts.h"

namespace trainyard::desktop {

/// Whether it is looked up on a hub: there is no such file here, and it can be a name.
bool isOnHub(const QString& source);

bool isRecipeFile(const QString& source);

struct ReadModel {
    estimate::ModelParts parts;
    std::optional<config::Recipe> recipe;  ///< of a recipe's file, and then no parts
};

/// `asked`: with the name of each file that a hub is asked for. Throws UserError.
ReadModel readModel(const QString& source, std::stop_token stop = {},
                    const std::function<void(const QString& file, const QString& hub)>& asked = {});

}  // namespace trainyard::desktop
