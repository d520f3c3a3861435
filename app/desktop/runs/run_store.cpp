// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/runs/run_store.h"

#include <algorithm>

#include "desktop/runs/run_scanner.h"
#include "desktop/text/qt_text.h"
#include "run/paths.h"

namespace trainyard::desktop {

namespace {
constexpr int kMoveMs = 3000;          // for all waiters of a queue to see that its order has changed
constexpr int kLongestMoveMs = 10000;  // for those of a busy machine or a slow disk
}  // namespace

RunStore::RunStore(QObject* parent) : QObject(parent) {}

RunStore::~RunStore() {
    requests_.wait();  // finish requests that the user made just before
    // The scanner does the last wishes when it goes, after the members of this that its answers are for.
    if (scanner_)
        scanner_->disconnect(this);
}

void RunStore::start() {
    if (scanner_)
        return;
    scanner_ = std::make_shared<RunScanner>(run::runs_root());
    scanner_->setMore(more_, imported_);  // before it begins, so that the first list is whole
    connect(scanner_.get(), &RunScanner::scanned, this, &RunStore::take);
    connect(scanner_.get(), &RunScanner::failed, this, &RunStore::requestFailed);
    connect(scanner_.get(), &RunScanner::foldersUnreadable, this, [this](const QString& sentence) {
        unreadable_ = sentence;
        if (loaded_)
            emit changed();
    });
    connect(scanner_.get(), &RunScanner::trashed, this, &RunStore::trashed);
    connect(scanner_.get(), &RunScanner::restored, this, &RunStore::restored);
    connect(scanner_.get(), &RunScanner::labelsWritten, this, [this](int ticket) {
        written_.removeIf([ticket](QHash<QString, Written>::iterator entry) { return entry->ticket == ticket; });
    });
    scanning_.start([this] { return scanner_; });
}

void RunStore::ask(const std::function<void(RunScanner&)>& wish) {
    if (!scanner_)
        return;
    scanner_->ask(wish);
    scanning_.wake();
}

void RunStore::setRoot(const QString& root) {
    loaded_ = false;
    unreadable_.clear();
    keep({});
    ask([root](RunScanner& scanner) { scanner.setRoot(root); });
    emit rootsChanged();
}

void RunStore::setMore(const QStringList& roots, const QStringList& imported) {
    more_ = roots;
    imported_ = imported;
    ask([roots, imported](RunScanner& scanner) { scanner.setMore(roots, imported); });
    emit rootsChanged();
}

QStringList RunStore::roots() const {
    return QStringList{qt(run::runs_root().string())} + more_;
}

void RunStore::refresh() {
    ask([](RunScanner&) {});
}

const RunSummary* RunStore::find(const QString& id) const {
    const auto row = rows_.constFind(id);
    return row == rows_.constEnd() ? nullptr : &runs_[*row];
}

const RunSummary* RunStore::findPath(const QString& path) const {
    const auto row = path_rows_.constFind(path);
    return row == path_rows_.constEnd() ? nullptr : &runs_[*row];
}

int RunStore::liveCount() const {
    return static_cast<int>(std::ranges::count_if(runs_, &RunSummary::isLive));
}

void RunStore::keep(RunSummaries runs) {
    runs_ = std::move(runs);
    rows_.clear();
    path_rows_.clear();
    for (int row = 0; row < runs_.size(); ++row) {
        rows_.insert(runs_[row].id, row);
        path_rows_.insert(runs_[row].path, row);
    }
}

void RunStore::take(const RunSummaries& runs) {
    QVector<RunSummary> ended;
    for (const RunSummary& run : runs) {
        const RunSummary* before = run.isLive() ? nullptr : find(run.id);
        if (before != nullptr && before->isLive())
            ended << run;
    }
    keep(runs);
    // A scan that began before the newest labels were written must not restore the old labels.
    for (auto it = written_.constBegin(); it != written_.constEnd(); ++it)
        if (const auto row = path_rows_.constFind(it.key()); row != path_rows_.constEnd())
            runs_[*row].setLabels(it->labels);
    bool settled = true;
    for (auto it = moved_.constBegin(); it != moved_.constEnd(); ++it)
        if (const auto row = path_rows_.constFind(it.key());
            row != path_rows_.constEnd() && runs_[*row].queuePlace > 0 && runs_[*row].queuePlace != it.value()) {
            runs_[*row].queuePlace = it.value();
            settled = false;
        }
    // A list that was read before two moves, there and back, has the same order as after them, so the order alone does
    // not show that the moves were executed.
    const qint64 since = moved_.isEmpty() ? 0 : moved_at_.elapsed();
    if (since > (settled ? kMoveMs : kLongestMoveMs))
        moved_.clear();
    loaded_ = true;
    emit changed();
    for (const RunSummary& run : std::as_const(ended))
        emit runEnded(run);
}

void RunStore::setLabels(const QString& runPath, const run::Labels& labels) {
    const auto row = path_rows_.constFind(runPath);
    if (row == path_rows_.constEnd())
        return;
    written_.insert(runPath, {labels, ++tickets_});
    runs_[*row].setLabels(labels);
    emit changed();
    ask([runPath, labels, ticket = tickets_](RunScanner& scanner) { scanner.writeLabels(runPath, labels, ticket); });
}

void RunStore::moveToTrash(const QStringList& runPaths) {
    ask([runPaths](RunScanner& scanner) { scanner.moveToTrash(runPaths); });
}

void RunStore::restore(const QStringList& trashed) {
    ask([trashed](RunScanner& scanner) { scanner.restore(trashed); });
}

int RunStore::queueLength(const QString& queue) const {
    return static_cast<int>(
        std::ranges::count_if(runs_, [&](const RunSummary& run) { return run.queuePlace > 0 && run.queue == queue; }));
}

void RunStore::moveInQueue(const QString& runPath, int place) {
    const auto row = path_rows_.constFind(runPath);
    if (row == path_rows_.constEnd() || runs_[*row].queuePlace == 0)
        return;
    const RunSummary moved = runs_[*row];
    const int from = moved.queuePlace;
    const int to = std::clamp(place, 1, queueLength(moved.queue));
    // Renumber the runs between the two places now. The waiting processes read the new order themselves a moment later.
    for (RunSummary& run : runs_) {
        if (run.queuePlace == 0 || run.queue != moved.queue)
            continue;
        if (run.path == runPath)
            run.queuePlace = to;
        else if (run.queuePlace > from && run.queuePlace <= to)
            --run.queuePlace;
        else if (run.queuePlace < from && run.queuePlace >= to)
            ++run.queuePlace;
        moved_.insert(run.path, run.queuePlace);
    }
    moved_at_.start();
    emit changed();
    request(runPath, run::MoveRequest{to});
}

void RunStore::request(const QString& runPath, const run::RequestBody& request) {
    requests_.inOrder(
        runPath.toStdString(),
        [runPath, dropped = run::make_request(request, "desktop")] {
            run::drop_request(run::RunPaths(runPath.toStdString()), dropped);
        },
        [] {}, [this](const QString& sentence) { emit requestFailed(sentence); });
}

}  // namespace trainyard::desktop
