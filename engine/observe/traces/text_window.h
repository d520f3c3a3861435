// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A window that moves over a text, and the extents of JSON values in it. Finding where a value ends needs only quotes and brackets, so it
// also works for values that are not valid JSON; what they mean is read afterwards (event_parser.h).

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "observe/traces/trace_text.h"

namespace trainyard::traces {

class TextWindow {
  public:
    static constexpr std::size_t kPiece = 1 << 20;
    static constexpr std::size_t kLargest = 64 << 20;  ///< of one value
    static constexpr std::size_t kPadding = 64;        ///< readable bytes behind the text, for simdjson

    explicit TextWindow(const TraceText& text);

    std::uint64_t offset() const { return base_ + at_; }  ///< in the text
    /// The next character; '\0' at the end of the text.
    char peek();
    void skip(std::size_t count) { at_ += count; }
    void skip_space();

    enum class Extent { whole, cut, too_long };
    /// The value at the window's position: its text, valid until the window moves on. `cut`: the text ends inside it.
    Extent value(std::string_view& text);

  private:
    bool more();

    const TraceText& text_;
    std::vector<char> buffer_;
    std::size_t at_ = 0, size_ = 0;
    std::uint64_t base_ = 0;  ///< of the buffer in the text
    bool end_ = false;
};

}  // namespace trainyard::traces
