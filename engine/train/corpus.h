#pragma once
// Samples of a data set at any position, cut in a training part and a held-out tail. Random access is all that the data order needs
// (data_loader.h), so that any number of ranks sees the same samples and resuming needs a position alone.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "config/recipe.h"

namespace trainyard::train {

class Corpus {
  public:
    virtual ~Corpus() = default;
    virtual std::int64_t training_samples() const = 0;
    virtual std::int64_t validation_samples() const = 0;
    /// Sentences on what the reader of a curve should know: data that is not used because it cannot be read, tokens that every rank has to hold.
    virtual std::vector<std::string> remarks() const { return {}; }
    /// False: the labels of a sample are its tokens.
    virtual bool has_labels() const { return false; }
    /// Sample `index` of the training or held-out part, sequence_length tokens. `labels` is empty unless has_labels(); -100: not counted.
    virtual void copy(bool held_out, std::int64_t index, std::span<std::int64_t> tokens,
                      std::span<std::int64_t> labels) const = 0;
};

/// Opens what `data` names: bytes of files as they lie there, or the documents of tables (formats/table_reader.h) and Megatron's sets,
/// joined end to end (data.pack) or one a sample. Throws UserError: unreadable, too short, a token beyond the vocabulary.
std::unique_ptr<Corpus> open_corpus(const config::DataRecipe& data, std::int64_t vocabulary);

}  // namespace trainyard::train
