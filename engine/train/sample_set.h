// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Samples of a task at any position, cut in a training part and a held-out tail. Random access is all that the data
// order needs (data_loader.h), so that any number of ranks sees the same samples and resuming needs a position alone.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/message.h"
#include "config/inputs/model_folder.h"
#include "config/recipe/recipe.h"
#include "distributed/tensors/tree.h"

namespace trainyard::train {

/// The answer that a model finds in one part of a text (question_answering).
struct FoundAnswer {
    std::int64_t part = 0;            ///< SampleSet's number of it, in its labels
    double score = 0;                 ///< of the answer: logits of its first and last token
    std::int64_t begin = 0, end = 0;  ///< its first and last token in the part
    double no_answer = 0;             ///< the same of the first token of the part, which stands for no answer
};

/// How well questions are answered, as SQuAD's own program computes it.
struct AnswerFigures {
    double exact_match = 0, f1 = 0;  ///< shares
};

class SampleSet {
  public:
    virtual ~SampleSet() = default;
    virtual std::int64_t training_samples() const = 0;
    virtual std::int64_t validation_samples() const = 0;
    /// Sentences on what the reader of a curve should know: data that is not used because it cannot be read, tokens
    /// that every rank has to hold.
    virtual std::vector<Message> remarks() const { return {}; }
    /// A sample for a reader of a report: its text, or the path of its image; empty: not known. `position`: token that
    /// is meant, which is marked; -1: the whole sample.
    virtual std::string describe(bool /*held_out*/, std::int64_t /*index*/, std::int64_t /*position*/) const {
        return {};
    }
    /// Figures of the questions that these parts belong to. Only of question_answering.
    virtual AnswerFigures judge(std::span<const FoundAnswer> /*answers*/) const { return {}; }
    /// The same as batch() of training samples, each as of its epoch: samples that are changed at random differ by it.
    virtual Tree batch_of_epochs(std::span<const std::int64_t> indices, std::span<const std::int64_t> /*epochs*/,
                                 std::int64_t length) const {
        return batch(false, indices, length);
    }
    /// Files that tell transformers how samples become inputs, for checkpoints: preprocessor_config.json.
    virtual std::vector<inputs::FileBeside> files_beside_model() const { return {}; }
    /// Labels of a sample of `length` tokens that its loss counts at most.
    virtual std::int64_t targets_per_sample(std::int64_t length) const = 0;
    /// Samples of the training or held-out part as tensors whose rows they are: "targets" (int64: labels that are
    /// counted); "tokens", for text; "labels", unless they are the tokens (-100, or NaN: not counted);
    /// "attention_mask"; and inputs of a model under Hugging Face's names.
    virtual Tree batch(bool held_out, std::span<const std::int64_t> indices, std::int64_t length) const = 0;
};

/// What the recipe's task reads from its data. Throws UserError: unreadable, too short, a token beyond the
/// vocabulary, a label beyond the classes.
std::unique_ptr<SampleSet> open_samples(const config::Recipe& recipe);

}  // namespace trainyard::train
