// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/data/token_strip.h"

#include <algorithm>

#include <QHelpEvent>
#include <QPainter>
#include <QStringList>

#include "desktop/shell/ui.h"
#include "widgets/local_text.h"
#include "widgets/pixels.h"
#include "widgets/plain_text.h"

namespace trainyard::desktop {

namespace {

constexpr int kTokenPixels = 12;
constexpr int kLabelPixels = 10;
const int& kInside = live_px(4);   ///< between the edge of a box and its text
const int& kBetween = live_px(2);  ///< boxes
const int& kLineHeight = live_px(24);
const int& kBetweenTexts = live_px(8);           ///< the texts of a sample
const int& kHeightOfUnknownWidth = live_px(72);  ///< three lines
const int& kStripWidth = live_px(320);

QString token_text(const inputs::PreviewToken& token) {
    QString text = qt(token.text);
    text.replace(QLatin1Char('\n'), QStringLiteral("⏎"));
    text.replace(QLatin1Char('\t'), QStringLiteral("⇥"));
    text = widgets::visible_text(text);
    return text.isEmpty() ? QStringLiteral("∅") : text;
}

}  // namespace

TokenStrip::TokenStrip(QWidget* parent) : QWidget(parent) {
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    named(this, tr("Tokens"));
    setMouseTracking(true);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void TokenStrip::setTokens(const std::vector<inputs::PreviewToken>& tokens, bool marks) {
    if (tokens == tokens_ && marks == marks_)
        return;
    tokens_ = tokens;
    marks_ = marks;
    setAccessibleDescription(text());
    place(width(), &boxes_);
    updateGeometry();
    update();
}

bool TokenStrip::isMuted(int token) const {
    return marks_ && !tokens_[static_cast<std::size_t>(token)].counted;
}

QString TokenStrip::text() const {
    QStringList parts;
    for (const inputs::PreviewToken& token : tokens_)
        parts << token_text(token);
    return parts.join(QStringLiteral("│"));
}

QString TokenStrip::uncounted() const {
    QStringList parts;
    for (int i = 0; i < static_cast<int>(tokens_.size()); ++i)
        if (isMuted(i))
            parts << token_text(tokens_[static_cast<std::size_t>(i)]);
    return parts.join(QStringLiteral("│"));
}

int TokenStrip::place(int width, QVector<Box>* boxes) const {
    const QFontMetrics letters(Theme::instance().mono(kTokenPixels)), small(Theme::instance().text(kLabelPixels));
    if (boxes != nullptr)
        boxes->clear();
    int x = 0, y = 0;
    for (const inputs::PreviewToken& token : tokens_) {
        Box box{token_text(token), qt(token.label), {}};
        int wide = letters.horizontalAdvance(box.text) + 2 * kInside;
        if (!box.label.isEmpty())
            wide += small.horizontalAdvance(box.label) + kInside;
        wide = std::min(wide, std::max(width, 4 * kInside));
        if (token.begins_text && x > 0) {
            x = 0;
            y += kLineHeight + kBetweenTexts;
        } else if (x > 0 && x + wide > width) {
            x = 0;
            y += kLineHeight;
        }
        box.area = QRect(x, y, wide, kLineHeight - kBetween);
        if (boxes != nullptr)
            boxes->append(box);
        x += wide + kBetween;
        if (token.text.ends_with('\n')) {
            x = 0;
            y += kLineHeight;
        }
    }
    return tokens_.empty() ? 0 : (x > 0 ? y + kLineHeight : y);
}

int TokenStrip::heightForWidth(int width) const {
    return place(width, nullptr);
}

QSize TokenStrip::sizeHint() const {
    return {kStripWidth, width() > 0 ? heightForWidth(width()) : kHeightOfUnknownWidth};
}

QSize TokenStrip::minimumSizeHint() const {
    return {4 * kLineHeight, tokens_.empty() ? 0 : heightForWidth(std::max(width(), 4 * kLineHeight))};
}

void TokenStrip::resizeEvent(QResizeEvent* event) {
    place(width(), &boxes_);
    updateGeometry();
    QWidget::resizeEvent(event);
}

void TokenStrip::paintEvent(QPaintEvent*) {
    SmoothPainter painter(this);
    const Theme& theme = Theme::instance();
    const QFont letters = theme.mono(kTokenPixels), small = theme.text(kLabelPixels, QFont::Medium);
    for (int i = 0; i < boxes_.size(); ++i) {
        const Box& box = boxes_[i];
        const bool muted = isMuted(i);
        if (muted)
            draw_box(painter, box.area, 3, Qt::transparent, theme.color(Token::Line));
        else
            fill_box(painter, box.area, 3, marks_ ? theme.tint(Token::Accent) : theme.color(Token::BgHover));
        QRect words = box.area.adjusted(kInside, 0, -kInside, 0);
        if (!box.label.isEmpty()) {
            const int wide = QFontMetrics(small).horizontalAdvance(box.label);
            draw_text(painter, small, Token::Accent, words, box.label, Qt::AlignRight | Qt::AlignVCenter);
            words.setRight(words.right() - wide - kInside);
        }
        draw_elided(painter, letters, muted ? Token::TextMuted : Token::Text, words, box.text);
    }
}

bool TokenStrip::event(QEvent* event) {
    return show_tip(event, this,
                    [this](const QPoint& at) {
                        for (int i = 0; i < boxes_.size(); ++i) {
                            if (!boxes_[i].area.contains(at))
                                continue;
                            const inputs::PreviewToken& token = tokens_[static_cast<std::size_t>(i)];
                            QStringList ids;
                            for (const std::int64_t id : token.ids)
                                ids << QString::number(id);
                            QString words = tr("Token %1").arg(widgets::list_text(ids));
                            if (!token.label.empty())
                                words += tr(", class %1").arg(qt(token.label));
                            if (marks_)
                                words += token.counted ? tr(", counted by the loss") : tr(", not counted by the loss");
                            return words;
                        }
                        return QString();
                    }) ||
           QWidget::event(event);
}

}  // namespace trainyard::desktop
