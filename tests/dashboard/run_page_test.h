// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The page of a fabricated run in a window.

#include <memory>

#include <QTest>

#include <gtest/gtest.h>

#include "dashboard/fabricated_run.h"
#include "desktop/dashboard/run_page.h"
#include "support/draw_charts.h"
#include "support/patience.h"
#include "support/temporary_folder.h"
#include "support/views_folder.h"

namespace trainyard::desktop {

class RunPageTest : public ::testing::Test {
  protected:
    /// Opens the page, and waits until it has read and drawn all data of the run.
    RunPage* open(const test::FabricatedRun& run) {
        page = std::make_unique<RunPage>(run.paths());
        page->resize(1228, 874);
        page->show();
        EXPECT_TRUE(
            QTest::qWaitFor([&] { return page->record()->isCaughtUp() && page->record()->state(); }, kPatience));
        test::draw_charts(page.get());
        return page.get();
    }

    test::ViewsFolder views;
    test::TemporaryFolder folder;
    std::unique_ptr<RunPage> page;
};

}  // namespace trainyard::desktop
