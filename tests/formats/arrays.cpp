// SPDX-License-Identifier: GPL-3.0-or-later
// NumPy arrays are read, and their headers are untrusted; safetensors and images as data.

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <numeric>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "formats/tables/image.h"
#include "formats/tables/numpy.h"
#include "formats/tables/table_reader.h"
#include "formats/weights/safetensors.h"
#include "support/says.h"
#include "support/temporary_folder.h"
#include "support/write_npy.h"
#include "written.h"

namespace trainyard::formats {
namespace {

using test::says;
using testing::_;
using testing::HasSubstr;

ArrayHeader header_of(const std::string& literal, std::uint64_t file_bytes = 1 << 20) {
    std::string text("\x93NUMPY\1\0", 8);
    text += static_cast<char>(literal.size() & 255);
    text += static_cast<char>(literal.size() >> 8);
    text += literal;
    return parse_npy_header(std::as_bytes(std::span(text)), file_bytes, "x.npy");
}

TEST(Arrays, headers) {
    ArrayHeader header = header_of("{'shape': (3, 4L,), \"fortran_order\": True, 'descr': '>f4'}   \n");
    EXPECT_EQ(header.type, ElementType::f32);
    EXPECT_TRUE(header.fortran_order);
    EXPECT_TRUE(header.big_endian);
    EXPECT_THAT(header.shape, testing::ElementsAre(3, 4));
    EXPECT_EQ(header.elements(), 12u);
    const std::string good = "'descr': '<f8', 'fortran_order': False, 'shape': ";
    for (const char* shape : {"(3", "3", "(-1,)", "(1.5,)", "(a,)", "(1 2)", "(99999999999999999999,)",
                              "(0, 4611686018427387904, 4)", "(1, 2)}, x"})
        EXPECT_NE(test::refusal([&] { header_of("{" + good + shape + "}"); }), "") << shape;
    for (const char* literal :
         {"", "{", "{}", "[]", "{'descr': '<f8'}", "{'descr': '<f8', 'descr': '<f8', 'shape': (1,)}",
          "{'descr': __import__('os')}", "{'a': 1}", "{'descr': '<f8\\n', 'fortran_order': False, 'shape': (1,)}",
          "{'descr': '<m8[ns]', 'fortran_order': False, 'shape': (1,)}"})
        EXPECT_NE(test::refusal([&] { header_of(literal); }), "") << literal;
    EXPECT_THAT(test::refusal([&] { header_of("{" + good + "(1000000, 1000)}"); }),
                says("its shape ({}) needs {} bytes and the file has {}: it is cut off or lies", _, _, _));
}

TEST(Arrays, of_any_shape_are_read) {
    test::TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "a.npy";
    std::vector<float> values(24);
    std::iota(values.begin(), values.end(), 0.5f);
    for (std::vector<std::int64_t> shape : {std::vector<std::int64_t>{24}, {4, 6}, {2, 3, 4}, {0, 5}}) {
        std::int64_t elements = 1;
        for (std::int64_t size : shape)
            elements *= size;
        auto bytes = std::as_bytes(std::span(values)).first(static_cast<std::size_t>(elements) * 4);
        test::write_npy(file, "<f4", shape, bytes);
        const Column column = open_table(file)->read(0, shape[0]).at("array");
        EXPECT_EQ(column.field.type, ElementType::f32);
        EXPECT_EQ(column.rows, shape[0]);
        EXPECT_TRUE(std::ranges::equal(column.field.shape, std::span(shape).subspan(1)));
        EXPECT_TRUE(std::ranges::equal(column.data, bytes));
    }
    test::write_npy(file, "<f4", {}, std::as_bytes(std::span(values)).first(4));
    EXPECT_THAT(test::refusal([&] { open_table(file); }),
                says("{}: '{}' is a single number without rows: name the arrays that you want", _, _));
}

TEST(Arrays, safetensors_as_columns) {
    test::TemporaryFolder folder;
    std::vector<std::int32_t> labels{1, 2, 3};
    std::vector<float> points{1, 2, 3, 4, 5, 6};
    std::filesystem::path path = folder.path() / "d.safetensors";
    weights::write_safetensors(path, {{"labels", "I32", {3}, std::as_bytes(std::span(labels))},
                                      {"points", "F32", {3, 2}, std::as_bytes(std::span(points))},
                                      {"other", "F32", {2, 3}, std::as_bytes(std::span(points))}});
    EXPECT_THAT(test::refusal([&] { open_table(path); }),
                says("{}: '{}' has {} rows and '{}' has {}: name the arrays that belong together", _, _, _, _, _));
    auto reader = open_table(path, {.columns = {"points", "labels"}});
    ASSERT_EQ(reader->rows(), 3);
    Table table = reader->read(1, 2);
    EXPECT_THAT(table.at("labels").values<std::int32_t>(), testing::ElementsAre(2, 3));
    EXPECT_THAT(table.at("points").values<float>(), testing::ElementsAre(3, 4, 5, 6));
    std::filesystem::resize_file(path, std::filesystem::file_size(path) - 8);
    EXPECT_THAT(test::refusal([&] { reader->read(0, 3); }),
                says("{} ends at byte {}, it had {} bytes when it was opened: it was changed or cut while it was being "
                     "read, start again with a file that stays as it is",
                     _, _, _));
}

TEST(Arrays, image_folders_that_cannot_be_used) {
    test::TemporaryFolder folder;
    EXPECT_THAT(test::refusal([&] { ImageFolder images(folder.path()); }),
                says("{} has no sub-folders: put the images of each class in a folder with the class's name", _));
    EXPECT_THAT(test::refusal([&] { ImageFolder images(folder.path() / "none"); }), HasSubstr("No such file"));
    std::filesystem::create_directories(folder.path() / "cat/deep");
    std::filesystem::create_directories(folder.path() / "dog");
    test::write(folder.path() / "cat/deep/1.PNG", "x");
    test::write(folder.path() / "dog/1.txt", "x");
    EXPECT_THAT(test::refusal([&] { ImageFolder images(folder.path()); }),
                says("there is no image (.png .jpg .jpeg) in the class folder").before(" dog"));
    test::write(folder.path() / "dog/1.jpeg", "x");
    ImageFolder images(folder.path());
    EXPECT_THAT(images.classes(), testing::ElementsAre("cat", "dog"));
    EXPECT_EQ(images.samples()[1].label, 1);
}

}  // namespace
}  // namespace trainyard::formats
