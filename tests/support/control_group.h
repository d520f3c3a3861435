// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A control group as a batch system or a container makes one: a limit of memory, or freezing. Root makes them, and not even root in most containers.

#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include <fcntl.h>
#include <unistd.h>

namespace trainyard::test {

/// Of version 1 or 2, at the top of its hierarchy; its processes go with it. Throws std::runtime_error where none can be made.
class ControlGroup {
  public:
    explicit ControlGroup(const std::string& controller) {
        std::filesystem::path top = std::filesystem::path("/sys/fs/cgroup") / controller;
        version_one_ = std::filesystem::exists(top);
        if (!version_one_) {
            top = "/sys/fs/cgroup";
            write(top / "cgroup.subtree_control", "+memory");
        }
        static int number = 0;
        folder_ = top / ("trainyard-test-" + std::to_string(::getpid()) + "-" + controller + std::to_string(number++));
        std::error_code error;
        if (!std::filesystem::create_directory(folder_, error) || !std::filesystem::exists(members()) ||
            (controller == "memory" && !std::filesystem::exists(limit_file()))) {
            std::filesystem::remove(folder_, error);
            throw std::runtime_error("no control group can be made: " + folder_.string());
        }
    }
    ~ControlGroup() {
        freeze(false);
        std::error_code error;
        for (int i = 0; i < 500 && !std::filesystem::remove(folder_, error); ++i) {
            std::ifstream processes(members());
            for (pid_t pid = 0; processes >> pid;)
                ::kill(pid, SIGKILL);
            ::usleep(10'000);
        }
    }
    ControlGroup(const ControlGroup&) = delete;
    ControlGroup& operator=(const ControlGroup&) = delete;

    std::filesystem::path members() const { return folder_ / "cgroup.procs"; }
    void take_in(pid_t pid) { write(members(), std::to_string(pid)); }
    void limit_memory(std::uint64_t bytes) {
        write(limit_file(), std::to_string(bytes));
        if (std::ifstream now(limit_file()); !(now >> limit_) || limit_ > bytes)
            throw std::runtime_error("the limit of a control group cannot be set: " + limit_file().string());
    }
    void freeze(bool frozen) {
        if (version_one_ && std::filesystem::exists(folder_ / "freezer.state"))
            write(folder_ / "freezer.state", frozen ? "FROZEN" : "THAWED");
        else if (!version_one_)
            write(folder_ / "cgroup.freeze", frozen ? "1" : "0");
    }
    bool version_one() const { return version_one_; }

  private:
    static void write(const std::filesystem::path& file, const std::string& text) { std::ofstream(file) << text; }
    std::filesystem::path limit_file() const {
        return folder_ / (version_one_ ? "memory.limit_in_bytes" : "memory.max");
    }
    std::filesystem::path folder_;
    std::uint64_t limit_ = 0;
    bool version_one_ = false;
};

/// For a child between fork() and exec(): puts it into the group of `members`, whatever its id. False where that fails.
inline bool enter_control_group(const char* members) {
    const int file = ::open(members, O_WRONLY | O_CLOEXEC);
    return file >= 0 && ::write(file, "0", 1) == 1;
}

}  // namespace trainyard::test
