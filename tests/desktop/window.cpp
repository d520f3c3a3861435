// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <fstream>

#include <QApplication>
#include <QDropEvent>
#include <QGraphicsEffect>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

#include <gtest/gtest.h>

#include "desktop/launch/engine_link.h"
#include "desktop/runs/runs_page.h"
#include "desktop/runs/runs_proxy.h"
#include "desktop/shell/command_palette.h"
#include "desktop/shell/first_run_art.h"
#include "desktop/shell/first_run_page.h"
#include "desktop/shell/live_row.h"
#include "desktop/shell/notifications_page.h"
#include "desktop/shell/opener.h"
#include "desktop/shell/page.h"
#include "desktop/shell/rail.h"
#include "desktop/shell/settings_page.h"
#include "desktop/shell/view_state.h"
#include "desktop/wizard/page_list.h"
#include "desktop/wizard/step_page.h"
#include "desktop/wizard/wizard_page.h"
#include "fabricated_runs.h"
#include "run/paths.h"
#include "run/state.h"
#include "support/child.h"
#include "support/patience.h"
#include "support/picture.h"
#include "support/settle.h"
#include "support/window_fixture.h"
#include "widgets/inline_message.h"
#include "widgets/label.h"
#include "widgets/nav_button.h"
#include "widgets/theme.h"

using namespace trainyard;
using namespace trainyard::desktop;
using run::Status;

namespace {

class WindowTest : public test::WindowFixture {
  protected:
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::ControlModifier) {
        QTest::keyClick(window_.get(), key, modifiers);
    }
    /// Whether a visible label of the window has these words.
    bool says(const QString& words) const {
        const QList<QLabel*> labels = window_->findChildren<QLabel*>();
        return std::ranges::any_of(labels, [&](const QLabel* label) {
            const auto* elided = qobject_cast<const widgets::ElidedLabel*>(label);
            return label->isVisible() && (elided != nullptr ? elided->fullText() : label->text()).contains(words);
        });
    }
    QString title() const {
        auto* page = qobject_cast<Page*>(window_->currentPage());
        return page == nullptr ? QString() : page->title();
    }
};

}  // namespace

TEST_F(WindowTest, EmptyListIsTheFirstRunPage) {
    open();
    ASSERT_TRUE(QTest::qWaitFor([this] { return window_->currentPage() == window_->page<FirstRunPage>(); }));
    EXPECT_TRUE(window_->page<FirstRunPage>()->startButton()->isVisible());
    test::fabricate(root(), {.name = "first"});
    ASSERT_TRUE(QTest::qWaitFor([this] { return window_->currentPage() == window_->page<RunsPage>(); }));
    std::filesystem::remove_all(window_->store()->runs().first().path.toStdString());
    ASSERT_TRUE(QTest::qWaitFor([this] { return window_->currentPage() == window_->page<FirstRunPage>(); }));
}

// The note below one of them needs more lines than the others.
/// As without the right to read it, or on a disk with errors.
TEST_F(WindowTest, ARunsFolderThatCannotBeReadIsNotTheFirstRunPage) {
    const auto file = root() / "file";
    std::ofstream(file) << "not a folder";
    ::setenv("TRAINYARD_RUNS", file.c_str(), 1);
    open();
    ASSERT_TRUE(QTest::qWaitFor([this] { return qobject_cast<RunsPage*>(window_->currentPage()) != nullptr; }));
    EXPECT_TRUE(QTest::qWaitFor([this] { return says(QStringLiteral("cannot be read")); }));
    test::take_picture(window_.get());
}

TEST_F(WindowTest, TheButtonsOfTheFirstRunPageAreInOneLine) {
    open();
    ASSERT_TRUE(QTest::qWaitFor([this] { return window_->currentPage() == window_->page<FirstRunPage>(); }));
    const FirstRunPage* page = window_->page<FirstRunPage>();
    for (const int width : {1100, 1300, 1700}) {
        window_->resize(width, 760);
        test::settle();
        QSet<int> tops, bottoms;
        for (const auto* card : page->findChildren<const widgets::Card*>()) {
            const auto* button = card->findChild<const QPushButton*>();
            ASSERT_NE(button, nullptr);
            tops << button->mapTo(page, QPoint()).y();
            bottoms << button->mapTo(page, QPoint(0, button->height())).y();
        }
        EXPECT_EQ(tops.size(), 1) << width;
        EXPECT_EQ(bottoms.size(), 1) << width;
    }
}

