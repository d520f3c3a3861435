#pragma once
// Numbers and names as people read them. Same words in the terminal and on the desktop.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::text {

/// Decimal file size: `14.9 GB`, `1.2 MB`, `812 B`.
std::string file_size(std::uint64_t bytes);
/// Binary memory size: `61.3 GiB`.
std::string memory_size(std::uint64_t bytes);
/// Two units: `820 ms`, `1.42 s`, `38 m 5 s`, `8 h 31 m`, `3 d 4 h`.
std::string duration(double seconds);
/// Three significant digits with SI letter: `739 k`, `1.05 M`, `42.0`.
std::string quantity(double value);
/// `18,420`
std::string grouped(std::int64_t value);

/// Up to the end of the first line.
inline std::string first_line(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

/// The candidate nearest to `word` by edit distance, when near enough to be meant (a third of its length, at least 2).
std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& candidates);
/// `: did you mean 'steps'?`, or the known names when none is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace trainyard::text
