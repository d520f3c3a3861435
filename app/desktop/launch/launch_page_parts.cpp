// What stands on the page of checks: header, table, details.

#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QVBoxLayout>

#include "desktop/launch/check_view.h"
#include "desktop/launch/launch_page.h"
#include "widgets/chip.h"
#include "widgets/inline_message.h"
#include "widgets/label.h"
#include "widgets/segmented_control.h"
#include "widgets/theme.h"

namespace trainyard::desktop {

using widgets::make_label;
using widgets::make_mono_label;
using widgets::Theme;
using widgets::Token;
using widgets::Tone;

namespace {

QFrame* makePanel(QVBoxLayout*& inside) {
    auto* panel = new QFrame;
    panel->setProperty("surface", QStringLiteral("panel"));
    inside = new QVBoxLayout(panel);
    inside->setContentsMargins(16, 12, 16, 14);
    inside->setSpacing(8);
    return panel;
}

}  // namespace

void LaunchPage::makeHeader() {
    titleLine()->insertWidget(1, name_);
    auto_start_->setChecked(true);
    Theme::instance().bindIcon(again_, QStringLiteral("undo"), Token::Text);
    Theme::instance().bindIcon(anyway_, QStringLiteral("play"), Token::Text);
    again_->setToolTip(tr("Runs the failed checks again (R)"));
    cancel_->setToolTip(tr("Cancels and leaves nothing behind on any host (Esc)"));
    anyway_->setToolTip(tr("Ctrl+Enter"));
    when_->setAccessibleName(tr("Start now, or wait for its turn"));
    when_->button(1)->setToolTip(
        tr("Waits until the runs queued before it have started, and the machine, or the GPUs, are free"));
    connect(when_, &widgets::SegmentedControl::currentChanged, this, &LaunchPage::whenChosen);
    actions()->addWidget(when_);
    actions()->addWidget(auto_start_);
    for (QPushButton* button : {again_, cancel_, anyway_})
        actions()->addWidget(button);
    connect(again_, &QPushButton::clicked, this, &LaunchPage::begin);
    connect(cancel_, &QPushButton::clicked, this, &LaunchPage::cancel);
    connect(anyway_, &QPushButton::clicked, this, [this] {
        if (anyway_menu_->isEmpty())
            start(true);
        else
            anyway_menu_->popup(anyway_->mapToGlobal(QPoint(0, anyway_->height() + 4)));
    });
    auto* again = new QAction(tr("Run the failed checks again"), this);
    again->setShortcut(QKeySequence(Qt::Key_R));
    again->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    again->setProperty("iconName", QStringLiteral("undo"));
    connect(again, &QAction::triggered, again_, &QPushButton::click);
    addAction(again);
}

void LaunchPage::makeBody() {
    body()->addWidget(message_);
    auto* columns = new QHBoxLayout;
    columns->setSpacing(8);
    body()->addLayout(columns, 1);
    auto* panel = new QFrame;
    panel->setProperty("surface", QStringLiteral("panel"));
    auto* left = new QVBoxLayout(panel);
    left->setContentsMargins(1, 12, 1, 10);
    left->setSpacing(10);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(14, 0, 14, 0);
    head->setSpacing(8);
    head->addWidget(counts_);
    head->addWidget(failed_);
    head->addWidget(warned_);
    head->addStretch();
    head->addWidget(elapsed_);
    left->addLayout(head);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(14, 0, 14, 0);
    bar->addWidget(bar_);
    left->addLayout(bar);
    left->addWidget(view_, 1);
    auto* foot = new QHBoxLayout;
    foot->setContentsMargins(14, 0, 14, 0);
    auto* note = new widgets::ElidedLabel(tr("Every check is a plain command; its outcome is kept with the run."));
    note->setFont(Theme::instance().text(12));
    note->setProperty("tone", QStringLiteral("muted"));
    foot->addWidget(note, 1);
    auto* copy = new QPushButton(tr("Copy report"));
    copy->setProperty("kind", QStringLiteral("link"));
    connect(copy, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(table_->report()); });
    foot->addWidget(copy);
    left->addLayout(foot);
    columns->addWidget(panel, 1);
    auto* side = new QVBoxLayout(right_);
    side->setContentsMargins(0, 0, 0, 0);
    side->setSpacing(8);
    side->addWidget(makeDetails());
    columns->addWidget(right_);

