// SPDX-License-Identifier: GPL-3.0-or-later
// How the pages of the window look, but those of New run (looks_test.h).

#include <algorithm>
#include <fstream>

#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QTableView>
#include <QTest>

#include <gtest/gtest.h>

#include "desktop/architecture/architecture_page.h"
#include "desktop/compare/compare_drawer.h"
#include "desktop/curves/card_grid.h"
#include "desktop/curves/curves_panel.h"
#include "desktop/curves/log_page.h"
#include "desktop/curves/panel_dialog.h"
#include "desktop/dashboard/classes_panel.h"
#include "desktop/dashboard/config_diff.h"
#include "desktop/dashboard/events_panel.h"
#include "desktop/dashboard/failure_panel.h"
#include "desktop/dashboard/run_page.h"
#include "desktop/pages/pages.h"
#include "desktop/runs/run_store.h"
#include "desktop/runs/runs_model.h"
#include "desktop/runs/runs_page.h"
#include "desktop/shell/first_run_page.h"
#include "desktop/shell/opener.h"
#include "desktop/sources/log_tree.h"
#include "desktop/sweeps/sweeps_page.h"
#include "desktop/sweeps/trials_model.h"
#include "desktop/traces/selection_panel.h"
#include "desktop/traces/share_panel.h"
#include "desktop/traces/step_picker.h"
#include "desktop/traces/traces_page.h"
#include "fabricated_runs.h"
#include "fabricated_sweep.h"
#include "looks_test.h"
#include "run/paths.h"
#include "support/child.h"
#include "support/draw_charts.h"
#include "support/golden.h"
#include "support/painted_texts.h"
#include "support/shown_words.h"
#include "widgets/graph/graph_view.h"
#include "widgets/label.h"
#include "widgets/segmented_control.h"
#include "widgets/timeline/timeline_view.h"

using namespace trainyard;
using namespace trainyard::desktop;
using test::LooksTest;

TEST_F(LooksTest, FirstRun) {
    open();
    ASSERT_TRUE(QTest::qWaitFor([this] { return window_->currentPage() == window_->page<FirstRunPage>(); }));
    lookOver("first-run");
    // Logs that were opened have a row in the list of runs; a file of settings has none.
    for (const char* name : {"eight-gpus.yaml", "a-file-of-settings-with-quite-a-long-name.yaml", "cpu.yaml"}) {
        std::ofstream(home_.path() / name)
            << "compute_environment: LOCAL_MACHINE\ndistributed_type: 'NO'\nuse_cpu: true\n";
        window_->context()->openPath(QString::fromStdString((home_.path() / name).string()));
        ASSERT_TRUE(QTest::qWaitFor([&] { return Opener::recents().value(0).endsWith(QLatin1String(name)); }, 10000));
    }
    window_->open({QStringLiteral("runs"), {}});
    ASSERT_TRUE(QTest::qWaitFor([this] { return window_->currentPage() == window_->page<FirstRunPage>(); }));
    lookOver("first-run-recents");
    // Recent paths need more lines rather than that they are cut.
    resize(kScreen);
    for (const auto* link : window_->currentPage()->findChildren<QPushButton*>())
        EXPECT_TRUE(!link->property("path").toBool() || link->width() >= link->sizeHint().width())
            << link->text().toStdString();
    resize(smallest());
}

