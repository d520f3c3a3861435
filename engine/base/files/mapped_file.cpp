// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/files/mapped_file.h"

#include <cerrno>
#include <cstdint>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/file.h"
#include "base/file_descriptor.h"
#include "base/files/page_size.h"

namespace trainyard::files {

namespace {
constexpr std::size_t kMostMapped = 4u << 20;  // bytes; what huge pages map in addition is not counted
constexpr std::size_t kAround = 64u << 10;  // the kernel maps this much around a page that is read (fault_around_bytes)
}  // namespace

MappedFile::MappedFile(const std::filesystem::path& path, Pages pages) : path_(path) {
    // O_NONBLOCK keeps open() from blocking on a named pipe.
    const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!file)
        throw_file_error("cannot read", path, errno);
    map(file.get(), pages);
}

MappedFile::MappedFile(int fd, const std::filesystem::path& path) : path_(path) {
    map(fd, Pages::shared);
}

void MappedFile::map(int fd, Pages pages) {
    struct stat info {};
    if (::fstat(fd, &info) != 0)
        throw_file_error("cannot read", path_, errno);
    if (!S_ISREG(info.st_mode))
        throw UserError("{} is not a file", path_.string());
    const auto size = static_cast<std::size_t>(info.st_size);
    if (size == 0)
        return;
    void* mapping = pages == Pages::shared
                        ? ::mmap(nullptr, size, PROT_READ, MAP_SHARED, fd, 0)
                        : ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, fd, 0);
    if (mapping == MAP_FAILED)
        throw_file_error("cannot read", path_, errno);
    bytes_ = {static_cast<const std::byte*>(mapping), size};
}

MappedFile::~MappedFile() {
    if (!bytes_.empty())
        ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

void MappedFile::has_read(std::size_t count) const {
    const std::size_t mapped = count + 2 * kAround;
    if (read_.fetch_add(mapped, std::memory_order_relaxed) + mapped < kMostMapped)
        return;
    read_.store(0, std::memory_order_relaxed);
    release();
}

void MappedFile::release() const {
    if (!bytes_.empty())
        ::madvise(const_cast<std::byte*>(bytes_.data()), bytes_.size(), MADV_DONTNEED);
}

void release_pages(std::span<const std::byte> part) {
    const std::uintptr_t page = page_size();
    const auto begin = (reinterpret_cast<std::uintptr_t>(part.data()) + page - 1) / page * page;
    const auto end = reinterpret_cast<std::uintptr_t>(part.data() + part.size()) / page * page;
    if (begin < end)
        ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
}

}  // namespace trainyard::files
