#pragma once
// Runs with their parameters and metrics as a table of numbers and words: what scatter plot and parallel coordinates show. No painting.

#include <optional>

#include <QString>
#include <QStringList>
#include <QVector>

#include "widgets/plot/reduction.h"

namespace trainyard::widgets {

/// A column: numbers, or words when any value is no number (their order of appearance gives their place).
struct SweepAxis {
    QString name;
    bool log = false;   ///< numbers only; those not above zero are left out and counted
    QStringList words;  ///< empty: numbers
    bool isWords() const { return !words.isEmpty(); }
    void toggleLog() { log = !log && !isWords(); }
};

struct SweepRun {
    QString id;  ///< given back by signals
    QString name;
    int color = 1;
    QVector<double> values;  ///< one an axis; NaN: has none; with words: index of the word
};

struct Sweep {
    QVector<SweepAxis> axes;
    QVector<SweepRun> runs;
};

/// From words as they were written: a column all of whose non-empty values are numbers becomes numbers, and gets a logarithmic axis when
/// they are above zero and span a factor of 100 or more.
Sweep sweep_of(const QStringList& names, const QVector<SweepRun>& runs, const QVector<QStringList>& values);

/// Smallest range that holds the numbers of an axis, a little wider; [0, 1] for none.
XRange sweep_range(const Sweep& sweep, int axis);
/// 0..1 along the axis; nothing when the value has no place on it.
std::optional<double> sweep_place(const SweepAxis& axis, const XRange& range, double value);

}  // namespace trainyard::widgets
