#include "desktop/runs/run_edits.h"

#include <algorithm>

#include <QRegularExpression>
#include <QUndoCommand>

#include "desktop/runs/run_store.h"

namespace trainyard::desktop {

namespace {
struct Change {
    QString path;
    run::Labels before, after;
};

class ChangeLabels : public QUndoCommand {
  public:
    ChangeLabels(RunStore* store, const QString& words, QVector<Change> changes)
        : QUndoCommand(words), store_(store), changes_(std::move(changes)) {}
    void redo() override {
        for (const Change& change : changes_)
            store_->setLabels(change.path, change.after);
    }
    void undo() override {
        for (const Change& change : changes_)
            store_->setLabels(change.path, change.before);
    }

  private:
    RunStore* store_;
    QVector<Change> changes_;
};

class MoveInQueue : public QUndoCommand {
  public:
    MoveInQueue(RunStore* store, const QString& words, QString path, int from, int to)
        : QUndoCommand(words), store_(store), path_(std::move(path)), from_(from), to_(to) {}
    void redo() override { store_->moveInQueue(path_, to_); }
    void undo() override { store_->moveInQueue(path_, from_); }

  private:
    RunStore* store_;
    QString path_;
    int from_, to_;
};
}  // namespace

class RemoveRuns : public QUndoCommand {
  public:
    RemoveRuns(RunEdits* edits, const QString& words, QStringList paths)
        : QUndoCommand(words), edits_(edits), paths_(std::move(paths)) {}
    void redo() override {
        for (const QString& path : paths_)
            edits_->wanted_back_.remove(path);
        edits_->store_->moveToTrash(paths_);
    }
    void undo() override {
        QStringList where;
        for (const QString& path : paths_)
            if (const QString folder = edits_->trash_.take(path); !folder.isEmpty())
                where << folder;
            else
                edits_->wanted_back_.insert(path);
        edits_->store_->restore(where);
    }

  private:
    RunEdits* edits_;
    QStringList paths_;
};

RunEdits::RunEdits(RunStore* store, QObject* parent) : QObject(parent), store_(store) {
    stack_.setUndoLimit(kSteps);
    connect(store_, &RunStore::trashed, this, &RunEdits::trashed);
}

void RunEdits::trashed(const QStringList& paths, const QStringList& where) {
    QStringList back;
    for (int i = 0; i < paths.size(); ++i)
        if (wanted_back_.remove(paths[i]))
            back << where[i];
        else
            trash_.insert(paths[i], where[i]);
    if (!back.isEmpty())
        store_->restore(back);
}

void RunEdits::change(const QString& words, const QStringList& paths, const std::function<void(run::Labels&)>& edit) {
    QVector<Change> changes;
    for (const QString& path : paths) {
        const RunSummary* run = store_->findPath(path);
        if (run == nullptr || !run->isOurs())
            continue;  // somebody else's folder: nothing is written there
        Change change{path, run->labels(), run->labels()};
        edit(change.after);
        if (change.after != change.before)
            changes << change;
    }
    if (changes.isEmpty())
        return;
    stack_.push(new ChangeLabels(store_, words, std::move(changes)));
    emit done(words);
}

void RunEdits::rename(const QString& path, const QString& name) {
    change(name.isEmpty() ? tr("Name reset") : tr("Renamed to %1").arg(name), {path},
           [&](run::Labels& labels) { labels.name = name.toStdString(); });
}

void RunEdits::setTags(const QStringList& paths, const QString& words) {
    static const QRegularExpression between(QStringLiteral("[\\s,]+"));
    const QStringList list = words.split(between, Qt::SkipEmptyParts);
    const bool whole = std::none_of(list.begin(), list.end(), [](const QString& word) {
        return word.startsWith(QLatin1Char('+')) || word.startsWith(QLatin1Char('-'));
    });
    change(tr("Tags changed"), paths, [&](run::Labels& labels) {
        if (whole)
            labels.tags.clear();
        for (const QString& word : list) {
            if (word.startsWith(QLatin1Char('-')))
                run::remove_tag(labels, word.mid(1).toStdString());
            else
                run::add_tag(labels, (word.startsWith(QLatin1Char('+')) ? word.mid(1) : word).toStdString());
        }
    });
}

void RunEdits::setNote(const QStringList& paths, const QString& note) {
    change(tr("Note changed"), paths, [&](run::Labels& labels) { labels.note = note.trimmed().toStdString(); });
}

void RunEdits::setColor(const QStringList& paths, int color) {
    change(tr("Colour changed"), paths, [&](run::Labels& labels) { labels.color = color; });
}

void RunEdits::setArchived(const QStringList& paths, bool archived) {
    change(archived ? tr("%n archived", nullptr, static_cast<int>(paths.size()))
                    : tr("%n unarchived", nullptr, static_cast<int>(paths.size())),
           paths, [&](run::Labels& labels) { labels.archived = archived; });
}

void RunEdits::setBaseline(const QString& path) {
    const RunSummary* chosen = store_->findPath(path);
    if (chosen == nullptr)
        return;
    const bool on = !chosen->baseline;
    QStringList paths{path};
    for (const RunSummary& run : store_->runs())
        if (run.baseline && run.path != path)
            paths << run.path;
    int at = 0;
    change(on ? tr("%1 is the baseline").arg(chosen->name) : tr("No baseline"), paths,
           [&](run::Labels& labels) { labels.baseline = at++ == 0 && on; });
}

void RunEdits::moveInQueue(const QString& path, int place) {
    const RunSummary* run = store_->findPath(path);
    if (run == nullptr || run->queuePlace == 0)
        return;
    const int to = std::clamp(place, 1, store_->queueLength(run->queue));
    if (to == run->queuePlace)
        return;
    const QString words = tr("%1 is number %2 in the queue").arg(run->name).arg(to);
    stack_.push(new MoveInQueue(store_, words, path, run->queuePlace, to));
    emit done(words);
}

void RunEdits::remove(const QStringList& paths) {
    QStringList over;
    QStringList live;
    for (const QString& path : paths)
        if (const RunSummary* run = store_->findPath(path); run != nullptr && run->isOurs())
            (run->isLive() ? live : over) << (run->isLive() ? run->name : path);
    if (!live.isEmpty())
        emit store_->requestFailed(
            tr("%1 is running. Stop it before deleting it.").arg(live.join(QStringLiteral(", "))));
    if (over.isEmpty())
        return;
    const QString words =
        over.size() == 1 ? tr("1 run moved to the trash") : tr("%1 runs moved to the trash").arg(over.size());
    stack_.push(new RemoveRuns(this, words, over));
    emit done(words);
}

}  // namespace trainyard::desktop
