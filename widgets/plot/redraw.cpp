// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/redraw.h"

#include <algorithm>
#include <deque>

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEvent>
#include <QPointer>
#include <QTimer>
#include <QWidget>

namespace trainyard::widgets {

namespace {
constexpr int kInterval = 33;  // ms between two drawings of one picture
constexpr double kTurn = 20;   // ms that a turn of the timer draws at most (a picture once begun is finished)
constexpr double kShare = 3;   // a picture rests so many times as long as it took
constexpr double kTurnShare =
    2;  // after a turn all pictures rest so many times as long as it took: the window has the rest
constexpr qint64 kLongestRest = 500;  // ms
}  // namespace

class RedrawClock : public QObject {
  public:
    static RedrawClock& instance() {
        if (!clock())
            clock() = new RedrawClock;
        return *clock();
    }
    /// Dies with the application, whose event dispatcher timers need; a picture may outlive it.
    static QPointer<RedrawClock>& clock() {
        static QPointer<RedrawClock> one;
        return one;
    }

    qint64 now() const { return since_.elapsed(); }

    void queue(Redraw* picture) {
        if (std::find(waiting_.begin(), waiting_.end(), picture) != waiting_.end())
            return;
        waiting_.push_back(picture);
        arm();
    }
    void forget(const Redraw* picture) {
        waiting_.erase(std::remove(waiting_.begin(), waiting_.end(), picture), waiting_.end());
    }

  private:
    RedrawClock() : QObject(QCoreApplication::instance()) {
        since_.start();
        timer_.setSingleShot(true);
        timer_.setTimerType(Qt::PreciseTimer);
        connect(&timer_, &QTimer::timeout, this, &RedrawClock::turn);
    }

    /// When the first of those who wait may be drawn.
    void arm() {
        if (waiting_.empty())
            return;
        qint64 soonest = kLongestRest;
        for (const Redraw* picture : waiting_)
            soonest = std::min(soonest, restOf(picture));
        const int wait = static_cast<int>(std::max<qint64>({soonest, resting_until_ - now(), 0}));
        if (!timer_.isActive() || timer_.remainingTime() > wait)
            timer_.start(wait);
    }
    qint64 restOf(const Redraw* picture) const {
        const qint64 rest = std::clamp<qint64>(static_cast<qint64>(picture->cost_ * kShare), kInterval, kLongestRest);
        return picture->drawn_at_ + rest - now();
    }

    void turn() {
        QElapsedTimer spent;
        spent.start();
        for (std::size_t look = waiting_.size(); look > 0 && !waiting_.empty(); --look) {
            Redraw* picture = waiting_.front();
            waiting_.pop_front();
            if (!picture->due_ || !picture->isSeen())
                continue;  // comes again when it is asked, or seen
            if (restOf(picture) > 0 || static_cast<double>(spent.nsecsElapsed()) * 1e-6 > kTurn)
                waiting_.push_back(picture);
            else
                picture->now();
        }
        timer_.stop();
        resting_until_ =
            now() +
            std::min(kLongestRest, static_cast<qint64>(static_cast<double>(spent.nsecsElapsed()) * 1e-6 * kTurnShare));
        arm();
    }

    QElapsedTimer since_;
    QTimer timer_;
    qint64 resting_until_ = 0;  ///< ms of the clock
    std::deque<Redraw*> waiting_;
};

Redraw::Redraw(QWidget* watched, std::function<void()> draw) : watched_(watched), draw_(std::move(draw)) {
    watched->installEventFilter(this);
}

Redraw::~Redraw() {
    if (RedrawClock::clock())
        RedrawClock::clock()->forget(this);
}

void Redraw::ask() {
    due_ = true;
    if (isSeen())
        RedrawClock::instance().queue(this);
}

void Redraw::now() {
    due_ = false;
    QElapsedTimer clock;
    clock.start();
    ++count_;
    draw_();
    cost_ = static_cast<double>(clock.nsecsElapsed()) * 1e-6;
    drawn_at_ = RedrawClock::instance().now();
}

bool Redraw::isSeen() const {
    if (!watched_->isVisible())
        return false;
    QRect seen = watched_->rect();
    for (const QWidget* at = watched_; at && !seen.isEmpty(); at = at->parentWidget()) {
        if (at->isWindow())
            return !at->isMinimized();
        seen = seen.translated(at->pos()) & at->parentWidget()->rect();
    }
    return false;
}

bool Redraw::eventFilter(QObject*, QEvent* event) {
    if (due_ && (event->type() == QEvent::Paint || event->type() == QEvent::Show))
        RedrawClock::instance().queue(this);
    return false;
}

}  // namespace trainyard::widgets
