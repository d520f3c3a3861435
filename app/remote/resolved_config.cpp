// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/resolved_config.h"

#include <cstdlib>
#include <memory>
#include <mutex>

#include <libssh/libssh.h>

#include "base/files/account.h"
#include "base/find_program.h"
#include "base/run_program.h"
#include "base/text.h"

namespace trainyard::remote {

namespace {

using Values = std::map<std::string, std::vector<std::string>>;

constexpr double kLongest = 10;  // seconds: a command of Match exec may access the network

/// Returns the path of ssh, or an empty path.
std::filesystem::path ssh_program() {
    return find_program("ssh", std::getenv("PATH"), SearchFolders::absolute);
}

/// Parses lines of a keyword and its value.
Values values_of(const std::string& text) {
    Values values;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::size_t blank = std::min(text.find(' ', begin), end);
        if (blank + 1 < end)
            values[text.substr(begin, blank - begin)].push_back(text.substr(blank + 1, end - blank - 1));
        begin = end + 1;
    }
    return values;
}

/// Runs `ssh -G`. `file`: instead of the two usual files; `none`: no file; empty: the usual ones.
Values run_ssh(const std::filesystem::path& program, const std::string& file, const Jump& given, Message& problem) {
    std::vector<std::string> argv{program.string(), "-G"};
    if (!file.empty())
        argv.insert(argv.end(), {"-F", file});
    if (!given.user.empty())
        argv.insert(argv.end(), {"-l", given.user});
    if (given.port != 0)
        argv.insert(argv.end(), {"-p", std::to_string(given.port)});
    argv.insert(argv.end(), {"--", given.host});
    const ProgramResult result = run_program(argv, "", kLongest);
    if (!result.ok())
        problem = result.timed_out ? Message("ssh -G did not answer within 10 s")
                                   : Message("ssh -G failed: {}", text::trimmed(text::first_line(result.error)));
    return values_of(result.output);
}

/// Asks ssh, and leaves out what it uses if nothing is configured. Its defaults are asked for once per process.
ResolvedConfig ask_ssh(const std::filesystem::path& program, const std::string& file, const Jump& given) {
    static std::mutex mutex;
    static std::map<std::filesystem::path, Values> defaults_of;
    ResolvedConfig answer;
    answer.values = run_ssh(program, file, given, answer.problem);
    const std::lock_guard lock(mutex);
    Values& defaults = defaults_of[program];
    if (answer.problem.empty() && defaults.empty())
        defaults = run_ssh(program, "none", {"defaults", "", 0}, answer.problem);
    std::erase_if(answer.values, [&](const auto& entry) {
        const auto found = defaults.find(entry.first);
        return found != defaults.end() && found->second == entry.second && entry.first != "hostname" &&
               entry.first != "user" && entry.first != "port";
    });
    return answer;
}

/// Restores the value of ProxyJump, which libssh turns into a command of OpenSSH:
/// `ssh -l USER -p PORT -J REST -W '[%h]:%p' HOST`. Returns an empty string for other commands.
std::string jumps_of(const std::string& command) {
    std::string user, port, rest, host;
    std::size_t begin = 0;
    auto next = [&] {
        const std::size_t end = std::min(command.find(' ', begin), command.size());
        const std::string word = command.substr(std::min(begin, end), end - std::min(begin, end));
        begin = end + 1;
        return word;
    };
    if (next() != "ssh")
        return {};
    for (std::string word = next(); !word.empty(); word = next()) {
        if (word == "-l")
            user = next() + "@";
        else if (word == "-p")
            port = ":" + next();
        else if (word == "-J")
            rest = "," + next();
        else if (word == "-W" && next() == "'[%h]:%p'")
            host = next();
        else
            return {};
    }
    return host.empty() ? host : user + host + port + rest;
}

ResolvedConfig ask_libssh(const Jump& given, const std::vector<std::filesystem::path>& files) {
    struct Closer {
        void operator()(ssh_session session) const { ::ssh_free(session); }
    };
    const std::unique_ptr<std::remove_pointer_t<ssh_session>, Closer> session(::ssh_new());
    if (!session)
        throw std::bad_alloc();
    auto value = [&](ssh_options_e option) {
        char* text = nullptr;
        if (::ssh_options_get(session.get(), option, &text) != SSH_OK || text == nullptr)
            return std::string();
        std::string copy = text;
        ::ssh_string_free_char(text);
        return copy;
    };
    ResolvedConfig answer;
    answer.files = files;
    const std::string usual_identity = value(SSH_OPTIONS_IDENTITY);
    bool fine = ::ssh_options_set(session.get(), SSH_OPTIONS_HOST, given.host.c_str()) == SSH_OK;
    if (!given.user.empty())  // for Match user
        fine = fine && ::ssh_options_set(session.get(), SSH_OPTIONS_USER, given.user.c_str()) == SSH_OK;
    for (const std::filesystem::path& file : files)
        fine = fine && ::ssh_options_parse_config(session.get(), file.c_str()) == SSH_OK;
    if (!fine) {
        answer.problem = Message::verbatim(::ssh_get_error(session.get()));
        return answer;
    }
    auto take = [&](const char* key, const std::string& text) {
        if (!text.empty())
            answer.values[key] = {text};
    };
    unsigned int port = 0;
    ::ssh_options_get_port(session.get(), &port);
    take("hostname", value(SSH_OPTIONS_HOST));
    take("user", given.user.empty() ? value(SSH_OPTIONS_USER) : given.user);
    take("port", given.port != 0 ? std::to_string(given.port) : port != 0 ? std::to_string(port) : "");
    if (const std::string identity = value(SSH_OPTIONS_IDENTITY); identity != usual_identity)
        take("identityfile", identity);
    const std::string proxy = value(SSH_OPTIONS_PROXYCOMMAND), jumps = jumps_of(proxy);
    take(jumps.empty() ? "proxycommand" : "proxyjump", jumps.empty() ? proxy : jumps);
    take("userknownhostsfile", value(SSH_OPTIONS_KNOWNHOSTS));
    take("globalknownhostsfile", value(SSH_OPTIONS_GLOBAL_KNOWNHOSTS));
    return answer;
}

}  // namespace

bool has_openssh() {
    return !ssh_program().empty();
}

ResolvedConfig resolve_config(const Jump& given, const std::filesystem::path& user_file,
                              const std::filesystem::path& system_file) {
    std::vector<std::filesystem::path> files;
    std::error_code error;
    for (const std::filesystem::path& file : {user_file, system_file})
        if (std::filesystem::is_regular_file(file, error))
            files.push_back(file);
    const std::filesystem::path program = ssh_program();
    if (program.empty())
        return ask_libssh(given, files);
    // ssh looks for its files in the home folder of the password database, regardless of $HOME.
    const std::optional<files::Account> account = files::own_account();
    const bool usual = account && user_file == account->home / ".ssh/config" && system_file == "/etc/ssh/ssh_config";
    return ask_ssh(program, usual ? "" : files.empty() ? "none" : files.front().string(), given);
}

}  // namespace trainyard::remote