TEST_F(WindowTest, WordsOfTheDropAreaAreBelowItsIcons) {
    widgets::Theme::instance().install(*qApp);
    for (const int percent : {100, 150, 200}) {
        widgets::Theme::instance().setTextSize(percent);
        const std::unique_ptr<QWidget> art(drop_art(QStringLiteral("drop it here")));
        art->resize(500, art->minimumHeight());
        const QImage picture = art->grab().toImage();
        // Groups of rows that are not blank, inside of the frame.
        constexpr int kFrame = 8;
        int groups = 0;
        bool was_blank = true;
        for (int y = kFrame; y < picture.height() - kFrame; ++y) {
            bool is_blank = true;
            for (int x = kFrame; x < picture.width() - kFrame; ++x)
                is_blank = is_blank && picture.pixel(x, y) == picture.pixel(kFrame, kFrame);
            groups += was_blank && !is_blank ? 1 : 0;
            was_blank = is_blank;
        }
        EXPECT_EQ(groups, 2) << percent << " %: the icons and the words";
    }
    widgets::Theme::instance().setTextSize(100);
}

TEST_F(WindowTest, EveryPlaceOpensByKey) {
    test::fabricate(root(), {.name = "one"});
    open();
    const std::pair<Qt::Key, const char*> places[] = {
        {Qt::Key_N, "New run"}, {Qt::Key_1, "Runs"},        {Qt::Key_2, "Hosts"},        {Qt::Key_3, "Estimator"},
        {Qt::Key_4, "Traces"},  {Qt::Key_5, "Checkpoints"}, {Qt::Key_Comma, "Settings"},
    };
    for (const auto& [key, name] : places) {
        press(key);
        EXPECT_EQ(title().toStdString(), name);
    }
    press(Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_EQ(title().toStdString(), "Notifications");
    press(Qt::Key_Left, Qt::AltModifier);
    EXPECT_EQ(title().toStdString(), "Settings");
    press(Qt::Key_Left, Qt::AltModifier);
    EXPECT_EQ(title().toStdString(), "Checkpoints");
    press(Qt::Key_Right, Qt::AltModifier);
    EXPECT_EQ(title().toStdString(), "Settings");
    EXPECT_TRUE(window_->rail()->button(QStringLiteral("settings"))->isChecked());
    EXPECT_FALSE(window_->rail()->button(QStringLiteral("runs"))->isChecked());
}

TEST_F(WindowTest, RailFoldsAndRemembers) {
    open();
    EXPECT_EQ(window_->rail()->width(), 212);
    press(Qt::Key_B);
    EXPECT_TRUE(window_->rail()->isFolded());
    EXPECT_EQ(window_->rail()->width(), 56);
    EXPECT_TRUE(preferences_->railFolded());
    press(Qt::Key_B);
    EXPECT_EQ(window_->rail()->width(), 212);
}

TEST_F(WindowTest, PaletteFindsActionsAndRuns) {
    test::fabricate(root(), {.name = "gpt-small"});
    test::fabricate(root(), {.name = "bert-base", .age_s = 50});
    open();
    press(Qt::Key_K);
    ASSERT_TRUE(window_->palette()->isVisible());
    QLineEdit* field = window_->palette()->field();
    QListWidget* list = window_->palette()->list();
    QTest::keyClicks(field, "sett");
    ASSERT_GT(list->count(), 0);
    EXPECT_EQ(list->item(0)->text(), QStringLiteral("Go to Settings"));
    QTest::keyClick(field, Qt::Key_Return);
    EXPECT_FALSE(window_->palette()->isVisible());
    EXPECT_EQ(title().toStdString(), "Settings");

    press(Qt::Key_K);
    QTest::keyClicks(field, "bert");
    ASSERT_EQ(list->count(), 1);
    field->setText(QStringLiteral(">bert"));
    EXPECT_EQ(list->count(), 0);
    field->setText(QStringLiteral("bert"));
    QTest::keyClick(field, Qt::Key_Return);
    EXPECT_NE(title().toStdString(), "Settings");
    press(Qt::Key_K);
    QTest::keyClick(field, Qt::Key_Escape);
    EXPECT_FALSE(window_->palette()->isVisible());
}

TEST_F(WindowTest, ThePaletteFindsHostsKeysSettingsAndSteps) {
    open();
    auto* palette = window_->palette();
    auto first = [palette] { return palette->list()->count() == 0 ? QString() : palette->list()->item(0)->text(); };
    press(Qt::Key_K);
    palette->field()->setText(QStringLiteral("@"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return first() == QStringLiteral("This machine"); }));
    QTest::keyClick(palette->field(), Qt::Key_Return);
    EXPECT_EQ(title().toStdString(), "Hosts");

    press(Qt::Key_K);
    palette->field()->setText(QStringLiteral("folder for runs"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return first() == QStringLiteral("Folder for runs"); }));
    QTest::keyClick(palette->field(), Qt::Key_Return);
    EXPECT_EQ(title().toStdString(), "Settings");

    press(Qt::Key_K);
    palette->field()->setText(QStringLiteral(":12"));
    EXPECT_EQ(first().toStdString(), "This page has no steps");
    palette->field()->setText(QStringLiteral("key=mixed"));
    EXPECT_TRUE(first().endsWith(QStringLiteral("mixed_precision"))) << first().toStdString();
    palette->field()->setText(QStringLiteral("main_process_port=29501"));
    ASSERT_TRUE(first().endsWith(QStringLiteral("main_process_port"))) << first().toStdString();
    palette->field()->setText(QStringLiteral("run"));
    test::take_picture(window_.get());
    palette->field()->setText(QStringLiteral("main_process_port=29501"));
    QTest::keyClick(palette->field(), Qt::Key_Return);
    EXPECT_EQ(window_->currentPage(), window_->page<WizardPage>());
}

