// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/pages/far_traces.h"
#include "desktop/pages/pages.h"
#include "desktop/runs/run_store.h"
#include "desktop/shell/app_context.h"
#include "desktop/traces/traces_page.h"

namespace trainyard::desktop {

namespace {

QVector<ProfilePlace> places_of(const RunStore* store) {
    QVector<ProfilePlace> places;
    for (const RunSummary& run : store->runs())
        if (!run.archived && run.phase != RunPhase::Missing)
            places.append({run.path, run.name});
    return places;
}

Page* make_traces_page(AppContext* app, const QString&, QWidget* parent) {
    auto* page = new TracesPage(parent);
    page->setFetch(far_traces(page));
    page->setFolderOf([app](const QString& run) { return app->runFolder(run); });
    page->setRuns(places_of(app->store()));
    QObject::connect(app->store(), &RunStore::changed, page, [app, page] { page->setRuns(places_of(app->store())); });
    QObject::connect(page, &TracesPage::runsRequested, app, [app] { app->open({QStringLiteral("runs"), {}}); });
    QObject::connect(page, &TracesPage::said, app, &AppContext::said);
    return page;
}

}  // namespace

PageEntry traces_entry() {
    return {.key = QLatin1String(TracesPage::kKey),
            .icon = QStringLiteral("trace"),
            .title = [] { return TracesPage::tr("Traces"); },
            .rail = RailSection::Top,
            .shortcut = QKeySequence(QStringLiteral("Ctrl+4")),
            .make = make_traces_page};
}

}  // namespace trainyard::desktop
