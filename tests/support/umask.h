// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Sets the umask of this process for a test.

#include <filesystem>

#include <sys/stat.h>

namespace trainyard::test {

class Umask {
  public:
    explicit Umask(mode_t mask) : before_(::umask(mask)) {}
    ~Umask() { ::umask(before_); }
    Umask(const Umask&) = delete;
    Umask& operator=(const Umask&) = delete;

  private:
    mode_t before_;
};

/// Bits of the permissions, as 0640.
inline int mode_of(const std::filesystem::path& path) {
    return static_cast<int>(std::filesystem::status(path).permissions() & std::filesystem::perms::all);
}

}  // namespace trainyard::test