TEST_F(WindowTest, ThePaletteFindsKeysOfTheRecipeAndRanksWholeWordsFirst) {
    open();
    auto* palette = window_->palette();
    auto first = [palette] { return palette->list()->count() == 0 ? QString() : palette->list()->item(0)->text(); };
    press(Qt::Key_K);
    palette->field()->setText(QStringLiteral("warmup"));
    EXPECT_TRUE(first().endsWith(QStringLiteral("schedule.warmup_steps"))) << first().toStdString();
    palette->field()->setText(QStringLiteral("learning rate"));
    EXPECT_TRUE(first().endsWith(QStringLiteral("optimizer.lr"))) << first().toStdString();
    QTest::keyClick(palette->field(), Qt::Key_Return);
    ASSERT_EQ(window_->currentPage(), window_->page<WizardPage>());
    EXPECT_EQ(window_->page<WizardPage>()->currentStep(), Step::Training);
}

TEST_F(WindowTest, AQuestionMarkShowsTheKeysOfThisPage) {
    const test::ViewsFolder views;  // keeps the filter that is typed here out of other tests
    test::fabricate(root(), {.name = "gpt-small"});
    open();
    auto* palette = window_->palette();
    auto words = [palette] {
        QStringList all;
        for (int i = 0; i < palette->list()->count(); ++i)
            all << palette->list()->item(i)->text();
        return all;
    };
    ASSERT_TRUE(QTest::qWaitFor([this] { return window_->currentPage() == window_->page<RunsPage>(); }));
    QTest::keyClick(window_.get(), Qt::Key_Question, Qt::ShiftModifier);
    ASSERT_TRUE(palette->isVisible());
    EXPECT_TRUE(words().contains(QStringLiteral("Select for comparison")))
        << words().join(QStringLiteral("|")).toStdString();
    EXPECT_FALSE(words().contains(QStringLiteral("Theme: dark"))) << "this shortcut does not belong to the page";
    palette->dismiss();
    window_->context()->openRun(window_->store()->runs().first().id);
    QTest::keyClick(window_->currentPage(), Qt::Key_Question, Qt::ShiftModifier);
    EXPECT_TRUE(words().contains(QStringLiteral("Checkpoint now"))) << words().join(QStringLiteral("|")).toStdString();
    EXPECT_FALSE(words().contains(QStringLiteral("Select for comparison")));
    palette->dismiss();
    // In a text field the key types a letter.
    window_->open({QStringLiteral("runs"), {}});
    window_->page<RunsPage>()->find();
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Question, Qt::ShiftModifier);
    EXPECT_FALSE(palette->isVisible());
}

