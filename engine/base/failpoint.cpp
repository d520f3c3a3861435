// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/failpoint.h"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <limits>
#include <string>

#include <signal.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/file.h"

namespace trainyard {

namespace {

struct Chosen {
    std::string name, action;
    int first = 1, last = 1;  ///< hits
};

const Chosen* chosen() {
    static const Chosen* parsed = []() -> const Chosen* {
        const char* text = std::getenv("TRAINYARD_FAILPOINT");
        if (text == nullptr)
            return nullptr;
        std::string all = text;
        std::size_t colon = all.rfind(':'), at = all.rfind('@');
        if (colon == std::string::npos)
            return nullptr;
        auto* result = new Chosen;  // never freed: used until the process exits
        result->name = all.substr(0, colon);
        result->action = all.substr(colon + 1, at == std::string::npos ? at : at - colon - 1);
        if (at != std::string::npos)
            result->first = result->last = std::atoi(all.c_str() + at + 1);
        if (std::size_t dash = all.find('-', at == std::string::npos ? all.size() : at); dash != std::string::npos)
            result->last = std::atoi(all.c_str() + dash + 1);
        if (all.back() == '+')
            result->last = std::numeric_limits<int>::max();
        return result;
    }();
    return parsed;
}

/// The action for this hit, or nullptr.
const char* action_at(const char* name) {
    const Chosen* point = chosen();
    if (point == nullptr || point->name != name)
        return nullptr;
    static std::atomic<int> passes{0};
    int pass = ++passes;
    return pass >= point->first && pass <= point->last ? point->action.c_str() : nullptr;
}

}  // namespace

bool failpoints_on() {
    return chosen() != nullptr;
}

void failpoint(const char* name) {
    const char* due = action_at(name);
    if (due == nullptr)
        return;
    const std::string action = due;
    if (action == "kill")
        ::kill(::getpid(), SIGKILL);
    if (action == "term")
        ::kill(::getpid(), SIGTERM);
    if (action == "stop")
        ::kill(::getpid(), SIGSTOP);
    if (action == "sleep")
        ::usleep(1'500'000);
    if (action == "block" && ::vfork() == 0)  // vfork() blocks the parent uninterruptibly until the child exits
        for (;;)
            ::pause();
    if (action == "enospc")
        throw_file_error("cannot write", name, ENOSPC);
}

bool failpoint_hit(const char* name, const char* action) {
    const char* due = action_at(name);
    return due != nullptr && std::string(due) == action;
}

}  // namespace trainyard
