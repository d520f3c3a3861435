// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of comparing runs: settings, metrics, curves, differences, groups, sweeps.
#include <cmath>
#include <set>

#include <QComboBox>
#include <QFile>
#include <QHeaderView>
#include <QImage>
#include <QLabel>
#include <QSignalSpy>
#include <QSlider>
#include <QTableView>
#include <QTest>

#include <gtest/gtest.h>

#include "desktop/compare/compare_drawer.h"
#include "desktop/compare/compare_sources.h"
#include "desktop/compare/differences.h"
#include "desktop/compare/differences_panel.h"
#include "desktop/compare/influence.h"
#include "desktop/runs/run_store.h"
#include "fabricated_runs.h"
#include "support/child.h"
#include "support/settle.h"
#include "support/shown_words.h"
#include "support/temporary_folder.h"
#include "support/views_folder.h"
#include "widgets/label.h"
#include "widgets/plot/chart_legend.h"
#include "widgets/plot/curve_chart.h"
#include "widgets/plot/parallel_coordinates.h"
#include "widgets/plot/scatter_plot.h"
#include "widgets/theme.h"

using namespace trainyard;
using namespace trainyard::desktop;
using run::Status;
using test::fabricate;

namespace {

RunSummary summary(const char* name, const QVector<ConfigEntry>& config, const QVector<MetricEntry>& metrics = {}) {
    RunSummary run;
    run.id = run.path = run.name = QLatin1String(name);
    run.config = std::make_shared<const RunConfig>(config);
    run.metrics = std::make_shared<const RunMetrics>(metrics);
    return run;
}

ConfigEntry entry(const char* key, const char* text) {
    return {QLatin1String(key), QLatin1String(text), QString(QLatin1String(text)).toDouble()};
}

class CompareTest : public testing::Test {
  protected:
    DifferencesPanel* differences() const { return test::child<DifferencesPanel>(*drawer_); }
    widgets::ChartLegend* legend() const { return test::child<widgets::ChartLegend>(*drawer_); }
    widgets::CurveChart* chart() const { return test::child<widgets::CurveChart>(*drawer_); }
    void SetUp() override {
        ::setenv("TRAINYARD_RUNS", runs_.path().c_str(), 1);
        widgets::Theme::instance().install(*qApp);
    }
    void open() {
        store_ = std::make_unique<RunStore>();
        store_->start();
        ASSERT_TRUE(QTest::qWaitFor([this] {
            if (!store_->isLoaded())
                return false;
            for (const RunSummary& run : store_->runs())
                if (!run.metrics || !run.config)
                    return false;
            return true;
        }));
        drawer_ = std::make_unique<CompareDrawer>();
        drawer_->resize(1160, 320);
        drawer_->QWidget::show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(drawer_.get()));
    }
    bool caughtUp(int runs) {
        return QTest::qWaitFor([&] {
            const auto all = test::child<CompareSources>(*drawer_)->all();
            if (all.size() != runs || chart()->curves().size() != runs)
                return false;
            for (const CurveSource* source : all)
                if (!source->isCaughtUp())
                    return false;
            return true;
        });
    }
    test::ViewsFolder views_;
    test::TemporaryFolder runs_;
    std::unique_ptr<RunStore> store_;
    std::unique_ptr<CompareDrawer> drawer_;
};

}  // namespace

TEST(DifferencesTest, OnlyWhatDiffersStandsThereAndTheRestIsCounted) {
    RunSummaries runs{
        summary("a", {entry("optimizer.lr", "3e-4"), entry("training.steps", "100"), entry("created", "1")}),
        summary("b", {entry("optimizer.lr", "6e-4"), entry("training.steps", "100"), entry("created", "2")}),
        summary("c", {entry("optimizer.lr", "3e-4"), entry("training.steps", "100"), entry("schedule.lr", "1")}),
    };
    Differences found = differencesOf(runs);
    EXPECT_EQ(found.equal, 1);
    ASSERT_EQ(found.rows.size(), 2);
    EXPECT_EQ(found.rows[0].key, QStringLiteral("optimizer.lr"));
    EXPECT_EQ(found.rows[0].shown, QStringLiteral("optimizer.lr")) << "two keys end in lr";
    EXPECT_EQ(found.rows[0].differs, (QVector<bool>{false, true, false}));
    EXPECT_EQ(found.rows[1].values, (QStringList{QStringLiteral("–"), QStringLiteral("–"), QStringLiteral("1")}));
    runs[1].baseline = true;
    found = differencesOf(runs);
    EXPECT_EQ(found.base, 1);
    EXPECT_EQ(found.rows[0].differs, (QVector<bool>{true, false, true}));
    runs[2].config.reset();
    found = differencesOf(runs);
    EXPECT_EQ(found.unread, 1);
    ASSERT_EQ(found.rows.size(), 1);
    EXPECT_EQ(found.rows[0].shown, QStringLiteral("lr"));
    EXPECT_TRUE(differencesOf({}).rows.isEmpty());
}

