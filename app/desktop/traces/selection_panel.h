// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The tables of a selection: kernels, operators, calls, slices, a flame graph of the calls, and a comparison if there
// are two traces.

#include <QFrame>

#include "desktop/traces/trace_table_model.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class FlameGraph;

class SelectionPanel : public QFrame {
    Q_OBJECT
  public:
    explicit SelectionPanel(QWidget* parent = nullptr);
    /// `words`: description of the selection.
    void setSelection(const TraceSelection& selection, const QString& words);
    void setComparison(const QVector<TraceRow>& rows, const QString& words);
    void clearComparison();
    void setBusy(bool busy);
    void showTable(TraceTable table);
    TraceTable shownTable() const;
    const TraceTableModel* model() const { return model_; }
    QTableView* view() const { return view_; }
    FlameGraph* flame() const { return flame_; }
    /// The table in its current order, with full numbers in ns.
    QByteArray csv() const;
    void copy() const;

  signals:
    void rowChosen(const trainyard::desktop::TraceRow& row);
    void rowActivated(const trainyard::desktop::TraceRow& row);  ///< Enter, or a double click

  private:
    void fill();

    widgets::ElidedLabel* words_;
    widgets::SegmentedControl* tabs_;
    TraceTableModel* model_;
    QStackedWidget* stack_;
    QTableView* view_;
    FlameGraph* flame_;
    QLabel* note_;
    TraceSelection selection_;
    QVector<TraceRow> compared_;
    QString selection_words_, compared_words_;
    bool filling_ = false;
    bool filled_ = false;  ///< the columns have widths
    int sorted_by_ = -1;   ///< column that was clicked last; -1: none
    bool sorted_down_ = false;
};

}  // namespace trainyard::desktop
