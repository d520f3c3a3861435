#pragma once
// Lines and columns of widgets, written as they stand: make_row(8, {title, {name, 1}, stretch(), close}).

#include <initializer_list>

#include <QBoxLayout>
#include <QMargins>

#include "widgets/forward.h"

namespace trainyard::widgets {

/// What stands in a line: a widget or a layout, with its share of the room that is left.
struct LayoutItem {
    LayoutItem(QWidget* what, int share = 0, Qt::Alignment where = {})
        : widget(what), stretch(share), alignment(where) {}
    LayoutItem(QLayout* what, int share = 0) : layout(what), stretch(share) {}
    LayoutItem() = default;  ///< room that grows, or a gap
    QWidget* widget = nullptr;
    QLayout* layout = nullptr;
    int stretch = 0;
    int gap = -1;  ///< pixels; -1: it grows
    Qt::Alignment alignment;
};
using LayoutItems = std::initializer_list<LayoutItem>;

/// Room that grows, with its share of what is left, and a gap of so many pixels.
LayoutItem stretch(int share = 0);
LayoutItem gap(int pixels);
/// Adds to a line that is there already.
void add_items(QBoxLayout* line, LayoutItems items);

/// Parts with a gap between them that can be dragged; none of them can be shut by that.
QSplitter* make_splitter(Qt::Orientation along, std::initializer_list<QWidget*> parts);

/// What is not given is as the style has it.
QHBoxLayout* make_row(LayoutItems items);
QHBoxLayout* make_row(int spacing, LayoutItems items);
QHBoxLayout* make_row(const QMargins& margins, LayoutItems items);
QHBoxLayout* make_row(const QMargins& margins, int spacing, LayoutItems items);
QVBoxLayout* make_column(LayoutItems items);
QVBoxLayout* make_column(int spacing, LayoutItems items);
QVBoxLayout* make_column(const QMargins& margins, LayoutItems items);
QVBoxLayout* make_column(const QMargins& margins, int spacing, LayoutItems items);

}  // namespace trainyard::widgets
