// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/shell/rail.h"

#include <algorithm>
#include <utility>

#include "desktop/pages/pages.h"
#include "desktop/shell/action_collection.h"
#include "desktop/shell/live_row.h"
#include "desktop/shell/logo_mark.h"
#include "desktop/shell/ui.h"
#include "widgets/nav_button.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

using widgets::NavButton;

namespace {
const int& kRailWidth = live_px(212);
const int& kFoldedRailWidth = live_px(56);
constexpr int kMostLiveRows = 8;
}  // namespace

Rail::Rail(QWidget* parent)
    : QFrame(parent),
      fold_(with_look(new QPushButton, {.kind = "ghost", .icon = "panel", .name = tr("Collapse the sidebar")})),
      new_run_(with_look(new QPushButton(tr("New run")), {.kind = "primary", .icon = "plus", .name = tr("New run")})),
      search_(with_look(new QPushButton(tr("Search or command")), {.kind = "search", .name = tr("Search or command")})),
      mark_(new LogoMark),
      name_(make_title(QStringLiteral("Trainyard"), 14)),
      live_title_(make_label(tr("LIVE"), 11, QFont::DemiBold, Tone::Muted)),
      live_(new QVBoxLayout) {
    setProperty("surface", QStringLiteral("rail"));
    fold_->setFixedWidth(28_px);
    ActionCollection::instance().describe(new_run_, "window.new_run", tr("New run"));
    ActionCollection::instance().describe(search_, "window.palette", tr("Search or command"));
    search_->setIcon(Theme::instance().icon(QStringLiteral("search"), Token::TextMuted));
    head_ = make_row(10, {mark_, {name_, 1}, fold_});
    auto* layout = make_column({10, 8, 11, 8}, 2, {head_, gap(5), new_run_, gap(3), search_, gap(8)});
    setLayout(layout);
    addPages(layout, RailSection::Top);
    layout->addSpacing(6);
    live_title_->hide();
    layout->addWidget(live_title_);
    live_->setSpacing(2);
    add_items(layout, {live_, stretch()});
    addPages(layout, RailSection::Foot);
    connect(fold_, &QPushButton::clicked, this, &Rail::foldRequested);
    connect(new_run_, &QPushButton::clicked, this, [this] {
        updateChecked();
        emit newRunRequested();
    });
    connect(search_, &QPushButton::clicked, this, &Rail::searchRequested);
    updateChecked();
    setFolded(false);
}

void Rail::addPages(QVBoxLayout* layout, RailSection section) {
    for (const PageEntry& entry : all_pages()) {
        if (entry.rail != section)
            continue;
        auto* button = new NavButton(entry.title(), entry.icon);
        connect(button, &NavButton::clicked, this, [this, key = entry.key] {
            updateChecked();
            emit pageRequested(key);
        });
        buttons_.insert(entry.key, button);
        layout->addWidget(button);
    }
}

void Rail::setFolded(bool folded) {
    folded_ = folded;
    name_->setVisible(!folded);
    mark_->setVisible(!folded);
    new_run_->setText(folded ? QString() : tr("New run"));
    search_->setText(folded ? QString() : tr("Search or command"));
    head_->setContentsMargins(folded ? 0 : 6, 0, 0, 0);
    live_title_->setContentsMargins(folded ? 0 : 10, 4, 0, 2);
    live_title_->setAlignment(folded ? Qt::AlignCenter : Qt::AlignLeft | Qt::AlignVCenter);
    for (NavButton* button : std::as_const(buttons_))
        button->setFolded(folded);
    for (LiveRow* row : std::as_const(live_rows_))
        row->setFolded(folded);
    // As wide as its longest words need, but for a few pixels of their padding; names of runs are elided.
    const int kEdge = 2_px, kPadding = 4_px;
    int widest = 0;
    QList<QWidget*> with_words{new_run_, search_};
    for (NavButton* button : std::as_const(buttons_))
        with_words << button;
    for (const QWidget* each : std::as_const(with_words))
        widest = std::max(widest, each->sizeHint().width() + kEdge + layout()->contentsMargins().left() +
                                      layout()->contentsMargins().right());
    const int wide = widest > kRailWidth + kPadding ? widest : kRailWidth;
    setFixedWidth(folded ? kFoldedRailWidth : wide);
    ActionCollection::instance().describe(fold_, "window.sidebar",
                                          folded ? tr("Expand the sidebar") : tr("Collapse the sidebar"));
}

void Rail::setCurrent(const QString& pageKey, const QString& runId) {
    current_ = pageKey;
    current_run_ = runId;
    if (!runId.isEmpty())
        failed_shown_.insert(runId);
    updateChecked();
}

void Rail::updateChecked() {
    for (auto it = buttons_.begin(); it != buttons_.end(); ++it)
        it.value()->setChecked(it.key() == current_);
    for (LiveRow* row : std::as_const(live_rows_))
        row->setChecked(row->run().id == current_run_ && !current_run_.isEmpty());
}

void Rail::setRuns(const RunSummaries& runs) {
    RunSummaries wanted;
    for (const RunSummary& run : runs) {
        if (run.isLive())
            seen_live_.insert(run.id);
        const bool failedUnseen = run.hasFailed() && seen_live_.contains(run.id) && !failed_shown_.contains(run.id);
        if ((run.isLive() || failedUnseen) && wanted.size() < kMostLiveRows)
            wanted << run;
    }
    while (live_rows_.size() > wanted.size())
        live_rows_.takeLast()->deleteLater();
    while (live_rows_.size() < wanted.size()) {
        auto* row = new LiveRow(wanted[live_rows_.size()], this);
        row->setFolded(folded_);
        connect(row, &LiveRow::clicked, this, [this, row] { emit runRequested(row->run().id); });
        connect(row, &LiveRow::requested, this, &Rail::requested);
        live_->addWidget(row);
        live_rows_ << row;
    }
    for (int i = 0; i < wanted.size(); ++i)
        if (!(live_rows_[i]->run() == wanted[i]))
            live_rows_[i]->setRun(wanted[i]);
    spareLiveRows();
    updateChecked();
}

/// In a low window, the last active runs are left out; the list of runs has them all.
void Rail::spareLiveRows() {
    const auto now = std::tuple(live_rows_.size(), height(), folded_);
    if (std::exchange(spared_for_, now) == now)
        return;
    const auto show_rows = [this](qsizetype count) {
        for (qsizetype i = 0; i < live_rows_.size(); ++i)
            live_rows_[i]->setVisible(i < count);
        live_title_->setVisible(count > 0);
        live_->invalidate();
        layout()->invalidate();
    };
    qsizetype count = live_rows_.size();
    search_->show();
    show_rows(count);
    while (count > 0 && layout()->minimumSize().height() > height())
        show_rows(--count);
    // Ctrl+K does the same.
    search_->setVisible(layout()->minimumSize().height() <= height());
}

void Rail::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    spareLiveRows();
}

void Rail::setCount(const QString& pageKey, const QString& count) {
    if (NavButton* shown = button(pageKey); shown != nullptr)
        shown->setCount(count);
}

void Rail::setUnread(const QString& pageKey, int unread) {
    if (NavButton* shown = button(pageKey); shown != nullptr)
        shown->setBadge(unread);
}

}  // namespace trainyard::desktop
