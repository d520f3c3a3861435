// SPDX-License-Identifier: GPL-3.0-or-later
// Randomly mutated event files (support/byte_fuzz.h): intact records are read, the first damaged one stops reading with
// a sentence, and reading a file in two parts gives the same result as in one.

#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "base/files/crc32c.h"
#include "formats/events/event_file.h"
#include "support/byte_fuzz.h"
#include "support/golden.h"
#include "support/temporary_folder.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace trainyard;
    static test::TemporaryFolder folder;
    std::filesystem::path path = folder.path() / "events.out.tfevents.1";
    auto write = [&](std::size_t begin, std::size_t end, std::ios::openmode mode) {
        std::ofstream(path, std::ios::binary | mode)
            .write(reinterpret_cast<const char*>(data) + begin, static_cast<std::streamsize>(end - begin));
    };
    write(0, size, std::ios::trunc);
    events::EventFileReader once(path);
    std::size_t all = once.poll().size();
    write(0, size / 2, std::ios::trunc);
    events::EventFileReader twice(path);
    std::size_t parts = twice.poll().size();
    write(size / 2, size, std::ios::app);
    parts += twice.poll().size();
    if (all != parts || once.records() != twice.records()) {
        std::fprintf(stderr, "%zu scalars at once, %zu in two goes\n", all, parts);
        std::abort();
    }
    return 0;
}

#if !defined(TRAINYARD_LIBFUZZER)

namespace {

/// Length, checksum of the length, data, checksum of the data: corrects all checksums.
void fix_event_checksums(std::string& text) {
    auto put = [&](std::size_t at, std::uint32_t value) {
        for (std::size_t i = 0; i < 4; ++i)
            text[at + i] = static_cast<char>(value >> 8 * i);
    };
    for (std::size_t at = 0; text.size() - at >= 16;) {
        std::uint64_t length = 0;
        for (std::size_t i = 8; i-- > 0;)
            length = length << 8 | static_cast<unsigned char>(text[at + i]);
        if (length > text.size() - at - 16)
            length = text.size() - at - 16;
        for (std::size_t i = 0; i < 8; ++i)
            text[at + i] = static_cast<char>(length >> 8 * i);
        std::string_view all = text;
        put(at + 8, trainyard::files::masked_crc32c(all.substr(at, 8)));
        put(at + 12 + length, trainyard::files::masked_crc32c(all.substr(at + 12, length)));
        at += 16 + length;
    }
}

}  // namespace

int main() {
    auto seeds =
        trainyard::test::fuzz_seeds(trainyard::test::golden("tb_events"), [](const std::filesystem::path& path) {
            return path.filename().string().find("tfevents") != std::string::npos;
        });
    return trainyard::test::fuzz(seeds, fix_event_checksums);
}

#endif
