// SPDX-License-Identifier: GPL-3.0-or-later
// Models with classes that were really trained: their page in Try it, the same figures on the command line, and what is
// refused.

#include <cstdlib>
#include <fstream>

#include <QApplication>
#include <QCheckBox>
#include <QDropEvent>
#include <QImage>
#include <QLineEdit>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTest>
#include <QUrl>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "cli/program.h"
#include "desktop/try_it/image_field.h"
#include "desktop/try_it/prediction_view.h"
#include "desktop/try_it/sampling_bar.h"
#include "desktop/try_it/try_it_page.h"
#include "formats/tables/image.h"
#include "run/listing.h"
#include "support/child.h"
#include "support/patience.h"
#include "support/picture.h"
#include "support/says.h"
#include "support/temporary_folder.h"
#include "widgets/local_text.h"
#include "widgets/theme.h"

using namespace trainyard;
using namespace trainyard::desktop;
using test::says;
using testing::_;
using testing::HasSubstr;
using Json = nlohmann::json;
namespace fs = std::filesystem;

namespace {

class TryClasses : public testing::Test {
  protected:
    static void SetUpTestSuite() {
        ::setenv("TRAINYARD_WORKER", TRAINYARD_BIN_DIR "/trainyard-worker", 1);
        ::setenv("OMP_NUM_THREADS", "1", 1);
        folder_ = std::make_unique<test::TemporaryFolder>();
        ::setenv("TRAINYARD_RUNS", (folder_->path() / "runs").c_str(), 1);
        ::setenv("HF_HOME", (folder_->path() / "home").c_str(), 1);
        std::ofstream texts(folder_->path() / "texts.csv"), words(folder_->path() / "words.jsonl");
        texts << "text,label\n";
        for (int i = 0; i < 96; ++i) {
            texts << (i % 2 == 0 ? "good" : "bad") << " film " << i << "," << i % 2 << "\n";
            words << R"({"tokens": ["we", "met", ")" << (i % 2 == 0 ? "Anna" : "Otto") << R"(", "in", "may", "."], )"
                  << R"("ner_tags": [0, 0, 1, 0, 0, 0]})"
                  << "\n";
        }
        texts.close();
        words.close();
        write_file_atomically(folder_->path() / "prose.txt", std::string(4000, 'a'));
        for (int i = 0; i < 24; ++i)
            for (const char* color : {"blue", "red"}) {
                const bool red = *color == 'r';
                const fs::path image = folder_->path() / "images" / color / (std::to_string(i) + ".png");
                write(image, 16, 16, [&](int, int) { return red ? QColor(230, i, 10) : QColor(10, i, 230); });
            }
        for (int i = 0; i < 8; ++i) {
            const std::string name = std::to_string(i) + ".png";
            write(folder_->path() / "roads" / name, 32, 32,
                  [](int x, int) { return x < 16 ? QColor(20, 20, 20) : QColor(220, 220, 220); });
            formats::Image mask{32, 32, 1, {}};
            for (int pixel = 0; pixel < 32 * 32; ++pixel)
                mask.pixels.push_back(pixel % 32 < 16 ? 0 : 1);
            fs::create_directories(folder_->path() / "masks");
            write_file_atomically(folder_->path() / "masks" / name, formats::encode_png(mask));
        }
        const std::string bert =
            "vocab_size: 256, hidden_size: 32, num_hidden_layers: 1, num_attention_heads: 2, intermediate_size: 32, "
            "max_position_embeddings: 64, hidden_dropout_prob: 0, attention_probs_dropout_prob: 0}\n";
        train("text",
              "{model_type: bert, task: sequence_classification, num_labels: 2, id2label: {0: good, 1: bad}, " + bert,
              "{format: csv, path: texts.csv, column: text, label_column: label, sequence_length: 24}", 60);
        train("words",
              "{model_type: bert, task: token_classification, num_labels: 2, id2label: {0: O, 1: B-PER}, " + bert,
              "{format: jsonl, path: words.jsonl, sequence_length: 32}", 60);
        train("image",
              "{model_type: vit, image_size: 16, patch_size: 8, hidden_size: 16, num_hidden_layers: 1, "
              "num_attention_heads: 2, intermediate_size: 16, num_labels: 2, id2label: {0: blue, 1: red}}\n",
              "{format: images, path: images}", 30);
        train("road", "{model_type: segformer, num_labels: 2, id2label: {0: road, 1: sky}}\n",
              "{format: images, path: roads, mask_path: masks}", 40);
        std::ofstream questions(folder_->path() / "questions.jsonl");
        for (int i = 0; i < 64; ++i)
            questions << R"({"question": "who?", "context": ")"
                      << (i % 2 == 0 ? "\U0001F642 we met Anna" : "Otto met us") << " " << i
                      << R"(", "answers": {"text": [")" << (i % 2 == 0 ? "Anna" : "Otto") << R"("], "answer_start": [)"
                      << (i % 2 == 0 ? 9 : 0) << "]}}\n";
        questions.close();
        train("answers", "{model_type: bert, task: question_answering, " + bert,
              "{format: jsonl, path: questions.jsonl, sequence_length: 64, doc_stride: 16, validation_fraction: 0.1}",
              120);
        train("prose", "{n_layer: 1, n_embd: 16, n_head: 2, n_positions: 64}\n",
              "{path: prose.txt, sequence_length: 32}", 2);
    }
    static void TearDownTestSuite() { folder_.reset(); }

