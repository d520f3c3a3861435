#include "desktop/page.h"

#include <QFrame>
#include <QLabel>

#include "widgets/label.h"
#include "widgets/theme.h"

namespace trainyard::desktop {

using widgets::Tone;

Page::Page(QWidget* parent) : QWidget(parent) {
    setProperty("surface", QStringLiteral("page"));
    setAttribute(Qt::WA_StyledBackground);
}

Page::Page(const QString& title, QWidget* parent)
    : QWidget(parent),
      page_title_(title),
      title_(widgets::make_label(title, 16, QFont::DemiBold)),
      facts_(new widgets::ElidedLabel),
      actions_(new QHBoxLayout),
      title_line_(new QHBoxLayout),
      body_(new QVBoxLayout) {
    setProperty("surface", QStringLiteral("page"));
    setAttribute(Qt::WA_StyledBackground);
    setAccessibleName(title);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* header = new QFrame(this);
    header->setProperty("surface", QStringLiteral("header"));
    header->setFixedHeight(64);
    auto* line = new QHBoxLayout(header);
    line->setContentsMargins(20, 0, 20, 0);
    line->setSpacing(8);
    auto* words = new QVBoxLayout;
    words->setSpacing(1);
    words->addStretch();
    title_line_->setSpacing(8);
    title_line_->addWidget(title_);
    title_line_->addStretch();
    words->addLayout(title_line_);
    facts_->setFont(widgets::Theme::instance().text(12));
    set_tone(facts_, Tone::Secondary);
    // They give way to the buttons.
    facts_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    words->addWidget(facts_);
    words->addStretch();
    line->addLayout(words, 1);
    actions_->setSpacing(8);
    line->addLayout(actions_);
    layout->addWidget(header);
    facts_->hide();
    auto* space = new QWidget(this);
    body_->setContentsMargins(20, 12, 20, 12);
    body_->setSpacing(8);
    space->setLayout(body_);
    layout->addWidget(space, 1);
}

void Page::setFacts(const QString& facts) {
    facts_->setFullText(facts);
    facts_->setVisible(!facts.isEmpty());
}

void Page::setTitle(const QString& title) {
    if (title == page_title_)
        return;
    page_title_ = title;
    if (title_ != nullptr)
        title_->setText(title);
    emit titleChanged(title);
}

}  // namespace trainyard::desktop
