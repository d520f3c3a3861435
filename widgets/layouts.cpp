// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/layouts.h"

#include <QSplitter>

namespace trainyard::widgets {

LayoutItem stretch(int share) {
    LayoutItem item;
    item.stretch = share;
    return item;
}

LayoutItem gap(int pixels) {
    LayoutItem item;
    item.gap = pixels;
    return item;
}

void add_items(QBoxLayout* line, LayoutItems items) {
    for (const LayoutItem& item : items)
        if (item.widget != nullptr)
            line->addWidget(item.widget, item.stretch, item.alignment);
        else if (item.layout != nullptr)
            line->addLayout(item.layout, item.stretch);
        else if (item.gap < 0)
            line->addStretch(item.stretch);
        else
            line->addSpacing(item.gap);
}

QSplitter* make_splitter(Qt::Orientation along, std::initializer_list<QWidget*> parts) {
    auto* splitter = new QSplitter(along);
    splitter->setProperty("surface", QStringLiteral("gap"));
    splitter->setHandleWidth(8);
    splitter->setChildrenCollapsible(false);
    for (QWidget* part : parts)
        splitter->addWidget(part);
    return splitter;
}

namespace {
template <class Line>
Line* filled(LayoutItems items, int spacing, const QMargins* margins) {
    auto* line = new Line;
    if (margins != nullptr)
        line->setContentsMargins(*margins);
    line->setSpacing(spacing);
    add_items(line, items);
    return line;
}
constexpr int kOfStyle = -1;
}  // namespace

QHBoxLayout* make_row(LayoutItems items) {
    return filled<QHBoxLayout>(items, kOfStyle, nullptr);
}

QHBoxLayout* make_row(int spacing, LayoutItems items) {
    return filled<QHBoxLayout>(items, spacing, nullptr);
}

QHBoxLayout* make_row(const QMargins& margins, LayoutItems items) {
    return filled<QHBoxLayout>(items, kOfStyle, &margins);
}

QHBoxLayout* make_row(const QMargins& margins, int spacing, LayoutItems items) {
    return filled<QHBoxLayout>(items, spacing, &margins);
}

QVBoxLayout* make_column(LayoutItems items) {
    return filled<QVBoxLayout>(items, kOfStyle, nullptr);
}

QVBoxLayout* make_column(int spacing, LayoutItems items) {
    return filled<QVBoxLayout>(items, spacing, nullptr);
}

QVBoxLayout* make_column(const QMargins& margins, LayoutItems items) {
    return filled<QVBoxLayout>(items, kOfStyle, &margins);
}

QVBoxLayout* make_column(const QMargins& margins, int spacing, LayoutItems items) {
    return filled<QVBoxLayout>(items, spacing, &margins);
}

}  // namespace trainyard::widgets
