// SPDX-License-Identifier: GPL-3.0-or-later
// The first rows of every format, their tokens and what the loss counts of them; hostile files; the data of a run.

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QTest>

#include <gtest/gtest.h>

#include "base/clock.h"
#include "config/recipe/recipe.h"
#include "desktop/data/data_dialog.h"
#include "desktop/data/data_look.h"
#include "desktop/data/data_panel.h"
#include "desktop/data/preview_model.h"
#include "desktop/data/token_strip.h"
#include "run/paths.h"
#include "run/spec.h"
#include "support/child.h"
#include "support/megatron_writer.h"
#include "support/model_check.h"
#include "support/picture.h"
#include "support/shown_words.h"
#include "support/temporary_folder.h"
#include "widgets/theme.h"

using namespace trainyard;
using namespace trainyard::desktop;

namespace {

namespace fs = std::filesystem;

class DataPreview : public testing::Test {
  protected:
    std::string write(const char* name, const std::string& text) const {
        std::ofstream(folder_.path() / name, std::ios::binary) << text;
        return (folder_.path() / name).string();
    }
    std::string wordTokenizer() const {
        return write("tokenizer.json",
                     R"({"added_tokens": [{"id": 6, "content": "[CLS]", "special": true, "single_word": false,
                         "lstrip": false, "rstrip": false, "normalized": false}],
                         "model": {"type": "WordLevel", "vocab": {"[UNK]": 0, "good": 1, "bad": 2, "film": 3, "a": 4,
                         "[MASK]": 5, "[CLS]": 6}, "unk_token": "[UNK]"}, "pre_tokenizer": {"type": "Whitespace"}})");
    }
    static config::Recipe recipe(const std::string& path, config::DataFormat format, const char* task = "causal_lm") {
        config::Recipe made;
        made.data.paths = {path};
        made.data.format = format;
        made.model.task = task;
        made.data.sequence_length = 64;
        return made;
    }
    /// The texts of the tokens of a row that the loss counts.
    static std::string counted(const DataLook& look, std::size_t row) {
        std::string text;
        for (const inputs::PreviewToken& token : look.samples_as_tokens.rows.at(row).tokens)
            text += token.counted ? token.text : std::string();
        return text;
    }
    static std::string whole(const DataLook& look, std::size_t row) {
        std::string text;
        for (const inputs::PreviewToken& token : look.samples_as_tokens.rows.at(row).tokens)
            text += token.text;
        return text;
    }
    /// In both themes, where TRAINYARD_TEST_PICTURES names a folder.
    static void picture(QWidget* widget, const char* name) {
        using widgets::ThemeChoice;
        if (std::getenv("TRAINYARD_TEST_PICTURES") == nullptr)
            return;
        for (const auto& [choice, suffix] :
             {std::pair(ThemeChoice::Light, "-light-"), std::pair(ThemeChoice::Dark, "-dark-")}) {
            widgets::Theme::instance().setChoice(choice);
            test::take_picture(widget, (suffix + std::string(name)).c_str());
        }
        widgets::Theme::instance().setChoice(ThemeChoice::System);
    }

    test::TemporaryFolder folder_;
};

