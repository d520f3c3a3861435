// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The sweeps of this machine, and one of them: trials, best value so far, importance of the parameters, parallel
// coordinates. The page reads the folders of sweeps (sweep/sweep_folder.h) in another thread while it is shown.

#include <memory>
#include <string>
#include <vector>

#include <QTimer>

#include "desktop/shell/page.h"
#include "sweep/sweep_folder.h"
#include "widgets/cell.h"
#include "widgets/forward.h"
#include "widgets/job.h"
#include "widgets/plot/series.h"

namespace trainyard::desktop {

class EngineLink;
class SweepCommands;
class TrialsModel;

class SweepsPage : public Page {
    Q_OBJECT
  public:
    static constexpr const char* kKey = "sweeps";

    explicit SweepsPage(EngineLink* engine, QWidget* parent = nullptr);
    ~SweepsPage() override;

    /// Shows the sweep with this id.
    void activate(const QString& subject) override;
    bool isBusy() const override;
    void takeOver(Page& before) override { wanted_ = static_cast<SweepsPage&>(before).shownId(); }
    QWidget* firstFocus() override;
    void primaryAction() override;
    void refresh() override { look(); }
    void updateActions() override;

    SweepCommands* commands() const { return commands_; }
    QTableView* list() const { return list_; }
    QTableView* table() const { return table_; }
    TrialsModel* trials() const { return trials_; }
    widgets::CurveChart* chart() const { return chart_; }
    widgets::InlineMessage* message() const { return message_; }
    /// Why the folder of sweeps cannot be read, with Retry.
    widgets::InlineMessage* unreadable() const { return unreadable_; }
    QString shownId() const;

  signals:
    void newSweepRequested();
    void runActivated(const QString& runId);
    /// The run.yaml of a trial.
    void editAgainRequested(const QString& file);
    void stopRunRequested(const QString& runPath);

  protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

  private:
    struct Read {
        std::string id, signature;
        std::shared_ptr<const sweep::StoredSweep> sweep;  ///< null: cannot be read
        QString problem;
        std::vector<double> importance;
        bool is_queued = false;  ///< its trials wait in the queues of their machines
        widgets::Chip chip() const;
    };
    using AllRead = std::vector<std::shared_ptr<const Read>>;

    QWidget* makeDetail();
    void look();
    void take(const AllRead& read);
    void showUnreadable(const QString& sentence);
    void showList();
    void showSweep();
    void showPlots(const sweep::StoredSweep& sweep);
    void showImportance(const Read& read);
    const Read* current() const;
    const sweep::StoredSweep* shownSweep() const;  ///< null: it cannot be read
    const sweep::Trial* selected() const;
    void openTrial();
    /// Does it to the sweep that is shown.
    void act(void (SweepCommands::*command)(const sweep::StoredSweep&));
    void askToDelete();

    SweepCommands* commands_;
    AllRead read_;
    QString wanted_;     ///< id to show when it is there
    QString last_;       ///< id of the sweep shown last
    std::string shown_;  ///< signature of what is shown
    QTimer due_, slow_;
    widgets::Job looking_;
    bool loaded_ = false;

    QStackedLayout* stack_;
    widgets::InlineMessage *message_, *unreadable_;
    widgets::CellRows* sweeps_;
    QTableView* list_;
    QLabel* name_ = nullptr;
    widgets::StateChip* chip_ = nullptr;
    QLabel* facts_ = nullptr;
    QPushButton *pause_ = nullptr, *stop_ = nullptr, *continue_ = nullptr, *more_ = nullptr, *retry_ = nullptr,
                *delete_ = nullptr, *edit_ = nullptr, *open_ = nullptr, *stop_trial_ = nullptr;
    widgets::CurveChart* chart_ = nullptr;
    widgets::CellRows* shares_;  ///< of the parameters in the differences between trials
    QTableView* importance_ = nullptr;
    widgets::SegmentedControl* views_ = nullptr;
    QStackedLayout* view_ = nullptr;
    TrialsModel* trials_;
    QTableView* table_ = nullptr;
    widgets::ParallelCoordinates* parallel_ = nullptr;
    widgets::Series values_, best_;
};

}  // namespace trainyard::desktop
