// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/wizard/recipe_draft.h"

#include <algorithm>
#include <fstream>

#include <gtest/gtest.h>

#include "base/error.h"
#include "models/spec/family.h"
#include "support/temporary_folder.h"

using namespace trainyard;
using desktop::RecipeDraft;

namespace {

std::map<std::string, std::string> problems_of(const desktop::DraftReport& report) {
    std::map<std::string, std::string> all;
    for (const desktop::DraftProblem& problem : report.problems)
        all[problem.key.toStdString()] = problem.message.toStdString();
    return all;
}

}  // namespace

TEST(RecipeDraftTest, UntouchedDraftIsTheRecipe) {
    config::Recipe recipe;
    recipe.name = "my run";
    recipe.data.paths = {"/data/with space", "/b"};
    recipe.optimizer.lr = 3e-4;
    const RecipeDraft draft(recipe);
    EXPECT_EQ(config::to_yaml(config::parse_recipe(draft.yaml(), "/x/draft.yaml")), config::to_yaml(recipe));
    EXPECT_EQ(draft.value("name").toStdString(), "my run");
    EXPECT_EQ(draft.value("training.steps").toStdString(), "1000");
}

/// A kept draft sets every key to the text it had.
TEST(RecipeDraftTest, EveryKeySetToItsOwnTextIsTheSameRecipe) {
    config::Recipe recipe;
    recipe.data.paths = {"/data/with space", "/b"};
    recipe.schedule.name = "cosine_with_restarts";
    recipe.logging.trackers = {"jsonl", "csv"};
    for (const config::Recipe& start : {recipe, config::Recipe{}}) {
        const RecipeDraft draft(start);
        RecipeDraft again(start);
        const QMap<QString, QString> values = draft.values();
        for (auto it = values.begin(); it != values.end(); ++it)
            again.set(it.key(), it.value());
        EXPECT_EQ(config::to_yaml(config::parse_recipe(again.yaml(), "/x/draft.yaml")),
                  config::to_yaml(config::parse_recipe(draft.yaml(), "/x/draft.yaml")));
    }
}

TEST(RecipeDraftTest, TheReportHasTheKeysInTheWordsOfRuns) {
    RecipeDraft draft;
    draft.set("model.max_memory", "cpu=2GB, disk=9GB");
    const desktop::DraftReport report = desktop::checkDraft(draft.yaml(), 1);
    EXPECT_EQ(report.keys.value("model.max_memory").toStdString(), "cpu=2GB, disk=9GB");
    EXPECT_EQ(report.keys.value("optimizer.betas").toStdString(), "0.9, 0.999");
    const QString freeze = report.keys.value("model.freeze", "none");
    EXPECT_TRUE(freeze.isEmpty()) << freeze.toStdString();
    EXPECT_TRUE(desktop::checkDraft("model: [", 1).keys.isEmpty());
}

TEST(RecipeDraftTest, DictionariesAreTypedWithBraces) {
    RecipeDraft draft;
    draft.set("schedule.name", "cosine_with_restarts");
    draft.set("schedule.arguments", "{num_warmup_steps: 2, num_training_steps: 50, num_cycles: 3}");
    draft.set("logging.trackers", "[jsonl]");
    const config::Recipe recipe = config::parse_recipe(draft.yaml(), "/x/draft.yaml");
    EXPECT_NE(config::to_yaml(recipe).find("num_cycles: 3"), std::string::npos);
    EXPECT_EQ(recipe.logging.trackers, std::vector<std::string>{"jsonl"});
    draft.set("logging.trackers", "jsonl, csv");
    EXPECT_EQ(draft.value("logging.trackers").toStdString(), "jsonl, csv");
    EXPECT_EQ(config::parse_recipe(draft.yaml(), "/x/draft.yaml").logging.trackers,
              (std::vector<std::string>{"jsonl", "csv"}));
    draft.set("schedule.arguments", "{num_cycles: 3} # and more");
    EXPECT_THROW(config::parse_recipe(draft.yaml(), "/x/draft.yaml"), InvalidInput);
}

TEST(RecipeDraftTest, TypedValuesReachTheEngine) {
    RecipeDraft draft;
    draft.set("name", "notes #2: \"quoted\" \\ and more");
    draft.set("training.steps", "250");
    draft.set("optimizer.lr", "3e-4");
    draft.set("training.mixed_precision", "no");
    draft.set("data.pattern", "*.txt");
    draft.set("model.freeze", "transformer.wte.*, transformer.h.0.*");
    const config::Recipe recipe = config::parse_recipe(draft.yaml(), "/x/draft.yaml");
    EXPECT_EQ(recipe.name, "notes #2: \"quoted\" \\ and more");
    EXPECT_EQ(recipe.training.steps, 250);
    EXPECT_DOUBLE_EQ(recipe.optimizer.lr, 3e-4);
    EXPECT_EQ(recipe.training.mixed_precision, Precision::no);
    EXPECT_EQ(recipe.data.pattern, "*.txt");
    EXPECT_EQ(recipe.model.freeze, (std::vector<std::string>{"transformer.wte.*", "transformer.h.0.*"}));
}

