// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cmath>

#include <QElapsedTimer>
#include <QImage>
#include <QPainterPath>
#include <QScrollBar>

#include "widgets/paint.h"
#include "widgets/pixels.h"
#include "widgets/plain_text.h"
#include "widgets/plot/axis_ticks.h"
#include "widgets/plot/look.h"
#include "widgets/theme.h"
#include "widgets/timeline/duration_text.h"
#include "widgets/timeline/timeline_view.h"

namespace trainyard::widgets {

namespace {
constexpr double kMerged = 2;          // pixels: what is narrower is density
constexpr double kInStrip = 8;         // pixels
constexpr int kNamed = 22;             // pixels: what is wider gets its name
const int& kTickWidth = live_px(110);  // pixels
constexpr int kMostArrows = 200;
constexpr qsizetype kMostNames = 8192;  // laid out at a time
constexpr int kRoomStep = 7, kLongestName = 1400;
}  // namespace

/// The colours of a paint, looked up once.
struct TimelineView::Ink {
    Ink() {
        const QColor dark = token_color(Token::BgApp, true), light = token_color(Token::OnAccent, true);
        for (std::size_t i = 0; i < fills.size(); ++i) {
            fills[i] = i == 0 ? mixed(muted, panel, 0.6) : look.run(static_cast<int>(i));
            texts[i] = contrast_ratio(fills[i], dark) >= contrast_ratio(fills[i], light) ? dark : light;
        }
    }

