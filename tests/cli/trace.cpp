// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of `trainyard trace`: the tables of recorded traces, the JSON output, and the errors for files that are not
// traces.

#include <algorithm>
#include <functional>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/program.h"
#include "support/golden.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard {
namespace {

using test::Program;
using test::Said;
using test::says;
using testing::_;
using testing::HasSubstr;
using testing::StartsWith;

Said trace(std::vector<std::string> words) {
    words.insert(words.begin(), {TRAINYARD_BIN_DIR "/trainyard", "trace"});
    return Program(words).wait();
}

std::string recorded(const std::string& file) {
    return (test::own_golden("traces") / file).string();
}

TEST(TraceCommand, SumsUpTheRanksOfAFolder) {
    const Said said =
        trace({"summary", recorded("cuda/two_ranks/rank0.json.gz"), recorded("cuda/two_ranks/rank1.json.gz")});
    EXPECT_EQ(said.code, 0) << said.err;
    for (const char* text : {"2 ranks, 822 slices, 4 steps (3 to 6)", "rank 1", "exposed comm.", "Kernels",
                             "aten::addmm", "allreduce of 0", "waited for"})
        EXPECT_THAT(said.out, HasSubstr(text));
    EXPECT_EQ(said.out.find("ProfilerStep"), std::string::npos);
}

TEST(TraceCommand, GivesAllOfOneStepAsJson) {
    const Said said = trace({"summary", recorded("cuda/one_gpu/rank0.json"), "--json"});
    ASSERT_EQ(said.code, 0) << said.err;
    const auto whole = nlohmann::json::parse(said.out);
    ASSERT_GT(whole["steps"].size(), 1U);
    const auto step = whole["steps"][0];
    const Said one = trace({"summary", recorded("cuda/one_gpu/rank0.json"), "--json", "--step", step["step"].dump()});
    ASSERT_EQ(one.code, 0) << one.err;
    EXPECT_EQ(nlohmann::json::parse(one.out)["steps"], nlohmann::json::array({step}));
    const auto share = step["share"];
    EXPECT_EQ(share["total_ns"].get<std::int64_t>(),
              share["compute_ns"].get<std::int64_t>() + share["overlapped_ns"].get<std::int64_t>() +
                  share["exposed_ns"].get<std::int64_t>() + share["data_ns"].get<std::int64_t>() +
                  share["idle_ns"].get<std::int64_t>());
}

TEST(TraceCommand, SortsKernelsAndOperators) {
    const std::string file = recorded("cuda/one_gpu/rank0.json");
    const auto column = [&](const std::vector<std::string>& order, const char* key) {
        std::vector<std::string> arguments{"summary", file, "--json"};
        arguments.insert(arguments.end(), order.begin(), order.end());
        std::vector<double> values;
        const Said said = trace(arguments);
        EXPECT_EQ(said.code, 0) << said.err;
        const nlohmann::json json = nlohmann::json::parse(said.out);
        for (const auto& row : json["operations"])
            values.push_back(row[key].get<double>());
        return values;
    };
    for (const auto& [order, key] : std::map<std::string, const char*>{
             {"count", "count"}, {"total", "total_ns"}, {"self", "self_ns"}, {"longest", "longest_ns"}}) {
        const std::vector<double> sorted = column({"--sort", order}, key);
        EXPECT_GT(sorted.size(), 3U);
        EXPECT_TRUE(std::ranges::is_sorted(sorted, std::ranges::greater())) << order;
    }
    EXPECT_FALSE(std::ranges::is_sorted(column({}, "count"), std::ranges::greater())) << "the usual order is another";
    EXPECT_THAT(trace({"summary", file, "--sort", "count"}).out, HasSubstr("Operators by their count"));
    EXPECT_EQ(trace({"summary", file, "--sort", "beauty"}).code, 2);
}

TEST(TraceCommand, ComparesTwo) {
    const std::string file = recorded("cuda/one_gpu/rank0.json");
    const Said same = trace({"compare", file, file, "--json"});
    ASSERT_EQ(same.code, 0) << same.err;
    const nlohmann::json compared = nlohmann::json::parse(same.out);
    for (const auto& row : compared.at("rows"))
        EXPECT_EQ(row["difference_ns"], 0.0);
    EXPECT_THAT(trace({"compare", file, recorded("real/plain/trace.json")}).out, HasSubstr("Largest differences"));
}

TEST(TraceCommand, SaysWhatItCannotRead) {
    test::TemporaryFolder folder;
    Said said = trace({"summary", recorded("malformed/cut_in_event.json")});
    EXPECT_EQ(said.code, 0);
    EXPECT_THAT(said.err, says("the file ends inside an event"));
    said = trace({"summary", recorded("malformed/empty_file.json")});
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(said.err, says("the file is empty: 0 bytes"));
    said = trace({"summary", folder.path().string()});
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(said.err, says("{}: there is no trace in it or in its folder traces; `trainyard runs profile` records "
                               "one of a running run",
                               _));
    said = trace({"summary", recorded("cuda/one_gpu/rank0.json"), "--step", "999"});
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(said.err, says("there is no step {} in this trace: it has {} to {}", StartsWith("999"), _, _));
    EXPECT_EQ(trace({"summary"}).code, 2);
}

}  // namespace
}  // namespace trainyard
