// SPDX-License-Identifier: GPL-3.0-or-later
// Fine-tuning as a way of its own: a folder of transformers fills the form, tables are previewed and their columns
// assigned, and what is not changed stays out of the recipe.

#include <filesystem>

#include <QFileDialog>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QTableView>

#include "desktop/data/data_panel.h"
#include "desktop/data/token_strip.h"
#include "desktop/hub/hub_line.h"
#include "desktop/wizard/hub_download.h"
#include "desktop/wizard/recipe_page.h"
#include "desktop/wizard/start_page.h"
#include "desktop/wizard_fixture.h"
#include "models/spec/family.h"
#include "support/child.h"
#include "support/fake_hub.h"
#include "support/picture.h"
#include "support/random_model.h"
#include "support/says.h"

using namespace trainyard;
using namespace trainyard::desktop;

namespace {

constexpr const char* kEncoder =
    R"({"model_type": "bert", "architectures": ["BertForMaskedLM"], "hidden_size": 32, "num_hidden_layers": 2,
        "num_attention_heads": 4, "intermediate_size": 48, "vocab_size": 64, "max_position_embeddings": 40,
        "type_vocab_size": 2, "hidden_dropout_prob": 0.1, "attention_probs_dropout_prob": 0.1})";

class FineTuning : public test::WizardFixture {
  protected:
    /// A folder of transformers with weights and a tokenizer.
    QString model(const char* name, const char* config = kEncoder) {
        const std::filesystem::path folder = folder_.path() / name;
        test::RandomModel(config).write(folder);
        std::ofstream(folder / "config.json") << config;
        std::ofstream(folder / "tokenizer.json")
            << R"({"model": {"type": "WordLevel", "vocab": {"[UNK]": 0, "good": 1, "bad": 2, "film": 3, "a": 4, "[MASK]": 5},
                   "unk_token": "[UNK]"}, "pre_tokenizer": {"type": "Whitespace"}})";
        std::ofstream(folder / "README.md") << "---\nlicense: apache-2.0\n---\n# A model\n";
        return QString::fromStdString(folder.string());
    }
    void reviews() {
        std::ofstream table(folder_.path() / "reviews.csv");
        table << "id,text,label\n";
        for (int i = 0; i < 200; ++i)
            table << i << (i % 3 == 0 ? ",a good film,positive\n" : ",a bad film,negative\n");
    }
    void chooseWay(Way way) {
        wizard()->showStep(Step::Start);
        auto* ways = wizard()->page(Step::Start)->findChildren<CardRow*>().first();
        QTest::mouseClick(ways->card(static_cast<int>(way)), Qt::LeftButton);
        ASSERT_EQ(draft().way(), way);
    }
    /// The keys of the section, as they are written.
    std::set<std::string> written() {
        std::set<std::string> keys;
        std::string section, line;
        for (std::istringstream text(draft().recipeYaml()); std::getline(text, line);) {
            const std::string key = line.substr(0, line.find(':'));
            if (!line.starts_with(' '))
                section = key;
            keys.insert(line.starts_with(' ') ? section + "." + key.substr(2) : key);
        }
        return keys;
    }
    bool becomes(const char* key, const char* value) {
        return QTest::qWaitFor([&] { return draft().recipeValue(QLatin1String(key)) == QLatin1String(value); }, 10000);
    }
    /// In both themes, where TRAINYARD_TEST_PICTURES names a folder.
    void picture(const char* name) {
        using widgets::ThemeChoice;
        if (std::getenv("TRAINYARD_TEST_PICTURES") == nullptr)
            return;
        for (const auto& [choice, suffix] :
             {std::pair(ThemeChoice::Light, "-light-"), std::pair(ThemeChoice::Dark, "-dark-")}) {
            widgets::Theme::instance().setChoice(choice);
            test::take_picture(window_.get(), (suffix + std::string(name)).c_str());
        }
        widgets::Theme::instance().setChoice(ThemeChoice::System);
    }
    DataPanel* data() { return test::child<DataPanel>(*wizard()->page(Step::Data)); }
    bool shown(const char* key) { return wizard()->row(QLatin1String(key))->isVisible(); }
};

}  // namespace

