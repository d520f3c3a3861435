// SPDX-License-Identifier: GPL-3.0-or-later
#include <csetjmp>
#include <cstring>
#include <vector>

#include <fmt/format.h>
#include <png.h>

#include "base/error.h"
#include "formats/tables/image.h"
#include "formats/tables/image_decoders.h"

namespace trainyard::formats {

namespace {

/// Everything that must survive libpng's longjmp(). No object with a destructor may be created between setjmp() and
/// longjmp().
struct PngDecoder {
    png_structp png = nullptr;
    png_infop info = nullptr;
    std::span<const std::byte> rest;
    char message[128] = {};
    std::vector<std::uint8_t> pixels;
    std::vector<png_bytep> rows;
    png_uint_32 height = 0, width = 0;
    int channels = 0;
    bool keeps_numbers = false;  ///< of grey values and palettes

    PngDecoder() = default;
    PngDecoder(const PngDecoder&) = delete;
    ~PngDecoder() { png_destroy_read_struct(&png, &info, nullptr); }
};

void on_png_error(png_structp png, png_const_charp message) {
    auto* decoder = static_cast<PngDecoder*>(png_get_error_ptr(png));
    std::strncpy(decoder->message, message, sizeof decoder->message - 1);
    png_longjmp(png, 1);
}

void on_png_warning(png_structp /*png*/, png_const_charp /*message*/) {}

void read_png_bytes(png_structp png, png_bytep out, std::size_t size) {
    auto* decoder = static_cast<PngDecoder*>(png_get_io_ptr(png));
    if (size > decoder->rest.size())
        png_error(png, "it is cut off");
    std::memcpy(out, decoder->rest.data(), size);
    decoder->rest = decoder->rest.subspan(size);
}

/// 1: success; 0: libpng reported an error.
int read_png_header(PngDecoder& decoder) {
    if (setjmp(png_jmpbuf(decoder.png)) != 0)
        return 0;
    png_set_read_fn(decoder.png, &decoder, read_png_bytes);
    png_set_chunk_malloc_max(decoder.png, 8 << 20);
    png_set_chunk_cache_max(decoder.png, 64);
    png_read_info(decoder.png, decoder.info);
    decoder.height = png_get_image_height(decoder.png, decoder.info);
    decoder.width = png_get_image_width(decoder.png, decoder.info);
    return 1;
}

int prepare_png(PngDecoder& decoder) {
    if (setjmp(png_jmpbuf(decoder.png)) != 0)
        return 0;
    if (decoder.keeps_numbers)
        png_set_packing(decoder.png);
    else
        png_set_palette_to_rgb(decoder.png);
    if (!decoder.keeps_numbers && png_get_color_type(decoder.png, decoder.info) == PNG_COLOR_TYPE_GRAY)
        png_set_expand_gray_1_2_4_to_8(decoder.png);
    png_set_strip_16(decoder.png);
    png_set_strip_alpha(decoder.png);
    png_set_interlace_handling(decoder.png);
    png_read_update_info(decoder.png, decoder.info);
    decoder.channels = png_get_channels(decoder.png, decoder.info);
    return 1;
}

int read_png_pixels(PngDecoder& decoder) {
    if (setjmp(png_jmpbuf(decoder.png)) != 0)
        return 0;
    png_read_image(decoder.png, decoder.rows.data());
    png_read_end(decoder.png, nullptr);
    return 1;
}

}  // namespace

Image decode_png(std::span<const std::byte> bytes, const std::string& where, std::int64_t pixel_limit, ImageMode mode) {
    PngDecoder decoder;
    decoder.keeps_numbers = mode == ImageMode::classes;
    decoder.rest = bytes;
    decoder.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &decoder, on_png_error, on_png_warning);
    if (decoder.png == nullptr || (decoder.info = png_create_info_struct(decoder.png)) == nullptr)
        throw std::bad_alloc();
    if (read_png_header(decoder) == 0)
        refuse_image(where, Message::verbatim(decoder.message));
    check_pixels(decoder.height, decoder.width, pixel_limit, where);
    if (decoder.keeps_numbers) {
        const int colours = png_get_color_type(decoder.png, decoder.info);
        if (colours == PNG_COLOR_TYPE_RGB || colours == PNG_COLOR_TYPE_RGB_ALPHA)
            refuse_image(where,
                         "its pixels are colours, and a mask holds the number of a class in each: save it in grey or "
                         "with a palette");
        if (png_get_bit_depth(decoder.png, decoder.info) > 8)
            refuse_image(where, "its pixels have 16 bits, and those of a mask have at most 8: save it with 8 bits");
    }
    if (prepare_png(decoder) == 0)
        refuse_image(where, Message::verbatim(decoder.message));
    std::size_t row = static_cast<std::size_t>(decoder.width) * static_cast<std::size_t>(decoder.channels);
    if (png_get_rowbytes(decoder.png, decoder.info) != row || (decoder.channels != 1 && decoder.channels != 3))
        refuse_image(where, "its colours are of an unknown kind");
    decoder.pixels.resize(row * decoder.height);
    for (png_uint_32 i = 0; i < decoder.height; ++i)
        decoder.rows.push_back(decoder.pixels.data() + i * row);
    if (read_png_pixels(decoder) == 0)
        refuse_image(where, Message::verbatim(decoder.message));
    return {decoder.height, decoder.width, decoder.channels, std::move(decoder.pixels)};
}

std::string encode_png(const Image& image) {
    auto values = static_cast<std::size_t>(image.height) * static_cast<std::size_t>(image.width) *
                  static_cast<std::size_t>(image.channels);
    constexpr std::int64_t kMostPixelsAside = 1 << 20;
    if ((image.channels != 1 && image.channels != 3) || image.height < 1 || image.width < 1 ||
        image.height > kMostPixelsAside || image.width > kMostPixelsAside || image.pixels.size() != values)
        throw UserError(
            "a picture of {} × {} pixels and {} channels cannot be written as PNG: give it 1 or 3 channels, and at "
            "least one pixel",
            image.width, image.height, image.channels);
    png_image how{};
    how.version = PNG_IMAGE_VERSION;
    how.width = static_cast<png_uint_32>(image.width);
    how.height = static_cast<png_uint_32>(image.height);
    how.format = image.channels == 1 ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB;
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(how);
    std::string bytes(size, '\0');
    if (png_image_write_to_memory(&how, bytes.data(), &size, 0, image.pixels.data(), 0, nullptr) == 0)
        throw UserError("a picture cannot be written as PNG: {}", static_cast<const char*>(how.message));
    bytes.resize(size);
    return bytes;
}

}  // namespace trainyard::formats
