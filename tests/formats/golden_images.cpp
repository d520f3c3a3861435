// SPDX-License-Identifier: GPL-3.0-or-later
// Pixels of PNG and JPEG files of every kind, compared with Pillow's.

#include <cstdlib>
#include <filesystem>
#include <map>

#include <gtest/gtest.h>

#include "base/files/mapped_file.h"
#include "base/files/zip_directory.h"
#include "formats/tables/image.h"
#include "formats/tables/table_reader.h"
#include "support/golden.h"

namespace trainyard::formats {
namespace {

std::map<std::string, Column> read_npz(const std::filesystem::path& path) {
    std::map<std::string, Column> arrays;
    for (const files::ZipEntry& entry : files::read_zip_directory(files::MappedFile(path).bytes(), "pixels")) {
        const std::string name = entry.name.substr(0, entry.name.size() - 4);  // .npy
        auto reader = open_table(path, {.columns = {name}});
        arrays.emplace(name, reader->read(0, reader->rows()).at(name));
    }
    return arrays;
}

void expect_pixels(const std::filesystem::path& path, ImageMode mode, const Column& array) {
    SCOPED_TRACE(path.filename().string());
    Image image = read_image(path, mode);
    ASSERT_EQ(image.height, array.rows);
    ASSERT_EQ(image.width, array.field.shape[0]);
    ASSERT_EQ(image.channels, mode == ImageMode::grey ? 1 : 3);
    ASSERT_EQ(image.pixels.size(), array.data.size());
    // PNG is exact. The JPEG standard does not define the inverse transform bitwise, and versions of libjpeg-turbo
    // differ by one.
    int allowed = path.extension() == ".png" ? 0 : 2;
    for (std::size_t i = 0; i < image.pixels.size(); ++i)
        ASSERT_LE(std::abs(int{image.pixels[i]} - static_cast<int>(array.data[i])), allowed) << "byte " << i;
}

TEST(GoldenImages, pixels_are_pillows) {
    const std::filesystem::path folder = test::golden("data_formats");
    auto pixels = read_npz(folder / "pixels.npz");
    for (const auto& [key, array] : pixels) {
        auto slash = key.rfind('/');
        bool grey = key.substr(slash) == "/grey";
        expect_pixels(folder / "images" / key.substr(0, slash), grey ? ImageMode::grey : ImageMode::rgb, array);
    }
    EXPECT_GE(pixels.size(), 20u);
}

TEST(GoldenImages, pictures_are_turned_as_their_exif_says) {
    const std::filesystem::path folder = test::golden("image_orientation");
    auto pixels = read_npz(folder / "pixels.npz");
    for (const auto& [name, array] : pixels)
        expect_pixels(folder / "images" / name, ImageMode::rgb, array);
    EXPECT_GE(pixels.size(), 8u);
}

}  // namespace
}  // namespace trainyard::formats
