// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/shell/taskbar_progress.h"

#include <cmath>

#include <QDBusConnection>
#include <QDBusMessage>
#include <QGuiApplication>
#include <QVariantMap>

#include "desktop/shell/tray.h"

namespace trainyard::desktop {

TaskbarProgress::TaskbarProgress(QObject* parent) : QObject(parent) {}

TaskbarProgress::~TaskbarProgress() {
    if (count_ > 0)
        send(0, -1);
}

void TaskbarProgress::setRuns(const QVector<RunSummary>& runs) {
    double done = 0;
    int known = 0;
    const QVector<RunSummary> active = active_runs(runs);
    for (const RunSummary& run : active)
        if (run.of > 0) {
            done += run.share();
            ++known;
        }
    const int permille = known > 0 ? static_cast<int>(std::lround(1000 * done / known)) : -1;
    if (active.size() == count_ && permille == permille_)
        return;
    send(active.size(), permille < 0 ? -1 : done / known);
    count_ = active.size();
    permille_ = permille;
}

void TaskbarProgress::send(qsizetype count, double share) {
    const QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected())
        return;
    const QString entry = QStringLiteral("application://%1.desktop").arg(QGuiApplication::desktopFileName());
    QDBusMessage update =
        QDBusMessage::createSignal(QStringLiteral("/org/trainyard/Trainyard"),
                                   QStringLiteral("com.canonical.Unity.LauncherEntry"), QStringLiteral("Update"));
    update << entry
           << QVariantMap{{QStringLiteral("count"), static_cast<qlonglong>(count)},
                          {QStringLiteral("count-visible"), count > 0},
                          {QStringLiteral("progress"), share < 0 ? 0.0 : share},
                          {QStringLiteral("progress-visible"), share >= 0}};
    bus.send(update);
}

}  // namespace trainyard::desktop
