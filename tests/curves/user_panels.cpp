// SPDX-License-Identifier: GPL-3.0-or-later
// Panels that users make: from the button to the curves on the screen, through undo, named layouts and a restart.
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QJsonArray>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTextBrowser>
#include <QUndoStack>

#include <gtest/gtest.h>

#include "base/file.h"
#include "desktop/curves/card_grid.h"
#include "desktop/curves/card_set.h"
#include "desktop/curves/curve_card.h"
#include "desktop/curves/curves_panel.h"
#include "desktop/curves/named_layouts.h"
#include "desktop/curves/panel_bar.h"
#include "desktop/curves/panel_dialog.h"
#include "desktop/curves/table_card.h"
#include "desktop/shell/view_state.h"
#include "fake_source.h"
#include "support/child.h"
#include "support/model_check.h"
#include "support/says.h"
#include "support/settle.h"
#include "support/temporary_folder.h"
#include "support/views_folder.h"
#include "widgets/inline_message.h"
#include "widgets/plot/curve_chart.h"
#include "widgets/plot/plot_frame.h"
#include "widgets/segmented_control.h"
#include "widgets/theme.h"

using namespace trainyard;
using namespace trainyard::desktop;
using test::says;
using widgets::CurveChart;

namespace {

class UserPanels : public testing::Test {
  protected:
    void SetUp() override {
        widgets::Theme::instance().install(*qApp);
        for (const char* tag : {"train/loss", "train/lr", "eval/loss"})
            a_.add(tag, 200);
        b_.add("train/loss", 150);
        open({&a_, &b_});
    }
    void open(const QVector<CurveSource*>& sources) {
        panel_ = std::make_unique<CurvesPanel>(QStringLiteral("project"), QStringLiteral("run"));
        panel_->resize(1200, 800);
        panel_->show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(panel_.get()));
        panel_->setSources(sources);
        test::settle();
    }
    /// Chooses an entry of the button "Add panel".
    PanelDialog* choose(int entry) {
        for (QPushButton* button : test::child<PanelBar>(*panel_)->findChildren<QPushButton*>())
            if (button->menu() != nullptr && button->menu()->actions().size() == 4 &&
                button->text() == PanelBar::tr("Add panel"))
                button->menu()->actions()[entry]->trigger();
        return panel_->findChild<PanelDialog*>();
    }
    static void save(PanelDialog* dialog) {
        for (QPushButton* button : dialog->findChildren<QPushButton*>())
            if (button->text() == PanelDialog::tr("Save"))
                button->click();
        test::settle();
    }
    template <class Card>
    Card* card(int number, const char* kind = "") const {
        return qobject_cast<Card*>(
            test::child<CardGrid>(*panel_)->card(QStringLiteral("pin:%1").arg(number) + QLatin1String(kind)));
    }
    static QPlainTextEdit* field(PanelDialog* dialog, int number) {
        return dialog->findChildren<QPlainTextEdit*>().value(number);
    }
    void lineChart(const QString& lines, const QString& right = {}, const QString& x = {}) {
        PanelDialog* dialog = choose(0);
        ASSERT_NE(dialog, nullptr);
        field(dialog, 0)->setPlainText(lines);
        field(dialog, 1)->setPlainText(right);
        if (!x.isEmpty())
            dialog->findChild<QComboBox*>()->setEditText(x);
        save(dialog);
    }

    test::ViewsFolder views_;
    test::FakeSource a_{QStringLiteral("a"), 1};
    test::FakeSource b_{QStringLiteral("b"), 2};
    std::unique_ptr<CurvesPanel> panel_;
};

}  // namespace

