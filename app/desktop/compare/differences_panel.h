// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Right half of the comparison: the settings that differ, the metrics with the best value marked, and the influence of
// settings on a metric. A click on a metric's name (or Return) sorts the runs by it: best first, worst first, in the
// order of selection.

#include <QFrame>

#include "desktop/compare/differences.h"
#include "widgets/cell_rows.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class DifferencesPanel : public QFrame {
    Q_OBJECT
  public:
    explicit DifferencesPanel(QWidget* parent = nullptr);
    void setRuns(const RunSummaries& runs);
    int page() const;  ///< 0: settings, 1: last values, 2: best values, 3: influence
    void setPage(int page);
    /// Sets the metric that settings are correlated with on the page of influence.
    void setTag(const QString& tag);
    /// Returns the content of the table for other programs, with unrounded numbers.
    QString text() const;
    /// Run names of the columns of metrics, in their order.
    QStringList columns() const;

  signals:
    void pageChanged();
    void exportWanted();

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void fill();
    void fit();
    void fillSettings();
    void fillMetrics(MetricPart part);
    void setHead(const QString& first);
    void fillInfluence();
    void orderBy(int row);
    void arrange();
    MetricPart part() const { return page() == 1 ? MetricPart::Last : MetricPart::Best; }

    RunSummaries runs_;
    RunSummaries shown_;  ///< in the order of the columns
    QString tag_, order_tag_;
    bool best_first_ = true;
    widgets::SegmentedControl* pages_;
    widgets::CellRows* cells_;
    QVector<widgets::CellRows::Column> heads_;  ///< with whole titles
    QTableView* table_;
    QLabel* summary_;
};

}  // namespace trainyard::desktop
