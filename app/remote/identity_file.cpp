// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/identity_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/regular_file.h"
#include "remote/link.h"
#include "remote/secret.h"

namespace trainyard::remote {

namespace {

// Base64 of `openssh-key-v1`, a zero byte and the cipher `none`, with which an unencrypted key begins.
constexpr std::string_view kUnencrypted = "b3BlbnNzaC1rZXktdjEAAAAABG5vbm";

}  // namespace

IdentityFile look_at_identity(const std::filesystem::path& path) {
    IdentityFile identity;
    identity.path = path;
    struct stat facts {};
    if (::stat(path.c_str(), &facts) != 0)
        return identity;
    identity.there = true;
    if (!S_ISREG(facts.st_mode)) {
        identity.problem = "it is not a regular file";
        return identity;
    }
    if (facts.st_uid == ::getuid() && (facts.st_mode & 077) != 0) {
        identity.problem = Message("other users can read it: chmod 600 {}", path.string());
        return identity;
    }
    std::string text;
    try {
        (void)open_regular_file(path);     // throws if it cannot be read
        text = read_head(path, 1u << 20);  // assigned directly, so that no other buffer contains the key
    } catch (const UserError& error) {
        identity.problem = error.message();
        return identity;
    }
    if (text.find("PRIVATE KEY-----") == std::string::npos)
        identity.problem = "it is not a private key";
    else if (text.find("BEGIN OPENSSH PRIVATE KEY-----") != std::string::npos)
        identity.encrypted = text.find(kUnencrypted) == std::string::npos;
    else  // PEM: `Proc-Type: 4,ENCRYPTED`, `BEGIN ENCRYPTED PRIVATE KEY`
        identity.encrypted = text.find("ENCRYPTED") != std::string::npos;
    wipe(text);
    // The public part of OpenSSH's format is not encrypted; PEM needs the second file.
    for (const std::string& file : {path.string(), path.string() + ".pub"}) {
        ssh_key key = nullptr;
        if (!identity.public_key.blob.empty() || ::ssh_pki_import_pubkey_file(file.c_str(), &key) != SSH_OK)
            continue;
        identity.public_key = host_key_of(key);
        ::ssh_key_free(key);
    }
    return identity;
}

}  // namespace trainyard::remote
