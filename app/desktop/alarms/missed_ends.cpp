// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/alarms/missed_ends.h"

#include <utility>

#include <QJsonArray>

#include "desktop/runs/run_store.h"
#include "desktop/shell/view_state.h"

namespace trainyard::desktop {

namespace {
const QString kLiveView = QStringLiteral("window");
const QString kLive = QStringLiteral("live");
}  // namespace

MissedEnds::MissedEnds(RunStore* store, QObject* parent) : QObject(parent), store_(store) {
    connect(store, &RunStore::changed, this, &MissedEnds::look);
}

void MissedEnds::look() {
    if (!store_->isLoaded())
        return;
    const bool first = !std::exchange(looked_, true);
    if (first)
        for (const QJsonValue path : ViewState::instance().value(kLiveView, kLive).toArray())
            if (const RunSummary* run = store_->findPath(path.toString()); run != nullptr && !run->isLive())
                emit ended(*run);
    QStringList live;
    for (const RunSummary& run : store_->runs())
        if (run.isLive())
            live << run.path;
    if (live == live_ && !first)
        return;
    live_ = live;
    ViewState::instance().set(kLiveView, kLive, QJsonArray::fromStringList(live));
}

}  // namespace trainyard::desktop
