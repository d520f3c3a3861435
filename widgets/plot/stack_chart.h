#pragma once
// Curves that are parts of a whole, stacked over a shared horizontal axis: where the time of a step goes. A column is the mean of each
// part over a few pixels (at most kSamples points of them, evenly spread); the legend tells the shares at the crosshair, or of all
// that is seen.

#include <functional>

#include <QString>
#include <QStringList>
#include <QVector>
#include <QWidget>

#include "widgets/plot/reduction.h"

namespace trainyard::widgets {

struct StackPart {
    QString name;
    const Series* series = nullptr;  ///< outlives the chart or the next setParts()
    int color = 1;
};

class StackChart : public QWidget {
    Q_OBJECT
  public:
    static constexpr int kCell = 4;  ///< pixels
    static constexpr int kSamples = 16;

    explicit StackChart(const QString& accessibleName, QWidget* parent = nullptr);
    void setParts(const QVector<StackPart>& parts);
    void setView(const XScale& scale, const XRange& range);
    void setCrosshair(double x);
    void setValueText(std::function<QString(double)> words) { value_text_ = std::move(words); }
    void dataChanged();

    /// Mean of each part at the crosshair, or of all that is seen. NaN: no points.
    QVector<double> shown() const;
    /// `forward 12 ms 41 %`, largest first.
    QStringList legend() const;

    QSize sizeHint() const override { return {480, 96}; }
    QSize minimumSizeHint() const override { return {160, 40}; }

  signals:
    void crosshairMoved(double x);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    QRect area() const;
    int columns() const;
    void compute() const;

    QVector<StackPart> parts_;
    XScale scale_;
    XRange range_;
    double crosshair_;
    std::function<QString(double)> value_text_;
    mutable bool dirty_ = true;
    mutable QVector<QVector<double>> means_;  ///< [part][column]
    mutable double highest_ = 0;              ///< of the sums
};

}  // namespace trainyard::widgets
