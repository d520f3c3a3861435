// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Two pictures of where the time goes, on the axis of the loss: the phases of a step, stacked; and with several ranks a heat strip of
// rank x step, which names the rank that the others wait for.

#include <optional>

#include <QFrame>
#include <QTimer>

#include "desktop/dashboard/run_record.h"
#include "widgets/forward.h"
#include "widgets/plot/reduction.h"

namespace trainyard::desktop {

/// A rank whose own time (the step without waiting) was more than 1.1 times the median of the others over the last 200 steps.
struct SlowRank {
    int rank = -1;
    QString host;
    double factor = 1;
    std::int64_t first = 0, last = 0;  ///< steps looked at
    QString sentence() const;
};
std::optional<SlowRank> slowest_rank(const RunRecord& run);

class HealthPanel : public QFrame {
    Q_OBJECT
  public:
    explicit HealthPanel(const RunRecord* run, QWidget* parent = nullptr);
    QLabel* warning() const { return warning_; }  ///< empty: no rank is slow
    /// There is something to show.
    bool hasData() const;
    void refresh();
    void setView(const widgets::XScale& scale, const widgets::XRange& range);
    void setCrosshair(double x);
    /// Both pictures begin where the plot of a chart in the same window does, at x = `left` of it.
    void alignTo(const QWidget* chart, int left);
    void showRanks(bool ranks);

  signals:
    void rankActivated(int rank);
    void crosshairMoved(double x);

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    void measure();
    void showLegend();
    void setRows();

    const RunRecord* run_;
    widgets::SegmentedControl* which_;
    QLabel* words_;
    QLabel* warning_;
    QComboBox* measure_;
    QStackedWidget* stack_;
    widgets::HeatStrip* strip_;
    widgets::HeatLegend* legend_;
    QHBoxLayout* line_;
    widgets::StackChart* phases_;
    std::vector<int> ranks_;
    widgets::XScale scale_;
    widgets::XRange range_;
    QTimer view_due_;  ///< while the loss follows its right edge the pictures move at a calmer beat
};

}  // namespace trainyard::desktop