TEST(DifferencesTest, TheBestIsMarkedByWhatTheMetricIs) {
    auto metric = [](const char* tag, double last, double low, double high) {
        return MetricEntry{QLatin1String(tag), last, low, high, (low + high) / 2, 10, 100};
    };
    const double nan = std::nan("");
    const RunSummaries runs{
        summary("a", {},
                {metric("train/loss", 2, 1.5, 9), metric("eval/accuracy", 0.7, 0.1, 0.9), metric("x", 1, 1, 1)}),
        summary("b", {},
                {metric("train/loss", nan, 1.2, 9), metric("eval/accuracy", 0.8, 0.1, 0.8), metric("x", 1, 1, 1)}),
        summary("c", {}, {metric("train/loss", 3, 1.4, 9)}),
    };
    const MetricRows last = metricRowsOf(runs, MetricPart::Last);
    ASSERT_EQ(last.rows.size(), 3);
    EXPECT_EQ(last.rows[0].tag, QStringLiteral("train/loss"));
    EXPECT_EQ(last.rows[0].best, 0) << "NaN is never best";
    EXPECT_EQ(last.rows[1].best, 1);
    EXPECT_EQ(last.rows[2].best, -1) << "all the same";
    EXPECT_FALSE(last.rows[1].present[2]);
    const MetricRows best = metricRowsOf(runs, MetricPart::Best);
    EXPECT_EQ(best.rows[0].best, 1);
    EXPECT_EQ(best.rows[1].best, 0);
    EXPECT_EQ(comparisonCsv(runs, MetricPart::Best).section(QLatin1Char('\n'), 0, 1).toStdString(),
              "key,a,b,c\ntrain/loss.best,1.5,1.2,1.3999999999999999");
}

TEST(DifferencesTest, WhatIsNeitherBetterHighNorLowIsNotJudged) {
    auto metric = [](const char* tag, double value) {
        return MetricEntry{QLatin1String(tag), value, value, value, value, 10, 100};
    };
    const RunSummaries runs{
        summary("a", {},
                {metric("train/loss", 2), metric("train/lr", 1e-3), metric("train/peak_flops_per_s", 1e9),
                 metric("train/tokens_per_s", 10)}),
        summary("b", {},
                {metric("train/loss", 1), metric("train/lr", 2e-3), metric("train/peak_flops_per_s", 2e9),
                 metric("train/tokens_per_s", 20)}),
    };
    const MetricRows best = metricRowsOf(runs, MetricPart::Best);
    ASSERT_EQ(best.rows.size(), 2);
    EXPECT_EQ(best.unjudged, 2);
    EXPECT_EQ(best.rows[0].tag, QStringLiteral("train/loss"));
    EXPECT_EQ(best.rows[1].tag, QStringLiteral("train/tokens_per_s"));
    EXPECT_EQ(best.rows[1].best, 1);
    const MetricRows last = metricRowsOf(runs, MetricPart::Last);
    ASSERT_EQ(last.rows.size(), 4);
    for (const MetricRows::Row& row : last.rows)
        EXPECT_EQ(row.best,
                  row.tag == QStringLiteral("train/loss") || row.tag == QStringLiteral("train/tokens_per_s") ? 1 : -1)
            << row.tag.toStdString();
    DifferencesPanel panel;
    panel.setRuns(runs);
    panel.setPage(2);
    EXPECT_EQ(test::child<QTableView>(panel)->model()->rowCount(), 2);
    EXPECT_TRUE(test::shown_words(panel).contains(QStringLiteral("2 metrics without a known direction")))
        << test::shown_words(panel).toStdString();
}

