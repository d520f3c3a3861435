#pragma once
// Pages of mapped files that are gone when they are used, because the file was cut or its disk fails. The kernel answers such an access with SIGBUS, which ends
// the process. Watched pages read as zeros instead; whoever used them asks behind the use whether any were lost, and throws what was computed away.

#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>

#include "base/message.h"

namespace trainyard::files {

/// Watches a mapping while it lives. The first one installs a handler of SIGBUS for the process; faults elsewhere go to the handler that was there before.
class PageWatch {
  public:
    PageWatch() = default;
    /// The mapping begins and ends at pages; `path` is for the message, or `sentence` is it.
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

    /// Before the mapping is given up.
    void end();

    struct Entry;

  private:
    Entry* entry_ = nullptr;
};

/// Throws UserError with the sentence of the file if pages of a mapping that is watched now were lost. Costs one load where none ever were. Thread-safe.
void throw_if_pages_were_lost();

}  // namespace trainyard::files
