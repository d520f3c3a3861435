// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The calibration of the estimator from runs on the selected device: the correction factor, the memory of the program,
// and the source; with a button that deletes it. Read and written in another thread.

#include <map>

#include <QWidget>

#include "estimate/calibration.h"
#include "widgets/forward.h"
#include "widgets/job.h"

namespace trainyard::desktop {

class Scenario;

class CalibrationLine : public QWidget {
    Q_OBJECT
  public:
    explicit CalibrationLine(Scenario* scenario, QWidget* parent = nullptr,
                             std::filesystem::path file = estimate::calibration_file());
    /// Reads the calibration file again, for example after the end of a run, and updates the scenario.
    void refresh();
    QLabel* words() const { return words_; }

  signals:
    void failed(const QString& sentence);

  private:
    void forget();
    void show();

    Scenario* scenario_;
    std::filesystem::path file_;
    QLabel* words_;
    QPushButton* forget_;
    std::map<std::string, estimate::Calibration> known_;
    std::string device_;  ///< that is shown
    widgets::Job reading_, writing_;
};

}  // namespace trainyard::desktop
