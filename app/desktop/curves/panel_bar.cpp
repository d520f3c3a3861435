// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/curves/panel_bar.h"

#include <QAction>
#include <QLineEdit>
#include <QLocale>
#include <QMenu>
#include <QSlider>

#include "desktop/curves/named_layouts.h"
#include "desktop/curves/smoothing_control.h"
#include "desktop/shell/action_collection.h"
#include "desktop/shell/ui.h"
#include "widgets/local_text.h"
#include "widgets/pixels.h"
#include "widgets/room.h"
#include "widgets/segmented_control.h"

namespace trainyard::desktop {

using widgets::SegmentedControl;
using widgets::XUnit;

PanelBar::PanelBar(NamedLayouts* layouts, QWidget* parent)
    : QWidget(parent),
      named_(layouts),
      tree_(with_look(new QPushButton, {.kind = "ghost", .icon = "panel", .name = tr("Show or hide the tags")})),
      field_(make_search_field(tr("Search tags"), tr("Search tags: words or /regex/"), "search")),
      count_(make_mono_label({}, 11, Tone::Muted)),
      smoothing_(new SmoothingControl(this)),
      units_(named(new SegmentedControl({tr("Step"), tr("Time"), tr("Tokens"), tr("Epoch"), tr("Wall")}),
                   tr("Horizontal axis"))),
      axes_(new QPushButton(tr("Axes"))),
      axes_menu_(new QMenu(this)),
      sizes_(named(new SegmentedControl({tr("S"), tr("M"), tr("L")}), tr("Size of the charts"))),
      add_(with_look(new QPushButton(tr("Add panel")), {.icon = "plus"})),
      layouts_(new QPushButton(tr("Layout"))),
      layout_menu_(new QMenu(this)) {
    ActionCollection::instance().describe(tree_, "curves.tree", tr("Show or hide the tags"));
    tree_->setFixedWidth(30_px);
    field_->setMinimumWidth(90_px);
    field_->setMaximumWidth(260_px);
    units_->button(1)->setToolTip(tr("Time since the start"));
    units_->button(4)->setToolTip(tr("Date and time"));
    smoothing_->figure()->setFixedWidth(32_px);
    const auto chosen = [this](bool undoable = true) {
        if (!setting_)
            emit layoutChosen(layout_, undoable);
    };
    const auto check = [this, chosen](const QString& words, bool PanelLayout::*on) {
        QAction* action = axes_menu_->addAction(words);
        action->setCheckable(true);
        connect(action, &QAction::toggled, this, [this, chosen, on](bool checked) {
            layout_.*on = checked;
            chosen();
        });
        return action;
    };
    log_y_ = check(tr("Logarithmic vertical axis"), &PanelLayout::log_y);
    log_x_ = check(tr("Logarithmic horizontal axis"), &PanelLayout::log_x);
    clip_ = check(tr("Hide outliers"), &PanelLayout::clip);
    axes_menu_->addSeparator();
    axes_menu_->addAction(tr("Show everything"), this, &PanelBar::fitRequested);
    axes_->setMenu(axes_menu_);
    const QStringList sizes{tr("Small charts"), tr("Medium charts"), tr("Large charts")};
    for (int i = 0; i < 3; ++i) {
        sizes_->button(i)->setToolTip(sizes[i]);
        sizes_->button(i)->setAccessibleName(sizes[i]);
    }
    layouts_->setMenu(layout_menu_);
    kinds_ = new QMenu(tr("Add panel"), this);
    const std::pair<report::PanelKind, QString> offered[] = {{report::PanelKind::lines, tr("Line chart…")},
                                                             {report::PanelKind::table, tr("Table…")},
                                                             {report::PanelKind::histogram, tr("Histogram…")},
                                                             {report::PanelKind::text, tr("Text…")}};
    for (const auto& [kind, words] : offered)
        kinds_->addAction(words, this, [this, kind = kind] { emit panelRequested(kind); });
    add_->setMenu(kinds_);
    add_->setMinimumWidth(add_->fontMetrics().horizontalAdvance(add_->text()) + 60);
    QWidget* line = widgets::make_wrapping_row(8, {tree_,
                                                   {field_, 1},
                                                   count_,
                                                   stretch(),
                                                   units_,
                                                   smoothing_->word(),
                                                   smoothing_->slider(),
                                                   smoothing_->figure(),
                                                   axes_,
                                                   sizes_,
                                                   add_,
                                                   layouts_});
    line_ = static_cast<QHBoxLayout*>(line->layout());
    setLayout(make_column(QMargins(), 0, {line}));

    connect(tree_, &QPushButton::clicked, this, &PanelBar::treeToggled);
    connect(field_, &QLineEdit::textChanged, this, &PanelBar::filterChanged);
    connect(units_, &SegmentedControl::currentChanged, this, [this, chosen](int index) {
        layout_.unit = static_cast<XUnit>(index);
        chosen();
    });
    connect(sizes_, &SegmentedControl::currentChanged, this, [this, chosen](int index) {
        layout_.size = static_cast<CardSize>(index);
        chosen();
    });
    connect(smoothing_, &SmoothingControl::chosen, this, [this, chosen](double weight) {
        layout_.smoothing = weight;
        chosen(!smoothing_->slider()->isSliderDown());
    });
    connect(layout_menu_, &QMenu::aboutToShow, this, &PanelBar::fillLayoutMenu);
    setUnits(false, false);
}

void PanelBar::setLayoutShown(const PanelLayout& layout) {
    setting_ = true;
    layout_ = layout;
    units_->setCurrent(static_cast<int>(layout.unit));
    sizes_->setCurrent(static_cast<int>(layout.size));
    smoothing_->setWeight(layout.smoothing);
    log_x_->setChecked(layout.log_x);
    log_y_->setChecked(layout.log_y);
    clip_->setChecked(layout.clip);
    QStringList on;
    if (layout.log_y)
        on << tr("log y");
    if (layout.log_x)
        on << tr("log x");
    if (layout.clip)
        on << tr("clipped");
    axes_->setText(on.isEmpty() ? tr("Axes") : tr("Axes: %1").arg(widgets::list_text(on)));
    // The chevron stands right of the words.
    axes_->setMinimumWidth(axes_->fontMetrics().horizontalAdvance(axes_->text()) + 42);
    layouts_->setMinimumWidth(layouts_->fontMetrics().horizontalAdvance(layouts_->text()) + 42);
    layout_ = layout;
    setting_ = false;
}

void PanelBar::setUnits(bool tokens, bool epochs) {
    units_->button(static_cast<int>(XUnit::Tokens))->setVisible(tokens);
    units_->button(static_cast<int>(XUnit::Epoch))->setVisible(epochs);
}

void PanelBar::fillLayoutMenu() {
    layout_menu_->clear();
    named_->fill(layout_menu_);
    layout_menu_->addSeparator();
    layout_menu_->addMenu(kinds_);  // there is no room for its button on a narrow page
    layout_menu_->addAction(layout_.tree ? tr("Hide the tags") : tr("Show the tags"), this, &PanelBar::treeToggled);
    layout_menu_->addAction(tr("Reset the layout"), this, &PanelBar::resetRequested);
    layout_menu_->addSeparator();
    layout_menu_->addAction(tr("Report as HTML…"), this, &PanelBar::reportRequested);
}

void PanelBar::setCount(int shown, int all) {
    const QLocale locale;
    count_->setText(all == 0      ? QString()
                    : shown < all ? tr("%1 of %2").arg(locale.toString(shown), locale.toString(all))
                                  : tr("%Ln tags", nullptr, all));
}

void PanelBar::setProblem(const QString& sentence) {
    set_invalid(field_, !sentence.isEmpty());
    field_->setToolTip(sentence);
    field_->setAccessibleDescription(sentence);
}

void PanelBar::resizeEvent(QResizeEvent*) {
    // S switches the smoothing without its slider, too.
    widgets::spare_in_line(
        line_, width(), {smoothing_->word(), count_, sizes_, smoothing_->figure(), smoothing_->slider(), units_, add_});
}

}  // namespace trainyard::desktop