TEST(RecipeDraftTest, ACommaWithinBracketsIsTheExpressionsOwn) {
    const auto modules = [](const char* typed) {
        RecipeDraft draft;
        draft.set("lora.r", "4");
        draft.set("lora.target_modules", typed);
        EXPECT_EQ(draft.value("lora.target_modules").toStdString(), typed);
        return config::parse_recipe(draft.yaml(), "/x/draft.yaml").model.lora.target_modules;
    };
    EXPECT_EQ(modules(R"(mlp.c_fc, .*\.h\.[0-9]{1,2}\.attn\.(c_attn|c_proj))"),
              (std::vector<std::string>{"mlp.c_fc", R"(.*\.h\.[0-9]{1,2}\.attn\.(c_attn|c_proj))"}));
    EXPECT_EQ(modules(R"(.*\.h\.[0-9]{1,2}\.attn.*)"), std::vector<std::string>{R"(.*\.h\.[0-9]{1,2}\.attn.*)"});
    EXPECT_EQ(modules("c_attn,c_proj"), (std::vector<std::string>{"c_attn", "c_proj"}));
}

TEST(RecipeDraftTest, EveryWrongFieldIsNamedAtOnce) {
    test::TemporaryFolder folder;
    std::ofstream(folder.path() / "text.txt") << std::string(100000, 'a');
    RecipeDraft draft;
    draft.set("data.path", QString::fromStdString((folder.path() / "text.txt").string()));
    draft.set("training.steps", "many");
    draft.set("optimizer.lr", "-1");
    draft.set("model.n_embd", "130");
    const auto problems = problems_of(desktop::checkDraft(draft.yaml(), 1));
    EXPECT_EQ(problems.size(), 3u);
    EXPECT_TRUE(problems.contains("training.steps"));
    EXPECT_TRUE(problems.contains("optimizer.lr"));
    EXPECT_TRUE(problems.contains("model.n_head"));
}

/// The row of a list shows one message, which names every wrong entry.
TEST(RecipeDraftTest, EveryUnknownTrackerIsNamed) {
    RecipeDraft draft;
    draft.set("logging.trackers", "mlflo, csv, ledger");
    const auto problems = problems_of(desktop::checkDraft(draft.yaml(), 1));
    ASSERT_TRUE(problems.contains("logging.trackers"));
    EXPECT_NE(problems.at("logging.trackers").find("'mlflo'"), std::string::npos) << problems.at("logging.trackers");
    EXPECT_NE(problems.at("logging.trackers").find("'ledger'"), std::string::npos) << problems.at("logging.trackers");
}

TEST(RecipeDraftTest, AWrongValueHidesNoProblemOfTheFiles) {
    RecipeDraft draft;
    draft.set("data.path", "/nowhere/at/all");
    draft.set("data.tokenizer", "/nowhere/tokenizer.json");
    draft.set("data.format", "text");
    draft.set("training.steps", "many");
    draft.set("optimizer.lr", "-1");
    const auto problems = problems_of(desktop::checkDraft(draft.yaml(), 1));
    for (const char* key : {"data.path", "data.tokenizer", "training.steps", "optimizer.lr"})
        EXPECT_TRUE(problems.contains(key)) << key;
    EXPECT_EQ(problems.size(), 4u) << testing::PrintToString(problems);
    // A check that depends on a value that could not be read is skipped.
    test::TemporaryFolder folder;
    std::ofstream(folder.path() / "table.csv") << "text\na\nb\n";
    RecipeDraft table;
    table.set("data.path", QString::fromStdString((folder.path() / "table.csv").string()));
    table.set("data.format", "cvs");
    EXPECT_EQ(problems_of(desktop::checkDraft(table.yaml(), 1)).size(), 1u);
}

TEST(RecipeDraftTest, KeysAreLeftOutOfATextBySection) {
    RecipeDraft draft;
    draft.set("training.steps", "70");
    draft.set("data.pattern", "steps: *");
    const std::string left = RecipeDraft::without(draft.yaml(), {"training.steps", "name"});
    EXPECT_EQ(left.find("70"), std::string::npos) << left;
    EXPECT_NE(left.find("pattern: \"steps: *\""), std::string::npos) << left;
    EXPECT_TRUE(draft.isWritten("training.steps"));
    EXPECT_FALSE(draft.isWritten("training.seed"));
    EXPECT_FALSE(draft.isWritten("no.such.key"));
}

TEST(RecipeDraftTest, WhatWouldBreakTheFileStaysInItsField) {
    RecipeDraft draft;
    for (const char* nasty : {"1: 2", "a\"b", "{", "- 1", " ", "[1", "# no", "'", "&x", "null", "~"}) {
        draft.set("training.steps", QString::fromUtf8(nasty));
        const desktop::DraftReport report = desktop::checkDraft(draft.yaml(), 1);
        ASSERT_FALSE(report.problems.isEmpty()) << nasty;
        EXPECT_EQ(report.problems.first().key.toStdString(), "training.steps") << nasty;
    }
}

