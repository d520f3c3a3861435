#pragma once
// Passwords and passphrases: in memory that is overwritten when they are done with, on the system's key ring only when asked for.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/message.h"

namespace trainyard::remote {

/// Text that does not outlive its owner: zeroed by the destructor, never copied by accident, never in core dumps (its page is locked
/// where the system allows it).
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
    /// With a NUL at its end.
    const char* c_str() const { return data_ ? data_ : ""; }

  private:
    void grow(std::size_t capacity);
    char* data_ = nullptr;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

/// Overwrites memory in a way the compiler keeps.
void wipe(void* memory, std::size_t size);
void wipe(std::string& text);

/// The desktop's key ring (Secret Service, through libsecret, which is loaded when first used).
namespace key_ring {

/// What a stored secret belongs to: `password` of `user@host:port`, `passphrase` of `/home/me/.ssh/id_ed25519`.
struct Place {
    std::string kind;
    std::string subject;
};

/// Why it cannot be used ("there is no key ring: ..."), or empty.
Message problem();
/// Nothing when there is none stored or no key ring.
std::optional<Secret> find(const Place& place);
/// Throws UserError when it could not be kept.
void keep(const Place& place, const Secret& secret);
void forget(const Place& place);

}  // namespace key_ring

}  // namespace trainyard::remote
