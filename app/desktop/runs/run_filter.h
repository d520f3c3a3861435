#pragma once
// The filter line of the run list. Words match name and id, `"exact"` a phrase, `state:failed` and `host:gpu-a` a column,
// `val<2.6`, `loss>=3`, `step>1000`, `ranks>1` a number, `age<7d` the age (s, m, h, d); `-` before a term excludes.

#include <QString>
#include <QVector>

#include "desktop/runs/run_summary.h"

namespace trainyard::desktop {

enum class RunSegment { All, Live, Finished, Failed };

bool inSegment(const RunSummary& run, RunSegment segment);

class RunFilter {
  public:
    /// One sentence when `text` is no filter; `filter` is unchanged then. Empty when all is well.
    static QString parse(const QString& text, RunFilter& filter);
    bool matches(const RunSummary& run, double now) const;

  private:
    enum class Field { Any, State, Host, Loss, Validation, Step, Ranks, Age };
    enum class Compare { Contains, Less, LessEqual, Greater, GreaterEqual };
    struct Term {
        Field field = Field::Any;
        Compare compare = Compare::Contains;
        QString text;
        double number = 0;
        bool excluded = false;
    };
    static QString parseTerm(const QString& word, bool quoted, Term& term);
    static bool matches(const Term& term, const RunSummary& run, double now);
    QVector<Term> terms_;
};

}  // namespace trainyard::desktop