    Look look = screen_look();
    std::array<QColor, kRunColors + 1> fills, texts;
    QColor panel = look.color(Token::BgPanel), head = look.color(Token::BgHover), line = look.color(Token::Line);
    QColor text = look.color(Token::Text), secondary = look.color(Token::TextSecondary);
    QColor muted = look.color(Token::TextMuted), accent = look.color(Token::Accent), warn = look.color(Token::Warn);
    QColor accent_fill = look.color(Token::AccentFill), on_accent = look.color(Token::OnAccent);
    QFont small = Theme::instance().text(11), title = Theme::instance().text(12);
    QFont strong = Theme::instance().text(12, QFont::DemiBold), mono = Theme::instance().mono(11);
};

void TimelineView::paintEvent(QPaintEvent*) {
    QElapsedTimer clock;
    clock.start();
    QPainter painter(viewport());
    const Ink ink;
    painter.fillRect(viewport()->rect(), ink.panel);
    if (!data_)
        return;
    const int scroll = verticalScrollBar()->value();
    painter.save();
    painter.setClipRect(0, kRuler, viewport()->width(), viewport()->height() - kRuler);
    for (const TimelineLine& line : layout_.lines()) {
        const int y = line.top - scroll + kRuler;
        if (y + line.height <= kRuler)
            continue;
        if (y >= viewport()->height())
            break;
        if (line.kind == TimelineLine::Kind::Head) {
            paintHead(painter, line, y, ink);
            continue;
        }
        paintLaneTitle(painter, line, y, ink);
        if (line.kind == TimelineLine::Kind::Curve)
            paintCurve(painter, line, y, ink);
        else {
            paintRow(painter, line.group, line.lane, line.row, QRect(kGutter, y, width(), line.height - 1), true, ink);
            paintPlan(painter, line, y, ink);
        }
    }
    paintOver(painter, ink);
    painter.restore();
    paintRuler(painter, ink);
    painter.setPen(ink.line);
    painter.drawLine(kGutter - 1, 0, kGutter - 1, viewport()->height());
    if (hasFocus())
        draw_ring(painter, viewport()->rect(), 0);
    paint_milliseconds_ = static_cast<double>(clock.nsecsElapsed()) / 1e6;
}

void TimelineView::paintHead(QPainter& painter, const TimelineLine& line, int y, const Ink& ink) const {
    const TimelineGroup& group = data_->groups()[line.group];
    painter.fillRect(0, y, viewport()->width(), line.height, ink.head);
    const qreal ratio = devicePixelRatioF();
    painter.drawPixmap(8_px, y + (line.height - 14_px) / 2,
                       Theme::instance().pixmap(line.folded ? QStringLiteral("right") : QStringLiteral("down"),
                                                ink.secondary, 14_px, ratio));
    int right = kGutter - 8_px;
    if (pinned_.contains(line.group)) {
        right -= 18;
        painter.drawPixmap(right + 2, y + (line.height - 14_px) / 2,
                           Theme::instance().pixmap(QStringLiteral("pin"), ink.accent, 14_px, ratio));
    }
    draw_elided(painter, ink.strong, ink.text, QRect(26_px, y, right - 26_px, line.height), group.title,
                Qt::AlignVCenter);
    if (line.folded) {
        const QRect strip(kGutter, y + 5, width(), line.height - 10);
        for (const int lane : group.dense)
            paintRow(painter, line.group, lane, 0, strip, false, ink);
        return;
    }
    draw_elided(painter, ink.small, ink.secondary, QRect(kGutter + 6_px, y, width() - 12_px, line.height), group.note,
                Qt::AlignVCenter);
}

void TimelineView::paintLaneTitle(QPainter& painter, const TimelineLine& line, int y, const Ink& ink) const {
    if (line.row > 1)
        return;
    const TimelineLane& lane = data_->groups()[line.group].lanes[line.lane];
    const QRect area(26_px, y, kGutter - 34_px, line.kind == TimelineLine::Kind::Curve ? 16_px : line.height);
    if (line.row <= 0)
        draw_elided(painter, ink.title, ink.text, area, lane.title, Qt::AlignVCenter);
    if (line.row == 1 || line.kind == TimelineLine::Kind::Curve)
        draw_elided(painter, ink.small, ink.muted, line.row == 1 ? area : area.translated(0, 15_px), lane.note,
                    Qt::AlignVCenter);
}

void TimelineView::paintRow(QPainter& painter, int group, int lane, int row, const QRect& area, bool names,
                            const Ink& ink) const {
    const std::int64_t count = data_->count(group, lane, row);
    std::int64_t i = firstEndingAfter(group, lane, row, view_.begin);
    // Narrow ones are coloured pixels of a strip, which is drawn once, as high as the row: a rectangle for each costs
    // more than finding them.
    QImage strip(std::max(1, area.width()), 1, QImage::Format_ARGB32_Premultiplied);
    strip.fill(0);
    auto* const pixels = reinterpret_cast<QRgb*>(strip.scanLine(0));
    bool any_narrow = false;
    const auto narrow = [&](int from, int to, int color) {
        const QRgb ink_of = ink.fills[static_cast<std::size_t>(color)].rgba();
        for (int x = std::max(0, from - area.left()); x < std::min(area.width(), to - area.left()); ++x)
            pixels[x] = ink_of;
        any_narrow = true;
    };
    const auto dense = [&](int pixel, int color) { narrow(pixel, pixel + 1, color); };
    painter.setFont(ink.small);
    const TimelineBlocks blocks = data_->blocks(group, lane, row);
    constexpr std::int64_t kStride = TimelineBlocks::kStride, kFewest = 2;
    while (i < count) {
        // Many spans in a pixel: whole blocks of them are looked at by their begins alone. A block that begins here and
        // the next one not yet is left to what follows, unless it is over within a pixel.
        if (i % kStride == 0 && !blocks.isEmpty()) {
            const std::int64_t block = i / kStride;
            const std::int64_t begin = blocks.begins[static_cast<std::size_t>(block)] + blocks.offset;
            if (begin > view_.end)
                break;
            const int pixel = std::max(static_cast<int>(std::floor(xOf(begin))), area.left());
            const std::int64_t next = firstBlockAt(blocks, timeAt(pixel + 1.0) + 1, block);
            if (next - block >= kFewest) {
                const auto last = static_cast<std::size_t>(next - 1);
                const bool is_short = next < std::ssize(blocks.begins) &&
                                      static_cast<double>(blocks.begins[last + 1] - blocks.begins[last]) < perPixel();
                dense(pixel, blocks.colors[static_cast<std::size_t>(block + (next - 1 - block) / 2)]);
                i = (is_short ? next : next - 1) * kStride;
                continue;
            }
        }
        const TimelinePlace place{group, lane, row, i};
        const TimeSpan span = data_->span(place);
        if (span.begin > view_.end)
            break;
        const double left = xOf(span.begin), right = xOf(span.end);
        const auto color = static_cast<std::size_t>(data_->color(place));
        if (right - left >= kMerged) {
            const double from = std::max<double>(left, area.left()), to = std::min<double>(right, area.right() + 1.0);
            QRectF box(from, area.top(), to - from, area.height());
            // A gap shows where one ends and the next begins.
            if (box.width() > 3 * kMerged)
                box.setRight(box.right() - 1);
            if (box.width() <= kInStrip) {
                const int first = static_cast<int>(std::lround(box.left()));
                narrow(first, std::max(first + 1, static_cast<int>(std::lround(box.right()))), static_cast<int>(color));
                ++i;
                continue;
            }
            painter.fillRect(box, ink.fills[color]);
            if (names && box.width() > kNamed) {
                painter.setPen(ink.texts[color]);
                paintName(painter, place, box, ink);
            }
            ++i;
            continue;
        }
        const int pixel = std::max(static_cast<int>(std::floor(left)), area.left());
        std::int64_t next = firstBeginningAt(group, lane, row, timeAt(pixel + 1.0) + 1, i);
        next = std::max(next, i + 1);
        // Only the last one that begins in this pixel can reach out of it.
        int shown = static_cast<int>(color);
        if (next - 1 > i) {
            const TimelinePlace last{group, lane, row, next - 1};
            const TimeSpan reach = data_->span(last);
            if (xOf(reach.end) - xOf(reach.begin) >= kMerged)
                --next;
            const TimelinePlace middle{group, lane, row, i + (next - 1 - i) / 2};
            if (data_->span(middle).length() > span.length())
                shown = data_->color(middle);
        }
        dense(pixel, shown);
        i = next;
    }
    if (any_narrow)
        painter.drawImage(area, strip);
}

void TimelineView::paintPlan(QPainter& painter, const TimelineLine& line, int y, const Ink& ink) const {
    const std::span<const TimeSpan> plan = data_->plan(line.group, line.lane, line.row);
    if (plan.empty())
        return;
    painter.setPen(ink.text);
    painter.setBrush(Qt::NoBrush);
    const auto first = std::lower_bound(plan.begin(), plan.end(), view_.begin,
                                        [](const TimeSpan& span, std::int64_t time) { return span.end < time; });
    double painted = kGutter - 1.0;  // up to here
    for (auto span = first; span != plan.end() && span->begin <= view_.end; ++span) {
        const double left = std::max<double>(xOf(span->begin), kGutter),
                     right = std::min<double>(xOf(span->end), viewport()->width());
        if (right < painted + 1)
            continue;  // no room for an outline of its own
        painter.drawRect(QRectF(left + 0.5, y + 2.5, std::max(1.0, right - left - 1), line.height - 6));
        painted = right;
    }
}

void TimelineView::paintName(QPainter& painter, const TimelinePlace& place, const QRectF& box, const Ink& ink) const {
    if (names_font_ != ink.small || names_.size() > kMostNames) {
        names_.clear();
        whole_names_.clear();
        names_font_ = ink.small;
    }
    const auto plain = [&] { return data_->name(place).left(200).simplified(); };
    // Rooms in steps, so that boxes of about the same width share a text while the view is zoomed.
    int room = std::min(kLongestName, (static_cast<int>(box.width()) - 8) / kRoomStep * kRoomStep);
    const std::uint64_t number = data_->nameNumber(place);
    QStaticText made;
    QStaticText* text = &made;
    if (number != 0) {
        auto whole = whole_names_.find(number);
        if (whole == whole_names_.end())
            whole = whole_names_.insert(number, QFontMetrics(ink.small).horizontalAdvance(plain()));
        if (room >= *whole)
            room = kLongestName;  // the whole name, laid out once for all wider boxes
        text = &names_[{number, room}];
    }
    if (text->text().isEmpty()) {
        text->setTextFormat(Qt::PlainText);
        text->setText(elided_text(QFontMetrics(ink.small), plain(), Qt::ElideRight, room));
        text->prepare({}, ink.small);
    }
    painter.drawStaticText(QPointF(box.left() + 4, box.top() + (box.height() - text->size().height()) / 2), *text);
}

void TimelineView::paintCurve(QPainter& painter, const TimelineLine& line, int y, const Ink& ink) const {
    const QColor color = ink.fills[6];
    QPolygonF points;
    const double bottom = y + line.height - 1;
    for (int x = kGutter; x < viewport()->width(); ++x)
        if (const auto level = data_->level(line.group, line.lane, {timeAt(x), timeAt(x + 1.0)}))
            points << QPointF(x, bottom - *level * (line.height - 3));
    if (points.isEmpty())
        return;
    QPolygonF area = points;
    area << QPointF(points.last().x(), bottom) << QPointF(points.first().x(), bottom);
    QColor fill = color;
    fill.setAlphaF(0.25F);
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.drawPolygon(area);
    painter.setPen(color);
    painter.drawPolyline(points);
}

void TimelineView::paintOver(QPainter& painter, const Ink& ink) const {
    const int bottom = viewport()->height();
    if (selection_) {
        const double left = std::max<double>(xOf(selection_->begin), kGutter), right = xOf(selection_->end);
        if (right >= kGutter) {
            QColor veil = ink.accent;
            veil.setAlphaF(0.12F);
            painter.fillRect(QRectF(left, kRuler, std::min<double>(right, viewport()->width()) - left, bottom), veil);
            painter.setPen(ink.accent);
            painter.drawLine(QPointF(left, kRuler), QPointF(left, bottom));
            painter.drawLine(QPointF(right, kRuler), QPointF(right, bottom));
        }
    }
    for (const std::int64_t at : marks_)
        if (const double x = xOf(at); x >= kGutter) {
            painter.setPen(QPen(ink.warn, 1, Qt::DashLine));
            painter.drawLine(QPointF(x, kRuler), QPointF(x, bottom));
        }
    const QRect chosen = rectOf(chosen_);
    if (!chosen.isValid())
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    for (int i = 0; i < std::min<int>(kMostArrows, static_cast<int>(linked_.size())); ++i) {
        const QRect other = rectOf(linked_[i]);
        if (!other.isValid())
            continue;
        const bool forward = data_->span(linked_[i]).begin >= data_->span(chosen_).begin;
        const QPointF from =
            forward ? QPointF(chosen.right(), chosen.center().y()) : QPointF(other.right(), other.center().y());
        const QPointF to =
            forward ? QPointF(other.left(), other.center().y()) : QPointF(chosen.left(), chosen.center().y());
        QPainterPath path(from);
        const double bend = std::max(20.0, std::fabs(to.x() - from.x()) / 2);
        path.cubicTo(from + QPointF(bend, 0), to - QPointF(bend, 0), to);
        painter.setPen(QPen(ink.text, 1.2));
        painter.setBrush(Qt::NoBrush);
        painter.drawPath(path);
        painter.setBrush(ink.text);
        painter.setPen(Qt::NoPen);
        painter.drawPolygon(QPolygonF{to, to + QPointF(-5, -3), to + QPointF(-5, 3)});
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(ink.text, 2));
    painter.drawRect(QRectF(chosen).adjusted(0.5, 0.5, -0.5, -1.5));
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void TimelineView::paintRuler(QPainter& painter, const Ink& ink) const {
    painter.fillRect(0, 0, viewport()->width(), kRuler, ink.panel);
    painter.setPen(ink.line);
    painter.drawLine(0, kRuler - 1, viewport()->width(), kRuler - 1);
    const std::int64_t origin = data_->whole().begin;
    draw_text(painter, ink.mono, ink.muted, QRect(26_px, 0, kGutter - 34_px, kRuler), data_->clock(view_.begin),
              Qt::AlignVCenter);
    const auto relative = [origin](std::int64_t time) {
        return static_cast<double>(time) - static_cast<double>(origin);
    };
    struct Label {
        QRectF box;
        QString words;
        QColor fill, text;
    };
    QVector<Label> labels;
    const QFontMetrics letters(ink.small);
    const auto add_label = [&](std::int64_t begin, std::int64_t end, const QString& words, const QColor& fill,
                               const QColor& text) {
        const int wide = letters.horizontalAdvance(words) + 16_px;
        const double middle = std::clamp((xOf(begin) + xOf(end)) / 2, kGutter + wide / 2.0,
                                         std::max(kGutter + wide / 2.0, viewport()->width() - wide / 2.0));
        labels.push_back({QRectF(middle - wide / 2.0, 3, wide, kRuler - 6_px), words, fill, text});
    };
    if (selection_ && selection_->end >= view_.begin && selection_->begin <= view_.end)
        add_label(selection_->begin, selection_->end, tr("%1 selected").arg(nanosecond_words(selection_->length())),
                  ink.accent_fill, ink.on_accent);
    if (marks_.size() == 2)
        add_label(marks_[0], marks_[1],
                  tr("%1 between the marks").arg(nanosecond_words(std::abs(marks_[1] - marks_[0]))), ink.warn,
                  ink.panel);
    const TickMarks ticks = linear_ticks(relative(view_.begin), relative(view_.end), std::max(2, width() / kTickWidth));
    for (const double at : ticks.at) {
        const auto time = static_cast<std::int64_t>(std::llround(at));
        const double x = xOf(origin + time);
        if (x < kGutter)
            continue;
        painter.setPen(ink.line);
        painter.drawLine(QPointF(x, kRuler - 6_px), QPointF(x, kRuler - 1));
        // No half of a time may look out from under a label.
        const QString words = offset_words(time, static_cast<std::int64_t>(ticks.step));
        const QRectF place(x + 4_px, 0, painter.fontMetrics().horizontalAdvance(words), kRuler);
        if (std::ranges::any_of(labels, [&](const Label& label) { return label.box.intersects(place); }))
            continue;
        painter.setPen(ink.muted);
        painter.drawText(QPointF(place.left(), kRuler - 8_px), words);
    }
    painter.setFont(ink.small);
    for (const Label& label : std::as_const(labels)) {
        fill_box(painter, label.box, 4, label.fill);
        painter.setPen(label.text);
        painter.drawText(label.box, Qt::AlignCenter, label.words);
        painter.setRenderHint(QPainter::Antialiasing, false);
    }
}

}  // namespace trainyard::widgets
