#include "desktop/main_window.h"

#include <QAction>
#include <QApplication>
#include <QCloseEvent>
#include <QDesktopServices>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QStackedWidget>
#include <QUrl>
#include <QVBoxLayout>

#include "desktop/command_palette.h"
#include "desktop/dashboard/run_page.h"
#include "desktop/engine_link.h"
#include "desktop/first_run_page.h"
#include "desktop/hosts/hosts_page.h"
#include "desktop/hosts/ssh_host_source.h"
#include "desktop/later_page.h"
#include "desktop/launch/launch_page.h"
#include "desktop/live_row.h"
#include "desktop/logo_mark.h"
#include "desktop/notifications_page.h"
#include "desktop/preferences.h"
#include "desktop/runs/run_store.h"
#include "desktop/runs/runs_page.h"
#include "desktop/sample.h"
#include "desktop/settings_page.h"
#include "desktop/status_line.h"
#include "desktop/wizard/wizard_page.h"
#include "remote/mirror.h"
#include "run/paths.h"
#include "widgets/nav_button.h"
#include "widgets/theme.h"

namespace trainyard::desktop {

using widgets::Theme;
using widgets::ThemeChoice;

namespace {
constexpr int kMostRunPages = 6;
constexpr QSize kSmallest(1100, 700);
constexpr QSize kUsual(1440, 900);

/// A value of `--set`: read as YAML, so that a path with odd characters stays one.
QString yamlText(QString text) {
    return QLatin1Char('"') +
           text.replace(QLatin1Char('\\'), QLatin1String("\\\\")).replace(QLatin1Char('"'), QLatin1String("\\\"")) +
           QLatin1Char('"');
}

}  // namespace

MainWindow::MainWindow(Preferences* preferences, const Options& options, QWidget* parent)
    : QMainWindow(parent),
      preferences_(preferences),
      options_(options),
      store_(new RunStore(this)),
      engine_(new EngineLink(this)),
      rail_(new Rail),
      stack_(new QStackedWidget),
      status_(new StatusLine(engine_)),
      blank_(new Page(tr("Runs"))) {
    setWindowTitle(QStringLiteral("Trainyard"));
    setWindowIcon(applicationIcon());
    setMinimumSize(kSmallest);
    setAcceptDrops(true);
    auto* root = new QWidget;
    root->setObjectName(QStringLiteral("root"));
    setCentralWidget(root);
    auto* layout = new QHBoxLayout(root);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(rail_);
    auto* right = new QVBoxLayout;
    right->setSpacing(0);
    right->addWidget(stack_, 1);
    right->addWidget(status_);
    layout->addLayout(right, 1);
    stack_->addWidget(blank_);
    palette_ = new CommandPalette(root);

    if (options.size.isValid()) {
        setMinimumSize(options.size.boundedTo(kSmallest));
        resize(options.size);
    } else if (preferences_->geometry().isEmpty() || !restoreGeometry(preferences_->geometry())) {
        resize(kUsual);
    }
    rail_->setFolded(preferences_->railFolded());
    makeActions();

    connect(rail_, &Rail::placeRequested, this, &MainWindow::showPlace);
    connect(rail_, &Rail::runRequested, this, &MainWindow::showRun);
    connect(rail_, &Rail::searchRequested, this, [this] { palette_->open(commands(), store_->runs()); });
    connect(rail_, &Rail::foldRequested, this, [this] {
        rail_->setFolded(!rail_->isFolded());
        preferences_->setRailFolded(rail_->isFolded());
    });
    connect(rail_, &Rail::requested, this, [this](const QString& path, const QString& kind) {
        store_->request(path, kind);
        status_->say(kind == QLatin1String("stop") ? tr("Stop after a checkpoint was asked for.")
                                                   : tr("A checkpoint was asked for."));
    });
    connect(status_, &StatusLine::commandsRequested, this, [this] { palette_->open(commands(), store_->runs()); });
    connect(status_, &StatusLine::shortcutsRequested, this,
            [this] { palette_->open(commands(), store_->runs(), QStringLiteral(">")); });
    connect(palette_, &CommandPalette::runRequested, this, &MainWindow::showRun);
    connect(store_, &RunStore::changed, this, &MainWindow::storeChanged);
    connect(store_, &RunStore::requestFailed, status_, &StatusLine::say);

    runs_ = new RunsPage(store_);
    runs_->restoreColumns(preferences_->columns());
    connect(runs_, &RunsPage::runActivated, this, &MainWindow::showRun);
    connect(runs_, &RunsPage::folderRequested, this, &MainWindow::openFolder);
    connect(runs_, &RunsPage::runAgainRequested, this, [this](const QString& file) { launchFile(file, 0); });
    stack_->addWidget(runs_);
    first_run_ = new FirstRunPage(engine_);
    connect(first_run_, &FirstRunPage::sampleRequested, this, &MainWindow::startSample);
    connect(first_run_, &FirstRunPage::newRunRequested, this, [this] { showPlace(Place::NewRun); });
    connect(first_run_, &FirstRunPage::openRequested, this, &MainWindow::chooseToOpen);
    connect(first_run_, &FirstRunPage::engineChooseRequested, this, &MainWindow::chooseEngine);
    stack_->addWidget(first_run_);
    notifications_ = new NotificationsPage;
    connect(notifications_, &NotificationsPage::runActivated, this, &MainWindow::showRun);
    connect(notifications_, &NotificationsPage::unreadChanged, rail_, &Rail::setUnread);
    connect(store_, &RunStore::runEnded, this, [this](const RunSummary& run) {
        notifications_->add(run);
        if (currentPage() == notifications_)
            notifications_->markRead();
    });
    stack_->addWidget(notifications_);
    go({showsFirstRun() ? Place::Runs : location_.place, {}});
}

MainWindow::~MainWindow() = default;

bool MainWindow::showsFirstRun() const {
    return options_.sample || options_.page == QLatin1String("first-run") ||
           (store_->isLoaded() && store_->runs().isEmpty());
}

void MainWindow::begin() {
    store_->start();
    engine_->locate(preferences_->enginePath());
    if (!preferences_->complaint().isEmpty())
        notifications_->addText(tr("Settings were reset"), preferences_->complaint());
    static const QMap<QString, Place> places{
        {QStringLiteral("runs"), Place::Runs},
        {QStringLiteral("new"), Place::NewRun},
        {QStringLiteral("hosts"), Place::Hosts},
        {QStringLiteral("estimator"), Place::Estimator},
        {QStringLiteral("traces"), Place::Traces},
        {QStringLiteral("checkpoints"), Place::Checkpoints},
        {QStringLiteral("notifications"), Place::Notifications},
        {QStringLiteral("settings"), Place::Settings},
    };
    if (options_.page.startsWith(QLatin1String("run:")))
        showRun(options_.page.mid(4));
    else if (options_.page.startsWith(QLatin1String("new:"))) {
        showPlace(Place::NewRun);
        newRunPage()->openNamed(options_.page.mid(4));
    } else if (options_.page.startsWith(QLatin1String("hosts:"))) {
        showPlace(Place::Hosts);
        const QString name = options_.page.mid(6);
        connect(
            hostsPage()->hosts(), &HostList::loaded, this,
            [this, name] {
                hostsPage()->choose(name);
                hostsPage()->hosts()->probe(name);
            },
            Qt::SingleShotConnection);
    } else if (places.contains(options_.page))
        showPlace(places.value(options_.page));
    if (!options_.open.isEmpty())
        openPath(options_.open);
}

QAction* MainWindow::addCommand(const QString& text, const QString& icon, const QKeySequence& keys,
                                const std::function<void()>& run) {
    auto* action = new QAction(text, this);
    action->setShortcut(keys);
    action->setProperty("icon", icon);
    connect(action, &QAction::triggered, this, run);
    addAction(action);
    return action;
}

void MainWindow::makeActions() {
    auto key = [](const char* text) { return QKeySequence(QLatin1String(text)); };
    addCommand(tr("New run"), QStringLiteral("plus"), key("Ctrl+N"), [this] { showPlace(Place::NewRun); });
    addCommand(tr("Open a file or run folder…"), QStringLiteral("folder"), key("Ctrl+O"), [this] { chooseToOpen(); });
    addCommand(tr("Start the sample run"), QStringLiteral("play"), {}, [this] { startSample(); });
    const std::pair<Place, const char*> places[] = {
        {Place::Runs, "Ctrl+1"},     {Place::Hosts, "Ctrl+2"},       {Place::Estimator, "Ctrl+3"},
        {Place::Traces, "Ctrl+4"},   {Place::Checkpoints, "Ctrl+5"}, {Place::Notifications, "Ctrl+Shift+N"},
        {Place::Settings, "Ctrl+,"},
    };
    static const char* const icons[] = {"runs", "hosts", "estimate", "trace", "ckpt", "bell", "gear"};
    int i = 0;
    for (const auto& [place, keys] : places) {
        addCommand(tr("Go to %1").arg(rail_->button(place)->text()), QLatin1String(icons[i++]), key(keys),
                   [this, where = place] { showPlace(where); });
    }
    addCommand(tr("Command palette"), QStringLiteral("search"), key("Ctrl+K"),
               [this] { palette_->isVisible() ? palette_->dismiss() : palette_->open(commands(), store_->runs()); });
    addCommand(tr("Shortcuts"), QStringLiteral("info"), key("Ctrl+/"),
               [this] { palette_->open(commands(), store_->runs(), QStringLiteral(">")); });
    addCommand(tr("Fold or unfold the rail"), QStringLiteral("panel"), key("Ctrl+B"),
               [this] { emit rail_->foldRequested(); });
    addCommand(tr("Back"), QStringLiteral("left"), key("Alt+Left"), [this] { stepHistory(-1); });
    addCommand(tr("Forward"), QStringLiteral("right"), key("Alt+Right"), [this] { stepHistory(1); });
    addCommand(tr("Refresh"), QStringLiteral("undo"), key("F5"), [this] {
        store_->refresh();
        if (auto* page = qobject_cast<Page*>(currentPage()))
            page->refresh();
    });
    addCommand(tr("Find in this page"), QStringLiteral("search"), key("Ctrl+F"), [this] {
        if (auto* page = qobject_cast<Page*>(currentPage()))
            page->find();
        else if (auto* run = qobject_cast<RunPage*>(currentPage()))
            run->find();
    });
    addCommand(tr("Do the main thing of this page"), QStringLiteral("bolt"), key("Ctrl+Return"), [this] {
        if (auto* page = qobject_cast<Page*>(currentPage()))
            page->primaryAction();
    });
    addCommand(tr("Theme: dark"), QStringLiteral("moon"), {},
               [this] { setTheme(static_cast<int>(ThemeChoice::Dark)); });
    addCommand(tr("Theme: light"), QStringLiteral("sun"), {},
               [this] { setTheme(static_cast<int>(ThemeChoice::Light)); });
    addCommand(tr("Theme: as the system"), QStringLiteral("screen"), {},
               [this] { setTheme(static_cast<int>(ThemeChoice::System)); });
    addCommand(tr("Quit"), QStringLiteral("x"), key("Ctrl+Q"), [this] { close(); });
}

void MainWindow::setTheme(int choice) {
    Theme::instance().setChoice(static_cast<ThemeChoice>(choice));
    preferences_->setTheme(static_cast<ThemeChoice>(choice));
    if (settings_ != nullptr)
        settings_->refresh();
}

QWidget* MainWindow::currentPage() const {
    return stack_->currentWidget();
}

QList<QAction*> MainWindow::commands() const {
    return actions() + currentPage()->actions();
}

WizardPage* MainWindow::newRunPage() {
    if (new_run_ == nullptr) {
        new_run_ = new WizardPage(engine_, machine_);
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
    connect(launch_, &LaunchPage::launched, this, &MainWindow::launched);
    connect(launch_, &LaunchPage::left, this, [this](const QString& words) {
        go({Place::NewRun, {}}, false);
        if (!words.isEmpty())
            newRunPage()->tell(tr("The launch was called off"), words);
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
    page->open(request);
}

HostsPage* MainWindow::hostsPage() {
    if (hosts_ == nullptr) {
        if (!host_source_)
            host_source_ = std::make_unique<SshHostSource>(Preferences::stateFolder().toStdString() + "/hosts");
        hosts_ = new HostsPage(engine_, std::move(host_source_));
        hosts_->setRuns(store_->runs());
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
    if (later_.contains(place))
        return later_.value(place);
    LaterPage* page = nullptr;
    switch (place) {
        case Place::Estimator:
            page = new LaterPage(tr("Estimator"), QStringLiteral("estimate"),
                                 tr("Estimates of memory and time come with a later version."),
                                 tr("New run shows parameters and tokens of a recipe today."));
            break;
        case Place::Traces:
            page =
                new LaterPage(tr("Traces"), QStringLiteral("trace"), tr("Profiler traces come with a later version."),
                              tr("A run's dashboard shows step time and throughput today."));
            break;
        default:
            page = new LaterPage(
                tr("Checkpoints"), QStringLiteral("ckpt"), tr("Looking into checkpoints comes with a later version."),
                tr("Runs save them today: a run's dashboard lists each one, as safetensors with Hugging "
                   "Face names."));
            break;
    }
    connect(page, &LaterPage::runsRequested, this, [this] { showPlace(Place::Runs); });
    later_.insert(place, page);
    stack_->addWidget(page);
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
    connect(page, &RunPage::openFolderRequested, this, &MainWindow::openFolder);
    connect(page, &RunPage::runAgainRequested, this, [this](const QString& file) { launchFile(file, 0); });
    connect(page, &RunPage::resumeRequested, this, [this](const QString& file, const QString& checkpoint) {
        startWords({QStringLiteral("--set"), QStringLiteral("checkpoint.resume_from=") + yamlText(checkpoint), file});
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

QWidget* MainWindow::pageOf(const Location& location) {
    if (!location.runId.isEmpty())
        return runPage(location.runId);
    if (location.launch)
        return launchPage();
    switch (location.place) {
        case Place::Runs:
            if (showsFirstRun())
                return first_run_;
            return store_->isLoaded() ? static_cast<QWidget*>(runs_) : blank_;
        case Place::NewRun:
            return newRunPage();
        case Place::Hosts:
            return hostsPage();
        case Place::Notifications:
            notifications_->markRead();
            return notifications_;
        case Place::Settings:
            if (settings_ == nullptr) {
                settings_ = new SettingsPage(preferences_, engine_);
                connect(settings_, &SettingsPage::themeChosen, this, &MainWindow::setTheme);
                connect(settings_, &SettingsPage::engineChooseRequested, this, &MainWindow::chooseEngine);
                connect(settings_, &SettingsPage::runsFolderChanged, store_, &RunStore::setRoot);
                stack_->addWidget(settings_);
            }
            settings_->refresh();
            return settings_;
        default:
            return laterPage(location.place);
    }
}

void MainWindow::go(const Location& location, bool remember) {
    QWidget* page = pageOf(location);
    location_ = location;
    stack_->setCurrentWidget(page);
    if (location.runId.isEmpty())
        rail_->setCurrent(location.place);
    else
        rail_->setCurrentRun(location.runId);
    if (auto* framed = qobject_cast<Page*>(page); framed != nullptr && framed->firstFocus() != nullptr)
        framed->firstFocus()->setFocus(Qt::OtherFocusReason);
    else if (auto* run = qobject_cast<RunPage*>(page); run != nullptr && run->firstFocus() != nullptr)
        run->firstFocus()->setFocus(Qt::OtherFocusReason);
    else
        page->setFocus(Qt::OtherFocusReason);
    if (!remember || (history_at_ >= 0 && history_[history_at_] == location))
        return;
    history_.resize(history_at_ + 1);
    history_ << location;
    history_at_ = static_cast<int>(history_.size()) - 1;
}

void MainWindow::stepHistory(int by) {
    if (auto* page = qobject_cast<Page*>(currentPage()); page != nullptr && page->step(by))
        return;
    const int to = history_at_ + by;
    if (to < 0 || to >= history_.size())
        return;
    history_at_ = to;
    go(history_[to], false);
}

void MainWindow::showPlace(Place place) {
    go({place, {}});
}

void MainWindow::showRun(const QString& runId) {
    if (!store_->isLoaded() && store_->find(runId) == nullptr) {
        waited_for_ = runId;
        return;
    }
    go({Place::Runs, runId});
}

void MainWindow::storeChanged() {
    rail_->setRuns(store_->runs());
    status_->setRuns(store_->runs());
    keepMirrors();
    if (hosts_ != nullptr)
        hosts_->setRuns(store_->runs());
    if (!waited_for_.isEmpty()) {
        const QString runId = std::exchange(waited_for_, {});
        go({Place::Runs, runId});
        return;
    }
    // The first run fills the list, the last one that goes empties it: the place stays, what stands in it changes.
    const bool inRuns = location_.place == Place::Runs && location_.runId.isEmpty();
    if (inRuns && currentPage() != pageOf(location_))
        go(location_, false);
}

void MainWindow::keepMirrors() {
    if (mirrors_.isRunning())
        return;  // the list comes again
    QStringList fresh;
    for (const RunSummary& run : store_->runs())
        if (run.isLive() && !mirrors_seen_.contains(run.id)) {
            mirrors_seen_.insert(run.id);
            fresh << run.path;
        }
    if (fresh.isEmpty())
        return;
    // A run on another host goes on; who keeps its copy here may have gone with the last session.
    mirrors_.submit(
        [fresh, program = engine_->program().toStdString()](const widgets::Cancelled&) {
            QStringList problems;
            for (const QString& path : fresh)
                try {
                    remote::ensure_mirror(run::RunPaths(path.toStdString()), program);
                } catch (const std::exception& error) {
                    problems << QString::fromUtf8(error.what());
                }
            return problems;
        },
        [this](const QStringList& problems) {
            for (const QString& problem : problems)
                notifications_->addText(tr("A run on another host is not followed"), problem);
        });
}

void MainWindow::startSample() {
    const QString recipe = sampleRecipeFile();
    if (recipe.isEmpty()) {
        launch_error_ =
            tr("The sample recipe was not found: set TRAINYARD_SAMPLE to a recipe, or install Trainyard again.");
        first_run_->showError(tr("The sample run was not started"), launch_error_);
        emit launchFailed(launch_error_);
        return;
    }
    first_run_->setLaunching(true);
    launch_error_.clear();
    engine_->launch(recipe, 0, [this](const QString& path, const QString& error) {
        first_run_->setLaunching(false);
        if (path.isEmpty()) {
            launch_error_ = error;
            first_run_->showError(tr("The sample run was not started"), error);
            emit launchFailed(error);
            return;
        }
        launched(path);
    });
}

void MainWindow::launchFile(const QString& recipeFile, int ranks) {
    QStringList words;
    if (ranks > 0)
        words << QStringLiteral("--num_processes") << QString::number(ranks);
    startWords(words << recipeFile);
}

void MainWindow::startWords(const QStringList& words) {
    status_->say(tr("Launching…"));
    engine_->start(words, [this](const QString& path, const QString& error) {
        if (!path.isEmpty()) {
            launched(path);
            return;
        }
        notifications_->addText(tr("The run was not started"), error);
        status_->say(tr("The run was not started: see Notifications."));
        emit launchFailed(error);
    });
}

void MainWindow::launched(const QString& runPath) {
    // The sample was the reason to show the first-run page; from now on the list is.
    options_.sample = false;
    if (options_.page == QLatin1String("first-run"))
        options_.page.clear();
    launched_ = QFileInfo(runPath).fileName();
    store_->refresh();
    go({Place::Runs, launched_});
    emit runLaunched(launched_);
}

void MainWindow::chooseEngine() {
    const QString file = QFileDialog::getOpenFileName(this, tr("The program trainyard"), engine_->program());
    if (file.isEmpty())
        return;
    preferences_->setEnginePath(file);
    engine_->locate(file);
}

void MainWindow::chooseToOpen() {
    const QString file =
        QFileDialog::getOpenFileName(this, tr("Open settings, a recipe, or a file of a run folder"), QString(),
                                     tr("Settings, recipes, runs (*.yaml *.yml *.json);;All files (*)"));
    if (!file.isEmpty())
        openPath(file);
}

void MainWindow::openPath(const QString& path) {
    QFileInfo info(path);
    if (info.isFile() &&
        (info.fileName() == QLatin1String("state.json") || info.fileName() == QLatin1String("run.yaml")))
        info = QFileInfo(info.absolutePath());
    if (info.isDir()) {
        const run::RunPaths paths(std::filesystem::path(info.absoluteFilePath().toStdString()));
        if (QFileInfo::exists(QString::fromStdString(paths.spec().string())) ||
            QFileInfo::exists(QString::fromStdString(paths.state().string()))) {
            opened_.insert(info.fileName(), info.absoluteFilePath());
            showRun(info.fileName());
            return;
        }
        showPlace(Place::NewRun);
        newRunPage()->setDataPath(info.absoluteFilePath());
        return;
    }
    showPlace(Place::NewRun);
    static const QStringList readable{QStringLiteral("yaml"), QStringLiteral("yml"), QStringLiteral("json")};
    if (readable.contains(info.suffix().toLower()) || !info.exists())
        newRunPage()->load(info.absoluteFilePath());
    else
        newRunPage()->setDataPath(info.absoluteFilePath());
}

void MainWindow::openFolder(const QString& path) {
    QDesktopServices::openUrl(QUrl::fromLocalFile(path));
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!options_.size.isValid())
        preferences_->setGeometry(saveGeometry());
    preferences_->setColumns(runs_->saveColumns());
    QMainWindow::closeEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    const QList<QUrl> urls = event->mimeData()->urls();
    if (urls.size() == 1 && urls.first().isLocalFile())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    openPath(event->mimeData()->urls().first().toLocalFile());
    event->acceptProposedAction();
}

void MainWindow::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Question) {
        palette_->open(commands(), store_->runs(), QStringLiteral(">"));
        return;
    }
    if (event->key() == Qt::Key_Escape && history_at_ > 0) {
        stepHistory(-1);
        return;
    }
    QMainWindow::keyPressEvent(event);
}

}  // namespace trainyard::desktop