TEST_F(WindowTest, EscapeLeavesAPage) {
    test::fabricate(root(), {.name = "gpt-small"});
    open();
    ASSERT_TRUE(QTest::qWaitFor([this] { return window_->currentPage() == window_->page<RunsPage>(); }));
    for (const char* place : {"settings", "hosts", "new", "notifications"}) {
        window_->open({QStringLiteral("runs"), {}});
        window_->open({QLatin1String(place), {}});
        QWidget* there = window_->currentPage();
        ASSERT_NE(there, window_->page<RunsPage>());
        QTest::keyClick(QApplication::focusWidget() != nullptr ? QApplication::focusWidget() : there, Qt::Key_Escape);
        EXPECT_EQ(window_->currentPage(), window_->page<RunsPage>()) << place;
    }
    window_->context()->openRun(window_->store()->runs().first().id);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
    EXPECT_EQ(window_->currentPage(), window_->page<RunsPage>());
}

TEST_F(WindowTest, NotificationsAreThereAgainAndSayWhatEndedMeanwhile) {
    const test::ViewsFolder views;
    const run::RunPaths live(test::fabricate(root(), {.name = "overnight", .status = Status::running, .step = 10}));
    Options options;
    open(options);
    ASSERT_TRUE(QTest::qWaitFor([this] { return window_->store()->liveCount() == 1; }));
    window_->page<NotificationsPage>()->addText(QStringLiteral("A test speaks"), QStringLiteral("for the next window"));
    window_.reset();
    ViewState::instance().flush();
    // While no window is open the run ends.
    run::RunState state = run::read_state(live).value();
    state.status = Status::finished;
    state.ended = state.heartbeat;
    run::write_state(live, state, false);
    open(options);
    const auto says = [this](const QString& words) {
        for (const QLabel* label : window_->page<NotificationsPage>()->findChildren<QLabel*>())
            if (label->text().contains(words))
                return true;
        return false;
    };
    EXPECT_TRUE(says(QStringLiteral("A test speaks")));
    EXPECT_TRUE(QTest::qWaitFor([&] { return says(QStringLiteral("overnight")); }));
    EXPECT_EQ(window_->page<NotificationsPage>()->unread(), 1)
        << "notifications that were read must not be counted again";
}

TEST_F(WindowTest, MoreThanFiftyNotificationsSayHowManyWereDropped) {
    const test::ViewsFolder views;
    open();
    const auto rest = [this] {
        QString words;
        for (const QLabel* label : window_->page<NotificationsPage>()->findChildren<QLabel*>())
            if (label->text().contains(QStringLiteral("dropped")) && !label->isHidden())
                words = label->text();
        return words;
    };
    const auto titles = [this] {
        int count = 0;
        for (const QLabel* label : window_->page<NotificationsPage>()->findChildren<QLabel*>())
            count += label->text().startsWith(QStringLiteral("Title "));
        return count;
    };
    for (int i = 0; i < 50; ++i)
        window_->page<NotificationsPage>()->addText(QStringLiteral("Title %1").arg(i), QStringLiteral("words"));
    EXPECT_EQ(rest().toStdString(), "");
    window_->page<NotificationsPage>()->addText(QStringLiteral("Title 50"), QStringLiteral("words"));
    EXPECT_EQ(rest().toStdString(), "The newest 50 are shown; 1 older notification was dropped.");
    window_->page<NotificationsPage>()->addText(QStringLiteral("Title 51"), QStringLiteral("words"));
    EXPECT_EQ(rest().toStdString(), "The newest 50 are shown; 2 older notifications were dropped.");
    EXPECT_TRUE(QTest::qWaitFor([&] { return titles() == 50; })) << titles();
    window_.reset();
    ViewState::instance().flush();
    open();
    EXPECT_EQ(titles(), 50);
    EXPECT_EQ(rest().toStdString(), "The newest 50 are shown; 2 older notifications were dropped.");
}

TEST_F(WindowTest, FilterLeavesTheListWhenItIsWrong) {
    for (int i = 0; i < 3; ++i)
        test::fabricate(root(), {.name = "run-" + std::to_string(i), .age_s = 100.0 * (i + 1)});
    open();
    RunsPage* runs = window_->page<RunsPage>();
    ASSERT_TRUE(QTest::qWaitFor([&] { return test::child<RunsProxy>(*runs)->rowCount() == 3; }));
    press(Qt::Key_F);
    EXPECT_TRUE(runs->filter()->hasFocus());
    QTest::keyClicks(runs->filter(), "run-1");
    EXPECT_EQ(test::child<RunsProxy>(*runs)->rowCount(), 1);
    runs->filter()->setText(QStringLiteral("run-1 loss>>2"));
    EXPECT_TRUE(runs->filter()->property("invalid").toBool());
    EXPECT_EQ(test::child<RunsProxy>(*runs)->rowCount(), 1);
    runs->filter()->clear();
    EXPECT_FALSE(runs->filter()->property("invalid").toBool());
    EXPECT_EQ(test::child<RunsProxy>(*runs)->rowCount(), 3);
}

