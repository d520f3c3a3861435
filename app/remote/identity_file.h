// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A private key's file, as far as it can be read without its passphrase (PROTOCOL.key of OpenSSH). Inside app/remote
// only.

#include <filesystem>
#include <string>

#include "base/message.h"
#include "remote/host_key.h"

namespace trainyard::remote {

struct IdentityFile {
    std::filesystem::path path;
    bool there = false;
    Message problem;  ///< why it is not used: cannot be read, others can read it, no private key; empty: it can be
    bool encrypted = false;
    HostKey public_key;  ///< from the file itself or the .pub next to it; empty blob: not known
};

IdentityFile look_at_identity(const std::filesystem::path& path);

}  // namespace trainyard::remote
