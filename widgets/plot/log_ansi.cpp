// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/log_ansi.h"

#include <algorithm>
#include <array>

namespace trainyard::widgets {

namespace {

constexpr std::size_t kParameters = 32;  // of one sequence; more are ignored

struct Parameters {
    std::array<int, kParameters> value{};
    std::size_t count = 0;
    bool standard = true;  ///< no private marker such as ?
};

Parameters parameters_of(std::string_view text) {
    Parameters found;
    int number = 0;
    const auto take = [&] {
        if (found.count < kParameters)
            found.value[found.count++] = number;
        number = 0;
    };
    for (char c : text) {
        if (c >= '0' && c <= '9')
            number = std::min(number * 10 + (c - '0'), 100000);
        else if (c == ';' || c == ':')
            take();
        else
            found.standard = false;
    }
    take();
    return found;
}

/// Select graphic rendition.
void apply(const Parameters& codes, LogStyle& style) {
    for (std::size_t i = 0; i < codes.count; ++i) {
        const int code = codes.value[i];
        const auto set = [&style](LogStyle::Kind kind, std::uint32_t color) {
            style.kind = kind;
            style.color = color;
        };
        if (code == 0)
            style = {};
        else if (code == 1)
            style.bold = true;
        else if (code == 2)
            style.dim = true;
        else if (code == 4)
            style.underline = true;
        else if (code == 22)
            style.bold = style.dim = false;
        else if (code == 24)
            style.underline = false;
        else if (code >= 30 && code <= 37)
            set(LogStyle::Kind::Indexed, static_cast<std::uint32_t>(code - 30));
        else if (code >= 90 && code <= 97)
            set(LogStyle::Kind::Indexed, static_cast<std::uint32_t>(code - 90 + 8));
        else if (code == 39)
            set(LogStyle::Kind::Default, 0);
        else if (code == 38 || code == 48) {
            const auto at = [&](std::size_t k) {
                return i + k < codes.count ? static_cast<std::uint32_t>(std::min(codes.value[i + k], 255)) : 0u;
            };
            const std::uint32_t mode = at(1);
            if (mode != 5 && mode != 2)
                return;
            if (code == 38)
                mode == 5 ? set(LogStyle::Kind::Indexed, at(2))
                          : set(LogStyle::Kind::Rgb, at(2) << 16 | at(3) << 8 | at(4));
            i += mode == 5 ? 2 : 4;
        }
    }
}

class Reader {
  public:
    explicit Reader(bool wants_styles) : wants_styles_(wants_styles) {}

    TerminalLine read(std::string_view line) {
        while (!line.empty() && (line.back() == '\r' || line.back() == '\n'))
            line.remove_suffix(1);
        result_.text.reserve(line.size());
        for (std::size_t i = 0; i < line.size(); ++i) {
            if (line[i] == '\x1b')
                i = escape(line, i);
            else if (line[i] == '\r')
                restart();
            else if (line[i] == '\b') {
                if (!result_.text.empty())
                    erase_last();
            } else {
                result_.text += line[i] == '\t' ? ' ' : line[i];
            }
        }
        close();
        return std::move(result_);
    }

  private:
    /// Returns the index of the sequence's last byte.
    std::size_t escape(std::string_view line, std::size_t i) {
        if (i + 1 >= line.size())
            return i;
        if (line[i + 1] == '[') {
            const std::size_t begin = i += 2;
            while (i < line.size() && !(line[i] >= 0x40 && line[i] <= 0x7e))
                ++i;
            if (i < line.size())
                control(line[i], parameters_of(line.substr(begin, i - begin)));
            return i;
        }
        if (line[i + 1] == ']') {
            while (i < line.size() && line[i] != '\x07' && !(line[i] == '\\' && line[i - 1] == '\x1b'))
                ++i;
            return i;
        }
        return i + 1;
    }

    void control(char final, const Parameters& codes) {
        if (!codes.standard)
            return;
        const int first = codes.value[0];
        if (final == 'm') {
            close();
            apply(codes, style_);
        } else if (final == 'A') {
            result_.lines_up += std::max(first, 1);
        } else if (final == 'B') {
            result_.lines_up = std::max(0, result_.lines_up - std::max(first, 1));
        } else if (final == 'K' && (first == 1 || first == 2)) {
            restart();
        }
    }

    /// Ends the stretch that is printed in one style.
    void close() {
        const auto end = static_cast<std::uint32_t>(result_.text.size());
        if (wants_styles_ && end > begin_ && !style_.plain())
            result_.styled.push_back({begin_, end, style_});
        begin_ = end;
    }

    void restart() {
        result_.text.clear();
        result_.styled.clear();
        begin_ = 0;
    }

    void erase_last() {
        // One character of UTF-8, not one byte.
        while (!result_.text.empty()) {
            const bool continuation = (static_cast<unsigned char>(result_.text.back()) & 0xc0) == 0x80;
            result_.text.pop_back();
            if (!continuation)
                break;
        }
        const auto end = static_cast<std::uint32_t>(result_.text.size());
        while (!result_.styled.empty() && result_.styled.back().end > end) {
            result_.styled.back().end = end;
            if (result_.styled.back().begin >= end)
                result_.styled.pop_back();
        }
        begin_ = std::min(begin_, end);
    }

    bool wants_styles_;
    TerminalLine result_;
    LogStyle style_;
    std::uint32_t begin_ = 0;
};

}  // namespace

TerminalLine terminal_line(std::string_view line) {
    return Reader(true).read(line);
}

std::string plain_text(std::string_view line) {
    return Reader(false).read(line).text;
}

}  // namespace trainyard::widgets
