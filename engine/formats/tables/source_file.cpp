// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/tables/source_file.h"

#include <cerrno>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/system_call.h"

namespace trainyard::formats {

SourceFile::SourceFile(std::filesystem::path path) : path_(std::move(path)) {
    // O_NONBLOCK: open() of a named pipe must not block.
    file_ = FileDescriptor(::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    struct stat info {};
    if (!file_ || ::fstat(file_.get(), &info) != 0)
        throw_file_error("cannot read", path_, errno);
    if (!S_ISREG(info.st_mode))
        throw UserError("{} is not a regular file: give a data file", path_.string());
    size_ = static_cast<std::uint64_t>(info.st_size);
    stamp_ = fmt::format("{}:{}.{:09}", size_, info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
}

void SourceFile::read(std::uint64_t offset, std::span<std::byte> out) const {
    const ssize_t got = read_all_at(file_.get(), out, offset);
    if (got < 0)
        throw_file_error("cannot read", path_, errno);
    if (static_cast<std::size_t>(got) < out.size())
        throw UserError(
            "{} ends at byte {}, it had {} bytes when it was opened: it was changed or cut while it "
            "was being read, start again with a file that stays as it is",
            path_.string(), offset + static_cast<std::uint64_t>(got), size_);
}

std::vector<std::byte> SourceFile::read(std::uint64_t offset, std::uint64_t bytes) const {
    if (offset > size_ || bytes > size_ - offset)
        throw UserError("{} is cut off: {} bytes at {} were to be read, it has {}", path_.string(), bytes, offset,
                        size_);
    std::vector<std::byte> out(bytes);
    read(offset, out);
    return out;
}

}  // namespace trainyard::formats
