#pragma once
// One thread of a LaunchJob: pieces of work one after the other, sentences and results told in the job's own thread, and an end that
// nobody has to wait for.

#include <functional>
#include <mutex>
#include <thread>

#include <QObject>

namespace trainyard::desktop {

class BackgroundWork {
  public:
    /// `receiver`: lives longer than this object.
    explicit BackgroundWork(QObject* receiver) : receiver_(receiver) {}
    ~BackgroundWork() {
        if (thread_.joinable())
            thread_.join();
    }
    BackgroundWork(const BackgroundWork&) = delete;
    BackgroundWork& operator=(const BackgroundWork&) = delete;

    /// The work before must have told its result: it is about to end.
    void run(std::function<void()> work) {
        if (thread_.joinable())
            thread_.join();
        {
            const std::lock_guard lock(mutex_);
            if (cancelled_)
                return;
            busy_ = true;
        }
        thread_ = std::thread([this, work = std::move(work)] {
            work();
            {
                const std::lock_guard lock(mutex_);
                busy_ = false;
                if (!cancelled_)
                    return;
            }
            end();
        });
    }

    /// From the work. Nothing is told after cancel().
    void tell(std::function<void()> words) {
        const std::lock_guard lock(mutex_);
        if (!cancelled_)
            QMetaObject::invokeMethod(
                receiver_,
                [this, words = std::move(words)] {
                    if (!isCancelled())
                        words();
                },
                Qt::QueuedConnection);
    }

    /// Once no work is under way: `last` on the thread, then `at_end` in the receiver's thread, never from within.
    void cancel(std::function<void()> last, std::function<void()> at_end) {
        {
            const std::lock_guard lock(mutex_);
            if (cancelled_)
                return;
            cancelled_ = true;
            last_ = std::move(last);
            at_end_ = std::move(at_end);
            if (busy_)
                return;
        }
        if (thread_.joinable())
            thread_.join();
        thread_ = std::thread([this] { end(); });
    }

    bool isCancelled() const {
        const std::lock_guard lock(mutex_);
        return cancelled_;
    }

  private:
    void end() {
        if (last_)
            last_();
        QMetaObject::invokeMethod(receiver_, at_end_, Qt::QueuedConnection);
    }

    QObject* receiver_;
    mutable std::mutex mutex_;
    bool busy_ = false;
    bool cancelled_ = false;
    std::function<void()> last_, at_end_;
    std::thread thread_;
};

}  // namespace trainyard::desktop
