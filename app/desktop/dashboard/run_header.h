// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The head of a run's page: colour, name, state, facts, and the requests one may make.

#include <QFrame>
#include <QStringList>

#include "desktop/dashboard/run_record.h"
#include "widgets/chip.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class Swatch;

/// Name, tags and note of the run.
struct RunLabels {
    QString name;  ///< empty: the name of the recipe
    QStringList tags;
    bool archived = false;
    bool operator==(const RunLabels&) const = default;
};

class RunHeader : public QFrame {
    Q_OBJECT
  public:
    explicit RunHeader(RunRecord* run, QWidget* parent = nullptr);
    void refresh(double now);
    widgets::ElidedLabel* facts() const { return facts_; }
    QPushButton* stopButton() const { return stop_; }
    QPushButton* checkpointButton() const { return checkpoint_; }
    QPushButton* profileButton() const { return profile_; }
    QPushButton* againButton() const { return again_; }
    QAction* pauseAction() const { return pause_; }
    QAction* againAction() const { return again_action_; }
    QAction* evaluateAction() const { return evaluate_; }
    QAction* rateAction() const { return rate_; }
    QAction* resumeHereAction() const { return resume_here_; }
    QAction* editAction() const { return edit_action_; }
    QAction* continueAction() const { return continue_; }
    /// Entries of its menu besides the commands of the page and the window.
    const QList<QAction*>& menuActions() const { return menu_actions_; }
    /// Left lower corner of the menu button, on the screen: for what its actions open.
    QPoint menuPlace() const;
    void setLabels(const RunLabels& labels);

  signals:
    void killRequested();
    void profileRequested();
    void rateRequested();                                 ///< another learning rate
    void curvesRequested();                               ///< all curves, or back
    void resumeRequested();                               ///< from the last checkpoint, where it ran
    void resumeFromRequested(const QString& checkpoint);  ///< its folder
    void resumeElsewhereRequested();                      ///< from there too, on other hosts or another number of ranks
    void noteRequested();
    void alarmsRequested();
    void tracesRequested();
    void tryRequested();
    void architectureRequested();
    void dataRequested();  ///< rows of its data
    void windowRequested();
    void folderRequested();
    void runAgainRequested();   ///< as it was, at once
    void editAgainRequested();  ///< in the wizard
    void copyPathRequested();
    void continueRequested();  ///< with more steps
    void renameRequested();
    void tagsRequested();
    void noteOnRunRequested();
    void archiveRequested(bool archived);
    void deleteRequested();
    void refreshed();                   ///< the controls show the state of the run
    void layoutMenuShown(QMenu* menu);  ///< empty: to be filled

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    bool takesRequests() const;
    void refreshAgain(bool live);
    void fillCheckpoints();
    RunRecord* run_;
    widgets::ElidedLabel* name_;
    widgets::StateChip* chip_;
    widgets::ElidedLabel* facts_;
    Swatch* swatch_;
    QPushButton* checkpoint_;
    QPushButton* profile_;
    QPushButton* hold_;
    QPushButton* stop_;
    QPushButton* again_;
    QPushButton* more_;
    QMenu* again_menu_;
    QMenu* checkpoint_menu_;
    QAction* pause_;
    QAction* evaluate_;
    QAction* rate_;
    QAction* curves_;
    QAction* resume_here_;
    QAction* note_;
    QAction* again_action_;
    QAction* edit_action_;
    QAction* continue_;
    QAction* rename_;
    QAction* archive_;
    QAction* delete_;
    QList<QAction*> menu_actions_;
    widgets::TagLine* tags_;
    RunLabels labels_;
    bool shows_paused_ = false;  ///< the button continues a paused run
};

}  // namespace trainyard::desktop
