#pragma once
// What a training needs on every rank before it exists: a model and devices are chosen, controls change the way of training, bars and answers follow at once.

#include "desktop/estimator/measured_table.h"
#include "desktop/page.h"
#include "widgets/job.h"

class QComboBox;
class QFrame;
class QLabel;
class QPushButton;

namespace trainyard::widgets {
class InlineMessage;
}

namespace trainyard::desktop {

class Scenario;
class WhatIfPanel;

class EstimatorPage : public Page {
    Q_OBJECT
  public:
    static constexpr const char* kKey = "estimator";  ///< in the registry of pages

    explicit EstimatorPage(QWidget* parent = nullptr);
    Scenario* scenario() const { return scenario_; }
    /// A folder, a config.json, weights or a recipe; read in another thread.
    void openModel(const QString& path);
    void setRuns(const QVector<MeasuredTable::Run>& runs) { measured_->setRuns(runs); }

    void activate(const QString& subject) override;
    QWidget* firstFocus() override;
    void primaryAction() override;
    Shortcuts shortcuts() const override;

  signals:
    /// A settings file of this way of training was written: open it in a new run.
    void newRunRequested(const QString& settingsFile);
    void runActivated(const QString& path);

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    void makeHeader();
    void makeBody();
    void addKeys();
    void showState();
    void explain(int group);
    void chooseModelFile();

    Scenario* scenario_;
    QComboBox* models_;
    QComboBox* hardware_;
    QPushButton* use_;
    widgets::InlineMessage* message_;
    WhatIfPanel* what_if_;
    MeasuredTable* measured_;
    QLabel* formula_;
    QFrame* by_batch_ = nullptr;
    int explained_ = 3;  ///< group whose formulas are shown
    widgets::Job job_;
};

}  // namespace trainyard::desktop
