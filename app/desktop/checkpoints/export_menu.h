// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the weights of a checkpoint can be written as: an entry each, then the question where to.

#include <QMenu>

#include "observe/inspect/checkpoint_list.h"
#include "observe/inspect/conversion.h"

namespace trainyard::desktop {

class ExportMenu : public QMenu {
    Q_OBJECT
  public:
    explicit ExportMenu(QWidget* parent);
    /// `chosen`: index of the one that is written; -1: none.
    void setShelf(const inspect::CheckpointList& checkpoint_list, int chosen);

  signals:
    /// Sources and output are set.
    void writeRequested(const inspect::Conversion& conversion);
    void refused(const QString& title, const QString& sentence);

  private:
    void addEntry(const QString& text, const QString& ending, const inspect::Conversion& conversion);
    void chooseAverage();
    void askForAll();
    void chooseTarget(const QString& title, const QString& ending, inspect::Conversion conversion);

    inspect::CheckpointList checkpoint_list_;
    int chosen_ = -1;
};

}  // namespace trainyard::desktop
