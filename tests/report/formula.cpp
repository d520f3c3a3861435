// SPDX-License-Identifier: GPL-3.0-or-later
// Formulas over metrics: values, the grammar's limits and the position in every message.

#include "report/formula.h"

#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "report/panel_lines.h"
#include "support/says.h"
#include "widgets/plot/smoothing.h"

using namespace trainyard;
using namespace trainyard::report;
using test::says;
using testing::_;
using widgets::Series;
using widgets::SeriesPoint;

namespace {

double computed(const std::string& text, const std::map<std::string, double>& metrics = {}) {
    const Formula formula(text);
    std::vector<double> values;
    for (const Formula::Name& name : formula.names())
        values.push_back(metrics.at(name.name));
    Formula::State state;
    return formula.value(values.data(), state);
}

Message refused(const std::string& text) {
    try {
        const Formula formula(text);
    } catch (const UserError& error) {
        return error.message();
    }
    return "accepted";
}

class Metrics final : public StoredMetrics {
  public:
    Series& curve(const std::string& name) { return curves_[name]; }
    Metrics() { histograms_["weights"] = {{0, 1, 3}, {1, 3}}; }
    void add(const std::string& name, std::int64_t step, double value) {
        curves_[name].append(SeriesPoint{step, 100.0 + static_cast<double>(step), value});
    }
    widgets::XScale scale(widgets::XUnit unit) const override {
        widgets::XScale scale;
        scale.unit = unit;
        scale.start = 100;
        scale.tokens_per_step = 512;
        return scale;
    }
};

std::vector<double> values(const Series& series) {
    std::vector<double> list;
    for (std::size_t i = 0; i < series.size(); ++i)
        list.push_back(series.value(i));
    return list;
}

Panel lines(std::vector<std::string> formulas, std::string x = {}) {
    Panel panel;
    panel.lines = std::move(formulas);
    panel.x = std::move(x);
    return panel;
}

}  // namespace

TEST(Formula, FollowsTheRulesOfArithmetic) {
    EXPECT_DOUBLE_EQ(computed("1 + 2 * 3"), 7);
    EXPECT_DOUBLE_EQ(computed("(1 + 2) * 3 - 4 / 8"), 8.5);
    EXPECT_DOUBLE_EQ(computed("2 ^ 3 ^ 2"), 512);
    EXPECT_DOUBLE_EQ(computed("-2 ^ 2"), -4);
    EXPECT_DOUBLE_EQ(computed("2 ^ -1"), 0.5);
    EXPECT_DOUBLE_EQ(computed("10 - 4 - 3"), 3);
    EXPECT_DOUBLE_EQ(computed("1e-3 * 2.5E3"), 2.5);
    EXPECT_DOUBLE_EQ(computed("min(3, 1, 2) + max(1, 2) + abs(-4) + pow(2, 5) + sqrt(9)"), 42);
    EXPECT_DOUBLE_EQ(computed("log(exp(2)) + log10(1000) + log2(8) + round(1.4) + floor(1.6) + ceil(0.2)"), 11);
    EXPECT_TRUE(std::isnan(computed("0 / 0")));
}

TEST(Formula, NamesMayHoldWhatMetricsHold) {
    const std::map<std::string, double> metrics{{"train/loss", 3}, {"eval/loss", 2}, {"a", 8},       {"b", 4},
                                                {"system/m#1", 5}, {"val-loss", 7},  {"größe.x", 1}, {"log", 6}};
    EXPECT_DOUBLE_EQ(computed("train/loss - eval/loss", metrics), 1);
    EXPECT_DOUBLE_EQ(computed("a / b", metrics), 2);
    EXPECT_DOUBLE_EQ(computed("a /b + a/ b", metrics), 4);
    EXPECT_DOUBLE_EQ(computed("system/m#1 + \"val-loss\" + `val-loss` + größe.x", metrics), 20);
    EXPECT_DOUBLE_EQ(computed("log * 2", metrics), 12) << "a function only before (";
    EXPECT_EQ(Formula("a + train/loss + a").names().size(), 2u);
    for (const auto& [name, value] : metrics)
        EXPECT_DOUBLE_EQ(computed(Formula::quoted(name), metrics), value) << name;
}

