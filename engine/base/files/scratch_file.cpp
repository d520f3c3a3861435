// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/files/scratch_file.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <limits>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/error.h"
#include "base/failpoint.h"
#include "base/files/page_size.h"
#include "base/system_call.h"
#include "base/text.h"

namespace trainyard::files {

namespace {

#ifdef MADV_POPULATE_WRITE
constexpr int kPopulateWrite = MADV_POPULATE_WRITE;
#else
constexpr int kPopulateWrite = 23;  // Linux 5.14
#endif

/// Opens an unnamed file in the folder. On failure the descriptor is invalid and errno is set.
FileDescriptor open_nameless(const std::filesystem::path& folder) {
    FileDescriptor file(::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
    if (file || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL))
        return file;
    // Fallback for file systems without unnamed files: create a file and remove its name at once.
    std::string name = (folder / ".trainyard-XXXXXX").string();
    FileDescriptor named(::mkostemp(name.data(), O_CLOEXEC));
    if (named)
        ::unlink(name.c_str());
    return named;
}

Message why_not(const std::filesystem::path& folder, int error) {
    if (error == ENOENT)
        return Message("the folder {} does not exist: make it, or name another one", folder.string());
    if (error == ENOTDIR)
        return Message("{} is not a folder: name one", folder.string());
    return Message("no file can be written in {}: {}; name another folder", folder.string(), system_message(error));
}

/// The most that a count holds where the system does not tell it.
std::uint64_t free_bytes(const std::filesystem::path& folder) {
    struct statvfs disk {};
    return ::statvfs(folder.c_str(), &disk) == 0 ? static_cast<std::uint64_t>(disk.f_bavail) * disk.f_frsize
                                                 : std::numeric_limits<std::uint64_t>::max();
}

Message no_room(const std::filesystem::path& folder, std::uint64_t count, const Message& what, std::uint64_t free) {
    return Message(
        "the disk of {} has no room for {}: it takes {}, {} are free; make room, or "
        "name another folder",
        folder.string(), what, text::file_size(count), text::file_size(free));
}

}  // namespace

Message why_no_room(const std::filesystem::path& folder, std::uint64_t count, const Message& what) {
    const std::uint64_t free = free_bytes(folder);
    return count > free ? no_room(folder, count, what, free) : Message();
}

Message why_no_scratch_file(const std::filesystem::path& folder) {
    struct stat info {};
    if (::stat(folder.c_str(), &info) != 0)
        return why_not(folder, errno);
    if (!S_ISDIR(info.st_mode))
        return why_not(folder, ENOTDIR);
    return open_nameless(folder) ? Message() : why_not(folder, errno);
}

ScratchFile::ScratchFile(const std::filesystem::path& folder, std::size_t count, const Message& what)
    : lost_(Message("{} in {} is lost: the disk is full, or fails; make room, or name another folder, and "
                    "resume from the last checkpoint",
                    what, folder.string())) {
    if (Message problem = why_no_scratch_file(folder); !problem.empty())
        throw UserError(problem);
    file_ = open_nameless(folder);
    if (!file_)
        throw UserError(why_not(folder, errno));
    if (count == 0)
        return;
    const int error =
        failpoint_hit("scratch.file", "enospc") ? ENOSPC : ::posix_fallocate(file_.get(), 0, static_cast<off_t>(count));
    if (error == ENOSPC || error == EFBIG || error == EDQUOT)
        throw UserError(no_room(folder, count, what, free_bytes(folder)));
    if (error != 0)
        throw UserError(why_not(folder, error));
    void* mapping = ::mmap(nullptr, count, PROT_READ | PROT_WRITE, MAP_SHARED, file_.get(), 0);
    if (mapping == MAP_FAILED)
        throw UserError(why_not(folder, errno));
    mapping_ = mapping;
    count_ = count;
    watch_ = PageWatch(mapping, count, folder, lost_);
}

ScratchFile::~ScratchFile() {
    watch_.end();
    if (mapping_ != nullptr)
        ::munmap(mapping_, count_);
}

std::size_t ScratchFile::last_page_of(std::size_t end) const {
    return end >= count_ ? (count_ + page_size() - 1) / page_size() * page_size() : end / page_size() * page_size();
}

void ScratchFile::read_ahead(std::size_t begin, std::size_t end) const {
    if (begin >= end)
        return;
    begin = begin / page_size() * page_size();
    ::madvise(static_cast<std::byte*>(mapping_) + begin, end - begin, MADV_WILLNEED);
}

void ScratchFile::fetch(std::size_t begin, std::size_t end) const {
    if (begin >= end)
        return;
    read_ahead(begin, end);  // starts all reads at once
    begin = begin / page_size() * page_size();
    void* const first = static_cast<std::byte*>(mapping_) + begin;
    int failed = 0;
    do
        failed = retry_interrupted([&] { return ::madvise(first, end - begin, kPopulateWrite); }) == 0 ? 0 : errno;
    while (failed == EAGAIN);
    if (failed == EFAULT || failed == EIO || failed == ENOSPC)
        throw UserError(lost_);
    // Older kernels do not know the call (EINVAL): the pages come when they are used.
}

void ScratchFile::let_go(std::size_t begin, std::size_t end) const {
    begin = begin / page_size() * page_size();
    end = last_page_of(end);
    if (begin < end)
        ::madvise(static_cast<std::byte*>(mapping_) + begin, end - begin, MADV_DONTNEED);
}

void ScratchFile::begin_write(std::size_t begin, std::size_t end) const {
    if (begin < end)
        ::sync_file_range(file_.get(), static_cast<off_t>(begin), static_cast<off_t>(end - begin),
                          SYNC_FILE_RANGE_WRITE);  // advisory
}

void ScratchFile::finish_write(std::size_t begin, std::size_t end) const {
    if (begin >= end)
        return;
    if (::sync_file_range(file_.get(), static_cast<off_t>(begin), static_cast<off_t>(end - begin),
                          SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER) != 0 &&
        (errno == EIO || errno == ENOSPC))
        throw UserError(lost_);
    ::posix_fadvise(file_.get(), static_cast<off_t>(begin), static_cast<off_t>(end - begin), POSIX_FADV_DONTNEED);
}

void ScratchFile::check() const {
    throw_if_pages_were_lost();
}

}  // namespace trainyard::files
