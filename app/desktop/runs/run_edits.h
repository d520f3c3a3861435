// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What people do to runs in the list, each step of which can be taken back: names, tags, notes, colours, the archive,
// deleting. One stack of 100 steps; the store does the work in its thread.

#include <functional>

#include <QHash>
#include <QObject>
#include <QSet>
#include <QStringList>
#include <QUndoStack>

#include "run/run_labels.h"

namespace trainyard::desktop {

class RunStore;

class RunEdits : public QObject {
    Q_OBJECT
  public:
    static constexpr int kSteps = 100;

    /// The edits of a store: the list and the pages of runs share them, so that each can be undone in the list.
    static RunEdits* of(RunStore* store);
    explicit RunEdits(RunStore* store, QObject* parent = nullptr);
    RunStore* store() const { return store_; }
    QUndoStack* stack() { return &stack_; }

    /// Changes what is written on runs; nothing happens when nothing changes.
    void change(const QString& words, const QStringList& paths, const std::function<void(run::Labels&)>& edit);
    void rename(const QString& path, const QString& name);
    /// `+x` puts a tag on all of them, `-x` takes it off, words without a sign are all the tags there shall be.
    void setTags(const QStringList& paths, const QString& words);
    void setNote(const QStringList& paths, const QString& note);
    void setColor(const QStringList& paths, int color);
    void setArchived(const QStringList& paths, bool archived);
    /// This one and no other; again: none.
    void setBaseline(const QString& path);
    /// Of a run that waits in the queue of its machine: from 1.
    void moveInQueue(const QString& path, int place);
    void remove(const QStringList& paths);

  signals:
    /// Something was done: one sentence for the line that offers to take it back.
    void done(const QString& words);

  private:
    void push(const QString& words, std::function<void()> does, std::function<void()> takes_back);
    void trashed(const QStringList& paths, const QStringList& where);
    RunStore* store_;
    QUndoStack stack_;
    QHash<QString, QString> trash_;  ///< path -> where it lies now
    QSet<QString> wanted_back_;      ///< undone before the move was
};

}  // namespace trainyard::desktop
