// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/parallel_coordinates.h"

#include <algorithm>
#include <cmath>

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include "widgets/pixels.h"
#include "widgets/plain_text.h"

namespace trainyard::widgets {

namespace {
const int &kAxesSide = live_px(70), &kAxesTop = live_px(44), &kAxesBottom = live_px(18);  // pixels
const double& kGrab = live_px(10.0);                                                      // pixels from an axis
const double& kLineReach = live_px(6.0);                                                  // pixels from a line
const double& kSlack = live_px(4.0);
const double& kBarWidth = live_px(12.0);
const double& kAxisNameHeight = live_px(17.0);
const double& kAxisNameGap = live_px(8.0);   // between two names of a line
const double& kAxisTextGap = live_px(10.0);  // between a tick's text and the next axis, or the edge
}  // namespace

ParallelCoordinates::ParallelCoordinates(const QString& accessibleName, QWidget* parent)
    : SweepPlot(accessibleName, {240_px, 140_px}, parent) {}

void ParallelCoordinates::setSweep(const Sweep& sweep) {
    // Order, direction and selection of a column are kept by its name.
    const Sweep before = sweep_;
    const QVector<int> order = order_;
    const QVector<bool> turned = turned_;
    const QVector<std::optional<XRange>> brushes = brushes_;
    const auto place_of = [](const Sweep& in, const QString& name) {
        for (int axis = 0; axis < in.axes.size(); ++axis)
            if (in.axes[axis].name == name)
                return axis;
        return -1;
    };
    sweep_ = sweep;
    const auto count = static_cast<int>(sweep.axes.size());
    order_.clear();
    turned_.fill(false, count);
    brushes_.fill(std::nullopt, count);
    for (int axis : order)
        if (const int now = place_of(sweep, before.axes[axis].name); now >= 0) {
            order_.append(now);
            turned_[now] = turned[axis];
            brushes_[now] = brushes[axis];
        }
    for (int axis = 0; axis < count; ++axis)
        if (!order_.contains(axis))
            order_.insert(order_.indexOf(axis - 1) + 1, axis);
    if (color_ >= count)
        color_ = -1;
    chosen_ = std::clamp(chosen_, 0, std::max(0, count - 1));
    hovered_ = -1;
    prepare();
}

void ParallelCoordinates::prepare() {
    ranges_.clear();
    for (int axis = 0; axis < sweep_.axes.size(); ++axis)
        ranges_.append(sweep_range(sweep_, axis));
    color_range_ = color_ >= 0 ? ranges_[color_] : XRange{};
    setAccessibleDescription(
        tr("%Ln runs, %1 columns, %2 runs inside all ranges", nullptr, static_cast<int>(sweep_.runs.size()))
            .arg(sweep_.axes.size())
            .arg(kept().size()));
    update();
}

void ParallelCoordinates::setColorAxis(int axis) {
    color_ = axis < sweep_.axes.size() ? axis : -1;
    prepare();
}

void ParallelCoordinates::setBrush(int axis, std::optional<XRange> range) {
    if (axis < 0 || axis >= brushes_.size() || brushes_[axis] == range)
        return;
    brushes_[axis] = range;
    prepare();
    emit keptChanged(kept());
}

bool ParallelCoordinates::isKept(int run) const {
    for (int axis = 0; axis < brushes_.size(); ++axis) {
        if (!brushes_[axis])
            continue;
        const std::optional<double> place =
            sweep_place(sweep_.axes[axis], ranges_[axis], sweep_.runs[run].values[axis]);
        if (!place || *place < brushes_[axis]->lower || *place > brushes_[axis]->upper)
            return false;
    }
    return true;
}

QSet<QString> ParallelCoordinates::kept() const {
    QSet<QString> ids;
    for (int run = 0; run < sweep_.runs.size(); ++run)
        if (isKept(run))
            ids.insert(sweep_.runs[run].id);
    return ids;
}

QRectF ParallelCoordinates::axesArea() const {
    return {1.0 * kAxesSide, 1.0 * kAxesTop, std::max(10.0, width() - 2.0 * kAxesSide),
            std::max(10.0, height() - kAxesTop - 1.0 * kAxesBottom)};
}

double ParallelCoordinates::axisX(int place) const {
    const QRectF area = axesArea();
    return order_.size() < 2 ? area.center().x()
                             : area.left() + area.width() * place / static_cast<double>(order_.size() - 1);
}

double ParallelCoordinates::pixelOf(double share, int axis) const {
    const QRectF area = axesArea();
    return turned_[axis] ? area.top() + share * area.height() : area.bottom() - share * area.height();
}

double ParallelCoordinates::shareAt(double pixel, int axis) const {
    const QRectF area = axesArea();
    const double share = (area.bottom() - pixel) / area.height();
    return std::clamp(turned_[axis] ? 1 - share : share, 0.0, 1.0);
}

int ParallelCoordinates::placeAt(const QPointF& position, double slack) const {
    for (int place = 0; place < order_.size(); ++place)
        if (std::abs(axisX(place) - position.x()) <= slack)
            return place;
    return -1;
}

QString ParallelCoordinates::nameOf(int place) const {
    const int axis = order_[place];
    return sweep_.axes[axis].name + (turned_[axis] ? QStringLiteral(" ↓") : QString());
}

QVector<QRectF> ParallelCoordinates::nameAreas() const {
    const QFontMetricsF metrics(Theme::instance().text(12, QFont::DemiBold));
    const double room = roomOfPlace();
    int lines = 1;
    for (int place = 0; place < order_.size(); ++place)
        if (metrics.horizontalAdvance(nameOf(place)) > room - kAxisNameGap)
            lines = 2;
    QVector<QRectF> areas;
    for (int place = 0; place < order_.size(); ++place) {
        // As far to each side as the neighbours of the same line, or the edge, leave room.
        const double x = axisX(place);
        const double half = std::min({lines * room / 2 - kAxisNameGap / 2, x - 2, width() - 2 - x});
        const double top = lines == 1 ? 8 : 2 + place % 2 * kAxisNameHeight;
        areas << QRectF(x - half, top, 2 * half, kAxisNameHeight);
    }
    return areas;
}

QVector<QPointF> ParallelCoordinates::lineOf(int run) const {
    QVector<QPointF> line;
    for (int place = 0; place < order_.size(); ++place) {
        const int axis = order_[place];
        const std::optional<double> share =
            sweep_place(sweep_.axes[axis], ranges_[axis], sweep_.runs[run].values[axis]);
        line.append({axisX(place), share ? pixelOf(*share, axis) : std::numeric_limits<double>::quiet_NaN()});
    }
    return line;
}

void ParallelCoordinates::draw(QPainter& painter, const Look& look) {
    const Theme& theme = Theme::instance();
    const QRectF area = axesArea();
    const auto draw_run = [&](int run, const QPen& pen) {
        painter.setPen(pen);
        const QVector<QPointF> line = lineOf(run);
        // The line is interrupted at axes for which the run has no value.
        for (qsizetype i = 1; i < line.size(); ++i)
            if (std::isfinite(line[i - 1].y()) && std::isfinite(line[i].y()))
                painter.drawLine(line[i - 1], line[i]);
    };
    for (int run = 0; run < sweep_.runs.size(); ++run)
        if (!isKept(run))
            draw_run(run, QPen(mixed(look.color(Token::TextMuted), look.color(Token::BgPanel), 0.22), 1));
    for (int run = 0; run < sweep_.runs.size(); ++run)
        if (isKept(run) && run != hovered_)
            draw_run(run,
                     QPen(colorOf(run, look), 1.5, color_ >= 0 ? Qt::SolidLine : run_dash(sweep_.runs[run].color)));
    if (hovered_ >= 0)
        draw_run(hovered_, QPen(colorOf(hovered_, look), 3));

    const double room = roomOfPlace();
    const QVector<QRectF> names = nameAreas();
    for (int place = 0; place < order_.size(); ++place) {
        const int axis = order_[place];
        const double x = drag_ == Drag::Name && place == drag_axis_ ? pointer_.x() : axisX(place);
        painter.setPen(QPen(look.color(Token::LineControl), 1));
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
        if (const std::optional<XRange>& brush = brushes_[axis]) {
            const double a = pixelOf(brush->lower, axis), b = pixelOf(brush->upper, axis);
            QColor fill = look.color(Token::Accent);
            painter.setPen(QPen(fill, 1));
            fill.setAlphaF(0.25F);
            painter.setBrush(fill);
            painter.drawRect(QRectF(x - kBarWidth / 2, std::min(a, b), kBarWidth, std::max(2.0, std::abs(b - a))));
        }
        painter.setFont(theme.mono(11));
        QColor under = look.color(Token::BgPanel);
        under.setAlphaF(0.72F);
        for (const AxisTick& tick :
             sweep_ticks(sweep_.axes[axis], ranges_[axis], std::max(2, static_cast<int>(area.height() / 36_px)))) {
            const std::optional<double> share = sweep_place(sweep_.axes[axis], ranges_[axis], tick.at);
            if (!share)
                continue;
            const double y = pixelOf(*share, axis);
            const double to_next = place + 1 < order_.size() ? room : width() - x;
            const QString text = elided_text(painter.fontMetrics(), tick.text, Qt::ElideMiddle,
                                             static_cast<int>(std::max(30.0, to_next - 6_px - kAxisTextGap)));
            const QRectF box(x + 6_px, y - 7_px, painter.fontMetrics().horizontalAdvance(text) + 4_px, 14_px);
            painter.fillRect(box, under);
            painter.setPen(look.color(Token::TextMuted));
            painter.drawText(box.translated(2, 0), Qt::AlignLeft | Qt::AlignAbsolute | Qt::AlignVCenter, text);
            painter.setPen(QPen(look.color(Token::LineControl), 1));
            painter.drawLine(QPointF(x - 3, y), QPointF(x + 3, y));
        }
        const bool chosen = hasFocus() && place == chosen_;
        painter.setFont(theme.text(12, QFont::DemiBold));
        painter.setPen(look.color(chosen ? Token::Accent : Token::TextSecondary));
        const QRectF name = names[place].translated(x - axisX(place), 0);
        painter.drawText(
            name, Qt::AlignCenter,
            elided_text(painter.fontMetrics(), nameOf(place), Qt::ElideMiddle, static_cast<int>(name.width())));
    }
    if (hovered_ >= 0 && drag_ == Drag::None) {
        QVector<int> axes;
        for (int axis : order_)
            if (std::isfinite(sweep_.runs[hovered_].values[axis]) && axes.size() < 12)
                axes.append(axis);
        drawValues(painter, look, pointer_, axes);
    }
}

int ParallelCoordinates::runAt(const QPointF& position) const {
    int nearest = -1;
    double distance = kLineReach;
    for (int run = 0; run < sweep_.runs.size(); ++run) {
        if (!isKept(run))
            continue;
        const QVector<QPointF> line = lineOf(run);
        for (qsizetype i = 1; i < line.size(); ++i) {
            if (position.x() < line[i - 1].x() || position.x() > line[i].x())
                continue;
            const QPointF along = line[i] - line[i - 1];
            const double length = std::hypot(along.x(), along.y());
            const QPointF to = position - line[i - 1];
            const double away = std::abs(along.x() * to.y() - along.y() * to.x()) / length;
            if (away <= distance) {
                distance = away;
                nearest = run;
            }
        }
    }
    return nearest;
}

void ParallelCoordinates::mousePressEvent(QMouseEvent* event) {
    press_ = pointer_ = event->pos();
    if (event->button() != Qt::LeftButton || order_.isEmpty())
        return;
    const bool on_name = event->pos().y() < kAxesTop - 8_px;
    const int place = placeAt(event->position(), on_name ? roomOfPlace() / 2 : kGrab);
    if (place < 0)
        return;
    chosen_ = place;
    drag_axis_ = place;
    const int axis = order_[place];
    drag_from_ = shareAt(event->position().y(), axis);
    if (on_name) {
        drag_ = Drag::Name;
    } else if (brushes_[axis] && drag_from_ >= brushes_[axis]->lower && drag_from_ <= brushes_[axis]->upper) {
        drag_ = Drag::Move;
        drag_brush_ = *brushes_[axis];
    } else {
        drag_ = Drag::New;
    }
    update();
}

void ParallelCoordinates::mouseMoveEvent(QMouseEvent* event) {
    pointer_ = event->pos();
    if (drag_ == Drag::None) {
        const int before = hovered_;
        hover(runAt(event->position()));
        if (before >= 0)
            update();
        return;
    }
    const int axis = order_[drag_axis_];
    if (drag_ == Drag::Name) {
        // The dragged name snaps to the nearest position.
        int nearest = drag_axis_;
        for (int place = 0; place < order_.size(); ++place)
            if (std::abs(axisX(place) - event->position().x()) < std::abs(axisX(nearest) - event->position().x()))
                nearest = place;
        if (nearest != drag_axis_ && std::abs(event->pos().x() - press_.x()) > kSlack) {
            order_.move(drag_axis_, nearest);
            drag_axis_ = chosen_ = nearest;
        }
        update();
        return;
    }
    if (std::abs(event->pos().y() - press_.y()) <= kSlack)
        return;
    const double to = shareAt(event->position().y(), axis);
    if (drag_ == Drag::New) {
        setBrush(axis, XRange{std::min(drag_from_, to), std::max(drag_from_, to)});
    } else {
        const double shift = std::clamp(to - drag_from_, -drag_brush_.lower, 1 - drag_brush_.upper);
        setBrush(axis, XRange{drag_brush_.lower + shift, drag_brush_.upper + shift});
    }
}

void ParallelCoordinates::mouseReleaseEvent(QMouseEvent* event) {
    const Drag drag = drag_;
    drag_ = Drag::None;
    update();
    if (drag == Drag::None || (event->pos() - press_).manhattanLength() > kSlack)
        return;
    const int axis = order_[drag_axis_];
    if (drag == Drag::Name)
        turned_[axis] = !turned_[axis];
    else
        setBrush(axis, std::nullopt);
}

void ParallelCoordinates::mouseDoubleClickEvent(QMouseEvent* event) {
    drag_ = Drag::None;
    if (event->pos().y() < kAxesTop - 8_px) {
        if (const int place = placeAt(event->position(), roomOfPlace() / 2); place >= 0) {
            turned_[order_[place]] = !turned_[order_[place]];  // undoes the reversal by the first click
            sweep_.axes[order_[place]].toggleLog();
            prepare();
        }
    } else {
        SweepPlot::mouseDoubleClickEvent(event);
    }
}

void ParallelCoordinates::keyPressEvent(QKeyEvent* event) {
    if (order_.isEmpty()) {
        QWidget::keyPressEvent(event);
        return;
    }
    const auto last = static_cast<int>(order_.size()) - 1;
    const int axis = order_[chosen_];
    const int to = event->key() == Qt::Key_Left ? std::max(0, chosen_ - 1) : std::min(last, chosen_ + 1);
    switch (event->key()) {
        case Qt::Key_Left:
        case Qt::Key_Right:
            if (event->modifiers().testFlag(Qt::AltModifier))
                order_.move(chosen_, to);
            chosen_ = to;
            break;
        case Qt::Key_Up:
        case Qt::Key_Down: {
            // Moves the range of the chosen axis by a tenth; without a range, starts with the better half of the axis.
            const double shift = event->key() == Qt::Key_Up ? 0.1 : -0.1;
            XRange brush = brushes_[axis].value_or(shift > 0 ? XRange{0.5, 1} : XRange{0, 0.5});
            if (brushes_[axis]) {
                const double moved = std::clamp(shift, -brush.lower, 1 - brush.upper);
                brush = {brush.lower + moved, brush.upper + moved};
            }
            setBrush(axis, brush);
            break;
        }
        case Qt::Key_Delete:
        case Qt::Key_Escape:
            if (!brushes_[axis]) {
                QWidget::keyPressEvent(event);
                return;
            }
            setBrush(axis, std::nullopt);
            break;
        case Qt::Key_L:
            sweep_.axes[axis].toggleLog();
            prepare();
            break;
        case Qt::Key_Space:
            turned_[axis] = !turned_[axis];
            break;
        default:
            QWidget::keyPressEvent(event);
            return;
    }
    update();
}

}  // namespace trainyard::widgets