TEST(Formula, EveryMistakeNamesItsPosition) {
    const auto ends = [](int at) {
        return says("position {}: the formula ends where a number, a metric or “(” is expected", at);
    };
    const auto unexpected = [](int at, const char* what) {
        return says("position {}: “{}” is not expected here", at, what);
    };
    EXPECT_THAT(refused(""), ends(1));
    EXPECT_THAT(refused("a +"), ends(4));
    EXPECT_THAT(refused("a + * b"), unexpected(5, "*"));
    EXPECT_THAT(refused("ä ä"), says("position {}: “{}” is not expected here: the name of a metric with blanks is "
                                     "written in quotation marks",
                                     3, "ä"))
        << "characters, not bytes";
    EXPECT_THAT(refused("a)"), unexpected(2, ")"));
    EXPECT_THAT(refused("a + (b"), says("position {}: “(” is not closed", 5));
    EXPECT_THAT(refused("a + \"b"), says("position {}: the quotation mark is not closed", 5));
    EXPECT_THAT(refused("1 + sine(a)"), says("position {}: {} is not a function: they are {}", 5, "sine", _));
    EXPECT_THAT(refused("smooth(a)"),
                says("position {}: {}() has {} arguments, and {} are given", 1, "smooth", "2", 1));
    EXPECT_THAT(refused("a + ."), says("position {}: this is not a number", 5));
    EXPECT_THAT(refused(std::string(200, '(')), says("position {}: a formula is nested at most {} times", 65, 64));
    EXPECT_THAT(refused(std::string(2001, '1')),
                says("a formula has at most {} bytes, and this one has {}", 2000, 2001));
}

TEST(PanelLines, AreComputedAtTheStepsThatAllMetricsHave) {
    Metrics run;
    for (int step = 0; step < 10; ++step)
        run.add("train/loss", step, 10 - step);
    run.add("eval/loss", 3, 8);
    run.add("eval/loss", 6, 5);
    PanelLines panel(lines({"eval/loss - train/loss"}), {&run}, widgets::XUnit::Step);
    ASSERT_EQ(panel.lines().size(), 1u);
    const Series* series = panel.lines()[0].series;
    EXPECT_EQ(values(*series), (std::vector<double>{1, 1}));
    EXPECT_EQ(series->step(1), 6);
    run.add("eval/loss", 9, 4);
    panel.follow();
    EXPECT_EQ(values(*series), (std::vector<double>{1, 1, 3})) << "follows runs that train";
    // A restart drops points; what was computed of them goes, too.
    run.curve("eval/loss").dropFrom(6);
    panel.follow();
    EXPECT_EQ(values(*series), (std::vector<double>{1}));
    EXPECT_TRUE(panel.problems().empty());
}

TEST(PanelLines, FunctionsOverPointsRememberWhatCameBefore) {
    Metrics run;
    std::vector<double> raw;
    for (int step = 0; step < 50; ++step) {
        raw.push_back(std::sin(step) + step * 0.1);
        run.add("x", step, raw.back());
    }
    const PanelLines panel(lines({"smooth(x, 0.6)", "cumsum(x)", "diff(x)", "cummin(x)", "cummax(x)"}), {&run},
                           widgets::XUnit::Step);
    ASSERT_EQ(panel.lines().size(), 5u);
    const std::vector<double> smooth = widgets::smoothed(raw, 0.6);
    double sum = 0, low = raw[0], high = raw[0];
    for (std::size_t i = 0; i < raw.size(); ++i) {
        sum += raw[i], low = std::min(low, raw[i]), high = std::max(high, raw[i]);
        EXPECT_NEAR(panel.lines()[0].series->value(i), smooth[i], 1e-9) << i;
        EXPECT_NEAR(panel.lines()[1].series->value(i), sum, 1e-9) << i;
        if (i > 0) {
            EXPECT_NEAR(panel.lines()[2].series->value(i), raw[i] - raw[i - 1], 1e-9) << i;
        }
        EXPECT_DOUBLE_EQ(panel.lines()[3].series->value(i), low) << i;
        EXPECT_DOUBLE_EQ(panel.lines()[4].series->value(i), high) << i;
    }
    EXPECT_TRUE(std::isnan(panel.lines()[2].series->value(0)));
}

