// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The QUndoStack of a model without Qt Gui: as many commands as its EditHistory has steps.

#include <QUndoStack>

namespace trainyard::desktop {

class EditHistory;

class UndoMirror : public QUndoStack {
    Q_OBJECT
  public:
    explicit UndoMirror(EditHistory* history, QObject* parent = nullptr);

  private:
    class Step;
    void follow();
    EditHistory* history_;
    bool acting_ = false;  ///< the history changes because of this stack, or the stack because of the history
};

}  // namespace trainyard::desktop
