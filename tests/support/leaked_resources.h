// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Resources that a process and its children may leak: descriptors, children, files, ports.

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include <sys/types.h>

namespace trainyard::test {

namespace fs = std::filesystem;

inline std::set<std::string> entries(const fs::path& folder) {
    std::set<std::string> names;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
        names.insert(entry->path().filename().string());
    return names;
}

inline std::size_t open_descriptors() {
    return entries("/proc/self/fd").size();
}

inline std::size_t own_children() {
    std::ifstream file("/proc/thread-self/children");
    std::size_t count = 0;
    for (std::string pid; file >> pid;)
        ++count;
    return count;
}

/// Listening TCP ports of this machine, by the inode of the socket.
inline std::map<std::string, int> listeners() {
    std::map<std::string, int> ports;
    for (const char* table : {"/proc/net/tcp", "/proc/net/tcp6"}) {
        std::ifstream lines(table);
        for (std::string line; std::getline(lines, line);) {
            std::istringstream fields(line);
            std::string number, place, peer, state, skipped, socket;
            fields >> number >> place >> peer >> state;
            for (int i = 0; i < 5; ++i)
                fields >> skipped;
            fields >> socket;
            if (state == "0A")
                ports["socket:[" + socket + "]"] = std::stoi(place.substr(place.rfind(':') + 1), nullptr, 16);
        }
    }
    return ports;
}

/// The sockets that a process has open.
inline std::set<std::string> listeners_of(pid_t pid) {
    std::map<std::string, int> all = listeners();
    std::set<std::string> held;
    std::error_code error;
    fs::directory_iterator entry("/proc/" + std::to_string(pid) + "/fd", error), end;
    for (; !error && entry != end; entry.increment(error)) {
        std::error_code gone;
        std::string socket = fs::read_symlink(entry->path(), gone).string();
        if (!gone && all.contains(socket))
            held.insert(socket);
    }
    return held;
}

}  // namespace trainyard::test
