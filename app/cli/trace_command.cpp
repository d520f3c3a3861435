// SPDX-License-Identifier: GPL-3.0-or-later
// trainyard trace summary | compare: tables of profiler traces, for terminals, scripts and CI.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "base/error.h"
#include "base/printable.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/say.h"
#include "observe/traces/summary.h"
#include "observe/traces/trace_reader.h"
#include "observe/traces/words.h"
#include "run/listing.h"

namespace trainyard::cli {

namespace {

namespace fs = std::filesystem;
using traces::time_words;

struct TraceFlags {
    std::vector<std::string> traces;
    std::string before, after;
    std::optional<std::int64_t> step;
    std::size_t rows = 20;
    std::string sort;  ///< of kRowOrders; empty: kernels by total, operators by self
    bool json = false;
};

struct RowOrder {
    const char* name;
    const char* title;
    double (*value)(const traces::NameRow&);
};

/// Orders of the tables of kernels and operators, the largest first.
constexpr RowOrder kRowOrders[] = {
    {"total", "Operators by their time with inner ones",
     [](const traces::NameRow& row) { return static_cast<double>(row.total); }},
    {"self", "Operators by their own time", [](const traces::NameRow& row) { return static_cast<double>(row.self); }},
    {"count", "Operators by their count", [](const traces::NameRow& row) { return static_cast<double>(row.count); }},
    {"mean", "Operators by their mean time",
     [](const traces::NameRow& row) {
         return static_cast<double>(row.total) / static_cast<double>(std::max<std::uint64_t>(1, row.count));
     }},
    {"longest", "Operators by their longest call",
     [](const traces::NameRow& row) { return static_cast<double>(row.longest); }}};

const RowOrder& row_order(const std::string& name) {
    return *std::ranges::find(kRowOrders, std::string_view(name), &RowOrder::name);
}

constexpr std::size_t kMostOfName = 60;  ///< characters of a kernel in a table; names of templates can be very long

/// Files of ranks, folders of profiles, or runs.
traces::RankSet read_ranks(const std::vector<std::string>& given) {
    std::vector<fs::path> files;
    for (const std::string& one : given) {
        std::error_code error;
        const bool is_path = fs::exists(one, error) || traces::looks_like_trace(one);
        for (fs::path& file : traces::rank_files(is_path ? fs::path(one) : run::find_run(run::runs_root(), one).root()))
            files.push_back(std::move(file));
    }
    std::vector<std::shared_ptr<const traces::Trace>> read;
    for (const fs::path& file : files)
        read.push_back(traces::read_trace(file));
    return traces::join_ranks(std::move(read));
}

traces::TraceSummary summary_of(const traces::RankSet& set, const std::optional<std::int64_t>& step) {
    return step ? traces::summarise_step(set, *step) : traces::summarise(set);
}

std::string name_words(const std::string& name) {
    if (name.empty())
        return "(no name)";
    // Names of templates differ at their ends, so a name that is too long is shortened in the middle.
    constexpr std::size_t kHead = kMostOfName / 3, kTail = kMostOfName - kHead - 1;
    const std::string shown = text::printable(name, name.size() * 4);
    std::vector<std::size_t> begins;  // of characters
    for (std::size_t i = 0; i < shown.size(); ++i)
        if ((static_cast<unsigned char>(shown[i]) & 0xc0) != 0x80)
            begins.push_back(i);
    if (begins.size() <= kMostOfName)
        return shown;
    return shown.substr(0, begins[kHead]) + "…" + shown.substr(begins[begins.size() - kTail]);
}

std::string percent(std::int64_t part, std::int64_t whole) {
    return whole > 0 ? fmt::format("{:.1f} %", 100.0 * static_cast<double>(part) / static_cast<double>(whole)) : "-";
}

std::string times(std::uint64_t count) {
    return text::grouped(static_cast<std::int64_t>(count));
}

std::size_t width_of(const std::string& text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

/// Columns as wide as their widest cell; the first is flush left, the others flush right. Nothing without rows.
void print_trace_table(const std::string& title, std::vector<std::vector<std::string>> rows,
                       std::vector<std::string> head) {
    if (rows.empty())
        return;
    rows.insert(rows.begin(), std::move(head));
    std::vector<std::size_t> widths(rows[0].size());
    for (const auto& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], width_of(row[i]));
    say("\n" + title);
    for (const auto& row : rows) {
        std::string line = "  ";
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::string gap(widths[i] - width_of(row[i]), ' ');
            line += i == 0 ? row[i] + gap : "  " + gap + row[i];
        }
        say(line);
    }
}

/// The first rows of a table, and how many more there are.
template <typename Rows, typename Make>
std::vector<std::vector<std::string>> first_rows(const Rows& rows, std::size_t most, Make make) {
    std::vector<std::vector<std::string>> result;
    for (const auto& row : rows) {
        if (result.size() == most)
            break;
        result.push_back(make(row));
    }
    return result;
}

std::string titled(const std::string& title, std::size_t all, std::size_t shown) {
    return all > shown ? fmt::format("{}, the first {} of {}", title, shown, times(all)) : title;
}

/// Prints, once for each file, which of its contents cannot be shown exactly.
void print_remarks(const traces::TraceSummary& summary) {
    for (const traces::RankSummary& rank : summary.ranks) {
        const auto note = [&](const std::string& text) {
            if (!text.empty())
                say(stderr,
                    fmt::format("trainyard: note: {}: {}", text::printable(rank.path), text::printable(text, 1000)));
        };
        for (const auto& problem : rank.reading.problems)
            note(problem);
        note(rank.reading.unplaced_words().empty() ? "" : "not in the tables: " + rank.reading.unplaced_words().text());
        note(rank.reading.remark_words());
        if (rank.overlapping > 0)
            note(fmt::format("{} slices cross others of their thread", times(rank.overlapping)));
    }
}

std::vector<std::string> share_cells(const traces::Share& share, std::int64_t parts) {
    const auto cell = [&](std::int64_t ns) {
        return fmt::format("{} ({})", time_words(ns / parts), percent(ns, share.total));
    };
    return {time_words(share.total / parts),
            cell(share.compute),
            cell(share.overlapped),
            cell(share.exposed),
            cell(share.data),
            cell(share.idle)};
}
const std::vector<std::string> kShareHead{"", "time", "compute", "hidden comm.", "exposed comm.", "data", "idle"};

const char* source_words(traces::ShareSource source) {
    switch (source) {
        case traces::ShareSource::device:
            return "by the kernels of the device";
        case traces::ShareSource::phases:
            return "by the phases of the engine";
        case traces::ShareSource::operations:
            break;
    }
    return "by the operators of the host";
}

void print_steps(const traces::TraceSummary& summary) {
    std::vector<std::vector<std::string>> rows;
    for (const traces::RankSummary& rank : summary.ranks) {
        const auto own = std::count_if(summary.steps.begin(), summary.steps.end(),
                                       [&](const traces::StepShare& step) { return step.rank == rank.rank; });
        std::vector<std::string> row{fmt::format("rank {}", rank.rank)};
        for (std::string& cell : share_cells(rank.share, std::max<std::int64_t>(own, 1)))
            row.push_back(std::move(cell));
        rows.push_back(std::move(row));
    }
    const std::string of = summary.steps.empty()        ? "Where the time went"
                           : summary.steps_counted == 1 ? "Where the step went"
                                                        : "Where a step went, on average";
    print_trace_table(
        of + ", " +
            source_words(summary.ranks.empty() ? traces::ShareSource::operations : summary.ranks[0].share.source),
        std::move(rows), kShareHead);

    std::map<std::string, std::vector<std::int64_t>> phases;
    for (const traces::StepShare& step : summary.steps)
        for (const auto& [name, ns] : step.phases)
            phases[name].push_back(ns);
    std::vector<std::vector<std::string>> phase_rows;
    for (const auto& [name, all] : phases) {
        std::int64_t sum = 0, longest = 0;
        for (const std::int64_t ns : all) {
            sum += ns;
            longest = std::max(longest, ns);
        }
        phase_rows.push_back(
            {name_words(name), time_words(sum / static_cast<std::int64_t>(all.size())), time_words(longest)});
    }
    print_trace_table("Phases of a step", std::move(phase_rows), {"", "mean", "longest"});
}

void print_tables(const traces::TraceSummary& summary, std::size_t most, const std::string& sort) {
    std::int64_t kernels = 0, operations = 0;
    for (const traces::NameRow& row : summary.kernels)
        kernels += row.total;
    for (const traces::NameRow& row : summary.operations)
        operations += row.self;
    print_trace_table(titled("Kernels", summary.kernels.size(), most),
                      first_rows(summary.kernels, most,
                                 [&](const traces::NameRow& row) -> std::vector<std::string> {
                                     return {
                                         name_words(row.name),  traces::to_string(row.family), times(row.count),
                                         time_words(row.total), percent(row.total, kernels),   time_words(row.longest)};
                                 }),
                      {"", "family", "count", "time", "part", "longest"});
    print_trace_table(titled(row_order(sort.empty() ? "self" : sort).title, summary.operations.size(), most),
                      first_rows(summary.operations, most,
                                 [&](const traces::NameRow& row) -> std::vector<std::string> {
                                     return {
                                         name_words(row.name), traces::to_string(row.family), times(row.count),
                                         time_words(row.self), percent(row.self, operations), time_words(row.total)};
                                 }),
                      {"", "family", "count", "own time", "part", "with inner"});
    print_trace_table(titled("Collectives", summary.collectives.size(), most),
                      first_rows(summary.collectives, most,
                                 [](const traces::CollectiveRow& row) -> std::vector<std::string> {
                                     return {name_words(row.operation + (row.group.empty() ? "" : " of " + row.group)),
                                             times(row.count), row.bytes > 0 ? text::file_size(row.bytes) : "-",
                                             time_words(row.total)};
                                 }),
                      {"", "count", "bytes", "time"});
    print_trace_table("Which rank the others waited for",
                      first_rows(summary.waits, most,
                                 [](const traces::Wait& wait) -> std::vector<std::string> {
                                     return {fmt::format("rank {}", wait.rank), times(wait.collectives),
                                             time_words(wait.waited), time_words(wait.longest)};
                                 }),
                      {"", "came last", "waited", "longest"});
    std::vector<std::vector<std::string>> memory;
    for (const traces::RankSummary& rank : summary.ranks)
        if (rank.peak_bytes > 0)
            memory.push_back(
                {fmt::format("rank {}", rank.rank), text::memory_size(static_cast<std::uint64_t>(rank.peak_bytes))});
    print_trace_table("Largest allocation", std::move(memory), {"", "memory"});
}

int print_summary(const TraceFlags& flags) {
    const traces::RankSet set = read_ranks(flags.traces);
    traces::TraceSummary summary = summary_of(set, flags.step);
    if (!flags.sort.empty())
        for (std::vector<traces::NameRow>* rows : {&summary.kernels, &summary.operations})
            std::ranges::stable_sort(*rows, std::ranges::greater(), row_order(flags.sort).value);
    print_remarks(summary);
    if (flags.json) {
        say(traces::summary_json(summary));
        return kExitDone;
    }
    std::uint64_t slices = 0;
    for (const traces::RankSummary& rank : summary.ranks)
        slices += rank.slices;
    std::string line =
        fmt::format("{} rank{}, {} slices", summary.ranks.size(), summary.ranks.size() == 1 ? "" : "s", times(slices));
    if (flags.step)
        line += fmt::format(", step {}", *flags.step);
    else if (!summary.steps.empty())
        line += fmt::format(", {} step{} ({} to {})", summary.steps_counted, summary.steps_counted == 1 ? "" : "s",
                            summary.steps.front().step, summary.steps.back().step);
    else
        line += ", no steps marked";
    say(line);
    if (!summary.alignment.empty())
        say(summary.alignment.text());
    print_steps(summary);
    print_tables(summary, flags.rows, flags.sort);
    return kExitDone;
}

std::string change(double before, double after) {
    return before > 0 ? fmt::format("{:+.1f} %", 100 * (after - before) / before) : "new";
}

int print_comparison(const TraceFlags& flags) {
    const traces::TraceSummary before = summary_of(read_ranks({flags.before}), flags.step);
    const traces::TraceSummary after = summary_of(read_ranks({flags.after}), flags.step);
    print_remarks(before);
    print_remarks(after);
    const traces::TraceComparison comparison = traces::compare(before, after);
    if (flags.json) {
        say(traces::comparison_json(comparison));
        return kExitDone;
    }
    const auto whole = [](double ns) { return static_cast<std::int64_t>(ns); };
    const bool steps = comparison.steps_before > 0 && comparison.steps_after > 0;
    say(fmt::format("{}: {} -> {} ({})", steps ? "a step of a rank" : "the whole trace of a rank",
                    time_words(whole(comparison.step_before)), time_words(whole(comparison.step_after)),
                    change(comparison.step_before, comparison.step_after)));
    if (!steps && comparison.steps_before + comparison.steps_after > 0)
        say(stderr, fmt::format("trainyard: note: {} marks no steps, so that a step is compared with a whole trace",
                                text::printable(comparison.steps_before == 0 ? flags.before : flags.after)));
    std::vector<std::vector<std::string>> shares;
    for (const auto& [name, share] : {std::pair("before", &comparison.before), std::pair("after", &comparison.after)}) {
        std::vector<std::string> row{name};
        for (std::string& cell : share_cells(*share, 1))
            row.push_back(std::move(cell));
        shares.push_back(std::move(row));
    }
    print_trace_table("Where it went", std::move(shares), kShareHead);
    print_trace_table(titled("Largest differences", comparison.rows.size(), flags.rows),
                      first_rows(comparison.rows, flags.rows,
                                 [&](const traces::CompareRow& row) -> std::vector<std::string> {
                                     return {name_words(row.name),
                                             text::printable(row.category, 20),
                                             time_words(whole(row.before)),
                                             time_words(whole(row.after)),
                                             (row.difference() > 0 ? "+" : "") + time_words(whole(row.difference())),
                                             row.after == 0 ? "gone" : change(row.before, row.after),
                                             fmt::format("{:.4g}", row.count_before),
                                             fmt::format("{:.4g}", row.count_after)};
                                 }),
                      {"", "kind", "before", "after", "difference", "change", "count", "count after"});
    return kExitDone;
}

}  // namespace

