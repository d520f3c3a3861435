// SPDX-License-Identifier: GPL-3.0-or-later
// Runs and files of others in the real window: nothing that they name is executed here before the user has seen it, and
// a folder that says that it is a mirror makes no connection before the user agrees.

#include <algorithm>
#include <fstream>
#include <set>
#include <string>

#include <QDir>
#include <QLabel>
#include <QMenu>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QTableView>

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "desktop/dashboard/failure_panel.h"
#include "desktop/dashboard/run_header.h"
#include "desktop/dashboard/run_page.h"
#include "desktop/launch/consent_dialog.h"
#include "desktop/launch/run_starter.h"
#include "desktop/launch/start_look.h"
#include "desktop/runs/mirror_keeper.h"
#include "desktop/runs/run_store.h"
#include "desktop/runs/runs_page.h"
#include "desktop/runs/runs_proxy.h"
#include "desktop/shell/consent.h"
#include "fabricated_runs.h"
#include "run/folder_record.h"
#include "run/mirror.h"
#include "support/child.h"
#include "wizard_fixture.h"

using namespace trainyard;
using namespace trainyard::desktop;

namespace {

namespace fs = std::filesystem;

constexpr const char* kLibrary = "/x/evil.so";
constexpr const char* kCommand = "/bin/evil --now";
constexpr const char* kProgram =
    "recipe_file: /x/recipe.yaml\nprogram: {command: [/bin/evil, --now], environment: {LD_PRELOAD: /x/y.so}}\n"
    "launch: {num_processes: 1}\n";

class UntrustedRuns : public test::WizardFixture {
  protected:
    void SetUp() override {
        WizardFixture::SetUp();
        fs::create_directories(runs());
        open(cpu());
        // Records what it was started with, instead of the engine.
        const fs::path engine = folder_.path() / "trainyard";
        std::ofstream(engine)
            << "#!/bin/sh\n[ \"$1\" = --version ] && { echo trainyard 0.1.0; exit 0; }\necho \"$@\" >> "
            << log().string() << "\necho '{\"run_id\": \"x\", \"path\": \"/nowhere/x\"}'\n";
        fs::permissions(engine, fs::perms::owner_all);
        window_->store()->start();
        window_->engine()->locate(QString::fromStdString(engine.string()));
        ASSERT_TRUE(QTest::qWaitFor([this] { return window_->engine()->isReady(); }));
    }
    fs::path runs() const { return folder_.path() / "TRAINYARD_RUNS"; }
    fs::path log() const { return folder_.path() / "started"; }
    std::string started() const { return fs::exists(log()) ? read_file(log(), 1 << 20) : ""; }
    static fs::path put(const fs::path& folder, const std::string& spec = kProgram) {
        fs::create_directories(folder);
        std::ofstream(folder / "run.yaml") << spec;
        return folder;
    }
    ConsentDialog* question() const {
        for (ConsentDialog* each : window_->findChildren<ConsentDialog*>())
            if (each->isVisible())
                return each;
        return nullptr;
    }
    ConsentDialog* waitForQuestion() const {
        return QTest::qWaitFor([this] { return question() != nullptr; }) ? question() : nullptr;
    }
    /// In both themes, where TRAINYARD_TEST_PICTURES names a folder.
    void picture(const std::string& name) {
        const char* folder = std::getenv("TRAINYARD_TEST_PICTURES");
        if (folder == nullptr || !pictured_.insert(name).second)
            return;  // the same question looks the same
        for (const auto theme : {widgets::ThemeChoice::Light, widgets::ThemeChoice::Dark}) {
            widgets::Theme::instance().setChoice(theme);
            QApplication::processEvents();
            question()->grab().save(
                QStringLiteral("%1/consent-%2-%3.png")
                    .arg(QLatin1String(folder), QString::fromStdString(name),
                         theme == widgets::ThemeChoice::Light ? QStringLiteral("light") : QStringLiteral("dark")));
        }
    }
    void answer(bool yes) {
        ConsentDialog* dialog = question();
        ASSERT_NE(dialog, nullptr);
        if (yes)
            dialog->verb()->click();
        else
            dialog->reject();
        ASSERT_TRUE(QTest::qWaitFor([this] { return question() == nullptr; }));
        // After its picture was taken, the closed question left no window active.
        window_->activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(window_.get()));
    }
    void again(const fs::path& folder) {
        window_->context()->starter()->startFile(QString::fromStdString((folder / "run.yaml").string()));
    }
    /// The folder of a run that failed, as a host may have sent it.
    fs::path putFailed(const fs::path& root, const std::string& name, bool is_program) const {
        fs::create_directories(root);
        const fs::path folder =
            test::fabricate(root, {.name = name, .status = run::Status::failed, .step = 5, .of = 10, .failure = "no"});
        if (is_program) {
            put(folder);
        } else {
            run::RunSpec spec = run::read_spec(folder / "run.yaml");
            spec.recipe.plugins = {kLibrary};
            run::write_spec(run::RunPaths(folder), spec);
        }
        return folder;
    }
    RunPage* openRun(const fs::path& folder) {
        const QString subject = AppContext::runSubject(QString::fromStdString(folder.string()));
        EXPECT_TRUE(QTest::qWaitFor(
            [&] { return QDir::isAbsolutePath(subject) || window_->store()->find(subject) != nullptr; }, 20000))
            << "the list of runs lacks " << subject.toStdString();
        window_->context()->openRun(subject);
        RunPage* page = nullptr;
        const bool shown = QTest::qWaitFor(
            [&] {
                page = qobject_cast<RunPage*>(window_->currentPage());
                return page != nullptr && page->record()->paths().root() == folder && page->record()->isCaughtUp() &&
                       test::child<RunHeader>(*page)->againButton()->isVisible();
            },
            20000);
        if (!shown)
            ADD_FAILURE() << (page == nullptr ? std::string("no page of a run but ") +
                                                    window_->currentPage()->metaObject()->className()
                              : page->record()->paths().root() != folder
                                  ? "the page of " + page->record()->paths().root().string()
                              : !page->record()->isCaughtUp() ? "the record is still being read"
                                                              : "the button is hidden");
        return shown ? page : nullptr;
    }
    RunsPage* openList(const fs::path& chosen) {
        window_->open({QStringLiteral("runs"), {}});
        RunsPage* page = nullptr;
        const bool shown = QTest::qWaitFor(
            [&] {
                page = qobject_cast<RunsPage*>(window_->currentPage());
                if (page == nullptr)
                    return false;
                auto* proxy = test::child<RunsProxy>(*page);
                for (int row = 0; row < proxy->rowCount(); ++row)
                    if (proxy->at(proxy->index(row, 0)).path == QString::fromStdString(chosen.string())) {
                        page->table()->setCurrentIndex(proxy->index(row, 0));
                        window_->activateWindow();
                        page->table()->setFocus();
                        return page->table()->hasFocus();
                    }
                return false;
            },
            20000);
        return shown ? page : nullptr;
    }
    /// Whether the question has this text.
    bool says(const QString& words) const {
        for (const QLabel* label : question()->findChildren<QLabel*>())
            if (label->text().contains(words))
                return true;
        return false;
    }
    /// The button of the dashboard; with a checkpoint it has a menu.
    static void runAgain(RunPage* page) {
        QPushButton* button = test::child<RunHeader>(*page)->againButton();
        if (button->menu() == nullptr) {
            QTest::mouseClick(button, Qt::LeftButton);
            return;
        }
        for (QAction* action : button->menu()->actions())
            if (action->text() == QStringLiteral("Run again from the start"))
                action->trigger();
    }
    /// Any shared library: the checks look at its head only.
    static std::string anyLibrary() {
        for (const char* candidate :
             {"/lib/x86_64-linux-gnu/libm.so.6", "/lib/aarch64-linux-gnu/libm.so.6", "/lib64/libm.so.6"})
            if (fs::exists(candidate))
                return candidate;
        return {};
    }
    bool waitForStart(int count) {
        return QTest::qWaitFor([&] {
            const std::string text = started();
            return std::count(text.begin(), text.end(), '\n') == count;
        });
    }
    /// The window shows what was started.
    bool waitForStartedPage() {
        return QTest::qWaitFor([this] {
            auto* page = qobject_cast<RunPage*>(window_->currentPage());
            return page != nullptr && page->record()->paths().root().filename() == "x";
        });
    }