TEST_F(WindowTest, LiveRunsStandInTheRailAndFailedOnesStay) {
    const auto folder = test::fabricate(root(), {.name = "live", .status = Status::running, .step = 100});
    open();
    ASSERT_TRUE(QTest::qWaitFor([this] { return window_->rail()->findChildren<LiveRow*>().size() == 1; }));
    run::RunState state = *run::read_state(run::RunPaths(folder));
    state.status = Status::failed;
    state.first_failure.emplace();
    state.first_failure->message = "Rank 0 ran out of memory at step 100.";
    run::write_state(run::RunPaths(folder), state);
    ASSERT_TRUE(QTest::qWaitFor([this] { return window_->store()->liveCount() == 0; }));
    EXPECT_EQ(QApplication::activeWindow(), window_.get()) << "a notification must not take the focus";
    auto* row = test::child<LiveRow>(*window_->rail());
    ASSERT_NE(row, nullptr);
    EXPECT_EQ(row->toolTip().toStdString(), "Rank 0 ran out of memory at step 100.");
    EXPECT_TRUE(
        window_->rail()->button(QStringLiteral("notifications"))->accessibleName().contains(QStringLiteral("1")));
    row->click();
    window_->store()->refresh();
    EXPECT_TRUE(QTest::qWaitFor([this] {
        window_->rail()->setRuns(window_->store()->runs());
        return window_->rail()->findChildren<LiveRow*>().isEmpty();
    }));
    press(Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_EQ(title().toStdString(), "Notifications");
    EXPECT_FALSE(
        window_->rail()->button(QStringLiteral("notifications"))->accessibleName().contains(QStringLiteral("1")));
}

TEST_F(WindowTest, MissingEngineIsSaidWithAWayOut) {
    open();
    window_->engine()->locate(QStringLiteral("/nowhere/trainyard"));
    if (window_->engine()->program().isEmpty()) {
        EXPECT_TRUE(window_->engine()->problem().contains(QStringLiteral("/nowhere/trainyard")));
        EXPECT_TRUE(QTest::qWaitFor([this] {
            for (QPushButton* button : window_->page<FirstRunPage>()->findChildren<QPushButton*>())
                if (button->text().startsWith(QStringLiteral("Choose engine")))
                    return button->isVisible();
            return false;
        }));
    }
    QString error;
    EngineLink lost;
    lost.start({QStringLiteral("x.yaml")}, [&](const QString&, const QString& words) { error = words; });
    EXPECT_FALSE(error.isEmpty());
}

TEST_F(WindowTest, EngineAnswerIsReadFromTheLastObject) {
    EXPECT_EQ(EngineLink::parseAnswer("warning: x\n{\"run_id\":\"a\",\"path\":\"/r/a\"}\n"), QStringLiteral("/r/a"));
    EXPECT_EQ(EngineLink::parseAnswer("{\n \"path\": \"/r/b\"\n}\n"), QStringLiteral("/r/b"));
    EXPECT_EQ(EngineLink::parseAnswer("nothing"), QString());
}

TEST_F(WindowTest, SettingsApplyAtOnce) {
    open();
    press(Qt::Key_Comma);
    auto* settings = qobject_cast<SettingsPage*>(window_->currentPage());
    ASSERT_NE(settings, nullptr);
    EXPECT_TRUE(widgets::Theme::instance().isDark());
    for (QPushButton* button : settings->findChildren<QPushButton*>())
        if (button->text() == QStringLiteral("Light"))
            button->click();
    EXPECT_FALSE(widgets::Theme::instance().isDark());
    EXPECT_EQ(preferences_->theme(), widgets::ThemeChoice::Light);
    const QImage usual = window_->grab().toImage();
    for (const char* choice : {"Without green", "Usual"})
        for (QPushButton* button : settings->findChildren<QPushButton*>())
            if (button->text() == QLatin1String(choice)) {
                button->click();
                const bool preview = choice == QByteArray("Without green");
                EXPECT_EQ(window_->centralWidget()->graphicsEffect() != nullptr, preview);
                EXPECT_EQ(window_->grab().toImage() != usual, preview) << choice;
            }
}

TEST_F(WindowTest, OpensFoldersRunsAndRecipes) {
    const auto folder = test::fabricate(root(), {.name = "one"});
    test::TemporaryFolder text;
    std::ofstream(text.path() / "book.txt") << "once upon a time\n";
    open();
    window_->context()->openPath(QString::fromStdString(text.path().string()));
    // A thread reads the folder, and the sample is read before its draft gets the data.
    ASSERT_TRUE(QTest::qWaitFor([this] { return title() == QStringLiteral("New run"); }, 10000));
    auto* wizard = window_->page<WizardPage>();
    const auto data = [&] { return wizard->draft()->recipeValue(QStringLiteral("data.path")).toStdString(); };
    EXPECT_TRUE(QTest::qWaitFor([&] { return data() == text.path().string(); }, 10000)) << data();
    EXPECT_FALSE(wizard->question()->isVisible()) << "a new draft holds no work";
    window_->context()->openPath(QString::fromStdString(folder.string()));
    EXPECT_TRUE(QTest::qWaitFor([this] { return title() != QStringLiteral("New run"); }, 10000));
}

TEST_F(WindowTest, WhatIsOpenedNeverChangesADraftUnasked) {
    test::fabricate(root(), {.name = "one"});
    test::TemporaryFolder files;
    const auto file = [&](const char* name, const std::string& content) {
        std::ofstream(files.path() / name, std::ios::binary) << content;
        return QString::fromStdString((files.path() / name).string());
    };
    const std::string header = R"({"w": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}})";
    std::string weights{static_cast<char>(header.size()), 0, 0, 0, 0, 0, 0, 0};
    weights += header + std::string(4, '\0');
    open();
    window_->open({QLatin1String(WizardPage::kKey), {}});
    auto* wizard = window_->page<WizardPage>();
    ASSERT_TRUE(QTest::qWaitFor([&] { return wizard->isChecked(); }, 10000));
    wizard->draft()->setRecipeValue(QStringLiteral("training.steps"), QStringLiteral("77"));
    wizard->draft()->setRecipeValue(QStringLiteral("data.path"), QStringLiteral("/data/mine"));
    const std::string draft = wizard->draft()->recipeYaml();
    // Weights open where weights are shown.
    window_->context()->openPath(file("model.safetensors", weights));
    ASSERT_TRUE(QTest::qWaitFor([this] { return title() == QStringLiteral("Checkpoints"); }, 10000));
    EXPECT_EQ(wizard->draft()->recipeYaml(), draft);
    // An unknown file is not opened, and the window says so.
    QSignalSpy found(window_->context()->opener(), &Opener::found);
    window_->context()->openPath(file("blob.dat", std::string("\x7f"
                                                              "ELF\0\1\2",
                                                              7)));
    ASSERT_TRUE(QTest::qWaitFor([&] { return found.count() == 1; }, 10000));
    EXPECT_EQ(title(), QStringLiteral("Checkpoints"));
    EXPECT_EQ(wizard->draft()->recipeYaml(), draft);
    // Data and settings ask.
    for (const QString& path :
         {file("table.csv", "a;b\n1;2\n"), file("other.yaml", "name: other\nmodel:\n  n_layer: 2\n")}) {
        window_->context()->openPath(path);
        ASSERT_TRUE(QTest::qWaitFor([&] { return wizard->isVisible() && wizard->question()->isVisible(); }, 10000))
            << path.toStdString();
        EXPECT_EQ(wizard->draft()->recipeYaml(), draft);
        wizard->question()->dismiss();
    }
    window_->context()->openPath(file("table.csv", "a;b\n1;2\n"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return wizard->question()->isVisible(); }, 10000));
    QTest::mouseClick(wizard->answerButton(), Qt::LeftButton);
    EXPECT_TRUE(wizard->draft()->recipeValue(QStringLiteral("data.path")).endsWith(QStringLiteral("table.csv")));
    EXPECT_EQ(wizard->draft()->recipeValue(QStringLiteral("training.steps")), QStringLiteral("77"));
}

