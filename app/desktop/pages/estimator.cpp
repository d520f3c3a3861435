// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/estimator/estimator_page.h"
#include "desktop/estimator/scenario.h"
#include "desktop/pages/pages.h"
#include "desktop/runs/run_store.h"
#include "desktop/shell/app_context.h"
#include "desktop/wizard/wizard_page.h"

namespace trainyard::desktop {

namespace {

QVector<MeasuredTable::Run> runs_with_paths(const RunStore* store) {
    QVector<MeasuredTable::Run> runs;
    for (const RunSummary& run : store->runs())
        if (!run.isLive())
            runs.push_back({run.name, run.path});
    return runs;
}

Page* make_estimator_page(AppContext* app, const QString&, QWidget* parent) {
    auto* scenario = app->findChild<Scenario*>(QString(), Qt::FindDirectChildrenOnly);
    if (scenario == nullptr)
        scenario = new Scenario(app);
    auto* page = new EstimatorPage(parent, {}, scenario);
    page->setRuns(runs_with_paths(app->store()));
    QObject::connect(app->store(), &RunStore::changed, page,
                     [app, page] { page->setRuns(runs_with_paths(app->store())); });
    QObject::connect(page, &EstimatorPage::runActivated, app,
                     [app](const QString& path) { app->openRun(AppContext::runSubject(path)); });
    QObject::connect(page, &EstimatorPage::newRunRequested, app,
                     [app](const QString& recipe, const QString& settings, const QString& unsaid, bool fits) {
                         app->show<WizardPage>()->opener()->loadRun(recipe, settings, unsaid, fits);
                     });
    return page;
}

}  // namespace

PageEntry estimator_entry() {
    return {.key = QLatin1String(EstimatorPage::kKey),
            .icon = QStringLiteral("estimate"),
            .title = [] { return EstimatorPage::tr("Estimator"); },
            .rail = RailSection::Top,
            .shortcut = QKeySequence(QStringLiteral("Ctrl+3")),
            .make = make_estimator_page};
}

}  // namespace trainyard::desktop
