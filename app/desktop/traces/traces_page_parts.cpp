// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of the page of traces: header, menu, panels, shortcuts.
#include <algorithm>

#include <QAction>
#include <QActionGroup>
#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>

#include "desktop/shell/action_collection.h"
#include "desktop/shell/ui.h"
#include "desktop/traces/flame_graph.h"
#include "desktop/traces/selection_panel.h"
#include "desktop/traces/share_panel.h"
#include "desktop/traces/slice_panel.h"
#include "desktop/traces/step_picker.h"
#include "desktop/traces/traces_page.h"
#include "widgets/cell_delegate.h"
#include "widgets/empty_state.h"
#include "widgets/inline_message.h"
#include "widgets/pixels.h"
#include "widgets/scroll_area.h"
#include "widgets/segmented_control.h"

namespace trainyard::desktop {

void TracesPage::makeHeader() {
    // The count comes and goes before the field, which stays where it is.
    actions()->addWidget(search_->count());
    actions()->addWidget(search_->field());
    order_->setAccessibleName(tr("Order of the ranks"));
    order_->addItems({tr("By rank"), tr("Slowest first")});
    connect(order_, &QComboBox::currentIndexChanged, this, &TracesPage::arrange);
    actions()->addWidget(order_);
    with_look(recorded_, {.icon = "clock", .tip = tr("The profiles that were recorded"), .name = tr("Recorded")});
    recorded_->setCheckable(true);
    recorded_->hide();
    connect(recorded_, &QPushButton::toggled, this, &TracesPage::showList);
    actions()->addWidget(recorded_);
    auto* open = with_look(new QPushButton(tr("Open…")), {.icon = "folder"});
    connect(open, &QPushButton::clicked, this, &TracesPage::chooseFiles);
    actions()->addWidget(open);
    more_->setAccessibleName(tr("More"));
    more_->setToolTip(tr("More"));
    more_->setFixedWidth(34_px);
    more_->setIcon(Theme::instance().icon(QStringLiteral("more"), Token::Text));
    makeMenu(more_);
    actions()->addWidget(more_);
}

void TracesPage::makeMenu(QPushButton* more) {
    auto* menu = new QMenu(more);
    addActions();
    const auto add = [this, menu](const char* id) {
        menu->addAction(ActionCollection::instance().actionIn(this, QLatin1String(id)));
    };
    for (const char* id : {"traces.open_newest", "traces.compare", "traces.compare_ranks"})
        add(id);
    menu->addSeparator();
    for (const char* id : {"traces.save_table", "traces.save_picture", "traces.save_selection"})
        add(id);
    menu->addSeparator();
    auto* colors = new QActionGroup(menu);
    for (const bool by_name : {false, true}) {
        QAction* action = menu->addAction(by_name ? tr("Colours by name") : tr("Colours by family"));
        action->setCheckable(true);
        action->setChecked(!by_name);
        colors->addAction(action);
        connect(action, &QAction::triggered, this, [this, by_name] {
            by_name_ = by_name;
            if (trace_)
                trace_->setColoring(by_name ? OpenedTrace::Coloring::Name : OpenedTrace::Coloring::Family);
            timeline_->dataChanged();
        });
    }
    QAction* plan = menu->addAction(tr("The schedule without waits, as outlines"));
    plan->setCheckable(true);
    plan->setChecked(true);
    plan->setToolTip(tr("For pipelines: when each micro-batch would have been computed without waiting."));
    connect(plan, &QAction::toggled, this, [this](bool shown) {
        shows_plan_ = shown;
        if (trace_)
            trace_->showPlan(shown);
        timeline_->dataChanged();
    });
    menu->addSeparator();
    add("traces.fold");
    add("traces.unfold");
    connect(menu, &QMenu::aboutToShow, this, [this, plan] {
        updateActions();
        plan->setVisible(trace_ != nullptr && !trace_->schedule().empty());
    });
    more->setMenu(menu);
}

void TracesPage::foldAll(bool folded) {
    if (!trace_)
        return;
    QSet<int> groups;
    for (int group = 0; folded && group < trace_->groups().size(); ++group)
        groups << group;
    timeline_->setFolded(groups);
}

QWidget* TracesPage::makeRight() {
    auto* panel = new QFrame;
    panel->setProperty("surface", QStringLiteral("panel"));
    const int kLeastRight = 310_px, kMargins = 26_px;
    panel->setMinimumWidth(std::max(kLeastRight, right_tabs_->sizeHint().width() + kMargins));
    auto* pages = new QStackedWidget;
    // The rows may need more room than the timeline leaves; then they can be scrolled with the keyboard.
    const int kRoomForRing = 6;
    QScrollArea* rows = widgets::make_scroll_area(
        make_holder(make_row({kRoomForRing, kRoomForRing, kRoomForRing, kRoomForRing}, {share_})));
    rows->setAccessibleName(tr("Where the time went"));
    rows->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    rows->viewport()->setAutoFillBackground(false);  // the panel's colour is below it
    share_->setAutoFillBackground(false);
    rows->setProperty("focusRing", true);
    connect(rows->verticalScrollBar(), &QScrollBar::rangeChanged, rows,
            [rows](int, int most) { rows->setFocusPolicy(most > 0 ? Qt::StrongFocus : Qt::NoFocus); });
    pages->addWidget(make_holder(make_row({12 - kRoomForRing, 0, 12 - kRoomForRing, 0}, {rows})));
    pages->addWidget(slice_);
    connect(right_tabs_, &widgets::SegmentedControl::currentChanged, pages, &QStackedWidget::setCurrentIndex);
    panel->setLayout(make_column({1, 8, 1, 8}, 8, {make_row({12, 0, 12, 0}, {right_tabs_, stretch()}), {pages, 1}}));
    return panel;
}

QWidget* TracesPage::makeContent() {
    // Time runs from left to right in every language.
    for (QWidget* chart :
         {static_cast<QWidget*>(steps_), static_cast<QWidget*>(timeline_), static_cast<QWidget*>(selection_->flame())})
        chart->setLayoutDirection(Qt::LeftToRight);
    auto* upper = make_frame("panel", make_column({1, 4, 1, 1}, 2, {steps_, {timeline_, 1}}));
    const int kTracesStackedBelow = 760_px;
    QWidget* lower = widgets::make_stacking_row(kTracesStackedBelow, 8, {{selection_, 1}, makeRight()});
    QSplitter* splitter = make_splitter(Qt::Vertical, {upper, lower});
    splitter->setStretchFactor(0, 5);
    splitter->setStretchFactor(1, 2);
    splitter->setSizes({500, 230});
    return splitter;
}

void TracesPage::makeBody() {
    body()->addWidget(message_);
    body()->addWidget(reading_);
    auto* empty = new widgets::EmptyState(QStringLiteral("trace"), tr("No trace yet."),
                                          tr("Press Profile on a run, or open a Chrome JSON file."));
    connect(empty->addAction(tr("Open a file…"), QStringLiteral("file")), &QPushButton::clicked, this,
            &TracesPage::chooseFiles);
    connect(empty->addAction(tr("Open a folder…"), QStringLiteral("folder")), &QPushButton::clicked, this,
            &TracesPage::chooseFolder);
    connect(empty->addAction(tr("Runs"), QStringLiteral("runs")), &QPushButton::clicked, this,
            &TracesPage::runsRequested);
    stack_->addWidget(empty);
    stack_->addWidget(makeContent());
    stack_->addWidget(makeList());
    body()->addWidget(stack_, 1);
}

QWidget* TracesPage::makeList() {
    named(profile_table_, tr("Recorded profiles"));
    profile_table_->setModel(profiles_);
    widgets::set_rows_look(profile_table_);
    profile_table_->setSelectionMode(QAbstractItemView::SingleSelection);
    QHeaderView* header = profile_table_->horizontalHeader();
    header->setSectionResizeMode(ProfileModel::Run, QHeaderView::Stretch);
    widgets::set_column_widths(header, {{ProfileModel::Name, 260},
                                        {ProfileModel::Ranks, 70},
                                        {ProfileModel::Size, 90},
                                        {ProfileModel::Recorded, 170}});
    connect(profile_table_, &QTableView::activated, this,
            [this](const QModelIndex& index) { openProfile(index.row()); });
    auto* open = with_look(new QPushButton(tr("Open the trace")), {.kind = "primary", .icon = "trace"});
    connect(open, &QPushButton::clicked, this, [this] {
        if (const QModelIndex index = profile_table_->currentIndex(); index.isValid())
            openProfile(index.row());
    });
    return make_frame("panel", make_column({1, 8, 1, 10}, 6,
                                           {make_row({12, 0, 12, 0}, {make_title(tr("Recorded profiles")), stretch()}),
                                            {profile_table_, 1},
                                            make_row({12, 0, 12, 0}, {stretch(), open})}));
}

void TracesPage::addActions() {
    addCommand("traces.previous_step", [this] { steps_->step(-1); });
    addCommand("traces.next_step", [this] { steps_->step(1); });
    addCommand("traces.next_hit", [this] { search_->go(1); });
    addCommand("traces.previous_hit", [this] { search_->go(-1); });
    addCommand("traces.open_newest", [this] { chooseFolder(); });
    of_trace_ = {addCommand("traces.compare", [this] { chooseOther(); }),
                 addCommand("traces.compare_ranks", [this] { chooseRanks(); }),
                 addCommand("traces.save_table", [this] { chooseTableFile(); }),
                 addCommand("traces.save_picture", [this] { choosePictureFile(); }),
                 addCommand("traces.save_selection", [this] { chooseSelectionFile(); }),
                 addCommand("traces.fold", [this] { foldAll(true); }),
                 addCommand("traces.unfold", [this] { foldAll(false); })};
}

/// Enables what the shown trace allows.
void TracesPage::updateActions() {
    for (QAction* action : std::as_const(of_trace_))
        action->setEnabled(trace_ != nullptr && !isReading());
    if (trace_ != nullptr && trace_->groups().size() <= 1)
        ActionCollection::instance().actionIn(this, QStringLiteral("traces.compare_ranks"))->setEnabled(false);
}

}  // namespace trainyard::desktop
