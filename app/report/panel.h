// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A panel that a user made, as a value: what it shows of any runs, and how. Named layouts of the window and reports
// hold panels as JSON.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "base/choice.h"
#include "widgets/plot/series.h"

namespace trainyard::report {

enum class PanelKind : unsigned char { lines, table, histogram, text };
constexpr auto choice_names(PanelKind) {
    return std::array{"lines", "table", "histogram", "text"};
}

struct Panel {
    PanelKind kind = PanelKind::lines;
    std::string title = {};
    std::vector<std::string> lines = {};  ///< a formula each (formula.h); of a histogram also names of histograms
    std::vector<std::string> right = {};  ///< the same on the second vertical axis
    /// The horizontal axis: empty (that of all panels), step, time, tokens, epoch, wall, or a formula.
    std::string x = {};
    std::optional<double> smoothing = {};  ///< weight of the moving average; nothing: that of all panels
    bool log_x = false, log_y = false, log_right = false;
    std::string text = {};  ///< Markdown

    bool operator==(const Panel&) const = default;
    void fields(auto& field) const {
        field("kind", kind).names(kChoiceNames<PanelKind>);
        field("title", title)("lines", lines)("right", right)("x", x)("smoothing", smoothing);
        field("log_x", log_x)("log_y", log_y)("log_right", log_right)("text", text);
    }
    /// What stands above it: the title, else its formulas.
    std::string heading() const;
    /// The unit of `x`, where it is not a formula; nothing if `x` is a formula. `usual`: of all panels.
    std::optional<widgets::XUnit> unit(widgets::XUnit usual) const;
};

std::string panel_to_json(const Panel& panel);
/// Throws UserError naming `origin` and the key.
Panel panel_from_json(const std::string& json, const std::string& origin);

}  // namespace trainyard::report
