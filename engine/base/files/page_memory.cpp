// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/files/page_memory.h"

#include <cerrno>
#include <cstdint>
#include <new>
#include <utility>

#include <sys/mman.h>

namespace trainyard::files {

void* map_at_large_page(std::size_t bytes, int flags, int file) {
    const std::size_t reserved = bytes + kLargePage;
    void* const place = ::mmap(nullptr, reserved, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (place == MAP_FAILED)
        return MAP_FAILED;
    const std::size_t before = (kLargePage - reinterpret_cast<std::uintptr_t>(place) % kLargePage) % kLargePage;
    auto* const begin = static_cast<std::byte*>(place) + before;
    void* const mapping = ::mmap(begin, bytes, PROT_READ | PROT_WRITE, flags | MAP_FIXED, file, 0);
    if (mapping == MAP_FAILED) {
        const int error = errno;
        ::munmap(place, reserved);
        errno = error;
        return MAP_FAILED;
    }
    if (before > 0)
        ::munmap(place, before);
    ::munmap(begin + bytes, reserved - before - bytes);
    return mapping;
}

PageMemory::PageMemory(std::size_t bytes) : size_((bytes + page_size() - 1) / page_size() * page_size()) {
    if (size_ == 0)
        return;
    constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS;
    void* const memory = size_ < kLargePage ? ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, kFlags, -1, 0)
                                            : map_at_large_page(size_, kFlags, -1);
    if (memory == MAP_FAILED)
        throw std::bad_alloc();
    data_ = static_cast<std::byte*>(memory);
    if (size_ >= kLargePage)
        ::madvise(data_, size_, MADV_HUGEPAGE);  // advisory
}

PageMemory::~PageMemory() {
    if (data_ != nullptr)
        ::munmap(data_, size_);
}

PageMemory::PageMemory(PageMemory&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

PageMemory& PageMemory::operator=(PageMemory&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
}

}  // namespace trainyard::files
