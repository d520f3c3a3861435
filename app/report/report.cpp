// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/report.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <set>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "report/html.h"
#include "report/svg_chart.h"

namespace trainyard::report {

namespace {

constexpr int kMostClasses = 40;  // of a confusion matrix; of more, the per-class table alone is shown
constexpr std::size_t kMostSettings = 400;

class Writer {
  public:
    Writer(const Report& report, const std::function<std::string(const Message&)>& words)
        : report_(report), words_(words) {
        for (const ReportRun* run : report.runs)
            sources_.push_back(run->metrics.get());
    }

    std::string write() {
        const std::string title = !report_.title.empty() ? report_.title
                                  : report_.runs.size() == 1
                                      ? report_.runs.front()->name
                                      : words(Message("Report of {} runs", std::to_string(report_.runs.size())));
        if (!report_.notes.empty())
            out_ += element("p", "note", escaped_lines(report_.notes));
        heading(Message("Runs"));
        runs();
        heading(Message("Panels"));
        panels();
        classes();
        settings();
        return document(title, fmt::format("Trainyard, {:%Y-%m-%d %H:%M} UTC", utc(report_.time)), out_);
    }

  private:
    static std::tm utc(double time) { return fmt::gmtime(static_cast<std::time_t>(time)); }
    std::string words(const Message& message) const { return words_ ? words_(message) : message.text(); }
    void heading(const Message& message) { out_ += element("h2", "", escaped(words(message))); }
    int color(std::size_t run) const {
        const int chosen = report_.runs[run]->color;
        return chosen > 0 ? chosen : static_cast<int>(run) + 1;
    }
    std::string name(std::size_t run) const { return swatch(color(run)) + escaped(report_.runs[run]->name); }

    void runs() {
        std::vector<std::vector<std::string>> rows;
        for (std::size_t i = 0; i < report_.runs.size(); ++i) {
            const ReportRun& run = *report_.runs[i];
            std::string state = escaped(run.status + (run.failure.empty() ? "" : ": " + run.failure));
            for (const Message& problem : run.problems)
                state += element("div", "error", escaped(words(problem)));
            rows.push_back({name(i), state,
                            run.of > 0 ? fmt::format("{} / {}", text::grouped(run.step), text::grouped(run.of))
                                       : text::grouped(run.step),
                            run.created > 0 ? fmt::format("{:%Y-%m-%d %H:%M}", utc(run.created)) : "",
                            run.duration ? escaped(text::duration(*run.duration)) : "",
                            escaped(fmt::to_string(fmt::join(run.tags, ", "))),
                            element("div", "note", escaped_lines(run.note)), escaped(run.id)});
        }
        out_ +=
            table({escaped(words(Message("Run"))), escaped(words(Message("State"))), escaped(words(Message("Steps"))),
                   escaped(words(Message("Started (UTC)"))), escaped(words(Message("Duration"))),
                   escaped(words(Message("Tags"))), escaped(words(Message("Note"))), escaped(words(Message("Id")))},
                  rows);
    }

    void panels() {
        std::size_t left_out = 0;
        const std::vector<Panel> shown =
            report_.panels.empty() ? usual_panels(report_.runs, 60, left_out) : report_.panels;
        out_ += "<div class=\"grid\">\n";
        for (const Panel& panel : shown)
            one(panel);
        out_ += "</div>\n";
        if (left_out > 0)
            out_ += element("p", "", escaped(words(Message("{} more metrics are left out", std::to_string(left_out)))));
    }

