// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/graph/graph_view.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include <QApplication>
#include <QElapsedTimer>
#include <QHelpEvent>
#include <QImage>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QSvgGenerator>
#include <QTextLayout>
#include <QToolTip>
#include <QWheelEvent>

#include "widgets/pixels.h"
#include "widgets/theme.h"

namespace trainyard::widgets {

namespace {

constexpr double kLeastScale = 0.002, kMostScale = 4, kWholeMargin = 12;
// Height of a title in pixels: of the smallest one that is drawn, and of one that is read without effort.
constexpr double kLeastTitle = 5, kReadTitle = 8;
constexpr double kCurveScale = 0.3;  // below this scale, curves look like lines
const double& kTitlePixels = live_px(12.0);
constexpr double kWheelStep = 1.0015;
constexpr int kMostPictureSide = 16'000;
// Smooth curves and round corners of more of them take longer than a frame.
constexpr int kMostCurves = 220, kMostRoundBoxes = 400;
constexpr std::size_t kMostLabels = 4000;
constexpr int kHues = 8;
constexpr double kLeastFrame = 6;  // pixels of height: below, a box is filled
constexpr qreal kPortRadius = 3;
const double& kInsideX = live_px(8.0);  // between frame and text
const int& kCaptionGap = live_px(8);    // after the title of an open block

qreal distance(const QPointF& a, const QPointF& b) {
    return std::hypot(a.x() - b.x(), a.y() - b.y());
}

/// Whether a line may be seen. A straight one has an empty rectangle, which intersects() excludes.
bool crosses(const QRectF& part, const QRectF& bounds) {
    return bounds.right() >= part.left() && bounds.left() <= part.right() && bounds.bottom() >= part.top() &&
           bounds.top() <= part.bottom();
}

/// A line of text as glyphs, from (0, 0), and its size.
std::pair<QList<QGlyphRun>, QSizeF> glyphs_of(const QString& text, const QFont& font) {
    QTextLayout layout(text, font);
    layout.beginLayout();
    const QTextLine line = layout.createLine();
    layout.endLayout();
    if (!line.isValid())
        return {};
    return {layout.glyphRuns(), QSizeF(line.naturalTextWidth(), line.height())};
}

void draw_glyphs(QPainter& painter, const QPointF& at, const QList<QGlyphRun>& runs) {
    for (const QGlyphRun& run : runs)
        painter.drawGlyphRun(at, run);
}

}  // namespace

GraphView::GraphView(const QString& accessibleName, QWidget* parent) : QWidget(parent) {
    setAccessibleName(accessibleName);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        labels_.clear();
        update();
    });
}

void GraphView::setData(GraphData data, int wanted) {
    data_ = std::move(data);
    labels_.clear();
    selected_ = -1;
    hits_.clear();
    wanted_ = wanted;
    openWhatFits();
    showWhole();
    emit selectionChanged(-1);
}

/// Opens blocks from the outside in, while there are few boxes and the titles of the whole graph can be read.
void GraphView::openWhatFits() {
    const std::size_t count = data_.nodes.size();
    std::vector<int> children(count + 1, 0);
    for (const GraphNode& node : data_.nodes)
        if (node.alike < 0)
            ++children[node.parent < 0 ? count : static_cast<std::size_t>(node.parent)];
    folds_.spread.assign(count, false);
    for (int most = wanted_;;) {
        folds_.open.assign(count, false);
        bool opened = false;
        int boxes = children[count];
        for (std::size_t i = 0; i < count; ++i) {
            const GraphNode& node = data_.nodes[i];
            const bool is_seen = node.parent < 0 || folds_.open[static_cast<std::size_t>(node.parent)];
            if (node.is_block && node.alike < 0 && is_seen && boxes + children[i] <= most) {
                folds_.open[i] = opened = true;
                boxes += children[i];
            }
        }
        layout_ = layout_graph(data_, folds_);
        if (!opened && most == wanted_)
            wanted_ = 0;  // in no room
        if (!opened || kTitlePixels * wholeScale() >= kReadTitle)
            return;
        most = boxes - 1;  // with room for as many boxes, the same blocks would be open
    }
}

void GraphView::setHeat(const std::vector<double>& heat) {
    for (std::size_t i = 0; i < data_.nodes.size(); ++i)
        data_.nodes[i].heat = i < heat.size() ? heat[i] : -1;
    update();
}

