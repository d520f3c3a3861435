// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Decodes PNG and JPEG files, and lists folders of images with one class per sub-folder. Pixels equal Pillow's
// convert("RGB") and convert("L") of the picture turned as its EXIF says (image_orientation.h): alpha is dropped, grey
// is ITU-R 601-2 luma.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace trainyard::formats {

/// classes: masks, whose grey values or palette numbers are classes and stay as they are.
enum class ImageMode { rgb, grey, classes };

struct Image {
    std::int64_t height = 0, width = 0, channels = 0;
    std::vector<std::uint8_t> pixels;  ///< [height, width, channels]
};

/// The first bytes determine the format, not the name. `where` names the image in errors. Throws UserError if it is
/// neither PNG nor JPEG, is damaged or truncated, or has more than `pixel_limit` pixels.
Image decode_image(std::span<const std::byte> bytes, const std::string& where, ImageMode mode = ImageMode::rgb,
                   std::int64_t pixel_limit = 100'000'000);
Image read_image(const std::filesystem::path& path, ImageMode mode = ImageMode::rgb);
/// The bytes of a PNG file with 1 (grey) or 3 (RGB) channels. Throws UserError.
std::string encode_png(const Image& image);

/// As torchvision's ImageFolder: the sub-folders, sorted by name, are classes 0, 1, ...; the images of each, at any
/// depth, are sorted by path, folder by folder. File names end with .png, .jpg or .jpeg, in upper or lower case.
class ImageFolder {
  public:
    /// Throws UserError if there is no class, or if a class (named) has no image.
    explicit ImageFolder(const std::filesystem::path& folder);
    /// The classes are what an expression (base/regex.h) finds in the names of the files under the folders, by its
    /// first group or as a whole, sorted. Throws UserError with the first file that it does not match.
    static ImageFolder by_names(const std::vector<std::filesystem::path>& folders, const std::string& expression);

    struct Sample {
        std::filesystem::path path;
        std::int64_t label = 0;
    };
    const std::vector<std::string>& classes() const { return classes_; }
    const std::vector<Sample>& samples() const { return samples_; }

  private:
    ImageFolder() = default;
    std::vector<std::string> classes_;
    std::vector<Sample> samples_;
};

struct ImagePair {
    std::filesystem::path image, mask;
};

/// The images under the folders, sorted as those of a class, and for each the PNG file under `masks` with the same path
/// and name, up to the ending. Throws UserError with the first image without one.
std::vector<ImagePair> pair_images(const std::vector<std::filesystem::path>& folders,
                                   const std::filesystem::path& masks);

}  // namespace trainyard::formats