    void one(const Panel& panel) {
        out_ += "<div class=\"panel\">";
        if (!panel.heading().empty())
            out_ += element("h3", "", escaped(panel.heading()));
        if (panel.kind == PanelKind::text) {
            out_ += element("p", "note", escaped_lines(panel.text)) + "</div>\n";
            return;
        }
        const PanelLines lines(panel, sources_, report_.unit);
        for (const Message& problem : lines.problems())
            out_ += element("p", "error", escaped(words(problem)));
        const std::size_t formulas = panel.lines.size() + panel.right.size();
        if (panel.kind != PanelKind::table) {
            SvgChart chart;
            chart.name = panel.heading();
            if (panel.kind != PanelKind::histogram)
                chart.smoothing = panel.smoothing.value_or(report_.smoothing);
            chart.log_x = panel.log_x;
            chart.log_y = panel.log_y;
            chart.log_right = panel.log_right;
            std::string legend;
            const bool one_run = report_.runs.size() == 1;
            for (const PanelLine& line : lines.lines()) {
                const int number = one_run && formulas > 1 ? static_cast<int>(line.number) + 1 : color(line.source);
                std::string label = one_run ? line.name : report_.runs[line.source]->name;
                if (!one_run && formulas > 1)
                    label += " · " + line.name;
                if (line.right)
                    label += " →";
                chart.curves.push_back(
                    {label, line.series, line.scale, number, one_run ? 0 : static_cast<int>(line.number), line.right});
                legend += "<span>" + swatch(number) + escaped(label) + "</span>";
            }
            out_ += svg_of(chart) + element("div", "legend", legend);
        }
        figures(panel, lines);
        std::size_t not_finite = 0;
        for (const PanelLine& line : lines.lines())
            not_finite += line.series->notFinite().size();
        if (not_finite > 0)
            out_ += element("p", "error",
                            escaped(words(Message("{} values are NaN or infinite and are not drawn",
                                                  text::grouped(static_cast<std::int64_t>(not_finite))))));
        out_ += "</div>\n";
    }

    void figures(const Panel& panel, const PanelLines& lines) {
        if (panel.kind == PanelKind::histogram || lines.lines().empty())
            return;
        std::vector<std::vector<std::string>> rows;
        for (const PanelLine& line : lines.lines()) {
            const LineFigures found = figures_of(*line.series);
            const auto at = [&](double value, std::int64_t step) {
                return found.points == 0 ? std::string()
                       : lines.unit() == widgets::XUnit::Value
                           ? escaped(number_text(value))
                           : fmt::format("{} <small>@{}</small>", escaped(number_text(value)), text::grouped(step));
            };
            rows.push_back({name(line.source), escaped(line.name), at(found.last, found.last_step),
                            at(found.lowest, found.lowest_step), at(found.highest, found.highest_step),
                            found.points == 0 ? "" : escaped(number_text(found.mean)),
                            text::grouped(static_cast<std::int64_t>(found.points))});
        }
        const std::string made =
            table({escaped(words(Message("Run"))), escaped(words(Message("Metric"))), escaped(words(Message("Last"))),
                   escaped(words(Message("Lowest"))), escaped(words(Message("Highest"))),
                   escaped(words(Message("Mean"))), escaped(words(Message("Points")))},
                  rows);
        out_ += panel.kind == PanelKind::table ? made
                                               : fmt::format("<details><summary>{}</summary>{}</details>\n",
                                                             escaped(words(Message("Values"))), made);
    }

    void classes() {
        for (std::size_t i = 0; i < report_.runs.size(); ++i) {
            if (!report_.runs[i]->classes)
                continue;
            const run::ClassReport& found = *report_.runs[i]->classes;
            out_ += element(
                "h2", "",
                name(i) + ": " + escaped(words(Message("Classification at step {}", std::to_string(found.step)))));
            const auto class_name = [&](std::int64_t number) {
                if (found.has_none && number + 1 == std::ssize(found.classes))
                    return escaped(words(Message("no label")));
                return escaped(found.classes[static_cast<std::size_t>(number)]);
            };
            const std::vector<run::ClassFigures> figures = run::class_figures(found);
            out_ += "<div class=\"grid\"><div class=\"panel\">";
            if (found.classes.size() <= kMostClasses) {
                const std::size_t size = found.classes.size();
                std::vector<std::int64_t> counts(size * size, 0), totals(size, 0);
                for (const run::ClassCount& count : found.counts) {
                    counts[static_cast<std::size_t>(count.label) * size + static_cast<std::size_t>(count.found)] =
                        count.count;
                    totals[static_cast<std::size_t>(count.label)] += count.count;
                }
                std::string body = "<tr><th></th>";
                for (std::size_t column = 0; column < size; ++column)
                    body += "<th>" + class_name(static_cast<std::int64_t>(column)) + "</th>";
                body += "</tr>\n";
                for (std::size_t row = 0; row < size; ++row) {
                    body += "<tr><td>" + class_name(static_cast<std::int64_t>(row)) + "</td>";
                    for (std::size_t column = 0; column < size; ++column) {
                        const std::int64_t count = counts[row * size + column];
                        const double share =
                            static_cast<double>(count) / static_cast<double>(std::max<std::int64_t>(1, totals[row]));
                        body += fmt::format("<td class=\"m\" style=\"background:rgba(var(--{}),{:.2f})\">{}</td>",
                                            row == column ? "ok" : "no", count > 0 ? 0.1 + 0.4 * share : 0.0, count);
                    }
                    body += "</tr>\n";
                }
                out_ += element("h3", "", escaped(words(Message("Confusion matrix (rows: label, columns: found)")))) +
                        "<div class=\"wide\"><table>" + body + "</table></div>";
            }
            std::vector<std::vector<std::string>> rows;
            for (std::size_t number = 0; number < figures.size(); ++number)
                rows.push_back({class_name(static_cast<std::int64_t>(number)),
                                number_text(figures[number].precision, 4), number_text(figures[number].recall, 4),
                                number_text(figures[number].f1, 4), text::grouped(figures[number].support)});
            out_ += "</div><div class=\"panel\">" +
                    table({escaped(words(Message("Class"))), escaped(words(Message("Precision"))),
                           escaped(words(Message("Recall"))), escaped(words(Message("F1"))),
                           escaped(words(Message("Samples")))},
                          rows);
            rows.clear();
            for (const run::WorstSample& sample : found.worst)
                rows.push_back({sample.text.empty() ? text::grouped(sample.sample) : escaped(sample.text),
                                class_name(sample.label), class_name(sample.found),
                                number_text(sample.probability, 3)});
            if (!rows.empty())
                out_ += element("h3", "", escaped(words(Message("Worst samples")))) +
                        table({escaped(words(Message("Sample"))), escaped(words(Message("Label"))),
                               escaped(words(Message("Found"))), escaped(words(Message("Probability")))},
                              rows);
            out_ += "</div></div>\n";
        }
    }

