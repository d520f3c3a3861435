// SPDX-License-Identifier: GPL-3.0-or-later
#include <QPointer>

#include "desktop/architecture/architecture_page.h"
#include "desktop/checkpoints/checkpoints_page.h"
#include "desktop/pages/pages.h"
#include "desktop/runs/run_store.h"
#include "desktop/shell/app_context.h"
#include "desktop/shell/consent.h"
#include "desktop/text/qt_text.h"
#include "desktop/try_it/try_it_page.h"
#include "desktop/wizard/wizard_page.h"
#include "run/paths.h"

namespace trainyard::desktop {

namespace {

QList<CheckpointsPage::Run> runs_with_names(const RunStore* store) {
    QList<CheckpointsPage::Run> runs;
    for (const RunSummary& one : store->runs())
        if (!one.archived)
            runs.append({one.path, one.name});
    return runs;
}

Page* make_checkpoints_page(AppContext* app, const QString&, QWidget* parent) {
    auto* page = new CheckpointsPage(qt(run::runs_root().string()), parent);
    page->setRuns(runs_with_names(app->store()));
    QObject::connect(app->store(), &RunStore::changed, page,
                     [app, page] { page->setRuns(runs_with_names(app->store())); });
    QObject::connect(page, &CheckpointsPage::resumeRequested, app,
                     [app](const QString& file, const QString& checkpoint) {
                         app->show<WizardPage>()->opener()->loadToResume(file, checkpoint);
                     });
    QObject::connect(page, &CheckpointsPage::copyRequested, app, [app, page](const QString& run, const QString& name) {
        fetch_checkpoint_of(app, run::RunPaths(run.toStdString()), name.toStdString(),
                            [page = QPointer(page)](const QString&) {
                                if (page != nullptr)
                                    page->refresh();
                            });
    });
    QObject::connect(page, &CheckpointsPage::architectureRequested, app,
                     [app](const QString& checkpoint, const QString& other) {
                         app->show<ArchitecturePage>(checkpoint)->compareWhenOpened(other);
                     });
    QObject::connect(page, &CheckpointsPage::tryRequested, app,
                     [app](const QString& checkpoint) { app->show<TryItPage>(checkpoint); });
    return page;
}

}  // namespace

PageEntry checkpoints_entry() {
    return {.key = QLatin1String(CheckpointsPage::kKey),
            .icon = QStringLiteral("ckpt"),
            .title = [] { return CheckpointsPage::tr("Checkpoints"); },
            .rail = RailSection::Top,
            .shortcut = QKeySequence(QStringLiteral("Ctrl+5")),
            .make = make_checkpoints_page};
}

}  // namespace trainyard::desktop
