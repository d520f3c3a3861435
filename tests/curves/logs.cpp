// SPDX-License-Identifier: GPL-3.0-or-later
// Folders of logs without a run of ours: the golden TensorBoard files, fabricated ones, damaged and growing ones.

#include <cmath>
#include <fstream>

#include <QCheckBox>
#include <QElapsedTimer>
#include <QLineEdit>
#include <QListView>
#include <QTableView>
#include <QTest>

#include <gtest/gtest.h>

#include "desktop/curves/card_grid.h"
#include "desktop/curves/curve_card.h"
#include "desktop/curves/curves_panel.h"
#include "desktop/curves/log_list.h"
#include "desktop/curves/log_page.h"
#include "desktop/curves/parameters_card.h"
#include "desktop/shell/view_state.h"
#include "desktop/sources/log_tree.h"
#include "formats/events/event_file.h"
#include "sources/written_wandb.h"
#include "support/child.h"
#include "support/temporary_folder.h"
#include "support/views_folder.h"
#include "widgets/inline_message.h"
#include "widgets/plot/curve_chart.h"
#include "widgets/theme.h"

using namespace trainyard;
using namespace trainyard::desktop;

namespace {

class LogsTest : public testing::Test {
  protected:
    LogList* list() const { return test::child<LogList>(*page_); }
    void SetUp() override {
        widgets::Theme::instance().install(*qApp);
        std::filesystem::create_directories(logs());
    }
    std::filesystem::path logs() const { return home_.path() / "logs"; }
    std::filesystem::path golden() const {
        const char* given = std::getenv("TRAINYARD_GOLDEN");
        return std::filesystem::path(given != nullptr ? given : TRAINYARD_SOURCE_DIR "/tests/golden") / "tb_events";
    }
    void writeCsv(const std::string& name, int steps) {
        std::ofstream file(logs() / (name + ".csv"));
        file << "step,loss,accuracy\n";
        for (int i = 0; i < steps; ++i)
            file << i << ',' << std::exp(-i / 20.0) << ',' << 1 - std::exp(-i / 20.0) << '\n';
    }
    void open(const std::filesystem::path& place) {
        page_ = std::make_unique<LogPage>(QString::fromStdString(place.string()));
        page_->resize(1228, 860);
        page_->show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(page_.get()));
    }
    bool read(int sources) {
        return QTest::qWaitFor([&] { return page_->tree()->isCaughtUp() && list()->model()->total() == sources; },
                               30000);
    }
    CurveCard* card(const char* id) const {
        return qobject_cast<CurveCard*>(test::child<CardGrid>(*page_)->card(QString::fromLatin1(id)));
    }
    test::ViewsFolder views_;
    test::TemporaryFolder home_;
    std::unique_ptr<LogPage> page_;
};

}  // namespace

TEST_F(LogsTest, AFolderOfTensorBoardFilesOpens) {
    open(golden() / "runs");
    ASSERT_TRUE(QTest::qWaitFor([&] { return page_->tree()->isCaughtUp(); }, 30000));
    EXPECT_GE(list()->model()->total(), 6);
    EXPECT_TRUE(list()->isVisible());
    EXPECT_TRUE(QTest::qWaitFor([&] { return test::child<CurvesPanel>(*page_)->index().entries().size() > 5; }));
    EXPECT_FALSE(test::child<CardGrid>(*page_)->cards().isEmpty());
}

TEST_F(LogsTest, ASingleFileOpens) {
    writeCsv("alone", 30);
    open(logs() / "alone.csv");
    ASSERT_TRUE(read(1));
    EXPECT_FALSE(list()->isVisible()) << "one log needs no list";
    ASSERT_TRUE(QTest::qWaitFor([&] { return card("s:loss") != nullptr; }));
    EXPECT_EQ(card("s:loss")->chart()->curves().first().series->size(), 30u);
}

