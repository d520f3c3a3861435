#include "widgets/job.h"

#include <stdexcept>

#include <QSemaphore>
#include <QTest>

#include <gtest/gtest.h>

using trainyard::widgets::Cancelled;
using trainyard::widgets::Job;

TEST(JobTest, DeliversInTheThreadOfTheReceiver) {
    Job job;
    QThread* worked = nullptr;
    QThread* delivered = nullptr;
    int answer = 0;
    job.submit([](const Cancelled&) { return std::pair(42, QThread::currentThread()); },
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
    QThreadPool::globalInstance()->waitForDone();
    QTest::qWait(20);
    EXPECT_EQ(answers, QVector<int>{2});
}

TEST(JobTest, NothingReachesADeadReceiver) {
    bool delivered = false;
    auto gate = std::make_shared<QSemaphore>();
    auto job = std::make_unique<Job>();
    job->submit(
        [gate](const Cancelled&) {
            gate->acquire();
            return 1;
        },
        [&](int) { delivered = true; });
    job.reset();
    gate->release();
    QThreadPool::globalInstance()->waitForDone();
    QTest::qWait(20);
    EXPECT_FALSE(delivered);
}

TEST(JobTest, OrderedWorkIsDoneOneAfterTheOther) {
    // The first is slow: without an order the second would be over before it, and an older text would be written over a newer.
    Job job(nullptr, Job::Order::Ordered);
    auto gate = std::make_shared<QSemaphore>();
    auto began = std::make_shared<QSemaphore>();
    auto order = std::make_shared<std::vector<int>>();
    int answer = 0;
    job.submit(
        [gate, began, order](const Cancelled&) {
            began->release();
            gate->acquire();
            order->push_back(1);
            return 1;
        },
        [&](int given) { answer = given; });
    began->acquire();
    job.submit(
        [order](const Cancelled&) {
            order->push_back(2);
            return 2;
        },
        [&](int given) { answer = given; });
    QTest::qWait(50);
    EXPECT_TRUE(order->empty());
    gate->release();
    job.wait();
    EXPECT_EQ(*order, (std::vector<int>{1, 2}));
    EXPECT_TRUE(QTest::qWaitFor([&] { return answer == 2; }));
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
}
