// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/shell/main_window.h"

#include <algorithm>
#include <utility>

#include <QApplication>
#include <QCloseEvent>
#include <QDialog>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QMenuBar>
#include <QResizeEvent>
#include <QTimer>

#include "desktop/architecture/architecture_page.h"
#include "desktop/checkpoints/checkpoints_page.h"
#include "desktop/help/help_page.h"
#include "desktop/launch/engine_link.h"
#include "desktop/launch/launch_page.h"
#include "desktop/launch/run_starter.h"
#include "desktop/pages/pages.h"
#include "desktop/runs/run_store.h"
#include "desktop/runs/runs_page.h"
#include "desktop/shell/action_collection.h"
#include "desktop/shell/command_palette.h"
#include "desktop/shell/consent.h"
#include "desktop/shell/logo_mark.h"
#include "desktop/shell/opener.h"
#include "desktop/shell/page.h"
#include "desktop/shell/page_stack.h"
#include "desktop/shell/preferences.h"
#include "desktop/shell/rail.h"
#include "desktop/shell/settings_page.h"
#include "desktop/shell/side_window.h"
#include "desktop/shell/side_windows.h"
#include "desktop/shell/sleep_inhibitor.h"
#include "desktop/shell/start_notes.h"
#include "desktop/shell/status_line.h"
#include "desktop/shell/taskbar_progress.h"
#include "desktop/shell/tray.h"
#include "desktop/shell/ui.h"
#include "desktop/shell/view_state.h"
#include "desktop/shell/window_commands.h"
#include "desktop/shell/window_menus.h"
#include "desktop/shell/window_renewal.h"
#include "desktop/traces/traces_page.h"
#include "desktop/wizard/wizard_page.h"
#include "widgets/drag_out.h"
#include "widgets/languages.h"
#include "widgets/nav_button.h"
#include "widgets/pixels.h"
#include "widgets/screen_limit.h"
#include "widgets/scroll_area.h"
#include "widgets/tab_order.h"

namespace trainyard::desktop {

using widgets::Languages;

namespace {
QSize smallest_window() {
    return {1100_px, 700_px};
}
QSize usual_window() {
    return {1440_px, 900_px};
}
/// Returns the size of a page beside the sidebar of the smallest window.
QSize enough_for_page() {
    return {860_px, 660_px};
}
const int& kWidthOfOpenRail = live_px(1000);  // a narrower window folds the sidebar
const QString kWindow = QStringLiteral("window");
const QString kHistory = QStringLiteral("history");

Location runs_place() {
    return {QLatin1String(RunsPage::kKey), {}};
}

}  // namespace

/// The navigation of this window, as pages see it.
class MainWindow::Context : public AppContext {
  public:
    Context(MainWindow* window, Preferences* preferences, const Options& options)
        : AppContext(preferences, options, window), window_(window) {}
    Page* pageAt(const Location& location) override { return window_->stack_->pageAt(location); }
    Page* madePageAt(const QString& key) const override { return window_->stack_->existingPage(key); }
    Page* currentPage() const override { return window_->currentPage(); }
    void open(const Location& location, bool remember) override { window_->open(location, remember); }
    void openInOwnWindow(const Location& location) override { window_->showSide(location); }
    QWidget* window() const override { return window_; }

