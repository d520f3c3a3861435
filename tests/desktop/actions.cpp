// SPDX-License-Identifier: GPL-3.0-or-later
// The commands: menus, the bar under Alt, shortcuts and their editor, undo, requests to a run, the desktop entry,
// About, What's new, print.
#include <fstream>
#include <sstream>
#include <thread>

#include <QApplication>
#include <QComboBox>
#include <QFile>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QPrintDialog>
#include <QPrinter>
#include <QProcess>
#include <QPushButton>
#include <QSettings>
#include <QTableView>
#include <QTest>

#include <gtest/gtest.h>

#include "desktop/dashboard/run_header.h"
#include "desktop/dashboard/run_page.h"
#include "desktop/estimator/estimator_page.h"
#include "desktop/help/help_page.h"
#include "desktop/pages/pages.h"
#include "desktop/runs/runs_page.h"
#include "desktop/runs/word_popup.h"
#include "desktop/shell/about_dialog.h"
#include "desktop/shell/action_collection.h"
#include "desktop/shell/app_context.h"
#include "desktop/shell/command_palette.h"
#include "desktop/shell/page.h"
#include "desktop/shell/parts.h"
#include "desktop/shell/shortcut_editor.h"
#include "desktop/shell/shortcut_model.h"
#include "desktop/shell/side_window.h"
#include "desktop/shell/single_instance.h"
#include "desktop/shell/status_line.h"
#include "desktop/wizard/draft_keeper.h"
#include "desktop/wizard/wizard_page.h"
#include "fabricated_runs.h"
#include "run/request.h"
#include "support/child.h"
#include "support/model_check.h"
#include "support/window_fixture.h"

using namespace trainyard;
using namespace trainyard::desktop;
using run::Status;

namespace {

class ActionsTest : public test::WindowFixture {
  protected:
    void SetUp() override {
        WindowFixture::SetUp();
        ::setenv("XDG_CONFIG_HOME", config_.path().c_str(), 1);
    }
    void TearDown() override {
        WindowFixture::TearDown();
        commands().resetAll();
        if (config_before_.isEmpty())
            ::unsetenv("XDG_CONFIG_HOME");
        else
            ::setenv("XDG_CONFIG_HOME", config_before_.constData(), 1);
    }
    static ActionCollection& commands() { return ActionCollection::instance(); }
    QMenuBar* bar() const { return window_->menuBar(); }
    /// Opens a menu as a click does. Returns it.
    QMenu* menu(MenuId id) {
        QAction* title = bar()->actions()[static_cast<int>(id) - 1];
        emit title->menu()->aboutToShow();
        return title->menu();
    }
    /// The entry with the text of a command; null: the menu does not have it.
    QAction* entry(MenuId id, const char* command) {
        for (QAction* action : menu(id)->actions())
            if (action->text().section(QLatin1Char('\t'), 0, 0) == commands().find(QLatin1String(command))->text())
                return action;
        return nullptr;
    }
    void press(int key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QWidget* focus = QApplication::focusWidget();
        QTest::keyClick(focus != nullptr ? focus : window_.get(), static_cast<Qt::Key>(key), modifiers);
    }
    template <class Dialog>
    Dialog* dialog() {
        Dialog* found = nullptr;
        const auto shown = [&] {
            for (QWidget* top : QApplication::topLevelWidgets())
                if (auto* one = qobject_cast<Dialog*>(top); one != nullptr && one->isVisible())
                    found = one;
            return found != nullptr;
        };
        return QTest::qWaitFor(shown) ? found : nullptr;
    }

    const QByteArray config_before_ = qgetenv("XDG_CONFIG_HOME");
    test::TemporaryFolder config_;
};

}  // namespace

TEST_F(ActionsTest, DefaultsHaveNoConflictsAndEveryCommandHasAText) {
    open();
    for (const Command& command : commands().commands()) {
        EXPECT_FALSE(command.text().isEmpty()) << command.id.toStdString();
        EXPECT_NE(Commands::scopeTitle(command.scope()), command.scope()) << command.id.toStdString();
        for (const QKeySequence& keys : command.keys) {
            EXPECT_EQ(keys.count(), 1) << command.id.toStdString();
            EXPECT_TRUE(commands().conflicts(command.id, keys).isEmpty())
                << command.id.toStdString() << " and "
                << commands().conflicts(command.id, keys).join(' ').toStdString();
        }
    }
}

