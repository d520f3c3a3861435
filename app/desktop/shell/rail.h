// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The left rail: the mark, New run, search, pages, the LIVE list, and the pages at the foot (pages/pages.h). 212 px
// wide, folded 56.

#include <tuple>

#include <QFrame>
#include <QMap>
#include <QSet>

#include "desktop/runs/run_summary.h"
#include "run/request_body.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class LiveRow;
enum class RailSection;

class Rail : public QFrame {
    Q_OBJECT
  public:
    explicit Rail(QWidget* parent = nullptr);
    bool isFolded() const { return folded_; }
    void setFolded(bool folded);
    /// `runId`: of the run that is shown there; empty: none.
    void setCurrent(const QString& pageKey, const QString& runId = {});
    void setRuns(const RunSummaries& runs);
    void setCount(const QString& pageKey, const QString& count);
    void setUnread(const QString& pageKey, int unread);
    /// Null: the rail does not show this page.
    widgets::NavButton* button(const QString& pageKey) const { return buttons_.value(pageKey); }

  signals:
    void pageRequested(const QString& pageKey);
    void newRunRequested();
    void runRequested(const QString& runId);
    void searchRequested();
    void foldRequested();
    void requested(const QString& runPath, const trainyard::run::RequestBody& request);

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    void spareLiveRows();
    void addPages(QVBoxLayout* layout, RailSection section);
    void updateChecked();
    QPushButton* fold_;
    QPushButton* new_run_;
    QPushButton* search_;
    QHBoxLayout* head_;
    QWidget* mark_;
    QLabel* name_;
    QLabel* live_title_;
    QVBoxLayout* live_;
    QMap<QString, widgets::NavButton*> buttons_;  ///< by page key
    QList<LiveRow*> live_rows_;
    QSet<QString> seen_live_;  ///< a run that fails before these eyes stays until it is opened
    QSet<QString> failed_shown_;
    QString current_;
    QString current_run_;
    bool folded_ = false;
    std::tuple<qsizetype, int, bool> spared_for_{-1, 0, false};  ///< of the last spareLiveRows()
};

}  // namespace trainyard::desktop
