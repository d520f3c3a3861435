// SPDX-License-Identifier: GPL-3.0-or-later
// Sweeps in the window: started from New run with mistakes that are shown next to their fields, followed, paused,
// continued, read, and deleted, with the real program and real runs.

#include <QFileDialog>
#include <QInputDialog>
#include <QLabel>
#include <QSpinBox>
#include <QTableView>

#include <gmock/gmock.h>

#include "desktop/dashboard/run_page.h"
#include "desktop/launch/consent_dialog.h"
#include "desktop/runs/run_store.h"
#include "desktop/sweeps/sweep_dialog.h"
#include "desktop/sweeps/sweeps_page.h"
#include "desktop/sweeps/trials_model.h"
#include "fabricated_runs.h"
#include "fabricated_sweep.h"
#include "run/listing.h"
#include "support/child.h"
#include "support/patience.h"
#include "support/picture.h"
#include "widgets/inline_message.h"
#include "widgets/plot/curve_chart.h"
#include "widgets/plot/parallel_coordinates.h"
#include "wizard_fixture.h"

using namespace trainyard;
using namespace trainyard::desktop;
using testing::HasSubstr;

namespace {

class SweepsInWindow : public test::WizardFixture {
  protected:
    void begin() {
        ::setenv("OMP_NUM_THREADS", "1", 1);
        open(cpu());
        window_->engine()->locate(QStringLiteral(TRAINYARD_BIN_DIR "/trainyard"));
        ASSERT_TRUE(QTest::qWaitFor([this] { return window_->engine()->isReady(); }, kPatience));
        window_->store()->start();
    }
    static std::filesystem::path runs() { return run::runs_root(); }
    SweepsPage* page() { return window_->page<SweepsPage>(); }
    QPushButton* button(const char* text) {
        for (auto* one : page()->findChildren<QPushButton*>())
            if (one->text() == QString::fromUtf8(text))
                return one;
        ADD_FAILURE() << text;
        return nullptr;
    }
    sweep::SweepState state() {
        page()->refresh();
        return page()->trials()->sweep().state;
    }
    bool becomes(sweep::SweepState wanted) {
        return QTest::qWaitFor([&] { return state() == wanted; }, kPatience);
    }
    /// A dialog of the page, as soon as it is shown.
    template <class Dialog>
    Dialog* dialog() {
        Dialog* found = nullptr;
        EXPECT_TRUE(QTest::qWaitFor(
            [&] {
                for (auto* one : window_->findChildren<Dialog*>())
                    if (one->isVisible())
                        found = one;
                return found != nullptr;
            },
            kPatience))
            << page()->message()->text().toStdString();
        return found;
    }
    void chooseFile(const std::string& path) {
        QTest::mouseClick(button("Start from a file…"), Qt::LeftButton);
        auto* files = dialog<QFileDialog>();
        ASSERT_NE(files, nullptr);
        emit files->fileSelected(QString::fromStdString(path));
        files->close();
    }
    int trialsThatAre(sweep::TrialState state) {
        return static_cast<int>(std::ranges::count_if(page()->trials()->sweep().trials,
                                                      [&](const auto& one) { return one.second.state == state; }));
    }
    void takePictures(const char* name) {
        for (const auto theme : {widgets::ThemeChoice::Dark, widgets::ThemeChoice::Light}) {
            widgets::Theme::instance().setChoice(theme);
            test::take_picture(
                window_.get(),
                (std::string(name) + (theme == widgets::ThemeChoice::Dark ? "-dark" : "-light")).c_str());
        }
        widgets::Theme::instance().setChoice(widgets::ThemeChoice::Dark);
    }
    /// Answers the next question with its verb.
    void agree(const char* verb) {
        auto* box = QApplication::activeModalWidget();
        ASSERT_NE(box, nullptr);
        for (auto* one : box->findChildren<QPushButton*>())
            if (one->text().remove(QLatin1Char('&')) == QLatin1String(verb))
                return QTest::mouseClick(one, Qt::LeftButton);
        FAIL() << verb;
    }
};

}  // namespace

