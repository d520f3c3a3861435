// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The orientation that cameras write into a picture instead of turning its pixels (tag 274 of EXIF, in JPEG and PNG).

#include <cstddef>
#include <span>

#include "formats/tables/image.h"

namespace trainyard::formats {

/// 1 (as stored) to 8, of the bytes of a JPEG or PNG file. 1 where it is missing, damaged or not one of these.
int exif_orientation(std::span<const std::byte> file);

/// The picture as it is to be seen, as Pillow's ImageOps.exif_transpose(). Heights and widths change places from 5 on.
Image turned(Image image, int orientation);

}  // namespace trainyard::formats
