// SPDX-License-Identifier: GPL-3.0-or-later
// What is read again and again: a read that hangs stops nobody else, and nobody is called after his end.

#include <atomic>
#include <fstream>

#include <QTest>

#include <gtest/gtest.h>

#include "desktop/sources/read_pool.h"
#include "support/disk.h"
#include "support/patience.h"
#include "support/temporary_folder.h"

namespace trainyard::desktop {
namespace {

class Hangs : public PooledReader {
  public:
    explicit Hangs(std::shared_ptr<test::Disk> disk) : disk_(std::move(disk)) {}
    int read() override {
        disk_->wait();
        return 60'000;
    }

  private:
    std::shared_ptr<test::Disk> disk_;
};

class Counts : public PooledReader {
  public:
    Counts(std::shared_ptr<std::atomic<int>> rounds, int again, std::filesystem::path folder = {})
        : rounds_(std::move(rounds)), again_(again), folder_(std::move(folder)) {}
    int read() override {
        ++*rounds_;
        return again_;
    }
    std::vector<std::filesystem::path> watched() const override {
        return folder_.empty() ? std::vector<std::filesystem::path>() : std::vector{folder_};
    }

  private:
    std::shared_ptr<std::atomic<int>> rounds_;
    int again_;
    std::filesystem::path folder_;
};

TEST(ReadPool, ReadsThatHangStopNobodyElse) {
    const auto disk = std::make_shared<test::Disk>();
    const auto rounds = std::make_shared<std::atomic<int>>(0);
    {
        widgets::Executor executor(2);
        ReadPool pool(executor);
        for (int i = 0; i < 6; ++i)
            pool.add(std::make_shared<Hangs>(disk));
        pool.add(std::make_shared<Counts>(rounds, 10));
        ASSERT_TRUE(QTest::qWaitFor([&] { return disk->waiting() == 6 && *rounds > 3; }, kPatience));
        pool.remove(1);
    }  // the end of the pool waits for no disk, or this test would never end
    disk->answer();
}

TEST(ReadPool, AChangeInAFolderBringsTheNextRoundForward) {
    const test::TemporaryFolder folder;
    const auto rounds = std::make_shared<std::atomic<int>>(0);
    widgets::Executor executor(2);
    ReadPool pool(executor);
    const std::uint64_t reader = pool.add(std::make_shared<Counts>(rounds, 600'000, folder.path()));
    ASSERT_TRUE(QTest::qWaitFor([&] { return *rounds == 1; }, kPatience));
    for (int seen = 1; seen < 4; ++seen) {
        // Written until it is noticed: the first write may come before the watch.
        ASSERT_TRUE(QTest::qWaitFor(
            [&] {
                std::ofstream(folder.path() / "file", std::ios::app) << "x";
                return *rounds > seen;
            },
            kPatience));
        seen = *rounds;
    }
    pool.remove(reader);
    const int last = *rounds;
    // A task that is submitted now runs after a round that was due.
    std::atomic<bool> is_over = false;
    executor.run([&] { is_over = true; });
    ASSERT_TRUE(QTest::qWaitFor([&] { return is_over.load(); }, kPatience));
    EXPECT_LE(*rounds, last + 1);
}

TEST(ReadPool, ReadersThatHaveMoreTakeTurns) {
    const auto one = std::make_shared<std::atomic<int>>(0), other = std::make_shared<std::atomic<int>>(0);
    widgets::Executor executor(1);
    ReadPool pool(executor);
    pool.add(std::make_shared<Counts>(one, 0));
    pool.add(std::make_shared<Counts>(other, 0));
    EXPECT_TRUE(QTest::qWaitFor([&] { return *one > 1000 && *other > 1000; }, kPatience));
}

}  // namespace
}  // namespace trainyard::desktop