TEST_F(SweepsInWindow, FromTheDraftToTheBestRun) {
    ASSERT_NO_FATAL_FAILURE(begin());
    std::string text;
    for (int i = 0; i < 2000; ++i)
        text += "line " + std::to_string(i * 7919 % 2000) + " of a text that repeats itself\n";
    write("data.txt", text);
    write("recipe.yaml",
          "name: small\nmodel: {n_layer: 1, n_embd: 16, n_head: 2, n_positions: 16}\ndata: {path: " + file("data.txt") +
              ", sequence_length: 16}\n"
              "training: {steps: 60, batch_size: 4, evaluate_every: 20, evaluate_batches: 2}\n"
              "checkpoint: {every: 1000}\n");
    wizard()->opener()->load(QString::fromStdString(file("recipe.yaml")));
    ASSERT_TRUE(QTest::qWaitFor(
        [this] { return draft().recipeValue(QStringLiteral("name")) == QStringLiteral("small"); }, kPatience));
    settle();
    QTest::mouseClick(test::child<QPushButton>(*wizard(), QStringLiteral("Sweep…")), Qt::LeftButton);
    SweepDialog* dialog = nullptr;
    ASSERT_TRUE(QTest::qWaitFor(
        [&] {
            dialog = window_->findChild<SweepDialog*>();
            return dialog != nullptr && dialog->isVisible();
        },
        kPatience))
        << wizard()->message()->text().toStdString();
    ASSERT_EQ(dialog->parameters().size(), 1);

    // Every mistake next to its field, and nothing starts.
    SweepParameterRow* lr = dialog->parameters().first();
    EXPECT_EQ(lr->key()->currentText(), QStringLiteral("optimizer.lr"));
    lr->kind()->setCurrentIndex(SweepParameterRow::LogRange);
    lr->from()->setText(QStringLiteral("0"));
    lr->to()->setText(QStringLiteral("0.1"));
    SweepParameterRow* wrong = dialog->addParameter(QStringLiteral("training.batch_sise"));
    wrong->values()->setText(QStringLiteral("2, 4"));
    test::child<QComboBox>(*dialog->field(QStringLiteral("metric")))->setEditText(QStringLiteral("eval/los"));
    QTest::mouseClick(dialog->startButton(), Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !lr->problem().isEmpty(); }, kPatience));
    EXPECT_THAT(lr->problem().toStdString(), HasSubstr("logarithmic scale begins above 0"));
    EXPECT_THAT(wrong->problem().toStdString(), HasSubstr("training.batch_size"));
    EXPECT_THAT(dialog->field(QStringLiteral("metric"))->problem().toStdString(), HasSubstr("eval/loss"));
    EXPECT_TRUE(dialog->isVisible());
    EXPECT_FALSE(std::filesystem::exists(runs() / ".sweeps"));

    lr->from()->setText(QStringLiteral("1e-5"));
    wrong->key()->setCurrentText(QStringLiteral("training.batch_size"));
    test::child<QComboBox>(*dialog->field(QStringLiteral("metric")))->setEditText(QStringLiteral("eval/loss"));
    test::child<QComboBox>(*dialog->field(QStringLiteral("method")))->setCurrentIndex(1);
    test::child<QSpinBox>(*dialog->field(QStringLiteral("trials")))->setValue(4);
    QTest::mouseClick(dialog->startButton(), Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([&] { return window_->currentPage() == page(); }, kPatience))
        << dialog->message()->text().toStdString() << dialog->note()->text().toStdString()
        << lr->problem().toStdString() << wrong->problem().toStdString();
    ASSERT_TRUE(QTest::qWaitFor([&] { return page()->list()->model()->rowCount() == 1; }, kPatience));
    ASSERT_TRUE(QTest::qWaitFor([&] { return page()->trials()->rowCount() > 0; }, kPatience));

    // Paused, no trial begins; continued, it goes to its end.
    QTest::mouseClick(button("Pause"), Qt::LeftButton);
    ASSERT_TRUE(becomes(sweep::SweepState::paused)) << page()->message()->text().toStdString();
    EXPECT_LT(page()->trials()->rowCount(), 4);
    EXPECT_FALSE(button("Pause")->isVisible());
    QTest::mouseClick(button("Continue"), Qt::LeftButton);
    ASSERT_TRUE(becomes(sweep::SweepState::finished)) << page()->message()->text().toStdString();
    ASSERT_EQ(page()->trials()->rowCount(), 4);
    const sweep::StoredSweep sweep = page()->trials()->sweep();
    ASSERT_TRUE(sweep.best());
    const sweep::Trial best = sweep.trials.at(*sweep.best());
    EXPECT_EQ(test::child<widgets::ParallelCoordinates>(*page())->sweep().runs.size(), 4);
    const widgets::Series& so_far = *page()->chart()->curves()[1].series;
    ASSERT_EQ(so_far.size(), 7u) << "a line of steps: two points of each trial but the first";
    for (std::size_t i = 1; i < so_far.size(); i += 2) {
        EXPECT_EQ(so_far.value(i), so_far.value(i - 1));
        EXPECT_EQ(so_far.step(i), so_far.step(i + 1));
    }
    EXPECT_EQ(so_far.value(6), *best.value);
    EXPECT_EQ(test::child<QTableView>(*page(), QStringLiteral("Importance of the parameters"))->model()->rowCount(), 2);
    for (const run::ListedRun& run : run::list_runs(runs()))
        EXPECT_TRUE(run.state && run.state->status == run::Status::finished);

    // The best comes first when sorted by value; Enter opens its run.
    page()->table()->sortByColumn(TrialsModel::Value, Qt::AscendingOrder);
    EXPECT_EQ(page()->trials()->trial(0)->number, best.number);
    page()->table()->setFocus();
    page()->table()->setCurrentIndex(page()->trials()->index(0, 0));
    QTest::keyClick(page()->table(), Qt::Key_Return);
    ASSERT_TRUE(QTest::qWaitFor(
        [&] {
            auto* shown = qobject_cast<RunPage*>(window_->currentPage());
            return shown != nullptr && shown->record()->paths().id() == best.run;
        },
        kPatience));

    window_->open({QLatin1String(SweepsPage::kKey), {}});
    QTest::mouseClick(button("Edit the best and run again"), Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return draft().recipeValue(QStringLiteral("optimizer.lr")).toDouble() == std::stod(best.point[0]); },
        kPatience))
        << draft().recipeValue(QStringLiteral("optimizer.lr")).toStdString();
    EXPECT_EQ(draft().recipeValue(QStringLiteral("training.batch_size")).toStdString(), best.point[1]);

    // The folder goes after a question, the runs stay.
    window_->open({QLatin1String(SweepsPage::kKey), {}});
    QTest::mouseClick(button("Delete…"), Qt::LeftButton);
    ASSERT_NO_FATAL_FAILURE(agree("Delete"));
    EXPECT_TRUE(QTest::qWaitFor([&] { return page()->list()->model()->rowCount() == 0; }, kPatience));
    EXPECT_FALSE(std::filesystem::exists(sweep.folder));
    EXPECT_EQ(run::list_runs(runs()).size(), 4u);
}

