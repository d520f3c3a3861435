// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Contents that a recipe names: how many, how large, how they begin, of tables the columns and first rows; and for a
// folder in which the pattern finds nothing, the pattern that would. Does I/O: not for the GUI thread.

#include <cstdint>

#include <QMap>
#include <QString>
#include <QStringList>
#include <QVector>

#include "config/recipe/recipe.h"

namespace trainyard::desktop {

struct DataLook {
    std::size_t files = 0;
    std::uint64_t bytes = 0;
    std::uint64_t tokens = 0;  ///< 0: not known without reading all of it
    QStringList samples;       ///< at most three, as they are decoded
    /// Where nothing matches: the ending that most bytes of the folder have, e.g. `*.txt`; empty: none would help.
    QString pattern;
    std::size_t pattern_files = 0;
    std::uint64_t pattern_bytes = 0;
    /// The data.format that the endings of most bytes stand for; empty: text, or nothing is known.
    QString format;
    QStringList columns;          ///< of a table that can be read, in the order of the file
    QStringList column_types;     ///< of each, such as `text` or `list of int32`
    QVector<QStringList> rows;    ///< at most 20, a text for each column
    QMap<QString, QString> uses;  ///< column that counts for a key, such as data.label_column
    QStringList classes;          ///< names in the label column of a classification, sorted; empty: numbers, or none
    qint64 class_count = 0;       ///< of names or numbers
    QStringList token_texts;      ///< of the first sample, as the tokenizer cuts it; at most 64
    bool operator==(const DataLook&) const = default;
};

/// `recipe` with the values of model.weights (with_weights()). Does not throw.
DataLook look_at_data(const config::Recipe& recipe);

}  // namespace trainyard::desktop
