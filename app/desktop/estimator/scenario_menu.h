// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The button "Scenarios" of the estimator: saves the current scenario under a name; opens, compares, renames and
// deletes saved ones; writes one as files.

#include <QPushButton>

#include "desktop/estimator/saved_scenarios.h"
#include "widgets/forward.h"
#include "widgets/job.h"

namespace trainyard::desktop {

class ScenarioMenu : public QPushButton {
    Q_OBJECT
  public:
    ScenarioMenu(Scenario* scenario, SavedScenarios* kept, QWidget* parent = nullptr);

    /// These functions report errors by said().
    void keep(const QString& name);
    void rename(const QString& from, const QString& to);
    void remove(const QString& name);
    /// Reads the model in another thread; opened() or compared() come then.
    void open(const QString& name) { read(name, &ScenarioMenu::opened); }
    void compare(const QString& name) { read(name, &ScenarioMenu::compared); }
    /// Writes the current scenario as a recipe and its settings.
    void write(const QString& folder);

  signals:
    void opened(const SavedEstimate& kept);
    void compared(const SavedEstimate& kept);
    /// `problem`: true for an error message, false for a message about what was done.
    void said(const QString& sentence, bool problem);

  private:
    void fill();
    void read(const QString& name, void (ScenarioMenu::*then)(const SavedEstimate&));
    void attempt(const std::function<void()>& act);

    Scenario* scenario_;
    SavedScenarios* saved_;
    QMenu* menu_;
    widgets::Job reading_, writing_;
};

}  // namespace trainyard::desktop
