// SPDX-License-Identifier: GPL-3.0-or-later
// Evaluates the lines of ssh_config for one host.

#include "remote/ssh_config.h"

#include <algorithm>
#include <cstdlib>

#include <unistd.h>

#include "base/error.h"
#include "base/files/user_folders.h"
#include "base/host_name.h"
#include "base/number.h"
#include "base/printable.h"
#include "base/process.h"
#include "remote/failure.h"
#include "remote/openssh_config.h"
#include "remote/ssh_words.h"

namespace trainyard::remote {

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

namespace {

struct Address {
    std::string host;
    std::string user;
    int port = 0;
};

std::optional<int> port_of(std::string_view text) {
    return parse_number<int>(text, 1, 65535);
}

[[noreturn]] void bad_name(const std::string& name, const Message& why) {
    throw ConnectionError(Cause::bad_settings, name,
                          Message("'{}' is not a valid host: {}", text::printable(name, 100), why));
}

/// Returns the problem with a host and a user (empty: not given) that will be parts of commands, or an empty message.
Message name_problem(const std::string& host, const std::string& user) {
    if (!is_valid_host_name(host))
        return "a host name is not empty, does not begin with a dash and has no blanks, slashes, quotes, control "
               "characters or characters that a shell interprets";
    if (!user.empty() && !is_valid_user_name(user))
        return "a user name does not begin with a dash or end with a backslash and has no quotes, control characters "
               "or characters that a shell interprets";
    return {};
}

/// Parses `me@host:22`, `ssh://me@host:22`, `[::1]:22`, `::1`.
Address parse_address(const std::string& name) {
    Address address;
    std::string rest = name;
    if (rest.starts_with("ssh://")) {
        rest = rest.substr(6);
        if (rest.ends_with('/'))
            rest.pop_back();
    }
    if (std::size_t at = rest.rfind('@'); at != std::string::npos) {
        address.user = rest.substr(0, at);
        rest = rest.substr(at + 1);
        if (address.user.empty())
            bad_name(name, "the user name before the @ is missing");
    }
    std::string port;
    if (rest.starts_with('[')) {
        std::size_t end = rest.find(']');
        if (end == std::string::npos)
            bad_name(name, "the ] is missing");
        address.host = rest.substr(1, end - 1);
        if (end + 1 < rest.size()) {
            if (rest[end + 1] != ':')
                bad_name(name, "only :port may follow the ]");
            port = rest.substr(end + 2);
            if (port.empty())
                bad_name(name, "the port is missing");
        }
    } else if (std::count(rest.begin(), rest.end(), ':') == 1) {
        address.host = rest.substr(0, rest.find(':'));
        port = rest.substr(rest.find(':') + 1);
        if (port.empty())
            bad_name(name, "the port is missing");
    } else {
        address.host = rest;
    }
    if (!port.empty()) {
        std::optional<int> number = port_of(port);
        if (!number)
            bad_name(name, Message("a port is a number from 1 to 65535, not '{}'", port));
        address.port = *number;
    }
    if (const Message problem = name_problem(address.host, address.user); !problem.empty())
        bad_name(name, problem);
    return address;
}

}  // namespace

std::vector<Jump> parse_jumps(const std::string& text) {
    std::vector<Jump> jumps;
    if (text == "none")
        return jumps;
    for (std::size_t begin = 0; begin <= text.size();) {
        std::size_t end = std::min(text.find(',', begin), text.size());
        Address address = parse_address(text.substr(begin, end - begin));
        jumps.push_back({address.host, address.user, address.port});
        begin = end + 1;
    }
    return jumps;
}

std::string HostSettings::target() const {
    return user + "@" + (host_name.find(':') != std::string::npos ? "[" + host_name + "]" : host_name) + ":" +
           std::to_string(port);
}

std::string HostSettings::known_name() const {
    if (!host_key_alias.empty())
        return host_key_alias;
    return port == 22 ? host_name : "[" + host_name + "]:" + std::to_string(port);
}

class SshConfig::Resolver {
  public:
    Resolver(const SshConfig& config, const std::string& name)
        : config_(config), given_(parse_address(name)), standing_(config.blocks_.size(), MatchState::unseen) {
        host_.alias = given_.host;
        host_.user = given_.user;
        port_ = given_.port;
    }

