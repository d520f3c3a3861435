// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a terminal would show of a line: escape sequences become colours, carriage returns overwrite. ECMA-48 (SGR with the colours of
// 8, 16, 256 and 24 bits), OSC and other sequences are taken out.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::widgets {

/// How a stretch of text is printed. Colours are kept as said; which ink they get is the view's affair (log_line_delegate.h).
struct LogStyle {
    enum class Kind : std::uint8_t { Default, Indexed, Rgb };
    Kind kind = Kind::Default;
    std::uint32_t color = 0;  ///< Indexed: 0..255; Rgb: 0xrrggbb
    bool bold = false, dim = false, underline = false;

    bool plain() const { return kind == Kind::Default && !bold && !dim && !underline; }
    bool operator==(const LogStyle&) const = default;
};

struct StyledText {
    std::uint32_t begin = 0, end = 0;  ///< bytes
    LogStyle style;
};

/// The words of `line` and where they are not plain. Only what comes after the last carriage return stays; a line feed or carriage
/// return at the end counts for nothing.
struct TerminalLine {
    std::string text;
    std::vector<StyledText> styled;  ///< ascending, not empty, not overlapping
    int lines_up = 0;  ///< lines above that the text overwrites (cursor up), as rich and tqdm draw several bars
};
TerminalLine terminal_line(std::string_view line);

/// The same without colours.
std::string plain_text(std::string_view line);

}  // namespace trainyard::widgets
