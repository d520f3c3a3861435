// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A folder of fabricated runs and the list of them in a window.

#include <memory>

#include <QTest>

#include <gtest/gtest.h>

#include "desktop/runs/run_store.h"
#include "desktop/runs/runs_columns.h"
#include "desktop/runs/runs_page.h"
#include "desktop/runs/runs_proxy.h"
#include "desktop/runs/saved_filters.h"
#include "support/child.h"
#include "support/temporary_folder.h"
#include "support/views_folder.h"
#include "widgets/theme.h"

namespace trainyard::test {

class RunsPageTest : public testing::Test {
  protected:
    void SetUp() override {
        ::setenv("TRAINYARD_RUNS", runs_.path().c_str(), 1);
        widgets::Theme::instance().install(*qApp);
    }
    void open(int width = 1228) {
        store_ = std::make_unique<desktop::RunStore>();
        page_ = std::make_unique<desktop::RunsPage>(store_.get());
        page_->resize(width, 800);
        page_->show();
        ASSERT_TRUE(QTest::qWaitForWindowActive(page_.get()));
        store_->start();
        ASSERT_TRUE(QTest::qWaitFor([this] { return store_->isLoaded(); }));
    }
    desktop::RunsProxy* proxy() const { return child<desktop::RunsProxy>(*page_); }
    /// Not valid: there is no run of this name.
    QModelIndex cell(const char* name, int column = desktop::RunsModel::Name) const {
        for (int row = 0; row < proxy()->rowCount(); ++row)
            if (proxy()->at(proxy()->index(row, 0)).name == QLatin1String(name))
                return proxy()->index(row, column);
        return {};
    }

    ViewsFolder views_;
    TemporaryFolder runs_;
    std::unique_ptr<desktop::RunStore> store_;
    std::unique_ptr<desktop::RunsPage> page_;
};

}  // namespace trainyard::test