  private:
    std::set<std::string> pictured_;
};

}  // namespace

TEST_F(UntrustedRuns, OwnRunsStartAtOnceAndOthersAfterAQuestionForEachFolder) {
    const fs::path own = put(runs() / "own");
    run::record_own_run(run::RunPaths(own));
    again(own);
    ASSERT_TRUE(waitForStart(1));
    EXPECT_EQ(question(), nullptr);

    const fs::path other = put(runs() / "other");
    again(other);
    ASSERT_NE(waitForQuestion(), nullptr);
    const QString shown = test::child<QPlainTextEdit>(*question())->toPlainText();
    for (const char* part : {"/bin/evil --now", "LD_PRELOAD=/x/y.so"})
        EXPECT_TRUE(shown.contains(QLatin1String(part))) << shown.toStdString();
    picture("start");
    QTest::keyClick(question(), Qt::Key_Return);  // the default is to cancel
    ASSERT_TRUE(QTest::qWaitFor([this] { return question() == nullptr; }));
    EXPECT_FALSE(run::is_trusted(run::RunPaths(other)));

    again(other);
    ASSERT_NE(waitForQuestion(), nullptr);
    answer(true);
    ASSERT_TRUE(waitForStart(2));
    again(other);
    ASSERT_TRUE(waitForStart(3)) << "asked once";

    put(other, std::string(kProgram) + "# changed\n");
    again(other);
    ASSERT_NE(waitForQuestion(), nullptr) << "what was agreed to is another text";
    answer(false);
    again(put(runs() / "third"));
    ASSERT_NE(waitForQuestion(), nullptr) << "trust is of one folder";
    answer(false);
    EXPECT_EQ(std::ranges::count(started(), '\n'), 3);
}

