// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/files/mapped_range.h"

#include <cerrno>
#include <utility>

#include <sys/mman.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/file.h"
#include "base/files/page_size.h"
#include "base/system_call.h"

namespace trainyard::files {

namespace {
#ifdef MADV_POPULATE_READ
constexpr int kPopulateRead = MADV_POPULATE_READ;
#else
constexpr int kPopulateRead = 22;  // Linux 5.14
#endif
}  // namespace

MappedRange::MappedRange(int fd, std::uint64_t offset, std::size_t count, const std::filesystem::path& path) {
    if (count == 0)
        return;
    struct stat info {};
    if (::fstat(fd, &info) != 0)
        throw_file_error("cannot read", path, errno);
    if (static_cast<std::uint64_t>(info.st_size) <
        offset + count)  // bytes that are not there would be a signal when they are used
        throw UserError("{} cannot be read any more: the file was cut", path.string());
    const std::uint64_t begin = offset / page_size() * page_size();
    mapped_ = static_cast<std::size_t>(offset - begin) + count;
    void* mapping = ::mmap(nullptr, mapped_, PROT_READ, MAP_SHARED, fd, static_cast<off_t>(begin));
    if (mapping == MAP_FAILED) {
        mapped_ = 0;
        throw_file_error("cannot map", path, errno);
    }
    mapping_ = mapping;
    bytes_ = {static_cast<const std::byte*>(mapping) + (offset - begin), count};
    watch_ = PageWatch(mapping, mapped_, path);
}

MappedRange::~MappedRange() {
    unmap();
}

MappedRange::MappedRange(MappedRange&& other) noexcept
    : mapping_(std::exchange(other.mapping_, nullptr)),
      mapped_(std::exchange(other.mapped_, 0)),
      bytes_(std::exchange(other.bytes_, {})),
      watch_(std::move(other.watch_)) {}

MappedRange& MappedRange::operator=(MappedRange&& other) noexcept {
    if (this != &other) {
        unmap();
        mapping_ = std::exchange(other.mapping_, nullptr);
        mapped_ = std::exchange(other.mapped_, 0);
        bytes_ = std::exchange(other.bytes_, {});
        watch_ = std::move(other.watch_);
    }
    return *this;
}

void MappedRange::populate(std::span<const std::byte> part, const std::filesystem::path& path) const {
    if (part.empty())
        return;
    const auto first = reinterpret_cast<std::uintptr_t>(part.data()) / page_size() * page_size();
    const std::size_t count = reinterpret_cast<std::uintptr_t>(part.data() + part.size()) - first;
    auto* begin = reinterpret_cast<void*>(first);
    ::madvise(begin, count, MADV_WILLNEED);  // advisory: starts all reads at once
    int failed = 0;
    do
        failed = retry_interrupted([&] { return ::madvise(begin, count, kPopulateRead); }) == 0 ? 0 : errno;
    while (failed == EAGAIN);
    if (failed == EFAULT || failed == EIO)
        throw UserError("{} cannot be read any more: the disk fails, or the file was cut", path.string());
    // Older kernels do not know the call (EINVAL): the pages come when they are used.
}

void MappedRange::unmap() {
    watch_.end();
    if (mapping_ != nullptr)
        ::munmap(mapping_, mapped_);
    mapping_ = nullptr;
    mapped_ = 0;
    bytes_ = {};
}

}  // namespace trainyard::files
