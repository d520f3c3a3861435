// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The logs of a run: which ranks, warnings or errors only, words or an expression to look for (marked, counted, or
// nothing else shown), follow the newest line, save as a file. A chosen line sends the charts to its step or time; the
// charts send a mark here.

#include <vector>

#include <QFrame>
#include <QStringList>
#include <QTimer>

#include "widgets/forward.h"
#include "widgets/job.h"
#include "widgets/plot/log_store.h"

namespace trainyard::desktop {

class LogPanel : public QFrame {
    Q_OBJECT
  public:
    explicit LogPanel(QWidget* parent = nullptr);
    void append(const std::shared_ptr<const widgets::LogBlock>& block);
    /// `places`: of the ranks in the mesh, "pp 1, tp 0"; empty: they have none.
    void setRanks(int ranks, const QStringList& places = {});
    void showRank(int rank);  ///< -2: all
    void focusFind();
    /// F3 and Shift+F3: the next, the previous line in which it was found.
    void findNext(bool down);
    /// Marks the last line at or before a wall time (seconds); not finite: none.
    void markTime(double wall_time);
    /// The wall time of the beginning of the run (seconds): log lines only tell the time of day.
    void setStart(double wall_time) { start_ = wall_time; }
    widgets::LogView* view() const { return view_; }

  signals:
    /// A line was chosen: the step it speaks of (-1: of none) and its wall time in seconds (NaN: it has none).
    void placeChosen(qint64 step, double wallTime);

  protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    enum Choice { All, OneRank, Warnings, Errors };
    void applyFilter();
    /// The ranks that the field names: numbers, or coordinates such as "pp 1".
    std::vector<int> chosenRanks(QString& problem) const;
    void refreshCounts();
    void refreshFound();
    void choose(int row);
    void openLine(int row);
    void openMenu(const QPoint& position);
    void save();
    void saveTo(const QString& file);
    /// Midnight before the run's first log line, in wall seconds.
    double midnight() const;

    widgets::LogView* view_;
    widgets::SegmentedControl* choice_;
    QComboBox* rank_;
    QLineEdit* find_;
    QCheckBox* follow_;
    QLabel* count_;
    QLabel* found_;
    QToolButton* up_;
    QToolButton* down_;
    QToolButton* only_;
    QPlainTextEdit* whole_;  ///< one line, all of it
    QTimer typing_;
    widgets::Job saving_;
    double start_ = 0;
    int ranks_ = 0;
    QStringList places_;
};

}  // namespace trainyard::desktop
