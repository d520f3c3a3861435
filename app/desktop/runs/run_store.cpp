#include "desktop/runs/run_store.h"

#include <algorithm>

#include "base/error.h"
#include "desktop/runs/run_scanner.h"
#include "run/paths.h"
#include "run/request.h"
#include "widgets/job.h"

namespace trainyard::desktop {

namespace {
constexpr int kMoveMs = 3000;  // for all waiters of a queue to see that its order has changed
}

RunStore::RunStore(QObject* parent) : QObject(parent) {
    thread_.setObjectName(QStringLiteral("runs"));
}

RunStore::~RunStore() {
    thread_.quit();
    thread_.wait();
}

void RunStore::start() {
    if (thread_.isRunning())
        return;
    auto* scanner = new RunScanner(run::runs_root());
    scanner->setMore(more_, imported_);  // before it begins, so that the first list is whole
    scanner->moveToThread(&thread_);
    connect(&thread_, &QThread::started, scanner, &RunScanner::start);
    connect(&thread_, &QThread::finished, scanner, &QObject::deleteLater);
    connect(scanner, &RunScanner::scanned, this, &RunStore::take);
    connect(scanner, &RunScanner::failed, this, &RunStore::requestFailed);
    connect(scanner, &RunScanner::trashed, this, &RunStore::trashed);
    connect(scanner, &RunScanner::restored, this, &RunStore::restored);
    connect(scanner, &RunScanner::labelsWritten, this, [this](int ticket) {
        for (auto it = written_.begin(); it != written_.end(); ++it)
            if (it->ticket == ticket) {
                written_.erase(it);
                return;
            }
    });
    connect(this, &RunStore::scanWanted, scanner, &RunScanner::scan);
    connect(this, &RunStore::rootWanted, scanner, &RunScanner::setRoot);
    connect(this, &RunStore::moreWanted, scanner, &RunScanner::setMore);
    connect(this, &RunStore::labelsWanted, scanner, &RunScanner::writeLabels);
    connect(this, &RunStore::trashWanted, scanner, &RunScanner::moveToTrash);
    connect(this, &RunStore::restoreWanted, scanner, &RunScanner::restore);
    thread_.start(QThread::LowPriority);
}

void RunStore::setRoot(const QString& root) {
    loaded_ = false;
    keep({});
    emit rootWanted(root);
}

void RunStore::setMore(const QStringList& roots, const QStringList& imported) {
    more_ = roots;
    imported_ = imported;
    emit moreWanted(roots, imported);
}

QStringList RunStore::roots() const {
    return QStringList{QString::fromStdString(run::runs_root().string())} + more_;
}

void RunStore::refresh() {
    emit scanWanted();
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
    int live = 0;
    for (const RunSummary& run : runs_)
        live += run.isLive() ? 1 : 0;
    return live;
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
        if (run.isLive())
            continue;
        const RunSummary* before = find(run.id);
        if (before != nullptr && before->isLive())
            ended << run;
    }
    keep(runs);
    // What was published before the scanner wrote the newest labels must not bring back the old ones.
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
    if (settled || moved_at_.elapsed() > kMoveMs)
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
    emit labelsWanted(runPath, labels, tickets_);
}

void RunStore::moveToTrash(const QStringList& runPaths) {
    emit trashWanted(runPaths);
}

void RunStore::restore(const QStringList& trashed) {
    emit restoreWanted(trashed);
}

int RunStore::queueLength(const QString& queue) const {
    int length = 0;
    for (const RunSummary& run : runs_)
        length += run.queuePlace > 0 && run.queue == queue ? 1 : 0;
    return length;
}

void RunStore::moveInQueue(const QString& runPath, int place) {
    const auto row = path_rows_.constFind(runPath);
    if (row == path_rows_.constEnd() || runs_[*row].queuePlace == 0)
        return;
    const RunSummary moved = runs_[*row];
    const int from = moved.queuePlace;
    const int to = std::clamp(place, 1, queueLength(moved.queue));
    // The others close up behind it; each waiter finds that out for itself a moment later.
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
    request(runPath, QStringLiteral("move"), {{QStringLiteral("place"), QString::number(to)}});
}

void RunStore::request(const QString& runPath, const QString& kind, const QMap<QString, QString>& values) {
    // A job of its own for each: asking to stop one run must not make the request to another void.
    auto* job = new widgets::Job(this);
    job->submit(
        [runPath, kind, values](const widgets::Cancelled&) {
            run::Request request;
            request.kind = kind.toStdString();
            for (auto it = values.constBegin(); it != values.constEnd(); ++it)
                request.values[it.key().toStdString()] = it.value().toStdString();
            request.from = "desktop";
            return run::drop_request(run::RunPaths(runPath.toStdString()), request);
        },
        [job](const std::string&) { job->deleteLater(); },
        [this, job](const QString& sentence) {
            job->deleteLater();
            emit requestFailed(sentence);
        });
}

}  // namespace trainyard::desktop