/// Keys in the status bar are those of commands of the page, and follow a change of them.
TEST_F(ActionsTest, TheStatusBarHasTheKeysOfThePage) {
    for (const PageEntry& page : all_pages())
        for (const KeyHint& hint : Commands::hintsOf(page.key)) {
            EXPECT_FALSE(hint.words.isEmpty());
            for (const QString& id : hint.ids) {
                const Command* command = commands().find(id);
                ASSERT_NE(command, nullptr) << id.toStdString();
                EXPECT_FALSE(command->keys.isEmpty()) << id.toStdString();
                EXPECT_TRUE(command->scope() == page.key || Commands::partsOfPage(page.key).contains(command->scope()))
                    << id.toStdString();
            }
        }
    open();
    window_->resize(1440, 900);
    auto* line = test::child<StatusLine>(*window_);
    const auto shown = [line] {
        QStringList words;
        for (const QLabel* label : line->findChildren<QLabel*>())
            if (label->isVisible() && label->text().contains(QStringLiteral("  ")))
                words << label->text();
        return words;
    };
    window_->open({QStringLiteral("hosts"), {}});
    EXPECT_TRUE(QTest::qWaitFor([&] {
        return shown() == QStringList{QStringLiteral("P  probe"), QStringLiteral("T  terminal")};
    })) << shown().join(QStringLiteral("; ")).toStdString();
    commands().setShortcuts(QStringLiteral("hosts.probe"), {QKeySequence(QStringLiteral("Y"))});
    EXPECT_EQ(shown().value(0), QStringLiteral("Y  probe"));
    line->say(QStringLiteral("The run was started."));
    EXPECT_EQ(shown(), QStringList());
    window_->open({QStringLiteral("settings"), {}});
    line->say({});
    EXPECT_TRUE(QTest::qWaitFor([&] { return shown().isEmpty(); }));
}

TEST_F(ActionsTest, KeysThatChangeARunHaveAModifier) {
    for (const Command& command : commands().commands())
        for (const QKeySequence& keys : command.keys)
            if (command.scope() == QLatin1String("request") && command.id != QLatin1String("request.edit_again")) {
                EXPECT_NE(keys[0].keyboardModifiers() & Qt::ControlModifier, 0) << command.id.toStdString();
            }
    const auto run = test::fabricate(folder_.path(), {.name = "one", .status = Status::running});
    open();
    window_->context()->openRun(QString::fromStdString(run.filename().string()));
    auto* page = qobject_cast<RunPage*>(window_->currentPage());
    ASSERT_NE(page, nullptr);
    ASSERT_TRUE(QTest::qWaitFor([page] { return page->record()->isCaughtUp() && page->record()->isLive(); }));
    QAction* checkpoint = commands().actionIn(page, QStringLiteral("request.checkpoint"));
    ASSERT_NE(checkpoint, nullptr);
    ASSERT_TRUE(QTest::qWaitFor([checkpoint] { return checkpoint->isEnabled(); }));
    page->setFocus();
    for (const Qt::Key key : {Qt::Key_K, Qt::Key_H, Qt::Key_X})
        press(key);
    EXPECT_TRUE(run::pending_requests(run::RunPaths(run)).empty());
    EXPECT_EQ(QApplication::activePopupWidget(), nullptr);
    press(Qt::Key_K, Qt::ControlModifier | Qt::ShiftModifier);
    // A request is written by another thread.
    const auto pending = [&run] { return run::pending_requests(run::RunPaths(run)); };
    ASSERT_TRUE(QTest::qWaitFor([&] { return pending().size() == 1; }));
    const auto requests = pending();
    EXPECT_EQ(requests.front().kind, "checkpoint");
    // The menu has the same action.
    QAction* pause = commands().actionIn(page, QStringLiteral("request.pause"));
    ASSERT_TRUE(menu(MenuId::Run)->actions().contains(pause));
    ASSERT_TRUE(QTest::qWaitFor([pause] { return pause->isEnabled(); }));
    pause->trigger();
    EXPECT_TRUE(QTest::qWaitFor([&] { return pending().size() == 2; }));
}

