// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/ssh_config.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include <fmt/format.h>
#include <glob.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/files/account.h"
#include "base/files/user_folders.h"
#include "base/host_name.h"
#include "base/letter_case.h"
#include "base/number.h"
#include "base/printable.h"
#include "base/process.h"
#include "remote/failure.h"
#include "remote/resolved_config.h"

namespace trainyard::remote {

namespace {

constexpr int kDeepest = 16;  // nested Includes, as in OpenSSH
constexpr std::uint64_t kLargest = 4u << 20;

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
Jump parse_address(const std::string& name) {
    Jump address;
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

std::string local_user() {
    const std::optional<files::Account> account = files::own_account();
    return account ? account->name : std::to_string(::getuid());
}

std::vector<std::string> files_matching(const std::string& pattern) {
    glob_t found{};
    std::vector<std::string> files;
    if (::glob(pattern.c_str(), 0, nullptr, &found) == 0)
        files.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
    ::globfree(&found);
    return files;
}

/// Splits at blanks; quotes group words, `\\` escapes quotes, itself and blanks; `#` at the start of a word begins a
/// comment. Returns std::nullopt if a quote is never closed.
std::optional<std::vector<std::string>> split_words(std::string_view text) {
    std::vector<std::string> words;
    std::size_t at = 0;
    while (true) {
        while (at < text.size() && (text[at] == ' ' || text[at] == '\t'))
            ++at;
        if (at == text.size() || text[at] == '#')
            return words;
        std::string word;
        char quote = 0;
        for (; at < text.size(); ++at) {
            char letter = text[at];
            bool escapes = letter == '\\' && at + 1 < text.size() &&
                           (text[at + 1] == '"' || text[at + 1] == '\'' || text[at + 1] == '\\' ||
                            (quote == 0 && text[at + 1] == ' '));
            if (escapes)
                word += text[++at];
            else if (quote == 0 && (letter == '"' || letter == '\''))
                quote = letter;
            else if (quote != 0 && letter == quote)
                quote = 0;
            else if (quote == 0 && (letter == ' ' || letter == '\t'))
                break;
            else
                word += letter;
        }
        if (quote != 0)
            return std::nullopt;
        words.push_back(std::move(word));
    }
}

}  // namespace

std::vector<Jump> parse_jumps(const std::string& text) {
    std::vector<Jump> jumps;
    if (text == "none")
        return jumps;
    for (std::size_t begin = 0; begin <= text.size();) {
        std::size_t end = std::min(text.find(',', begin), text.size());
        jumps.push_back(parse_address(text.substr(begin, end - begin)));
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

/// Reads the names of Host lines, and where each keyword is used.
class SshConfig::Reader {
  public:
    explicit Reader(SshConfig& config) : config_(config) {}

    void read_file_if_there(const std::filesystem::path& file, bool of_user, int depth) {
        std::error_code error;
        if (!std::filesystem::is_regular_file(file, error))
            return;
        try {
            read(trainyard::read_file(file, kLargest), file, of_user, depth);
        } catch (const UserError& problem) {
            problems_.push_back({file.string(), 0, 0, "", problem.message()});
        }
    }

    void finish() {
        if (!problems_.empty())
            throw InvalidInput(problems_);
    }

  private:
    void read(const std::string& text, const std::filesystem::path& file, bool of_user, int depth) {
        int number = 0;
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);) {
            ++number;
            const std::size_t begin = line.find_first_not_of(" \t\r\f");
            if (begin == std::string::npos || line[begin] == '#')
                continue;
            line.erase(line.find_last_not_of(" \t\r\f") + 1);
            const std::size_t end = std::min(line.find_first_of(" \t=", begin), line.size());
            const std::string key = line.substr(begin, end - begin);
            // Key and value may be separated by one `=`.
            std::size_t value = line.find_first_not_of(" \t", end);
            if (value != std::string::npos && line[value] == '=')
                value = line.find_first_not_of(" \t", value + 1);
            const auto words = split_words(value == std::string::npos ? "" : std::string_view(line).substr(value));
            take(text::lower(key), words, file.string() + ":" + std::to_string(number), of_user, depth,
                 [&](const Message& message) {
                     problems_.push_back({file.string(), number, static_cast<int>(begin) + 1, key, message});
                 });
        }
    }

    template <class Report>
    void take(const std::string& key, const std::optional<std::vector<std::string>>& words, const std::string& place,
              bool of_user, int depth, const Report& problem) {
        config_.keywords_[key].push_back(place);
        if (words && !words->empty() && (key == "userknownhostsfile" || key == "globalknownhostsfile"))
            config_.known_hosts_[words->front()].insert(fmt::format("{}", fmt::join(*words, " ")));
        if (key != "host" && key != "match" && key != "include")
            return;
        if (!words)
            return problem("a quote is never closed");
        if (words->empty())
            return problem("a value is missing");
        if (key == "include" && depth >= kDeepest)
            return problem("files are included more than 16 deep: does one include itself?");
        for (const std::string& word : *words) {
            if (key == "host" && word.find_first_of("*?!") == std::string::npos &&
                config_.places_.emplace(word, place).second)
                config_.aliases_.push_back(word);
            if (key == "match" && (word == "exec" || word == "!exec" || word.starts_with("exec=")))
                config_.keywords_["match exec"].push_back(place);
            if (key != "include")
                continue;
            std::filesystem::path pattern = files::expand_home(word);
            if (pattern.is_relative())
                pattern = (of_user ? files::home_folder() / ".ssh" : "/etc/ssh") / pattern;
            for (const std::string& included : files_matching(pattern))
                read_file_if_there(included, of_user, depth + 1);
        }
    }

    SshConfig& config_;
    std::vector<Problem> problems_;
};

/// Turns the values of keywords into settings of a host.
class SshConfig::Resolver {
  public:
    Resolver(const SshConfig& config, const std::string& name) : config_(config), given_(parse_address(name)) {}