TEST_F(DataPreview, OfAConversationOnlyRepliesAreCounted) {
    const std::string path = write(
        "chat.jsonl", R"({"messages": [{"role": "user", "content": "Hé?"}, {"role": "assistant", "content": "Hi!"}]})"
                      "\n");
    config::Recipe chat = recipe(path, config::DataFormat::jsonl);
    chat.data.column = "messages";
    chat.data.chat = config::ChatFormat::chatml;
    const DataLook look = look_at_data(chat);
    ASSERT_EQ(look.samples_as_tokens.rows.size(), 1u) << look.samples_as_tokens.problem.text();
    EXPECT_EQ(counted(look, 0), "Hi!<|im_end|>");
    EXPECT_EQ(whole(look, 0), "<|im_start|>user\nHé?<|im_end|>\n<|im_start|>assistant\nHi!<|im_end|>\n");
    DataPanel panel;
    panel.resize(700, 500);
    panel.showLook(look, {}, true);
    panel.show();
    EXPECT_TRUE(panel.tokens()->uncounted().startsWith(QStringLiteral("<│|│i│m│_│s│t│a│r│t│|│>│u│s│e│r│⏎│H│é│?")))
        << panel.tokens()->uncounted().toStdString();
    EXPECT_TRUE(test::shown_words(panel).contains(QStringLiteral("Row 1 as the model sees it: ")));
    picture(&panel, "chat");
    // Cut at the length of a sample, if samples are not cut from all rows.
    chat.data.pack = false;
    chat.data.sequence_length = 20;
    const DataLook cut = look_at_data(chat);
    EXPECT_EQ(cut.samples_as_tokens.rows.at(0).used, 20);
    EXPECT_GT(cut.samples_as_tokens.rows.at(0).cut, 0);
    EXPECT_EQ(counted(cut, 0), "") << "the reply is cut off";
    panel.showLook(cut, {}, true);
    EXPECT_TRUE(test::shown_words(panel).contains(
        QStringLiteral("This row has no effect on training: its tokens that count in the loss are cut off. "
                       "Increase data.sequence_length.")));
    picture(&panel, "chat cut off");
}

TEST_F(DataPreview, ConversationsAreShownAsTheChatTemplateWritesThem) {
    fs::copy(fs::path(TRAINYARD_TESTS_DIR) / "golden/chat_masks/tokenizer.json", folder_.path() / "tokenizer.json");
    write("chat_template.jinja",
          "{% for m in messages %}[{{ m.role }}]{% if m.role == 'assistant' %}{% generation %}"
          "{{ m.content }}<|im_end|>{% endgeneration %}{% else %}{{ m.content }}{% endif %}"
          "{% endfor %}");
    config::Recipe chat = recipe(
        write("chat.jsonl", R"({"conversations": [{"from": "human", "value": "Hé?"}, {"from": "gpt", "value": "Hi!"}]})"
                            "\n"
                            R"({"conversations": [{"from": "human"}]})"
                            "\n"),
        config::DataFormat::jsonl);
    EXPECT_TRUE(look_at_data(chat).conversations);
    chat.data.tokenizer = folder_.path().string();
    chat.data.chat = config::ChatFormat::automatic;
    DataLook look = look_at_data(chat);
    ASSERT_EQ(look.samples_as_tokens.rows.size(), 2u) << look.samples_as_tokens.problem.text();
    EXPECT_EQ(whole(look, 0), "[user]Hé?[assistant]Hi!<|im_end|>");
    EXPECT_EQ(counted(look, 0), "Hi!<|im_end|>");
    DataPanel panel;
    panel.resize(700, 500);
    panel.showLook(look, {}, true);
    panel.show();
    EXPECT_TRUE(test::shown_words(panel).contains(
        QStringLiteral("Written by the chat template of the tokenizer. The loss counts the tokens in colour.")))
        << test::shown_words(panel).toStdString();
    picture(&panel, "chat template");
    // A template that changes is read again.
    write("chat_template.jinja", "{{ raise_exception('not for this model') }}");
    look = look_at_data(chat);
    EXPECT_NE(look.samples_as_tokens.rows.at(0).problem.text().find("not for this model"), std::string::npos)
        << look.samples_as_tokens.rows.at(0).problem.text();
}

TEST_F(DataPreview, AFileWithoutReadableRowsIsShownAsItIs) {
    DataPanel panel;
    panel.resize(700, 500);
    panel.show();
    panel.showLook(look_at_data(recipe(write("good.jsonl", "{\"text\": \"Good words\"}\n"), config::DataFormat::jsonl)),
                   {}, true);
    EXPECT_TRUE(panel.preview()->isVisible());
    EXPECT_FALSE(test::shown_words(panel).contains(QStringLiteral("Good words"))) << "the table has them";
    panel.showLook(look_at_data(recipe(write("bad.jsonl", "These are plain words.\n"), config::DataFormat::jsonl)), {},
                   true, true);
    EXPECT_FALSE(panel.preview()->isVisible());
    EXPECT_TRUE(test::shown_words(panel).contains(QStringLiteral("… These are plain words. …")))
        << test::shown_words(panel).toStdString();
}

