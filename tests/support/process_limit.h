// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Sets a resource limit for the duration of a test; other suites of the same program run afterwards.

#include <cerrno>
#include <system_error>

#include <sys/resource.h>
#include <sys/time.h>

namespace trainyard::test {

class ProcessLimit {
  public:
    /// `resource` is RLIMIT_AS ...; throws std::system_error if it cannot be set.
    ProcessLimit(__rlimit_resource resource, rlim_t most) : resource_(resource) {
        if (::getrlimit(resource_, &before_) != 0)
            fail();
        set({most, before_.rlim_max});
    }
    ~ProcessLimit() { ::setrlimit(resource_, &before_); }
    ProcessLimit(const ProcessLimit&) = delete;
    ProcessLimit& operator=(const ProcessLimit&) = delete;

    /// Seconds of CPU time from now on.
    static rlim_t processor_seconds(rlim_t more) {
        rusage used{};
        ::getrusage(RUSAGE_SELF, &used);
        return static_cast<rlim_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + 1 + more;
    }

  private:
    [[noreturn]] static void fail() { throw std::system_error(errno, std::generic_category(), "limit of the process"); }
    void set(const rlimit& limit) const {
        if (::setrlimit(resource_, &limit) != 0)
            fail();
    }

    __rlimit_resource resource_;
    rlimit before_{};
};

}  // namespace trainyard::test
