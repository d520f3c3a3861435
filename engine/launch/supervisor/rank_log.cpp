// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/supervisor/rank_log.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/system_call.h"

namespace trainyard::launch {

namespace {
constexpr std::uint64_t kDefaultLimit = 16'000'000;
constexpr std::uint64_t kSmallestLimit = 64'000;
constexpr std::size_t kRememberedLines = 20;
constexpr std::size_t kLongestRememberedLine = 2000;

FileDescriptor open_log(const fs::path& path) {
    FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!file)
        throw_file_error("cannot write", path, errno);
    return file;
}
}  // namespace

std::uint64_t log_limit() {
    const char* text = std::getenv("TRAINYARD_LOG_LIMIT");
    std::uint64_t limit = text == nullptr ? 0 : std::strtoull(text, nullptr, 10);
    return limit == 0 ? kDefaultLimit : std::max(limit, kSmallestLimit);
}

RankLog::RankLog(fs::path file, std::uint64_t limit) : path_(std::move(file)), limit_(limit), file_(open_log(path_)) {
    struct stat info {};
    if (::fstat(file_.get(), &info) == 0)
        size_ = static_cast<std::uint64_t>(info.st_size);
}

void RankLog::write(std::string_view bytes) {
    remember(bytes);
    if (size_ > 0 && size_ + bytes.size() > limit_)
        rotate();
    while (!bytes.empty()) {
        const ssize_t n = retry_interrupted([&] { return ::write(file_.get(), bytes.data(), bytes.size()); });
        if (n < 0) {
            lost_bytes_ += bytes.size();
            return;
        }
        size_ += static_cast<std::uint64_t>(n);
        bytes.remove_prefix(static_cast<std::size_t>(n));
    }
}

void RankLog::rotate() {
    fs::path older = path_;
    older += ".1";
    if (::rename(path_.c_str(), older.c_str()) != 0)
        return;
    size_ = 0;
    try {
        file_ = open_log(path_);
    } catch (const std::exception&) {
        // The old file is still open under its new name: better a log that is too long than none.
    }
}

void RankLog::remember(std::string_view bytes) {
    for (char c : bytes) {
        if (c == '\n' || c == '\r') {
            if (!unfinished_.empty())
                lines_.push_back(std::move(unfinished_));
            unfinished_.clear();
            if (lines_.size() > kRememberedLines)
                lines_.pop_front();
        } else if (unfinished_.size() < kLongestRememberedLine) {
            unfinished_ += c;
        }
    }
}

std::vector<std::string> RankLog::last_lines(std::size_t count) const {
    std::vector<std::string> lines(lines_.begin(), lines_.end());
    if (!unfinished_.empty())
        lines.push_back(unfinished_);
    if (lines.size() > count)
        lines.erase(lines.begin(), lines.end() - static_cast<std::ptrdiff_t>(count));
    return lines;
}

}  // namespace trainyard::launch
