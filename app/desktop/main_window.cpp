#include "desktop/main_window.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDesktopServices>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QJsonArray>
#include <QMimeData>
#include <QStackedWidget>
#include <QUrl>
#include <QVBoxLayout>

#include "desktop/alarms/alarm_service.h"
#include "desktop/command_palette.h"
#include "desktop/curves/log_page.h"
#include "desktop/dashboard/run_page.h"
#include "desktop/engine_link.h"
#include "desktop/first_run_page.h"
#include "desktop/hosts/hosts_page.h"
#include "desktop/launch/launch_page.h"
#include "desktop/logo_mark.h"
#include "desktop/machine_peaks.h"
#include "desktop/mirror_keeper.h"
#include "desktop/notifications_page.h"
#include "desktop/opener.h"
#include "desktop/preferences.h"
#include "desktop/run_starter.h"
#include "desktop/runs/run_store.h"
#include "desktop/runs/runs_page.h"
#include "desktop/settings_page.h"
#include "desktop/status_line.h"
#include "desktop/view_state.h"
#include "desktop/wizard/wizard_page.h"
#include "widgets/tab_order.h"

namespace trainyard::desktop {

namespace {
constexpr QSize kSmallestWindow(1100, 700);
constexpr QSize kUsualWindow(1440, 900);
const QString kWindow = QStringLiteral("window");
const QString kLive = QStringLiteral("live");
const QString kHistory = QStringLiteral("history");
const QString kSides = QStringLiteral("sides");
const QString kFolders = QStringLiteral("folders");  // of runs outside of the runs folder

}  // namespace

MainWindow::MainWindow(Preferences* preferences, const Options& options, QWidget* parent)
    : QMainWindow(parent),
      preferences_(preferences),
      options_(options),
      store_(new RunStore(this)),
      peaks_(new MachinePeaks(this)),
      engine_(new EngineLink(this)),
      rail_(new Rail),
      stack_(new QStackedWidget),
      status_(new StatusLine(engine_)),
      opener_(new Opener(this)),
      starter_(new RunStarter(engine_, this)),
      mirrors_(new MirrorKeeper(this)),
      blank_(new Page(tr("Runs"))) {
    setWindowTitle(QStringLiteral("Trainyard"));
    setWindowIcon(applicationIcon());
    setMinimumSize(kSmallestWindow);
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
        setMinimumSize(options.size.boundedTo(kSmallestWindow));
        resize(options.size);
    } else if (preferences_->geometry().isEmpty() || !restoreGeometry(preferences_->geometry())) {
        resize(kUsualWindow);
    }
    rail_->setFolded(preferences_->railFolded());
    makeActions();

    connect(rail_, &Rail::placeRequested, this, &MainWindow::showPlace);
    connect(rail_, &Rail::runRequested, this, &MainWindow::showRun);
    connect(rail_, &Rail::searchRequested, this, [this] { openPalette(); });
    connect(rail_, &Rail::foldRequested, this, [this] {
        rail_->setFolded(!rail_->isFolded());
        preferences_->setRailFolded(rail_->isFolded());
    });
    connect(rail_, &Rail::requested, this, [this](const QString& path, const QString& kind) {
        store_->request(path, kind);
        const RunSummary* run = store_->findPath(path);
        const bool waits = run != nullptr && run->phase == RunPhase::Queued;
        status_->say(kind == QLatin1String("start")           ? tr("The run starts ahead of the queue.")
                     : kind == QLatin1String("stop") && waits ? tr("The run was removed from the queue.")
                     : kind == QLatin1String("stop")          ? tr("The run will stop after a checkpoint.")
                                                              : tr("A checkpoint was requested."));
    });
    connect(status_, &StatusLine::commandsRequested, this, [this] { openPalette(); });
    connect(status_, &StatusLine::shortcutsRequested, this, [this] { openPalette(QStringLiteral(">")); });
    connect(store_, &RunStore::changed, this, &MainWindow::storeChanged);
    connect(store_, &RunStore::requestFailed, status_, &StatusLine::say);
    connect(opener_, &Opener::found, this, &MainWindow::showTarget);
    connectStarter();
    makeFirstPages();
    go({showsFirstRun() ? Place::Runs : location_.place, {}});
}

MainWindow::~MainWindow() {
    dropSides();
}

QString MainWindow::launchError() const {
    return starter_->sampleError();
}

void MainWindow::startSample() {
    starter_->startSample();
}

bool MainWindow::showsFirstRun() const {
    return options_.sample || options_.page == QLatin1String("first-run") ||
           (store_->isLoaded() && store_->runs().isEmpty());
}

