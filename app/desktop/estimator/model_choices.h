// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Models and devices that the estimator offers without a file.

#include <QString>
#include <QVector>

#include "estimate/devices.h"

namespace trainyard::desktop {

struct ModelChoice {
    QString name;
    const char* config;  ///< the keys of its config.json that sizes depend on
};
/// Sizes are those of the models' published config.json.
const QVector<ModelChoice>& modelChoices();

struct HardwareChoice {
    QString name;
    estimate::Hardware hardware;
};
/// This machine's processors first; with what runs on each device have measured.
QVector<HardwareChoice> hardwareChoices();

}  // namespace trainyard::desktop
