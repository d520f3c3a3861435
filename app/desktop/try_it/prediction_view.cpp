// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/try_it/prediction_view.h"

#include <algorithm>
#include <cmath>

#include <QContextMenuEvent>
#include <QJsonArray>
#include <QKeyEvent>
#include <QLocale>
#include <QMenu>
#include <QMouseEvent>
#include <QScrollBar>

#include "desktop/shell/ui.h"
#include "desktop/try_it/model_task.h"
#include "widgets/local_text.h"
#include "widgets/pixels.h"
#include "widgets/tokens.h"

namespace trainyard::desktop {

namespace {

const int& kScoreRow = live_px(26);
const int& kScoreBarHeight = live_px(10);
const int& kValueWidth = live_px(76);
const int& kWordHeight = live_px(40);
const int& kWordGap = live_px(6);
const int& kWordMargin = live_px(4);
const int& kLeastPicture = live_px(240);  // pixels
const int& kPassageGap = live_px(12);
constexpr qsizetype kMostPassage = 4000;  // characters of the text that are shown, with the answer in their middle

/// The UTF-16 position of each Unicode character, followed by the length of the text.
QList<qsizetype> character_places(const QString& text) {
    QList<qsizetype> places;
    for (qsizetype i = 0; i < text.size(); ++i)
        if (!text[i].isLowSurrogate())
            places << i;
    return places << text.size();
}

}  // namespace

PredictionView::PredictionView(QWidget* parent) : QAbstractScrollArea(parent) {
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(&Theme::instance(), &Theme::changed, viewport(), [this] { viewport()->update(); });
}

void PredictionView::setPrediction(const QJsonObject& prediction, const QStringList& classes, const QString& passage) {
    kind_ = prediction.value(QLatin1String("kind")).toString();
    scores_.clear();
    words_.clear();
    picture_ = {};
    passage_ = passage;
    chosen_ = 0;
    addAnswers(prediction);
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

void PredictionView::addAnswers(const QJsonObject& prediction) {
    if (kind_ != QLatin1String("answers"))
        return;
    const QList<qsizetype> places = character_places(passage_);
    const auto place = [&](const QJsonValue& character) {
        return places[std::clamp<qsizetype>(character.toInteger(), 0, places.size() - 1)];
    };
    for (const QJsonValue& value : prediction.value(QLatin1String("answers")).toArray())
        scores_.append({.name = value[QLatin1String("text")].toString().simplified(),
                        .value = value[QLatin1String("score")].toDouble(),
                        .begin = place(value[QLatin1String("begin")]),
                        .end = place(value[QLatin1String("end")])});
    const double none = prediction.value(QLatin1String("no_answer")).toDouble();
    const auto after = std::ranges::find_if(scores_, [&](const Score& score) { return score.value < none; });
    scores_.insert(after - scores_.begin(), {.name = tr("No answer"), .value = none});
}

QString PredictionView::marked() const {
    if (passage_.isEmpty() || chosen_ >= scores_.size())
        return {};
    return passage_.mid(scores_[chosen_].begin, scores_[chosen_].end - scores_[chosen_].begin);
}

void PredictionView::choose(int row) {
    if (passage_.isEmpty() || row < 0 || row >= scores_.size() || row == chosen_)
        return;
    chosen_ = row;
    layOut();
    const QRect place = scoreRow(row);
    const int top = verticalScrollBar()->value();
    if (place.top() < top || place.bottom() > top + viewport()->height())
        verticalScrollBar()->setValue(place.top());
}

/// Wraps the part of the passage around the chosen answer.
void PredictionView::layOutPassage(double top) {
    lines_.clearLayout();
    if (passage_.isEmpty() || scores_.isEmpty())
        return lines_.setText({});
    const Score& answer = scores_[chosen_];
    const qsizetype spare = std::max<qsizetype>(0, kMostPassage - (answer.end - answer.begin)) / 2;
    shown_ = std::clamp<qsizetype>(answer.begin - spare, 0, std::max<qsizetype>(0, passage_.size() - kMostPassage));
    while (shown_ > 0 && passage_[shown_].isLowSurrogate())
        --shown_;
    QString text = passage_.mid(shown_, kMostPassage);
    text.replace(QLatin1Char('\n'), QChar::LineSeparator);
    lines_.setText(text);
    lines_.setFont(Theme::instance().text(13));
    QTextLayout::FormatRange mark;
    mark.start = static_cast<int>(answer.begin - shown_);
    mark.length = static_cast<int>(answer.end - answer.begin);
    mark.format.setBackground(Theme::instance().tint(Token::Accent));
    mark.format.setFontWeight(QFont::DemiBold);
    lines_.setFormats(mark.length > 0 ? QList{mark} : QList<QTextLayout::FormatRange>{});
    lines_.beginLayout();
    double y = top;
    for (QTextLine line = lines_.createLine(); line.isValid(); line = lines_.createLine()) {
        line.setLineWidth(std::max(40_px, viewport()->width() - 2 * kWordMargin));
        line.setPosition(QPointF(kWordMargin, y));
        y += line.height() + 2;
    }
    lines_.endLayout();
}

void PredictionView::setPicture(const QImage& picture) {
    picture_ = picture;
    layOut();
}

void PredictionView::clear() {
    setPrediction({}, {});
}

void PredictionView::setHint(const QString& hint) {
    hint_ = hint;
    viewport()->update();
}

QString PredictionView::valueText(double value) const {
    return kind_ == QLatin1String("values") ? QLocale().toString(value, 'g', 6) : widgets::percent_text(value, 1);
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
        std::max(80_px, viewport()->height() - std::min<int>(4, static_cast<int>(scores_.size())) * kScoreRow);
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
            std::min(std::max(letters.horizontalAdvance(word.text), small.horizontalAdvance(word.label)) + 16_px,
                     std::max(40_px, viewport()->width() - 2 * kWordMargin));
        if (x > kWordMargin && x + width > viewport()->width() - kWordMargin) {
            x = kWordMargin;
            y += kWordHeight + kWordGap;
        }
        word.place = {x, y, width, kWordHeight};
        x += width + kWordGap;
        bottom = std::max(bottom, y + kWordHeight + kWordMargin);
    }
    layOutPassage(bottom + kPassageGap);
    if (lines_.lineCount() > 0)
        bottom = static_cast<int>(std::ceil(lines_.lineAt(lines_.lineCount() - 1).rect().bottom())) + kWordMargin;
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
        widest = std::max(widest, letters.horizontalAdvance(score.name) + (score.color          ? 18_px
                                                                           : passage_.isEmpty() ? 0
                                                                                                : 8_px));
    const int names = std::min(widest + 12, viewport()->width() * 2 / 5);
    for (int i = 0; i < scores_.size(); ++i) {
        const Score& score = scores_[i];
        const QRect row = scoreRow(i);
        int left = 0;
        if (!passage_.isEmpty()) {
            left = 8_px;
            if (i == chosen_)
                fill_box(painter, QRectF(row).adjusted(0, 1, 0, -1), 5, theme.tint(Token::Accent));
        }
        if (score.color) {
            fill_box(painter, QRectF(0, row.center().y() - 5_px, 10_px, 10_px), 3, class_color(*score.color));
            left = 18_px;
        }
        draw_elided(painter, theme.text(13), Token::Text, QRectF(left, row.top(), names - left - 8_px, row.height()),
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
    painter.setPen(theme.color(Token::Text));
    lines_.draw(&painter, {0, 0});
    for (const Word& word : words_) {
        const bool outside = word.label == QLatin1String("O");
        if (!outside)
            draw_box(painter, QRectF(word.place).adjusted(0.5, 0.5, -0.5, -0.5), 5, theme.color(Token::BgHover),
                     theme.color(Token::Accent));
        const QRectF upper(word.place.left() + 8_px, word.place.top() + 3, word.place.width() - 16_px, 20_px);
        draw_elided(painter, theme.text(13), Token::Text, upper, word.text, Qt::AlignHCenter | Qt::AlignVCenter);
        draw_elided(painter, theme.text(11), outside ? Token::TextMuted : Token::TextSecondary, upper.translated(0, 17),
                    word.label, Qt::AlignHCenter | Qt::AlignVCenter);
    }
    if (scores_.isEmpty() && words_.isEmpty() && picture_.isNull())
        draw_elided(painter, theme.text(13), Token::TextMuted,
                    QRectF(kWordMargin, kWordMargin, viewport()->width() - 2 * kWordMargin, kScoreRow), hint_);
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
    if (!passage_.isEmpty() && (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down))
        return choose(chosen_ + (event->key() == Qt::Key_Up ? -1 : 1));
    QAbstractScrollArea::keyPressEvent(event);
}

void PredictionView::mousePressEvent(QMouseEvent* event) {
    const QPoint place = event->position().toPoint() + QPoint(0, verticalScrollBar()->value());
    for (int i = 0; i < scores_.size(); ++i)
        if (scoreRow(i).contains(place))
            choose(i);
    QAbstractScrollArea::mousePressEvent(event);
}

void PredictionView::contextMenuEvent(QContextMenuEvent* event) {
    if (scores_.isEmpty() && words_.isEmpty())
        return;
    QMenu* menu = make_menu(this);
    connect(menu->addAction(tr("Copy")), &QAction::triggered, this, [this] { copy_text(text()); });
    menu->popup(event->globalPos());
}

}  // namespace trainyard::desktop