TEST_F(FineTuning, TheFirstPageOffersFourWaysAndFineTuningAsksForTheModelFirst) {
    open(cpu());
    auto* ways = wizard()->page(Step::Start)->findChildren<CardRow*>().first();
    QStringList titles;
    for (int i = 0; i < ways->count(); ++i)
        titles << ways->card(i)->accessibleName();
    EXPECT_EQ(titles,
              (QStringList{"Train from scratch", "Fine-tune a model", "Own Python script", "Settings file only"}));
    EXPECT_EQ(draft().way(), Way::Scratch);
    chooseWay(Way::FineTune);
    settle();
    EXPECT_EQ(draft().recipeValue(QStringLiteral("optimizer.lr")), QStringLiteral("5e-5")) << "proposed";
    ASSERT_TRUE(wizard()->goToField(QStringLiteral("model.weights")));
    ASSERT_TRUE(waitForProblem("model.weights")) << "no model yet";
    const auto top = [this](const char* key) {
        QWidget* row = wizard()->row(QLatin1String(key));
        return row->mapTo(wizard(), QPoint()).y();
    };
    EXPECT_LT(top("model.weights"), top("model.task"));
    EXPECT_FALSE(shown("model.model_type")) << "a fact of the model that is not chosen yet";
    picture("model");
    draft().history()->undo();
    EXPECT_EQ(draft().way(), Way::Scratch);
    chooseWay(Way::FineTune);
    chooseWay(Way::Scratch);
    EXPECT_EQ(draft().recipeValue(QStringLiteral("optimizer.lr")), QStringLiteral("0.001")) << "taken back";
    type("optimizer.lr", QStringLiteral("3e-4"));
    chooseWay(Way::FineTune);
    settle();
    EXPECT_EQ(draft().recipeValue(QStringLiteral("optimizer.lr")), QStringLiteral("3e-4")) << "what is typed stays";
}

TEST_F(FineTuning, AFolderOfTransformersFillsTheFormAndOnlyChangesAreWritten) {
    const QString folder = model("base");
    open(cpu());
    chooseWay(Way::FineTune);
    type("model.weights", folder);
    ASSERT_TRUE(becomes("model.model_type", "bert"));
    ASSERT_TRUE(becomes("data.tokenizer", folder.toUtf8().constData()));
    settle();
    EXPECT_EQ(draft().recipeValue(QStringLiteral("model.hidden_size")), QStringLiteral("32"));
    EXPECT_EQ(draft().recipeValue(QStringLiteral("model.task")), QStringLiteral("masked_lm"));
    const QString facts = static_cast<ModelPage*>(wizard()->page(Step::Model))->facts();
    for (const char* part : {"BertForMaskedLM", "float32", "tokenizer.json", "licence apache-2.0", "parameters"})
        EXPECT_TRUE(facts.contains(QLatin1String(part))) << part << ": " << facts.toStdString();
    wizard()->showStep(Step::Model);
    EXPECT_FALSE(shown("model.hidden_size")) << "a fact, not a field";
    EXPECT_FALSE(shown("model.model_type"));
    EXPECT_TRUE(shown("model.task"));
    EXPECT_EQ(problem("model.weights"), "");
    std::set<std::string> keys = written();
    EXPECT_EQ(keys, (std::set<std::string>{"name", "model", "model.weights", "data", "data.format", "data.tokenizer",
                                           "optimizer", "optimizer.lr"}))
        << draft().recipeYaml();
    EXPECT_EQ(draft().recipeYaml().find("\"\""), std::string::npos) << "empty means left out";
    // A field that is emptied is left out, too, and shows what counts then.
    type("training.steps", QStringLiteral("70"));
    EXPECT_TRUE(written().contains("training.steps"));
    type("training.steps", QString());
    settle();
    EXPECT_FALSE(written().contains("training.steps")) << draft().recipeYaml();
    EXPECT_EQ(problem("training.steps"), "");
    EXPECT_EQ(qobject_cast<QLineEdit*>(editor("training.steps")->widget())->placeholderText(), QStringLiteral("1000"));
    EXPECT_EQ(config::parse_recipe(draft().recipeYaml(), "/x/draft.yaml").training.steps, 1000);
}

