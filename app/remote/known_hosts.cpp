// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/known_hosts.h"

#include <algorithm>
#include <fstream>
#include <sstream>

#include <openssl/hmac.h>
#include <openssl/rand.h>

#include "base/error.h"
#include "base/file.h"
#include "base/files/user_folders.h"
#include "base/letter_case.h"
#include "base/printable.h"
#include "base/run_program.h"
#include "base/text.h"
#include "remote/agent_socket.h"
#include "remote/quoting.h"

namespace trainyard::remote {

namespace {

constexpr std::size_t kSha1Bytes = 20;

bool matches_pattern(std::string_view text, std::string_view pattern) {
    std::size_t t = 0, p = 0, star = std::string_view::npos, retry = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            retry = t;
        } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
            ++t, ++p;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            t = ++retry;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*')
        ++p;
    return p == pattern.size();
}

/// Matches a pattern list of OpenSSH, separated by commas: a pattern matches, and none of the negated ones does.
bool matches_pattern_list(std::string_view text, std::string_view patterns) {
    bool found = false;
    while (!patterns.empty()) {
        std::size_t comma = std::min(patterns.find(','), patterns.size());
        std::string_view pattern = patterns.substr(0, comma);
        patterns.remove_prefix(std::min(comma + 1, patterns.size()));
        bool negated = pattern.starts_with('!');
        if (negated)
            pattern.remove_prefix(1);
        if (!pattern.empty() && matches_pattern(text, pattern)) {
            if (negated)
                return false;
            found = true;
        }
    }
    return found;
}

std::string hmac_sha1(const std::string& salt, const std::string& name) {
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned int size = 0;
    ::HMAC(::EVP_sha1(), salt.data(), static_cast<int>(salt.size()),
           reinterpret_cast<const unsigned char*>(name.data()), name.size(), digest, &size);
    return {reinterpret_cast<const char*>(digest), size};
}

bool matches_hashed(const std::string& hashed, const std::string& name) {  // |1|salt|hash
    std::size_t bar = hashed.find('|', 3);
    if (!hashed.starts_with("|1|") || bar == std::string::npos)
        return false;
    std::string salt = base64_decode(hashed.substr(3, bar - 3)), hash = base64_decode(hashed.substr(bar + 1));
    return salt.size() == kSha1Bytes && hash == hmac_sha1(salt, name);
}

}  // namespace

KnownHosts::KnownHosts(const std::vector<std::filesystem::path>& files) {
    for (const std::filesystem::path& file : files) {
        std::ifstream in(file);
        read(in, file);
    }
}

void KnownHosts::add(const std::string& text, const std::filesystem::path& name) {
    std::istringstream in(text);
    read(in, name);
}

void KnownHosts::read(std::istream& in, const std::filesystem::path& file) {
    int number = 0;
    for (std::string text; std::getline(in, text);) {
        ++number;
        std::istringstream words(text);
        Entry entry;
        std::string first;
        if (!(words >> first) || first.starts_with('#'))
            continue;
        if (first.starts_with('@')) {
            if (first == "@revoked")
                entry.mark = Mark::revoked;
            else if (first == "@cert-authority")
                entry.mark = Mark::authority;
            else
                continue;  // a mark from the future says nothing we could rely on
            words >> first;
        }
        entry.names = first;
        entry.line.file = file;
        entry.line.line = number;
        // Keys of protocol 1 have numbers here, and no base64: they can never match.
        if (words >> entry.line.key.type >> entry.line.key.blob && !base64_decode(entry.line.key.blob).empty())
            entries_.push_back(std::move(entry));
    }
}

bool KnownHosts::names_host(const Entry& entry, const std::string& name) {
    if (entry.names.starts_with('|'))
        return matches_hashed(entry.names, name);
    return matches_pattern_list(name, text::lower(entry.names));
}

KnownHostsAnswer KnownHosts::look_up(const std::string& name_given, const HostKey& key) const {
    std::string name = text::lower(name_given);
    KnownHostsAnswer answer;
    std::vector<KnownLine> same_type, other_types, matching;
    for (const Entry& entry : entries_) {
        if (!names_host(entry, name))
            continue;
        bool same_key = entry.line.key.blob == key.blob;
        if (entry.mark == Mark::revoked) {
            if (same_key) {
                answer.state = KeyState::revoked;
                answer.lines = {entry.line};
                return answer;
            }
        } else if (entry.mark == Mark::authority) {
            answer.authority = true;
        } else if (same_key) {
            matching.push_back(entry.line);
        } else {
            (entry.line.key.type == key.type ? same_type : other_types).push_back(entry.line);
        }
    }
    if (!matching.empty()) {
        answer.state = KeyState::known;
        answer.lines = std::move(matching);
    } else if (!same_type.empty()) {
        answer.state = KeyState::changed;
        answer.lines = std::move(same_type);
    } else {
        answer.lines = std::move(other_types);
    }
    return answer;
}

