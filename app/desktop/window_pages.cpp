// The pages of the window: made when they are first shown, and what each may ask of the window.

#include <QFileInfo>
#include <QStackedWidget>

#include "desktop/alarms/alarm_service.h"
#include "desktop/alarms/alarm_settings.h"
#include "desktop/curves/log_page.h"
#include "desktop/dashboard/run_page.h"
#include "desktop/engine_link.h"
#include "desktop/first_run_page.h"
#include "desktop/hosts/host_list.h"
#include "desktop/hosts/hosts_page.h"
#include "desktop/hosts/ssh_host_source.h"
#include "desktop/later_page.h"
#include "desktop/launch/fetch_dialog.h"
#include "desktop/launch/launch_page.h"
#include "desktop/machine_peaks.h"
#include "desktop/main_window.h"
#include "desktop/mirror_keeper.h"
#include "desktop/notifications_page.h"
#include "desktop/opener.h"
#include "desktop/preferences.h"
#include "desktop/run_starter.h"
#include "desktop/runs/run_names.h"
#include "desktop/runs/run_scanner.h"
#include "desktop/runs/run_speed.h"
#include "desktop/runs/run_store.h"
#include "desktop/runs/runs_page.h"
#include "desktop/settings_page.h"
#include "desktop/status_line.h"
#include "desktop/wizard/wizard_page.h"
#include "run/paths.h"
#include "widgets/nav_button.h"

