// SPDX-License-Identifier: GPL-3.0-or-later
#include <csetjmp>
#include <cstdio>
#include <vector>

#include <jpeglib.h>

// After jpeglib.h, which needs <cstdio> but does not include it.
#include <jerror.h>

#include "base/message.h"
#include "formats/tables/image_decoders.h"

namespace trainyard::formats {

namespace {

/// Everything that must survive libjpeg's longjmp().
struct JpegDecoder {
    jpeg_decompress_struct jpeg{};
    jpeg_error_mgr errors{};
    std::jmp_buf back{};
    char message[JMSG_LENGTH_MAX] = {};
    std::span<const std::byte> bytes;
    std::vector<std::uint8_t> pixels;
    std::size_t row = 0;

    JpegDecoder() = default;
    JpegDecoder(const JpegDecoder&) = delete;
    ~JpegDecoder() { jpeg_destroy_decompress(&jpeg); }
};

void on_jpeg_error(j_common_ptr common) {
    auto* decoder = static_cast<JpegDecoder*>(common->client_data);
    common->err->format_message(common, decoder->message);
    std::longjmp(decoder->back, 1);
}

void on_jpeg_message(j_common_ptr common, int level) {
    // The warning that pixels are missing is an error; other warnings do not affect pixels.
    int code = common->err->msg_code;
    if (level < 0 && (code == JWRN_JPEG_EOF || code == JWRN_HIT_MARKER))
        on_jpeg_error(common);
}

int read_jpeg_header(JpegDecoder& decoder) {
    if (setjmp(decoder.back) != 0)
        return 0;
    jpeg_create_decompress(&decoder.jpeg);
    jpeg_mem_src(&decoder.jpeg, reinterpret_cast<const unsigned char*>(decoder.bytes.data()),
                 static_cast<unsigned long>(decoder.bytes.size()));
    jpeg_read_header(&decoder.jpeg, TRUE);
    if (decoder.jpeg.jpeg_color_space == JCS_YCCK)
        decoder.jpeg.out_color_space = JCS_CMYK;
    else if (decoder.jpeg.jpeg_color_space != JCS_CMYK)
        decoder.jpeg.out_color_space = decoder.jpeg.num_components == 1 ? JCS_GRAYSCALE : JCS_RGB;
    // A progressive file needs all coefficients in memory; their number depends on the pixels, which are limited.
    return 1;
}

int read_jpeg_pixels(JpegDecoder& decoder) {
    if (setjmp(decoder.back) != 0)
        return 0;
    jpeg_start_decompress(&decoder.jpeg);
    while (decoder.jpeg.output_scanline < decoder.jpeg.output_height) {
        JSAMPROW out = decoder.pixels.data() + decoder.jpeg.output_scanline * decoder.row;
        jpeg_read_scanlines(&decoder.jpeg, &out, 1);
    }
    jpeg_finish_decompress(&decoder.jpeg);
    return 1;
}

/// As Pillow's convert("RGB"). Adobe files, the only ones known, store inverted inks.
Image from_cmyk(const Image& inks, bool inverted) {
    Image image{inks.height, inks.width, 3, {}};
    image.pixels.reserve(static_cast<std::size_t>(inks.height * inks.width * 3));
    for (std::size_t at = 0; at < inks.pixels.size(); at += 4) {
        auto ink = [&](std::size_t i) { return inverted ? 255 - inks.pixels[at + i] : int{inks.pixels[at + i]}; };
        int white = 255 - ink(3);
        for (std::size_t i = 0; i < 3; ++i) {
            int product = ink(i) * white + 128;
            int value = white - ((product + (product >> 8)) >> 8);
            image.pixels.push_back(static_cast<std::uint8_t>(value < 0 ? 0 : value));
        }
    }
    return image;
}

}  // namespace

Image decode_jpeg(std::span<const std::byte> bytes, const std::string& where, std::int64_t pixel_limit) {
    JpegDecoder decoder;
    decoder.bytes = bytes;
    decoder.jpeg.err = jpeg_std_error(&decoder.errors);
    decoder.errors.error_exit = on_jpeg_error;
    decoder.errors.emit_message = on_jpeg_message;
    decoder.jpeg.client_data = &decoder;
    if (read_jpeg_header(decoder) == 0)
        refuse_image(where, Message::verbatim(decoder.message));
    check_pixels(decoder.jpeg.image_height, decoder.jpeg.image_width, pixel_limit, where);
    int channels = decoder.jpeg.out_color_space == JCS_CMYK ? 4 : decoder.jpeg.out_color_space == JCS_RGB ? 3 : 1;
    decoder.row = static_cast<std::size_t>(decoder.jpeg.image_width) * static_cast<std::size_t>(channels);
    decoder.pixels.resize(decoder.row * decoder.jpeg.image_height);
    if (read_jpeg_pixels(decoder) == 0)
        refuse_image(where, Message::verbatim(decoder.message));
    Image image{decoder.jpeg.image_height, decoder.jpeg.image_width, channels, std::move(decoder.pixels)};
    return channels == 4 ? from_cmyk(image, decoder.jpeg.saw_Adobe_marker != 0) : image;
}

}  // namespace trainyard::formats
