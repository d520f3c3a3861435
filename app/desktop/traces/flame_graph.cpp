// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/traces/flame_graph.h"

#include <algorithm>

#include <QAccessible>
#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QScrollBar>

#include "desktop/shell/ui.h"
#include "widgets/pixels.h"
#include "widgets/plain_text.h"
#include "widgets/timeline/duration_text.h"

namespace trainyard::desktop {

namespace {
constexpr double kSeen = 0.5;  // pixels: what is narrower is not painted, its caller shows that something is there
const double& kWithName = live_px(24.0);  // pixels
}  // namespace

FlameGraph::FlameGraph(QWidget* parent) : QAbstractScrollArea(parent) {
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Flame graph of the calls"));
    setViewportMargins(12, 0, 12, 8);  // in line with the title of its card
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
}

void FlameGraph::setCalls(const QVector<TraceRow>& calls) {
    calls_ = calls;
    boxes_.clear();
    boxes_.reserve(calls.size());
    all_ = 0;
    deepest_ = chosen_ = root_ = -1;
    QVector<int> open;           // callers
    QVector<std::int64_t> next;  // where the next call of each caller begins
    for (int i = 0; i < calls.size(); ++i) {
        const int depth = std::min(calls[i].depth, static_cast<int>(open.size()));
        open.resize(depth);
        next.resize(depth);
        Box box;
        box.length = std::max<std::int64_t>(0, calls[i].total);
        box.depth = depth;
        if (depth > 0) {
            box.parent = open.last();
            box.begin = next.last();
            next.last() += box.length;
        } else {
            box.begin = all_;
            all_ += box.length;
        }
        open << i;
        next << box.begin;
        boxes_ << box;
        deepest_ = std::max(deepest_, depth);
    }
    setAccessibleDescription({});
    setScrollRange();
    viewport()->update();
}

bool FlameGraph::isBelowRoot(int call) const {
    if (root_ < 0)
        return true;
    const Box &box = boxes_[call], &root = boxes_[root_];
    return box.depth >= root.depth && box.begin >= root.begin && box.begin + box.length <= root.begin + root.length &&
           (box.depth > root.depth || call == root_);
}

QRectF FlameGraph::rectOf(int call) const {
    if (call < 0 || call >= count() || !isBelowRoot(call))
        return {};
    const Box& box = boxes_[call];
    const double whole = static_cast<double>(std::max<std::int64_t>(1, root_ < 0 ? all_ : boxes_[root_].length));
    const double from = root_ < 0 ? 0 : static_cast<double>(boxes_[root_].begin);
    const double wide = viewport()->width();
    return {(static_cast<double>(box.begin) - from) / whole * wide,
            static_cast<double>((box.depth - depthOfRoot()) * kLine - verticalScrollBar()->value()),
            static_cast<double>(box.length) / whole * wide, static_cast<double>(kLine - 1)};
}

int FlameGraph::callAt(const QPointF& at) const {
    for (int i = 0; i < count(); ++i)
        if (rectOf(i).contains(at))
            return i;
    return -1;
}

void FlameGraph::choose(int call) {
    if (call == chosen_ || call >= count())
        return;
    chosen_ = call;
    if (call >= 0) {
        const int top = (boxes_[call].depth - depthOfRoot()) * kLine;
        QScrollBar* bar = verticalScrollBar();
        if (top < bar->value())
            bar->setValue(top);
        else if (top + kLine > bar->value() + viewport()->height())
            bar->setValue(top + kLine - viewport()->height());
        setAccessibleDescription(describe(call));
        QAccessibleEvent event(this, QAccessible::DescriptionChanged);
        QAccessible::updateAccessibility(&event);
    }
    viewport()->update();
    if (call >= 0)
        emit callChosen(calls_[call]);
}

void FlameGraph::setRoot(int call) {
    root_ = call >= 0 && call < count() && boxes_[call].length > 0 ? call : -1;
    setScrollRange();
    viewport()->update();
}

QString FlameGraph::describe(int call) const {
    const TraceRow& row = calls_[call];
    return tr("%1, %2 calls, %3 in all, %4 of its own, %5 %")
        .arg(row.name.left(300), QLocale().toString(qulonglong{row.count}), widgets::nanosecond_words(row.total),
             widgets::nanosecond_words(row.self), QLocale().toString(100 * row.share, 'f', 1));
}

void FlameGraph::setScrollRange() {
    const int high = (deepest_ + 1 - depthOfRoot()) * kLine;
    verticalScrollBar()->setRange(0, std::max(0, high - viewport()->height()));
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(kLine);
}

void FlameGraph::paintCalls(QPainter& painter, const QRect& area, int scroll) const {
    const Theme& theme = Theme::instance();
    painter.fillRect(area, theme.color(Token::BgPanel));
    painter.setFont(theme.text(11));
    const QColor dark = widgets::token_color(Token::BgApp, true), light = widgets::token_color(Token::OnAccent, true);
    for (int i = 0; i < count(); ++i) {
        QRectF box = rectOf(i).translated(0, verticalScrollBar()->value() - scroll);
        if (box.width() < kSeen || box.bottom() < area.top() || box.top() > area.bottom())
            continue;
        const int number = calls_[i].color;
        const QColor fill = number > 0 ? theme.runColor(number) : theme.color(Token::TextMuted);
        if (box.width() > 3)
            box.setRight(box.right() - 1);
        painter.fillRect(box, fill);
        if (box.width() > kWithName) {
            painter.setPen(widgets::contrast_ratio(fill, dark) >= widgets::contrast_ratio(fill, light) ? dark : light);
            const QRectF inside = box.adjusted(4_px, 0, -2, 0);
            painter.drawText(inside, Qt::AlignVCenter | Qt::TextSingleLine,
                             widgets::elided_text(painter.fontMetrics(), calls_[i].name.left(300).simplified(),
                                                  Qt::ElideRight, static_cast<int>(inside.width())));
        }
        if (i == chosen_) {
            painter.setPen(QPen(theme.color(Token::Text), 2));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(box.adjusted(1, 1, -1, -1));
        }
    }
}

void FlameGraph::paintEvent(QPaintEvent*) {
    QPainter painter(viewport());
    paintCalls(painter, viewport()->rect(), verticalScrollBar()->value());
    if (hasFocus()) {
        painter.setPen(QPen(Theme::instance().color(Token::Accent), 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(viewport()->rect().adjusted(0, 0, -1, -1));
    }
}

QImage FlameGraph::picture() const {
    const int high = std::max(kLine, (deepest_ + 1 - depthOfRoot()) * kLine);
    const double ratio = devicePixelRatioF();
    QImage image((QSizeF(viewport()->width(), high) * ratio).toSize(), QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(ratio);
    QPainter painter(&image);
    paintCalls(painter, QRect(0, 0, viewport()->width(), high), 0);
    return image;
}

void FlameGraph::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    setScrollRange();
}

void FlameGraph::keyPressEvent(QKeyEvent* event) {
    if (boxes_.isEmpty())
        return QAbstractScrollArea::keyPressEvent(event);
    const auto beside = [this](int by) {
        for (int i = chosen_ + by; i >= 0 && i < count(); i += by)
            if (boxes_[i].depth == boxes_[chosen_].depth && isBelowRoot(i))
                return i;
        return chosen_;
    };
    switch (event->key()) {
        case Qt::Key_Left:
        case Qt::Key_Right:
            choose(chosen_ < 0 ? std::max(root_, 0) : beside(event->key() == Qt::Key_Left ? -1 : 1));
            return;
        case Qt::Key_Down:
            if (chosen_ < 0)
                choose(std::max(root_, 0));
            else if (chosen_ + 1 < count() && boxes_[chosen_ + 1].parent == chosen_)
                choose(chosen_ + 1);
            return;
        case Qt::Key_Up:
            if (chosen_ >= 0 && chosen_ != root_ && boxes_[chosen_].parent >= 0)
                choose(boxes_[chosen_].parent);
            return;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            setRoot(chosen_);
            return;
        case Qt::Key_Backspace:
            setRoot(root_ < 0 ? -1 : boxes_[root_].parent);
            return;
        default:
            QAbstractScrollArea::keyPressEvent(event);
    }
}

void FlameGraph::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton)
        choose(callAt(event->position()));
}

void FlameGraph::mouseDoubleClickEvent(QMouseEvent* event) {
    // On the call that fills the width: back to its caller.
    const int call = callAt(event->position());
    if (call >= 0)
        setRoot(call == root_ ? boxes_[root_].parent : call);
}

bool FlameGraph::viewportEvent(QEvent* event) {
    const auto words = [this](const QPoint& at) {
        const int call = callAt(at);
        return call >= 0 ? describe(call) : QString();
    };
    return show_tip(event, viewport(), words) || QAbstractScrollArea::viewportEvent(event);
}

}  // namespace trainyard::desktop