    HostSettings run() {
        // ssh adds nothing if there are no files.
        if (!config_.keywords_.empty()) {
            if (!has_openssh())
                check_what_libssh_does_not_read();
            resolved_ = resolve_config(given_, config_.user_file_, config_.system_file_);
        }
        if (!resolved_.problem.empty())
            bad(resolved_.problem);
        host_.libssh_files = resolved_.files;
        take_names();
        take_authentication();
        take_known_hosts();
        take_connection();
        return std::move(host_);
    }

  private:
    const std::vector<std::string>* values(const char* key) const {
        const auto found = resolved_.values.find(key);
        return found == resolved_.values.end() || found->second.front() == "none" ? nullptr : &found->second;
    }
    std::string text(const char* key) const {
        const std::vector<std::string>* found = values(key);
        return found == nullptr ? "" : found->front();
    }
    bool flag(const char* key, bool usual) const {
        const std::string value = text(key);
        return value.empty() ? usual : value == "yes" || value == "true";
    }
    bool is_none(const char* key) const { return resolved_.values.contains(key) && values(key) == nullptr; }

    [[noreturn]] void bad(const Message& message) const {
        throw ConnectionError(Cause::bad_settings, given_.host, Message("{}: {}", given_.host, message));
    }

    void note(const std::string& key, const std::string& value, const Message& why) {
        host_.notes.push_back(Message("{}: '{} {}' is not followed: {}", "ssh_config", key, value, why));
    }

    [[noreturn]] void needs_openssh(const std::string& key, const std::string& place) const {
        bad(Message("{}: '{}' needs the program ssh of OpenSSH: install it, or remove the line", place, key));
    }

    /// Refuses what decides on host keys or runs commands, before libssh runs one; reports the rest.
    void check_what_libssh_does_not_read() {
        const auto place_of = [this](const char* key) {
            const auto found = config_.keywords_.find(key);
            return found == config_.keywords_.end() ? "" : found->second.front();
        };
        for (const char* key : {"RevokedHostKeys", "KnownHostsCommand", "Match exec"})
            if (const std::string place = place_of(text::lower(key).c_str()); !place.empty())
                needs_openssh(key, place);
        for (const char* key :
             {"hostkeyalias", "hashknownhosts", "identitiesonly", "identityagent", "certificatefile",
              "passwordauthentication", "kbdinteractiveauthentication", "pubkeyauthentication", "gssapiauthentication",
              "addressfamily", "bindaddress", "connecttimeout", "canonicalizehostname"})
            if (const std::string place = place_of(key); !place.empty())
                host_.notes.push_back(Message("{}: '{}' is ignored without the program ssh of OpenSSH", place, key));
        if (const auto found = config_.keywords_.find("identityfile");
            found != config_.keywords_.end() && found->second.size() > 1)
            host_.notes.push_back(Message("{}: only one '{}' is used without the program ssh of OpenSSH",
                                          found->second.front(), "IdentityFile"));
    }

