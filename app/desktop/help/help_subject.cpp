// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>

#include "desktop/checkpoints/checkpoints_page.h"
#include "desktop/checkpoints/write_dialog.h"
#include "desktop/curves/log_page.h"
#include "desktop/dashboard/profile_dialog.h"
#include "desktop/dashboard/run_page.h"
#include "desktop/estimator/estimator_page.h"
#include "desktop/help/help_page.h"
#include "desktop/hosts/connection_test_dialog.h"
#include "desktop/hosts/dialog_asker.h"
#include "desktop/hosts/host_dialog.h"
#include "desktop/hosts/host_key_dialog.h"
#include "desktop/hosts/hosts_page.h"
#include "desktop/launch/fetch_dialog.h"
#include "desktop/launch/launch_page.h"
#include "desktop/runs/runs_page.h"
#include "desktop/shell/first_run_page.h"
#include "desktop/shell/notifications_page.h"
#include "desktop/shell/settings_page.h"
#include "desktop/sweeps/sweep_dialog.h"
#include "desktop/sweeps/sweeps_page.h"
#include "desktop/traces/rank_pair_dialog.h"
#include "desktop/traces/traces_page.h"
#include "desktop/try_it/try_it_page.h"
#include "desktop/wizard/wizard_page.h"

namespace trainyard::desktop {

namespace {

QString manual_page_of_wizard(const WizardPage& wizard) {
    if (wizard.isExpert())
        return wizard.draft()->purpose() == Purpose::Engine ? QStringLiteral("reference/recipe-keys")
                                                            : QStringLiteral("reference/settings-keys");
    /// In the order of Step.
    constexpr std::array kOfSteps{"recipes",
                                  "recipes#models",
                                  "recipes#data",
                                  "runs#scripts-and-programs",
                                  "several-machines",
                                  "parallelism",
                                  "training#precision",
                                  "training",
                                  "checkpoints",
                                  "settings",
                                  "several-machines#check-before-a-start"};
    static_assert(kOfSteps.size() == kSteps);
    return QLatin1String(kOfSteps[static_cast<std::size_t>(wizard.currentStep())]);
}

}  // namespace

QString HelpPage::subjectOf(const QWidget* shown) {
    static const struct {
        const QMetaObject* shown;
        const char* manual;
    } entries[] = {
        {&CheckpointsPage::staticMetaObject, "checkpoints"},
        {&ConnectionTestDialog::staticMetaObject, "several-machines"},
        {&EstimatorPage::staticMetaObject, "estimator"},
        {&SweepDialog::staticMetaObject, "sweeps"},
        {&SweepsPage::staticMetaObject, "sweeps"},
        {&FetchDialog::staticMetaObject, "several-machines#results"},
        {&FirstRunPage::staticMetaObject, "getting-started"},
        {&HelpPage::staticMetaObject, "index"},
        {&HostDialog::staticMetaObject, "several-machines#over-ssh"},
        {&HostKeyDialog::staticMetaObject, "several-machines#over-ssh"},
        {&HostsPage::staticMetaObject, "several-machines"},
        {&LaunchPage::staticMetaObject, "troubleshooting"},
        {&LogPage::staticMetaObject, "desktop#logs-of-other-programs"},
        {&NotificationsPage::staticMetaObject, "desktop"},
        {&ProfileDialog::staticMetaObject, "traces#record"},
        {&RankPairDialog::staticMetaObject, "traces#read"},
        {&RunPage::staticMetaObject, "runs"},
        {&RunsPage::staticMetaObject, "runs"},
        {&SecretDialog::staticMetaObject, "troubleshooting#ssh"},
        {&SettingsPage::staticMetaObject, "settings"},
        {&TracesPage::staticMetaObject, "traces"},
        {&TryItPage::staticMetaObject, "generation"},
        {&WriteDialog::staticMetaObject, "checkpoints#convert"},
    };
    for (; shown != nullptr; shown = shown->parentWidget()) {
        if (const auto* wizard = qobject_cast<const WizardPage*>(shown))
            return manual_page_of_wizard(*wizard);
        if (const auto* run = qobject_cast<const RunPage*>(shown))
            if (const auto& state = run->record()->state(); state && state->status == run::Status::failed)
                return QStringLiteral("troubleshooting");
        for (const auto& one : entries)
            if (shown->metaObject() == one.shown)
                return QLatin1String(one.manual);
    }
    return {};
}

}  // namespace trainyard::desktop
