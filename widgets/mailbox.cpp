// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/mailbox.h"

#include <deque>
#include <mutex>
#include <utility>

#include <QElapsedTimer>
#include <QObject>
#include <QTimerEvent>

namespace trainyard::widgets {

/// Calls on their way to one thread.
class Delivery final : public QObject {
  public:
    void add(std::weak_ptr<void> alive, std::function<void()> call) {
        const std::lock_guard lock(mutex_);
        waiting_.push_back({std::move(alive), std::move(call)});
        if (!posted_) {
            posted_ = true;
            post();
        }
    }

  private:
    static constexpr int kAtOnce = 6;  // ms

    void timerEvent(QTimerEvent* event) override {
        killTimer(event->timerId());
        hand();
    }

    void post() {
        QMetaObject::invokeMethod(
            this, [this] { hand(); }, Qt::QueuedConnection);
    }

    /// Hands over as many calls as fit into kAtOnce. The next event is on its way before the first of them: a dialog
    /// that a call opens must not hold up the others.
    void hand() {
        if (rests_) {
            // A timer of 0 ms fires when no other event is pending: after painting and keys.
            rests_ = false;
            startTimer(0);
            return;
        }
        {
            const std::lock_guard lock(mutex_);
            if (waiting_.empty()) {
                posted_ = false;
                return;
            }
        }
        post();
        QElapsedTimer turn;
        turn.start();
        while (turn.elapsed() < kAtOnce) {
            Letter letter;
            {
                const std::lock_guard lock(mutex_);
                if (waiting_.empty())
                    return;
                letter = std::move(waiting_.front());
                waiting_.pop_front();
            }
            if (!letter.alive.expired())
                letter.call();
        }
        rests_ = true;
    }

    struct Letter {
        std::weak_ptr<void> alive;
        std::function<void()> call;
    };
    std::mutex mutex_;
    std::deque<Letter> waiting_;
    bool posted_ = false;  ///< an event is on its way
    bool rests_ = false;   ///< a turn has just used its time
};

Mailbox::Mailbox() : alive_(std::make_shared<char>()) {
    thread_local const auto delivery = std::make_shared<Delivery>();
    address_.delivery_ = delivery;
    address_.alive_ = alive_;
}

void Mailbox::Address::post(std::function<void()> call) const {
    delivery_->add(alive_, std::move(call));
}

}  // namespace trainyard::widgets
