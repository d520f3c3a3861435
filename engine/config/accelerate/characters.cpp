#include <algorithm>

#include "config/accelerate/formats.h"

namespace trainyard::settings {

Place place_of(std::string_view text, std::size_t offset) {
    std::string_view before = text.substr(0, std::min(offset, text.size()));
    std::size_t line_start = before.rfind('\n');
    Place place;
    place.line = 1 + static_cast<int>(std::ranges::count(before, '\n'));
    place.column =
        1 + static_cast<int>(line_start == std::string_view::npos ? before.size() : before.size() - line_start - 1);
    return place;
}

}  // namespace trainyard::settings