TEST_F(UserPanels, ALineChartLaysFormulasOfSeveralRunsOverEachOther) {
    lineChart(QStringLiteral("train/loss * 2\ntrain/loss"), QStringLiteral("train/lr"));
    auto* made = card<CurveCard>(1);
    ASSERT_NE(made, nullptr);
    const QVector<widgets::Curve>& curves = made->chart()->curves();
    ASSERT_EQ(curves.size(), 5) << "two formulas of two runs, and a metric of one";
    EXPECT_DOUBLE_EQ(curves[0].series->value(0), 2 * a_.series("train/loss").value(0));
    EXPECT_DOUBLE_EQ(curves[1].series->value(7), 2 * b_.series("train/loss").value(7));
    EXPECT_TRUE(curves[4].right);
    EXPECT_EQ(curves[4].name, CurveCard::tr("%1 (right)").arg(QStringLiteral("a · train/lr")));
    EXPECT_TRUE(curves[0].color != curves[1].color && curves[0].dash != curves[2].dash);
    // A new point is in the formula at once.
    a_.append("train/loss", 300, 21);
    made->chart()->flush();
    EXPECT_DOUBLE_EQ(curves[0].series->value(curves[0].series->size() - 1), 42);
}

TEST_F(UserPanels, TheRightAxisHasItsOwnRangeAndScale) {
    test::FakeSource big(QStringLiteral("big"), 3);
    for (int i = 0; i < 50; ++i) {
        big.append("small", i, 1 + 0.01 * i);
        big.append("large", i, 1e6 * (i + 1));
    }
    big.add("small"), big.add("large");
    panel_.reset();
    open({&big});
    lineChart(QStringLiteral("small"), QStringLiteral("large"));
    CurveChart* chart = card<CurveCard>(1)->chart();
    chart->flush();
    EXPECT_LT(chart->view().y.upper, 2);
    EXPECT_GT(chart->view().right.upper, 4e7);
    const widgets::PlotFrame& frame = chart->frame();
    for (const double value : {1e6, 5e7}) {
        const double y = frame.side(true).pixelOfY(value);
        EXPECT_TRUE(y >= frame.area.top() && y <= frame.area.bottom()) << value;
    }
    EXPECT_GT(chart->width() - frame.area.right(), 30) << "numbers stand right of the plot";
    // Drawn: the last column of the plot has both curves near its top.
    EXPECT_GT(chart->redraws(), 0);
}

TEST_F(UserPanels, AMetricIsTheHorizontalAxis) {
    lineChart(QStringLiteral("eval/loss"), {}, QStringLiteral("train/loss"));
    CurveChart* chart = card<CurveCard>(1)->chart();
    chart->flush();
    EXPECT_EQ(chart->view().scale.unit, widgets::XUnit::Value);
    ASSERT_EQ(chart->curves().size(), 1);
    const widgets::Series& series = *chart->curves()[0].series;
    EXPECT_EQ(series.size(), 200u);
    EXPECT_NEAR(series.x(0, chart->view().scale), a_.series("train/loss").value(199), 1e-9) << "ascending";
    // The others keep their axis when all charts change theirs.
    PanelLayout layout = panel_->panelLayout();
    layout.unit = widgets::XUnit::Time;
    panel_->changeLayout(layout);
    EXPECT_EQ(chart->view().scale.unit, widgets::XUnit::Value);
}

TEST_F(UserPanels, AWrongFormulaIsOneMessageAndNothingIsLost) {
    PanelDialog* dialog = choose(0);
    ASSERT_NE(dialog, nullptr);
    field(dialog, 0)->setPlainText(QStringLiteral("train/loss\ntrain/loss + * 2"));
    const auto message = says("“{}”: {}", "train/loss + * 2", says("position {}: “{}” is not expected here", 14, "*"));
    const auto said = [&](QWidget* in) {
        for (const QLabel* label : in->findChildren<QLabel*>())
            if (label->isVisibleTo(in) && testing::Matches(message)(label->text().toStdString()))
                return true;
        return false;
    };
    EXPECT_TRUE(QTest::qWaitFor([&] { return said(dialog); })) << "while one types";
    save(dialog);
    auto* made = card<CurveCard>(1);
    ASSERT_NE(made, nullptr);
    EXPECT_TRUE(said(made)) << "at the panel";
    EXPECT_EQ(made->chart()->curves().size(), 2) << "the other formula is drawn";
    panel_->editPanel(QStringLiteral("pin:1"));
    auto* again = panel_->findChildren<PanelDialog*>().last();
    EXPECT_EQ(field(again, 0)->toPlainText(), QStringLiteral("train/loss\ntrain/loss + * 2"));
    field(again, 0)->setPlainText(QStringLiteral("train/loss"));
    save(again);
    EXPECT_FALSE(said(made));
    panel_->history()->undo();
    test::settle();
    EXPECT_TRUE(said(card<CurveCard>(1))) << "one step of undo";
}

