// SPDX-License-Identifier: GPL-3.0-or-later
// The first rows of data on a host behind real sshd: of every kind of file, bounded, in New run and of a run.

#include <QLabel>
#include <QPushButton>
#include <QTableView>

#include <gmock/gmock.h>

#include "desktop/data/data_dialog.h"
#include "desktop/data/data_panel.h"
#include "desktop/data/remote_data.h"
#include "desktop/data/token_strip.h"
#include "run/paths.h"
#include "run/spec.h"
#include "ssh_window.h"
#include "support/child.h"
#include "support/golden.h"
#include "support/picture.h"
#include "support/shown_words.h"

using namespace trainyard;
using namespace trainyard::desktop;

namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class DataOverSsh : public test::SshWindow {
  protected:
    const test::TestHost& host() const { return hosts_->all().front(); }
    fs::path home() const { return hosts_->home_of(host().name); }
    QString name() const { return QString::fromStdString(host().name); }
    /// A path on the host.
    std::string there(const std::string& file) const { return host().home + "/" + file; }
    void putChats(const char* file, int lines) const {
        std::ofstream out(home() / file);
        for (int i = 0; i < lines; ++i)
            out << R"({"messages": [{"role": "user", "content": "Hé?"}, {"role": "assistant", "content": "Hi!"}], "n": )"
                << i << "}\n";
    }
    static config::Recipe recipe(const std::string& path, config::DataFormat format, const char* task = "causal_lm") {
        config::Recipe made;
        made.data.paths = {path};
        made.data.format = format;
        made.model.task = task;
        made.data.sequence_length = 64;
        return made;
    }
    DataLook look(RemoteData& data, const config::Recipe& of) const {
        data.request({of, name()});
        EXPECT_TRUE(QTest::qWaitFor([&] { return data.state() != RemoteData::State::Reading; }, kPatience));
        EXPECT_EQ(data.state(), RemoteData::State::Read) << data.problem().toStdString();
        return data.look();
    }
    static void takePictures(QWidget* widget, const char* name) {
        for (const auto theme : {widgets::ThemeChoice::Light, widgets::ThemeChoice::Dark}) {
            widgets::Theme::instance().setChoice(theme);
            const char* ending = theme == widgets::ThemeChoice::Dark ? "-dark" : "-light";
            test::take_picture(widget, (std::string(name) + ending).c_str());
        }
    }
};

}  // namespace

