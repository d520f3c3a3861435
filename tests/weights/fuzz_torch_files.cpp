// SPDX-License-Identifier: GPL-3.0-or-later
// Randomly mutated torch files (support/byte_fuzz.h): each is read or refused with a sentence, within the memory
// limits; values that can be pickled again can be read again.

#include <cstdio>
#include <cstdlib>
#include <string>

#include "base/error.h"
#include "formats/weights/dcp_metadata.h"
#include "formats/weights/pickle_writer.h"
#include "formats/weights/torch_file.h"
#include "formats/weights/torch_leaves.h"
#include "support/byte_fuzz.h"
#include "support/fix_checksums.h"
#include "support/golden.h"

namespace {

using namespace trainyard;

/// A pickle that is written again must be readable, because checkpoints contain such pickles.
void keep(const weights::Value& value) {
    weights::PickleWriter writer;
    try {
        writer.value(value, "input");
    } catch (const UserError&) {
        return;  // tensors, or a value that is too large
    }
    std::string text = writer.finish();
    try {
        weights::Pickle again(std::as_bytes(std::span(text)), "written");
    } catch (const UserError& error) {
        std::fprintf(stderr, "%s\n", error.what());
        std::abort();
    }
}

void read_torch_file(std::span<const std::byte> bytes) {
    try {
        weights::TorchFile file(bytes, "input");
        std::size_t sum = 0;
        for (const weights::Object* tensor : file.pickle().tensors())
            file.stream(*tensor->tensor, [&](std::span<const std::byte> piece) {
                for (std::byte byte : piece)
                    sum += static_cast<std::size_t>(byte);
            });
        keep(file.pickle().root());
        const weights::TorchLeaves all = weights::leaves_of(file);
        weights::find_model_level(all.leaves);
        if (sum == 1)  // prevents the compiler from removing the reads
            std::puts("");
    } catch (const UserError&) {
    }
}

void read_metadata(std::span<const std::byte> bytes) {
    try {
        const weights::DcpMetadata metadata = weights::read_dcp_metadata(bytes, "input");
        std::vector<weights::StateLeaf> leaves;
        for (const weights::DcpTensor& tensor : metadata.tensors)
            leaves.push_back({tensor.path, true, 2});
        for (const weights::DcpValue& value : metadata.values)
            leaves.push_back({value.path, false, 0});
        std::erase_if(leaves, [](const weights::StateLeaf& leaf) { return leaf.path.empty(); });
        weights::find_model_level(leaves);
    } catch (const UserError&) {
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(data), size);
    read_torch_file(bytes);
    if (!files::ZipArchive::begins_like_one(bytes))
        read_metadata(bytes);
    return 0;
}

#if !defined(TRAINYARD_LIBFUZZER)

int main() {
    auto seeds = test::fuzz_seeds(test::golden("checkpoints"), [](const std::filesystem::path& path) {
        std::string suffix = path.extension();
        return suffix == ".bin" || suffix == ".pkl" || suffix == ".pt" || path.filename() == ".metadata";
    });
    return test::fuzz(seeds, test::fix_zip_checksums);
}

#endif