/// A page has the focus itself when it is opened: Tab goes to its first control, not to that of the window.
TEST_F(WindowTest, TabStartsInThePageThatWasOpened) {
    const auto run = test::fabricate(root(), {.name = "one", .step = 400, .of = 400});
    open();
    window_->context()->openRun(QString::fromStdString(run.filename().string()));
    test::settle();
    ASSERT_TRUE(QTest::qWaitFor([this] { return window_->currentPage()->hasFocus(); }));
    QWidget* page = window_->currentPage();
    press(Qt::Key_Tab, {});
    EXPECT_TRUE(page->isAncestorOf(window_->focusWidget()));
    const QWidget* first = window_->focusWidget();
    page->setFocus();
    press(Qt::Key_F6, {});
    EXPECT_EQ(window_->focusWidget(), first);
    page->setFocus();
    QTest::keyClick(page, Qt::Key_Backtab, Qt::ShiftModifier);
    EXPECT_FALSE(page->isAncestorOf(window_->focusWidget()));
}

/// From the sidebar over every panel of the page to the line at the foot, and back, on each page.
TEST_F(WindowTest, F6GoesFromPanelToPanel) {
    const auto run = test::fabricate(root(), {.name = "one", .step = 400, .of = 400});
    open();
    for (const char* page : {"runs", "run", "estimator", "hosts", "new", "settings"}) {
        SCOPED_TRACE(page);
        window_->open({QLatin1String(page), QLatin1String(page) == QLatin1String("run")
                                                ? QString::fromStdString(run.filename().string())
                                                : QString()});
        test::settle();
        window_->currentPage();
        QWidget* first = window_->rail()->button(QStringLiteral("runs"));
        first->setFocus();
        QList<QWidget*> met;
        for (QWidget* focus = nullptr; met.size() < 30;) {
            press(Qt::Key_F6, {});
            focus = window_->focusWidget();
            ASSERT_NE(focus, nullptr);
            if (met.contains(focus))
                break;
            EXPECT_TRUE(focus->isVisible() && focus->isEnabled());
            met << focus;
        }
        EXPECT_GE(met.size(), 3);
        if (QLatin1String(page) == QLatin1String("new")) {
            auto* wizard = window_->page<WizardPage>();
            QList<QWidget*> stops{wizard->findChild<PageList*>(), wizard->launchButton()->parentWidget()};
            for (StepPage* each : wizard->findChildren<StepPage*>())
                if (each->isVisible())
                    stops << each;
            EXPECT_EQ(stops.size(), 3) << "the list of pages, the buttons, and the fields";
            for (const QWidget* part : stops)
                EXPECT_TRUE(std::ranges::any_of(met, [part](const QWidget* each) { return part->isAncestorOf(each); }))
                    << part->metaObject()->className() << " is not among the " << met.size() << " panels";
        }
        EXPECT_TRUE(
            std::ranges::any_of(met, [this](const QWidget* each) { return window_->rail()->isAncestorOf(each); }));
        EXPECT_TRUE(std::ranges::any_of(
            met, [this](const QWidget* each) { return window_->currentPage()->isAncestorOf(each); }));
        met.last()->setFocus();
        for (qsizetype i = met.size() - 1; i-- > 0;) {
            press(Qt::Key_F6, Qt::ShiftModifier);
            EXPECT_EQ(window_->focusWidget(), met[i]);
        }
    }
}

