// SPDX-License-Identifier: GPL-3.0-or-later
// Randomly mutated safetensors files (support/byte_fuzz.h): each is read or refused with a sentence; every byte of the
// tensors that are read must be accessible.

#include <cstdio>
#include <fstream>

#include "base/error.h"
#include "formats/weights/safetensors.h"
#include "support/byte_fuzz.h"
#include "support/fix_checksums.h"
#include "support/golden.h"
#include "support/temporary_folder.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace trainyard;
    static test::TemporaryFolder folder;
    std::filesystem::path path = folder.path() / "input.safetensors";
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
    try {
        weights::SafetensorsFile file(path);
        std::size_t sum = 0;
        for (const weights::TensorInfo& tensor : file.tensors())
            for (std::byte byte : file.bytes(tensor))
                sum += static_cast<std::size_t>(byte);
        if (sum == 1)  // prevents the compiler from removing the reads
            std::puts("");
    } catch (const UserError&) {
    }
    return 0;
}

#if !defined(TRAINYARD_LIBFUZZER)

int main() {
    auto seeds = trainyard::test::fuzz_seeds(
        trainyard::test::golden("checkpoints"),
        [](const std::filesystem::path& path) { return path.extension() == ".safetensors"; });
    return trainyard::test::fuzz(seeds, trainyard::test::fix_safetensors_length);
}

#endif
