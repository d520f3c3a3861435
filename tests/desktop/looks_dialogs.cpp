// SPDX-License-Identifier: GPL-3.0-or-later
// How dialogs and menus look (looks_test.h).

#include <fstream>

#include <QApplication>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTableView>
#include <QTest>
#include <QVBoxLayout>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "desktop/alarms/alarm_settings.h"
#include "desktop/alarms/target_dialog.h"
#include "desktop/alarms/target_list.h"
#include "desktop/dashboard/profile_dialog.h"
#include "desktop/data/data_dialog.h"
#include "desktop/data/data_panel.h"
#include "desktop/hub/hub_dialog.h"
#include "desktop/hub/hub_field.h"
#include "desktop/launch/more_steps_dialog.h"
#include "desktop/shell/about_dialog.h"
#include "desktop/shell/shortcut_editor.h"
#include "desktop/sweeps/sweep_dialog.h"
#include "desktop/traces/rank_pair_dialog.h"
#include "looks_test.h"
#include "run/paths.h"
#include "run/spec.h"
#include "support/accessibility_checks.h"
#include "support/child.h"
#include "widgets/pixels.h"
#include "widgets/theme.h"

using namespace trainyard;
using namespace trainyard::desktop;
using test::LooksTest;
using widgets::Theme;
using widgets::ThemeChoice;

TEST_F(LooksTest, Dialogs) {
    ProfileDialog profile(120);
    lookAt(&profile, "dialog-profile");
    RankPairDialog ranks({QStringLiteral("Rank 0"), QStringLiteral("Rank 1")}, 0, 1, QStringLiteral("step 3, 318 ms"));
    lookAt(&ranks, "dialog-ranks");
    launch::Continuation run{run::RunPaths(runs() / "perldoc"), {}, 120, 1000, 1000};
    data_ << QStringLiteral("perldoc") << QStringLiteral("Slack, Mattermost");
    MoreStepsDialog more(run, QStringLiteral("perldoc"), nullptr);
    lookAt(&more, "dialog-more-steps");
    alarms::Target target;
    for (const alarms::TargetKind kind :
         {alarms::TargetKind::command, alarms::TargetKind::webhook, alarms::TargetKind::mail}) {
        target.kind = kind;
        TargetDialog alarm(target, {}, nullptr);
        lookAt(&alarm, (std::string("dialog-alarm-") + alarms::kind_name(kind)).c_str());
    }
    SweepBase base;
    base.name = QStringLiteral("perldoc");
    base.recipe = "model: {n_layer: 2}\n";
    base.learning_rate = 1e-3;
    data_ << QStringLiteral("[a-z]+([./_][a-z_]+)+") << QStringLiteral("gpu-a.*") << QStringLiteral("8, 16, 32");
    SweepDialog sweep(base);
    lookAt(&sweep, "dialog-sweep");
}