TEST_F(FineTuning, ATableIsRecognisedItsColumnsAreOfferedAndItsClassesNamed) {
    const QString folder = model("base");
    reviews();
    open(cpu());
    chooseWay(Way::FineTune);
    type("model.weights", folder);
    ASSERT_TRUE(becomes("model.model_type", "bert"));
    draft().setRecipeValue(QStringLiteral("model.task"), QStringLiteral("sequence_classification"));
    type("data.path", QString::fromStdString(file("reviews.csv")));
    ASSERT_TRUE(becomes("data.format", "csv"));
    ASSERT_TRUE(becomes("model.num_labels", "2"));
    ASSERT_TRUE(becomes("model.id2label", R"({"0": "negative", "1": "positive"})"));
    draft().setRecipeValue(QStringLiteral("data.sequence_length"), QStringLiteral("16"));
    settle();
    wizard()->showStep(Step::Data);
    for (const FieldProblem& each : wizard()->problems())
        ADD_FAILURE() << each.key.toStdString() << ": " << each.sentence.toStdString();
    const QAbstractItemModel* preview = data()->preview()->model();
    ASSERT_TRUE(data()->preview()->isVisible());
    EXPECT_EQ(preview->rowCount(), 20);
    ASSERT_EQ(preview->columnCount(), 3);
    EXPECT_EQ(preview->index(0, 1).data().toString(), QStringLiteral("a good film"));
    EXPECT_EQ(preview->headerData(1, Qt::Horizontal).toString(), QStringLiteral("text · Text"));
    EXPECT_EQ(preview->headerData(2, Qt::Horizontal).toString(), QStringLiteral("label · Label"));
    EXPECT_TRUE(data()->tokens()->text().contains(QStringLiteral("a│good│film")))
        << data()->tokens()->text().toStdString();
    picture("data");
    wizard()->showStep(Step::Model);
    picture("model");
    wizard()->showStep(Step::Review);
    picture("review");
    wizard()->opener()->newRun();
    settle();
    picture("start");
    wizard()->showStep(Step::Data);
    picture("empty");
    for (QPushButton* button : wizard()->page(Step::Start)->findChildren<QPushButton*>())
        if (button->accessibleName().startsWith(QStringLiteral("Continue draft: ")))
            button->click();
    ASSERT_TRUE(becomes("model.num_labels", "2"));
    settle();
    wizard()->showStep(Step::Data);
    EXPECT_TRUE(shown("data.label_column"));
    EXPECT_FALSE(shown("data.target_column")) << "of another task";
    const config::Recipe recipe = config::parse_recipe(draft().recipeYaml(), "/x/draft.yaml");
    EXPECT_EQ(recipe.model.num_labels, 2);
    EXPECT_EQ(recipe.data.format, config::DataFormat::csv);

    // Another column for the label, by its header.
    QHeaderView* header = data()->preview()->horizontalHeader();
    QTest::mouseClick(header->viewport(), Qt::LeftButton, Qt::NoModifier,
                      QPoint(header->sectionViewportPosition(0) + 20, header->height() / 2));
    ASSERT_TRUE(QTest::qWaitFor([] { return QApplication::activePopupWidget() != nullptr; }));
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    ASSERT_NE(menu, nullptr);
    for (QAction* action : menu->actions())
        if (action->text() == QStringLiteral("Use as Label"))
            action->trigger();
    menu->close();
    EXPECT_EQ(draft().recipeValue(QStringLiteral("data.label_column")), QStringLiteral("id"));
    ASSERT_TRUE(becomes("model.num_labels", "200"));
}

TEST_F(FineTuning, AColumnThatIsMissingIsMarkedWhereItIsNamed) {
    reviews();
    open(cpu());
    type("data.path", QString::fromStdString(file("reviews.csv")));
    ASSERT_TRUE(becomes("data.format", "csv"));
    draft().setRecipeValue(QStringLiteral("data.column"), QStringLiteral("txt"));
    type("training.batch_size", QStringLiteral("none"));  // another error does not hide the data
    settle();
    EXPECT_GT(draft().report().data.files, 0u);
    type("training.batch_size", QStringLiteral("2"));
    settle();
    wizard()->showStep(Step::Data);
    ASSERT_TRUE(waitForProblem("data.column"));
    picture("missing");
    EXPECT_TRUE(shown("data.column"));
    EXPECT_TRUE(data()->facts()->text().startsWith(QStringLiteral("1 file"))) << data()->facts()->text().toStdString();
    // The columns are offered beside the field.
    auto* columns = test::child<QPushButton>(*wizard()->row(QStringLiteral("data.column")), QStringLiteral("Columns…"));
    ASSERT_TRUE(columns->isVisible());
    QTest::mouseClick(columns, Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([] { return QApplication::activePopupWidget() != nullptr; }));
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    ASSERT_NE(menu, nullptr);
    for (QAction* action : menu->actions())
        if (action->text() == QStringLiteral("text"))
            action->trigger();
    menu->close();
    settle();
    EXPECT_EQ(problem("data.column"), "");
}

