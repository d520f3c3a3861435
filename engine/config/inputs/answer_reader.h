// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Answers of question_answering: parts of a text, by where they begin (answer_start of SQuAD) or by their words. Ranks
// and previews read them with the same functions.

#include <cstdint>
#include <string>
#include <vector>

#include "base/message.h"
#include "config/recipe/recipe.h"
#include "formats/tables/table.h"

namespace trainyard::inputs {

struct Answer {
    std::string text;
    std::int64_t begin = 0;  ///< in the context, in characters
    std::int64_t end = 0;
};

/// The answers of a row: lists of texts and of the characters where they begin, or one text, whose first place in the
/// context counts if none is given. An empty list or text: no answer.
class AnswerReader {
  public:
    /// `starts`: nullptr if the files do not have the places. The columns must outlive this object. Throws UserError
    /// for columns that hold no answers.
    AnswerReader(const formats::Column& texts, const formats::Column* starts);
    /// Throws UserError naming the row, of which `number` counts from 0, if an answer is not in the context or not
    /// where it is said to be.
    std::vector<Answer> read(std::int64_t row, const std::string& context, std::int64_t number) const;

  private:
    const formats::Column& texts_;
    const formats::Column* starts_;
};

/// The problem that ends a training of the recipe at an answer among the first `most_rows` rows; empty if they are
/// good. Throws UserError for files and columns that cannot be read.
Message answer_problem(const config::Recipe& recipe, std::int64_t most_rows);

}  // namespace trainyard::inputs
