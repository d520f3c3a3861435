// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/say.h"

#include <cmath>
#include <cstdarg>
#include <cstdlib>

#include <fmt/format.h>

namespace trainyard::cli {

void say_format(std::FILE* to, const char* format, ...) {
    char* raw = nullptr;
    va_list arguments;
    va_start(arguments, format);
    const int size = ::vasprintf(&raw, format, arguments);
    va_end(arguments);
    if (size < 0)
        return;
    const std::string text = text::printable_lines(std::string_view(raw, static_cast<std::size_t>(size)));
    std::free(raw);
    std::fwrite(text.data(), 1, text.size(), to);
}

std::string loss_words(double loss) {
    return std::abs(loss) < 1e9 ? fmt::format("{:.4f}", loss) : fmt::format("{:.4g}", loss);
}

}  // namespace trainyard::cli
