// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/files/growing_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/system_call.h"

namespace trainyard::files {

namespace {

std::int64_t nanoseconds(const timespec& time) {
    return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

void GrowingFile::fail(int code) {
    error_ = Message("cannot read {}: {}", path_.string(), system_message(code));
}

GrowingFile::Poll GrowingFile::poll() {
    close();
    error_ = {};
    struct stat info {};
    const auto stamp_of = [&info] {
        return Stamp{info.st_dev, info.st_ino, info.st_size, nanoseconds(info.st_mtim), nanoseconds(info.st_ctim)};
    };
    if (::stat(path_.c_str(), &info) != 0) {
        if (errno == ENOENT || errno == ENOTDIR || errno == ESTALE) {
            stamp_ = {};
            return Poll::Missing;
        }
        fail(errno);
        return Poll::Failed;
    }
    if (stamp_of() == stamp_)
        return Poll::Same;
    if (!S_ISREG(info.st_mode)) {  // checked before open(): a named pipe without a writer would block
        error_ = Message("{} is not a file", path_.string());
        return Poll::Failed;
    }
    file_ = FileDescriptor(::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!file_ || ::fstat(file_.get(), &info) != 0) {
        if (errno == ENOENT || errno == ESTALE)
            return Poll::Missing;
        fail(errno);
        return Poll::Failed;
    }
    stamp_ = stamp_of();
    stamp_size_ = static_cast<std::uint64_t>(std::max<off_t>(info.st_size, 0));
    const bool same = any_ && info.st_dev == device_ && info.st_ino == inode_;
    device_ = info.st_dev;
    inode_ = info.st_ino;
    any_ = true;
    if (same && stamp_size_ >= position_ && continues())
        return Poll::Changed;
    if (!error_.empty())
        return Poll::Failed;
    restart();
    return Poll::Again;
}

void GrowingFile::restart() {
    position_ = 0;
    head_.clear();
    tail_.clear();
}

/// Whether the file still has the consumed bytes, as far as they are remembered.
bool GrowingFile::continues() {
    std::string found(std::max(head_.size(), tail_.size()), '\0');
    for (const std::string* part : {&head_, &tail_}) {
        const std::uint64_t at = part == &head_ ? 0 : position_ - tail_.size();
        const ssize_t n = read(found.data(), part->size(), at);
        if (n < 0 || static_cast<std::size_t>(n) != part->size() || found.compare(0, part->size(), *part) != 0)
            return false;
    }
    return true;
}

ssize_t GrowingFile::read(char* into, std::size_t count, std::uint64_t offset) {
    const ssize_t got = read_all_at(file_.get(), std::as_writable_bytes(std::span(into, count)), offset);
    if (got < 0) {
        fail(errno);
        stamp_ = {};
    }
    return got;
}

void GrowingFile::consume(const char* bytes, std::size_t count) {
    if (count == 0)
        return;
    if (position_ < kRemembered)
        head_.append(bytes, std::min<std::size_t>(count, kRemembered - static_cast<std::size_t>(position_)));
    if (count >= kRemembered) {
        tail_.assign(bytes + count - kRemembered, kRemembered);
    } else {
        tail_.append(bytes, count);
        if (tail_.size() > kRemembered)
            tail_.erase(0, tail_.size() - kRemembered);
    }
    position_ += count;
}

}  // namespace trainyard::files