TEST_F(UntrustedRuns, MirrorsAndFoldersFromElsewhereAreNotStarted) {
    const fs::path mirror = put(runs() / "mirror");
    std::ofstream(mirror / "mirror.json") << R"({"host": "gpu-a<b>", "path": "/x", "program": "/bin/evil"})";
    const fs::path elsewhere = put(folder_.path() / "downloads" / "run");
    fs::create_directory_symlink(elsewhere, runs() / "link");
    // A record of the mirror is enough: its host cannot make a run of our own of it.
    const fs::path stripped = put(runs() / "stripped");
    run::record_mirror_source(run::RunPaths(stripped), {"gpu-a", "/x", "trainyard"});
    for (const fs::path& folder : {mirror, elsewhere, runs() / "link", stripped}) {
        SCOPED_TRACE(folder.string());
        const QString path = QString::fromStdString(folder.string());
        for (int way = 0; way < 3; ++way) {
            if (way == 0)
                again(folder);
            else if (way == 1)
                window_->context()->starter()->resume(path + QStringLiteral("/run.yaml"),
                                                      QStringLiteral("/x/checkpoint"));
            else
                window_->context()->starter()->queueAgain(path);
            ASSERT_NE(waitForQuestion(), nullptr);
            EXPECT_TRUE(test::child<QPlainTextEdit>(*question())->toPlainText().contains(QStringLiteral("/bin/evil")));
            EXPECT_EQ(question()->verb()->text(), QStringLiteral("Open as a draft"));
            answer(false);
        }
    }
    again(mirror);
    ASSERT_NE(waitForQuestion(), nullptr);
    picture("mirror");
    answer(false);
    EXPECT_EQ(started(), "");
}

