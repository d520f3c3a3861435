// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Rows and columns of widgets as nested expressions: make_row(8, {title, {name, 1}, stretch(), close}).

#include <initializer_list>

#include <QBoxLayout>
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

/// Creates a splitter. Its parts can be resized, but not collapsed.
QSplitter* make_splitter(Qt::Orientation along, std::initializer_list<QWidget*> parts);
/// The parts side by side or, while the splitter is narrower than `below` pixels, below each other: with large text on a
/// small screen a page need not scroll sideways.
QSplitter* make_stacking_splitter(int below, std::initializer_list<QWidget*> parts);
/// The same of a row without handles.
QWidget* make_stacking_row(int below, int spacing, LayoutItems items);

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
