// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/page.h"

#include <QAction>

#include "desktop/ui.h"

namespace trainyard::desktop {

Page::Page(QWidget* parent) : QWidget(parent) {
    setProperty("surface", QStringLiteral("page"));
    setAttribute(Qt::WA_StyledBackground);
}

Page::Page(const QString& title, QWidget* parent)
    : QWidget(parent),
      page_title_(title),
      title_(make_title(title, 16)),
      facts_(make_elided({}, Theme::instance().text(12), Tone::Secondary)),
      actions_(new QHBoxLayout),
      title_line_(new QHBoxLayout),
      body_(new QVBoxLayout) {
    setProperty("surface", QStringLiteral("page"));
    setAttribute(Qt::WA_StyledBackground);
    setAccessibleName(title);
    auto* header = new QFrame(this);
    header->setProperty("surface", QStringLiteral("header"));
    header->setFixedHeight(64);
    title_line_->setSpacing(8);
    add_items(title_line_, {title_, stretch()});
    // They give way to the buttons.
    facts_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    actions_->setSpacing(8);
    header->setLayout(
        make_row({20, 0, 20, 0}, 8, {{make_column(1, {stretch(), title_line_, facts_, stretch()}), 1}, actions_}));
    facts_->hide();
    auto* space = new QWidget(this);
    body_->setContentsMargins(20, 12, 20, 12);
    body_->setSpacing(8);
    space->setLayout(body_);
    setLayout(make_column({0, 0, 0, 0}, 0, {header, {space, 1}}));
}

QAction* Page::addCommand(const QString& text, const char* icon, const QList<QKeySequence>& keys,
                          const std::function<void()>& run) {
    auto* action = new QAction(text, this);
    action->setShortcuts(keys);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    action->setProperty("iconName", QLatin1String(icon));
    connect(action, &QAction::triggered, this, run);
    addAction(action);
    return action;
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
