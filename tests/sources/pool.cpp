// The reading threads: a read that hangs stops nobody else, nobody is called after his end, and the window has its turn.

#include <atomic>
#include <condition_variable>
#include <fstream>
#include <mutex>
#include <thread>

#include <QTest>
#include <QThread>
#include <QTimer>

#include <gtest/gtest.h>

#include "desktop/sources/read_pool.h"
#include "support/temporary_folder.h"

namespace trainyard::desktop {
namespace {

constexpr int kPatience = 20'000;  // ms; the machine may be busy

/// A disk that answers when it is told to.
class Disk {
  public:
    void wait() {
        std::unique_lock lock(mutex_);
        ++waiting_;
        answer_.wait(lock, [this] { return answers_; });
    }
    void answer() {
        std::lock_guard lock(mutex_);
        answers_ = true;
        answer_.notify_all();
    }
    int waiting() {
        std::lock_guard lock(mutex_);
        return waiting_;
    }

  private:
    std::mutex mutex_;
    std::condition_variable answer_;
    bool answers_ = false;
    int waiting_ = 0;
};

class Hangs : public PooledReader {
  public:
    explicit Hangs(std::shared_ptr<Disk> disk) : disk_(std::move(disk)) {}
    int read() override {
        disk_->wait();
        return 60'000;
    }

  private:
    std::shared_ptr<Disk> disk_;
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
    const auto disk = std::make_shared<Disk>();
    const auto rounds = std::make_shared<std::atomic<int>>(0);
    {
        ReadPool pool(2);
        for (int i = 0; i < 6; ++i)
            pool.add(std::make_shared<Hangs>(disk));
        pool.add(std::make_shared<Counts>(rounds, 10));
        ASSERT_TRUE(QTest::qWaitFor([&] { return disk->waiting() == 6 && *rounds > 3; }, kPatience));
        EXPECT_GE(pool.threads(), 7);
        pool.remove(1);
    }  // the end of the pool waits for no disk, or this test would never end
    disk->answer();
}

TEST(ReadPool, ThreadsGoWhenTheDiskAnswers) {
    const auto disk = std::make_shared<Disk>();
    ReadPool pool(2);
    const int usual = pool.threads();
    for (int i = 0; i < 6; ++i)
        pool.add(std::make_shared<Hangs>(disk));
    ASSERT_TRUE(QTest::qWaitFor([&] { return disk->waiting() == 6; }, kPatience));
    EXPECT_GT(pool.threads(), usual);
    disk->answer();
    EXPECT_TRUE(QTest::qWaitFor([&] { return pool.threads() == usual; }, kPatience));
}

TEST(ReadPool, AChangeInAFolderBringsTheNextRoundForward) {
    const test::TemporaryFolder folder;
    const auto rounds = std::make_shared<std::atomic<int>>(0);
    ReadPool pool(2);
    const std::uint64_t reader = pool.add(std::make_shared<Counts>(rounds, 600'000, folder.path()));
    ASSERT_TRUE(QTest::qWaitFor([&] { return *rounds == 1; }, kPatience));
    QTest::qWait(20);
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
    QTest::qWait(50);
    EXPECT_LE(*rounds, last + 1);
}

TEST(ReadPool, ReadersThatHaveMoreTakeTurns) {
    const auto one = std::make_shared<std::atomic<int>>(0), other = std::make_shared<std::atomic<int>>(0);
    ReadPool pool(1);
    pool.add(std::make_shared<Counts>(one, 0));
    pool.add(std::make_shared<Counts>(other, 0));
    EXPECT_TRUE(QTest::qWaitFor([&] { return *one > 1000 && *other > 1000; }, kPatience));
}

TEST(ReadPool, DeliversInTheGuiThreadWhileTheReceiverLivesAndNeverAllAtOnce) {
    auto alive = std::make_shared<bool>(true);
    std::vector<int> came;
    int after_end = 0;
    int turns = 0;
    QTimer turn;
    QObject::connect(&turn, &QTimer::timeout, [&] { ++turns; });
    turn.start(0);
    const Qt::HANDLE gui = QThread::currentThreadId();
    std::thread reader([&] {
        for (int i = 0; i < 100; ++i)
            ReadPool::deliver(alive, [&came, i, gui] {
                EXPECT_EQ(QThread::currentThreadId(), gui);
                came.push_back(i);
                QThread::msleep(1);
            });
    });
    reader.join();
    ASSERT_TRUE(QTest::qWaitFor([&] { return came.size() == 100; }, kPatience));
    for (int i = 0; i < 100; ++i)
        EXPECT_EQ(came[static_cast<std::size_t>(i)], i);
    EXPECT_GT(turns, 5) << "the window has its turn between them";
    ReadPool::deliver(alive, [&] { ++after_end; });
    alive.reset();
    QTest::qWait(50);
    EXPECT_EQ(after_end, 0);
}

}  // namespace
}  // namespace trainyard::desktop
