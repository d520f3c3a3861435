#pragma once
// Right half of the comparison: the settings that differ, and the metrics with the best one marked.

#include <QFrame>

#include "desktop/compare/differences.h"

class QLabel;
class QTableWidget;

namespace trainyard::widgets {
class SegmentedControl;
}

namespace trainyard::desktop {

class DifferencesPanel : public QFrame {
    Q_OBJECT
  public:
    explicit DifferencesPanel(QWidget* parent = nullptr);
    void setRuns(const RunSummaries& runs);
    QTableWidget* table() const { return table_; }
    QLabel* summary() const { return summary_; }
    int page() const;  ///< 0: settings, 1: last values, 2: best values
    void setPage(int page);

  signals:
    void pageChanged();

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void fill();
    void fit();
    void fillSettings();
    void fillMetrics(MetricPart part);
    void setHead(const QString& first);
    void copy() const;
    void exportCsv();
    MetricPart part() const;

    RunSummaries runs_;
    widgets::SegmentedControl* pages_;
    QTableWidget* table_;
    QLabel* summary_;
};

}  // namespace trainyard::desktop