TEST_F(UntrustedRuns, EveryWayToRunAMirrorOrAnImportedFolderAgainIsRefused) {
    for (const bool is_program : {true, false}) {
        SCOPED_TRACE(is_program ? "program" : "plugins");
        const char* kind = is_program ? "program" : "plugins";
        const fs::path mirror = putFailed(runs(), std::string("mirror-") + kind, is_program);
        std::ofstream(mirror / "mirror.json") << R"({"host": "gpu-a", "path": "/x", "program": "/bin/evil"})";
        const fs::path elsewhere = putFailed(folder_.path() / "downloads", std::string("imported-") + kind, is_program);
        for (const fs::path& folder : {mirror, elsewhere}) {
            SCOPED_TRACE(folder.string());
            const QString reason =
                folder == mirror ? QStringLiteral("copy of a run on gpu-a") : QStringLiteral("may come from anybody");
            const auto refused = [&](const char* way) {
                SCOPED_TRACE(way);
                ASSERT_NE(waitForQuestion(), nullptr);
                EXPECT_TRUE(says(reason));
                EXPECT_TRUE(test::child<QPlainTextEdit>(*question())
                                ->toPlainText()
                                .contains(QLatin1String(is_program ? kCommand : kLibrary)))
                    << test::child<QPlainTextEdit>(*question())->toPlainText().toStdString();
                EXPECT_EQ(question()->verb()->text(), QStringLiteral("Open as a draft"));
                picture(std::string("refused-") + kind);
                answer(false);
            };
            RunPage* page = openRun(folder);
            ASSERT_NE(page, nullptr);
            runAgain(page);
            refused("the button of the dashboard");
            auto* failure = test::child<FailurePanel>(*page);
            ASSERT_TRUE(QTest::qWaitFor([&] { return failure->isVisible(); }));
            auto* again = test::child<QPushButton>(*failure, QStringLiteral("Run again"));
            ASSERT_TRUE(again->isVisible());
            QTest::mouseClick(again, Qt::LeftButton);
            refused("the failure page");
        }
        // Key R in the list of runs, for a program and for a recipe.
        RunsPage* list = openList(mirror);
        ASSERT_NE(list, nullptr);
        QTest::keyClick(list->table(), Qt::Key_R);
        ASSERT_NE(waitForQuestion(), nullptr);
        EXPECT_TRUE(says(QStringLiteral("copy of a run on gpu-a")));
        EXPECT_EQ(window_->currentPage(), list) << "no draft was opened";
        if (is_program) {
            answer(false);
        } else {
            answer(true);  // as a draft
            EXPECT_TRUE(QTest::qWaitFor([&] { return window_->currentPage() == wizard(); }));
            settle();
            EXPECT_TRUE(draft().recipeValue(QStringLiteral("plugins")).contains(QLatin1String(kLibrary)));
        }
    }
    EXPECT_EQ(started(), "");
}

TEST_F(UntrustedRuns, TheDashboardAsksOnceForEachFolderAndShowsTheWholeCommand) {
    // The end of a long command matters, and where its words begin.
    const std::string filler(3000, 'x');
    const auto put_long = [&](const char* name) {
        const fs::path folder = putFailed(runs(), name, true);
        std::ofstream(folder / "run.yaml") << "recipe_file: /x/recipe.yaml\nprogram: {command: [sh, -c, \"echo "
                                           << filler << "; /bin/evil\"]}\nlaunch: {num_processes: 1}\n";
        return folder;
    };
    const fs::path one = put_long("one"), two = put_long("two");
    const auto click = [&](const fs::path& folder) {
        RunPage* page = openRun(folder);
        ASSERT_NE(page, nullptr);
        runAgain(page);
    };
    click(one);
    ASSERT_NE(waitForQuestion(), nullptr);
    EXPECT_EQ(question()->verb()->text(), QStringLiteral("Start the run"));
    EXPECT_TRUE(test::child<QPlainTextEdit>(*question())
                    ->toPlainText()
                    .contains(QString::fromStdString("'sh' -c 'echo " + filler + "; /bin/evil'")))
        << test::child<QPlainTextEdit>(*question())->toPlainText().toStdString();
    answer(true);
    ASSERT_TRUE(waitForStart(1));
    ASSERT_TRUE(waitForStartedPage());
    click(one);
    ASSERT_TRUE(waitForStart(2)) << "asked once";
    ASSERT_TRUE(waitForStartedPage());
    click(two);
    ASSERT_NE(waitForQuestion(), nullptr) << "trust is of one folder";
    answer(false);
    EXPECT_EQ(std::ranges::count(started(), '\n'), 2);
}

TEST_F(UntrustedRuns, TheWizardAsksBeforeItLaunchesTheProgramOfAnOpenedFile) {
    const fs::path folder = put(folder_.path() / "downloads" / "run");
    std::ofstream(folder / "mirror.json") << R"({"host": "gpu-a", "path": "/x"})";
    QSignalSpy launched(wizard(), &WizardPage::launchRequested);
    const auto open_and_launch = [&](const std::string& command) {
        std::ofstream(folder / "run.yaml")
            << "recipe_file: /x/recipe.yaml\nprogram: {command: " << command << "}\nlaunch: {num_processes: 1}\n";
        wizard()->opener()->load(QString::fromStdString((folder / "run.yaml").string()));
        settle();
        ASSERT_EQ(draft().purpose(), Purpose::Script);
        wizard()->primaryAction();
    };
    const auto asks = [&](const char* shown) {
        ASSERT_NE(waitForQuestion(), nullptr);
        const QString text = test::child<QPlainTextEdit>(*question())->toPlainText();
        EXPECT_TRUE(text.contains(QLatin1String(shown))) << text.toStdString();
    };
    open_and_launch("[/bin/sh, -c, first]");
    asks("-c first");
    picture("program");
    answer(false);
    EXPECT_EQ(launched.count(), 0);
    // The arguments that are typed are another command of the program that the file named.
    type("arguments", QStringLiteral("-c typed"));
    settle();
    wizard()->primaryAction();
    asks("-c typed");
    answer(false);
    open_and_launch("[/bin/sh, -c, first]");
    asks("-c first");
    answer(true);
    ASSERT_TRUE(launched.count() == 1 || launched.wait());
    open_and_launch("[/bin/sh, -c, first]");
    ASSERT_TRUE(launched.count() == 2 || launched.wait()) << "asked once";
    open_and_launch("[/bin/sh, -c, second]");
    asks("-c second");
    answer(false);
    EXPECT_EQ(launched.count(), 2);
}