TEST_F(ActionsTest, ThePageOfARunEditsAsTheListDoes) {
    test::fabricate(folder_.path(), {.name = "another"});
    const auto folder = test::fabricate(folder_.path(), {.name = "one"});
    const QString id = QString::fromStdString(folder.filename().string());
    open();
    window_->context()->openRun(id);
    auto* page = qobject_cast<RunPage*>(window_->currentPage());
    ASSERT_NE(page, nullptr);
    const auto listed = [&] { return window_->store()->find(id); };
    ASSERT_TRUE(QTest::qWaitFor([&] { return listed() != nullptr; }));
    const auto type = [&](const QString& words) {
        auto* popup = dialog<WordPopup>();
        ASSERT_NE(popup, nullptr);
        auto* line = test::child<QLineEdit>(*popup);
        line->setText(words);
        QTest::keyClick(line, Qt::Key_Return);
    };
    emit page->header()->renameRequested();
    type(QStringLiteral("better"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return listed()->name == QStringLiteral("better"); }));
    emit page->header()->tagsRequested();
    type(QStringLiteral("night"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return listed()->tags == QStringList{QStringLiteral("night")}; }));
    emit page->header()->archiveRequested(true);
    ASSERT_TRUE(QTest::qWaitFor([&] { return listed()->archived; }));
    // One key takes back the edits, last first, on the page as in the list.
    page->setFocus();
    press(Qt::Key_Z, Qt::ControlModifier);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !listed()->archived; }));
    press(Qt::Key_Z, Qt::ControlModifier);
    ASSERT_TRUE(QTest::qWaitFor([&] { return listed()->tags.isEmpty(); }));
    press(Qt::Key_Z, Qt::ControlModifier);
    ASSERT_TRUE(QTest::qWaitFor([&] { return listed()->name == QStringLiteral("one"); }));
    // The list reports a deletion, which the palette of the page offers, and takes it back.
    press(Qt::Key_K, Qt::ControlModifier);
    QTest::keyClicks(window_->palette()->field(), ">delete");
    ASSERT_EQ(window_->palette()->list()->count(), 1);
    QTest::keyClick(window_->palette()->field(), Qt::Key_Return);
    ASSERT_TRUE(QTest::qWaitFor([&] { return window_->currentPage() == window_->page<RunsPage>(); }));
    ASSERT_TRUE(QTest::qWaitFor([&] { return listed() == nullptr; }));
    press(Qt::Key_Z, Qt::ControlModifier);
    EXPECT_TRUE(QTest::qWaitFor([&] { return listed() != nullptr; }));
}

TEST_F(ActionsTest, MenusHaveTheCommandsOfWindowAndPage) {
    test::fabricate(folder_.path(), {.name = "one"});
    open();
    ASSERT_TRUE(QTest::qWaitFor([this] { return window_->currentPage() == window_->page<RunsPage>(); }));
    ASSERT_EQ(bar()->actions().size(), 6);
    EXPECT_EQ(bar()->actions().front()->text(), QStringLiteral("&File"));
    EXPECT_NE(entry(MenuId::Run, "runs.rename"), nullptr);
    QAction* profile = entry(MenuId::Run, "request.profile");
    ASSERT_NE(profile, nullptr) << "what belongs to a run keeps its place";
    EXPECT_FALSE(profile->isEnabled());
    EXPECT_EQ(entry(MenuId::Tools, "hosts.probe"), nullptr);
    entry(MenuId::View, "window.page_hosts")->trigger();
    EXPECT_EQ(window_->currentPage()->key(), QStringLiteral("hosts"));
    EXPECT_NE(entry(MenuId::Tools, "hosts.probe"), nullptr);
    EXPECT_EQ(entry(MenuId::Run, "runs.rename"), nullptr);
    // Each command is in exactly one menu, and every listed command acts.
    for (const MenuId id : {MenuId::File, MenuId::Edit, MenuId::Run, MenuId::View, MenuId::Tools, MenuId::Help})
        EXPECT_FALSE(menu(id)->actions().isEmpty());
    QAction* copy = entry(MenuId::Edit, "window.copy");
    ASSERT_NE(copy, nullptr);
    window_->currentPage()->find();
    auto* field = qobject_cast<QLineEdit*>(QApplication::focusWidget());
    ASSERT_NE(field, nullptr);
    field->setText(QStringLiteral("gpu-a"));
    entry(MenuId::Edit, "window.select_all")->trigger();
    EXPECT_EQ(field->selectedText(), QStringLiteral("gpu-a"));
}