    /// Those that differ come first; of one run all are shown.
    void settings() {
        std::vector<std::string> keys;
        std::vector<std::map<std::string, std::string>> values;
        std::set<std::string> known;
        for (const ReportRun* run : report_.runs) {
            std::map<std::string, std::string>& own = values.emplace_back();
            for (const auto& [key, value] : run->settings) {
                own[key] = value;
                if (known.insert(key).second)
                    keys.push_back(key);
            }
        }
        std::vector<std::vector<std::string>> rows;
        std::size_t equal = 0;
        for (const std::string& key : keys) {
            std::vector<std::string> row{escaped(key)};
            bool differs = report_.runs.size() == 1;
            for (const auto& own : values)
                differs = differs || own.count(key) == 0 || own.at(key) != values.front()[key];
            if (!differs) {
                ++equal;
                continue;
            }
            for (const auto& own : values)
                row.push_back(own.count(key) == 0 ? "" : escaped(own.at(key)));
            if (rows.size() < kMostSettings)
                rows.push_back(std::move(row));
        }
        if (keys.empty())
            return;
        out_ += element(
            "h2", "", escaped(report_.runs.size() == 1 ? words(Message("Settings")) : words(Message("What differs"))));
        std::vector<std::string> heads{escaped(words(Message("Key")))};
        for (std::size_t i = 0; i < report_.runs.size(); ++i)
            heads.push_back(name(i));
        out_ += table(heads, rows);
        if (equal > 0)
            out_ +=
                element("p", "", escaped(words(Message("{} settings are equal in all runs", std::to_string(equal)))));
    }

    const Report& report_;
    const std::function<std::string(const Message&)>& words_;
    std::vector<const MetricSource*> sources_;
    std::string out_;
};

}  // namespace

std::vector<Panel> usual_panels(const std::vector<const ReportRun*>& runs, std::size_t most, std::size_t& left_out) {
    std::set<std::string> names;
    for (const ReportRun* run : runs)
        for (const std::string& metric : run->metrics->metrics())
            if (metric.find_first_of("#@") == std::string::npos)
                names.insert(metric);
    std::vector<std::string> ordered(names.begin(), names.end());
    std::ranges::stable_sort(ordered, {}, [](const std::string& metric) {
        return metric.starts_with("train/") ? 0 : metric.starts_with("eval/") ? 1 : 2;
    });
    left_out = ordered.size() > most ? ordered.size() - most : 0;
    ordered.resize(ordered.size() - left_out);
    std::vector<Panel> panels;
    for (const std::string& metric : ordered) {
        Panel panel;
        panel.title = metric;
        panel.lines = {Formula::quoted(metric)};
        panels.push_back(std::move(panel));
    }
    return panels;
}

std::string html_of(const Report& report, const std::function<std::string(const Message&)>& words) {
    return Writer(report, words).write();
}

}  // namespace trainyard::report
