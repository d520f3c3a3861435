// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One slice: when, how long, where, its arguments, and what it is joined with. Arguments are read from the file in
// another thread.

#include <memory>

#include <QWidget>

#include "desktop/traces/opened_trace.h"
#include "widgets/forward.h"
#include "widgets/job.h"

namespace trainyard::desktop {

class SlicePanel : public QWidget {
    Q_OBJECT
  public:
    explicit SlicePanel(QWidget* parent = nullptr);
    /// Not valid: no slice.
    void setSlice(std::shared_ptr<const OpenedTrace> trace, const widgets::TimelinePlace& place);

  signals:
    void placeRequested(const trainyard::widgets::TimelinePlace& place);

  private:
    using Arguments = std::vector<std::pair<std::string, std::string>>;
    void showRows(const Arguments& arguments);

    std::shared_ptr<const OpenedTrace> trace_;
    widgets::TimelinePlace place_, linked_, last_;
    widgets::ElidedLabel* name_;
    widgets::CellRows* rows_;
    QTableView* table_;
    QPushButton* to_linked_;
    QPushButton* to_last_;
    widgets::Job job_;
};

}  // namespace trainyard::desktop
