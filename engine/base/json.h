// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The one reader of JSON texts into nlohmann's values. What reads, writes or copies a nested value calls itself once
// for each level, so the depth is bounded before anything is built; so are bytes and values. packaging/check refuses
// other calls of nlohmann's parser.

#include <cstddef>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace trainyard {

inline constexpr int kMostJsonDepth = 64;                  ///< levels of lists and tables
inline constexpr std::size_t kMostJsonBytes = 256u << 20;  ///< of a text
inline constexpr std::size_t kMostJsonValues = 8'000'000;  ///< of a text, keys not counted

/// Why a text is not read: "nested deeper than 64 levels", "larger than ..."; nullptr: it is within the bounds.
const char* json_out_of_bounds(std::string_view text, bool with_comments = false);

/// A discarded value if the text is not JSON or out of bounds.
nlohmann::json read_json(std::string_view text);
/// The same with the keys in the order of the text.
nlohmann::ordered_json read_ordered_json(std::string_view text);
/// The same of a text that may have comments (// and /* */), as DeepSpeed's files do.
nlohmann::ordered_json read_json_with_comments(std::string_view text);

/// Throws nlohmann::json::exception if the text is not JSON or out of bounds.
nlohmann::json parse_json(std::string_view text);
nlohmann::ordered_json parse_ordered_json(std::string_view text);

/// Whether the text is JSON. Nothing is built, so that neither depth nor size matters.
bool is_json(std::string_view text);

}  // namespace trainyard
