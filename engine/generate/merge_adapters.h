#pragma once
// A model with the products of its adapters added to its matrices, as a folder of transformers: what remains needs no adapter. With the weight -1 an
// adapter that was merged is taken out again.

#include <filesystem>
#include <string>

#include "generate/loaded_model.h"

namespace trainyard::generate {

/// Writes the weights (files of at most `max_shard_size`, with an index where there are several), config.json and the tokenizer into `output`.
/// Throws UserError; also where `source` has no adapter.
void merge_adapters(const ModelSource& source, const std::filesystem::path& output,
                    const std::string& max_shard_size = "10GB");

}  // namespace trainyard::generate
