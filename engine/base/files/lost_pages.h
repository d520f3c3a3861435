// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Handles pages of mapped files that are lost when they are accessed, because the file was truncated or its disk fails.
// The kernel answers such an access with SIGBUS, which ends the process. Watched pages read as zeros instead; after
// using them, the caller checks whether any were lost, and discards what it computed.

#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>

#include "base/message.h"

namespace trainyard::files {

/// Watches a mapping during its lifetime. The first instance installs a handler of SIGBUS for the process; faults
/// outside of watched mappings are passed to the previous handler.
class PageWatch {
  public:
    PageWatch() = default;
    /// The mapping begins and ends at page boundaries. The message about lost pages names `path`, or is `sentence`.
    PageWatch(const void* begin, std::size_t count, const std::filesystem::path& path, Message sentence = {});
    ~PageWatch() { end(); }
    PageWatch(PageWatch&& other) noexcept : entry_(std::exchange(other.entry_, nullptr)) {}
    PageWatch& operator=(PageWatch&& other) noexcept {
        if (this != &other) {
            end();
            entry_ = std::exchange(other.entry_, nullptr);
        }
        return *this;
    }

    /// Stops watching. Must be called before the mapping is removed.
    void end();

    struct Entry;

  private:
    Entry* entry_ = nullptr;
};

/// Throws UserError with the file's message if pages of a currently watched mapping were lost. Costs one load if no
/// page was ever lost. Thread-safe.
void throw_if_pages_were_lost();

}  // namespace trainyard::files
