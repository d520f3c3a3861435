// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The dialog that lists all commands with their shortcuts and changes them. A change takes effect at once; a shortcut
// that another command has is assigned only after the dialog has named that command.

#include <QDialog>

#include "widgets/forward.h"

class QKeySequenceEdit;
class QSortFilterProxyModel;

namespace trainyard::desktop {

class ShortcutModel;

class ShortcutEditor : public QDialog {
    Q_OBJECT
  public:
    explicit ShortcutEditor(QWidget* parent = nullptr);
    QTableView* table() const { return table_; }
    QKeySequenceEdit* field() const { return field_; }

  private:
    void connectParts();
    QString chosen() const;
    QKeySequence typed() const;
    void showChosen();
    void showProblem();

    ShortcutModel* model_;
    QSortFilterProxyModel* proxy_;
    QLineEdit* search_;
    QTableView* table_;
    QKeySequenceEdit* field_;
    QPushButton* assign_;
    QPushButton* remove_;
    QPushButton* reset_;
    QPushButton* reset_all_;
    QLabel* problem_;
};

}  // namespace trainyard::desktop