void MainWindow::begin() {
    store_->start();
    engine_->locate(preferences_->enginePath());
    if (!preferences_->complaint().isEmpty())
        notifications_->addText(tr("Settings were reset"), preferences_->complaint());
    const ViewState& views = ViewState::instance();
    for (const QString& sentence : views.complaints())
        notifications_->addText(tr("A view was reset"), sentence);
    connect(&views, &ViewState::complaint, this,
            [this](const QString& sentence) { notifications_->addText(tr("A view was reset"), sentence); });
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
    else if (options_.page.startsWith(QLatin1String("compare:"))) {
        showPlace(Place::Runs);
        QStringList paths;
        for (const QString& id : options_.page.mid(8).split(QLatin1Char(','), Qt::SkipEmptyParts))
            paths << QString::fromStdString((run::runs_root() / id.toStdString()).string());
        runs_->model()->setTicked(paths);
    } else if (options_.page.startsWith(QLatin1String("new:"))) {
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

void MainWindow::returnToLast() {
    const QJsonObject folders = ViewState::instance().value(kWindow, kFolders).toObject();
    for (auto it = folders.begin(); it != folders.end(); ++it)
        opened_.insert(it.key(), it.value().toString());
    history_.restore(ViewState::instance().value(kWindow, kHistory).toObject());
    if (const Location* last = history_.current(); last != nullptr)
        go(*last, false);
    for (const QJsonValue key : ViewState::instance().value(kWindow, kSides).toArray())
        showSide(key.toString());
}

QWidget* MainWindow::currentPage() const {
    return stack_->currentWidget();
}

QWidget* MainWindow::pageOf(const Location& location) {
    if (!location.logs.isEmpty())
        return logPage(location.logs);
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
            return settingsPage();
        default:
            return laterPage(location.place);
    }
}

void MainWindow::go(const Location& location, bool remember) {
    const QString key = !location.logs.isEmpty()    ? QStringLiteral("logs:") + location.logs
                        : !location.runId.isEmpty() ? QStringLiteral("run:") + location.runId
                                                    : QString();
    if (sides_.contains(key)) {
        showSide(key);
        return;
    }
    comeToFront();
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
    if (remember)
        history_.push(location);
    // What a window shows before it is seen is nobody's place, and returnToLast() has not read the last one yet.
    if (options_.returns() && isVisible())
        ViewState::instance().set(kWindow, kHistory, history_.toJson());
}

void MainWindow::stepHistory(int by) {
    if (auto* page = qobject_cast<Page*>(currentPage()); page != nullptr && page->step(by))
        return;
    if (const Location* to = history_.step(by); to != nullptr)
        go(*to, false);
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

void MainWindow::noteLive() {
    if (!store_->isLoaded())
        return;
    const bool first = !std::exchange(live_known_, true);
    if (first)
        for (const QJsonValue path : ViewState::instance().value(kWindow, kLive).toArray())
            if (const RunSummary* run = store_->findPath(path.toString());
                run != nullptr && !run->isLive() && AlarmService::wantsEnd(*run))
                notifications_->add(*run);
    QStringList live;
    for (const RunSummary& run : store_->runs())
        if (run.isLive())
            live << run.path;
    if (live == live_ && !first)
        return;
    live_ = live;
    ViewState::instance().set(kWindow, kLive, QJsonArray::fromStringList(live));
}

void MainWindow::storeChanged() {
    noteLive();
    rail_->setRuns(store_->runs());
    status_->setRuns(store_->runs());
    mirrors_->keep(store_->runs(), engine_->program());
    if (hosts_ != nullptr)
        hosts_->setRuns(store_->runs());
    for (const auto& [runId, page] : run_pages_)
        if (const RunSummary* run = store_->find(runId))
            if (auto* shown = qobject_cast<RunPage*>(page))
                shown->record()->setColorNumber(run->number);
    closeLostSides();
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

void MainWindow::openPath(const QString& path) {
    opener_->open(path);
}

void MainWindow::comeForward(const QString& words) {
    setWindowState(windowState() & ~Qt::WindowMinimized);
    QMainWindow::show();
    raise();
    activateWindow();
    if (!words.isEmpty())
        openPath(words);
}

void MainWindow::showTarget(const OpenTarget& target) {
    switch (target.kind) {
        case OpenTarget::Kind::Run: {
            const QFileInfo folder(target.path);
            opened_.insert(folder.fileName(), target.path);
            keepOpened();
            showRun(folder.fileName());
            return;
        }
        case OpenTarget::Kind::Logs:
        case OpenTarget::Kind::Remote:
            go({Place::Runs, {}, false, target.path});
            return;
        case OpenTarget::Kind::Data:
            showPlace(Place::NewRun);
            newRunPage()->setDataPath(target.path);
            return;
        case OpenTarget::Kind::Settings:
        case OpenTarget::Kind::Missing:
            // What is not there is told where a file is loaded.
            showPlace(Place::NewRun);
            newRunPage()->load(target.path);
            return;
    }
}

void MainWindow::keepOpened() {
    QJsonObject folders;
    for (auto it = opened_.cbegin(); it != opened_.cend(); ++it)
        folders.insert(it.key(), it.value());
    ViewState::instance().set(kWindow, kFolders, folders);
}

void MainWindow::chooseEngine() {
    const QString file = QFileDialog::getOpenFileName(this, tr("The program trainyard"), engine_->program());
    if (file.isEmpty())
        return;
    preferences_->setEnginePath(file);
    engine_->locate(file);
}

void MainWindow::openFolder(const QString& path) {
    QDesktopServices::openUrl(QUrl::fromLocalFile(path));
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!options_.size.isValid())
        preferences_->setGeometry(saveGeometry());
    dropSides();
    ViewState::instance().flush();
    QMainWindow::closeEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (!Opener::dropped(event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    openPath(Opener::dropped(event->mimeData()));
    event->acceptProposedAction();
}

bool MainWindow::focusNextPrevChild(bool next) {
    // What lies over the page keeps the keyboard.
    return widgets::focus_by_reading(palette_->isVisible() ? static_cast<QWidget*>(palette_) : this, next);
}

void MainWindow::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Question) {
        openPalette(QStringLiteral("?"));
        return;
    }
    if (event->key() == Qt::Key_Escape && history_.canGoBack()) {
        stepHistory(-1);
        return;
    }
    QMainWindow::keyPressEvent(event);
}

}  // namespace trainyard::desktop
