#pragma once
// Work for another thread with an answer for this one. Newest wins: submitting again makes the earlier answer void.
// The answer is delivered in the thread of the Job, and only while the Job lives; a widget owns its Job, so no answer
// ever reaches a dead widget. The work itself must not touch anything that may die before it ends.

#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>

#include <QFutureWatcher>
#include <QObject>
#include <QThreadPool>
#include <QtConcurrentRun>

namespace trainyard::widgets {

/// Asked by the work now and then: nobody waits for the answer any more.
class Cancelled {
  public:
    Cancelled(std::shared_ptr<const std::atomic<quint64>> newest, quint64 ticket)
        : newest_(std::move(newest)), ticket_(ticket) {}
    explicit operator bool() const { return newest_->load(std::memory_order_relaxed) != ticket_; }

  private:
    std::shared_ptr<const std::atomic<quint64>> newest_;
    quint64 ticket_;
};

class Job : public QObject {
    Q_OBJECT
  public:
    /// Ordered: what was begun ends before the next begins, as files that are written one over the other need it. Else works of one Job may
    /// run side by side.
    enum class Order { Any, Ordered };
    explicit Job(QObject* parent = nullptr, Order order = Order::Any) : QObject(parent) {
        if (order == Order::Ordered) {
            own_ = std::make_unique<QThreadPool>();
            own_->setMaxThreadCount(1);
        }
    }
    /// Ordered work that has begun is waited for.
    ~Job() override { cancel(); }

    /// work(const Cancelled&) -> T in the thread pool, then done(T) here; an exception of the work comes as
    /// failed(QString sentence).
    template <class Work, class Done>
    void submit(Work work, Done done, std::function<void(const QString&)> failed = {}) {
        using Result = std::invoke_result_t<Work, const Cancelled&>;
        struct Outcome {
            std::optional<Result> result;
            QString error;
        };
        const quint64 ticket = ++*newest_;
        const Cancelled cancelled(newest_, ticket);
        auto* watcher = new QFutureWatcher<Outcome>(this);
        connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher, ticket, done, failed] {
            watcher->deleteLater();
            if (newest_->load() != ticket)
                return;
            running_ = false;
            const Outcome outcome = watcher->result();
            if (outcome.result)
                done(*outcome.result);
            else if (failed && !outcome.error.isEmpty())
                failed(outcome.error);
        });
        running_ = true;
        watcher->setFuture(
            QtConcurrent::run(own_ ? own_.get() : QThreadPool::globalInstance(), [work, cancelled]() mutable {
                Outcome outcome;
                if (cancelled)
                    return outcome;
                try {
                    outcome.result = work(cancelled);
                } catch (const std::exception& error) {
                    outcome.error = QString::fromUtf8(error.what());
                }
                return outcome;
            }));
    }

    void cancel() {
        ++*newest_;
        running_ = false;
    }
    bool isRunning() const { return running_; }
    /// Until ordered work that was submitted is over; its answers are delivered later, as ever.
    void wait() {
        if (own_)
            own_->waitForDone();
    }

  private:
    std::shared_ptr<std::atomic<quint64>> newest_ = std::make_shared<std::atomic<quint64>>(0);
    bool running_ = false;
    std::unique_ptr<QThreadPool> own_;
};

}  // namespace trainyard::widgets
