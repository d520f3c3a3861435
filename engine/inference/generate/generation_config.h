// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Defaults of text generation that are stored with a model: generation_config.json, or config.json where that file is
// missing. Read as transformers' generate() reads them.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/message.h"
#include "inference/generate/sampling.h"

namespace trainyard::generate {

struct GenerationDefaults {
    /// Values of the file, and the defaults of GenerationOptions for what it does not name. eos_token_ids is empty if
    /// texts do not end at a token.
    GenerationOptions options;
    std::int64_t bos_token_id = -1;  ///< begins an empty prompt; -1: none
    /// Neither file names an end token: the tokenizer's are used.
    bool names_no_end = true;
    /// A sentence for each value that changes transformers' texts and is not used here.
    std::vector<Message> notes;
};

/// Reads the file of a model's folder. Throws UserError with file and key if a value has a wrong type.
GenerationDefaults read_generation_defaults(const std::filesystem::path& folder);

}  // namespace trainyard::generate