bool GraphView::hasHeat() const {
    return std::any_of(data_.nodes.begin(), data_.nodes.end(), [](const GraphNode& node) { return node.heat >= 0; });
}

void GraphView::revealBlocksOf(int node) {
    bool changed = false;
    for (int at = node; at >= 0; at = data_.nodes[static_cast<std::size_t>(at)].parent) {
        const GraphNode& one = data_.nodes[static_cast<std::size_t>(at)];
        if (at != node && !folds_.open[static_cast<std::size_t>(at)])
            folds_.open[static_cast<std::size_t>(at)] = changed = true;
        if (one.alike >= 0 && !folds_.spread[static_cast<std::size_t>(one.alike)])
            folds_.spread[static_cast<std::size_t>(one.alike)] = changed = true;
    }
    if (changed) {
        wanted_ = 0;
        arrange(-1);
    }
}

void GraphView::select(int node, bool reveal) {
    if (node >= static_cast<int>(data_.nodes.size()))
        return;
    if (node >= 0 && reveal) {
        revealBlocksOf(node);
        const QRectF at = rectOf(node);
        if (!rect().contains(at.center().toPoint())) {
            offset_ += QRectF(rect()).center() - at.center();
            fits_ = false;
        }
    }
    if (selected_ != node) {
        selected_ = node;
        emit selectionChanged(node);
    }
    update();
}

/// Places everything again; the top left corner of `anchor` stays where it is.
void GraphView::arrange(int anchor) {
    const QPointF before = anchor >= 0 ? rectOf(anchor).topLeft() : QPointF();
    layout_ = layout_graph(data_, folds_);
    if (fits_)
        showWhole();
    else if (anchor >= 0)
        offset_ += before - rectOf(anchor).topLeft();
    update();
    emit arranged();
}

void GraphView::toggle(int node) {
    if (node < 0 || !data_.nodes[static_cast<std::size_t>(node)].is_block)
        return;
    wanted_ = 0;
    folds_.open[static_cast<std::size_t>(node)] = !folds_.open[static_cast<std::size_t>(node)];
    arrange(node);
}

void GraphView::toggleSpread(int node) {
    if (node < 0)
        return;
    const GraphNode& one = data_.nodes[static_cast<std::size_t>(node)];
    const int first = one.alike >= 0 ? one.alike : one.repeat > 1 ? node : -1;
    if (first < 0)
        return;
    wanted_ = 0;
    folds_.spread[static_cast<std::size_t>(first)] = !folds_.spread[static_cast<std::size_t>(first)];
    select(first, false);
    arrange(first);
}

void GraphView::foldAll() {
    wanted_ = 0;
    folds_.open.assign(data_.nodes.size(), false);
    folds_.spread.assign(data_.nodes.size(), false);
    if (selected_ >= 0)
        select(drawn_node(data_, folds_, selected_), false);
    fits_ = true;
    arrange(-1);
}

void GraphView::unfoldAll() {
    wanted_ = 0;
    for (std::size_t i = 0; i < data_.nodes.size(); ++i)
        folds_.open[i] = data_.nodes[i].is_block;
    fits_ = true;
    arrange(-1);
}

int GraphView::search(const QString& words) {
    hits_.clear();
    hit_ = -1;
    const QStringList wanted = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    for (std::size_t i = 0; !wanted.isEmpty() && i < data_.nodes.size(); ++i) {
        const GraphNode& node = data_.nodes[i];
        if (std::all_of(wanted.begin(), wanted.end(), [&](const QString& word) {
                return node.label.contains(word, Qt::CaseInsensitive) ||
                       node.caption.contains(word, Qt::CaseInsensitive) ||
                       node.search.contains(word, Qt::CaseInsensitive);
            }))
            hits_.push_back(static_cast<int>(i));
    }
    nextHit(1);
    update();
    return static_cast<int>(hits_.size());
}

void GraphView::nextHit(int direction) {
    if (hits_.empty())
        return;
    const auto count = static_cast<int>(hits_.size());
    hit_ = ((hit_ + direction) % count + count) % count;
    select(hits_[static_cast<std::size_t>(hit_)]);
}

