// SPDX-License-Identifier: GPL-3.0-or-later
#include <QWidget>

#include "desktop/alarms/alarm_service.h"
#include "desktop/alarms/missed_ends.h"
#include "desktop/pages/pages.h"
#include "desktop/runs/run_store.h"
#include "desktop/shell/app_context.h"
#include "desktop/shell/notifications_page.h"
#include "desktop/text/qt_text.h"

namespace trainyard::desktop {

namespace {

Page* make_notifications_page(AppContext* app, const QString&, QWidget* parent) {
    auto* page = new NotificationsPage(parent);
    QObject::connect(page, &NotificationsPage::runActivated, app, &AppContext::openRun);
    QObject::connect(page, &NotificationsPage::unreadChanged, app, [app, page](int unread) {
        if (unread > 0 && app->currentPage() == page)
            page->markRead();  // it is read as it comes
        else
            emit app->unreadChanged(QLatin1String(NotificationsPage::kKey), unread);
    });
    QObject::connect(app, &AppContext::notified, page, &NotificationsPage::addText);
    auto* alarms = app->findChild<AlarmService*>(QString(), Qt::FindDirectChildrenOnly);
    if (alarms == nullptr)
        alarms = new AlarmService(app->store(), app);
    QObject::connect(alarms, &AlarmService::noticed, page, [app, page](const Notice& notice) {
        const RunSummary* run = app->store()->findPath(notice.path);
        page->addAlarm(notice.name + QStringLiteral(": ") + notice_title(notice.kind), qtSentence(notice.message),
                       run != nullptr ? run->id : QString());
    });
    QObject::connect(alarms, &AlarmService::openRequested, page, [app](const QString& path) {
        app->window()->raise();
        app->window()->activateWindow();
        if (const RunSummary* run = app->store()->findPath(path); run != nullptr)
            app->openRun(run->id);
    });
    auto ended = [page](const RunSummary& run) {
        if (AlarmService::wantsEnd(run))
            page->add(run);
    };
    QObject::connect(app->store(), &RunStore::runEnded, page, ended);
    auto* missed = app->findChild<MissedEnds*>(QString(), Qt::FindDirectChildrenOnly);
    if (missed == nullptr)
        missed = new MissedEnds(app->store(), app);
    QObject::connect(missed, &MissedEnds::ended, page, ended);
    return page;
}

}  // namespace

PageEntry notifications_entry() {
    return {.key = QLatin1String(NotificationsPage::kKey),
            .icon = QStringLiteral("bell"),
            .title = [] { return NotificationsPage::tr("Notifications"); },
            .rail = RailSection::Foot,
            .shortcut = QKeySequence(QStringLiteral("Ctrl+Shift+N")),
            .make = make_notifications_page};
}

}  // namespace trainyard::desktop
