// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The search of the page of traces: its field, the slices that it found, and which of them is chosen. Also finds the
// slices of a row of a table.

#include <memory>
#include <vector>

#include <QObject>
#include <QTimer>

#include "desktop/traces/opened_trace.h"
#include "desktop/traces/selection.h"
#include "widgets/forward.h"
#include "widgets/job.h"
#include "widgets/label.h"
#include "widgets/timeline/timeline_view.h"

namespace trainyard::desktop {

class TraceSearch : public QObject {
    Q_OBJECT
  public:
    explicit TraceSearch(QObject* parent);
    /// The field, and the line that counts what was found. The layout that takes them owns them.
    QLineEdit* field() const { return field_; }
    widgets::ElidedLabel* count() const { return count_; }
    /// Shows or hides both; the line only if it has words.
    void setShown(bool shown);

    /// Forgets what was found. `trace` may be null.
    void setTrace(std::shared_ptr<OpenedTrace> trace);
    /// Searches for the text of the field, if it has one.
    void search();
    /// Finds the slices of a row in a range, of a rank or, with -1, of all. `again`: goes to the next one if these are
    /// the slices of the row already.
    void findRow(const TraceRow& row, const widgets::TimeSpan& range, int group, bool again);
    void go(int by);
    const std::vector<traces::SearchHit>& hits() const { return hits_; }
    int hit() const { return hit_; }  ///< index of the chosen one; -1: none

  signals:
    void chosen(const trainyard::widgets::TimelinePlace& place);

  private:
    void setHits(std::vector<traces::SearchHit> hits, bool go_to_first);
    void showCount();
    void report(const QString& words, widgets::Tone tone = widgets::Tone::Secondary, const QString& tip = {});

    QLineEdit* field_;
    widgets::ElidedLabel* count_;
    std::shared_ptr<OpenedTrace> trace_;
    std::vector<traces::SearchHit> hits_;
    int hit_ = -1;
    QString row_name_, row_category_;  ///< of the row whose slices were found
    QTimer delay_;
    widgets::Job job_;
};

}  // namespace trainyard::desktop