// A public report: words that begin with digits are not numbers.
TEST_F(SweepsInWindow, WordsWithDigitsAreWords) {
    const widgets::Sweep sweep =
        widgets::sweep_of({QStringLiteral("layers"), QStringLiteral("rate")}, QVector<widgets::SweepRun>(3),
                          {{QStringLiteral("-1:512:64"), QStringLiteral("10")},
                           {QStringLiteral("-1:16:64"), QStringLiteral("9")},
                           {QStringLiteral("-1:512:64"), QStringLiteral("1e-5")}});
    EXPECT_EQ(sweep.axes[0].words.size(), 2);
    EXPECT_NE(sweep.runs[0].values[0], sweep.runs[1].values[0]);
    EXPECT_EQ(sweep.runs[0].values[0], sweep.runs[2].values[0]);
    EXPECT_FALSE(sweep.axes[1].isWords());
    EXPECT_EQ(sweep.runs[2].values[1], 1e-5);
}

TEST_F(SweepsInWindow, AThousandTrialsAndADamagedOne) {
    ASSERT_NO_FATAL_FAILURE(begin());
    test::fabricate_sweep(runs(), "large-0a1b", 1000, 1000);
    test::fabricate_sweep(runs(), "half-0a1b", 20, 10);
    const std::filesystem::path damaged = test::fabricate_sweep(runs(), "torn-0a1b", 4, 2);
    std::ofstream(damaged / "trials.jsonl") << "[]\n";
    window_->open({QLatin1String(SweepsPage::kKey), QStringLiteral("large-0a1b")});
    ASSERT_TRUE(QTest::qWaitFor([&] { return page()->trials()->rowCount() == 1000; }, kPatience));
    EXPECT_EQ(page()->list()->model()->rowCount(), 3);
    EXPECT_EQ(page()->trials()->sweep().state, sweep::SweepState::finished);
    EXPECT_EQ(test::child<widgets::ParallelCoordinates>(*page())->sweep().runs.size(), 980) << "20 failed";
    EXPECT_TRUE(test::child<QTableView>(*page(), QStringLiteral("Importance of the parameters"))
                    ->model()
                    ->index(0, 0)
                    .data()
                    .toString() == QStringLiteral("optimizer.lr"));
    page()->table()->sortByColumn(TrialsModel::Value, Qt::DescendingOrder);
    EXPECT_FALSE(page()->trials()->trial(999)->value) << "those without a value come last";
    page()->table()->sortByColumn(TrialsModel::Value, Qt::AscendingOrder);
    EXPECT_EQ(page()->trials()->trial(0)->number, 5);
    page()->activate(QStringLiteral("half-0a1b"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return page()->shownId() == QStringLiteral("half-0a1b"); }, kPatience));
    EXPECT_EQ(page()->trials()->sweep().state, sweep::SweepState::interrupted);
    EXPECT_TRUE(button("Continue")->isVisible());
    page()->activate(QStringLiteral("torn-0a1b"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return page()->shownId() == QStringLiteral("torn-0a1b"); }, kPatience));
    EXPECT_EQ(page()->trials()->rowCount(), 0);
    EXPECT_FALSE(button("Continue")->isVisible());
    bool is_named = false;
    for (const QLabel* label : page()->findChildren<QLabel*>())
        is_named = is_named || label->text().contains(QStringLiteral("trials.jsonl:1"));
    EXPECT_TRUE(is_named) << "file and line";
}

