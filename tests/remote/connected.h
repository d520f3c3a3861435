// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Sessions to test hosts.

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <thread>

#include <dirent.h>
#include <gtest/gtest.h>

#include "base/clock.h"
#include "remote/failure.h"
#include "remote/session.h"
#include "support/hosts.h"

namespace trainyard::test {

inline remote::Session connect(const TestHosts& hosts, const std::string& name,
                               const remote::ConnectOptions& options = {}) {
    remote::SshConfig config(hosts.ssh_config(), "/nonexistent");
    return remote::Session::connect(config.resolve(name), config, options);
}

/// How connecting failed; fails the test when it did not.
struct Failure {
    remote::Cause cause = remote::Cause::cancelled;
    std::string sentence, host;
    std::vector<Message> transcript;
    std::optional<remote::HostKeyReport> report;
    double seconds = 0;
};

inline Failure failure_of(const std::function<void()>& action) {
    Failure failure;
    double begin = monotonic_seconds();
    try {
        action();
        ADD_FAILURE() << "nothing failed";
    } catch (const remote::HostKeyRefused& error) {
        failure = {error.cause(), error.what(), error.host(), error.transcript(), error.report(), 0};
    } catch (const remote::ConnectionError& error) {
        failure = {error.cause(), error.what(), error.host(), error.transcript(), std::nullopt, 0};
    }
    failure.seconds = monotonic_seconds() - begin;
    return failure;
}

inline std::size_t entries_of(const char* folder) {
    std::size_t count = 0;
    DIR* open = ::opendir(folder);
    while (open != nullptr && ::readdir(open) != nullptr)
        ++count;
    ::closedir(open);
    return count;
}
inline std::size_t open_descriptors() {
    return entries_of("/proc/self/fd");
}
inline std::size_t threads() {
    return entries_of("/proc/self/task");
}

/// Waits for what comes a little later; false after 40 seconds: a look-up of a name that nobody answers takes 20.
inline bool soon(const std::function<bool()>& holds) {
    for (int i = 0; i < 2000; ++i) {
        if (holds())
            return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return false;
}

/// Changes one host's lines of the ssh_config, for all that reads it later.
inline void append_to(const std::filesystem::path& file, const std::string& text) {
    std::ofstream(file, std::ios::app) << text;
}

}  // namespace trainyard::test
