#include "widgets/empty_state.h"

#include <QHBoxLayout>
#include <QPushButton>

#include "widgets/label.h"
#include "widgets/layouts.h"
#include "widgets/theme.h"

namespace trainyard::widgets {

EmptyState::EmptyState(const QString& icon, const QString& sentence, const QString& more, QWidget* parent)
    : QWidget(parent), icon_name_(icon), picture_(new QLabel(this)), buttons_(new QHBoxLayout) {
    QLabel* title = make_title(sentence, 16);
    title->setAlignment(Qt::AlignCenter);
    title->setWordWrap(true);
    auto* layout = make_column({32, 32, 32, 32}, 12, {stretch(2), {picture_, 0, Qt::AlignHCenter}, title});
    setLayout(layout);
    if (!more.isEmpty()) {
        QLabel* text = make_label(more, 13, QFont::Normal, Tone::Secondary);
        text->setAlignment(Qt::AlignCenter);
        text->setWordWrap(true);
        layout->addWidget(text);
    }
    layout->addSpacing(4);
    buttons_->setSpacing(8);
    add_items(buttons_, {stretch(), stretch()});
    add_items(layout, {buttons_, stretch(3)});
    drawIcon();
    connect(&Theme::instance(), &Theme::changed, this, &EmptyState::drawIcon);
}

QPushButton* EmptyState::addAction(const QString& text, const QString& icon) {
    auto* button = new QPushButton(text, this);
    const bool first = buttons_->count() == 2;
    if (first)
        button->setProperty("kind", QStringLiteral("primary"));
    if (!icon.isEmpty())
        Theme::instance().bindIcon(button, icon, first ? Token::OnAccent : Token::Text);
    buttons_->insertWidget(buttons_->count() - 1, button);
    return button;
}

void EmptyState::drawIcon() {
    picture_->setPixmap(Theme::instance().pixmap(icon_name_, Token::TextMuted, 48, devicePixelRatioF()));
}

}  // namespace trainyard::widgets
