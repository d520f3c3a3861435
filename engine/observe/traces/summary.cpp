// SPDX-License-Identifier: GPL-3.0-or-later
#include "observe/traces/summary.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json_writer.h"

namespace trainyard::traces {

namespace {

using Json = nlohmann::ordered_json;

void add_rows(std::map<std::pair<std::string, std::string>, NameRow>& sum, std::vector<NameRow> rows) {
    for (NameRow& row : rows) {
        NameRow& into = sum[{row.category, row.name}];
        if (into.count == 0) {
            into = std::move(row);
            continue;
        }
        into.count += row.count;
        into.total += row.total;
        into.self += row.self;
        into.longest = std::max(into.longest, row.longest);
    }
}

bool is_step(const NameRow& row) {
    return row.category == "user_annotation" && row.name.starts_with("ProfilerStep#");
}

std::vector<NameRow> sorted_rows(std::map<std::pair<std::string, std::string>, NameRow> sum, bool by_self) {
    std::vector<NameRow> rows;
    for (auto& [key, row] : sum)
        rows.push_back(std::move(row));
    std::stable_sort(rows.begin(), rows.end(), [by_self](const NameRow& a, const NameRow& b) {
        return by_self ? a.self > b.self : a.total > b.total;
    });
    return rows;
}

Json share_json(const Share& share) {
    return {{"source", to_string(share.source)},
            {"total_ns", share.total},
            {"compute_ns", share.compute},
            {"overlapped_ns", share.overlapped},
            {"exposed_ns", share.exposed},
            {"data_ns", share.data},
            {"idle_ns", share.idle},
            {"communication_hidden", share.hidden()}};
}

Json rows_json(const std::vector<NameRow>& rows) {
    Json list = Json::array();
    for (const NameRow& row : rows)
        list.push_back({{"category", row.category},
                        {"name", row.name},
                        {"family", to_string(row.family)},
                        {"count", row.count},
                        {"total_ns", row.total},
                        {"self_ns", row.self},
                        {"longest_ns", row.longest}});
    return list;
}

std::string dumped(const Json& json) {
    return json_text(json, {.indent = 2});
}

Span moved(const Span& range, std::int64_t by) {
    if (range == kWhole)
        return range;
    return {range.begin - by, range.end - by};
}

}  // namespace

TraceSummary summarise(const RankSet& set, const Span& range) {
    TraceSummary summary;
    summary.alignment = set.alignment;
    std::map<std::pair<std::string, std::string>, NameRow> kernels, operations;
    std::vector<CollectiveCall> calls;
    std::set<std::int64_t> numbers;
    for (const RankTrace& one : set.ranks) {
        const Trace& trace = *one.trace;
        const Span own = moved(range, one.offset);
        const Shares shares(trace);
        RankSummary rank;
        rank.rank = one.rank;
        rank.offset = one.offset;
        rank.correction = one.correction;
        rank.path = trace.path;
        rank.slices = trace.slices.size();
        rank.overlapping = trace.overlapping();
        rank.reading = trace.reading;
        for (const MemoryCounter& counter : trace.memory)
            for (const auto& sample : counter.samples)
                if (sample.time >= own.begin && sample.time < own.end)
                    rank.peak_bytes = std::max(rank.peak_bytes, sample.allocated);
        bool any = false;
        for (const Step& step : trace.steps) {
            const std::int64_t middle = step.begin + (step.end - step.begin) / 2;
            if (middle < own.begin || middle >= own.end)
                continue;
            any = true;
            numbers.insert(step.number);
            const Span of_step{step.begin, step.end};
            StepShare row{
                step.number,           one.rank, step.begin + one.offset, step.end + one.offset, shares.share(of_step),
                shares.phases(of_step)};
            rank.share.add(row.share);
            summary.steps.push_back(std::move(row));
        }
        if (!any)
            rank.share =
                shares.share({std::max(own.begin, trace.begin), std::max(trace.begin, std::min(own.end, trace.end))});
        TableFilter filter;
        filter.range = own;
        filter.roles = [](Role role) { return on_device(role); };
        add_rows(kernels, name_table(trace, filter));
        filter.roles = [](Role role) { return role == Role::operation || role == Role::annotation; };
        std::vector<NameRow> host = name_table(trace, filter);
        std::erase_if(host, is_step);  // steps have a table of their own
        add_rows(operations, std::move(host));
        for (const CollectiveCall& call : one.collectives)
            if (call.begin < own.end && call.end > own.begin)
                calls.push_back(call);
        summary.ranks.push_back(std::move(rank));
    }
    std::stable_sort(summary.steps.begin(), summary.steps.end(), [](const StepShare& a, const StepShare& b) {
        return std::tie(a.step, a.rank) < std::tie(b.step, b.rank);
    });
    summary.steps_counted = static_cast<std::int64_t>(numbers.size());
    summary.kernels = sorted_rows(std::move(kernels), false);
    summary.operations = sorted_rows(std::move(operations), true);
    const bool device = !summary.kernels.empty();
    for (const NameRow& row : device ? summary.kernels : summary.operations) {
        NameRow& family = summary.families[to_string(row.family)];
        family.name = to_string(row.family);
        family.family = row.family;
        family.count += row.count;
        family.total += device ? row.total : row.self;
    }
    summary.collectives = collective_table(calls);
    summary.waits = set.waits(range);
    return summary;
}

TraceSummary summarise_step(const RankSet& set, std::int64_t step) {
    const std::vector<std::int64_t> numbers = set.step_numbers();
    if (std::find(numbers.begin(), numbers.end(), step) == numbers.end())
        throw UserError(numbers.empty() ? Message("there is no step {} in this trace: it marks no steps", step)
                                        : Message("there is no step {} in this trace: it has {} to {}", step,
                                                  numbers.front(), numbers.back()));
    return summarise(set, set.step(step));
}

std::string summary_json(const TraceSummary& summary) {
    Json json{{"alignment", summary.alignment}, {"ranks", Json::array()}, {"steps", Json::array()}};
    for (const RankSummary& rank : summary.ranks)
        json["ranks"].push_back({{"rank", rank.rank},
                                 {"path", rank.path},
                                 {"offset_ns", rank.offset},
                                 {"clock_correction_ns", rank.correction},
                                 {"entries", rank.reading.entries},
                                 {"slices", rank.slices},
                                 {"overlapping", rank.overlapping},
                                 {"not_placed", rank.reading.unplaced()},
                                 {"not_placed_words", rank.reading.unplaced_words()},
                                 {"remarks", rank.reading.remark_words()},
                                 {"ended_early", rank.reading.ended_early},
                                 {"problems", rank.reading.problems},
                                 {"peak_bytes", rank.peak_bytes},
                                 {"share", share_json(rank.share)}});
    for (const StepShare& step : summary.steps) {
        Json row{{"step", step.step},
                 {"rank", step.rank},
                 {"begin_ns", step.begin},
                 {"end_ns", step.end},
                 {"share", share_json(step.share)}};
        if (!step.phases.empty())
            row["phases_ns"] = step.phases;
        json["steps"].push_back(std::move(row));
    }
    json["kernels"] = rows_json(summary.kernels);
    json["operations"] = rows_json(summary.operations);
    json["families"] = Json::array();
    for (const auto& [name, row] : summary.families)
        json["families"].push_back({{"family", name}, {"count", row.count}, {"total_ns", row.total}});
    json["collectives"] = Json::array();
    for (const CollectiveRow& row : summary.collectives)
        json["collectives"].push_back({{"operation", row.operation},
                                       {"group", row.group},
                                       {"count", row.count},
                                       {"bytes", row.bytes},
                                       {"total_ns", row.total}});
    json["waited_for"] = Json::array();
    for (const Wait& wait : summary.waits)
        json["waited_for"].push_back({{"rank", wait.rank},
                                      {"waited_ns", wait.waited},
                                      {"collectives", wait.collectives},
                                      {"longest_ns", wait.longest}});
    return dumped(json);
}

TraceComparison compare(const TraceSummary& before, const TraceSummary& after) {
    TraceComparison result;
    std::map<std::pair<std::string, std::string>, CompareRow> rows;
    const auto collect = [&](const TraceSummary& summary, double CompareRow::*time, double CompareRow::*count,
                             Share& share, double& step, std::int64_t& steps) {
        steps = summary.steps_counted;
        // Figures are averages per rank and step; without steps, per rank.
        const double parts = std::max(1.0, summary.steps.empty() ? static_cast<double>(summary.ranks.size())
                                                                 : static_cast<double>(summary.steps.size()));
        const auto add = [&](const std::string& category, const std::string& name, std::int64_t ns, std::uint64_t n) {
            CompareRow& row = rows[{category, name}];
            row.category = category;
            row.name = name;
            row.*time += static_cast<double>(ns) / parts;
            row.*count += static_cast<double>(n) / parts;
        };
        for (const NameRow& row : summary.kernels)
            add(row.category, row.name, row.total, row.count);
        for (const NameRow& row : summary.operations)
            add(row.category, row.name, row.self, row.count);
        for (const CollectiveRow& row : summary.collectives)
            if (summary.kernels.empty())
                add("collective", row.operation, row.total, row.count);
        for (const StepShare& one : summary.steps)
            for (const auto& [name, ns] : one.phases)
                add("phase", name, ns, 1);
        for (const RankSummary& rank : summary.ranks)
            share.add(rank.share);
        step = static_cast<double>(share.total) / parts;
        for (std::int64_t Share::*part :
             {&Share::total, &Share::compute, &Share::overlapped, &Share::exposed, &Share::data, &Share::idle})
            share.*part = std::llround(static_cast<double>(share.*part) / parts);
    };
    collect(before, &CompareRow::before, &CompareRow::count_before, result.before, result.step_before,
            result.steps_before);
    collect(after, &CompareRow::after, &CompareRow::count_after, result.after, result.step_after, result.steps_after);
    for (auto& [key, row] : rows)
        result.rows.push_back(std::move(row));
    std::stable_sort(result.rows.begin(), result.rows.end(), [](const CompareRow& a, const CompareRow& b) {
        return std::fabs(a.difference()) > std::fabs(b.difference());
    });
    return result;
}

std::string comparison_json(const TraceComparison& comparison) {
    Json json{{"step_before_ns", comparison.step_before},
              {"step_after_ns", comparison.step_after},
              {"steps_before", comparison.steps_before},
              {"steps_after", comparison.steps_after},
              {"before", share_json(comparison.before)},
              {"after", share_json(comparison.after)},
              {"rows", Json::array()}};
    for (const CompareRow& row : comparison.rows)
        json["rows"].push_back({{"category", row.category},
                                {"name", row.name},
                                {"before_ns", row.before},
                                {"after_ns", row.after},
                                {"difference_ns", row.difference()},
                                {"count_before", row.count_before},
                                {"count_after", row.count_after}});
    return dumped(json);
}

}  // namespace trainyard::traces
