// SPDX-License-Identifier: GPL-3.0-or-later
// trainyard report RUN... -o FILE: runs as one HTML file that opens without a network.

#include <cstdio>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/file_mode.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "base/regular_file.h"
#include "base/text.h"
#include "base/text_file.h"
#include "cli/commands.h"
#include "cli/say.h"
#include "report/run_metrics.h"
#include "run/listing.h"

namespace trainyard::cli {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kLargestLayout = 4u << 20;  // bytes

struct ReportFlags {
    std::vector<std::string> runs, panels;
    std::string file, title, notes, layout, x;
    double smoothing = 0;
    bool json = false;
};

/// The panels of a layout that the window exported: {"pins": [{"panel": {...}}, {"tags": ["s:train/loss"]}]}.
std::vector<report::Panel> panels_of_layout(const std::string& file) {
    const nlohmann::json layout = read_json(read_regular_file(file, kLargestLayout));
    if (!layout.is_object() || !layout.contains("pins") || !layout["pins"].is_array())
        throw UserError("{} is not a layout of panels: the window writes one with Layout, Save to a file", file);
    std::vector<report::Panel> panels;
    for (const nlohmann::json& pin : layout["pins"]) {
        if (!pin.is_object())
            continue;
        if (const auto own = pin.find("panel"); own != pin.end() && own->is_object()) {
            panels.push_back(report::panel_from_json(json_text(*own), file));
        } else if (const auto tags = pin.find("tags"); tags != pin.end() && tags->is_array()) {
            report::Panel panel;
            for (const nlohmann::json& tag : *tags)
                if (tag.is_string() && tag.get<std::string>().starts_with("s:"))
                    panel.lines.push_back(report::Formula::quoted(tag.get<std::string>().substr(2)));
            if (!panel.lines.empty())
                panels.push_back(std::move(panel));
        }
    }
    return panels;
}

/// "train/loss, eval/loss": commas inside of parentheses and quotation marks belong to the formulas.
std::vector<std::string> formulas_of(const std::string& text) {
    std::vector<std::string> formulas{""};
    int depth = 0;
    char mark = 0;
    for (const char c : text) {
        if (mark != 0)
            mark = c == mark ? 0 : mark;
        else if (c == '"' || c == '`')
            mark = c;
        else
            depth += c == '(' ? 1 : c == ')' ? -1 : 0;
        if (c == ',' && depth == 0 && mark == 0)
            formulas.emplace_back();
        else
            formulas.back() += c;
    }
    for (std::string& formula : formulas)
        formula = text::trimmed(formula);
    return formulas;
}

int write_report(const ReportFlags& flags) {
    std::vector<std::unique_ptr<report::ReportRun>> runs;
    report::Report report;
    report.title = flags.title;
    report.time = wall_seconds();
    report.smoothing = flags.smoothing;
    if (!flags.notes.empty())
        report.notes = text::read_text_file(flags.notes);
    if (!flags.layout.empty())
        report.panels = panels_of_layout(flags.layout);
    for (const std::string& given : flags.panels) {
        report::Panel panel;
        panel.lines = formulas_of(given);
        for (const std::string& formula : panel.lines)
            report::Formula{formula};  // throws before anything is read
        report.panels.push_back(std::move(panel));
    }
    for (report::Panel& panel : report.panels)
        if (panel.x.empty())
            panel.x = flags.x;
    if (!flags.x.empty() && report.panels.empty()) {
        report::Panel axis;
        axis.x = flags.x;
        if (const auto unit = axis.unit(widgets::XUnit::Step))
            report.unit = *unit;
        else
            throw UserError("--x {}: without --panel or --layout it is one of step, time, tokens, epoch, wall",
                            flags.x);
    }
    for (const std::string& run : flags.runs) {
        runs.push_back(report::open_run(run::find_run(run::runs_root(), run)));
        report.runs.push_back(runs.back().get());
    }
    const std::string html = report::html_of(report);
    write_file_atomically(flags.file, html, true, kUserFileMode);
    if (flags.json)
        say(json_text(nlohmann::json{{"file", flags.file}, {"runs", runs.size()}, {"bytes", html.size()}}));
    else
        say(fmt::format("{}: {} {}, {}", flags.file, runs.size(), runs.size() == 1 ? "run" : "runs",
                        text::file_size(html.size())));
    return kExitDone;
}

}  // namespace

void add_report(CLI::App& app, Action& chosen) {
    auto flags = std::make_shared<ReportFlags>();
    CLI::App* command = app.add_subcommand(
        "report", "Runs as one HTML file that opens without a network: curves, figures, settings, classes");
    command->add_option("run", flags->runs, "Ids, unique beginnings or ends of them, names, or folders")->required();
    command->add_option("-o,--output", flags->file, "File to write, such as report.html")->required();
    command->add_option("--title", flags->title, "Title at the top of the report");
    command->add_option("--notes", flags->notes, "Text file that is put below the title");
    command
        ->add_option("--panel", flags->panels,
                     "Chart of metrics or formulas over them, separated by commas, such as 'eval/loss - train/loss'; "
                     "repeat it for more charts. Default: a chart for each metric")
        ->allow_extra_args(false);
    command->add_option("--layout", flags->layout, "File of a layout that was saved in the window: its panels");
    command->add_option("--x", flags->x, "Horizontal axis: step, time, tokens, epoch, wall, or a formula");
    command->add_option("--smoothing", flags->smoothing, "Weight of the moving average; 0: none")
        ->check(CLI::Range(0.0, 0.999));
    command->add_flag("--json", flags->json, "For programs");
    command->callback([flags, &chosen] { chosen = [flags] { return write_report(*flags); }; });
}

}  // namespace trainyard::cli
