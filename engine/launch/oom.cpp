#include "launch/oom.h"

#include <fstream>
#include <sstream>

namespace trainyard::launch {

namespace fs = std::filesystem;

namespace {
std::uint64_t oom_kills(const fs::path& file) {
    std::ifstream stream(file);
    std::string name;
    std::uint64_t value = 0;
    while (stream >> name >> value)
        if (name == "oom_kill")
            return value;
    return 0;
}
}  // namespace

OomWatch::OomWatch(const fs::path& proc, const fs::path& cgroups) {
    std::ifstream groups(proc / "self" / "cgroup");
    for (std::string line; std::getline(groups, line);) {
        std::istringstream fields(line);
        std::string id, controllers, path;
        std::getline(fields, id, ':');
        std::getline(fields, controllers, ':');
        std::getline(fields, path);
        bool second_version = id == "0" && controllers.empty();
        if (!second_version && controllers != "memory")
            continue;
        fs::path root = second_version ? cgroups : cgroups / "memory";
        const char* name = second_version ? "memory.events" : "memory.oom_control";
        // Inside a container the path may name a folder of the host's view, while our group is mounted at the top.
        fs::path file = root / fs::path(path).relative_path() / name;
        std::error_code error;
        if (!fs::exists(file, error))
            file = root / name;
        if (fs::exists(file, error))
            counters_.push_back({file, false, oom_kills(file)});
    }
    counters_.push_back({proc / "vmstat", true, oom_kills(proc / "vmstat")});
}

std::string OomWatch::struck() {
    std::string reason;
    for (Counter& counter : counters_) {
        std::uint64_t now = oom_kills(counter.file);
        bool grew = now > counter.last;
        counter.last = now;
        if (grew && reason.empty())
            reason = counter.whole_machine ? " by the kernel's out-of-memory killer: the machine ran out of memory"
                                           : " by the kernel's out-of-memory killer: the memory limit was reached";
    }
    return reason;
}

}  // namespace trainyard::launch
