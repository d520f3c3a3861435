#pragma once
// Paints the cells of a table: tick, colour swatch, words, tags, state chip with progress bar, sparkline, right-aligned numbers. A
// painted cell costs nothing while it is not seen, so a table may hold 10,000 rows. The model answers CellRole with a
// Cell.

#include <optional>

#include <QMetaType>
#include <QPolygonF>
#include <QStringList>
#include <QStyledItemDelegate>

#include "widgets/chip.h"

class QTableView;

namespace trainyard::widgets {

struct Cell {
    QString text;  ///< drawn unless there is a chip
    bool mono = false;
    bool strong = false;  ///< semibold
    Token ink = Token::Text;
    Qt::Alignment alignment = Qt::AlignLeft;
    int run_number = 0;  ///< colour of swatch, bar and sparkline; 0: no swatch
    bool swatch = false;
    std::optional<bool> tick;        ///< a box in front; nothing: none
    QStringList tags;                ///< framed words behind the text, as many as fit
    Chip chip;                       ///< drawn when it has a text
    std::optional<double> progress;  ///< 0..1, bar and percentage right of the chip
    QPolygonF spark;                 ///< x 0..1 of the width, y any unit (larger is higher)
};

inline constexpr int CellRole = Qt::UserRole + 100;

class CellDelegate : public QStyledItemDelegate {
    Q_OBJECT
  public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

/// The look of a table of such rows: whole rows are chosen, nothing is edited in place, no grid, numbers of rows or Tab stops in it.
void set_rows_look(QTableView* table);

/// Where a click hits the tick, and the swatch, of a cell in `cell`.
QRect tick_area(const QRect& cell);
QRect swatch_area(const QRect& cell, bool has_tick);
void paint_tick(QPainter& painter, const QRect& box, bool on);

/// A bar of 4 px with round ends.
void paint_bar(QPainter& painter, const QRectF& rect, double share, const QColor& color);
/// Line of `points` scaled into `rect`; points that are not finite are left out.
void paint_spark(QPainter& painter, const QRectF& rect, const QPolygonF& points, const QColor& color);

}  // namespace trainyard::widgets

Q_DECLARE_METATYPE(trainyard::widgets::Cell)