    template <class Color>
    static void write(const fs::path& file, int width, int height, Color color) {
        formats::Image image{height, width, 3, {}};
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x) {
                const QColor ink = color(x, y);
                for (const int part : {ink.red(), ink.green(), ink.blue()})
                    image.pixels.push_back(static_cast<std::uint8_t>(part));
            }
        fs::create_directories(file.parent_path());
        write_file_atomically(file, formats::encode_png(image));
    }
    static void train(const std::string& name, const std::string& model, const std::string& data, int steps) {
        const fs::path recipe = folder_->path() / (name + ".yaml");
        std::ofstream(recipe) << "name: " << name << "\nmodel: " << model << "data: " << data
                              << "\noptimizer: {lr: 1e-2}\nschedule: {warmup_steps: 2}\ntraining: {steps: " << steps
                              << ", batch_size: 8}\ncheckpoint: {every: " << steps / 2 << ", keep_last: 0}\n";
        const test::Said said = test::trainyard({"launch", "--cpu", recipe.string()});
        ASSERT_EQ(said.code, 0) << said.err;
    }
    static fs::path run(const std::string& name) {
        for (const run::ListedRun& one : run::list_runs(folder_->path() / "runs"))
            if (one.state && one.state->name == name)
                return one.paths.root();
        return {};
    }

    void SetUp() override {
        widgets::Theme::instance().install(*qApp);
        page_ = std::make_unique<TryItPage>();
        page_->resize(1228, 800);
        page_->show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(page_.get()));
    }
    void TearDown() override {
        test::take_picture(page_.get());
        widgets::Theme::instance().setChoice(widgets::ThemeChoice::Light);
        test::take_picture(page_.get(), "-light");
        widgets::Theme::instance().setChoice(widgets::ThemeChoice::Dark);
    }
    void open(const fs::path& place) {
        page_->activate(QString::fromStdString(place.string()));
        ASSERT_TRUE(waitUntilIdle());
    }
    bool waitUntilIdle() {
        return QTest::qWaitFor([this] { return !page_->isBusy(); }, kPatience);
    }
    QPushButton* button(const char* words) { return test::child<QPushButton>(*page_, QString::fromLatin1(words)); }
    void classify() {
        ASSERT_NE(button("Classify"), nullptr);
        QTest::mouseClick(button("Classify"), Qt::LeftButton);
        ASSERT_TRUE(waitUntilIdle());
    }
    void type(const char* words) {
        test::child<QPlainTextEdit>(*page_, QStringLiteral("Text to classify"))->setPlainText(QString::fromUtf8(words));
    }
    void drop(const fs::path& file) {
        auto* field = test::child<ImageField>(*page_);
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(QString::fromStdString(file.string()))});
        QDragEnterEvent enter({5, 5}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(field, &enter);
        ASSERT_TRUE(enter.isAccepted());
        QDropEvent event({5, 5}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(field, &event);
        ASSERT_TRUE(waitUntilIdle());
    }
    /// Lines of what a panel shows: a class or word, its class, its figure.
    static QStringList lines(const AnswerPanel* panel) { return panel->prediction()->text().split(QLatin1Char('\n')); }
    static Json predicted(const std::vector<std::string>& arguments) {
        std::vector<std::string> all{"predict", "--json"};
        all.insert(all.end(), arguments.begin(), arguments.end());
        const test::Said said = test::trainyard(all);
        EXPECT_EQ(said.code, 0) << said.err;
        Json last;
        std::istringstream out(said.out);
        for (std::string line; std::getline(out, line);)
            last = Json::parse(line);
        return last;
    }
    static QString percent(double share) { return widgets::percent_text(share, 1); }

    static std::unique_ptr<test::TemporaryFolder> folder_;
    std::unique_ptr<TryItPage> page_;
};

