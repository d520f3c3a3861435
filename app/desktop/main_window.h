#pragma once
// The one window: rail, pages, status line. Knows which page is open and how one gets from one to another; what a page
// shows is the page's own business.

#include <functional>
#include <memory>

#include <QMainWindow>
#include <QMap>
#include <QSet>
#include <QVector>

#include "desktop/launch/launch_request.h"
#include "desktop/options.h"
#include "desktop/rail.h"
#include "settings/machine.h"
#include "widgets/job.h"

class QStackedWidget;

namespace trainyard::desktop {

class CommandPalette;
class EngineLink;
class FirstRunPage;
class HostSource;
class HostsPage;
class LaunchPage;
class NotificationsPage;
class Page;
class Preferences;
class RunStore;
class RunsPage;
class SettingsPage;
class StatusLine;
class WizardPage;

class MainWindow : public QMainWindow {
    Q_OBJECT
  public:
    MainWindow(Preferences* preferences, const Options& options, QWidget* parent = nullptr);
    ~MainWindow() override;

    /// Reads runs and asks the engine; called once the window is on the screen.
    void begin();
    void showPlace(Place place);
    void showRun(const QString& runId);
    void openPath(const QString& path);
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
    CommandPalette* palette() const { return palette_; }
    QWidget* currentPage() const;
    /// Why the last start of the sample failed; empty when it did not.
    QString launchError() const { return launch_error_; }
    QString launchedRun() const { return launched_; }  ///< id of the run started last

  signals:
    void runLaunched(const QString& runId);
    void launchFailed(const QString& words);

  protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    struct Location {
        Place place = Place::Runs;
        QString runId;
        bool launch = false;
        bool operator==(const Location&) const = default;
    };
    void makeActions();
    /// The window's and those of the page that is open.
    QList<QAction*> commands() const;
    QAction* addCommand(const QString& text, const QString& icon, const QKeySequence& keys,
                        const std::function<void()>& run);
    void storeChanged();
    void keepMirrors();
    void go(const Location& location, bool remember = true);
    void stepHistory(int by);
    QWidget* pageOf(const Location& location);
    QWidget* runPage(const QString& runId);
    Page* laterPage(Place place);
    void launched(const QString& runPath);
    void launchFile(const QString& recipeFile, int ranks);
    void startWords(const QStringList& words);
    void chooseEngine();
    void chooseToOpen();
    void openFolder(const QString& path);
    void setTheme(int choice);
    bool showsFirstRun() const;

    Preferences* preferences_;
    Options options_;
    RunStore* store_;
    EngineLink* engine_;
    Rail* rail_;
    QStackedWidget* stack_;
    StatusLine* status_;
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
    SettingsPage* settings_ = nullptr;
    QMap<Place, Page*> later_;
    QVector<std::pair<QString, QWidget*>> run_pages_;  ///< last used at the end
    widgets::Job mirrors_;
    QSet<QString> mirrors_seen_;
    QMap<QString, QString> opened_;  ///< run id -> folder outside of the runs root
    QVector<Location> history_;
    int history_at_ = -1;
    Location location_;
    QString launch_error_;
    QString launched_;
    QString waited_for_;  ///< run asked for before the list was read
};

}  // namespace trainyard::desktop