TEST_F(DataPreview, EveryTaskShowsItsSamples) {
    const std::string tokenizer = wordTokenizer();
    const std::string table = write("rows.csv", "text,label,other\na good film,1,bad\nbad film,-100,good\n,0,good\n");
    config::Recipe classes = recipe(table, config::DataFormat::csv, "sequence_classification");
    classes.data.tokenizer = tokenizer;
    DataLook look = look_at_data(classes);
    EXPECT_EQ(look.rows.size(), 3);
    EXPECT_EQ(look.samples_as_tokens.counted, inputs::CountedPart::row);
    EXPECT_EQ(look.samples_as_tokens.rows.at(0).tokens.size(), 3u);
    EXPECT_FALSE(look.samples_as_tokens.rows.at(2).problem.empty()) << "a row without a text is left out";

    config::Recipe masked = recipe(table, config::DataFormat::csv, "masked_lm");
    masked.data.column = "text";
    masked.data.tokenizer = tokenizer;
    look = look_at_data(masked);
    EXPECT_EQ(look.samples_as_tokens.counted, inputs::CountedPart::masked);

    const std::string words = write("words.jsonl", R"({"tokens": ["good", "film"], "labels": [1, 0]})"
                                                   "\n");
    config::Recipe tags = recipe(words, config::DataFormat::jsonl, "token_classification");
    tags.data.tokenizer = tokenizer;
    tags.model.num_labels = 2;
    look = look_at_data(tags);
    ASSERT_EQ(look.samples_as_tokens.rows.at(0).tokens.size(), 3u) << look.samples_as_tokens.problem.text();
    EXPECT_FALSE(look.samples_as_tokens.rows.at(0).tokens[0].counted) << "[CLS]";
    EXPECT_TRUE(look.samples_as_tokens.rows.at(0).tokens[1].counted);
    EXPECT_FALSE(look.samples_as_tokens.rows.at(0).tokens[1].label.empty());

    const std::string pairs = write("pairs.jsonl", R"({"text": "a bad film", "summary": "bad"})"
                                                   "\n");
    config::Recipe pair = recipe(pairs, config::DataFormat::jsonl, "seq2seq_lm");
    pair.data.tokenizer = tokenizer;
    look = look_at_data(pair);
    ASSERT_EQ(look.samples_as_tokens.rows.at(0).tokens.size(), 4u) << look.samples_as_tokens.problem.text();
    EXPECT_EQ(counted(look, 0), "bad");
    EXPECT_TRUE(look.samples_as_tokens.rows.at(0).tokens[3].begins_text);

    const std::string asked =
        write("asked.jsonl",
              R"({"question": "good", "context": "a bad film", "answers": {"text": ["bad"], "answer_start": [2]}})"
              "\n");
    config::Recipe question = recipe(asked, config::DataFormat::jsonl, "question_answering");
    question.data.tokenizer = tokenizer;
    look = look_at_data(question);
    ASSERT_EQ(look.samples_as_tokens.rows.size(), 1u) << look.samples_as_tokens.problem.text();
    EXPECT_EQ(counted(look, 0), "bad");
}

