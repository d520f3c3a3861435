// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The metrics of one source of a panel under the names that formulas use. A name without a rank stands for the curve of
// the lowest rank.

#include "report/panel_lines.h"

namespace trainyard::desktop {

class CurveSource;
class TagIndex;

class SourceMetrics final : public report::MetricSource {
  public:
    /// `number`: of the source in the index. Both outlive this.
    SourceMetrics(const CurveSource* source, const TagIndex* index, int number)
        : source_(source), index_(index), number_(number) {}
    const widgets::Series* find(const std::string& metric) const override;
    std::optional<report::Bins> histogram(const std::string& name) const override;
    std::vector<std::string> metrics() const override;
    widgets::XScale scale(widgets::XUnit unit) const override;

  private:
    const CurveSource* source_;
    const TagIndex* index_;
    int number_;
};

}  // namespace trainyard::desktop
