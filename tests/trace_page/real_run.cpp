// SPDX-License-Identifier: GPL-3.0-or-later
// Tests with a real run of two ranks, one of which is slowed down: it is profiled from its page, and the page of traces
// opens the recorded traces and names the slow rank.

#include "fault/real_run.h"

#include <cmath>
#include <cstdlib>

#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>
#include <QTest>

#include <gtest/gtest.h>

#include "desktop/dashboard/profile_dialog.h"
#include "desktop/dashboard/run_header.h"
#include "desktop/dashboard/run_page.h"
#include "desktop/dashboard/tags.h"
#include "desktop/traces/share_panel.h"
#include "desktop/traces/step_picker.h"
#include "desktop/traces/traces_page.h"
#include "observe/traces/summary.h"
#include "support/child.h"
#include "support/patience.h"
#include "support/views_folder.h"

namespace trainyard::desktop {
namespace {

constexpr int kRecorded = 3;  // steps

class ProfiledRun : public ::testing::Test {
  protected:
    ProfiledRun() { ::setenv("TRAINYARD_FAILPOINT", "phase.1.forward:sleep@8+", 1); }
    ~ProfiledRun() override { ::unsetenv("TRAINYARD_FAILPOINT"); }
    const run::Event* profileEvent(const RunPage& page) const {
        for (const run::Event& event : page.record()->events())
            if (event.kind == "profile")
                return &event;
        return nullptr;
    }
    /// Fills in the profile dialog, checks its defaults, and confirms it.
    static void fill(ProfileDialog& dialog) {
        dialog.findChild<QSpinBox*>(QStringLiteral("active"))->setValue(kRecorded);
        EXPECT_EQ(dialog.findChild<QSpinBox*>(QStringLiteral("warmup"))->value(), 1) << "default of the warm-up";
        dialog.findChild<QSpinBox*>(QStringLiteral("skip_first"))->setValue(1);
        dialog.findChild<QCheckBox*>(QStringLiteral("profile_memory"))->setChecked(true);
        auto* shapes = dialog.findChild<QCheckBox*>(QStringLiteral("record_shapes"));
        dialog.findChild<QCheckBox*>(QStringLiteral("with_flops"))->setChecked(true);
        EXPECT_TRUE(shapes->isChecked() && !shapes->isEnabled()) << "FLOPs need the shapes";
        dialog.findChild<QDialogButtonBox*>()->buttons().front()->click();
    }

    test::ViewsFolder views_;
    test::RealRun run_;
};

TEST_F(ProfiledRun, TheRankThatWasHeldUpIsFoundFromItsPage) {
    const test::Said said = run_.start({"--num_processes", "2"});
    ASSERT_EQ(said.code, 0) << said.err;
    RunPage page(*run_.paths);
    page.resize(1228, 874);
    page.show();
    ASSERT_TRUE(QTest::qWaitFor([&] { return page.record()->step() >= 8; }, kPatience));
    QPushButton* button = test::child<RunHeader>(page)->profileButton();
    ASSERT_TRUE(QTest::qWaitFor([&] { return button->isVisible() && button->isEnabled(); }, kPatience));
    QSignalSpy recorded(&page, &RunPage::traceRequested);
    QTest::mouseClick(button, Qt::LeftButton);
    auto* dialog = qobject_cast<ProfileDialog*>(QApplication::activeModalWidget());
    ASSERT_NE(dialog, nullptr);
    const std::int64_t at = page.record()->step();
    fill(*dialog);
    ASSERT_TRUE(QTest::qWaitFor([&] { return profileEvent(page) != nullptr; }, kPatience));
    const run::Event event = *profileEvent(page);
    EXPECT_EQ(event.step - static_cast<std::int64_t>(event.value) + 1, kRecorded);
    EXPECT_GE(event.value, static_cast<double>(at) + 3) << "one step was skipped, one warmed up";
    ASSERT_TRUE(QTest::qWaitFor([&] { return recorded.count() == 1; }, kPatience))
        << "it is opened when it is recorded";
    EXPECT_EQ(recorded[0][0].toString().toStdString(), (run_.paths->root() / event.path).string());

    // The page of traces lists it under the name of the run.
    TracesPage listing;
    listing.show();
    listing.setRuns({{QString::fromStdString(run_.paths->root().string()), QStringLiteral("profiled")}});
    auto* table = test::child<QTableView>(listing, QStringLiteral("Recorded profiles"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return table->isVisible(); }, kPatience));
    EXPECT_EQ(table->model()->index(0, ProfileModel::Run).data().toString(), QStringLiteral("profiled"));
    EXPECT_EQ(table->model()->index(0, ProfileModel::Ranks).data().toString(), QStringLiteral("2"));

