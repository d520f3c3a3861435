// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the window looks like: theme, language, size, contrast. A part of the settings. Changes take effect at
// once; in another language or text size the window makes its pages again (window_renewal.h).

#include <QWidget>

#include "widgets/forward.h"

namespace trainyard::desktop {

class Preferences;

class AppearanceSettings : public QWidget {
    Q_OBJECT
  public:
    explicit AppearanceSettings(Preferences* preferences, QWidget* parent = nullptr);
    /// Shows the theme that is set now (another way to set it is the command palette).
    void refresh();

    widgets::SegmentedControl* theme() const { return theme_; }

  signals:
    void themeChosen(int choice);  ///< a ThemeChoice

  private:
    QWidget* themeRow();
    QWidget* languageRow();
    QWidget* sizeRow();
    QWidget* contrastRow();
    QWidget* menuBarRow();
    QWidget* trayRow();
    QWidget* visionRow();

    Preferences* preferences_;
    widgets::SegmentedControl* theme_;
    QComboBox* language_;
    QComboBox* size_;
    QCheckBox* contrast_;
};

}  // namespace trainyard::desktop