TEST_F(LogsTest, ADamagedFileIsShownUpToTheDamageAndTold) {
    std::filesystem::copy(golden() / "damaged" / "events.out.tfevents.bad_data_checksum",
                          logs() / "events.out.tfevents.1700000000.host");
    open(logs());
    ASSERT_TRUE(read(1));
    EXPECT_TRUE(QTest::qWaitFor([&] { return page_->warning()->isVisible(); }, 5000));
    EXPECT_FALSE(page_->warning()->text().isEmpty());
    EXPECT_FALSE(test::child<CurvesPanel>(*page_)->index().entries().empty());
}

TEST_F(LogsTest, TicksFilterAndOnlyOne) {
    for (const char* name : {"first", "second", "third"})
        writeCsv(name, 20);
    open(logs());
    ASSERT_TRUE(read(3));
    ASSERT_TRUE(QTest::qWaitFor([&] { return card("s:loss") != nullptr; }));
    EXPECT_EQ(card("s:loss")->chart()->curves().size(), 3);
    QListView* view = list()->view();
    const auto at = [&](int row) { return view->visualRect(list()->model()->index(row, 0)).center(); };
    QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, at(1));
    EXPECT_EQ(card("s:loss")->chart()->curves().size(), 2);
    QTest::mouseClick(view->viewport(), Qt::LeftButton, Qt::ControlModifier, at(1));
    ASSERT_EQ(card("s:loss")->chart()->curves().size(), 1);
    EXPECT_EQ(test::child<QCheckBox>(*list())->checkState(), Qt::PartiallyChecked);
    view->setFocus();
    QTest::keyClick(view, Qt::Key_Down);
    QTest::keyClick(view, Qt::Key_Space);
    EXPECT_EQ(card("s:loss")->chart()->curves().size(), 2);
    QTest::keyClicks(list()->field(), QStringLiteral("/^t/"));
    EXPECT_TRUE(QTest::qWaitFor([&] { return list()->model()->rowCount() == 1; }));
    // Another page of the same folder has the same ticks and words.
    ViewState::instance().flush();
    open(logs());
    ASSERT_TRUE(read(3));
    EXPECT_EQ(list()->model()->ticked().size(), 2);
    EXPECT_TRUE(QTest::qWaitFor([&] { return list()->model()->rowCount() == 1; }));
}

TEST_F(LogsTest, RunsOfWeightsAndBiasesHaveTheirNamesTagsAndConfig) {
    for (const auto& [id, name, tag, rate] :
         {std::tuple("x1", "brave-llama", "lora", "0.001"), {"x2", "calm-bert", "full", "0.002"}}) {
        test::WrittenWandb file;
        file.run(name, {tag}, rate);
        for (int step = 0; step < 5; ++step)
            file.history(step, 1.0 / (1 + step));
        file.write(logs() / ("offline-run-" + std::string(id)) / ("run-" + std::string(id) + ".wandb"));
    }
    open(logs());
    ASSERT_TRUE(read(2));
    const auto shown = [&] {
        QStringList names;
        for (int row = 0; row < list()->model()->rowCount(); ++row)
            names << list()->model()->index(row, 0).data().toString();
        return names;
    };
    EXPECT_EQ(shown(), (QStringList{QStringLiteral("brave-llama"), QStringLiteral("calm-bert")}));
    EXPECT_TRUE(list()->model()->index(0, 0).data(Qt::ToolTipRole).toString().contains(QStringLiteral("Tags: lora")));
    // Config, summary and tags are rows of the card of parameters, with a column for each run.
    ASSERT_TRUE(QTest::qWaitFor([&] { return page_->findChild<ParametersCard*>() != nullptr; }));
    const auto* table = page_->findChild<ParametersCard*>()->findChild<QTableView*>()->model();
    EXPECT_EQ(table->headerData(1, Qt::Horizontal).toString(), QStringLiteral("brave-llama"));
    QMap<QString, QStringList> rows;
    for (int row = 0; row < table->rowCount(); ++row)
        rows[table->index(row, 0).data().toString()] = {table->index(row, 1).data().toString(),
                                                        table->index(row, 2).data().toString()};
    EXPECT_EQ(rows[QStringLiteral("lr")], (QStringList{QStringLiteral("0.001"), QStringLiteral("0.002")}));
    EXPECT_EQ(rows[QStringLiteral("run/tags")], (QStringList{QStringLiteral("lora"), QStringLiteral("full")}));
    EXPECT_EQ(rows[QStringLiteral("summary/best")], (QStringList{QStringLiteral("0.25"), QStringLiteral("0.25")}));
    // The filter knows names and tags; what is selected is kept by the place.
    QTest::keyClicks(list()->field(), QStringLiteral("lora"));
    EXPECT_TRUE(QTest::qWaitFor([&] { return shown() == QStringList{QStringLiteral("brave-llama")}; }));
    EXPECT_EQ(list()->model()->ticks().front(), QStringLiteral("offline-run-x1/run-x1.wandb"));
}