    void take_names() {
        host_.alias = given_.host;
        host_.host_name = text("hostname").empty() ? given_.host : text("hostname");
        host_.user = !given_.user.empty() ? given_.user : text("user").empty() ? local_user() : text("user");
        host_.port = given_.port != 0 ? given_.port : port_of(text("port")).value_or(22);
        host_.host_key_alias = text("hostkeyalias");
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
        tokens_ = {{'h', host_.host_name},
                   {'n', given_.host},
                   {'k', host_.host_key_alias.empty() ? given_.host : host_.host_key_alias},
                   {'p', std::to_string(host_.port)},
                   {'r', host_.user},
                   {'u', local_user()},
                   {'d', files::home_folder().string()},
                   {'i', std::to_string(::getuid())},
                   {'l', trainyard::host_name()},
                   {'L', trainyard::host_name()}};
    }

    void take_authentication() {
        const auto identities = resolved_.values.find("identityfile");
        host_.identity_files_given = identities != resolved_.values.end();
        if (host_.identity_files_given) {
            for (const std::string& identity : identities->second)
                if (identity != "none")
                    host_.identity_files.push_back(path(identity));
        } else {
            for (const char* name : {"id_rsa", "id_ecdsa", "id_ecdsa_sk", "id_ed25519", "id_ed25519_sk"})
                host_.identity_files.push_back(files::home_folder() / ".ssh" / name);
        }
        if (const std::vector<std::string>* certificates = values("certificatefile"))
            for (const std::string& certificate : *certificates)
                host_.certificate_files.push_back(path(certificate));
        const std::string agent = text("identityagent");
        if (is_none("identityagent")) {
            host_.identity_agent = "none";
        } else if (agent.starts_with('$') && !agent.starts_with("${")) {
            const char* value = std::getenv(agent.c_str() + 1);
            host_.identity_agent = value != nullptr ? value : "none";
        } else if (agent != "SSH_AUTH_SOCK" && !agent.empty()) {
            host_.identity_agent = path(agent).string();
        }
        host_.identities_only = flag("identitiesonly", false);
        host_.password_authentication = flag("passwordauthentication", true);
        host_.kbd_interactive_authentication = flag("kbdinteractiveauthentication", true);
        host_.gssapi_authentication = flag("gssapiauthentication", false);
        const std::string keys = text("pubkeyauthentication");  // also `unbound` and `host-bound`
        host_.pubkey_authentication = keys != "no" && keys != "false";
        host_.pubkey_algorithms = text("pubkeyacceptedalgorithms");
        if (flag("forwardagent", false) || text("forwardagent").find_first_of("/$~") != std::string::npos)
            note("forwardagent", text("forwardagent"), "the agent is never forwarded");
    }

    void take_known_hosts() {
        const std::filesystem::path home = files::home_folder() / ".ssh";
        host_.user_known_hosts = paths("userknownhostsfile", {home / "known_hosts", home / "known_hosts2"});
        host_.global_known_hosts =
            paths("globalknownhostsfile", {"/etc/ssh/ssh_known_hosts", "/etc/ssh/ssh_known_hosts2"});
        host_.revoked_host_keys = paths("revokedhostkeys", {});
        host_.hash_known_hosts = flag("hashknownhosts", false);
        host_.host_key_algorithms = text("hostkeyalgorithms");
        if (const std::string bits = text("requiredrsasize"); !bits.empty())
            host_.required_rsa_size = parse_number<int>(bits, 0);
        if (const std::string command = text("knownhostscommand"); !command.empty()) {
            host_.known_hosts_command = split_words(command).value_or(std::vector<std::string>());
            if (host_.known_hosts_command.empty() || !host_.known_hosts_command.front().starts_with('/'))
                bad(Message("KnownHostsCommand is the absolute path of a program, with its arguments, not '{}'",
                            command));
            for (std::string& word : host_.known_hosts_command)
                word = expand(word, "dhikLlnpru", "IHtKf");
        }
        if (const std::string checking = text("stricthostkeychecking");
            !checking.empty() && checking != "ask" && !flag("stricthostkeychecking", false))
            note("stricthostkeychecking", checking,
                 "unknown host keys always need confirmation, changed ones are never accepted");
    }

    void take_connection() {
        if (const std::string jumps = text("proxyjump"); !jumps.empty())
            try {
                host_.jumps = parse_jumps(jumps);
            } catch (const ConnectionError& error) {
                bad(error.message());
            }
        else if (const std::string command = text("proxycommand"); !command.empty())
            host_.proxy_command = proxy_command(command);
        host_.address_family = text("addressfamily").empty() ? "any" : text("addressfamily");
        host_.bind_address = text("bindaddress");
        if (const auto seconds = parse_number<double>(text("connecttimeout"), 0); seconds && *seconds > 0)
            host_.connect_timeout = seconds;
        host_.kex_algorithms = text("kexalgorithms");
        host_.ciphers = text("ciphers");
        host_.macs = text("macs");
        for (const char* key : {"localforward", "remoteforward", "dynamicforward", "remotecommand", "forwardx11"})
            if (const std::string value = text(key); !value.empty() && value != "no")
                note(key, value, "it only applies to terminal sessions");
    }

