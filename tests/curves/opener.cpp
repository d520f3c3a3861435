// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/shell/opener.h"

#include <atomic>
#include <fstream>
#include <thread>

#include <QFileInfo>
#include <QJsonArray>
#include <QLocalSocket>
#include <QMimeData>
#include <QSignalSpy>
#include <QTest>
#include <QUrl>

#include <gtest/gtest.h>

#include "desktop/shell/location.h"
#include "desktop/shell/options.h"
#include "desktop/shell/single_instance.h"
#include "desktop/shell/theme_words.h"
#include "support/temporary_folder.h"
#include "support/views_folder.h"

using namespace trainyard;
using namespace trainyard::desktop;

namespace {
class OpenerTest : public testing::Test {
  protected:
    QString write(const std::string& name, const std::string& text) {
        const std::filesystem::path file = home_.path() / name;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file) << text;
        return QString::fromStdString(file.string());
    }
    QString path(const std::string& name) const { return QString::fromStdString((home_.path() / name).string()); }
    test::ViewsFolder views_;
    test::TemporaryFolder home_;
};
}  // namespace

TEST(RemotePlace, AddressesAreTold) {
    struct Case {
        const char* words;
        const char* host;
        const char* path;
    };
    for (const Case& one :
         {Case{"gpu-a:/data/runs", "gpu-a", "/data/runs"}, Case{"me@gpu-a:runs", "me@gpu-a", "runs"},
          Case{"gpu-a:", "gpu-a", "."}, Case{"sftp://gpu-a/data/runs", "gpu-a", "/data/runs"},
          Case{"ssh://me@gpu-a:2222/data", "me@gpu-a:2222", "/data"}, Case{"ssh://gpu-a/~/runs", "gpu-a", "runs"},
          Case{"[gpu-a:2222]:/x y", "gpu-a:2222", "/x y"}}) {
        const auto place = remote_place(QString::fromLatin1(one.words));
        ASSERT_TRUE(place) << one.words;
        EXPECT_EQ(place->host.toStdString(), one.host) << one.words;
        EXPECT_EQ(place->path.toStdString(), one.path) << one.words;
        EXPECT_EQ(remote_place(place->text()), place) << one.words;
    }
    for (const char* words : {"/data/runs", "runs", "./a:b", "a/b:c", "http://gpu-a/x", "file:///x", "std::string", ""})
        EXPECT_FALSE(remote_place(QString::fromLatin1(words))) << words;
}

TEST_F(OpenerTest, WhatStandsThereDecides) {
    write("run/state.json", "{}");
    write("logs/deep/er/events.out.tfevents.1.host", "");
    write("data/book.txt", "once");
    const std::pair<QString, OpenTarget::Kind> cases[] = {
        {path("run"), OpenTarget::Kind::Run},
        {path("run/state.json"), OpenTarget::Kind::Run},
        {path("logs"), OpenTarget::Kind::Logs},
        {path("logs/deep/er/events.out.tfevents.1.host"), OpenTarget::Kind::Logs},
        {write("m.csv", "step,loss\n1,0.5\n2,0.25\n"), OpenTarget::Kind::Logs},
        {write("m.jsonl", "{\"step\": 1, \"loss\": 0.5}\n{\"step\": 2, \"loss\": 0.4}\n"), OpenTarget::Kind::Logs},
        {write("texts.jsonl", "{\"text\": \"once upon a time\"}\n"), OpenTarget::Kind::Data},
        {write("people.csv", "name,town\nAnn,Rome\n"), OpenTarget::Kind::Data},
        {path("data"), OpenTarget::Kind::Data},
        {write("net.onnx", "\b\b"), OpenTarget::Kind::Model},
        {write("recipe.yaml", "name: x\n"), OpenTarget::Kind::Settings},
        {write("settings.json", "{\"compute_environment\": \"LOCAL_MACHINE\"}"), OpenTarget::Kind::Settings},
        {write("anything.json", " \n{\"schemaVersion\": 1, \"traceEvents\": ["), OpenTarget::Kind::Trace},
        {write("list.json", "[{\"ph\": \"X\", \"ts\": 1}]"), OpenTarget::Kind::Trace},
        {write("packed.json.gz", "\x1f\x8b"), OpenTarget::Kind::Trace},
        {write("profile/trace-rank-1.json", "[]"), OpenTarget::Kind::Settings},
        {path("profile"), OpenTarget::Kind::Trace},
        {path("not made yet"), OpenTarget::Kind::Logs},
        {path("nothing/at/all"), OpenTarget::Kind::Missing},
        {path("nothing.txt"), OpenTarget::Kind::Missing},
        {write("out/checkpoint-5/trainer_state.json", "{\"log_history\": []}"), OpenTarget::Kind::Logs},
        {path("out"), OpenTarget::Kind::Logs},
        {write("wandb/run-1.wandb", ":W&B"), OpenTarget::Kind::Logs},
        {write("package.json", "{}"), OpenTarget::Kind::Settings},
        {QStringLiteral("gpu-a:runs"), OpenTarget::Kind::Remote},
    };
    for (const auto& [words, kind] : cases)
        EXPECT_EQ(look_at(words).kind, kind) << words.toStdString();
    EXPECT_EQ(look_at(path("run/state.json")).path, path("run"));
    EXPECT_EQ(look_at(QUrl::fromLocalFile(path("logs")).toString()).path, path("logs"));
    EXPECT_EQ(look_at(write("odd:name.csv", "step,loss\n1,2\n")).kind, OpenTarget::Kind::Logs)
        << "a file that is called like an address is the file";
}

