// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTableView>

#include "desktop/alarms/alarm_settings.h"
#include "desktop/architecture/architecture_page.h"
#include "desktop/dashboard/run_header.h"
#include "desktop/dashboard/run_page.h"
#include "desktop/data/data_dialog.h"
#include "desktop/launch/engine_link.h"
#include "desktop/launch/more_steps_dialog.h"
#include "desktop/launch/run_starter.h"
#include "desktop/pages/pages.h"
#include "desktop/runs/mirror_keeper.h"
#include "desktop/runs/run_edit_popups.h"
#include "desktop/runs/run_edits.h"
#include "desktop/runs/run_store.h"
#include "desktop/runs/runs_page.h"
#include "desktop/shell/action_collection.h"
#include "desktop/shell/app_context.h"
#include "desktop/shell/consent.h"
#include "desktop/text/qt_text.h"
#include "desktop/traces/traces_page.h"
#include "desktop/try_it/try_it_page.h"
#include "desktop/wizard/wizard_page.h"
#include "run/paths.h"

namespace trainyard::desktop {

namespace {

/// On from a checkpoint: here at once, or, where it is on another host, after it was fetched and looked at.
void resume(AppContext* app, const RunPage* page, const QString& file, const QString& checkpoint) {
    const auto& state = page->record()->state();
    if (!state || !state->mirror) {
        app->starter()->resume(file, checkpoint, page->record()->name());
        return;
    }
    const run::RunPaths run = page->record()->paths();
    const std::filesystem::path chosen = checkpoint.toStdString();
    // Its run.yaml names machines of the host: the wizard shows the resumed run before anything starts here.
    fetch_checkpoint_of(
        app, run, chosen.parent_path() == run.checkpoints() ? chosen.filename().string() : std::string(),
        [app, file](const QString& folder) { app->show<WizardPage>()->opener()->loadToResume(file, folder); });
}

/// Name, tags, note, archive, trash: the edits of the list, which undoes them.
void connect_edits(AppContext* app, RunPage* page, const QString& subject) {
    RunEdits* edits = RunEdits::of(app->store());
    RunHeader* header = page->header();
    // As the list names the run.
    const auto path = [app, subject] {
        const RunSummary* run = app->store()->find(subject);
        return run != nullptr ? run->path : app->runFolder(subject);
    };
    QObject::connect(header, &RunHeader::renameRequested, page,
                     [=] { ask_name(edits, path(), page, header->menuPlace()); });
    QObject::connect(header, &RunHeader::tagsRequested, page,
                     [=] { ask_tags(edits, {path()}, page, header->menuPlace()); });
    QObject::connect(header, &RunHeader::noteOnRunRequested, page,
                     [=] { ask_note_on_runs(edits, {path()}, page, header->menuPlace()); });
    QObject::connect(header, &RunHeader::archiveRequested, page,
                     [=](bool archived) { edits->setArchived({path()}, archived); });
    QObject::connect(header, &RunHeader::deleteRequested, app, [=] {
        const QString deleted = path();
        app->show<RunsPage>()->table()->setFocus();  // where the deletion is reported and can be undone
        app->window()->activateWindow();             // without a window manager, none is active after a menu
        edits->remove({deleted});
    });
    ActionCollection::instance().addUndo(page, edits->stack());
}

Page* make_run_page(AppContext* app, const QString& subject, QWidget* parent) {
    auto* page = new RunPage(run::RunPaths(app->runFolder(subject).toStdString()), parent);
    auto color = [app, page, subject] {
        const RunSummary* run = app->store()->find(subject);
        if (run == nullptr)
            return;
        page->record()->setColorNumber(run->number);
        page->setLabels({run->name == run->ownName ? QString() : run->name, run->tags, run->archived});
    };
    color();
    QObject::connect(app->store(), &RunStore::changed, page, color);
    QObject::connect(page, &RunPage::openFolderRequested, app, &AppContext::openFolder);
    QObject::connect(page, &RunPage::tracesRequested, app,
                     [app](const QString& folder) { app->show<TracesPage>(AppContext::runSubject(folder)); });
    QObject::connect(page, &RunPage::tryRequested, app, [app](const QString& folder) { app->show<TryItPage>(folder); });
    QObject::connect(page->header(), &RunHeader::architectureRequested, app,
                     [app, page] { app->show<ArchitecturePage>(qt(page->record()->paths().root().string())); });
    QObject::connect(page->header(), &RunHeader::dataRequested, page, [page] {
        const auto& state = page->record()->state();
        show_data_of_run(page->record()->paths(), page->record()->name(),
                         state && state->mirror ? qt(state->mirror->host) : QString(), page);
    });
    QObject::connect(page, &RunPage::traceRequested, app, [app](const QString& file, qint64 step, int rank) {
        app->show<TracesPage>(TracesPage::subjectOf(file, step, rank));
    });
    QObject::connect(page, &RunPage::windowRequested, app, [app, subject] {
        app->openInOwnWindow({QLatin1String(RunPage::kKey), subject});
    });
    QObject::connect(page, &RunPage::alarmsRequested, app, [app, page](const QString& folder) {
        show_alarms_of(folder, page->record()->name(), app->window());
    });
    QObject::connect(page, &RunPage::reconnectRequested, app, [app](const QString& folder) {
        follow_with_consent(app, folder,
                            [app, folder] { app->mirrors()->reconnect(folder, app->engine()->program()); });
    });
    QObject::connect(page, &RunPage::runAgainRequested, app, [app, page](const QString& file) {
        const bool program = page->record()->facts() && page->record()->facts()->is_program;
        app->starter()->startFile(file, program ? QString() : page->record()->name());
    });
    QObject::connect(page, &RunPage::editAgainRequested, app, [app](const QString& file) {
        app->starter()->openAgain(file, [app, file] { app->show<WizardPage>()->opener()->editAgain(file); });
    });
    QObject::connect(page, &RunPage::ownDataRequested, app, [app] {
        auto* wizard = app->show<WizardPage>();
        wizard->opener()->beginNew();
        wizard->opener()->setDataPath({});
    });
    QObject::connect(page, &RunPage::resumeRequested, app, [app, page](const QString& file, const QString& checkpoint) {
        resume(app, page, file, checkpoint);
    });
    connect_edits(app, page, subject);
    QObject::connect(page, &RunPage::continueRequested, app, [app](const QString& folder) {
        const RunSummary* run = app->store()->findPath(folder);
        ask_more_steps(app, folder, run != nullptr ? run->name : QString());
    });
    QObject::connect(page, &RunPage::resumeElsewhereRequested, app,
                     [app](const QString& file, const QString& checkpoint) {
                         app->show<WizardPage>()->opener()->loadToResume(file, checkpoint);
                     });
    return page;
}

}  // namespace

PageEntry run_entry() {
    return {.key = QLatin1String(RunPage::kKey),
            .icon = QStringLiteral("runs"),
            .title = [] { return RunPage::tr("Dashboard"); },
            .rail_key = QStringLiteral("runs"),
            .kept = 6,
            .own_window = true,
            .make = make_run_page};
}

}  // namespace trainyard::desktop