TEST_F(UntrustedRuns, ALibraryOfARecipeIsAskedAbout) {
    const fs::path file = folder_.path() / "downloads" / "recipe.yaml";
    fs::create_directories(file.parent_path());
    const std::string library = anyLibrary();
    ASSERT_NE(library, "");
    std::ofstream(file) << "name: x\nplugins: [" << library
                        << "]\nmodel: {n_layer: 2, n_embd: 32, n_head: 2, n_positions: 32}\n"
                        << "data: {path: " << (folder_.path() / "text.txt").string()
                        << ", sequence_length: 32}\ntraining: {steps: 10, batch_size: 2}\n";
    wizard()->opener()->load(QString::fromStdString(file.string()));
    settle();
    QSignalSpy launched(wizard(), &WizardPage::launchRequested);
    wizard()->primaryAction();
    ASSERT_NE(waitForQuestion(), nullptr) << wizard()->problems().size();
    picture("library");
    EXPECT_TRUE(test::child<QPlainTextEdit>(*question())->toPlainText().contains(QString::fromStdString(library)));
    EXPECT_EQ(launched.count(), 0);
    answer(true);
    ASSERT_TRUE(launched.count() == 1 || launched.wait());
}

TEST_F(UntrustedRuns, ALibraryInTheDraftOfAnEarlierVersionIsAskedAbout) {
    const fs::path file = folder_.path() / "downloads" / "recipe.yaml";
    fs::create_directories(file.parent_path());
    const std::string library = anyLibrary();
    ASSERT_NE(library, "");
    std::ofstream(file) << "name: x\nplugins: [" << library
                        << "]\nmodel: {n_layer: 2, n_embd: 32, n_head: 2, n_positions: 32}\n"
                        << "data: {path: " << (folder_.path() / "text.txt").string()
                        << ", sequence_length: 32}\ntraining: {steps: 10, batch_size: 2}\n";
    wizard()->opener()->load(QString::fromStdString(file.string()));
    settle();
    window_.reset();

    // It kept a list of what may execute, and one file for all of it.
    const fs::path draft = Preferences::stateFolder().toStdString() + "/drafts/current.json";
    nlohmann::json saved = nlohmann::json::parse(read_file(draft, 1 << 20));
    nlohmann::json& place = saved.at("place");
    const std::string part = "plugins: " + library;
    ASSERT_TRUE(place.at("code").contains(part)) << place.dump();
    place["code"] = nlohmann::json::array({part});
    place["code_file"] = file.string();
    std::ofstream(draft) << saved.dump();

    open(cpu());
    QSignalSpy launched(wizard(), &WizardPage::launchRequested);
    wizard()->primaryAction();
    ASSERT_NE(waitForQuestion(), nullptr);
    EXPECT_TRUE(test::child<QPlainTextEdit>(*question())->toPlainText().contains(QString::fromStdString(library)));
    EXPECT_TRUE(says(QString::fromStdString(file.string())));
    answer(false);
    EXPECT_EQ(launched.count(), 0);
}

