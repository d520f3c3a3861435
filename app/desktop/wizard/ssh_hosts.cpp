#include "desktop/wizard/ssh_hosts.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>

#include <glob.h>

#include "base/letter_case.h"

namespace trainyard::desktop {

namespace {

namespace fs = std::filesystem;

constexpr int kDeepestInclude = 16;
constexpr std::size_t kMostHosts = 10000;

/// Words of a line: blanks separate, double quotes keep together, `#` at the start of a word ends the line, `=` may stand behind
/// the first word.
std::vector<std::string> words_of(const std::string& line) {
    std::vector<std::string> words;
    std::size_t at = 0;
    while (true) {
        while (at < line.size() &&
               (std::isspace(static_cast<unsigned char>(line[at])) != 0 || (words.size() == 1 && line[at] == '=')))
            ++at;
        if (at >= line.size() || line[at] == '#')
            return words;
        std::string word;
        if (line[at] == '"') {
            std::size_t end = std::min(line.find('"', at + 1), line.size());
            word = line.substr(at + 1, end - at - 1);
            at = std::min(end + 1, line.size());
        } else {
            while (at < line.size() && std::isspace(static_cast<unsigned char>(line[at])) == 0 &&
                   !(words.empty() && line[at] == '='))
                word += line[at++];
        }
        words.push_back(word);
    }
}

class Reader {
  public:
    void read(const fs::path& file, int depth) {
        std::ifstream stream(file);
        std::string line;
        while (std::getline(stream, line) && hosts.size() < kMostHosts)
            take(words_of(line), file, depth);
    }

    std::vector<SshHost> hosts;

  private:
    void take(const std::vector<std::string>& words, const fs::path& file, int depth) {
        if (words.size() < 2)
            return;
        const std::string keyword = text::lower(words[0]);
        if (keyword == "host") {
            first_of_block_ = hosts.size();
            for (std::size_t i = 1; i < words.size(); ++i)
                add(words[i]);
        } else if (keyword == "match") {
            first_of_block_ = hosts.size();
        } else if (keyword == "hostname") {
            for (std::size_t i = first_of_block_; i < hosts.size(); ++i)
                if (hosts[i].host_name == hosts[i].alias)
                    hosts[i].host_name = words[1];
        } else if (keyword == "include" && depth < kDeepestInclude) {
            for (std::size_t i = 1; i < words.size(); ++i)
                include(words[i], file, depth);
            first_of_block_ = hosts.size();
        }
    }

    void add(const std::string& alias) {
        if (alias.find_first_of("*?!") != std::string::npos)
            return;
        if (std::none_of(hosts.begin(), hosts.end(), [&](const SshHost& host) { return host.alias == alias; }))
            hosts.push_back({alias, alias});
    }

    /// Relative names stand beside the user's config, as ssh_config(5) says.
    void include(std::string pattern, const fs::path& file, int depth) {
        const char* home = std::getenv("HOME");
        if (pattern.starts_with("~/") && home != nullptr)
            pattern = home + pattern.substr(1);
        else if (!pattern.starts_with('/'))
            pattern = (file.parent_path() / pattern).string();
        glob_t found{};
        if (::glob(pattern.c_str(), 0, nullptr, &found) == 0)
            for (std::size_t i = 0; i < found.gl_pathc; ++i)
                read(found.gl_pathv[i], depth + 1);
        ::globfree(&found);
    }

    std::size_t first_of_block_ = 0;
};

}  // namespace

std::vector<SshHost> ssh_hosts(const fs::path& config) {
    Reader reader;
    reader.read(config, 0);
    return reader.hosts;
}

fs::path ssh_config_file() {
    const char* home = std::getenv("HOME");
    return home == nullptr ? fs::path() : fs::path(home) / ".ssh" / "config";
}

}  // namespace trainyard::desktop
