// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Decodes one compressed image with libpng or libjpeg, for decode_image().

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "base/message.h"
#include "formats/tables/image.h"

namespace trainyard::formats {

/// Returns three channels or, only for grey images and classes, one. Throw UserError.
Image decode_png(std::span<const std::byte> bytes, const std::string& where, std::int64_t pixel_limit, ImageMode mode);
Image decode_jpeg(std::span<const std::byte> bytes, const std::string& where, std::int64_t pixel_limit);

[[noreturn]] void refuse_image(const std::string& where, const Message& why);
/// Throws UserError if there are more pixels than allowed.
void check_pixels(std::int64_t height, std::int64_t width, std::int64_t pixel_limit, const std::string& where);

}  // namespace trainyard::formats