namespace trainyard::desktop {

namespace {
constexpr int kMostRunPages = 6;
constexpr int kMostLogPages = 4;
}  // namespace

void MainWindow::makeFirstPages() {
    runs_ = new RunsPage(store_);
    connect(runs_, &RunsPage::runActivated, this, &MainWindow::showRun);
    connect(runs_, &RunsPage::folderRequested, this, &MainWindow::openFolder);
    connect(runs_, &RunsPage::runAgainRequested, this, [this](const QString& file, bool has_recipe) {
        if (!has_recipe) {  // the wizard asks about recipes: a program starts as it did
            starter_->startFile(file);
            return;
        }
        showPlace(Place::NewRun);
        newRunPage()->load(file);
    });
    connect(runs_, &RunsPage::windowRequested, this,
            [this](const QString& runId) { showSide(QStringLiteral("run:") + runId); });
    connect(runs_, &RunsPage::compareWindowRequested, this, [this] { showSide(QStringLiteral("compare")); });
    connect(runs_, &RunsPage::queueAgainRequested, starter_, &RunStarter::queueAgain);
    // Logs of others that were opened lately have a row each.
    connect(runs_, &RunsPage::importedActivated, this, &MainWindow::openPath);
    connect(runs_, &RunsPage::importedReplaced, this, [this](const QString& folder, const QString& by) {
        opener_->forget(folder);
        if (!by.isEmpty())
            openPath(by);
    });
    runs_->setImported(Opener::recentLogs());
    connect(opener_, &Opener::recentsChanged, runs_, [this] { runs_->setImported(Opener::recentLogs()); });
    stack_->addWidget(runs_);
    first_run_ = new FirstRunPage(engine_);
    connect(first_run_, &FirstRunPage::sampleRequested, this, &MainWindow::startSample);
    connect(first_run_, &FirstRunPage::newRunRequested, this, [this] { showPlace(Place::NewRun); });
    connect(first_run_, &FirstRunPage::openRequested, this, [this] { opener_->choose(this); });
    connect(first_run_, &FirstRunPage::openFolderRequested, this, [this] { opener_->chooseFolder(this); });
    connect(first_run_, &FirstRunPage::openRemoteRequested, this, [this] { opener_->askAddress(this); });
    connect(first_run_, &FirstRunPage::recentRequested, this, &MainWindow::openPath);
    first_run_->setRecents(Opener::recents());
    connect(opener_, &Opener::recentsChanged, this, [this] { first_run_->setRecents(Opener::recents()); });
    connect(first_run_, &FirstRunPage::engineChooseRequested, this, &MainWindow::chooseEngine);
    stack_->addWidget(first_run_);
    notifications_ = new NotificationsPage;
    connect(notifications_, &NotificationsPage::runActivated, this, &MainWindow::showRun);
    connect(notifications_, &NotificationsPage::unreadChanged, rail_, &Rail::setUnread);
    auto* alarms = new AlarmService(store_, this);
    connect(alarms, &AlarmService::noticed, this, [this](const Notice& notice) {
        const RunSummary* run = store_->findPath(notice.path);
        notifications_->addAlarm(notice.name + QStringLiteral(": ") + notice_title(notice.kind), notice.sentence,
                                 run != nullptr ? run->id : QString());
        if (currentPage() == notifications_)
            notifications_->markRead();
    });
    connect(alarms, &AlarmService::openRequested, this, [this](const QString& path) {
        raise();
        activateWindow();
        if (const RunSummary* run = store_->findPath(path); run != nullptr)
            showRun(run->id);
    });
    connect(store_, &RunStore::runEnded, this, [this](const RunSummary& run) {
        if (!AlarmService::wantsEnd(run))
            return;
        notifications_->add(run);
        if (currentPage() == notifications_)
            notifications_->markRead();
    });
    connect(mirrors_, &MirrorKeeper::failed, this, [this](const QString& problem) {
        notifications_->addText(tr("A run on another host is not followed"), problem);
    });
    stack_->addWidget(notifications_);
}

void MainWindow::connectStarter() {
    starter_->setNamer([this](const QString& name) { return unique_run_name(name, store_->runs()); });
    connect(starter_, &RunStarter::sampleStarting, this, [this] { first_run_->setLaunching(true); });
    connect(starter_, &RunStarter::sampleFailed, this, [this](const QString& words) {
        first_run_->setLaunching(false);
        first_run_->showError(tr("The sample run was not started"), words);
        emit launchFailed(words);
    });
    connect(starter_, &RunStarter::starting, this, [this] { status_->say(tr("Launching…")); });
    connect(starter_, &RunStarter::failed, this, [this](const QString& error) {
        notifications_->addText(tr("The run was not started"), error);
        status_->say(tr("The run was not started: see Notifications."));
        emit launchFailed(error);
    });
    connect(starter_, &RunStarter::started, this, &MainWindow::launched);
}

void MainWindow::launched(const QString& runPath) {
    first_run_->setLaunching(false);
    status_->say({});
    // The sample was the reason to show the first-run page; from now on the list is.
    options_.sample = false;
    if (options_.page == QLatin1String("first-run"))
        options_.page.clear();
    launched_ = QFileInfo(runPath).fileName();
    store_->refresh();
    go({Place::Runs, launched_});
    emit runLaunched(launched_);
}

WizardPage* MainWindow::newRunPage() {
    if (new_run_ == nullptr) {
        new_run_ = new WizardPage(engine_, machine_);
        new_run_->draft()->setSpeeds([this](const SpeedQuestion& question) -> std::optional<KnownSpeed> {
            if (auto known = known_speed(store_->runs(), question.values, question.ranks))
                return known;
            if (!question.recipe)
                return std::nullopt;
            const QString precision = question.values.value(QStringLiteral("training.mixed_precision"));
            const auto peak = peaks_->of(precision == QLatin1String("no") ? "fp32" : precision.toStdString(),
                                         question.ranks, question.threads);
            if (!peak) {
                peaks_->refresh();  // a run may have measured it since; then this is asked once more
                return std::nullopt;
            }
            return estimated_speed(*question.recipe, question.ranks, *peak, reached_share(store_->runs(), precision));
        });
        connect(peaks_, &MachinePeaks::changed, new_run_, &WizardPage::speedsChanged);
        new_run_->setNamer([this](const QString& name, const QMap<QString, QString>& values) {
            return unique_run_name(name, store_->runs(), values);
        });
        connect(new_run_, &WizardPage::launchRequested, this, &MainWindow::showLaunch);
        connect(new_run_, &WizardPage::hostsRequested, this, [this] { showPlace(Place::Hosts); });
        stack_->addWidget(new_run_);
    }
    return new_run_;
}

LaunchPage* MainWindow::launchPage() {
    if (launch_ != nullptr)
        return launch_;
    launch_ = new LaunchPage(engine_);
    stack_->addWidget(launch_);
    auto again = [this] {
        go({Place::NewRun, {}}, false);
        newRunPage()->primaryAction();
    };
    connect(launch_, &LaunchPage::launched, this, [this](const QString& path) {
        if (new_run_ != nullptr)
            new_run_->draftLaunched();
        launched(path);
    });
    connect(launch_, &LaunchPage::left, this, [this](const QString& words) {
        go({Place::NewRun, {}}, false);
        if (!words.isEmpty())
            newRunPage()->tell(tr("The launch was cancelled"), words);
    });
    connect(launch_, &LaunchPage::fieldRequested, this, [this](const QString& key) {
        go({Place::NewRun, {}}, false);
        newRunPage()->goToField(key);
    });
    connect(launch_, &LaunchPage::hostsChanged, this, [this, again](const QVector<remote::HostShare>& hosts) {
        newRunPage()->draft()->setHosts(hosts);
        again();
    });
    connect(launch_, &LaunchPage::smallerBatchRequested, this, [this, again] {
        if (newRunPage()->halveBatch())
            again();
        else {
            go({Place::NewRun, {}}, false);
            newRunPage()->goToField(QStringLiteral("training.batch_size"));
        }
    });
    connect(launch_, &LaunchPage::hostRequested, this, [this](const QString& name) {
        showPlace(Place::Hosts);
        hostsPage()->choose(name);
        hostsPage()->hosts()->probe(name);
    });
    connect(launch_, &LaunchPage::settingsRequested, this, [this] { showPlace(Place::Settings); });
    connect(launch_, &LaunchPage::engineRequested, this, &MainWindow::chooseEngine);
    return launch_;
}

void MainWindow::showLaunch(const LaunchRequest& request) {
    LaunchPage* page = launchPage();
    go({Place::NewRun, {}, true});
    if (hosts_ != nullptr)
        page->setAcceptedOnce(hosts_->hosts()->acceptedOnce());
    QString busy;
    for (const RunSummary& run : store_->runs())
        if (run.isLive() && run.phase != RunPhase::Queued && run.hosts.contains(RunScanner::thisMachine()))
            busy = run.name;
    page->setBusy(busy);
    page->open(request);
}

HostsPage* MainWindow::hostsPage() {
    if (hosts_ == nullptr) {
        if (!host_source_)
            host_source_ = std::make_unique<SshHostSource>(Preferences::stateFolder().toStdString() + "/hosts");
        hosts_ = new HostsPage(engine_, std::move(host_source_));
        hosts_->setRuns(store_->runs());
        connect(hosts_->hosts(), &HostList::listed, this, [this](const HostListing& listing) {
            if (new_run_ != nullptr)
                new_run_->setListing(listing);
        });
        connect(hosts_, &HostsPage::countChanged, this, [this](int connected, int known) {
            rail_->button(Place::Hosts)
                ->setCount(known == 0 ? QString() : QStringLiteral("%1/%2").arg(connected).arg(known));
        });
        stack_->addWidget(hosts_);
    }
    return hosts_;
}

void MainWindow::setHostSource(std::unique_ptr<HostSource> source) {
    host_source_ = std::move(source);
}

Page* MainWindow::laterPage(Place place) {
    if (!later_.contains(place)) {
        LaterPage* page = LaterPage::of(place);
        connect(page, &LaterPage::runsRequested, this, [this] { showPlace(Place::Runs); });
        later_.insert(place, page);
        stack_->addWidget(page);
    }
    return later_.value(place);
}

SettingsPage* MainWindow::settingsPage() {
    if (settings_ == nullptr) {
        settings_ = new SettingsPage(preferences_, engine_, peaks_);
        connect(settings_, &SettingsPage::themeChosen, this, &MainWindow::setTheme);
        connect(settings_, &SettingsPage::engineChooseRequested, this, &MainWindow::chooseEngine);
        connect(settings_, &SettingsPage::runsFolderChanged, store_, &RunStore::setRoot);
        stack_->addWidget(settings_);
    }
    settings_->refresh();
    return settings_;
}

LogPage* MainWindow::logPage(const QString& place) {
    for (int i = 0; i < log_pages_.size(); ++i)
        if (log_pages_[i]->place() == place) {
            log_pages_.move(i, log_pages_.size() - 1);
            return log_pages_.last();
        }
    auto* page = new LogPage(place);
    connect(page, &LogPage::folderRequested, this, &MainWindow::openFolder);
    connect(page, &LogPage::windowRequested, this, [this, place] { showSide(QStringLiteral("logs:") + place); });
    stack_->addWidget(page);
    log_pages_ << page;
    if (log_pages_.size() > kMostLogPages)
        log_pages_.takeFirst()->deleteLater();
    return page;
}

QWidget* MainWindow::runPage(const QString& runId) {
    for (int i = 0; i < run_pages_.size(); ++i)
        if (run_pages_[i].first == runId) {
            run_pages_.move(i, run_pages_.size() - 1);
            return run_pages_.last().second;
        }
    const RunSummary* summary = store_->find(runId);
    // A run opened by its folder may lie anywhere.
    std::filesystem::path path = run::runs_root() / runId.toStdString();
    if (opened_.contains(runId))
        path = opened_.value(runId).toStdString();
    else if (summary != nullptr)
        path = summary->path.toStdString();
    auto* page = new RunPage(run::RunPaths(path));
    if (summary != nullptr)
        page->record()->setColorNumber(summary->number);
    connect(page, &RunPage::openFolderRequested, this, &MainWindow::openFolder);
    connect(page, &RunPage::windowRequested, this, [this, runId] { showSide(QStringLiteral("run:") + runId); });
    connect(page, &RunPage::alarmsRequested, this,
            [this, page](const QString& folder) { show_alarms_of(folder, page->record()->name(), this); });
    connect(page, &RunPage::reconnectRequested, this,
            [this](const QString& folder) { mirrors_->reconnect(folder, engine_->program()); });
    connect(page, &RunPage::runAgainRequested, this, [this, page](const QString& file) {
        const bool program = page->record()->facts() && page->record()->facts()->is_program;
        starter_->startFile(file, program ? QString() : page->record()->name());
    });
    connect(page, &RunPage::ownDataRequested, this, [this] {
        showPlace(Place::NewRun);
        newRunPage()->beginNew();
        newRunPage()->setDataPath({});
    });
    connect(page, &RunPage::resumeRequested, this, [this, page](const QString& file, const QString& checkpoint) {
        const auto& state = page->record()->state();
        if (!state || !state->mirror) {
            starter_->resume(file, checkpoint, page->record()->name());
            return;
        }
        // Its checkpoints are on the other host.
        auto* fetch =
            new FetchDialog(page->record()->paths(),
                            hosts_ == nullptr ? std::vector<std::string>() : hosts_->hosts()->acceptedOnce(), this);
        fetch->setAttribute(Qt::WA_DeleteOnClose);
        // Its run.yaml names machines of its own: how it goes on here is looked at first.
        connect(fetch, &FetchDialog::fetched, this, [this, file](const QString& folder) {
            showPlace(Place::NewRun);
            newRunPage()->loadToResume(file, folder);
        });
        fetch->open();
    });
    connect(page, &RunPage::resumeElsewhereRequested, this, [this](const QString& file, const QString& checkpoint) {
        showPlace(Place::NewRun);
        newRunPage()->loadToResume(file, checkpoint);
    });
    stack_->addWidget(page);
    run_pages_ << std::pair<QString, QWidget*>(runId, page);
    if (run_pages_.size() > kMostRunPages)
        run_pages_.takeFirst().second->deleteLater();
    return page;
}

}  // namespace trainyard::desktop
