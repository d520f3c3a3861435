// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/launch/run_starter.h"
#include "desktop/pages/pages.h"
#include "desktop/runs/run_store.h"
#include "desktop/shell/app_context.h"
#include "desktop/sweeps/sweeps_page.h"
#include "desktop/wizard/wizard_page.h"

namespace trainyard::desktop {

namespace {

Page* make_sweeps_page(AppContext* app, const QString&, QWidget* parent) {
    auto* page = new SweepsPage(app->engine(), parent);
    QObject::connect(page, &SweepsPage::runActivated, app, &AppContext::openRun);
    QObject::connect(page, &SweepsPage::newSweepRequested, app, [app] { app->show<WizardPage>()->openSweep(); });
    QObject::connect(page, &SweepsPage::editAgainRequested, app, [app](const QString& file) {
        app->starter()->openAgain(file, [app, file] { app->show<WizardPage>()->opener()->editAgain(file); });
    });
    QObject::connect(page, &SweepsPage::stopRunRequested, app, [app](const QString& path) {
        app->store()->request(path, run::StopRequest{.checkpoint = false});
    });
    return page;
}

}  // namespace

PageEntry sweeps_entry() {
    return {.key = QLatin1String(SweepsPage::kKey),
            .icon = QStringLiteral("target"),
            .title = [] { return SweepsPage::tr("Sweeps"); },
            .rail = RailSection::Top,
            .make = make_sweeps_page};
}

}  // namespace trainyard::desktop
