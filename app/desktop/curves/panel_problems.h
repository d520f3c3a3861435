// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the cards of users' panels share: the metrics of the sources, the curves, and why one cannot be computed.

#include <memory>
#include <vector>

#include "desktop/curves/panel_card.h"
#include "report/panel_lines.h"

namespace trainyard::desktop {

std::vector<std::unique_ptr<report::MetricSource>> metrics_of(const PanelContext& context);
std::unique_ptr<report::PanelLines> lines_of_panel(const report::Panel& panel,
                                                   const std::vector<std::unique_ptr<report::MetricSource>>& metrics,
                                                   widgets::XUnit unit);
/// A label for show_problems(), hidden while there is nothing to say.
QLabel* make_problem_label(QWidget* parent = nullptr);
void show_problems(QLabel* label, const report::PanelLines& lines);

}  // namespace trainyard::desktop
