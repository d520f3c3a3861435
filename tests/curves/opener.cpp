// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/shell/opener.h"

#include <atomic>
#include <fstream>

#include <QEventLoop>
#include <QFileInfo>
#include <QJsonArray>
#include <QLocalSocket>
#include <QMimeData>
#include <QSignalSpy>
#include <QTest>
#include <QThread>
#include <QTimer>
#include <QUrl>

#include <gtest/gtest.h>

#include "desktop/shell/location.h"
#include "desktop/shell/options.h"
#include "desktop/shell/single_instance.h"
#include "desktop/shell/theme_words.h"
#include "support/patience.h"
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
        {write("damaged.safetensors", "no header"), OpenTarget::Kind::Checkpoint},
        {write("damaged.gguf", "no header"), OpenTarget::Kind::Checkpoint},
        {write("firmware.bin", std::string("\0\1", 2)), OpenTarget::Kind::Unknown},
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

TEST_F(OpenerTest, DropsHoldOneThingOrSayWhyNot) {
    const auto of_urls = [](const QStringList& urls) {
        QMimeData data;
        data.setUrls(QUrl::fromStringList(urls));
        return Opener::dropped(&data);
    };
    EXPECT_EQ(of_urls({QStringLiteral("file:///a b")}).words, QStringLiteral("/a b"));
    EXPECT_EQ(of_urls({QStringLiteral("sftp://gpu-a/data")}).words, QStringLiteral("sftp://gpu-a/data"));
    const Opener::Dropped page = of_urls({QStringLiteral("https://example.org/x")});
    EXPECT_TRUE(page.words.isEmpty());
    EXPECT_TRUE(page.problem.contains(QStringLiteral("https://example.org/x"))) << page.problem.toStdString();
    const Opener::Dropped several = of_urls({QStringLiteral("file:///a"), QStringLiteral("file:///b")});
    EXPECT_TRUE(several.words.isEmpty());
    EXPECT_TRUE(several.problem.contains(QStringLiteral("not 2"))) << several.problem.toStdString();
    QMimeData words;
    EXPECT_TRUE(Opener::dropped(&words).words.isEmpty());
    words.setText(QStringLiteral("gpu-a:runs"));
    EXPECT_EQ(Opener::dropped(&words).words, QStringLiteral("gpu-a:runs"));
    words.setText(QStringLiteral("once upon a time"));
    EXPECT_TRUE(Opener::dropped(&words).words.isEmpty());
    EXPECT_TRUE(Opener::dropped(&words).problem.isEmpty()) << "a text is not meant for the window";
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

using Role = SingleInstance::Role;

/// A test with its own runtime folder.
class SingleInstanceTest : public testing::Test {
  protected:
    SingleInstanceTest() {
        for (const char* name : {"XDG_RUNTIME_DIR", "DISPLAY", "WAYLAND_DISPLAY"})
            before_.insert(name, qgetenv(name));
        qputenv("XDG_RUNTIME_DIR", QByteArray::fromStdString(runtime_.path().string()));
    }
    ~SingleInstanceTest() override {
        for (auto each = before_.cbegin(); each != before_.cend(); ++each)
            qputenv(each.key(), each.value());
    }
    /// Another start, while this thread handles events.
    static Role start(const SingleInstance::Words& words) {
        Role role = Role::First;
        const std::unique_ptr<QThread> second(QThread::create([&] { role = SingleInstance().begin(words); }));
        second->start();
        EXPECT_TRUE(QTest::qWaitFor([&] { return second->isFinished(); }, kPatience));
        return role;
    }

  private:
    QMap<const char*, QByteArray> before_;
    test::TemporaryFolder runtime_;
};

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

TEST_F(SingleInstanceTest, ASecondStartHandsItsWordsOver) {
    auto first = std::make_unique<SingleInstance>();
    ASSERT_EQ(first->begin({QStringLiteral("nobody"), {}, {}}), Role::First);
    const QFileInfo socket(SingleInstance::socketFile());
    ASSERT_TRUE(socket.exists());
    EXPECT_FALSE(socket.permissions() & (QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther));
    QStringList heard;
    QByteArray token_heard;
    QObject::connect(first.get(), &SingleInstance::opened, [&](const SingleInstance::Words& words) {
        heard << words.open << words.theme << words.command;
        token_heard = qgetenv("XDG_ACTIVATION_TOKEN");
    });
    const QString odd = QStringLiteral("/a folder/with\na line é");
    EXPECT_EQ(start({odd, QStringLiteral("light"), {}}), Role::Second);
    EXPECT_EQ(start({}), Role::Second);
    EXPECT_EQ(heard, (QStringList{odd, QStringLiteral("light"), {}, {}, {}, {}}));
    EXPECT_EQ(token_heard, QByteArray());
    // A token of a Wayland compositor is where Qt looks for it when the window is raised.
    QLocalSocket third;
    third.connectToServer(SingleInstance::socketFile());
    third.write("%2Fx   one%20token\n");
    EXPECT_TRUE(QTest::qWaitFor([&] { return !token_heard.isEmpty(); }, kPatience));
    EXPECT_EQ(heard.mid(6), (QStringList{QStringLiteral("/x"), {}, {}}));
    EXPECT_EQ(token_heard, QByteArrayLiteral("one token"));
    qunsetenv("XDG_ACTIVATION_TOKEN");
    first.reset();
    SingleInstance again;
    EXPECT_EQ(again.begin({}), Role::First) << "who is gone takes nothing";
}

/// A window whose thread hangs keeps its socket, so that it takes the starts after that.
TEST_F(SingleInstanceTest, AWindowThatHangsKeepsItsPlace) {
    SingleInstance first;
    ASSERT_EQ(first.begin({}), Role::First);
    int opened = 0;
    QObject::connect(&first, &SingleInstance::opened, [&] { ++opened; });
    SingleInstance beside;
    EXPECT_EQ(beside.begin({}), Role::Unanswered) << "this thread, which has the first one, handles no events now";
    EXPECT_FALSE(SingleInstance::unansweredText().isEmpty());
    EXPECT_EQ(start({}), Role::Second);
    EXPECT_GE(opened, 1);
}

TEST_F(SingleInstanceTest, TheSocketOfAKilledWindowIsTakenOver) {
    {
        SingleInstance killed;
        ASSERT_EQ(killed.begin({}), Role::First);
        ASSERT_TRUE(
            QFile::rename(SingleInstance::socketFile(), SingleInstance::socketFile() + QStringLiteral(".left")));
    }
    ASSERT_TRUE(QFile::rename(SingleInstance::socketFile() + QStringLiteral(".left"), SingleInstance::socketFile()));
    SingleInstance next;
    EXPECT_EQ(next.begin({}), Role::First);
    EXPECT_EQ(start({}), Role::Second);
}

/// As of a file manager that opens ten files.
TEST_F(SingleInstanceTest, OfManyStartsAtOnceOneIsTheWindow) {
    constexpr int kStarts = 8;
    std::atomic<int> begun{0}, firsts{0}, seconds{0};
    QList<QThread*> threads;
    for (int i = 0; i < kStarts; ++i)
        threads << QThread::create([&] {
            SingleInstance one;
            const Role role = one.begin({});
            firsts += role == Role::First;
            seconds += role == Role::Second;
            ++begun;
            QEventLoop answers;
            QTimer look;
            QObject::connect(&look, &QTimer::timeout, &answers, [&] {
                if (begun == kStarts)
                    answers.quit();
            });
            look.start(10);
            if (role == Role::First)
                answers.exec();
        });
    for (QThread* thread : threads)
        thread->start();
    for (QThread* thread : threads) {
        EXPECT_TRUE(thread->wait(kPatience));
        delete thread;
    }
    EXPECT_EQ(firsts, 1);
    EXPECT_EQ(seconds, kStarts - 1);
}

TEST_F(SingleInstanceTest, WithoutARuntimeFolderThereIsOneWindowToo) {
    qunsetenv("XDG_RUNTIME_DIR");
    const QString file = SingleInstance::socketFile();
    ASSERT_FALSE(file.isEmpty());
    const QFileInfo folder(QFileInfo(file).path());
    EXPECT_TRUE(folder.isDir());
    EXPECT_FALSE(folder.permissions() & (QFile::ReadGroup | QFile::ExeGroup | QFile::ReadOther | QFile::ExeOther));
    SingleInstance first;
    EXPECT_EQ(first.begin({}), Role::First);
    EXPECT_EQ(start({}), Role::Second);
}

/// A start over SSH with the screen of another machine must not raise a window that nobody sees there.
TEST_F(SingleInstanceTest, AnotherDisplayIsAnotherWindow) {
    const auto file_on = [](const char* display, const char* wayland) {
        qputenv("DISPLAY", display);
        qputenv("WAYLAND_DISPLAY", wayland);
        return SingleInstance::socketFile();
    };
    EXPECT_EQ(file_on(":0", ""), file_on(":0.0", ""));
    EXPECT_NE(file_on(":0", ""), file_on("localhost:10.0", ""));
    EXPECT_NE(file_on(":0", ""), file_on(":0", "wayland-0"));
}
