// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/preemption.h"

#include <atomic>

#include <signal.h>
#include <unistd.h>

#include "base/error.h"

namespace trainyard::worker {

namespace {

std::atomic<int> came{0};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may not wait");

void take(int number) {
    int before = came.exchange(number);
    if (before != 0 && number == SIGTERM)
        ::_exit(kExitResumable);  // asked again: what was saved before must do
}

}  // namespace

void watch_for_preemption() {
    struct sigaction action {};
    action.sa_handler = take;
    action.sa_flags = SA_RESTART;
    for (int number : {SIGTERM, SIGUSR1})
        ::sigaction(number, &action, nullptr);
}

int preempted_by() {
    return came.load();
}

}  // namespace trainyard::worker
