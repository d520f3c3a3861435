// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Rows of a table file with the columns of a task, in memory: labels, texts, tokens. What the sample sets of tasks are
// made of.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "config/inputs/class_reader.h"
#include "config/inputs/sequence_tokens.h"
#include "config/recipe/recipe.h"
#include "formats/tables/table.h"
#include "train/sample_set.h"

namespace trainyard::train {

std::unique_ptr<SampleSet> open_labelled_text(const config::Recipe& recipe);   ///< a class of a text, or of two
std::unique_ptr<SampleSet> open_tagged_tokens(const config::Recipe& recipe);   ///< a class of each word
std::unique_ptr<SampleSet> open_text_pairs(const config::Recipe& recipe);      ///< a text from a text
std::unique_ptr<SampleSet> open_images(const config::Recipe& recipe);          ///< a class of an image
std::unique_ptr<SampleSet> open_chats(const config::Recipe& recipe);           ///< the replies of conversations
std::unique_ptr<SampleSet> open_sentence_pairs(const config::Recipe& recipe);  ///< two texts, and how similar they are
std::unique_ptr<SampleSet> open_questions(const config::Recipe& recipe);       ///< the part of a text that answers
std::unique_ptr<SampleSet> open_choices(const config::Recipe& recipe);         ///< which of several texts fits
std::unique_ptr<SampleSet> open_segmented_images(const config::Recipe& recipe);  ///< a class of each pixel
std::unique_ptr<SampleSet> open_speech(const config::Recipe& recipe);            ///< recordings, parts of them masked
std::unique_ptr<SampleSet> open_plugin_samples(const config::Recipe& recipe);    ///< what a plug-in's data set has

/// The rows of all files of the recipe's data, with the columns of its task.
class TaskTable {
  public:
    /// Throws UserError as inputs::choose_columns(), and for rows that cannot be read unless data.on_corrupt is skip.
    explicit TaskTable(const config::Recipe& recipe);
    std::int64_t rows() const { return table_.rows; }
    /// The column of a key of the recipe, such as data.label_column, which the task must have.
    const formats::Column& column(const std::string& key) const;
    /// nullptr where the files lack it.
    const formats::Column* find(const std::string& key) const;

  private:
    formats::Table table_;
    std::map<std::string, std::string> names_;
};

using inputs::ClassReader;
using inputs::SequenceTokens;

/// Samples that are cut in two: at least one on either side when both are asked for.
struct Cut {
    std::int64_t training = 0, held_out = 0;
    Cut() = default;
    Cut(std::int64_t samples, double fraction);
    std::int64_t place(bool of_held_out, std::int64_t index) const { return index + (of_held_out ? training : 0); }
};

}  // namespace trainyard::train
