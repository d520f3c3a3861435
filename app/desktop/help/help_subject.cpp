// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/help/help_subject.h"

#include "desktop/checkpoints/checkpoints_page.h"
#include "desktop/curves/log_page.h"
#include "desktop/dashboard/run_page.h"
#include "desktop/estimator/estimator_page.h"
#include "desktop/first_run_page.h"
#include "desktop/help/help_page.h"
#include "desktop/hosts/hosts_page.h"
#include "desktop/launch/launch_page.h"
#include "desktop/notifications_page.h"
#include "desktop/runs/runs_page.h"
#include "desktop/settings_page.h"
#include "desktop/traces/traces_page.h"
#include "desktop/try_it/try_it_page.h"
#include "desktop/wizard/wizard_page.h"

namespace trainyard::desktop {

QString manual_page_of(const Page* page) {
    static const struct {
        const QMetaObject* page;
        const char* manual;
    } pages[] = {
        {&CheckpointsPage::staticMetaObject, "checkpoints"},
        {&EstimatorPage::staticMetaObject, "estimator"},
        {&FirstRunPage::staticMetaObject, "getting-started"},
        {&HelpPage::staticMetaObject, "index"},
        {&HostsPage::staticMetaObject, "several-machines"},
        {&LaunchPage::staticMetaObject, "troubleshooting"},
        {&LogPage::staticMetaObject, "desktop#logs-of-other-programs"},
        {&NotificationsPage::staticMetaObject, "desktop"},
        {&RunPage::staticMetaObject, "runs"},
        {&RunsPage::staticMetaObject, "runs"},
        {&SettingsPage::staticMetaObject, "settings"},
        {&TracesPage::staticMetaObject, "traces"},
        {&TryItPage::staticMetaObject, "generation"},
        {&WizardPage::staticMetaObject, "recipes"},
    };
    if (const auto* run = qobject_cast<const RunPage*>(page))
        if (const auto& state = run->record()->state(); state && state->status == run::Status::failed)
            return QStringLiteral("troubleshooting");
    for (const auto& one : pages)
        if (page != nullptr && page->metaObject() == one.page)
            return QLatin1String(one.manual);
    return page == nullptr ? QStringLiteral("runs") : QStringLiteral("index");
}

}  // namespace trainyard::desktop
