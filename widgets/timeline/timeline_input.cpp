// SPDX-License-Identifier: GPL-3.0-or-later
// Mouse and keyboard input of a timeline. The wheel scrolls the lines, zooms at the pointer with Ctrl, and pans with
// Shift. Dragging selects a range, of one group within that group, or of all groups on the ruler; the middle button
// drags the picture.
#include <algorithm>
#include <cmath>
#include <functional>

#include <QHash>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QWheelEvent>

#include "widgets/timeline/timeline_view.h"

namespace trainyard::widgets {

namespace {
constexpr double kZoom = 1.5, kPan = 0.15;
constexpr int kDragStart = 3;  // pixels
}  // namespace

int TimelineView::groupForKeys() const {
    if (chosen_.isValid())
        return chosen_.group;
    if (selected_group_ >= 0)
        return selected_group_;
    const int first = layout_.lineAt(verticalScrollBar()->value());
    return first >= 0 ? layout_.lines()[first].group : layout_.lines().isEmpty() ? -1 : layout_.lines().front().group;
}

int TimelineView::middleForKeys() const {
    const QRect chosen = rectOf(chosen_);
    return chosen.isValid() ? chosen.center().x() : kGutter + width() / 2;
}

void TimelineView::chooseInLine(int direction) {
    if (!chosen_.isValid()) {
        // The first visible span of the first row that has one.
        for (const TimelineLine& line : layout_.lines()) {
            if (line.kind != TimelineLine::Kind::Row)
                continue;
            const std::int64_t index = firstEndingAfter(line.group, line.lane, line.row, view_.begin);
            const TimelinePlace place{line.group, line.lane, line.row, index};
            if (index < data_->count(line.group, line.lane, line.row) && data_->span(place).begin <= view_.end) {
                choose(place, true);
                return;
            }
        }
        return;
    }
    TimelinePlace next = chosen_;
    next.index += direction;
    if (next.index >= 0 && next.index < data_->count(next.group, next.lane, next.row))
        choose(next, true);
}

void TimelineView::chooseBeside(int direction) {
    if (!chosen_.isValid()) {
        chooseInLine(1);
        return;
    }
    const TimeSpan now = data_->span(chosen_);
    for (int i = layout_.lineOf(chosen_.group, chosen_.lane, chosen_.row) + direction;
         i >= 0 && i < layout_.lines().size(); i += direction) {
        const TimelineLine& line = layout_.lines()[i];
        const std::int64_t count =
            line.kind == TimelineLine::Kind::Row ? data_->count(line.group, line.lane, line.row) : 0;
        if (count == 0)
            continue;
        // Moving down within a lane leads to the first child, if any, else to the next span in time.
        const std::int64_t index = std::min(
            firstEndingAfter(line.group, line.lane, line.row, direction > 0 ? now.begin + 1 : now.begin), count - 1);
        choose({line.group, line.lane, line.row, index}, true);
        return;
    }
}

void TimelineView::keyPressEvent(QKeyEvent* event) {
    if (!data_ || (event->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) != 0) {
        QAbstractScrollArea::keyPressEvent(event);
        return;
    }
    using View = TimelineView;
    static const QHash<int, std::function<void(View&)>> acts{
        {Qt::Key_W, [](View& view) { view.zoom(kZoom, view.middleForKeys()); }},
        {Qt::Key_S, [](View& view) { view.zoom(1 / kZoom, view.middleForKeys()); }},
        {Qt::Key_A, [](View& view) { view.pan(-kPan); }},
        {Qt::Key_D, [](View& view) { view.pan(kPan); }},
        {Qt::Key_Q, [](View& view) { view.chooseSameName(-1); }},
        {Qt::Key_E, [](View& view) { view.chooseSameName(1); }},
        {Qt::Key_Left, [](View& view) { view.chooseInLine(-1); }},
        {Qt::Key_Right, [](View& view) { view.chooseInLine(1); }},
        {Qt::Key_Up, [](View& view) { view.chooseBeside(-1); }},
        {Qt::Key_Down, [](View& view) { view.chooseBeside(1); }},
        {Qt::Key_F, &View::fit},
        {Qt::Key_0, &View::showWhole},
        {Qt::Key_M, &View::mark},
        {Qt::Key_V, [](View& view) { view.toggleFold(view.groupForKeys()); }},
        {Qt::Key_P, [](View& view) { view.togglePin(view.groupForKeys()); }},
        {Qt::Key_Return, &View::selectChosen},
        {Qt::Key_Enter, &View::selectChosen},
        {Qt::Key_PageUp, [](View& view) { view.verticalScrollBar()->triggerAction(QScrollBar::SliderPageStepSub); }},
        {Qt::Key_PageDown, [](View& view) { view.verticalScrollBar()->triggerAction(QScrollBar::SliderPageStepAdd); }},
    };
    if (const auto act = acts.constFind(event->key()); act != acts.cend())
        (*act)(*this);
    else if (event->key() != Qt::Key_Escape || !undoOne())
        return QAbstractScrollArea::keyPressEvent(event);
    event->accept();
}

/// Selects the time range of the chosen span.
void TimelineView::selectChosen() {
    if (chosen_.isValid())
        select(data_->span(chosen_), chosen_.group);
}

/// Clears the selection, else the chosen span, else the marks. Returns false if there are none.
bool TimelineView::undoOne() {
    if (selection_)
        select(std::nullopt);
    else if (chosen_.isValid())
        choose({}, false);
    else if (!marks_.isEmpty())
        clearMarks();
    else
        return false;
    return true;
}

void TimelineView::mousePressEvent(QMouseEvent* event) {
    if (!data_)
        return;
    pressed_ = event->position().toPoint();
    pressed_view_ = view_;
    pressed_scroll_ = verticalScrollBar()->value();
    moved_ = false;
    drag_ = event->button() == Qt::MiddleButton                            ? Drag::Pan
            : event->button() == Qt::LeftButton && pressed_.x() >= kGutter ? Drag::Select
                                                                           : Drag::None;
    const int line = pressed_.y() < kRuler ? -1 : layout_.lineAt(pressed_.y() - kRuler + verticalScrollBar()->value());
    if (event->button() == Qt::LeftButton && pressed_.x() < kGutter && line >= 0 &&
        layout_.lines()[line].kind == TimelineLine::Kind::Head)
        toggleFold(layout_.lines()[line].group);
}

void TimelineView::mouseMoveEvent(QMouseEvent* event) {
    const QPoint at = event->position().toPoint();
    if (drag_ == Drag::None || !data_)
        return;
    if (!moved_ && (at - pressed_).manhattanLength() < kDragStart)
        return;
    moved_ = true;
    if (drag_ == Drag::Pan) {
        const double by = (pressed_.x() - at.x()) * perPixel();
        setView({static_cast<std::int64_t>(static_cast<double>(pressed_view_.begin) + by),
                 static_cast<std::int64_t>(static_cast<double>(pressed_view_.end) + by)});
        verticalScrollBar()->setValue(pressed_scroll_ + pressed_.y() - at.y());
        return;
    }
    const int line = pressed_.y() < kRuler ? -1 : layout_.lineAt(pressed_.y() - kRuler + pressed_scroll_);
    const int right = viewport()->width();
    const int from = std::clamp(pressed_.x(), int{kGutter}, right), to = std::clamp(at.x(), int{kGutter}, right);
    if (from != to)
        select(TimeSpan{timeAt(std::min(from, to)), timeAt(std::max(from, to))},
               line >= 0 ? layout_.lines()[line].group : -1);
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event) {
    const bool clicked = drag_ == Drag::Select && !moved_;
    drag_ = Drag::None;
    if (!clicked || !data_)
        return;
    const TimelinePlace place = placeAt(event->position().toPoint());
    choose(place, false);
    if (!place.isValid())
        select(std::nullopt);
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (!data_ || event->button() != Qt::LeftButton)
        return;
    const TimelinePlace place = placeAt(event->position().toPoint());
    if (!place.isValid())
        return;
    choose(place, false);
    select(data_->span(place), place.group);
    fit();
}

void TimelineView::wheelEvent(QWheelEvent* event) {
    const double notches = (event->angleDelta().y() != 0 ? event->angleDelta().y() : event->angleDelta().x()) / 120.0;
    if ((event->modifiers() & Qt::ControlModifier) != 0)
        zoom(std::pow(kZoom, notches), static_cast<int>(event->position().x()));
    else if ((event->modifiers() & Qt::ShiftModifier) != 0 || event->angleDelta().y() == 0)
        pan(-notches * kPan);
    else
        verticalScrollBar()->setValue(verticalScrollBar()->value() -
                                      static_cast<int>(std::lround(notches * 3 * TimelineLayout::kRow)));
    event->accept();
}

void TimelineView::focusInEvent(QFocusEvent* event) {
    QAbstractScrollArea::focusInEvent(event);
    viewport()->update();
}

void TimelineView::focusOutEvent(QFocusEvent* event) {
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
}

}  // namespace trainyard::widgets
