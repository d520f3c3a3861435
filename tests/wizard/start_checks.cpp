// SPDX-License-Identifier: GPL-3.0-or-later
// "No problems. The run can be launched." must be true: over many generated drafts, the checks of the wizard and the
// start of the real worker agree, both ways. $TRAINYARD_DRAFTS: how many; $TRAINYARD_DRAFT: this seed alone.

#include <cstdlib>
#include <fstream>
#include <random>

#include <QProcess>

#include <gtest/gtest.h>

#include "desktop/wizard/recipe_draft.h"
#include "support/temporary_folder.h"

using namespace trainyard;
using desktop::RecipeDraft;

namespace {

constexpr int kDrafts = 28;
constexpr int kLongestStartMs = 120000;

using Values = std::vector<std::pair<const char*, std::string>>;

class StartChecks : public testing::Test {
  protected:
    void SetUp() override {
        for (const char* name :
             {"XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "HF_HOME", "TRAINYARD_RUNS"})
            ::setenv(name, (folder_.path() / name).c_str(), 1);
        ::setenv("OMP_NUM_THREADS", "1", 1);
        std::ofstream(path("text.txt")) << [] {
            std::string text;
            for (int i = 0; i < 400; ++i)
                text += "line " + std::to_string(i * 7919 % 400) + " of a text\n";
            return text;
        }();
        std::ofstream(path("short.txt")) << "a few words\n";
        std::ofstream labelled(path("labelled.csv")), named(path("named.csv")), pairs(path("pairs.csv"));
        std::ofstream words(path("words.jsonl"));
        labelled << "text,label\n";
        named << "text,label\n";
        pairs << "document,summary,sentence1,sentence2,score\n";
        for (int i = 0; i < 60; ++i) {
            labelled << "a good film," << i % 3 << "\n";
            named << "a good film," << (i % 2 == 0 ? "bad" : "good") << "\n";
            pairs << "a long document,short,one text,another text,0." << i % 10 << "\n";
            words << R"({"tokens": ["a", "film"], "ner_tags": [0, )" << i % 2 << "]}\n";
        }
        for (const auto& [name, masks] :
             {std::pair("tokenizer.json", ""), std::pair("masked.json", R"("[MASK]": 10, )")})
            std::ofstream(path(name))
                << R"({"model": {"type": "WordLevel", "vocab": {)" << masks
                << R"("[UNK]": 0, "a": 1, "good": 2, "film": 3, "line": 4, "of": 5, "text": 6, "long": 7, "document": 8,
                     "short": 9}, "unk_token": "[UNK]"}, "pre_tokenizer": {"type": "Whitespace"}})";
    }
    std::string path(const char* name) const { return (folder_.path() / name).string(); }

    static const std::string& pick(std::mt19937& random, const std::vector<std::string>& values) {
        return values[random() % values.size()];
    }

    /// A draft of one of a few jobs, with up to three values changed to good or bad ones.
    RecipeDraft draft(unsigned seed) {
        std::mt19937 random(seed);
        const Values small{
            {"model.n_layer", "1"}, {"model.n_head", "2"}, {"model.n_embd", "16"}, {"model.n_positions", "32"}};
        const Values bert{{"model.model_type", "bert"},      {"model.hidden_size", "16"},
                          {"model.num_hidden_layers", "1"},  {"model.num_attention_heads", "2"},
                          {"model.intermediate_size", "16"}, {"model.max_position_embeddings", "32"}};
        const auto join = [](Values first, const Values& second) {
            first.insert(first.end(), second.begin(), second.end());
            return first;
        };
        const std::vector<Values> jobs{
            join(small, {{"data.path", path("text.txt")}}),
            join(
                small,
                {{"data.path", path("text.txt")}, {"data.format", "text"}, {"data.tokenizer", path("tokenizer.json")}}),
            join(small, {{"data.path", path("labelled.csv")}, {"data.format", "csv"}, {"data.column", "text"}}),
            join(bert, {{"model.task", "sequence_classification"},
                        {"model.num_labels", "3"},
                        {"data.path", path("labelled.csv")},
                        {"data.format", "csv"}}),
            join(bert, {{"model.task", "sequence_classification"},
                        {"model.num_labels", "2"},
                        {"model.id2label", "{\"0\": \"bad\", \"1\": \"good\"}"},
                        {"data.path", path("named.csv")},
                        {"data.format", "csv"}}),
            join(bert, {{"model.task", "token_classification"},
                        {"model.num_labels", "2"},
                        {"data.path", path("words.jsonl")},
                        {"data.format", "jsonl"}}),
            join(bert, {{"model.task", "masked_lm"},
                        {"data.path", path("labelled.csv")},
                        {"data.format", "csv"},
                        {"data.column", "text"},
                        {"data.tokenizer", path("masked.json")}}),
            join(bert,
                 {{"model.task", "sentence_embedding"}, {"data.path", path("pairs.csv")}, {"data.format", "csv"}}),
        };
        RecipeDraft made;
        const auto set = [&](const std::string& key, const std::string& value) {
            const QString own = made.sameKey(QString::fromStdString(key));
            if (!own.isEmpty())
                made.set(own, QString::fromStdString(value));
        };
        set("name", "draft");
        for (const auto& [key, value] : jobs[seed % jobs.size()])
            set(key, value);
        for (const auto& [key, value] : Values{{"data.sequence_length", "16"},
                                               {"training.steps", "1"},
                                               {"training.batch_size", "4"},
                                               {"training.evaluate_batches", "1"}})
            set(key, value);
        const std::vector<std::pair<const char*, std::vector<std::string>>> changes{
            {"data.path", {path("text.txt"), path("short.txt"), path("named.csv"), "/nowhere"}},
            {"data.sequence_length", {"8", "32", "33", "500"}},
            {"data.column", {"text", "label", "nothing"}},
            {"data.label_column", {"label", "text", "nothing"}},
            {"data.validation_fraction", {"0", "0.5", "0.99"}},
            {"data.format", {"bytes", "text", "csv", "jsonl"}},
            {"data.pack", {"true", "false"}},
            {"data.tokenizer", {path("tokenizer.json"), "/nowhere/tokenizer.json"}},
            {"model.vocab_size", {"5", "64", "256", "300"}},
            {"model.num_labels", {"1", "2", "3", "5"}},
            {"model.id2label", {"{\"0\": \"no\", \"1\": \"yes\"}", "{\"0\": \"bad\", \"1\": \"good\"}"}},
            {"model.n_embd", {"16", "18", "15"}},
            {"lora.r", {"2"}},
            {"lora.target_modules", {"all-linear", "no_such_module"}},
            {"training.batch_size", {"1", "16", "400"}},
            {"training.gradient_accumulation_steps", {"2"}},
            {"training.global_batch_size", {"8", "7"}},
            {"training.evaluate_every", {"1"}},
            {"training.activation_checkpointing", {"selective", "full"}},
            {"optimizer.name", {"sgd", "lion", "adafactor", "muon"}},
            {"optimizer.arguments", {"{momentum: 0.9}", "{nothing: 1}"}},
            {"schedule.name", {"linear", "cosine_with_restarts", "inverse_sqrt"}},
            {"parallel.pp_size", {"2"}},
            {"parallel.zero_stage", {"1", "3"}},
            {"checkpoint.resume_from", {"/nowhere"}},
            {"model.freeze", {"*", "*.bias", "nothing.*"}},
            {"health.spike_window", {"4"}},
        };
        for (unsigned i = random() % 4; i > 0; --i) {
            const auto& [key, values] = changes[random() % changes.size()];
            set(key, pick(random, values));
        }
        return made;
    }

    test::TemporaryFolder folder_;
};

}  // namespace

