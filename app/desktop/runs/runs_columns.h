// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The columns of the list of runs: which ones are shown, how wide they are, what the list is sorted by, and their texts
// for other programs.

#include <QJsonValue>
#include <QSet>

#include "desktop/runs/runs_proxy.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

struct KnownNames;

class RunsColumns : public QObject {
    Q_OBJECT
  public:
    /// `table` shows `proxy`, and owns this.
    RunsColumns(QTableView* table, RunsModel* model, RunsProxy* proxy);

    void setShown(int column, bool shown);
    void setExtra(const QString& name, bool shown);
    /// In a narrow list the least telling columns are hidden rather than half of the table.
    void fit();
    /// Lets the user choose, below the right end of `button`.
    void openChooser(const KnownNames& names, QWidget* button);
    /// The keys of the shown columns, then the texts of each of these rows that is a run.
    QVector<QStringList> texts(const QVector<int>& rows) const;
    void restore(const QJsonObject& view);

  signals:
    /// A value of the view that is to be kept.
    void changed(const QString& name, const QJsonValue& value);

  private:
    void sortClicked(int column);
    void keep();

    QTableView* table_;
    RunsModel* model_;
    RunsProxy* proxy_;
    QSet<int> hidden_;  ///< by the user
    bool restoring_ = true;
};

}  // namespace trainyard::desktop
