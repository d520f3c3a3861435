#pragma once
// Weights of a head that a file has besides the table of the embedding, which the head of a tied model shares. The one
// rule for every reader: equal values say nothing new; different ones contradict tie_word_embeddings, and the head of
// the file counts, as in transformers 5.

#include <cstddef>
#include <string>

#include "families/model_config.h"
#include "weights/weight_source.h"

namespace trainyard::inputs {

struct StoredHead {
    std::string head;   ///< its name in the file; empty: the file has none, or the model's head is never tied
    std::string table;  ///< name of the table in the model
    bool differs = false;
    std::size_t tensor = 0;  ///< the head in the source
};

/// Reads the data of both tensors if the file has them. Throws UserError if they are corrupt.
StoredHead stored_head(const weights::WeightSource& source, const families::ModelConfig& config);

/// The table of a model whose head may be tied; empty: it has none.
std::string tied_table(const families::ModelConfig& config);

/// Whether two tensors of a source have the same type, shape and bytes. Throws UserError if they are corrupt.
bool equal_tensors(const weights::WeightSource& source, std::size_t a, std::size_t b);

}  // namespace trainyard::inputs
