// SPDX-License-Identifier: GPL-3.0-or-later
// The page of the estimator: what it shows is what the estimate says, controls change it, a change can be undone, and
// answers are applied.

#include <fstream>

#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableWidget>
#include <QTest>

#include <gtest/gtest.h>

#include "config/accelerate/settings_file.h"
#include "config/recipe/recipe.h"
#include "desktop/estimator/estimator_page.h"
#include "desktop/estimator/scenario.h"
#include "desktop/estimator/what_if_panel.h"
#include "estimate/estimate_file.h"
#include "support/child.h"
#include "support/temporary_folder.h"
#include "widgets/inline_message.h"
#include "widgets/languages.h"
#include "widgets/theme.h"

namespace trainyard::desktop {
namespace {

class EstimatorPageTest : public testing::Test {
  protected:
    void SetUp() override {
        page_.resize(1200, 800);
        page_.show();
        hardware()->setCurrentIndex(hardware()->findText(QStringLiteral("8 x H100 80 GB")));
        model()->setCurrentText(QStringLiteral("Llama 3 8B"));
        waitForAnswers();
    }
    QComboBox* model() { return page_.findChildren<QComboBox*>().at(0); }
    QComboBox* hardware() { return page_.findChildren<QComboBox*>().at(1); }
    Scenario* scenario() { return test::child<Scenario>(page_); }
    void waitForAnswers() {
        ASSERT_TRUE(QTest::qWaitFor([this] { return scenario()->answers().has_value(); }));
    }
    QPushButton* button(const QString& name) {
        for (QPushButton* each : page_.findChildren<QPushButton*>())
            if (each->accessibleName() == name && !each->isHidden())
                return each;
        return nullptr;
    }
    test::TemporaryFolder folder_;
    EstimatorPage page_;
};

TEST_F(EstimatorPageTest, ShowsTheEstimateOfTheModelOnAllDevices) {
    EXPECT_EQ(scenario()->setup().layout.ranks(), 8);
    EXPECT_NEAR(scenario()->search().model().parameters(), 8.03e9, 0.01e9);
    EXPECT_FALSE(scenario()->fits()) << "eight replicas of 16 bytes a parameter";
    EXPECT_FALSE(scenario()->answers()->why_not.empty());
    scenario()->change("zero_stage", "3");
    EXPECT_EQ(scenario()->setup().layout.dp_shard, 8);
    EXPECT_TRUE(scenario()->fits());
    waitForAnswers();
    ASSERT_TRUE(scenario()->answers()->batch);
    const auto largest = scenario()->answers()->batch->setup.batch;
    button(QStringLiteral("Apply: Largest micro-batch"))->click();
    EXPECT_EQ(scenario()->setup().batch, largest);
    EXPECT_TRUE(scenario()->fits());
    EXPECT_EQ(page_.findChildren<QSpinBox*>().at(0)->value(), largest);
    scenario()->undo();
    EXPECT_EQ(scenario()->setup().batch, 1);
}

TEST_F(EstimatorPageTest, WhatContradictsTheModelIsSaidAndNothingIsJudged) {
    scenario()->change("tp", "8");
    EXPECT_TRUE(scenario()->isValid());
    model()->setCurrentText(QStringLiteral("GPT-2"));
    ASSERT_FALSE(scenario()->problems().empty()) << "12 heads";
    EXPECT_FALSE(scenario()->isValid());
    bool said = false;
    for (const QLabel* label : page_.findChildren<QLabel*>())
        said |= label->isVisible() && label->text().contains(QStringLiteral("tp 8 does not divide 12 heads"));
    EXPECT_TRUE(said);
}

TEST_F(EstimatorPageTest, AFileThatIsNoModelIsSaidInASentence) {
    const auto wrong = folder_.path() / "config.json";
    std::ofstream(wrong) << "{\"model_type\": \"llama\", \"hidden_size\": \"wide\"}";
    page_.openModel(QString::fromStdString(wrong.string()));
    auto* message = page_.findChild<widgets::InlineMessage*>();
    ASSERT_TRUE(QTest::qWaitFor([&] { return message->isVisible(); }));
    EXPECT_TRUE(message->text().contains(QStringLiteral("hidden_size")));
    std::ofstream(wrong) << R"({"model_type": "llama", "num_hidden_layers": 3})";
    page_.openModel(QString::fromStdString(wrong.string()));
    ASSERT_TRUE(QTest::qWaitFor([&] { return scenario()->search().model().layers() == 3; }));
    EXPECT_FALSE(message->isVisible());
}

TEST_F(EstimatorPageTest, ANewRunGetsTheSettings) {
    scenario()->change("zero_stage", "3");
    QSignalSpy wanted(&page_, &EstimatorPage::newRunRequested);
    page_.primaryAction();
    ASSERT_TRUE(QTest::qWaitFor([&] { return wanted.count() == 1; }));
    const settings::Settings written = settings::load_settings(wanted.first().at(1).toString().toStdString()).settings;
    EXPECT_EQ(written.integer("deepspeed_config.zero_stage", 0), 3);
    EXPECT_EQ(written.integer("num_processes", 0), 8);
    if (const QString recipe = wanted.first().at(0).toString(); !recipe.isEmpty()) {
        EXPECT_EQ(config::load_recipe(recipe.toStdString()).parallel.zero_stage, 3);
    }
}

TEST_F(EstimatorPageTest, ALongerStepIsShownAsAShareOfTheSpeed) {
    scenario()->change("zero_stage", "3");
    waitForAnswers();
    const auto& savings = scenario()->answers()->savings;
    int slower = 0, shown = 0;
    for (const auto& saving : savings)
        slower += saving.slower > 0.1 ? 1 : 0;
    ASSERT_GT(slower, 0) << "one that takes clearly longer";
    ASSERT_TRUE(QTest::qWaitFor([&] {
        shown = 0;
        for (const QLabel* label : page_.findChildren<QLabel*>()) {
            if (label->isHidden() || !label->text().endsWith(QStringLiteral("% speed")))
                continue;
            ++shown;
            EXPECT_GT(label->text().section(QLatin1Char(' '), 0, 0).toDouble(), -100) << label->text().toStdString();
        }
        return shown > 0;
    }));
    const auto& first = savings.front();
    const double speed = 100 / (1 + first.slower) - 100;
    const QLabel* label = nullptr;
    for (const QLabel* each : page_.findChildren<QLabel*>())
        if (label == nullptr && !each->isHidden() && each->text().endsWith(QStringLiteral("% speed")))
            label = each;
    ASSERT_NE(label, nullptr);
    EXPECT_NEAR(label->text().section(QLatin1Char(' '), 0, 0).toDouble(), speed, 0.06) << label->text().toStdString();
}

TEST_F(EstimatorPageTest, RunsAreShownBesideTheirEstimate) {
    estimate::EstimateFile file = estimate::estimate_file(config::Recipe{}, 1, "cpu");
    file.measured = {.peak_resident = file.predicted_total * 2, .parts = {}, .step_seconds = 0};
    std::ofstream(folder_.path() / "estimate.json") << estimate::to_json(file);
    page_.setRuns({{QStringLiteral("mine"), QString::fromStdString(folder_.path().string())},
                   {QStringLiteral("other"), QStringLiteral("/nowhere")}});
    auto* table = page_.findChild<QTableWidget*>();
    ASSERT_TRUE(QTest::qWaitFor([&] { return table->rowCount() == 1; }));
    EXPECT_EQ(table->item(0, 0)->text(), QStringLiteral("mine"));
    EXPECT_EQ(table->item(0, 3)->text(), QStringLiteral("-50.0\u00a0%"));
}

TEST(EstimatorLanguage, ControlsHaveRoomForGermanWords) {
    widgets::Theme::instance().install(*qApp);
    widgets::Languages::install(*qApp, QStringLiteral("de"));
    EstimatorPage page;
    widgets::Languages::install(*qApp, QStringLiteral("en"));
    page.resize(1228, 840);
    page.show();
    const auto* controls = page.findChild<WhatIfPanel*>()->findChild<QScrollArea*>();
    EXPECT_GE(controls->viewport()->width(), controls->widget()->minimumSizeHint().width());
    EXPECT_TRUE(QTest::qWaitFor([&] { return !controls->horizontalScrollBar()->isVisible(); }));
}

}  // namespace
}  // namespace trainyard::desktop
