// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Passwords and passphrases: stored in memory that is overwritten after use, and in the system's key ring only on
// request.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/message.h"

namespace trainyard::remote {

/// Text that is erased with its owner: zeroed by the destructor, not copyable, and excluded from core dumps (its page
/// is locked if the system allows it).
class Secret {
  public:
    Secret() = default;
    explicit Secret(std::string_view text);
    Secret(Secret&& other) noexcept;
    Secret& operator=(Secret&& other) noexcept;
    Secret(const Secret&) = delete;
    Secret& operator=(const Secret&) = delete;
    ~Secret() { clear(); }

    Secret copy() const { return Secret(view()); }
    void append(char letter);
    void remove_last();
    void clear();
    bool empty() const { return size_ == 0; }
    std::string_view view() const { return {data_, size_}; }
    /// The bytes with a terminating NUL.
    const char* c_str() const { return data_ ? data_ : ""; }

  private:
    void grow(std::size_t capacity);
    char* data_ = nullptr;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

/// Overwrites memory in a way that the compiler does not optimize away.
void wipe(void* memory, std::size_t size);
void wipe(std::string& text);

/// The desktop's key ring (Secret Service, through libsecret, which is loaded on first use).
namespace key_ring {

/// The owner of a stored secret: `password` of `user@host:port`, `passphrase` of `/home/me/.ssh/id_ed25519`.
struct Place {
    std::string kind;
    std::string subject;
};

/// Why the key ring cannot be used, or an empty message.
Message problem();
/// Returns std::nullopt if no secret is stored or there is no key ring.
std::optional<Secret> find(const Place& place);
/// Throws UserError if the secret could not be stored.
void keep(const Place& place, const Secret& secret);
void forget(const Place& place);

}  // namespace key_ring

}  // namespace trainyard::remote
