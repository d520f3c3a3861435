// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/shell/undo_mirror.h"

#include <utility>

#include <QScopedValueRollback>
#include <QUndoCommand>

namespace trainyard::desktop {

class UndoMirror::Step : public QUndoCommand {
  public:
    explicit Step(UndoMirror* mirror) : mirror_(mirror) {}
    void undo() override { act(mirror_->undo_); }
    void redo() override { act(mirror_->redo_); }

  private:
    void act(const std::function<void()>& move) {
        if (mirror_->acting_)
            return;
        const QScopedValueRollback<bool> guard(mirror_->acting_, true);
        move();
    }
    UndoMirror* mirror_;
};

UndoMirror::UndoMirror(std::function<void()> undo, std::function<void()> redo, QObject* parent)
    : QUndoStack(parent), undo_(std::move(undo)), redo_(std::move(redo)) {}

void UndoMirror::follow(int undoable, int redoable) {
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
