// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/job.h"

#include <atomic>
#include <stdexcept>

#include <QSemaphore>
#include <QTest>
#include <QThread>
#include <QTimer>

#include <gtest/gtest.h>

#include "support/disk.h"
#include "support/patience.h"

namespace trainyard::widgets {
namespace {

/// Until everything that was posted before has come.
void comeToRest(Job& job) {
    ASSERT_TRUE(job.wait(std::chrono::milliseconds(kPatience)));
    bool last = false;
    Job after;
    after.submit([] {}, [&] { last = true; });
    ASSERT_TRUE(QTest::qWaitFor([&] { return last; }, kPatience));
}

TEST(JobTest, DeliversInTheThreadOfTheReceiver) {
    Job job;
    QThread* worked = nullptr;
    QThread* delivered = nullptr;
    int answer = 0;
    job.submit([] { return std::pair(42, QThread::currentThread()); },
               [&](const std::pair<int, QThread*>& result) {
                   answer = result.first;
                   worked = result.second;
                   delivered = QThread::currentThread();
               });
    EXPECT_TRUE(job.isRunning());
    ASSERT_TRUE(QTest::qWaitFor([&] { return answer != 0; }));
    EXPECT_EQ(answer, 42);
    EXPECT_EQ(delivered, QThread::currentThread());
    EXPECT_NE(worked, delivered);
    EXPECT_FALSE(job.isRunning());
}

TEST(JobTest, DeliversInTheThreadOfAReceiverThatIsNotTheWindow) {
    class Other : public QThread {
      public:
        QThread* delivered = nullptr;

      protected:
        void run() override {
            Job job;
            job.submit([](const Cancelled&) { return 1; },
                       [this](int) {
                           delivered = QThread::currentThread();
                           quit();
                       });
            exec();
        }
    } other;
    other.start();
    ASSERT_TRUE(other.wait(kPatience));
    EXPECT_EQ(other.delivered, &other);
}

TEST(JobTest, NewestWins) {
    Job job;
    auto gate = std::make_shared<QSemaphore>();
    QVector<int> answers;
    job.submit(
        [gate](const Cancelled& cancelled) {
            gate->acquire();
            return cancelled ? -1 : 1;
        },
        [&](int answer) { answers << answer; });
    job.submit([](const Cancelled&) { return 2; }, [&](int answer) { answers << answer; });
    ASSERT_TRUE(QTest::qWaitFor([&] { return !answers.isEmpty(); }));
    gate->release();
    comeToRest(job);
    EXPECT_EQ(answers, QVector<int>{2});
}

TEST(JobTest, BesideEachOtherAllAnswer) {
    Job job;
    auto gate = std::make_shared<QSemaphore>();
    QVector<int> answers;
    job.beside(
        [gate](const Cancelled&) {
            gate->acquire();
            return 1;
        },
        [&](int answer) { answers << answer; });
    job.beside([](const Cancelled&) { return 2; }, [&](int answer) { answers << answer; });
    ASSERT_TRUE(QTest::qWaitFor([&] { return answers == QVector<int>{2}; }));
    EXPECT_TRUE(job.isRunning());
    gate->release();
    EXPECT_TRUE(QTest::qWaitFor([&] { return answers == (QVector<int>{2, 1}); }));
    EXPECT_FALSE(job.isRunning());
}

TEST(JobTest, NothingReachesADeadReceiver) {
    bool delivered = false, told = false;
    auto disk = std::make_shared<test::Disk>();
    auto cancelled_seen = std::make_shared<QSemaphore>();
    auto job = std::make_unique<Job>();
    job->submit(
        [disk, cancelled_seen, &told](const Operation& operation) {
            disk->wait();
            operation.tell([&told] { told = true; });
            if (operation)
                cancelled_seen->release();
            return 1;
        },
        [&](int) { delivered = true; });
    ASSERT_TRUE(QTest::qWaitFor([&] { return disk->waiting() == 1; }, kPatience));
    job.reset();  // waits for no disk, or this test would never end
    disk->answer();
    ASSERT_TRUE(cancelled_seen->tryAcquire(1, kPatience));
    Job rest;
    comeToRest(rest);
    EXPECT_FALSE(delivered);
    EXPECT_FALSE(told);
}

TEST(JobTest, AnAnswerOnItsWayIsDroppedWithItsReceiver) {
    bool delivered = false;
    auto job = std::make_unique<Job>();
    job->submit([](const Cancelled&) { return 1; }, [&](int) { delivered = true; });
    ASSERT_TRUE(job->wait(std::chrono::milliseconds(kPatience)));  // it is in the queue of events now
    job.reset();
    Job rest;
    comeToRest(rest);
    EXPECT_FALSE(delivered);
}

TEST(JobTest, AnAnswerMayDeleteItsReceiver) {
    auto* job = new Job;
    bool delivered = false;
    job->submit([](const Cancelled&) { return 1; },
                [&, job](int) {
                    delete job;
                    delivered = true;
                });
    EXPECT_TRUE(QTest::qWaitFor([&] { return delivered; }, kPatience));
}

TEST(JobTest, OrderedWorkIsDoneOneAfterTheOtherAndAllOfItAnswers) {
    // The first is slow: without an order the second would be over before it, and an older text would be written over a newer.
    Job one, other;
    const std::string file = "some file";
    auto disk = std::make_shared<test::Disk>();
    auto order = std::make_shared<std::vector<int>>();
    QVector<int> answers;
    bool passed = false;
    one.inOrder(
        file,
        [disk, order](const Cancelled&) {
            disk->wait();
            order->push_back(1);
        },
        [&] { answers << 1; });
    one.inOrder(
        file, [order](const Cancelled&) { order->push_back(2); }, [&] { answers << 2; });
    other.inOrder(
        file, [order](const Cancelled&) { order->push_back(3); }, [&] { answers << 3; });
    other.inOrder(
        "another file", [](const Cancelled&) {}, [&] { passed = true; });
    ASSERT_TRUE(QTest::qWaitFor([&] { return passed && disk->waiting() == 1; }, kPatience));
    EXPECT_TRUE(order->empty());
    EXPECT_FALSE(one.wait(std::chrono::milliseconds(1)));
    disk->answer();
    EXPECT_TRUE(other.wait(std::chrono::milliseconds(kPatience)));
    EXPECT_EQ(*order, (std::vector<int>{1, 2, 3}));
    EXPECT_TRUE(QTest::qWaitFor([&] { return answers == (QVector<int>{1, 2, 3}); }, kPatience));
}

TEST(JobTest, CancellingReachesTheWorkAndOneOfThemAlone) {
    Job job;
    auto network = std::make_shared<test::Disk>();
    auto gate = std::make_shared<QSemaphore>();
    QVector<int> answers;
    const Operation first = job.beside(
        [network](const Cancelled& cancelled) {
            const std::stop_callback hang_up(cancelled.token(), [network] { network->answer(); });
            network->wait();
            return cancelled ? -1 : 1;
        },
        [&](int answer) { answers << answer; });
    const Operation second = job.beside(
        [gate](const Cancelled& cancelled) {
            gate->acquire();
            return cancelled ? -2 : 2;
        },
        [&](int answer) { answers << answer; });
    ASSERT_TRUE(QTest::qWaitFor([&] { return network->waiting() == 1; }, kPatience));
    job.cancel(first);
    EXPECT_FALSE(job.isRunning(first));
    EXPECT_TRUE(job.isRunning(second));
    gate->release();
    comeToRest(job);  // the first has ended, too
    EXPECT_EQ(answers, QVector<int>{2});
}

TEST(JobTest, CancelledWorkThatHasNotBegunIsNotDone) {
    Job job;
    auto disk = std::make_shared<test::Disk>();
    auto done = std::make_shared<std::atomic<bool>>(false);
    job.inOrder(
        job.key(), [disk](const Cancelled&) { disk->wait(); }, [] {});
    job.inOrder(
        job.key(), [done](const Cancelled&) { *done = true; }, [] {});
    job.cancel();
    EXPECT_FALSE(job.isRunning());
    disk->answer();
    comeToRest(job);
    EXPECT_FALSE(*done);
}

TEST(JobTest, WhatIsToldComesBeforeTheAnswerAndInItsOrder) {
    Job job;
    QVector<int> words;
    job.submit(
        [&](const Operation& operation) {
            for (int i = 0; i < 5; ++i)
                operation.tell([&words, i] { words << i; });
            return 5;
        },
        [&](int last) { words << last; });
    EXPECT_TRUE(QTest::qWaitFor([&] { return words == (QVector<int>{0, 1, 2, 3, 4, 5}); }, kPatience));
}

TEST(JobTest, ErrorsComeAsSentences) {
    Job job;
    QString sentence;
    bool done = false;
    job.submit([](const Cancelled&) -> int { throw std::runtime_error("the disk is full"); }, [&](int) { done = true; },
               [&](const QString& words) { sentence = words; });
    ASSERT_TRUE(QTest::qWaitFor([&] { return !sentence.isEmpty(); }));
    EXPECT_EQ(sentence, QStringLiteral("the disk is full"));
    EXPECT_FALSE(done);
    EXPECT_FALSE(job.isRunning());
}

TEST(MailboxTest, TheEventLoopHasItsTurnBetweenManyCalls) {
    Mailbox mailbox;
    std::vector<int> came;
    int turns = 0;
    QTimer turn;
    QObject::connect(&turn, &QTimer::timeout, [&] { ++turns; });
    turn.start(0);
    const Qt::HANDLE here = QThread::currentThreadId();
    for (int i = 0; i < 100; ++i)
        mailbox.address().post([&came, i, here] {
            EXPECT_EQ(QThread::currentThreadId(), here);
            came.push_back(i);
            QThread::msleep(1);
        });
    ASSERT_TRUE(QTest::qWaitFor([&] { return came.size() == 100; }, kPatience));
    for (int i = 0; i < 100; ++i)
        EXPECT_EQ(came[static_cast<std::size_t>(i)], i);
    EXPECT_GT(turns, 5);
}

TEST(MailboxTest, ACallThatOpensADialogHoldsUpNoOther) {
    Mailbox mailbox;
    bool second = false;
    bool inside = false;
    mailbox.address().post([&] { inside = QTest::qWaitFor([&] { return second; }, kPatience); });
    mailbox.address().post([&] { second = true; });
    ASSERT_TRUE(QTest::qWaitFor([&] { return inside; }, kPatience));
}

}  // namespace
}  // namespace trainyard::widgets
