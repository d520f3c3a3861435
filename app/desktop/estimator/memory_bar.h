// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The parts of a rank's memory as one bar, with a mark at the available memory.

#include <QWidget>

#include "desktop/estimator/memory_groups.h"

namespace trainyard::desktop {

class MemoryBar : public QWidget {
  public:
    explicit MemoryBar(QWidget* parent = nullptr);
    /// `limit` in bytes, 0: not known. The excess is hatched.
    void show(const MemoryGroups& parts, double limit, bool dim = false);

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    MemoryGroups parts_{};
    double limit_ = 0;
    bool dim_ = false;
};

}  // namespace trainyard::desktop
