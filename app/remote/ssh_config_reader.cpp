// SPDX-License-Identifier: GPL-3.0-or-later
// Reads files of ssh_config as lines and blocks; ssh_config.cpp evaluates them for a host.

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <glob.h>
#include <pwd.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/files/user_folders.h"
#include "remote/ssh_config.h"
#include "remote/ssh_words.h"

namespace trainyard::remote {

namespace {

constexpr int kDeepest = 16;  // nested Includes, as in OpenSSH
constexpr std::uint64_t kLargest = 4u << 20;

std::vector<std::string> files_matching(const std::string& pattern) {
    glob_t found{};
    std::vector<std::string> files;
    if (::glob(pattern.c_str(), 0, nullptr, &found) == 0)
        files.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
    ::globfree(&found);
    return files;
}

}  // namespace

std::string local_user() {
    if (const passwd* entry = ::getpwuid(::getuid()))
        return entry->pw_name;
    const char* user = std::getenv("USER");
    return user != nullptr ? user : std::to_string(::getuid());
}

std::string with_home(const std::string& path) {
    if (path == "~" || path.starts_with("~/"))
        return files::home_folder().string() + path.substr(1);
    if (path.starts_with('~')) {
        std::size_t end = std::min(path.find('/'), path.size());
        if (const passwd* entry = ::getpwnam(path.substr(1, end - 1).c_str()))
            return entry->pw_dir + path.substr(end);
    }
    return path;
}

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

class SshConfig::Reader {
  public:
    explicit Reader(SshConfig& config) : config_(config) {}

    void read_file_if_there(const std::filesystem::path& file, bool of_user, int parent, int depth) {
        std::error_code error;
        if (!std::filesystem::is_regular_file(file, error))
            return;
        try {
            read(trainyard::read_file(file, kLargest), file, of_user, parent, depth);
        } catch (const UserError& problem) {
            problems_.push_back({file.string(), 0, 0, "", problem.message()});
        }
    }

    void read(std::string_view text, const std::filesystem::path& file, bool of_user, int parent, int depth) {
        int block = parent, number = 0;
        std::istringstream lines{std::string(text)};
        for (std::string line; std::getline(lines, line);) {
            ++number;
            std::size_t begin = line.find_first_not_of(" \t\r\f");
            if (begin == std::string::npos || line[begin] == '#')
                continue;
            line.erase(line.find_last_not_of(" \t\r\f") + 1);
            auto problem = [&](const std::string& key, const Message& message) {
                problems_.push_back({file.string(), number, static_cast<int>(begin) + 1, key, message});
            };
            std::size_t end = std::min(line.find_first_of(" \t=", begin), line.size());
            Line entry;
            entry.key = line.substr(begin, end - begin);
            std::string shown_key = entry.key;
            std::transform(entry.key.begin(), entry.key.end(), entry.key.begin(),
                           [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
            // Key and value may be separated by one `=`.
            std::size_t value = line.find_first_not_of(" \t", end);
            if (value != std::string::npos && line[value] == '=')
                value = line.find_first_not_of(" \t", value + 1);
            entry.rest = value == std::string::npos ? "" : line.substr(value);
            std::optional<std::vector<std::string>> words = split_words(entry.rest);
            if (!words && entry.key != "proxycommand") {
                problem(shown_key, "a quote is never closed");
                continue;
            }
            entry.words = words.value_or(std::vector<std::string>{entry.rest});
            if (entry.words.empty()) {
                problem(shown_key, "a value is missing");
                continue;
            }
            entry.place = file.string() + ":" + std::to_string(number);
            if (entry.key == "host" || entry.key == "match") {
                block = static_cast<int>(config_.blocks_.size());
                config_.blocks_.push_back({entry.key == "match", entry.words, parent, entry.place});
                if (entry.key == "host")
                    add_aliases(entry);
                continue;
            }
            entry.block = block;
            if (entry.key == "include") {
                if (depth >= kDeepest) {
                    problem(shown_key, "files are included more than 16 deep: does one include itself?");
                    continue;
                }
                for (const std::string& word : entry.words) {
                    std::filesystem::path pattern = with_home(word);
                    if (pattern.is_relative())
                        pattern = (of_user ? files::home_folder() / ".ssh" : "/etc/ssh") / pattern;
                    for (const std::string& included : files_matching(pattern))
                        read_file_if_there(included, of_user, block, depth + 1);
                }
                continue;
            }
            config_.lines_.push_back(std::move(entry));
        }
    }

    void finish() {
        if (!problems_.empty())
            throw InvalidInput(problems_);
    }

  private:
    void add_aliases(const Line& line) {
        for (const std::string& word : line.words)
            if (word.find_first_of("*?!") == std::string::npos && config_.places_.emplace(word, line.place).second)
                config_.aliases_.push_back(word);
    }

    SshConfig& config_;
    std::vector<Problem> problems_;
};

std::filesystem::path SshConfig::default_file() {
    if (const char* given = std::getenv("TRAINYARD_SSH_CONFIG"); given != nullptr && *given != '\0')
        return given;
    return files::home_folder() / ".ssh" / "config";
}

SshConfig::SshConfig(const std::filesystem::path& user_file, const std::filesystem::path& system_file) {
    Reader reader(*this);
    reader.read_file_if_there(user_file, true, -1, 0);
    reader.read_file_if_there(system_file, false, -1, 0);
    reader.finish();
    // If both files are missing, OpenSSH has nothing to add.
    if (lines_.empty() && blocks_.empty())
        return;
    // OpenSSH looks for its files in the home folder of the password database, regardless of $HOME.
    const passwd* account = ::getpwuid(::getuid());
    const bool usual = account != nullptr && user_file == std::filesystem::path(account->pw_dir) / ".ssh/config" &&
                       system_file == "/etc/ssh/ssh_config";
    for_openssh_ = usual ? std::filesystem::path() : user_file;
}

SshConfig SshConfig::from_text(std::string_view text, const std::filesystem::path& name) {
    SshConfig config(nullptr);
    Reader reader(config);
    reader.read(text, name, true, -1, 0);
    reader.finish();
    return config;
}

std::string SshConfig::place_of(const std::string& alias) const {
    auto found = places_.find(alias);
    return found == places_.end() ? "" : found->second;
}

}  // namespace trainyard::remote
