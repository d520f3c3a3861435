// SPDX-License-Identifier: GPL-3.0-or-later
// The run page names the ranks of a mesh by their coordinates: list of ranks, failure, log.

#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QTableView>

#include <gtest/gtest.h>

#include "dashboard/run_page_test.h"
#include "desktop/dashboard/failure_panel.h"
#include "desktop/dashboard/log_panel.h"
#include "desktop/dashboard/ranks_model.h"
#include "desktop/dashboard/ranks_panel.h"
#include "support/child.h"
#include "support/picture.h"
#include "widgets/plot/log_view.h"
#include "widgets/segmented_control.h"
#include "widgets/theme.h"

namespace trainyard::desktop {
namespace {

class RankPlaces : public RunPageTest {
  protected:
    test::FabricatedRun placed(run::Status status) {
        widgets::Theme::instance().install(*qApp);
        test::FabricatedPlan plan;
        plan.ranks = 4;
        plan.status = status;
        test::FabricatedRun run(folder.path(), plan);
        for (int rank = 0; rank < 4; ++rank) {
            run.state().ranks[static_cast<std::size_t>(rank)].place =
                "pp " + std::to_string(rank / 2) + ", tp " + std::to_string(rank % 2);
            run.addLogLine(rank, "a line of rank " + std::to_string(rank));
        }
        run.writeState();
        return run;
    }
    void TearDown() override {
        if (page != nullptr)
            for (const auto& [theme, suffix] :
                 {std::pair{widgets::ThemeChoice::Light, "-light"}, std::pair{widgets::ThemeChoice::Dark, "-dark"}}) {
                widgets::Theme::instance().setChoice(theme);
                test::take_picture(page.get(), suffix);
            }
    }
};

TEST_F(RankPlaces, TheListHasAColumnOfThem) {
    const test::FabricatedRun run = placed(run::Status::running);
    open(run);
    auto* table = test::child<QTableView>(*test::child<RanksPanel>(*page));
    EXPECT_FALSE(table->isColumnHidden(RanksModel::Place));
    for (int rank = 0; rank < 4; ++rank) {
        const QString place = QStringLiteral("pp %1, tp %2").arg(rank / 2).arg(rank % 2);
        EXPECT_EQ(table->model()->index(rank, RanksModel::Place).data().toString(), place);
        EXPECT_TRUE(table->model()->index(rank, 0).data(Qt::ToolTipRole).toString().contains(place));
    }
    const int needed =
        QFontMetrics(widgets::Theme::instance().mono(11)).horizontalAdvance(QStringLiteral("pp 1, tp 1"));
    EXPECT_GE(table->columnWidth(RanksModel::Place), needed);
}

TEST_F(RankPlaces, ReplicasHaveNone) {
    const test::FabricatedRun run(folder.path(), {});
    open(run);
    EXPECT_TRUE(test::child<QTableView>(*test::child<RanksPanel>(*page))->isColumnHidden(RanksModel::Place));
}

TEST_F(RankPlaces, TheLogShowsTheRanksOfACoordinate) {
    const test::FabricatedRun run = placed(run::Status::running);
    open(run);
    auto* log = test::child<LogPanel>(*page);
    auto* ranks = test::child<QComboBox>(*log);
    EXPECT_EQ(ranks->itemText(3), QStringLiteral("3 (pp 1, tp 1)"));
    log->showRank(3);
    EXPECT_EQ(log->view()->log()->filter().ranks, std::vector<int>{3});
    const auto filtered = [&](const char* words, const std::vector<int>& expected) {
        ranks->setCurrentText(QLatin1String(words));
        EXPECT_TRUE(QTest::qWaitFor([&] { return log->view()->log()->filter().ranks == expected; })) << words;
    };
    filtered("pp 0", {0, 1});
    filtered("tp 1", {1, 3});
    filtered("pp 1, tp 0", {2});
    filtered("0, 2-3", {0, 2, 3});
}

TEST_F(RankPlaces, AFailureNamesThem) {
    test::FabricatedRun run = placed(run::Status::running);
    run.fail();
    run.state().first_failure->place = "pp 0, tp 1";
    run.writeState();
    open(run);
    bool named = false;
    for (const QLabel* label : test::child<FailurePanel>(*page)->findChildren<QLabel*>())
        named = named || label->text().startsWith(QStringLiteral("Rank 1 (pp 0, tp 1) failed first"));
    EXPECT_TRUE(named);
}

}  // namespace
}  // namespace trainyard::desktop