void GraphView::zoom(double factor, const QPointF& at) {
    const double scale = std::clamp(scale_ * factor, kLeastScale, kMostScale);
    offset_ = at - (at - offset_) * (scale / scale_);
    scale_ = scale;
    fits_ = false;
    update();
}

void GraphView::pan(const QPointF& by) {
    offset_ += by;
    fits_ = false;
    update();
}

/// The scale at which the whole graph is in sight.
double GraphView::wholeScale() const {
    const QSizeF room(width() - 2 * kWholeMargin, height() - 2 * kWholeMargin);
    const QRectF& all = layout_.bounds;
    return all.isEmpty()
               ? 1
               : std::clamp(std::min(room.width() / all.width(), room.height() / all.height()), kLeastScale, 1.0);
}

void GraphView::showWhole() {
    scale_ = wholeScale();
    offset_ = QRectF(rect()).center() - layout_.bounds.center() * scale_;
    fits_ = true;
    update();
}

QRectF GraphView::rectOf(int node) const {
    if (node < 0 || layout_.box_of[static_cast<std::size_t>(node)] < 0)
        return {};
    const QRectF& box = layout_.boxes[static_cast<std::size_t>(layout_.box_of[static_cast<std::size_t>(node)])].rect;
    return {box.topLeft() * scale_ + offset_, box.size() * scale_};
}

int GraphView::nodeAt(const QPointF& at) const {
    const QPointF place = (at - offset_) / scale_;
    for (auto box = layout_.boxes.rbegin(); box != layout_.boxes.rend(); ++box)
        if (box->rect.contains(place))
            return box->node;
    return -1;
}

QColor GraphView::fillOf(const GraphNode& node) const {
    const Theme& theme = Theme::instance();
    const QColor plain = theme.color(Token::BgRaised);
    const QColor strong = node.heat >= 0 ? theme.color(Token::Warn) : theme.runColor(1 + node.hue % kHues);
    const double share = node.heat >= 0 ? 0.08 + 0.6 * std::min(node.heat, 1.0) : node.hue == 0 ? 0 : 0.16;
    const auto mix = [&](int a, int b) { return static_cast<int>(std::lround(a + (b - a) * share)); };
    return {mix(plain.red(), strong.red()), mix(plain.green(), strong.green()), mix(plain.blue(), strong.blue())};
}

const GraphView::Labels& GraphView::labelsOf(const GraphBox& box) const {
    if (labels_.size() > kMostLabels)
        labels_.clear();
    Labels& labels = labels_[box.node];
    if (labels.width == box.rect.width() && labels.open == box.open)
        return labels;
    labels = {.width = box.rect.width(), .open = box.open};
    const Theme& theme = Theme::instance();
    const GraphNode& node = data_.nodes[static_cast<std::size_t>(box.node)];
    const auto room = static_cast<int>(box.rect.width() - 2 * kInsideX);
    const QString times = node.repeat > 1 ? QStringLiteral(" ×%1").arg(node.repeat) : QString();
    const QString sign = node.is_block ? (box.open ? QStringLiteral("▾ ") : QStringLiteral("▸ ")) : QString();
    const QFont strong = theme.text(12, QFont::DemiBold), plain = theme.text(11);
    const QFontMetrics of_strong(strong), of_plain(plain);
    QSizeF size;
    std::tie(labels.title, size) = glyphs_of(
        of_strong.elidedText(sign + node.label, Qt::ElideMiddle, room - of_strong.horizontalAdvance(times)) + times,
        strong);
    labels.title_width = size.width();
    const int left = box.open ? room - static_cast<int>(std::ceil(labels.title_width)) - kCaptionGap : room;
    labels.caption = glyphs_of(of_plain.elidedText(node.caption, Qt::ElideRight, left), plain).first;
    return labels;
}

GraphView::Detail GraphView::detailOf(const QRectF& part, double scale) const {
    const auto boxes = std::ranges::count_if(
        layout_.boxes, [&](const GraphBox& box) { return !box.open && box.rect.intersects(part); });
    const auto lines =
        std::ranges::count_if(layout_.lines, [&](const GraphLine& line) { return crosses(part, line.bounds); });
    return {.curves = scale > kCurveScale && boxes <= kMostRoundBoxes && lines <= kMostCurves,
            .texts = kTitlePixels * scale >= kLeastTitle};
}

