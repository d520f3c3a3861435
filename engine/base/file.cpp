// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/file.h"

#include <cerrno>
#include <cstring>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file_descriptor.h"
#include "base/regular_file.h"
#include "base/system_call.h"
#include "base/text.h"

namespace trainyard {

void throw_file_error(std::string_view what, const fs::path& path, int error) {
    const Message problem("{}: {}", Message::from_parts(std::string(what) + " {}", {Message::verbatim(path.string())}),
                          system_message(error));
    struct statvfs disk {};
    if (error == ENOSPC && statvfs(path.parent_path().c_str(), &disk) == 0)
        throw UserError("{} ({} free): make room or choose another folder", problem,
                        text::file_size(static_cast<std::uint64_t>(disk.f_bavail) * disk.f_frsize));
    throw UserError(problem);
}

std::string read_file(const fs::path& path, std::uint64_t limit) {
    FileDescriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!fd)
        throw_file_error("cannot read", path, errno);
    return read_descriptor(fd.get(), path, limit);
}

void sync_path(const fs::path& path) {
    FileDescriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!fd || ::fsync(fd.get()) != 0)
        throw_file_error("cannot flush", path, errno);
}

void write_file_atomically(const fs::path& path, std::string_view content, bool durable, int mode) {
    fs::path aside = path;
    aside += fmt::format(".{}.tmp", ::getpid());
    FileDescriptor fd(::open(aside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, mode));
    if (!fd)
        throw_file_error("cannot write", path, errno);
    try {
        if (!write_all(fd.get(), content))
            throw_file_error("cannot write", path, errno);
        if (durable && ::fsync(fd.get()) != 0)
            throw_file_error("cannot flush", path, errno);
        fd.close();
        if (::rename(aside.c_str(), path.c_str()) != 0)
            throw_file_error("cannot replace", path, errno);
    } catch (...) {
        ::unlink(aside.c_str());
        throw;
    }
    if (durable)
        sync_path(path.has_parent_path() ? path.parent_path() : fs::path("."));
}

void append_line(const fs::path& path, std::string_view line) {
    FileDescriptor fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
    if (!fd)
        throw_file_error("cannot write", path, errno);
    std::string whole(line);
    whole += '\n';
    if (!write_all(fd.get(), whole))
        throw_file_error("cannot write", path, errno);
}

void make_private_folder(const fs::path& path) {
    std::error_code error;
    if (path.has_parent_path())
        fs::create_directories(path.parent_path(), error);
    if (error)
        throw_file_error("cannot make the folder", path, error.value());
    if (::mkdir(path.c_str(), 0700) != 0 && !(errno == EEXIST && fs::is_directory(path, error)))
        throw_file_error("cannot make the folder", path, errno);
}

}  // namespace trainyard
