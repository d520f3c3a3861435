// safetensors files, changed at random (support/byte_fuzz.h): read or refused with a sentence; of what is read every byte is there.

#include <cstdio>
#include <fstream>

#include "base/error.h"
#include "io/safetensors.h"
#include "support/byte_fuzz.h"
#include "support/golden.h"
#include "support/temporary_folder.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace trainyard;
    static test::TemporaryFolder folder;
    std::filesystem::path path = folder.path() / "input.safetensors";
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
    try {
        io::SafetensorsFile file(path);
        std::size_t sum = 0;
        for (const io::TensorInfo& tensor : file.tensors())
            for (std::byte byte : file.bytes(tensor))
                sum += static_cast<std::size_t>(byte);
        if (sum == 1)  // so that reading the bytes is not left out
            std::puts("");
    } catch (const UserError&) {
    }
    return 0;
}

#if !defined(TRAINYARD_LIBFUZZER)

namespace {

/// A header of another length would be cut or run into the data: the first eight bytes are made to end it at its last brace.
void mend_length(std::string& text) {
    if (text.size() < 16)
        return;
    std::size_t end = text.find("}}", 8);
    if (end == std::string::npos)
        return;
    std::uint64_t length = end + 2 - 8;
    for (std::size_t i = 0; i < 8; ++i)
        text[i] = static_cast<char>(length >> 8 * i);
}

}  // namespace

int main() {
    auto seeds = trainyard::test::fuzz_seeds(
        trainyard::test::golden("checkpoints"),
        [](const std::filesystem::path& path) { return path.extension() == ".safetensors"; });
    return trainyard::test::fuzz(seeds, mend_length);
}

#endif
