// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A card with one chart: a tag of every source, or several tags laid over each other. The wheel scrolls the cards
// unless the chart has the focus or Ctrl is held: then it zooms.

#include <memory>
#include <vector>

#include "desktop/curves/panel_card.h"
#include "report/panel_lines.h"
#include "widgets/forward.h"
#include "widgets/plot/chart_view.h"

namespace trainyard::desktop {

class CurveCard : public PanelCard {
    Q_OBJECT
  public:
    static constexpr int kMostCurves = 500;

    explicit CurveCard(const PanelContext* context, QWidget* parent = nullptr);
    ~CurveCard() override;
    widgets::CurveChart* chart() const { return chart_; }
    void refresh() override;
    void applyLook() override;
    void release() override;

  signals:
    void markerActivated(int id);
    void noteRequested(double x);

  protected:
    void fill() override;
    void addToMenu(QMenu& menu) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    QVector<widgets::Curve> curves();  ///< kMostCurves at most
    QVector<widgets::Curve> curvesOfTags() const;
    QVector<widgets::Curve> curvesOfPanel() const;
    void computePanel();
    /// Of a user's panel: its own axes, linked to the others where it has their unit.
    void applyPanel();
    void showFigure();

    widgets::CurveChart* chart_;
    QLabel* none_;
    QLabel* problem_;
    std::vector<std::unique_ptr<report::MetricSource>> metrics_;
    std::unique_ptr<report::PanelLines> lines_;  ///< of a user's panel
    int left_out_ = 0;                           ///< curves beyond kMostCurves
    bool dropping_ = false;
};

}  // namespace trainyard::desktop
