// SPDX-License-Identifier: GPL-3.0-or-later
// Mouse and keyboard input of a chart. The controls are described in curve_chart.h.

#include <algorithm>
#include <cmath>

#include <QAction>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QMouseEvent>
#include <QWheelEvent>

#include "widgets/controls.h"
#include "widgets/plot/chart_actions.h"
#include "widgets/plot/chart_export.h"
#include "widgets/plot/chart_overlay.h"
#include "widgets/plot/curve_chart.h"
#include "widgets/plot/curve_plottable.h"
#include "widgets/plot/value_table.h"
#include "widgets/theme.h"

namespace trainyard::widgets {

namespace {
constexpr int kClickSlack = 4;      // pixels a press may move and still be a click
constexpr int kPanSlack = 12;       // pixels upwards before a pan moves the vertical axis, too
constexpr double kWheelZoom = 0.8;  // per notch

/// The remaining part of an axis after zooming about a position on it.
XRange zoomed(const XRange& range, bool log, double about, double factor) {
    return {PlotFrame::valueAt(about - about * factor, range, log),
            PlotFrame::valueAt(about + (1 - about) * factor, range, log)};
}
}  // namespace

void CurveChart::wheelEvent(QWheelEvent* event) {
    const double notches = event->angleDelta().y() / 120.0;
    if (notches == 0) {
        event->ignore();
        return;
    }
    const PlotFrame& at = frame();
    const double factor = std::pow(kWheelZoom, notches);
    startQuickRedraw();
    if (event->position().x() < at.area.left() || event->modifiers().testFlag(Qt::ControlModifier)) {
        zoomY(at.yAt(event->position().y()), factor);
    } else {
        history_.leave(place(), true);
        showRange(zoomed(view_.x, view_.log_x, at.shareOfX(at.xAt(event->position().x())), factor));
    }
    event->accept();
}

void CurveChart::zoomY(double at, double factor) {
    const XRange range = zoomed(view_.y, view_.log_y, PlotFrame::share(at, view_.y, view_.log_y), factor);
    if (!(range.upper > range.lower) || !std::isfinite(range.size()) ||
        range.size() < 1e-12 * (std::abs(range.upper) + std::abs(range.lower)))
        return;
    history_.leave(place(), true);
    view_.y = range;
    y_chosen_ = true;
    showView();
}

void CurveChart::mousePressEvent(QMouseEvent* event) {
    const bool shift = event->modifiers().testFlag(Qt::ShiftModifier);
    const bool pans = event->button() == Qt::MiddleButton || (event->button() == Qt::LeftButton && shift);
    if (!pans && event->button() != Qt::LeftButton) {
        event->ignore();
        return;
    }
    const bool box = event->modifiers() & (Qt::ControlModifier | Qt::AltModifier);
    drag_ = pans ? Drag::Pan : box ? Drag::Box : Drag::Select;
    drag_from_ = drag_to_ = event->pos();
    drag_x_ = view_.x;
    drag_y_ = view_.y;
    if (pans)
        history_.leave(place(), false);
}

void CurveChart::pan(const QPoint& to) {
    const PlotFrame& at = frame();
    const double x = static_cast<double>(drag_from_.x() - to.x()) / std::max(1, at.area.width());
    const double y = static_cast<double>(to.y() - drag_from_.y()) / std::max(1, at.area.height());
    startQuickRedraw();
    const bool chosen = y_chosen_ || std::abs(to.y() - drag_from_.y()) > kPanSlack;
    setXRange({PlotFrame::valueAt(x, drag_x_, view_.log_x), PlotFrame::valueAt(1 + x, drag_x_, view_.log_x)});
    if (chosen) {
        view_.y = {PlotFrame::valueAt(y, drag_y_, view_.log_y), PlotFrame::valueAt(1 + y, drag_y_, view_.log_y)};
        y_chosen_ = true;
        redraw_->ask();
    }
    emit rangeChanged(view_.x);
}

void CurveChart::mouseMoveEvent(QMouseEvent* event) {
    drag_to_ = event->pos();
    if (drag_ == Drag::Pan) {
        pan(event->pos());
        return;
    }
    if (drag_ != Drag::None)
        overlay_->update();
    const bool inside = frame().area.contains(event->pos());
    pointer_y_ = inside ? event->pos().y() : kNoNumber;
    moveCrosshair(inside ? frame().xAt(event->pos().x()) : kNoNumber);
    hoverNearest(event->pos());
}

void CurveChart::hoverNearest(const QPoint& position) {
    QVariant nearest(-1);
    const auto shown = std::count_if(curves_.begin(), curves_.end(), [](const Curve& curve) { return curve.visible; });
    if (shown > 1 && std::isfinite(pointer_y_) && drag_ == Drag::None)
        plottable_->selectTest(position, false, &nearest);
    setHoveredCurve(nearest.toInt());
}

void CurveChart::mouseReleaseEvent(QMouseEvent* event) {
    const Drag drag = drag_;
    drag_ = Drag::None;
    overlay_->update();
    if (drag == Drag::None || drag == Drag::Pan)
        return;
    const QRect chosen = QRect(drag_from_, event->pos()).normalized();
    const PlotFrame at = frame();
    if (chosen.width() < kClickSlack) {
        if (drag == Drag::Box && event->modifiers().testFlag(Qt::ControlModifier)) {
            if (at.area.contains(event->pos()))
                pin(at.xAt(event->pos().x()));
        } else if (const Marker* marker = overlay_->markerAt(event->pos())) {
            emit markerActivated(marker->id);
        }
        return;
    }
    history_.leave(place(), false);
    showRange({at.xAt(chosen.left()), at.xAt(chosen.right())});
    if (drag == Drag::Box && chosen.height() >= kClickSlack) {
        view_.y = {at.yAt(chosen.bottom()), at.yAt(chosen.top())};
        y_chosen_ = true;
        showView();
    }
}

void CurveChart::mouseDoubleClickEvent(QMouseEvent* event) {
    drag_ = Drag::None;
    if (const Marker* marker = overlay_->markerAt(event->pos()))
        emit markerOpened(marker->id);
    else
        fit();
}

void CurveChart::leaveEvent(QEvent*) {
    pointer_y_ = kNoNumber;
    setHoveredCurve(-1);
    moveCrosshair(kNoNumber);
}

void CurveChart::moveCrosshair(double x) {
    setCrosshair(x);
    emit crosshairMoved(x);
}

void CurveChart::stepCrosshair(int direction) {
    const auto shown = std::find_if(curves_.begin(), curves_.end(),
                                    [](const Curve& curve) { return curve.visible && !curve.series->empty(); });
    if (shown == curves_.end())
        return;
    const Series& series = *shown->series;
    const XScale scale = scale_of(*shown, view_);
    pointer_y_ = kNoNumber;
    if (std::isnan(view_.crosshair)) {
        const std::size_t first = std::min(series.lowerBound(view_.x.lower, scale), series.size() - 1);
        const std::size_t end = series.lowerBound(view_.x.upper, scale);
        moveCrosshair(series.x(direction < 0 ? std::max<std::size_t>(end, 1) - 1 : first, scale));
        return;
    }
    // One point, or one pixel if points are closer than that.
    const double pixel = view_.x.size() / std::max(1, frame().area.width());
    const std::size_t now = series.nearest(view_.crosshair, scale);
    const std::size_t next = direction < 0 ? (now > 0 ? now - 1 : 0) : std::min(now + 1, series.size() - 1);
    const double near = series.x(next, scale);
    const double far = series.x(series.nearest(view_.crosshair + direction * pixel, scale), scale);
    moveCrosshair(direction < 0 ? std::min(near, far) : std::max(near, far));
}

void CurveChart::askForStep() {
    auto* field = named(new QLineEdit(this), tr("Go to"));
    field->setPlaceholderText(view_.scale.unit == XUnit::Step ? tr("step") : tr("place on the axis"));
    field->setGeometry(frame().area.left() + 8, frame().area.top() + 8, 140, 28);
    field->setAttribute(Qt::WA_DeleteOnClose);
    field->show();
    field->setFocus();
    connect(field, &QLineEdit::returnPressed, this, [this, field] {
        QString words = field->text().trimmed();
        words.remove(QLocale().groupSeparator()).remove(QLatin1Char(' '));
        double factor = 1;
        if (words.endsWith(QLatin1Char('k'), Qt::CaseInsensitive) || words.endsWith(QLatin1Char('M'))) {
            factor = words.endsWith(QLatin1Char('M')) ? 1e6 : 1e3;
            words.chop(1);
        }
        bool is_number = false;
        const double x = QLocale::c().toDouble(words, &is_number) * factor;
        if (!is_number) {
            field->selectAll();
            return;
        }
        if (x < view_.x.lower || x > view_.x.upper) {
            history_.leave(place(), false);
            const double half = view_.x.size() / 2;
            if (!view_.log_x)
                showRange({x - half, x + half});
        }
        moveCrosshair(x);
        setFocus();
        field->close();
    });
    connect(field, &QLineEdit::editingFinished, field, &QWidget::close);
}

bool CurveChart::commandOf(const QKeyEvent* event, bool run) {
    const auto does = [run](auto&& command) {
        if (run)
            command();
        return true;
    };
    const Qt::KeyboardModifiers keys = event->modifiers() & ~Qt::KeypadModifier;
    const int key = event->key();
    if (event->matches(QKeySequence::Copy))
        return does([this] { copy_chart(*this); });
    if (keys == Qt::ControlModifier && key == Qt::Key_E)
        return does([this] { ask_and_export(*this); });
    if (keys == (Qt::ControlModifier | Qt::ShiftModifier) && key == Qt::Key_T)
        return does([this] { (new ValueTable(*this, this))->show(); });
    if (event->matches(QKeySequence::Undo) && history_.hasBack())
        return does([this] { back(); });
    if (event->matches(QKeySequence::Redo) && history_.hasForward())
        return does([this] { forward(); });
    if (keys == Qt::ShiftModifier && key == Qt::Key_Backspace)
        return does([this] { forward(); });
    if (keys == Qt::ShiftModifier && key == Qt::Key_L)
        return does([this] { setLogX(!view_.log_x); });
    if (keys != Qt::NoModifier)
        return false;
    switch (key) {
        case Qt::Key_Backspace:
            return does([this] { back(); });
        case Qt::Key_F:
            return does([this] { fit(); });
        case Qt::Key_L:
            return does([this] { setLogY(!view_.log_y); });
        case Qt::Key_S:
            return does([this] { setSmoothed(view_.smoothing == 0); });
        case Qt::Key_B:
            return does([this] { setBands(!view_.bands); });
        case Qt::Key_G:
            return does([this] { askForStep(); });
        case Qt::Key_M:
            return !std::isnan(view_.crosshair) && does([this] { pin(view_.crosshair); });
        case Qt::Key_N:
            return notes_offered_ && !std::isnan(view_.crosshair) &&
                   does([this] { emit noteRequested(view_.crosshair); });
        case Qt::Key_Left:
        case Qt::Key_Right:
            return does([&] { stepCrosshair(key == Qt::Key_Left ? -1 : 1); });
        case Qt::Key_Escape:
            if (!std::isnan(view_.crosshair))
                return does([this] { moveCrosshair(kNoNumber); });
            return !pins_.isEmpty() && does([this] {
                setPins({});
                emit pinsChanged(pins_);
            });
        default:
            return false;
    }
}

void CurveChart::keyPressEvent(QKeyEvent* event) {
    if (!commandOf(event, true))
        QWidget::keyPressEvent(event);
}

void CurveChart::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    overlay_->update();
}

