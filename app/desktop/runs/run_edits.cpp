// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/runs/run_edits.h"

#include <algorithm>

#include <QRegularExpression>
#include <QUndoCommand>

#include "desktop/runs/run_store.h"
#include "widgets/local_text.h"

namespace trainyard::desktop {

namespace {
struct Change {
    QString path;
    run::Labels before, after;
};

/// One step of the stack.
class EditStep : public QUndoCommand {
  public:
    using Work = std::function<void()>;
    EditStep(const QString& words, Work does, Work takes_back)
        : QUndoCommand(words), does_(std::move(does)), takes_back_(std::move(takes_back)) {}
    void redo() override { does_(); }
    void undo() override { takes_back_(); }

  private:
    Work does_, takes_back_;
};
}  // namespace

RunEdits* RunEdits::of(RunStore* store) {
    auto* edits = store->findChild<RunEdits*>(QString(), Qt::FindDirectChildrenOnly);
    return edits != nullptr ? edits : new RunEdits(store, store);
}

RunEdits::RunEdits(RunStore* store, QObject* parent) : QObject(parent), store_(store) {
    stack_.setUndoLimit(kSteps);
    connect(store_, &RunStore::trashed, this, &RunEdits::trashed);
}

void RunEdits::push(const QString& words, std::function<void()> does, std::function<void()> takes_back) {
    stack_.push(new EditStep(words, std::move(does), std::move(takes_back)));
    emit done(words);
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
            continue;  // a folder of another program, or a missing one: nothing is written there
        Change change{path, run->labels(), run->labels()};
        edit(change.after);
        if (change.after != change.before)
            changes << change;
    }
    if (changes.isEmpty())
        return;
    const auto write = [this, changes](run::Labels Change::*labels) {
        return [this, changes, labels] {
            for (const Change& one : changes)
                store_->setLabels(one.path, one.*labels);
        };
    };
    push(words, write(&Change::after), write(&Change::before));
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
    change(archived ? tr("%Ln archived", nullptr, static_cast<int>(paths.size()))
                    : tr("%Ln unarchived", nullptr, static_cast<int>(paths.size())),
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
    push(
        tr("%1 is number %2 in the queue").arg(run->name).arg(to), [this, path, to] { store_->moveInQueue(path, to); },
        [this, path, from = run->queuePlace] { store_->moveInQueue(path, from); });
}

void RunEdits::remove(const QStringList& paths) {
    QStringList over;
    QStringList live;
    for (const QString& path : paths)
        if (const RunSummary* run = store_->findPath(path); run != nullptr && run->isOurs())
            (run->isLive() ? live : over) << (run->isLive() ? run->name : path);
    if (!live.isEmpty())
        emit store_->requestFailed(tr("%1 is running. Stop it before deleting it.").arg(widgets::list_text(live)));
    if (over.isEmpty())
        return;
    push(
        over.size() == 1 ? tr("1 run moved to the trash") : tr("%1 runs moved to the trash").arg(over.size()),
        [this, over] {
            for (const QString& path : over)
                wanted_back_.remove(path);
            store_->moveToTrash(over);
        },
        [this, over] {
            QStringList where;
            for (const QString& path : over)
                if (const QString folder = trash_.take(path); !folder.isEmpty())
                    where << folder;
                else
                    wanted_back_.insert(path);
            store_->restore(where);
        });
}

}  // namespace trainyard::desktop
