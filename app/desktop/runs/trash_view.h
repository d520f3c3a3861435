// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Deleted runs that still exist: when they were deleted, their size, and actions to restore or remove them. Shown
// instead of the list while the segment Trash is selected. All file operations run in threads. How long deleted runs
// are kept is set here and saved by ViewState; older ones are removed when the program starts.

#include <vector>

#include <QWidget>

#include "run/trash.h"
#include "widgets/forward.h"
#include "widgets/job.h"

namespace trainyard::desktop {

class RunStore;

class TrashView : public QWidget {
    Q_OBJECT
  public:
    struct Row {
        run::TrashedRun run;
        QString name;
        quint64 bytes = 0;
    };

    explicit TrashView(RunStore* store, QWidget* parent = nullptr);

    /// Deletes runs older than keptDays(), then counts the remaining ones.
    void begin();
    void refresh();
    static int keptDays();  ///< 0: for ever
    static void setKeptDays(int days);

    const std::vector<Row>& rows() const { return rows_; }
    QTableView* table() const { return table_; }
    void restoreChosen();
    /// After the question.
    void deleteForGood(const std::vector<Row>& rows);

  signals:
    void counted(int runs);
    void failed(const QString& sentence);

  private:
    void show(std::vector<Row> rows);
    void thenRefresh(std::function<void()> work);
    void copyPaths();
    void askToDelete(const std::vector<Row>& rows);
    std::vector<Row> chosen() const;
    QStringList chosenFolders() const;
    void updateButtons();

    RunStore* store_;
    std::vector<Row> rows_;
    widgets::Job reading_, deleting_;
    widgets::CellRows* model_;
    QTableView* table_;
    QLabel* empty_label_;
    QLabel* sum_;
    QSpinBox* days_;
    QPushButton* restore_;
    QPushButton* delete_;
    QPushButton* empty_;
    QList<QAction*> of_chosen_;
};

}  // namespace trainyard::desktop
