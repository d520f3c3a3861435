// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/wizard/choice_card.h"

#include <QGridLayout>
#include <QKeyEvent>

#include "desktop/shell/ui.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

namespace {
const int& kChoiceMark = live_px(16);
const int& kMargin = live_px(12);
const int& kNarrowestCard = live_px(138);
}  // namespace

ChoiceCard::ChoiceCard(const QString& title, const QString& text, QWidget* parent)
    : Card(title, parent),
      text_(text),
      title_(wrapped(make_title(title))),
      words_(wrapped(make_note(text))),
      note_(make_mono_label({}, 11, Tone::Muted)) {
    words_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    note_->hide();
    setLayout(make_column({kMargin, kMargin - 2, kMargin, kMargin - 2}, 5,
                          {make_row({gap(kChoiceMark + 6), {title_, 1}}), {words_, 1}, note_}));
    setCursor(Qt::PointingHandCursor);
    describe();
}

void ChoiceCard::setChosen(bool chosen) {
    if (chosen != isLit())
        setLit(chosen);
    describe();
}

void ChoiceCard::setBlocked(const QString& reason) {
    if (reason == reason_)
        return;
    reason_ = reason;
    describe();
}

void ChoiceCard::setCaution(const QString& caution) {
    if (caution == caution_)
        return;
    caution_ = caution;
    describe();
}

void ChoiceCard::setNote(const QString& note) {
    note_->setText(note);
    note_->setVisible(!note.isEmpty());
}

void ChoiceCard::describe() {
    words_->setText(!reason_.isEmpty() ? reason_ : caution_.isEmpty() ? text_ : text_ + QLatin1Char('\n') + caution_);
    title_->setForegroundRole(tone_role(reason_.isEmpty() ? Tone::Text : Tone::Muted));
    words_->setForegroundRole(tone_role(reason_.isEmpty() ? Tone::Secondary : Tone::Muted));
    setAccessibleDescription((isLit() ? tr("chosen. ") : QString()) + words_->text());
}

void ChoiceCard::paintEvent(QPaintEvent* event) {
    Card::paintEvent(event);
    Theme& theme = Theme::instance();
    SmoothPainter painter(this);
    const QRectF circle(kMargin + 0.5, title_->geometry().center().y() - kChoiceMark / 2.0 + 1, kChoiceMark - 1,
                        kChoiceMark - 1);
    if (isLit()) {
        fill_disc(painter, circle, theme.color(Token::AccentFill));
        painter.setBrush(theme.color(Token::OnAccent));
        painter.drawEllipse(circle.center(), 3, 3);
    } else {
        painter.setPen(theme.color(isBlocked() ? Token::Line : Token::LineControl));
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(circle);
    }
}

CardRow::CardRow(const QVector<ChoiceCard*>& cards, QWidget* parent)
    : QWidget(parent), cards_(cards), grid_(new QGridLayout(this)) {
    grid_->setContentsMargins(0, 0, 0, 0);
    grid_->setSpacing(8);
    // The layout's own smallest width is that of all cards in one line.
    setMinimumWidth(kNarrowestCard);
    arrange(static_cast<int>(cards_.size()));
}

void CardRow::arrange(int columns) {
    if (columns == columns_)
        return;
    columns_ = columns;
    for (int i = 0; i < cards_.size(); ++i) {
        grid_->removeWidget(cards_[i]);
        grid_->addWidget(cards_[i], i / columns, i % columns);
    }
    for (int i = 0; i < cards_.size(); ++i)
        grid_->setColumnStretch(i, i < columns ? 1 : 0);
    // The height that was asked for belongs to the arrangement before.
    updateGeometry();
}

void CardRow::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    const int all = static_cast<int>(cards_.size());
    const int fit = std::max(1, (width() + grid_->spacing()) / (kNarrowestCard + grid_->spacing()));
    const int lines = (all + fit - 1) / fit;
    arrange((all + lines - 1) / lines);  // lines of the same length: 2 and 2 rather than 3 and 1
    fitHeight();
}

bool CardRow::event(QEvent* event) {
    const bool done = QWidget::event(event);
    if (event->type() == QEvent::LayoutRequest)
        fitHeight();
    return done;
}

void CardRow::fitHeight() {
    // Cards are as high as their words at this width, not as the rest of the page.
    const int height = grid_->totalHeightForWidth(width());
    if (height > 0 && (height != minimumHeight() || height != maximumHeight()))
        setFixedHeight(height);
}

void CardRow::keyPressEvent(QKeyEvent* event) {
    const int step = event->key() == Qt::Key_Right || event->key() == Qt::Key_Down ? 1
                     : event->key() == Qt::Key_Left || event->key() == Qt::Key_Up  ? -1
                                                                                   : 0;
    for (int i = 0; step != 0 && i < cards_.size(); ++i)
        if (cards_[i]->hasFocus() && i + step >= 0 && i + step < cards_.size()) {
            cards_[i + step]->setFocus(Qt::OtherFocusReason);
            return;
        }
    QWidget::keyPressEvent(event);
}

}  // namespace trainyard::desktop
