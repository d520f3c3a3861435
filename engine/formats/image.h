#pragma once
// PNG and JPEG files as rows of bytes, and folders of them with a class per sub-folder. Pixels are what Pillow gives for
// convert("RGB") and convert("L"): alpha is dropped, grey is ITU-R 601-2 luma.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace trainyard::formats {

enum class ImageMode { rgb, grey };

struct Image {
    std::int64_t height = 0, width = 0, channels = 0;
    std::vector<std::uint8_t> pixels;  ///< [height, width, channels]
};

/// The format is told by the first bytes, never by the name. `where` names the image in errors. Throws UserError when it is neither, is
/// damaged or cut off, or has more than `pixel_limit` pixels.
Image decode_image(std::span<const std::byte> bytes, const std::string& where, ImageMode mode = ImageMode::rgb,
                   std::int64_t pixel_limit = 100'000'000);
Image read_image(const std::filesystem::path& path, ImageMode mode = ImageMode::rgb);
/// A PNG file's bytes, of 1 (grey) or 3 (RGB) channels. Throws UserError.
std::string encode_png(const Image& image);

/// As torchvision's ImageFolder: the sub-folders sorted by name are the classes 0, 1, ...; each one's images, at any depth, sorted by
/// path, folder by folder. Names end with .png, .jpg or .jpeg, in any case.
class ImageFolder {
  public:
    /// Throws UserError when there is no class, or a class without an image (named).
    explicit ImageFolder(const std::filesystem::path& folder);

    struct Sample {
        std::filesystem::path path;
        std::int64_t label = 0;
    };
    const std::vector<std::string>& classes() const { return classes_; }
    const std::vector<Sample>& samples() const { return samples_; }

  private:
    std::vector<std::string> classes_;
    std::vector<Sample> samples_;
};

}  // namespace trainyard::formats
