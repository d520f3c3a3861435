// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/plan/hostfile.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <sstream>

#include <fmt/format.h>

#include "base/error.h"
#include "base/host_name.h"
#include "base/number.h"
#include "base/text_file.h"

namespace trainyard::plan {

namespace {

constexpr int kMostRanks = 1024;  // of one host

bool is_host(const std::string& word) {
    return is_valid_host_name(word) && word.find_first_of(":=,") == std::string::npos;
}

std::optional<int> slots_of(std::string_view word) {
    constexpr std::string_view kName = "slots=";
    return word.starts_with(kName) ? parse_number<int>(word.substr(kName.size()), 1, kMostRanks) : std::nullopt;
}

/// A line that names a host.
struct HostLine {
    int number = 0;
    std::string text;
    std::vector<std::string> words;
};

std::vector<HostLine> lines_with_hosts(const std::string& text) {
    std::vector<HostLine> lines;
    std::istringstream file(text);
    std::string line;
    for (int number = 1; std::getline(file, line); ++number) {
        std::istringstream words(line.substr(0, line.find('#')));
        HostLine found{number, line, {std::istream_iterator<std::string>(words), {}}};
        if (!found.words.empty())
            lines.push_back(std::move(found));
    }
    return lines;
}

std::string text_of_hostfile(const std::filesystem::path& file) {
    return text::read_text_file(file, 1u << 20);
}

}  // namespace

std::vector<HostRanks> parse_hostfile(const std::string& text, const std::string& origin) {
    std::vector<HostRanks> hosts;
    std::vector<Problem> problems;
    std::map<std::string, int> lines;
    for (const auto& [number, line, words] : lines_with_hosts(text)) {
        const std::string& host = words.front();
        HostRanks found{host, 0};
        bool good = is_host(host);
        if (good && words.size() > 1) {
            found.ranks = slots_of(words[1]).value_or(0);
            good = found.ranks > 0 && words.size() == 2;
        }
        if (!good)
            problems.push_back({origin, number, 0, "", Message("'{}' is not a host: write `name slots=4`", line)});
        else if (auto [before, added] = lines.emplace(host, number); !added)
            problems.push_back({origin, number, 0, "",
                                Message("{} is already in line {}: give its slots once", host, before->second)});
        hosts.push_back(found);
    }
    if (hosts.empty() && problems.empty())
        problems.push_back({origin, 0, 0, "", "no host is named: write one `name slots=4` a line"});
    if (!problems.empty())
        throw InvalidInput(std::move(problems));
    return hosts;
}

std::vector<HostRanks> read_hostfile(const std::filesystem::path& file) {
    return parse_hostfile(text_of_hostfile(file), file.string());
}

std::vector<std::string> read_mpi_hosts(const std::filesystem::path& file) {
    std::vector<std::string> hosts;
    std::vector<Problem> problems;
    for (const auto& [number, line, words] : lines_with_hosts(text_of_hostfile(file))) {
        const std::string host = words.front().substr(0, words.front().find(':'));
        if (!is_host(host))
            problems.push_back({file.string(), number, 0, "", Message("'{}' is not a host name", host)});
        else if (std::ranges::find(hosts, host) == hosts.end())
            hosts.push_back(host);
    }
    if (!problems.empty())
        throw InvalidInput(std::move(problems));
    if (hosts.empty())
        throw UserError("{} names no hosts: write one on each line", file.string());
    return hosts;
}

}  // namespace trainyard::plan
