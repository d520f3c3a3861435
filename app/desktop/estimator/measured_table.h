// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// "Estimate against measured": runs of this window whose estimate.json has both, newest first; read in another thread.

#include <QFrame>
#include <QVector>

#include "widgets/forward.h"
#include "widgets/job.h"

namespace trainyard::desktop {

class MeasuredTable : public QFrame {
    Q_OBJECT
  public:
    struct Run {
        QString name, path;
    };
    explicit MeasuredTable(QWidget* parent = nullptr);
    /// Newest first.
    void setRuns(const QVector<Run>& runs);

  signals:
    void runActivated(const QString& path);

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    struct Row {
        Run run;
        double estimate = 0, measured = 0, error = 0;
        QString worst;  ///< the part that was off most
    };
    void show(const QVector<Row>& rows);
    widgets::CellRows* model_;
    QTableView* table_;
    QLabel* summary_;
    widgets::Job job_;
};

}  // namespace trainyard::desktop
