// SPDX-License-Identifier: GPL-3.0-or-later
// The list of runs and the page of a run tell the same of it.

#include <QTest>

#include <gtest/gtest.h>

#include "desktop/dashboard/progress_line.h"
#include "desktop/dashboard/run_page.h"
#include "desktop/live_row.h"
#include "desktop/runs/run_store.h"
#include "fabricated_runs.h"
#include "run/paths.h"
#include "run/state.h"
#include "support/child.h"
#include "support/temporary_folder.h"
#include "support/views_folder.h"

namespace trainyard::desktop {
namespace {

constexpr int kPatience = 10'000;  // ms

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
    EXPECT_EQ(row.rightText(), QStringLiteral("12\u00a0m\u00a030\u00a0s"));

    RunPage page(paths);
    page.resize(1228, 874);
    page.show();
    ASSERT_TRUE(QTest::qWaitFor([&] { return page.record()->isCaughtUp() && page.record()->state(); }, kPatience));
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return test::child<ProgressLine>(page)->words().contains(QStringLiteral("left")); }, kPatience));
    EXPECT_TRUE(test::child<ProgressLine>(page)->words().contains(row.rightText() + QStringLiteral(" left")))
        << test::child<ProgressLine>(page)->words().toStdString();
}

}  // namespace
}  // namespace trainyard::desktop
