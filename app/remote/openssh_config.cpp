// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/openssh_config.h"

#include <algorithm>
#include <cstdlib>
#include <map>

#include <unistd.h>

#include "base/run_program.h"

namespace trainyard::remote {

namespace {

constexpr double kLongest = 10;  // seconds: a command of Match exec may ask the network

/// In a folder of PATH; empty: there is none.
std::filesystem::path ssh_program() {
    const char* variable = std::getenv("PATH");
    const std::string folders = variable != nullptr ? variable : "/usr/bin:/bin";
    for (std::size_t begin = 0; begin <= folders.size();) {
        const std::size_t end = std::min(folders.find(':', begin), folders.size());
        const std::filesystem::path file = std::filesystem::path(folders.substr(begin, end - begin)) / "ssh";
        if (file.is_absolute() && ::access(file.c_str(), X_OK) == 0)
            return file;
        begin = end + 1;
    }
    return {};
}

using Values = std::map<std::string, std::vector<std::string>>;

/// `key value` per line.
Values values_of(const std::string& text, std::vector<std::string>& order) {
    Values values;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string line = text.substr(begin, end - begin);
        begin = end + 1;
        const std::size_t blank = line.find(' ');
        if (blank == std::string::npos || blank + 1 == line.size())
            continue;
        std::vector<std::string>& of_key = values[line.substr(0, blank)];
        if (of_key.empty())
            order.push_back(line.substr(0, blank));
        of_key.push_back(line.substr(blank + 1));
    }
    return values;
}

std::string first_line(const std::string& text) {
    return text.substr(0, text.find_first_of("\r\n"));
}

}  // namespace

std::optional<OpenSshAnswer> ask_openssh(const std::string& host, const std::string& user, int port,
                                         const std::filesystem::path& config) {
    const std::filesystem::path program = ssh_program();
    if (program.empty())
        return std::nullopt;
    auto ask = [&](const std::string& file) {
        std::vector<std::string> argv{program.string(), "-G"};
        if (!file.empty())
            argv.insert(argv.end(), {"-F", file});
        if (!user.empty())
            argv.insert(argv.end(), {"-l", user});
        if (port != 0)
            argv.insert(argv.end(), {"-p", std::to_string(port)});
        argv.push_back("--");
        argv.push_back(host);
        return run_program(argv, "", kLongest);
    };
    OpenSshAnswer answer;
    const ProgramResult configured = ask(config.string());
    const ProgramResult usual = configured.ok() ? ask("none") : ProgramResult{};
    if (!configured.ok() || !usual.ok()) {
        const ProgramResult& failed = configured.ok() ? usual : configured;
        answer.problem = failed.timed_out ? Message("ssh -G did not answer within 10 s")
                                          : Message("ssh -G failed: {}", first_line(failed.error));
        return answer;
    }
    std::vector<std::string> order, ignored;
    const Values values = values_of(configured.output, order);
    const Values defaults = values_of(usual.output, ignored);
    for (const std::string& key : order) {
        const auto known = defaults.find(key);
        if (known != defaults.end() && known->second == values.at(key) && key != "hostname")
            continue;
        for (const std::string& value : values.at(key))
            answer.settings.emplace_back(key, value);
    }
    return answer;
}

}  // namespace trainyard::remote
