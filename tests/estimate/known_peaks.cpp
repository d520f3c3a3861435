// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimate/known_peaks.h"

#include <cmath>
#include <cstdlib>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/clock.h"
#include "base/file.h"
#include "support/temporary_folder.h"

namespace trainyard::estimate {
namespace {

TEST(KnownPeaks, TheHighestOfAllRunsCountsAndKeepsItsDate) {
    const test::TemporaryFolder folder;
    const fs::path file = folder.path() / "cache" / "peaks.json";
    const double begin = std::floor(wall_seconds());
    EXPECT_EQ(highest_peak("a", 58e9, file).flops_per_s, 58e9);
    EXPECT_EQ(highest_peak("a", 131e9, file).flops_per_s, 131e9);
    const KnownPeak kept = highest_peak("a", 60e9, file);  // on a busy machine
    EXPECT_EQ(kept.flops_per_s, 131e9);
    EXPECT_GE(kept.time, begin);
    EXPECT_LE(kept.time, wall_seconds() + 0.001);  // the file stores milliseconds
    EXPECT_EQ(highest_peak("b", 1e9, file).flops_per_s, 1e9);
    EXPECT_EQ(known_peaks(file).size(), 2u);
    fs::remove(file);  // measured again
    EXPECT_EQ(highest_peak("a", 60e9, file).flops_per_s, 60e9);
}

TEST(KnownPeaks, AFileThatIsDamagedOrCannotBeWrittenIsNoObstacle) {
    const test::TemporaryFolder folder;
    const fs::path file = folder.path() / "peaks.json";
    for (const char* text : {"", "{", "[]", "[1]", "{\"a\":1}", "{\"a\":{\"flops_per_s\":\"x\",\"measured\":\"y\"}}",
                             "{\"a\":{\"flops_per_s\":-1,\"measured\":\"2026-01-01T00:00:00.000Z\"}}"}) {
        std::ofstream(file) << text;
        EXPECT_TRUE(known_peaks(file).empty()) << text;
        EXPECT_EQ(highest_peak("a", 5e9, file).flops_per_s, 5e9) << text;
        EXPECT_EQ(known_peaks(file).at("a").flops_per_s, 5e9) << text;
    }
    EXPECT_EQ(highest_peak("a", 7e9, "/proc/none/peaks.json").flops_per_s, 7e9);
    EXPECT_EQ(highest_peak("a", 7e9, fs::path()).flops_per_s, 7e9);
}

TEST(KnownPeaks, AKeyTellsWhatAFigureHoldsFor) {
    EXPECT_NE(peak_key(1, "bf16", 2), peak_key(2, "bf16", 1));
    EXPECT_NE(peak_key(1, "fp32", 1), peak_key(1, "bf16", 1));
    EXPECT_THAT(peak_key(2, "fp32", 1), ::testing::HasSubstr(", 2 threads, fp32, 1 rank"));
}

}  // namespace
}  // namespace trainyard::estimate
