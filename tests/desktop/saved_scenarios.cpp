// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of named scenarios of the estimator: saving, comparing, renaming, deleting, restoring after a restart, and
// writing a recipe with its settings. A damaged file is preserved.

#include "desktop/estimator/saved_scenarios.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <tuple>

#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

#include "base/error.h"
#include "config/accelerate/settings_file.h"
#include "config/recipe/recipe.h"
#include "desktop/estimator/compare_panel.h"
#include "desktop/estimator/estimator_page.h"
#include "desktop/estimator/place_bar.h"
#include "desktop/estimator/scenario.h"
#include "desktop/estimator/scenario_menu.h"
#include "estimate/step_time.h"
#include "support/child.h"
#include "support/picture.h"
#include "support/says.h"
#include "support/temporary_folder.h"
#include "widgets/inline_message.h"
#include "widgets/theme.h"

namespace trainyard::desktop {
namespace {

class KeptScenariosTest : public testing::Test {
  protected:
    void SetUp() override {
        widgets::Theme::instance().install(*qApp);
        open();
    }
    /// Creates the page again, as after a restart of the program.
    void open() {
        page_ = std::make_unique<EstimatorPage>(nullptr, file());
        page_->resize(1200, 800);
        page_->show();
        combo(1)->setCurrentIndex(combo(1)->findText(QStringLiteral("8 × H100 80 GB")));
        combo(0)->setCurrentText(QStringLiteral("Llama 3 8B"));
    }
    QString file() const { return QString::fromStdString((folder_.path() / "data" / "scenarios.json").string()); }
    QComboBox* combo(int index) const { return page_->findChildren<QComboBox*>().at(index); }
    Scenario* scenario() const { return test::child<Scenario>(*page_); }
    ScenarioMenu* menu() const { return test::child<ScenarioMenu>(*page_); }
    SavedScenarios* kept() const { return test::child<SavedScenarios>(*page_); }
    std::string message() const {
        const auto* message = page_->findChild<widgets::InlineMessage*>();
        return (message->title() + QLatin1Char(' ') + message->text()).toStdString();
    }
    std::string content() const {
        std::ostringstream text;
        text << std::ifstream(file().toStdString()).rdbuf();
        return text.str();
    }
    QStringList names() const {
        QStringList names;
        for (const SavedScenario& each : kept()->all())
            names << each.name;
        return names;
    }
    test::TemporaryFolder folder_;
    std::unique_ptr<EstimatorPage> page_;
};

TEST_F(KeptScenariosTest, SurviveARestartAndAreOpenedRenamedAndDeleted) {
    scenario()->change("zero_stage", "3");
    scenario()->change("batch", "4");
    scenario()->setHostMemory(1.0 * (1ull << 40));
    menu()->keep(QStringLiteral("  sharded "));
    scenario()->change("checkpointing", "full");
    menu()->keep(QStringLiteral("recomputed"));
    const estimate::TrainingSetup setup = scenario()->setup();
    const double total = scenario()->memory().total();
    menu()->rename(QStringLiteral("recomputed"), QStringLiteral("sharded"));
    EXPECT_NE(message().find("There is a scenario sharded already"), std::string::npos) << message();
    menu()->rename(QStringLiteral("recomputed"), QStringLiteral("all of it"));
    menu()->keep(QStringLiteral(" "));
    EXPECT_NE(message().find("Enter a name for the scenario"), std::string::npos) << message();

    open();
    kept()->read();
    ASSERT_EQ(names(), (QStringList{QStringLiteral("sharded"), QStringLiteral("all of it")}));
    EXPECT_NE(scenario()->setup(), setup);
    QSignalSpy opened(menu(), &ScenarioMenu::opened);
    menu()->open(QStringLiteral("all of it"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return opened.count() == 1; }, 20'000));
    EXPECT_EQ(scenario()->setup(), setup);
    EXPECT_EQ(scenario()->memory().total(), total);
    EXPECT_EQ(scenario()->search().hardware().host_memory, 1.0 * (1ull << 40));
    EXPECT_EQ(combo(0)->currentText(), QStringLiteral("Llama 3 8B"));
    menu()->remove(QStringLiteral("sharded"));
    open();
    kept()->read();
    EXPECT_EQ(names(), QStringList{QStringLiteral("all of it")});
}

TEST_F(KeptScenariosTest, AreComparedWithWhatIsShown) {
    scenario()->change("zero_stage", "1");
    menu()->keep(QStringLiteral("one"));
    QSignalSpy compared(menu(), &ScenarioMenu::compared);
    menu()->compare(QStringLiteral("one"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return compared.count() == 1; }, 20'000));
    ComparePanel* panel = test::child<ComparePanel>(*page_);
    EXPECT_TRUE(panel->isVisible());
    EXPECT_EQ(panel->cell(0, 0)->text(), panel->cell(0, 1)->text());
    EXPECT_EQ(panel->changes()->text(), QStringLiteral("No settings differ."));
    scenario()->change("zero_stage", "3");
    EXPECT_NE(panel->cell(0, 0)->text(), panel->cell(0, 1)->text());
    EXPECT_TRUE(panel->cell(0, 2)->text().startsWith(QLatin1Char('-'))) << panel->cell(0, 2)->text().toStdString();
    EXPECT_TRUE(panel->changes()->text().contains(QStringLiteral("zero_stage 1, now 3")));
    test::take_picture(page_.get(), "-comparison");
    panel->end();
    EXPECT_FALSE(panel->isVisible());
}

TEST_F(KeptScenariosTest, ADamagedFileIsOneSentenceAndNothingIsLost) {
    menu()->keep(QStringLiteral("one"));
    std::string good = content();
    std::ofstream(file().toStdString()) << good.substr(0, good.size() / 2);
    open();
    kept()->read();
    EXPECT_TRUE(names().isEmpty());
    EXPECT_NE(message().find("scenarios.json.bad"), std::string::npos) << message();
    EXPECT_TRUE(std::filesystem::exists(file().toStdString() + ".bad"));
    menu()->keep(QStringLiteral("two"));
    kept()->read();
    EXPECT_EQ(names(), QStringList{QStringLiteral("two")});

    // A scenario of a later version is reported, and preserved when the file is written again.
    const std::size_t at = content().find("\"zero_stage\"");
    ASSERT_NE(at, std::string::npos);
    good = content();
    std::ofstream(file().toStdString()) << good.replace(at, 12, "\"warp_drive\"");
    open();
    kept()->read();
    EXPECT_TRUE(names().isEmpty());
    EXPECT_NE(message().find("cannot be read by this version"), std::string::npos) << message();
    menu()->keep(QStringLiteral("three"));
    EXPECT_NE(content().find("warp_drive"), std::string::npos);
    EXPECT_EQ(names(), QStringList{QStringLiteral("three")});
    std::ofstream(file().toStdString()) << "[]";
    kept()->read();
    EXPECT_NE(message().find("scenarios.json.bad-2"), std::string::npos) << message();
}

TEST_F(KeptScenariosTest, AreWrittenAsARecipeAndItsSettings) {
    combo(0)->setCurrentText(QStringLiteral("GPT-2"));
    scenario()->change("zero_stage", "2");
    scenario()->change("sequence", "512");
    scenario()->change("batch", "3");
    scenario()->change("checkpointing", "full");
    scenario()->change("offload_optimizer", "cpu");
    QSignalSpy said(menu(), &ScenarioMenu::said);
    menu()->write(QString::fromStdString(folder_.path().string()));
    ASSERT_TRUE(QTest::qWaitFor([&] { return said.count() == 1; }, 20'000));
    EXPECT_FALSE(said.first().at(1).toBool()) << message();
    const config::Recipe recipe = config::load_recipe(folder_.path() / "GPT-2.yaml");
    EXPECT_EQ(recipe.training.batch_size, 3);
    estimate::TrainingSetup setup = estimate::plan_of(recipe, 8).setup;
    estimate::apply_settings(
        setup, settings::with_defaults(settings::load_settings(folder_.path() / "GPT-2-settings.yaml").settings));
    for (const char* name : {"batch", "sequence", "zero_stage", "checkpointing", "offload_optimizer", "dp_shard"}) {
        const auto field = std::ranges::find(estimate::setup_fields(), name, &estimate::SetupField::name);
        EXPECT_EQ(estimate::field_text(setup, *field), estimate::field_text(scenario()->setup(), *field)) << name;
    }
    menu()->write(QString::fromStdString(folder_.path().string()));
    ASSERT_TRUE(QTest::qWaitFor([&] { return said.count() == 2; }, 20'000));
    EXPECT_THAT(message(), test::says("{} is there already: choose another folder or name", testing::_)) << message();
}

/// What follows from a recipe is saved, too: here some modules of some blocks have adapters, and the head is trained.
TEST_F(KeptScenariosTest, AdaptersNeedAsMuchMemoryAndTimeAfterARestart) {
    const QString source = QString::fromStdString((folder_.path() / "adapters.yaml").string());
    std::ofstream(source.toStdString())
        << "name: adapters\n"
           "model: {model_type: llama, hidden_size: 1024, intermediate_size: 4096, num_hidden_layers: 8, "
           "num_attention_heads: 16, num_key_value_heads: 4, vocab_size: 32000, max_position_embeddings: 256, "
           "tie_word_embeddings: false}\n"
           "lora: {r: 16, target_modules: ['.*layers\\.[4-7]\\.self_attn\\.[qv]_proj'], modules_to_save: [lm_head]}\n"
           "data: {path: text, sequence_length: 256}\ntraining: {batch_size: 4}\n";
    const config::Recipe recipe = config::load_recipe(source.toStdString());
    scenario()->setRecipe(QStringLiteral("adapters"), recipe, source);
    ASSERT_TRUE(scenario()->isValid());
    const auto seconds = [&](const config::Recipe* of) {
        const estimate::TrainingSetup setup =
            of != nullptr ? estimate::plan_of(*of, scenario()->search().hardware().ranks()).setup : scenario()->setup();
        return estimate::step_time(scenario()->search().model(), setup, scenario()->search().hardware()).seconds();
    };
    menu()->keep(QStringLiteral("adapters"));
    scenario()->change("lora_rank", "32");
    menu()->keep(QStringLiteral("larger adapters"));
    const estimate::TrainingSetup setup = scenario()->setup();
    const double total = scenario()->memory().total(), step = seconds(nullptr);
    EXPECT_LT(setup.adapted_share, 0.5);
    EXPECT_GT(setup.beside_adapters.head, 0);

    open();
    kept()->read();
    QSignalSpy opened(menu(), &ScenarioMenu::opened);
    menu()->open(QStringLiteral("larger adapters"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return opened.count() == 1; }, 20'000));
    EXPECT_EQ(scenario()->setup(), setup);
    EXPECT_EQ(scenario()->memory().total(), total);
    EXPECT_EQ(seconds(nullptr), step);
    menu()->open(QStringLiteral("adapters"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return opened.count() == 2; }, 20'000));
    EXPECT_LT(scenario()->memory().total(), total);
    EXPECT_LT(seconds(nullptr), step);

    // New run gets the same adapters, with the rank that was chosen here.
    const WrittenRun written =
        writeRun(*kept()->find(QStringLiteral("larger adapters")),
                 QString::fromStdString((folder_.path() / "run").string()), QStringLiteral("estimated"));
    EXPECT_EQ(written.unsaid, QString());
    config::Recipe run = config::load_recipe(written.recipe.toStdString());
    EXPECT_EQ(run.model.lora.r, 32);
    EXPECT_EQ(run.model.lora.target_modules, recipe.model.lora.target_modules);
    EXPECT_EQ(run.model.lora.modules_to_save, recipe.model.lora.modules_to_save);
    EXPECT_TRUE(config::check_recipe(run).empty());
    EXPECT_EQ(seconds(&run), step);
    const estimate::RecipePlan plan = estimate::plan_of(run, scenario()->search().hardware().ranks());
    EXPECT_EQ(estimate::estimate_memory(plan.model, plan.setup, scenario()->search().hardware().device).total(), total);
    // Another model has no modules of this recipe.
    scenario()->change("lora_rank", "16");
    combo(0)->setCurrentText(QStringLiteral("Llama 3 8B"));
    EXPECT_EQ(scenario()->setup().adapted_share, 1);
    EXPECT_EQ(scenario()->setup().beside_adapters, estimate::TrainedWeights::none());
    EXPECT_EQ(scenario()->setup().lora_rank, 16);
    // A recipe without adapters must not have the other keys of adapters.
    scenario()->change("lora_rank", "0");
    run = estimate::recipe_of(scenario()->setup(), recipe);
    EXPECT_EQ(run.model.lora, config::LoraRecipe());
    EXPECT_TRUE(config::check_recipe(run).empty());
}

TEST_F(KeptScenariosTest, EveryValueOfASetupIsSaved) {
    SavedScenario kept = keptOf(*scenario(), QStringLiteral("all"));
    for (const estimate::SetupField& field : estimate::derived_fields()) {
        const estimate::SetupField::Target target = field.target(kept.setup);
        estimate::set_field(kept.setup, field.name,
                            std::holds_alternative<bool*>(target)     ? "true"
                            : std::holds_alternative<double*>(target) ? "0.1"
                                                                      : "3");
    }
    EXPECT_EQ(scenarioFromJson(scenarioToJson(kept)), kept);
    // Of a recipe with frozen weights of 4 bits, which a device map places.
    config::Recipe recipe;
    recipe.model.lora.r = 8;
    recipe.model.weights = "base";
    recipe.model.device_map = "disk";
    recipe.model.quantization.method = config::Quantization::nf4;
    recipe.parallel.bucket_cap_mb = 7.3;
    kept.setup = estimate::plan_of(recipe, 8).setup;
    EXPECT_TRUE(kept.setup.tables_stay);
    EXPECT_TRUE(kept.setup.frozen_by_map);
    EXPECT_EQ(scenarioFromJson(scenarioToJson(kept)), kept);
    // Version 0.1.0 wrote two of them elsewhere.
    QJsonObject json = scenarioToJson(kept);
    QJsonObject setup = json.value(QStringLiteral("setup")).toObject();
    for (const char* part : {"trained_embedding", "trained_blocks", "trained_outputs"})
        setup.remove(QLatin1String(part));
    json.insert(QStringLiteral("setup"), setup);
    json.insert(QStringLiteral("trained_share"), 0.25);
    const estimate::TrainedWeights older = scenarioFromJson(json).setup.trained;
    EXPECT_EQ(std::tuple(older.embedding, older.blocks, older.outputs), std::tuple(0.25, 0.25, 0.25));
    json.remove(QStringLiteral("trained_share"));
    setup.insert(QStringLiteral("trained_share"), QStringLiteral("0.75"));
    json.insert(QStringLiteral("setup"), setup);
    EXPECT_EQ(scenarioFromJson(json).setup.trained.blocks, 0.75) << "before parts had shares of their own";
}

TEST_F(KeptScenariosTest, WhichMemoryIsShortIsSaidBesideItsBar) {
    scenario()->change("zero_stage", "3");
    const auto places = page_->findChildren<PlaceBar*>();
    ASSERT_EQ(places.size(), 2);
    EXPECT_FALSE(places[0]->isVisible());
    scenario()->change("offload_optimizer", "cpu");
    EXPECT_TRUE(places[0]->isVisible());
    EXPECT_FALSE(places[1]->isVisible()) << "nothing is offloaded to the disk";
    EXPECT_NEAR(places[0]->bytes(), 8 * scenario()->memory().fullest().total(estimate::Place::host), 1);
    EXPECT_TRUE(scenario()->fits());
    scenario()->setHostMemory(1u << 30);
    EXPECT_FALSE(scenario()->fits());
    const auto said = [&](const QString& words) {
        for (const QLabel* label : page_->findChildren<QLabel*>())
            if (label->isVisible() && label->text().contains(words))
                return true;
        return false;
    };
    EXPECT_TRUE(said(QStringLiteral("of host memory short: a host has 1.0 GiB")));
    EXPECT_FALSE(said(QStringLiteral("short on this rank")));
    for (const auto theme : {widgets::ThemeChoice::Dark, widgets::ThemeChoice::Light}) {
        widgets::Theme::instance().setChoice(theme);
        QApplication::processEvents();
        test::take_picture(page_.get(), theme == widgets::ThemeChoice::Dark ? "-places" : "-places-light");
    }
    scenario()->change("offload_optimizer", "disk");
    EXPECT_TRUE(places[1]->isVisible());
}

}  // namespace
}  // namespace trainyard::desktop
