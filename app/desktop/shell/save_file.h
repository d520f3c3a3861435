// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A file written whole or not at all, for a Job: "" or one sentence about what went wrong.

#include <QByteArray>
#include <QCoreApplication>
#include <QSaveFile>
#include <QString>

namespace trainyard::desktop {

inline QString saveFile(const QString& file, const QByteArray& bytes) {
    QSaveFile out(file);
    if (out.open(QIODevice::WriteOnly) && out.write(bytes) == bytes.size() && out.commit())
        return {};
    return QCoreApplication::translate("trainyard::desktop::saveFile", "%1 was not written: %2")
        .arg(file, out.errorString());
}

}  // namespace trainyard::desktop
