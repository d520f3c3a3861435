// SPDX-License-Identifier: GPL-3.0-or-later
// The page of the estimator: what it shows is what the estimate says, controls change it, a change can be undone, and
// answers are applied.

#include <fstream>
#include <map>
#include <set>

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QTableView>
#include <QTest>

#include <gtest/gtest.h>

#include "config/accelerate/settings_file.h"
#include "config/recipe/recipe.h"
#include "desktop/estimator/answers_panel.h"
#include "desktop/estimator/estimator_page.h"
#include "desktop/estimator/memory_groups.h"
#include "desktop/estimator/scenario.h"
#include "desktop/estimator/what_if_panel.h"
#include "estimate/architectures.h"
#include "estimate/estimate_file.h"
#include "support/child.h"
#include "support/temporary_folder.h"
#include "support/views_folder.h"
#include "widgets/chip.h"
#include "widgets/inline_message.h"
#include "widgets/languages.h"
#include "widgets/segmented_control.h"
#include "widgets/theme.h"

namespace trainyard::desktop {
namespace {

class EstimatorPageTest : public testing::Test {
  protected:
    void SetUp() override {
        page_.resize(1200, 800);
        page_.show();
        hardware()->setCurrentIndex(hardware()->findText(QStringLiteral("8 × H100 80 GB")));
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
    scenario()->history()->undo();
    EXPECT_EQ(scenario()->setup().batch, 1);
}

TEST_F(EstimatorPageTest, NumberFormatsSayWhatTheDeviceMakesOfThem) {
    auto* formats = page_.findChild<QLabel*>(QStringLiteral("formats"));
    ASSERT_NE(formats, nullptr);
    EXPECT_TRUE(formats->text().startsWith(QStringLiteral("fp16, bf16: native\nfp8: emulated: ")))
        << formats->text().toStdString();
    hardware()->setCurrentIndex(hardware()->findText(QStringLiteral("MI300X"), Qt::MatchContains));
    ASSERT_TRUE(QTest::qWaitFor([&] { return formats->text().startsWith(QStringLiteral("fp16, bf16: not known")); }))
        << formats->text().toStdString();
    hardware()->setCurrentIndex(hardware()->findText(QStringLiteral("This machine")));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !formats->text().contains(QStringLiteral("not known")); }));
}

