// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/shell/undo_mirror.h"

#include <QScopedValueRollback>
#include <QUndoCommand>

#include "desktop/shell/edit_history.h"

namespace trainyard::desktop {

class UndoMirror::Step : public QUndoCommand {
  public:
    explicit Step(UndoMirror* mirror) : mirror_(mirror) {}
    void undo() override { act(&EditHistory::undo); }
    void redo() override { act(&EditHistory::redo); }

  private:
    void act(void (EditHistory::*move)()) {
        if (mirror_->acting_)
            return;
        const QScopedValueRollback<bool> guard(mirror_->acting_, true);
        (mirror_->history_->*move)();
    }
    UndoMirror* mirror_;
};

UndoMirror::UndoMirror(EditHistory* history, QObject* parent) : QUndoStack(parent), history_(history) {
    connect(history_, &EditHistory::changed, this, &UndoMirror::follow);
    follow();
}

void UndoMirror::follow() {
    const int undoable = history_->undoable(), redoable = history_->redoable();
    if (acting_ || (index() == undoable && count() == undoable + redoable))
        return;
    const QScopedValueRollback<bool> guard(acting_, true);
    if (redoable == 0 && undoable == index() + 1) {
        push(new Step(this));
        return;
    }
    clear();
    for (int step = 0; step < undoable + redoable; ++step)
        push(new Step(this));
    setIndex(undoable);
}

}  // namespace trainyard::desktop