TEST_F(OpenerTest, WhatWasOpenedIsRemembered) {
    write("logs/events.out.tfevents.1.host", "");
    Opener opener;
    QSignalSpy found(&opener, &Opener::found);
    opener.open(path("logs"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return found.count() == 1; }, 10000));
    opener.open(path("nothing.txt"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return found.count() == 2; }, 10000));
    EXPECT_EQ(Opener::recents(), QStringList{path("logs")});
    opener.forget(path("logs"));
    EXPECT_TRUE(Opener::recents().isEmpty());
}

TEST_F(OpenerTest, DropsHoldOneThing) {
    QMimeData data;
    EXPECT_TRUE(Opener::dropped(&data).isEmpty());
    data.setUrls({QUrl::fromLocalFile(QStringLiteral("/a b"))});
    EXPECT_EQ(Opener::dropped(&data), QStringLiteral("/a b"));
    data.setUrls({QUrl(QStringLiteral("sftp://gpu-a/data"))});
    EXPECT_EQ(Opener::dropped(&data), QStringLiteral("sftp://gpu-a/data"));
    data.setUrls({QUrl(QStringLiteral("https://example.org/x"))});
    EXPECT_TRUE(Opener::dropped(&data).isEmpty());
    QMimeData words;
    words.setText(QStringLiteral("gpu-a:runs"));
    EXPECT_EQ(Opener::dropped(&words), QStringLiteral("gpu-a:runs"));
}

TEST(History, GoesBackAndForward) {
    History history;
    EXPECT_EQ(history.step(-1), nullptr);
    history.push(Location::parse(QStringLiteral("runs")));
    history.push(Location::parse(QStringLiteral("run:one:two")));
    history.push({QStringLiteral("run"), QStringLiteral("one:two")});
    history.push({QStringLiteral("logs"), QStringLiteral("/logs")});
    ASSERT_NE(history.step(-1), nullptr);
    EXPECT_EQ(history.current()->subject, QStringLiteral("one:two"));
    History other;
    const QStringList known{QStringLiteral("runs"), QStringLiteral("run"), QStringLiteral("logs")};
    other.restore(history.toJson(), known);
    ASSERT_NE(other.current(), nullptr);
    EXPECT_EQ(*other.current(), *history.current());
    ASSERT_NE(other.step(1), nullptr);
    EXPECT_EQ(other.current()->text(), QStringLiteral("logs:/logs"));
    history.push({QStringLiteral("settings"), {}});
    EXPECT_EQ(history.step(1), nullptr) << "what lay ahead is forgotten";
    other.restore({}, known);
    EXPECT_EQ(other.current(), nullptr);
}

