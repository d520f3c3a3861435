// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/shell/preferences.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

using trainyard::desktop::Preferences;
using trainyard::widgets::ThemeChoice;

namespace {

QString settings_path() {
    return Preferences::configFolder() + QStringLiteral("/desktop.ini");
}

void write(const QByteArray& content) {
    QDir().mkpath(Preferences::configFolder());
    QFile file(settings_path());
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(content);
}

class PreferencesTest : public testing::Test {
  protected:
    void SetUp() override {
        QFile::remove(settings_path());
        QFile::remove(settings_path() + QStringLiteral(".bad"));
        given_ = qgetenv("TRAINYARD_RUNS");
    }
    void TearDown() override { qputenv("TRAINYARD_RUNS", given_); }
    QByteArray given_;
};

}  // namespace

TEST_F(PreferencesTest, MissingFileGivesDefaults) {
    const Preferences preferences;
    EXPECT_EQ(preferences.theme(), ThemeChoice::System);
    EXPECT_TRUE(preferences.complaint().isEmpty());
    EXPECT_FALSE(preferences.railFolded());
}

TEST_F(PreferencesTest, SurviveARestart) {
    {
        Preferences preferences;
        preferences.setTheme(ThemeChoice::Light);
        preferences.setRailFolded(true);
        preferences.setGeometry("abc\0def");
    }
    const Preferences again;
    EXPECT_EQ(again.theme(), ThemeChoice::Light);
    EXPECT_TRUE(again.railFolded());
    EXPECT_TRUE(again.complaint().isEmpty()) << again.complaint().toStdString();
}

TEST_F(PreferencesTest, CorruptFileIsKeptAndSaidOnce) {
    const QByteArray garbage = QByteArray("\x89PNG\r\n\x1a\nthis is not a settings file") + QByteArray(2, '\0');
    write(garbage);
    {
        const Preferences preferences;
        EXPECT_EQ(preferences.theme(), ThemeChoice::System);
        EXPECT_TRUE(preferences.complaint().contains(settings_path()));
        EXPECT_TRUE(preferences.complaint().contains(QStringLiteral(".bad")));
    }
    QFile kept(settings_path() + QStringLiteral(".bad"));
    ASSERT_TRUE(kept.open(QIODevice::ReadOnly));
    EXPECT_EQ(kept.readAll(), garbage);
    EXPECT_TRUE(Preferences().complaint().isEmpty());
}

/// As with a read-only or full disk, or a file of settings that a program for configurations owns.
TEST_F(PreferencesTest, WhatCannotBeSavedIsReportedOnce) {
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("file")));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));  // where a folder would have to be
    const QByteArray before = qgetenv("XDG_CONFIG_HOME");
    qputenv("XDG_CONFIG_HOME", file.fileName().toUtf8());
    {
        Preferences preferences;
        QSignalSpy not_saved(&preferences, &Preferences::notSaved);
        preferences.setTheme(ThemeChoice::Light);
        ASSERT_TRUE(QTest::qWaitFor([&] { return !not_saved.isEmpty(); }));
        EXPECT_TRUE(not_saved.first().first().toString().contains(preferences.settingsFile()));
        EXPECT_EQ(preferences.theme(), ThemeChoice::Light) << "valid for this session";
        preferences.setKeepsAwake(false);
        preferences.setRailFolded(true);
        QCoreApplication::processEvents();
        EXPECT_EQ(not_saved.count(), 1);
    }
    if (before.isEmpty())
        qunsetenv("XDG_CONFIG_HOME");
    else
        qputenv("XDG_CONFIG_HOME", before);
}

TEST_F(PreferencesTest, EmptyFileIsFine) {
    write("");
    EXPECT_TRUE(Preferences().complaint().isEmpty());
}

TEST_F(PreferencesTest, UnknownThemeIsTheSystems) {
    write("[appearance]\ntheme=pink\n");
    EXPECT_EQ(Preferences().theme(), ThemeChoice::System);
}

TEST_F(PreferencesTest, RunsFolderReachesTheEngineUnlessGiven) {
    {
        Preferences given;
        EXPECT_TRUE(given.runsFolderIsGiven());
        EXPECT_EQ(qgetenv("TRAINYARD_RUNS"), given_);
        given.setRunsFolder(QStringLiteral("/elsewhere"));
        EXPECT_EQ(qgetenv("TRAINYARD_RUNS"), QByteArray("/elsewhere")) << "in this session";
    }
    qunsetenv("TRAINYARD_RUNS");
    Preferences own;
    EXPECT_FALSE(own.runsFolderIsGiven());
    EXPECT_EQ(qgetenv("TRAINYARD_RUNS"), QByteArray("/elsewhere"));
    own.setRunsFolder({});
    EXPECT_FALSE(qEnvironmentVariableIsSet("TRAINYARD_RUNS"));
}
