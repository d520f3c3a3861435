// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the report of `trainyard test` about the measured network links.

#include "cli/test_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/says.h"

namespace trainyard::cli {
namespace {

using Json = nlohmann::json;
using test::says;
using testing::_;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

run::Event measured(const char* kind, int first, int second, double latency_s, double bytes_per_s) {
    run::Event event;
    event.kind = kind;
    event.rank = first;
    event.step = second;
    event.value = bytes_per_s;
    event.text = Message::verbatim(Json{{"latency_s", latency_s},
                                        {"sizes",
                                         {{{"bytes", 1024}, {"seconds", 1024 / bytes_per_s + latency_s}},
                                          {{"bytes", 1 << 20}, {"seconds", (1 << 20) / bytes_per_s}}}}}
                                       .dump());
    return event;
}

/// One rank on each of a, b, c, d.
class TestReport : public testing::Test {
  protected:
    void pair(int first, int second, double latency_s, double bytes_per_s) {
        EXPECT_FALSE(report_.take(measured("pair", first, second, latency_s, bytes_per_s)));
    }
    std::vector<std::string> remarks(int hosts) {
        std::vector<run::RankState> ranks;
        for (int i = 0; i < hosts; ++i) {
            ranks.emplace_back();
            ranks.back().host = std::string(1, static_cast<char>('a' + i));
        }
        report_.name_hosts(ranks);
        return report_.remarks();
    }
    SelfCheckReport report_;
};

TEST_F(TestReport, LikeLinksAreNoRemark) {
    pair(0, 1, 1e-4, 1e9);
    pair(0, 2, 3e-4, 6e8);
    pair(1, 2, 5e-4, 3e8);
    EXPECT_THAT(remarks(3), IsEmpty());
}

TEST_F(TestReport, TwoHostsHaveNothingToBeComparedWith) {
    pair(0, 1, 0.1, 1e3);
    EXPECT_THAT(remarks(2), IsEmpty());
}

TEST_F(TestReport, OneSlowLinkIsNamedWithTheBestOne) {
    pair(0, 1, 1e-4, 1e9);
    pair(0, 2, 1e-4, 9e8);
    pair(1, 2, 1e-4, 1e7);
    EXPECT_THAT(remarks(3),
                ElementsAre(AllOf(says("{} and {} exchange {}, a {:.0f}th of the {} between {} and {}: every step of a "
                                       "run waits for the slowest link; look at the way between the two",
                                       "b", "c", "10.0 MB/s", "100", "1.0 GB/s", "a", StartsWith("b"))
                                      .at_start(),
                                  HasSubstr("look at the way between"))));
}

TEST_F(TestReport, AHostWithOnlySlowLinksIsNamedOnce) {
    pair(0, 1, 1e-4, 1e9);
    pair(0, 2, 1e-4, 1e9);
    pair(1, 2, 1e-4, 1e9);
    pair(0, 3, 2e-3, 2e6);
    pair(1, 3, 2e-3, 1e6);
    pair(2, 3, 2e-3, 1e6);
    EXPECT_THAT(remarks(4), ElementsAre(AllOf(
                                says("{0} is reached slowly by all others: {1} at most, latency {2}, while {3} and {4} "
                                     "exchange {5}: look at {0}'s cable, switch port and interface, or run without it",
                                     "d", "2.0 MB/s", _, _, _, _)
                                    .at_start(),
                                HasSubstr("latency 2.0 ms"))));
}

TEST_F(TestReport, ALongWayIsNoticedWhereTheBandwidthIsFine) {
    pair(0, 1, 1e-4, 1e9);
    pair(0, 2, 1e-4, 1e9);
    pair(1, 2, 2e-2, 9e8);
    EXPECT_THAT(remarks(3), ElementsAre(says("a message between {} and {} takes {}, {:.0f} times as long as between "
                                             "the nearest hosts: look at the way between the two",
                                             "b", "c", "20.0 ms", "200")
                                            .at_start()));
}

TEST_F(TestReport, RoundsThatOtherProgramsDelayAreNoSlowLink) {
    for (const auto& [first, second, middle] : {std::tuple(0, 1, 2e-2), {0, 2, 1e-4}, {1, 2, 1e-4}}) {
        run::Event event = measured("pair", first, second, middle, 1e9);
        Json text = Json::parse(event.text.text());
        text["least_latency_s"] = 1e-4;
        event.text = Message::verbatim(text.dump());
        report_.take(event);
    }
    EXPECT_THAT(remarks(3), IsEmpty());
}

TEST_F(TestReport, TableAndJsonSayTheSame) {
    pair(0, 1, 1e-4, 2e9);
    EXPECT_FALSE(report_.take(measured("all_reduce", -1, -1, 2e-4, 5e8)));
    run::Event check;
    check.kind = "check";
    check.text = "parity: the same weights";
    check.value = 0.5;
    EXPECT_TRUE(report_.take(check));
    remarks(2);
    EXPECT_THAT(report_.text(), AllOf(HasSubstr("a (rank 0) - b (rank 1)"), HasSubstr("100 us"), HasSubstr("2.0 GB/s"),
                                      says("all ranks (all-reduce)"), HasSubstr("200 us")));
    run::RunState state;
    state.status = run::Status::finished;
    Json result = Json::parse(report_.json(state, 2, 1.5));
    EXPECT_EQ(result["passed"], true);
    EXPECT_EQ(result["checks"][0]["name"], "parity");
    EXPECT_EQ(result["pairs"][0]["hosts"], Json({"a", "b"}));
    EXPECT_DOUBLE_EQ(result["pairs"][0]["sizes"][1]["bytes_per_s"].get<double>(), 2e9);
    EXPECT_DOUBLE_EQ(result["all_reduce"]["latency_s"].get<double>(), 2e-4);
}

TEST_F(TestReport, FiguresThatAreDamagedAreNoEndOfTheReport) {
    run::Event event = measured("pair", 0, 1, 1e-4, 1e9);
    event.text = "{\"latency_s\":";
    EXPECT_FALSE(report_.take(event));
    event.text = "{\"sizes\":[1,{\"bytes\":2}]}";
    EXPECT_FALSE(report_.take(event));
    remarks(2);
    EXPECT_EQ(report_.pairs().size(), 2u);
    EXPECT_THAT(report_.text(), HasSubstr("a (rank 0)"));
}

}  // namespace
}  // namespace trainyard::cli
