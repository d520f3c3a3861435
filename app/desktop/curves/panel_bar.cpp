#include "desktop/curves/panel_bar.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QMenu>
#include <QPushButton>
#include <QSlider>
#include <QStyle>

#include "desktop/curves/named_layouts.h"
#include "widgets/label.h"
#include "widgets/room.h"
#include "widgets/segmented_control.h"
#include "widgets/theme.h"

namespace trainyard::desktop {

using widgets::SegmentedControl;
using widgets::Theme;
using widgets::Tone;
using widgets::XUnit;

namespace {
constexpr int kSliderSteps = 1000;
}  // namespace

PanelBar::PanelBar(NamedLayouts* layouts, QWidget* parent)
    : QWidget(parent),
      named_(layouts),
      tree_(new QPushButton),
      field_(new QLineEdit),
      count_(widgets::make_mono_label({}, 11, Tone::Muted)),
      smoothing_word_(widgets::make_label(tr("Smoothing"), 12, QFont::Normal, Tone::Secondary)),
      smoothing_(new QSlider(Qt::Horizontal)),
      weight_(widgets::make_mono_label({}, 12)),
      units_(new SegmentedControl({tr("Step"), tr("Time"), tr("Tokens"), tr("Epoch"), tr("Wall")})),
      axes_(new QPushButton(tr("Axes"))),
      axes_menu_(new QMenu(this)),
      sizes_(new SegmentedControl({tr("S"), tr("M"), tr("L")})),
      layouts_(new QPushButton(tr("Layout"))),
      layout_menu_(new QMenu(this)) {
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(8);
    tree_->setProperty("kind", QStringLiteral("ghost"));
    tree_->setFixedWidth(30);
    tree_->setToolTip(tr("Show or hide the tags (T)"));
    tree_->setAccessibleName(tr("Show or hide the tags"));
    Theme::instance().bindIcon(tree_, QStringLiteral("panel"));
    line->addWidget(tree_);
    field_->setPlaceholderText(tr("Search tags: words or /regex/"));
    field_->setAccessibleName(tr("Search tags"));
    field_->setClearButtonEnabled(true);
    field_->setToolTip(field_->placeholderText());
    field_->setMinimumWidth(60);
    field_->setMaximumWidth(260);
    line->addWidget(field_, 1);
    line->addWidget(count_);
    line->addStretch();
    units_->setAccessibleName(tr("Horizontal axis"));
    units_->button(1)->setToolTip(tr("Time since the start"));
    units_->button(4)->setToolTip(tr("Date and time"));
    line->addWidget(units_);
    line->addWidget(smoothing_word_);
    smoothing_->setRange(0, kSliderSteps - 1);
    smoothing_->setFixedWidth(84);
    smoothing_->setAccessibleName(tr("Smoothing weight"));
    smoothing_->setToolTip(tr("Exponential moving average, as TensorBoard draws it. S switches it off and on."));
    line->addWidget(smoothing_);
    weight_->setFixedWidth(32);
    line->addWidget(weight_);
    auto check = [this](const QString& words) {
        QAction* action = axes_menu_->addAction(words);
        action->setCheckable(true);
        return action;
    };
    log_y_ = check(tr("Logarithmic vertical axis"));
    log_x_ = check(tr("Logarithmic horizontal axis"));
    clip_ = check(tr("Leave outliers out"));
    axes_menu_->addSeparator();
    connect(axes_menu_->addAction(tr("Show everything")), &QAction::triggered, this, &PanelBar::fitRequested);
    axes_->setMenu(axes_menu_);
    line->addWidget(axes_);
    sizes_->setAccessibleName(tr("Size of the charts"));
    const QStringList sizes{tr("Small charts"), tr("Medium charts"), tr("Large charts")};
    for (int i = 0; i < 3; ++i) {
        sizes_->button(i)->setToolTip(sizes[i]);
        sizes_->button(i)->setAccessibleName(sizes[i]);
    }
    line->addWidget(sizes_);
    layouts_->setMenu(layout_menu_);
    line->addWidget(layouts_);

    connect(tree_, &QPushButton::clicked, this, &PanelBar::treeToggled);
    connect(field_, &QLineEdit::textChanged, this, &PanelBar::filterChanged);
    auto chosen = [this](bool undoable = true) {
        if (!setting_)
            emit layoutChosen(layout_, undoable);
    };
    connect(units_, &SegmentedControl::currentChanged, this, [this, chosen](int index) {
        layout_.unit = static_cast<XUnit>(index);
        chosen();
    });
    connect(sizes_, &SegmentedControl::currentChanged, this, [this, chosen](int index) {
        layout_.size = static_cast<CardSize>(index);
        chosen();
    });
    connect(smoothing_, &QSlider::valueChanged, this, [this, chosen](int value) {
        layout_.smoothing = static_cast<double>(value) / kSliderSteps;
        weight_->setText(QLocale().toString(layout_.smoothing, 'f', 2));
        chosen(!smoothing_->isSliderDown());
    });
    connect(log_x_, &QAction::toggled, this, [this, chosen](bool on) {
        layout_.log_x = on;
        chosen();
    });
    connect(log_y_, &QAction::toggled, this, [this, chosen](bool on) {
        layout_.log_y = on;
        chosen();
    });
    connect(clip_, &QAction::toggled, this, [this, chosen](bool on) {
        layout_.clip = on;
        chosen();
    });
    connect(layout_menu_, &QMenu::aboutToShow, this, &PanelBar::fillLayoutMenu);
    setUnits(false, false);
}

void PanelBar::setLayoutShown(const PanelLayout& layout) {
    setting_ = true;
    layout_ = layout;
    units_->setCurrent(static_cast<int>(layout.unit));
    sizes_->setCurrent(static_cast<int>(layout.size));
    if (!smoothing_->isSliderDown())
        smoothing_->setValue(static_cast<int>(layout.smoothing * kSliderSteps + 0.5));
    weight_->setText(QLocale().toString(layout.smoothing, 'f', 2));
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
    axes_->setText(on.isEmpty() ? tr("Axes") : tr("Axes: %1").arg(on.join(QStringLiteral(", "))));
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
    connect(layout_menu_->addAction(layout_.tree ? tr("Hide the tags") : tr("Show the tags")), &QAction::triggered,
            this, &PanelBar::treeToggled);
    connect(layout_menu_->addAction(tr("Reset the layout")), &QAction::triggered, this, &PanelBar::resetRequested);
}

void PanelBar::setCount(int shown, int all) {
    const QLocale locale;
    count_->setText(all == 0      ? QString()
                    : shown < all ? tr("%1 of %2").arg(locale.toString(shown), locale.toString(all))
                                  : tr("%Ln tags", nullptr, all));
}

void PanelBar::setProblem(const QString& sentence) {
    field_->setProperty("invalid", !sentence.isEmpty());
    field_->setToolTip(sentence);
    field_->setAccessibleDescription(sentence);
    field_->style()->unpolish(field_);
    field_->style()->polish(field_);
}

void PanelBar::resizeEvent(QResizeEvent*) {
    // S switches the smoothing without its slider, too.
    widgets::spare_in_line(static_cast<QHBoxLayout*>(layout()), width(),
                           {smoothing_word_, count_, sizes_, weight_, smoothing_, units_});
}

}  // namespace trainyard::desktop