TEST_F(UntrustedRuns, AFolderThatSaysThatItIsAMirrorMakesNoConnection) {
    const fs::path folder = put(runs() / "received");
    std::ofstream(folder / "mirror.json")
        << R"({"host": "gpu-a.invalid", "path": "/data/x", "program": "/bin/evil", "connected": false, "complete": false})";
    MirrorKeeper keeper;
    QSignalSpy unconfirmed(&keeper, &MirrorKeeper::unconfirmed);
    QSignalSpy failed(&keeper, &MirrorKeeper::failed);
    keeper.reconnect(QString::fromStdString(folder.string()),
                     QString::fromStdString((folder_.path() / "trainyard").string()));
    ASSERT_TRUE(unconfirmed.wait());
    EXPECT_EQ(failed.count(), 0);
    EXPECT_EQ(started(), "") << "nothing was started for it";
    EXPECT_FALSE(run::mirror_source(run::RunPaths(folder)));

    int followed = 0;
    const auto follow = [&] {
        follow_with_consent(window_->context(), QString::fromStdString(folder.string()), [&] { ++followed; });
    };
    follow();
    ASSERT_NE(waitForQuestion(), nullptr);
    picture("connect");
    const QString shown = test::child<QPlainTextEdit>(*question())->toPlainText();
    EXPECT_EQ(shown, QStringLiteral("gpu-a.invalid:/data/x"));
    answer(false);
    EXPECT_EQ(followed, 0);
    EXPECT_FALSE(run::mirror_source(run::RunPaths(folder)));

    // The user agrees; the host cannot be reached, so nothing is recorded.
    follow();
    ASSERT_NE(waitForQuestion(), nullptr);
    QSignalSpy lost(window_->context()->mirrors(), &MirrorKeeper::failed);
    answer(true);
    ASSERT_TRUE(lost.count() == 1 || lost.wait(30000));
    EXPECT_EQ(followed, 0);
    EXPECT_FALSE(run::mirror_source(run::RunPaths(folder)));

    // The source of a mirror that was agreed to is in the state of the program, whatever the folder says from then on.
    run::record_mirror_source(run::RunPaths(folder), {"gpu-a.invalid", "/data/x", "trainyard"});
    std::ofstream(folder / "mirror.json") << R"({"host": "gpu-b.invalid", "path": "/data/x", "program": "/bin/worse"})";
    follow();
    ASSERT_TRUE(QTest::qWaitFor([&] { return followed == 1; }));
    EXPECT_EQ(question(), nullptr) << "asked once";

    std::ofstream(folder / "mirror.json") << R"({"host": "-oProxyCommand=x", "path": "/data/x"})";
    const fs::path odd = put(runs() / "odd");
    std::ofstream(odd / "mirror.json") << R"({"host": "-oProxyCommand=x", "path": "/data/x"})";
    QSignalSpy said(window_->context(), &AppContext::said);
    follow_with_consent(window_->context(), QString::fromStdString(odd.string()), [&] { ++followed; });
    ASSERT_TRUE(said.wait());
    EXPECT_EQ(question(), nullptr);
    EXPECT_EQ(followed, 1);
}

TEST_F(UntrustedRuns, AnotherFileTakesThePlaceOfTheOneInTheSavedDraft) {
    const QString one = QString::fromStdString((folder_.path() / "text.txt").string());
    const QString two = QString::fromStdString((folder_.path() / "two.txt").string());
    std::ofstream(two.toStdString()) << std::string(200000, 'b');
    wizard()->opener()->setDataPath(one);
    settle();
    draft().setRecipeValue(QStringLiteral("training.steps"), QStringLiteral("77"));
    settle();
    window_.reset();

    const auto begin = [&] {
        Options options;
        options.size = {1440, 900};
        preferences_ = std::make_unique<Preferences>();
        window_ = std::make_unique<MainWindow>(preferences_.get(), options);
        window_->context()->setMachine(cpu());
        window_->show();
        window_->open({QStringLiteral("new"), {}});
    };
    begin();
    wizard()->opener()->setDataPath(two);  // as the command line and a drop do, before the draft has been read
    settle();
    EXPECT_EQ(draft().recipeValue(QStringLiteral("data.path")), two);
    EXPECT_EQ(draft().recipeValue(QStringLiteral("training.steps")), QStringLiteral("77"));
    EXPECT_TRUE(wizard()->message()->isVisible());
    draft().history()->undo();
    EXPECT_EQ(draft().recipeValue(QStringLiteral("data.path")), one);
    settle();
    window_.reset();

    const fs::path recipe = folder_.path() / "other.yaml";
    std::ofstream(recipe) << "name: other\ndata: {path: " << two.toStdString() << "}\ntraining: {steps: 5}\n";
    begin();
    wizard()->opener()->load(QString::fromStdString(recipe.string()));
    settle();
    EXPECT_EQ(draft().recipeValue(QStringLiteral("name")), QStringLiteral("other"));
    EXPECT_EQ(draft().recipeValue(QStringLiteral("training.steps")), QStringLiteral("5"));
}
