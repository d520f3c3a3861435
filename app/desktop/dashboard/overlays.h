#pragma once
// Other runs laid over the loss of a run: which, how they are aligned, and the curves that come of it, as values. Every other run is read
// like the page's own, in the pool. Without widgets.
//
// Aligned by the axis (step, time since the start, tokens), or at resume: where the run went on from a step that the other has, that
// step of the other lies on the first point of this one; otherwise the first points of both lie on each other.

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

    /// What can be laid over; what was asked for by folder and is among them appears.
    void offer(const std::vector<OtherRun>& runs);
    const std::vector<OtherRun>& offered() const { return offered_; }
    /// Folders, in the order in which they were chosen; of more than kMost the last ones.
    void setFolders(const QStringList& folders);
    const QStringList& folders() const { return folders_; }
    void toggle(const QString& folder);
    /// In colours that no other curve of the chart has.
    std::vector<OtherRun> shown() const;

    void setAtResume(bool at_resume);
    bool isAtResume() const { return at_resume_; }
    /// This run less each other one, at the steps both have, in the place of the curves themselves.
    void setDifference(bool difference);
    bool isDifference() const { return difference_; }

    /// Brings differences and places up to what was read.
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
    std::vector<OtherRun> offered_;
    QStringList folders_;
    std::map<QString, Other> opened_;  ///< by folder
    bool at_resume_ = false;
    bool difference_ = false;
};

}  // namespace trainyard::desktop