TEST_F(FineTuning, NamesOfClassesThatTheModelLacksAreSaidBeforeTheStart) {
    const QString folder = model("base");
    reviews();
    open(cpu());
    type("model.weights", folder);
    ASSERT_TRUE(becomes("model.model_type", "bert"));
    draft().setRecipeValue(QStringLiteral("model.task"), QStringLiteral("sequence_classification"));
    draft().setRecipeValue(QStringLiteral("model.num_labels"), QStringLiteral("2"));
    draft().setRecipeValue(QStringLiteral("model.id2label"), QStringLiteral("{\"0\": \"no\", \"1\": \"yes\"}"));
    draft().setRecipeValue(QStringLiteral("data.sequence_length"), QStringLiteral("16"));
    type("data.path", QString::fromStdString(file("reviews.csv")));
    ASSERT_TRUE(becomes("data.format", "csv"));
    settle();
    wizard()->showStep(Step::Data);
    ASSERT_TRUE(waitForProblem("data.label_column"));
    EXPECT_NE(problem("data.label_column").find("positive"), std::string::npos) << problem("data.label_column");
    EXPECT_EQ(draft().recipeValue(QStringLiteral("model.id2label")), QStringLiteral("{\"0\": \"no\", \"1\": \"yes\"}"))
        << "what the user typed is not changed";
}

/// Each task has its own fields on the page of the data, and what contradicts it is refused there.
TEST_F(FineTuning, QuestionsAndChoicesHaveTheirFields) {
    std::ofstream(folder_.path() / "questions.jsonl")
        << R"({"question": "who?", "context": "Anna sings.", "answers": {"text": ["Anna"], "answer_start": [0]}})"
           "\n"
        << R"({"question": "who?", "context": "Boris sings.", "answers": {"text": ["Boris"], "answer_start": [0]}})"
           "\n";
    open(cpu());
    draft().setRecipeValue(QStringLiteral("model.model_type"), QStringLiteral("bert"));
    draft().setRecipeValue(QStringLiteral("model.task"), QStringLiteral("question_answering"));
    type("data.path", QString::fromStdString(file("questions.jsonl")));
    ASSERT_TRUE(becomes("data.format", "jsonl"));
    settle();
    wizard()->showStep(Step::Data);
    for (const char* key :
         {"data.column", "data.second_column", "data.label_column", "data.doc_stride", "data.max_answer_length"})
        EXPECT_TRUE(shown(key)) << key;
    for (const char* key :
         {"data.choice_columns", "data.image_size", "data.random_resized_crop", "data.mlm_probability"})
        EXPECT_FALSE(shown(key)) << key;
    type("data.doc_stride", QStringLiteral("64"));
    settle();
    ASSERT_TRUE(waitForProblem("data.doc_stride")) << "64 tokens shared of samples of 64";
    type("data.doc_stride", QStringLiteral("16"));
    settle();
    EXPECT_EQ(problem("data.doc_stride"), "");
    picture("questions");
    draft().setRecipeValue(QStringLiteral("model.task"), QStringLiteral("multiple_choice"));
    settle();
    EXPECT_TRUE(shown("data.choice_columns"));
    ASSERT_TRUE(waitForProblem("data.doc_stride")) << "has no effect on choices";
}