TEST_F(LooksTest, Runs) {
    const auto folders = test::fabricate_gallery(runs());
    open();
    ASSERT_TRUE(QTest::qWaitFor([this] { return window_->currentPage() == window_->page<RunsPage>(); }));
    ASSERT_TRUE(QTest::qWaitFor([this] {
        for (const RunSummary& run : window_->store()->runs())
            if (run.metrics == nullptr || run.config == nullptr)
                return false;
        return window_->store()->runs().size() == 9;
    }));
    window_->page<RunsPage>()->model()->setTicked({QString::fromStdString(folders[2].string()),
                                                   QString::fromStdString(folders[3].string()),
                                                   QString::fromStdString(folders[4].string())});
    CompareDrawer* drawer = window_->page<RunsPage>()->drawer();
    ASSERT_TRUE(QTest::qWaitFor([&] { return drawer->isVisible() && drawer->runs().size() == 3; }));
    const auto* comparison = test::child<widgets::CurveChart>(*drawer, CompareDrawer::tr("Comparison"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return comparison->curves().size() == 3; }, 10'000));
    test::draw_charts(window_.get());
    using Show = CompareDrawer::Show;
    for (const auto& [what, name] : {std::pair{Show::Curves, "compare-curves"},
                                     {Show::Differences, "compare-differences"},
                                     {Show::All, "compare-all"},
                                     {Show::Sweep, "compare-sweep"}}) {
        drawer->show(what);
        test::draw_charts(window_.get());
        lookOver(name);
    }
    window_->page<RunsPage>()->model()->setTicked({});
    ASSERT_TRUE(QTest::qWaitFor([&] { return !drawer->isVisible(); }));
    lookOver("runs");
    resize(kScreen.boundedTo(smallest()));
    constexpr int kRoomForName = 200;
    const QHeaderView* header = window_->page<RunsPage>()->table()->horizontalHeader();
    EXPECT_GE(header->sectionSize(RunsModel::Name), kRoomForName);
    EXPECT_FALSE(header->isSectionHidden(RunsModel::State));
    resize(smallest());
    window_->page<RunsPage>()->setGrouping({GroupKind::Name});
    lookOver("runs-groups");
    window_->page<RunsPage>()->setGrouping({});
    QTest::keyClicks(window_->page<RunsPage>()->filter(), QStringLiteral("lr>>1"));
    test::draw_charts(window_.get());
    lookOver("runs-bad-filter");
    resize(kScreen);
    const QLineEdit* filter = window_->page<RunsPage>()->filter();
    const auto labels = window_->page<RunsPage>()->findChildren<QLabel*>();
    const auto complaint = std::ranges::find_if(labels, [](const QLabel* label) {
        return label->isVisible() && label->text().contains(QLatin1String("lr>>1"));
    });
    ASSERT_NE(complaint, labels.end());
    const QRect field(filter->mapToGlobal(QPoint()), filter->size());
    const QPoint words = (*complaint)->mapToGlobal(QPoint());
    EXPECT_GT(words.y(), field.bottom()) << "below the field";
    EXPECT_LT(words.y(), field.bottom() + field.height()) << "and next to it";
    for (const auto* facts : window_->page<RunsPage>()->findChildren<widgets::ElidedLabel*>())
        EXPECT_TRUE(!facts->fullText().contains(QStringLiteral("  ·  ")) ||
                    facts->width() >= std::min<double>(facts->sizeHint().width(), 120 * TextSize::instance().factor()))
            << facts->fullText().toStdString() << " is cut";
    resize(smallest());
}

TEST_F(LooksTest, Dashboard) {
    const auto folders = test::fabricate_gallery(runs());
    run::write_class_report(run::RunPaths(folders[0]), {.step = 12,
                                                        .classes = {"cat", "dog"},
                                                        .counts = {{0, 0, 8}, {0, 1, 2}, {1, 1, 5}},
                                                        .worst = {{3, "a cat on a roof", 0, 1, 0.02, 3.9}}});
    data_ << QStringLiteral("cat") << QStringLiteral("dog") << QStringLiteral("a cat on a roof");
    open();
    showRun(folders[0]);
    lookOver("dashboard");
    for (int part : {1, 2}) {
        auto* classes = window_->currentPage()->findChild<ClassesPanel*>();
        classes->show(part);
        lookOver(part == 1 ? "dashboard-classes" : "dashboard-worst-samples", classes);
    }
    showRun(folders[3]);
    qobject_cast<RunPage*>(window_->currentPage())->showCurves(true);
    test::draw_charts(window_.get());
    lookOver("dashboard-curves");
    auto* curves = window_->currentPage()->findChild<CurvesPanel*>();
    data_ << QStringLiteral("exp\\(train/loss\\)");
    curves->addPanel({.lines = {"exp(train/loss)", "train/loss +"}, .right = {"train/lr"}});
    curves->addPanel({.kind = report::PanelKind::table, .lines = {"train/loss"}});
    test::draw_charts(window_.get());
    lookOver("dashboard-panels");
    curves->editPanel(QStringLiteral("pin:1"));
    auto* editor = curves->findChild<PanelDialog*>();
    lookAt(editor, "dialog-panel");
    for (const QLabel* label : editor->findChildren<QLabel*>())
        EXPECT_EQ(label->contentsMargins().left(), 0) << label->text().toStdString() << " is beside the fields";
    editor->reject();
    showRun(folders[5]);
    lookOver("dashboard-failed");
    const auto* failure = test::child<FailurePanel>(*window_->currentPage());
    if (plain_) {
        for (const auto* button : failure->findChildren<QPushButton*>())
            EXPECT_GT(button->mapTo(failure, QPoint()).y(), failure->height() - 60) << "one line at the foot";
    }
    showRun(folders[8]);
    lookOver("dashboard-lost");
    if (plain_) {
        for (const QString& text : test::painted_texts(
                 test::child<QListView>(*window_->currentPage(), EventsPanel::tr("Events"))->viewport()))
            EXPECT_FALSE(text.endsWith(QChar(0x2026))) << text.toStdString() << ": its day takes the room";
    }
}

/// The settings of a run beside those of an earlier one with the same name: other values, and none.
TEST_F(LooksTest, SettingsDifferences) {
    test::fabricate(runs(), {.name = "books", .age_s = 9000, .lr = 1e-3, .bf16 = true});
    const auto other = test::fabricate(runs(), {.name = "books", .ranks = 2, .age_s = 6000});
    const auto same = test::fabricate(runs(), {.name = "books", .ranks = 2, .age_s = 3000});
    open();
    for (const auto& [folder, name] : {std::pair(other, "differences-some"), {same, "differences-none"}}) {
        showRun(folder);
        auto* panel = test::child<ConfigDiffPanel>(*window_->currentPage());
        ASSERT_TRUE(QTest::qWaitFor([&] { return panel->isVisible(); }, 10'000));
        lookOver(name, panel);
    }
}

TEST_F(LooksTest, Logs) {
    test::fabricate(runs(), {.name = "one"});
    open();
    LogPage* page = showLogs(golden() / "runs");
    ASSERT_NE(page, nullptr);
    ASSERT_TRUE(QTest::qWaitFor([&] { return page->tree()->isCaughtUp(); }, 30000));
    const auto* cards = test::child<CardGrid>(*page);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !cards->cards().isEmpty(); }, 30000));
    test::draw_charts(window_.get());
    lookOver("logs");
    page = showLogs(golden() / "damaged");
    ASSERT_NE(page, nullptr);
    ASSERT_TRUE(QTest::qWaitFor([&] { return page->tree()->isCaughtUp(); }, 30000));
    cards = test::child<CardGrid>(*page);
    ASSERT_TRUE(QTest::qWaitFor(
        [&] {
            EXPECT_FALSE(
                test::shown_words(*page).contains(LogPage::tr("The selected logs have no curves that can be read.")))
                << "before its tags were looked at";
            return !cards->cards().isEmpty();
        },
        30000));
    ASSERT_TRUE(QTest::qWaitFor([&] { return page->warning()->isVisible(); }, 10000));
    test::draw_charts(window_.get());
    may_scroll_ = true;
    lookOver("logs-damaged");
    may_scroll_ = false;
    std::filesystem::create_directories(home_.path() / "nothing-here");
    std::ofstream(home_.path() / "nothing-here" / "readme.txt") << "no log\n";
    window_->context()->openPath(QString::fromStdString((home_.path() / "nothing-here").string()));
    test::draw_charts(window_.get());
    lookOver("logs-refused");
}

