// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Messages over the lower edge of the list of runs, so that no row moves for them: a folder that cannot be read,
// changes of the list that wait, what was just done, and rows left out by a brush; and below the filter why it cannot
// be read.

#include <QFrame>
#include <QTimer>

#include "desktop/runs/runs_proxy.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class RunMessages : public QFrame {
    Q_OBJECT
  public:
    /// A child of `table`, which may be any widget, as `filter` may.
    RunMessages(QWidget* table, QWidget* filter);
    /// Folders of runs that cannot be read; an empty sentence hides the line.
    void showFolders(const QString& sentence);
    /// An empty sentence hides the complaint.
    void showComplaint(const QString& sentence);
    /// Changes of the list that wait until the pointer leaves it.
    void showWaiting(const RunsProxy::Waiting& waiting);
    /// `inside` of `compared` runs are inside the ranges of the sweep; `any`: there are ranges.
    void showBrushed(bool any, int inside, int compared);
    /// Shows for ten seconds what was done, with Undo if `undoable`.
    void tell(const QString& words, bool undoable = true);
    void hideTold();

  signals:
    void undoRequested();
    void updateRequested();
    /// All runs are to be shown, inside the ranges or not.
    void allRequested();

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void show(QWidget* line, bool shown);
    void place();
    void placeComplaint();

    QWidget *table_, *filter_;
    QFrame* complaint_box_ = nullptr;  ///< over the page, as wide as its sentence needs
    QLabel *folders_, *complaint_;
    QWidget *waiting_, *told_, *brushed_;  ///< lines
    QLabel *waiting_words_, *told_words_, *brushed_words_;
    QPushButton* undo_;
    QTimer told_until_;
};

}  // namespace trainyard::desktop