    HostSettings run() {
        if (!take_from_openssh())
            for (const Line& line : config_.lines_)
                if (line.block < 0 || holds(line.block))
                    take(line);
        finish();
        return std::move(host_);
    }

  private:
    enum class MatchState { unseen, holds, does_not };

    bool take_from_openssh() {
        if (!config_.for_openssh_)
            return false;
        const auto answer = ask_openssh(given_.host, given_.user, given_.port, *config_.for_openssh_);
        if (!answer)
            return false;
        if (!answer->problem.empty()) {
            host_.notes.push_back(Message("{}; Trainyard reads ssh_config with its own parser", answer->problem));
            return false;
        }
        answered_.reserve(answer->settings.size());
        for (const auto& [key, value] : answer->settings) {
            Line line{"ssh -G: " + key, key, {value}, value, -1};
            if (key == "userknownhostsfile" || key == "globalknownhostsfile" || key == "revokedhostkeys")
                line.words = files_of(key, value);
            if (key != "canonicalizehostname")  // already applied
                take(answered_.emplace_back(std::move(line)));
        }
        return true;
    }

    /// ssh prints file names, with `~` expanded, separated by blanks, even if they contain blanks. The line of the file
    /// resolves the ambiguity.
    std::vector<std::string> files_of(const std::string& key, const std::string& value) const {
        for (const Line& line : config_.lines_) {
            std::string joined;
            for (const std::string& word : line.words)
                joined += (joined.empty() ? "" : " ") + with_home(word);
            if (line.key == key && joined == value)
                return line.words;
        }
        return split_words(value).value_or(std::vector{value});
    }

    bool holds(int index) {
        auto at = static_cast<std::size_t>(index);
        if (standing_[at] == MatchState::unseen) {
            const Block& block = config_.blocks_[at];
            bool yes = (block.parent < 0 || holds(block.parent)) && (block.match ? matches(block) : names_host(block));
            standing_[at] = yes ? MatchState::holds : MatchState::does_not;
        }
        return standing_[at] == MatchState::holds;
    }

    bool names_host(const Block& block) const {
        bool found = false;
        for (const std::string& word : block.words) {
            bool negated = word.starts_with('!');
            if (matches_pattern(given_.host, negated ? std::string_view(word).substr(1) : std::string_view(word))) {
                if (negated)
                    return false;
                found = true;
            }
        }
        return found;
    }

