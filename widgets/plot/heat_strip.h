// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Rows of curves as cells of colour over a shared horizontal axis: which of many ranks stands out, and when. A cell is
// the highest value of its row in a few pixels, so that no spike vanishes; its colour tells that value against the
// median of the column (or against the highest of all that is seen). Above kMostRows the rows of a group fold into one
// line, which shows its highest value and tells lowest and median at the pointer; a click on its name unfolds it.
// Mouse: moves the crosshair, click on a row, click on a group's name. Keys: up and down choose a row, Enter activates
// it.

#include <functional>
#include <optional>

#include <QColor>
#include <QString>
#include <QStringList>
#include <QVector>

#include "widgets/pixels.h"
#include "widgets/plot/strip.h"

namespace trainyard::widgets {

struct HeatRow {
    QString name;                    ///< "rank 3"
    QString group;                   ///< "gpu-a"
    const Series* series = nullptr;  ///< outlives the strip or the next setRows()
};

class HeatStrip : public Strip {
    Q_OBJECT
  public:
    enum class Measure {
        AgainstMedian,  ///< 0.9 of the column's median and less is cold, 1.3 and more is hot
        Share,          ///< nothing is cold, the highest of all seen is hot
    };
    static constexpr int kMostRows = 64;

    explicit HeatStrip(const QString& accessibleName, QWidget* parent = nullptr);

    void setRows(const QVector<HeatRow>& rows);
    const QVector<HeatRow>& rows() const { return rows_; }
    void setMeasure(Measure measure);
    /// Sets how values are formatted at the pointer; default value_number().
    void setValueText(std::function<QString(double)> words) { value_text_ = std::move(words); }
    QRect area() const override;
    /// The colours of the cells, from cold to hot.
    struct Legend {
        QVector<QColor> colors;
        QString low, high;  ///< values of the first colour and less, of the last one and more
    };
    Legend legend() const;

    /// Lines that are shown: one per row, or one per folded group.
    int lines() const { return static_cast<int>(lines_.size()); }
    void toggleGroup(const QString& group);
    struct Cell {
        int row = -1;  ///< -1: a folded group
        QString group;
        double x = 0, value = 0, median = 0;         ///< median of the column
        double lowest = 0, middle = 0, highest = 0;  ///< of the group's rows, where it is folded
    };
    /// Nothing: no value there.
    std::optional<Cell> cellAt(const QPoint& at) const;
    QString describe(const Cell& cell) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {160_px, 40_px}; }

  signals:
    void rowActivated(int row);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

  private:
    struct Line {
        QString group;
        int first = 0, count = 1;  ///< of rows_
        bool folded = false;
    };
    QRect lineRect(int line) const;
    int lineAt(int y) const;
    void layOut();
    void compute() const;
    double valueOf(const HeatRow& row, int column) const;
    QColor colorOf(double value, double median, double highest) const;

    QVector<HeatRow> rows_;
    QVector<Line> lines_;
    QStringList unfolded_;
    Measure measure_ = Measure::AgainstMedian;
    std::function<QString(double)> value_text_;
    int chosen_ = -1;                          ///< line
    mutable QVector<QVector<double>> values_;  ///< [line][column]
    mutable QVector<double> medians_;          ///< [column], over all rows
    mutable double highest_ = 0;
};

/// The colours of a strip with the values they stand for.
class HeatLegend : public QWidget {
    Q_OBJECT
  public:
    /// `strip` outlives it.
    explicit HeatLegend(const HeatStrip* strip, QWidget* parent = nullptr);
    void refresh();  ///< after the strip has other values
    QSize sizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    const HeatStrip* strip_;
};

}  // namespace trainyard::widgets
