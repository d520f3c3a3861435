// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/plan/hostfile.h"

#include <map>
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

}  // namespace

std::vector<HostRanks> parse_hostfile(const std::string& text, const std::string& origin) {
    std::vector<HostRanks> hosts;
    std::vector<Problem> problems;
    std::map<std::string, int> lines;
    std::istringstream file(text);
    std::string line;
    for (int number = 1; std::getline(file, line); ++number) {
        std::istringstream words(line.substr(0, line.find('#')));
        std::string host, slots, more;
        if (!(words >> host))
            continue;
        HostRanks found{host, 0};
        bool good = is_host(host);
        if (good && words >> slots) {
            found.ranks = slots_of(slots).value_or(0);
            good = found.ranks > 0 && !(words >> more);
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
    return parse_hostfile(text::read_text_file(file, 1u << 20), file.string());
}

}  // namespace trainyard::plan
