#pragma once
// Paints the cells of a table: tick, colour swatch, words, tags, state chip with progress bar, sparkline, right-aligned numbers. A
// painted cell costs nothing while it is not seen, so a table may hold 10,000 rows. The model answers CellRole with a
// Cell.

#include <initializer_list>
#include <utility>

#include <QPolygonF>
#include <QStyledItemDelegate>

#include "widgets/cell.h"
#include "widgets/forward.h"

class QHeaderView;

namespace trainyard::widgets {

class CellDelegate : public QStyledItemDelegate {
    Q_OBJECT
  public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    /// Once: what changes in the row while somebody types does not replace the words.
    void setEditorData(QWidget* editor, const QModelIndex& index) const override;
};

/// A table that is only read: no grid, frame, numbers of rows or Tab stops in it, nothing is edited; rows of `row` pixels.
void set_quiet_look(QTableView* table, int row);
/// The look of a table of such rows: whole rows are chosen, nothing is edited in place, no grid, numbers of rows or Tab stops in it.
void set_rows_look(QTableView* table);
/// Sets columns to these widths, or to those of their titles where the language makes them longer.
void set_column_widths(QHeaderView* header, std::initializer_list<std::pair<int, int>> widths);

/// Where a click hits the tick, and the swatch, of a cell in `cell`.
QRect tick_area(const QRect& cell);
QRect swatch_area(const QRect& cell, bool has_tick);
void paint_tick(QPainter& painter, const QRect& box, bool on);

/// A bar of 4 px with round ends.
void paint_bar(QPainter& painter, const QRectF& rect, double share, const QColor& color);
/// Line of `points` scaled into `rect`; points that are not finite are left out.
void paint_spark(QPainter& painter, const QRectF& rect, const QPolygonF& points, const QColor& color);

}  // namespace trainyard::widgets