/// As on a disk that does not answer. The other pages work meanwhile.
TEST_F(WindowTest, AListThatTakesLongSaysSo) {
    preferences_ = std::make_unique<Preferences>();
    window_ = std::make_unique<MainWindow>(preferences_.get(), Options());
    window_->appear();  // what reads the list has not begun
    ASSERT_TRUE(QTest::qWaitForWindowActive(window_.get()));
    EXPECT_TRUE(QTest::qWaitFor([this] { return says(QStringLiteral("Reading the list of runs")); }, kPatience));
    EXPECT_TRUE(says(QString::fromStdString(root().string())));
    test::take_picture(window_.get());
    press(Qt::Key_2);
    EXPECT_EQ(title().toStdString(), "Hosts");
    press(Qt::Key_1);
    test::fabricate(root(), {.name = "one"});
    window_->begin();
    EXPECT_TRUE(QTest::qWaitFor([this] { return window_->currentPage() == window_->page<RunsPage>(); }, kPatience));
}

/// Ten files at once have no page, so nothing is opened, and the window says what to do.
TEST_F(WindowTest, WhatCannotBeOpenedIsSaidWhenItIsDropped) {
    test::fabricate(root(), {.name = "one"});
    open();
    QMimeData files;
    QList<QUrl> urls;
    for (int i = 0; i < 10; ++i)
        urls << QUrl::fromLocalFile(QStringLiteral("/data/%1.csv").arg(i));
    files.setUrls(urls);
    QSignalSpy found(window_->context()->opener(), &Opener::found);
    QDragEnterEvent enter({200, 300}, Qt::CopyAction | Qt::MoveAction, &files, Qt::LeftButton, {});
    QApplication::sendEvent(window_.get(), &enter);
    ASSERT_TRUE(enter.isAccepted());
    QDropEvent drop({200, 300}, Qt::CopyAction | Qt::MoveAction, &files, Qt::LeftButton, {});
    QApplication::sendEvent(window_.get(), &drop);
    EXPECT_EQ(drop.dropAction(), Qt::CopyAction);
    EXPECT_TRUE(says(QStringLiteral("not 10")));
    QMimeData text;
    text.setText(QStringLiteral("once upon a time"));
    QDragEnterEvent other({200, 300}, Qt::CopyAction, &text, Qt::LeftButton, {});
    QApplication::sendEvent(window_.get(), &other);
    EXPECT_FALSE(other.isAccepted());
    test::settle();
    EXPECT_EQ(found.count(), 0);
}

