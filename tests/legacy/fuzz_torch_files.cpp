// Torch's files, changed at random (support/byte_fuzz.h): whatever comes, it is read or refused with a sentence, within the limits of
// memory; and what can be kept as the text of a pickle is read again from that text.

#include <cstdio>
#include <cstdlib>
#include <string>

#include "base/error.h"
#include "legacy/dcp_metadata.h"
#include "legacy/pickle_writer.h"
#include "legacy/torch_file.h"
#include "support/byte_fuzz.h"
#include "support/golden.h"

namespace {

using namespace trainyard;

/// A pickle that is written again must be readable: it is what a checkpoint carries along.
void keep(const legacy::Value& value) {
    legacy::PickleWriter writer;
    try {
        writer.value(value, "input");
    } catch (const UserError&) {
        return;  // tensors, or too much of it
    }
    std::string text = writer.finish();
    try {
        legacy::Pickle again(std::as_bytes(std::span(text)), "written");
    } catch (const UserError& error) {
        std::fprintf(stderr, "%s\n", error.what());
        std::abort();
    }
}

void read_torch_file(std::span<const std::byte> bytes) {
    try {
        legacy::TorchFile file(bytes, "input");
        std::size_t sum = 0;
        for (const legacy::Object* tensor : file.pickle().tensors())
            file.stream(*tensor->tensor, [&](std::span<const std::byte> piece) {
                for (std::byte byte : piece)
                    sum += static_cast<std::size_t>(byte);
            });
        keep(file.pickle().root());
        if (sum == 1)  // so that reading the bytes is not left out
            std::puts("");
    } catch (const UserError&) {
    }
}

void read_metadata(std::span<const std::byte> bytes) {
    try {
        legacy::read_dcp_metadata(bytes, "input");
    } catch (const UserError&) {
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(data), size);
    read_torch_file(bytes);
    if (!legacy::ZipArchive::begins_like_one(bytes))
        read_metadata(bytes);
    return 0;
}

#if !defined(TRAINYARD_LIBFUZZER)

namespace {

/// The checksums of an archive would stop nearly every change at the door: put the right ones in.
void mend_checksums(std::string& text) {
    for (std::size_t at = text.find("PK\1\2"); at != std::string::npos && at + 46 <= text.size();
         at = text.find("PK\1\2", at + 4)) {
        auto number = [&](std::size_t place, std::size_t bytes) {
            std::uint64_t value = 0;
            for (std::size_t i = bytes; i-- > 0;)
                value = value << 8 | static_cast<unsigned char>(text[place + i]);
            return value;
        };
        std::uint64_t size = number(at + 24, 4), header = number(at + 42, 4);
        if (header + 30 > text.size())
            continue;
        std::uint64_t data = header + 30 + number(header + 26, 2) + number(header + 28, 2);
        if (data + size > text.size())
            continue;
        std::uint32_t crc = legacy::crc32(std::as_bytes(std::span(text.data() + data, size)));
        for (std::size_t i = 0; i < 4; ++i)
            text[at + 16 + i] = static_cast<char>(crc >> 8 * i);
    }
}

}  // namespace

int main() {
    auto seeds = test::fuzz_seeds(test::golden("checkpoints"), [](const std::filesystem::path& path) {
        std::string suffix = path.extension();
        return suffix == ".bin" || suffix == ".pkl" || suffix == ".pt" || path.filename() == ".metadata";
    });
    return test::fuzz(seeds, mend_checksums);
}

#endif
