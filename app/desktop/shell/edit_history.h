// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The undo history of a model without widgets: steps that were made, each with what undoes and repeats it. A window
// shows it to Undo and Redo by an UndoMirror. GUI thread only.

#include <functional>
#include <vector>

#include <QElapsedTimer>
#include <QObject>
#include <QString>

namespace trainyard::desktop {

class EditHistory : public QObject {
    Q_OBJECT
  public:
    static constexpr std::size_t kSteps = 100;
    static constexpr int kJoinMs = 2000;  ///< typing into the same field within this time is one step
    struct Step {
        std::function<void()> undo, redo;
    };
    using QObject::QObject;

    /// Adds a change that was made. One that joins() the newest step changes only what Redo repeats. Changes that an
    /// undo or redo causes are not added.
    void add(Step step, const QString& field = {});
    /// Whether a change of this field now is part of the newest step. Always false for an empty field.
    bool joins(const QString& field) const;
    /// Removes the newest step, e.g. because typing restored the value before it.
    void dropLast();
    /// The next change of the same field is a step of its own.
    void endEdit() { field_.clear(); }
    /// Changes between begin() and end() are one step. Pairs may be nested. Returns whether the outermost pair added a
    /// step.
    void begin() { ++depth_; }
    bool end();

    void undo();
    void redo();
    void clear();
    int undoable() const { return static_cast<int>(done_.size()); }
    int redoable() const { return static_cast<int>(undone_.size()); }

  signals:
    /// The number of steps that can be undone or redone may have changed.
    void changed();

  private:
    void move(std::vector<Step>& from, std::vector<Step>& to, std::function<void()> Step::*act);
    std::vector<Step> done_, undone_;
    std::vector<Step> group_;  ///< since begin()
    int depth_ = 0;
    bool moving_ = false;
    QString field_;  ///< of the newest step, while it can be joined
    QElapsedTimer since_;
};

}  // namespace trainyard::desktop