TEST(InfluenceTest, RanksShareTheirPlaces) {
    EXPECT_EQ(ranksOf({3, 1, 3, 2}), (QVector<double>{3.5, 1, 3.5, 2}));
    EXPECT_EQ(ranksOf({}), QVector<double>());
}

TEST(InfluenceTest, WhatGoesTogetherIsFoundAndWhatDoesNotIsNot) {
    // Twelve runs: the loss falls with lr, the optimizer decides half of the rest, the seed nothing; batch is the same
    // in all.
    RunSummaries runs;
    for (int i = 0; i < 12; ++i) {
        const double loss = 4 - 0.3 * i;
        const QByteArray name = "r" + QByteArray::number(i), lr = QByteArray::number(1e-5 * std::pow(2, i)),
                         seed = QByteArray::number((i * 7) % 12);
        RunSummary run = summary(name.constData(),
                                 {entry("optimizer.lr", lr.constData()),
                                  {"optimizer.name", i < 6 ? "adam" : "lion"},
                                  entry("training.seed", seed.constData()),
                                  entry("training.batch", "8")},
                                 {{QStringLiteral("eval/loss"), loss, loss, loss + 1, loss, 3, 9}});
        run.phase = RunPhase::Finished;
        runs << run;
    }
    const Influence found = influenceOf(runs, QStringLiteral("eval/loss"), MetricPart::Best);
    ASSERT_EQ(found.rows.size(), 3);
    EXPECT_EQ(found.runs, 12);
    EXPECT_EQ(found.tested, 3);
    EXPECT_EQ(found.rows[0].key, QStringLiteral("optimizer.lr"));
    EXPECT_NEAR(found.rows[0].strength, -1, 1e-12) << "of ranks: the steps of lr need not be even";
    EXPECT_LT(found.rows[0].chance, 0.001);
    EXPECT_EQ(found.rows[1].key, QStringLiteral("optimizer.name"));
    EXPECT_FALSE(found.rows[1].ofNumbers);
    EXPECT_NEAR(found.rows[1].strength, std::sqrt(108.0 / 143.0),
                1e-12);  // by hand: between 12 * 3 * 3, whole 12 * 143 / 12
    EXPECT_EQ(found.rows[2].shown, QStringLiteral("seed"));
    EXPECT_GT(found.rows[2].chance, 0.2);

    runs[3].phase = RunPhase::Running;
    EXPECT_EQ(influenceOf(runs, QStringLiteral("eval/loss"), MetricPart::Best).runs, 11)
        << "active runs must not be counted";
    const Influence few = influenceOf(runs.mid(0, 5), QStringLiteral("eval/loss"), MetricPart::Best);
    EXPECT_EQ(few.runs, 4);
    EXPECT_EQ(few.tested, 0);
    EXPECT_TRUE(std::isnan(few.rows[0].strength));
}

TEST_F(CompareTest, RunsStandInTheOrderOfAMetric) {
    DifferencesPanel panel;
    panel.resize(700, 300);
    panel.show();
    const auto metric = [](double last, double low) {
        return QVector<MetricEntry>{{QStringLiteral("eval/loss"), last, low, 9, 5, 10, 100}};
    };
    panel.setRuns({summary("a", {}, metric(2, 1.9)), summary("b", {}, metric(std::nan(""), 1.2)), summary("c", {}),
                   summary("d", {}, metric(1.5, 1.4))});
    panel.setPage(2);
    EXPECT_EQ(panel.columns(), (QStringList{"a", "b", "c", "d"}));
    const auto click = [&] {
        const QRect cell =
            test::child<QTableView>(panel)->visualRect(test::child<QTableView>(panel)->model()->index(0, 0));
        QTest::mouseClick(test::child<QTableView>(panel)->viewport(), Qt::LeftButton, {}, cell.center());
    };
    click();
    EXPECT_EQ(panel.columns(), (QStringList{"b", "d", "a", "c"}));
    EXPECT_EQ(panel.text().section(QLatin1Char('\n'), 0, 0).toStdString(), "Metric\tb\td\ta\tc");
    EXPECT_EQ(panel.text().section(QLatin1Char('\n'), 1, 1).toStdString(),
              "eval/loss\t1.2\t1.3999999999999999\t1.8999999999999999\t");
    QTest::keyClick(test::child<QTableView>(panel), Qt::Key_Return);
    EXPECT_EQ(panel.columns(), (QStringList{"a", "d", "b", "c"})) << "runs without a value must stay at the end";
    panel.setPage(1);
    EXPECT_EQ(panel.columns(), (QStringList{"a", "d", "b", "c"})) << "NaN must be sorted like a missing value";
    panel.setPage(0);
    EXPECT_EQ(panel.columns(), (QStringList{"a", "b", "c", "d"}));
    panel.setPage(1);
    click();
    EXPECT_EQ(panel.columns(), (QStringList{"a", "b", "c", "d"})) << "the third time as they were ticked";
}

