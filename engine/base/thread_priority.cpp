// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/thread_priority.h"

#include <algorithm>
#include <cerrno>

#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace trainyard {

void lower_thread_priority() {
    constexpr int kSteps = 5, kLowest = 19;
    // On Linux the value belongs to a thread.
    const auto thread = static_cast<id_t>(::syscall(SYS_gettid));
    errno = 0;
    const int now = ::getpriority(PRIO_PROCESS, thread);
    if (errno == 0)
        ::setpriority(PRIO_PROCESS, thread, std::min(kLowest, now + kSteps));
    // Its waking up interrupts no other thread.
    const sched_param none{};
    if (::sched_getscheduler(0) == SCHED_OTHER)
        ::sched_setscheduler(0, SCHED_BATCH, &none);
}

}  // namespace trainyard
