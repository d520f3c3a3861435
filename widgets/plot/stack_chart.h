// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Curves that are parts of a whole, stacked over a shared horizontal axis: for example the time of a step. A column is
// the mean of each part over a few pixels (at most kSamples points of them, evenly spread); the legend shows the shares
// at the crosshair, or of the visible range. Events that occur at some steps only (an evaluation, a save) are not parts
// of the stack: they are ticks in a band above it, and the legend shows how often they happened and how long they took.

#include <functional>

#include <QString>
#include <QStringList>
#include <QVector>

#include "widgets/pixels.h"
#include "widgets/plot/axis_ticks.h"
#include "widgets/plot/strip.h"

namespace trainyard::widgets {

struct StackPart {
    QString name;
    const Series* series = nullptr;  ///< must outlive the chart or exist until the next setParts()
    int color = 1;
    bool occasional = false;  ///< at some points of the axis only: shown as a tick, not as a share
};

/// The unit of the ticks: milliseconds are {1e-3, "ms"}.
struct StackUnit {
    double size = 1;
    QString name;
};

class StackChart : public Strip {
    Q_OBJECT
  public:
    static constexpr int kSamples = 16;

    explicit StackChart(const QString& accessibleName, QWidget* parent = nullptr);
    void setParts(const QVector<StackPart>& parts);
    QRect area() const override;
    void setValueText(std::function<QString(double)> words) { value_text_ = std::move(words); }
    /// Sets the function that chooses the unit of the ticks by the highest visible value. The unit is shown next to the
    /// zero.
    void setUnit(std::function<StackUnit(double highest)> unit) { unit_ = std::move(unit); }

    /// Mean of each part at the crosshair, or over the visible range. NaN: no points.
    QVector<double> shown() const;
    /// `forward 12 ms 41 %`, largest first, with shares that sum to 100; then occasional events: `evaluate 3 × 1.2 s`.
    QStringList legend() const;
    /// Ticks of the vertical axis with their labels, from zero upwards: `0 ms`, `5`, `10`.
    std::vector<AxisTick> axisTicks() const;

    QSize sizeHint() const override { return {480_px, 96_px}; }
    QSize minimumSizeHint() const override { return {160_px, 40_px}; }

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

  private:
    int bandHeight() const;
    void compute() const;
    QVector<int> percents(const QVector<double>& values) const;
    QString legendWords(int part, const QVector<double>& values, const QVector<int>& percents, bool brief) const;

    QVector<StackPart> parts_;
    std::function<QString(double)> value_text_;
    std::function<StackUnit(double)> unit_;
    mutable QVector<QVector<double>> means_;  ///< [part][column]
    mutable QVector<int> counts_;             ///< visible points of occasional parts
    mutable double highest_ = 0;              ///< of the sums
};

}  // namespace trainyard::widgets
