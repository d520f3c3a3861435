// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/stall_watch.h"

#include <QTest>
#include <QThread>

#include <gtest/gtest.h>

using trainyard::widgets::StallWatch;

TEST(StallWatchTest, CountsAHoldOnceAndSaysWhere) {
    StallWatch watch(50);
    testing::internal::CaptureStderr();
    const int before = watch.holds();
    QThread::msleep(400);
    EXPECT_TRUE(QTest::qWaitFor([&] { return watch.holds() > before && watch.longest() >= 300; }));
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_GT(watch.holds(), before);
    EXPECT_GE(watch.longest(), 300);
    EXPECT_NE(said.find("has been held for"), std::string::npos) << said;
    EXPECT_NE(said.find("test_widgets"), std::string::npos) << "a stack with the program's own frames: " << said;
}

TEST(StallWatchTest, IsAskedForByAVariable) {
    qputenv("TRAINYARD_STALL_WATCH", "80");
    EXPECT_EQ(StallWatch::wanted(), 80);
    qputenv("TRAINYARD_STALL_WATCH", "0");
    EXPECT_EQ(StallWatch::wanted(), 0);
    qunsetenv("TRAINYARD_STALL_WATCH");
}