TEST_F(SweepsInWindow, ASweepWhoseTrialsWaitIsQueued) {
    ASSERT_NO_FATAL_FAILURE(begin());
    const std::filesystem::path run = test::fabricate(runs(), {.name = "one", .status = run::Status::queued});
    const std::filesystem::path folder = test::fabricate_sweep(runs(), "waits-0a1b", 4, 0);
    std::ofstream(folder / "trials.jsonl")
        << R"({"number": 0, "point": ["1e-3", "8", "2"], "state": "running", "run": ")" << run.filename().string()
        << "\"}\n";
    window_->open({QLatin1String(SweepsPage::kKey), {}});
    const auto word = [&] {
        page()->refresh();
        return page()->list()->model()->rowCount() == 0 ? QString()
                                                        : page()->list()->model()->index(0, 1).data().toString();
    };
    EXPECT_TRUE(QTest::qWaitFor([&] { return word() == QStringLiteral("Interrupted"); }, kPatience));
    {
        const sweep::SweepLock lock(folder);
        EXPECT_TRUE(QTest::qWaitFor([&] { return word() == QStringLiteral("Queued"); }, kPatience));
        sweep::ask_to_end(folder, true);
        EXPECT_TRUE(QTest::qWaitFor([&] { return word() == QStringLiteral("Stopping"); }, kPatience));
    }
    EXPECT_TRUE(QTest::qWaitFor([&] { return word() == QStringLiteral("Interrupted"); }, kPatience));
}

