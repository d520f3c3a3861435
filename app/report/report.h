// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A report of runs as one HTML file that opens without a network: no scripts, no external resources, charts as SVG,
// colours for light and dark.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/message.h"
#include "report/panel_lines.h"
#include "run/class_report.h"

namespace trainyard::report {

struct ReportRun {
    std::string id, name;
    int color = 1;  ///< number of its colour, from 1
    std::string status;
    std::string failure;
    double created = 0;              ///< wall seconds; 0: not known
    std::optional<double> duration;  ///< seconds
    std::int64_t step = 0, of = 0;
    std::vector<std::string> tags;
    std::string note;
    std::vector<std::pair<std::string, std::string>> settings;  ///< keys with dots, in the order of the file
    std::optional<run::ClassReport> classes;
    std::vector<Message> problems;  ///< what could not be read
    std::shared_ptr<const MetricSource> metrics;
};

struct Report {
    std::string title;
    std::string notes;
    double time = 0;  ///< wall seconds at which it is made
    std::vector<const ReportRun*> runs;
    std::vector<Panel> panels;  ///< empty: one for each metric, see usual_panels()
    widgets::XUnit unit = widgets::XUnit::Step;
    double smoothing = 0;  ///< of panels without their own
};

/// A panel for each metric of the runs besides those of ranks and machines, training and evaluation first; at most
/// `most`. `left_out`: how many more there are.
std::vector<Panel> usual_panels(const std::vector<const ReportRun*>& runs, std::size_t most, std::size_t& left_out);

/// `words`: a message in the reader's language; default English.
std::string html_of(const Report& report, const std::function<std::string(const Message&)>& words = {});

}  // namespace trainyard::report
