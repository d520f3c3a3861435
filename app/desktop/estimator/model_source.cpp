// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/estimator/model_source.h"

#include <filesystem>
#include <string>

#include "base/error.h"
#include "base/text.h"
#include "estimate/recipe_estimate.h"
#include "formats/hub/remote_model.h"

namespace trainyard::desktop {

bool isRecipeFile(const QString& source) {
    return source.endsWith(QLatin1String(".yaml")) || source.endsWith(QLatin1String(".yml"));
}

bool isOnHub(const QString& source) {
    std::error_code error;
    const std::string text = source.toStdString();
    return !std::filesystem::exists(text, error) && hub::is_model_name(text);
}

ReadModel readModel(const QString& source, std::stop_token stop,
                    const std::function<void(const QString& file, const QString& hub)>& asked) {
    ReadModel read;
    if (isRecipeFile(source)) {
        read.recipe = estimate::load_settled_recipe(source.toStdString());
        return read;
    }
    if (!isOnHub(source)) {
        read.parts = estimate::load_model_parts(source.toStdString());
        return read;
    }
    hub::RemoteModel remote(source.toStdString(), std::move(stop));
    if (asked)
        remote.set_listener([&](const std::string& file) {
            asked(QString::fromStdString(file), QString::fromStdString(remote.endpoint()));
        });
    std::string place;
    try {
        remote.describe([&](const std::filesystem::path& path) {
            place = path.string();
            read.parts = estimate::load_model_parts(path);
        });
    } catch (const UserError& error) {
        // The place of what was brought says nothing to the user, and is gone afterwards.
        throw UserError(text::replaced(error.message(), place, source.toStdString()));
    }
    return read;
}

}  // namespace trainyard::desktop