void add_trace(CLI::App& app, Action& chosen) {
    CLI::App* command = app.add_subcommand(
        "trace", "Where the time of profiled steps went (traces of Kineto and Chrome: .json, .json.gz, .json.zst)");
    command->require_subcommand(1);
    auto flags = std::make_shared<TraceFlags>();
    const auto common = [&](CLI::App* sub) {
        sub->add_option("--step", flags->step, "Only this step");
        sub->add_option("--rows", flags->rows, "Rows of a table; --json has all")
            ->check(CLI::PositiveNumber)
            ->capture_default_str();
        sub->add_flag("--json", flags->json, "For programs; times in nanoseconds");
    };
    CLI::App* summary = command->add_subcommand("summary", "Shares of a step, kernels, operators, collectives, waits");
    summary->add_option("trace", flags->traces, "Files of the ranks, a folder with them, or a run")->required();
    common(summary);
    std::set<std::string> orders;
    for (const RowOrder& order : kRowOrders)
        orders.insert(order.name);
    summary->add_option("--sort", flags->sort, "Order of kernels and operators, the largest first")
        ->check(CLI::IsMember(orders));
    summary->callback([flags, &chosen] { chosen = [flags] { return print_summary(*flags); }; });
    CLI::App* comparison = command->add_subcommand("compare", "Compare two traces: what takes more or less time");
    comparison->add_option("before", flags->before, "File, folder or run")->required();
    comparison->add_option("after", flags->after, "File, folder or run")->required();
    common(comparison);
    comparison->callback([flags, &chosen] { chosen = [flags] { return print_comparison(*flags); }; });
}

}  // namespace trainyard::cli
