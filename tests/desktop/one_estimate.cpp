// SPDX-License-Identifier: GPL-3.0-or-later
// The command line, the wizard's panel and the page of the estimator say the same number for the same recipe, with what runs have taught the estimator.

#include <cstdlib>
#include <fstream>
#include <thread>

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QTest>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/program.h"
#include "desktop/estimator/calibration_line.h"
#include "desktop/estimator/estimator_page.h"
#include "desktop/estimator/scenario.h"
#include "desktop/wizard/draft_model.h"
#include "desktop/wizard/fit_panel.h"
#include "estimate/calibration.h"
#include "support/child.h"
#include "support/temporary_folder.h"

namespace trainyard::desktop {
namespace {

constexpr std::uint64_t kMebibyte = 1u << 20;

class OneEstimate : public testing::Test {
  protected:
    void SetUp() override {
        ::setenv("TRAINYARD_CACHE", (folder_.path() / "cache").c_str(), 1);
        std::ofstream(recipe_) << "name: one\n"
                                  "model: {n_layer: 3, n_embd: 96, n_head: 4, n_positions: 48}\n"
                                  "data: {path: text.txt, sequence_length: 48}\n"
                                  "training: {steps: 10, batch_size: 16, global_batch_size: 24, mixed_precision: "
                                  "bf16, ema_decay: 0.9}\n"
                                  "optimizer: {name: lion}\n"
                                  "checkpoint: {every: 5}\n";
        std::ofstream(folder_.path() / "text.txt") << "a text\n";
    }
    void TearDown() override { ::unsetenv("TRAINYARD_CACHE"); }

    /// A run that took so much for the program itself.
    void learn(std::uint64_t program) const {
        estimate::EstimateFile run;
        run.device = "cpu";
        run.predicted_program = 130 * kMebibyte;
        run.predicted_total = 200 * kMebibyte;
        run.measured.emplace().peak_resident = 70 * kMebibyte + program;
        estimate::add_to_calibration(run, estimate::calibration_key("cpu"), estimate::calibration_file(),
                                     "/runs/teacher");
    }

    double ofCommandLine(int ranks) const {
        const test::Said said =
            test::trainyard({"estimate-memory", recipe_.string(), "--num_processes", std::to_string(ranks), "--json"});
        EXPECT_EQ(said.code, 0) << said.err;
        return nlohmann::json::parse(said.out).at("training").at("stages").at(0).at("total").get<double>();
    }
    std::uint64_t ofWizard(int ranks) const {
        DraftModel model((settings::Machine()));
        model.set(QStringLiteral("distributed_type"), "MULTI_CPU");
        model.set(QStringLiteral("num_processes"), ranks);
        FitPanel panel(&model);
        panel.setModel(config::load_recipe(recipe_));
        return panel.total();
    }
    void openOnPage(EstimatorPage& page, int ranks) const {
        auto* hardware = page.findChildren<QComboBox*>().at(1);
        const QString here = QStringLiteral("This machine");
        hardware->setCurrentText(ranks == 1 ? here : here + QStringLiteral(", %1 ranks").arg(ranks));
        page.openModel(QString::fromStdString(recipe_.string()));
        ASSERT_TRUE(QTest::qWaitFor(
            [&] { return test::child<Scenario>(page)->modelName() == QStringLiteral("recipe.yaml"); }, 20'000));
        ASSERT_TRUE(test::child<Scenario>(page)->isValid());
        ASSERT_EQ(test::child<Scenario>(page)->setup().layout.ranks(), ranks);
    }

    test::TemporaryFolder folder_;
    std::filesystem::path recipe_ = folder_.path() / "recipe.yaml";
};

TEST_F(OneEstimate, OfTheCommandLineTheWizardAndThePage) {
    for (const std::uint64_t program : {0 * kMebibyte, 256 * kMebibyte}) {
        if (program > 0)
            learn(program);
        for (const int ranks : {1, 2}) {
            if (static_cast<unsigned>(ranks) > std::thread::hardware_concurrency())
                continue;  // the page offers no such devices
            EstimatorPage page(nullptr, QString::fromStdString((folder_.path() / "kept.json").string()));
            openOnPage(page, ranks);
            const double shown = test::child<Scenario>(page)->memory().total();
            EXPECT_DOUBLE_EQ(ofCommandLine(ranks), shown) << ranks << " ranks";
            EXPECT_EQ(ofWizard(ranks), static_cast<std::uint64_t>(shown * ranks)) << ranks << " ranks";
            EXPECT_EQ(test::child<Scenario>(page)->setup().batch, 12)
                << "24 samples of all ranks: two micro-batches of 12, or one";
            if (program > 0) {
                EXPECT_GE(shown, static_cast<double>(program));
            }
        }
    }
}

TEST_F(OneEstimate, WhatWasLearntIsShownAndForgotten) {
    learn(256 * kMebibyte);
    EstimatorPage page(nullptr, QString::fromStdString((folder_.path() / "kept.json").string()));
    page.resize(1200, 800);
    page.show();
    openOnPage(page, 1);
    const double learnt = test::child<Scenario>(page)->memory().total();
    CalibrationLine* line = test::child<CalibrationLine>(page);
    ASSERT_TRUE(QTest::qWaitFor([&] { return test::child<QPushButton>(*line)->isVisible(); }, 20'000));
    EXPECT_TRUE(line->words()->text().contains(QStringLiteral("256.0 MiB"))) << line->words()->text().toStdString();
    EXPECT_TRUE(line->words()->toolTip().contains(QStringLiteral("/runs/teacher")));
    test::child<QPushButton>(*line)->click();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !test::child<QPushButton>(*line)->isVisible(); }, 20'000));
    EXPECT_TRUE(line->words()->text().startsWith(QStringLiteral("No calibration for ")))
        << "a run has ended there, and is forgotten: " << line->words()->text().toStdString();
    EXPECT_NEAR(test::child<Scenario>(page)->memory().total(), learnt - 126.0 * kMebibyte, 1);
    EXPECT_DOUBLE_EQ(ofCommandLine(1), test::child<Scenario>(page)->memory().total());
    learn(200 * kMebibyte);
    page.setRuns({});
    ASSERT_TRUE(QTest::qWaitFor([&] { return test::child<QPushButton>(*line)->isVisible(); }, 20'000))
        << "a run that ends teaches the open page";
    EXPECT_NEAR(test::child<Scenario>(page)->memory().total(), learnt - 56.0 * kMebibyte, 1);
}

}  // namespace
}  // namespace trainyard::desktop