std::unique_ptr<test::TemporaryFolder> TryClasses::folder_;

TEST_F(TryClasses, ATextHasProbabilitiesOfTwoCheckpoints) {
    open(run("text"));
    EXPECT_FALSE(test::child<SamplingBar>(*page_)->isVisible());
    test::child<QCheckBox>(*page_, QStringLiteral("Compare with a second checkpoint"))->setChecked(true);
    ASSERT_TRUE(waitUntilIdle());
    type("bad film 7");
    classify();
    const Json wanted = predicted({run("text").string(), "--text", "bad film 7"});
    ASSERT_EQ(wanted["kind"], "classes");
    EXPECT_EQ(wanted["scores"][0]["name"], "bad") << wanted.dump();
    EXPECT_NEAR(wanted["scores"][0]["score"].get<double>() + wanted["scores"][1]["score"].get<double>(), 1, 1e-6);
    EXPECT_EQ(lines(page_->first()),
              (QStringList{QStringLiteral("bad\t") + percent(wanted["scores"][0]["score"].get<double>()),
                           QStringLiteral("good\t") + percent(wanted["scores"][1]["score"].get<double>())}));
    EXPECT_EQ(lines(page_->second()).size(), 2);
    ASSERT_NE(page_->first()->chosen(), page_->second()->chosen());
    const Json earlier = predicted({page_->second()->chosen().toStdString(), "--text", "bad film 7"});
    EXPECT_NE(earlier["scores"][0]["score"], wanted["scores"][0]["score"]) << "they are thirty steps apart";
    EXPECT_EQ(lines(page_->second()).first(), QString::fromStdString(earlier["scores"][0]["name"].get<std::string>()) +
                                                  QLatin1Char('\t') +
                                                  percent(earlier["scores"][0]["score"].get<double>()));
    // The model stays for the next text, and one that is too long is cut and noted.
    type(std::string(200, 'x').c_str());
    classify();
    EXPECT_THAT(page_->first()->facts().toStdString(), HasSubstr("model sees 64 tokens at once"));
}

TEST_F(TryClasses, WordsHaveTheirClasses) {
    open(run("words"));
    type("we met Anna in may.");
    classify();
    QStringList found;
    for (const QString& line : lines(page_->first()))
        found << line.section(QLatin1Char('\t'), 0, 1);
    EXPECT_EQ(found, (QStringList{QStringLiteral("we\tO"), QStringLiteral("met\tO"), QStringLiteral("Anna\tB-PER"),
                                  QStringLiteral("in\tO"), QStringLiteral("may\tO"), QStringLiteral(".\tO")}));
    const test::Said said = test::trainyard({"predict", run("words").string(), "--text", "we met Otto in may ."});
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out, testing::ContainsRegex("Otto  +[01][.][0-9]+  B-PER"));
}

