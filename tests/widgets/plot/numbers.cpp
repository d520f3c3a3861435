// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the number formats and tick labels of charts.

#include <cmath>

#include <gtest/gtest.h>

#include "widgets/plot/axis_ticks.h"
#include "widgets/plot/number_text.h"

namespace trainyard::widgets {
namespace {

std::string axis(double value, double step) {
    return axis_number(value, step).toStdString();
}

std::string value(double number, int digits = 4) {
    return value_number(number, digits).replace(QChar(0xA0), QLatin1Char(' ')).toStdString();
}

TEST(Numbers, AxisLabelsAreShort) {
    EXPECT_EQ(axis(0, 1), "0");
    EXPECT_EQ(axis(2.5, 0.5), "2.5");
    EXPECT_EQ(axis(3, 0.5), "3.0");
    EXPECT_EQ(axis(20000, 2000), "20k");
    EXPECT_EQ(axis(1084, 2), "1,084") << "close ticks must be written in full";
    EXPECT_EQ(axis(1500, 500), "1.5k");
    EXPECT_EQ(axis(1500000, 500000), "1.5M");
    EXPECT_EQ(axis(3e-4, 1e-4), "3e-4");
    EXPECT_EQ(axis(2.5e-5, 5e-6), "2.5e-5");
    EXPECT_EQ(axis(-3, 1), "−3");
}

TEST(Numbers, ValuesHaveSignificantDigits) {
    EXPECT_EQ(value(2.48931), "2.489");
    EXPECT_EQ(value(0.84321, 3), "0.84");
    EXPECT_EQ(value(739234, 3), "739 k");
    EXPECT_EQ(value(4.82e9, 3), "4.82 G");
    EXPECT_EQ(value(2.97e-4), "2.97e-4");
    EXPECT_EQ(value(9.99999e-4), "1e-3");
    EXPECT_EQ(value(0.00199, 3), "2e-3");
    EXPECT_EQ(value(0.0123, 3), "0.012");
    EXPECT_EQ(value(-1.5, 2), "−1.5");
    EXPECT_EQ(value(std::nan("")), "NaN");
    EXPECT_EQ(value(HUGE_VAL), "∞");
    EXPECT_EQ(value(0), "0");
    EXPECT_EQ(value(4395), "4,395");
    EXPECT_EQ(value(-4395.4), "−4,395");
}

TEST(Numbers, TicksAreRoundAndWithinTheRange) {
    for (double width : {1e-6, 0.37, 5.0, 1842.0, 3e7})
        for (double from : {-2.0 * width, 0.0, 13.7 * width}) {
            const TickMarks marks = linear_ticks(from, from + width, 6);
            EXPECT_GE(marks.at.size(), 3u) << from << ' ' << width;
            EXPECT_LE(marks.at.size(), 13u);
            for (double at : marks.at) {
                EXPECT_GE(at, from - 1e-9 * width);
                EXPECT_LE(at, from + width * (1 + 1e-9));
            }
        }
    EXPECT_EQ(linear_ticks(0, 4, 10, true).step, 1);
    EXPECT_TRUE(linear_ticks(1, 1, 5).at.empty());
    EXPECT_TRUE(linear_ticks(0, HUGE_VAL, 5).at.empty());
}

TEST(Numbers, LogTicksServeOneDecadeAndMany) {
    const TickMarks narrow = log_ticks(2.3, 6.4, 6);
    EXPECT_GE(narrow.at.size(), 3u);
    for (double at : narrow.at)
        EXPECT_NEAR(at * 4, std::round(at * 4), 1e-9) << at;
    const TickMarks wide = log_ticks(1e-6, 10, 6);
    EXPECT_GE(wide.at.size(), 3u);
    for (double at : wide.at)
        EXPECT_NEAR(std::log10(at), std::round(std::log10(at)), 1e-9);
    EXPECT_TRUE(log_ticks(0, 1, 5).at.empty());
}

TEST(Numbers, TimeTicksAreRoundTimes) {
    EXPECT_EQ(time_ticks(0, 3600, 6).step, 600);
    EXPECT_EQ(axis_time(600, 600).toStdString(), "10\u00A0min");
    EXPECT_EQ(time_ticks(0, 40, 5).step, 10);
    EXPECT_EQ(axis_time(7200, 3600).toStdString(), "2\u00A0h");
    EXPECT_EQ(time_ticks(0, 86400 * 20, 5).step, 86400 * 5);
}

}  // namespace
}  // namespace trainyard::widgets