    // Opens the traces from the menu of the run.
    QSignalSpy wanted(&page, &RunPage::tracesRequested);
    emit test::child<RunHeader>(page)->tracesRequested();
    ASSERT_EQ(wanted.count(), 1);
    TracesPage traces;
    traces.resize(1250, 836);
    traces.show();
    traces.activate(wanted.front().front().toString());
    ASSERT_TRUE(QTest::qWaitFor([&] { return traces.trace() != nullptr && !traces.isReading(); }, kPatience));
    const traces::RankSet& set = traces.trace()->set();
    ASSERT_EQ(set.ranks.size(), 2U);
    EXPECT_EQ(set.ranks[0].correction, 0) << "one machine has one clock";
    EXPECT_EQ(set.ranks[1].correction, 0);
    ASSERT_EQ(test::child<StepPicker>(traces)->steps().size(), kRecorded);
    for (const traces::RankTrace& rank : set.ranks) {
        EXPECT_EQ(rank.trace->reading.unplaced(), 0U) << rank.trace->reading.unplaced_words();
        EXPECT_FALSE(rank.trace->memory.empty()) << "the dialog asked for it";
    }

    // "Which rank was waited for": of all, and in each step.
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return test::child<SharePanel>(traces)->words().contains(QStringLiteral("rank 1")); }, kPatience))
        << test::child<SharePanel>(traces)->words().toStdString();
    EXPECT_EQ(traces.trace()->slowestFirst().front(), 1);
    for (const StepPicker::Step& step : test::child<StepPicker>(traces)->steps()) {
        const auto waits = set.waits({step.range.begin, step.range.end});
        ASSERT_FALSE(waits.empty()) << step.number;
        EXPECT_EQ(waits.front().rank, 1) << step.number;
        EXPECT_GT(waits.front().waited, 1'000'000'000) << "rank 1 sleeps 1.5 s in every step";
    }

    // The sums of the summary must equal the times that the engine measured, which rank 0 logs with its loss.
    const traces::TraceSummary summary = traces::summarise(traces::only_rank(set, 0));
    ASSERT_EQ(summary.steps.size(), static_cast<std::size_t>(kRecorded));
    for (const traces::StepShare& one : summary.steps) {
        SCOPED_TRACE(one.step);
        double clock = 0, traced = 0;
        for (const auto& [name, ns] : one.phases) {
            const widgets::Series& series = page.record()->series(tag::kPhase + name);
            ASSERT_TRUE(QTest::qWaitFor([&] { return !series.empty() && series.step(series.size() - 1) >= one.step; },
                                        kPatience));
            for (std::size_t i = 0; i < series.size(); ++i)
                if (series.step(i) == one.step)
                    clock += series.value(i);
            traced += static_cast<double>(ns) * 1e-9;
        }
        EXPECT_GT(clock, 1);
        EXPECT_NEAR(traced, clock, 0.02 * clock);
        EXPECT_NEAR(static_cast<double>(one.share.total) * 1e-9, clock, 0.02 * clock);
    }
    page.record()->ask(run::StopRequest{.checkpoint = false});
    EXPECT_TRUE(QTest::qWaitFor([&] { return page.record()->stage() == RunStage::Stopped; }, kPatience));
}

}  // namespace
}  // namespace trainyard::desktop
