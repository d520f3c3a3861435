// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/regular_file.h"

#include <algorithm>
#include <cerrno>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/system_call.h"
#include "base/text.h"

namespace trainyard {

namespace {

const char* kind_of_file(mode_t mode) {
    switch (mode & S_IFMT) {
        case S_IFIFO:
            return "a named pipe";
        case S_IFSOCK:
            return "a socket";
        case S_IFCHR:
        case S_IFBLK:
            return "a device";
        case S_IFDIR:
            return "a folder";
        default:
            return "something else";
    }
}

/// Returns 0, an errno, or -1 if it is not a regular file (then `mode` has its type).
int open_regular(const fs::path& path, FileDescriptor& file, mode_t& mode) noexcept {
    // The type is checked before open(), because opening some devices has side effects, and again afterwards, because
    // the file may have been replaced in between. Without O_NONBLOCK, open() of a named pipe blocks until there is a
    // writer.
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0)
        return errno;
    mode = info.st_mode;
    if (!S_ISREG(mode))
        return -1;
    FileDescriptor opened(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    if (!opened || ::fstat(opened.get(), &info) != 0)
        return errno;
    mode = info.st_mode;
    if (!S_ISREG(mode))
        return -1;
    file = std::move(opened);
    return 0;
}

}  // namespace

FileDescriptor open_regular_file(const fs::path& path) {
    FileDescriptor file;
    mode_t mode = 0;
    const int error = open_regular(path, file, mode);
    if (error < 0)
        throw UserError("cannot read {}: it is {}: replace it with a regular file", path.string(), kind_of_file(mode));
    if (error > 0)
        throw_file_error("cannot read", path, error);
    return file;
}

FileDescriptor try_open_regular_file(const fs::path& path) noexcept {
    FileDescriptor file;
    mode_t mode = 0;
    open_regular(path, file, mode);
    return file;
}

std::string read_descriptor(int fd, const fs::path& path, std::uint64_t limit) {
    auto refuse = [&](const Message& size) {
        throw UserError("cannot read {}: it is {}, more than the {} allowed here", path.string(), size,
                        text::file_size(limit));
    };
    struct stat info {};
    if (::fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && static_cast<std::uint64_t>(info.st_size) > limit)
        refuse(Message::verbatim(text::file_size(static_cast<std::uint64_t>(info.st_size))));
    std::string content;
    char buffer[65536];
    for (;;) {
        const ssize_t n = retry_interrupted([&] { return ::read(fd, buffer, sizeof buffer); });
        if (n < 0)
            throw_file_error("cannot read", path, errno);
        if (n == 0)
            return content;
        content.append(buffer, static_cast<std::size_t>(n));
        if (content.size() > limit)
            refuse(Message("at least {}", text::file_size(content.size())));
    }
}

std::string read_regular_file(const fs::path& path, std::uint64_t limit) {
    return read_descriptor(open_regular_file(path).get(), path, limit);
}

std::string read_head(const fs::path& path, std::size_t most) {
    const FileDescriptor file = try_open_regular_file(path);
    std::string head(file ? most : 0, '\0');
    const ssize_t have = read_all(file.get(), std::as_writable_bytes(std::span(head)));
    head.resize(static_cast<std::size_t>(std::max<ssize_t>(0, have)));
    return head;
}

}  // namespace trainyard
