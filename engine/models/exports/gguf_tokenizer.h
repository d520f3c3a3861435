// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The tokenizer of a model's folder as values of a GGUF file.

#include <filesystem>
#include <vector>

#include "base/message.h"
#include "formats/weights/gguf_file.h"
#include "models/spec/model_config.h"

namespace trainyard::exports {

/// Adds the tokens, their kinds, merges or scores, special tokens and the chat template of tokenizer.json and the
/// files next to it. Without that file the model has no tokens, which a note says. Throws UserError for a tokenizer
/// that GGUF has no name for.
void add_gguf_tokenizer(weights::GgufValues& values, const std::filesystem::path& folder,
                        const families::ModelConfig& config, std::vector<Message>& notes);

}  // namespace trainyard::exports
