// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Other runs overlaid on the loss of a run: which runs, their alignment, and the resulting curves as values. Every
// other run is read like the page's own, in the thread pool. Without widgets.
//
// Runs are aligned by the axis (step, time since the start, tokens) or at resume: if the run was resumed from a step
// that the other run has, that step is aligned with the first point of this run; otherwise the first points of both are
// aligned.

#include <map>
#include <memory>
#include <vector>

#include <QObject>
#include <QStringList>

#include "desktop/dashboard/other_runs.h"
#include "desktop/dashboard/run_record.h"
#include "widgets/plot/derived_series.h"

namespace trainyard::desktop {

class Overlays : public QObject {
    Q_OBJECT
  public:
    static constexpr int kMost = 8;

    explicit Overlays(const RunRecord* run, QObject* parent = nullptr);
    ~Overlays() override;

    /// Sets the runs that can be overlaid. Those of them whose folders were requested before are shown.
    void offer(const std::vector<OtherRun>& runs);
    const std::vector<OtherRun>& offered() const { return offered_; }
    /// Folders, in the order in which they were chosen; of more than kMost the last ones.
    void setFolders(const QStringList& folders);
    const QStringList& folders() const { return folders_; }
    void toggle(const QString& folder);
    /// Returns the shown runs, with colours that no other curve of the chart has.
    std::vector<OtherRun> shown() const;

    void setAtResume(bool at_resume);
    bool isAtResume() const { return at_resume_; }
    /// Shows this run minus each other one, at the steps that both have, instead of the curves themselves.
    void setDifference(bool difference);
    bool isDifference() const { return difference_; }

    /// Sets the curve that is overlaid and compared; train/loss by default.
    void setTag(const std::string& tag) { tag_ = tag; }
    /// Returns the curves after updating differences and alignment with the data read so far.
    QVector<widgets::Curve> curves(widgets::XUnit unit);

  signals:
    void changed();      ///< other curves, or another place of them
    void curvesGrown();  ///< points came

  private:
    struct Other {
        std::unique_ptr<RunRecord> record;
        widgets::DifferenceSeries difference;
    };
    void open();
    double shiftOf(const RunRecord& other, widgets::XUnit unit) const;

    const RunRecord* run_;
    std::string tag_;
    std::vector<OtherRun> offered_;
    QStringList folders_;
    std::map<QString, Other> opened_;  ///< by folder
    bool at_resume_ = false;
    bool difference_ = false;
};

}  // namespace trainyard::desktop
