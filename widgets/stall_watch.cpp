// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/stall_watch.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>

#include <execinfo.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

namespace trainyard::widgets {

namespace {

constexpr int kBeat = 5;         // ms
constexpr int kDeepest = 48;     // frames
constexpr int kSignal = SIGURG;  // ignored by default, and nobody here uses out-of-band data

qint64 now_ms() {
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

void write_stack(int) {
    const int before = errno;
    std::array<void*, kDeepest> frames;
    backtrace_symbols_fd(frames.data(), backtrace(frames.data(), kDeepest), STDERR_FILENO);
    errno = before;
}

}  // namespace

int StallWatch::wanted() {
    bool number = false;
    const int asked = qEnvironmentVariableIntValue("TRAINYARD_STALL_WATCH", &number);
    if (number)
        return std::max(0, asked);
#ifdef NDEBUG
    return 0;
#else
    return kLimit;
#endif
}

StallWatch::StallWatch(int limit_ms, QObject* parent)
    : QObject(parent), limit_(limit_ms), last_beat_(now_ms()), gui_(::pthread_self()) {
    // The first call loads a library, which a signal handler must not.
    std::array<void*, 2> first;
    backtrace(first.data(), static_cast<int>(first.size()));
    struct sigaction action {};
    action.sa_handler = write_stack;
    action.sa_flags = SA_RESTART;
    ::sigaction(kSignal, &action, nullptr);
    beat_.setTimerType(Qt::PreciseTimer);
    connect(&beat_, &QTimer::timeout, this, [this] { last_beat_ = now_ms(); });
    beat_.start(kBeat);
    thread_ = std::thread([this] { look(); });
}

StallWatch::~StallWatch() {
    stopping_ = true;
    thread_.join();
}

void StallWatch::look() {
    qint64 told = -1;
    while (!stopping_) {
        std::this_thread::sleep_for(std::chrono::milliseconds(kBeat));
        const qint64 beat = last_beat_;
        const int held = static_cast<int>(now_ms() - beat);
        if (held <= limit_ + kBeat)
            continue;
        longest_ = std::max(longest_.load(), held);
        if (beat == told)
            continue;
        told = beat;
        ++holds_;
        std::fprintf(stderr, "the window has been held for %d ms here:\n", held);
        ::pthread_kill(gui_, kSignal);
    }
}

}  // namespace trainyard::widgets
