// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tab_order.h"

#include <algorithm>

#include <QApplication>
#include <QStringList>
#include <QStyle>
#include <QVariant>
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

/// The widget at which Tab starts.
struct Start {
    qsizetype at = -1;      ///< -1: before the first control
    bool is_focus = false;  ///< the control at this place has the focus; false: it is the first one in a part that has
};

/// The focus may also be inside a control, or in a part that Tab does not reach, such as a page that was just opened.
Start start_in(const QList<QWidget*>& order, const QWidget* root) {
    for (const QWidget* at = QApplication::focusWidget(); at != nullptr && at != root; at = at->parentWidget()) {
        const auto found = std::ranges::find_if(
            order, [at](const QWidget* control) { return control == at || at->isAncestorOf(control); });
        if (found != order.end())
            return {found - order.begin(), *found == at};
    }
    return {};
}

bool focus_from(const Start& start, const QList<QWidget*>& stops, bool next) {
    const qsizetype count = stops.size();
    const qsizetype to = start.at < 0 ? (next ? 0 : count - 1)
                         : next       ? (start.at + (start.is_focus ? 1 : 0)) % count
                                      : (start.at - 1 + count) % count;
    stops[to]->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
    return true;
}

}  // namespace

QList<QWidget*> reading_order(const QWidget* root) {
    QList<QWidget*> order;
    read(root, order);
    return order;
}

bool focus_panel(const QWidget* root, bool next) {
    static const QStringList surfaces{QStringLiteral("rail"),  QStringLiteral("header"), QStringLiteral("page"),
                                      QStringLiteral("panel"), QStringLiteral("status"), QStringLiteral("palette")};
    const auto is_panel = [](const QWidget* part) {
        return part->property("region").toBool() || surfaces.contains(part->property("surface").toString());
    };
    const auto panel_of = [root, is_panel](const QWidget* part) {
        do
            part = part->parentWidget();
        while (part != nullptr && part != root && !is_panel(part));
        return part;
    };
    const QList<QWidget*> order = reading_order(root);
    QList<const QWidget*> panels;
    QList<QWidget*> firsts;
    for (QWidget* control : order)
        if (const QWidget* panel = panel_of(control); !panels.contains(panel)) {
            panels << panel;
            firsts << control;
        }
    if (panels.size() < 2)
        return false;
    const Start start = start_in(order, root);
    return focus_from({start.at < 0 ? -1 : panels.indexOf(panel_of(order[start.at])), start.is_focus}, firsts, next);
}

bool focus_by_reading(const QWidget* root, bool next) {
    const QList<QWidget*> order = reading_order(root);
    return !order.isEmpty() && focus_from(start_in(order, root), order, next);
}

}  // namespace trainyard::widgets
