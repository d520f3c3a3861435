// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A trace that was opened, as the timeline shows it: a group for each rank, a lane for each thread, stream and counter. Times are those of the
// common clock of the ranks. Everything is const after it was made, so that threads may read it while it is shown, but for colours and
// whether the plan is shown.

#include <memory>
#include <vector>

#include <QCoreApplication>

#include "desktop/traces/counter_levels.h"
#include "observe/traces/rank_set.h"
#include "observe/traces/roles.h"
#include "observe/traces/schedule_plan.h"
#include "observe/traces/shares.h"
#include "observe/traces/tables.h"
#include "observe/traces/trace_search.h"
#include "widgets/timeline/timeline_data.h"
#include "widgets/token.h"

namespace trainyard::desktop {

class OpenedTrace : public widgets::TimelineData {
    Q_DECLARE_TR_FUNCTIONS(trainyard::desktop::OpenedTrace)
  public:
    /// Takes a second for some million slices: not for the GUI thread. `parts` of it only, while the rest is read.
    explicit OpenedTrace(traces::RankSet set);

    const traces::RankSet& set() const { return set_; }
    const traces::Trace& trace(int group) const { return *set_.ranks[static_cast<std::size_t>(group)].trace; }
    std::int64_t rank(int group) const { return set_.ranks[static_cast<std::size_t>(group)].rank; }
    int groupOf(std::int64_t rank) const;  ///< -1: it is not in the trace
    std::int64_t offset(int group) const { return set_.ranks[static_cast<std::size_t>(group)].offset; }
    const traces::Shares& shares(int group) const { return *ranks_[static_cast<std::size_t>(group)].shares; }
    /// Number of the slice at a place, and the place of a slice.
    std::uint32_t slice(const widgets::TimelinePlace& place) const;
    widgets::TimelinePlace place(int group, std::uint32_t slice) const;
    traces::Family family(int group, std::uint32_t slice) const;
    /// The rank that others waited for in this collective, if another came last; a place of its slice.
    widgets::TimelinePlace lastToCome(const widgets::TimelinePlace& collective) const;
    /// Groups with those that others waited for longest first.
    QVector<int> slowestFirst() const;
    bool hasKernels() const { return has_kernels_; }

    /// Of the pipeline's schedule; empty: the trace has none.
    const traces::SchedulePlan& schedule() const { return schedule_; }
    void showPlan(bool shown) { shows_plan_ = shown; }

    enum class Coloring { Family, Name };
    void setColoring(Coloring coloring) { coloring_ = coloring; }

    const QVector<widgets::TimelineGroup>& groups() const override { return groups_; }
    widgets::TimeSpan whole() const override { return whole_; }
    std::int64_t count(int group, int lane, int row) const override;
    widgets::TimeSpan span(const widgets::TimelinePlace& place) const override;
    widgets::TimelineBlocks blocks(int group, int lane, int row) const override;
    std::span<const widgets::TimeSpan> plan(int group, int lane, int row) const override;
    QString name(const widgets::TimelinePlace& place) const override;
    std::uint64_t nameNumber(const widgets::TimelinePlace& place) const override;
    int color(const widgets::TimelinePlace& place) const override;
    widgets::TimelinePlace sameName(const widgets::TimelinePlace& place, int direction) const override;
    QVector<widgets::TimelinePlace> linked(const widgets::TimelinePlace& place) const override;
    std::optional<double> level(int group, int lane, const widgets::TimeSpan& time) const override;
    QString describe(const widgets::TimelinePlace& place) const override;
    QString clock(std::int64_t time) const override;

  private:
    /// Slices that do not overlap, by begin; and blocks of them (widgets::TimelineBlocks).
    struct Row {
        std::vector<std::uint32_t> slices;
        std::vector<std::int64_t> begins;
        std::vector<std::uint8_t> by_family, by_name;  ///< colours
        std::vector<widgets::TimeSpan> plan;
    };
    struct Lane {
        std::size_t track = 0;
        std::vector<Row> rows;
        CounterLevels levels;  ///< of a curve
    };
    struct Rank {
        std::vector<Lane> lanes;
        std::vector<int> lane_of_track;
        std::vector<std::uint8_t> families;  ///< of slices
        std::unique_ptr<traces::Shares> shares;
        std::unique_ptr<traces::Correlations> correlations;
    };
    void addRank(const traces::RankTrace& rank);
    void addTracks(const traces::RankTrace& rank, Rank& made, widgets::TimelineGroup& group);
    void addPlan();
    void addBlocks(const traces::Trace& trace, const Rank& made, Row& row) const;
    static int nameColor(std::uint32_t name) { return 1 + static_cast<int>(name % widgets::kRunColors); }
    static void addCurves(const traces::RankTrace& rank, Rank& made, widgets::TimelineGroup& group);
    const Lane& lane(const widgets::TimelinePlace& place) const {
        return ranks_[static_cast<std::size_t>(place.group)].lanes[static_cast<std::size_t>(place.lane)];
    }

    traces::RankSet set_;
    std::vector<Rank> ranks_;
    QVector<widgets::TimelineGroup> groups_;
    widgets::TimeSpan whole_;
    bool has_kernels_ = false, shows_plan_ = true;
    traces::SchedulePlan schedule_;
    Coloring coloring_ = Coloring::Family;
};

}  // namespace trainyard::desktop