TEST(History, LeavesOutWhatMeansNothingAfterARestart) {
    History history;
    history.push(Location::parse(QStringLiteral("runs")));
    history.push(Location::parse(QStringLiteral("launch")));
    History other;
    other.restore(history.toJson({QStringLiteral("launch")}), {QStringLiteral("runs"), QStringLiteral("launch")});
    ASSERT_NE(other.current(), nullptr);
    EXPECT_EQ(other.current()->text(), QStringLiteral("runs")) << "a launch that was on the screen is over";
    other.restore(history.toJson(), {QStringLiteral("launch")});
    EXPECT_FALSE(other.canGoBack()) << "a page that this version does not have";
}

TEST(History, ReadsWhatEarlierVersionsKept) {
    const QJsonArray list{QJsonObject{{QStringLiteral("place"), QStringLiteral("settings")}},
                          QJsonObject{{QStringLiteral("place"), QStringLiteral("runs")},
                                      {QStringLiteral("logs"), QStringLiteral("/logs")}}};
    History history;
    history.restore({{QStringLiteral("list"), list}, {QStringLiteral("at"), 1}},
                    {QStringLiteral("settings"), QStringLiteral("logs")});
    ASSERT_NE(history.current(), nullptr);
    EXPECT_EQ(history.current()->text(), QStringLiteral("logs:/logs"));
    EXPECT_TRUE(history.canGoBack());
}

TEST(SingleInstance, AThemeIsHandedOverAsItsWord) {
    for (const char* word : {"dark", "light", "system"}) {
        Options options;
        ASSERT_EQ(parseOptions({QStringLiteral("trainyard-desktop"), QStringLiteral("--theme"), QLatin1String(word)},
                               options),
                  QString());
        EXPECT_TRUE(options.returns()) << "so it goes to the window that is there";
        EXPECT_EQ(theme_word(options.theme), QLatin1String(word));
        EXPECT_EQ(theme_of(theme_word(options.theme)), options.theme);
    }
    EXPECT_EQ(theme_word(Options().theme), QString());
    EXPECT_FALSE(theme_of(QStringLiteral("pink")));
}

TEST(SingleInstance, ASecondStartHandsItsWordsOver) {
    EXPECT_FALSE(SingleInstance::handOver(QStringLiteral("nobody")));
    auto first = std::make_unique<SingleInstance>();
    ASSERT_TRUE(first->listen());
    const QFileInfo socket(SingleInstance::socketFile());
    ASSERT_TRUE(socket.exists());
    EXPECT_FALSE(socket.permissions() & (QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther));
    QStringList heard;
    QByteArray token_heard;
    QObject::connect(first.get(), &SingleInstance::opened, [&](const QString& words, const QString& theme) {
        heard << words << theme;
        token_heard = qgetenv("XDG_ACTIVATION_TOKEN");
    });
    std::atomic<bool> handed{false}, done{false};
    const QString odd = QStringLiteral("/a folder/with\na line é");
    std::thread second([&] {
        handed = SingleInstance::handOver(odd, QStringLiteral("light")) && SingleInstance::handOver({});
        done = true;
    });
    EXPECT_TRUE(QTest::qWaitFor([&] { return done.load(); }, 10000));
    second.join();
    EXPECT_TRUE(handed);
    EXPECT_EQ(heard, (QStringList{odd, QStringLiteral("light"), QString(), QString()}));
    EXPECT_EQ(token_heard, QByteArray());
    // A token of a Wayland compositor is where Qt looks for it when the window is raised.
    QLocalSocket third;
    third.connectToServer(SingleInstance::socketFile());
    third.write("%2Fx   one%20token\n");
    EXPECT_TRUE(QTest::qWaitFor([&] { return !token_heard.isEmpty(); }, 10000));
    EXPECT_EQ(heard.mid(4), (QStringList{QStringLiteral("/x"), QString()}));
    EXPECT_EQ(token_heard, QByteArrayLiteral("one token"));
    qunsetenv("XDG_ACTIVATION_TOKEN");
    first.reset();
    EXPECT_FALSE(SingleInstance::handOver(odd)) << "who is gone takes nothing";
    SingleInstance again;
    EXPECT_TRUE(again.listen());
}
