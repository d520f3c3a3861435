// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a training needs on every rank before it exists: a model and devices are chosen, controls change the way of
// training, bars and answers follow at once.

#include "desktop/estimator/measured_table.h"
#include "desktop/estimator/model_choices.h"
#include "desktop/shell/page.h"
#include "widgets/forward.h"
#include "widgets/job.h"

namespace trainyard::desktop {

class CalibrationLine;
class ComparePanel;
class HubField;
class ScenarioMenu;
class SavedScenarios;
class Scenario;
class WhatIfPanel;
struct SavedEstimate;

class EstimatorPage : public Page {
    Q_OBJECT
  public:
    static constexpr const char* kKey = "estimator";  ///< in the registry of pages

    /// `keptFile`: of the kept scenarios; empty: that of the application's data. `scenario`: one that outlives the
    /// page, which shows it as it is; null: one of its own.
    explicit EstimatorPage(QWidget* parent = nullptr, const QString& keptFile = {}, Scenario* scenario = nullptr);
    /// A folder, a config.json, weights, a recipe, or a name on the hub; read in another thread.
    void openModel(const QString& path);
    /// Of a run that has ended, what it measured counts from now on, too.
    void setRuns(const QVector<MeasuredTable::Run>& runs);

    void activate(const QString& subject) override;
    bool isBusy() const override { return job_.isRunning() || restoring_.isRunning(); }
    QWidget* firstFocus() override;
    void primaryAction() override;

  signals:
    /// A settings file of this way of training was written: open it in a new run.
    void newRunRequested(const QString& recipeFile, const QString& settingsFile, const QString& unsaid, bool fits);
    void runActivated(const QString& path);

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    void makeHeader();
    void makeBody();
    void addActions();
    void showModel(const QString& path, const QString& name);
    void openKept(const SavedEstimate& kept);
    /// Opens the scenario of the last session, unless the user has changed something meanwhile.
    void restore();
    void remember();
    /// Selects the devices of the scenario in the list without changing it.
    void showHardware();
    void arrange();
    void say(const QString& sentence, bool problem);
    void explain(int group);
    void chooseModelFile();
    void showChosen();

    Scenario* scenario_;
    SavedScenarios* saved_;
    ScenarioMenu* scenario_menu_;
    ComparePanel* compare_;
    CalibrationLine* calibration_;
    QComboBox* models_;
    QComboBox* hardware_;
    QPushButton* use_;
    widgets::InlineMessage* message_;
    HubField* hub_;
    WhatIfPanel* what_if_;
    MeasuredTable* measured_;
    QLabel* formula_;
    QFrame* by_batch_ = nullptr;
    int explained_ = 3;  ///< group whose formulas are shown
    QVector<HardwareChoice> devices_;
    bool remembers_ = false;  ///< changes are stored for the next session
    widgets::Job job_, restoring_;
};

}  // namespace trainyard::desktop
