#pragma once
// The one window: rail, pages, status line. Knows which page is open and how one gets from one to another; what a page
// shows is the page's own business.

#include <functional>
#include <memory>

#include <QMainWindow>
#include <QMap>
#include <QVector>

#include "desktop/history.h"
#include "desktop/launch/launch_request.h"
#include "desktop/open_target.h"
#include "desktop/options.h"
#include "desktop/rail.h"
#include "settings/machine.h"

class QStackedWidget;

namespace trainyard::desktop {

class CommandPalette;
class EngineLink;
class MachinePeaks;
class FirstRunPage;
class HostSource;
class HostsPage;
class LaunchPage;
class LogPage;
class MirrorKeeper;
class NotificationsPage;
class Opener;
class Page;
class Preferences;
class RunStarter;
class RunStore;
class RunsPage;
class SettingsPage;
class SideWindow;
class StatusLine;
class WizardPage;

class MainWindow : public QMainWindow {
    Q_OBJECT
  public:
    MainWindow(Preferences* preferences, const Options& options, QWidget* parent = nullptr);
    ~MainWindow() override;

    /// Reads runs and asks the engine; called once the window is on the screen.
    void begin();
    /// Where the last session was left, also by SIGKILL.
    void returnToLast();
    void showPlace(Place place);
    void showRun(const QString& runId);
    /// A file, a folder, an address: looked at in a thread, then shown.
    void openPath(const QString& path);
    /// Another start of the program: to the front, and opens what it names, if anything.
    void comeForward(const QString& words);
    void startSample();

    RunStore* store() const { return store_; }
    EngineLink* engine() const { return engine_; }
    FirstRunPage* firstRunPage() const { return first_run_; }
    RunsPage* runsPage() const { return runs_; }
    WizardPage* newRunPage();
    HostsPage* hostsPage();
    LaunchPage* launchPage();
    /// The page of checks, then the run.
    void showLaunch(const LaunchRequest& request);
    /// Other hosts than those of the user, for tests; before the page is opened.
    void setHostSource(std::unique_ptr<HostSource> source);
    /// What the wizard takes for this machine, instead of looking; before it is opened.
    void setMachine(const settings::Machine& machine) { machine_ = machine; }
    Rail* rail() const { return rail_; }
    NotificationsPage* notificationsPage() const { return notifications_; }
    CommandPalette* palette() const { return palette_; }
    QWidget* currentPage() const;
    /// Moves what this window shows to a window of its own, where it is a run, logs or a comparison.
    void openInNewWindow();
    /// `run:ID`, `logs:PLACE` or `compare`: a window with that page alone; one that is there comes to the front.
    SideWindow* showSide(const QString& key);
    SideWindow* side(const QString& key) const { return sides_.value(key); }
    /// Why the last start of the sample failed; empty when it did not.
    QString launchError() const;
    QString launchedRun() const { return launched_; }  ///< id of the run started last

  signals:
    void runLaunched(const QString& runId);
    void launchFailed(const QString& words);

  protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool focusNextPrevChild(bool next) override;

  private:
    void makeActions();
    /// The window's and those of the page that is open.
    QList<QAction*> commands();
    QAction* addCommand(const QString& text, const QString& icon, const QKeySequence& keys,
                        const std::function<void()>& run);
    /// `beginning`: what stands in its field, e.g. ">" for actions only.
    void openPalette(const QString& beginning = {});
    void addToPalette();
    /// Runs that were live when a window was last open and are over now are told of.
    void noteLive();
    /// Keys of the page that is open, and what they do.
    QVector<std::pair<QString, QString>> shortcutsOfPage() const;
    void addHostsToPalette();
    void makeFirstPages();
    void connectStarter();
    void storeChanged();
    void keepOpened();
    void go(const Location& location, bool remember = true);
    /// Of the window that has the focus.
    QWidget* actingPage() const;
    QWidget* takePage(const QString& key);
    void putBack(SideWindow* window);
    void sideClosed(const QString& key);
    void dropSides();
    void keepSides();
    void closeLostSides();
    void comeToFront();
    void stepHistory(int by);
    QWidget* pageOf(const Location& location);
    QWidget* runPage(const QString& runId);
    LogPage* logPage(const QString& place);
    SettingsPage* settingsPage();
    Page* laterPage(Place place);
    void showTarget(const OpenTarget& target);
    void launched(const QString& runPath);
    void chooseEngine();
    void openFolder(const QString& path);
    void setTheme(int choice);
    bool showsFirstRun() const;

    Preferences* preferences_;
    Options options_;
    RunStore* store_;
    MachinePeaks* peaks_;
    EngineLink* engine_;
    Rail* rail_;
    QStackedWidget* stack_;
    StatusLine* status_;
    Opener* opener_;
    RunStarter* starter_;
    MirrorKeeper* mirrors_;
    CommandPalette* palette_;
    QWidget* blank_;
    FirstRunPage* first_run_ = nullptr;
    RunsPage* runs_ = nullptr;
    WizardPage* new_run_ = nullptr;
    HostsPage* hosts_ = nullptr;
    LaunchPage* launch_ = nullptr;
    std::unique_ptr<HostSource> host_source_;
    std::optional<settings::Machine> machine_;
    NotificationsPage* notifications_ = nullptr;
    QStringList live_;         ///< paths of live runs, as kept for the next window
    bool live_known_ = false;  ///< what was kept has been looked at
    SettingsPage* settings_ = nullptr;
    QMap<Place, Page*> later_;
    QVector<std::pair<QString, QWidget*>> run_pages_;  ///< last used at the end
    QVector<LogPage*> log_pages_;                      ///< last used at the end
    QMap<QString, SideWindow*> sides_;                 ///< by what they show
    QList<QAction*> recents_;
    QMap<QString, QString> opened_;  ///< run id -> folder outside of the runs root
    History history_;
    Location location_;
    QString launched_;
    QString waited_for_;  ///< run asked for before the list was read
};

}  // namespace trainyard::desktop