void CurveChart::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    overlay_->update();
}

bool CurveChart::event(QEvent* event) {
    if (show_tip(event, this, [this](const QPoint& at) { return overlay_->markerWords(at); }))
        return true;
    // Shortcuts of the chart take precedence over those of the window.
    if (event->type() == QEvent::ShortcutOverride && commandOf(static_cast<QKeyEvent*>(event), false)) {
        event->accept();
        return true;
    }
    return QWidget::event(event);
}

QList<QAction*> CurveChart::menuActions() {
    if (actions_ == nullptr)
        actions_ = new ChartActions(this);
    return actions_->current();
}

void CurveChart::contextMenuEvent(QContextMenuEvent* event) {
    QMenu* menu = make_menu(this);
    const double x = event->reason() == QContextMenuEvent::Mouse && frame().area.contains(event->pos())
                         ? frame().xAt(event->pos().x())
                         : view_.crosshair;
    if (!std::isnan(x)) {
        if (notes_offered_)
            connect(menu->addAction(tr("Add a note here…") + QStringLiteral("\tN")), &QAction::triggered, this,
                    [this, x] { emit noteRequested(x); });
        connect(menu->addAction(tr("Pin here") + QStringLiteral("\tM")), &QAction::triggered, this,
                [this, x] { pin(x); });
        menu->addSeparator();
    }
    menu->addActions(menuActions());
    menu->popup(event->globalPos());
}

}  // namespace trainyard::widgets
