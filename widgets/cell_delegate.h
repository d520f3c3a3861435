// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Paints the cells of a table: check box, colour swatch, text, tags, state chip with progress bar, sparkline,
// right-aligned numbers. Cells cost nothing while they are not visible, so a table may have 10,000 rows. The model
// returns a Cell for CellRole.

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
    /// Sets the text of the editor once, so that updates of the row do not replace what the user has typed.
    void setEditorData(QWidget* editor, const QModelIndex& index) const override;
    /// Ticks are where paint() paints them, and views handle clicks on them.
    bool editorEvent(QEvent*, QAbstractItemModel*, const QStyleOptionViewItem&, const QModelIndex&) override {
        return false;
    }
};

/// The room between the edge of a cell and what it shows, in pixels.
int cell_padding();

/// Sets the look of a read-only table: no grid, frame, row numbers or Tab stops inside; rows of `row` pixels.
void set_quiet_look(QTableView* table, int row);
/// Sets the look of a table of rows: whole rows are selected, no editing in place, no grid, row numbers or Tab stops
/// inside.
void set_rows_look(QTableView* table);
/// The column takes the room that the others leave, and at least `least` pixels: then the table scrolls sideways.
void stretch_column(QTableView* table, int column, int least);
/// Sets the widths of columns, or those of their titles if a translation needs more room.
void set_column_widths(QHeaderView* header, std::initializer_list<std::pair<int, int>> widths);

/// The clickable areas of the tick and of the swatch in a cell with rectangle `cell`.
QRect tick_area(const QRect& cell);
QRect swatch_area(const QRect& cell, bool has_tick);
void paint_tick(QPainter& painter, const QRect& box, bool on, bool partial = false);

/// Paints a bar of 4 px with round ends.
void paint_bar(QPainter& painter, const QRectF& rect, double share, const QColor& color);
/// Paints a line of `points` scaled into `rect`; points that are not finite are omitted.
void paint_spark(QPainter& painter, const QRectF& rect, const QPolygonF& points, const QColor& color);

}  // namespace trainyard::widgets
