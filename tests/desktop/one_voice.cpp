// SPDX-License-Identifier: GPL-3.0-or-later
// The list of runs and the page of a run tell the same of it.

#include <optional>

#include <QProcess>
#include <QTest>

#include <gtest/gtest.h>

#include "base/clock.h"
#include "base/text.h"
#include "desktop/dashboard/progress_line.h"
#include "desktop/dashboard/run_page.h"
#include "desktop/dashboard/stage_words.h"
#include "desktop/runs/run_store.h"
#include "desktop/shell/live_row.h"
#include "desktop/text/words.h"
#include "fabricated_runs.h"
#include "run/journal.h"
#include "run/paths.h"
#include "run/state.h"
#include "support/child.h"
#include "support/patience.h"
#include "support/temporary_folder.h"
#include "support/views_folder.h"

namespace trainyard::desktop {
namespace {

class OneVoice : public testing::Test {
  protected:
    void SetUp() override { ::setenv("TRAINYARD_RUNS", runs.path().c_str(), 1); }
    test::ViewsFolder views;
    test::TemporaryFolder runs;
};

TEST_F(OneVoice, TheListAndThePageTellTheSameTimeLeft) {
    const run::RunPaths paths(
        test::fabricate(runs.path(), {.name = "live", .status = run::Status::running, .step = 400}));
    run::RunState state = run::read_state(paths).value();
    // The steps in the metrics would say something else: of those that the supervisor saw, some were slow.
    state.progress.eta_s = 750;
    run::write_state(paths, state, false);

    RunStore store;
    store.start();
    ASSERT_TRUE(QTest::qWaitFor([&] { return store.isLoaded() && !store.runs().isEmpty(); }, kPatience));
    const LiveRow row(store.runs().first());
    EXPECT_EQ(row.rightText(), QStringLiteral("12\u00a0min\u00a030\u00a0s"));

    RunPage page(paths);
    page.resize(1228, 874);
    page.show();
    ASSERT_TRUE(QTest::qWaitFor([&] { return page.record()->isCaughtUp() && page.record()->state(); }, kPatience));
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return test::child<ProgressLine>(page)->words().contains(QStringLiteral("left")); }, kPatience));
    EXPECT_TRUE(test::child<ProgressLine>(page)->words().contains(row.rightText() + QStringLiteral(" left")))
        << test::child<ProgressLine>(page)->words().toStdString();
}

/// The duration without pauses, of a run whose state has the paused time, and of one of an older version.
TEST_F(OneVoice, TheListThePageAndTheCommandLineTellTheSameDuration) {
    const double begin = 1795250000;
    for (const bool old : {false, true}) {
        const run::RunPaths paths(test::fabricate(
            runs.path(), {.name = old ? "older" : "newer", .status = run::Status::finished, .step = 400}));
        run::RunState state = run::read_state(paths).value();
        state.started = begin;
        state.ended = begin + 600;
        state.idle_s = old ? std::nullopt : std::optional(240.0);
        run::write_state(paths, state, false);
        if (old) {
            run::append_event(paths, {begin + 100, 200, "phase", -1, Message("paused after step {}", 200), {}, 0});
            run::append_event(paths,
                              {begin + 340, 200, "phase", -1, Message("training goes on after step {}", 200), {}, 0});
        }
        RunStore store;
        store.start();
        const auto found = [&]() -> const RunSummary* {
            return store.isLoaded() ? store.find(QString::fromStdString(paths.id())) : nullptr;
        };
        ASSERT_TRUE(QTest::qWaitFor([&] { return found() != nullptr && found()->started > 0; }, kPatience));
        EXPECT_EQ(found()->duration(begin + 1e6), 360) << paths.id();
        RunPage page(paths);
        ASSERT_TRUE(QTest::qWaitFor([&] { return page.record()->state().has_value(); }, kPatience));
        const QString facts = facts_line(*page.record(), begin + 700);
        EXPECT_TRUE(facts.contains(
            QStringLiteral("took %1  ·  %2 paused or restarting").arg(durationText(360), durationText(240))))
            << facts.toStdString();
        QProcess shown;
        shown.start(QStringLiteral(TRAINYARD_BIN_DIR "/trainyard"),
                    {QStringLiteral("runs"), QStringLiteral("show"), QString::fromStdString(paths.id())});
        ASSERT_TRUE(shown.waitForFinished(kPatience));
        EXPECT_TRUE(shown.readAllStandardOutput().contains(
            ("duration     " + text::duration(360) + ", and " + text::duration(240) + " paused or restarting")
                .c_str()));
    }
}

TEST_F(OneVoice, TheDurationOfAPausedRunStandsStill) {
    const run::RunPaths paths(
        test::fabricate(runs.path(), {.name = "paused", .status = run::Status::running, .step = 400}));
    run::RunState state = run::read_state(paths).value();
    state.started = wall_seconds() - 100;
    state.idle_s = 30;
    state.idle_since = wall_seconds() - 20;
    run::write_state(paths, state, false);
    RunStore store;
    store.start();
    ASSERT_TRUE(QTest::qWaitFor([&] { return store.isLoaded() && store.runs().first().started > 0; }, kPatience));
    EXPECT_NEAR(store.runs().first().duration(wall_seconds()).value(), 50, 0.1);
    EXPECT_NEAR(store.runs().first().duration(wall_seconds() + 500).value(), 50, 0.1);
}

}  // namespace
}  // namespace trainyard::desktop
