// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/traces/opened_trace.h"

#include <algorithm>

#include <QDateTime>
#include <QLocale>

#include "desktop/text/qt_text.h"
#include "desktop/text/translate.h"
#include "desktop/traces/trace_words.h"
#include "widgets/local_text.h"
#include "widgets/timeline/duration_text.h"

namespace trainyard::desktop {

using traces::Slice;
using widgets::TimelinePlace;
using widgets::TimeSpan;

OpenedTrace::OpenedTrace(traces::RankSet set) : set_(std::move(set)) {
    const traces::Span whole = set_.whole();
    whole_ = {whole.begin, std::max(whole.end, whole.begin + 1)};
    for (const traces::RankTrace& rank : set_.ranks)
        addRank(rank);
    addPlan();
}

void OpenedTrace::addRank(const traces::RankTrace& rank) {
    const traces::Trace& trace = *rank.trace;
    Rank made;
    made.families.resize(trace.slices.size());
    traces::FamilyTable families(trace);
    for (std::size_t i = 0; i < trace.slices.size(); ++i) {
        made.families[i] = static_cast<std::uint8_t>(families.family(trace.slices[i]));
        has_kernels_ |= traces::on_device(families.role(trace.slices[i]));
    }
    made.shares = std::make_unique<traces::Shares>(trace);
    made.correlations = std::make_unique<traces::Correlations>(trace);
    widgets::TimelineGroup group;
    group.title = tr("Rank %1").arg(rank.rank);
    group.note = rankFacts(rank);
    addTracks(rank, made, group);
    addCurves(rank, made, group);
    groups_ << group;
    ranks_.push_back(std::move(made));
}

void OpenedTrace::addPlan() {
    schedule_ = traces::plan_of(set_);
    for (std::size_t rank = 0; rank < schedule_.ranks.size(); ++rank)
        for (const traces::PlannedAction& action : schedule_.ranks[rank]) {
            const TimelinePlace at = place(static_cast<int>(rank), action.slice);
            ranks_[rank].lanes[static_cast<std::size_t>(at.lane)].rows[static_cast<std::size_t>(at.row)].plan.push_back(
                {action.planned.begin, action.planned.end});
        }
}

std::span<const TimeSpan> OpenedTrace::plan(int group, int lane_number, int row) const {
    const Lane& found = lane({group, lane_number, row, 0});
    if (!shows_plan_ || row < 0 || row >= static_cast<int>(found.rows.size()))
        return {};
    return found.rows[static_cast<std::size_t>(row)].plan;
}

void OpenedTrace::addTracks(const traces::RankTrace& rank, Rank& made, widgets::TimelineGroup& group) {
    const traces::Trace& trace = *rank.trace;
    made.lane_of_track.assign(trace.tracks.size(), -1);
    QVector<int> devices, threads;
    for (std::size_t t = 0; t < trace.tracks.size(); ++t) {
        const traces::Track& track = trace.tracks[t];
        if (track.count == 0)
            continue;
        Lane lane;
        lane.track = t;
        lane.rows.resize(std::max<std::size_t>(track.rows, 1));
        for (std::size_t i = track.first; i < track.first + track.count; ++i) {
            const std::size_t row = trace.slices[i].row;
            if (row >= lane.rows.size())
                lane.rows.resize(row + 1);
            lane.rows[row].slices.push_back(static_cast<std::uint32_t>(i));
        }
        for (Row& row : lane.rows)
            addBlocks(trace, made, row);
        const int number = static_cast<int>(made.lanes.size());
        made.lane_of_track[t] = number;
        (track.stream ? devices : threads) << number;
        QString note = tr("%Ln slices", nullptr, static_cast<int>(track.count));
        if (track.overlapping > 0)
            note = tr("%1 overlapping").arg(QLocale().toString(qulonglong{track.overlapping}));
        group.lanes.push_back({trackWords(track), note, static_cast<int>(lane.rows.size())});
        made.lanes.push_back(std::move(lane));
    }
    // A folded rank shows what its device did; without one, what its threads did.
    group.dense = devices.isEmpty() ? threads : devices;
}

void OpenedTrace::addBlocks(const traces::Trace& trace, const Rank& made, Row& row) const {
    constexpr std::size_t kStride = widgets::TimelineBlocks::kStride;
    for (std::size_t i = 0; i < row.slices.size(); i += kStride) {
        std::uint32_t longest = row.slices[i];
        for (std::size_t k = i + 1; k < std::min(i + kStride, row.slices.size()); ++k)
            if (trace.slices[row.slices[k]].duration > trace.slices[longest].duration)
                longest = row.slices[k];
        row.begins.push_back(trace.slices[row.slices[i]].begin);
        row.by_family.push_back(
            static_cast<std::uint8_t>(familyColor(static_cast<traces::Family>(made.families[longest]))));
        row.by_name.push_back(static_cast<std::uint8_t>(nameColor(trace.slices[longest].name)));
    }
}

widgets::TimelineBlocks OpenedTrace::blocks(int group, int lane_number, int row) const {
    const Lane& found = lane({group, lane_number, row, 0});
    if (row < 0 || row >= static_cast<int>(found.rows.size()))
        return {};
    const Row& of = found.rows[static_cast<std::size_t>(row)];
    return {of.begins, offset(group), coloring_ == Coloring::Name ? of.by_name : of.by_family};
}

void OpenedTrace::addCurves(const traces::RankTrace& rank, Rank& made, widgets::TimelineGroup& group) {
    const QLocale locale;
    for (const traces::MemoryCounter& counter : rank.trace->memory) {
        Lane lane;
        for (const auto& sample : counter.samples)
            lane.levels.add(sample.time + rank.offset, static_cast<double>(sample.allocated));
        if (lane.levels.isEmpty())
            continue;
        group.lanes.push_back(
            {memoryWords(counter),
             tr("%1 at most").arg(locale.formattedDataSize(static_cast<qint64>(lane.levels.highest()), 1)), 0});
        made.lanes.push_back(std::move(lane));
    }
    for (const traces::Counter& counter : rank.trace->counters) {
        Lane lane;
        for (const auto& sample : counter.samples)
            lane.levels.add(sample.time + rank.offset, sample.value);
        if (lane.levels.isEmpty())
            continue;
        const QString name = qt(counter.name);
        group.lanes.push_back({counter.key.empty() ? name : QStringLiteral("%1: %2").arg(name, qt(counter.key)),
                               tr("%1 at most").arg(widgets::short_text(lane.levels.highest(), 4)), 0});
        made.lanes.push_back(std::move(lane));
    }
}

std::int64_t OpenedTrace::count(int group, int lane_number, int row) const {
    const Lane& found = lane({group, lane_number, row, 0});
    return row >= 0 && row < static_cast<int>(found.rows.size())
               ? static_cast<std::int64_t>(found.rows[static_cast<std::size_t>(row)].slices.size())
               : 0;
}

std::uint32_t OpenedTrace::slice(const TimelinePlace& place) const {
    return lane(place).rows[static_cast<std::size_t>(place.row)].slices[static_cast<std::size_t>(place.index)];
}

TimelinePlace OpenedTrace::place(int group, std::uint32_t slice) const {
    const Rank& rank = ranks_[static_cast<std::size_t>(group)];
    const Slice& found = trace(group).slices[slice];
    const int number = rank.lane_of_track[found.track];
    const auto& row = rank.lanes[static_cast<std::size_t>(number)].rows[found.row].slices;
    const auto at = std::lower_bound(row.begin(), row.end(), slice);
    return {group, number, found.row, at - row.begin()};
}

traces::Family OpenedTrace::family(int group, std::uint32_t slice) const {
    return static_cast<traces::Family>(ranks_[static_cast<std::size_t>(group)].families[slice]);
}

TimeSpan OpenedTrace::span(const TimelinePlace& place) const {
    const Slice& found = trace(place.group).slices[slice(place)];
    const std::int64_t by = offset(place.group);
    return {found.begin + by, found.end() + by};
}

QString OpenedTrace::name(const TimelinePlace& place) const {
    const traces::Trace& of = trace(place.group);
    return qt(of.name(of.slices[slice(place)]));
}

std::uint64_t OpenedTrace::nameNumber(const TimelinePlace& place) const {
    return (static_cast<std::uint64_t>(place.group) << 32) + trace(place.group).slices[slice(place)].name + 1;
}

int OpenedTrace::color(const TimelinePlace& place) const {
    const std::uint32_t number = slice(place);
    if (coloring_ == Coloring::Name)
        return nameColor(trace(place.group).slices[number].name);
    return familyColor(family(place.group, number));
}

TimelinePlace OpenedTrace::sameName(const TimelinePlace& place, int direction) const {
    const traces::Trace& of = trace(place.group);
    const traces::Track& track = of.tracks[lane(place).track];
    const std::uint32_t from = slice(place);
    const auto last = static_cast<std::int64_t>(track.first + track.count);
    for (std::int64_t i = std::int64_t{from} + direction; i >= static_cast<std::int64_t>(track.first) && i < last;
         i += direction)
        if (of.slices[static_cast<std::size_t>(i)].name == of.slices[from].name)
            return this->place(place.group, static_cast<std::uint32_t>(i));
    return {};
}

QVector<TimelinePlace> OpenedTrace::linked(const TimelinePlace& place) const {
    constexpr qsizetype kMost = 1000;
    const traces::Trace& of = trace(place.group);
    const std::uint32_t number = slice(place);
    QVector<TimelinePlace> places;
    const auto add = [&](std::uint32_t other) {
        const TimelinePlace at = this->place(place.group, other);
        if (other != number && places.size() < kMost && !places.contains(at))
            places << at;
    };
    const auto from = std::lower_bound(of.flows.begin(), of.flows.end(), number,
                                       [](const traces::Flow& flow, std::uint32_t slice) { return flow.from < slice; });
    for (auto flow = from; flow != of.flows.end() && flow->from == number; ++flow)
        add(flow->to);
    const auto to = std::lower_bound(of.arrivals.begin(), of.arrivals.end(), number,
                                     [](const traces::Flow& flow, std::uint32_t slice) { return flow.to < slice; });
    for (auto flow = to; flow != of.arrivals.end() && flow->to == number; ++flow)
        add(flow->from);
    const traces::Correlations& correlations = *ranks_[static_cast<std::size_t>(place.group)].correlations;
    if (const auto launch = correlations.launch_of(number))
        add(*launch);
    for (const std::uint32_t work : correlations.work_of(number))
        add(work);
    return places;
}

TimelinePlace OpenedTrace::lastToCome(const TimelinePlace& collective) const {
    const auto group = static_cast<std::size_t>(collective.group);
    const std::uint32_t number = slice(collective);
    const auto& calls = set_.ranks[group].collectives;
    const auto call = std::find_if(calls.begin(), calls.end(),
                                   [number](const traces::CollectiveCall& one) { return one.slice == number; });
    if (call == calls.end())
        return {};
    const auto index = static_cast<std::size_t>(call - calls.begin());
    const std::size_t last = set_.last_to_come(group, index);
    if (last == group)
        return {};
    for (const auto& [other, other_call] : set_.partners(group, index))
        if (other == last)
            return place(static_cast<int>(other), set_.ranks[other].collectives[other_call].slice);
    return {};
}

int OpenedTrace::groupOf(std::int64_t rank) const {
    const auto found = std::ranges::find(set_.ranks, rank, &traces::RankTrace::rank);
    return found == set_.ranks.end() ? -1 : static_cast<int>(found - set_.ranks.begin());
}

QVector<int> OpenedTrace::slowestFirst() const {
    QVector<int> order;
    for (const traces::Wait& wait : set_.waits(traces::kWhole))
        order << static_cast<int>(wait.rank_index);
    for (int group = 0; group < groups_.size(); ++group)
        if (!order.contains(group))
            order << group;
    return order;
}

std::optional<double> OpenedTrace::level(int group, int lane_number, const TimeSpan& time) const {
    const CounterLevels& levels = lane({group, lane_number, 0, 0}).levels;
    const auto value = levels.within(time);
    if (!value)
        return std::nullopt;
    return levels.highest() > 0 ? std::clamp(*value / levels.highest(), 0.0, 1.0) : 0.0;
}

QString OpenedTrace::describe(const TimelinePlace& place) const {
    return tr("%1, %2, %3, %4, %5 after the begin")
        .arg(name(place).left(300), widgets::nanosecond_words(span(place).length()), rankWords(rank(place.group)),
             groups_[place.group].lanes[place.lane].title, widgets::nanosecond_words(span(place).begin - whole_.begin));
}

QString OpenedTrace::clock(std::int64_t time) const {
    if (set_.base_time_ns == 0)
        return {};
    const QDateTime wall = QDateTime::fromMSecsSinceEpoch((set_.base_time_ns + time) / 1'000'000);
    return wall.isValid() ? wall.toString(QStringLiteral("HH:mm:ss.zzz")) : QString();
}

}  // namespace trainyard::desktop