TEST_F(EstimatorPageTest, WhatContradictsTheModelIsSaidAndNothingIsJudged) {
    scenario()->change("tp", "8");
    EXPECT_TRUE(scenario()->isValid());
    model()->setCurrentText(QStringLiteral("GPT-2"));
    ASSERT_FALSE(scenario()->problems().empty()) << "12 heads";
    EXPECT_FALSE(scenario()->isValid());
    bool said = false;
    for (const QLabel* label : page_.findChildren<QLabel*>())
        said |= label->isVisible() && label->text().contains(QStringLiteral("tp 8 does not divide the heads (12)"));
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
    const auto percent = [](const QLabel* label) {
        return label->text().section(QLatin1Char(' '), 0, 0).replace(QChar(0x2212), QLatin1Char('-')).toDouble();
    };
    for (const auto& saving : savings)
        slower += saving.slower > 0.1 ? 1 : 0;
    ASSERT_GT(slower, 0) << "one that takes clearly longer";
    ASSERT_TRUE(QTest::qWaitFor([&] {
        shown = 0;
        for (const QLabel* label : page_.findChildren<QLabel*>()) {
            if (label->isHidden() || !label->text().endsWith(QStringLiteral("% speed")))
                continue;
            ++shown;
            EXPECT_GT(percent(label), -100) << label->text().toStdString();
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
    EXPECT_NEAR(percent(label), speed, 0.06) << label->text().toStdString();
}

/// Every control changes the field that it names, by mouse or keyboard, shows its value again, and the total that is
/// shown is the estimate of the changed setup.
TEST_F(EstimatorPageTest, EveryControlChangesItsFieldAndTheTotal) {
    const std::map<QString, std::string> fields{{"Micro-batch per rank", "batch"},
                                                {"Sequence length", "sequence"},
                                                {"Gradient accumulation", "accumulation"},
                                                {"Precision", "precision"},
                                                {"Sharding", "zero_stage"},
                                                {"Ranks of a second copy", "zero_hpz_partition_size"},
                                                {"Send weights in 8 bits", "zero_quantized_weights"},
                                                {"Send gradients in 4 bits", "zero_quantized_gradients"},
                                                {"Optimizer", "optimizer"},
                                                {"Tensor parallel", "tp"},
                                                {"Pipeline stages", "pp"},
                                                {"Context parallel", "cp"},
                                                {"Activation checkpointing", "checkpointing"},
                                                {"Optimizer state", "offload_optimizer"},
                                                {"Offload parameters to host", "offload_param"},
                                                {"Loss in chunks", "chunked_loss"},
                                                {"16-bit weights, fp32 masters", "half_weights"},
                                                {"16-bit weights without masters", "bf16_stochastic_round"}};
    QWidget* panel = page_.findChild<WhatIfPanel*>();
    QLabel* total = nullptr;
    for (QLabel* label : page_.findChildren<QLabel*>())
        if (label->text() == memoryText(scenario()->memory().total()))
            total = label;
    ASSERT_NE(total, nullptr);
    std::set<QString> walked;
    const auto value = [&](const QString& name) {
        for (const estimate::SetupField& field : estimate::setup_fields())
            if (field.name == fields.at(name))
                return estimate::field_text(scenario()->setup(), field);
        return std::string();
    };
    const auto check = [&](const QString& name, const std::string& expected) {
        walked.insert(name);
        EXPECT_EQ(value(name), expected) << name.toStdString();
        const auto& search = scenario()->search();
        if (!scenario()->isValid()) {
            EXPECT_EQ(total->text(), QStringLiteral("–")) << name.toStdString();
            return;
        }
        const auto memory = estimate::estimate_memory(search.model(), scenario()->setup(), search.hardware().device);
        EXPECT_EQ(total->text(), memoryText(memory.total())) << name.toStdString();
    };
    const auto reset = [&] { scenario()->reset(); };
    std::set<QString> of_full_sharding;
    const auto enable = [&](const QWidget* control, const QString& name) {
        if (control->isVisibleTo(panel))
            return;
        of_full_sharding.insert(name);
        scenario()->change("zero_stage", "3");
        EXPECT_TRUE(control->isVisibleTo(panel)) << name.toStdString();
    };
    for (auto* box : panel->findChildren<QSpinBox*>()) {
        const QString name = box->accessibleName();
        box->setFocus();
        box->selectAll();
        QTest::keyClicks(box, QStringLiteral("32"));
        QTest::keyClick(box, Qt::Key_Return);
        EXPECT_EQ(box->value(), 32);
        if (name == QStringLiteral("Memory of a host, GiB"))
            EXPECT_EQ(scenario()->search().hardware().host_memory, 32.0 * (1u << 30));
        else if (fields.contains(name))
            check(name, "32");
        else
            ADD_FAILURE() << "a control that no test knows: " << name.toStdString();
        reset();
    }
    for (auto* slider : panel->findChildren<QSlider*>()) {
        const QString name = slider->accessibleName().section(QStringLiteral(", "), 0, 0);
        const auto twice = 2 * std::stoll(value(name));
        slider->setFocus();
        QTest::keyClick(slider, Qt::Key_Right);
        check(name, std::to_string(twice));
        reset();
    }
    for (auto* segments : panel->findChildren<widgets::SegmentedControl*>()) {
        const QString name = segments->accessibleName();
        ASSERT_TRUE(fields.contains(name)) << name.toStdString();
        enable(segments, name);
        std::set<std::string> values;
        for (int i = segments->count(); i-- > 0;) {
            segments->button(i)->click();
            EXPECT_EQ(segments->current(), i) << name.toStdString();
            values.insert(value(name));
            check(name, value(name));
        }
        EXPECT_EQ(values.size(), static_cast<std::size_t>(segments->count())) << name.toStdString();
        reset();
    }
    for (auto* choice : panel->findChildren<QComboBox*>()) {
        choice->setFocus();
        for (int i = 0; i < choice->count(); ++i) {
            choice->setCurrentIndex(i);
            check(choice->accessibleName(), choice->currentText().toStdString());
        }
        reset();
    }
    for (auto* box : panel->findChildren<QCheckBox*>()) {
        ASSERT_TRUE(fields.contains(box->text())) << box->text().toStdString();
        enable(box, box->text());
        const bool before = box->isChecked();
        const std::string was = value(box->text());
        box->click();
        EXPECT_NE(box->isChecked(), before);
        EXPECT_NE(value(box->text()), was) << box->text().toStdString();
        check(box->text(), value(box->text()));
        box->click();
        EXPECT_EQ(value(box->text()), was);
        reset();
    }
    EXPECT_EQ(of_full_sharding,
              (std::set<QString>{"Ranks of a second copy", "Send weights in 8 bits", "Send gradients in 4 bits"}));
    EXPECT_EQ(walked.size(), fields.size());
    // Another value than the segments have is shown, too.
    estimate::TrainingSetup setup = scenario()->setup();
    setup.layout.pp = 32;
    scenario()->setSetup(setup);
    auto* stages = test::child<widgets::SegmentedControl>(*panel, QStringLiteral("Pipeline stages"));
    EXPECT_EQ(stages->current(), -1);
    EXPECT_NE(test::child<QLabel>(*panel, QStringLiteral("Pipeline stages: 32")), nullptr);
    stages->button(0)->click();
    EXPECT_EQ(scenario()->setup().layout.pp, 1);
}

TEST_F(EstimatorPageTest, AnswersThatAreAppliedAreWhatIsShown) {
    auto* chip = page_.findChild<AnswersPanel*>()->findChild<widgets::StateChip*>();
    scenario()->change("zero_stage", "3");
    waitForAnswers();
    int tight = 0;
    for (const char* name :
         {"Apply: Largest micro-batch", "Apply: Longest sequence", "Apply: Fewest devices", "Apply: Fastest layout"}) {
        QPushButton* apply = button(QLatin1String(name));
        if (apply == nullptr || !apply->isVisible())
            continue;
        apply->click();
        EXPECT_TRUE(scenario()->fits()) << name;
        const double over = scenario()->excessOfRange();
        EXPECT_EQ(over > 0, scenario()->memory().total() * (1 + Scenario::kError) > scenario()->search().limit());
        EXPECT_EQ(chip->chip().text, over > 0 ? QStringLiteral("tight") : QStringLiteral("fits")) << name;
        tight += over > 0 ? 1 : 0;
        EXPECT_TRUE(
            hardware()->currentText().startsWith(QStringLiteral("%1 ×").arg(scenario()->setup().layout.ranks())))
            << name << ": " << hardware()->currentText().toStdString();
        waitForAnswers();
        scenario()->history()->undo();
        hardware()->setCurrentIndex(hardware()->findText(QStringLiteral("8 × H100 80 GB")));
        waitForAnswers();
    }
    EXPECT_GT(tight, 0) << "the largest micro-batch leaves less than the error of the estimate";
    // For a micro-batch that is too large, the panel offers one that fits, at most as large as the largest.
    scenario()->change("batch", "4096");
    waitForAnswers();
    EXPECT_FALSE(scenario()->fits());
    EXPECT_EQ(scenario()->answers()->why_not.text().find("no single change"), std::string::npos)
        << scenario()->answers()->why_not.text();
    for (const auto& saving : scenario()->answers()->savings) {
        if (saving.field != "batch")
            continue;
        EXPECT_TRUE(saving.enough);
        EXPECT_LE(saving.setup.batch, scenario()->answers()->batch->setup.batch);
    }
}

TEST_F(EstimatorPageTest, EveryFamilyOfTheEngineIsOffered) {
    for (const std::string& family : estimate::architecture_names()) {
        const int index = model()->findText(QString::fromStdString(family));
        if (family == "resnet" || family == "convnext" || family == "segformer")  // depends on the pictures
            continue;
        ASSERT_GE(index, 0) << family;
        model()->setCurrentIndex(index);
        EXPECT_FALSE(scenario()->search().model().blocks.empty()) << family;
        EXPECT_EQ(scenario()->modelName().toStdString(), family);
    }
    EXPECT_GE(model()->findText(QStringLiteral("whisper")), 0);
}

TEST(EstimatorMemory, ModelAndMachineAreThereAfterARestart) {
    const test::ViewsFolder views;
    const test::TemporaryFolder folder;
    const QString kept = QString::fromStdString((folder.path() / "kept.json").string());
    const auto combo = [](const EstimatorPage& page, int index) { return page.findChildren<QComboBox*>().at(index); };
    {
        EstimatorPage page(nullptr, kept);
        page.show();
        page.activate({});
        combo(page, 1)->setCurrentText(QStringLiteral("8 × H100 80 GB"));
        combo(page, 0)->setCurrentText(QStringLiteral("whisper"));
        test::child<Scenario>(page)->change("zero_stage", "3");
    }
    ViewState::instance().setFolder(ViewState::instance().folder());  // as in another process
    EstimatorPage page(nullptr, kept);
    page.show();
    page.activate({});
    const auto* scenario = test::child<Scenario>(page);
    ASSERT_TRUE(QTest::qWaitFor([&] { return scenario->modelName() == QStringLiteral("whisper"); }));
    EXPECT_EQ(combo(page, 0)->currentText(), QStringLiteral("whisper"));
    EXPECT_EQ(combo(page, 1)->currentText(), QStringLiteral("8 × H100 80 GB"));
    EXPECT_EQ(scenario->setup().zero_stage, 3);
    EXPECT_EQ(scenario->search().hardware().ranks(), 8);
    // A choice of the user that is made first is not overwritten.
    EstimatorPage third(nullptr, kept);
    third.show();
    third.activate({});
    combo(third, 0)->setCurrentText(QStringLiteral("GPT-2"));
    const auto* other = test::child<Scenario>(third);
    ASSERT_TRUE(QTest::qWaitFor([&] { return other->answers().has_value(); }));
    EXPECT_EQ(other->modelName(), QStringLiteral("GPT-2"));
}

TEST_F(EstimatorPageTest, RunsAreShownBesideTheirEstimate) {
    estimate::EstimateFile file = estimate::estimate_file(config::Recipe{}, 1, "cpu");
    file.measured = {.peak_resident = file.predicted_total * 2, .parts = {}, .step_seconds = 0};
    std::ofstream(folder_.path() / "estimate.json") << estimate::to_json(file);
    page_.setRuns({{QStringLiteral("mine"), QString::fromStdString(folder_.path().string())},
                   {QStringLiteral("other"), QStringLiteral("/nowhere")}});
    const QAbstractItemModel* table =
        test::child<QTableView>(page_, QStringLiteral("Estimate against measured"))->model();
    ASSERT_TRUE(QTest::qWaitFor([&] { return table->rowCount() == 1; }));
    EXPECT_EQ(table->index(0, 0).data().toString(), QStringLiteral("mine"));
    EXPECT_EQ(table->index(0, 3).data().toString(), QStringLiteral("-50.0\u00a0%"));
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