  private:
    MainWindow* window_;
};

MainWindow::MainWindow(Preferences* preferences, const Options& options, QWidget* parent)
    : QMainWindow(parent),
      preferences_(preferences),
      options_(options),
      context_(new Context(this, preferences, options)),
      stack_(new PageStack(context_)),
      sides_(new SideWindows(
          context_, stack_, [this] { return keepsPlace(); }, this)),
      sleep_(new SleepInhibitor(this)),
      tray_(new Tray(this)),
      taskbar_(new TaskbarProgress(this)),
      limit_(new widgets::ScreenLimit(this)),
      renewal_(new WindowRenewal(this, stack_, sides_)) {
    setWindowTitle(QStringLiteral("Trainyard"));
    setWindowIcon(applicationIcon());
    setAcceptDrops(true);
    makeParts();
    if (options_.size.isValid())
        resize(options_.size);
    else if (preferences_->geometry().isEmpty() || !restoreGeometry(preferences_->geometry()))
        resize(usual_window());
    connectContext();
    connectTray();
    // Notifications follow runs even if their page is not open.
    for (const char* page : {"runs", "first-run", "notifications"})
        stack_->pageAt({QLatin1String(page), {}});
    commands_ = new WindowCommands(this, context_);
    keepShortcuts();
    menus_ = new WindowMenus(this, context_, preferences_->menuBarShown());
    qApp->installEventFilter(this);
    open(runs_place());
}

MainWindow::~MainWindow() {
    disconnect(qApp, &QApplication::focusChanged, this, nullptr);  // the pages lose the focus while they are destroyed
    sides_->closeAll();
    delete stack_;  // before the models of the pages, which belong to the context
}

/// Creates the sidebar, the notes and the status line around the stack of pages, which stays.
void MainWindow::makeParts() {
    limit_->setSmallest(options_.size.isValid() ? options_.size.boundedTo(smallest_window()) : smallest_window());
    rail_ = new Rail;
    status_ = new StatusLine(context_->engine());
    if (notes_ == nullptr)
        notes_ = new StartNotes(preferences_);
    else
        notes_->renew();
    auto* root = new QWidget;
    root->setObjectName(QStringLiteral("root"));
    root->setLayout(make_row(
        {0, 0, 0, 0}, 0,
        {rail_, {make_column(0, {notes_, {widgets::make_page_scroll(stack_, enough_for_page()), 1}, status_}), 1}}));
    setCentralWidget(root);
    palette_ = new CommandPalette(root);
    rail_->setFolded(narrow_ || preferences_->railFolded());
    connectRail();
    if (const auto* page = qobject_cast<const Page*>(stack_->currentWidget()))
        status_->setPage(page->key());
    connect(status_, &StatusLine::commandsRequested, this, [this] { openPalette(); });
    connect(status_, &StatusLine::manualRequested, this, [this] { openManual(currentPage()); });
    connect(status_, &StatusLine::shortcutsRequested, this, [this] { openPalette(QStringLiteral("?")); });
}

void MainWindow::connectContext() {
    connect(context_, &AppContext::said, this, [this](const QString& sentence) { status_->say(sentence); });
    connect(context_, &AppContext::themeChosen, this, &MainWindow::setTheme);
    connect(context_, &AppContext::countChanged, this, [this](const QString& page, const QString& count) {
        counts_.insert(page, count);
        rail_->setCount(page, count);
    });
    connect(context_, &AppContext::unreadChanged, this, [this](const QString& page, int unread) {
        unread_.insert(page, unread);
        rail_->setUnread(page, unread);
    });
    connect(qApp, &QApplication::focusChanged, this, &MainWindow::keepFocus);
    connect(preferences_, &Preferences::textSizeChanged, this,
            [](int percent) { Theme::instance().setTextSize(percent); });
    connect(preferences_, &Preferences::languageChanged, this, [](const QString& code) {
        if (const QString wanted = code.isEmpty() ? Languages::ofSystem() : code; wanted != Languages::current())
            Languages::install(*qApp, wanted);
    });
    connect(renewal_, &WindowRenewal::partsOutdated, this, &MainWindow::makePartsAgain);
    connect(renewal_, &WindowRenewal::pageOutdated, this, &MainWindow::showPageAgain);
    widgets::act_after(showing_, 0, this, &MainWindow::showOpening);
    connect(context_, &AppContext::runStarted, this, &MainWindow::launched);
    connect(context_->starter(), &RunStarter::sampleFailed, this, &MainWindow::launchFailed);
    connect(context_->starter(), &RunStarter::failed, this, &MainWindow::launchFailed);
    connect(context_->opener(), &Opener::found, this, &MainWindow::showTarget);
    connect(store(), &RunStore::changed, this, &MainWindow::storeChanged);
    connect(sides_, &SideWindows::taken, this, [this](const Location& location) {
        // A page that moved to its own window is replaced by the list of runs.
        if (location == location_)
            open(runs_place());
    });
}

/// A control that is disabled while it has the focus must not hand it to the sidebar.
void MainWindow::keepFocus(const QWidget* old, const QWidget* now) {
    if (old == nullptr || now == nullptr || old->isEnabled())
        return;
    Page* page = currentPage();
    if (page == nullptr || !page->isAncestorOf(old) || page == now || page->isAncestorOf(now))
        return;
    QMetaObject::invokeMethod(
        page, [page] { page->setFocus(Qt::OtherFocusReason); }, Qt::QueuedConnection);
}

void MainWindow::connectRail() {
    connect(rail_, &Rail::newRunRequested, this, [this] { context()->show<WizardPage>()->opener()->newRun(); });
    connect(rail_, &Rail::pageRequested, this, [this](const QString& key) { open({key, {}}); });
    connect(rail_, &Rail::runRequested, context_, &AppContext::openRun);
    connect(rail_, &Rail::searchRequested, this, [this] { openPalette(); });
    connect(rail_, &Rail::foldRequested, this, [this] {
        rail_->setFolded(!rail_->isFolded());
        if (!narrow_)
            preferences_->setRailFolded(rail_->isFolded());
    });
    connect(rail_, &Rail::requested, this, [this](const QString& path, const run::RequestBody& request) {
        store()->request(path, request);
        const RunSummary* run = store()->findPath(path);
        const bool waits = run != nullptr && run->phase == RunPhase::Queued;
        const bool stops = std::holds_alternative<run::StopRequest>(request);
        status_->say(std::holds_alternative<run::StartRequest>(request) ? tr("The run starts ahead of the queue.")
                     : stops && waits                                   ? tr("The run was removed from the queue.")
                     : stops                                            ? tr("The run will stop after a checkpoint.")
                                                                        : tr("A checkpoint was requested."));
    });
}

void MainWindow::appear() {
    // A size that was asked for may be that of a picture.
    const bool is_cut = !options_.size.isValid() && !isMaximized() && !isFullScreen() && limit_->fit();
    is_cut ? showMaximized() : show();
}

void MainWindow::begin() {
    store()->start();
    engine()->locate(preferences_->enginePath());
    if (!preferences_->complaint().isEmpty())
        emit context_->notified(tr("Settings were reset"), preferences_->complaint());
    connect(preferences_, &Preferences::notSaved, this,
            [this](const QString& sentence) { emit context_->notified(tr("Settings were not saved"), sentence); });
    const ViewState& views = ViewState::instance();
    auto reset = [this](const QString& sentence) { emit context_->notified(tr("A view was reset"), sentence); };
    for (const QString& sentence : views.complaints())
        reset(sentence);
    connect(&views, &ViewState::complaint, this, reset);
    notes_->begin();
    openOption(options_.page);
    if (!options_.open.isEmpty())
        context_->openPath(options_.open);
}

bool MainWindow::runCommand(const QString& id) {
    return commands_->run(id);
}

void MainWindow::openOption(const QString& page) {
    Location wanted = Location::parse(page);
    if (wanted.page == kComparePage)  // a part of that page
        wanted.page = QLatin1String(RunsPage::kKey);
    if (wanted.page == QLatin1String("run"))
        context_->openRun(wanted.subject);
    else if (find_page(wanted.page) != nullptr)
        open(wanted);
}

void MainWindow::returnToLast() {
    QStringList known;
    for (const PageEntry& entry : all_pages())
        known << entry.key;
    history_.restore(ViewState::instance().value(kWindow, kHistory).toObject(), known);
    if (const Location* last = history_.current(); last != nullptr)
        open(*last, false);
    for (const Location& location : sides_->kept())
        showSide(location);
}

/// The location is not saved before the window is visible, because returnToLast() has not restored the last one yet.
bool MainWindow::keepsPlace() const {
    return options_.returns() && isVisible();
}

Page* MainWindow::currentPage() {
    showOpening();
    return qobject_cast<Page*>(stack_->currentWidget());
}

void MainWindow::open(const Location& location, bool remember) {
    if (sides_->find(location) != nullptr || location.page == QLatin1String(HelpPage::kKey)) {
        showSide(location);
        return;
    }
    comeToFront();
    Page* page = stack_->shownPage(location);
    if (page == nullptr)
        return;
    location_ = location;
    opening_ = page;
    if (page->isOutdated())
        renewal_->attemptLater();
    markInRail();
    // Creating a page takes as long as its first layout and paint; each gets its own iteration of the event loop.
    // A timer of 0 ms fires when no other event is pending; QTimer::singleShot(0) would fire in this iteration.
    if (isVisible() && !page->testAttribute(Qt::WA_WState_Polished))
        showing_.start();
    else
        showOpening();
    if (remember)
        history_.push(location);
    if (keepsPlace()) {
        QStringList transient;
        for (const PageEntry& one : all_pages())
            if (one.transient)
                transient << one.key;
        ViewState::instance().set(kWindow, kHistory, history_.toJson(transient));
    }
}

void MainWindow::markInRail() {
    const PageEntry* entry = find_page(location_.page);
    rail_->setCurrent(entry->rail_key.isEmpty() ? entry->key : entry->rail_key,
                      location_.page == QLatin1String("run") ? location_.subject : QString());
}

void MainWindow::showOpening() {
    Page* page = std::exchange(opening_, nullptr);
    if (page == nullptr || stack_->indexOf(page) < 0)  // it has a window of its own by now
        return;
    stack_->setCurrentWidget(page);
    status_->setPage(page->key());
    if (page == stack_->pageAt(location_))  // not a substitute, see PageEntry::stand_in
        page->activate(location_.subject);
    QWidget* focus = page->firstFocus() != nullptr ? page->firstFocus() : page;
    focus->setFocus(Qt::OtherFocusReason);
}

void MainWindow::stepHistory(int by) {
    // A window of its own has no steps but those of its page.
    if (Page* page = actingPage(); page != nullptr && page->window() != this) {
        page->step(by);
        return;
    }
    if (currentPage()->step(by))
        return;
    if (const Location* to = history_.step(by); to != nullptr)
        open(*to, false);
}

void MainWindow::storeChanged() {
    rail_->setRuns(store()->runs());
    status_->setRuns(store()->runs());
    tray_->setRuns(store()->runs());
    taskbar_->setRuns(store()->runs());
    sleep_->setActive(preferences_->keepsAwake() && std::ranges::any_of(store()->runs(), trains_here));
    // When the first run appears or the last one is removed, the location stays the same but its page changes.
    if (currentPage() != stack_->shownPage(location_))
        open(location_, false);
}

void MainWindow::launched(const QString& runPath) {
    status_->say({});
    // The sample was the reason to show the first-run page; from now on the list is.
    context_->forgetSampleOption();
    options_.sample = false;
    if (options_.page == QLatin1String("first-run"))
        options_.page.clear();
    launched_ = QFileInfo(runPath).fileName();
    store()->refresh();
    // The way back from the run does not lead to checks and a form that are done.
    if (location_.page == QLatin1String(LaunchPage::kKey))
        history_.leave({QLatin1String(LaunchPage::kKey), QLatin1String(WizardPage::kKey)});
    open({QStringLiteral("run"), launched_});
    emit runLaunched(launched_);
}

void MainWindow::showTarget(const OpenTarget& target) {
    using Kind = OpenTarget::Kind;
    static const QMap<Kind, QString> pages{{Kind::Logs, QStringLiteral("logs")},
                                           {Kind::Remote, QStringLiteral("logs")},
                                           {Kind::Trace, QLatin1String(TracesPage::kKey)},
                                           {Kind::Checkpoint, QLatin1String(CheckpointsPage::kKey)},
                                           {Kind::Model, QLatin1String(ArchitecturePage::kKey)}};
    if (target.kind == Kind::Run)
        context_->openRun(AppContext::runSubject(target.path));
    else if (pages.contains(target.kind))
        open({pages[target.kind], target.path});
    else if (target.kind == Kind::Data)
        context_->show<WizardPage>()->opener()->offerData(target.path);
    else if (target.kind != Kind::Unknown)  // the wizard reports a missing file
        context_->show<WizardPage>()->opener()->offerFile(target.path);
    else
        status_->say(tr("%1 was not opened: it is not a run, a log, a trace, a checkpoint, settings or data that "
                        "Trainyard knows")
                         .arg(QFileInfo(target.path).fileName()));
}

void MainWindow::openPalette(const QString& beginning) {
    comeToFront();
    Page* page = currentPage();
    palette_->setStepTarget(!page->hasTrainingSteps() ? std::function<void(double)>{}
                                                      : [target = QPointer<Page>(page)](double step) {
                                                            if (target != nullptr)
                                                                target->showTrainingStep(step);
                                                        });
    palette_->open(palette_entries(*context_, commands_->all()), beginning);
    auto ask = [this](bool makes_page) {
        for (const PageEntry& entry : all_pages())
            if (entry.palette && entry.palette_makes_page == makes_page)
                entry.palette(context_, [this](const QVector<FinderEntry>& found) { palette_->add(found); });
    };
    ask(false);
    QTimer::singleShot(0, this, [ask] { ask(true); });
}

void MainWindow::openInNewWindow() {
    // Ctrl+Shift+D in a window of its own: the page is there already.
    if (qobject_cast<SideWindow*>(QApplication::activeWindow()) != nullptr)
        return;
    auto* runs = qobject_cast<RunsPage*>(currentPage());
    if (runs != nullptr && !runs->model()->ticked().isEmpty())
        showSide({QStringLiteral("compare"), {}});
    else if (runs == nullptr)
        showSide(location_);
}

SideWindow* MainWindow::showSide(const Location& location) {
    // One window for all pages of the manual.
    if (location.page == QLatin1String(HelpPage::kKey)) {
        SideWindow* manual = sides_->show({location.page, {}}, actions());
        qobject_cast<HelpPage*>(manual->page())->activate(location.subject);
        return manual;
    }
    return sides_->show(location, actions());
}

void MainWindow::openManual(const QWidget* shown) {
    QString subject = HelpPage::subjectOf(shown);
    if (subject.isEmpty() && qobject_cast<const QDialog*>(shown) != nullptr)
        subject = HelpPage::subjectOf(currentPage());
    // Without a page: the comparison of runs in a window of its own.
    showSide({QLatin1String(HelpPage::kKey), !subject.isEmpty() ? subject
                                             : shown == nullptr ? QStringLiteral("runs")
                                                                : QStringLiteral("index")});
}

bool MainWindow::eventFilter(QObject* watched, QEvent* event) {
    if (menus_ != nullptr)
        menus_->watch(watched, event);
    // A dialog blocks the actions of its window.
    if (event->type() == QEvent::KeyPress && watched->isWidgetType() &&
        ActionCollection::instance()
            .shortcuts(QStringLiteral("window.manual"))
            .contains(QKeySequence(static_cast<QKeyEvent*>(event)->keyCombination())))
        if (const auto* dialog = qobject_cast<QDialog*>(static_cast<QWidget*>(watched)->window())) {
            openManual(dialog);
            return true;
        }
    return QMainWindow::eventFilter(watched, event);
}

SideWindow* MainWindow::side(const Location& location) const {
    return sides_->find(location);
}

Page* MainWindow::actingPage() {
    if (const auto* window = qobject_cast<SideWindow*>(QApplication::activeWindow()); window != nullptr)
        return qobject_cast<Page*>(window->page());
    return currentPage();
}

void MainWindow::comeToFront() {
    if (qobject_cast<SideWindow*>(QApplication::activeWindow()) == nullptr)
        return;
    raise();
    activateWindow();
}

/// The shortcuts that the user changed, now and later. What is wrong in the settings file is reported by begin().
void MainWindow::keepShortcuts() {
    ActionCollection& commands = ActionCollection::instance();
    for (const QString& problem : commands.setChanges(preferences_->shortcuts()))
        preferences_->complain(QStringLiteral("%1: %2").arg(preferences_->settingsFile(), problem));
    connect(&commands, &ActionCollection::changed, this,
            [this, &commands] { preferences_->setShortcuts(commands.changes()); });
}

bool MainWindow::isMenuBarShown() const {
    return menus_ != nullptr ? menus_->isShown() : preferences_->menuBarShown();
}

void MainWindow::setMenuBarShown(bool shown) {
    menus_->setShown(shown);
    preferences_->setMenuBarShown(shown);
    if (!shown)
        status_->say(tr("The menu bar is hidden. Alt shows it."));
    emit menuBarShown(shown);
}

void MainWindow::comeForward(const QString& words, const QString& command) {
    setWindowState(windowState() & ~Qt::WindowMinimized);
    QMainWindow::show();
    QApplication::setQuitOnLastWindowClosed(true);
    raise();
    activateWindow();
    if (!words.isEmpty())
        context_->openPath(words);
    runCommand(command);
}

void MainWindow::changeEvent(QEvent* event) {
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        renewal_->outdate();
}

/// All that is made once for a language and a text size.
void MainWindow::makePartsAgain() {
    unsetLocale();  // of the old language; numbers in fields have that of their window
    makeParts();
    delete std::exchange(menus_, nullptr);
    setMenuBar(new QMenuBar);
    menus_ = new WindowMenus(this, context_, preferences_->menuBarShown());
    for (auto each = counts_.cbegin(); each != counts_.cend(); ++each)
        rail_->setCount(each.key(), *each);
    for (auto each = unread_.cbegin(); each != unread_.cend(); ++each)
        rail_->setUnread(each.key(), *each);
    tray_->retranslate();
    markInRail();
}

void MainWindow::showPageAgain() {
    Page* page = stack_->shownPage(location_);
    stack_->setCurrentWidget(page);
    page->activate({});  // it has taken over what was shown
    storeChanged();
}

void MainWindow::setTheme(int choice) {
    Theme::instance().setChoice(static_cast<widgets::ThemeChoice>(choice));
    preferences_->setTheme(static_cast<widgets::ThemeChoice>(choice));
    if (auto* settings = context_->madePage<SettingsPage>())
        settings->refresh();
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    if (const bool narrow = width() < kWidthOfOpenRail; std::exchange(narrow_, narrow) != narrow)
        rail_->setFolded(narrow || preferences_->railFolded());
}

void MainWindow::connectTray() {
    connect(tray_, &Tray::windowRequested, this, [this] { comeForward({}); });
    connect(tray_, &Tray::runRequested, this, [this](const QString& run) {
        comeForward({});
        context_->openRun(run);
    });
    connect(tray_, &Tray::stopRequested, this, [this](const QString& run) {
        comeForward({});
        if (const RunSummary* summary = store()->find(run))
            ask_to_stop(this, store(), *summary);
    });
    connect(tray_, &Tray::quitRequested, this, &MainWindow::quit);
}

void MainWindow::quit() {
    quitting_ = true;
    const bool was_hidden = !isVisible();  // closing it does not end the program
    close();
    if (was_hidden)
        QCoreApplication::quit();
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!options_.size.isValid())
        preferences_->setGeometry(saveGeometry());
    if (preferences_->closesToTray() && tray_->isShown() && !quitting_ && !qApp->isSavingSession()) {
        QApplication::setQuitOnLastWindowClosed(false);  // another window may be closed meanwhile
        hide();
        ViewState::instance().flush();
        event->ignore();
        if (!preferences_->closingExplained())
            tray_->explainClosing();
        preferences_->setClosingExplained();
        return;
    }
    sides_->closeAll();
    ViewState::instance().flush();
    QMainWindow::closeEvent(event);
    if (tray_->isShown())  // its icon would keep the program without a window
        QCoreApplication::quit();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    const Opener::Dropped dropped = Opener::dropped(event->mimeData());
    if (!dropped.words.isEmpty() || !dropped.problem.isEmpty())
        widgets::accept_as_copy(event);
}

void MainWindow::dropEvent(QDropEvent* event) {
    const Opener::Dropped dropped = Opener::dropped(event->mimeData());
    if (dropped.problem.isEmpty())
        context_->openPath(dropped.words);
    else
        status_->say(dropped.problem);
    widgets::accept_as_copy(event);
}

bool MainWindow::focusNextPrevChild(bool next) {
    // An open palette keeps the keyboard focus.
    return widgets::focus_by_reading(palette_->isVisible() ? static_cast<QWidget*>(palette_) : this, next);
}

void MainWindow::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && history_.canGoBack()) {
        stepHistory(-1);
        return;
    }
    QMainWindow::keyPressEvent(event);
}

}  // namespace trainyard::desktop