std::vector<std::string> KnownHosts::key_types(const std::string& name_given) const {
    std::string name = text::lower(name_given);
    std::vector<std::string> types;
    for (const Entry& entry : entries_)
        if (entry.mark == Mark::none && names_host(entry, name) &&
            std::find(types.begin(), types.end(), entry.line.key.type) == types.end())
            types.push_back(entry.line.key.type);
    return types;
}

std::vector<KnownLine> KnownHosts::lines_about(const std::string& name_given) const {
    std::string name = text::lower(name_given);
    std::vector<KnownLine> lines;
    for (const Entry& entry : entries_)
        if (names_host(entry, name))
            lines.push_back(entry.line);
    return lines;
}

namespace {

constexpr std::string_view kRevocationList{"SSHKRL\n\0", 8};  // PROTOCOL.krl of OpenSSH
constexpr std::uint64_t kLargestRevoked = 64u << 20;          // bytes
constexpr double kLongestLookUp = 10;                         // seconds

/// ssh-keygen reads the format and answers for a key on its input.
void look_up_in_list(const std::filesystem::path& file, const HostKey& key, int cancelled, RevokedAnswer& answer) {
    const ProgramResult result = run_program({"ssh-keygen", "-Q", "-f", file.string(), "/dev/stdin"},
                                             key.type + " " + key.blob + "\n", kLongestLookUp, cancelled);
    if (result.ok() && result.output.find(": ok") != std::string::npos)
        return;
    if (result.output.find("REVOKED") != std::string::npos)
        answer.line = KnownLine{file, 0, key};
    else
        answer.problem = result.error.empty()
                             ? Message("{} is a key revocation list that ssh-keygen did not read", file.string())
                             : Message("{} is a key revocation list that ssh-keygen did not read: {}", file.string(),
                                       text::printable(text::first_line(result.error), 200));
}

void look_up_in_keys(const std::string& text, const std::filesystem::path& file, const HostKey& key,
                     RevokedAnswer& answer) {
    std::istringstream in(text);
    int number = 0;
    for (std::string line; std::getline(in, line);) {
        ++number;
        std::istringstream words(line);
        HostKey revoked;
        if (!(words >> revoked.type) || revoked.type.starts_with('#'))
            continue;
        words >> revoked.blob;
        const std::string bytes = base64_decode(revoked.blob);
        std::string_view rest = bytes;
        const std::optional<std::string_view> type = take_wire_text(rest);
        if (!type || *type != revoked.type) {
            answer.problem = Message("{}:{} is not a public key", file.string(), number);
            return;
        }
        if (revoked.blob == key.blob) {
            answer.line = KnownLine{file, number, revoked};
            return;
        }
    }
}

}  // namespace

RevokedAnswer look_up_revoked(const std::vector<std::filesystem::path>& files, const HostKey& key, int cancelled) {
    RevokedAnswer answer;
    for (const std::filesystem::path& file : files) {
        try {
            const std::string text = trainyard::read_file(file, kLargestRevoked);
            if (text.starts_with(kRevocationList))
                look_up_in_list(file, key, cancelled, answer);
            else
                look_up_in_keys(text, file, key, answer);
        } catch (const UserError& error) {
            answer.problem = error.message();
        }
        if (answer.line || !answer.problem.empty())
            break;
    }
    return answer;
}

std::string remove_key_command(const std::string& name, const std::filesystem::path& file) {
    std::error_code error;
    const bool usual = file == files::home_folder() / ".ssh" / "known_hosts";
    const std::string of_file =
        usual || !std::filesystem::exists(file, error) ? std::string() : " -f " + shell_quote(file.string());
    return "ssh-keygen -R '" + name + "'" + of_file;
}

std::string known_hosts_line(const std::string& name_given, const HostKey& key, bool hashed) {
    std::string name = text::lower(name_given);
    if (hashed) {
        std::string salt(kSha1Bytes, '\0');
        if (::RAND_bytes(reinterpret_cast<unsigned char*>(salt.data()), static_cast<int>(salt.size())) != 1)
            throw UserError("the system gives no random numbers, which hashed names of known_hosts need");
        name = "|1|" + base64_encode(salt) + "|" + base64_encode(hmac_sha1(salt, name));
    }
    return name + " " + key.type + " " + key.blob;
}

}  // namespace trainyard::remote
