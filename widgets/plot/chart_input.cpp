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
#include "widgets/local_text.h"
#include "widgets/plot/chart_actions.h"
#include "widgets/plot/chart_export.h"
#include "widgets/plot/chart_overlay.h"
#include "widgets/plot/curve_chart.h"
#include "widgets/plot/curve_plottable.h"
#include "widgets/plot/value_table.h"
#include "widgets/theme.h"

namespace trainyard::widgets {

void CurveChart::wheelEvent(QWheelEvent* event) {
    const double notches = event->angleDelta().y() / 120.0;
    if (notches == 0) {
        event->ignore();
        return;
    }
    startQuickRedraw();
    zoom_->wheel(event->position(), notches,
                 event->position().x() < frame().area.left() || event->modifiers().testFlag(Qt::ControlModifier));
    event->accept();
}

void CurveChart::mousePressEvent(QMouseEvent* event) {
    const bool shift = event->modifiers().testFlag(Qt::ShiftModifier);
    const bool pans = event->button() == Qt::MiddleButton || (event->button() == Qt::LeftButton && shift);
    if (!pans && event->button() != Qt::LeftButton) {
        event->ignore();
        return;
    }
    const bool box = event->modifiers() & (Qt::ControlModifier | Qt::AltModifier);
    zoom_->startDrag(pans ? ChartZoom::Drag::Pan : box ? ChartZoom::Drag::Box : ChartZoom::Drag::Select, event->pos());
}

void CurveChart::mouseMoveEvent(QMouseEvent* event) {
    if (zoom_->drag() == ChartZoom::Drag::Pan)
        startQuickRedraw();
    zoom_->dragTo(event->pos());
    if (zoom_->drag() == ChartZoom::Drag::Pan)
        return;
    if (zoom_->drag() != ChartZoom::Drag::None)
        overlay_->update();
    crosshair_->follow(event->pos());
    hoverNearest(event->pos());
}

void CurveChart::hoverNearest(const QPoint& position) {
    QVariant nearest(-1);
    const auto shown = std::count_if(curves_.begin(), curves_.end(), [](const Curve& curve) { return curve.visible; });
    if (shown > 1 && frame().area.contains(position) && zoom_->drag() == ChartZoom::Drag::None)
        plottable_->selectTest(position, false, &nearest);
    setHoveredCurve(nearest.toInt());
}

void CurveChart::mouseReleaseEvent(QMouseEvent* event) {
    const bool box = zoom_->drag() == ChartZoom::Drag::Box;
    const bool clicked = zoom_->endDrag(event->pos());
    overlay_->update();
    if (!clicked)
        return;
    if (box && event->modifiers().testFlag(Qt::ControlModifier)) {
        if (frame().area.contains(event->pos()))
            crosshair_->pin(frame().xAt(event->pos().x()));
    } else if (const Marker* marker = overlay_->markerAt(event->pos())) {
        emit markerActivated(marker->id);
    }
}

void CurveChart::mouseDoubleClickEvent(QMouseEvent* event) {
    zoom_->cancelDrag();
    if (const Marker* marker = overlay_->markerAt(event->pos()))
        emit markerOpened(marker->id);
    else
        fit();
}

void CurveChart::leaveEvent(QEvent*) {
    setHoveredCurve(-1);
    crosshair_->leave();
}

void CurveChart::askForStep() {
    auto* field = named(new QLineEdit(this), tr("Go to"));
    field->setPlaceholderText(view_.scale.unit == XUnit::Step ? tr("step") : tr("place on the axis"));
    field->setGeometry(frame().area.left() + 8, frame().area.top() + 8, 140, 28);
    field->setAttribute(Qt::WA_DeleteOnClose);
    field->show();
    field->setFocus();
    connect(field, &QLineEdit::returnPressed, this, [this, field] {
        QString words = field->text().remove(QLatin1Char(' '));
        double factor = 1;
        if (words.endsWith(QLatin1Char('k'), Qt::CaseInsensitive) || words.endsWith(QLatin1Char('M'))) {
            factor = words.endsWith(QLatin1Char('M')) ? 1e6 : 1e3;
            words.chop(1);
        }
        const std::optional<double> number = typed_number(words, true);
        if (!number) {
            field->selectAll();
            return;
        }
        zoom_->reveal(*number * factor);
        crosshair_->move(*number * factor);
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
    if (event->matches(QKeySequence::Undo) && zoom_->hasBack())
        return does([this] { back(); });
    if (event->matches(QKeySequence::Redo) && zoom_->hasForward())
        return does([this] { zoom_->forward(); });
    if (keys == Qt::ShiftModifier && key == Qt::Key_Backspace)
        return does([this] { zoom_->forward(); });
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
            return crosshair_->isShown() && does([this] { crosshair_->pin(view_.crosshair); });
        case Qt::Key_N:
            return notes_offered_ && crosshair_->isShown() && does([this] { emit noteRequested(view_.crosshair); });
        case Qt::Key_Left:
        case Qt::Key_Right:
            return does([&] { crosshair_->step(key == Qt::Key_Left ? -1 : 1); });
        case Qt::Key_Escape:
            if (crosshair_->isShown())
                return does([this] { crosshair_->move(kNoNumber); });
            return !pins().isEmpty() && does([this] { crosshair_->removePins(); });
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
                [this, x] { crosshair_->pin(x); });
        menu->addSeparator();
    }
    menu->addActions(menuActions());
    menu->popup(event->globalPos());
}

}  // namespace trainyard::widgets
