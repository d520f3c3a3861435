// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/files/file_writer.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/error.h"
#include "base/failpoint.h"
#include "base/file.h"
#include "base/file_mode.h"
#include "base/files/direct.h"
#include "base/system_call.h"
#include "base/text.h"

namespace trainyard::files {

namespace {

constexpr std::size_t kLargestBuffer = 8u << 20;  ///< writes of this size reach the disk's full bandwidth
constexpr std::uint64_t kWorthDirect = 1u << 20;

std::size_t rounded_up(std::uint64_t bytes) {
    return static_cast<std::size_t>((bytes + kDirectBlock - 1) / kDirectBlock * kDirectBlock);
}

}  // namespace

FileWriter::FileWriter(std::filesystem::path path, std::uint64_t expected)
    : path_(std::move(path)), expected_(expected) {
    aside_ = path_;
    aside_ += fmt::format(".{}.tmp", ::getpid());
    constexpr int kFlags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW;
    if (expected >= kWorthDirect) {
        file_ = FileDescriptor(::open(aside_.c_str(), kFlags | O_DIRECT, kUserFileMode));
        direct_ = static_cast<bool>(file_);
    }
    if (!file_)
        file_ = FileDescriptor(::open(aside_.c_str(), kFlags, kUserFileMode));
    if (!file_)
        throw_file_error("cannot write", path_, errno);
    if (expected > 0 && ::fallocate(file_.get(), 0, 0, static_cast<off_t>(expected)) != 0 &&
        (errno == ENOSPC || errno == EFBIG)) {
        int error = errno;
        ::unlink(aside_.c_str());
        fail(error);
    }
    capacity_ = std::clamp<std::size_t>(rounded_up(expected), 16 * kDirectBlock, kLargestBuffer);
    buffer_ = static_cast<std::byte*>(std::aligned_alloc(kDirectBlock, capacity_));
    if (buffer_ == nullptr) {
        ::unlink(aside_.c_str());
        throw std::bad_alloc();
    }
}

FileWriter::~FileWriter() {
    std::free(buffer_);
    if (file_) {
        file_.close();
        ::unlink(aside_.c_str());
    }
}

void FileWriter::fail(int error) const {
    struct statvfs disk {};
    if (error == ENOSPC && ::statvfs((path_.parent_path() / ".").c_str(), &disk) == 0)
        throw UserError(
            "cannot write {}: the disk is full ({} needed, {} free): make room or choose another "
            "folder",
            path_.string(), text::file_size(std::max(expected_, position())),
            text::file_size(static_cast<std::uint64_t>(disk.f_bavail) * disk.f_frsize));
    if (error == EIO)
        throw DiskError(Message("cannot write {}: {}", path_.string(), system_message(error)));
    throw_file_error("cannot write", path_, error);
}

void FileWriter::write(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        failpoint("file.piece");
        if (failpoint_hit("file.write", "enospc"))
            fail(ENOSPC);
        if (failpoint_hit("file.pwrite", "eio"))
            fail(EIO);
        std::size_t count = std::min(bytes.size(), capacity_ - filled_);
        std::memcpy(buffer_ + filled_, bytes.data(), count);
        filled_ += count;
        bytes = bytes.subspan(count);
        if (filled_ == capacity_)
            put(filled_);
    }
}

/// Writes the first `count` bytes of the buffer and empties it.
void FileWriter::put(std::size_t count) {
    hash_.add({buffer_, filled_});
    std::size_t done = 0;
    while (done < count) {
        const ssize_t n = retry_interrupted(
            [&] { return ::pwrite(file_.get(), buffer_ + done, count - done, static_cast<off_t>(written_ + done)); });
        if (n < 0 && errno == EINVAL && direct_) {  // the file system allows O_DIRECT in open() but not in write()
            ::fcntl(file_.get(), F_SETFL, ::fcntl(file_.get(), F_GETFL) & ~O_DIRECT);
            direct_ = false;
            continue;
        }
        if (n <= 0)
            fail(n < 0 ? errno : EIO);
        done += static_cast<std::size_t>(n);
        if (direct_ && done % kDirectBlock != 0) {  // a short write leaves the rest at an unaligned address
            ::fcntl(file_.get(), F_SETFL, ::fcntl(file_.get(), F_GETFL) & ~O_DIRECT);
            direct_ = false;
        }
    }
    written_ += filled_;
    filled_ = 0;
    if (!direct_)  // start the write-back now, so that fsync has less to wait for
        ::sync_file_range(file_.get(), static_cast<off_t>(written_ - std::min<std::uint64_t>(written_, count)),
                          static_cast<off_t>(count), SYNC_FILE_RANGE_WRITE);
}

WrittenFile FileWriter::finish(bool sync_folder) {
    std::uint64_t bytes = position();
    std::size_t whole_blocks = direct_ ? rounded_up(filled_) : filled_;
    std::memset(buffer_ + filled_, 0, whole_blocks - filled_);
    put(whole_blocks);
    // Removes the padding of the last block and preallocated space that was not needed.
    if (::ftruncate(file_.get(), static_cast<off_t>(bytes)) != 0)
        fail(errno);
    failpoint("file.flush");
    if (failpoint_hit("file.fsync", "eio"))
        fail(EIO);
    if (::fsync(file_.get()) != 0)
        fail(errno);
    failpoint("file.rename");
    if (::rename(aside_.c_str(), path_.c_str()) != 0)
        throw_file_error("cannot replace", path_, errno);
    file_.close();
    if (sync_folder)
        sync_path(path_.has_parent_path() ? path_.parent_path() : std::filesystem::path("."));
    return {bytes, hash_.digest()};
}

}  // namespace trainyard::files
