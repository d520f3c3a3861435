// SPDX-License-Identifier: GPL-3.0-or-later
// Randomly mutated tokenizer files: each is refused with a sentence, or tokenizes texts whose ids it can decode.

#include <string>

#include "base/error.h"
#include "formats/tokenizers/tokenizer.h"
#include "support/byte_fuzz.h"
#include "support/golden.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace trainyard;
    try {
        const auto tokenizer = tokenizers::Tokenizer::from_json({reinterpret_cast<const char*>(data), size});
        for (const char* text :
             {"", "The train leaves <left> at 12:45.\n", "ﬁ e\u0301 列車 🚂 don't ACME", "<s>\u2581a<0x41>"}) {
            const tokenizers::Encoding encoding = tokenizer.encode(text);
            tokenizer.decode(encoding.ids, false);
        }
    } catch (const UserError&) {
    }
    return 0;
}

#if !defined(TRAINYARD_LIBFUZZER)

int main() {
    auto seeds = trainyard::test::fuzz_seeds(
        trainyard::test::golden("tokenizers"),
        [](const std::filesystem::path& path) { return path.filename() == "tokenizer.json"; });
    return trainyard::test::fuzz(seeds, [](std::string&) {});
}

#endif
