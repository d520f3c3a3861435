// SPDX-License-Identifier: GPL-3.0-or-later
// Reports of users of TensorBoard, W&B, MLflow and Aim about charts, formulas and confusion matrices, tried here.

#include <cmath>
#include <limits>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/report.h"
#include "report/svg_chart.h"
#include "support/says.h"

using namespace trainyard;
using namespace trainyard::report;
using test::says;
using testing::HasSubstr;
using testing::Not;
using widgets::Series;
using widgets::SeriesPoint;

namespace {

class Curves final : public StoredMetrics {
  public:
    void add(const std::string& name, std::int64_t step, double value) {
        curves_[name].append(SeriesPoint{step, 1.7e9 + static_cast<double>(step), value});
    }
    widgets::XScale scale(widgets::XUnit unit) const override {
        widgets::XScale scale;
        scale.unit = unit;
        return scale;
    }
};

Panel panel_of(const std::string& formula, const std::string& x = {}) {
    Panel panel;
    panel.lines = {formula};
    panel.x = x;
    return panel;
}

std::string html(const std::vector<std::pair<std::string, std::shared_ptr<Curves>>>& runs, const Panel& panel,
                 const std::optional<run::ClassReport>& classes = {}) {
    std::vector<ReportRun> shown(runs.size());
    Report report;
    report.panels = {panel};
    for (std::size_t i = 0; i < runs.size(); ++i) {
        shown[i].name = runs[i].first;
        shown[i].metrics = runs[i].second;
        shown[i].classes = classes;
        report.runs.push_back(&shown[i]);
    }
    return html_of(report);
}

}  // namespace

// wandb/wandb#2202: values that are NaN leave no trace in a graph.
TEST(PublicReports, ValuesThatAreNotNumbersAreCountedAtTheChart) {
    const auto run = std::make_shared<Curves>();
    for (int step = 0; step < 50; ++step)
        run->add("value", step, step % 5 == 0 ? 1 : std::nan(""));
    EXPECT_THAT(html({{"a", run}}, panel_of("value")), says("{} values are NaN or infinite and are not drawn", 40));
}

// mlflow/mlflow#2773: a metric with a single value is not displayed.
TEST(PublicReports, ASingleValueIsADot) {
    const auto run = std::make_shared<Curves>();
    run->add("test/accuracy", 100, 0.9);
    const std::string text = html({{"a", run}}, panel_of("test/accuracy"));
    EXPECT_THAT(text, HasSubstr("h0\""));
    EXPECT_THAT(text, HasSubstr("stroke-linecap:round")) << "a line of no length is a dot";
}

// G-Research/fasttrackml#489: infinite values of one run make the chart of all empty.
TEST(PublicReports, InfiniteValuesDoNotMoveTheAxes) {
    const auto a = std::make_shared<Curves>(), b = std::make_shared<Curves>();
    for (int step = 0; step < 10; ++step) {
        a->add("loss", step, step);
        b->add("loss", step, step == 3 ? std::numeric_limits<double>::infinity() : -step);
    }
    const std::string text = html({{"a", a}, {"b", b}}, panel_of("loss"));
    EXPECT_THAT(text, HasSubstr(">-5</text>"));
    EXPECT_THAT(text, HasSubstr(">5</text>"));
}

// wandb/wandb#3905: with another metric as the horizontal axis the chart is empty, and nothing says why.
TEST(PublicReports, MetricsThatNeverMeetAreNamed) {
    Curves run;
    for (int step = 0; step < 10; ++step) {
        run.add("environment_steps", 2 * step, 100 * step);
        run.add("average_return", 2 * step + 1, step);
    }
    const PanelLines lines(panel_of("average_return", "environment_steps"), {&run}, widgets::XUnit::Step);
    ASSERT_EQ(lines.problems().size(), 1u);
    EXPECT_THAT(lines.problems()[0],
                says("“{}”: {}", "average_return",
                     says("it has no step in common with the horizontal axis {}", "environment_steps")));
}

// wandb/wandb#6471: a key with a blank gives "no data available".
TEST(PublicReports, NamesWithBlanksWorkInQuotationMarks) {
    Curves run;
    run.add("Val mIoU", 1, 0.5);
    EXPECT_EQ(PanelLines(panel_of(Formula::quoted("Val mIoU") + " * 2"), {&run}, widgets::XUnit::Step)
                  .lines()
                  .at(0)
                  .series->value(0),
              1.0);
    const PanelLines without(panel_of("Val mIoU"), {&run}, widgets::XUnit::Step);
    ASSERT_EQ(without.problems().size(), 1u);
    EXPECT_THAT(without.problems()[0],
                says("“{}”: {}", "Val mIoU",
                     says("position {}: “{}” is not expected here: the name of a metric with blanks is written in "
                          "quotation marks",
                          5, "m")));
}

