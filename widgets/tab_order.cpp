// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tab_order.h"

#include <algorithm>

#include <QApplication>
#include <QStyle>
#include <QWidget>

namespace trainyard::widgets {

namespace {

/// A child of a container: a control, or a widget with controls in it.
struct Part {
    QWidget* widget;
    bool stop;  ///< accepts the keyboard focus itself
    QRect where;
};

bool is_stop(const QWidget* widget) {
    return (widget->focusPolicy() & Qt::TabFocus) != 0 && widget->isEnabled() && widget->focusProxy() == nullptr &&
           !widget->size().isEmpty();
}

bool has_stop(const QWidget* widget) {
    if (widget->isHidden() || !widget->isEnabled() || widget->isWindow())
        return false;
    if (is_stop(widget))
        return true;
    const QObjectList& children = widget->children();
    return std::any_of(children.begin(), children.end(), [](const QObject* child) {
        return child->isWidgetType() && has_stop(static_cast<const QWidget*>(child));
    });
}

/// Splits the parts into groups that can be separated by a line along the other axis; a single group if no line can.
std::vector<std::vector<Part>> cut(std::vector<Part> parts, bool rows) {
    auto from = [rows](const Part& part) { return rows ? part.where.top() : part.where.left(); };
    auto to = [rows](const Part& part) { return rows ? part.where.bottom() : part.where.right(); };
    std::stable_sort(parts.begin(), parts.end(), [&](const Part& a, const Part& b) { return from(a) < from(b); });
    std::vector<std::vector<Part>> groups;
    int end = 0;
    for (Part& part : parts) {
        if (groups.empty() || from(part) > end)
            groups.emplace_back();
        end = groups.back().empty() ? to(part) : std::max(end, to(part));
        groups.back().push_back(std::move(part));
    }
    return groups;
}

void read(const QWidget* container, QList<QWidget*>& order);

void read(std::vector<Part> parts, QList<QWidget*>& order) {
    for (const bool rows : {true, false}) {
        auto groups = cut(parts, rows);
        if (groups.size() > 1) {
            for (auto& group : groups)
                read(std::move(group), order);
            return;
        }
        parts = std::move(groups.front());
    }
    // A single part, or parts that overlap.
    for (const Part& part : parts) {
        if (part.stop)
            order << part.widget;
        read(part.widget, order);
    }
}

void read(const QWidget* container, QList<QWidget*>& order) {
    std::vector<Part> parts;
    for (QObject* child : container->children()) {
        auto* widget = qobject_cast<QWidget*>(child);
        if (widget != nullptr && has_stop(widget))
            parts.push_back({widget, is_stop(widget),
                             // Mirrored in a right-to-left layout, where lines are read from the right.
                             QStyle::visualRect(container->layoutDirection(), container->rect(), widget->geometry())});
    }
    if (!parts.empty())
        read(std::move(parts), order);
}

}  // namespace

QList<QWidget*> reading_order(const QWidget* root) {
    QList<QWidget*> order;
    read(root, order);
    return order;
}

bool focus_by_reading(const QWidget* root, bool next) {
    const QList<QWidget*> order = reading_order(root);
    if (order.isEmpty())
        return false;
    // If the focus is inside a control, or in a widget that Tab does not reach, start from the enclosing control;
    // otherwise from the first or last control.
    qsizetype at = -1;
    for (QWidget* focus = QApplication::focusWidget(); at < 0 && focus != nullptr; focus = focus->parentWidget())
        at = order.indexOf(focus);
    const qsizetype count = order.size();
    const qsizetype to = at < 0 ? (next ? 0 : count - 1) : (at + (next ? 1 : -1) + count) % count;
    order[to]->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
    return true;
}

}  // namespace trainyard::widgets
