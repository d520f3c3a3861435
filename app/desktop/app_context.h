#pragma once
// What pages use of the program: the list of runs, the engine, preferences, and the window's navigation. A page's entry (pages/pages.h)
// gets it when the page is made and connects the page to it; pages themselves stay free of it.

#include <memory>
#include <optional>

#include <QObject>

#include "config/accelerate/machine.h"
#include "desktop/location.h"
#include "desktop/options.h"

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

    /// The page for this location, made if it is not there yet; null: no such page.
    virtual Page* pageAt(const Location& location) = 0;
    /// The only page of its kind, by its `kKey`.
    template <typename P>
    P* page() {
        return qobject_cast<P*>(pageAt({QLatin1String(P::kKey), {}}));
    }
    /// As page(), but null where it was not made yet.
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
    /// Above which dialogs stand.
    virtual QWidget* window() const = 0;

    /// A file, a folder, an address: looked at in a thread, then shown.
    void openPath(const QString& path);
    void openFolder(const QString& path);
    /// `run`: the id of a run in the folder of runs, else the absolute path of a run's folder (a copy has the id of its original).
    void openRun(const QString& run);
    /// What openRun() takes for this folder.
    static QString runSubject(const QString& folder);
    /// The folder of what runSubject() gave.
    QString runFolder(const QString& run) const;
    void chooseEngine();

    /// The list is read and has no run, or the sample was asked for.
    bool wantsFirstRun() const;
    void forgetSampleOption() { sample_asked_ = false; }

    /// Other hosts than those of the user, for tests; before their page is opened.
    void setHostSource(std::unique_ptr<HostSource> source);
    std::unique_ptr<HostSource> takeHostSource();
    /// What the wizard takes for this machine, instead of looking; before it is opened.
    void setMachine(const settings::Machine& machine) { machine_ = machine; }
    const std::optional<settings::Machine>& machine() const { return machine_; }

  signals:
    /// A passing sentence for the status line.
    void said(const QString& sentence);
    /// A notification that stays.
    void notified(const QString& title, const QString& text);
    void themeChosen(int choice);  ///< a ThemeChoice
    /// Beside the entry of a page in the rail: `2/5`, and the number of what was not read.
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