TEST(RecipeDraftTest, OnlyWhatDiffersFromItsDefaultIsWritten) {
    for (const std::string& family : families::model_types()) {
        RecipeDraft draft;
        draft.set("model.model_type", QString::fromStdString(family));
        const std::string yaml = draft.yaml();
        EXPECT_LE(std::count(yaml.begin(), yaml.end(), '\n'), 3) << yaml;  // the name and the family
        // Some need a file or tables: then both say the same.
        const auto read = [](const std::string& text) -> std::string {
            try {
                return config::to_whole_yaml(config::parse_recipe(text, "/x/draft.yaml"));
            } catch (const InvalidInput& error) {
                return error.problems().front().message.text();
            }
        };
        EXPECT_EQ(read(yaml), read("name: run\nmodel:\n  model_type: " + family + "\n")) << yaml;
    }
    RecipeDraft draft;
    draft.set("training.steps", "70");
    EXPECT_NE(draft.yaml().find("training:\n  steps: 70\n"), std::string::npos) << draft.yaml();
    for (const char* emptied : {"training.steps", "data.pattern", "model.loss", "optimizer.betas"}) {
        draft.set(emptied, "");
        EXPECT_EQ(draft.yaml().find(QString(emptied).section('.', 1).toStdString() + ":"), std::string::npos)
            << draft.yaml();
    }
}

TEST(RecipeDraftTest, DefaultsFollowWhatTheyDependOn) {
    RecipeDraft draft;
    draft.set("optimizer.name", "lion");
    const config::Recipe lion = config::parse_recipe("optimizer: {name: lion}", "/x/draft.yaml");
    EXPECT_EQ(config::parse_recipe(draft.yaml(), "/x/draft.yaml"), lion) << draft.yaml();
    EXPECT_EQ(draft.value("optimizer.betas").toStdString(),
              QStringLiteral("[%1, %2]").arg(lion.optimizer.beta1).arg(lion.optimizer.beta2).toStdString());
    draft.set("optimizer.betas", "[0.8, 0.9]");
    draft.set("optimizer.name", "adamw");
    EXPECT_EQ(draft.value("optimizer.betas").toStdString(), "[0.8, 0.9]") << "typed";
}

TEST(RecipeDraftTest, AProposalGivesWayToTheUserAlone) {
    RecipeDraft draft;
    EXPECT_TRUE(draft.propose("optimizer.lr", "5e-5"));
    EXPECT_NE(draft.yaml().find("lr: 5e-5"), std::string::npos) << draft.yaml();
    EXPECT_TRUE(draft.propose("optimizer.lr", "2e-4"));
    EXPECT_TRUE(draft.propose("optimizer.lr", ""));
    EXPECT_EQ(draft.yaml().find("lr:"), std::string::npos) << draft.yaml();
    draft.set("optimizer.lr", "0.5");
    EXPECT_FALSE(draft.propose("optimizer.lr", "5e-5"));
    EXPECT_EQ(draft.value("optimizer.lr").toStdString(), "0.5");
    config::Recipe opened;
    opened.optimizer.lr = 0.25;
    RecipeDraft of_file(opened);
    EXPECT_FALSE(of_file.propose("optimizer.lr", "5e-5")) << "the file has it";
}

TEST(RecipeDraftTest, MissingTextIsAProblemOfThePath) {
    RecipeDraft draft;
    draft.set("data.path", "/nowhere/at/all");
    const auto problems = problems_of(desktop::checkDraft(draft.yaml(), 1));
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_NE(problems.begin()->second.find("/nowhere/at/all"), std::string::npos) << problems.begin()->second;
}

TEST(RecipeDraftTest, CountsParametersAndTokens) {
    // transformers: GPT2LMHeadModel(GPT2Config()).num_parameters() == 124,439,808
    config::ModelRecipe gpt2;
    gpt2.vocab_size = 50257;
    gpt2.n_positions = 1024;
    gpt2.n_embd = 768;
    gpt2.n_layer = 12;
    EXPECT_EQ(families::parameter_count(gpt2), 124439808);
    const desktop::DraftReport report = desktop::checkDraft(RecipeDraft().yaml(), 2);
    EXPECT_EQ(report.tokensPerStep, 2 * 12 * 64);
}

TEST(RecipeDraftTest, WritesPrivateFilesWithSafeNames) {
    const QString file = desktop::writeRecipe(RecipeDraft().yaml(), "../a b/c");
    const std::filesystem::path path = file.toStdString();
    EXPECT_EQ(path.parent_path().filename(), "recipes");
    EXPECT_EQ(path.filename().string().find('/'), std::string::npos);
    EXPECT_EQ(std::filesystem::status(path).permissions(),
              std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    EXPECT_NO_THROW(config::load_recipe(path));
}
