// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/try_it/model_task.h"

#include <algorithm>

#include "base/error.h"
#include "config/inputs/adapter_config.h"
#include "config/inputs/start_weights.h"
#include "formats/tables/image.h"
#include "observe/inspect/checkpoint_list.h"
#include "widgets/tokens.h"

namespace trainyard::desktop {

namespace fs = std::filesystem;

namespace {

/// With config.json: the folder itself, the newest checkpoint of a run, or the model of an adapter.
fs::path folder_of_model(const fs::path& folder) {
    std::error_code error;
    if (fs::exists(folder / "config.json", error))
        return folder;
    if (fs::exists(folder / "adapter_config.json", error)) {
        const std::string named = inputs::read_adapter_config(folder).base;
        for (const fs::path& base : {fs::path(named), folder / named})
            if (!named.empty() && fs::exists(base / "config.json", error))
                return base;
        return {};
    }
    const inspect::CheckpointList list = inspect::read_checkpoint_list(folder);
    const int newest = list.newest();
    return newest < 0 ? fs::path() : list.items[static_cast<std::size_t>(newest)].folder;
}

}  // namespace

std::string task_of_model(const fs::path& folder) {
    try {
        const fs::path model = folder_of_model(folder);
        if (model.empty())
            return {};
        config::ModelRecipe recipe;
        recipe.weights = model.string();
        const inputs::SettledModel settled = inputs::settle_model(recipe);
        return settled.problems.empty() ? settled.model.task : std::string();
    } catch (const UserError&) {
        return {};
    }
}

QImage read_picture(const fs::path& file, int most) {
    const formats::Image image = formats::read_image(file);
    const QImage whole(image.pixels.data(), static_cast<int>(image.width), static_cast<int>(image.height),
                       3 * image.width, QImage::Format_RGB888);
    return image.width <= most && image.height <= most
               ? whole.copy()
               : whole.scaled(most, most, Qt::KeepAspectRatio, Qt::SmoothTransformation);
}

QColor class_color(int number) {
    // The ten colours of runs, each a little darker from one round to the next.
    const QColor first = widgets::run_color(1 + number % 10, true);
    return first.darker(100 + 25 * (number / 10 % 5));
}

QImage with_classes(const QImage& picture, const fs::path& mask) {
    constexpr double kShare = 0.55;  // of the colour of a class
    const formats::Image classes = formats::read_image(mask, formats::ImageMode::classes);
    QImage made = picture.convertToFormat(QImage::Format_RGB32);
    for (int y = 0; y < made.height(); ++y) {
        auto* line = reinterpret_cast<QRgb*>(made.scanLine(y));
        const std::int64_t row = y * classes.height / made.height();
        for (int x = 0; x < made.width(); ++x) {
            const std::int64_t column = x * classes.width / made.width();
            const int number = classes.pixels[static_cast<std::size_t>(row * classes.width + column)];
            line[x] = widgets::mixed(class_color(number), QColor(line[x]), kShare).rgb();
        }
    }
    return made;
}

}  // namespace trainyard::desktop
