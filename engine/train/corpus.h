// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Tokens of a data set as samples of language models.

#include <cstdint>
#include <memory>
#include <span>

#include "config/recipe/recipe.h"
#include "train/sample_set.h"

namespace trainyard::train {

class Corpus : public SampleSet {
  public:
    /// False: the labels of a sample are its tokens.
    virtual bool has_labels() const { return false; }
    /// Sample `index` of the training or held-out part, sequence_length tokens. `labels` is empty unless has_labels(); -100: not counted.
    virtual void copy(bool held_out, std::int64_t index, std::span<std::int64_t> tokens,
                      std::span<std::int64_t> labels) const = 0;

    std::int64_t targets_per_sample(std::int64_t length) const override { return length - 1; }
    Tree batch(bool held_out, std::span<const std::int64_t> indices, std::int64_t length) const override;
};

/// Opens the corpus that `data` names: the raw bytes of files, or the documents of tables
/// (formats/tables/table_reader.h) and of Megatron's data sets, joined end to end (data.pack) or one a sample. Throws
/// UserError: unreadable, too short, a token beyond the vocabulary.
std::unique_ptr<Corpus> open_corpus(const config::DataRecipe& data, std::int64_t vocabulary);

}  // namespace trainyard::train
