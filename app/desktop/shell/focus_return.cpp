// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/shell/focus_return.h"

#include <utility>

#include <QAbstractItemView>
#include <QApplication>
#include <QEvent>

#include "widgets/tab_order.h"
#include "widgets/timers.h"

namespace trainyard::desktop {

namespace {
constexpr int kInterval = 50;       // ms between two attempts
constexpr int kAttemptsAlone = 10;  // before a control near the awaited one gets the focus

/// Returns the first control in the innermost part around `place` that has one.
QWidget* control_near(QWidget* root, QVector<PartStep> place) {
    while (!place.isEmpty()) {
        place.removeLast();
        const QWidget* around = place.isEmpty() ? root : part_at(root, place);
        if (around == nullptr || !around->isVisible())
            continue;
        if (const QList<QWidget*> controls = widgets::reading_order(around); !controls.isEmpty())
            return controls.first();
    }
    return nullptr;
}

QVector<QPoint> item_place(const QWidget* part) {
    QVector<QPoint> place;
    if (const auto* view = qobject_cast<const QAbstractItemView*>(part); view != nullptr)
        for (QModelIndex index = view->currentIndex(); index.isValid(); index = index.parent())
            place.prepend({index.column(), index.row()});
    return place;
}

void return_item(QWidget* part, const QVector<QPoint>& place) {
    auto* view = qobject_cast<QAbstractItemView*>(part);
    if (view == nullptr || view->model() == nullptr || place.isEmpty() || view->currentIndex().isValid())
        return;
    QModelIndex index;
    for (const QPoint& step : place) {
        index = view->model()->index(step.y(), step.x(), index);
        if (!index.isValid())
            return;
    }
    view->setCurrentIndex(index);
}
}  // namespace

FocusReturn::FocusReturn(QObject* parent) : QObject(parent) {
    widgets::act_every(timer_, kInterval, this, &FocusReturn::attempt);
}

FocusPlace FocusReturn::place(const QWidget* root) const {
    for (const Awaited& each : awaited_)
        if (each.root == root)
            return each.place;
    const QWidget* part = root->window()->focusWidget();
    return {part_place(root, part), item_place(part)};
}

void FocusReturn::begin(QWidget* root, const FocusPlace& place) {
    awaited_.removeIf(
        [root](const Awaited& each) { return each.root == nullptr || each.root->window() == root->window(); });
    if (place.part.isEmpty())
        return;
    awaited_.push_back({root, place});
    qApp->installEventFilter(this);
    timer_.start();
    attempt();
}

void FocusReturn::attempt() {
    for (Awaited each : std::exchange(awaited_, {})) {
        QWidget* part = each.root != nullptr ? part_at(each.root, each.place.part) : nullptr;
        if (part != nullptr && part->isVisible() && part->isEnabled()) {
            return_item(part, each.place.item);  // before the focus, with which a view chooses its first item
            part->setFocus(Qt::OtherFocusReason);
        } else if (each.root != nullptr && ++each.attempts <= kPatience / kInterval) {
            if (each.attempts == kAttemptsAlone)
                if (QWidget* near = control_near(each.root, each.place.part))
                    near->setFocus(Qt::OtherFocusReason);
            awaited_ << each;
        }
    }
    if (awaited_.isEmpty())
        stop();
}

void FocusReturn::stop() {
    awaited_.clear();
    timer_.stop();
    qApp->removeEventFilter(this);
}

bool FocusReturn::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress || event->type() == QEvent::MouseButtonPress)
        stop();
    return QObject::eventFilter(watched, event);
}

}  // namespace trainyard::desktop
