// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTimer>
#include <QVBoxLayout>

#include "desktop/launch/more_steps_dialog.h"
#include "desktop/launch/run_starter.h"
#include "desktop/pages/pages.h"
#include "desktop/runs/run_store.h"
#include "desktop/runs/runs_page.h"
#include "desktop/shell/app_context.h"
#include "desktop/shell/opener.h"
#include "desktop/shell/page.h"
#include "desktop/wizard/wizard_page.h"
#include "widgets/empty_state.h"
#include "widgets/local_text.h"

namespace trainyard::desktop {

namespace {

Page* make_runs_page(AppContext* app, const QString&, QWidget* parent) {
    auto* page = new RunsPage(app->store(), parent);
    QObject::connect(page, &RunsPage::runActivated, app, &AppContext::openRun);
    QObject::connect(page, &RunsPage::folderRequested, app, &AppContext::openFolder);
    QObject::connect(page, &RunsPage::runAgainRequested, app,
                     [app](const QString& file, const QString& name) { app->starter()->startFile(file, name); });
    QObject::connect(page, &RunsPage::editAgainRequested, app, [app](const QString& file) {
        app->starter()->openAgain(file, [app, file] { app->show<WizardPage>()->opener()->editAgain(file); });
    });
    QObject::connect(page, &RunsPage::continueRequested, app,
                     [app](const QString& path, const QString& name) { ask_more_steps(app, path, name); });
    QObject::connect(page, &RunsPage::windowRequested, app, [app](const QString& runId) {
        app->openInOwnWindow({QStringLiteral("run"), runId});
    });
    QObject::connect(page, &RunsPage::compareWindowRequested, app, [app] {
        app->openInOwnWindow({QStringLiteral("compare"), {}});
    });
    QObject::connect(page, &RunsPage::queueAgainRequested, app->starter(), &RunStarter::queueAgain);
    // Logs of others that were opened lately have a row each.
    QObject::connect(page, &RunsPage::importedActivated, app, &AppContext::openPath);
    QObject::connect(page, &RunsPage::importedReplaced, app, [app](const QString& folder, const QString& by) {
        app->opener()->forget(folder);
        if (!by.isEmpty())
            app->openPath(by);
    });
    page->setImported(Opener::recentLogs());
    QObject::connect(app->opener(), &Opener::recentsChanged, page, [page] { page->setImported(Opener::recentLogs()); });
    QObject::connect(app->store(), &RunStore::changed, page, [app] {
        int live = 0;
        for (const RunSummary& run : app->store()->runs())
            live += run.isLive() ? 1 : 0;
        emit app->countChanged(QLatin1String(RunsPage::kKey), live > 0 ? QString::number(live) : QString());
    });
    return page;
}

/// While the list of runs is read for the first time. On a slow disk, it says so.
class ReadingPage : public Page {
  public:
    ReadingPage(const QStringList& folders, QWidget* parent) : Page(RunsPage::tr("Runs"), parent) {
        constexpr int kSoon = 1000;  // ms in which most lists are read
        auto* words = new widgets::EmptyState(
            QStringLiteral("runs"), RunsPage::tr("Reading the list of runs…"),
            RunsPage::tr(
                "The runs are in %1. On a slow disk this takes a while; the other pages can be used meanwhile.")
                .arg(widgets::list_text(folders)));
        words->hide();
        body()->addWidget(words, 1);
        QTimer::singleShot(kSoon, words, &QWidget::show);
    }
};

}  // namespace

PageEntry runs_entry() {
    PageEntry entry{.key = QLatin1String(RunsPage::kKey),
                    .icon = QStringLiteral("runs"),
                    .title = [] { return RunsPage::tr("Runs"); },
                    .rail = RailSection::Top,
                    .shortcut = QKeySequence(QStringLiteral("Ctrl+1")),
                    .make = make_runs_page};
    entry.stand_in = [](const AppContext* app) {
        if (app->wantsFirstRun())
            return QStringLiteral("first-run");
        return app->store()->isLoaded() ? QString() : QStringLiteral("reading");
    };
    return entry;
}

PageEntry reading_entry() {
    return {.key = QStringLiteral("reading"),
            .icon = QStringLiteral("runs"),
            .title = [] { return RunsPage::tr("Runs"); },
            .rail_key = QLatin1String(RunsPage::kKey),
            .transient = true,
            .make = [](AppContext* app, const QString&, QWidget* parent) -> Page* {
                return new ReadingPage(app->store()->roots(), parent);
            }};
}

}  // namespace trainyard::desktop