    bool matches(const Block& block) {
        for (std::size_t i = 0; i < block.words.size(); ++i) {
            std::string word = block.words[i], argument;
            bool negated = word.starts_with('!');
            if (negated)
                word = word.substr(1);
            std::size_t equals = word.find('=');
            if (equals != std::string::npos) {
                argument = word.substr(equals + 1);
                word.resize(equals);
            }
            std::transform(word.begin(), word.end(), word.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
            if (word == "all")
                continue;
            if (word == "canonical" || word == "final") {
                if (!negated)
                    return false;
                continue;
            }
            if (equals == std::string::npos)
                argument = i + 1 < block.words.size() ? block.words[++i] : "";
            bool yes = false;
            if (word == "host") {
                yes = matches_pattern_list(hostname_.empty() ? given_.host : expand(hostname_, "h"), argument);
            } else if (word == "originalhost") {
                yes = matches_pattern_list(given_.host, argument);
            } else if (word == "user") {
                yes = matches_pattern_list(host_.user.empty() ? local_user() : host_.user, argument);
            } else if (word == "localuser") {
                yes = matches_pattern_list(local_user(), argument);
            } else {
                host_.notes.push_back(Message("{}: 'Match {}' is not followed: {}", block.place, word,
                                              word == "exec"
                                                  ? Message("commands in ssh_config conditions are never run")
                                                  : Message("its block is left out")));
                return false;
            }
            if (yes == negated)
                return false;
        }
        return true;
    }

    [[noreturn]] void bad(const Line& line, const Message& message) const {
        throw ConnectionError(Cause::bad_settings, given_.host, Message("{}: {}", line.place, message));
    }

    bool yes_or_no(const Line& line) const {
        std::string word = line.words.front();
        std::transform(word.begin(), word.end(), word.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        if (word == "yes" || word == "true")
            return true;
        if (word == "no" || word == "false")
            return false;
        bad(line, Message("'{}' is neither yes nor no", line.words.front()));
    }

    void take(const Line& line) {
        const std::string& key = line.key;
        const std::string& value = line.words.front();
        // These options accumulate; for all others, the first value counts.
        if (key == "identityfile") {
            identities_.push_back(value);
            return;
        }
        if (key == "certificatefile") {
            certificates_.push_back(value);
            return;
        }
        bool first = std::find(seen_.begin(), seen_.end(), key) == seen_.end();
        if (!first)
            return;
        seen_.push_back(key);
        if (key == "hostname") {
            hostname_ = value;
        } else if (key == "user") {
            if (host_.user.empty())
                host_.user = value;
        } else if (key == "port") {
            std::optional<int> port = port_of(value);
            if (!port)
                bad(line, Message("a port is a number from 1 to 65535, not '{}'", value));
            if (port_ == 0)
                port_ = *port;
        } else if (key == "identitiesonly") {
            host_.identities_only = yes_or_no(line);
        } else if (key == "identityagent") {
            agent_ = value;
        } else if (key == "proxyjump") {
            if (!proxied_) {
                proxied_ = true;
                host_.jumps = jumps_of(line);
            }
        } else if (key == "proxycommand") {
            if (!proxied_) {
                proxied_ = true;
                command_line_ = &line;
            }
        } else if (key == "userknownhostsfile") {
            known_ = line.words;
        } else if (key == "globalknownhostsfile") {
            global_known_ = line.words;
        } else if (key == "revokedhostkeys") {
            revoked_ = line.words;
        } else if (key == "knownhostscommand") {
            known_command_ = &line;
        } else if (key == "requiredrsasize") {
            const std::optional<int> bits = parse_number<int>(value, 0);
            if (!bits)
                bad(line, Message("RequiredRSASize is a number of bits, not '{}'", value));
            host_.required_rsa_size = *bits;
        } else if (key == "hostkeyalias") {
            host_.host_key_alias = value;
        } else if (key == "hashknownhosts") {
            host_.hash_known_hosts = yes_or_no(line);
        } else if (key == "passwordauthentication") {
            host_.password_authentication = yes_or_no(line);
        } else if (key == "kbdinteractiveauthentication" || key == "challengeresponseauthentication") {
            host_.kbd_interactive_authentication = yes_or_no(line);
        } else if (key == "pubkeyauthentication") {
            host_.pubkey_authentication = value != "no";
        } else if (key == "addressfamily") {
            if (value != "any" && value != "inet" && value != "inet6")
                bad(line, Message("AddressFamily is any, inet or inet6, not '{}'", value));
            host_.address_family = value;
        } else if (key == "bindaddress") {
            host_.bind_address = value;
        } else if (key == "connecttimeout") {
            char* end = nullptr;
            double seconds = std::strtod(value.c_str(), &end);
            if (value != "none" && (*end != '\0' || !(seconds > 0)))
                bad(line, Message("ConnectTimeout is a number of seconds, not '{}'", value));
            if (value != "none")
                host_.connect_timeout = seconds;
        } else if (key == "hostkeyalgorithms") {
            host_.host_key_algorithms = value;
        } else if (key == "kexalgorithms") {
            host_.kex_algorithms = value;
        } else if (key == "ciphers") {
            host_.ciphers = value;
        } else if (key == "macs") {
            host_.macs = value;
        } else if (key == "pubkeyacceptedalgorithms" || key == "pubkeyacceptedkeytypes") {
            host_.pubkey_algorithms = value;
        } else if (key == "stricthostkeychecking") {
            if (value != "yes" && value != "ask")
                note(line, "unknown host keys always need confirmation, changed ones are never accepted");
        } else if (key == "forwardagent") {
            if (value != "no")
                note(line, "the agent is never forwarded");
        } else if (key == "localforward" || key == "remoteforward" || key == "dynamicforward" ||
                   key == "remotecommand" || key == "forwardx11") {
            if (value != "no" && value != "none")
                note(line, "it only applies to terminal sessions");
        } else if (key == "canonicalizehostname") {
            if (value != "no" && value != "none")
                note(line, "host names are looked up as written");
        }
    }

    void note(const Line& line, const Message& why) {
        host_.notes.push_back(Message("{}: '{} {}' is not followed: {}", line.place, line.key, line.rest, why));
    }

    std::vector<Jump> jumps_of(const Line& line) {
        try {
            return parse_jumps(line.words.front());
        } catch (const ConnectionError& error) {
            bad(line, error.message());
        }
    }

    /// Replaces the tokens among `allowed`, and ${VARIABLE}s if `V` is allowed. Tokens among `later` and %% are left
    /// for another expansion, which treats the values inserted here as plain text.
    std::string expand(const std::string& text, std::string_view allowed, std::string_view later = {}) const {
        if (!later.empty()) {
            std::string result;
            for (std::size_t i = 0; i < text.size(); ++i) {
                if (text[i] != '%' || i + 1 == text.size()) {
                    result += text[i];
                } else if (const char token = text[++i]; token == '%' || later.find(token) != std::string_view::npos) {
                    result += {'%', token};
                } else {
                    for (const char letter : expand({'%', token}, allowed))
                        result += letter == '%' ? "%%" : std::string(1, letter);
                }
            }
            return result;
        }
        std::string result;
        for (std::size_t i = 0; i < text.size(); ++i) {
            if (text[i] == '$' && i + 1 < text.size() && text[i + 1] == '{' && allowed.find('V') != std::string::npos) {
                std::size_t end = text.find('}', i);
                std::string name = end == std::string::npos ? "" : text.substr(i + 2, end - i - 2);
                const char* value = std::getenv(name.c_str());
                if (value == nullptr)
                    throw ConnectionError(Cause::bad_settings, given_.host,
                                          Message("{}: '{}' of ssh_config names the environment variable "
                                                  "'{}', which is not set",
                                                  given_.host, text, name));
                result += value;
                i = end;
                continue;
            }
            if (text[i] != '%') {
                result += text[i];
                continue;
            }
            char token = i + 1 < text.size() ? text[++i] : '\0';
            if (token == '%') {
                result += '%';
                continue;
            }
            if (token == '\0' || allowed.find(token) == std::string_view::npos)
                throw ConnectionError(Cause::bad_settings, given_.host,
                                      Message("{}: '{}' of ssh_config has '%{}', which means nothing here: "
                                              "write %% for %",
                                              given_.host, text, std::string(token == '\0' ? 0 : 1, token)));
            switch (token) {
                case 'h':
                    result += host_.host_name.empty() ? given_.host : host_.host_name;
                    break;
                case 'n':
                    result += given_.host;
                    break;
                case 'k':
                    result += host_.host_key_alias.empty() ? given_.host : host_.host_key_alias;
                    break;
                case 'p':
                    result += std::to_string(host_.port);
                    break;
                case 'r':
                    result += host_.user;
                    break;
                case 'u':
                    result += local_user();
                    break;
                case 'd':
                    result += files::home_folder().string();
                    break;
                case 'i':
                    result += std::to_string(::getuid());
                    break;
                case 'l':
                    [[fallthrough]];
                case 'L':
                    result += trainyard::host_name();
                    break;
            }
        }
        return result;
    }

    std::filesystem::path path(const std::string& text) const { return with_home(expand(text, "dhikLlnpruV")); }

    void finish() {
        host_.host_name = hostname_.empty() ? given_.host : expand(hostname_, "hn");
        if (host_.user.empty())
            host_.user = local_user();
        host_.port = port_ == 0 ? 22 : port_;
        // Checked regardless of their origin, because they become parts of commands and messages.
        if (const Message problem = name_problem(host_.host_name, host_.user); !problem.empty())
            throw ConnectionError(Cause::bad_settings, given_.host,
                                  Message("{}: ssh_config has '{}' for it: {}", given_.host,
                                          text::printable(host_.user + "@" + host_.host_name, 100), problem));
        if (!host_.host_key_alias.empty() && !is_valid_host_name(host_.host_key_alias))
            throw ConnectionError(
                Cause::bad_settings, given_.host,
                Message("{}: HostKeyAlias '{}' of ssh_config is not a name: {}", given_.host,
                        text::printable(host_.host_key_alias, 100), name_problem(host_.host_key_alias, "")));
        host_.identity_files_given = !identities_.empty();
        std::filesystem::path ssh_folder = files::home_folder() / ".ssh";
        for (const std::string& identity : identities_)
            if (identity != "none")
                host_.identity_files.push_back(path(identity));
        if (identities_.empty())
            for (const char* name : {"id_rsa", "id_ecdsa", "id_ecdsa_sk", "id_ed25519", "id_ed25519_sk"})
                host_.identity_files.push_back(ssh_folder / name);
        for (const std::string& certificate : certificates_)
            host_.certificate_files.push_back(path(certificate));
        if (agent_.starts_with('$') && !agent_.starts_with("${")) {
            const char* value = std::getenv(agent_.c_str() + 1);
            host_.identity_agent = value != nullptr ? value : "none";
        } else if (agent_ != "SSH_AUTH_SOCK" && !agent_.empty()) {
            host_.identity_agent = agent_ == "none" ? agent_ : path(agent_).string();
        }
        for (const std::string& file : known_)
            if (file != "none")
                host_.user_known_hosts.push_back(path(file));
        if (known_.empty())
            host_.user_known_hosts = {ssh_folder / "known_hosts", ssh_folder / "known_hosts2"};
        for (const std::string& file : global_known_)
            if (file != "none")
                host_.global_known_hosts.push_back(path(file));
        if (global_known_.empty())
            host_.global_known_hosts = {"/etc/ssh/ssh_known_hosts", "/etc/ssh/ssh_known_hosts2"};
        for (const std::string& file : revoked_)
            if (file != "none")
                host_.revoked_host_keys.push_back(path(file));
        if (known_command_ != nullptr && known_command_->rest != "none")
            host_.known_hosts_command = known_hosts_command(*known_command_);
        if (command_line_ != nullptr && command_line_->rest != "none")
            host_.proxy_command = proxy_command(*command_line_);
    }

    std::vector<std::string> known_hosts_command(const Line& line) const {
        std::vector<std::string> words = split_words(line.rest).value_or(std::vector<std::string>());
        if (words.empty() || !words.front().starts_with('/'))
            bad(line, Message("KnownHostsCommand is the absolute path of a program, with its arguments, not '{}'",
                              line.rest));
        for (std::string& word : words)
            word = expand(word, "dhikLlnpru", "IHtKf");
        return words;
    }

    std::vector<std::string> proxy_command(const Line& line) const {
        std::optional<std::vector<std::string>> words = split_words(line.rest);
        if (!words || line.rest.find_first_of("|&;<>()$`*?~#\n") != std::string::npos)
            bad(line,
                "this ProxyCommand needs a shell, which is never started with names of hosts in it: use ProxyJump, or "
                "put the "
                "command into a script of its own");
        if (words->front() == "exec")
            words->erase(words->begin());
        if (words->empty())
            bad(line, "this ProxyCommand has no program");
        for (std::string& word : *words)
            word = expand(word, "hnpr");
        return *words;
    }

    const SshConfig& config_;
    Address given_;
    std::vector<Line> answered_;  ///< output of OpenSSH; command_line_ may be one of them
    std::vector<MatchState> standing_;
    std::vector<std::string> seen_;
    HostSettings host_;
    std::string hostname_;
    int port_ = 0;
    std::vector<std::string> identities_, certificates_, known_, global_known_, revoked_;
    std::string agent_;
    bool proxied_ = false;
    const Line* command_line_ = nullptr;
    const Line* known_command_ = nullptr;
};

HostSettings SshConfig::resolve(const std::string& name) const {
    return Resolver(*this, name).run();
}

}  // namespace trainyard::remote
