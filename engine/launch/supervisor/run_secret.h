// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The secret that the machines of a run have in common (secure_channel.h).

#include <cstddef>
#include <string>
#include <string_view>

namespace trainyard::launch {

/// Returns bytes of the kernel's random number generator. Throws UserError if it fails.
std::string random_bytes(std::size_t count);

/// Overwrites a text that held a secret, then empties it.
void wipe(std::string& text);

/// Wiped on destruction. Never printed, nor in an argument, an environment dump or a file that outlives the run.
class Secret {
  public:
    Secret() = default;
    /// Any text; longer is better. Throws UserError if it is empty or longer than 1 KiB.
    explicit Secret(std::string_view text);
    ~Secret();
    Secret(const Secret&) = default;  ///< not movable: a short text would stay in the source
    Secret& operator=(const Secret& other);
    static Secret random();  ///< 64 hexadecimal digits

    const std::string& text() const { return text_; }
    bool empty() const { return text_.empty(); }

  private:
    std::string text_;
};

}  // namespace trainyard::launch