TEST_F(TryClasses, AQuestionHasAnAnswerInATextOfTwoCheckpoints) {
    open(run("answers"));
    EXPECT_FALSE(test::child<SamplingBar>(*page_)->isVisible());
    ASSERT_NE(button("Answer"), nullptr);
    test::child<QCheckBox>(*page_, QStringLiteral("Compare with a second checkpoint"))->setChecked(true);
    ASSERT_TRUE(waitUntilIdle());
    auto* question = test::child<QPlainTextEdit>(*page_, QStringLiteral("Question"));
    auto* passage = test::child<QPlainTextEdit>(*page_, QStringLiteral("Text with the answer"));
    ASSERT_TRUE(question->isVisible() && passage->isVisible());
    question->setPlainText(QStringLiteral("who?"));
    QTest::mouseClick(button("Answer"), Qt::LeftButton);
    EXPECT_TRUE(passage->hasFocus()) << "the text is missing";
    EXPECT_FALSE(page_->first()->isBusy());
    // Characters of more than one byte or 16-bit unit before the answer.
    const std::string text = "\U0001F642 we met Anna 7";
    passage->setPlainText(QString::fromStdString(text));
    QTest::mouseClick(button("Answer"), Qt::LeftButton);
    ASSERT_TRUE(waitUntilIdle());
    const Json wanted = predicted({run("answers").string(), "--text", "who?", "--second-text", text, "--top", "3"});
    ASSERT_EQ(wanted["kind"], "answers");
    ASSERT_EQ(wanted["answers"].size(), 3u) << wanted.dump();
    const Json best = wanted["answers"][0];
    EXPECT_EQ(best["text"], "Anna") << wanted.dump();
    EXPECT_EQ(best["begin"], 9) << "characters, not bytes";
    EXPECT_EQ(best["end"], 13);
    double sum = wanted["no_answer"].get<double>();
    for (const Json& answer : wanted["answers"])
        sum += answer["score"].get<double>();
    EXPECT_LE(sum, 1 + 1e-6);
    EXPECT_EQ(lines(page_->first()).first(), QStringLiteral("Anna\t") + percent(best["score"].get<double>()));
    EXPECT_EQ(page_->first()->prediction()->marked(), QStringLiteral("Anna"));
    EXPECT_TRUE(
        lines(page_->first()).contains(QStringLiteral("No answer\t") + percent(wanted["no_answer"].get<double>())));
    ASSERT_NE(page_->first()->chosen(), page_->second()->chosen());
    const Json earlier = predicted({page_->second()->chosen().toStdString(), "--text", "who?", "--second-text", text});
    EXPECT_NE(earlier["no_answer"], wanted["no_answer"]) << "they are sixty steps apart";
    EXPECT_EQ(lines(page_->second()).first(), QString::fromStdString(earlier["answers"][0]["text"].get<std::string>()) +
                                                  QLatin1Char('\t') +
                                                  percent(earlier["answers"][0]["score"].get<double>()));
    // Another row marks its own part.
    auto* view = const_cast<PredictionView*>(page_->first()->prediction());
    QTest::keyClick(view, Qt::Key_Down);
    EXPECT_NE(view->marked(), QStringLiteral("Anna"));
    QTest::keyClick(view, Qt::Key_Up);
    EXPECT_EQ(view->marked(), QStringLiteral("Anna"));
    // A text of several parts, whose answer is in a late one.
    std::string longer;
    for (int i = 0; i < 40; ++i)
        longer += "we saw " + std::to_string(i) + " ";
    passage->setPlainText(QString::fromStdString(longer + "we met Anna 7"));
    QTest::mouseClick(button("Answer"), Qt::LeftButton);
    ASSERT_TRUE(waitUntilIdle());
    EXPECT_THAT(page_->first()->facts().toStdString(), HasSubstr("parts of it are compared"));
    const test::Said said =
        test::trainyard({"predict", run("answers").string(), "--text", "who?", "--second-text", "Otto met us 8"});
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out, testing::ContainsRegex("[01][.][0-9]+  Otto\n"));
    EXPECT_THAT(said.out, HasSubstr("(no answer)"));
}

TEST_F(TryClasses, AnImageIsDroppedAndWhatIsNotOneIsAMessage) {
    open(run("image"));
    EXPECT_FALSE(button("Classify")->isEnabled()) << "no image yet";
    const fs::path red = folder_->path() / "red.png", text = folder_->path() / "text.png",
                   large = folder_->path() / "large.png";
    write(red, 40, 20, [](int, int) { return QColor(220, 30, 30); });
    std::ofstream(text) << "not an image";
    drop(text);
    EXPECT_FALSE(button("Classify")->isEnabled());
    EXPECT_THAT(test::child<ImageField>(*page_)->problem().toStdString(), HasSubstr("neither PNG nor JPEG"));
    // A header that claims 60,000 pixels on either side is refused before memory is taken for them.
    std::string bytes = read_file(red);
    bytes.replace(16, 8, std::string("\0\0\xea\x60\0\0\xea\x60", 8));
    std::ofstream(large, std::ios::binary) << bytes;
    drop(large);
    EXPECT_FALSE(test::child<ImageField>(*page_)->problem().isEmpty());
    drop(red);
    EXPECT_EQ(test::child<ImageField>(*page_)->problem().toStdString(), "");
    classify();
    EXPECT_TRUE(lines(page_->first()).first().startsWith(QStringLiteral("red\t")))
        << page_->first()->facts().toStdString();
    EXPECT_THAT(page_->first()->facts().toStdString(), HasSubstr("40 × 20 pixels"));
    const Json wanted = predicted({run("image").string(), "--image", red.string(), "--top", "1"});
    ASSERT_EQ(wanted["scores"].size(), 1u);
    EXPECT_EQ(lines(page_->first()).first(),
              QStringLiteral("red\t") + percent(wanted["scores"][0]["score"].get<double>()));
    // A file that is gone when the model reads it.
    fs::remove(red);
    classify();
    EXPECT_THAT(page_->first()->facts().toStdString(), HasSubstr("red.png"));
}