/// Whether the node is selected or found.
bool GraphView::isMarked(int node) const {
    return node == selected_ || std::binary_search(hits_.begin(), hits_.end(), node);
}

void GraphView::drawBox(QPainter& painter, const GraphBox& box, double scale, const Detail& detail) const {
    const Theme& theme = Theme::instance();
    const GraphNode& node = data_.nodes[static_cast<std::size_t>(box.node)];
    const bool is_selected = box.node == selected_;
    const QColor fill = box.open ? theme.color(Token::BgPanel) : fillOf(node);
    if (box.rect.height() * scale < kLeastFrame && !isMarked(box.node)) {
        painter.fillRect(box.rect, fill);
        return;
    }
    // Equal blocks are a stack.
    const bool is_stack = node.repeat > 1 && !folds_.spread[static_cast<std::size_t>(box.node)];
    painter.setPen(QPen(theme.color(Token::LineControl), 0));
    painter.setBrush(fill);
    const auto frame = [&](const QRectF& rect) {
        detail.curves ? painter.drawRoundedRect(rect, 6, 6) : painter.drawRect(rect);
    };
    if (is_stack)
        frame(box.rect.translated(4, 4));
    if (isMarked(box.node))
        painter.setPen(QPen(theme.color(is_selected ? Token::Accent : Token::Warn), 2 / std::min(scale, 1.0)));
    frame(box.rect);
    if (!detail.texts)
        return;
    const Labels& labels = labelsOf(box);
    const QFontMetricsF strong(theme.text(12, QFont::DemiBold)), plain(theme.text(11));
    const QRectF inside = box.rect.adjusted(kInsideX, 3, -kInsideX, -3);
    const auto draw_in = [&](const QRectF& rect, const QFontMetricsF& metrics, const QList<QGlyphRun>& runs) {
        draw_glyphs(painter, {rect.left(), rect.center().y() - metrics.height() / 2}, runs);
    };
    painter.setPen(theme.color(Token::Text));
    if (box.open) {
        const QRectF title(inside.left(), inside.top(), inside.width(), kGraphTitle - 6_px);
        draw_in(title, strong, labels.title);
        painter.setPen(theme.color(Token::TextSecondary));
        draw_in(title.adjusted(labels.title_width + kCaptionGap, 0, 0, 0), plain, labels.caption);
        return;
    }
    draw_in(QRectF(inside.left(), inside.top(), inside.width(), inside.height() / 2), strong, labels.title);
    painter.setPen(theme.color(node.heat > 0 ? Token::Text : Token::TextSecondary));
    draw_in(QRectF(inside.left(), inside.center().y(), inside.width(), inside.height() / 2), plain, labels.caption);
}

/// `part` of the picture, in its own units; the painter is scaled.
void GraphView::draw(QPainter& painter, const QRectF& part, double scale, const Detail& detail) const {
    const Theme& theme = Theme::instance();
    painter.setRenderHint(QPainter::Antialiasing, detail.curves);
    // Frames of open blocks are below the lines, and lines below the nodes.
    for (const GraphBox& box : layout_.boxes)
        if (box.open && box.rect.intersects(part))
            drawBox(painter, box, scale, detail);
    painter.setBrush(Qt::NoBrush);
    QVector<QLineF> plain;
    for (const GraphLine& line : layout_.lines) {
        const bool is_of_selected = selected_ >= 0 && (line.from == selected_ || line.to == selected_);
        if (!crosses(part, line.bounds))
            continue;
        if (!detail.curves && !is_of_selected) {
            if (std::max(line.bounds.width(), line.bounds.height()) * scale < 1)
                continue;  // less than a pixel
            for (std::size_t i = 1; i < line.points.size(); ++i)
                plain.append({line.points[i - 1], line.points[i]});
            continue;
        }
        painter.setPen(QPen(theme.color(is_of_selected ? Token::Accent : Token::TextMuted), is_of_selected ? 2 : 1));
        QPainterPath path(line.points.front());
        for (std::size_t i = 1; i < line.points.size(); ++i) {
            const QPointF &a = line.points[i - 1], &b = line.points[i];
            const qreal half = (a.y() + b.y()) / 2;
            path.cubicTo({a.x(), half}, {b.x(), half}, b);
        }
        painter.drawPath(path);
        const QPointF end = line.points.back();
        const qreal way = end.y() >= line.points[line.points.size() - 2].y() ? -6 : 6;
        painter.drawLine(end, end + QPointF(-4, way));
        painter.drawLine(end, end + QPointF(4, way));
    }
    painter.setPen(QPen(theme.color(Token::TextMuted), 0));
    painter.drawLines(plain);
    if (detail.curves) {
        painter.setPen(Qt::NoPen);
        for (const GraphPort& port : layout_.ports)
            if (part.contains(port.at)) {
                painter.setBrush(theme.color(port.source == selected_ ? Token::Accent : Token::TextMuted));
                painter.drawEllipse(port.at, kPortRadius, kPortRadius);
            }
    }
    // Boxes that are too small for a frame are filled together: one call for each takes longer than the rest.
    QVector<QRectF> small;
    for (const GraphBox& box : layout_.boxes) {
        if (box.open || !box.rect.intersects(part))
            continue;
        if (box.rect.height() * scale < kLeastFrame && !isMarked(box.node))
            small.append(box.rect);
        else
            drawBox(painter, box, scale, detail);
    }
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.color(Token::LineControl));
    painter.drawRects(small);
}

