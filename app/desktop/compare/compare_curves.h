// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The curves of the comparison's chart, as values: the runs' own, their differences from one of them, or groups of
// them. Without widgets. No two curves have both the same colour and the same dash, so ten runs are distinguishable
// without colour.

#include <list>

#include <QCoreApplication>
#include <QVector>

#include "desktop/compare/compare_sources.h"
#include "widgets/plot/chart_view.h"
#include "widgets/plot/derived_series.h"

namespace trainyard::desktop {

enum class CompareMode { Curves, Differences };

/// Returns a dash for each of `numbers` (run colours): solid for the first, and different ones for equal colours as
/// long as there are unused dashes.
QVector<Qt::PenStyle> dashesOf(const QVector<int>& numbers);

class CompareCurves {
    Q_DECLARE_TR_FUNCTIONS(trainyard::desktop::CompareCurves)
  public:
    explicit CompareCurves(const CompareSources* sources) : sources_(sources) {}

    struct Request {
        RunSummaries runs;
        QString tag;
        CompareMode mode = CompareMode::Curves;
        widgets::XUnit unit = widgets::XUnit::Step;
        QString group;  ///< key of run.yaml whose value puts runs together; empty: each stands alone
        int base = 0;
    };
    /// The result is valid until the next call. Series of differences and groups are updated from their sources.
    const QVector<widgets::Curve>& make(const Request& request);
    /// Runs without a curve: not opened, or without this tag.
    int missing() const { return missing_; }
    /// Runs without a curve so far, whose files are still being read.
    int reading() const { return reading_; }

  private:
    void makeGroups(const Request& request);
    bool has(const CurveSource* source, const std::string& tag);
    const CompareSources* sources_;
    QVector<widgets::Curve> curves_;
    std::map<QString, widgets::DifferenceSeries> differences_;  ///< by path
    QString differences_of_;                                    ///< base and tag
    std::list<widgets::GroupSeries> groups_;
    int missing_ = 0, reading_ = 0;
};

}  // namespace trainyard::desktop