TEST_F(TryClasses, PixelsHaveTheirClassesOverTheImage) {
    open(run("road"));
    const fs::path image = folder_->path() / "roads" / "0.png", mask = folder_->path() / "found.png";
    drop(image);
    classify();
    ASSERT_TRUE(QTest::qWaitFor([this] { return page_->first()->prediction()->hasPicture(); }, kPatience));
    const Json wanted = predicted({run("road").string(), "--image", image.string(), "--mask", mask.string()});
    EXPECT_EQ(wanted["kind"], "pixels");
    const formats::Image found = formats::read_image(mask, formats::ImageMode::classes);
    ASSERT_EQ(found.width, 32);
    ASSERT_EQ(found.height, 32);
    const auto sky = static_cast<double>(std::ranges::count(found.pixels, 1)) / (32 * 32);
    for (const Json& score : wanted["scores"])
        if (score["name"] == "sky") {
            EXPECT_NEAR(score["score"].get<double>(), sky, 1e-9);
        }
    EXPECT_NEAR(sky, 0.5, 0.25) << "it has learnt the two halves";
    EXPECT_EQ(static_cast<std::size_t>(lines(page_->first()).size()), wanted["scores"].size());
}

TEST_F(TryClasses, WhatDoesNotFitIsOneMessage) {
    const auto refused = [](const std::vector<std::string>& arguments) {
        const test::Said said = test::trainyard(arguments);
        EXPECT_EQ(said.code, 2) << said.out;
        EXPECT_EQ(std::ranges::count(said.err, '\n'), 1) << said.err;
        return said.err;
    };
    const std::string text = run("text").string(), image = run("image").string(), prose = run("prose").string();
    EXPECT_THAT(
        refused({"predict", prose, "--text", "x"}),
        says("{} is a model that continues texts and has no classes: give it a prompt (trainyard generate)", _));
    EXPECT_THAT(refused({"predict", text, "--image", "x.png"}),
                says("{} is a model for {}, which reads texts: give it a text instead of an image", _, _));
    EXPECT_THAT(refused({"predict", image, "--text", "x"}), says("{} is a model for {}: give it an image", _, _));
    EXPECT_THAT(refused({"predict", image, "--image", "nothing.png"}), HasSubstr("nothing.png"));
    EXPECT_THAT(refused({"predict", text, "--text", "a", "--image", "b"}),
                says("--text and --image: a model reads either texts or images, so give one of both"));
    EXPECT_THAT(refused({"predict", text, "--text", "a", "--text", "b", "--second-text", "c"}),
                says("--second-text: {} are given for {} texts: give one for each", 1, 2));
    const std::string answers = run("answers").string();
    EXPECT_THAT(refused({"predict", answers, "--text", "who?"}),
                says("{} finds the answer of a question in a text: give that text, too (--second-text)", _));
    EXPECT_THAT(refused({"predict", answers, "--text", std::string(80, 'x'), "--second-text", "y"}),
                says("{}: give a shorter question", _));
    EXPECT_THAT(refused({"generate", text, "--prompt", "x"}), HasSubstr("does not continue texts"));
    // In the window: the page of a model that continues texts, and back.
    open(run("prose"));
    EXPECT_TRUE(test::child<SamplingBar>(*page_)->isVisible());
    EXPECT_NE(button("Write"), nullptr);
    open(run("text"));
    EXPECT_NE(button("Classify"), nullptr);
    EXPECT_FALSE(test::child<QCheckBox>(*page_, QStringLiteral("Conversation"))->isVisible());
}

}  // namespace
