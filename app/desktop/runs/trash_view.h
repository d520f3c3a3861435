#pragma once
// What was deleted and is still there: when, how much, and the two ways out. Stands in the place of the list while the segment Trash is
// chosen. All work on files runs in threads of its own. How long deleted runs are kept is set here, in place, and kept by ViewState;
// what is older goes when the program starts.

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

    /// Deletes what is older than keptDays(), then counts what is left.
    void begin();
    void refresh();
    static int keptDays();  ///< 0: for ever
    static void setKeptDays(int days);

    const std::vector<Row>& rows() const { return rows_; }
    QTableWidget* table() const { return table_; }
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
    QTableWidget* table_;
    QLabel* nothing_;
    QLabel* sum_;
    QSpinBox* days_;
    QPushButton* restore_;
    QPushButton* delete_;
    QPushButton* empty_;
    QList<QAction*> of_chosen_;
};

}  // namespace trainyard::desktop
