#include "desktop/sample.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

namespace trainyard::desktop {

QString sampleRecipeFile() {
    const QString given = qEnvironmentVariable("TRAINYARD_SAMPLE");
    const QString installed =
        QCoreApplication::applicationDirPath() + QStringLiteral("/../share/trainyard/samples/sample.yaml");
    const QString built = QStringLiteral(TRAINYARD_RESOURCES_DIR "/samples/sample.yaml");
    for (const QString& file : {given, installed, built})
        if (!file.isEmpty() && QFileInfo(file).isFile())
            return QDir::cleanPath(file);
    return {};
}

}  // namespace trainyard::desktop
