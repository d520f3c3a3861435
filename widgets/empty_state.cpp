// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/empty_state.h"

#include <QHBoxLayout>
#include <QPushButton>

#include "widgets/label.h"
#include "widgets/layouts.h"
#include "widgets/theme.h"

namespace trainyard::widgets {

EmptyState::EmptyState(const QString& icon, const QString& sentence, const QString& more, QWidget* parent)
    : QWidget(parent), buttons_(new QHBoxLayout) {
    QLabel* title = wrapped(make_title(sentence, 16));
    QLabel* text = wrapped(make_label(more, 13, QFont::Normal, Tone::Secondary));
    for (QLabel* label : {title, text})
        label->setAlignment(Qt::AlignCenter);
    if (more.isEmpty())
        text->hide();
    buttons_->setSpacing(8);
    add_items(buttons_, {stretch(), stretch()});
    setLayout(make_column({32, 32, 32, 32}, 12,
                          {stretch(2),
                           {new IconLabel(48, icon, Token::TextMuted), 0, Qt::AlignHCenter},
                           title,
                           text,
                           gap(4),
                           buttons_,
                           stretch(3)}));
}

QPushButton* EmptyState::addAction(const QString& text, const QString& icon) {
    auto* button = new QPushButton(text, this);
    const bool first = buttons_->count() == 2;
    if (first)
        button->setProperty("kind", QStringLiteral("primary"));
    if (!icon.isEmpty())
        button->setIcon(Theme::instance().icon(icon, first ? Token::OnAccent : Token::Text));
    buttons_->insertWidget(buttons_->count() - 1, button);
    return button;
}

}  // namespace trainyard::widgets
