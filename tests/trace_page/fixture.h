// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A page of traces in a window, and traces for it: recorded ones and generated ones whose counts are known.

#include <filesystem>
#include <fstream>

#include <QTest>

#include <gtest/gtest.h>

#include "desktop/traces/traces_page.h"
#include "support/child.h"
#include "support/settle.h"
#include "support/temporary_folder.h"
#include "support/views_folder.h"
#include "widgets/inline_message.h"
#include "widgets/timeline/timeline_view.h"

namespace trainyard::desktop {

using widgets::TimelineLine;
using widgets::TimelinePlace;
using widgets::TimelineView;
using widgets::TimeSpan;

inline std::filesystem::path golden() {
    const char* given = std::getenv("TRAINYARD_GOLDEN");
    return std::filesystem::path(given != nullptr ? given : TRAINYARD_SOURCE_DIR "/tests/golden") / "traces";
}

class TracesPageTest : public testing::Test {
  protected:
    void SetUp() override {
        page_.resize(1250, 836);
        page_.show();
        ASSERT_TRUE(QTest::qWaitForWindowActive(&page_));
    }
    static QString words(const std::filesystem::path& path) { return QString::fromStdString(path.string()); }
    void open(const QStringList& paths) {
        page_.openPaths(paths);
        ASSERT_TRUE(QTest::qWaitFor([this] { return !page_.isReading(); }, 20'000));
    }
    void waitForSelection() {
        ASSERT_TRUE(QTest::qWaitFor([this] { return settled(); }, 10'000));
    }
    bool settled() {
        test::settle();
        return !page_.isSelecting();
    }
    /// Complete events on one thread; `more` goes to the list, too.
    std::filesystem::path write(const std::string& name, int events, const std::string& more = {}) {
        const auto file = folder_.path() / name;
        std::ofstream out(file);
        out << "{\"traceEvents\": [";
        for (int i = 0; i < events; ++i)
            out << (i > 0 ? "," : "") << R"({"ph":"X","cat":"cpu_op","name":"op)" << i % 7
                << R"(","pid":1,"tid":1,"ts":)" << i * 10 << R"(,"dur":)" << 1 + i % 9 << R"(,"args":{"bytes":)" << i
                << "}}\n";
        out << more << "]}";
        return file;
    }
    TimelineView* timeline() { return test::child<widgets::TimelineView>(page_); }
    void press(Qt::Key key) { QTest::keyClick(timeline(), key); }
    QString message() {
        const auto* shown = page_.findChild<widgets::InlineMessage*>();
        return shown->isVisible() ? shown->title() + QLatin1Char(' ') + shown->text() : QString();
    }

    test::ViewsFolder views_;
    test::TemporaryFolder folder_;
    TracesPage page_;
};

}  // namespace trainyard::desktop
