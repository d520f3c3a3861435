// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Test fixture with the real main window over a folder of runs.

#include <memory>

#include <QTest>

#include <gtest/gtest.h>

#include "desktop/runs/run_store.h"
#include "desktop/shell/main_window.h"
#include "desktop/shell/preferences.h"
#include "support/temporary_folder.h"
#include "support/views_folder.h"
#include "widgets/theme.h"

namespace trainyard::test {

class WindowFixture : public testing::Test {
  protected:
    void SetUp() override {
        ::setenv("TRAINYARD_RUNS", folder_.path().c_str(), 1);
        widgets::Theme::instance().setChoice(widgets::ThemeChoice::Dark);
        widgets::Theme::instance().install(*qApp);
    }
    void TearDown() override { window_.reset(); }
    /// Opens the window, again if it is open, and waits until it is active and has read the list of runs.
    void open(const desktop::Options& options = {}) {
        window_.reset();
        preferences_ = std::make_unique<desktop::Preferences>();
        window_ = std::make_unique<desktop::MainWindow>(preferences_.get(), options);
        window_->show();
        ASSERT_TRUE(QTest::qWaitForWindowActive(window_.get()));
        window_->begin();
        ASSERT_TRUE(QTest::qWaitFor([this] { return window_->store()->isLoaded(); }));
    }
    const std::filesystem::path& root() const { return folder_.path(); }

    ViewsFolder views_;
    TemporaryFolder folder_;
    std::unique_ptr<desktop::Preferences> preferences_;
    std::unique_ptr<desktop::MainWindow> window_;
};

}  // namespace trainyard::test