TEST_F(LooksTest, Traces) {
    open();
    window_->open({QLatin1String(TracesPage::kKey), {}});
    auto* page = window_->page<TracesPage>();
    const std::filesystem::path folder = golden().parent_path() / "traces" / "real" / "ranks2";
    page->openPaths({QString::fromStdString((folder / "rank0.json.gz").string()),
                     QString::fromStdString((folder / "rank1.json.gz").string())});
    const auto calculated = [&] {
        return QTest::qWaitFor([&] { return !page->isReading() && !test::child<SharePanel>(*page)->words().isEmpty(); },
                               20'000);
    };
    ASSERT_TRUE(calculated());
    lookOver("traces-selection");
    test::child<StepPicker>(*page)->step(1);
    ASSERT_TRUE(calculated());
    test::child<SelectionPanel>(*page)->showTable(TraceTable::Flame);
    test::draw_charts(window_.get());
    lookOver("traces-flame");
    page->compareRanks(0, 1);
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return test::child<SelectionPanel>(*page)->shownTable() == TraceTable::Compared; }, 10'000));
    test::draw_charts(window_.get());
    lookOver("traces-compared");
    test::child<SelectionPanel>(*page)->showTable(TraceTable::Operations);
    QTest::keyClick(test::child<widgets::TimelineView>(*page), Qt::Key_Right);
    test::draw_charts(window_.get());
    lookOver("traces-slice");
}

TEST_F(LooksTest, Sweeps) {
    test::fabricate_sweep(runs(), "learning-rate-4f2a", 40, 30);
    test::fabricate_sweep(runs(), "depth-and-width-91cc", 16, 16);
    data_ << QStringLiteral("learning-rate-4f2a") << QStringLiteral("depth-and-width-91cc")
          << QStringLiteral("random, eval/loss") << QStringLiteral("[a-z]+[./][a-z_]+");
    open();
    window_->open({QLatin1String(SweepsPage::kKey), QStringLiteral("learning-rate-4f2a")});
    auto* page = qobject_cast<SweepsPage*>(window_->currentPage());
    ASSERT_NE(page, nullptr);
    ASSERT_TRUE(QTest::qWaitFor([&] { return page->trials()->rowCount() == 30; }, 10'000));
    test::draw_charts(window_.get());
    lookOver("sweeps-one");
    test::child<widgets::SegmentedControl>(*page)->setCurrent(1);
    test::draw_charts(window_.get());
    lookOver("sweeps-parallel");
}

TEST_F(LooksTest, OtherPlaces) {
    test::fabricate_gallery(runs());
    open();
    for (const PageEntry& entry : all_pages()) {
        if (entry.rail == RailSection::None || entry.key == QLatin1String("runs"))
            continue;
        window_->open({entry.key, {}});
        test::draw_charts(window_.get());
        lookOver(entry.key.toLatin1().constData());
    }
    const auto model = test::own_golden("models") / "llama_gqa" / "model.safetensors";
    window_->open({QLatin1String(ArchitecturePage::kKey), QString::fromStdString(model.string())});
    const auto* architecture = window_->page<ArchitecturePage>();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !architecture->view()->data().nodes.empty(); }));
    lookOver("architecture");
    QTest::keyClick(window_.get(), Qt::Key_K, Qt::ControlModifier);
    test::draw_charts(window_.get());
    lookOver("palette");
}
