// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The curves of the runs that are compared: opened when a run is ticked, dropped when it no longer is. At most kMost at once.

#include <map>
#include <memory>

#include <QObject>
#include <QVector>

#include "desktop/curves/curve_source.h"
#include "desktop/runs/run_summary.h"

namespace trainyard::desktop {

class CompareSources : public QObject {
    Q_OBJECT
  public:
    static constexpr int kMost = 40;

    explicit CompareSources(QObject* parent = nullptr);
    ~CompareSources() override;
    /// Opens what is new of them and drops the others; of more than kMost the first ones are opened.
    void setRuns(const RunSummaries& runs);
    /// Null: not opened.
    CurveSource* find(const QString& path) const;
    QVector<CurveSource*> all() const;  ///< in the order of the runs
    /// Scalar tags of all of them; the train loss first, then by name.
    QStringList tags() const;
    /// Step at which the run failed, and why; -1: it did not, or is not a run of ours.
    std::int64_t failureOf(const QString& path, QString* words) const;

  signals:
    void curvesChanged();
    void tagsChanged();

  private:
    QStringList order_;
    std::map<QString, std::unique_ptr<CurveSource>> sources_;
};

}  // namespace trainyard::desktop
