// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Models and devices that the estimator offers without a file.

#include <string>

#include <QString>
#include <QVector>

#include "estimate/devices.h"

namespace trainyard::desktop {

struct ModelChoice {
    QString name;
    std::string config;   ///< the keys of its config.json that sizes depend on
    bool family = false;  ///< a family with the sizes that transformers gives it, instead of a published model
};
/// Published models with the sizes of their config.json, then every family whose training memory is known.
const QVector<ModelChoice>& modelChoices();

struct HardwareChoice {
    QString name;
    estimate::Hardware hardware;
};
/// This machine's processors first; with what runs on each device have measured.
QVector<HardwareChoice> hardwareChoices();
/// Whether both are as many devices of the same kind on as many hosts.
bool are_same_devices(const estimate::Hardware& one, const estimate::Hardware& other);

}  // namespace trainyard::desktop
