// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/hosts/host_list.h"
#include "desktop/hosts/hosts_page.h"
#include "desktop/launch/launch_page.h"
#include "desktop/pages/pages.h"
#include "desktop/runs/run_scanner.h"
#include "desktop/runs/run_store.h"
#include "desktop/shell/app_context.h"
#include "desktop/shell/settings_page.h"
#include "desktop/wizard/wizard_page.h"

namespace trainyard::desktop {

namespace {

Page* make_launch_page(AppContext* app, const QString&, QWidget* parent) {
    auto* page = new LaunchPage(app->engine(), parent);
    auto wizard = [app] {
        app->open({QLatin1String(WizardPage::kKey), {}}, false);
        return app->page<WizardPage>();
    };
    QObject::connect(page, &LaunchPage::launched, app, [app](const QString& path) {
        if (auto* draft = app->madePage<WizardPage>())
            draft->opener()->setLaunched();
        emit app->runStarted(path);
    });
    QObject::connect(page, &LaunchPage::left, app, [wizard](const QString& words) {
        WizardPage* back = wizard();
        if (!words.isEmpty())
            back->tell(LaunchPage::tr("The launch was cancelled"), words);
    });
    QObject::connect(page, &LaunchPage::fieldRequested, app,
                     [wizard](const QString& key) { wizard()->goToField(key); });
    QObject::connect(page, &LaunchPage::hostsChanged, app, [wizard](const QVector<remote::HostShare>& hosts) {
        WizardPage* back = wizard();
        back->draft()->setHosts(hosts);
        back->primaryAction();
    });
    QObject::connect(page, &LaunchPage::smallerBatchRequested, app, [wizard] {
        WizardPage* back = wizard();
        if (back->halveBatch())
            back->primaryAction();
        else
            back->goToField(QStringLiteral("training.batch_size"));
    });
    QObject::connect(page, &LaunchPage::hostRequested, app, [app](const QString& name) { app->show<HostsPage>(name); });
    QObject::connect(page, &LaunchPage::runsFolderRequested, app,
                     [app] { app->show<SettingsPage>(QLatin1String(SettingsPage::kRunsFolder)); });
    QObject::connect(page, &LaunchPage::engineRequested, app, &AppContext::chooseEngine);
    return page;
}

}  // namespace

void open_launch(AppContext* app, const LaunchRequest& request) {
    auto* page = app->show<LaunchPage>();
    if (auto* hosts = app->madePage<HostsPage>())
        page->setAcceptedOnce(hosts->hosts()->acceptedOnce());
    QString busy;
    for (const RunSummary& run : app->store()->runs())
        if (run.isLive() && run.phase != RunPhase::Queued && run.hosts.contains(RunScanner::thisMachine()))
            busy = run.name;
    page->setBusy(busy);
    page->open(request);
}

PageEntry launch_entry() {
    return {.key = QLatin1String(LaunchPage::kKey),
            .icon = QStringLiteral("play"),
            .title = [] { return LaunchPage::tr("Launch"); },
            .rail_key = QStringLiteral("new"),
            .transient = true,
            .make = make_launch_page};
}

}  // namespace trainyard::desktop
