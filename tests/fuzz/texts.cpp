// SPDX-License-Identifier: GPL-3.0-or-later
// Texts that users give in any encoding, and descriptions of image processors: each is read or refused with a sentence.

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json.h"
#include "base/printable.h"
#include "base/text_file.h"
#include "base/untrusted.h"
#include "base/utf8.h"
#include "config/inputs/image_processor.h"

namespace {

using namespace trainyard;

void must(bool holds) {
    if (!holds)
        std::abort();
}

template <class Read>
void drive(Read read) {
    try {
        read();
    } catch (const UserError& error) {
        must(!std::string(error.what()).empty());
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string input(reinterpret_cast<const char*>(data), size);
    drive([&] {
        // An accepted text is UTF-8 without a byte order mark.
        const std::string_view text = text::checked_text(input, "text.txt");
        must(text::is_utf8(text) && text::foreign_encoding(input.substr(0, text::kHeadBytes)) == nullptr);
    });
    if (const auto fault = text::find_fault(input)) {
        must(fault->at < input.size());
        must(!text::describe_fault(*fault, 0).empty());
    }
    const std::string shown = text::printable_lines(input);
    must(text::is_utf8(shown) && text::printable_lines(shown) == shown);
    must(text::printable(input).find('\n') == std::string::npos);
    if (const auto path = SafePath::parse(input))
        must(("/run" / fs::path(path->text())).lexically_normal().string().starts_with("/run/"));
    if (is_json(input) && json_out_of_bounds(input) == nullptr)
        must(!read_json(input).is_discarded());
    for (const char* model : {"vit", "resnet"})
        drive([&] {
            const inputs::ImageProcessor processor =
                inputs::read_image_processor(input, "preprocessor_config.json", model, 3);
            must(processor.image_mean.size() == 3 && processor.image_std.size() == 3);
            for (const double deviation : processor.image_std)
                must(std::isfinite(deviation) && deviation != 0);
            must(processor.height >= 0 && processor.width >= 0 && processor.crop_height >= 0 &&
                 processor.crop_width >= 0 && processor.shortest_edge >= 0);
            inputs::read_image_processor(inputs::write_image_processor(processor), "written", model, 3);
        });
    return 0;
}