TEST_F(FineTuning, SegmentationHasItsFields) {
    const auto samples = std::filesystem::path(TRAINYARD_TESTS_DIR).parent_path() / "resources/samples/data/shapes";
    open(cpu());
    draft().setRecipeValue(QStringLiteral("model.model_type"), QStringLiteral("segformer"));
    EXPECT_EQ(draft().recipeValue(QStringLiteral("model.task")), QStringLiteral("semantic_segmentation"));
    type("data.path", QString::fromStdString((samples / "images").string()));
    ASSERT_TRUE(becomes("data.format", "images"));
    settle();
    wizard()->showStep(Step::Data);
    for (const char* key : {"data.mask_path", "data.reduce_labels", "data.image_size", "data.random_horizontal_flip"})
        EXPECT_TRUE(shown(key)) << key;
    for (const char* key : {"data.label_column", "data.label_pattern", "data.tokenizer"})
        EXPECT_FALSE(shown(key)) << key;
    ASSERT_TRUE(waitForProblem("data.mask_path")) << "it is missing";
    type("data.mask_path", QString::fromStdString((samples / "masks").string()));
    settle();
    ASSERT_TRUE(waitForProblem("data.mask_path")) << "the masks have three classes, and the model two";
    draft().setRecipeValue(QStringLiteral("model.num_labels"), QStringLiteral("3"));
    settle();
    EXPECT_EQ(problem("data.mask_path"), "");
    ASSERT_GT(data()->preview()->model()->rowCount(), 0);
    for (const int column : {0, 1})  // the image and its mask
        EXPECT_FALSE(data()->preview()->model()->index(0, column).data(Qt::DecorationRole).isNull()) << column;
    picture("segmentation");
    draft().setRecipeValue(QStringLiteral("model.model_type"), QStringLiteral("vit"));
    settle();
    EXPECT_TRUE(shown("data.label_pattern"));
    ASSERT_TRUE(waitForProblem("data.mask_path")) << "it has no effect on image_classification";
}

TEST_F(FineTuning, RecordingsHaveTheirFields) {
    const auto samples = std::filesystem::path(TRAINYARD_TESTS_DIR).parent_path() / "resources/samples/data/tones";
    open(cpu());
    draft().setRecipeValue(QStringLiteral("model.model_type"), QStringLiteral("wav2vec2"));
    EXPECT_EQ(draft().recipeValue(QStringLiteral("model.task")), QStringLiteral("speech_pretraining"));
    type("data.path", QString::fromStdString(samples.string()));
    ASSERT_TRUE(becomes("data.format", "audio"));
    settle();
    wizard()->showStep(Step::Data);
    for (const char* key : {"data.sampling_rate", "data.max_duration_in_seconds", "data.min_duration_in_seconds"})
        EXPECT_TRUE(shown(key)) << key;
    for (const char* key : {"data.label_column", "data.image_size", "data.tokenizer"})
        EXPECT_FALSE(shown(key)) << key;
    ASSERT_TRUE(waitForProblem("data.path")) << "they have 4,000 samples a second, and the model takes 16,000";
    ASSERT_TRUE(QTest::qWaitFor([&] { return data()->preview()->model()->rowCount() > 0; }));
    EXPECT_EQ(data()->preview()->model()->headerData(1, Qt::Horizontal).toString(), QStringLiteral("length"));
    EXPECT_TRUE(data()->preview()->model()->index(0, 1).data().toString().endsWith(QStringLiteral(" s")));
    EXPECT_EQ(data()->preview()->model()->index(0, 2).data().toString(), QStringLiteral("4,000"));
    picture("recordings");
    type("data.sampling_rate", QStringLiteral("4000"));
    ASSERT_TRUE(waitForProblem("data.path")) << "a mask takes longer than they are";
    draft().setRecipeValue(QStringLiteral("model.mask_time_length"), QStringLiteral("2"));
    settle();
    EXPECT_EQ(problem("data.path"), "");
    type("data.min_duration_in_seconds", QStringLiteral("9"));
    ASSERT_TRUE(waitForProblem("data.min_duration_in_seconds"));
    draft().setRecipeValue(QStringLiteral("model.model_type"), QStringLiteral("gpt2"));
    settle();
    EXPECT_TRUE(shown("data.tokenizer") ||
                draft().recipeValue(QStringLiteral("data.format")) == QLatin1String("bytes"));
    ASSERT_TRUE(waitForProblem("data.sampling_rate")) << "it has no effect on causal_lm";
}

