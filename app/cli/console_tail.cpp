// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/console_tail.h"

#include <cerrno>
#include <utility>

#include <sys/stat.h>
#include <unistd.h>

#include "base/regular_file.h"
#include "base/system_call.h"

namespace trainyard::cli {

namespace {
constexpr std::size_t kLongestLine = 1u << 16;
}

std::vector<std::string> ConsoleTail::poll(bool last) {
    std::vector<std::string> lines;
    const FileDescriptor file = try_open_regular_file(log_);
    struct stat info {};
    if (file && ::fstat(file.get(), &info) == 0) {
        if (static_cast<std::uint64_t>(info.st_size) < read_)
            read_ = 0;
        char buffer[65536];
        const auto read_some = [&] { return ::pread(file.get(), buffer, sizeof buffer, static_cast<off_t>(read_)); };
        for (ssize_t n; (n = retry_interrupted(read_some)) > 0;) {
            pending_.append(buffer, static_cast<std::size_t>(n));
            read_ += static_cast<std::uint64_t>(n);
        }
    }
    std::size_t start = 0;
    for (std::size_t end; (end = pending_.find('\n', start)) != std::string::npos; start = end + 1)
        lines.push_back(pending_.substr(start, end - start));
    pending_.erase(0, start);
    if (!pending_.empty() && (last || pending_.size() > kLongestLine))
        lines.push_back(std::exchange(pending_, {}));
    return lines;
}

}  // namespace trainyard::cli
