// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How far the run is: step, bar with a tick at each checkpoint, share, time left and when it will end.

#include <QWidget>

#include "desktop/dashboard/run_record.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class ProgressLine : public QWidget {
    Q_OBJECT
  public:
    explicit ProgressLine(const RunRecord* run, QWidget* parent = nullptr);
    void refresh(double now);
    QString words() const;  ///< `46.1 % · 8 h 31 min left · ends 17:12`

  private:
    const RunRecord* run_;
    QLabel* step_;
    QLabel* of_;
    widgets::ProgressStrip* strip_;
    QLabel* share_;
    widgets::ElidedLabel* ends_;
};

}  // namespace trainyard::desktop
