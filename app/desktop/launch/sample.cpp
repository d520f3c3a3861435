// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/launch/sample.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

namespace trainyard::desktop {

QString sampleRecipeFile() {
    if (const QString given = qEnvironmentVariable("TRAINYARD_SAMPLE"); !given.isEmpty())
        return QFileInfo(given).isFile() ? given : QString();
    const QString installed =
        QCoreApplication::applicationDirPath() + QStringLiteral("/../share/trainyard/samples/sample.yaml");
    const QString built = QStringLiteral(TRAINYARD_RESOURCES_DIR "/samples/sample.yaml");
    for (const QString& file : {installed, built})
        if (QFileInfo(file).isFile())
            return QDir::cleanPath(file);
    return {};
}

}  // namespace trainyard::desktop
