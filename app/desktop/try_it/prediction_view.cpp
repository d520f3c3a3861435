// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/try_it/prediction_view.h"

#include <algorithm>
#include <cmath>

#include <QContextMenuEvent>
#include <QJsonArray>
#include <QKeyEvent>
#include <QLocale>
#include <QMenu>
#include <QScrollBar>

#include "desktop/shell/ui.h"
#include "desktop/try_it/model_task.h"
#include "widgets/tokens.h"

namespace trainyard::desktop {

namespace {

constexpr int kScoreRow = 26;
constexpr int kScoreBarHeight = 10;
constexpr int kValueWidth = 76;
constexpr int kWordHeight = 40;
constexpr int kWordGap = 6;
constexpr int kWordMargin = 4;
constexpr int kLeastPicture = 240;  // pixels

}  // namespace

PredictionView::PredictionView(QWidget* parent) : QAbstractScrollArea(parent) {
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(&Theme::instance(), &Theme::changed, viewport(), [this] { viewport()->update(); });
}

void PredictionView::setPrediction(const QJsonObject& prediction, const QStringList& classes) {
    kind_ = prediction.value(QLatin1String("kind")).toString();
    scores_.clear();
    words_.clear();
    picture_ = {};
    for (const QJsonValue& value : prediction.value(QLatin1String("scores")).toArray()) {
        Score score{value[QLatin1String("name")].toString(), value[QLatin1String("score")].toDouble(), {}};
        if (kind_ == QLatin1String("pixels"))
            score.color = static_cast<int>(std::max<qsizetype>(0, classes.indexOf(score.name)));
        if (kind_ != QLatin1String("pixels") || score.value > 0)
            scores_.append(score);
    }
    for (const QJsonValue& value : prediction.value(QLatin1String("words")).toArray())
        words_.append({value[QLatin1String("text")].toString(),
                       value[QLatin1String("label")].toString(),
                       value[QLatin1String("score")].toDouble(),
                       {}});
    verticalScrollBar()->setValue(0);
    layOut();
}

void PredictionView::setPicture(const QImage& picture) {
    picture_ = picture;
    layOut();
}

void PredictionView::clear() {
    setPrediction({}, {});
}

QString PredictionView::valueText(double value) const {
    return kind_ == QLatin1String("values") ? QLocale().toString(value, 'g', 6)
                                            : QLocale().toString(100 * value, 'f', 1) + QStringLiteral(" %");
}

QString PredictionView::text() const {
    QStringList lines;
    for (const Score& score : scores_)
        lines << score.name + QLatin1Char('\t') + valueText(score.value);
    for (const Word& word : words_)
        lines << word.text + QLatin1Char('\t') + word.label + QLatin1Char('\t') + valueText(word.value);
    return lines.join(QLatin1Char('\n'));
}

int PredictionView::heightOfPicture() const {
    if (picture_.isNull())
        return 0;
    const int most =
        std::max(80, viewport()->height() - std::min<int>(4, static_cast<int>(scores_.size())) * kScoreRow);
    const int height = std::max(picture_.height(), kLeastPicture);  // small images are enlarged
    return std::min({most, height, viewport()->width() * picture_.height() / std::max(1, picture_.width())});
}

QRect PredictionView::scoreRow(int index) const {
    const int top = heightOfPicture() + (picture_.isNull() ? 0 : 8) + index * kScoreRow;
    return {0, top, viewport()->width(), kScoreRow};
}

void PredictionView::layOut() {
    int bottom = scores_.isEmpty() ? heightOfPicture() : scoreRow(static_cast<int>(scores_.size()) - 1).bottom() + 1;
    const QFontMetrics letters(Theme::instance().text(13)), small(Theme::instance().text(11));
    int x = kWordMargin, y = kWordMargin;
    for (Word& word : words_) {
        const int width =
            std::min(std::max(letters.horizontalAdvance(word.text), small.horizontalAdvance(word.label)) + 16,
                     std::max(40, viewport()->width() - 2 * kWordMargin));
        if (x > kWordMargin && x + width > viewport()->width() - kWordMargin) {
            x = kWordMargin;
            y += kWordHeight + kWordGap;
        }
        word.place = {x, y, width, kWordHeight};
        x += width + kWordGap;
        bottom = std::max(bottom, y + kWordHeight + kWordMargin);
    }
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(kScoreRow);
    verticalScrollBar()->setRange(0, std::max(0, bottom - viewport()->height()));
    setAccessibleDescription(text());
    viewport()->update();
}

void PredictionView::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    layOut();
}

