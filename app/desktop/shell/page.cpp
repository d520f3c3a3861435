// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/shell/page.h"

#include <algorithm>

#include <QEvent>
#include <QPagedPaintDevice>
#include <QPainter>

#include "desktop/shell/action_collection.h"
#include "desktop/shell/ui.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

namespace {

const int& kPageHeaderHeight = live_px(64);
const int& kPageActionsHeight = live_px(40);
const int& kRoomyPage = live_px(860);  // pixels
const int& kLeastFacts = live_px(120);

/// Title and actions in one line, or in more if the window is too narrow for one.
class PageHeader : public QFrame {
  public:
    PageHeader(QLayout* title, widgets::WrappingRow* actions, QWidget* parent)
        : QFrame(parent), title_(title), actions_(actions), line_(make_row({20, 0, 20, 0}, 8, {{title, 1}, actions})) {
        setProperty("surface", QStringLiteral("header"));
        setFixedHeight(kPageHeaderHeight);
        setLayout(line_);
    }

  protected:
    bool event(QEvent* event) override {
        const bool done = QFrame::event(event);
        if (event->type() == QEvent::LayoutRequest || event->type() == QEvent::Resize)
            arrange();
        return done;
    }

  private:
    void arrange() {
        const int title = title_->minimumSize().width();
        const QMargins margins = line_->contentsMargins();
        const int edges = margins.left() + margins.right();
        const int room = width() - edges - title - line_->spacing();
        // On a roomy page, the words of a button shrink before the content loses a line.
        const bool one = actions_->isOneLine(room) ||
                         (width() >= kRoomyPage && actions_->QHBoxLayout::minimumSize().width() <= room);
        setMinimumWidth(std::max(title, actions_->minimumSize().width()) + edges);
        const int height = kPageHeaderHeight + (one ? 0 : actions_->heightOf(width() - edges));
        if (one == (line_->direction() != QBoxLayout::TopToBottom) && height == maximumHeight())
            return;
        line_->setDirection(one ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
        line_->setAlignment(actions_, one ? Qt::Alignment() : Qt::AlignLeft | Qt::AlignTop);
        setFixedHeight(height);
    }
    QLayout* title_;
    widgets::WrappingRow* actions_;
    QBoxLayout* line_;
};

}  // namespace

Page::Page(QWidget* parent) : QWidget(parent) {
    setProperty("surface", QStringLiteral("page"));
    setAttribute(Qt::WA_StyledBackground);
}

Page::Page(const QString& title, QWidget* parent)
    : QWidget(parent),
      page_title_(title),
      title_(make_title(title, 16)),
      facts_(make_elided({}, Theme::instance().text(12), Tone::Secondary)),
      actions_(new widgets::WrappingRow(kPageActionsHeight)),
      title_line_(new QHBoxLayout),
      body_(new QVBoxLayout) {
    setProperty("surface", QStringLiteral("page"));
    setAttribute(Qt::WA_StyledBackground);
    setAccessibleName(title);
    title_line_->setSpacing(8);
    add_items(title_line_, {title_, stretch()});
    // They give way to the buttons.
    facts_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    actions_->setSpacing(8);
    auto* header = new PageHeader(make_column(1, {stretch(), title_line_, facts_, stretch()}),
                                  static_cast<widgets::WrappingRow*>(actions_), this);
    facts_->hide();
    auto* space = new QWidget(this);
    body_->setContentsMargins(20, 12, 20, 12);
    body_->setSpacing(8);
    space->setLayout(body_);
    setLayout(make_column({0, 0, 0, 0}, 0, {header, {space, 1}}));
}

QAction* Page::addCommand(const char* id, const std::function<void()>& run) {
    return ActionCollection::instance().add(id, this, run);
}

void Page::print(QPagedPaintDevice* device) {
    const QPixmap picture = grab();
    QPainter painter(device);
    QSize size = picture.size();
    size.scale(painter.viewport().size(), Qt::KeepAspectRatio);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.drawPixmap(QRect(QPoint(), size), picture);
}

void Page::setFacts(const QString& facts) {
    facts_->setFullText(facts);
    facts_->setMinimumWidth(std::min(kLeastFacts, facts_->sizeHint().width()));
    facts_->setVisible(!facts.isEmpty());
}

void Page::setTitle(const QString& title) {
    if (title == page_title_)
        return;
    page_title_ = title;
    if (title_ != nullptr) {
        // The buttons of the page are next to it, and names of files may be long.
        constexpr qsizetype kMostLetters = 48, kEnd = kMostLetters / 2;
        const bool is_long = title.size() > kMostLetters;
        title_->setText(is_long ? title.left(kEnd) + QChar(0x2026) + title.right(kEnd) : title);
        title_->setToolTip(is_long ? title : QString());
    }
    emit titleChanged(title);
}

}  // namespace trainyard::desktop
