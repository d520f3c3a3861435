// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Classes of a label column, by name or number, and the names that a column of texts holds.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "config/recipe/recipe.h"
#include "formats/tables/table.h"

namespace trainyard::inputs {

/// Classes by name or number: texts are looked up in id2label.
class ClassReader {
  public:
    explicit ClassReader(const config::Recipe& recipe);
    /// The class of an element of the column. Throws UserError: an unknown name, a number beyond the classes.
    std::int64_t index(const formats::Column& column, std::int64_t element) const;
    /// The same; nothing for a value that is not a class, which problem_of() describes.
    std::optional<std::int64_t> find(const formats::Column& column, std::int64_t element) const;
    Message problem_of(const formats::Column& column, std::int64_t element) const;
    /// A number, for regressions.
    static double number(const formats::Column& column, std::int64_t element);

  private:
    std::vector<std::string> names_;
    std::string where_;
};

/// The content of the label column of a classification.
struct ColumnClasses {
    std::vector<std::string> names;  ///< in bytewise order; empty if the column holds numbers
    std::int64_t count = 0;          ///< of the names, or one more than the largest number
};

/// Whether the data of a recipe has a column of classes: sequence_classification and token_classification with tables,
/// and image_classification with tables.
bool has_classes(const config::Recipe& recipe);

/// Reads the label column of at most `most_rows` rows. Texts that are whole numbers count as numbers. Throws UserError
/// for files and columns that cannot be read, and for more than 10,000 names.
ColumnClasses classes_of_column(const config::Recipe& recipe, std::int64_t most_rows);

/// The problem that ends a training of the recipe at the first row whose class the model does not have; empty if the
/// first `most_rows` rows are good. Throws UserError for files and columns that cannot be read.
Message class_problem(const config::Recipe& recipe, std::int64_t most_rows);

}  // namespace trainyard::inputs
