// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Histograms over steps as a row of ridges, each step a little above and behind the one after it, as TensorBoard's
// histogram dashboard. Up to 60 ridges are drawn, evenly chosen when there are more (said on the picture). The pointer
// (or the arrow keys) chooses a ridge, whose step and bin are written.

#include <QWidget>

#include "widgets/pixels.h"
#include "widgets/plot/histogram.h"
#include "widgets/plot/series.h"

namespace trainyard::widgets {

class HistogramView : public QWidget {
    Q_OBJECT
  public:
    explicit HistogramView(const QString& accessibleName, QWidget* parent = nullptr);
    void setHistograms(std::vector<Histogram> histograms, int color);  ///< by ascending step
    void setUnit(XUnit unit, const XScale& scale);
    int ridges() const { return static_cast<int>(shown_.size()); }
    int chosen() const { return chosen_; }  ///< index among the ridges; -1: none
    QString chosenWords() const;
    QSize sizeHint() const override { return {480_px, 260_px}; }

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    void prepare();
    double baseOf(int ridge) const;
    double xOf(const Histogram& at) const { return scale_.value({at.step, at.wall_time, 0}); }
    void choose(int ridge, double value);

    std::vector<Histogram> all_;
    std::vector<std::size_t> shown_;
    std::vector<std::vector<double>> bins_;  ///< of the shown ones
    double lower_ = 0, upper_ = 1, highest_ = 1;
    int color_ = 1;
    int chosen_ = -1;
    double value_ = 0;  ///< under the pointer
    XScale scale_;
};

}  // namespace trainyard::widgets
