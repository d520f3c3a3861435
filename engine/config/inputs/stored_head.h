// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Weights of a head that a file has besides the table of the embedding, which the head of a tied model shares. The one
// rule for every reader: equal values say nothing new; different ones contradict tie_word_embeddings, and the head of
// the file counts, as in transformers 5.

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

#include "base/message.h"
#include "formats/weights/weight_source.h"
#include "models/spec/model_config.h"

namespace trainyard::inputs {

struct StoredHead {
    std::string head;   ///< its name in the file; empty: the file has none, or the model's head is never tied
    std::string table;  ///< name of the table in the model
    bool differs = false;
    std::size_t tensor = 0;  ///< the head in the source
};

/// Reads the data of both tensors if the file has them. Throws UserError if they are corrupt.
StoredHead stored_head(const weights::WeightSource& source, const families::ModelConfig& config);

/// The head that contradicts a config.json: `config` ties it to a tensor from which it differs. Empty if they agree, or
/// if the family decides by the file alone whether the head is tied.
std::optional<StoredHead> head_against_config(const weights::WeightSource& source, const families::ModelConfig& config);

/// What a writer of weights says of such a head, which it writes as it is; empty: nothing contradicts. `weights`: the
/// file or folder of the source. Its config.json is the one there or, of the folder of a checkpoint's pieces, in the
/// folder around it; without one, or with one of an unknown family, nothing contradicts. `writes_config`: the result
/// gets the config.json, with families::with_own_head().
Message note_of_head(const weights::WeightSource& source, const std::filesystem::path& weights, bool writes_config);

/// The table of a model whose head may be tied; empty: it has none.
std::string tied_table(const families::ModelConfig& config);

/// Whether two tensors of a source have the same type, shape and bytes. Throws UserError if they are corrupt.
bool equal_tensors(const weights::WeightSource& source, std::size_t a, std::size_t b);

}  // namespace trainyard::inputs
