#pragma once
// The left rail: the mark, New run, search, places, the LIVE list, notifications and settings. 212 px wide, folded 56.

#include <QFrame>
#include <QMap>
#include <QSet>

#include "desktop/runs/run_summary.h"

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace trainyard::widgets {
class NavButton;
}

namespace trainyard::desktop {

class LiveRow;

enum class Place { Runs, Hosts, Estimator, Traces, Checkpoints, Notifications, Settings, NewRun };

class Rail : public QFrame {
    Q_OBJECT
  public:
    explicit Rail(QWidget* parent = nullptr);
    bool isFolded() const { return folded_; }
    void setFolded(bool folded);
    void setCurrent(Place place);
    void setCurrentRun(const QString& runId);  ///< empty: none
    void setRuns(const RunSummaries& runs);
    void setUnread(int unread);
    widgets::NavButton* button(Place place) const { return places_.value(place); }
    QList<LiveRow*> liveRows() const { return live_rows_; }

  signals:
    void placeRequested(trainyard::desktop::Place place);
    void runRequested(const QString& runId);
    void searchRequested();
    void foldRequested();
    void requested(const QString& runPath, const QString& kind);

  private:
    void updateChecked();
    QPushButton* fold_;
    QPushButton* new_run_;
    QPushButton* search_;
    QWidget* mark_;
    QLabel* name_;
    QLabel* live_title_;
    QVBoxLayout* live_;
    QMap<Place, widgets::NavButton*> places_;
    QList<LiveRow*> live_rows_;
    QSet<QString> seen_live_;  ///< a run that fails before these eyes stays until it is opened
    QSet<QString> failed_shown_;
    Place current_ = Place::Runs;
    QString current_run_;
    bool folded_ = false;
};

}  // namespace trainyard::desktop