// A file with a program is started after a look at the program; failed trials begin again, and further ones follow.
TEST_F(SweepsInWindow, AFileIsStartedItsFailedTrialsRetriedAndTrialsAdded) {
    ASSERT_NO_FATAL_FAILURE(begin());
    window_->open({QLatin1String(SweepsPage::kKey), {}});
    ASSERT_TRUE(QTest::qWaitFor([&] { return window_->currentPage() == page(); }, kPatience));
    const auto sweep_of = [&](const char* range) {
        return "name: widths\nmethod: random\ntrials: 3\nseed: 3\nmetric: loss\nlaunch: [--cpu]\ndirectory: " +
               folder_.path().string() +
               "\nprogram:\n  - /bin/sh\n  - -c\n"
               "  - \"test -e ready || exit 3; echo \\\"{'loss': $1, 'step': 1}\\\"\"\n"
               "  - sh\n  - '{width}'\nparameters: {width: " +
               range + "}\n";
    };
    // All mistakes of a file are in one message, and nothing starts.
    write("wrong.yaml", sweep_of("{min: 9, max: 3}") + "tirals: 4\n");
    ASSERT_NO_FATAL_FAILURE(chooseFile(file("wrong.yaml")));
    ASSERT_TRUE(QTest::qWaitFor([&] { return page()->message()->isVisible(); }, kPatience));
    EXPECT_THAT(page()->message()->copyText().toStdString(),
                testing::AllOf(HasSubstr("The sweep was not started"), HasSubstr("tirals"), HasSubstr("width")));
    EXPECT_FALSE(std::filesystem::exists(runs() / ".sweeps"));

    write("sweep.yaml", sweep_of("{min: 1, max: 1000}"));
    ASSERT_NO_FATAL_FAILURE(chooseFile(file("sweep.yaml")));
    auto* consent = dialog<ConsentDialog>();
    ASSERT_NE(consent, nullptr);
    EXPECT_THAT(test::child<QPlainTextEdit>(*consent)->toPlainText().toStdString(),
                HasSubstr("test -e ready || exit 3"));
    QTest::mouseClick(consent->verb(), Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([&] { return page()->list()->model()->rowCount() == 1; }, kPatience))
        << page()->message()->text().toStdString();
    ASSERT_TRUE(becomes(sweep::SweepState::finished));
    EXPECT_EQ(trialsThatAre(sweep::TrialState::failed), 3);
    EXPECT_FALSE(page()->trials()->sweep().best());
    EXPECT_FALSE(button("Edit the best and run again")->isVisible()) << "there is no recipe to edit";
    takePictures("failed");
    std::vector<sweep::Point> points;
    for (const auto& [number, trial] : page()->trials()->sweep().trials)
        points.push_back(trial.point);

    write("ready", "");
    ASSERT_TRUE(button("Retry failed trials")->isVisible());
    QTest::mouseClick(button("Retry failed trials"), Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return state() == sweep::SweepState::finished && trialsThatAre(sweep::TrialState::finished) == 3; },
        kPatience))
        << page()->message()->text().toStdString();
    for (const auto& [number, trial] : page()->trials()->sweep().trials) {
        EXPECT_EQ(trial.point, points[static_cast<std::size_t>(number)]) << "the same values again";
        EXPECT_EQ(trial.value, std::stod(trial.point[0]));
    }
    EXPECT_FALSE(button("Retry failed trials")->isVisible());

    QTest::mouseClick(button("Add trials…"), Qt::LeftButton);
    auto* more = dialog<QInputDialog>();
    ASSERT_NE(more, nullptr);
    EXPECT_EQ(more->intMinimum(), 4) << "trials cannot be taken away";
    more->setIntValue(5);
    more->accept();
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return state() == sweep::SweepState::finished && trialsThatAre(sweep::TrialState::finished) == 5; },
        kPatience))
        << page()->message()->text().toStdString();
    EXPECT_EQ(page()->trials()->rowCount(), 5);
    for (std::int64_t number = 0; number < 3; ++number)
        EXPECT_EQ(page()->trials()->sweep().trials.at(number).point, points[static_cast<std::size_t>(number)]);
    takePictures("extended");
}

