// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/wizard/recent_files.h"

#include <QDir>
#include <QFileInfo>
#include <QSettings>

#include "desktop/launch/engine_link.h"
#include "desktop/shell/preferences.h"

namespace trainyard::desktop {

namespace {

constexpr int kMostRecent = 8;
const QString kFiles = QStringLiteral("files");

}  // namespace

QStringList recent_files() {
    return QSettings(recent_files_place(), QSettings::IniFormat).value(kFiles).toStringList();
}

void add_recent_file(const QString& file) {
    QSettings kept(recent_files_place(), QSettings::IniFormat);
    QStringList files = kept.value(kFiles).toStringList();
    files.removeAll(file);
    files.prepend(file);
    kept.setValue(kFiles, files.mid(0, kMostRecent));
    kept.sync();
}

QString recent_files_place() {
    return Preferences::stateFolder() + QStringLiteral("/recent.ini");
}

bool is_internal_file(const QString& file) {
    const QFileInfo info(file);
    return file == QFileInfo(EngineLink::sampleRecipe()).absoluteFilePath() ||
           file.startsWith(Preferences::stateFolder() + QLatin1Char('/')) ||
           (info.fileName() == QLatin1String("run.yaml") && info.dir().exists(QStringLiteral("state.json")));
}

}  // namespace trainyard::desktop
