// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/log_line_delegate.h"

#include <algorithm>

#include <QPainter>
#include <QTextLayout>

#include "widgets/pixels.h"
#include "widgets/plain_text.h"
#include "widgets/plot/log_model.h"
#include "widgets/theme.h"

namespace trainyard::widgets {

namespace {

constexpr int kFontPixels = 11;
constexpr std::size_t kMostLineBytes = 1000;  // bytes that are looked at; no screen is as wide

const char* level_name(LogLevel level) {
    // In the order of LogLevel.
    static constexpr const char* names[]{"", "DEBUG", "INFO", "WARN", "ERROR"};
    return names[static_cast<int>(level)];
}

/// A row taken apart. Places of styles are counted from the start of `text`.
struct Shown {
    LogLine line;
    std::string_view text;
    std::vector<StyledText> styled;
    bool live = false;
};

Shown shown_row(const LogModel& model, int row) {
    Shown shown;
    if (const LiveLine* live = model.liveOfRow(row)) {
        shown.line.rank = static_cast<std::int16_t>(live->rank);
        shown.text = live->line.text;
        shown.styled = live->line.styled;
        shown.live = true;
        return shown;
    }
    const std::size_t at = model.lineOfRow(row);
    shown.line = model.store().line(at);
    shown.text = model.store().text(at);
    for (StyledText part : model.store().styled(at)) {
        part.begin -= shown.line.offset;
        part.end -= shown.line.offset;
        shown.styled.push_back(part);
    }
    return shown;
}

/// Bytes of UTF-8 as places in the QString made of `words`.
class Places {
  public:
    explicit Places(std::string_view words) : words_(words) {}
    /// False: nothing of it is shown.
    bool range(std::uint32_t begin, std::uint32_t end, std::uint32_t skipped, QTextLayout::FormatRange& range) const {
        if (end <= skipped || begin >= skipped + words_.size())
            return false;
        range.start = characters(begin > skipped ? begin - skipped : 0);
        range.length = characters(std::min<std::size_t>(end - skipped, words_.size())) - range.start;
        return range.length > 0;
    }

  private:
    int characters(std::size_t bytes) const {
        return static_cast<int>(QString::fromUtf8(words_.data(), static_cast<qsizetype>(bytes)).size());
    }
    std::string_view words_;
};

QVector<QTextLayout::FormatRange> formats(const Shown& shown, std::string_view words, std::uint32_t skipped,
                                          const LogPattern& search, const QColor& ink) {
    const Theme& theme = Theme::instance();
    const Places places(words);
    QVector<QTextLayout::FormatRange> ranges;
    for (const StyledText& part : shown.styled) {
        QTextLayout::FormatRange range;
        if (!places.range(part.begin, part.end, skipped, range))
            continue;
        range.format.setForeground(log_ink(part.style, ink));
        if (part.style.bold)
            range.format.setFontWeight(QFont::DemiBold);
        range.format.setFontUnderline(part.style.underline);
        ranges.append(range);
    }
    if (!search.empty())
        for (const TextSpan& span : search.places(shown.text)) {
            QTextLayout::FormatRange range;
            if (!places.range(span.begin, span.end, skipped, range))
                continue;
            range.format.setBackground(theme.tint(Token::Warn));
            range.format.setFontUnderline(true);
            ranges.append(range);
        }
    return ranges;
}

}  // namespace

void LogLineDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const Theme& theme = Theme::instance();
    const Shown shown = shown_row(*model_, index.row());
    const LogLine& line = shown.line;
    if (option.state & QStyle::State_Selected)
        painter->fillRect(option.rect, theme.color(Token::BgSelected));
    const QFont font = theme.mono(kFontPixels);
    painter->setFont(font);
    const int unit = std::max(1, painter->fontMetrics().horizontalAdvance(QLatin1Char('0')));
    QRect place = option.rect.adjusted(12_px, 0, -8_px, 0);
    const auto put = [&](const QString& words, int characters, const QColor& color) {
        painter->setPen(color);
        painter->drawText(place, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, words);
        place.setLeft(place.left() + characters * unit);
    };
    const Token level_ink = line.level == LogLevel::Error     ? Token::Error
                            : line.level == LogLevel::Warning ? Token::Warn
                                                              : Token::TextSecondary;
    const std::uint32_t head = line.head;
    put(head > 0 ? QString::fromUtf8(shown.text.data(), 12) : QString(), 14, theme.color(Token::TextMuted));
    put(line.rank < 0 ? QStringLiteral("sup") : QStringLiteral("r%1").arg(line.rank), 5,
        theme.color(Token::TextSecondary));
    put(shown.live ? QStringLiteral("…") : QLatin1String(level_name(line.level)), 7, theme.color(level_ink));

    const std::string_view words = shown.text.substr(head, kMostLineBytes);
    QString text = QString::fromUtf8(words.data(), static_cast<qsizetype>(words.size()));
    const QColor ink = theme.color(line.level == LogLevel::Error ? Token::Error
                                   : shown.live                  ? Token::TextSecondary
                                                                 : Token::Text);
    painter->setPen(ink);
    const bool wide = static_cast<int>(text.size()) * unit > place.width() || shown.text.size() - head > kMostLineBytes;
    const auto ranges = formats(shown, words, head, model_->search(), ink);
    if (ranges.isEmpty()) {
        text = visible_text(text);
        if (wide)
            text = painter->fontMetrics().elidedText(text, Qt::ElideRight, place.width());
        painter->drawText(place, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, text);
        return;
    }
    // Escapes would move what the ranges are about.
    if (visible_text(text) != text)
        for (QChar& character : text)
            if (!character.isSurrogate() && visible_text(character) != character)
                character = QChar::ReplacementCharacter;
    if (wide) {
        // Places in the text stay what they are: cut at the end only.
        text.truncate(std::max(0, place.width() / unit - 1));
        text += QChar(0x2026);
    }
    QTextLayout layout(text, font);
    layout.setFormats(ranges);
    layout.setCacheEnabled(false);
    layout.beginLayout();
    QTextLine first = layout.createLine();
    first.setLineWidth(1e6);
    layout.endLayout();
    const double y = place.top() + (place.height() - first.height()) / 2;
    painter->save();
    painter->setClipRect(place);
    layout.draw(painter, QPointF(place.left(), y));
    painter->restore();
}

}  // namespace trainyard::widgets
