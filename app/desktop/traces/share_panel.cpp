#include "desktop/traces/share_panel.h"

#include <QLocale>
#include <QPainter>

#include "desktop/traces/trace_words.h"
#include "widgets/theme.h"
#include "widgets/timeline/duration_text.h"

namespace trainyard::desktop {

using widgets::Theme;
using widgets::Token;

namespace {

constexpr int kLine = 20;

QString percentWords(double share) {
    return QStringLiteral("%1 %").arg(QLocale().toString(100 * share, 'f', 0));
}

QColor partColor(int number) {
    return number > 0 ? Theme::instance().runColor(number) : Theme::instance().color(Token::TextMuted);
}

}  // namespace

SharePanel::SharePanel(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("Where the time went"));
    setMinimumHeight(90);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
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
        facts_ << std::pair(tr("Communication hidden"), percentWords(share.hidden()));
        if (!selection.whole && selection.usual.communication() > 0)
            facts_ << std::pair(tr("in all steps"), percentWords(selection.usual.hidden()));
    }
    if (!selection.waits.empty() && selection.waits.front().waited > 0)
        facts_ << std::pair(tr("Waited longest for"),
                            tr("%1, %2").arg(rankWords(selection.waits.front().rank),
                                             widgets::nanosecond_words(selection.waits.front().waited)));
    if (selection.measured_bubble >= 0)
        facts_ << std::pair(
            tr("Pipeline bubble"),
            tr("%1, planned %2").arg(percentWords(selection.measured_bubble), percentWords(selection.planned_bubble)));
    switch (share.source) {
        case traces::ShareSource::device:
            facts_ << std::pair(tr("From"), tr("kernels and copies"));
            break;
        case traces::ShareSource::phases:
            facts_ << std::pair(tr("From"), tr("phases of the step"));
            break;
        case traces::ShareSource::operations:
            facts_ << std::pair(tr("From"), tr("operators of the host"));
            break;
    }
    setAccessibleDescription(words());
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

void SharePanel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = Theme::instance();
    painter.setFont(theme.text(12));
    painter.setPen(theme.color(Token::TextMuted));
    if (total_ <= 0 || parts_.isEmpty()) {
        painter.drawText(rect(), Qt::AlignCenter, tr("No time in this range"));
        return;
    }
    double x = 0;
    for (const Part& part : parts_) {
        const double wide = static_cast<double>(part.time) / static_cast<double>(total_) * width();
        painter.fillRect(QRectF(x, 0, std::max(1.0, wide - 1), 13), partColor(part.color));
        x += wide;
    }
    int left = 0, y = 20;
    const QFontMetrics metrics = painter.fontMetrics();
    for (const Part& part : parts_) {
        const QString words = part.name + QLatin1Char(' ') + widgets::nanosecond_words(part.time);
        const int wide = metrics.horizontalAdvance(words) + 30;
        if (left > 0 && left + wide > width() + 14) {
            left = 0;
            y += kLine;
        }
        painter.fillRect(left, y + 6, 8, 8, partColor(part.color));
        painter.setPen(theme.color(Token::TextSecondary));
        painter.drawText(QRect(left + 14, y, width() - left - 14, kLine), Qt::AlignVCenter, words);
        left += wide;
    }
    y += kLine + 6;
    painter.setPen(theme.color(Token::Line));
    painter.drawLine(0, y, width(), y);
    y += 6;
    for (const auto& [name, value] : facts_) {
        painter.setFont(theme.text(12));
        painter.setPen(theme.color(Token::TextSecondary));
        painter.drawText(QRect(0, y, width(), kLine), Qt::AlignVCenter | Qt::AlignLeft, name);
        painter.setFont(theme.mono(12));
        painter.setPen(theme.color(Token::Text));
        painter.drawText(QRect(0, y, width(), kLine), Qt::AlignVCenter | Qt::AlignRight, value);
        y += kLine + 2;
    }
}

}  // namespace trainyard::desktop
