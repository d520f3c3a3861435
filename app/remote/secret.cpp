// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/secret.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

#include <string.h>
#include <sys/mman.h>

#include "base/error.h"
#include "remote/secret_bag.h"

namespace trainyard::remote {

void wipe(void* memory, std::size_t size) {
    if (memory != nullptr)
        ::explicit_bzero(memory, size);
}

void wipe(std::string& text) {
    wipe(text.data(), text.size());
    text.clear();
}

namespace {

constexpr std::size_t kPage = 4096;
std::atomic<int> lock_error{0};  // errno of the last mlock() that failed

// Own pages: mlock and MADV_DONTDUMP work on whole pages, which must not hold anything else.
char* allocate(std::size_t capacity) {
    void* memory = ::mmap(nullptr, capacity, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        throw std::bad_alloc();
    if (::mlock(memory, capacity) != 0)  // best effort: secret_lock_problem() reports it to the user
        lock_error = errno;
    ::madvise(memory, capacity, MADV_DONTDUMP);
    return static_cast<char*>(memory);
}

void release(char* memory, std::size_t capacity) {
    if (memory == nullptr)
        return;
    wipe(memory, capacity);
    ::munmap(memory, capacity);
}

}  // namespace

Message secret_lock_problem() {
    const int error = lock_error;
    return error == 0 ? Message() : system_message(error);
}

Secret::Secret(std::string_view text) {
    if (text.empty())
        return;
    grow(text.size() + 1);
    std::memcpy(data_, text.data(), text.size());
    size_ = text.size();
}

Secret::Secret(Secret&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      capacity_(std::exchange(other.capacity_, 0)) {}

Secret& Secret::operator=(Secret&& other) noexcept {
    if (this != &other) {
        clear();
        data_ = std::exchange(other.data_, nullptr);
        size_ = std::exchange(other.size_, 0);
        capacity_ = std::exchange(other.capacity_, 0);
    }
    return *this;
}

void Secret::grow(std::size_t capacity) {
    if (capacity <= capacity_)
        return;
    capacity = (capacity + kPage - 1) / kPage * kPage;
    char* larger = allocate(capacity);
    if (size_ > 0)
        std::memcpy(larger, data_, size_);
    release(data_, capacity_);
    data_ = larger;
    capacity_ = capacity;
}

void Secret::append(char letter) {
    grow(size_ + 2);
    data_[size_++] = letter;
    data_[size_] = '\0';
}

void Secret::remove_last() {
    if (size_ > 0)
        data_[--size_] = '\0';
}

void Secret::clear() {
    release(data_, capacity_);
    data_ = nullptr;
    size_ = capacity_ = 0;
}

}  // namespace trainyard::remote
