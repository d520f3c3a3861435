// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzzes the trace reader with mutations of the golden files (support/byte_fuzz.h): each trace is read or refused with
// a message, every slice belongs to a track, tables, ranks and searches work, and a written part can be read again.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "observe/traces/excerpt.h"
#include "observe/traces/schedule_plan.h"
#include "observe/traces/summary.h"
#include "observe/traces/trace_reader.h"
#include "observe/traces/trace_search.h"
#include "support/byte_fuzz.h"
#include "support/golden.h"
#include "support/temporary_folder.h"

namespace {

using namespace trainyard;
using namespace trainyard::traces;

constexpr std::uint64_t kLargestSeed = 100'000;  ///< bytes

std::size_t sum = 0;  // prevents the compiler from removing the reads

void must(bool holds, const char* what) {
    if (holds)
        return;
    std::fprintf(stderr, "%s\n", what);
    std::abort();
}

/// A part of a trace is a whole one again.
void write_again(const RankSet& set, const std::filesystem::path& file) {
    std::vector<Excerpt> written;
    try {
        written = write_excerpt(set, kWhole, 0, file);
    } catch (const UserError&) {
        return;  // nothing in it, or arguments that cannot be read
    }
    const auto part = read_trace(file);
    must(part->slices.size() == written.at(0).slices, "a slice was lost on its way to a file and back");
    must(part->reading.unplaced() == 0, "what was written cannot be placed");
    must(part->reading.count(Entry::repaired) == 0, "the written file is not valid JSON");
}

void use(const std::vector<std::shared_ptr<const Trace>>& traces, const std::filesystem::path& file) {
    for (const auto& trace : traces) {
        std::size_t placed = 0;
        for (const Track& track : trace->tracks) {
            placed += track.count;
            for (const Slice& slice : trace->slices_of(track)) {
                must(slice.row < track.rows, "a slice lies below the rows of its track");
                must(slice.duration >= 0, "a slice ends before its begin");
            }
        }
        must(placed == trace->slices.size(), "a slice does not belong to a track");
        must(trace->reading.entries >= trace->reading.count(Entry::complete), "more slices than entries");
        for (std::uint32_t i = 0; i < std::min<std::size_t>(trace->slices.size(), 5); ++i)
            sum += trace->arguments(trace->slices[i]).size() + trace->parent(i).value_or(0);
        sum += call_tree(*trace).size() + trace->retained_bytes();
    }
    const RankSet set = join_ranks(traces);
    write_again(set, file);
    sum += plan_of(set).steps.size();
    const TraceSummary summary = summarise(set);
    for (const StepShare& step : summary.steps)
        must(step.share.compute + step.share.overlapped + step.share.exposed + step.share.data + step.share.idle ==
                 step.share.total,
             "the parts of a step do not add up");
    sum += summary_json(summary).size() + comparison_json(compare(summary, summary)).size();
    sum += SearchQuery("arg:bytes>100 !step:2").find(set).size();
}

}  // namespace

int main() {
    std::vector<std::string> seeds,
        queries{"dur>5ms cat:kernel", "/gemm.*/ !\"a b\"", "arg:shape~8,8 rank:3 step:2", "family:matmul track:stream"};
    for (const auto& entry : std::filesystem::recursive_directory_iterator(test::golden("traces")))
        if (entry.is_regular_file() && entry.path().filename() != "expected.json" && entry.file_size() <= kLargestSeed)
            seeds.push_back(read_file(entry.path()));
    test::TemporaryFolder folder;
    std::shared_ptr<const Trace> other;
    const int status = test::fuzz_rounds(seeds.size(), rlim_t{2} << 30, [&](std::mt19937_64& random) {
        const std::string input = test::changed(seeds[random() % seeds.size()], seeds, random);
        test::keep_input(input, ".json");
        write_file_atomically(folder.path() / "trace.json", input, false);
        try {
            const auto trace = read_trace(folder.path() / "trace.json");
            use(other ? std::vector{trace, other} : std::vector{trace}, folder.path() / "part.json");
            other = trace;
        } catch (const UserError&) {
        }
        try {
            sum += SearchQuery(test::changed(queries[random() % queries.size()], queries, random)).empty() ? 1 : 0;
        } catch (const UserError&) {
        }
    });
    std::printf("sum %zu\n", sum);
    return status;
}