    QVBoxLayout* inside = nullptr;
    auto* command = makePanel(inside);
    auto* line = new QHBoxLayout;
    line->addWidget(make_label(tr("Command"), 13, QFont::DemiBold));
    line->addStretch();
    auto* copyCommand = new QPushButton;
    copyCommand->setProperty("kind", QStringLiteral("ghost"));
    copyCommand->setToolTip(tr("Copy the command"));
    copyCommand->setAccessibleName(tr("Copy the command"));
    Theme::instance().bindIcon(copyCommand, QStringLiteral("copy"));
    connect(copyCommand, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(request_.command); });
    line->addWidget(copyCommand);
    inside->addLayout(line);
    auto* well = new QFrame;
    well->setProperty("surface", QStringLiteral("well"));
    auto* wellLine = new QVBoxLayout(well);
    wellLine->setContentsMargins(12, 8, 12, 8);
    command_ = make_mono_label({}, 12);
    command_->setWordWrap(true);
    command_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    wellLine->addWidget(command_);
    inside->addWidget(well);
    side->addWidget(command);

    auto* after = makePanel(inside);
    inside->addWidget(make_label(tr("After start"), 13, QFont::DemiBold));
    place_ = new widgets::ElidedLabel;
    place_->setElideMode(Qt::ElideMiddle);
    auto fact = [inside](const QString& icon, QWidget* words) {
        auto* row = new QHBoxLayout;
        row->setSpacing(8);
        auto* picture = new QLabel;
        auto draw = [picture, icon] {
            picture->setPixmap(Theme::instance().pixmap(icon, Token::TextSecondary, 14, picture->devicePixelRatioF()));
        };
        draw();
        QObject::connect(&Theme::instance(), &Theme::changed, picture, draw);
        row->addWidget(picture);
        row->addWidget(words, 1);
        inside->addLayout(row);
    };
    place_->setFont(Theme::instance().text(12));
    place_->setProperty("tone", QStringLiteral("secondary"));
    fact(QStringLiteral("file"), place_);
    for (const auto& [icon, words] :
         {std::pair(QStringLiteral("runs"), tr("Its dashboard opens")),
          std::pair(QStringLiteral("shield"), tr("Goes on when this window is closed")),
          std::pair(QStringLiteral("bell"), tr("Notify me when it ends, fails or stalls"))}) {
        auto* label = make_label(words, 12, QFont::Normal, Tone::Secondary);
        label->setWordWrap(true);
        fact(icon, label);
    }
    side->addWidget(after);
    side->addStretch();
}

QWidget* LaunchPage::makeDetails() {
    QVBoxLayout* inside = nullptr;
    auto* panel = makePanel(inside);
    auto* head = new QHBoxLayout;
    detail_title_ = make_label({}, 13, QFont::DemiBold);
    detail_title_->setWordWrap(true);
    detail_chip_ = new widgets::StateChip;
    head->addWidget(detail_title_, 1);
    head->addWidget(detail_chip_, 0, Qt::AlignTop);
    inside->addLayout(head);
    detail_text_ = make_label({}, 13);
    detail_mend_ = make_label({}, 12, QFont::Normal, Tone::Secondary);
    for (QLabel* label : {detail_text_, detail_mend_}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        inside->addWidget(label);
    }
    evidence_ = new QFrame;
    evidence_->setProperty("surface", QStringLiteral("well"));
    auto* evidence = new QVBoxLayout(evidence_);
    evidence->setContentsMargins(12, 8, 12, 8);
    evidence_text_ = make_mono_label({}, 11, Tone::Secondary);
    evidence_text_->setWordWrap(true);
    evidence_text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    evidence->addWidget(evidence_text_);
    inside->addWidget(evidence_);
    ways_title_ = make_label(tr("What you can do"), 12, QFont::DemiBold, Tone::Secondary);
    inside->addWidget(ways_title_);
    ways_holder_ = new QWidget;
    auto* ways = new QVBoxLayout(ways_holder_);
    ways->setContentsMargins(0, 0, 0, 0);
    ways->setSpacing(8);
    inside->addWidget(ways_holder_);
    return panel;
}

}  // namespace trainyard::desktop