TEST_F(CompareTest, RangesOfTheSweepTellWhichRunsAreInsideAndAReportHoldsAll) {
    for (int i = 0; i < 6; ++i)
        fabricate(runs_.path(), {.name = "sweep-" + std::to_string(i) + "<b>",
                                 .step = 50,
                                 .of = 50,
                                 .age_s = 100.0 * (i + 1),
                                 .end_loss = 1.5 + 0.1 * i,
                                 .lr = 1e-3 * (i + 1)});
    open();
    drawer_->setRuns(store_->runs());
    ASSERT_TRUE(caughtUp(6));
    QSignalSpy brushed(drawer_.get(), &CompareDrawer::brushed);
    drawer_->show(CompareDrawer::Show::Sweep);
    EXPECT_EQ(brushed.count(), 0);
    test::child<widgets::ParallelCoordinates>(*drawer_)->setBrush(0, widgets::XRange{0.5, 1});
    ASSERT_EQ(brushed.count(), 1);
    EXPECT_TRUE(brushed.last().at(0).toBool());
    EXPECT_EQ(brushed.last().at(1).value<QSet<QString>>().size(), 3);
    drawer_->clearBrushes();
    EXPECT_FALSE(brushed.last().at(0).toBool());
    test::child<widgets::ParallelCoordinates>(*drawer_)->setBrush(0, widgets::XRange{0.5, 1});
    drawer_->show(CompareDrawer::Show::Curves);
    EXPECT_FALSE(brushed.last().at(0).toBool()) << "ranges that are not seen hide nothing";

    test::TemporaryFolder out;
    QSignalSpy exported(drawer_.get(), &CompareDrawer::exported);
    const auto save = [&](const char* name) {
        const QString file = QString::fromStdString((out.path() / name).string());
        const auto before = exported.count();
        drawer_->exportTo(file);
        EXPECT_TRUE(QTest::qWaitFor([&] { return exported.count() > before; }, 20000));
        EXPECT_EQ(exported.last().at(1).toString().toStdString(), "");
        QFile read(file);
        EXPECT_TRUE(read.open(QIODevice::ReadOnly));
        return read.readAll();
    };
    const QByteArray report = save("all.html");
    for (const char* words :
         {"sweep-3&lt;b&gt;", "data:image/png;base64,", "optimizer.lr", "train/loss", "ρ ", "6 runs"})
        EXPECT_TRUE(report.contains(words)) << words;
    EXPECT_FALSE(report.contains("<b>"));
    EXPECT_FALSE(report.contains("://")) << "it needs nothing from anywhere";
    EXPECT_TRUE(save("all.csv").startsWith("key,sweep-0<b>,sweep-1<b>"));
    EXPECT_TRUE(QImage::fromData(save("all.png")).width() >= 1160);
    drawer_->exportTo(QString::fromStdString((out.path() / "not" / "there.csv").string()));
    ASSERT_TRUE(QTest::qWaitFor([&] { return exported.count() == 4; }, 20000));
    EXPECT_TRUE(exported.last().at(1).toString().contains(QStringLiteral("was not written")));
}