/// A page that opens one kind of file must not take files of other kinds.
TEST_F(WindowTest, WhatIsDroppedOpensWhereItBelongsOnEveryPage) {
    test::fabricate(root(), {.name = "one"});
    test::TemporaryFolder files;
    std::ofstream(files.path() / "book.txt") << "once upon a time\n";
    QMimeData text;
    text.setUrls({QUrl::fromLocalFile(QString::fromStdString((files.path() / "book.txt").string()))});
    open();
    const auto drop = [](QWidget* onto, const QMimeData& data) {
        QDragEnterEvent enter({200, 300}, Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(onto, &enter);
        if (!enter.isAccepted())
            return false;
        QDropEvent event({200, 300}, Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(onto, &event);
        return true;
    };
    for (const char* page : {"checkpoints", "architecture", "hosts", "runs"}) {
        window_->open({QLatin1String(page), {}});
        // As Qt does: the page is asked first, then the window around it.
        EXPECT_TRUE(drop(window_->currentPage(), text) || drop(window_.get(), text)) << page;
        EXPECT_TRUE(QTest::qWaitFor([this] { return title() == QStringLiteral("New run"); }, 10000)) << page;
    }
    QMimeData address;
    address.setText(QStringLiteral("gpu-a:runs/checkpoint_1"));
    window_->open({QStringLiteral("checkpoints"), {}});
    QDragEnterEvent enter({200, 300}, Qt::CopyAction, &address, Qt::LeftButton, {});
    QApplication::sendEvent(window_->currentPage(), &enter);
    EXPECT_TRUE(enter.isAccepted()) << "only this page knows that it is an address of checkpoints";
}

TEST_F(WindowTest, NothingIsClippedInTheSmallestWindow) {
    for (int i = 0; i < 3; ++i)
        test::fabricate(root(),
                        {.name = "a-run-with-quite-a-long-name-" + std::to_string(i), .age_s = 100.0 * (i + 1)});
    Options options;
    options.size = QSize(1100, 700);
    open(options);
    ASSERT_TRUE(QTest::qWaitFor([this] { return window_->currentPage() == window_->page<RunsPage>(); }));
    EXPECT_EQ(window_->size(), QSize(1100, 700));
    for (const QString& place : {QStringLiteral("runs"), QStringLiteral("new"), QStringLiteral("settings"),
                                 QStringLiteral("hosts"), QStringLiteral("notifications")}) {
        window_->open({place, {}});
        if (place == QLatin1String("new")) {
            ASSERT_TRUE(QTest::qWaitFor([this] { return window_->page<WizardPage>()->isChecked(); }, 10000));
        }
        test::settle();
        for (QPushButton* button : window_->currentPage()->findChildren<QPushButton*>()) {
            if (button->isVisible()) {
                EXPECT_GE(button->width(), button->minimumSizeHint().width())
                    << button->text().toStdString() << button->accessibleName().toStdString();
            }
        }
        for (QLabel* label : window_->currentPage()->findChildren<QLabel*>()) {
            if (label->isVisible() && !label->wordWrap()) {
                EXPECT_GE(label->width(), label->minimumSizeHint().width()) << label->text().toStdString();
            }
        }
    }
    EXPECT_LE(window_->minimumSizeHint().width(), 1100);
    EXPECT_LE(window_->minimumSizeHint().height(), 700);
}
