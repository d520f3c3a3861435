// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/shell/ending_signals.h"

#include <cerrno>

#include <QSocketNotifier>

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

namespace trainyard::desktop {

namespace {

constexpr int kEndingSignals[] = {SIGTERM, SIGINT, SIGHUP};
volatile sig_atomic_t writing_end = -1;

void write_signal(int number) {
    const int before = errno;
    const char byte = static_cast<char>(number);
    [[maybe_unused]] const ssize_t written = ::write(static_cast<int>(writing_end), &byte, 1);
    errno = before;
}

}  // namespace

EndingSignals::EndingSignals(QObject* parent) : QObject(parent) {
    if (::pipe2(pipe_.data(), O_CLOEXEC | O_NONBLOCK) != 0)
        return;  // the signals end the program at once, as without this object
    writing_end = pipe_[1];
    notifier_ = new QSocketNotifier(pipe_[0], QSocketNotifier::Read, this);
    connect(notifier_, &QSocketNotifier::activated, this, [this] {
        char byte = 0;
        if (::read(pipe_[0], &byte, 1) == 1)
            emit received();
    });
    for (const int number : kEndingSignals) {
        struct sigaction before {};
        if (::sigaction(number, nullptr, &before) != 0 || before.sa_handler == SIG_IGN)
            continue;
        struct sigaction action {};
        action.sa_handler = write_signal;
        action.sa_flags = static_cast<int>(SA_RESTART | SA_RESETHAND);
        ::sigaction(number, &action, nullptr);
    }
}

EndingSignals::~EndingSignals() {
    delete notifier_;
    for (const int number : kEndingSignals) {
        struct sigaction now {};
        if (::sigaction(number, nullptr, &now) == 0 && now.sa_handler == write_signal)
            ::signal(number, SIG_DFL);
    }
    writing_end = -1;
    for (const int end : pipe_)
        if (end >= 0)
            ::close(end);
}

}  // namespace trainyard::desktop
