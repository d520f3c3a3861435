// SPDX-License-Identifier: GPL-3.0-or-later
// Configurations of adapters and the lines that trainyard-worker generate takes: read, or refused with a sentence.
// Options that are read pass the check of generation, or are refused by it.

#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/error.h"
#include "config/inputs/adapter_config.h"
#include "inference/generate/sampling.h"
#include "worker/prompt_requests.h"

namespace {

using namespace trainyard;

template <class Read>
void drive(Read read) {
    try {
        read();
    } catch (const UserError& error) {
        if (std::string(error.what()).empty())
            std::abort();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    drive([&] {
        const config::LoraRecipe recipe = inputs::parse_adapter_config(text, "adapter_config.json").lora;
        if (recipe.r < 1 || recipe.r > 4096)
            std::abort();
    });
    drive([&] {
        const worker::ModelRequest request = worker::parse_model_request(text);
        if (request.source.path.empty() || request.threads < 0)
            std::abort();
    });
    drive([&] { generate::check(worker::parse_prompt_request(text).options); });
    return 0;
}