void GraphView::paintEvent(QPaintEvent*) {
    QElapsedTimer timer;
    timer.start();
    QPainter painter(this);
    const Theme& theme = Theme::instance();
    painter.fillRect(rect(), theme.color(Token::BgPage));
    painter.save();
    painter.translate(offset_);
    painter.scale(scale_, scale_);
    const QRectF part = QRectF(-offset_ / scale_, QSizeF(size()) / scale_).adjusted(-8_px, -8_px, 8_px, 8_px);
    draw(painter, part, scale_, detailOf(part, scale_));
    painter.restore();
    if (hasFocus()) {
        painter.setPen(QPen(theme.color(Token::Accent), 1));
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
    paint_milliseconds_ = static_cast<double>(timer.nsecsElapsed()) / 1e6;
}

void GraphView::resizeEvent(QResizeEvent*) {
    if (fits_ && wanted_ > 0)
        openWhatFits();
    if (fits_)
        showWhole();
}

void GraphView::mousePressEvent(QMouseEvent* event) {
    pressed_ = event->position();
    pressed_offset_ = offset_;
    dragged_ = false;
}

void GraphView::mouseMoveEvent(QMouseEvent* event) {
    if ((event->buttons() & (Qt::LeftButton | Qt::MiddleButton)) == 0)
        return;
    if (!dragged_ && distance(event->position(), pressed_) < QApplication::startDragDistance())
        return;
    dragged_ = true;
    fits_ = false;
    offset_ = pressed_offset_ + event->position() - pressed_;
    update();
}

void GraphView::mouseReleaseEvent(QMouseEvent* event) {
    if (!dragged_ && event->button() == Qt::LeftButton)
        select(nodeAt(event->position()), false);
    dragged_ = false;
}

void GraphView::mouseDoubleClickEvent(QMouseEvent* event) {
    toggle(nodeAt(event->position()));
}

void GraphView::wheelEvent(QWheelEvent* event) {
    const QPoint pixels = event->pixelDelta(), angle = event->angleDelta();
    if ((event->modifiers() & Qt::ShiftModifier) != 0) {
        pan(QPointF(angle.y() + angle.x(), 0) / 2);
    } else {
        zoom(std::pow(kWheelStep, pixels.isNull() ? angle.y() : 2 * pixels.y()), event->position());
    }
    event->accept();
}

/// Selects the nearest node of the same block in a direction. Down leads into an open block, up from its first nodes
/// back to it.
void GraphView::step(int dx, int dy) {
    if (layout_.boxes.empty())
        return;
    const int place = selected_ < 0 ? -1 : layout_.box_of[static_cast<std::size_t>(selected_)];
    if (place < 0)
        return select(layout_.boxes.front().node);
    const GraphBox& from = layout_.boxes[static_cast<std::size_t>(place)];
    const int parent = data_.nodes[static_cast<std::size_t>(selected_)].parent;
    int best = -1;
    qreal least = 0;
    for (const GraphBox& box : layout_.boxes) {
        const int around = data_.nodes[static_cast<std::size_t>(box.node)].parent;
        const bool is_inside = from.open && around == selected_ && dy > 0;
        if (box.node == selected_ || (around != parent && !is_inside))
            continue;
        const QPointF way = box.rect.center() - from.rect.center();
        const qreal along = is_inside ? box.rect.top() - from.rect.top() : way.x() * dx + way.y() * dy;
        // Boxes that overlap across the way are in line.
        const QSizeF both = (box.rect.size() + from.rect.size()) / 2;
        const qreal across =
            is_inside ? 0
                      : std::max(0.0, dx != 0 ? std::abs(way.y()) - both.height() : std::abs(way.x()) - both.width());
        if (along < 1 || (dx != 0 && across > along))
            continue;
        const qreal cost = along + 3 * across;
        if (best < 0 || cost < least) {
            best = box.node;
            least = cost;
        }
    }
    if (best < 0 && dy < 0)
        best = parent;
    if (best >= 0)
        select(best);
}

/// Selects what the first edge of the selected node leads to, or comes from.
void GraphView::follow(bool down) {
    for (const GraphLine& line : layout_.lines)
        if ((down ? line.from : line.to) == selected_)
            return select(down ? line.to : line.from);
}

void GraphView::keyPressEvent(QKeyEvent* event) {
    const bool along_edge = (event->modifiers() & Qt::ControlModifier) != 0;
    if (along_edge && (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down))
        return follow(event->key() == Qt::Key_Down);
    switch (event->key()) {
        case Qt::Key_Up:
            return step(0, -1);
        case Qt::Key_Down:
            return step(0, 1);
        case Qt::Key_Left:
            return step(-1, 0);
        case Qt::Key_Right:
            return step(1, 0);
        case Qt::Key_Return:
        case Qt::Key_Enter:
            return toggle(selected_);
        case Qt::Key_S:
            return toggleSpread(selected_);
        case Qt::Key_Plus:
        case Qt::Key_Equal:
            return zoom(1.25, QRectF(rect()).center());
        case Qt::Key_Minus:
            return zoom(0.8, QRectF(rect()).center());
        case Qt::Key_0:
            return showWhole();
        case Qt::Key_Home:
            return select(layout_.boxes.empty() ? -1 : layout_.boxes.front().node);
        case Qt::Key_Backspace:
            if (selected_ >= 0 && data_.nodes[static_cast<std::size_t>(selected_)].parent >= 0)
                select(data_.nodes[static_cast<std::size_t>(selected_)].parent);
            return;
        default:
            QWidget::keyPressEvent(event);
    }
}

bool GraphView::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int node = nodeAt(help->pos());
    if (node < 0) {
        QToolTip::hideText();
    } else {
        const GraphNode& one = data_.nodes[static_cast<std::size_t>(node)];
        QToolTip::showText(help->globalPos(), (one.label + QLatin1Char('\n') + one.caption).toHtmlEscaped(), this);
    }
    return true;
}

