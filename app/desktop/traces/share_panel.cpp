// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/traces/share_panel.h"

#include <QResizeEvent>
#include <QStyle>

#include "desktop/shell/ui.h"
#include "desktop/traces/trace_words.h"
#include "widgets/local_text.h"
#include "widgets/pixels.h"
#include "widgets/plain_text.h"
#include "widgets/timeline/duration_text.h"

namespace trainyard::desktop {

namespace {

const int& kLine = live_px(20);
const int& kEmptyHeight = live_px(90);

QColor partColor(int number) {
    return number > 0 ? Theme::instance().runColor(number) : Theme::instance().color(Token::TextMuted);
}

}  // namespace

SharePanel::SharePanel(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("Where the time went"));
    setMinimumHeight(kEmptyHeight);
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        takeHeight();
        update();
    });
}

void SharePanel::setSelection(const TraceSelection& selection) {
    const traces::Share& share = selection.share;
    const bool communicates = share.communication() > 0;
    total_ = share.total;
    parts_ = {{communicates ? tr("compute only") : tr("compute"), share.compute, 1},
              {tr("overlapped"), share.overlapped, 4},
              {tr("exposed communication"), share.exposed, 8},
              {tr("data"), share.data, 5},
              {tr("idle"), share.idle, 0}};
    parts_.removeIf([](const Part& part) { return part.time <= 0; });
    facts_.clear();
    if (communicates) {
        facts_ << std::pair(tr("Communication hidden"), widgets::percent_text(share.hidden()));
        if (!selection.whole && selection.usual.communication() > 0)
            facts_ << std::pair(tr("in all steps"), widgets::percent_text(selection.usual.hidden()));
    }
    if (!selection.waits.empty() && selection.waits.front().waited > 0)
        facts_ << std::pair(tr("Waited longest for"),
                            tr("%1, %2").arg(rankWords(selection.waits.front().rank),
                                             widgets::nanosecond_words(selection.waits.front().waited)));
    if (selection.measured_bubble >= 0)
        facts_ << std::pair(tr("Pipeline bubble"), tr("%1, planned %2")
                                                       .arg(widgets::percent_text(selection.measured_bubble),
                                                            widgets::percent_text(selection.planned_bubble)));
    facts_ << std::pair(tr("From"), share.source == traces::ShareSource::device   ? tr("kernels and copies")
                                    : share.source == traces::ShareSource::phases ? tr("phases of the step")
                                                                                  : tr("operators of the host"));
    setAccessibleDescription(words());
    takeHeight();
    update();
}

QString SharePanel::words() const {
    QStringList words;
    for (const Part& part : parts_)
        words << part.name + QLatin1Char(' ') + widgets::nanosecond_words(part.time);
    for (const auto& [name, value] : facts_)
        words << name + QLatin1Char(' ') + value;
    return words.join(QStringLiteral("; "));
}

int SharePanel::arrange(int width, QPainter* painter) const {
    const Theme& theme = Theme::instance();
    const QRect whole(0, 0, width, kLine);
    // Right to left as the rest of the window; the bar is a chart, and charts run from left to right.
    const auto write = [&](const QRect& place, const QFont& font, Token color, const QString& words) {
        if (painter == nullptr)
            return;
        draw_text(*painter, font, theme.color(color), QStyle::visualRect(layoutDirection(), whole, place),
                  widgets::elided_text(QFontMetrics(font), words, Qt::ElideRight, place.width()),
                  Qt::AlignVCenter | Qt::AlignAbsolute | (isRightToLeft() ? Qt::AlignRight : Qt::AlignLeft));
    };
    double x = 0;
    for (const Part& part : parts_) {
        const double wide = static_cast<double>(part.time) / static_cast<double>(total_) * width;
        if (painter != nullptr)
            painter->fillRect(QRectF(x, 0, std::max(1.0, wide - 1), 13_px), partColor(part.color));
        x += wide;
    }
    const QFont small = theme.text(12), numbers = theme.mono(12);
    int left = 0, y = 20;
    for (const Part& part : parts_) {
        const QString words = part.name + QLatin1Char(' ') + widgets::nanosecond_words(part.time);
        const int wide = QFontMetrics(small).horizontalAdvance(words) + 2;
        if (left > 0 && left + 14_px + wide > width) {
            left = 0;
            y += kLine;
        }
        if (painter != nullptr)
            painter->fillRect(QStyle::visualRect(layoutDirection(), whole, QRect(left, y + 6_px, 8_px, 8_px)),
                              partColor(part.color));
        write(QRect(left + 14_px, y, std::min(wide, width - left - 14_px), kLine), small, Token::TextSecondary, words);
        left += 14_px + wide + 14_px;
    }
    y += kLine + 6;
    if (painter != nullptr) {
        painter->setPen(theme.color(Token::Line));
        painter->drawLine(0, y, width, y);
    }
    y += 6;
    for (const auto& [name, value] : facts_) {
        const int words = QFontMetrics(small).horizontalAdvance(name) + 2;
        const int figures = std::min(QFontMetrics(numbers).horizontalAdvance(value) + 2, width);
        write(QRect(0, y, std::min(words, width), kLine), small, Token::TextSecondary, name);
        // Long words have the line to themselves.
        if (words + 10_px + figures > width)
            y += kLine;
        write(QRect(width - figures, y, figures, kLine), numbers, Token::Text, value);
        y += kLine + 2;
    }
    return y;
}

void SharePanel::takeHeight() {
    setMinimumHeight(std::max(kEmptyHeight, parts_.isEmpty() ? 0 : arrange(width(), nullptr)));
}

void SharePanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (event->size().width() != event->oldSize().width())
        takeHeight();
}

void SharePanel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    if (total_ <= 0 || parts_.isEmpty()) {
        draw_text(painter, Theme::instance().text(12), Token::TextMuted, rect(), tr("No time in this range"),
                  Qt::AlignCenter | Qt::TextWordWrap);
        return;
    }
    arrange(width(), &painter);
}

}  // namespace trainyard::desktop
