// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/wizard/page_list.h"

#include <utility>

#include <QKeyEvent>

#include "desktop/shell/ui.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

namespace {
const int& kPageMark = live_px(22);
const int& kPageMargin = live_px(8);     ///< at the left of the mark
constexpr int kPageTextEnd = 8;          ///< at the right of the texts
const int& kRoomForTitle = live_px(80);  // pixels of a button
}  // namespace

StepButton::StepButton(Step step, QWidget* parent) : PaintedButton(parent), step_(step) {
    setCheckable(true);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void StepButton::setState(const StepState& state, int number, bool visited) {
    state_ = state;
    number_ = number;
    visited_ = visited;
    setText(state.title);
    QStringList words{state.title, state.summary};
    if (state.errors > 0)
        words << tr("%Ln to fix", nullptr, state.errors);
    if (!state.skipped.isEmpty())
        words << tr("skipped: %1").arg(state.skipped);
    setAccessibleName(words.join(QStringLiteral(", ")));
    showTip();
    update();
}

void StepButton::resizeEvent(QResizeEvent* event) {
    PaintedButton::resizeEvent(event);
    showTip();
}

int StepButton::textLeft() const {
    return kPageMargin + kPageMark + 9_px;
}

bool StepButton::isFolded() const {
    return width() < kRoomForTitle;
}

void StepButton::showTip() {
    const QString why = state_.skipped.isEmpty() ? QString() : tr("Not needed: %1").arg(state_.skipped);
    const QFontMetrics words(Theme::instance().text(12));
    const bool cut = words.horizontalAdvance(state_.summary) > width() - textLeft() - kPageTextEnd;
    setToolTip(isFolded() || (cut && why.isEmpty()) ? accessibleName() : why);
}

void StepButton::paintEvent(QPaintEvent*) {
    Theme& theme = Theme::instance();
    SmoothPainter painter(this);
    const QRectF box = QRectF(rect()).adjusted(1, 1, -1, -1);
    if (isChecked() || underMouse()) {
        fill_box(painter, box, 6, theme.color(isChecked() ? Token::BgSelected : Token::BgHover));
    }
    if (hasFocus())
        draw_ring(painter, rect(), 6);
    const QRect mark(kPageMargin, (height() - kPageMark) / 2, kPageMark, kPageMark);
    const bool skipped = !state_.skipped.isEmpty();
    auto icon = [&](const QString& name, Token token) {
        painter.drawPixmap(mark.x() + 3, mark.y() + 3, theme.pixmap(name, token, 16_px, devicePixelRatioF()));
    };
    if (isChecked()) {
        fill_disc(painter, mark, theme.color(state_.errors > 0 ? Token::ErrorFill : Token::AccentFill));
        draw_text(painter, theme.mono(12, QFont::DemiBold), Token::OnAccent, mark, QString::number(number_),
                  Qt::AlignCenter);
    } else if (state_.errors > 0) {
        icon(QStringLiteral("error"), Token::Error);
    } else if (state_.warnings > 0) {
        icon(QStringLiteral("warn"), Token::Warn);
    } else if (visited_ && !skipped) {
        icon(QStringLiteral("check"), Token::Ok);
    } else {
        draw_text(painter, theme.mono(12), Token::TextMuted, mark, QString::number(number_), Qt::AlignCenter);
    }
    if (isFolded())
        return;
    const int left = textLeft();
    const int room = width() - left - kPageTextEnd;
    draw_elided(painter, theme.text(13, QFont::Medium), skipped ? Token::TextMuted : Token::Text,
                QRect(left, 4_px, room, 18_px), state_.title);
    draw_elided(painter, theme.text(12), skipped ? Token::TextMuted : Token::TextSecondary,
                QRect(left, 21_px, room, 17_px), skipped ? state_.skipped : state_.summary);
}

PageList::PageList(QWidget* parent)
    : QWidget(parent),
      skipped_head_(make_label(tr("SKIPPED"), 11, QFont::DemiBold, Tone::Muted)),
      show_all_(with_look(new QPushButton(tr("Show all pages")), {.kind = "link", .elides = true})) {
    setAccessibleName(tr("Pages"));
    auto* layout = make_column({0, 0, 0, 0}, 2, {});
    setLayout(layout);
    for (int i = 0; i < kSteps; ++i) {
        auto* button = new StepButton(static_cast<Step>(i), this);
        buttons_ << button;
        layout->addWidget(button);
        connect(button, &StepButton::clicked, this, [this, button] {
            button->setChecked(true);
            emit chosen(button->step());
        });
    }
    // In line with the marks of the pages; the ring of the link needs the room.
    auto* below = make_column({kPageMargin, 0, 0, 0}, 4, {skipped_head_});
    for (int i = 0; i < kSteps; ++i) {
        skipped_ << wrapped(make_note({}, Tone::Muted));
        below->addWidget(skipped_.last());
    }
    below->addLayout(make_row({show_all_, stretch()}));
    add_items(layout, {gap(12), below, stretch()});
    connect(show_all_, &QPushButton::clicked, this, [this] { setShowsAll(!all_); });
}

void PageList::setShowsAll(bool all) {
    if (all == all_)
        return;
    all_ = all;
    show_all_->setText(all ? tr("Hide unneeded") : tr("Show all pages"));
    emit showsAllChanged();
}

QVector<Step> PageList::shownSteps() const {
    QVector<Step> steps;
    for (const StepState& state : steps_)
        if (all_ || state.skipped.isEmpty())
            steps << state.step;
    return steps;
}

void PageList::setSteps(const QVector<StepState>& steps, Step current, const QVector<bool>& visited) {
    steps_ = steps;
    int number = 0;
    for (int i = 0; i < steps.size(); ++i) {
        const StepState& state = steps[i];
        StepButton* button = buttons_[i];
        // The current page stays visible, also when it has just become skipped.
        const bool shown = all_ || state.skipped.isEmpty() || state.step == current;
        button->setVisible(shown);
        button->setChecked(state.step == current);
        if (shown)
            button->setState(state, ++number, visited.value(i));
        skipped_[i]->setText(all_ || state.skipped.isEmpty() ? QString()
                                                             : tr("%1: %2").arg(state.title, state.skipped));
    }
    showSkipped();
}

void PageList::setFolded(bool folded) {
    folded_ = folded;
    showSkipped();
}

void PageList::showSkipped() {
    bool any = false;
    for (QLabel* label : std::as_const(skipped_)) {
        label->setVisible(!label->text().isEmpty() && !folded_);
        any = any || !label->text().isEmpty();
    }
    skipped_head_->setVisible(any && !folded_);
    show_all_->setVisible((all_ || any) && !folded_);
}

void PageList::keyPressEvent(QKeyEvent* event) {
    const int by = event->key() == Qt::Key_Down ? 1 : event->key() == Qt::Key_Up ? -1 : 0;
    for (int i = 0; by != 0 && i < buttons_.size(); ++i) {
        if (!buttons_[i]->hasFocus())
            continue;
        for (int to = i + by; to >= 0 && to < buttons_.size(); to += by)
            if (buttons_[to]->isVisible()) {
                buttons_[to]->setFocus(Qt::OtherFocusReason);
                return;
            }
    }
    QWidget::keyPressEvent(event);
}

}  // namespace trainyard::desktop
