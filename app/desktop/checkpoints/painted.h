// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the page of checkpoints paints itself: the metric by step, histograms, the change by layer, a slice of a tensor.

#include <vector>

#include <QString>
#include <QWidget>

#include "observe/inspect/statistics.h"
#include "widgets/pixels.h"
#include "widgets/plain_text.h"

namespace trainyard::desktop {

/// A curve of a metric with a dot for each checkpoint; a click chooses one.
class MetricDots : public QWidget {
    Q_OBJECT
  public:
    struct Dot {
        double step = 0, value = 0;
        int item = -1;  ///< of the list; -1: a point of the curve between
        bool chosen = false;
    };
    explicit MetricDots(QWidget* parent = nullptr);
    void setDots(std::vector<Dot> dots, const QString& accessibleText);
    QSize sizeHint() const override { return {280_px, 128_px}; }
    int itemAt(const QPoint& at) const;

  signals:
    void itemClicked(int item);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

  private:
    QPointF placeOf(const Dot& dot) const;
    std::vector<Dot> dots_;
};

/// The histogram of a tensor as bars, that of the same tensor in another checkpoint as a line.
class HistogramBars : public QWidget {
    Q_OBJECT
  public:
    explicit HistogramBars(QWidget* parent = nullptr);
    void setFigures(const inspect::Statistics* figures, const inspect::Statistics* other);
    void setLogarithmic(bool logarithmic);
    QSize sizeHint() const override { return {180_px, 132_px}; }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    inspect::Statistics figures_, other_;
    bool known_ = false, other_known_ = false, logarithmic_ = true;
};

/// Kinds of tensors by layer, coloured by their relative change.
class LayerGrid : public QWidget {
    Q_OBJECT
  public:
    struct Square {
        int row = 0, column = 0;
        double value = 0;
        quint32 tensor = 0;
    };
    explicit LayerGrid(QWidget* parent = nullptr);
    void setSquares(const QStringList& rows, int columns, std::vector<Square> squares);
    void setChosen(quint32 tensor);
    QSize sizeHint() const override;

  signals:
    void tensorClicked(quint32 tensor);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;

  private:
    QRectF areaOf(int row, int column) const;
    const Square* squareAt(const QPointF& at) const;
    QStringList rows_;
    int columns_ = 0;
    std::vector<Square> squares_;
    quint32 chosen_ = UINT32_MAX;
};

/// Rows and columns of elements, as a picture of their values.
class SlicePicture : public QWidget {
    Q_OBJECT
  public:
    explicit SlicePicture(QWidget* parent = nullptr);
    void setValues(std::vector<float> values, int columns);
    QSize sizeHint() const override { return {180_px, 120_px}; }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    std::vector<float> values_;
    int columns_ = 0;
};

/// Paints the histogram of FiguresRole into a cell.
class HistogramDelegate : public widgets::PlainDelegate {
    Q_OBJECT
  public:
    using PlainDelegate::PlainDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace trainyard::desktop
