// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/dashboard/overlays.h"

#include <algorithm>
#include <utility>

#include <QSignalBlocker>

#include "desktop/dashboard/tags.h"

namespace trainyard::desktop {

using widgets::Curve;
using widgets::Series;
using widgets::XScale;
using widgets::XUnit;

namespace {
constexpr int kNoisy = 50;  // points; fewer are drawn as they are
const XScale kSteps{};
}  // namespace

Overlays::Overlays(const RunRecord* run, QObject* parent) : QObject(parent), run_(run), tag_(tag::kTrainLoss) {}

Overlays::~Overlays() = default;

void Overlays::offer(const std::vector<OtherRun>& runs) {
    if (runs == offered_)
        return;
    offered_ = runs;
    open();
}

void Overlays::setFolders(const QStringList& folders) {
    const QStringList wanted = folders.mid(std::max<qsizetype>(0, folders.size() - kMost));
    if (wanted == folders_)
        return;
    folders_ = wanted;
    open();
}

void Overlays::toggle(const QString& folder) {
    QStringList folders = folders_;
    if (folders.removeAll(folder) == 0)
        folders << folder;
    setFolders(folders);
}

std::vector<OtherRun> Overlays::shown() const {
    std::vector<OtherRun> shown;
    std::vector<int> taken{color::kTrain, color::kValidation};
    for (const QString& folder : folders_)
        for (OtherRun run : offered_) {
            if (run.folder != folder)
                continue;
            // Its own colour, unless another curve of the chart has it.
            run.color = (run.color - 1) % widgets::kRunColors + 1;
            for (int tries = 0; tries < widgets::kRunColors && std::count(taken.begin(), taken.end(), run.color) > 0;
                 ++tries)
                run.color = run.color % widgets::kRunColors + 1;
            taken.push_back(run.color);
            shown.push_back(run);
        }
    return shown;
}

void Overlays::open() {
    const std::vector<OtherRun> wanted = shown();
    std::map<QString, Other> left;
    for (const OtherRun& run : wanted) {
        if (const auto at = opened_.find(run.folder); at != opened_.end()) {
            left.insert(opened_.extract(at));
            continue;
        }
        Other& other = left[run.folder];
        other.record = std::make_unique<RunRecord>(run::RunPaths(run.folder.toStdString()));
        connect(other.record.get(), &CurveSource::curvesChanged, this, &Overlays::curvesGrown);
    }
    // The charts release the curves of removed runs (changed()) before the runs themselves are destroyed.
    opened_.swap(left);
    emit changed();
    for (auto& [folder, other] : opened_)
        other.record->start();
}

void Overlays::setAtResume(bool at_resume) {
    if (std::exchange(at_resume_, at_resume) != at_resume)
        emit changed();
}

void Overlays::setDifference(bool difference) {
    if (std::exchange(difference_, difference) != difference)
        emit changed();
}

double Overlays::shiftOf(const RunRecord& other, XUnit unit) const {
    const Series& mine = run_->series(tag_);
    const Series& theirs = other.series(tag_);
    if (!at_resume_ || mine.empty() || theirs.empty())
        return 0;
    const std::int64_t first = mine.step(0);
    const bool went_on = theirs.step(0) < first && theirs.step(theirs.size() - 1) >= first;
    const std::size_t there = went_on ? theirs.nearest(static_cast<double>(first), kSteps) : 0;
    return mine.x(0, run_->scale(unit)) - theirs.x(there, other.scale(unit));
}

QVector<Curve> Overlays::curves(XUnit unit) {
    QVector<Curve> curves;
    const Series& mine = run_->series(tag_);
    for (const OtherRun& run : shown()) {
        Other& other = opened_.at(run.folder);
        {
            // Count time as the run itself does. Signals are blocked: the change is reported once, after all curves are
            // built.
            const QSignalBlocker quiet(other.record.get());
            other.record->setActiveTime(run_->isActiveTime());
        }
        const Series& theirs = other.record->series(tag_);
        Curve curve;
        curve.color = run.color;
        if (difference_) {
            other.difference.follow(mine, theirs);
            curve.name = tr("%1 − %2").arg(run_->name(), run.name);
            curve.series = &other.difference.series();
            curve.noisy = mine.size() > kNoisy;
            curve.scale = run_->scale(unit);
        } else {
            curve.name = run.name;
            curve.series = &theirs;
            curve.noisy = theirs.size() > kNoisy;
            curve.trend_alone = true;
            curve.dash = Qt::DashLine;
            curve.measured = &mine;
            curve.scale = other.record->scale(unit);
            curve.scale->shift = shiftOf(*other.record, unit);
        }
        curves << curve;
    }
    return curves;
}

}  // namespace trainyard::desktop
