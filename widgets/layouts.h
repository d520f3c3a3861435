// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Rows and columns of widgets as nested expressions: make_row(8, {title, {name, 1}, stretch(), close}).

#include <initializer_list>

#include <QBoxLayout>
#include <QList>
#include <QMargins>

#include "widgets/forward.h"

namespace trainyard::widgets {

/// An item of a row or column: a widget or a layout, with its share of the remaining space.
struct LayoutItem {
    LayoutItem(QWidget* what, int share = 0, Qt::Alignment where = {})
        : widget(what), stretch(share), alignment(where) {}
    LayoutItem(QLayout* what, int share = 0) : layout(what), stretch(share) {}
    LayoutItem() = default;  ///< stretchable space, or a gap
    QWidget* widget = nullptr;
    QLayout* layout = nullptr;
    int stretch = 0;
    int gap = -1;  ///< pixels; -1: stretchable
    Qt::Alignment alignment;
};
using LayoutItems = std::initializer_list<LayoutItem>;

/// Stretchable space with its share of the remaining room.
LayoutItem stretch(int share = 0);
LayoutItem gap(int pixels);
/// Appends items to an existing row or column.
void add_items(QBoxLayout* line, LayoutItems items);

// With large text on a small screen, a page must not scroll sideways. Three layouts need less width than a row:

/// A row that breaks into further lines where it is too narrow for one. A line shares its room by the stretch of its
/// items; if all items stretch, the lines have about the same number of them. Items after a spacer end at the end of
/// their line.
class WrappingRow : public QHBoxLayout {
  public:
    /// `line_height`: the height of every line; 0: that of its highest item.
    explicit WrappingRow(int line_height = 0) : line_height_(line_height) {}
    bool isOneLine(int width) const;
    int heightOf(int width) const;
    bool hasHeightForWidth() const override { return !isOneLine(geometry().width()); }
    int heightForWidth(int width) const override { return heightOf(width); }
    QSize minimumSize() const override;
    QSize sizeHint() const override;
    void setGeometry(const QRect& room) override;

  private:
    struct Line {
        QList<int> items;
        int height = 0;
    };
    /// Width of an item in one of several lines.
    int roomOf(int index, int width) const;
    /// The width that the items take in one line: those that neither stretch nor expand keep theirs.
    int widestLine() const;
    bool isSpacer(int index) const { return itemAt(index)->spacerItem() != nullptr; }
    QList<Line> linesOf(int width) const;
    QList<Line> brokenAt(int break_width, int width) const;
    int line_height_;
};
/// A WrappingRow as a widget, whose height follows the number of lines.
QWidget* make_wrapping_row(int spacing, LayoutItems items);
QWidget* make_wrapping_row(const QMargins& margins, int spacing, LayoutItems items);
/// The items side by side or, while the row is narrower than `below` pixels or than they need, below each other. Side
/// by side, a widget that does not stretch has its least width; below each other, a scroll area has the height of its
/// content, so that only the page scrolls.
QWidget* make_stacking_row(int below, int spacing, LayoutItems items);
/// The same as a splitter.
QSplitter* make_stacking_splitter(int below, std::initializer_list<QWidget*> parts);

/// A stack that needs the room of its shown page, not that of the largest one.
QStackedWidget* make_stack();

/// Creates a splitter. Its parts can be resized, but not collapsed.
QSplitter* make_splitter(Qt::Orientation along, std::initializer_list<QWidget*> parts);

/// Creates a row. Omitted spacing and margins are those of the style.
QHBoxLayout* make_row(LayoutItems items);
QHBoxLayout* make_row(int spacing, LayoutItems items);
QHBoxLayout* make_row(const QMargins& margins, LayoutItems items);
QHBoxLayout* make_row(const QMargins& margins, int spacing, LayoutItems items);
QVBoxLayout* make_column(LayoutItems items);
QVBoxLayout* make_column(int spacing, LayoutItems items);
QVBoxLayout* make_column(const QMargins& margins, LayoutItems items);
QVBoxLayout* make_column(const QMargins& margins, int spacing, LayoutItems items);

}  // namespace trainyard::widgets
