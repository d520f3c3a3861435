// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Settings: each change applies at once; there is no OK.

#include "desktop/shell/page.h"
#include "widgets/forward.h"
#include "widgets/job.h"

namespace trainyard::desktop {

class AppearanceSettings;
class EngineLink;
class MachinePeaks;
class Preferences;

class SettingsPage : public Page {
    Q_OBJECT
  public:
    static constexpr const char* kKey = "settings";  ///< in the registry of pages
    SettingsPage(Preferences* preferences, EngineLink* engine, MachinePeaks* peaks, QWidget* parent = nullptr);
    QWidget* firstFocus() override;
    static constexpr const char* kRunsFolder =
        "runs-folder";  ///< subject of activate(): the field of the folder for runs
    /// Shows the theme that is set now (another way to set it is the command palette).
    void activate(const QString& subject) override;
    void refresh() override;
    bool isBusy() const override { return probe_.isRunning() || asking_.isRunning(); }

  signals:
    void themeChosen(int choice);  ///< a ThemeChoice
    void runsFolderChanged(const QString& folder);
    void engineChooseRequested();
    void keepAwakeChanged();

  private:
    void addUpdates(QVBoxLayout* into);
    void askForVersion(const QString& address);
    void takeRunsFolder(const QString& folder);
    QString environmentText() const;

    Preferences* preferences_;
    EngineLink* engine_;
    AppearanceSettings* appearance_;
    QLineEdit* runs_;
    widgets::FieldRow* runs_row_;
    QScrollArea* scroll_;
    bool to_runs_ = false;  ///< the page was opened for the folder for runs
    QLineEdit* program_;
    widgets::FieldRow* program_row_;
    QLabel* about_;
    widgets::FieldRow* version_row_ = nullptr;
    QLabel* version_answer_ = nullptr;
    widgets::Job probe_;
    widgets::Job asking_;
};

}  // namespace trainyard::desktop
