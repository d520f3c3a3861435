// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Which columns the list of runs has: those that are always there, any key of run.yaml, any metric. A field to seek in and a tree to tick.

#include <QFrame>

#include "desktop/runs/run_summary.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

/// Every key of run.yaml and every metric that some run has. Keys whose value is not the same in all runs come first.
struct KnownNames {
    QStringList keys;
    int differing = 0;  ///< so many of the keys, from the front
    QStringList metrics;
};
KnownNames knownNames(const RunSummaries& runs);

class ColumnsPopup : public QFrame {
    Q_OBJECT
  public:
    struct Fixed {
        int column = 0;
        QString title;
        bool shown = true;
    };
    ColumnsPopup(const QVector<Fixed>& fixed, const KnownNames& known, const QStringList& extra, QWidget* parent);
    void popup(const QPoint& place);

  signals:
    void fixedToggled(int column, bool shown);
    void extraToggled(const QString& name, bool shown);

  private:
    void seek(const QString& words);
    QLineEdit* field_;
    QTreeWidget* tree_;
};

}  // namespace trainyard::desktop
