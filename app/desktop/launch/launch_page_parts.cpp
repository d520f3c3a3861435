// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of the page of checks: header, table, details.

#include <QCheckBox>
#include <QMenu>

#include "desktop/launch/check_view.h"
#include "desktop/launch/launch_page.h"
#include "desktop/shell/action_collection.h"
#include "desktop/shell/ui.h"
#include "widgets/chip.h"
#include "widgets/inline_message.h"
#include "widgets/scroll_area.h"
#include "widgets/segmented_control.h"

namespace trainyard::desktop {

namespace {

QFrame* makePanel(QVBoxLayout*& inside) {
    inside = make_column({16, 12, 16, 14}, 8, {});
    return make_frame("panel", inside);
}

}  // namespace

void LaunchPage::makeHeader() {
    titleLine()->insertWidget(1, name_);
    auto_start_->setChecked(true);
    widgets::set_look(again_, {.icon = "resume"});
    ActionCollection::instance().describe(again_, "launch.check_again", tr("Runs the failed checks again"));
    widgets::set_look(anyway_, {.icon = "play", .tip = tr("Ctrl+Enter")});
    cancel_->setToolTip(tr("Cancels and leaves nothing behind on any host (Esc)"));
    when_->setAccessibleName(tr("Start now, or wait for its turn"));
    when_->button(1)->setToolTip(
        tr("Waits until the runs queued before it have started, and the machine, or the GPUs, are free"));
    connect(when_, &widgets::SegmentedControl::currentChanged, this, &LaunchPage::whenChosen);
    add_items(actions(), {when_, auto_start_, again_, cancel_, anyway_});
    connect(again_, &QPushButton::clicked, this, &LaunchPage::begin);
    connect(cancel_, &QPushButton::clicked, this, &LaunchPage::cancel);
    connect(anyway_, &QPushButton::clicked, this, [this] {
        if (anyway_menu_->isEmpty())
            start(true);
        else
            anyway_menu_->popup(anyway_->mapToGlobal(QPoint(0, anyway_->height() + 4)));
    });
    // The table of checks would search for a row that begins with the letter.
    view_->addAction(addCommand("launch.check_again", [this] { again_->click(); }));
}

void LaunchPage::makeBody() {
    body()->addWidget(message_);
    auto* columns = make_row(8, {});
    body()->addLayout(columns, 1);
    auto* note =
        wrapped(make_note(tr("Every check is a plain command; its result is saved with the run."), Tone::Muted));
    auto* copy = with_look(new QPushButton(tr("Copy report")), {.kind = "link"});
    connect(copy, &QPushButton::clicked, this, [this] { copy_text(table_->report()); });
    auto* panel = make_frame(
        "panel",
        make_column({1, 12, 1, 10}, 10,
                    {widgets::make_wrapping_row({14, 0, 14, 0}, 8, {counts_, failed_, warned_, stretch(), elapsed_}),
                     make_row({14, 0, 14, 0}, {bar_}),
                     {view_, 1},
                     make_row({14, 0, 14, 0}, {{note, 1}, copy})}));
    add_items(columns, {{panel, 1}, right_});

    QVBoxLayout* inside = nullptr;
    auto* command = makePanel(inside);
    auto* copyCommand = with_look(new QPushButton, {.kind = "ghost", .icon = "copy", .tip = tr("Copy the command")});
    connect(copyCommand, &QPushButton::clicked, this, [this] { copy_text(request_.command); });
    inside->addLayout(make_row({make_title(tr("Command")), stretch(), copyCommand}));
    command_ = selectable(wrapped(make_mono_label({}, 12)));
    inside->addWidget(make_frame("well", make_column({12, 8, 12, 8}, {command_})));

    auto* after = makePanel(inside);
    inside->addWidget(make_title(tr("After start")));
    place_ = make_elided({}, Theme::instance().text(12), Tone::Secondary, Qt::ElideMiddle);
    auto fact = [inside](const QString& icon, QWidget* words) {
        inside->addLayout(make_row(8, {new IconLabel(14, icon), {words, 1}}));
    };
    fact(QStringLiteral("file"), place_);
    for (const auto& [icon, words] : {std::pair(QStringLiteral("runs"), tr("Its dashboard opens")),
                                      std::pair(QStringLiteral("shield"), tr("Continues when this window is closed")),
                                      std::pair(QStringLiteral("bell"), tr("Notify me when it ends, fails or stalls"))})
        fact(icon, wrapped(make_note(words)));
    inside->addStretch();
    right_->widget()->setLayout(make_column({0, 0, 0, 0}, 8, {makeDetails(), command, {after, 1}}));
}

QWidget* LaunchPage::makeDetails() {
    QVBoxLayout* inside = nullptr;
    auto* panel = makePanel(inside);
    detail_title_ = wrapped(make_title({}));
    detail_chip_ = new widgets::StateChip;
    inside->addLayout(make_row({{detail_title_, 1}, {detail_chip_, 0, Qt::AlignTop}}));
    detail_text_ = wrapped(make_label({}, 13));
    detail_mend_ = wrapped(make_note({}));
    for (QLabel* label : {detail_text_, detail_mend_}) {
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        inside->addWidget(label);
    }
    evidence_text_ = selectable(wrapped(make_mono_label({}, 11, Tone::Secondary)));
    evidence_ = make_frame("well", make_column({12, 8, 12, 8}, {evidence_text_}));
    ways_title_ = make_label(tr("What you can do"), 12, QFont::DemiBold, Tone::Secondary);
    ways_holder_ = make_holder(make_column({0, 0, 0, 0}, 8, {}));
    add_items(inside, {evidence_, ways_title_, ways_holder_});
    return panel;
}

}  // namespace trainyard::desktop
