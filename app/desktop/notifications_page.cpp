#include "desktop/notifications_page.h"

#include <QFrame>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedLayout>
#include <QTime>

#include "desktop/words.h"
#include "widgets/empty_state.h"
#include "widgets/label.h"
#include "widgets/scroll_area.h"

namespace trainyard::desktop {

using widgets::make_label;
using widgets::Token;
using widgets::Tone;

NotificationsPage::NotificationsPage(QWidget* parent)
    : Page(tr("Notifications"), parent), stack_(new QStackedLayout), list_(new QVBoxLayout) {
    setFacts(tr("Runs that ended and alarms since this window was opened"));
    body()->addLayout(stack_, 1);
    stack_->addWidget(
        new widgets::EmptyState(QStringLiteral("bell"), tr("Nothing has happened yet."),
                                tr("Runs that finish, fail or are lost, and alarms of live runs, are listed here.")));
    auto* scroll = widgets::make_scroll_area();
    auto* content = new QWidget;
    content->setProperty("surface", QStringLiteral("clear"));
    scroll->setWidget(content);
    list_->setContentsMargins(0, 4, 0, 12);
    list_->setSpacing(8);
    list_->addStretch();
    content->setLayout(list_);
    stack_->addWidget(scroll);
}

void NotificationsPage::add(const RunSummary& run) {
    QString text = run.hasFailed() && !run.failure.isEmpty() ? run.failure : run.message;
    if (!run.hasFailed() && run.loss)
        text = tr("step %1, train loss %2").arg(stepText(run.step), lossText(run.loss)) +
               (run.validationLoss ? tr(", validation %1").arg(lossText(run.validationLoss)) : QString());
    insert(phaseChip(run.phase), run.name, text, run.id);
}

void NotificationsPage::addAlarm(const QString& title, const QString& text, const QString& runId) {
    insert({tr("Alarm"), QStringLiteral("bell"), Token::Warn}, title, text, runId);
}

void NotificationsPage::addText(const QString& title, const QString& text) {
    insert({tr("Notice"), QStringLiteral("warn"), Token::Warn}, title, text, {});
}

void NotificationsPage::insert(const widgets::Chip& chip, const QString& title, const QString& text,
                               const QString& runId) {
    auto* panel = new QFrame;
    panel->setProperty("surface", QStringLiteral("panel"));
    auto* line = new QHBoxLayout(panel);
    line->setContentsMargins(14, 10, 10, 10);
    line->setSpacing(12);
    line->addWidget(new widgets::StateChip(chip), 0, Qt::AlignTop);
    auto* words = new QVBoxLayout;
    words->setSpacing(2);
    words->addWidget(make_label(title, 13, QFont::DemiBold));
    QLabel* more = make_label(text, 12, QFont::Normal, Tone::Secondary);
    more->setWordWrap(true);
    words->addWidget(more);
    line->addLayout(words, 1);
    line->addWidget(widgets::make_mono_label(QTime::currentTime().toString(QStringLiteral("HH:mm")), 11, Tone::Muted),
                    0, Qt::AlignTop);
    if (!runId.isEmpty()) {
        auto* open = new QPushButton(tr("Open run"));
        open->setAccessibleName(tr("Open run %1").arg(title));
        connect(open, &QPushButton::clicked, this, [this, runId] { emit runActivated(runId); });
        line->addWidget(open, 0, Qt::AlignTop);
    }
    list_->insertWidget(0, panel);
    stack_->setCurrentIndex(1);
    emit unreadChanged(++unread_);
}

void NotificationsPage::markRead() {
    unread_ = 0;
    emit unreadChanged(0);
}

}  // namespace trainyard::desktop