TEST_F(CompareTest, HeadsOfLongNamesShowWhereTheyDiffer) {
    for (const char* end : {"lr4e-3", "lr2e-3", "lr1e-3"})
        fabricate(runs_.path(), {.name = std::string("books-of-all-libraries-1m-") + end, .step = 20, .of = 20});
    open();
    drawer_->setRuns(store_->runs());
    ASSERT_TRUE(caughtUp(3));
    const QAbstractItemModel* table = test::child<QTableView>(*differences())->model();
    ASSERT_EQ(table->columnCount(), 4);
    const auto* view = test::child<QTableView>(*differences());
    for (const int width : {322, 500, 900}) {
        test::child<DifferencesPanel>(*drawer_)->resize(width, 240);
        test::settle();
        std::set<QString> heads;
        for (int column = 1; column < 4; ++column) {
            const QString head = table->headerData(column, Qt::Horizontal).toString();
            EXPECT_TRUE(head.startsWith(QStringLiteral("…lr"))) << head.toStdString();
            // The column has room for the swatch and the rest of the name.
            EXPECT_LE(view->horizontalHeader()->fontMetrics().horizontalAdvance(head) + 40, view->columnWidth(column))
                << head.toStdString() << " in a panel of " << width;
            heads.insert(head);
        }
        EXPECT_EQ(heads.size(), 3u) << width;
    }
    EXPECT_EQ(view->horizontalHeader()->textElideMode(), Qt::ElideNone) << "Qt would leave only dots beside a swatch";
}

TEST_F(CompareTest, TheSmoothingIsShownFollowsTheNumberOfPointsAndIsKept) {
    for (const char* name : {"one", "two"})
        fabricate(runs_.path(), {.name = name, .step = 100, .of = 100});
    open();
    drawer_->setRuns(store_->runs());
    ASSERT_TRUE(caughtUp(2));
    auto* slider = test::child<QSlider>(*drawer_, QStringLiteral("Smoothing weight"));
    EXPECT_TRUE(slider->isVisible());
    ASSERT_TRUE(QTest::qWaitFor([&] { return chart()->smoothing() > 0; }));
    const double weight = chart()->smoothing();
    EXPECT_LE(weight / (1 - weight), 1.1) << "an average lags behind by so many of the 100 steps";
    EXPECT_NEAR(slider->value() / 1000.0, weight, 0.001);
    QJsonObject kept;
    QObject::connect(drawer_.get(), &CompareDrawer::viewChanged, [&](const QJsonObject& view) { kept = view; });
    drawer_->setUnit(widgets::XUnit::Time);
    EXPECT_FALSE(kept.contains(QStringLiteral("chosen_smoothing")));
    slider->setFocus();
    QTest::keyClick(slider, Qt::Key_Home);
    for (int i = 0; i < 30; ++i)
        QTest::keyClick(slider, Qt::Key_PageUp);
    EXPECT_DOUBLE_EQ(chart()->smoothing(), 0.3);
    CompareDrawer again;
    again.restoreView(kept);
    again.setRuns(store_->runs());
    EXPECT_DOUBLE_EQ(test::child<widgets::CurveChart>(again)->smoothing(), 0.3);
    EXPECT_EQ(test::child<QSlider>(again, QStringLiteral("Smoothing weight"))->value(), 300);
    // S in the chart, and an entry of its menu, move the slider.
    QTest::keyClick(chart(), Qt::Key_S);
    EXPECT_EQ(slider->value(), 0);
    drawer_->setUnit(widgets::XUnit::Step);
    EXPECT_EQ(chart()->smoothing(), 0) << "what was chosen stays";
}

TEST(DifferencesTest, NoTwoCurvesHaveColourAndDashTogether) {
    QVector<int> numbers;
    for (int i = 1; i <= 30; ++i)
        numbers << (i % 7) + 1;
    const QVector<Qt::PenStyle> dashes = dashesOf(numbers);
    std::set<std::pair<int, int>> seen;
    for (int i = 0; i < numbers.size(); ++i)
        EXPECT_TRUE(seen.insert({numbers[i], dashes[i]}).second) << i;
    EXPECT_EQ(dashes.first(), Qt::SolidLine);
}