TEST_F(LogsTest, WhatIsWrittenWhileItIsShownComes) {
    writeCsv("growing", 5);
    open(logs());
    ASSERT_TRUE(read(1));
    ASSERT_TRUE(QTest::qWaitFor([&] { return card("s:loss") != nullptr; }));
    const widgets::Series& series = *card("s:loss")->chart()->curves().first().series;
    ASSERT_EQ(series.size(), 5u);
    std::ofstream(logs() / "growing.csv", std::ios::app) << "5,0.5,0.5\n6,0.4,0.6\n";
    EXPECT_TRUE(QTest::qWaitFor([&] { return series.size() == 7; }, 15000));
    writeCsv("later", 5);
    EXPECT_TRUE(QTest::qWaitFor([&] { return list()->model()->total() == 2; }, 15000));
    EXPECT_TRUE(list()->isVisible());
}

TEST_F(LogsTest, AnEmptyFolderSaysWhatWillAppear) {
    open(logs());
    ASSERT_TRUE(QTest::qWaitFor([&] { return page_->tree()->isScanned(); }, 10000));
    EXPECT_FALSE(test::child<CardGrid>(*page_)->isVisible());
    writeCsv("now", 5);
    EXPECT_TRUE(QTest::qWaitFor([&] { return card("s:loss") != nullptr; }, 15000));
}

TEST_F(LogsTest, AThousandSourcesAreListedAndOnlyTheTickedAreShown) {
    for (int i = 0; i < 1000; ++i) {
        const std::filesystem::path folder =
            logs() / ("sweep" + std::to_string(i / 100)) / ("trial" + std::to_string(i));
        std::filesystem::create_directories(folder);
        events::EventFileWriter writer(folder);
        for (int step = 0; step < 3; ++step)
            writer.add_scalars(step, 1.7e9 + step, {{"loss", 1.0 / (step + 1)}, {"lr", 0.1}});
        writer.flush();
    }
    open(logs());
    ASSERT_TRUE(QTest::qWaitFor([&] { return list()->model()->total() == 1000; }, 60000));
    EXPECT_EQ(list()->model()->ticked().size(), LogListModel::kFirstTicks);
    ASSERT_TRUE(QTest::qWaitFor([&] { return card("s:loss") != nullptr; }, 30000));
    QTest::keyClicks(list()->field(), QStringLiteral("/trial99\\d/"));
    EXPECT_TRUE(QTest::qWaitFor([&] { return list()->model()->rowCount() == 10; }));
    QTest::mouseClick(test::child<QCheckBox>(*list()), Qt::LeftButton, {},
                      QPoint(8, test::child<QCheckBox>(*list())->height() / 2));
    EXPECT_EQ(list()->model()->ticked().size(), LogListModel::kFirstTicks + 10);
    EXPECT_TRUE(QTest::qWaitFor([&] {
        return card("s:loss") != nullptr && card("s:loss")->chart()->curves().size() == LogListModel::kFirstTicks + 10;
    }));
}
