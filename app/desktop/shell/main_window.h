// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The main window: rail, pages, status line. Handles the navigation between pages; the list of pages and their
// connections are in pages/.

#include <QMainWindow>
#include <QMap>
#include <QPointer>
#include <QTimer>

#include "desktop/shell/app_context.h"
#include "desktop/shell/location.h"
#include "desktop/shell/open_target.h"
#include "desktop/shell/options.h"

namespace trainyard::widgets {
class ScreenLimit;
}

namespace trainyard::desktop {

class CommandPalette;
class PageStack;
class Rail;
class SideWindow;
class SideWindows;
class SleepInhibitor;
class StartNotes;
class StatusLine;
class TaskbarProgress;
class Tray;
class WindowCommands;
class WindowMenus;
class WindowRenewal;

class MainWindow : public QMainWindow {
    Q_OBJECT
  public:
    MainWindow(Preferences* preferences, const Options& options, QWidget* parent = nullptr);
    ~MainWindow() override;

    /// Shows the window; maximized if the screen has no room for the size that it would have.
    void appear();
    /// Reads runs and asks the engine; called once the window is on the screen.
    void begin();
    /// Opens the location where the last session ended, even if it was killed by SIGKILL.
    void returnToLast();
    void open(const Location& location, bool remember = true);
    const Location& location() const { return location_; }
    /// Called for another start of the program: raises the window, opens the given path and runs the command, if any.
    void comeForward(const QString& words, const QString& command = {});
    /// Runs a command of the window. Returns false if there is none with this identifier.
    bool runCommand(const QString& id);
    /// Ends the program, also if closing the window only hides it.
    void quit();
    bool isMenuBarShown() const;
    /// A hidden menu bar is shown by Alt.
    void setMenuBarShown(bool shown);

    AppContext* context() const { return context_; }
    RunStore* store() const { return context_->store(); }
    EngineLink* engine() const { return context_->engine(); }
    /// Returns the only page of its kind, created if needed.
    template <typename P>
    P* page() {
        return context_->page<P>();
    }
    /// Returns the current page. A page that is about to be shown is shown first.
    Page* currentPage();
    /// Returns the page of the window that has the focus, or null.
    Page* actingPage();
    Rail* rail() const { return rail_; }
    StartNotes* notes() const { return notes_; }
    CommandPalette* palette() const { return palette_; }
    /// `beginning`: initial text of the field, e.g. ">" for actions only.
    void openPalette(const QString& beginning = {});
    void stepHistory(int by);
    /// Moves what this window shows to a window of its own, where it is a run, logs or a comparison.
    void openInNewWindow();
    SideWindow* showSide(const Location& location);
    SideWindow* side(const Location& location) const;
    /// Shows the page of the manual that belongs to a page or a dialog; null: to a window without a page.
    void openManual(const QWidget* shown);
    QString launchedRun() const { return launched_; }  ///< id of the run started last

  signals:
    void runLaunched(const QString& runId);
    void launchFailed(const QString& words);
    void menuBarShown(bool shown);

  protected:
    void closeEvent(QCloseEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool focusNextPrevChild(bool next) override;
    bool eventFilter(QObject* watched, QEvent* event) override;  ///< of the application

  private:
    class Context;
    void makeParts();
    void connectContext();
    void connectRail();
    void makePartsAgain();
    void showPageAgain();
    void markInRail();
    void keepFocus(const QWidget* old, const QWidget* now);
    bool keepsPlace() const;
    void showOpening();
    void storeChanged();
    void comeToFront();
    void openOption(const QString& page);
    void showTarget(const OpenTarget& target);
    void launched(const QString& runPath);
    void setTheme(int choice);
    void keepShortcuts();
    void connectTray();

    Preferences* preferences_;
    Options options_;
    AppContext* context_;
    Rail* rail_ = nullptr;
    PageStack* stack_;
    StartNotes* notes_ = nullptr;
    StatusLine* status_ = nullptr;
    CommandPalette* palette_ = nullptr;
    SideWindows* sides_;
    SleepInhibitor* sleep_;
    Tray* tray_;
    TaskbarProgress* taskbar_;
    widgets::ScreenLimit* limit_;
    WindowRenewal* renewal_;
    bool quitting_ = false;
    WindowMenus* menus_ = nullptr;
    WindowCommands* commands_ = nullptr;
    History history_;
    Location location_;
    QPointer<Page> opening_;  ///< made for location_, and not shown yet
    QString launched_;
    bool narrow_ = false;            ///< too narrow for an open sidebar
    QMap<QString, QString> counts_;  ///< beside the entries of the rail, by page
    QMap<QString, int> unread_;
    QTimer showing_;
};

}  // namespace trainyard::desktop
