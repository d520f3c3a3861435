// SPDX-License-Identifier: GPL-3.0-or-later
#include "observe/track/pictures.h"

#include "formats/tables/image.h"

namespace trainyard::track {

std::string png_of(const Pictures& pictures, std::int64_t index) {
    constexpr std::int64_t kChannels = 3;
    formats::Image image{pictures.height, pictures.width, kChannels, {}};
    const std::int64_t points = pictures.height * pictures.width;
    image.pixels.reserve(static_cast<std::size_t>(points * kChannels));
    const std::uint8_t* from = pictures.pixels.data() + index * points * pictures.channels;
    for (std::int64_t i = 0; i < points; ++i, from += pictures.channels)
        for (std::int64_t channel = 0; channel < kChannels; ++channel)
            image.pixels.push_back(from[pictures.channels == 1 ? 0 : channel]);
    return formats::encode_png(image);
}

}  // namespace trainyard::track
