// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Queries and drops the pages of a file in the page cache. A page is charged to the control group that first read it,
// so a test drops a file from the cache before a process with a memory limit reads it.

#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file_descriptor.h"

namespace trainyard::test {

inline FileDescriptor opened_to_read(const std::filesystem::path& file) {
    FileDescriptor opened(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
    if (!opened)
        throw std::system_error(errno, std::generic_category(), file.string());
    return opened;
}

/// Drops a file, or all files of a folder, from the page cache.
inline void drop_from_page_cache(const std::filesystem::path& path) {
    if (std::filesystem::is_directory(path)) {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(path))
            if (entry.is_regular_file())
                drop_from_page_cache(entry.path());
        return;
    }
    const FileDescriptor file = opened_to_read(path);
    ::fsync(file.get());  // pages that are not on the disk yet stay
    ::posix_fadvise(file.get(), 0, 0, POSIX_FADV_DONTNEED);
}

inline std::uint64_t cached_bytes(const std::filesystem::path& path) {
    const FileDescriptor file = opened_to_read(path);
    const auto bytes = static_cast<std::size_t>(std::filesystem::file_size(path));
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    void* mapping = ::mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file.get(), 0);
    if (mapping == MAP_FAILED)
        throw std::system_error(errno, std::generic_category(), path.string());
    std::vector<unsigned char> pages((bytes + page - 1) / page);
    ::mincore(mapping, bytes, pages.data());
    ::munmap(mapping, bytes);
    std::uint64_t cached = 0;
    for (const unsigned char one : pages)
        cached += (one & 1u) != 0 ? page : 0;
    return cached;
}

}  // namespace trainyard::test
