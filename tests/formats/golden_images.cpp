// Pixels of PNG and JPEG files of every kind, compared with Pillow's.

#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include "formats/tables/image.h"
#include "formats/tables/numpy.h"
#include "support/golden.h"

namespace trainyard::formats {
namespace {

TEST(GoldenImages, pixels_are_pillows) {
    auto pixels = read_npz(test::golden("data_formats") / "pixels.npz");
    int compared = 0;
    for (const auto& [key, array] : pixels) {
        SCOPED_TRACE(key);
        auto slash = key.rfind('/');
        std::filesystem::path path = test::golden("data_formats") / "images" / key.substr(0, slash);
        bool grey = key.substr(slash) == "/grey";
        Image image = read_image(path, grey ? ImageMode::grey : ImageMode::rgb);
        ASSERT_EQ(image.height, array.shape[0]);
        ASSERT_EQ(image.width, array.shape[1]);
        ASSERT_EQ(image.channels, grey ? 1 : 3);
        ASSERT_EQ(image.pixels.size(), array.data.size());
        // PNG is exact. The JPEG standard does not define the inverse transform bitwise, and versions of libjpeg-turbo
        // differ by one.
        int allowed = path.extension() == ".png" ? 0 : 2;
        for (std::size_t i = 0; i < image.pixels.size(); ++i)
            ASSERT_LE(std::abs(int{image.pixels[i]} - static_cast<int>(array.data[i])), allowed) << "byte " << i;
        ++compared;
    }
    EXPECT_GE(compared, 20);
}

}  // namespace
}  // namespace trainyard::formats