TEST_F(FineTuning, ANameOfTheHubIsTakenFromTheCacheOfThisMachine) {
    const QString folder = model("snapshot");
    const std::filesystem::path cached =
        folder_.path() / "HF_HOME" / "hub" / "models--org--tiny-bert" / "snapshots" / "abc123";
    std::filesystem::create_directories(cached.parent_path());
    std::filesystem::rename(folder.toStdString(), cached);
    std::filesystem::create_directories(cached.parent_path().parent_path() / "refs");
    std::ofstream(cached.parent_path().parent_path() / "refs" / "main") << "abc123";
    open(cpu());
    chooseWay(Way::FineTune);
    type("model.weights", QStringLiteral("org/other"));
    settle();
    ASSERT_TRUE(waitForProblem("model.weights"));
    EXPECT_EQ(problem("model.weights"),
              "org/other is not in the cache of the hub on this machine: download it, or choose a folder.");
    picture("not here");
    type("model.weights", QStringLiteral("org/tiny-bert"));
    ASSERT_TRUE(becomes("model.weights", cached.c_str()));
    ASSERT_TRUE(becomes("model.model_type", "bert"));
    settle();
    EXPECT_EQ(problem("model.weights"), "");
}

TEST_F(FineTuning, ANameOfTheHubIsDownloaded) {
    constexpr int kLong = 30'000;
    test::FakeHub hub;
    ::setenv("HF_ENDPOINT", hub.address().c_str(), 1);
    ::setenv("no_proxy", "*", 1);
    const std::filesystem::path folder = model("model").toStdString();
    for (const auto& file : std::filesystem::directory_iterator(folder))
        hub.put("org/tiny-bert", file.path().filename().string(), content(file.path().string()),
                file.path().extension() == ".safetensors");
    hub.put("org/tiny-bert", "tokenizer.json",
            content((folder / "tokenizer.json").string()) + std::string(1'000'000, ' '));
    hub.fail("tokenizer.json", {.times = 1, .pause_ms = 2'000});
    open(cpu());
    chooseWay(Way::FineTune);
    const auto download = [&](const char* key) {
        wizard()->goToField(QLatin1String(key));  // makes its page
        for (HubDownload* each : window_->findChildren<HubDownload*>())
            if (wizard()->row(QLatin1String(key))->isAncestorOf(each->button()))
                return each;
        return static_cast<HubDownload*>(nullptr);
    };
    HubDownload* weights = download("model.weights");
    ASSERT_NE(weights, nullptr);
    EXPECT_FALSE(weights->button()->isVisible());
    EXPECT_FALSE(weights->isVisible());
    // No such model: one sentence, and the button stays.
    type("model.weights", QStringLiteral("org/none"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return weights->button()->isVisible(); }, kLong));
    QTest::mouseClick(weights->button(), Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !weights->isRunning(); }, kLong));
    EXPECT_THAT(weights->words().toStdString(),
                test::says("{} has no public model named {}: {}", hub.address(), "org/none", testing::_));
    EXPECT_TRUE(weights->button()->isVisible());
    EXPECT_EQ(problem("model.weights"), "") << "one sentence is enough";
    picture("none");
    type("model.weights", QStringLiteral("org/tiny-bert"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return weights->words().isEmpty() || !weights->isVisible(); }, kLong));
    settle();
    ASSERT_TRUE(weights->button()->isVisible());
    // While it downloads, the window answers, and the download can be cancelled.
    // The size before the start.
    const auto press = [&](HubDownload* line) {
        QTest::mouseClick(line->button(), Qt::LeftButton);
        ASSERT_TRUE(QTest::qWaitFor([&] { return !line->isRunning(); }, kLong));
        ASSERT_TRUE(line->line()->isOffered()) << line->words().toStdString();
        EXPECT_TRUE(line->button()->text().startsWith(QStringLiteral("Download ")))
            << line->button()->text().toStdString();
        QTest::mouseClick(line->button(), Qt::LeftButton);
    };
    press(weights);
    EXPECT_FALSE(weights->button()->isVisible());
    const auto is_slow = [&] {
        return std::ranges::any_of(hub.requests(), [](const test::FakeHub::Request& request) {
            return request.method == "GET" && request.path.ends_with("tokenizer.json");
        });
    };
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return is_slow() && weights->words().startsWith(QStringLiteral("Downloading org/tiny-bert: ")); },
        kLong));
    EXPECT_EQ(problem("model.weights"), "") << "it is being solved";
    picture("download");
    QTest::mouseClick(weights->line()->cancelButton(), Qt::LeftButton);
    EXPECT_FALSE(weights->isRunning());
    EXPECT_NE(problem("model.weights"), "");
    EXPECT_EQ(weights->words(), QStringLiteral("The download was cancelled. The next one continues it."));
    press(weights);
    const std::string snapshot =
        folder_.path() / "HF_HOME" / "hub" / "models--org--tiny-bert" / "snapshots" / hub.commit_of("org/tiny-bert");
    ASSERT_TRUE(becomes("model.weights", snapshot.c_str()));
    ASSERT_TRUE(becomes("model.model_type", "bert"));
    settle();
    EXPECT_EQ(problem("model.weights"), "");
    EXPECT_FALSE(weights->isVisible());
    EXPECT_FALSE(weights->button()->isVisible());
    // A data set: its first rows are shown once it is here.
    hub.put("datasets/org/rows", "data/train-00000-of-00001.parquet",
            content(TRAINYARD_TESTS_DIR "/golden/data_formats/plain.parquet"), true);
    HubDownload* data = download("data.path");
    ASSERT_NE(data, nullptr);
    type("data.path", QStringLiteral("hub:org/none"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return data->button()->isVisible(); }, kLong));
    QTest::mouseClick(data->button(), Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !data->isRunning(); }, kLong));
    EXPECT_TRUE(data->hasFailed()) << data->words().toStdString();
    EXPECT_EQ(problem("data.path"), "") << "one sentence is enough";
    picture("no data");
    type("data.path", QStringLiteral("hub:org/rows"));
    ASSERT_TRUE(waitForProblem("data.path"));
    EXPECT_EQ(problem("data.path"),
              "org/rows is not in the cache of the hub on this machine: download it, or choose a folder.");
    ASSERT_TRUE(QTest::qWaitFor([&] { return data->button()->isVisible(); }, kLong));
    auto* panel = test::child<DataPanel>(*window_);
    EXPECT_EQ(panel->preview()->model()->columnCount(), 0);
    picture("data");
    press(data);
    ASSERT_TRUE(becomes("data.format", "parquet"));  // its files say so
    settle();
    ASSERT_TRUE(QTest::qWaitFor([&] { return panel->preview()->model()->columnCount() > 1; }, kLong));
    EXPECT_EQ(draft().recipeValue(QStringLiteral("data.path")), QStringLiteral("hub:org/rows"));
    EXPECT_FALSE(data->button()->isVisible());
    EXPECT_EQ(problem("data.path"), "");
    // Also the values of binary columns: what is not text is shown as its size.
    EXPECT_GT(panel->preview()->model()->rowCount(), 0);
    picture("rows");
}

