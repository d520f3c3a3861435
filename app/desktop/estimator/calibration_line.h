#pragma once
// What runs on the chosen device have taught the estimator: the factor of their estimate, the memory of the program, where it was learnt; and the button that
// forgets it. Read and written in another thread.

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
    /// Reads anew, as after the end of a run; the scenario follows.
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
