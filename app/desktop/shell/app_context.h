// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Services that pages use: the list of runs, the engine, preferences, and the window's navigation. A page's entry
// (pages/pages.h) receives it when the page is created and connects the page to it; the pages themselves do not depend
// on it.

#include <memory>
#include <optional>

#include <QObject>

#include "config/accelerate/machine.h"
#include "desktop/shell/location.h"
#include "desktop/shell/options.h"

namespace trainyard::desktop {

class EngineLink;
class HostSource;
class MachinePeaks;
class MirrorKeeper;
class Opener;
class Page;
class Preferences;
class RunStarter;
class RunStore;

class AppContext : public QObject {
    Q_OBJECT
  public:
    AppContext(Preferences* preferences, const Options& options, QObject* parent = nullptr);
    ~AppContext() override;

    Preferences* preferences() const { return preferences_; }
    RunStore* store() const { return store_; }
    EngineLink* engine() const { return engine_; }
    MachinePeaks* peaks() const { return peaks_; }
    Opener* opener() const { return opener_; }
    RunStarter* starter() const { return starter_; }
    MirrorKeeper* mirrors() const { return mirrors_; }

    /// Returns the page for this location, created if needed; null if the registry has no such page.
    virtual Page* pageAt(const Location& location) = 0;
    /// The only page of its kind, by its `kKey`.
    template <typename P>
    P* page() {
        return qobject_cast<P*>(pageAt({QLatin1String(P::kKey), {}}));
    }
    /// As page(), but null if it was not created yet.
    template <typename P>
    P* madePage() const {
        return qobject_cast<P*>(madePageAt(QLatin1String(P::kKey)));
    }
    /// Shows the only page of its kind; returns it.
    template <typename P>
    P* show(const QString& subject = {}) {
        open({QLatin1String(P::kKey), subject});
        return page<P>();
    }
    virtual Page* madePageAt(const QString& key) const = 0;
    virtual Page* currentPage() const = 0;
    /// Shows a page. `remember`: Back leads to what was open before.
    virtual void open(const Location& location, bool remember = true) = 0;
    virtual void openInOwnWindow(const Location& location) = 0;
    /// Parent of dialogs.
    virtual QWidget* window() const = 0;

    /// Opens a file, a folder or an address. Its kind is determined in a worker thread.
    void openPath(const QString& path);
    void openFolder(const QString& path);
    /// `run`: the id of a run in the folder of runs, or the absolute path of another run folder (a copy has the id of
    /// its original).
    void openRun(const QString& run);
    /// Returns the argument of openRun() for this folder.
    static QString runSubject(const QString& folder);
    /// Returns the folder for a value that runSubject() returned.
    QString runFolder(const QString& run) const;
    void chooseEngine();

    /// True if the list was read and has no run, or if the sample was requested.
    bool wantsFirstRun() const;
    void forgetSampleOption() { sample_asked_ = false; }

    /// Replaces the user's hosts, for tests. Call before their page is opened.
    void setHostSource(std::unique_ptr<HostSource> source);
    std::unique_ptr<HostSource> takeHostSource();
    /// Sets the machine that the wizard assumes instead of detecting it. Call before the wizard is opened.
    void setMachine(const settings::Machine& machine) { machine_ = machine; }
    const std::optional<settings::Machine>& machine() const { return machine_; }

  signals:
    /// A temporary message for the status line.
    void said(const QString& sentence);
    /// A persistent notification.
    void notified(const QString& title, const QString& text);
    void themeChosen(int choice);  ///< a ThemeChoice
    /// Text next to the page's entry in the rail, such as `2/5`, and the number of unread items.
    void countChanged(const QString& pageKey, const QString& count);
    void unreadChanged(const QString& pageKey, int unread);
    /// A run has been started from this program.
    void runStarted(const QString& runPath);

  private:
    Preferences* preferences_;
    bool sample_asked_;
    RunStore* store_;
    MachinePeaks* peaks_;
    EngineLink* engine_;
    Opener* opener_;
    RunStarter* starter_;
    MirrorKeeper* mirrors_;
    std::unique_ptr<HostSource> host_source_;
    std::optional<settings::Machine> machine_;
    QString waited_for_;  ///< run asked for before the list was read
};

}  // namespace trainyard::desktop
