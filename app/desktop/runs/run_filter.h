// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The filter line of the run list. Words match name, tags and note; `"exact"` matches a phrase with its case, `/regex/`
// a regular expression. `tag:x`, `note:x`, `host:gpu-a`, `state:failed`, `name:x` and `key:word` search a column or a
// key of run.yaml; `lr>1e-4`, `val<2.6`, `optimizer.name=adamw`, `eval/loss.best<2.5` compare a key or a metric (its
// last value, or .best .mean .min .max); `age<7d` and `duration>2h` compare a time (s, m, h, d). `-` before a term
// excludes. All terms must match.

#include <QCoreApplication>
#include <QRegularExpression>
#include <QString>
#include <QStringList>
#include <QVector>

#include "desktop/runs/run_summary.h"

namespace trainyard::desktop {

enum class RunSegment { All, Live, Finished, Failed, Archived, Trash };

/// Archived runs are only in their own segment. Deleted runs are not in the list (see trash_view.h).
bool inSegment(const RunSummary& run, RunSegment segment);

/// Returns a number of a run by name: a state (loss, val, step, ranks, gpus, rate, age, duration), a key, or a metric.
/// NaN if the run does not have it.
double numberOf(const RunSummary& run, const QString& name, double now);
/// Returns the same as text; empty if the run does not have it.
QString wordsOf(const RunSummary& run, const QString& name);

class RunFilter {
    Q_DECLARE_TR_FUNCTIONS(trainyard::desktop::RunFilter)
  public:
    /// Returns an error message if `text` is not a valid filter; `filter` is then unchanged. Returns an empty string on
    /// success.
    static QString parse(const QString& text, RunFilter& filter);
    bool matches(const RunSummary& run, double now) const;
    bool isEmpty() const { return terms_.isEmpty(); }
    /// Returns the keys and metrics that the filter compares.
    QStringList names() const;
    /// Returns an error message if no run has a key or metric that the filter compares. Returns an empty string while
    /// settings or metrics of a run are still being read.
    QString unknownName(const RunSummaries& runs) const;

  private:
    enum class Field { Any, Name, Tag, Note, State, Host, Named };
    struct Comparison;
    static const Comparison kComparisons[7];
    struct Term {
        Field field = Field::Any;
        const Comparison* comparison = nullptr;  ///< null: contains `text`
        QString name;                            ///< of a key or metric
        QString text;
        double number = 0;
        bool isNumber = false;
        bool exact = false;
        bool excluded = false;
        QRegularExpression expression;  ///< when it has a pattern
    };
    static QString parseTerm(const QString& word, Term& term);
    static bool matches(const Term& term, const RunSummary& run, double now);
    QVector<Term> terms_;
};

}  // namespace trainyard::desktop
