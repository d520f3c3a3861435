// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/shell/notifications_page.h"

#include <algorithm>
#include <memory>

#include <QJsonArray>
#include <QJsonObject>
#include <QStackedLayout>

#include "base/clock.h"
#include "desktop/dashboard/stage_words.h"
#include "desktop/shell/ui.h"
#include "desktop/shell/view_state.h"
#include "widgets/chip.h"
#include "widgets/empty_state.h"
#include "widgets/scroll_area.h"

namespace trainyard::desktop {

namespace {
constexpr int kMostNotices = 50;
constexpr int kLongestText = 2000;  // characters
const QString kKept = QStringLiteral("notifications");
const QString kDropped = QStringLiteral("dropped");
}  // namespace

NotificationsPage::NotificationsPage(QWidget* parent)
    : Page(tr("Notifications"), parent),
      stack_(new QStackedLayout),
      list_(make_column({0, 0, 0, 12}, 8, {})),
      rest_(make_note({}, Tone::Muted)) {
    setFacts(tr("Runs that ended, and alarms"));
    body()->addLayout(stack_, 1);
    stack_->addWidget(
        new widgets::EmptyState(QStringLiteral("bell"), tr("No notifications"),
                                tr("Runs that finish, fail or are lost, and alarms of active runs, are listed here.")));
    rest_->setAlignment(Qt::AlignHCenter);
    add_items(list_, {rest_, stretch()});
    stack_->addWidget(widgets::make_upright_scroll(list_));
    restore();
}

void NotificationsPage::add(const RunSummary& run) {
    QString text = run.hasFailed() && !run.failure.isEmpty() ? run.failure : run.message;
    if (!run.hasFailed() && run.loss)
        text = tr("step %1, train loss %2").arg(stepText(run.step), lossText(run.loss)) +
               (run.validationLoss ? tr(", validation %1").arg(lossText(run.validationLoss)) : QString());
    tell({phaseChip(run.phase), run.name, text, run.id, run.ended.value_or(wall_seconds())});
}

void NotificationsPage::addAlarm(const QString& title, const QString& text, const QString& runId) {
    tell({{tr("Alarm"), QStringLiteral("bell"), Token::Warn}, title, text, runId, wall_seconds()});
}

void NotificationsPage::addText(const QString& title, const QString& text) {
    tell({{tr("Notice"), QStringLiteral("warn"), Token::Warn}, title, text, {}, wall_seconds()});
}

void NotificationsPage::tell(const Entry& notice) {
    notices_.prepend(notice);
    insert(notice);
    for (; notices_.size() > kMostNotices; ++dropped_) {
        notices_.removeLast();
        // Behind the panels stand the sentence about those that were dropped and the stretch.
        const std::unique_ptr<QLayoutItem> oldest(list_->takeAt(list_->count() - 3));
        oldest->widget()->deleteLater();
    }
    tellDropped();
    keep();
    emit unreadChanged(++unread_);
}

void NotificationsPage::tellDropped() {
    rest_->setVisible(dropped_ > 0);
    rest_->setText(
        tr("The newest %1 are shown; %Ln older notifications were dropped.", nullptr, dropped_).arg(kMostNotices));
}

void NotificationsPage::restore() {
    dropped_ = std::max(0, ViewState::instance().value(kKept, kDropped).toInt());
    tellDropped();
    const QJsonArray kept = ViewState::instance().value(kKept, kKept).toArray();
    for (auto it = kept.size(); it-- > 0;) {
        const QJsonObject one = kept[it].toObject();
        const int color = one.value(QLatin1String("color")).toInt(static_cast<int>(Token::TextSecondary));
        if (color < 0 || color >= static_cast<int>(widgets::token_table().size()))
            continue;
        const Entry notice{{one.value(QLatin1String("chip")).toString(), one.value(QLatin1String("icon")).toString(),
                            static_cast<Token>(color)},
                           one.value(QLatin1String("title")).toString(),
                           one.value(QLatin1String("text")).toString(),
                           one.value(QLatin1String("run")).toString(),
                           one.value(QLatin1String("time")).toDouble()};
        notices_.prepend(notice);
        insert(notice);
    }
}

void NotificationsPage::keep() const {
    QJsonArray kept;
    for (const Entry& notice : notices_)
        kept << QJsonObject{{QStringLiteral("chip"), notice.chip.text},
                            {QStringLiteral("icon"), notice.chip.icon},
                            {QStringLiteral("color"), static_cast<int>(notice.chip.color)},
                            {QStringLiteral("title"), notice.title},
                            {QStringLiteral("text"), notice.text.left(kLongestText)},
                            {QStringLiteral("run"), notice.runId},
                            {QStringLiteral("time"), notice.time}};
    ViewState::instance().set(kKept, kKept, kept);
    ViewState::instance().set(kKept, kDropped, dropped_);
}

void NotificationsPage::insert(const Entry& notice) {
    const auto& [chip, title, text, runId, time] = notice;
    QLabel* more = wrapped(make_note(text));
    auto* line = make_row({14, 10, 10, 10}, 12,
                          {{new widgets::StateChip(chip), 0, Qt::AlignTop},
                           {make_column(2, {make_title(title), more}), 1},
                           {make_mono_label(clock_text(time, wall_seconds()), 11, Tone::Muted), 0, Qt::AlignTop}});
    auto* panel = make_frame("panel", line);
    if (!runId.isEmpty()) {
        auto* open = named(new QPushButton(tr("Open run")), tr("Open run %1").arg(title));
        connect(open, &QPushButton::clicked, this, [this, id = notice.runId] { emit runActivated(id); });
        line->addWidget(open, 0, Qt::AlignTop);
    }
    list_->insertWidget(0, panel);
    // The titles of all begin in one column.
    int widest = 0;
    const QList<widgets::StateChip*> chips = findChildren<widgets::StateChip*>();
    for (const widgets::StateChip* each : chips)
        widest = std::max(widest, each->sizeHint().width());
    for (widgets::StateChip* each : chips)
        each->setMinimumWidth(widest);
    stack_->setCurrentIndex(1);
}

void NotificationsPage::markRead() {
    unread_ = 0;
    emit unreadChanged(0);
}

}  // namespace trainyard::desktop