TEST_F(SweepsInWindow, EveryStateIsNamed) {
    ASSERT_NO_FATAL_FAILURE(begin());
    const std::filesystem::path place = runs() / ".sweeps";
    // A missing folder of sweeps, and an unreadable one.
    window_->open({QLatin1String(SweepsPage::kKey), {}});
    ASSERT_TRUE(QTest::qWaitFor([&] { return window_->currentPage() == page(); }, kPatience));
    const auto says_none = [&] {
        return std::ranges::any_of(page()->findChildren<QLabel*>(), [](const QLabel* label) {
            return label->isVisible() && label->text() == QStringLiteral("No sweeps yet");
        });
    };
    EXPECT_TRUE(QTest::qWaitFor(says_none, kPatience));
    takePictures("none");
    std::filesystem::create_directories(runs());
    write_file_atomically(place, "", false);
    page()->refresh();
    ASSERT_TRUE(QTest::qWaitFor([&] { return page()->unreadable()->isVisible(); }, kPatience));
    EXPECT_THAT(page()->unreadable()->copyText().toStdString(),
                testing::AllOf(HasSubstr("The sweeps cannot be read"), HasSubstr(place.string()),
                               HasSubstr("a folder that you may read")));
    EXPECT_FALSE(says_none()) << "what cannot be read is not empty";
    takePictures("unreadable-place");
    std::filesystem::remove(place);
    QTest::mouseClick(button("Retry"), Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !page()->unreadable()->isVisible() && says_none(); }, kPatience));
    // Sweeps that were read stay while the folder cannot be read.
    test::fabricate_sweep(runs(), "known-0a1b", 4, 2);
    page()->refresh();
    ASSERT_TRUE(QTest::qWaitFor([&] { return page()->list()->model()->rowCount() == 1; }, kPatience));
    std::filesystem::rename(place, runs() / "away");
    write_file_atomically(place, "", false);
    page()->refresh();
    ASSERT_TRUE(QTest::qWaitFor([&] { return page()->unreadable()->isVisible(); }, kPatience));
    EXPECT_TRUE(page()->list()->isVisible());
    takePictures("unreadable-later");
    std::filesystem::remove(place);
    test::fabricate_sweep(runs(), "torn-0a1b", 4, 2);
    std::ofstream(place / "torn-0a1b" / "trials.jsonl") << "[]\n";
    test::fabricate_sweep(runs(), "half-0a1b", 20, 10);
    const std::filesystem::path failed = test::fabricate_sweep(runs(), "lost-0a1b", 20, 10);
    sweep::write_end(failed, sweep::SweepState::failed, Message("no host is left: the last one was {}", "gpu-b"));
    for (const auto& [id, word] :
         {std::pair("half-0a1b", "Interrupted"), {"lost-0a1b", "Failed"}, {"torn-0a1b", "Unreadable"}}) {
        SCOPED_TRACE(id);
        page()->activate(QLatin1String(id));
        ASSERT_TRUE(QTest::qWaitFor([&] { return page()->shownId() == QLatin1String(id); }, kPatience));
        EXPECT_EQ(page()->list()->currentIndex().siblingAtColumn(1).data().toString(), QLatin1String(word));
        takePictures(id);
    }
    EXPECT_FALSE(page()->unreadable()->isVisible()) << "it can be read again";
    // wandb/wandb issues 1787 and 6594: the run of the best trial is gone.
    page()->activate(QStringLiteral("half-0a1b"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return page()->shownId() == QStringLiteral("half-0a1b"); }, kPatience));
    QTest::mouseClick(button("Edit the best and run again"), Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([&] { return page()->message()->isVisible(); }, kPatience));
    EXPECT_THAT(page()->message()->copyText().toStdString(), HasSubstr("run of the best trial was deleted"));
    EXPECT_EQ(window_->currentPage(), page()) << "the draft is not touched";
}
