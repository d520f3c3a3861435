// SPDX-License-Identifier: GPL-3.0-or-later
#include "observe/traces/text_window.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace trainyard::traces {

namespace {

constexpr bool is_json_space(char c) {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/// Characters that matter outside of strings.
constexpr std::array<bool, 256> kStructural = [] {
    std::array<bool, 256> table{};
    for (const char c : {'"', '{', '}', '[', ']'})
        table[static_cast<unsigned char>(c)] = true;
    return table;
}();

/// 64 characters as bits: which of them matter.
struct Characters {
    std::uint64_t quotes = 0, backslashes = 0, opening = 0, closing = 0;
};
constexpr std::size_t kBlock = 64;

#if defined(__SSE2__)
Characters characters_of(const char* text) {
    Characters found;
    const __m128i quote = _mm_set1_epi8('"'), backslash = _mm_set1_epi8('\\'), open = _mm_set1_epi8('{'),
                  close = _mm_set1_epi8('}'), case_bit = _mm_set1_epi8(0x20);
    for (std::size_t i = 0; i < kBlock; i += 16) {
        const __m128i piece = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text + i));
        const __m128i bracket = _mm_or_si128(piece, case_bit);  // [ and ] become { and }, nothing else does
        const auto bits = [&](__m128i equal) {
            return std::uint64_t{static_cast<std::uint32_t>(_mm_movemask_epi8(equal))} << i;
        };
        found.quotes |= bits(_mm_cmpeq_epi8(piece, quote));
        found.backslashes |= bits(_mm_cmpeq_epi8(piece, backslash));
        found.opening |= bits(_mm_cmpeq_epi8(bracket, open));
        found.closing |= bits(_mm_cmpeq_epi8(bracket, close));
    }
    return found;
}
#else
Characters characters_of(const char* text) {
    Characters found;
    for (std::size_t i = 0; i < kBlock; ++i) {
        const std::uint64_t bit = std::uint64_t{1} << i;
        const char c = text[i];
        found.quotes |= c == '"' ? bit : 0;
        found.backslashes |= c == '\\' ? bit : 0;
        found.opening |= c == '{' || c == '[' ? bit : 0;
        found.closing |= c == '}' || c == ']' ? bit : 0;
    }
    return found;
}
#endif

/// Bit i: the parity of the bits 0 to i.
std::uint64_t parities(std::uint64_t bits) {
    for (int shift = 1; shift < 64; shift *= 2)
        bits ^= bits << shift;
    return bits;
}

/// Finds the end of a value; continues where it was when more text has come.
struct ExtentScanner {
    std::size_t at = 0;  ///< scanned so far, from the beginning of the value
    std::int64_t depth = 0;
    bool in_string = false, escaped = false;

    /// True: the value is the first `at` bytes.
    bool scan(const char* text, std::size_t size) {
        while (at < size) {
            const bool within = depth > 0 || (at == 0 && (text[0] == '{' || text[0] == '['));
            if (within && !escaped && size - at >= kBlock) {
                const Characters block = characters_of(text + at);
                if (block.backslashes == 0) {
                    if (scan_block(block))
                        return true;
                    continue;
                }
            }
            if (scan_characters(text, std::min(size, at + kBlock)))
                return true;
        }
        return false;
    }

  private:
    bool scan_block(const Characters& block) {
        const std::uint64_t strings = parities(block.quotes) ^ (in_string ? ~std::uint64_t{0} : 0);
        for (std::uint64_t left = (block.opening | block.closing) & ~strings; left != 0; left &= left - 1) {
            const auto place = static_cast<std::size_t>(std::countr_zero(left));
            if ((block.opening >> place & 1) != 0) {
                ++depth;
            } else if (--depth == 0) {
                at += place + 1;
                return true;
            }
        }
        in_string = strings >> 63 != 0;
        at += kBlock;
        return false;
    }

    bool scan_characters(const char* text, std::size_t size) {
        while (at < size) {
            if (in_string) {
                if (escaped) {
                    escaped = false;
                    ++at;
                    continue;
                }
                while (at < size && text[at] != '"' && text[at] != '\\')
                    ++at;
                if (at == size)
                    return false;
                escaped = text[at] == '\\';
                in_string = escaped;
                ++at;
                if (!in_string && depth == 0)
                    return true;
                continue;
            }
            while (at < size && !kStructural[static_cast<unsigned char>(text[at])]) {
                if (depth == 0 && (is_json_space(text[at]) || text[at] == ',' || text[at] == ':'))
                    return true;
                ++at;
            }
            if (at == size)
                return false;
            const char c = text[at];
            if (c == '"') {
                in_string = true;
            } else if (c == '{' || c == '[') {
                ++depth;
            } else if (depth == 0) {
                return true;  // the bracket closes the array or object around the value
            } else if (--depth == 0) {
                ++at;
                return true;
            }
            ++at;
        }
        return false;
    }
};

}  // namespace

TextWindow::TextWindow(const TraceText& text) : text_(text), buffer_(kPiece + kPadding) {}

bool TextWindow::more() {
    if (end_)
        return false;
    if (at_ > 0) {
        std::memmove(buffer_.data(), buffer_.data() + at_, size_ - at_);
        base_ += at_;
        size_ -= at_;
        at_ = 0;
    }
    const std::size_t want = std::max(kPiece, size_);  // doubles for a long value
    if (buffer_.size() < size_ + want + kPadding)
        buffer_.resize(size_ + want + kPadding);
    const std::size_t got = text_.read(buffer_.data() + size_, want, base_ + size_);
    size_ += got;
    std::memset(buffer_.data() + size_, 0, kPadding);
    end_ = got == 0;
    return !end_;
}

char TextWindow::peek() {
    if (at_ >= size_ && !more())
        return '\0';
    return buffer_[at_];
}

void TextWindow::skip_space() {
    for (;;) {
        while (at_ < size_ && is_json_space(buffer_[at_]))
            ++at_;
        if (at_ < size_ || !more())
            return;
    }
}

TextWindow::Extent TextWindow::value(std::string_view& text) {
    ExtentScanner scanner;
    for (;;) {
        if (scanner.scan(buffer_.data() + at_, size_ - at_)) {
            text = {buffer_.data() + at_, scanner.at};
            return Extent::whole;
        }
        if (size_ - at_ >= kLargest)
            return Extent::too_long;
        if (!more()) {
            text = {buffer_.data() + at_, size_ - at_};
            return Extent::cut;
        }
    }
}

}  // namespace trainyard::traces
