// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Memory that processes of one machine share. It is a memfd: it has no name, only processes of the same user can open
// it, and it is freed with the last process that has mapped it, however that ends.

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/file_descriptor.h"

namespace trainyard::parallel {

class Communicator;

/// Where the owner of a mapping is found: process, descriptor, and a number that the memory begins with. Another
/// machine or container may have a process of that number, too, with a file of that size.
using SharedPlace = std::array<std::int64_t, 4>;

class SharedMapping {
  public:
    /// Empty.
    SharedMapping() = default;
    /// `bytes` zeros, or an empty mapping if the system gives none. `name` is shown in /proc/PID/maps.
    static SharedMapping create(std::size_t bytes, const char* name);
    /// The memory of another mapping of `bytes`, while that one exists; empty if it cannot be reached.
    static SharedMapping open(const SharedPlace& place, std::size_t bytes);
    SharedMapping(SharedMapping&& other) noexcept;
    SharedMapping& operator=(SharedMapping&& other) noexcept;
    SharedMapping(const SharedMapping&) = delete;
    SharedMapping& operator=(const SharedMapping&) = delete;
    ~SharedMapping();

    explicit operator bool() const { return memory_ != nullptr; }
    std::uint8_t* data() const;  ///< begins on a page
    std::size_t bytes() const;
    /// For open(); of a mapping from create() alone.
    const SharedPlace& place() const { return place_; }

  private:
    SharedMapping(FileDescriptor file, std::size_t bytes);
    FileDescriptor file_;
    std::uint8_t* memory_ = nullptr;
    std::size_t bytes_ = 0;  ///< with the page that identifies it
    SharedPlace place_{-1, -1, 0, 0};
};

/// One mapping for all ranks. Collective. Empty on all ranks if one of them cannot reach it.
SharedMapping share_mapping(Communicator& ranks, std::size_t bytes, const char* name);

}  // namespace trainyard::parallel
