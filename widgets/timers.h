// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Sets up timers in one line: the action and the interval.

#include <QTimer>

namespace trainyard::widgets {

/// Calls `act` once, the given time after the last start().
template <class Receiver, class Act>
void act_after(QTimer& timer, int ms, Receiver* receiver, Act act) {
    timer.setSingleShot(true);
    timer.setInterval(ms);
    QObject::connect(&timer, &QTimer::timeout, receiver, act);
}

/// Calls `act` repeatedly from start() to stop().
template <class Receiver, class Act>
void act_every(QTimer& timer, int ms, Receiver* receiver, Act act) {
    timer.setInterval(ms);
    QObject::connect(&timer, &QTimer::timeout, receiver, act);
}

/// Starts the timer unless it is running, so that further calls do not postpone its timeout.
inline void start_unless_active(QTimer& timer) {
    if (!timer.isActive())
        timer.start();
}

}  // namespace trainyard::widgets
