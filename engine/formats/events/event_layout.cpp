// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/events/event_layout.h"

#include <fmt/format.h>

#include "base/number.h"

namespace trainyard::events {

namespace {

constexpr std::string_view kMark = "tfevents";
constexpr std::string_view kRankFolder = "rank-", kHostFolder = "host-";
constexpr std::string_view kEarlierRank = "system-", kEarlierHost = "machine-", kEarlierEnd = ".events.out.";
constexpr std::size_t kMostDigits = 6;  ///< of a rank's number

std::optional<int> rank_of(std::string_view digits) {
    return digits.size() > kMostDigits ? std::nullopt : parse_number<int>(digits, 0);
}

std::optional<EventSource> source_of_folder(std::string_view folder) {
    if (folder.starts_with(kHostFolder) && folder.size() > kHostFolder.size())
        return EventSource{-1, std::string(folder.substr(kHostFolder.size()))};
    if (folder.starts_with(kRankFolder))
        if (const auto rank = rank_of(folder.substr(kRankFolder.size())))
            return EventSource{*rank, {}};
    return std::nullopt;
}

}  // namespace

std::filesystem::path rank_event_folder(const std::filesystem::path& metrics, int rank) {
    return metrics / fmt::format("{}{:05}", kRankFolder, rank);
}

std::filesystem::path host_event_folder(const std::filesystem::path& metrics, const std::string& host) {
    std::string name = std::string(kHostFolder) + host;
    for (char& c : name)
        if (c == '/' || static_cast<unsigned char>(c) < 0x20)
            c = '_';
    return metrics / name;
}

std::optional<EventSource> event_source(std::string_view name) {
    const std::size_t slash = name.find('/');
    const std::string_view file = slash == std::string_view::npos ? name : name.substr(slash + 1);
    if (file.find(kMark) == std::string_view::npos || file.find('/') != std::string_view::npos)
        return std::nullopt;
    if (slash != std::string_view::npos)
        return source_of_folder(name.substr(0, slash));
    const std::size_t end = name.find(kEarlierEnd);
    if (end == std::string_view::npos)
        return EventSource{};
    if (name.starts_with(kEarlierHost))
        return EventSource{-1, std::string(name.substr(kEarlierHost.size(), end - kEarlierHost.size()))};
    if (name.starts_with(kEarlierRank))
        if (const auto rank = rank_of(name.substr(kEarlierRank.size(), end - kEarlierRank.size())))
            return EventSource{*rank, {}};
    return EventSource{};
}

}  // namespace trainyard::events
