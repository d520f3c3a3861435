// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What to record of a run's next steps: Accelerate's ProfileKwargs, as far as a running run takes them. Says which steps that will be.

#include <cstdint>

#include <QDialog>

#include "run/request_body.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class ProfileDialog : public QDialog {
    Q_OBJECT
  public:
    /// `step`: the last one that the run has made.
    explicit ProfileDialog(std::int64_t step, QWidget* parent = nullptr);
    /// Updates the last step of the run, which continues while the dialog is open.
    void setStep(std::int64_t step);
    run::ProfileRequest request() const;
    /// Whether the user wants to see the trace as soon as it is recorded.
    bool opensTrace() const;
    /// "Steps 12 to 21 are recorded."
    QString words() const;

  private:
    QSpinBox* number(QGridLayout* grid, const QString& name, const char* key, std::int64_t least, std::int64_t most,
                     int value, const QString& help);
    void refresh();

    std::int64_t step_;
    QSpinBox *active_, *warmup_, *wait_, *repeat_, *skip_first_;
    QCheckBox *shapes_, *memory_, *flops_, *open_;
    QLabel* words_;
};

}  // namespace trainyard::desktop
