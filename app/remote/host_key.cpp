// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/host_key.h"

#include <array>

#include <fcntl.h>
#include <openssl/evp.h>
#include <openssl/sha.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/file_descriptor.h"
#include "remote/known_hosts.h"

namespace trainyard::remote {

std::string base64_encode(std::string_view bytes) {
    std::string text(4 * ((bytes.size() + 2) / 3) + 1, '\0');
    int size = ::EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                                 reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()));
    text.resize(static_cast<std::size_t>(size));
    return text;
}

std::string base64_decode(std::string_view text) {
    if (text.empty() || text.size() % 4 != 0 || text.size() > 1u << 20)
        return {};
    std::string bytes(text.size() / 4 * 3, '\0');
    int size = ::EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                                 reinterpret_cast<const unsigned char*>(text.data()), static_cast<int>(text.size()));
    if (size < 0)
        return {};
    std::size_t padding = text.ends_with("==") ? 2 : text.ends_with("=") ? 1 : 0;
    bytes.resize(static_cast<std::size_t>(size) - padding);
    return bytes;
}

namespace {

std::array<unsigned char, SHA256_DIGEST_LENGTH> digest_of(const HostKey& key) {
    std::string bytes = base64_decode(key.blob);
    std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
    ::SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), digest.data());
    return digest;
}

/// Size of the key as ssh-keygen names it.
int bits_of(const HostKey& key) {
    if (key.type.find("nistp256") != std::string::npos || key.type.find("ed25519") != std::string::npos)
        return 256;
    if (key.type.find("nistp384") != std::string::npos)
        return 384;
    if (key.type.find("nistp521") != std::string::npos)
        return 521;
    // ssh-rsa: name, exponent and modulus, each with its length before it.
    std::string bytes = base64_decode(key.blob);
    std::size_t at = 0, length = 0;
    for (int field = 0; field < 3; ++field) {
        at += length;
        if (at + 4 > bytes.size())
            return 0;
        length = 0;
        for (int i = 0; i < 4; ++i)
            length = length << 8 | static_cast<unsigned char>(bytes[at++]);
        if (length > bytes.size() - at)
            return 0;
    }
    while (length > 0 && bytes[at] == 0)
        ++at, --length;
    if (length == 0)
        return 0;
    int top = 0;
    for (int first = static_cast<unsigned char>(bytes[at]); first > 0; first >>= 1)
        ++top;
    return static_cast<int>(length - 1) * 8 + top;
}

}  // namespace

std::string HostKey::short_type() const {
    std::string prefix = type.starts_with("sk-") ? "-SK" : "";
    if (type.find("ed25519") != std::string::npos)
        return "ED25519" + prefix;
    if (type.find("ecdsa") != std::string::npos)
        return "ECDSA" + prefix;
    if (type.find("rsa") != std::string::npos)
        return "RSA";
    if (type.find("dss") != std::string::npos)
        return "DSA";
    return type;
}

std::string HostKey::fingerprint() const {
    auto digest = digest_of(*this);
    std::string text = base64_encode({reinterpret_cast<const char*>(digest.data()), digest.size()});
    while (text.ends_with('='))
        text.pop_back();
    return "SHA256:" + text;
}

// The walk of "The drunken bishop: An analysis of the OpenSSH fingerprint visualization algorithm" (Loss, Limmer, von Gernler, 2009):
// two bits a step, lowest first, on a field of 17 x 9 from its middle.
std::string HostKey::randomart() const {
    constexpr int kColumns = 17, kRows = 9;
    constexpr std::string_view kVisits = " .o+=*BOX@%&#/^SE";
    constexpr int kMost = static_cast<int>(kVisits.size()) - 3;
    std::array<std::array<int, kColumns>, kRows> field{};
    int x = kColumns / 2, y = kRows / 2;
    for (unsigned char byte : digest_of(*this))
        for (int step = 0; step < 4; ++step, byte = static_cast<unsigned char>(byte >> 2)) {
            x = std::min(std::max(x + ((byte & 1) ? 1 : -1), 0), kColumns - 1);
            y = std::min(std::max(y + ((byte & 2) ? 1 : -1), 0), kRows - 1);
            int& visits = field[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)];
            visits = std::min(visits + 1, kMost);
        }
    field[kRows / 2][kColumns / 2] = kMost + 1;
    field[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)] = kMost + 2;
    auto frame = [](std::string title) {
        title = "[" + title + "]";
        std::size_t before = (kColumns - title.size()) / 2;
        return "+" + std::string(before, '-') + title + std::string(kColumns - before - title.size(), '-') + "+";
    };
    std::string title = short_type() + " " + std::to_string(bits_of(*this));
    if (title.size() > kColumns - 2)
        title = short_type().substr(0, kColumns - 2);
    std::string picture = frame(title) + "\n";
    for (const auto& row : field) {
        picture += '|';
        for (int visits : row)
            picture += kVisits[static_cast<std::size_t>(visits)];
        picture += "|\n";
    }
    return picture + frame("SHA256");
}

std::string KnownLine::place() const {
    return line == 0 ? file.string() : file.string() + ":" + std::to_string(line);
}

AcceptedKey accepted_for_now(const HostKeyReport& report) {
    return {report.host, report.offered};
}

void trust(const HostKeyReport& report) {
    KnownHosts known({report.file});
    KnownHostsAnswer answer = known.look_up(report.host, report.offered);
    if (answer.state == KeyState::known)
        return;
    if (answer.state != KeyState::unknown)
        throw UserError(
            "{}: the key is not remembered, as {} says something else about this host: "
            "when the new key is right, take that line out first",
            report.host, answer.lines.front().place());
    if (!report.file.parent_path().empty())
        make_private_folder(report.file.parent_path());
    FileDescriptor file(::open(report.file.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
    if (!file)
        throw_file_error("cannot write", report.file, errno);
    // A last line without its end would swallow the new one.
    char last = '\n';
    off_t size = ::lseek(file.get(), 0, SEEK_END);
    if (size > 0 && ::pread(file.get(), &last, 1, size - 1) != 1)
        throw_file_error("cannot read", report.file, errno);
    std::string line =
        (last == '\n' ? "" : "\n") + known_hosts_line(report.host, report.offered, report.hash_names) + "\n";
    if (::write(file.get(), line.data(), line.size()) != static_cast<ssize_t>(line.size()) || ::fsync(file.get()) != 0)
        throw_file_error("cannot write", report.file, errno);
}

}  // namespace trainyard::remote
