#include "desktop/runs/run_store.h"

#include <QPointer>
#include <QThreadPool>

#include "base/error.h"
#include "desktop/runs/run_scanner.h"
#include "run/paths.h"
#include "run/request.h"
#include "widgets/job.h"

namespace trainyard::desktop {

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
    scanner->moveToThread(&thread_);
    connect(&thread_, &QThread::started, scanner, &RunScanner::start);
    connect(&thread_, &QThread::finished, scanner, &QObject::deleteLater);
    connect(scanner, &RunScanner::scanned, this, &RunStore::take);
    connect(this, &RunStore::scanWanted, scanner, &RunScanner::scan);
    connect(this, &RunStore::rootWanted, scanner, &RunScanner::setRoot);
    thread_.start(QThread::LowPriority);
}

void RunStore::setRoot(const QString& root) {
    loaded_ = false;
    runs_.clear();
    emit rootWanted(root);
}

void RunStore::refresh() {
    emit scanWanted();
}

const RunSummary* RunStore::find(const QString& id) const {
    for (const RunSummary& run : runs_)
        if (run.id == id)
            return &run;
    return nullptr;
}

int RunStore::liveCount() const {
    int live = 0;
    for (const RunSummary& run : runs_)
        live += run.isLive() ? 1 : 0;
    return live;
}

void RunStore::take(const RunSummaries& runs) {
    QVector<RunSummary> ended;
    for (const RunSummary& run : runs) {
        const RunSummary* before = find(run.id);
        if (before != nullptr && before->isLive() && !run.isLive())
            ended << run;
    }
    runs_ = runs;
    loaded_ = true;
    emit changed();
    for (const RunSummary& run : std::as_const(ended))
        emit runEnded(run);
}

void RunStore::request(const QString& runPath, const QString& kind) {
    // A job of its own for each: asking to stop one run must not make the request to another void.
    auto* job = new widgets::Job(this);
    job->submit(
        [runPath, kind](const widgets::Cancelled&) {
            run::Request request;
            request.kind = kind.toStdString();
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
