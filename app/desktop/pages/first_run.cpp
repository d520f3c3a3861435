// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/help/help_page.h"
#include "desktop/launch/run_starter.h"
#include "desktop/pages/pages.h"
#include "desktop/shell/app_context.h"
#include "desktop/shell/first_run_page.h"
#include "desktop/shell/opener.h"
#include "desktop/wizard/wizard_page.h"

namespace trainyard::desktop {

namespace {

Page* make_first_run_page(AppContext* app, const QString&, QWidget* parent) {
    auto* page = new FirstRunPage(app->engine(), parent);
    Opener* opener = app->opener();
    QObject::connect(page, &FirstRunPage::sampleRequested, app->starter(), &RunStarter::startSample);
    QObject::connect(page, &FirstRunPage::newRunRequested, app, [app] { app->show<WizardPage>()->opener()->newRun(); });
    QObject::connect(page, &FirstRunPage::openRequested, app, [app, opener] { opener->choose(app->window()); });
    QObject::connect(page, &FirstRunPage::openFolderRequested, app,
                     [app, opener] { opener->chooseFolder(app->window()); });
    QObject::connect(page, &FirstRunPage::openRemoteRequested, app,
                     [app, opener] { opener->askAddress(app->window()); });
    QObject::connect(page, &FirstRunPage::manualRequested, app, [app](const QString& name) {
        app->openInOwnWindow({QLatin1String(HelpPage::kKey), name});
    });
    QObject::connect(page, &FirstRunPage::recentRequested, app, &AppContext::openPath);
    page->setRecents(Opener::recents());
    QObject::connect(opener, &Opener::recentsChanged, page, [page] { page->setRecents(Opener::recents()); });
    QObject::connect(page, &FirstRunPage::engineChooseRequested, app, &AppContext::chooseEngine);
    QObject::connect(app->starter(), &RunStarter::sampleStarting, page, [page] { page->setLaunching(true); });
    QObject::connect(app->starter(), &RunStarter::sampleFailed, page, [page](const QString& words) {
        page->setLaunching(false);
        page->showError(FirstRunPage::tr("The sample run was not started"), words);
    });
    QObject::connect(app, &AppContext::runStarted, page, [page] { page->setLaunching(false); });
    return page;
}

}  // namespace

PageEntry first_run_entry() {
    return {.key = QLatin1String(FirstRunPage::kKey),
            .icon = QStringLiteral("play"),
            .title = [] { return FirstRunPage::tr("First run"); },
            .rail_key = QStringLiteral("runs"),
            .transient = true,
            .make = make_first_run_page};
}

}  // namespace trainyard::desktop
