// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A link between a test host and all others with delay and packet loss, for kernels without netem: the host's traffic
// is routed through two TAP devices of this process, and a thread forwards the frames. Needs root, as hosts in network
// namespaces do.

#include <atomic>
#include <cerrno>
#include <cstring>
#include <deque>
#include <random>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/clock.h"
#include "support/hosts.h"

namespace trainyard::test {

class LossyLink {
  public:
    struct Options {
        double delay_s = 0;  ///< per frame, in each direction
        double loss = 0;     ///< fraction of dropped frames
    };

    LossyLink(TestHosts& hosts, const std::string& host, const Options& options) : options_(options) {
        std::string names[2];
        for (int side : {0, 1})
            names[side] = open_tap(ends_[side]);
        hosts.detour(host, names[0], names[1]);
        carrier_ = std::thread([this] { carry(); });
    }
    ~LossyLink() {
        over_ = true;
        carrier_.join();
        for (int fd : ends_)
            ::close(fd);
    }
    LossyLink(const LossyLink&) = delete;
    LossyLink& operator=(const LossyLink&) = delete;

    std::int64_t carried() const { return carried_; }
    std::int64_t lost() const { return lost_; }

  private:
    struct Frame {
        double due = 0;  ///< monotonic seconds
        int to = 0;
        std::vector<char> bytes;
    };

    static std::string open_tap(int& fd) {
        fd = ::open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
        ifreq request{};
        request.ifr_flags = IFF_TAP | IFF_NO_PI;
        std::strcpy(request.ifr_name, "tytap%d");
        if (fd < 0 || ::ioctl(fd, TUNSETIFF, &request) != 0)
            throw std::system_error(errno, std::generic_category(), "cannot make a tap with /dev/net/tun");
        return request.ifr_name;
    }

    void carry() {
        std::mt19937_64 dice(1);
        std::deque<Frame> under_way;
        std::vector<char> buffer(65536);
        while (!over_) {
            pollfd ready[2] = {{ends_[0], POLLIN, 0}, {ends_[1], POLLIN, 0}};
            ::poll(ready, 2, 1);
            const double now = monotonic_seconds();
            for (int side : {0, 1})
                for (ssize_t n = 0; (n = ::read(ends_[side], buffer.data(), buffer.size())) > 0;) {
                    if (static_cast<double>(dice() % 10'000) < options_.loss * 10'000) {
                        ++lost_;
                        continue;
                    }
                    under_way.push_back({now + options_.delay_s, 1 - side, {buffer.begin(), buffer.begin() + n}});
                }
            for (; !under_way.empty() && under_way.front().due <= now; under_way.pop_front()) {
                const Frame& frame = under_way.front();
                if (::write(ends_[frame.to], frame.bytes.data(), frame.bytes.size()) > 0)
                    ++carried_;
            }
        }
    }

    Options options_;
    int ends_[2] = {-1, -1};
    std::atomic<bool> over_ = false;
    std::atomic<std::int64_t> carried_ = 0, lost_ = 0;
    std::thread carrier_;
};

}  // namespace trainyard::test