TEST_F(ActionsTest, AHiddenMenuBarIsShownByAlt) {
    test::fabricate(folder_.path(), {.name = "one"});
    open();
    EXPECT_TRUE(bar()->isVisible());
    entry(MenuId::View, "window.menu_bar")->trigger();
    EXPECT_FALSE(bar()->isVisible());
    EXPECT_FALSE(preferences_->menuBarShown());
    // Alt with another key is a shortcut.
    QWidget* focus = window_->currentPage();
    focus->setFocus();
    QTest::keyPress(focus, Qt::Key_Alt, Qt::AltModifier);
    QTest::keyClick(focus, Qt::Key_Left, Qt::AltModifier);
    QTest::keyRelease(focus, Qt::Key_Alt);
    EXPECT_FALSE(bar()->isVisible());
    focus->setFocus();
    QTest::keyPress(focus, Qt::Key_Alt, Qt::AltModifier);
    QTest::keyRelease(focus, Qt::Key_Alt);
    ASSERT_TRUE(bar()->isVisible());
    QTest::keyClick(bar(), Qt::Key_Escape);
    if (QWidget* popup = QApplication::activePopupWidget())
        popup->close();
    EXPECT_TRUE(QTest::qWaitFor([this] { return !bar()->isVisible(); }));
    // The next start remembers it.
    open();
    EXPECT_FALSE(bar()->isVisible());
    press(Qt::Key_M, Qt::ControlModifier);
    EXPECT_TRUE(bar()->isVisible());
}

TEST_F(ActionsTest, ShortcutsAreChangedNamedInConflictSavedAndReset) {
    open();
    entry(MenuId::Tools, "window.edit_shortcuts")->trigger();
    auto* editor = dialog<ShortcutEditor>();
    ASSERT_NE(editor, nullptr);
    auto* model = test::child<ShortcutModel>(*editor);
    ASSERT_NE(model, nullptr);
    test::check_model<ShortcutModel>(*model);
    EXPECT_GT(test::read_all(*model), 100);
    const auto choose = [&editor](const char* command) {
        for (int row = 0; row < editor->table()->model()->rowCount(); ++row)
            if (editor->table()->model()->index(row, 0).data(ShortcutModel::kIdRole) == QLatin1String(command))
                editor->table()->selectRow(row);
    };
    const auto button = [&editor](const char* words) {
        for (auto* one : editor->findChildren<QPushButton*>())
            if (one->text() == QLatin1String(words))
                return one;
        return static_cast<QPushButton*>(nullptr);
    };
    const auto says = [&editor](const char* words) {
        for (const auto* label : editor->findChildren<QLabel*>())
            if (label->text().contains(QString::fromUtf8(words)))
                return true;
        return false;
    };
    choose("window.palette");
    editor->field()->setFocus();
    QTest::keyClick(editor->field(), Qt::Key_J, Qt::ControlModifier);
    ASSERT_NE(button("Assign"), nullptr);
    button("Assign")->click();
    EXPECT_EQ(commands().shortcutText(QStringLiteral("window.palette")), QStringLiteral("Ctrl+J"));
    // A shortcut of another command is named before it is taken.
    editor->field()->clear();
    QTest::keyClick(editor->field(), Qt::Key_N, Qt::ControlModifier);
    EXPECT_TRUE(says("“New run” (Everywhere)"));
    ASSERT_NE(button("Assign here instead"), nullptr);
    EXPECT_EQ(commands().shortcutText(QStringLiteral("window.new_run")), QStringLiteral("Ctrl+N"));
    editor->field()->clear();
    QTest::keyClick(editor->field(), Qt::Key_F);
    EXPECT_TRUE(says("cannot be changed")) << "a key of the charts";
    EXPECT_FALSE(button("Assign here instead")->isEnabled());
    editor->field()->clear();
    QTest::keyClick(editor->field(), Qt::Key_N, Qt::ControlModifier);
    ASSERT_NE(button("Assign here instead"), nullptr);
    button("Assign here instead")->click();
    EXPECT_TRUE(commands().shortcuts(QStringLiteral("window.new_run")).isEmpty());
    editor->accept();
    const auto opens_palette = [this](Qt::Key key) {
        window_->activateWindow();
        EXPECT_TRUE(QTest::qWaitForWindowActive(window_.get()));
        press(key, Qt::ControlModifier);
        const bool opened = window_->palette()->isVisible();
        window_->palette()->dismiss();
        return opened;
    };
    EXPECT_FALSE(opens_palette(Qt::Key_K));
    EXPECT_TRUE(opens_palette(Qt::Key_N));
    // The button says the key that is valid now, and the next start has it.
    EXPECT_TRUE(window_->findChild<QPushButton*>(QString()) != nullptr);
    open();
    EXPECT_TRUE(opens_palette(Qt::Key_N));
    EXPECT_FALSE(opens_palette(Qt::Key_K));
    ASSERT_TRUE(window_->runCommand(QStringLiteral("window.edit_shortcuts")));
    editor = dialog<ShortcutEditor>();
    ASSERT_NE(editor, nullptr);
    choose("window.new_run");
    button("Reset")->click();
    EXPECT_TRUE(commands().shortcuts(QStringLiteral("window.palette")).isEmpty()) << "Reset takes the key back";
    button("Reset all")->click();
    editor->accept();
    EXPECT_TRUE(commands().changes().isEmpty());
    EXPECT_TRUE(preferences_->shortcuts().isEmpty());
    EXPECT_TRUE(opens_palette(Qt::Key_K));
}