TEST(PanelLines, AnyMetricIsAHorizontalAxis) {
    Metrics run;
    const double rates[] = {1e-5, 3e-5, 2e-5, 5e-6};
    for (int step = 0; step < 4; ++step) {
        run.add("lr", step, rates[step]);
        run.add("loss", step, step);
    }
    PanelLines panel(lines({"loss"}, "lr"), {&run}, widgets::XUnit::Step);
    EXPECT_EQ(panel.unit(), widgets::XUnit::Value);
    const report::PanelLine& line = panel.lines().at(0);
    ASSERT_EQ(line.series->size(), 4u);
    const double places[] = {5e-6, 1e-5, 2e-5, 3e-5}, losses[] = {3, 0, 2, 1};
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_NEAR(line.series->x(i, line.scale), places[i], 1e-14);
        EXPECT_EQ(line.series->value(i), losses[i]);
    }
    run.add("lr", 4, 4e-5);
    run.add("loss", 4, 9);
    panel.follow();
    EXPECT_EQ(line.series->size(), 5u);
    const PanelLines tokens(lines({"loss * tokens"}, "tokens"), {&run}, widgets::XUnit::Step);
    EXPECT_EQ(tokens.unit(), widgets::XUnit::Tokens);
    EXPECT_EQ(tokens.lines()[0].series->value(2), 2 * 1024);
    EXPECT_EQ(tokens.lines()[0].series->x(2, tokens.lines()[0].scale), 1024);
}

TEST(PanelLines, WhatCannotBeComputedIsOneMessageAndTheRestIsDrawn) {
    Metrics a, b;
    for (int step = 0; step < 4; ++step) {
        a.add("train/loss", 2 * step, 1);
        b.add("train/loss", 2 * step, 2);
        a.add("eval/loss", 2 * step + 1, 1);
    }
    const PanelLines panel(lines({"train/loss", "train/los * 2", "train/loss +", "train/loss - eval/loss", "3"}),
                           {&a, &b}, widgets::XUnit::Step);
    EXPECT_EQ(panel.lines().size(), 3u) << "the first formula of both runs, the empty difference of one";
    const std::vector<Message> problems = panel.problems();
    ASSERT_EQ(problems.size(), 4u);
    EXPECT_THAT(problems[0],
                says("“{}”: {}", "train/los * 2",
                     says("position {}: there is no metric {}{}", 1, "train/los", ": did you mean 'train/loss'?")));
    EXPECT_THAT(problems[1],
                says("“{}”: {}", "train/loss +",
                     says("position {}: the formula ends where a number, a metric or “(” is expected", 13)));
    EXPECT_THAT(problems[2], says("“{}”: {}", "3", says("a formula names at least one metric")));
    EXPECT_THAT(problems[3], says("“{}”: {}", "train/loss - eval/loss", says("its metrics have no step in common")));
    const PanelLines axis(lines({"train/loss"}, "epochs + 1"), {&a}, widgets::XUnit::Step);
    ASSERT_EQ(axis.problems().size(), 1u);
    EXPECT_THAT(axis.problems()[0],
                says("“{}”: {}", "epochs + 1", says("position {}: there is no metric {}{}", 1, "epochs", _)));
}

TEST(PanelLines, HistogramsCountValuesOrAreThoseOfTheRun) {
    Metrics run;
    for (int step = 0; step < 1000; ++step)
        run.add("loss", step, step % 10);
    Panel panel = lines({"loss", "weights"});
    panel.kind = PanelKind::histogram;
    const PanelLines bars(panel, {&run}, widgets::XUnit::Step);
    ASSERT_EQ(bars.lines().size(), 2u);
    for (const report::PanelLine& line : bars.lines()) {
        double area = 0;
        for (std::size_t i = 1; i < line.series->size(); ++i)
            area += (line.series->x(i, line.scale) - line.series->x(i - 1, line.scale)) * line.series->value(i);
        EXPECT_NEAR(area, 1, 1e-6) << line.name;
    }
    EXPECT_NEAR(bars.lines()[1].series->value(1), 0.25, 1e-12);
    EXPECT_NEAR(bars.lines()[1].series->value(3), 0.375, 1e-12) << "a wider bin is lower";
}

TEST(PanelLines, PanelsSurviveTheirJson) {
    Panel panel = lines({"a - b"}, "lr");
    panel.right = {"c"};
    panel.smoothing = 0.25;
    panel.log_right = true;
    panel.title = "gap \"<b>\"";
    EXPECT_EQ(panel_from_json(panel_to_json(panel), "here"), panel);
    EXPECT_THROW(panel_from_json(R"({"kind":"pie"})", "here"), UserError);
}