TEST_F(CompareTest, TenRunsStandOverEachOther) {
    for (int i = 0; i < 10; ++i)
        fabricate(runs_.path(), {.name = "run-" + std::to_string(i),
                                 .step = 200,
                                 .of = 200,
                                 .age_s = 100.0 * (i + 1),
                                 .end_loss = 1.5 + 0.1 * i,
                                 .lr = 1e-3 * (i % 3 + 1)});
    open();
    drawer_->setRuns(store_->runs());
    ASSERT_TRUE(caughtUp(10));
    std::set<std::pair<int, int>> looks;
    for (const widgets::Curve& curve : chart()->curves()) {
        EXPECT_EQ(curve.series->size(), 200u);
        EXPECT_TRUE(looks.insert({curve.color, curve.dash}).second);
    }
    const QAbstractItemModel* table = test::child<QTableView>(*differences())->model();
    ASSERT_EQ(table->columnCount(), 11);
    bool lr = false;
    for (int row = 0; row < table->rowCount(); ++row)
        lr = lr || table->index(row, 0).data().toString() == QStringLiteral("lr");
    EXPECT_TRUE(lr);
    EXPECT_TRUE(test::shown_words(*differences()).contains(QStringLiteral("equal")));

    auto* groups = test::child<QComboBox>(*drawer_, QStringLiteral("Group by"));
    const auto group_by = [groups](const QString& key) {
        groups->setFocus();
        while (groups->currentData().toString() != key)
            QTest::keyClick(groups, groups->currentIndex() < groups->findData(key) ? Qt::Key_Down : Qt::Key_Up);
    };
    ASSERT_GE(groups->findData(QStringLiteral("optimizer.lr")), 0);
    group_by(QStringLiteral("optimizer.lr"));
    // Three values: a mean each, in a band from the lowest to the highest.
    ASSERT_EQ(chart()->curves().size(), 3);
    for (const widgets::Curve& curve : chart()->curves()) {
        ASSERT_TRUE(curve.low != nullptr && curve.high != nullptr) << curve.name.toStdString();
        EXPECT_LT(curve.low->value(100), curve.series->value(100));
        EXPECT_GT(curve.high->value(100), curve.series->value(100));
    }
    group_by({});

    drawer_->show(CompareDrawer::Show::Differences);
    EXPECT_EQ(chart()->curves().size(), 9);
    const widgets::Series& difference = *chart()->curves().first().series;
    const widgets::Series& base = test::child<CompareSources>(*drawer_)->all().first()->series("train/loss");
    const widgets::Series& other = test::child<CompareSources>(*drawer_)->all().at(1)->series("train/loss");
    ASSERT_EQ(difference.size(), 200u);
    EXPECT_NEAR(difference.value(77), other.value(77) - base.value(77), 1e-6);

    drawer_->show(CompareDrawer::Show::Sweep);
    EXPECT_EQ(test::child<widgets::ParallelCoordinates>(*drawer_)->sweep().runs.size(), 10);
    EXPECT_EQ(test::child<widgets::ParallelCoordinates>(*drawer_)->sweep().axes.size(), 2);
    EXPECT_EQ(test::child<widgets::ScatterPlot>(*drawer_)->leftOut(), 0);

    drawer_->show(CompareDrawer::Show::Curves);
    drawer_->setRuns(store_->runs().mid(0, 2));
    EXPECT_EQ(test::child<CompareSources>(*drawer_)->all().size(), 2)
        << "sources that are not selected must be released";
    drawer_->setRuns({});
    EXPECT_TRUE(chart()->curves().isEmpty());
}

