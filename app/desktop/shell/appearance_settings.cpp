// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/shell/appearance_settings.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QLocale>
#include <QMainWindow>

#include "desktop/shell/action_collection.h"
#include "desktop/shell/preferences.h"
#include "desktop/shell/ui.h"
#include "widgets/color_vision.h"
#include "widgets/field_row.h"
#include "widgets/languages.h"
#include "widgets/segmented_control.h"

namespace trainyard::desktop {

using widgets::FieldRow;
using widgets::Languages;
using widgets::SegmentedControl;

namespace {

QWidget* at_left(QWidget* widget) {
    auto* holder = make_holder(make_row({0, 0, 0, 0}, {widget, stretch()}));
    holder->setFocusProxy(widget);
    return holder;
}

}  // namespace

AppearanceSettings::AppearanceSettings(Preferences* preferences, QWidget* parent)
    : QWidget(parent),
      preferences_(preferences),
      theme_(new SegmentedControl({tr("System"), tr("Light"), tr("Dark")})),
      language_(new QComboBox),
      size_(new QComboBox),
      contrast_(new QCheckBox(tr("Black and white with strong lines"))) {
    setLayout(make_column({0, 0, 0, 0}, 12,
                          {themeRow(), languageRow(), sizeRow(), contrastRow(), menuBarRow(), trayRow(), visionRow()}));
    // Another start of the program may set another theme.
    connect(&Theme::instance(), &Theme::changed, this, &AppearanceSettings::refresh);
    refresh();
}

void AppearanceSettings::refresh() {
    const QSignalBlocker quiet(theme_);
    theme_->setCurrent(static_cast<int>(Theme::instance().choice()));
}

QWidget* AppearanceSettings::themeRow() {
    connect(theme_, &SegmentedControl::currentChanged, this, &AppearanceSettings::themeChosen);
    return new FieldRow(tr("Theme"), {}, at_left(theme_), tr("System follows the theme of the desktop"));
}

QWidget* AppearanceSettings::languageRow() {
    // Each language is named in that language, so that every user can find their own.
    language_->addItem(tr("System"), QString());
    for (const Languages::Language& each : Languages::all())
        language_->addItem(each.name, each.code);
    language_->setAccessibleName(tr("Language"));
    language_->setCurrentIndex(std::max(0, language_->findData(preferences_->language())));
    connect(language_, &QComboBox::activated, this,
            [this] { preferences_->setLanguage(language_->currentData().toString()); });
    return new FieldRow(tr("Language"), {}, at_left(language_), tr("System follows the language of the desktop"));
}

QWidget* AppearanceSettings::sizeRow() {
    for (const int percent : Preferences::kSizes)
        size_->addItem(tr("%1 %").arg(QLocale().toString(percent)), percent);
    size_->setCurrentIndex(size_->findData(preferences_->sizeOfText()));
    size_->setAccessibleName(tr("Text size"));
    connect(size_, &QComboBox::activated, this, [this] { preferences_->setSizeOfText(size_->currentData().toInt()); });
    return new FieldRow(tr("Text size"), {}, at_left(size_), tr("Scales text, icons and controls"));
}

QWidget* AppearanceSettings::contrastRow() {
    contrast_->setChecked(preferences_->highContrast());
    connect(contrast_, &QCheckBox::toggled, this, [this](bool on) {
        preferences_->setHighContrast(on);
        Theme::instance().setHighContrast(on);
    });
    return new FieldRow(tr("High contrast"), {}, contrast_, tr("For users who cannot easily distinguish greys"));
}

/// The same command as in the menu View.
QWidget* AppearanceSettings::menuBarRow() {
    auto* shown = new QCheckBox(tr("Always shown"));
    auto* row = new FieldRow(tr("Menu bar"), {}, shown, tr("A hidden menu bar is shown while Alt is used"));
    QAction* action = ActionCollection::instance().actionIn(nullptr, QStringLiteral("window.menu_bar"));
    if (action == nullptr)
        return row;
    shown->setChecked(action->isChecked());
    connect(shown, &QCheckBox::clicked, action, &QAction::trigger);
    connect(action, &QAction::toggled, shown, &QCheckBox::setChecked);
    return row;
}

QWidget* AppearanceSettings::trayRow() {
    auto* closes = new QCheckBox(tr("Keep the program in the tray"));
    closes->setChecked(preferences_->closesToTray());
    connect(closes, &QCheckBox::toggled, this, [this](bool on) { preferences_->setClosesToTray(on); });
    return new FieldRow(tr("Closing the window"), {}, closes,
                        tr("Where the desktop has a tray; the icon there shows the number of active runs"));
}

QWidget* AppearanceSettings::visionRow() {
    auto* vision = named(new SegmentedControl({tr("Usual"), tr("Without green")}), tr("Preview of colours"));
    connect(vision, &SegmentedControl::currentChanged, this, [this](int choice) {
        // A graphics effect cannot be applied to the window itself, only to its content.
        if (auto* frame_of_all = qobject_cast<QMainWindow*>(window()))
            frame_of_all->centralWidget()->setGraphicsEffect(choice == 1 ? new widgets::DeuteranopiaEffect : nullptr);
    });
    return new FieldRow(tr("Preview of colours"), {}, at_left(vision),
                        tr("Shows the window as seen with deuteranopia (without green cones), until it is closed"));
}

}  // namespace trainyard::desktop
