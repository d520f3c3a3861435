// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the message of a run's page about records that its trackers have not sent.

#include "desktop/dashboard/unsent_records.h"

#include <QApplication>
#include <QPushButton>

#include <gmock/gmock.h>

#include "dashboard/run_page_test.h"
#include "support/picture.h"
#include "track/fake_mlflow.h"
#include "track/unsent_run.h"
#include "widgets/inline_message.h"
#include "widgets/theme.h"

namespace trainyard::desktop {
namespace {

class Unsent : public RunPageTest {
  protected:
    test::FabricatedRun fabricate(run::Status status) {
        test::FabricatedPlan plan;
        plan.status = status;
        test::FabricatedRun run(folder.path(), plan);
        spool = test::leave_unsent_steps(run.paths().root(), server.address());
        return run;
    }
    widgets::InlineMessage* message() const {
        return qobject_cast<widgets::InlineMessage*>(page->unsent()->button()->parentWidget());
    }
    bool waitFor(const QString& title) const {
        return QTest::qWaitFor([&] { return message()->isVisible() && message()->title() == title; }, kPatience);
    }
    void takePictures() const {
        widgets::Theme::instance().install(*qApp);
        for (const auto& [theme, suffix] :
             {std::pair(widgets::ThemeChoice::Light, "-light"), {widgets::ThemeChoice::Dark, "-dark"}}) {
            widgets::Theme::instance().setChoice(theme);
            test::take_picture(page.get(), suffix);
        }
    }
    void click() const { QTest::mouseClick(page->unsent()->button(), Qt::LeftButton); }

    test::FakeMlflow server;
    fs::path spool;
};

TEST_F(Unsent, RecordsOfAnEndedRunAreSentByTheButton) {
    server.service().fail(1, 401);
    const test::FabricatedRun run = fabricate(run::Status::finished);
    open(run);
    ASSERT_TRUE(waitFor(QStringLiteral("Records of this run were not sent to its trackers")));
    click();
    ASSERT_TRUE(waitFor(QStringLiteral("Records could not be sent")));
    takePictures();
    EXPECT_THAT(message()->text().toStdString(),
                testing::AllOf(testing::HasSubstr("mlflow: 0 records sent, 21 left"),
                               testing::HasSubstr("does not accept the credentials (401)")));
    server.service().fail(0);
    click();
    ASSERT_TRUE(waitFor(QStringLiteral("All records were sent")));
    EXPECT_EQ(message()->text(), QStringLiteral("mlflow: 21 records sent"));
    EXPECT_FALSE(page->unsent()->button()->isVisible());
    ASSERT_EQ(server.runs().size(), 1u);
    EXPECT_EQ(server.runs()[0].metrics.at("loss").size(), 20u);
    EXPECT_FALSE(fs::exists(spool / "mlflow-20261128-120000-abcdef.jsonl"));
}

TEST_F(Unsent, SendingCanBeStopped) {
    server.service().stall(true);
    const test::FabricatedRun run = fabricate(run::Status::finished);
    open(run);
    ASSERT_TRUE(waitFor(QStringLiteral("Records of this run were not sent to its trackers")));
    click();
    EXPECT_EQ(message()->title(), QStringLiteral("Sending records to the trackers…"));
    EXPECT_EQ(page->unsent()->button()->text(), QStringLiteral("Stop"));
    click();
    EXPECT_EQ(message()->title(), QStringLiteral("Sending was stopped"));
    server.service().stall(false);
    click();
    ASSERT_TRUE(QTest::qWaitFor(
        [&] {
            if (message()->title() == QStringLiteral("Records could not be sent"))  // the other one has the file yet
                click();
            return message()->title() == QStringLiteral("All records were sent");
        },
        kPatience));
}

TEST_F(Unsent, AnActiveRunSendsThemItself) {
    test::FabricatedRun run = fabricate(run::Status::running);
    open(run);
    EXPECT_FALSE(message()->isVisible());
    run.fail();
    ASSERT_TRUE(waitFor(QStringLiteral("Records of this run were not sent to its trackers")));
}

}  // namespace
}  // namespace trainyard::desktop
