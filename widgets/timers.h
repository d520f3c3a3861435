#pragma once
// Timers of one line: what happens, and when.

#include <QTimer>

namespace trainyard::widgets {

/// Once, so long after the last start().
template <class Receiver, class Act>
void act_after(QTimer& timer, int ms, Receiver* receiver, Act act) {
    timer.setSingleShot(true);
    timer.setInterval(ms);
    QObject::connect(&timer, &QTimer::timeout, receiver, act);
}

/// Again and again from start() to stop().
template <class Receiver, class Act>
void act_every(QTimer& timer, int ms, Receiver* receiver, Act act) {
    timer.setInterval(ms);
    QObject::connect(&timer, &QTimer::timeout, receiver, act);
}

/// What comes while it runs does not put it off.
inline void start_unless_active(QTimer& timer) {
    if (!timer.isActive())
        timer.start();
}

}  // namespace trainyard::widgets
