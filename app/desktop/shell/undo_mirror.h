// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A QUndoStack for a model that keeps its own history because it does not know Qt Gui: as many commands as the model
// has steps, which call its undo() and redo().

#include <functional>

#include <QUndoStack>

namespace trainyard::desktop {

class UndoMirror : public QUndoStack {
    Q_OBJECT
  public:
    UndoMirror(std::function<void()> undo, std::function<void()> redo, QObject* parent = nullptr);
    /// Follows the model after a change: the number of steps that can be undone and redone.
    void follow(int undoable, int redoable);

  private:
    class Step;
    std::function<void()> undo_, redo_;
    bool acting_ = false;  ///< the model changes because of this stack, or the stack because of the model
};

}  // namespace trainyard::desktop