    std::vector<std::string> proxy_command(const std::string& command) const {
        std::optional<std::vector<std::string>> words = split_words(command);
        if (!words || command.find_first_of("|&;<>()$`*?~#\n") != std::string::npos)
            bad("this ProxyCommand needs a shell, which is never started with names of hosts in it: use ProxyJump, or "
                "put the command into a script of its own");
        if (!words->empty() && words->front() == "exec")
            words->erase(words->begin());
        if (words->empty())
            bad("this ProxyCommand has no program");
        for (std::string& word : *words)
            word = expand(word, "hnpr");
        return *words;
    }

    /// Splits a list of files at blanks. ssh prints names that contain blanks without quotes, so the longest name that
    /// exists is taken.
    std::vector<std::filesystem::path> paths(const char* key, std::vector<std::filesystem::path> usual) const {
        if (!resolved_.values.contains(key))
            return usual;
        std::vector<std::filesystem::path> result;
        std::error_code error;
        std::string rest = text(key);
        // libssh hands over only the first file of a line.
        if (const auto lines = config_.known_hosts_.find(rest);
            !resolved_.files.empty() && lines != config_.known_hosts_.end()) {
            if (lines->second.size() > 1)
                needs_openssh(key, config_.keywords_.at(key).front());
            rest = *lines->second.begin();
        }
        while (!rest.empty()) {
            std::size_t end = rest.size();
            while (!std::filesystem::exists(path(rest.substr(0, end)), error)) {
                const std::size_t blank = rest.rfind(' ', end - 1);
                if (blank == std::string::npos || blank == 0) {
                    end = std::min(rest.find(' ', 1), rest.size());
                    break;
                }
                end = blank;
            }
            result.push_back(path(rest.substr(0, end)));
            rest.erase(0, end + 1);
        }
        return result;
    }

    /// Replaces the tokens among `allowed`, and ${VARIABLE}s if `V` is allowed. Tokens among `later` and %% are left
    /// for another expansion, which treats the values inserted here as plain text.
    std::string expand(const std::string& text, std::string_view allowed, std::string_view later = {}) const {
        std::string result;
        for (std::size_t i = 0; i < text.size(); ++i) {
            if (text[i] == '$' && i + 1 < text.size() && text[i + 1] == '{' && allowed.find('V') != std::string::npos) {
                const std::size_t end = text.find('}', i);
                const std::string name = end == std::string::npos ? "" : text.substr(i + 2, end - i - 2);
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
            const char token = i + 1 < text.size() ? text[++i] : '\0';
            if (token == '%' || (token != '\0' && later.find(token) != std::string_view::npos)) {
                result += later.empty() ? "%" : std::string{'%', token};
                continue;
            }
            if (token == '\0' || allowed.find(token) == std::string_view::npos)
                throw ConnectionError(Cause::bad_settings, given_.host,
                                      Message("{}: '{}' of ssh_config has '%{}', which means nothing here: "
                                              "write %% for %",
                                              given_.host, text, std::string(token == '\0' ? 0 : 1, token)));
            for (const char letter : tokens_.at(token))
                result += letter == '%' && !later.empty() ? "%%" : std::string(1, letter);
        }
        return result;
    }

    std::filesystem::path path(const std::string& text) const {
        return files::expand_home(expand(text, "dhikLlnpruV"));
    }

    const SshConfig& config_;
    const Jump given_;
    ResolvedConfig resolved_;
    std::map<char, std::string> tokens_;
    HostSettings host_;
};

std::filesystem::path SshConfig::default_file() {
    if (const char* given = std::getenv("TRAINYARD_SSH_CONFIG"); given != nullptr && *given != '\0')
        return given;
    return files::home_folder() / ".ssh" / "config";
}

SshConfig::SshConfig(const std::filesystem::path& user_file, const std::filesystem::path& system_file)
    : user_file_(user_file), system_file_(system_file) {
    Reader reader(*this);
    reader.read_file_if_there(user_file, true, 0);
    reader.read_file_if_there(system_file, false, 0);
    reader.finish();
}

HostSettings SshConfig::resolve(const std::string& name) const {
    return Resolver(*this, name).run();
}

std::string SshConfig::place_of(const std::string& alias) const {
    const auto found = places_.find(alias);
    return found == places_.end() ? "" : found->second;
}

}  // namespace trainyard::remote
