// SPDX-License-Identifier: GPL-3.0-or-later
// Reports as HTML: nothing is fetched, no text becomes markup, no spike is lost.

#include <cmath>
#include <regex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "formats/events/event_file.h"
#include "report/html.h"
#include "report/run_metrics.h"
#include "report/svg_chart.h"
#include "run/run_labels.h"
#include "support/temporary_folder.h"

using namespace trainyard;
using namespace trainyard::report;
using testing::HasSubstr;
using testing::Not;
using widgets::SeriesPoint;

namespace {

class Reports : public testing::Test {
  protected:
    run::RunPaths write_run(const std::string& name, int points, double offset) {
        const run::RunPaths run(folder_.path() / name);
        std::filesystem::create_directories(run.metrics());
        events::EventFileWriter writer(run.metrics());
        for (int step = 0; step < points; ++step)
            writer.add_scalars(step, 1.7e9 + step,
                               {{"train/loss", offset + 1.0 / (step + 1)}, {"train/lr", 1e-3 / (step + 1)}});
        writer.add_scalars(points, 1.7e9 + points, {{"eval/accuracy", 0.5 + offset / 10}});
        writer.flush();
        return run;
    }
    static std::string html(const std::vector<std::unique_ptr<ReportRun>>& runs, std::vector<Panel> panels = {}) {
        Report report;
        for (const auto& run : runs)
            report.runs.push_back(run.get());
        report.panels = std::move(panels);
        report.notes = "first & <b>second</b>\nline";
        return html_of(report);
    }
    test::TemporaryFolder folder_;
};

TEST_F(Reports, HoldEveryMetricAndFetchNothing) {
    std::vector<std::unique_ptr<ReportRun>> runs;
    runs.push_back(open_run(write_run("one", 500, 1)));
    runs.push_back(open_run(write_run("two", 300, 2)));
    const std::string text = html(runs);
    for (const char* metric : {"train/loss", "train/lr", "eval/accuracy"})
        EXPECT_THAT(text, HasSubstr(std::string("<h3>") + metric)) << metric;
    for (const char* outside : {"http:", "https:", "<script", " src=", "url(", "<link", "@import", "<img", "<iframe"})
        EXPECT_THAT(text, Not(HasSubstr(outside)));
    EXPECT_THAT(text, HasSubstr("default-src 'none'"));
    EXPECT_THAT(text, HasSubstr("prefers-color-scheme:dark"));
    EXPECT_THAT(text, HasSubstr("first &amp; &lt;b&gt;second&lt;/b&gt;\nline"));
    // The tables have the last values.
    EXPECT_THAT(text, HasSubstr("1.002 <small>@499</small>"));
}

TEST_F(Reports, NoTextOfARunIsMarkup) {
    const run::RunPaths run = write_run("evil", 10, 1);
    run::Labels labels;
    labels.name = "</title><script>alert(1)</script>";
    labels.note = "\" onload='x' <img src=http://example.invalid/a.png>";
    run::write_labels(run, labels);
    std::vector<std::unique_ptr<ReportRun>> runs;
    runs.push_back(open_run(run));
    Panel note;
    note.kind = PanelKind::text;
    note.text = "<iframe src='http://example.invalid'></iframe> \x1b[31m \xff";
    Panel line;
    line.title = "<svg onload=x>";
    line.lines = {"train/loss", "<b> + 1"};
    const std::string text = html(runs, {note, line});
    for (const char* markup : {"<script", "<img", "<iframe", "<svg onload", "<b>", "\x1b", "\xff"})
        EXPECT_THAT(text, Not(HasSubstr(markup)));
    EXPECT_THAT(text, HasSubstr("&lt;script&gt;"));
    EXPECT_THAT(text, HasSubstr("class=\"error\"")) << "the formula that cannot be read";
}

TEST_F(Reports, ADamagedRunIsShownWithItsProblem) {
    const run::RunPaths run = write_run("damaged", 50, 1);
    write_file_atomically(run.state(), "{ not json");
    write_file_atomically(run.spec(), "recipe: [1, 2\n");
    std::vector<std::unique_ptr<ReportRun>> runs;
    runs.push_back(open_run(run));
    EXPECT_GE(runs[0]->problems.size(), 2u);
    const std::string text = html(runs);
    EXPECT_THAT(text, HasSubstr("state.json"));
    EXPECT_THAT(text, HasSubstr("<h3>train/loss"));
    EXPECT_THROW(open_run(run::RunPaths(folder_.path() / "nothing")), UserError);
}

TEST(SvgCharts, KeepEverySpikeOfALongCurve) {
    widgets::Series series;
    std::vector<SeriesPoint> points;
    for (int step = 0; step < 100'000; ++step)
        points.push_back({step, 1.0 * step, step == 77'777 ? 50.0 : std::sin(step * 0.01)});
    series.append(points);
    SvgChart chart;
    chart.curves.push_back({"spike", &series, {}});
    const std::string svg = svg_of(chart);
    EXPECT_LT(svg.size(), 60'000u) << "reduced to the pixels of the picture";
    // The highest point of the path is the spike: 6 % below the upper edge of 268 units.
    double top = 1e9;
    const std::regex place("[ML]([0-9.]+) ([0-9.]+)");
    const std::string path = svg.substr(svg.find("class=\"c0"));
    for (std::sregex_iterator at(path.begin(), path.end(), place), end; at != end; ++at)
        top = std::min(top, std::stod((*at)[2]));
    EXPECT_NEAR(top, 8 + 268 * 0.06 / 1.12, 0.2);
}

TEST(SvgCharts, LogAxesAndGapsLeaveOutWhatTheyCannotShow) {
    widgets::Series series, right;
    for (int step = 0; step < 5; ++step) {
        series.append(SeriesPoint{step, 0, step == 2 ? std::nan("") : step - 1.0});
        right.append(SeriesPoint{step, 0, 1e6 * (step + 1)});
    }
    SvgChart chart;
    chart.log_y = true;
    chart.curves.push_back({"a", &series, {}});
    chart.curves.push_back({"b", &right, {}, 2, 0, true});
    const std::string svg = svg_of(chart);
    EXPECT_THAT(svg, Not(HasSubstr("nan")));
    EXPECT_THAT(svg, Not(HasSubstr("inf")));
    EXPECT_THAT(svg, HasSubstr("5 M")) << "the numbers of the right axis";
    EXPECT_EQ(svg_of({}), "");
}

TEST(SvgCharts, NumbersAreShort) {
    EXPECT_EQ(number_text(0.25), "0.25");
    EXPECT_EQ(number_text(-0.0), "0");
    EXPECT_EQ(number_text(-3e-7), "-3e-07");
    EXPECT_EQ(number_text(1234567), "1.2346 M");
    EXPECT_EQ(number_text(25000), "25 k");
}

}  // namespace