TEST_F(DataPreview, EveryFormatShowsItsFirstRows) {
    const fs::path samples = fs::path(TRAINYARD_TESTS_DIR).parent_path() / "resources/samples/data";
    const std::string lines = write("lines.txt", "one\ntwo\nthree\n");
    EXPECT_EQ(look_at_data(recipe(lines, config::DataFormat::text)).rows.at(1).first(), QStringLiteral("two"));
    config::Recipe bytes = recipe(lines, config::DataFormat::bytes);
    bytes.data.sequence_length = 4;
    bytes.data.validation_fraction = 0;
    EXPECT_EQ(look_at_data(bytes).rows.at(0).first(), QStringLiteral("one⏎"));
    EXPECT_EQ(look_at_data(recipe((samples / "sums.csv").string(), config::DataFormat::csv)).rows.size(), 20);
    const DataLook parquet =
        look_at_data(recipe(TRAINYARD_TESTS_DIR "/golden/data_formats/plain.parquet", config::DataFormat::parquet));
    EXPECT_GT(parquet.rows.size(), 0) << parquet.problem.toStdString();

    // Images of all classes, with small pictures.
    config::Recipe images =
        recipe(TRAINYARD_TESTS_DIR "/golden/data_formats/digits", config::DataFormat::images, "image_classification");
    const DataLook digits = look_at_data(images);
    ASSERT_FALSE(digits.pictures.isEmpty());
    EXPECT_GT(digits.pictures.first().first().width, 0) << digits.pictures.first().first().problem.toStdString();
    EXPECT_LE(digits.pictures.first().first().width, DataLook::kPictureSide);
    EXPECT_EQ(digits.columns.size(), 4);
    EXPECT_NE(digits.rows.first().at(2), digits.rows.last().at(2)) << "of another class";
    // One that is damaged says why, and the others are shown.
    const fs::path pictures = folder_.path() / "pictures" / "one";
    fs::create_directories(pictures);
    std::ofstream(pictures / "bad.png") << "\x89PNG\r\n\x1a\nnothing";
    images.data.paths = {(folder_.path() / "pictures").string()};
    const DataLook damaged = look_at_data(images);
    ASSERT_EQ(damaged.rows.size(), 1);
    EXPECT_FALSE(damaged.pictures.first().first().problem.isEmpty());

    config::Recipe tones = recipe((samples / "tones").string(), config::DataFormat::audio, "speech_pretraining");
    const DataLook sounds = look_at_data(tones);
    ASSERT_GT(sounds.rows.size(), 0);
    EXPECT_TRUE(sounds.rows.first().at(1).endsWith(QStringLiteral(" s")));

    {
        test::MegatronWriter writer(folder_.path() / "set", formats::ElementType::u16);
        const std::vector<std::int64_t> ids{3, 1, 4};
        writer.add_sequence(ids);
        writer.end_document();
        writer.finish();
    }
    config::Recipe set = recipe((folder_.path() / "set").string(), config::DataFormat::megatron);
    DataLook tokens = look_at_data(set);
    ASSERT_EQ(tokens.rows.size(), 1) << tokens.problem.toStdString();
    EXPECT_EQ(tokens.rows.first(), (QStringList{"0", "3", "3, 1, 4"}));
    EXPECT_EQ(whole(tokens, 0), "314") << "without a tokenizer, tokens are numbers";
    set.data.tokenizer = wordTokenizer();
    EXPECT_EQ(whole(look_at_data(set), 0), "filmgooda");
}

TEST_F(DataPreview, TokensOfOneCharacterAreShownTogether) {
    const std::string path = write("wide.jsonl", "{\"text\": \"aé中\"}\n");
    const DataLook look = look_at_data(recipe(path, config::DataFormat::jsonl));
    const auto& tokens = look.samples_as_tokens.rows.at(0).tokens;
    ASSERT_EQ(tokens.size(), 4u);
    EXPECT_EQ(tokens[1].text, "é");
    EXPECT_EQ(tokens[2].ids.size(), 3u);
    EXPECT_EQ(look.samples_as_tokens.rows.at(0).used, 7) << "tokens are counted, not boxes";
}