TEST_F(FineTuning, EveryPathHasAButtonThatChoosesIt) {
    open(cpu());
    for (const config::RecipeKey& key : config::recipe_keys()) {
        const QString type = QString::fromStdString(key.type);
        const QString name = QString::fromStdString(key.key);
        if (!type.split(QStringLiteral(" | ")).last().startsWith(QStringLiteral("path")) || !draft().hasRecipeKey(name))
            continue;
        ASSERT_TRUE(wizard()->goToField(name)) << key.key;
        QVector<QPushButton*> buttons;
        for (QPushButton* button : wizard()->row(name)->findChildren<QPushButton*>())
            if (button->isVisible() && button->text().endsWith(QStringLiteral("…")))
                buttons << button;
        EXPECT_FALSE(buttons.isEmpty()) << key.key;
    }
    // One of them, to its end.
    ASSERT_TRUE(wizard()->goToField(QStringLiteral("checkpoint.resume_from")));
    auto* choose =
        test::child<QPushButton>(*wizard()->row(QStringLiteral("checkpoint.resume_from")), QStringLiteral("Choose…"));
    QTest::mouseClick(choose, Qt::LeftButton);
    QFileDialog* dialog = nullptr;
    ASSERT_TRUE(QTest::qWaitFor([&] {
        dialog = wizard()->findChild<QFileDialog*>();
        return dialog != nullptr && dialog->isVisible();
    }));
    dialog->selectFile(QString::fromStdString(folder_.path().string()));
    emit dialog->fileSelected(QString::fromStdString(folder_.path().string()));
    dialog->close();
    EXPECT_EQ(draft().recipeValue(QStringLiteral("checkpoint.resume_from")).toStdString(), folder_.path().string());
}