TEST_F(ActionsTest, WrongShortcutsInTheSettingsFileAreReportedAndIgnored) {
    std::filesystem::create_directories(config_.path() / "trainyard");
    std::ofstream(config_.path() / "trainyard" / "desktop.ini") << "[shortcuts]\n"
                                                                   "window.palette=Ctrl+N\n"
                                                                   "window.nothing=Ctrl+J\n"
                                                                   "chart.fit=Ctrl+J\n"
                                                                   "window.print=Hyper+What\n"
                                                                   "window.sidebar=Ctrl+J\n";
    open();
    const QString said = preferences_->complaint();
    for (const char* name : {"window.palette", "window.nothing", "chart.fit", "window.print", "desktop.ini"})
        EXPECT_TRUE(said.contains(QLatin1String(name))) << name << " in " << said.toStdString();
    EXPECT_FALSE(said.contains(QStringLiteral("window.sidebar")));
    EXPECT_EQ(commands().shortcutText(QStringLiteral("window.palette")), QStringLiteral("Ctrl+K"));
    EXPECT_EQ(commands().shortcutText(QStringLiteral("window.print")), QStringLiteral("Ctrl+P"));
    EXPECT_EQ(commands().shortcutText(QStringLiteral("window.sidebar")), QStringLiteral("Ctrl+J"));
}

TEST_F(ActionsTest, LettersBelongToTheBoxThatSearchesByThem) {
    open();
    window_->open({QLatin1String(EstimatorPage::kKey), {}});
    auto* page = qobject_cast<EstimatorPage*>(window_->currentPage());
    ASSERT_NE(page, nullptr);
    auto* box = new QComboBox(page);
    box->addItems({QStringLiteral("adamw"), QStringLiteral("bf16"), QStringLiteral("quant")});
    box->show();
    box->setFocus();
    QTest::keyClick(box, Qt::Key_B);
    EXPECT_EQ(box->currentText(), QStringLiteral("bf16"));
    EXPECT_TRUE(box->hasFocus());
    EXPECT_EQ(QApplication::focusWidget(), box);
    page->setFocus();
    QTest::keyClick(page, Qt::Key_B);
    EXPECT_NE(QApplication::focusWidget(), page) << "elsewhere the letter goes to the micro-batch";
    EXPECT_FALSE(box->hasFocus());
}

