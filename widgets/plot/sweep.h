// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Runs with their parameters and metrics as a table of numbers and words, for the scatter plot and the parallel
// coordinates. No painting.

#include <optional>

#include <QString>
#include <QStringList>
#include <QVector>

#include "widgets/plot/reduction.h"

namespace trainyard::widgets {

/// A column: numbers, or words if any value is not a number (words are placed in order of appearance).
struct SweepAxis {
    QString name;
    bool log = false;   ///< numbers only; values that are not above zero are omitted and counted
    QStringList words;  ///< empty: numbers
    bool isWords() const { return !words.isEmpty(); }
    void toggleLog() { log = !log && !isWords(); }
};

struct SweepRun {
    QString id;  ///< passed to signals
    QString name;
    int color = 1;
    QVector<double> values;  ///< one per axis; NaN: no value; for words: index of the word
};

struct Sweep {
    QVector<SweepAxis> axes;
    QVector<SweepRun> runs;
};

/// Builds a sweep from text. A column whose non-empty values are all numbers becomes numeric, with a logarithmic axis
/// if they are above zero and span a factor of 100 or more.
Sweep sweep_of(const QStringList& names, const QVector<SweepRun>& runs, const QVector<QStringList>& values);

/// The smallest range that contains the numbers of an axis, with a small margin; [0, 1] if there are none.
XRange sweep_range(const Sweep& sweep, int axis);
/// Position along the axis, 0..1; std::nullopt if the value has no place on it.
std::optional<double> sweep_place(const SweepAxis& axis, const XRange& range, double value);

}  // namespace trainyard::widgets
