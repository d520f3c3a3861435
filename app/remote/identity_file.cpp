// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/identity_file.h"

#include <algorithm>
#include <fstream>
#include <sstream>

#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/regular_file.h"
#include "remote/agent_socket.h"
#include "remote/secret.h"

namespace trainyard::remote {

namespace {

constexpr std::string_view kBegin = "-----BEGIN OPENSSH PRIVATE KEY-----", kEnd = "-----END OPENSSH PRIVATE KEY-----";
constexpr std::string_view kMagic{"openssh-key-v1\0", 15};

/// Reads cipher and public key, which precede the encrypted part and are not encrypted.
void read_openssh_format(std::string_view text, IdentityFile& identity) {
    std::size_t begin = text.find(kBegin), end = text.find(kEnd);
    if (begin == std::string_view::npos || end == std::string_view::npos)
        return;
    std::string body(text.substr(begin + kBegin.size(), end - begin - kBegin.size()));
    body.erase(std::remove_if(body.begin(), body.end(), [](unsigned char c) { return c <= ' '; }), body.end());
    std::string bytes = base64_decode(body);
    std::string_view rest = bytes;
    if (rest.starts_with(kMagic)) {
        rest.remove_prefix(kMagic.size());
        std::optional<std::string_view> cipher = take_wire_text(rest), derivation = take_wire_text(rest);
        std::optional<std::string_view> options = take_wire_text(rest);
        if (cipher && derivation && options && rest.size() > 4) {
            identity.encrypted = *cipher != "none";
            rest.remove_prefix(4);  // number of keys
            std::optional<std::string_view> blob = take_wire_text(rest);
            std::string_view fields = blob.value_or(std::string_view());
            if (std::optional<std::string_view> type = take_wire_text(fields); blob && type)
                identity.public_key = {std::string(*type), base64_encode(*blob)};
        }
    }
    wipe(bytes);
    wipe(body);
}

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
    else if (text.find("ENCRYPTED") !=
             std::string::npos)  // PEM: `Proc-Type: 4,ENCRYPTED`, `BEGIN ENCRYPTED PRIVATE KEY`
        identity.encrypted = true;
    else
        read_openssh_format(text, identity);
    wipe(text);
    if (identity.public_key.blob.empty()) {
        std::ifstream in(path.string() + ".pub");
        in >> identity.public_key.type >> identity.public_key.blob;
        if (base64_decode(identity.public_key.blob).empty())
            identity.public_key = {};
    }
    std::error_code error;
    if (std::filesystem::path certificate = path.string() + "-cert.pub";
        std::filesystem::is_regular_file(certificate, error))
        identity.certificate = certificate;
    return identity;
}

}  // namespace trainyard::remote