TEST_F(ActionsTest, UndoIsOneActionThatFollowsThePage) {
    test::fabricate(folder_.path(), {.name = "one"});
    open();
    ASSERT_TRUE(QTest::qWaitFor([this] { return window_->currentPage() == window_->page<RunsPage>(); }));
    auto* runs = window_->page<RunsPage>();
    QAction* undo = commands().undoAction();
    EXPECT_FALSE(undo->isEnabled());
    runs->table()->setFocus();
    runs->table()->selectRow(0);
    press(Qt::Key_A);
    ASSERT_TRUE(undo->isEnabled());
    EXPECT_EQ(entry(MenuId::Edit, "edit.undo"), undo);
    window_->open({QLatin1String(WizardPage::kKey), {}});
    auto* wizard = qobject_cast<WizardPage*>(window_->currentPage());
    ASSERT_NE(wizard, nullptr);
    EXPECT_FALSE(undo->isEnabled()) << "the form has not been changed";
    wizard->draft()->setRecipeValue(QStringLiteral("name"), QStringLiteral("other"));
    ASSERT_TRUE(undo->isEnabled());
    undo->trigger();
    EXPECT_NE(wizard->draft()->recipeValue(QStringLiteral("name")), QStringLiteral("other"));
    EXPECT_TRUE(commands().redoAction()->isEnabled());
    commands().redoAction()->trigger();
    EXPECT_EQ(wizard->draft()->recipeValue(QStringLiteral("name")), QStringLiteral("other"));
    window_->open({QLatin1String(RunsPage::kKey), {}});
    window_->currentPage();
    ASSERT_TRUE(undo->isEnabled());
    entry(MenuId::Edit, "edit.undo")->trigger();
    EXPECT_TRUE(QTest::qWaitFor([this] { return !window_->store()->runs().first().archived; }));
    window_->open({QStringLiteral("hosts"), {}});
    window_->currentPage();
    EXPECT_FALSE(undo->isEnabled());
}

TEST_F(ActionsTest, TheDesktopEntryActsThroughTheOpenWindow) {
    std::ifstream entry(TRAINYARD_SOURCE_DIR "/packaging/trainyard.desktop");
    QStringList actions;
    for (std::string line; std::getline(entry, line);)
        if (const auto at = line.find("--action "); at != std::string::npos)
            actions << QString::fromStdString(line.substr(at + 9));
    ASSERT_EQ(actions, (QStringList{QStringLiteral("new-run"), QStringLiteral("open")}));
    open();
    const test::TemporaryFolder runtime;
    const QByteArray before = qgetenv("XDG_RUNTIME_DIR");
    ::setenv("XDG_RUNTIME_DIR", runtime.path().c_str(), 1);
    SingleInstance instance;
    ASSERT_EQ(instance.begin({}), SingleInstance::Role::First);
    QObject::connect(&instance, &SingleInstance::opened, window_.get(),
                     [this](const SingleInstance::Words& words) { window_->comeForward(words.open, words.command); });
    const auto start = [](const QString& action) {
        Options options;
        EXPECT_EQ(parseOptions({QStringLiteral("trainyard-desktop"), QStringLiteral("--action"), action}, options),
                  QString());
        EXPECT_TRUE(options.returns()) << "so that it is handed over";
        bool handed = false;
        std::thread other([&] {
            handed = SingleInstance().begin({{}, {}, options.command()}) == SingleInstance::Role::Second;
        });
        EXPECT_TRUE(QTest::qWaitFor([&] { return handed; }));
        other.join();
    };
    start(actions[0]);
    EXPECT_TRUE(QTest::qWaitFor([this] { return window_->currentPage()->key() == QLatin1String(WizardPage::kKey); }));
    start(actions[1]);
    QWidget* asked = nullptr;
    EXPECT_TRUE(QTest::qWaitFor([&] { return (asked = QApplication::activeModalWidget()) != nullptr; }));
    if (asked != nullptr)
        asked->close();
    ::setenv("XDG_RUNTIME_DIR", before.constData(), 1);
    Options options;
    EXPECT_TRUE(parseOptions({QStringLiteral("trainyard-desktop"), QStringLiteral("--action=quit")}, options)
                    .contains(QStringLiteral("new-run, open")));
}

