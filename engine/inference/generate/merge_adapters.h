// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A model with the products of its adapters added to its matrices, as a folder of transformers: what remains needs no adapter. With the weight -1 an
// adapter that was merged is taken out again.

#include <filesystem>
#include <string>
#include <vector>

#include "base/message.h"
#include "inference/generate/loaded_model.h"

namespace trainyard::generate {

struct MergeOptions {
    std::string max_shard_size = "10GB";  ///< several files have an index
    /// Of the written weights: float32, bfloat16, float16, or auto: each tensor keeps the type that the model's has.
    std::string dtype = "auto";
};

/// Writes the weights, config.json and the tokenizer into `output`. Sums are computed in fp32 and rounded once; weights
/// that no adapter changes are copied bit for bit, unless `dtype` says otherwise. Returns warnings. Throws UserError;
/// also where `source` has no adapter.
std::vector<Message> merge_adapters(const ModelSource& source, const std::filesystem::path& output,
                                    const MergeOptions& options = {});

}  // namespace trainyard::generate
