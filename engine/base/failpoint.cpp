#include "base/failpoint.h"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <string>

#include <signal.h>
#include <sys/types.h>

#include "base/file.h"

namespace trainyard {

namespace {

struct Chosen {
    std::string name, action;
    int pass = 1;
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
        auto* result = new Chosen;  // lives as long as the process
        result->name = all.substr(0, colon);
        result->action = all.substr(colon + 1, at == std::string::npos ? at : at - colon - 1);
        if (at != std::string::npos)
            result->pass = std::atoi(all.c_str() + at + 1);
        return result;
    }();
    return parsed;
}

/// The action due at this pass, or nullptr.
const char* action_at(const char* name) {
    const Chosen* point = chosen();
    if (point == nullptr || point->name != name)
        return nullptr;
    static std::atomic<int> passes{0};
    return ++passes == point->pass ? point->action.c_str() : nullptr;
}

}  // namespace

void failpoint(const char* name) {
    const char* action = action_at(name);
    if (action == nullptr)
        return;
    if (std::string(action) == "kill")
        ::raise(SIGKILL);
    if (std::string(action) == "enospc")
        throw_file_error("cannot write", name, ENOSPC);
}

bool failpoint_hit(const char* name, const char* action) {
    const char* due = action_at(name);
    return due != nullptr && std::string(due) == action;
}

}  // namespace trainyard
