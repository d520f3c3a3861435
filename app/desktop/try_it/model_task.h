// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the model in a folder is for, by its config.json, and images for it. Blocks on the disk: for a job.

#include <filesystem>
#include <string>

#include <QImage>
#include <QStringList>

namespace trainyard::desktop {

/// A name of models/spec/tasks.h. `folder`: a checkpoint, a run, a folder of transformers or an adapter. Empty: that
/// cannot be read; the process that loads the model reports why.
std::string task_of_model(const std::filesystem::path& folder);

/// A PNG or JPEG file, at most `most` pixels wide and high. Throws UserError as formats::read_image().
QImage read_picture(const std::filesystem::path& file, int most);

/// The picture with each class of a mask (a grey PNG of the same shape) in the colour of class_color() over it.
QImage with_classes(const QImage& picture, const std::filesystem::path& mask);
QColor class_color(int number);

}  // namespace trainyard::desktop
