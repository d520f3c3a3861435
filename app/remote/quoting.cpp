// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/quoting.h"

#include <algorithm>
#include <string_view>

#include "base/error.h"
#include "base/text.h"

namespace trainyard::remote {

std::string shell_quote(const std::string& text) {
    if (text.find('\0') != std::string::npos)
        throw UserError("an argument for a remote command has a NUL byte in it, which no command line can hold");
    constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:,+@%";
    // `=` is quoted: before a command it would be an assignment. A word of letters alone could be a keyword or an alias.
    bool plain = !text.empty() && text.find_first_not_of(kPlain) == std::string::npos &&
                 text.find_first_of("_./0123456789:-") != std::string::npos;
    return plain ? text : text::shell_quoted(text);
}

namespace {

bool is_variable_name(const std::string& name) {
    if (name.empty() || (name[0] >= '0' && name[0] <= '9'))
        return false;
    return std::all_of(name.begin(), name.end(), [](char c) {
        return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    });
}

}  // namespace

std::string posix_command_line(const RemoteCommand& command) {
    if (command.argv.empty() || command.argv.front().empty())
        throw UserError("a remote command has no program");
    std::string line;
    if (!command.directory.empty()) {
        // `cd` reads a first word with a dash as an option, and `-` as the folder before.
        std::string directory = command.directory.starts_with('-') ? "./" + command.directory : command.directory;
        line = "cd " + shell_quote(directory) + " && ";
    }
    line += "exec";
    if (!command.environment.empty()) {
        line += " env";
        for (const auto& [name, value] : command.environment) {
            if (!is_variable_name(name))
                throw UserError("'{}' cannot be the name of an environment variable on a host", name);
            line += " " + shell_quote(name + "=" + value);
        }
    }
    for (const std::string& word : command.argv)
        line += " " + shell_quote(word);
    return line;
}

std::string any_shell_command_line(const RemoteCommand& command) {
    // Double quotes inside single ones: to the outer shell all of it is one plain word without `!`, quotes or line ends, to
    // /bin/sh it is a text whose backslashes only printf reads.
    constexpr char kDigits[] = "01234567";
    std::string line = "/bin/sh -c 'eval \"$(printf \"";
    for (char letter : posix_command_line(command)) {
        auto byte = static_cast<unsigned char>(letter);
        line += {'\\', kDigits[byte >> 6], kDigits[byte >> 3 & 7], kDigits[byte & 7]};
    }
    return line + "\")\"'";
}

bool is_posix_shell(const std::string& path) {
    constexpr std::string_view kPosix[] = {"sh",    "bash", "dash", "zsh",  "ksh",
                                           "ksh93", "ash",  "mksh", "yash", "busybox"};
    std::string name = std::filesystem::path(path).filename();
    return std::find(std::begin(kPosix), std::end(kPosix), name) != std::end(kPosix);
}

}  // namespace trainyard::remote