TEST_F(DataPreview, HostileFilesAreBounded) {
    // A record of 1 GB, as a hole of a file.
    const std::string huge = write("huge.jsonl", "{\"text\": \"");
    fs::resize_file(huge, std::uintmax_t{1} << 30);
    DataLook look = look_at_data(recipe(huge, config::DataFormat::jsonl));
    EXPECT_TRUE(look.rows.isEmpty());
    EXPECT_FALSE(look.problem.isEmpty());
    // Not UTF-8.
    const std::string latin =
        write("latin.jsonl", "{\"text\": \"good\"}\n{\"text\": \"b\xE9\"}\n{\"text\": \"end\"}\n");
    look = look_at_data(recipe(latin, config::DataFormat::jsonl));
    EXPECT_EQ(look.rows.size(), 2);
    EXPECT_EQ(look.left_out, 1);
    EXPECT_TRUE(look.left_out_why.contains(QStringLiteral("latin.jsonl"))) << look.left_out_why.toStdString();
    // 10,000 columns.
    std::string head, row;
    for (int i = 0; i < 10'000; ++i) {
        head += (i > 0 ? ",c" : "c") + std::to_string(i);
        row += i > 0 ? ",1" : "1";
    }
    const std::string wide = write("wide.csv", head + "\n" + row + "\n");
    look = look_at_data(recipe(wide, config::DataFormat::csv));
    EXPECT_EQ(look.columns.size(), DataLook::kMostColumns);
    EXPECT_EQ(look.all_columns, 10'000);
    ASSERT_EQ(look.rows.size(), 1);
    DataPanel panel;
    panel.resize(700, 400);
    panel.showLook(look, {}, true);
    panel.show();
    EXPECT_EQ(panel.preview()->model()->columnCount(), DataLook::kMostColumns);
    // A text that is longer than a model reads.
    const std::string longText = write("long.jsonl", "{\"text\": \"" + std::string(4'000'000, 'x') + "\"}\n");
    look = look_at_data(recipe(longText, config::DataFormat::jsonl));
    ASSERT_EQ(look.rows.size(), 1);
    EXPECT_LT(look.rows.first().first().size(), 1000);
    EXPECT_EQ(look.samples_as_tokens.rows.at(0).tokens.size(), inputs::SamplePreview::kMostTokens);
}

TEST_F(DataPreview, ALongColumnTakesTheRoomThatTheOthersLeave) {
    DataLook look;
    look.files = 1;
    look.columns = {QStringLiteral("messages"), QStringLiteral("n")};
    look.column_types = {QStringLiteral("text"), QStringLiteral("text")};
    look.rows = {{QString(400, QLatin1Char('m')), QStringLiteral("1")}};
    DataPanel panel;
    panel.resize(900, 600);
    panel.show();
    panel.showLook(look, {}, true);
    const QHeaderView* header = panel.preview()->horizontalHeader();
    const auto fills = [header, &panel] { return header->length() == panel.preview()->viewport()->width(); };
    EXPECT_TRUE(QTest::qWaitFor([&] { return fills() && header->sectionSize(0) > 700; }, 2000));
    panel.resize(500, 600);
    EXPECT_TRUE(QTest::qWaitFor([&] { return fills() && header->sectionSize(0) < 450; }, 2000));
    EXPECT_GT(header->sectionSize(0), 300);
}

TEST_F(DataPreview, RowsAreATableOfTextsAndPictures) {
    PreviewModel model;
    test::check_model<PreviewModel>(model);
    DataLook look;
    look.columns = {QStringLiteral("image"), QStringLiteral("label")};
    look.column_types = {QStringLiteral("image"), QStringLiteral("text")};
    look.rows = {{QStringLiteral("a.png"), QStringLiteral("cat")}, {QStringLiteral("b.png")}};
    look.pictures = {{{1, 1, QByteArray("rgb"), {}}}, {{0, 0, {}, QStringLiteral("the file is cut off")}}};
    model.setLook(look, {QString(), QStringLiteral("Label")}, 52);
    EXPECT_EQ(test::read_all(model), 4);
    EXPECT_FALSE(model.index(0, 0).data(Qt::DecorationRole).isNull());
    EXPECT_EQ(model.index(0, 0).data().toString(), QString());
    EXPECT_EQ(model.index(1, 0).data().toString(), QStringLiteral("no picture"));
    EXPECT_EQ(model.index(1, 0).data(Qt::ToolTipRole).toString(), QStringLiteral("the file is cut off"));
    EXPECT_EQ(model.index(1, 1).data().toString(), QString()) << "a row with fewer cells";
    EXPECT_EQ(model.headerData(1, Qt::Horizontal).toString(), QStringLiteral("label · Label"));
    const QPersistentModelIndex second = model.index(1, 0);
    model.setLook(look, {}, 52);
    EXPECT_TRUE(second.isValid()) << "the selection stays";
    model.setLook({}, {}, 52);
    EXPECT_EQ(test::read_all(model), 0);
}

TEST_F(DataPreview, TheDataOfARunIsShownHereAndOnItsHost) {
    widgets::Theme::instance().install(*qApp);
    const run::RunPaths run = run::create_run_directory_at(folder_.path() / "run");
    run::RunSpec spec;
    spec.recipe = recipe(write("rows.jsonl", "{\"text\": \"a good film\"}\n{\"text\": \"a bad film\"}\n"),
                         config::DataFormat::jsonl);
    spec.recipe.data.tokenizer = wordTokenizer();
    spec.recipe.name = "films";
    run::write_spec(run, spec);
    DataDialog dialog(run, QStringLiteral("films"), {});
    dialog.show();
    picture(&dialog, "run reading");
    ASSERT_TRUE(QTest::qWaitFor([&] { return !dialog.isReading(); }, 20'000));
    EXPECT_EQ(dialog.panel()->preview()->model()->rowCount(), 2) << dialog.message()->text().toStdString();
    EXPECT_EQ(dialog.panel()->tokens()->text(), QStringLiteral("a│good│film│⏎").left(11))
        << dialog.panel()->tokens()->text().toStdString();
    // The tokens are those of the selected row.
    const QRect cell = dialog.panel()->preview()->visualRect(dialog.panel()->preview()->model()->index(1, 0));
    QTest::mouseClick(dialog.panel()->preview()->viewport(), Qt::LeftButton, Qt::NoModifier, cell.center());
    EXPECT_TRUE(dialog.panel()->tokens()->text().startsWith(QStringLiteral("a│bad│film")));
    picture(&dialog, "run");

    fs::remove(folder_.path() / "rows.jsonl");
    // The data of a run on a host is read there; a host that does not answer is asked again by a button.
    write("ssh_config", "Host gpu-a\n  HostName 127.0.0.1\n  Port 1\n");
    ::setenv("TRAINYARD_SSH_CONFIG", (folder_.path() / "ssh_config").c_str(), 1);
    DataDialog away(run, QStringLiteral("films"), QStringLiteral("gpu-a"));
    away.show();
    EXPECT_EQ(away.panel()->facts()->text(), QStringLiteral("Reading the first rows on gpu-a…"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !away.isReading(); }, 20'000));
    EXPECT_EQ(away.panel()->facts()->text(), QStringLiteral("The files on gpu-a were not read."));
    EXPECT_GT(test::shown_words(*away.panel()).count(QLatin1Char('\n')), 0) << "it says why";
    picture(&away, "run elsewhere");
    QTest::mouseClick(test::child<QPushButton>(*away.panel(), QStringLiteral("Try again")), Qt::LeftButton);
    EXPECT_TRUE(away.isReading());
    ASSERT_TRUE(QTest::qWaitFor([&] { return !away.isReading(); }, 20'000));
    ::unsetenv("TRAINYARD_SSH_CONFIG");
    DataDialog lost(run, QStringLiteral("films"), {});
    lost.show();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !lost.isReading(); }, 20'000));
    EXPECT_TRUE(test::shown_words(*lost.panel()).contains(QStringLiteral("rows.jsonl"))) << "it says what is missing";
    picture(&lost, "run lost");
}

}  // namespace
