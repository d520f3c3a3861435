// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/copied_file.h"

#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

namespace trainyard::remote {

FileDescriptor open_copied_file(const std::filesystem::path& path, int flags, int mode) {
    struct stat info {};
    const bool exists = ::lstat(path.c_str(), &info) == 0;
    const bool is_ours = S_ISREG(info.st_mode) && info.st_nlink == 1;
    if (exists && !is_ours && !S_ISDIR(info.st_mode) && ::unlink(path.c_str()) != 0)
        throw_file_error("cannot replace", path, errno);
    // O_NONBLOCK: a pipe that appeared in between must not block.
    FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | flags, mode));
    if (!file)
        throw_file_error("cannot write", path, errno);
    return file;
}

}  // namespace trainyard::remote
