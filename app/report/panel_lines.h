// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The curves of a panel over some runs: its formulas computed, on its horizontal axis, and why one cannot be. The
// window draws them with its charts, a report as SVG.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "report/formula.h"
#include "report/panel.h"

namespace trainyard::report {

struct Bins {
    std::vector<double> limits;  ///< ascending; one more than counts
    std::vector<double> counts;
};

/// The metrics of a run. It outlives what is computed from it.
class MetricSource {
  public:
    virtual ~MetricSource() = default;
    /// nullptr: no such metric. The curve exists as long as the source.
    virtual const widgets::Series* find(const std::string& metric) const = 0;
    /// The newest histogram of that name.
    virtual std::optional<Bins> histogram(const std::string& name) const = 0;
    virtual std::vector<std::string> metrics() const = 0;
    virtual widgets::XScale scale(widgets::XUnit unit) const = 0;
};

/// Has its curves in memory.
class StoredMetrics : public MetricSource {
  public:
    const widgets::Series* find(const std::string& metric) const override;
    std::optional<Bins> histogram(const std::string& name) const override;
    std::vector<std::string> metrics() const override;

  protected:
    std::map<std::string, widgets::Series> curves_;
    std::map<std::string, Bins> histograms_;
};

struct PanelLine {
    std::size_t source = 0;  ///< index of the run
    std::size_t number = 0;  ///< of the formula: those of `lines`, then those of `right`
    std::string name;        ///< of the formula
    const widgets::Series* series = nullptr;
    widgets::XScale scale;
    bool right = false;
};

class PanelLines {
  public:
    /// `usual`: unit of all panels.
    PanelLines(Panel panel, const std::vector<const MetricSource*>& sources, widgets::XUnit usual);
    ~PanelLines();
    PanelLines(const PanelLines&) = delete;
    PanelLines& operator=(const PanelLines&) = delete;

    /// Brings the curves up to the sources. Their addresses do not change.
    void follow();
    const Panel& panel() const { return panel_; }
    const std::vector<PanelLine>& lines() const { return lines_; }
    /// One message for each formula that cannot be computed, with the position in it.
    std::vector<Message> problems() const;
    /// Value: of a formula for the horizontal axis, or of values that are counted.
    widgets::XUnit unit() const { return unit_; }

  private:
    struct Work;
    Panel panel_;
    widgets::XUnit unit_;
    std::vector<std::unique_ptr<Work>> work_;
    std::vector<PanelLine> lines_;
    std::vector<Message> problems_;
};

/// Figures of a curve, for tables.
struct LineFigures {
    std::size_t points = 0;  ///< finite ones
    double last = widgets::kNoNumber, lowest = widgets::kNoNumber, highest = widgets::kNoNumber;
    double mean = widgets::kNoNumber;
    std::int64_t last_step = 0, lowest_step = 0, highest_step = 0;
};
LineFigures figures_of(const widgets::Series& series);

}  // namespace trainyard::report
