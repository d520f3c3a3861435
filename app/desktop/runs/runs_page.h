#pragma once
// The list of runs: segments, filter, table. Enter or a double click opens the dashboard.

#include "desktop/page.h"
#include "desktop/runs/runs_model.h"

class QLineEdit;
class QTableView;

namespace trainyard::widgets {
class SegmentedControl;
}

namespace trainyard::desktop {

class RunStore;

class RunsPage : public Page {
    Q_OBJECT
  public:
    explicit RunsPage(RunStore* store, QWidget* parent = nullptr);
    QWidget* firstFocus() override;
    void find() override;
    void primaryAction() override;
    QTableView* table() const { return table_; }
    QLineEdit* filter() const { return filter_; }
    RunsProxy* proxy() const { return proxy_; }
    QByteArray saveColumns() const;
    void restoreColumns(const QByteArray& state);

  signals:
    void runActivated(const QString& runId);
    void folderRequested(const QString& path);
    void runAgainRequested(const QString& specFile);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void storeChanged();
    void filterTyped(const QString& text);
    void openMenu(const QPoint& position);
    void copySelection() const;
    void updateEmptyText();
    void fitColumns();

    RunStore* store_;
    RunsModel* model_;
    RunsProxy* proxy_;
    QTableView* table_;
    QLineEdit* filter_;
    QLabel* complaint_;
    QLabel* nothing_;
    widgets::SegmentedControl* segments_;
};

}  // namespace trainyard::desktop
