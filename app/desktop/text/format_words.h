// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the devices of a run make of the number formats that a field offers: native, emulated, not available. From
// base/device_formats.h, for the wizard and the estimator.

#include <utility>

#include <QString>
#include <QVector>

#include "base/device_formats.h"

namespace trainyard::desktop {

struct TrainingDevice {
    QString host;  ///< empty: the only one, or all are alike
    DeviceFacts facts;
};

/// Lines such as "nf4, fp4, int8: native"; of several devices the least able one counts and is named. `choices`: values
/// of `key` with their labels. Empty if no value stands for a number format.
QString formatWords(const QString& key, const QVector<std::pair<QString, QString>>& choices,
                    const QVector<TrainingDevice>& devices);

}  // namespace trainyard::desktop