TEST_F(ActionsTest, DraftsAreContinuedFromTheFileMenu) {
    open();
    const auto drafts = [this] {
        for (QAction* action : menu(MenuId::File)->actions())
            if (action->menu() != nullptr && action->text() == QStringLiteral("Continue draft"))
                return action->menu();
        return static_cast<QMenu*>(nullptr);
    };
    ASSERT_NE(drafts(), nullptr);
    auto* wizard = window_->context()->show<WizardPage>();
    ASSERT_TRUE(QTest::qWaitFor([&] { return wizard->isChecked(); }, 10'000));
    wizard->draft()->setRecipeValue(QStringLiteral("name"), QStringLiteral("my-draft"));
    wizard->opener()->newRun();
    ASSERT_EQ(wizard->keeper()->parked().size(), 1);
    // In another session, before the page exists.
    open();
    QMenu* offered = drafts();
    EXPECT_FALSE(offered->isEnabled()) << "until they are read";
    ASSERT_TRUE(QTest::qWaitFor([&] { return offered->isEnabled(); }, 10'000));
    ASSERT_EQ(offered->actions().size(), 1);
    EXPECT_TRUE(offered->actions().front()->text().startsWith(QStringLiteral("my-draft")))
        << offered->actions().front()->text().toStdString();
    offered->actions().front()->trigger();
    wizard = window_->page<WizardPage>();
    EXPECT_TRUE(QTest::qWaitFor(
        [&] { return wizard->draft()->recipeValue(QStringLiteral("name")) == QStringLiteral("my-draft"); }, 10'000));
    EXPECT_EQ(window_->currentPage(), wizard);
    window_.reset();
    std::filesystem::remove_all(std::filesystem::path(DraftKeeper::file().toStdString()).parent_path());
}

TEST_F(ActionsTest, SavingAndToolsAreWhereOthersHaveThem) {
    test::fabricate(folder_.path(), {.name = "one"});
    open();
    window_->open({QLatin1String(RunsPage::kKey), {}});
    const auto submenu = [this](MenuId id, const char* title) {
        for (QAction* action : menu(id)->actions())
            if (action->menu() != nullptr && action->text() == QLatin1String(title))
                return action->menu();
        return static_cast<QMenu*>(nullptr);
    };
    QMenu* exports = submenu(MenuId::File, "Export");
    ASSERT_NE(exports, nullptr);
    EXPECT_FALSE(exports->actions().isEmpty());
    EXPECT_FALSE(exports->actions().front()->isSeparator());
    EXPECT_EQ(entry(MenuId::File, "runs.export"), nullptr) << "in the submenu alone";
    QMenu* themes = submenu(MenuId::View, "Theme");
    ASSERT_NE(themes, nullptr);
    EXPECT_EQ(themes->actions().size(), 3);
    for (const char* page : {"window.page_sweeps", "window.page_estimator", "window.page_settings"})
        EXPECT_NE(entry(MenuId::Tools, page), nullptr) << page;
    EXPECT_NE(entry(MenuId::Help, "window.report_problem"), nullptr);
}

TEST_F(ActionsTest, AboutHasTheLicenceOfEveryPart) {
    open();
    entry(MenuId::Help, "window.about")->trigger();
    auto* about = dialog<AboutDialog>();
    ASSERT_NE(about, nullptr);
    ASSERT_EQ(test::child<QListWidget>(*about)->count(), static_cast<int>(software_parts().size()));
    ASSERT_TRUE(QTest::qWaitFor([about] { return !test::child<QPlainTextEdit>(*about)->toPlainText().isEmpty(); }));
    EXPECT_TRUE(
        test::child<QPlainTextEdit>(*about)->toPlainText().contains(QStringLiteral("GNU GENERAL PUBLIC LICENSE")));
    about->close();
    // Whatever a program is linked with is in the list.
    for (const char* program : {"trainyard", "trainyard-desktop", "trainyard-worker"}) {
        QProcess reader;
        reader.start(
            QStringLiteral("readelf"),
            {QStringLiteral("-d"),
             QStringLiteral("%1/../bin/%2").arg(QCoreApplication::applicationDirPath(), QLatin1String(program))});
        ASSERT_TRUE(reader.waitForFinished()) << "readelf of binutils";
        int libraries = 0;
        for (const QByteArray& line : reader.readAllStandardOutput().split('\n')) {
            const QString name = QString::fromLatin1(line).section(QLatin1Char('['), 1).section(QLatin1Char(']'), 0, 0);
            if (!line.contains("(NEEDED)"))
                continue;
            ++libraries;
            bool known = false;
            for (const SoftwarePart& part : software_parts())
                for (const QString& start :
                     QString::fromLatin1(part.libraries).split(QLatin1Char(' '), Qt::SkipEmptyParts))
                    known = known || name.startsWith(start);
            EXPECT_TRUE(known) << name.toStdString() << " of " << program;
        }
        EXPECT_GT(libraries, 5) << program;
    }
}

TEST_F(ActionsTest, WhatsNewIsAPageOfTheManualAndPagesArePrinted) {
    open();
    entry(MenuId::Help, "window.whats_new")->trigger();
    SideWindow* side = window_->side({QLatin1String(HelpPage::kKey), {}});
    ASSERT_NE(side, nullptr);
    auto* help = qobject_cast<HelpPage*>(side->page());
    ASSERT_TRUE(QTest::qWaitFor([help] { return !help->isReading() && help->shown() == QLatin1String("changes"); }));
    ASSERT_TRUE(QTest::qWaitForWindowActive(side));
    const auto print = [&](const char* name) {
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_P, Qt::ControlModifier);
        auto* asked = dialog<QPrintDialog>();
        if (asked == nullptr)
            return QByteArray();
        const QString file = QString::fromStdString((folder_.path() / name).string());
        asked->printer()->setOutputFormat(QPrinter::PdfFormat);
        asked->printer()->setOutputFileName(file);
        emit asked->accepted();
        asked->close();
        QFile written(file);
        return written.open(QIODevice::ReadOnly) ? written.readAll() : QByteArray();
    };
    const QByteArray manual = print("manual.pdf");
    EXPECT_TRUE(manual.startsWith("%PDF")) << manual.size();
    EXPECT_GT(manual.count("/Type /Page\n"), 1) << "the whole page of the manual, not only what is visible";
    window_->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(window_.get()));
    window_->open({QStringLiteral("hosts"), {}});
    window_->currentPage()->setFocus();
    const QByteArray page = print("page.pdf");
    EXPECT_TRUE(page.startsWith("%PDF"));
    EXPECT_EQ(page.count("/Type /Page\n"), 1);
}

// Written by this test with TRAINYARD_WRITE_SHORTCUTS=1.
TEST_F(ActionsTest, TheManualListsEveryShortcut) {
    open();
    std::ostringstream text;
    text << "# Keyboard shortcuts\n\n"
            "The default shortcuts of the window. *Tools ▸ Edit shortcuts…* changes them; `?` lists those of the page "
            "that is shown. Keys\nof charts, timelines and text fields cannot be changed.\n";
    QStringList scopes;
    for (const Command& command : commands().commands())
        if (const QString scope = Commands::scopeTitle(command.scope()); !scopes.contains(scope))
            scopes << scope;
    for (const QString& scope : scopes) {
        bool first = true;
        for (const Command& command : commands().commands()) {
            if (Commands::scopeTitle(command.scope()) != scope || command.keys.isEmpty())
                continue;
            if (std::exchange(first, false))
                text << "\n## " << scope.toStdString() << "\n\n| Key | Command |\n| --- | --- |\n";
            QStringList keys;
            for (const QKeySequence& each : command.keys)
                keys << QLatin1Char('`') + each.toString(QKeySequence::PortableText) + QLatin1Char('`');
            text << "| " << keys.join(QStringLiteral(", ")).toStdString() << " | " << command.text().toStdString()
                 << " |\n";
        }
    }
    const std::filesystem::path file = TRAINYARD_SOURCE_DIR "/resources/manual/shortcuts.md";
    if (qEnvironmentVariableIsSet("TRAINYARD_WRITE_SHORTCUTS"))
        std::ofstream(file) << text.str();
    std::ostringstream written;
    written << std::ifstream(file).rdbuf();
    EXPECT_EQ(written.str(), text.str()) << "run this test with TRAINYARD_WRITE_SHORTCUTS=1";
}