/// Loading, empty, full and failing.
TEST_F(LooksTest, StatesOfTheHub) {
    const auto cache = home_.path() / "hub";
    for (const auto& [name, value] : {std::pair("HF_HUB_CACHE", cache.string()),
                                      {"HF_ENDPOINT", std::string("http://127.0.0.1:1")},
                                      {"no_proxy", std::string("*")}})
        ::setenv(name, value.c_str(), 1);
    data_ << QStringLiteral("org/.*") << QStringLiteral(".*127\\.0\\.0\\.1.*") << QStringLiteral(".*/hub");
    {
        HubDialog first(HubItem::Model);
        lookAtFirst(&first, "dialog-hub-loading");
        ASSERT_TRUE(QTest::qWaitFor([&] { return first.isListed(); }));
        lookAt(&first, "dialog-hub-empty");
        first.show();
        first.field()->name()->setText(QStringLiteral("org/a-model-with-a-long-name"));
        QTest::keyClick(first.field()->name(), Qt::Key_Return);
        ASSERT_TRUE(QTest::qWaitFor([&] { return !first.field()->isAsking(); }, 10'000));
        lookAt(&first, "dialog-hub-failing");
    }
    for (int i = 0; i < 12; ++i) {
        const auto repo = cache / fmt::format("models--org--a-model-with-a-long-name-{}", i);
        std::filesystem::create_directories(repo / "refs");
        std::filesystem::create_directories(repo / "snapshots" / "abc");
        std::ofstream(repo / "refs" / "main") << "abc";
        std::ofstream(repo / "snapshots" / "abc" / "config.json") << R"({"model_type": "gpt2"})";
        std::ofstream(repo / "snapshots" / "abc" / "model.safetensors") << std::string(1000, ' ');
    }
    HubDialog full(HubItem::Model);
    ASSERT_TRUE(QTest::qWaitFor([&] { return full.isListed(); }));
    EXPECT_GT(full.list()->model()->rowCount(), 0);
    full.list()->selectRow(0);  // the list selects a row when it gets the focus, and the button depends on it
    lookAt(&full, "dialog-hub-full");
    for (const char* name : {"HF_HUB_CACHE", "HF_ENDPOINT", "no_proxy"})
        ::unsetenv(name);
}

TEST_F(LooksTest, StatesOfTheDataOfARun) {
    std::ofstream config(home_.path() / "ssh_config");
    config << "Host gpu-a\n  HostName 127.0.0.1\n  Port 1\n";
    config.close();
    ::setenv("TRAINYARD_SSH_CONFIG", (home_.path() / "ssh_config").c_str(), 1);
    const std::string file = (home_.path() / "chats.jsonl").string();
    {
        std::ofstream chats(file);
        for (int i = 0; i < 30; ++i)
            chats << R"({"messages": [{"role": "user", "content": "Who wrote it?"}, )"
                  << R"({"role": "assistant", "content": "A person with a long name, as the record says."}], "n": )"
                  << i << "}\n";
    }
    const auto run_with = [&](const std::vector<std::string>& paths) {
        const run::RunPaths paths_of_run =
            run::create_run_directory_at(home_.path() / fmt::format("run-{}", run_count_++));
        run::RunSpec spec;
        spec.recipe.name = "talks";
        spec.recipe.data.paths = paths;
        spec.recipe.data.format = config::DataFormat::jsonl;
        spec.recipe.data.chat = config::ChatFormat::automatic;
        spec.recipe.data.sequence_length = spec.recipe.model.n_positions = 256;
        run::write_spec(paths_of_run, spec);
        return paths_of_run;
    };
    const auto rests = [](DataDialog& dialog) { return QTest::qWaitFor([&] { return !dialog.isReading(); }, 20'000); };
    data_ << QStringLiteral("talks") << QStringLiteral("messages.*") << QStringLiteral("n") << QStringLiteral("/.*")
          << QStringLiteral("gpu-a.*") << QStringLiteral(".*chats\\.jsonl.*");
    DataDialog full(run_with({file}), QStringLiteral("talks"), {});
    lookAtFirst(&full, "dialog-data-loading");
    ASSERT_TRUE(rests(full));
    EXPECT_EQ(full.panel()->preview()->model()->rowCount(), 20);
    lookAt(&full, "dialog-data-full");
    DataDialog empty(run_with({}), QStringLiteral("talks"), {});
    ASSERT_TRUE(rests(empty));
    lookAt(&empty, "dialog-data-empty");
    DataDialog missing(run_with({file + ".gone"}), QStringLiteral("talks"), {});
    ASSERT_TRUE(rests(missing));
    lookAt(&missing, "dialog-data-failing");
    DataDialog far(run_with({file}), QStringLiteral("talks"), QStringLiteral("gpu-a"));
    lookAtFirst(&far, "dialog-data-host-loading");
    ASSERT_TRUE(rests(far));
    EXPECT_TRUE(test::child<QPushButton>(far, DataPanel::tr("Try again"))->isVisible());
    lookAt(&far, "dialog-data-host-failing");
    ::unsetenv("TRAINYARD_SSH_CONFIG");
}

/// The targets of alarms, a test message that fails, a target with the name of another, and a limit that cannot be
/// read.
TEST_F(LooksTest, StatesOfAlarms) {
    const QByteArray former = qgetenv("XDG_CONFIG_HOME");
    qputenv("XDG_CONFIG_HOME", (home_.path() / "config").c_str());
    data_ << QStringLiteral("Slack, Mattermost") << QStringLiteral("pager.*") << QStringLiteral("/nowhere.*")
          << QStringLiteral("http.*") << QStringLiteral("me@example\\.org") << QStringLiteral("eval/loss.*")
          << QStringLiteral("a-team.*") << QStringLiteral("mail of the team") << QStringLiteral(".*/nowhere/.*");
    alarms::Settings settings;
    settings.targets.resize(3);
    alarms::Target& command = settings.targets[0];
    command.name = "pager";
    command.kind = alarms::TargetKind::command;
    command.command = {"/nowhere/page", "--title", "{title}"};
    alarms::Target& webhook = settings.targets[1];
    webhook.name = "a-team-with-a-name-of-many-letters";
    webhook.address = "http://127.0.0.1:1/hooks/of-a-server-with-a-long-path/and-more-of-it/and-more";
    webhook.format = alarms::WebhookFormat::custom;
    webhook.body = R"({"text": "{title}"})";
    alarms::Target& mail = settings.targets[2];
    mail.name = "mail of the team";
    mail.kind = alarms::TargetKind::mail;
    mail.from = "me@example.org";
    mail.to = {"me@example.org"};
    mail.enabled = false;
    alarms::save_settings(settings);
    {
        QDialog dialog;
        auto* list = new TargetList;
        dialog.setLayout(new QVBoxLayout);
        dialog.layout()->addWidget(list);
        dialog.resize(640_px, 280_px);
        ASSERT_TRUE(QTest::qWaitFor([&] { return list->settings().targets.size() == 3; }))
            << list->note()->text().toStdString();
        // The state of a test message is in the list, which both themes show.
        const auto look = [&](const std::string& name) {
            for (const ThemeChoice theme : {ThemeChoice::Light, ThemeChoice::Dark}) {
                Theme::instance().setChoice(theme);
                QApplication::processEvents();
                lookAtFirst(&dialog, (name + (theme == ThemeChoice::Light ? "-light" : "-dark")).c_str());
                expectNone(test::nameless_controls(&dialog), "names");
            }
        };
        look("alarm-targets");
        const QList<QPushButton*> buttons = list->findChildren<QPushButton*>();
        const auto test = [&](const std::string& name) {
            const auto found = std::ranges::find_if(buttons, [&](const QPushButton* button) {
                return button->toolTip().contains(QString::fromStdString(name)) && !button->text().isEmpty();
            });
            ASSERT_NE(found, buttons.end());
            dialog.show();
            (*found)->click();
            ASSERT_TRUE(QTest::qWaitFor(
                [&] { return !list->note()->text().isEmpty() && !list->note()->text().endsWith(QChar(0x2026)); },
                20'000));
            look(fmt::format("alarm-test-failing-{}", alarms::kind_name(settings.find(name)->kind)));
        };
        test(command.name);
        test(webhook.name);
    }
    TargetDialog nameless(webhook, {QString::fromStdString(webhook.name)}, nullptr);
    nameless.show();
    nameless.saveButton()->click();
    EXPECT_FALSE(nameless.problem()->text().isEmpty());
    lookAt(&nameless, "dialog-alarm-taken-name");
    QDialog dialog;
    auto* rules = new AlarmSettings(AlarmRules{});
    dialog.setLayout(new QVBoxLayout);
    dialog.layout()->addWidget(rules);
    dialog.resize(640_px, 10_px);
    dialog.show();
    for (auto* field : rules->findChildren<QLineEdit*>()) {
        field->setText(QStringLiteral("eval/loss is 3"));
        emit field->editingFinished();
    }
    lookAt(&dialog, "dialog-alarm-limits");
    qputenv("XDG_CONFIG_HOME", former);
}

TEST_F(LooksTest, ShortcutsAboutAndMenus) {
    open();
    ShortcutEditor shortcuts(window_.get());
    lookAt(&shortcuts, "dialog-shortcuts");
    // The rows show their texts: a painted row has other pixels than an empty one.
    shortcuts.show();
    const QRect cell = shortcuts.table()->visualRect(shortcuts.table()->model()->index(1, 0));
    const QImage row = shortcuts.table()->viewport()->grab(cell.adjusted(2, 2, -2, -2)).toImage();
    QSet<QRgb> colours;
    for (int x = 0; x < row.width(); ++x)
        for (int y = 0; y < row.height(); ++y)
            colours.insert(row.pixel(x, y));
    EXPECT_GT(colours.size(), 4);
    shortcuts.hide();
    data_ << QStringLiteral("Trainyard  ·  GPL-3\\.0-or-later");
    AboutDialog about(window_->engine(), window_.get());
    ASSERT_TRUE(QTest::qWaitFor([&about] { return !test::child<QPlainTextEdit>(about)->toPlainText().isEmpty(); }));
    lookAt(&about, "dialog-about");
    window_->setMenuBarShown(true);
    for (QAction* title : window_->menuBar()->actions())
        for (const ThemeChoice theme : {ThemeChoice::Light, ThemeChoice::Dark}) {
            Theme::instance().setChoice(theme);
            QMenu* menu = title->menu();
            menu->popup(window_->mapToGlobal(QPoint(8, 30)));
            ASSERT_TRUE(QTest::qWaitForWindowExposed(menu));
            for (const QAction* entry : menu->actions()) {
                if (entry->isSeparator())
                    continue;
                EXPECT_FALSE(entry->text().isEmpty());
                if (language_ != nullptr) {
                    EXPECT_TRUE(entry->text().contains(QStringLiteral("⟦"))) << entry->text().toStdString();
                }
            }
            EXPECT_LE(menu->width(), smallest().width());
            save(menu, QStringLiteral("menu-%1").arg(window_->menuBar()->actions().indexOf(title)).toLatin1(),
                 theme == ThemeChoice::Light ? "light" : "dark");
            menu->close();
        }
}