QString GraphView::savePng(const QString& file, double scale) {
    const QSizeF size = layout_.bounds.size();
    const double most = kMostPictureSide / std::max({size.width(), size.height(), 1.0});
    scale = std::min(scale, most);
    QImage image((size * scale).toSize().expandedTo({1, 1}), QImage::Format_RGB32);
    image.fill(Theme::instance().color(Token::BgPage));
    QPainter painter(&image);
    painter.scale(scale, scale);
    draw(painter, layout_.bounds, scale, {.curves = scale > kCurveScale, .texts = scale >= kLeastTitle / kTitlePixels});
    painter.end();
    return image.save(file, "PNG") ? QString() : tr("%1 was not written").arg(file);
}

QString GraphView::saveSvg(const QString& file) {
    QSvgGenerator svg;
    svg.setFileName(file);
    svg.setResolution(96);
    svg.setSize(layout_.bounds.size().toSize());
    svg.setViewBox(layout_.bounds);
    QPainter painter;
    if (!painter.begin(&svg))
        return tr("%1 was not written").arg(file);
    painter.fillRect(layout_.bounds, Theme::instance().color(Token::BgPage));
    draw(painter, layout_.bounds, 1, {});
    return painter.end() ? QString() : tr("%1 was not written").arg(file);
}

}  // namespace trainyard::widgets
