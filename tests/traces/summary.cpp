// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of a trace: parts of a step, self times, call tree, and the comparison of two traces.

#include "observe/traces/summary.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "support/temporary_folder.h"
#include "traces/written_trace.h"

namespace trainyard::traces {
namespace {

const char* const kOnDevice = R"({"device":0,"stream":7,"correlation":5})";

class TraceTables : public testing::Test {
  protected:
    RankSet set_of(const WrittenTrace& text) {
        return join_ranks({text.read(folder_.path() / fmt::format("trace{}.json", ++files_))});
    }
    test::TemporaryFolder folder_;
    int files_ = 0;
};

TEST_F(TraceTables, TheFivePartsOfAStepAddUp) {
    WrittenTrace text;
    text.step(3, 0, 20'000);
    text.slice("kernel", "gemm", 0, 10'000, 7, kOnDevice);
    text.slice("kernel", "ncclDevKernel_AllReduce", 5'000, 10'000, 8, R"({"device":0,"stream":8})");
    text.slice("user_annotation", "enumerate(DataLoader)#_Iter.__next__", 14'000, 4'000, 1);
    const TraceSummary summary = summarise(set_of(text));
    ASSERT_EQ(summary.steps.size(), 1U);
    const Share& share = summary.steps[0].share;
    EXPECT_EQ(share.source, ShareSource::device);
    EXPECT_EQ(share.compute, 5'000);
    EXPECT_EQ(share.overlapped, 5'000);
    EXPECT_EQ(share.exposed, 5'000);
    EXPECT_EQ(share.data, 3'000) << "waiting while communicating is communicating";
    EXPECT_EQ(share.idle, 2'000);
    EXPECT_EQ(share.compute + share.overlapped + share.exposed + share.data + share.idle, share.total);
    EXPECT_DOUBLE_EQ(share.hidden(), 0.5);
}

TEST_F(TraceTables, PhasesOfTheEngineAreTheirSums) {
    WrittenTrace text;
    for (int step = 1; step <= 4; ++step) {
        const std::int64_t begin = step * 100'000;
        text.step(step, begin, 100'000);
        text.slice("phase", "data", begin, 10'000, 0);
        text.slice("phase", "forward", begin + 10'000, 30'000, 0);
        text.slice("phase", "backward", begin + 40'000, 40'000, 0);
        text.slice("phase", "communicate", begin + 80'000, 15'000, 0);
        text.slice("phase", "optimizer", begin + 95'000, 5'000, 0);
    }
    const RankSet set = set_of(text);
    const TraceSummary all = summarise(set), one = summarise_step(set, 2);
    EXPECT_EQ(all.steps_counted, 4);
    EXPECT_EQ(all.ranks[0].share.source, ShareSource::phases);
    EXPECT_EQ(all.ranks[0].share.exposed, 60'000);
    EXPECT_EQ(all.ranks[0].share.data, 40'000);
    EXPECT_EQ(all.ranks[0].share.compute, 300'000);
    ASSERT_EQ(one.steps.size(), 1U);
    EXPECT_EQ(one.steps[0].phases.at("backward"), 40'000);
    EXPECT_THROW(summarise_step(set, 9), UserError);
}

TEST_F(TraceTables, SelfTimeIsWithoutChildrenAndTheTreeHasAll) {
    WrittenTrace text;
    text.slice("cpu_op", "outer", 0, 10'000).slice("cpu_op", "inner", 1'000, 3'000).slice("cpu_op", "leaf", 1'500, 500);
    text.slice("cpu_op", "inner", 5'000, 2'000);
    const RankSet set = set_of(text);
    const std::vector<NameRow> rows = name_table(*set.ranks[0].trace);
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(rows[0].name, "outer");
    EXPECT_EQ(rows[0].self, 5'000);
    EXPECT_EQ(rows[1].total, 5'000);
    EXPECT_EQ(rows[1].self, 4'500);
    EXPECT_EQ(rows[1].count, 2U);
    TableFilter half;
    half.range = {0, 6'000};
    EXPECT_EQ(name_table(*set.ranks[0].trace, half)[0].total, 6'000) << "the part within the range counts";
    const std::vector<CallRow> tree = call_tree(*set.ranks[0].trace);
    ASSERT_EQ(tree.size(), 4U);
    EXPECT_EQ(tree[0].total, 10'000);
    EXPECT_EQ(tree[1].name, "outer");
    EXPECT_EQ(tree[2].name, "inner");
    EXPECT_EQ(tree[2].depth, 2U);
    EXPECT_EQ(tree[3].parent, 2U);
    EXPECT_EQ(call_tree(*set.ranks[0].trace, {}, 2).size(), 2U);
}

TEST_F(TraceTables, ComparesStepsWithSteps) {
    const auto with = [&](std::int64_t mm, int steps, bool extra) {
        WrittenTrace text;
        for (int step = 0; step < steps; ++step) {
            const std::int64_t begin = step * 100'000;
            text.step(step, begin, mm + 10'000);
            text.slice("cpu_op", "aten::mm", begin + 1'000, mm);
            if (extra)
                text.slice("cpu_op", "aten::add", begin + mm + 2'000, 500);
        }
        return summarise(set_of(text));
    };
    const TraceComparison result = compare(with(20'000, 2, false), with(50'000, 5, true));
    EXPECT_EQ(result.steps_before, 2);
    EXPECT_EQ(result.steps_after, 5);
    EXPECT_DOUBLE_EQ(result.step_before, 30'000);
    EXPECT_DOUBLE_EQ(result.step_after, 60'000);
    ASSERT_EQ(result.rows.size(), 2U);
    EXPECT_EQ(result.rows[0].name, "aten::mm");
    EXPECT_DOUBLE_EQ(result.rows[0].difference(), 30'000);
    EXPECT_EQ(result.rows[1].name, "aten::add");
    EXPECT_DOUBLE_EQ(result.rows[1].count_before, 0);
    EXPECT_DOUBLE_EQ(result.rows[1].count_after, 1);
    const auto json = nlohmann::json::parse(comparison_json(result));
    EXPECT_EQ(json["rows"].size(), 2U);
}

TEST_F(TraceTables, TheJsonHasEveryTable) {
    WrittenTrace text;
    text.step(0, 0, 1'000).slice("cpu_op", "bad \xff name", 10, 20);
    text.slice("collective", "all_reduce", 100, 200, 1, R"({"bytes":64})");
    const auto json = nlohmann::json::parse(summary_json(summarise(set_of(text))));
    EXPECT_EQ(json["steps"].size(), 1U);
    EXPECT_EQ(json["operations"].size(), 1U) << "steps have a table of their own";
    EXPECT_EQ(json["collectives"][0]["bytes"], 64);
    EXPECT_EQ(json["ranks"][0]["entries"], 3);
}

}  // namespace
}  // namespace trainyard::traces