TEST_F(UserPanels, TablesTextsAndHistogramsHaveTheirCards) {
    PanelDialog* dialog = choose(1);
    field(dialog, 0)->setPlainText(QStringLiteral("train/loss\neval/loss - train/loss"));
    save(dialog);
    auto* table = card<TableCard>(1, "|table");
    ASSERT_NE(table, nullptr);
    ASSERT_EQ(table->model()->rowCount(), 3) << "a row for each run that has the metrics";
    test::check_model<FiguresModel>(*table->model());
    EXPECT_EQ(test::read_all(*table->model()), 18);
    const QStringList lines = table->model()->text().split(QLatin1Char('\n'));
    const QStringList first = lines[1].split(QLatin1Char('\t'));
    EXPECT_EQ(first[0], QStringLiteral("a"));
    EXPECT_EQ(first[2].toDouble(), a_.series("train/loss").value(199));
    EXPECT_EQ(first[4].toDouble(), a_.series("train/loss").value(0)) << "highest";
    a_.append("train/loss", 500, -3);
    EXPECT_EQ(table->model()->text().split(QLatin1Char('\n'))[1].split(QLatin1Char('\t'))[3].toDouble(), -3) << "live";

    dialog = choose(3);
    field(dialog, 0)->setPlainText(QStringLiteral("# Notes\n\n**bold** <b>raw</b> ![x](http://example.invalid/x.png)"));
    save(dialog);
    auto* page = card<PanelCard>(2, "|text")->findChild<QTextBrowser*>();
    ASSERT_NE(page, nullptr);
    EXPECT_TRUE(page->toPlainText().contains(QStringLiteral("bold")));
    EXPECT_FALSE(page->toPlainText().contains(QStringLiteral("**"))) << "read as Markdown";

    a_.addHistogram("weights", 3);
    emit a_.tagsChanged();
    ASSERT_TRUE(QTest::qWaitFor([&] { return panel_->index().find(QStringLiteral("h:weights")) != nullptr; }));
    dialog = choose(2);
    field(dialog, 0)->setPlainText(QStringLiteral("weights\ntrain/lr"));
    save(dialog);
    const QVector<widgets::Curve>& bars = card<CurveCard>(3)->chart()->curves();
    ASSERT_EQ(bars.size(), 2);
    EXPECT_EQ(bars[0].series->size(), 62u) << "30 bins of the histogram";
}

TEST_F(UserPanels, NamedLayoutsHoldPanelsForAnyRun) {
    lineChart(QStringLiteral("exp(eval/loss)"), {}, QStringLiteral("tokens"));
    auto* layouts = test::child<NamedLayouts>(*panel_);
    layouts->save(QStringLiteral("perplexity"));
    layouts->rename(QStringLiteral("perplexity"), QStringLiteral("ppl"));
    EXPECT_EQ(layouts->names(), QStringList{QStringLiteral("ppl")});
    panel_->changeLayout({});
    test::settle();
    EXPECT_EQ(card<CurveCard>(1), nullptr);
    panel_.reset();
    ViewState::instance().flush();
    // Another run, after a restart of the program.
    test::FakeSource c(QStringLiteral("c"), 3);
    c.add("eval/loss", 30);
    open({&c});
    auto* restored = test::child<NamedLayouts>(*panel_);
    emit restored->chosen(restored->layout(QStringLiteral("ppl")));
    test::settle();
    auto* made = card<CurveCard>(1);
    ASSERT_NE(made, nullptr);
    ASSERT_EQ(made->chart()->curves().size(), 1);
    EXPECT_DOUBLE_EQ(made->chart()->curves()[0].series->value(5), std::exp(c.series("eval/loss").value(5)));
    EXPECT_EQ(made->chart()->view().scale.unit, widgets::XUnit::Tokens);
    restored->remove(QStringLiteral("ppl"));
    EXPECT_TRUE(restored->names().isEmpty());
}