TEST_F(DataOverSsh, TheFirstRowsOfEveryKindOfFileAreRead) {
    ASSERT_NO_FATAL_FAILURE(up(1));
    if (IsSkipped())
        return;
    RemoteData data;
    // Lines: only the beginning is copied, and the figures are those of the host.
    putChats("chats.jsonl", 20'000);
    fs::create_directories(home() / "tokenizer");
    fs::copy(test::golden("chat_masks") / "tokenizer.json", home() / "tokenizer" / "tokenizer.json");
    std::ofstream(home() / "tokenizer" / "chat_template.jinja")
        << "{% for m in messages %}<{{ m.role }}>{% generation %}{{ m.content }}{% endgeneration %}{% endfor %}";
    config::Recipe chats = recipe(there("chats.jsonl"), config::DataFormat::jsonl);
    chats.data.chat = config::ChatFormat::automatic;
    chats.data.tokenizer = there("tokenizer");
    DataLook found = look(data, chats);
    EXPECT_EQ(found.rows.size(), 20) << found.problem.toStdString();
    EXPECT_EQ(found.host, name());
    EXPECT_EQ(found.files, 1u);
    EXPECT_EQ(found.bytes, fs::file_size(home() / "chats.jsonl"));
    EXPECT_TRUE(found.conversations);
    ASSERT_FALSE(found.samples_as_tokens.rows.empty()) << found.samples_as_tokens.problem.text();
    EXPECT_TRUE(found.samples_as_tokens.by_template) << found.samples_as_tokens.problem.text();
    // One list, of which the copy has whole elements.
    {
        std::ofstream list(home() / "chats.json");
        for (int i = 0; i < 20'000; ++i)
            list << (i == 0 ? "[\n" : ",\n") << "{\n  \"text\": \"row }] " << i << "\"\n}";
        list << "\n]\n";
    }
    found = look(data, recipe(there("chats.json"), config::DataFormat::jsonl));
    ASSERT_EQ(found.rows.size(), 20) << found.problem.toStdString();
    EXPECT_EQ(found.rows[19].first(), QStringLiteral("row }] 19"));
    EXPECT_EQ(found.problem, QString());
    EXPECT_EQ(found.bytes, fs::file_size(home() / "chats.json"));
    // A record with line ends in quotation marks at the place where the copy ends.
    {
        std::ofstream table(home() / "rows.csv");
        table << "text,label\n";
        for (int i = 0; i < 30'000; ++i)
            table << "\"two\nlines, and more\"," << i % 2 << '\n';
    }
    found = look(data, recipe(there("rows.csv"), config::DataFormat::csv, "sequence_classification"));
    EXPECT_EQ(found.rows.size(), 20) << found.problem.toStdString();
    EXPECT_EQ(found.class_count, 0) << "other rows may have more classes";
    // A folder.
    fs::create_directories(home() / "texts");
    for (int i = 0; i < 9; ++i)
        std::ofstream(home() / "texts" / ("part-" + std::to_string(i) + ".txt")) << "first\nsecond " << i << '\n';
    found = look(data, recipe(there("texts"), config::DataFormat::text));
    EXPECT_EQ(found.files, 9u);
    ASSERT_GE(found.rows.size(), 2) << found.problem.toStdString();
    EXPECT_EQ(found.rows.first().first(), QStringLiteral("first"));
    // Columns, and pictures of several classes.
    ::setenv("TRAINYARD_ARROW_PLUGIN", TRAINYARD_BIN_DIR "/libtrainyard_arrow.so", 1);
    fs::copy(fs::path(TRAINYARD_TESTS_DIR) / "golden/data_formats/plain.parquet", home() / "plain.parquet");
    found = look(data, recipe(there("plain.parquet"), config::DataFormat::parquet));
    EXPECT_GT(found.rows.size(), 0) << found.problem.toStdString();
    fs::copy(fs::path(TRAINYARD_TESTS_DIR) / "golden/data_formats/digits", home() / "digits",
             fs::copy_options::recursive);
    found = look(data, recipe(there("digits"), config::DataFormat::images, "image_classification"));
    ASSERT_FALSE(found.pictures.isEmpty()) << found.problem.toStdString();
    EXPECT_GT(found.pictures.first().first().width, 0);
}

TEST_F(DataOverSsh, WhatIsMissingTooLargeOrSlowIsSaid) {
    ASSERT_NO_FATAL_FAILURE(up(1));
    if (IsSkipped())
        return;
    RemoteData data;
    DataLook found = look(data, recipe(there("nothing.jsonl"), config::DataFormat::jsonl));
    EXPECT_THAT(found.problem.toStdString(), HasSubstr(host().name + ":" + there("nothing.jsonl")));
    EXPECT_EQ(found.files, 0u);
    // A line of 1 GB, as a hole of a file.
    std::ofstream(home() / "huge.jsonl") << "{\"text\": \"";
    fs::resize_file(home() / "huge.jsonl", std::uintmax_t{1} << 30);
    found = look(data, recipe(there("huge.jsonl"), config::DataFormat::jsonl));
    EXPECT_TRUE(found.rows.isEmpty());
    EXPECT_THAT(found.problem.toStdString(), HasSubstr("too much for a preview"));
    // Messages about a copy name the file on the host.
    std::ofstream(home() / "bad.jsonl") << "{\"text\": \"one\"}\n{\"text\": \n";
    found = look(data, recipe(there("bad.jsonl"), config::DataFormat::jsonl));
    EXPECT_EQ(found.rows.size(), 1);
    EXPECT_THAT(found.left_out_why.toStdString(), HasSubstr(host().name + ":" + there("bad.jsonl")));
    // A host that does not exist.
    data.request({recipe("/x.jsonl", config::DataFormat::jsonl), QStringLiteral("nowhere.invalid")});
    ASSERT_TRUE(QTest::qWaitFor([&] { return data.state() != RemoteData::State::Reading; }, kPatience));
    EXPECT_EQ(data.state(), RemoteData::State::Failed);
    EXPECT_FALSE(data.problem().isEmpty());
}

TEST_F(DataOverSsh, NewRunShowsRowsOfTheHostThatTrainsAndOfAPathWithAHost) {
    ASSERT_NO_FATAL_FAILURE(up(1));
    if (IsSkipped())
        return;
    putChats("chats.jsonl", 30);
    auto* draft = wizard()->draft();
    const auto set = [&](const char* key, const QString& value) { draft->setRecipeValue(QLatin1String(key), value); };
    ASSERT_TRUE(wizard()->openNamed(QStringLiteral("data")));
    auto* panel = test::child<DataPanel>(*wizard());
    const auto offer = [panel] { return test::child<QPushButton>(*panel, QStringLiteral("Show the first rows")); };
    set("data.format", QStringLiteral("jsonl"));
    // A path with a host: read after a click only.
    set("data.path", name() + QLatin1Char(':') + QString::fromStdString(there("chats.jsonl")));
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return draft->isChecked() && offer() != nullptr && offer()->isVisible(); }, kPatience));
    EXPECT_EQ(draft->remoteData()->state(), RemoteData::State::Idle) << "no connection before the click";
    takePictures(window_.get(), "offered");
    QTest::mouseClick(offer(), Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([&] { return panel->preview()->model()->rowCount() == 20; }, kPatience))
        << draft->remoteData()->problem().toStdString();
    EXPECT_FALSE(draft->report().problems.isEmpty()) << "this machine cannot train on files of another";
    takePictures(window_.get(), "named");
    // Chosen to train.
    set("data.path", QString::fromStdString(there("chats.jsonl")));
    draft->setHosts({{host().name, 1}});
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return draft->recipeValue(QStringLiteral("data.chat")) == QLatin1String("auto"); }, kPatience))
        << "conversations are noticed";
    ASSERT_TRUE(QTest::qWaitFor(
        [&] {
            return draft->isChecked() && draft->remoteData()->state() == RemoteData::State::Read &&
                   !panel->tokens()->text().isEmpty();
        },
        kPatience))
        << "checked " << draft->isChecked() << ", state " << static_cast<int>(draft->remoteData()->state())
        << ", facts " << panel->facts()->text().toStdString() << ", words " << test::shown_words(*panel).toStdString();
    EXPECT_TRUE(panel->facts()->text().contains(name())) << panel->facts()->text().toStdString();
    takePictures(window_.get(), "trains");
    // The host is gone: a button tries again.
    set("data.path", QString::fromStdString(there("nothing.jsonl")));
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return draft->isChecked() && draft->remoteData()->look().problem.contains(QLatin1String("nothing")); },
        kPatience));
}

TEST_F(DataOverSsh, TheDataOfARunOnAHostIsReadThere) {
    ASSERT_NO_FATAL_FAILURE(up(1));
    if (IsSkipped())
        return;
    putChats("chats.jsonl", 25);
    const run::RunPaths run = run::create_run_directory_at(folder_.path() / "run");
    run::RunSpec spec;
    spec.recipe = recipe(there("chats.jsonl"), config::DataFormat::jsonl);
    spec.recipe.data.chat = config::ChatFormat::chatml;
    spec.recipe.name = "talks";
    run::write_spec(run, spec);
    DataDialog dialog(run, QStringLiteral("talks"), name());
    dialog.show();
    EXPECT_TRUE(dialog.panel()->facts()->text().contains(name())) << "it says where it reads";
    ASSERT_TRUE(QTest::qWaitFor([&] { return !dialog.isReading(); }, kPatience));
    EXPECT_EQ(dialog.panel()->preview()->model()->rowCount(), 20) << test::shown_words(*dialog.panel()).toStdString();
    EXPECT_TRUE(dialog.panel()->tokens()->text().contains(QStringLiteral("H│i│!")));
    takePictures(&dialog, "run");
}