// mlflow/mlflow#11739 and #13485: any expression on both axes, negative values on the horizontal one.
TEST(PublicReports, TheHorizontalAxisMayBeNegativeAndComputed) {
    const auto run = std::make_shared<Curves>();
    for (int step = 0; step < 5; ++step) {
        run->add("snr", step, -10.0 + step);
        run->add("val_loss", step, 5 - step);
    }
    const PanelLines lines(panel_of("val_loss / 2", "snr * 2"), {run.get()}, widgets::XUnit::Step);
    const PanelLine& line = lines.lines().at(0);
    EXPECT_NEAR(line.series->x(0, line.scale), -20, 1e-9);
    EXPECT_NEAR(line.series->x(4, line.scale), -12, 1e-9);
    EXPECT_THAT(html({{"a", run}}, panel_of("val_loss / 2", "snr * 2")), HasSubstr(">-20</text>"));
}

// aimhubio/aim#3345: aligned by a metric, only points are shown and no lines.
TEST(PublicReports, PointsOverAMetricAreJoined) {
    const auto run = std::make_shared<Curves>();
    for (int step = 0; step < 3; ++step) {
        run->add("tokens_seen", step, 512 * step);
        run->add("loss", step, 3 - step);
    }
    const std::string text = html({{"a", run}}, panel_of("loss", "tokens_seen"));
    const std::size_t path = text.find("<path class=\"c0");
    ASSERT_NE(path, std::string::npos);
    const std::string drawn = text.substr(path, text.find("</path>", path) - path);
    EXPECT_EQ(std::count(drawn.begin(), drawn.end(), 'L'), 2) << drawn;
}

// wandb/wandb#1960: classes without samples shift the names of the others. #1104: rows are labels, columns what was
// found.
TEST(PublicReports, ClassesWithoutSamplesKeepTheirPlace) {
    run::ClassReport report;
    report.classes = {"absent", "cat", "dog"};
    report.counts = {{1, 2, 7}, {2, 2, 3}};
    const std::vector<run::ClassFigures> figures = run::class_figures(report);
    EXPECT_EQ(figures[0].support, 0);
    EXPECT_DOUBLE_EQ(figures[1].recall, 0);
    EXPECT_DOUBLE_EQ(figures[2].precision, 0.3);
    EXPECT_DOUBLE_EQ(figures[2].recall, 1);
    const std::string text = html({{"a", std::make_shared<Curves>()}}, panel_of("x"), report);
    const std::size_t cat = text.find("<tr><td>cat</td>"), dog = text.find("<tr><td>dog</td>");
    ASSERT_TRUE(cat != std::string::npos && cat < dog);
    EXPECT_THAT(text.substr(cat, dog - cat), HasSubstr(">7</td></tr>")) << "label cat, found as dog: the last column";
}

// wandb/wandb#2239: matrices of several runs are shown as one.
TEST(PublicReports, EveryRunHasItsOwnMatrix) {
    run::ClassReport report;
    report.step = 5;
    report.classes = {"a", "b"};
    report.counts = {{0, 0, 1}};
    const std::string text =
        html({{"one", std::make_shared<Curves>()}, {"two", std::make_shared<Curves>()}}, panel_of("x"), report);
    const test::SaysMatcher title = says("Classification at step {}", "5");
    std::size_t found = 0;
    for (std::size_t at = text.find("Classification at step"); at != std::string::npos;
         at = text.find("Classification at step", at + 1))
        ++found;
    EXPECT_EQ(found, 2u);
    EXPECT_THAT(text, title);
}

// tensorflow/tensorboard#2239: two curves of very different scale in one chart.
TEST(PublicReports, TwoScalesInOneChart) {
    const auto run = std::make_shared<Curves>();
    for (int step = 0; step < 10; ++step) {
        run->add("loss", step, 0.1 * step);
        run->add("tokens_per_second", step, 1e6 * (step + 1));
    }
    Panel panel = panel_of("loss");
    panel.right = {"tokens_per_second"};
    const std::string text = html({{"a", run}}, panel);
    EXPECT_THAT(text, HasSubstr(">0.4</text>"));
    EXPECT_THAT(text, HasSubstr(">4 M</text>"));
}