TEST_F(UserPanels, AReportHoldsThePanelsThatAreShown) {
    lineChart(QStringLiteral("train/loss * 2"), QStringLiteral("train/lr"));
    test::TemporaryFolder folder;
    const QString file = QString::fromStdString((folder.path() / "report.html").string());
    QSignalSpy written(panel_.get(), &CurvesPanel::reportWritten);
    panel_->writeReport(file);
    ASSERT_TRUE(written.wait(10'000));
    EXPECT_EQ(written.first()[1].toString(), QString());
    const std::string html = read_file(folder.path() / "report.html");
    EXPECT_NE(html.find("<h3>train/loss * 2, train/lr</h3>"), std::string::npos);
    EXPECT_EQ(html.find("<h3>eval/loss</h3>"), std::string::npos) << "only what the user chose";
    EXPECT_NE(html.find("a · train/lr →"), std::string::npos);
    // Without panels, every metric; where nothing can be written, one message.
    panel_->changeLayout({});
    panel_->writeReport(file);
    ASSERT_TRUE(written.wait(10'000));
    EXPECT_NE(read_file(folder.path() / "report.html").find("<h3>eval/loss</h3>"), std::string::npos);
    panel_->writeReport(QStringLiteral("/nowhere/report.html"));
    ASSERT_TRUE(written.wait(10'000));
    EXPECT_NE(written.last()[1].toString(), QString());
    EXPECT_TRUE(panel_->message()->isVisible());
    EXPECT_TRUE(panel_->message()->text().contains(QStringLiteral("/nowhere/report.html")));
}

TEST_F(UserPanels, ALayoutMayHaveAnotherKindOfPanelInTheSamePlace) {
    panel_->addPanel({.lines = {"train/loss"}});
    test::settle();
    ASSERT_NE(card<CurveCard>(1), nullptr);
    const PanelLayout charts = panel_->panelLayout();
    PanelLayout tables = charts;
    tables.pins[0].panel->kind = report::PanelKind::table;
    panel_->changeLayout(tables);
    test::settle();
    ASSERT_NE(card<TableCard>(1, "|table"), nullptr);
    EXPECT_EQ(card<TableCard>(1, "|table")->model()->rowCount(), 2);
    // Values in the program's file are kept, values of unknown keys are refused.
    EXPECT_EQ(PanelLayout::fromJson(tables.toJson()), tables);
    QJsonObject broken = charts.toJson();
    QJsonArray pins = broken.value(QLatin1String("pins")).toArray();
    QJsonObject pin = pins[0].toObject();
    pin.insert(QStringLiteral("panel"), QJsonObject{{QStringLiteral("kind"), QStringLiteral("pie")}});
    pins[0] = pin;
    broken.insert(QStringLiteral("pins"), pins);
    EXPECT_TRUE(PanelLayout::fromJson(broken).pins.isEmpty());
    panel_->changeLayout(charts);
    test::settle();
    EXPECT_EQ(card<CurveCard>(1)->chart()->curves().size(), 2);
    emit card<CurveCard>(1)->unpinRequested(QStringLiteral("pin:1"));
    EXPECT_TRUE(panel_->panelLayout().pins.isEmpty());
}

TEST_F(UserPanels, ARunThatIsClosedLeavesNoPanelBehind) {
    auto c = std::make_unique<test::FakeSource>(QStringLiteral("c"), 3);
    c->add("train/loss", 50);
    panel_->setSources({&a_, c.get()});
    lineChart(QStringLiteral("smooth(train/loss, 0.9)"), {}, QStringLiteral("time"));
    ASSERT_EQ(card<CurveCard>(1)->chart()->curves().size(), 2);
    c.reset();
    test::settle();
    EXPECT_EQ(card<CurveCard>(1)->chart()->curves().size(), 1);
    card<CurveCard>(1)->chart()->flush();
}
