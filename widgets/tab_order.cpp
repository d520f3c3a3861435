#include "widgets/tab_order.h"

#include <algorithm>

#include <QApplication>
#include <QStyle>
#include <QWidget>

namespace trainyard::widgets {

namespace {

/// What stands in one container: a control, or a widget with controls in it.
struct Part {
    QWidget* widget;
    bool stop;  ///< takes the keyboard itself
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

/// Cuts the parts into groups that a line along the other axis separates; one group: no line does.
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
    // One, or some that lie over each other.
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
                             // Where reading begins at the right, a line is read from there.
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
    // The keyboard may be in a part of a control, or in what takes none by Tab: then the control around it counts, else all begins anew.
    qsizetype at = -1;
    for (QWidget* focus = QApplication::focusWidget(); at < 0 && focus != nullptr; focus = focus->parentWidget())
        at = order.indexOf(focus);
    const qsizetype count = order.size();
    const qsizetype to = at < 0 ? (next ? 0 : count - 1) : (at + (next ? 1 : -1) + count) % count;
    order[to]->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
    return true;
}

}  // namespace trainyard::widgets
