// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Contents that a recipe names: how many, how large, how they begin, the first rows of every format, and their tokens
// as the model sees them; and for a folder in which the pattern finds nothing, the pattern that would. Does I/O: not
// for the GUI thread. Bounded for any files: rows, columns, cells, tokens, pixels.

#include <cstdint>

#include <QByteArray>
#include <QMap>
#include <QString>
#include <QStringList>
#include <QVector>

#include "config/inputs/sample_preview.h"
#include "config/recipe/recipe.h"

namespace trainyard::desktop {

/// A small picture of an image, without a pixel format of a window.
struct DataPicture {
    int width = 0, height = 0;
    QByteArray pixels;  ///< RGB, width * 3 bytes a line
    QString problem;    ///< why there is none
    bool operator==(const DataPicture&) const = default;
};

struct DataLook {
    static constexpr int kMostColumns = 100;
    static constexpr int kPictureSide = 96;  ///< pixels that a picture has at most
    QString host;                            ///< where the files are; empty: on this machine
    std::size_t files = 0;
    std::uint64_t bytes = 0;
    std::uint64_t tokens = 0;  ///< 0: not known without reading all of it
    QStringList samples;       ///< where no table can be read: words of at most three files
    /// Where nothing matches: the ending that most bytes of the folder have, e.g. `*.txt`; empty: none would help.
    QString pattern;
    std::size_t pattern_files = 0;
    std::uint64_t pattern_bytes = 0;
    /// The data.format that the endings of most bytes stand for; empty: text, or nothing is known.
    QString format;
    QStringList columns;                     ///< of a table that can be read, in the order of the file
    QStringList column_types;                ///< of each, such as `text` or `list of int32`
    qint64 all_columns = 0;                  ///< of the table, of which `columns` are the first
    QVector<QStringList> rows;               ///< at most 20, a text for each column
    QVector<QVector<DataPicture>> pictures;  ///< of each row, for its first columns; empty: rows have none
    qint64 left_out = 0;                     ///< records among the first rows that cannot be read
    QString left_out_why;                    ///< of the first of them
    QString problem;                         ///< why there are no rows, which the check of a recipe reports, too
    QMap<QString, QString> uses;             ///< column that counts for a key, such as data.label_column
    QStringList classes;         ///< names in the label column of a classification, sorted; empty: numbers, or none
    qint64 class_count = 0;      ///< of names or numbers
    bool conversations = false;  ///< the first column with a usual name of such holds lists of {role, content}
    inputs::SamplePreviews samples_as_tokens;  ///< of the first rows
    bool operator==(const DataLook&) const = default;
};

/// `recipe` with the values of model.weights (with_weights()). Does not throw.
DataLook look_at_data(const config::Recipe& recipe);

}  // namespace trainyard::desktop