void PredictionView::paintEvent(QPaintEvent*) {
    SmoothPainter painter(viewport());
    const Theme& theme = Theme::instance();
    painter.translate(0, -verticalScrollBar()->value());
    if (!picture_.isNull()) {
        const int height = heightOfPicture(), width = height * picture_.width() / std::max(1, picture_.height());
        painter.setRenderHint(QPainter::SmoothPixmapTransform, height <= picture_.height());
        painter.drawImage(QRect(0, 0, width, height), picture_);
    }
    int widest = 0;
    const QFontMetrics letters(theme.text(13));
    for (const Score& score : scores_)
        widest = std::max(widest, letters.horizontalAdvance(score.name) + (score.color ? 18 : 0));
    const int names = std::min(widest + 12, viewport()->width() * 2 / 5);
    for (int i = 0; i < scores_.size(); ++i) {
        const Score& score = scores_[i];
        const QRect row = scoreRow(i);
        int left = 0;
        if (score.color) {
            fill_box(painter, QRectF(0, row.center().y() - 5, 10, 10), 3, class_color(*score.color));
            left = 18;
        }
        draw_elided(painter, theme.text(13), Token::Text, QRectF(left, row.top(), names - left - 8, row.height()),
                    score.name);
        const QRectF value(row.right() - kValueWidth, row.top(), kValueWidth, row.height());
        draw_text(
            painter, theme.mono(12), Token::Text,
            kind_ == QLatin1String("values") ? QRectF(names, row.top(), row.width() - names, row.height()) : value,
            valueText(score.value), Qt::AlignRight | Qt::AlignVCenter);
        if (kind_ == QLatin1String("values"))
            continue;
        const double room = std::max(0.0, value.left() - names - 8);
        const QRectF bar(names, row.center().y() - kScoreBarHeight / 2.0, room, kScoreBarHeight);
        fill_box(painter, bar, kScoreBarHeight / 2.0, theme.color(Token::BgHover));
        const double length = room * std::clamp(score.value, 0.0, 1.0);
        if (length >= 1)
            fill_box(painter, QRectF(bar.topLeft(), QSizeF(std::max<double>(length, 3), kScoreBarHeight)),
                     std::min(kScoreBarHeight / 2.0, length / 2), theme.color(Token::Accent));
    }
    QStringList labels;
    for (const Word& word : words_)
        if (!labels.contains(word.label))
            labels << word.label;
    for (const Word& word : words_) {
        const bool outside = word.label == QLatin1String("O");
        if (!outside)
            draw_box(painter, QRectF(word.place).adjusted(0.5, 0.5, -0.5, -0.5), 5, theme.color(Token::BgHover),
                     theme.color(Token::Accent));
        const QRectF upper(word.place.left() + 8, word.place.top() + 3, word.place.width() - 16, 20);
        draw_elided(painter, theme.text(13), Token::Text, upper, word.text, Qt::AlignHCenter | Qt::AlignVCenter);
        draw_elided(painter, theme.text(11), outside ? Token::TextMuted : Token::TextSecondary, upper.translated(0, 17),
                    word.label, Qt::AlignHCenter | Qt::AlignVCenter);
    }
    if (hasFocus())
        draw_ring(painter, QRectF(viewport()->rect()).translated(0, verticalScrollBar()->value()), 4);
}

bool PredictionView::viewportEvent(QEvent* event) {
    if (show_tip(event, this, [this](const QPoint& at) {
            const QPoint place = at + QPoint(0, verticalScrollBar()->value());
            for (const Word& word : words_)
                if (word.place.contains(place))
                    return tr("%1: %2").arg(word.label, valueText(word.value));
            for (int i = 0; i < scores_.size(); ++i)
                if (scoreRow(i).contains(place))
                    return tr("%1: %2").arg(scores_[i].name, valueText(scores_[i].value));
            return QString();
        }))
        return true;
    return QAbstractScrollArea::viewportEvent(event);
}

void PredictionView::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy))
        return copy_text(text());
    QAbstractScrollArea::keyPressEvent(event);
}

void PredictionView::contextMenuEvent(QContextMenuEvent* event) {
    if (scores_.isEmpty() && words_.isEmpty())
        return;
    QMenu* menu = make_menu(this);
    connect(menu->addAction(tr("Copy")), &QAction::triggered, this, [this] { copy_text(text()); });
    menu->popup(event->globalPos());
}

}  // namespace trainyard::desktop
