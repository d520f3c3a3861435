// SPDX-License-Identifier: GPL-3.0-or-later
// The threads of background work: what hangs holds up nothing but what has to come after it.

#include "widgets/executor.h"

#include <atomic>
#include <cstdlib>
#include <thread>
#include <vector>

#include <QTest>

#include <gtest/gtest.h>

#include "support/disk.h"
#include "support/patience.h"

namespace trainyard::widgets {
namespace {

using std::chrono::milliseconds;
using test::Disk;

TEST(Executor, WorkThatHangsStopsNobodyElseAndItsThreadsGoWhenTheDiskAnswers) {
    const auto disk = std::make_shared<Disk>();
    const auto done = std::make_shared<std::atomic<int>>(0);
    Executor executor(2);
    for (int i = 0; i < 6; ++i)
        executor.run([disk] { disk->wait(); });
    for (int i = 0; i < 10; ++i)
        executor.run([done] { ++*done; });
    ASSERT_TRUE(QTest::qWaitFor([&] { return disk->waiting() == 6 && *done == 10; }, kPatience));
    EXPECT_GE(executor.threads(), 7);
    disk->answer();
    EXPECT_TRUE(QTest::qWaitFor([&] { return executor.threads() <= 2; }, kPatience));
}

TEST(Executor, ComputesNoMoreAtATimeThanItHasThreads) {
    struct Count {
        std::atomic<int> now = 0, most = 0, done = 0;
    };
    const auto count = std::make_shared<Count>();
    Executor executor(2);
    for (int i = 0; i < 40; ++i)
        executor.run(
            [count] {
                const int now = ++count->now;
                for (int most = count->most; most < now && !count->most.compare_exchange_weak(most, now);) {
                }
                std::this_thread::yield();
                --count->now;
                ++count->done;
            },
            i % 2 == 0 ? Executor::Kind::Computes : Executor::Kind::Background);
    EXPECT_TRUE(executor.finish(milliseconds(kPatience)));
    EXPECT_EQ(count->done, 40);
    EXPECT_LE(count->most, 2);
}

TEST(Executor, WorkThatWaitsForTheNetworkBeginsAtOnce) {
    const auto network = std::make_shared<Disk>();
    const auto done = std::make_shared<std::atomic<int>>(0);
    Executor executor(1);
    for (int i = 0; i < 50; ++i)
        executor.run([network] { network->wait(); }, Executor::Kind::Waits);
    executor.run([done] { ++*done; });
    EXPECT_TRUE(QTest::qWaitFor([&] { return network->waiting() == 50 && *done == 1; }, kPatience));
    network->answer();
    EXPECT_TRUE(executor.finish(milliseconds(kPatience)));
}

TEST(Executor, WorkOfOneKeyKeepsItsOrderAndHangsAlone) {
    const auto disk = std::make_shared<Disk>();
    const auto order = std::make_shared<std::vector<int>>();
    const auto other = std::make_shared<std::atomic<bool>>(false);
    Executor executor(4);
    executor.run([disk] { disk->wait(); }, Executor::Kind::Computes, "file");
    for (int i = 0; i < 100; ++i)
        executor.run([order, i] { order->push_back(i); }, i % 2 == 0 ? Executor::Kind::Computes : Executor::Kind::Waits,
                     "file");
    executor.run([other] { *other = true; }, Executor::Kind::Computes, "another file");
    ASSERT_TRUE(QTest::qWaitFor([&] { return other->load() && disk->waiting() == 1; }, kPatience));
    EXPECT_TRUE(order->empty());
    disk->answer();
    ASSERT_TRUE(executor.finish(milliseconds(kPatience)));
    ASSERT_EQ(order->size(), 100U);
    for (int i = 0; i < 100; ++i)
        EXPECT_EQ((*order)[static_cast<std::size_t>(i)], i);
}

TEST(Executor, FinishingWaitsForWhatIsAboutToEndAndForNothingThatHangs) {
    const auto disk = std::make_shared<Disk>();
    const auto written = std::make_shared<std::atomic<bool>>(false);
    Executor executor(2);
    executor.run([disk] { disk->wait(); });
    executor.run([written] {
        std::this_thread::sleep_for(milliseconds(100));
        *written = true;
    });
    EXPECT_FALSE(executor.finish(milliseconds(kPatience))) << "something hangs, and that is said";
    EXPECT_TRUE(*written);
    disk->answer();
    EXPECT_TRUE(QTest::qWaitFor([&] { return executor.finish(milliseconds(0)); }, kPatience));
}

TEST(ExecutorDeathTest, TheProgramEndsWhileItsDiskHangs) {
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    EXPECT_EXIT(
        {
            const auto disk = std::make_shared<Disk>();
            Executor::instance().run([disk] { disk->wait(); });
            while (disk->waiting() == 0)
                std::this_thread::yield();
            Executor::instance().finish(Executor::kLeave);
            std::exit(0);
        },
        testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace trainyard::widgets