TEST_F(StartChecks, TheChecksOfTheWizardAndTheStartOfTheWorkerAgree) {
    const char* one = std::getenv("TRAINYARD_DRAFT");
    const char* many = std::getenv("TRAINYARD_DRAFTS");
    const unsigned first = one == nullptr ? 0 : static_cast<unsigned>(std::atoi(one));
    const unsigned count = one != nullptr ? 1 : many == nullptr ? kDrafts : static_cast<unsigned>(std::atoi(many));
    int started = 0, refused = 0;
    for (unsigned seed = first; seed < first + count; ++seed) {
        const RecipeDraft made = draft(seed);
        const desktop::DraftReport report = desktop::checkDraft(made.yaml(), 1);
        QStringList problems;
        for (const desktop::DraftProblem& problem : report.problems)
            if (problem.error)
                problems << problem.key + QStringLiteral(": ") + problem.message;
        const QString file = desktop::writeRecipe(made.yaml(), QStringLiteral("draft-%1").arg(seed));
        QProcess engine;
        engine.setProcessChannelMode(QProcess::MergedChannels);
        engine.start(QStringLiteral(TRAINYARD_BIN_DIR "/trainyard"),
                     {QStringLiteral("launch"), QStringLiteral("--cpu"), file});
        ASSERT_TRUE(engine.waitForFinished(kLongestStartMs)) << "draft " << seed;
        const std::string said = engine.readAll().toStdString();
        const bool runs = engine.exitStatus() == QProcess::NormalExit && engine.exitCode() == 0;
        (runs ? started : refused) += 1;
        EXPECT_EQ(runs, problems.isEmpty())
            << "draft " << seed << ":\n"
            << made.yaml() << "\nchecks: " << problems.join('\n').toStdString()
            << "\nthe engine: " << said.substr(said.size() > 1500 ? said.size() - 1500 : 0);
    }
    if (one == nullptr) {
        EXPECT_GE(started, static_cast<int>(count) / 5) << "of " << count;
        EXPECT_GE(refused, static_cast<int>(count) / 5) << "of " << count;
    }
}
