// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/shell/view_state.h"

#include <filesystem>

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "support/temporary_folder.h"

using namespace trainyard;
using namespace trainyard::desktop;

namespace {
class ViewStateTest : public testing::Test {
  protected:
    QString folder() const { return QString::fromStdString((home_.path() / "views").string()); }
    QStringList files(const QString& pattern) const { return QDir(folder()).entryList({pattern}, QDir::Files); }
    test::TemporaryFolder home_;
};
}  // namespace

TEST_F(ViewStateTest, ChangesAreOnTheDiskSoonAndComeBack) {
    ViewState state(folder());
    state.set(QStringLiteral("a"), QStringLiteral("zoom"), 3.5);
    state.set(QStringLiteral("a"), QStringLiteral("words"), QStringLiteral("loss"));
    EXPECT_TRUE(files(QStringLiteral("*")).isEmpty()) << "a change is not written at once";
    ASSERT_TRUE(QTest::qWaitFor([&] { return files(QStringLiteral("*.json")).size() == 1; }, 10000));
    // As after SIGKILL: nobody said good-bye.
    ViewState other(folder());
    EXPECT_EQ(other.value(QStringLiteral("a"), QStringLiteral("zoom")).toDouble(), 3.5);
    EXPECT_EQ(other.value(QStringLiteral("a"), QStringLiteral("words")).toString(), QStringLiteral("loss"));
    EXPECT_TRUE(other.value(QStringLiteral("b"), QStringLiteral("zoom")).isUndefined());
}

/// The view of a page must not be older than a later one: a kill may come between two files.
TEST_F(ViewStateTest, FilesAreWrittenInTheOrderOfTheChanges) {
    std::filesystem::create_directories(folder().toStdString());
    const int watcher = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    ASSERT_GE(watcher, 0);
    ASSERT_GE(::inotify_add_watch(watcher, folder().toLocal8Bit().constData(), IN_MOVED_TO), 0);
    ViewState state(folder());
    constexpr int kKeys = 20;
    for (const int value : {1, 2})  // the last change counts
        for (int i = 0; i < kKeys; ++i)
            state.set(QString::number(value == 1 ? kKeys - i : i), QStringLiteral("x"), value);
    state.flush();
    QStringList written;
    alignas(inotify_event) char events[16384];
    const ssize_t size = ::read(watcher, events, sizeof events);
    ::close(watcher);
    for (ssize_t at = 0; at < size;) {
        const auto* event = reinterpret_cast<const inotify_event*>(events + at);
        QFile file(folder() + QLatin1Char('/') + QString::fromLocal8Bit(event->name));
        ASSERT_TRUE(file.open(QIODevice::ReadOnly));
        written << QJsonDocument::fromJson(file.readAll()).object().value(QStringLiteral("key")).toString();
        at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
    }
    QStringList changed{QString::number(kKeys)};
    for (int i = 0; i < kKeys; ++i)
        changed << QString::number(i);
    EXPECT_EQ(written, changed);
}

TEST_F(ViewStateTest, NothingLeftIsNoFile) {
    ViewState state(folder());
    state.set(QStringLiteral("a"), QStringLiteral("x"), 1);
    state.flush();
    EXPECT_EQ(files(QStringLiteral("*.json")).size(), 1);
    state.set(QStringLiteral("a"), QStringLiteral("x"), {});
    state.flush();
    EXPECT_TRUE(files(QStringLiteral("*.json")).isEmpty());
}

TEST_F(ViewStateTest, ADamagedFileIsKeptAndToldOnce) {
    {
        ViewState state(folder());
        state.set(QStringLiteral("a"), QStringLiteral("x"), 1);
    }
    const QString path = folder() + QLatin1Char('/') + files(QStringLiteral("*.json")).first();
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
    file.write("{\"key\": \"a\", \"vie");
    file.close();
    ViewState state(folder());
    QSignalSpy told(&state, &ViewState::complaint);
    EXPECT_TRUE(state.view(QStringLiteral("a")).isEmpty());
    EXPECT_TRUE(state.view(QStringLiteral("a")).isEmpty());
    EXPECT_EQ(told.count(), 1);
    EXPECT_EQ(state.complaints().size(), 1);
    EXPECT_EQ(files(QStringLiteral("*.bad")).size(), 1);
    state.set(QStringLiteral("a"), QStringLiteral("x"), 2);
    state.flush();
    EXPECT_EQ(ViewState(folder()).value(QStringLiteral("a"), QStringLiteral("x")).toInt(), 2);
}

TEST_F(ViewStateTest, OldViewsAreForgotten) {
    ViewState state(folder());
    for (int i = 0; i < ViewState::kMostKeys + 20; ++i)
        state.set(QStringLiteral("key %1").arg(i), QStringLiteral("x"), i);
    state.flush();
    EXPECT_EQ(files(QStringLiteral("*.json")).size(), ViewState::kMostKeys);
}

TEST_F(ViewStateTest, AFolderThatCannotBeWrittenIsTold) {
    QFile blocker(folder());
    ASSERT_TRUE(blocker.open(QIODevice::WriteOnly));
    blocker.close();
    ViewState state(folder());
    QSignalSpy told(&state, &ViewState::complaint);
    state.set(QStringLiteral("a"), QStringLiteral("x"), 1);
    state.flush();
    EXPECT_TRUE(QTest::qWaitFor([&] { return told.count() == 1; }, 5000));
}
