// SPDX-License-Identifier: GPL-3.0-or-later
// The search language of traces.

#include <gmock/gmock.h>

#include "base/error.h"
#include "observe/traces/trace_search.h"
#include "support/says.h"
#include "support/temporary_folder.h"
#include "traces/written_trace.h"

namespace trainyard::traces {
namespace {

class TraceSearch : public testing::Test {
  protected:
    TraceSearch() {
        WrittenTrace text;
        text.step(1, 0, 1'000'000).step(2, 1'000'000, 1'000'000);
        text.slice("cpu_op", "aten::mm", 100, 5'000, 1, R"({"Input Dims":[[8,8]]})");
        text.slice("kernel", "gemm_bf16_128", 2'000, 400'000, 7, R"({"device":0,"stream":7,"bytes":4096})");
        text.slice("kernel", "ncclDevKernel_All-Gather", 1'500'000, 20'000, 8,
                   R"({"device":0,"stream":8,"bytes":100})");
        text.slice("cpu_op", "aten::add", 1'600'000, 2'000);
        set_ = join_ranks({text.read(folder_.path() / "trace-rank-3.json")});
    }
    std::vector<std::string> names(const std::string& query) {
        std::vector<std::string> found;
        const Trace& trace = *set_.ranks[0].trace;
        for (const SearchHit& hit : SearchQuery(query).find(set_))
            found.emplace_back(trace.name(trace.slices[hit.slice]));
        return found;
    }
    std::string refusal(const std::string& query) {
        try {
            SearchQuery given(query);
        } catch (const UserError& error) {
            return error.what();
        }
        return "taken";
    }
    test::TemporaryFolder folder_;
    RankSet set_;
};

TEST_F(TraceSearch, FindsWhatFitsAllWords) {
    using testing::ElementsAre;
    EXPECT_THAT(names("all_gather"), ElementsAre("ncclDevKernel_All-Gather")) << "- and _ are the same";
    EXPECT_THAT(names("\"aten::mm\""), ElementsAre("aten::mm"));
    EXPECT_THAT(names("/gemm.*16/"), ElementsAre("gemm_bf16_128"));
    EXPECT_THAT(names("dur>=20us !ProfilerStep"), ElementsAre("gemm_bf16_128", "ncclDevKernel_All-Gather"));
    EXPECT_THAT(names("dur<0.005ms"), ElementsAre("aten::add"));
    EXPECT_THAT(names("cat:kernel step:2"), ElementsAre("ncclDevKernel_All-Gather"));
    EXPECT_THAT(names("family:matmul"), ElementsAre("aten::mm", "gemm_bf16_128"));
    EXPECT_THAT(names("track:\"stream 7\""), ElementsAre()) << "quotes belong to names";
    EXPECT_THAT(names("stream:7"), ElementsAre("gemm_bf16_128"));
    EXPECT_THAT(names("aten rank:3"), ElementsAre("aten::mm", "aten::add"));
    EXPECT_THAT(names("rank:0"), ElementsAre());
    EXPECT_THAT(names("aten !rank:0"), ElementsAre("aten::mm", "aten::add"));
    EXPECT_THAT(names("arg:bytes>1000"), ElementsAre("gemm_bf16_128"));
    EXPECT_THAT(names("arg:bytes=100"), ElementsAre("ncclDevKernel_All-Gather"));
    EXPECT_THAT(names("arg:shape"), ElementsAre("aten::mm"));
    EXPECT_THAT(names("arg:dims~8,8"), ElementsAre("aten::mm"));
    EXPECT_THAT(names("nothing like it"), ElementsAre());
    EXPECT_TRUE(SearchQuery("  ").empty());
}

TEST_F(TraceSearch, SaysWhatItDoesNotUnderstand) {
    using testing::HasSubstr;
    EXPECT_THAT(refusal("dur>5"), test::says("`{0}` has no unit: write {0}ms", testing::_));
    EXPECT_THAT(refusal("dur>fast"), test::says("`{}` has no duration: write dur>5ms", testing::_));
    EXPECT_THAT(refusal("dur~5ms"), HasSubstr("write dur>5ms"));
    EXPECT_THAT(refusal("\"open"), test::says("`{}` has no end: a second {} is missing", testing::_, testing::_));
    EXPECT_THAT(refusal("/(/"), testing::Not("taken"));
    EXPECT_THAT(refusal("!"), test::says("`!` stands alone: write !word for slices that do not fit"));
    EXPECT_THAT(refusal("rank:first"), test::says("`{}` is not a number: write {}3", testing::_, testing::_));
    EXPECT_THAT(refusal("cat:"), test::says("`{0}` names nothing: write {0}word", testing::_));
    EXPECT_THAT(refusal("arg:bytes>"), test::says("`{0}` compares with nothing: write {0}4096", testing::_));
    EXPECT_THAT(refusal("arg:bytes>many"),
                test::says("`{}` compares with a text: write a number, or ~ for a part of a text", testing::_));
}

TEST_F(TraceSearch, EndsWhenItIsNotWanted) {
    std::size_t asked = 0;
    SearchQuery("arg:bytes").find(set_, [&] { return ++asked < 1; });
    EXPECT_LE(asked, 1U);
}

}  // namespace
}  // namespace trainyard::traces
