// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Waits until the program has nothing to do, instead of for a time.

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

#include <QAbstractEventDispatcher>
#include <QCoreApplication>

#include "widgets/executor.h"

namespace trainyard::test {

/// Handles events until none is pending and no background task waits for its turn: layouts, paints, queued calls,
/// timers that are due, and results of widgets/job.h; for two seconds at most. Timers that are not due yet, and tasks
/// that take long or wait for a host or a person, are not awaited: wait for what they do.
inline void settle() {
    constexpr int kQuietTurns = 3;
    constexpr std::chrono::milliseconds kTurn(100);  // without a turn by then, long tasks hold all threads
    constexpr std::chrono::seconds kLongest(2);      // what moves without end, such as an animation, is not awaited
    const auto until = std::chrono::steady_clock::now() + kLongest;
    for (int quiet = 0; quiet < kQuietTurns && std::chrono::steady_clock::now() < until;) {
        // Tasks of this kind run when no other task waits for its turn.
        const auto had_turn = std::make_shared<std::atomic<bool>>(false);
        widgets::Executor::instance().run([had_turn] { *had_turn = true; }, widgets::Executor::Kind::Background);
        const auto turn_ends = std::chrono::steady_clock::now() + kTurn;
        while (!*had_turn && std::chrono::steady_clock::now() < turn_ends) {
            QAbstractEventDispatcher::instance()->processEvents(QEventLoop::AllEvents);
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        const bool had_events = QAbstractEventDispatcher::instance()->processEvents(QEventLoop::AllEvents);
        quiet = had_events ? 0 : quiet + 1;
    }
}

}  // namespace trainyard::test