TEST_F(CompareTest, TheHeadAndAllColumnsFitAndTheLegendNamesTheRuns) {
    for (int i = 0; i < 3; ++i)
        fabricate(runs_.path(), {.name = "books-1m-lr" + std::to_string(i + 1) + "e-3",
                                 .step = 200,
                                 .of = 200,
                                 .age_s = 100.0 * (i + 1),
                                 .lr = 1e-3 * (i + 1)});
    open();
    drawer_->setRuns(store_->runs());
    ASSERT_TRUE(caughtUp(3));
    // The widths that the drawer has in windows of 1100 and of 1440 pixels.
    for (const int width : {848, 1188}) {
        drawer_->resize(width, 290);
        test::settle();
        if (drawer_->title()->isVisible()) {
            EXPECT_EQ(drawer_->title()->text(), drawer_->title()->fullText()) << width;
        }
        EXPECT_EQ(drawer_->title()->isVisible(), width > 1000);
        EXPECT_EQ(legend()->height(), legend()->heightForWidth(legend()->width())) << width;
        const auto* table = test::child<QTableView>(*differences());
        for (int page = 0; page < 3; ++page) {
            differences()->setPage(page);
            test::settle();
            ASSERT_EQ(table->model()->columnCount(), 4);
            EXPECT_LE(table->columnViewportPosition(3) + table->columnWidth(3), table->viewport()->width())
                << width << ", page " << page;
            EXPECT_GE(table->columnViewportPosition(3) + table->columnWidth(3), table->viewport()->width() - 8)
                << width << ", page " << page << ": the room is shared out";
        }
        differences()->setPage(0);
    }
    // A click on the first name hides its curve, and it stays hidden when the chart is rebuilt.
    ASSERT_TRUE(legend()->isVisible());
    QTest::mouseClick(legend(), Qt::LeftButton, {}, QPoint(12, 10));
    EXPECT_FALSE(chart()->curves().first().visible);
    drawer_->setTag(QStringLiteral("train/loss"));
    EXPECT_FALSE(chart()->curves().first().visible);
    EXPECT_TRUE(chart()->curves().last().visible);
    drawer_->show(CompareDrawer::Show::Sweep);
    EXPECT_FALSE(legend()->isVisible());
}

TEST_F(CompareTest, UnitsAndTheBaseline) {
    fabricate(runs_.path(), {.name = "one", .step = 60, .of = 60, .age_s = 100});
    fabricate(runs_.path(), {.name = "two", .step = 100, .of = 100, .age_s = 9000});
    open();
    RunSummaries runs = store_->runs();
    drawer_->setRuns(runs);
    ASSERT_TRUE(caughtUp(2));
    drawer_->setUnit(widgets::XUnit::Time);
    for (const widgets::Curve& curve : chart()->curves()) {
        ASSERT_TRUE(curve.scale.has_value());
        EXPECT_LT(curve.series->x(0, *curve.scale), 200) << "both begin at the left";
        EXPECT_GE(curve.series->x(0, *curve.scale), 0);
    }
    drawer_->setUnit(widgets::XUnit::Step);
    runs[1].baseline = true;
    drawer_->setRuns(runs);
    ASSERT_TRUE(caughtUp(2));
    drawer_->show(CompareDrawer::Show::Differences);
    ASSERT_EQ(chart()->curves().size(), 1);
    EXPECT_EQ(chart()->curves().first().name.toStdString(), "one − two");
    EXPECT_EQ(chart()->curves().first().series->size(), 60u) << "the steps both have";
    EXPECT_TRUE(test::shown_words(*drawer_).contains(QStringLiteral("Minus two")));
    drawer_->setTag(QStringLiteral("eval/loss"));
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return chart()->curves().size() == 1 && chart()->curves().first().series->size() > 0; }));
}

TEST_F(CompareTest, AFailedRunHasItsMarkerAndATornOneIsLeftOut) {
    fabricate(runs_.path(), {.name = "fine", .step = 60, .of = 60});
    fabricate(runs_.path(), {.name = "broken",
                             .status = Status::failed,
                             .step = 33,
                             .of = 60,
                             .age_s = 900,
                             .failure = "Rank 0 ran out of memory at step 33."});
    fabricate(runs_.path(), {.name = "bare", .step = 60, .of = 60, .age_s = 1200, .metrics = false});
    open();
    drawer_->setRuns(store_->runs());
    EXPECT_TRUE(test::shown_words(*drawer_).contains(QStringLiteral("3 runs are still being read.")))
        << test::shown_words(*drawer_).toStdString();
    ASSERT_TRUE(QTest::qWaitFor([&] { return chart()->markers().size() == 1; }));
    EXPECT_EQ(chart()->markers().first().step, 33);
    EXPECT_TRUE(chart()->markers().first().text.contains(QStringLiteral("out of memory")));
    // Curves come as they are read; only then it is known who has none.
    EXPECT_TRUE(QTest::qWaitFor([&] { return chart()->curves().size() == 2; }));
    EXPECT_TRUE(QTest::qWaitFor([&] {
        return test::shown_words(*drawer_).contains(QStringLiteral("1 without train/loss"));
    })) << test::shown_words(*drawer_).toStdString();
    EXPECT_FALSE(test::shown_words(*drawer_).contains(QStringLiteral("being read")));
}
